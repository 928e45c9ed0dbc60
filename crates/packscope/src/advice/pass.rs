//! The pass that a library makes, from its answer: work, rows and losses.

use super::price::{BatchRows, Lost, Pass};
use crate::api::trainer::LibraryAnswer;
use crate::cost::waiting::Population;
use crate::cost::{Method, Work};
use crate::histogram::{Histogram, Overlong};
use crate::metrics::ExpectedPadding;
use crate::sampler::Sampler;
use crate::trainer::{Block, DeviceStep, LibrarySettings, Recipe};

/// Whether sequences that share a row are kept apart. Where documents are laid end to end nothing is left that could tell
/// them apart; LLaMA-Factory says so of its rows in its own help.
fn keeps_apart(chosen: &LibrarySettings, recipe: &Recipe) -> bool {
    let blind = chosen.library.id == "llama-factory" && chosen.get("neat_packing") != "true";
    let end_to_end = matches!(recipe.block, Block::Concatenate { .. } | Block::Crop { .. });
    !(end_to_end || blind && recipe.block.packs())
}

/// Returns the lengths of rows of single sequences: none above the limit, rounded up to a multiple.
fn padded_lengths(data: &Histogram<1>, recipe: &Recipe, multiple: u32) -> Option<Histogram<1>> {
    let overlong = match recipe.overlong {
        Overlong::Drop => Overlong::Drop,
        _ => Overlong::Truncate,
    };
    let fitted = data.fit_roughly(recipe.capacity, overlong).ok()?;
    let rounded = fitted.entries().iter().map(|&([length], n)| {
        (
            length.checked_next_multiple_of(multiple).unwrap_or(length),
            n,
        )
    });
    Histogram::from_lengths(rounded).ok()
}

/// Returns the pass of a library at its settings, with batches of `rows` rows where it has no setting for them; `None` if
/// it trains nothing.
pub(super) fn pass_of(
    data: &Histogram<1>,
    (chosen, recipe): (&LibrarySettings, &Recipe),
    answer: &LibraryAnswer,
    rows: u32,
) -> Option<Pass> {
    let figures = answer.figures.as_ref()?;
    let real = figures.real_tokens;
    if real < 1.0 {
        return None;
    }
    let slots = real / (1.0 - figures.padding_share);
    let pairs = real * (2.0 * figures.mean_context - 1.0);
    let apart = keeps_apart(chosen, recipe);
    let work = Work {
        method: Method::PackedBlocks,
        items: data.items(),
        rows: figures.rows.round().max(1.0) as u64,
        batches: 0,
        depth: figures.most.round() as u64,
        useful: [real, pairs],
        padding: [(slots - real).max(0.0), 0.0],
        between: 0.0,
        largest: 0.0,
    };
    let usual = match recipe.step {
        DeviceStep::Rows(own) => own.max(1),
        DeviceStep::Asked => rows.max(1),
        DeviceStep::Items(_) => 1,
    };
    let capacity = f64::from(recipe.capacity);
    let pass = Pass {
        limit: vec![chosen.limit],
        work,
        population: None,
        rows: BatchRows::Any {
            usual,
            side_by_side: false,
        },
        longest: figures.longest_row.max(capacity),
        row_pairs: figures.rows * capacity * capacity,
        step_tokens: match recipe.step {
            DeviceStep::Items(items) => Some(f64::from(items) * real / data.items() as f64),
            _ => None,
        },
        lost: Lost {
            cut_off: figures.truncated_share,
            dropped: figures.dropped_share,
        },
        cut_share: figures.cut_share,
        apart,
        shuffles: true,
    };
    of_block(data, recipe, pass)
}

/// Returns the units of batches of so many rows, each as wide as one of the lengths, with the frequency of the length.
fn shapes(lengths: &Histogram<1>, rows: u32) -> Vec<([f64; 2], f64)> {
    let rows = f64::from(rows);
    let shape = |width: f64| [rows * width, rows * width * width];
    let draws = lengths.entries().iter();
    draws
        .map(|&([width], n)| (shape(f64::from(width)), n as f64))
        .collect()
}

/// Returns the pass of packed rows as the block makes it: padding, pairs, and loads that differ.
fn of_block(data: &Histogram<1>, recipe: &Recipe, pass: Pass) -> Option<Pass> {
    let (work, [real, pairs]) = (pass.work, pass.work.useful);
    let slots = real + work.padding[0];
    let rows = work.rows as f64;
    Some(match recipe.block {
        Block::Alone { batch, multiple } => {
            let lengths = padded_lengths(data, recipe, multiple)?;
            let mean = ExpectedPadding::random(&lengths, batch);
            let all = slots * mean.squared_slots / mean.slots.max(1.0);
            let [longest] = lengths.max().map(f64::from);
            Pass {
                work: Work {
                    method: Method::Batched(Sampler::Random),
                    batches: work.rows.div_ceil(u64::from(batch.max(1))),
                    largest: longest * f64::from(batch),
                    padding: [work.padding[0], (all - pairs).max(0.0)],
                    ..work
                },
                population: Some(Population::longest_of(batch, &shapes(&lengths, batch))),
                rows: BatchRows::Fixed(batch),
                longest,
                ..pass
            }
        }
        Block::Padded => Pass {
            work: Work {
                method: Method::Padded,
                padding: [work.padding[0], (pass.row_pairs - pairs).max(0.0)],
                ..work
            },
            ..pass
        },
        Block::Flat => {
            let lengths = padded_lengths(data, recipe, 1)?;
            Pass {
                work: Work {
                    method: Method::Unpadded,
                    ..work
                },
                population: Some(Population::new(shapes(&lengths, 1))),
                rows: match pass.rows {
                    BatchRows::Any { usual, .. } => BatchRows::Any {
                        usual,
                        side_by_side: true,
                    },
                    fixed => fixed,
                },
                longest: f64::from(lengths.max()[0]),
                ..pass
            }
        }
        // Each sequence is as wide as the longest of its micro-batch, which is about as long.
        Block::Sorted { .. } => Pass {
            work: Work {
                padding: [
                    work.padding[0],
                    pairs * ((slots / real.max(1.0)).powi(2) - 1.0).max(0.0),
                ],
                ..work
            },
            ..pass
        },
        _ if pass.apart => pass,
        _ => {
            // Every token of a row attends to all before it: no mask, but pairs of different documents.
            let row = slots / rows;
            let between = (rows * row * row - pairs).max(0.0);
            Pass {
                work: Work { between, ..work },
                ..pass
            }
        }
    })
}
