//! `packscope compare`: all algorithms side by side, as on the page.

use crate::args::{Rows, TableOutput};
use crate::input::Input;
use crate::packing::{Choice, ComparisonLine, PrintableProblem, by_limits, pack_all};
use clap::Args;
use packscope::error::Result;
use serde_json::{Value, json};

#[derive(Args)]
pub struct Compare {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    rows: Rows,
    #[arg(long, default_value = "text")]
    format: TableOutput,
}

pub fn run(command: &Compare) -> Result<String> {
    by_limits!(command.rows, compare(command))
}

fn compare<P: PrintableProblem>(command: &Compare) -> Result<String> {
    let settings = P::settings(&Choice::new(&command.rows))?;
    let data = P::read(&command.input, &settings)?;
    let mut rows = pack_all(&data.prepared, &command.rows, P::compared(&settings))?;
    rows.sort_by(P::order);
    let table = P::side_by_side(&rows, &data.names);
    Ok(command.format.print(
        &table,
        || json!({ "read": data.read, "algorithms": rows.iter().map(row_to_json::<P>).collect::<Vec<_>>() }),
    ))
}

fn row_to_json<P: PrintableProblem>(
    (settings, figures, taken): &ComparisonLine<P::Settings>,
) -> Value {
    let mut row = json!(figures);
    if let (Some(row), Value::Object(named)) = (row.as_object_mut(), P::named(settings)) {
        row.extend(named);
        row.insert("seconds".to_owned(), json!(taken));
    }
    row
}
