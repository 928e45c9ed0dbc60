//! A fixed number of graphs in every batch, padded to one size: `TightPadding` and `FitOrSkipPadding` of TF-GNN.
//! Complexity: O(graphs), and the learning of the size.

use super::learn;
use super::source::{GraphSource, graphs};
use super::tally::{GraphBatchBuilder, GraphBatchShape};
use super::{GraphBatchSize, GraphPadding};
use crate::error::{Error, Result};
use crate::histogram::{Histogram, Size};
use crate::packing::Progress;
use crate::trainer::order::Order;

pub(super) fn run(
    drop_last: bool,
    source: &mut GraphSource,
    batches: &mut GraphBatchBuilder,
) -> Result<()> {
    let most = batches.shape().graphs.unwrap_or(1);
    while let Some(size) = source.next()? {
        batches.add(size, false);
        if batches.graphs == most {
            end(batches);
        }
    }
    if drop_last {
        batches.discard(false);
    } else {
        end(batches);
    }
    Ok(())
}

/// Closes the batch, or throws it away if it does not fit.
fn end(batches: &mut GraphBatchBuilder) {
    let fits = |(size, room): (&u64, &Option<u64>)| room.is_none_or(|room| *size <= room);
    if batches.sizes.iter().zip(&batches.shape().room).all(fits) {
        batches.close();
    } else {
        batches.discard(true);
    }
}

/// Returns the size to which batches are padded, and the graphs in each.
pub(super) fn shape(
    batch: GraphBatchSize,
    padding: GraphPadding,
    limits: Size<2>,
    data: &Histogram<2>,
    order: Order<'_, Size<2>>,
    seed: u64,
    progress: &mut Progress,
) -> Result<GraphBatchShape> {
    // One node is always padding.
    let limits = [u64::from(limits[0]) - 1, u64::from(limits[1])];
    let (number, room) = match padding {
        GraphPadding::Tight => tight(batch, limits, data)?,
        GraphPadding::FitOrSkip { sample, ratio } => {
            let first: Vec<_> = graphs(data, order).take(sample as usize).collect();
            let learner = learn::Learner {
                graphs: &first,
                sample,
                ratio,
                seed,
            };
            match batch {
                GraphBatchSize::Of(number) => (
                    u64::from(number),
                    learner.room(u64::from(number), progress)?,
                ),
                GraphBatchSize::Fits => learner
                    .largest_batch_within(limits, data.items(), progress)?
                    .ok_or_else(|| too_small(learner.room(1, progress)))?,
            }
        }
    };
    // The node for padding that was taken off the limits above.
    let slots = [Some(room[0] + 1), Some(room[1])];
    Ok(GraphBatchShape {
        room: room.map(Some),
        slots,
        graphs: Some(number),
        padded: true,
    })
}

fn tight(batch: GraphBatchSize, limits: [u64; 2], data: &Histogram<2>) -> Result<(u64, [u64; 2])> {
    let largest = data.max().map(u64::from);
    let number = match batch {
        GraphBatchSize::Of(number) => u64::from(number),
        GraphBatchSize::Fits => {
            // Without any edge the edges set no bound.
            let of = |k: usize| limits[k].checked_div(largest[k]).unwrap_or(u64::MAX);
            of(0).min(of(1)).min(data.items())
        }
    };
    if number == 0 {
        return Err(too_small(Ok(largest)));
    }
    Ok((number, largest.map(|size| size * number)))
}

fn too_small(one: Result<[u64; 2]>) -> Error {
    match one {
        Err(error) => error,
        Ok([nodes, edges]) => Error::Input {
            place: "the limits".to_owned(),
            message: format!(
                "a batch of one graph is padded to {} nodes and {edges} edges; expected limits as high, or a number of \
                 graphs for global_batch_size",
                nodes + 1
            ),
        },
    }
}
