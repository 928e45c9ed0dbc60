//! The length of every sequence, for tools that draw mock data from a file.

use super::shuffle::Permutation;
use crate::histogram::Histogram;

/// Writes a heading and the length of each sequence in tokens on a line of its own, in the random
/// order of a seed, since readers of the file take lengths as they come. O(sequences · log
/// distinct), in the memory of the counts.
///
/// As Megatron-LM@d2e7ec5b reads it (`MockSFTLowLevelDataset` in `megatron/training/datasets/sft_dataset.py`,
/// `{"mode": "file"}`): the first line is no length, and every column is taken for lengths, so that there is only one.
pub fn lengths(histogram: &Histogram<1>, seed: u64, out: &mut dyn FnMut(&str)) {
    let shuffle = Permutation::new(histogram.items(), seed);
    let ends: Vec<u64> = histogram
        .entries()
        .iter()
        .scan(0, |end, (_, count)| {
            *end += count;
            Some(*end)
        })
        .collect();
    out("length\n");
    for i in 0..histogram.items() {
        let item = shuffle.image(i);
        let at = ends.partition_point(|end| *end <= item);
        if let Some(([length], _)) = histogram.entries().get(at) {
            out(&format!("{length}\n"));
        }
    }
}
