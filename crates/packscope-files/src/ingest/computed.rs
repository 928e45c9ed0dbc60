//! Computed sizes: a chosen column whose name no column has is a formula over others. It comes after the columns of a
//! file as one more, so that the code that reads and chooses columns need not know about it.

use super::column_stats::{Cell, ColumnStats, Holds};
use super::columns::place;
use super::number;
use super::options::{Column, Options};
use super::problem::shorten;
use super::value::Value;
use crate::formula::{Formula, Operand};
use packscope_core::error::{Error, Result};

#[derive(Debug, Clone)]
pub(super) struct FormulaColumns {
    pub text: String,
    formula: Formula,
    /// At least one.
    pub of: Vec<usize>,
}

/// Returns the number for which a value stands in a formula: for a list, its length.
pub(super) fn operand(value: Value) -> Option<f64> {
    match value {
        Value::Whole(n) | Value::Elements(n) => {
            // Beyond 2^53 a float would round, and the formula give another number.
            Some(n as f64).filter(|_| n <= 1 << f64::MANTISSA_DIGITS)
        }
        Value::Real(x) => Some(x),
        _ => None,
    }
}

/// Computes a formula from the values of its fields.
///
/// # Errors
/// The index of the first field that is not a number.
pub(super) fn compute<E>(
    formula: &Formula,
    mut value: impl FnMut(usize) -> std::result::Result<f64, E>,
) -> std::result::Result<Value, E> {
    let values = (0..formula.fields().len())
        .map(&mut value)
        .collect::<std::result::Result<Vec<_>, _>>()?;
    let value = formula.value(&values);
    Ok(number::integral(value).map_or(Value::Real(value), Value::Whole))
}

impl FormulaColumns {
    /// Finds the formulae among the chosen sizes of a file with these columns.
    ///
    /// # Errors
    /// For names that are not formulae, and for columns that do not exist.
    pub fn find(options: &Options, names: &[String]) -> Result<Vec<Self>> {
        let mut found = Vec::new();
        for column in &options.sizes {
            let known = |_: &str| place(names, column).is_some();
            let Some(formula) = column.formula(known)? else {
                continue;
            };
            let find = |field: &Operand| {
                let field = Column::from(field);
                let listed = || {
                    names
                        .iter()
                        .map(|name| shorten(name.as_bytes()))
                        .take(20)
                        .collect::<Vec<_>>()
                        .join(", ")
                };
                place(names, &field).ok_or_else(|| {
                    wrong(format!(
                        "there is no {field}; the columns are: {}",
                        listed()
                    ))
                })
            };
            let of = formula.fields().iter().map(find).collect::<Result<_>>()?;
            found.push(Self {
                text: formula.text().to_owned(),
                formula,
                of,
            });
        }
        Ok(found)
    }

    /// Computes the formula from the cells of a row.
    ///
    /// # Errors
    /// The index of the first cell that is not a number.
    pub fn value(&self, cell: impl Fn(usize) -> Option<f64>) -> std::result::Result<Value, usize> {
        compute(&self.formula, |at| cell(self.of[at]).ok_or(self.of[at]))
    }

    /// Computes the formula from typed cells; a number too large to compute with is returned instead of the result.
    pub fn of_cells(&self, cells: &[Value]) -> Value {
        self.value(|at| operand(cells[at]))
            // `Missing` would hide what is wrong with a number beyond 2^53.
            .unwrap_or_else(|at| match cells[at] {
                value if value.is_number() => value,
                _ => Value::Missing,
            })
    }
}

fn wrong(message: String) -> Error {
    Error::Input {
        place: "the length".to_owned(),
        message,
    }
}

/// Adds the computed columns to the examined ones. Their operands cannot be counts.
pub(super) fn add_computed_columns(columns: &mut Vec<ColumnStats>, computed: &[FormulaColumns]) {
    let rows = columns
        .iter()
        .map(|column| column.cells.len())
        .max()
        .unwrap_or(0);
    for one in computed {
        let number = |at: usize, row: usize| match columns[at].cells.get(row)? {
            Cell::Whole(n) => operand(Value::Whole(*n)),
            Cell::Real(x) => Some(*x),
            _ => None,
        };
        let cell = |row| {
            one.value(|at| number(at, row))
                .map_or(Cell::Else, Cell::from)
        };
        let cells = (0..rows).map(cell).collect();
        columns.push(ColumnStats {
            name: one.text.clone(),
            holds: Holds::Numbers,
            cells,
        });
    }
    // After all are computed: two formulae may use one column.
    for at in computed.iter().flat_map(|one| &one.of) {
        columns[*at].holds = Holds::PART;
    }
}

/// Returns the columns to read for these, some of which are computed, from a file with `width` columns; and the index
/// of each among the cells of a row, or after them. The formulae then use these indices.
pub(super) fn wanted<'i>(
    columns: impl Iterator<Item = &'i usize>,
    width: usize,
    computed: &mut [FormulaColumns],
) -> (Vec<usize>, Vec<usize>) {
    let columns: Vec<usize> = columns.copied().collect();
    let mut read: Vec<usize> = columns.iter().copied().filter(|at| *at < width).collect();
    read.extend(computed.iter().flat_map(|one| &one.of));
    // Sorted, so that `binary_search` finds the index among the cells read.
    read.sort_unstable();
    read.dedup();
    let place = |at: usize| read.binary_search(&at).unwrap_or(at);
    computed
        .iter_mut()
        .flat_map(|one| &mut one.of)
        .for_each(|at| *at = place(*at));
    let behind = |at: usize| {
        if at < width {
            place(at)
        } else {
            read.len() + at - width
        }
    };
    let places = columns.into_iter().map(behind).collect();
    (read, places)
}
