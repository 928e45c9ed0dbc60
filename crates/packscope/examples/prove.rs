//! Packs into the fewest rows there can be, and checks the proof by hand: `cargo run --example prove`.

use packscope::packing::{Task, go_on};
use packscope::{Algorithm, Depth, Error, Histogram};

const LIMIT: usize = 100;
const DEPTH: usize = 3;

/// A plan, the certificate of its bound, and what is left of it when nothing but the certificate is believed.
///
/// # Errors
/// None with these data.
pub fn main() -> Result<(), Error> {
    let lengths = (1..=40u32).map(|i| (15 + i * 7 % 67, u64::from(1 + i * i % 23)));
    let histogram = Histogram::from_lengths(lengths)?;
    let task = Task::new(LIMIT as u32, Depth::AtMost(DEPTH as u32));
    let packed = Algorithm::Optimal.run(&histogram, &task, &mut go_on)?;
    println!(
        "{} sequences in {} packs",
        histogram.items(),
        packed.listing.packs
    );
    let Some(certificate) = packed.certificate else {
        println!("a simple bound proves it");
        return Ok(());
    };
    // The most that a pack of at most so many sequences and tokens is worth: a knapsack in whole numbers.
    let mut most = [[0i64; LIMIT + 1]; DEPTH + 1];
    for depth in 1..=DEPTH {
        for room in 1..=LIMIT {
            let fits = certificate
                .worths
                .iter()
                .filter(|([length], _)| *length as usize <= room);
            let with =
                fits.map(|([length], worth)| worth + most[depth - 1][room - *length as usize]);
            most[depth][room] = with.max().unwrap_or(0);
        }
    }
    // Worths go from the longest to the shortest, entries from the shortest to the longest.
    let counts = histogram
        .entries()
        .iter()
        .rev()
        .map(|(_, count)| *count as i64);
    let all: i64 = counts
        .zip(&certificate.worths)
        .map(|(count, (_, worth))| count * worth)
        .sum();
    let fewest = (all + most[DEPTH][LIMIT] - 1) / most[DEPTH][LIMIT];
    println!(
        "all are worth {all}, a pack at most {}: no plan has fewer than {fewest}",
        most[DEPTH][LIMIT]
    );
    Ok(())
}
