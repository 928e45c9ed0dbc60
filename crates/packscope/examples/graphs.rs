//! Packs graphs under limits on nodes and edges at once: `cargo run --example graphs`.

use packscope::packing::go_on;
use packscope::packing::tuple::{Heuristic, TupleAlgorithm, TupleTask};
use packscope::{Depth, Error, Histogram};

/// Packs and their efficiency in both components, by four algorithms.
///
/// # Errors
/// None with these data.
pub fn main() -> Result<(), Error> {
    // Molecules of 8 to 39 atoms: about as many bonds as atoms, each an edge in both directions.
    let molecules = (8..40u32).flat_map(|nodes| {
        (0..4).map(move |rings| {
            (
                [nodes, 2 * (nodes - 1 + rings)],
                u64::from((40 - nodes) * (4 - rings)),
            )
        })
    });
    let histogram = Histogram::from_counts(molecules)?;
    let limits = [96, 204];
    let task = TupleTask::new(limits, Depth::AtMost(64), Heuristic::Product);
    println!(
        "{} graphs of {} sizes",
        histogram.items(),
        histogram.distinct()
    );
    for algorithm in [
        TupleAlgorithm::None,
        TupleAlgorithm::NodesOnly,
        TupleAlgorithm::BestFitPublished,
        TupleAlgorithm::Optimal,
    ] {
        let packed = algorithm.run(&histogram, &task, &mut go_on)?;
        let [nodes, edges] =
            [0, 1].map(|k| 100.0 * histogram.total()[k] as f64 / packed.slots[k] as f64);
        let proven = packed
            .bound
            .is_some_and(|bound| bound.packs == packed.plan.packs());
        println!(
            "{:<18} {:>4} packs, nodes {nodes:.2} %, edges {edges:.2} % filled{}",
            algorithm.name(),
            packed.plan.packs(),
            if proven { ": no plan has fewer" } else { "" },
        );
    }
    Ok(())
}
