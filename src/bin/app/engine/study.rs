//! Questions about a study, of sequences or of graphs.

use super::{DISTINCT, Engine, GLANCED, LISTED, LONGEST_REST, REST, later, next_ticket};
use crate::lane::Job;
use packscope::api::trainer::Given;
use packscope::api::{self, Packing, Question, Report, tuple};
use packscope::histogram::Sizes;
use packscope::state::{AppState, Data, Study};
use packscope::wire::Ask;

/// Settings that workers can be asked about, with data of `K` components.
pub(super) trait Asked<const K: usize>: Packing {
    /// Wraps the question in a message.
    fn ask(question: Question<Self>) -> Ask;
    /// Returns the data in the form of a message.
    fn items(data: &Data<K>) -> Sizes;
}

impl Asked<1> for api::Settings {
    fn ask(question: Question<Self>) -> Ask {
        Ask::Lengths(question)
    }

    fn items(data: &Data) -> Sizes {
        data.sizes()
    }
}

impl Asked<2> for tuple::Settings {
    fn ask(question: Question<Self>) -> Ask {
        Ask::Graphs(question)
    }

    fn items(data: &Data<2>) -> Sizes {
        data.sizes()
    }
}

impl Engine {
    /// Asks for the answer to the present settings, and for these rows of the comparison after a pause.
    pub(super) fn follow_study<S: Asked<K>, const K: usize>(&self, study: &Study<S, K>, rows: Vec<S::Row>) {
        let (Some(data), settings) = (&study.data, &study.settings) else { return };
        let report =
            |settings: &S, listed| self.job(data, Question::Report { settings: settings.clone(), listed });
        let rest = rest(study, &rows);
        let mut timers = self.timers.borrow_mut();
        timers.clear();
        let glanced = data.histogram.distinct() > DISTINCT && !is_listed(study);
        if !study.is_current() {
            let listed = if glanced { GLANCED } else { LISTED };
            match settings.stand_in() {
                Some(stand_in) if !study.is_interim() => self.live.ask(report(&stand_in, listed)),
                _ => {}
            }
            // The optimum is searched apart.
            if !settings.takes_long() {
                self.live.ask(report(settings, listed));
            } else if !settings.is_optimal() {
                self.slow.ask(report(settings, LISTED));
            }
        }
        // Asked later, it has the later ticket.
        let whole = || later(&self.live, rest, report(settings, LISTED));
        timers.extend((glanced && !settings.takes_long()).then(whole));
        if let Some(compare) = self.compare(study, rows, false) {
            timers.push(later(&self.side, rest, compare));
        }
    }

    /// Asks about the limits that are in view and not known.
    pub fn follow_limits(&self, state: &AppState) {
        let (Some(data), Some((settings, limits))) = (&state.sequences.data, state.limits_wanted()) else {
            return;
        };
        self.lesson.ask(about::<api::Settings, 1>(data, Ask::Limits(settings, limits)));
    }

    /// Asks about the library that is wanted next; stops where none is.
    pub fn follow_trainer(&self, state: &AppState) {
        let asked = state.trainer_wanted().and_then(|asked| {
            Some(match asked.given {
                Given::Graphs(_) => {
                    about::<tuple::Settings, 2>(state.graphs.data.as_ref()?, Ask::Trainer(asked))
                }
                _ => about::<api::Settings, 1>(state.sequences.data.as_ref()?, Ask::Trainer(asked)),
            })
        });
        match asked {
            Some(job) => self.trainer.ask(job),
            None => self.trainer.stop(),
        }
    }

    /// Creates a job with a question about the data.
    pub(super) fn job<S: Asked<K>, const K: usize>(&self, data: &Data<K>, question: Question<S>) -> Job {
        about::<S, K>(data, S::ask(question))
    }

    /// Creates a job for the slow rows or the fast ones; `None` if there are none. The optimum is searched separately.
    pub(super) fn compare<S: Asked<K>, const K: usize>(
        &self,
        study: &Study<S, K>,
        mut rows: Vec<S::Row>,
        long: bool,
    ) -> Option<Job> {
        let settings = study.settings.clone();
        rows.retain(|row| {
            let row = settings.with_row(*row);
            !row.is_optimal() && row.takes_long() == long
        });
        let data = study.data.as_ref().filter(|_| !rows.is_empty())?;
        Some(self.job(data, Question::Compare { settings, rows, budget: 0.0 }))
    }
}

/// Whether the answer is about the present settings, with all the strategies that a report lists.
fn is_listed<S: Packing, const K: usize>(study: &Study<S, K>) -> bool {
    let few = |report: &Report<S, S::Size>| report.strategies.len() <= GLANCED as usize;
    let brief = |report: &Report<S, S::Size>| report.unlisted_packs > 0 && few(report);
    study.is_current() && study.answer.as_ref().is_some_and(|answer| !brief(&answer.report))
}

/// Returns the milliseconds without a change before these rows are computed: as long as they took last time, within bounds.
fn rest<S: Packing, const K: usize>(study: &Study<S, K>, rows: &[S::Row]) -> u32 {
    let took: f64 = rows.iter().filter_map(|row| Some(study.row(*row)?.seconds)).sum();
    // As a whole number it is no larger than the largest.
    ((took * 1e3) as u32).clamp(REST, LONGEST_REST)
}

/// Returns the job of a question about these data.
pub(super) fn about<S: Asked<K>, const K: usize>(data: &Data<K>, ask: Ask) -> Job {
    Job { ticket: next_ticket(data.version), ask, data: Some(S::items(data)), files: Vec::new() }
}
