//! Sizes that are computed: a chosen column that no column is called is a formula over others. It stands behind the columns
//! of a file as one more, so that what reads and chooses columns need not know of it.

use super::cells::{Cells, Field, Layout, Rows, real};
use super::columns::place;
use super::description::Description;
use super::names;
use super::number;
use super::options::{Column, Options};
use super::problem::{Problem, Why};
use super::seen::{Cell, Holds, Seen};
use super::value::Value;
use crate::error::{Error, Result};
use crate::formula::{Formula, Operand, quoted};

/// A formula, and the places of the columns that it takes.
#[derive(Debug, Clone)]
pub(super) struct Computed {
    pub text: String,
    formula: Formula,
    of: Vec<usize>,
}

impl From<&Operand> for Column {
    fn from(operand: &Operand) -> Self {
        match operand {
            Operand::Name(name) => Self::Name(name.clone()),
            Operand::Number(number) => Self::Number(*number),
        }
    }
}

/// Returns the formula that a chosen column is, unless it is `known` by its name.
///
/// # Errors
/// When it is meant as a formula, and is none.
pub(super) fn formula(column: &Column, known: impl Fn(&str) -> bool) -> Result<Option<Formula>> {
    match column {
        Column::Name(text) if Formula::is_meant(text) && !known(text) => {
            Formula::parse(text).map(Some).map_err(wrong)
        }
        _ => Ok(None),
    }
}

/// Whether a chosen column is a formula over numbered columns alone, which needs no header.
pub(super) fn is_numbered(text: &str) -> bool {
    let numbered = |formula: Formula| formula.fields().iter().all(|of| matches!(of, Operand::Number(_)));
    Formula::is_meant(text) && Formula::parse(text).is_ok_and(numbered)
}

/// Returns the number that a value is in a formula: a list stands for its length.
pub(super) fn operand(value: Value) -> Option<f64> {
    match value {
        Value::Whole(n) | Value::Elements(n) => Some(n as f64).filter(|_| n <= 1 << f64::MANTISSA_DIGITS),
        Value::Real(x) => Some(x),
        _ => None,
    }
}

/// Computes one from the values of its fields.
///
/// # Errors
/// With the first of them that is no number.
pub(super) fn compute<E>(
    formula: &Formula,
    mut value: impl FnMut(usize) -> std::result::Result<f64, E>,
) -> std::result::Result<Value, E> {
    let values = (0..formula.fields().len()).map(&mut value).collect::<std::result::Result<Vec<_>, _>>()?;
    Ok(real(formula.value(&values)))
}

impl Computed {
    /// Finds the formulae among the chosen sizes of a file with these columns.
    ///
    /// # Errors
    /// For what is no formula, and for columns that do not exist.
    pub fn find(options: &Options, names: &[String]) -> Result<Vec<Self>> {
        let mut found = Vec::new();
        for column in &options.sizes {
            let known = |_: &str| place(names, column).is_some();
            let Some(formula) = formula(column, known)? else { continue };
            let find = |field: &Operand| {
                let field = Column::from(field);
                let listed = || names.iter().map(String::as_str).take(20).collect::<Vec<_>>().join(", ");
                place(names, &field)
                    .ok_or_else(|| wrong(format!("there is no {field}; the columns are: {}", listed())))
            };
            let of = formula.fields().iter().map(find).collect::<Result<_>>()?;
            found.push(Self { text: formula.text().to_owned(), formula, of });
        }
        Ok(found)
    }

    /// Returns the first column that it takes.
    pub fn first(&self) -> usize {
        self.of.first().copied().unwrap_or(0)
    }

    /// Computes it from the cells of a row.
    ///
    /// # Errors
    /// With the place of the first cell that is no number.
    pub fn value(&self, cell: impl Fn(usize) -> Option<f64>) -> std::result::Result<Value, usize> {
        compute(&self.formula, |at| cell(self.of[at]).ok_or(self.of[at]))
    }
}

fn wrong(message: String) -> Error {
    Error::Input { place: "the length".to_owned(), message }
}

/// Adds what is computed to the columns as they were looked at. What it is computed from is no count.
pub(super) fn seen(columns: &mut Vec<Seen>, computed: &[Computed]) {
    let rows = columns.iter().map(|column| column.cells.len()).max().unwrap_or(0);
    for one in computed {
        let number = |at: usize, row: usize| match columns[at].cells.get(row)? {
            Cell::Whole(n) => operand(Value::Whole(*n)),
            Cell::Real(x) => Some(*x),
            _ => None,
        };
        let cell = |row| one.value(|at| number(at, row)).map_or(Cell::Else, Cell::from);
        let cells = (0..rows).map(cell).collect();
        columns.push(Seen { name: one.text.clone(), holds: Holds::Numbers, cells });
    }
    for at in computed.iter().flat_map(|one| &one.of) {
        columns[*at].holds = Holds::Other("a part of the length");
    }
}

/// Typed columns, and those that are computed behind them.
pub(super) struct Beside<'c> {
    cells: &'c mut dyn Cells,
    layout: Layout,
    /// The columns that the file has.
    pub width: usize,
    pub computed: Vec<Computed>,
}

