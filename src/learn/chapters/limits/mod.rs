//! Choosing limits: a sweep over both limits of ogbg-molhiv, and the worth of each additional node or edge.

mod drawn;

use crate::learn::prose::figure;
use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterView, Citation, Condition, Guess, Knob, KnobKind,
    Notes, Opens, Paper, data,
};
use crate::query::{Answer, Query, QueryData, Request, SweepQuery};
use crate::state::View;
use packscope::api::tuple::Settings;
use packscope::packing::tuple::{Heuristic, TupleAlgorithm};
use packscope::sweep::{self, SweepPoint};
use packscope::words::{count, factor, percent, plural, seconds};
use std::rc::Rc;

/// Node limits of the sweep: the most nodes of a molecule, the last limit, the step.
const NODES: [u32; 3] = [222, 312, 6];
/// Edge limits of the sweep: the same number of steps, in the proportions of the molecules.
const EDGES: [u32; 3] = [502, 682, 12];
// Several limits meet both conditions, and the smallest of them is not where the map is brightest.
/// The exercise: at most this many packs, and both kinds of slots at least this full.
const MOST: u64 = 3_000;
const FULL: f64 = 0.975;
/// Limits at which the pack counts of the published code are known.
const PUBLISHED: [[u32; 2]; 2] = [[222, 502], [222, 585]];
/// Limits for QM9: the maxima over all molecules, and two molecules of the usual size.
const SMALL: [[u32; 2]; 2] = [[9, 28], [18, 38]];

pub const CHAPTER: Chapter = Chapter {
    id: "limits",
    title: "Choosing limits",
    keep: "The limits of graphs are free to choose: give both sizes room in the proportions of the data.",
    notes: Notes {
        aim: "To choose limits by a sweep instead of by the largest graph.",
        usual: "Most widen one limit for too long, although the other one is used up.",
        exam: "Graphs have 2.2 edges for each node on average, and a pack has 100 nodes. Which limit of edges goes with them? (About 220.)",
    },
    minutes: 5,
    needs: &[],
    knobs: &[
        Knob {
            name: "nodes",
            label: "Node limit",
            kind: limit(NODES),
            start: &[222],
        },
        Knob {
            name: "edges",
            label: "Edge limit",
            kind: limit(EDGES),
            start: &[502],
        },
    ],
    show,
    asks,
    opens: |here| {
        let [nodes, edges] = adopted(here);
        Opens::built_in(
            View::Graphs,
            &format!(
                "data=ogbg_molhiv&nodes={nodes}&edges={edges}&algorithm=best-fit&sweep-nodes=222:312:6&sweep-edges=502:682:12"
            ),
        )
    },
    sources: &[
        Citation {
            paper: Paper::Tuples,
            at: "§2.5",
            says: "why limits of graphs are free to choose, and how: all combinations, the smallest that is efficient enough, and why widening from the maxima one step at a time is no good",
        },
        Citation {
            paper: Paper::Tuples,
            at: "§3.2 and Figure 5",
            says: "the sweep on PCQM4Mv2, with its best limits at 30 nodes and 62 edges: a harmonic mean of 98.8 %, 11 % more than at \
                   the limits of the data, closely followed by 45 and 96",
        },
        Citation {
            paper: Paper::Tuples,
            at: "Table 1",
            says: "the most nodes of a molecule of ogbg-molhiv, 222, and the most edges, 502; no molecule has both",
        },
    ],
};

const fn limit([least, most, step]: [u32; 3]) -> KnobKind {
    KnobKind::Number {
        least,
        most,
        step,
        shown: plain,
    }
}

fn plain(limit: u32) -> String {
    limit.to_string()
}

fn values([first, last, step]: [u32; 3]) -> Vec<u32> {
    (first..=last).step_by(step as usize).collect()
}

/// Returns the chosen limits, rounded to the grid: an address may name values between its lines.
fn adopted(here: &ChapterContext<'_>) -> [u32; 2] {
    [("nodes", NODES), ("edges", EDGES)].map(|(knob, [first, _, step])| {
        // Knobs keep to their steps by themselves; an old address may not.
        first + (here.number(knob).saturating_sub(first) + step / 2) / step * step
    })
}

