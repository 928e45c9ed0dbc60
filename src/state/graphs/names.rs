//! What the data call their components and items: nodes and edges of graphs, source and target tokens of pairs.

use super::{GraphState, Row};
use crate::ingest;
use crate::words::{capital, plural, singular};

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
    fn new<S: AsRef<str>>(names: &[S]) -> Self {
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

    /// A text of the tables of names and settings with these words in place of `{item}`, `{items}`, `{first}` and
    /// `{second}` (as [`short`](Self::short)), `{nodes}` and `{edges}` (in full), `{node}` and `{edge}` (one of them);
    /// `{First}`, `{Nodes}` … with a capital.
    pub fn say(&self, text: &str) -> String {
        let [nodes, edges] = self.names();
        let named = [("item", self.item), ("items", self.items), ("nodes", nodes), ("edges", edges)];
        let short = [("first", self.short(0)), ("second", self.short(1))];
        let one = [("node", self.one(0)), ("edge", self.one(1))];
        named.into_iter().chain(short).chain(one).fold(text.to_owned(), |text, (slot, word)| {
            let text = text.replace(&format!("{{{slot}}}"), word);
            text.replace(&format!("{{{}}}", capital(slot)), &capital(word))
        })
    }

    /// The name of a row: its algorithm, and its heuristic where there is one.
    pub fn row(&self, row: Row) -> String {
        let name = self.say(row.algorithm.long_name());
        match row.heuristic {
            Some(heuristic) => format!("{name}, {}", self.say(&heuristic.short_name())),
            None => name,
        }
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

impl Default for Words {
    /// Graphs, with nodes and edges.
    fn default() -> Self {
        Self::new::<&str>(&[])
    }
}

impl GraphState {
    /// What the data call their components and items.
    pub fn words(&self) -> Words {
        Words::new(&self.data.as_ref().map_or_else(Vec::new, |data| data.source.components()))
    }
}
