//! Graphs in several files: TU folders (<https://chrsmrrs.github.io/datasets/docs/format/>), and the lists of nodes and
//! edges of the Open Graph Benchmark. A damaged line would shift all that follow, so it ends the reading.

use super::Ingested;
use super::edges::graph;
use super::formats::Format;
use super::lines::{self, LinePiece, Lines};
use super::notes::Note;
use super::number;
use super::options::Column;
use super::problem::shorten;
use super::progress::Course;
use super::set::Part;
use super::tally::Tally;
use packscope_core::error::{Error, Result};
use packscope_core::words::{count, plural};
use std::collections::BTreeMap;

const STEP: usize = 1 << 18;

/// Reads a TU folder: the graph of each node, one a line, and edges as two nodes a line, counted from 1.
pub(super) fn tu<const K: usize>(
    graphs: &Part<'_>,
    edges: &Part<'_>,
    mut tally: Tally<K>,
    course: &mut Course<'_>,
) -> Result<Ingested<K>> {
    let nodes = Nodes::read(graphs, course, &mut tally)?;
    let mut counted: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
    for (i, (first, id)) in nodes.runs.iter().enumerate() {
        // Nodes of a graph follow each other in TU folders, but nothing says so: runs of one graph
        // add up.
        let end = nodes.runs.get(i + 1).map_or(nodes.all, |next| next.0);
        counted.entry(*id).or_default().0 += end - first;
    }
    if nodes.all == 0 {
        let message =
            "there is no node in it; expected the graph of each node, a number a line".to_owned();
        return Err(Error::Input {
            place: graphs.name().to_owned(),
            message,
        });
    }
    each_line(edges, course, &mut tally, |line, text| {
        let wrong = |message: String| located(edges, line, message);
        let mut ends = number::pieces(text).map(|piece| number::count(piece).ok());
        // A third number is no edge: the files have two columns.
        let (Some(Some(from)), Some(Some(to)), None) = (ends.next(), ends.next(), ends.next())
        else {
            return Err(wrong(format!(
                "\"{}\" is not an edge; expected the numbers of two nodes",
                shorten(text)
            )));
        };
        let of = |node: u64| {
            nodes.graph(node).ok_or_else(|| {
                wrong(format!(
                    "there is no node {}; the nodes are 1 to {}",
                    count(node),
                    count(nodes.all)
                ))
            })
        };
        let (one, other) = (of(from)?, of(to)?);
        if one != other {
            let ends = format!(
                "an edge from graph {} to graph {}",
                count(one),
                count(other)
            );
            return Err(wrong(format!("{ends}; expected both ends in one graph")));
        }
        // TU folders list each edge in both directions; all lines are counted (`Note::Directed`).
        counted.entry(one).or_default().1 += 1;
        Ok(())
    })?;
    described(&mut tally, Format::Tu, graphs, edges);
    tally.note(Note::Directed);
    counted
        .values()
        .for_each(|(nodes, edges)| graph(*nodes, *edges, &mut tally));
    course.tell();
    tally.finish()
}

/// The graph of each node, as runs of nodes of one graph.
struct Nodes {
    runs: Vec<(u64, u64)>,
    all: u64,
}

impl Nodes {
    fn read<const K: usize>(
        part: &Part<'_>,
        course: &mut Course<'_>,
        tally: &mut Tally<K>,
    ) -> Result<Self> {
        let mut nodes = Self {
            runs: Vec::new(),
            all: 0,
        };
        each_line(part, course, tally, |line, text| {
            let id = number::count(text).map_err(|_| {
                let shown = shorten(text);
                located(
                    part,
                    line,
                    format!("\"{shown}\" is not the number of a graph; expected one for each node"),
                )
            })?;
            if nodes.runs.last().is_none_or(|(_, last)| *last != id) {
                nodes.runs.push((nodes.all, id));
            }
            nodes.all += 1;
            Ok(())
        })?;
        Ok(nodes)
    }

    /// Returns the graph of a node, from 1.
    fn graph(&self, node: u64) -> Option<u64> {
        let node = node.checked_sub(1).filter(|node| *node < self.all)?;
        let run = self
            .runs
            .partition_point(|(first, _)| *first <= node)
            .checked_sub(1)?;
        self.runs.get(run).map(|(_, id)| *id)
    }
}