fn question(
    id: &str,
    algorithm: TupleAlgorithm,
    heuristic: Heuristic,
    limits: Vec<[u32; 2]>,
) -> Request {
    let settings = Settings {
        algorithm,
        heuristic,
        ..Settings::default()
    };
    Request {
        data: QueryData::Graphs(data::graphs(id)),
        query: Query::Sweep(SweepQuery {
            settings,
            limits,
            thorough: true,
            all: true,
        }),
    }
}

fn asks(_: &ChapterContext<'_>) -> Vec<(&'static str, Request)> {
    let row = |edges: &u32| {
        values(NODES)
            .into_iter()
            .map(|nodes| [nodes, *edges])
            .collect::<Vec<_>>()
    };
    // 16 × 16 limits, one plan each: hence a fast algorithm, which repeats full packs at once.
    let grid = values(EDGES).iter().flat_map(row).collect();
    let nodes = Heuristic::Component(0);
    vec![
        (
            "sweep",
            question("ogbg_molhiv", TupleAlgorithm::BestFit, nodes, grid),
        ),
        (
            "published",
            question(
                "ogbg_molhiv",
                TupleAlgorithm::BestFitPublished,
                Heuristic::Product,
                PUBLISHED.to_vec(),
            ),
        ),
        (
            "small",
            question("mol_qm9", TupleAlgorithm::BestFit, nodes, SMALL.to_vec()),
        ),
    ]
}

