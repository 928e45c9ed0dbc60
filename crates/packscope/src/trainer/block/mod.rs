//! The building blocks: one algorithm, one file.

mod alone;
mod best_fit;
mod bins;
mod buffer;
mod concatenate;
mod crop;
mod decreasing;
mod fewest_items;
mod first_fit;
mod from_buffer;
mod karmarkar_karp;
mod knapsack;
mod least_loaded;
mod mffd;
mod next_fit;
mod open_rows;
mod pieces;
mod ratio;
mod sorted;
mod top_up;

use super::recipe::{Block, Recipe};
use super::tally::RowBuilder;
use crate::error::Result;
use crate::histogram::{Histogram, Overlong};
use best_fit::Fullest;
use decreasing::DecreasingPacker;
use least_loaded::Emptiest;

pub(super) use alone::padded;
pub(super) use pieces::{DocumentPieces, count_rows};
pub(super) use ratio::{auto as auto_ratio, sampled as auto_sample};

/// Takes items in their order, and makes rows of them.
pub(super) trait RowPacker {
    /// Takes a sequence of `length` slots.
    fn item(&mut self, length: u32, rows: &mut RowBuilder);

    /// Ends a window, or (`last`) the data.
    ///
    /// # Errors
    /// When no row can be made as the library makes it.
    fn end(&mut self, last: bool, rows: &mut RowBuilder) -> Result<()>;
}

/// Returns the packer of a recipe for these data.
pub(super) fn packer(recipe: &Recipe, data: &Histogram<1>) -> Box<dyn RowPacker> {
    let Recipe { capacity, cap, .. } = *recipe;
    match recipe.block {
        Block::Alone { batch, multiple } => Box::new(alone::Alone::new(batch, multiple)),
        Block::Flat => Box::new(alone::Alone::new(1, 1)),
        // A cap of one: every sequence closes the row before it.
        Block::Padded => Box::new(next_fit::NextFit::new(capacity, 1)),
        Block::Sorted { multiple, width } => {
            Box::new(sorted::Sorted::new(capacity, multiple, width))
        }
        Block::NextFit => Box::new(next_fit::NextFit::new(capacity, cap)),
        Block::FirstFit => {
            // Pieces that are split off may be shorter than any sequence.
            let shortest = match recipe.overlong {
                Overlong::Split => 1,
                _ => data
                    .entries()
                    .first()
                    .map_or(1, |([l], _)| l.saturating_sub(recipe.shift)),
            };
            Box::new(first_fit::FirstFit::new(capacity, cap, shortest.max(1)))
        }
        Block::FirstFitDecreasing => Box::new(knapsack::KnapsackPacker::new(capacity, cap)),
        Block::BestFitDecreasing { carried } => Box::new(DecreasingPacker::new(
            capacity,
            cap,
            carried,
            // Best fit carries a row as binpacking 1.5.2 does: of equally full rows, first opened.
            Fullest::new(capacity, carried),
        )),
        Block::LeastLoaded { carried } => Box::new(DecreasingPacker::new(
            capacity,
            cap,
            carried,
            Emptiest::default(),
        )),
        Block::Mffd => Box::new(mffd::Mffd::new(capacity)),
        Block::OpenRows { rows, fit } => {
            Box::new(open_rows::OpenRows::new(capacity, cap, rows, fit))
        }
        Block::Concatenate { last, label, lost } => {
            Box::new(concatenate::Concatenate::new(capacity, last, label, lost))
        }
        Block::FewestItems { differencing } => {
            Box::new(fewest_items::FewestItems::new(capacity, differencing))
        }
        Block::FromBuffer { size } => Box::new(from_buffer::FromBuffer::new(capacity, size)),
        Block::Crop { size, chunk } => Box::new(crop::Crop::new(capacity, size, chunk)),
        Block::Pieces { least } => Box::new(pieces::Pieces::new(capacity, least)),
        Block::Ratio {
            rows,
            items,
            leftover,
        } => Box::new(ratio::Ratio::new(
            capacity,
            rows,
            items.unwrap_or(rows),
            leftover,
        )),
        Block::KarmarkarKarp { keeps } => {
            Box::new(karmarkar_karp::KarmarkarKarp::new(capacity, keeps))
        }
        Block::TopUp { ahead } => Box::new(top_up::TopUp::new(capacity, ahead)),
        Block::Buffer { rows, size, chunk } => {
            Box::new(buffer::Buffer::new(capacity, rows, size, chunk))
        }
    }
}
