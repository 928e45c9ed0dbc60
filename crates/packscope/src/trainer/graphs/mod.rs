//! Loaders of graph libraries: which graphs share a batch, and the padding that takes.
//!
//! A loader is a [`Library`] of the kind [`GraphLibraries`]; its settings give a [`GraphRecipe`], and
//! [`GraphRecipe::run`] draws graphs of (nodes, edges) in an order and returns what becomes of them ([`GraphTally`]).

mod dynamic;
mod fixed;
mod learn;
mod libraries;
mod source;
mod tally;
mod up_to;

pub use libraries::LOADERS;
pub use tally::{GraphBatchShape, GraphTally};

use super::library::{Library, LibraryFamily, LibrarySettings};
use super::order::Order;
use crate::error::{Error, Result};
use crate::histogram::{FREE, Histogram, Size};
use crate::packing::Progress;
use serde::{Deserialize, Serialize};
use source::GraphSource;
use tally::GraphBatchBuilder;

/// Libraries that load graphs: the limits are slots for nodes and for edges in a batch, `FREE` for no limit.
#[derive(Debug, Clone, PartialEq)]
pub enum GraphLibraries {}

impl LibraryFamily for GraphLibraries {
    type Limits = Size<2>;
    type Recipe = GraphRecipe;
    const ALL: &'static [&'static Library<Self>] = LOADERS;

    fn is_zero(limits: Size<2>) -> bool {
        limits.contains(&0)
    }

    fn words(chosen: &LibrarySettings<Self>) -> Vec<(&'static str, u64)> {
        let [nodes, edges] = chosen.limit.map(u64::from);
        let limit = if chosen.get("mode") == "edge" {
            edges
        } else {
            nodes
        };
        vec![("nodes", nodes), ("edges", edges), ("limit", limit)]
    }
}

/// How a library makes batches of graphs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum GraphRecipe {
    /// Graphs in their order until one component would be above `most`; a graph that is above it by itself has a batch
    /// of its own, or is skipped. Nothing is padded.
    UpTo {
        /// The component that is counted: 0 nodes, 1 edges.
        component: usize,
        /// The most of it in a batch.
        most: u32,
        /// Whether graphs above it are skipped.
        skip: bool,
    },
    /// Graphs in their order while they fit with the slots added for padding; a larger graph is refused.
    Dynamic {
        /// Slots of a batch.
        slots: Size<2>,
        /// Graphs of a batch, including padding graphs.
        graphs: u32,
        /// Which slots are kept for padding.
        rule: Rule,
    },
    /// A fixed number of graphs in every batch, padded to the same size.
    Fixed {
        /// Graphs of every batch but the last.
        graphs: GraphBatchSize,
        /// The size to pad to.
        padding: GraphPadding,
        /// The limits that [`GraphBatchSize::Fits`] keeps to.
        limits: Size<2>,
        /// Whether the last batch is left out where it is smaller.
        drop_last: bool,
    },
}

/// The rule for the slots of a batch that padding takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rule {
    /// jraph: a node and a graph are always left for padding.
    Jraph,
    /// TF-GNN: a node is left for padding edges, a graph for padding nodes or edges; none where all is full.
    TfGnn,
}

/// The number of graphs in a batch: given, or found from the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum GraphBatchSize {
    /// This many.
    Of(u32),
    /// As many as can be padded without exceeding the limits.
    Fits,
}

/// The size to which batches of a fixed number of graphs are padded, without the node for padding.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum GraphPadding {
    /// The size of the largest graph, times the number of graphs.
    Tight,
    /// The smallest that random batches meet with this probability; larger batches are skipped.
    FitOrSkip {
        /// Graphs from which it is learned, and batches drawn for that.
        sample: u32,
        /// The share of random batches that are to fit, 0 to 1.
        ratio: f64,
    },
}

/// The outcome of one pass over all graphs.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphPassOutcome {
    /// Batches, and the account of the graphs.
    pub tally: GraphTally,
    /// The size to which batches are filled or padded.
    pub shape: GraphBatchShape,
    /// The graphs of each batch, if `list` was set.
    pub listed: Vec<Vec<Size<2>>>,
}