impl<'c> Beside<'c> {
    pub fn new(cells: &'c mut dyn Cells, options: &Options) -> Result<Self> {
        let Layout { format, fields, size, named } = cells.layout();
        let (format, mut fields, size, named) = (*format, fields.clone(), *size, *named);
        let names: Vec<String> = fields.iter().map(|field| field.name.clone()).collect();
        let (width, computed) = (fields.len(), Computed::find(options, &names)?);
        let mut taken = computed.iter().flat_map(|one| &one.of).map(|at| &fields[*at]);
        if let Some(field) = taken.find(|field| !matches!(field.holds, Holds::Numbers | Holds::Lists)) {
            return Err(wrong(format!("\"{}\" holds no numbers", field.name)));
        }
        fields.extend(
            computed.iter().map(|one| Field { name: one.text.clone(), holds: Holds::Numbers }),
        );
        Ok(Self { cells, layout: Layout { format, fields, size, named }, width, computed })
    }
}

impl Cells for Beside<'_> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn rows(&mut self, wanted: &[usize], to: &mut dyn Rows) -> Result<()> {
        let computed = |at: usize| at.checked_sub(self.width).and_then(|at| self.computed.get(at));
        if wanted.iter().all(|at| computed(*at).is_none()) {
            return self.cells.rows(wanted, to);
        }
        let mut read: Vec<usize> =
            wanted.iter().flat_map(|at| computed(*at).map_or(vec![*at], |one| one.of.clone())).collect();
        read.sort_unstable();
        read.dedup();
        let all = wanted.iter().map(|at| (*at, computed(*at))).collect();
        self.cells.rows(&read, &mut Filled { read: &read, wanted: all, row: Vec::new(), to })
    }
}

/// Hands rows on with what is computed from their cells.
struct Filled<'f> {
    read: &'f [usize],
    wanted: Vec<(usize, Option<&'f Computed>)>,
    row: Vec<Value>,
    to: &'f mut dyn Rows,
}

impl Rows for Filled<'_> {
    fn row(&mut self, cells: &[Value]) -> bool {
        let cell = |at: usize| {
            self.read.binary_search(&at).ok().and_then(|at| cells.get(at)).copied().unwrap_or(Value::Missing)
        };
        let value = |(at, computed): &(usize, Option<&Computed>)| match computed {
            // A number that is too large to compute with is quoted in place of the result.
            Some(one) => one.value(|at| operand(cell(at))).unwrap_or_else(|at| match cell(at) {
                value if value.is_number() => value,
                _ => Value::Missing,
            }),
            None => cell(*at),
        };
        self.row.clear();
        self.row.extend(self.wanted.iter().map(value));
        self.to.row(&self.row)
    }

    fn reached(&mut self, position: u64) -> bool {
        self.to.reached(position)
    }
}

/// Milliseconds of the frames of speech models, of which seconds are multiples.
const FRAMES: [f64; 4] = [10.0, 12.5, 20.0, 40.0];

/// Words of names that hold seconds.
const TIMES: [&str; 12] =
    ["duration", "dur", "seconds", "second", "secs", "sec", "start", "end", "begin", "stop", "onset", "offset"];

/// Refuses lengths that are mostly fractions, as seconds are, with the formulae that make lengths of them.
pub(super) fn fractions(description: &Description) -> Option<Error> {
    let column = description.sizes.first().filter(|_| description.sizes.len() == 1)?;
    let known = |name: &str| description.columns.iter().flatten().any(|column| column == name);
    let is_fraction = |problem: &Problem| {
        let value = number::real(problem.text.as_bytes());
        problem.why == Why::Length && value.is_some_and(|x| x > 0.0 && x.is_finite() && x.fract() != 0.0)
    };
    let all = description.problems.iter().filter(|problem| is_fraction(problem)).count();
    if 2 * description.skipped <= description.records || 2 * all <= description.problems.len() {
        return None;
    }
    let place = description.problems.iter().find(|problem| is_fraction(problem))?.place();
    Some(Error::Input { place, message: rates(column, formula(column, known).ok().flatten()) })
}

/// Says what a column of fractions may be, with the formula for each.
fn rates(column: &Column, formula: Option<Formula>) -> String {
    let name = match (column, &formula) {
        (Column::Number(number), _) => format!("${number}"),
        (Column::Name(name), Some(_)) => format!("({name})"),
        (Column::Name(name), None) => quoted(name),
    };
    let is_time = |field: &Operand| match field {
        Operand::Name(name) => names::words(name).iter().any(|word| TIMES.contains(&word.as_str())),
        Operand::Number(_) => true,
    };
    if formula.is_some_and(|formula| !formula.fields().iter().any(is_time)) {
        let bare = &name[1..name.len() - 1];
        return format!(
            "{column} is no whole number; round it: --length 'ceil({bare})', 'floor({bare})' or 'round({bare})'"
        );
    }
    let frames = FRAMES.map(|ms| format!("of {ms} ms --length 'round({name} * {})'", 1000.0 / ms)).join(", ");
    format!(
        "{column} holds fractions, as seconds do, which are lengths with a rate: for frames {frames}, for samples of \
         16 kHz --length 'round({name} * 16000)'"
    )
}
