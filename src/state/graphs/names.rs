//! What the data call their components and items: nodes and edges of graphs, source and target tokens of pairs.

use super::GraphState;
use crate::ingest;
use crate::words::{plural, singular};

/// The words people read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// One item: "graph", or "pair".
    pub item: &'static str,
    /// Many items.
    pub items: &'static str,
    /// What the components count: "nodes", "source tokens", or the name of a column.
    pub components: [String; 2],
}

impl Words {
    /// The words for components of these names; nodes and edges where there are no names.
    fn new(names: &[impl AsRef<str>]) -> Self {
        let components = match names {
            [first, second] => [first.as_ref(), second.as_ref()],
            _ => ["nodes", "edges"],
        };
        let item = ingest::item(2, &components);
        let items = if item == "graph" { "graphs" } else { "pairs" };
        Self { item, items, components: components.map(str::to_owned) }
    }

    /// Both components.
    pub fn names(&self) -> [&str; 2] {
        [&self.components[0], &self.components[1]]
    }

    /// One of what a component counts: "node", "source token".
    pub fn one(&self, k: usize) -> &str {
        singular(&self.components[k])
    }

    /// A component where there is little room: "nodes", "source".
    pub fn short(&self, k: usize) -> &str {
        let name = self.components[k].as_str();
        name.strip_suffix(" tokens").unwrap_or(name)
    }

    /// `1 graph`, `12 pairs`.
    pub fn count(&self, n: u64) -> String {
        plural(n, self.item)
    }

    /// Whether the items are graphs: what was published about graphs says nothing about pairs.
    pub fn are_graphs(&self) -> bool {
        self.item == "graph"
    }
}

impl GraphState {
    /// What the data call their components and items.
    pub fn words(&self) -> Words {
        Words::new(&self.data.as_ref().map_or_else(Vec::new, |data| data.source.components()))
    }
}
