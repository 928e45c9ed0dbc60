//! Answers computed in the page itself: packing takes less time than a message to a worker and back, so that the frame
//! which shows a setting shows its answer too. Whatever takes longer is asked of a worker.

use super::next_ticket;
use crate::browser::now;
use packscope::api::{Finding, Packing, Problem, Question, ReportOf, SimpleGraphs, SimpleSequences, tuple};
use packscope::histogram::Histogram;
use packscope::packing::go_on;
use packscope::state::{Action, AppState, DISTINCT, GraphState, Heard, LISTED, Study, View, graphs};
use std::cell::Cell;
use std::hint::black_box;

/// Milliseconds after which a solve is long: a worker's reply takes about as long to be read and to be drawn.
const LONG: f64 = 12.0;
/// Long solves in a row after which the data are left to workers: one alone was delayed by something else.
const PATIENCE: u32 = 3;
/// The first solves, of which most is the browser compiling: they are repeated, and no reason to leave data to workers.
const COLD: u32 = 3;

thread_local! {
    /// The version of the data that took long last, and how often in a row.
    static SLOW: Cell<(u64, u32)> = const { Cell::new((0, 0)) };
    /// Answers about graphs, once the part of the page is there that has the code for them.
    static GRAPHS: Cell<Option<OfGraphs>> = const { Cell::new(None) };
    /// The number of solves so far.
    static SOLVES: Cell<u32> = const { Cell::new(0) };
}

type OfGraphs = fn(&GraphState) -> Option<Heard<tuple::Settings>>;

/// Lets graphs be answered here: called by the part of the page that shows them.
pub fn answer_graphs(find: OfGraphs) {
    // The compiler, which sees that it is always the same function, would call it directly, and load it with the page.
    GRAPHS.set(Some(black_box(find)));
}

/// Answers the question of a study of graphs.
pub fn graphs_simply(study: &GraphState) -> Option<Heard<tuple::Settings>> {
    find::<SimpleGraphs, _, 2>(study, |s| s.algorithm.is_simple())
}

/// Returns the state with the answer to its settings, where that is computed here.
pub fn answered(state: AppState) -> AppState {
    let action = match state.view {
        View::Sequences => {
            find::<SimpleSequences, _, 1>(&state.sequences, |s| s.algorithm.is_simple()).map(Action::Heard)
        }
        View::Graphs => GRAPHS
            .get()
            .and_then(|find| find(&state.graphs))
            .map(|h| Action::Graphs(graphs::Action::Heard(h))),
        View::Batches | View::Learn => None,
    };
    match action {
        Some(action) => state.reduce(action),
        None => state,
    }
}

/// Answers the question of a study, unless it is answered or takes long.
fn find<P, S, const K: usize>(study: &Study<S, K>, is_simple: fn(&S) -> bool) -> Option<Heard<S>>
where
    P: Problem<Settings = S, Histogram = Histogram<K>>,
    S: Packing,
{
    // Asked after every action: nothing is copied where there is nothing to do.
    let data =
        study.data.as_ref().filter(|data| !study.is_current() && slow_solves(data.version) < PATIENCE)?;
    let settings = match study.settings.stand_in() {
        Some(_) if study.is_interim() => return None,
        Some(stand_in) => stand_in,
        None => study.settings.clone(),
    };
    let long = settings.takes_long() || !is_simple(&settings) || data.histogram.distinct() > DISTINCT;
    if long {
        return None;
    }
    let start = now();
    let (report, seconds) = solve::<P, K>(&data.histogram, &settings)?;
    if SOLVES.get() == COLD {
        let solves = if now() - start > LONG { slow_solves(data.version) + 1 } else { 0 };
        SLOW.set((data.version, solves));
    }
    let finding = Finding::Report { report: Box::new(report), seconds };
    Some(Heard {
        ticket: next_ticket(data.version),
        question: Question::Report { settings, listed: LISTED },
        finding,
    })
}

/// Returns how many solves of these data in a row were long.
fn slow_solves(version: u64) -> u32 {
    match SLOW.get() {
        (about, solves) if about == version => solves,
        _ => 0,
    }
}

/// Returns the report, and the seconds that packing took.
fn solve<P, const K: usize>(histogram: &Histogram<K>, settings: &P::Settings) -> Option<(ReportOf<P>, f64)>
where
    P: Problem<Histogram = Histogram<K>>,
{
    let prepared = P::prepare(histogram, settings).ok()?;
    let pack = || {
        let start = now();
        let packed = prepared.pack(settings, LISTED, u64::MAX, &mut go_on).ok()?;
        Some((packed, (now() - start) / 1e3))
    };
    let (packed, mut seconds) = pack()?;
    let solves = SOLVES.get();
    if solves < COLD {
        SOLVES.set(solves + 1);
        seconds = seconds.min(pack()?.1);
    }
    Some((prepared.report(settings, packed, LISTED), seconds))
}
