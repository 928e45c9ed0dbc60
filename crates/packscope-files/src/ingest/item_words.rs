//! The names of items and components: nodes and edges of graphs, source and target tokens of pairs.

use super::description::item;
use packscope_core::histogram::Attention;
use packscope_core::words::{capital, plural, singular};

/// Names of items and components in sentences; one set of words serves graphs, pairs, groups and
/// texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemWords {
    /// One item: "graph", or "pair".
    pub item: &'static str,
    /// Several items: "graphs", or "pairs".
    pub items: &'static str,
    /// The second component if it is attention, which has no slots.
    pub attention: Option<Attention>,
    /// The components: "nodes", "source tokens", or the name of a column.
    pub components: [String; 2],
}

impl ItemWords {
    /// Returns the words for components of these names; nodes and edges unless there are two.
    pub fn new<S: AsRef<str>>(names: &[S]) -> Self {
        let components = match names {
            [first, second] => [first.as_ref(), second.as_ref()],
            _ => ["nodes", "edges"],
        };
        let item = item(2, &components);
        let items = match item {
            "graph" => "graphs",
            "sequence" => "sequences",
            "group" => "groups",
            _ => "pairs",
        };
        let [first, second] = components;
        let attention = Attention::named(second);
        // Without the size of the unit, which `attention` has.
        let second = if attention.is_some() {
            Attention::UNITS
        } else {
            second
        };
        Self {
            item,
            items,
            attention,
            components: [first, second].map(str::to_owned),
        }
    }

    /// Returns the names of both components.
    pub fn names(&self) -> [&str; 2] {
        [&self.components[0], &self.components[1]]
    }

    /// Returns the singular of a component: "node", "source token".
    pub fn singular(&self, k: usize) -> &str {
        singular(&self.components[k])
    }

    /// Returns a short name of a component: "nodes", "source", "attention".
    pub fn short(&self, k: usize) -> &str {
        let name = self.components[k].as_str();
        let name = name.strip_suffix(" tokens").unwrap_or(name);
        name.strip_prefix("units of ").unwrap_or(name)
    }

    /// Fills in a text of the tables of names and settings: `{item}`, `{items}`, `{first}` and `{second}` (as
    /// [`short`](Self::short)), `{nodes}` and `{edges}` (in full), `{node}` and `{edge}` (singular); `{First}`,
    /// `{Nodes}` … with a capital.
    pub fn say(&self, text: &str) -> String {
        let [nodes, edges] = self.names();
        let named = [
            ("item", self.item),
            ("items", self.items),
            ("nodes", nodes),
            ("edges", edges),
        ];
        let short = [("first", self.short(0)), ("second", self.short(1))];
        let one = [("node", self.singular(0)), ("edge", self.singular(1))];
        named
            .into_iter()
            .chain(short)
            .chain(one)
            // Two passes for each slot: as it is, and with a capital for the beginning of a
            // sentence.
            .fold(text.to_owned(), |text, (slot, word)| {
                let text = text.replace(&format!("{{{slot}}}"), word);
                text.replace(&format!("{{{}}}", capital(slot)), &capital(word))
            })
    }

    /// Returns a number of items in words: `1 graph`, `12 pairs`.
    pub fn count(&self, n: u64) -> String {
        plural(n, self.item)
    }

    /// Whether the items are graphs: published results about graphs do not apply to pairs.
    pub fn are_graphs(&self) -> bool {
        self.item == "graph"
    }
}

impl Default for ItemWords {
    /// Returns the words for graphs, with nodes and edges.
    fn default() -> Self {
        Self::new::<&str>(&[])
    }
}
