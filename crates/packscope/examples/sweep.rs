//! Finds the limits on nodes and edges that waste least: `cargo run --example sweep`.

use packscope::api::tuple::{Settings, evaluate};
use packscope::packing::tuple::TupleAlgorithm;
use packscope::sweep::{Sweep, SweepMethod, best, front};
use packscope::{Depth, Error, Histogram};

/// All limits of a grid, the best of them, and those that no other beats with limits as small.
///
/// # Errors
/// None with these data.
pub fn main() -> Result<(), Error> {
    let graphs =
        (6..30u32).map(|nodes| ([nodes, 2 * nodes + nodes % 5], u64::from(200 - 6 * nodes)));
    let histogram = Histogram::from_counts(graphs)?;
    let settings = Settings {
        algorithm: TupleAlgorithm::BestFit,
        depth: Depth::AtMost(32),
        ..Settings::default()
    };
    let mut sweep = Sweep::new(
        SweepMethod::Grid,
        ["32:64:8".parse()?, "72:144:12".parse()?],
    );
    // A sweep never packs: its caller does, here one point after the other.
    while let Some(limits) = sweep.ask() {
        match evaluate(&histogram, &settings, limits) {
            Ok(point) => sweep.tell(point),
            Err(_) => sweep.refuse(limits),
        }
    }
    println!("{} limits tried", sweep.points().len());
    if let Some(best) = best(sweep.points()) {
        println!(
            "best: {:?} with {} packs, {:.2} % filled",
            best.limits,
            best.packs,
            100.0 * best.harmonic
        );
    }
    for point in front(sweep.points()) {
        println!(
            "{:?}: {} packs, {:.2} % filled",
            point.limits,
            point.packs,
            100.0 * point.harmonic
        );
    }
    Ok(())
}