/// Reads two lists with one number a line: the nodes and the edges of each graph.
pub(super) fn lists<const K: usize>(
    nodes: &Part<'_>,
    edges: &Part<'_>,
    mut tally: Tally<K>,
    course: &mut Course<'_>,
) -> Result<Ingested<K>> {
    let number = |part: &Part<'_>, line: u64, text: &[u8]| {
        let wrong = format!(
            "\"{}\" is not a number of nodes or edges; expected one for each graph",
            shorten(text)
        );
        number::count(text).map_err(|_| located(part, line, wrong))
    };
    let mut sizes = Vec::new();
    each_line(nodes, course, &mut tally, |line, text| {
        sizes.push(number(nodes, line, text)?);
        Ok(())
    })?;
    let mut next = 0;
    let mut pairs = Vec::new();
    each_line(edges, course, &mut tally, |line, text| {
        let Some(nodes) = sizes.get(next) else {
            let graphs = plural(sizes.len() as u64, "graph");
            return Err(located(
                edges,
                line,
                format!("the list of nodes has {graphs}, and this is one more"),
            ));
        };
        pairs.push((*nodes, number(edges, line, text)?));
        next += 1;
        Ok(())
    })?;
    if next < sizes.len() {
        let (has, wanted) = (plural(next as u64, "graph"), count(sizes.len() as u64));
        let message = format!("it has {has}, but the list of nodes has {wanted}; expected as many");
        return Err(Error::Input {
            place: edges.name().to_owned(),
            message,
        });
    }
    // A size whose first component is 0 would be refused later, without a line.
    if let Some(empty) = pairs.iter().position(|(nodes, _)| *nodes == 0) {
        let message = "a graph has no nodes; expected 1 or more".to_owned();
        return Err(located(nodes, empty as u64 + 1, message));
    }
    described(&mut tally, Format::Numbers, nodes, edges);
    pairs
        .iter()
        .for_each(|(nodes, edges)| graph(*nodes, *edges, &mut tally));
    course.tell();
    tally.finish()
}

fn described<const K: usize>(
    tally: &mut Tally<K>,
    format: Format,
    first: &Part<'_>,
    second: &Part<'_>,
) {
    let to = &mut tally.description;
    to.format = format;
    to.sizes = [first, second]
        .map(|part| Column::Name(shorten(part.name().as_bytes())))
        .into();
    to.components = ["nodes", "edges"].map(str::to_owned).into();
}

fn located(part: &Part<'_>, line: u64, message: String) -> Error {
    Error::Input {
        place: format!("{}, line {}", part.name(), count(line)),
        message,
    }
}

/// Calls `each` for each line that is not blank or a comment.
fn each_line<const K: usize>(
    part: &Part<'_>,
    course: &mut Course<'_>,
    tally: &mut Tally<K>,
    mut each: impl FnMut(u64, &[u8]) -> Result<()>,
) -> Result<()> {
    let name = |error: Error| match error {
        // `Stream` may have named the file already.
        Error::Input { place, message } if !place.starts_with(part.name()) => Error::Input {
            place: format!("{}, {place}", part.name()),
            message,
        },
        other => other,
    };
    course.begin(part.before);
    let mut stream = part.stream().map_err(name)?;
    let (mut lines, mut buffer) = (Lines::default(), vec![0; STEP]);
    let mut outcome = Ok(());
    let mut take = |number: u64, line: LinePiece<'_>| {
        // The first error stays; `Lines` cannot be stopped by its closure.
        if outcome.is_ok() && line.overlong {
            outcome = Err(located(
                part,
                number,
                "this line is too long; expected numbers".to_owned(),
            ));
        } else if outcome.is_ok() && !lines::is_silent(line.text) {
            outcome = each(number, line.text);
        }
    };
    loop {
        let length = stream.next(&mut buffer).map_err(name)?;
        if length == 0 {
            break;
        }
        tally.description.bytes += length as u64;
        lines.push(&buffer[..length], &mut take);
        // Edges lie in another file: a part of the nodes has no sizes.
        if course.reached(stream.position()) {
            let message =
                "graphs are counted when all edges are read; expected the whole file".to_owned();
            return Err(Error::Input {
                place: part.name().to_owned(),
                message,
            });
        }
    }
    lines.finish(&mut take);
    outcome
}