/// Returns the points of a sweep; none before its answer.
fn points(here: &ChapterContext<'_>, name: &str) -> Vec<SweepPoint<2>> {
    match here.answer(name) {
        // A limit below every size leaves nothing: no point, and no error for the others.
        Some(Answer::Sweep(tried)) => tried
            .iter()
            .filter_map(|(_, point)| point.clone().ok())
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns the smallest limits that solve the exercise.
fn wanted(points: &[SweepPoint<2>]) -> Option<[u32; 2]> {
    // By area, nodes × edges, as the task says.
    sweep::smallest(points.iter().filter(|p| p.packs <= MOST), FULL).map(|p| p.limits)
}

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let points: Rc<[SweepPoint<2>]> = points(here, "sweep").into();
    let limits = adopted(here);
    let at = points.iter().find(|p| p.limits == limits);
    let smallest = at.is_some() && wanted(&points) == Some(limits);
    ChapterView {
        finding: finding(points.first(), at),
        parts: parts(here, &points, at, limits),
        notice: "Start with room for every molecule and widen one limit only. At first both kinds of slots gain; then the \
                 other kind runs out, packs stop falling, and whatever is added is padding."
            .to_owned(),
        task: format!(
            "You have time for {} packs an epoch, and want each kind of slots to be at least {} full. Find the \
             smallest packs (node limit × edge limit) that do both.",
            count(MOST),
            percent(FULL),
        ),
        conditions: vec![
            Condition::new(at.is_some_and(|p| p.packs <= MOST), format!("at most {} packs", count(MOST))),
            Condition::new(
                at.is_some_and(|p| p.efficiency.iter().all(|full| *full >= FULL)),
                format!("both kinds of slots {} full", percent(FULL)),
            ),
            Condition::new(smallest, "no smaller packs do both")
                .almost("These meet both, and smaller ones do as well: look further down and to the left."),
        ],
        found: conclusion(&points),
    }
}

fn conclusion(points: &[SweepPoint<2>]) -> String {
    let nodes = points.first().map_or(0.0, |p| {
        p.efficiency[0] * p.packs as f64 * f64::from(p.limits[0])
    });
    // Filled node slots are the nodes of the data, at whatever limits: efficiency × packs × limit.
    let least = (nodes / MOST as f64).ceil() as u64;
    format!(
        "{} nodes in {} packs are {least} a pack at least, and the ridge gives the edges that go with them. A step or \
         two more is what packing cannot fill. The sweep in the tool finds such limits by itself.",
        count(nodes.round() as u64),
        count(MOST),
    )
}

/// Returns the title: the packs saved against limits at the most nodes and the most edges.
fn finding(first: Option<&SweepPoint<2>>, at: Option<&SweepPoint<2>>) -> String {
    let (Some(first), Some(at)) = (first, at) else {
        return "Room for the largest graphs is a poor choice of limits".to_owned();
    };
    let more: Vec<String> = [(0, "nodes"), (1, "edges")]
        .iter()
        .filter(|(k, _)| at.limits[*k] > first.limits[*k])
        .map(|(k, unit)| format!("{} more {unit}", at.limits[*k] - first.limits[*k]))
        .collect();
    if more.is_empty() {
        let empty = percent(1.0 - at.efficiency[1]);
        return format!("Room for the largest graphs leaves ~{empty}~ of the edge slots empty");
    }
    let more = more.join(" and ");
    match first.packs.saturating_sub(at.packs) {
        0 => format!("{more} per pack save nothing"),
        saved => format!("{more} per pack save {}", plural(saved, "pack")),
    }
}

fn parts(
    here: &ChapterContext<'_>,
    points: &Rc<[SweepPoint<2>]>,
    at: Option<&SweepPoint<2>>,
    limits: [u32; 2],
) -> Vec<ChapterPart> {
    let mut parts = vec![ChapterPart::Text(room(&data::graphs("ogbg_molhiv")))];
    parts.push(ChapterPart::Text(at.map_or_else(
        || {
            let pairs = values(NODES).len() * values(EDGES).len();
            format!("The engine packs all molecules anew for each of {pairs} pairs of limits.")
        },
        |at| figures(points, at),
    )));
    parts.push(ChapterPart::Figure(drawn::field(points, limits)));
    if points.is_empty() {
        return parts;
    }
    parts.push(ChapterPart::Text(map_in_words(here, points)));
    parts.push(ChapterPart::Guess(guess(points)));
    parts.push(ChapterPart::Title(crossing(points, limits[1])));
    let said = "Left of the crossing, nodes are scarce, and every extra node fills both kinds of slots. Right of it, edges are \
                scarce: hardly a pack is saved, and node slots stay empty."
        .to_owned();
    parts.push(ChapterPart::Beside(
        vec![ChapterPart::Text(said)],
        vec![ChapterPart::Figure(drawn::curves(points, limits))],
    ));
    parts.extend(others(here));
    parts
}

/// Describes the molecules and the room that they need: the one with the most nodes has not the most edges.
fn room(molecules: &[([u32; 2], u64)]) -> String {
    let all: u64 = molecules.iter().map(|(_, n)| n).sum();
    let most = |k: usize| {
        molecules
            .iter()
            .map(|(size, _)| *size)
            .max_by_key(|size| size[k])
            .unwrap_or_default()
    };
    let ([nodes, its_edges], [its_nodes, edges]) = (most(0), most(1));
    format!(
        "Every [pack] has room for the same number of nodes and of edges, its [limits]. Of the {} molecules of \
         ogbg-molhiv, the training split, one has {nodes} nodes and {its_edges} edges, another {its_nodes} nodes and \
         {edges} edges: with room for fewer than {nodes} nodes or {edges} edges, one of them would be left out. More is \
         allowed: what a pack of graphs costs usually grows with its size and not, as attention does, with the square of \
         it. So limits are for us to choose. **Move the numbers, or press the map.**",
        count(all),
    )
}

/// Describes the figures of a cell, and the scarce component there.
fn figures(points: &[SweepPoint<2>], at: &SweepPoint<2>) -> String {
    let [nodes, edges] = at.efficiency;
    let scarce = match nodes - edges {
        d if d.abs() < 0.004 => "both run out at about the same time".to_owned(),
        d if d > 0.0 => {
            format!(
                "nodes run out first, and {} of the edge slots stay empty",
                percent(1.0 - edges)
            )
        }
        _ => format!(
            "edges run out first, and {} of the node slots stay empty",
            percent(1.0 - nodes)
        ),
    };
    let times = points.first().map_or(1.0, |first| at.area() / first.area());
    let larger = if times > 1.0 {
        format!(
            " A pack is {} as large as it has to be.",
            figure("area", at.area(), &factor(times))
        )
    } else {
        String::new()
    };
    format!(
        "With room for {{nodes}} nodes and {{edges}} edges, best fit needs {} packs, and {} of the node slots and {} \
         of the edge slots are filled: {scarce}. The harmonic mean is {}.{larger}",
        figure("packs", at.packs, &count(at.packs)),
        figure("efficiency_nodes", nodes, &percent(nodes)),
        figure("efficiency_edges", edges, &percent(edges)),
        figure("efficiency_harmonic", at.harmonic, &percent(at.harmonic)),
    )
}

fn map_in_words(here: &ChapterContext<'_>, points: &[SweepPoint<2>]) -> String {
    let took = here
        .seconds("sweep")
        .map_or_else(String::new, |s| format!(", in {}", seconds(s)));
    let last = sweep::front(points).last().map(|p| p.limits);
    let edges_a_node = proportion(&data::graphs("ogbg_molhiv"));
    let ends = last.map_or_else(String::new, |[nodes, edges]| {
        format!(
            " It ends at {nodes} × {edges}: further up the ridge packs are no fuller, only larger. They take more \
             memory, and an epoch has fewer updates."
        )
    });
    format!(
        "Each cell is a plan of its own for all molecules: {} of them{took}. The bright ridge is where the limits have \
         the proportions of the molecules, {edges_a_node:.2} edges for each node. The white line is the [Pareto front]: packs \
         that no smaller pack matches.{ends}",
        figure("points", points.len(), &count(points.len() as u64)),
    )
}

/// Asks what room for more nodes is worth without room for more edges.
fn guess(points: &[SweepPoint<2>]) -> Guess {
    let [first, last, _] = NODES;
    let packs = |nodes: u32| {
        let at = points.iter().find(|p| p.limits == [nodes, EDGES[0]]);
        at.map_or(0, |p| p.packs)
    };
    let saved = 1.0 - packs(last) as f64 / packs(first).max(1) as f64;
    Guess {
        id: "more-nodes",
        question: format!(
            "Widen the node limit alone, from {first} to {last}: {} more room for nodes. Which share of the packs does that save?",
            percent(f64::from(last) / f64::from(first) - 1.0),
        ),
        choices: &[0.06, 0.12, 0.2, 0.29],
        answer: Some(saved),
        reveal: format!(
            "{}: {} packs instead of {}. Nodes were scarce for a little way only; then packs are full of edges.",
            Guess::figure(saved),
            count(packs(last)),
            count(packs(first)),
        ),
    }
}

/// Returns the mean number of edges for each node.
fn proportion(molecules: &[([u32; 2], u64)]) -> f64 {
    let sum = |k: usize| {
        molecules
            .iter()
            .map(|(size, n)| u64::from(size[k]) * n)
            .sum::<u64>() as f64
    };
    sum(1) / sum(0).max(1.0)
}

/// Names the node limit at which the two efficiencies cross, for an edge limit.
fn crossing(points: &[SweepPoint<2>], edges: u32) -> String {
    // Nodes are scarce where their slots are fuller than those of edges.
    let mut row = points.iter().filter(|p| p.limits[1] == edges);
    row.find(|p| p.efficiency[0] < p.efficiency[1]).map_or_else(
        || format!("With {edges} edges a pack, nodes are scarce as far as the map goes"),
        |p| {
            format!(
                "With {edges} edges a pack, {} nodes are enough",
                p.limits[0]
            )
        },
    )
}

/// Writes limits as "222 × 502".
fn pair([nodes, edges]: [u32; 2]) -> String {
    format!("{nodes} × {edges}")
}

/// Returns two other cases: a misled heuristic, and a set of small molecules.
fn others(here: &ChapterContext<'_>) -> Vec<ChapterPart> {
    let (published, small) = (points(here, "published"), points(here, "small"));
    // Before the answers, both lists are empty.
    let ([tight, loose], [one, two]) = (&published[..], &small[..]) else {
        return vec![];
    };
    vec![
        ChapterPart::Title(format!(
            "Room for two small molecules instead of one saves {} packs in {}",
            count(one.packs - two.packs),
            count(one.packs)
        )),
        ChapterPart::Text(format!(
            "QM9, with hydrogens left out, has molecules of at most {} nodes and {} edges, most of them with all {} nodes. With limits of {} \
             packing does nothing: {} packs, edges {} full. With {} it needs {}, one for every two, and \
             both kinds are full: {} and {}. A map of this set has one bright cell and steep cliffs.",
            SMALL[0][0],
            SMALL[0][1],
            SMALL[0][0],
            pair(SMALL[0]),
            figure("packs_single", one.packs, &count(one.packs)),
            percent(one.efficiency[1]),
            pair(SMALL[1]),
            figure("packs_pair", two.packs, &count(two.packs)),
            percent(two.efficiency[0]),
            percent(two.efficiency[1]),
        )),
        ChapterPart::Text(format!(
            "And a [heuristic] can be misled by room: with the published code and the product of both sizes, molhiv \
             needs {} packs at {} and {} at {}.",
            figure("packs_tight", tight.packs, &count(tight.packs)),
            pair(PUBLISHED[0]),
            figure("packs_loose", loose.packs, &count(loose.packs)),
            pair(PUBLISHED[1]),
        )),
    ]
}
