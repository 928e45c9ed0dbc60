//! Next fit by nodes, edges and graphs together, with the slots that padding needs: `dynamically_batch` of jraph and
//! `dynamic_batch` of TF-GNN. Complexity: O(graphs); memory: a batch.

use super::Rule;
use super::source::GraphSource;
use super::tally::GraphBatchBuilder;
use crate::error::{Error, Result};
use crate::histogram::{Histogram, Size};

pub(super) fn run(
    slots: Size<2>,
    graphs: u32,
    rule: Rule,
    source: &mut GraphSource,
    batches: &mut GraphBatchBuilder,
) -> Result<()> {
    let (slots, graphs) = (slots.map(u64::from), u64::from(graphs));
    // Padding is one more graph of the batch. For jraph it always has a node. For TF-GNN padding
    // edges need a node of their own, and padding of either kind needs the graph; a batch that is
    // full has none.
    let fits = |sizes: [u64; 2], count: u64| match rule {
        Rule::Jraph => sizes[0] < slots[0] && sizes[1] <= slots[1] && count < graphs,
        Rule::TfGnn => {
            let full = [sizes[0] == slots[0], sizes[1] == slots[1]];
            let within = sizes[0] <= slots[0] && sizes[1] <= slots[1] && count <= graphs;
            within && full != [true, false] && (count < graphs || full == [true, true])
        }
    };
    while let Some(size) = source.next()? {
        let alone = size.map(u64::from);
        let with = [batches.sizes[0] + alone[0], batches.sizes[1] + alone[1]];
        if !fits(with, batches.graphs + 1) {
            if !fits(alone, 1) {
                return Err(too_large(size, batches));
            }
            batches.close();
        }
        batches.add(size, false);
    }
    batches.close();
    Ok(())
}

/// Returns the smallest limits at which every graph fits a batch of its own, together with the
/// slots that are kept for padding. O(distinct).
pub(super) fn least(data: &Histogram<2>, rule: Rule) -> Size<2> {
    let [nodes, edges] = data.max();
    // Only TF-GNN takes a batch that is full of nodes, and only if it is full of edges too.
    let mut fullest = data.entries().iter().filter(|([n, _], _)| *n == nodes);
    let is_full = rule == Rule::TfGnn && fullest.all(|([_, e], _)| *e == edges);
    [nodes.saturating_add(u32::from(!is_full)), edges.max(1)]
}

fn too_large([nodes, edges]: Size<2>, batches: &GraphBatchBuilder) -> Error {
    let [slots_of_nodes, slots_of_edges] = batches.shape().slots.map(Option::unwrap_or_default);
    Error::Input {
        place: format!("a graph of {nodes} nodes and {edges} edges"),
        message: format!(
            "it does not fit {slots_of_nodes} nodes and {slots_of_edges} edges with what is kept for padding, and the \
             library ends with an error; expected higher limits, or data without such graphs"
        ),
    }
}
