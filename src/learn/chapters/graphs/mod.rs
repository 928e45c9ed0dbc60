//! Graphs have two budgets: eight molecules, packed by hand and by rule, and the same rules on ogbg-molhiv.

mod molecules;
mod plan;
mod rules;

use crate::learn::prose::figure;
use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterView, Citation, Condition, Guess, Item, Knob,
    KnobKind, Notes, Opens, Packs, Paper, data,
};
use crate::query::{Query, QueryData, Question, Request};
use crate::state::findings::number_in_words;
use molecules::MOLECULES;
use packscope::api::tuple::Settings;
use packscope::packing::tuple::{Heuristic, TupleAlgorithm};
use packscope::words::{capital, percent, plural};
use rules::RULES;

// Chosen so that the optimum takes thought: in three packs the eight fit in six ways only, up to
// the names of the packs, and no rule finds one.
/// Limits of a pack: nodes and edges.
const LIMITS: [u32; 2] = [21, 46];
/// Limits of ogbg-molhiv: the most nodes and the most edges of a molecule.
const MOLHIV: [u32; 2] = [222, 502];
/// Packs on offer, one more than needed.
const PACKS: u32 = 4;

pub const CHAPTER: Chapter = Chapter {
    id: "graphs",
    title: "Graphs have two budgets",
    keep: "A graph has two sizes and a pack two budgets; it is full when both are.",
    notes: Notes {
        aim: "To carry packing over to sizes of two numbers.",
        usual: "Most pack by nodes alone, and are surprised by the edges.",
        exam: "Packs hold 20 nodes and 40 edges. May graphs of 12 nodes and 30 edges and of 8 nodes and 12 edges share one? (No: they have 42 edges.)",
    },
    minutes: 5,
    needs: &[],
    knobs: &[
        Knob {
            name: "packs",
            label: "Pack of each graph",
            kind: KnobKind::Numbers {
                least: 0,
                most: PACKS,
            },
            start: &[0; MOLECULES.len()],
        },
        Knob {
            name: "rule",
            label: "Largest first by",
            kind: KnobKind::Words(&RULES),
            start: &[0],
        },
    ],
    show,
    asks,
    opens: |here| {
        // A rule without a limit of edges is no heuristic: its limits are those of the tool's packs.
        let (algorithm, heuristic) = rules::rule(here.word("rule"));
        let settings = format!(
            "nodes={}&edges={}&algorithm={}&heuristic={heuristic}",
            LIMITS[0],
            LIMITS[1],
            algorithm.name(),
        );
        Opens::graphs(
            "Eight hydrocarbons",
            &settings,
            sizes().into_iter().map(|s| (s, 1)),
        )
    },
    sources: &[
        Citation {
            paper: Paper::Tuples,
            at: "§2.2 and Figure 4",
            says: "packing along the diagonal: only what is left of both components counts",
        },
        Citation {
            paper: Paper::Tuples,
            at: "§2.3, §2.4",
            says: "heuristics that turn a size of two numbers into one, and the best fit that uses them",
        },
        Citation {
            paper: Paper::Tuples,
            at: "§3.1 and Table 2",
            says: "the heuristics and one component alone, on ogbg-molhiv at 222 × 502 and at most 256 graphs a pack",
        },
    ],
};

fn sizes() -> Vec<[u32; 2]> {
    MOLECULES.iter().map(molecules::Molecule::size).collect()
}

fn question(
    sizes: impl IntoIterator<Item = ([u32; 2], u64)>,
    limits: [u32; 2],
    algorithm: TupleAlgorithm,
    heuristic: Heuristic,
) -> Request {
    let settings = Settings {
        limits: limits.to_vec(),
        algorithm,
        heuristic,
        ..Settings::default()
    };
    Request {
        data: QueryData::Graphs(sizes.into_iter().collect()),
        query: Query::Graphs(Question::Report {
            settings,
            listed: 8,
        }),
    }
}

fn small(algorithm: TupleAlgorithm, heuristic: Heuristic) -> Request {
    question(
        sizes().into_iter().map(|s| (s, 1)),
        LIMITS,
        algorithm,
        heuristic,
    )
}

/// Returns the request that proves the smallest number of packs.
fn proof() -> Request {
    small(TupleAlgorithm::Optimal, Heuristic::Component(0))
}

fn asks(here: &ChapterContext<'_>) -> Vec<(&'static str, Request)> {
    let molhiv = data::graphs("ogbg_molhiv");
    let (algorithm, heuristic) = rules::rule(here.word("rule"));
    let mut asked = vec![("proof", proof()), ("rule", small(algorithm, heuristic))];
    let large = |(name, algorithm, heuristic)| {
        (
            name,
            question(molhiv.iter().copied(), MOLHIV, algorithm, heuristic),
        )
    };
    // All rules on the real set, whatever the knob says: the table shows them side by side.
    asked.extend(rules::COMPARED.into_iter().map(large));
    asked
}

/// Returns the reader's packs. An address may overfill packs: graphs that do not fit are in none.
fn readers_packs(here: &ChapterContext<'_>) -> Packs {
    // Letters, as eight sizes of two numbers could not be told apart at a glance; the drawing above
    // has the same.
    let name = |i: usize| char::from(b'A' + i as u8).to_string();
    let items: Vec<Item> = sizes()
        .iter()
        .enumerate()
        .map(|(i, s)| Item {
            size: s.to_vec(),
            name: name(i),
        })
        .collect();
    let packs = Packs {
        label: "Eight graphs and packs of 21 nodes and 46 edges".to_owned(),
        knob: Some("packs"),
        places: vec![0; items.len()],
        items,
        limits: LIMITS.to_vec(),
        units: &["nodes", "edges"],
        packs: PACKS,
        depth: None,
    };
    packs.filled_with(&here.numbers("packs"))
}

