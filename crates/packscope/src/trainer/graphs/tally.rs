//! An account of all graphs of a pass: trained or skipped.

use crate::histogram::Size;
use crate::trainer::cost::{PassCost, unpacked};
use crate::trainer::tally::share;
use serde::{Deserialize, Serialize};

/// Batches of one pass over the data. All graphs are accounted for: `graphs` + `skipped_graphs` are the graphs of the
/// data, and `real` − `repeated` + `skipped` are its nodes and edges.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphTally {
    /// Batches that hold a graph.
    pub batches: u64,
    /// Batches without graphs, as some libraries make them.
    pub empty: u64,
    /// Batches that were made and thrown away: too large for their padding.
    pub skipped_batches: u64,
    /// Slots of all batches, for nodes and for edges; for a component without a limit, its nodes or edges.
    pub slots: [u64; 2],
    /// Nodes and edges in batches.
    pub real: [u64; 2],
    /// Graphs that are trained, each counted once.
    pub graphs: u64,
    /// Graphs that are trained once more in the same pass.
    pub repeated_graphs: u64,
    /// Nodes and edges of the repeated graphs.
    pub repeated: [u64; 2],
    /// Graphs that are not trained in this pass.
    pub skipped_graphs: u64,
    /// Nodes and edges of the skipped graphs.
    pub skipped: [u64; 2],
    /// Batches that exceed their slots, because a single graph is too large.
    pub above: u64,
    /// The most nodes, and the most edges, of a batch.
    pub largest: [u64; 2],
    /// The fewest and the most graphs in a batch.
    pub depth: (u64, u64),
}

impl GraphTally {
    /// Returns the nodes and edges of the data.
    pub fn all(&self) -> [u64; 2] {
        std::array::from_fn(|k| self.real[k] - self.repeated[k] + self.skipped[k])
    }

    /// Returns the cost of the batches: slots of nodes and of edges count alike; without padding, one slot for each.
    pub fn cost(&self, padded: bool) -> PassCost {
        let [nodes, edges] = [0, 1].map(|k| share(self.slots[k], self.real[k]));
        let slots = if padded { (nodes + edges) / 2.0 } else { 1.0 };
        unpacked(
            self.skipped_graphs,
            self.graphs + self.skipped_graphs,
            slots,
            self.batches,
        )
    }

    /// Returns the shares of the slots without a node, and without an edge.
    pub fn padding_share(&self) -> [f64; 2] {
        std::array::from_fn(|k| match self.slots[k] {
            0 => 0.0,
            slots => (slots - self.real[k].min(slots)) as f64 / slots as f64,
        })
    }
}

/// The size of a batch: nodes, edges, graphs; `None` where there is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphBatchShape {
    /// The most nodes and edges of its graphs.
    pub room: [Option<u64>; 2],
    /// Its slots, including those that are always padding.
    pub slots: [Option<u64>; 2],
    /// The most graphs, not counting padding.
    pub graphs: Option<u64>,
    /// Whether it is padded to its slots; if not, unused room costs nothing.
    pub padded: bool,
}

/// Batches as they are made.
pub(super) struct GraphBatchBuilder {
    tally: GraphTally,
    shape: GraphBatchShape,
    listed: Option<Vec<Vec<Size<2>>>>,
    /// The open batch: its nodes and edges, the number of its graphs, and their sizes if they are listed.
    pub sizes: [u64; 2],
    pub graphs: u64,
    items: Vec<Size<2>>,
}

impl GraphBatchBuilder {
    pub fn new(shape: GraphBatchShape, list: bool) -> Self {
        let listed = list.then(Vec::new);
        Self {
            tally: GraphTally::default(),
            shape,
            listed,
            sizes: [0; 2],
            graphs: 0,
            items: Vec::new(),
        }
    }

    /// Returns the size of a batch.
    pub fn shape(&self) -> &GraphBatchShape {
        &self.shape
    }

    /// Puts a graph into the open batch; `again`: it was trained before.
    pub fn add(&mut self, size: Size<2>, again: bool) {
        for (k, of) in size.into_iter().enumerate() {
            self.sizes[k] += u64::from(of);
            self.tally.repeated[k] += if again { u64::from(of) } else { 0 };
        }
        self.tally.repeated_graphs += u64::from(again);
        self.graphs += 1;
        if self.listed.is_some() {
            self.items.push(size);
        }
    }

    /// Counts a graph that is not trained.
    pub fn skip(&mut self, size: Size<2>) {
        self.tally.skipped_graphs += 1;
        for (skipped, of) in self.tally.skipped.iter_mut().zip(size) {
            *skipped += u64::from(of);
        }
    }

    /// Counts batches without a graph.
    pub fn empty(&mut self, batches: u64) {
        self.tally.empty += batches;
    }

    /// Closes the open batch, unless it is empty.
    pub fn close(&mut self) {
        if self.graphs == 0 {
            return;
        }
        let tally = &mut self.tally;
        // The first batch: 0 would stay the fewest.
        tally.depth.0 = if tally.batches == 0 {
            self.graphs
        } else {
            tally.depth.0.min(self.graphs)
        };
        tally.depth.1 = tally.depth.1.max(self.graphs);
        tally.batches += 1;
        tally.graphs += self.graphs;
        let mut above = false;
        for (k, real) in self.sizes.into_iter().enumerate() {
            // Without a limit a component takes what it has, and no padding.
            let slots = self.shape.slots[k].unwrap_or(real);
            above |= real > slots;
            // A graph that is too large by itself has a batch of its own size.
            tally.slots[k] += slots.max(real);
            tally.real[k] += real;
            tally.largest[k] = tally.largest[k].max(real);
        }
        tally.above += u64::from(above);
        let items = self.reopen();
        if let Some(listed) = &mut self.listed {
            listed.push(items);
        }
    }

    /// Throws the open batch away; `made`: whether it counts as a batch that was made and skipped.
    pub fn discard(&mut self, made: bool) {
        self.tally.skipped_batches += u64::from(made && self.graphs > 0);
        self.tally.skipped_graphs += self.graphs;
        for (skipped, of) in self.tally.skipped.iter_mut().zip(self.sizes) {
            *skipped += of;
        }
        self.reopen();
    }

    fn reopen(&mut self) -> Vec<Size<2>> {
        (self.sizes, self.graphs) = ([0; 2], 0);
        std::mem::take(&mut self.items)
    }

    /// Returns the account, and the batches that were listed.
    pub fn finish(mut self) -> (GraphTally, Vec<Vec<Size<2>>>) {
        // Repeated graphs were counted each time.
        self.tally.graphs -= self.tally.repeated_graphs;
        (self.tally, self.listed.unwrap_or_default())
    }
}
