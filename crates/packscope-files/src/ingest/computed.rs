//! Computed sizes: a chosen column whose name no column has is a formula over others. It comes after the columns of a
//! file as one more, so that the code that reads and chooses columns need not know about it.

use super::column_stats::{Cell, ColumnStats, Holds};
use super::columns::place;
use super::nested;
use super::number;
use super::options::{Column, Options};
use super::problem::shorten;
use super::value::{Pick, Value};
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

/// Returns what a formula makes of the lists and numbers in the fields of a JSON record, element by element; a number stands for
/// as many of itself.
///
/// # Errors
/// If a field is neither, or lists have different lengths.
pub(super) fn of_lists(formula: &Formula, record: &[u8]) -> std::result::Result<Vec<f64>, String> {
    let mut fields = Vec::new();
    for field in formula.fields() {
        let numbers: Option<Vec<f64>> = match field {
            Operand::Name(path) => match nested::list(record, path) {
                Some(list) => list.iter().map(serde_json::Value::as_f64).collect(),
                None => scalar(record, path).map(|number| vec![number]),
            },
            // Fields of objects have no numbers of columns.
            Operand::Number(_) => None,
        };
        let column = Column::from(field);
        fields.push(numbers.ok_or_else(|| {
            format!("{column} is no number and no list of numbers; expected what a formula computes with")
        })?);
    }
    let most = fields.iter().map(Vec::len).max().unwrap_or(0);
    if fields
        .iter()
        .any(|numbers| numbers.len() != most && numbers.len() != 1)
    {
        return Err(
            "the lists in the formula have different lengths; expected as many numbers in each"
                .to_owned(),
        );
    }
    let of_row = |row: usize| {
        let value = |numbers: &Vec<f64>| numbers.get(row).or(numbers.first()).copied();
        let values: Vec<f64> = fields.iter().filter_map(value).collect();
        formula.value(&values)
    };
    Ok((0..most).map(of_row).collect())
}

fn scalar(record: &[u8], path: &str) -> Option<f64> {
    operand(Pick::Field(path).look(record).ok()?)
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