/// Returns the efficiency of the packs in use, per component.
fn full(packs: &Packs) -> [f64; 2] {
    [0, 1].map(|k| {
        let used = (1..=packs.packs)
            .map(|pack| packs.used(pack, k))
            .sum::<u64>();
        // Only packs in use: an empty pack is not padding, as nobody would compute it.
        used as f64 / (packs.filled().max(1) as f64 * f64::from(LIMITS[k]))
    })
}

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let packs = readers_packs(here);
    let proven = here
        .graphs("proof")
        .filter(|_| here.is_answer_to("proof", &proof()));
    let bound = proven.and_then(|report| report.figures.lower_bound);
    // `<=` and not `==`: a bound that were too high would be an error, not the reader's.
    let fewest = packs.is_complete() && bound.is_some_and(|bound| packs.filled() as u64 <= bound);
    let needs = bound.map_or_else(
        || "as few packs as can be".to_owned(),
        |b| format!("{} packs", number_in_words(b)),
    );
    ChapterView {
        finding: finding(&packs),
        conditions: vec![
            Condition::new(packs.is_complete(), "all eight are in a pack"),
            Condition::new(fewest, format!("{needs}, no more")).almost(format!(
                "All eight are in, and {} hold them; fewer can. Put a chain beside a cage.",
                plural(packs.filled() as u64, "pack"),
            )),
        ],
        parts: parts(here, packs),
        notice: "Put the chains A and F into one pack: hardly a node is left, and 14 edges are. Put the cages B and G \
                 together: hardly an edge is left, and 7 nodes are. Whichever is full first closes the pack."
            .to_owned(),
        task: format!("Pack all eight graphs into {needs}. It is proven that fewer cannot hold them."),
        found: "A pack is full when both budgets are: a graph with many edges for its nodes goes with one that has \
                few. No rule below sees that: each makes one number of both sizes. <limits>Choosing limits</> is \
                the other way to fill both."
            .to_owned(),
    }
}

/// Returns the title: padding in the reader's packs.
fn finding(packs: &Packs) -> String {
    let filled = packs.filled();
    if filled == 0 {
        return "A graph has two sizes, and a pack two budgets".to_owned();
    }
    let [nodes, edges] = full(packs).map(|full| percent(1.0 - full));
    let inside = packs.places.iter().filter(|place| **place > 0).count() as u64;
    let graphs = capital(&number_in_words(inside));
    let s = |n: usize| if n == 1 { "" } else { "s" };
    format!(
        "{graphs} graph{} in {} pack{}: ~{nodes}~ of the node slots are padding, and ~{edges}~ of the edge slots",
        s(inside as usize),
        number_in_words(filled as u64),
        s(filled),
    )
}

fn parts(here: &ChapterContext<'_>, packs: Packs) -> Vec<ChapterPart> {
    let mut parts = vec![
        ChapterPart::Text(
            "In a model a molecule is a graph: atoms are nodes (hydrogens left out), and a bond is two edges, one each way. So it has two sizes, and neither tells the other. A chain has few edges for its nodes, a cage has many."
                .to_owned(),
        ),
        ChapterPart::Figure(molecules::drawing()),
        ChapterPart::Text(
            "An accelerator wants the same room in every [pack]: here 21 nodes and 46 edges. Each square is that \
             room, nodes to the right, edges upwards. Graphs lie corner to corner along its diagonal, since each \
             uses up some of both. What is left on the right and at the top is [padding]; the area beside the \
             diagonal costs nothing. **Drag the graphs into packs.**"
                .to_owned(),
        ),
        ChapterPart::Packs(packs.clone()),
        ChapterPart::Text(reached(&packs)),
    ];
    parts.push(ChapterPart::Guess(guess()));
    parts.extend(rules::parts(here));
    parts
}

/// Asks for the cost of a pack for each graph.
fn guess() -> Guess {
    let nodes: u32 = sizes().iter().map(|[nodes, _]| nodes).sum();
    let empty = 1.0 - f64::from(nodes) / f64::from(LIMITS[0] * MOLECULES.len() as u32);
    Guess {
        id: "alone",
        question: format!(
            "Give each of the eight a pack of its own, with room for {} nodes. Which share of the node slots is empty?",
            LIMITS[0]
        ),
        choices: &[0.25, 0.45, 0.65, 0.85],
        answer: Some(empty),
        reveal: format!(
            "{}: they have {nodes} nodes in all. As with <skew>sequences</>, the most that can be won is the room of a pack \
             divided by the mean size, here for each of two sizes.",
            Guess::figure(empty)
        ),
    }
}

fn reached(packs: &Packs) -> String {
    let outside = packs.places.iter().filter(|place| **place == 0).count() as u64;
    let rest = if outside == 0 {
        String::new()
    } else {
        format!(" {} in no pack yet.", are(outside))
    };
    if packs.filled() == 0 {
        return format!("One graph a pack would be eight packs, most of their room empty.{rest}");
    }
    let [nodes, edges] = full(packs);
    format!(
        "{} in use: {} of their node slots are filled and {} of their edge slots.{rest}",
        figure(
            "packs",
            packs.filled(),
            &plural(packs.filled() as u64, "pack")
        ),
        figure("efficiency_nodes", nodes, &percent(nodes)),
        figure("efficiency_edges", edges, &percent(edges)),
    )
}

fn are(n: u64) -> String {
    if n == 1 {
        "One graph is".to_owned()
    } else {
        format!("{} graphs are", capital(&number_in_words(n)))
    }
}
