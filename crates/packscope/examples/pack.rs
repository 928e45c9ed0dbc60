//! Packs sequences as long as those of BERT's Wikipedia data: `cargo run --example pack`.

use packscope::packing::go_on;
use packscope::{Algorithm, Depth, Error, Request, Settings, run};

/// Four algorithms at depth 3, the best plan last, and its commonest packs.
///
/// # Errors
/// None with these data.
pub fn main() -> Result<(), Error> {
    // The shorter, the more; and a quarter that was cut at 512 tokens.
    let counts: Vec<(u32, u64)> = (1..512)
        .map(|length| (length, 30_000 - 40 * u64::from(length)))
        .chain([(512, 3_800_000)])
        .collect();
    for algorithm in [
        Algorithm::None,
        Algorithm::Spfhp,
        Algorithm::Lpfhp,
        Algorithm::AverageTarget,
    ] {
        let settings = Settings {
            limit: 512,
            depth: Depth::AtMost(3),
            algorithm,
            ..Settings::default()
        };
        let report = run(
            &Request {
                counts: counts.clone(),
                settings,
                listed: 3,
            },
            &mut go_on,
        )?;
        let figures = &report.figures;
        println!(
            "{:<14} {:>8} packs, {:.2} % of their slots filled, {:.2} % above the bound",
            algorithm.name(),
            figures.packs,
            100.0 * figures.efficiency[0],
            100.0 * figures.gap.unwrap_or_default(),
        );
        if algorithm == Algorithm::AverageTarget {
            for shape in &report.strategies {
                println!(
                    "  {} packs of (length, times) {:?}",
                    shape.count, shape.runs
                );
            }
        }
    }
    Ok(())
}
