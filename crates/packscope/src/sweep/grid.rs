//! Every combination of limits, coarse to fine.

use super::Range;
use crate::histogram::Size;

/// Distance of the first points, in steps; halved from level to level.
const COARSEST: u32 = 8;

/// Number of points returned at once, so that a large grid is never held as a whole.
const CHUNK: usize = 1024;

/// Returns the distance, in steps, of the points that a grid tries together with the one at these indices.
pub fn spacing<const K: usize>(at: [u32; K]) -> u32 {
    let mut stride = COARSEST;
    while at.iter().any(|index| !index.is_multiple_of(stride)) {
        stride /= 2;
    }
    stride
}

/// Tries every 8th limit of every component, then every 4th, 2nd and 1st, each combination once: a coarse picture of
/// the whole map is available early, and is refined.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GridSweep<const K: usize> {
    /// Distance of the indices at this level; 0 after the last level.
    stride: u32,
    /// The position in the level; the first component runs fastest.
    at: [u32; K],
}

impl<const K: usize> Default for GridSweep<K> {
    fn default() -> Self {
        Self {
            stride: COARSEST,
            at: [0; K],
        }
    }
}

impl<const K: usize> GridSweep<K> {
    pub(super) fn next(&mut self, ranges: &[Range; K]) -> Option<Vec<Size<K>>> {
        let mut chunk = Vec::new();
        while self.stride > 0 && chunk.len() < CHUNK {
            // No coarser level had this point.
            if spacing(self.at) == self.stride {
                chunk.push(std::array::from_fn(|k| ranges[k].value(self.at[k])));
            }
            self.step(ranges);
        }
        (!chunk.is_empty()).then_some(chunk)
    }

    fn step(&mut self, ranges: &[Range; K]) {
        for (index, range) in self.at.iter_mut().zip(ranges) {
            *index += self.stride;
            if *index < range.len() {
                return;
            }
            *index = 0;
        }
        self.stride /= 2;
    }
}