impl GraphRecipe {
    /// Makes the batches of one pass over graphs of (nodes, edges) in this order. `data` are the counts of all graphs,
    /// even if the order is given; `seed` is for random numbers other than the order; `list` keeps the batches.
    /// O(graphs), and for [`GraphPadding::FitOrSkip`] sample · graphs of a batch for each size that is tried.
    ///
    /// # Errors
    /// [`Error::Input`] where the library refuses a graph or the limits; [`Error::TooManyItems`] from 10⁹ on;
    /// [`Error::Cancelled`].
    pub fn run(
        &self,
        data: &Histogram<2>,
        order: Order<'_, Size<2>>,
        seed: u64,
        list: bool,
        progress: &mut Progress,
    ) -> Result<GraphPassOutcome> {
        // The size comes first: it may have to be learned from the data, and decides what fits.
        let shape = self.shape(data, order, seed, progress)?;
        let mut batches = GraphBatchBuilder::new(shape, list);
        let mut source = GraphSource::new(data, order, progress)?;
        match *self {
            Self::UpTo {
                component,
                most,
                skip,
            } => {
                up_to::run(component, u64::from(most), skip, &mut source, &mut batches)?;
            }
            Self::Dynamic {
                slots,
                graphs,
                rule,
            } => {
                dynamic::run(slots, graphs, rule, &mut source, &mut batches)?;
            }
            Self::Fixed { drop_last, .. } => fixed::run(drop_last, &mut source, &mut batches)?,
        }
        let (tally, listed) = batches.finish();
        Ok(GraphPassOutcome {
            tally,
            shape,
            listed,
        })
    }

    /// Returns the smallest limits at which the library takes every graph; `None` if it takes them at any limits.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn least(
        &self,
        data: &Histogram<2>,
        order: Order<'_, Size<2>>,
        seed: u64,
        progress: &mut Progress,
    ) -> Result<Option<Size<2>>> {
        Ok(match *self {
            Self::UpTo { .. } => None,
            Self::Dynamic { rule, .. } => Some(dynamic::least(data, rule)),
            Self::Fixed {
                padding, limits, ..
            } => {
                // A single graph in a batch needs the least.
                let one = fixed::shape(
                    GraphBatchSize::Of(1),
                    padding,
                    limits,
                    data,
                    order,
                    seed,
                    progress,
                )?;
                let [nodes, edges] = one
                    .slots
                    .map(|slots| slots.and_then(|slots| u32::try_from(slots).ok()));
                nodes.zip(edges).map(|(nodes, edges)| [nodes, edges.max(1)])
            }
        })
    }

    /// Returns the size of a batch.
    fn shape(
        &self,
        data: &Histogram<2>,
        order: Order<'_, Size<2>>,
        seed: u64,
        progress: &mut Progress,
    ) -> Result<GraphBatchShape> {
        Ok(match *self {
            Self::UpTo {
                component, most, ..
            } => {
                let room = std::array::from_fn(|k| (k == component).then_some(u64::from(most)));
                GraphBatchShape {
                    room,
                    slots: room,
                    graphs: None,
                    padded: false,
                }
            }
            Self::Dynamic {
                slots,
                graphs,
                rule,
            } => {
                let (node, graph) = (
                    u64::from(rule == Rule::Jraph),
                    u64::from(rule == Rule::Jraph),
                );
                let slots = slots.map(u64::from);
                GraphBatchShape {
                    // TF-GNN's room is all slots: a batch that is full of nodes and edges needs no
                    // padding.
                    room: [Some(slots[0] - node.min(slots[0])), Some(slots[1])],
                    slots: slots.map(Some),
                    graphs: Some(u64::from(graphs).saturating_sub(graph)),
                    padded: true,
                }
            }
            Self::Fixed {
                graphs,
                padding,
                limits,
                ..
            } => fixed::shape(graphs, padding, limits, data, order, seed, progress)?,
        })
    }

    /// Returns the algorithm in words.
    pub fn words(&self) -> String {
        match self {
            Self::UpTo { component: 0, .. } => "next fit by nodes".to_owned(),
            Self::UpTo { .. } => "next fit by edges".to_owned(),
            Self::Dynamic { .. } => "next fit by nodes and edges".to_owned(),
            Self::Fixed {
                padding: GraphPadding::Tight,
                ..
            } => "so many of the largest fit".to_owned(),
            Self::Fixed {
                padding: GraphPadding::FitOrSkip { ratio, .. },
                ..
            } => {
                // Rounded, since 0.57 · 100 is 56.99… in floats.
                format!("{} % of random batches fit", (ratio * 1e4).round() / 100.0)
            }
        }
    }

    /// Whether the number and the size of batches are independent of the order.
    pub fn order_free(&self) -> bool {
        matches!(
            self,
            Self::Fixed {
                padding: GraphPadding::Tight,
                // With `drop_last` the order decides which graphs are in no batch.
                drop_last: false,
                ..
            }
        )
    }
}

impl GraphBatchShape {
    /// Returns the limits at which packing fills batches of this size, with any number of graphs.
    pub fn limits(&self) -> Size<2> {
        self.room.map(|room| {
            room.and_then(|room| u32::try_from(room).ok())
                .unwrap_or(FREE)
        })
    }
}

/// Returns both limits, which a library that pads needs.
///
/// # Errors
/// [`Error::Input`] if one is free.
fn both_limits(limits: Size<2>) -> Result<Size<2>> {
    match limits.contains(&FREE) {
        false => Ok(limits),
        true => Err(Error::Input {
            place: "the limits".to_owned(),
            message:
                "this library pads nodes and edges; expected a limit for each, such as 222,502"
                    .to_owned(),
        }),
    }
}
