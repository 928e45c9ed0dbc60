//! Answers computed in the page itself: packing takes less time than a message to a worker and back, so that a setting
//! and its answer appear in the same frame. Whatever takes longer is sent to a worker.

use super::next_ticket;
use crate::browser::milliseconds;
use packscope::api::{PackingSettings, Problem, ReportOf, SimpleGraphs, SimpleSequences, tuple};
use packscope::histogram::Histogram;
use packscope::packing::go_on;
use packscope_page::query::Question;
use packscope_page::state::{
    Action, AppState, DISTINCT, GraphState, LISTED, Study, StudyEvent, StudyUpdate, View, graphs,
};
use std::cell::Cell;
use std::hint::black_box;

/// Milliseconds from which a solve counts as long: about the time to decode and render a worker's reply.
const LONG: f64 = 12.0;
/// Long solves in a row after which these data go to workers; a single one may have been delayed by something else.
const PATIENCE: u32 = 3;
/// The number of first solves, dominated by the browser's compiler: they are repeated, and do not count as long.
const COLD: u32 = 3;

thread_local! {
    /// The version of the last data with a timed solve, and the number of long solves in a row.
    static SLOW: Cell<(u64, u32)> = const { Cell::new((0, 0)) };
    /// Computes answers about graphs, once the part of the page with that code is loaded.
    static GRAPHS: Cell<Option<GraphQuestion>> = const { Cell::new(None) };
    static SOLVES: Cell<u32> = const { Cell::new(0) };
}

type GraphQuestion = fn(&GraphState) -> Option<StudyUpdate<tuple::Settings>>;

/// Enables answers about graphs; called by the part of the page that shows them.
pub fn answer_graphs(find: GraphQuestion) {
    // `black_box` keeps the compiler from calling the function directly, which would load it with the page.
    GRAPHS.set(Some(black_box(find)));
}

/// Answers the current question about graphs, if that does not take long.
pub fn graphs_simply(study: &GraphState) -> Option<StudyUpdate<tuple::Settings>> {
    find::<SimpleGraphs, _, 2>(study)
}

/// Returns the action that brings the answer to the settings on screen, if it takes less time than a message.
pub fn answer(state: &AppState) -> Option<Action> {
    match state.view {
        View::Sequences => find::<SimpleSequences, _, 1>(&state.sequences).map(Action::Heard),
        View::Graphs => GRAPHS
            .get()
            .and_then(|find| find(&state.graphs))
            .map(|update| Action::Graphs(graphs::Action::Heard(update))),
        View::Batches | View::Ranks | View::Learn => None,
    }
}

/// Answers the current question of a study, unless it is answered already or takes long.
fn find<P, S, const K: usize>(study: &Study<S, K>) -> Option<StudyUpdate<S>>
where
    P: Problem<Settings = S, Histogram = Histogram<K>>,
    S: PackingSettings,
{
    // This runs after every action, so nothing is copied when there is nothing to do.
    let data = study
        .data
        .as_ref()
        .filter(|data| !study.is_current() && slow_solves(data.version) < PATIENCE)?;
    let settings = match study.settings.stand_in() {
        // A slow algorithm is represented by a fast one until a worker answers; once that stands,
        // there is nothing to add.
        Some(_) if study.is_interim() => return None,
        Some(stand_in) => stand_in,
        None => study.settings.clone(),
    };
    if settings.takes_long() || data.histogram.distinct() > DISTINCT {
        return None;
    }
    let start = milliseconds();
    let (report, seconds) = solve::<P, K>(&data.histogram, &settings)?;
    // Only once the compiler is warm does a long solve say something about the data.
    if SOLVES.get() == COLD {
        let solves = if milliseconds() - start > LONG {
            slow_solves(data.version) + 1
        } else {
            0
        };
        SLOW.set((data.version, solves));
    }
    let event = StudyEvent::Report {
        report: Box::new(report),
        seconds,
        more: false,
    };
    Some(StudyUpdate {
        ticket: next_ticket(data.version),
        question: Question::Report {
            settings,
            listed: LISTED,
        },
        event,
    })
}

/// Returns the number of long solves in a row for these data.
fn slow_solves(version: u64) -> u32 {
    match SLOW.get() {
        (about, solves) if about == version => solves,
        _ => 0,
    }
}

/// Returns the report, and the seconds that packing took.
fn solve<P, const K: usize>(
    histogram: &Histogram<K>,
    settings: &P::Settings,
) -> Option<(ReportOf<P>, f64)>
where
    P: Problem<Histogram = Histogram<K>>,
{
    let prepared = P::prepare(histogram, settings).ok()?;
    let pack = || {
        let start = milliseconds();
        // No budget: only algorithms that do not take long come here. Errors are left to the
        // worker, which reports them.
        let packed = prepared.pack(settings, LISTED, u64::MAX, &mut go_on).ok()?;
        Some((packed, (milliseconds() - start) / 1e3))
    };
    let (packed, mut seconds) = pack()?;
    let solves = SOLVES.get();
    if solves < COLD {
        SOLVES.set(solves + 1);
        seconds = seconds.min(pack()?.1);
    }
    Some((prepared.report(settings, packed, LISTED), seconds))
}
