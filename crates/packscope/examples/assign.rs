//! Puts every sequence of a data set into its row, as a data loader needs it: `cargo run --example assign`.

use packscope::export::Assigner;
use packscope::{Algorithm, Depth, Error, Histogram, Overlong};

/// Packs 50,000 sequences, and reads them once more for the row of each.
///
/// # Errors
/// None with these data.
pub fn main() -> Result<(), Error> {
    // Token counts, in the order of the data set; a few are longer than a row.
    let lengths: Vec<u32> = (0..50_000u64)
        .map(|i| 1 + (i * i * 7_919 % 2_113) as u32)
        .collect();
    let (limit, overlong) = (2_048, Overlong::Truncate);

    let histogram = Histogram::from_lengths(lengths.iter().map(|length| (*length, 1)))?;
    let fitted = histogram.fit([limit], overlong)?;
    let plan = Algorithm::AverageTarget.pack(&fitted.histogram, limit, Depth::Unlimited)?;

    // A seed shuffles the rows; without one those of the same lengths follow each other.
    let mut assigner = Assigner::for_plan(&plan, overlong, Some(1))?;
    let mut rows = vec![Vec::new(); plan.packs() as usize];
    for (item, length) in lengths.iter().enumerate() {
        // None: dropped, which this policy never does.
        if let Some(placed) = assigner.place_whole([*length])? {
            rows[placed.pack as usize].push((item, placed.size[0]));
        }
    }
    assigner.finish()?;

    println!(
        "{} sequences in {} rows, {} cut",
        assigner.items(),
        rows.len(),
        fitted.overlong_items
    );
    for (row, items) in rows.iter().enumerate().take(3) {
        let used: u32 = items.iter().map(|(_, tokens)| tokens).sum();
        println!("row {row}: {used} tokens, (item, tokens) {items:?}");
    }
    Ok(())
}
