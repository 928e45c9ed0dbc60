//! Next fit by one component, as `DynamicBatchSampler` of PyTorch Geometric has it.
//!
//! A graph that is too large ends a batch, or is alone in one. Where such graphs are skipped, a batch of n graphs is
//! followed by one that begins n graphs after its own beginning: graphs behind a skipped one are repeated, and where
//! only skipped ones are left, batches are empty until there are as many as graphs. Complexity: O(graphs) where few are
//! skipped; memory: a batch and the graphs skipped in it, a run of them as one.

use super::source::GraphSource;
use super::tally::GraphBatchBuilder;
use crate::error::Result;
use crate::histogram::Size;
use std::collections::VecDeque;

/// Graphs from the beginning of a batch to the last one drawn.
enum DrawnGraphs {
    Graph(Size<2>),
    /// This many skipped graphs.
    Skipped(u64),
}

pub(super) fn run(
    component: usize,
    most: u64,
    skip: bool,
    source: &mut GraphSource,
    batches: &mut GraphBatchBuilder,
) -> Result<()> {
    let of = source.len();
    let mut window = VecDeque::new();
    // The beginning of the batch, and the first graph that has been in none.
    let (mut start, mut fresh, mut steps) = (0, 0, 0);
    // The source makes at most as many batches as there are graphs.
    while start < of && steps < of {
        let (mut at, mut place) = (0, start);
        loop {
            if at == window.len() {
                let Some(size) = source.next()? else { break };
                if !skip || u64::from(size[component]) <= most {
                    window.push_back(DrawnGraphs::Graph(size));
                } else {
                    batches.skip(size);
                    // This run of skipped graphs is behind the batch already: only an empty batch
                    // passes one.
                    if let Some(DrawnGraphs::Skipped(graphs)) = window.back_mut() {
                        *graphs += 1;
                        place += 1;
                        continue;
                    }
                    window.push_back(DrawnGraphs::Skipped(1));
                }
            }
            let taken = batches.sizes[component];
            match window.get(at) {
                Some(&DrawnGraphs::Skipped(graphs)) if taken == 0 => place += graphs,
                Some(&DrawnGraphs::Graph(size))
                    if taken == 0 || taken + u64::from(size[component]) <= most =>
                {
                    batches.add(size, place < fresh);
                    place += 1;
                    fresh = fresh.max(place);
                }
                _ => break,
            }
            at += 1;
        }
        let taken = batches.graphs;
        if taken == 0 {
            // Every further batch would be the same.
            batches.empty(of - steps);
            break;
        }
        batches.close();
        drop_first(&mut window, taken);
        start += taken;
        steps += 1;
    }
    Ok(())
}

/// Drops this many graphs from the beginning.
fn drop_first(window: &mut VecDeque<DrawnGraphs>, mut graphs: u64) {
    while graphs > 0 {
        match window.front_mut() {
            Some(DrawnGraphs::Skipped(there)) if *there > graphs => {
                *there -= graphs;
                return;
            }
            Some(DrawnGraphs::Skipped(there)) => graphs -= *there,
            Some(DrawnGraphs::Graph(_)) => graphs -= 1,
            None => return,
        }
        window.pop_front();
    }
}
