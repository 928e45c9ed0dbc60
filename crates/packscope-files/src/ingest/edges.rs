//! Edge lists: an edge on each line, with its graph. The nodes of a graph are the distinct ends of its edges, in any
//! order of the lines; nodes without an edge are not counted.

use super::component_names::plain;
use super::decoder::RecordSink;
use super::detect::InputHead;
use super::formats::Delimiter;
use super::lines::lossy;
use super::notes::Note;
use super::number;
use super::options::Column;
use super::problem::{Place, Why, shorten};
use super::rows::{FeedState, Record};
use super::splitter::RawRecord;
use super::tally::Tally;
use std::collections::BTreeMap;

const GRAPH: [&str; 11] = [
    "graph",
    "graph_id",
    "graphid",
    "graph_idx",
    "graph_index",
    "graph_indicator",
    "g",
    "molecule",
    "molecule_id",
    "mol_id",
    "mol",
];
const FROM: [&str; 12] = [
    "source",
    "src",
    "from",
    "u",
    "head",
    "source_id",
    "src_id",
    "node1",
    "node_1",
    "row",
    "start",
    "i",
];
const TO: [&str; 13] = [
    "target",
    "tgt",
    "dst",
    "to",
    "v",
    "tail",
    "target_id",
    "dst_id",
    "node2",
    "node_2",
    "col",
    "end",
    "j",
];

/// Ends collected before duplicates are first removed; after that, whenever their number has
/// doubled, so that sorting costs O(log n) for each end.
const COLLECTED: usize = 1 << 16;

/// Returns the columns of the graph and of the two ends, if a header belongs to an edge list.
pub(super) fn columns(names: &[String]) -> Option<[usize; 3]> {
    let names: Vec<String> = names.iter().map(|name| plain(name)).collect();
    let find = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
    Some([find(&GRAPH)?, find(&FROM)?, find(&TO)?])
}

/// Whether an input is an edge list: its first line is a header of one, and no options choose columns.
pub(super) fn are_edges(beginning: &InputHead<'_>) -> bool {
    let InputHead {
        lines,
        delimiter,
        options,
        ..
    } = beginning;
    let asked =
        // Options that choose columns ask for lengths, also in a file with such names.
        !options.sizes.is_empty() || options.count.is_some() || options.header == Some(false);
    !asked
        && lines
            .first()
            .is_some_and(|line| is_header(line, *delimiter))
}

/// Whether a first line is the header of an edge list.
fn is_header(line: &[u8], delimiter: Delimiter) -> bool {
    let mut record = Record::new(delimiter);
    record.feed(line);
    let ended = record.feed(b"\n") == FeedState::Record;
    ended && columns(&named(&record)).is_some()
}

fn named(record: &Record) -> Vec<String> {
    record
        .cells()
        .iter()
        // A byte order mark at the beginning belongs to no name.
        .map(|cell| lossy(cell).trim_start_matches('\u{feff}').to_owned())
        .collect()
}

/// The reader of edge lists. Memory for 16 bytes of each distinct end, and for each graph.
#[derive(Debug)]
pub(super) struct Edges {
    columns: Option<[usize; 3]>,
    /// Graph and end, twice for each edge.
    ends: Vec<(u64, u64)>,
    /// The number of ends at which duplicates are removed next.
    most: usize,
    edges: BTreeMap<u64, u64>,
}

impl Edges {
    pub fn new() -> Self {
        Self {
            columns: None,
            ends: Vec::new(),
            most: COLLECTED,
            edges: BTreeMap::new(),
        }
    }
}

impl<const K: usize> RecordSink<K> for Edges {
    fn take(&mut self, place: Place, raw: RawRecord<'_>, tally: &mut Tally<K>) {
        match (raw, self.columns) {
            (RawRecord::Row(row), None) => self.header(row, tally),
            (RawRecord::Row(row), Some(columns)) => self.edge(place.line, row, columns, tally),
            (RawRecord::Line(_) | RawRecord::Json(_), _) => {}
        }
    }

    fn end(&mut self, tally: &mut Tally<K>) {
        self.ends.sort_unstable();
        self.ends.dedup();
        // Sorted by graph, so that the nodes of one follow each other.
        for same in self.ends.chunk_by(|a, b| a.0 == b.0) {
            let edges = self.edges.get(&same[0].0).copied().unwrap_or_default();
            graph(same.len() as u64, edges, tally);
        }
    }
}

pub(super) fn graph<const K: usize>(nodes: u64, edges: u64, tally: &mut Tally<K>) {
    // A third component, triplets, is not counted in edge lists.
    let sizes = [nodes, edges, 0].map(u32::try_from);
    let mut size = [0; K];
    for (slot, n) in size.iter_mut().zip(sizes) {
        match n {
            Ok(n) => *slot = n,
            Err(_) => {
                return tally.fail(packscope_core::error::Error::TooLarge {
                    what: "the number of nodes or edges of a graph",
                });
            }
        }
    }
    tally.add(size, 1);
}

impl Edges {
    fn header<const K: usize>(&mut self, row: &Record, tally: &mut Tally<K>) {
        let names = named(row);
        let shown = |name: &String| shorten(name.as_bytes());
        self.columns = columns(&names);
        tally.description.columns = Some(names.iter().take(100).map(shown).collect());
        tally.description.width = u32::try_from(names.len()).unwrap_or(u32::MAX);
        let read = self
            .columns
            .iter()
            .flatten()
            .map(|i| Column::Name(shown(&names[*i])));
        tally.description.sizes = read.collect();
        tally.description.components = ["nodes", "edges"].map(str::to_owned).into();
        tally.note(Note::Ends);
    }

    fn edge<const K: usize>(
        &mut self,
        line: u64,
        row: &Record,
        columns: [usize; 3],
        tally: &mut Tally<K>,
    ) {
        let mut numbers = [0; 3];
        for (slot, at) in numbers.iter_mut().zip(columns) {
            let cell = row.get(at);
            match number::count(cell) {
                Ok(n) => *slot = n,
                Err(_) => return tally.problem(Place::line(line, at as u64 + 1), cell, Why::Id),
            }
        }
        let [graph, from, to] = numbers;
        // A loop has one end twice, and counts as one node.
        self.ends.extend([(graph, from), (graph, to)]);
        *self.edges.entry(graph).or_default() += 1;
        if self.ends.len() > self.most {
            self.ends.sort_unstable();
            self.ends.dedup();
            self.most = COLLECTED.max(2 * self.ends.len());
        }
    }
}
