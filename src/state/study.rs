//! A study: data, packing settings, and all known results. One for sequences, one for graphs.
//!
//! Answers arrive piece by piece, in any order: an answer that is older than the one shown, or about data no longer
//! loaded, changes nothing.

use super::pin::Pin;
use super::{ComparisonTable, Data};
use crate::query::{ComparisonRow, Question};
use packscope::api::{PackingSettings, Report};
use packscope::cost::{self, Overhead};
use packscope::packing::Depth;
use std::rc::Rc;

/// Identifies a question and the data that it is about, so that a late answer is recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket {
    /// Version of the data that the question is about.
    pub data: u64,
    /// Counts questions.
    pub number: u64,
}

/// A report with its solve time.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyAnswer<S: PackingSettings = packscope::api::Settings> {
    /// The question it answers.
    pub ticket: Ticket,
    pub report: Report<S, S::Size>,
    /// Solve time, seconds, measured by the worker.
    pub seconds: f64,
}

/// A piece of an answer or a sign of progress, with the question it belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyUpdate<S: PackingSettings = packscope::api::Settings> {
    pub ticket: Ticket,
    pub question: Question<S>,
    pub event: StudyEvent<S>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum StudyEvent<S: PackingSettings = packscope::api::Settings> {
    /// A plan.
    Report {
        report: Box<Report<S, S::Size>>,
        /// Solve time, seconds; so far, if `more`.
        seconds: f64,
        /// Whether the search goes on.
        more: bool,
    },
    /// Rows of a comparison.
    Rows(Vec<ComparisonRow<S>>),
    /// Progress of a search: packs of the best plan so far, and the lower bound.
    Found { packs: u64, bound: u64 },
    /// The engine's error, in words for the visitor.
    Refused(String),
    /// The search was stopped or lost; earlier answers stay.
    Stopped,
}

/// The problem that an optimum solves: version of the data, and settings except those that choose an algorithm.
pub type SearchSubject<S = packscope::api::Settings> = (u64, S);

/// The progress of a running search for the optimum.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchProgress<S = packscope::api::Settings> {
    about: SearchSubject<S>,
    /// Packs of the best plan so far.
    pub packs: u64,
    /// The lower bound, packs.
    pub bound: u64,
}

/// Data of `K` components, packing settings, and all known results.
#[derive(Debug, Clone, PartialEq)]
pub struct Study<S: PackingSettings, const K: usize> {
    /// The data; `None` until they are loaded.
    pub data: Option<Data<K>>,
    pub settings: S,
    pub answer: Option<Rc<StudyAnswer<S>>>,
    /// Other algorithms, depths and heuristics.
    pub comparison: Rc<ComparisonTable<S>>,
    /// Answers about settings other than the comparison's, until a comparison about these replaces it. They are kept
    /// apart so that table and curve are not redrawn for each.
    pub(super) early: Rc<ComparisonTable<S>>,
    /// The pinned results, at most [`super::pin::MOST`].
    pub pins: Vec<Rc<Pin<S, K>>>,
    // Of the newest search, perhaps about other settings: see `searching`.
    found: Option<SearchProgress<S>>,
    /// The problem whose search the visitor has cancelled.
    cancelled: Option<SearchSubject<S>>,
    // The last answer of the newest search, whether it was proven or its time was over.
    search_result: Option<Rc<StudyAnswer<S>>>,
    /// The newest question that the engine refused, and the reason.
    refused: Option<(Ticket, S, String)>,
}

impl<S: PackingSettings, const K: usize> Default for Study<S, K> {
    fn default() -> Self {
        Self {
            data: None,
            settings: S::default(),
            answer: None,
            comparison: Rc::default(),
            early: Rc::default(),
            pins: Vec::new(),
            found: None,
            cancelled: None,
            search_result: None,
            refused: None,
        }
    }
}

/// Returns the usual depths of a slider, and the present one if it is another. `usual` ascends.
pub(super) fn depths(usual: &[Depth], present: Depth) -> Vec<Depth> {
    let mut depths = usual.to_vec();
    if let Err(at) = depths.binary_search(&present) {
        depths.insert(at, present);
    }
    depths
}

impl<S: PackingSettings> StudyAnswer<S> {
    /// Returns the problem that the answer solves.
    pub fn subject(&self) -> SearchSubject<S> {
        (self.ticket.data, self.report.settings.problem())
    }
}

impl<S: PackingSettings, const K: usize> Study<S, K> {
    /// Returns the version of the data; 0 without data.
    pub fn version(&self) -> u64 {
        self.data.as_ref().map_or(0, |d| d.version)
    }

    /// Returns the problem of the present settings.
    pub fn subject(&self) -> SearchSubject<S> {
        (self.version(), self.settings.problem())
    }

    /// Takes over what a worker has found.
    pub fn take_update(
        &mut self,
        StudyUpdate {
            ticket,
            question,
            event,
        }: StudyUpdate<S>,
    ) {
        match event {
            StudyEvent::Report {
                report,
                seconds,
                more,
            } => {
                let answer = Rc::new(StudyAnswer {
                    ticket,
                    report: *report,
                    seconds,
                });
                match question {
                    _ if more => self.better(answer),
                    Question::Prove { .. } => self.end_search(answer),
                    _ => self.accept(answer),
                }
            }
            StudyEvent::Rows(rows) => self.compare(ticket, question.settings(), rows),
            StudyEvent::Found { packs, bound } => {
                let about = (ticket.data, question.settings().problem());
                if about == self.subject() {
                    (self.found, self.cancelled) = (
                        Some(SearchProgress {
                            about,
                            packs,
                            bound,
                        }),
                        None,
                    );
                    self.share_bounds();
                }
            }
            StudyEvent::Stopped => self.found = None,
            StudyEvent::Refused(why) => self.refuse(ticket, &question, why),
        }
    }

    fn refuse(&mut self, ticket: Ticket, question: &Question<S>, why: String) {
        let settings = question.settings();
        match question {
            // The report is refused with the same message.
            Question::Compare { .. } => {}
            Question::Prove { .. } if !settings.is_optimal() => self.found = None,
            Question::Prove { .. } | Question::Report { .. } => {
                if settings.is_optimal() {
                    self.found = None;
                }
                self.refused = Some((ticket, settings.clone(), why));
            }
        }
    }

    fn accept(&mut self, answer: Rc<StudyAnswer<S>>) {
        let newer = self
            .answer
            .as_ref()
            // By the version of the data first, then by the number of the question.
            .is_none_or(|shown| shown.ticket < answer.ticket);
        // A current answer is not requested again: one about other settings must not replace it, and the stand-in for
        // another search must not replace the present stand-in.
        let late = self.is_current()
            && answer.report.settings.deciding() != self.settings.deciding()
            || self.is_interim() && answer.subject() != self.subject();
        if newer && !late && answer.ticket.data == self.version() {
            self.show(answer);
        }
    }

    fn show(&mut self, answer: Rc<StudyAnswer<S>>) {
        // The overhead may have changed since the question.
        let mut answer = Rc::unwrap_or_clone(answer);
        cost::price(&mut answer.report.figures, self.settings.overhead());
        self.answer = Some(Rc::new(answer));
        self.adopt_answer();
        self.share_bounds();
    }

    /// Adds a plan of the search to the table, and shows it where the optimum is chosen.
    fn better(&mut self, answer: Rc<StudyAnswer<S>>) {
        if answer.subject() != self.subject() {
            return;
        }
        self.compare(answer.ticket, &answer.report.settings, vec![answer.row()]);
        if self.settings.is_optimal() {
            self.show(answer);
        }
    }

    /// Ends the search with its answer.
    fn end_search(&mut self, answer: Rc<StudyAnswer<S>>) {
        if answer.subject() == self.subject() {
            self.found = None;
            // The search is over, whether or not it found a proof: see `is_search_over`.
            self.search_result = Some(Rc::clone(&answer));
            self.better(answer);
        }
    }

    /// Shows the plan of a search that is over as soon as the optimum is chosen.
    pub(super) fn adopt_optimum(&mut self) {
        if self.settings.is_optimal()
            && !self.is_current()
            && let Some(answer) = self.search_result.clone().filter(|_| self.is_search_over())
        {
            self.show(answer);
        }
    }

    /// Sets the cost of keeping packed items apart: re-prices everything, packs nothing.
    pub(super) fn reprice(&mut self, overhead: Overhead) {
        self.settings.set_overhead(overhead);
        if let Some(answer) = &mut self.answer {
            cost::price(&mut Rc::make_mut(answer).report.figures, overhead);
        }
        self.price_rows();
    }

    /// Forgets that the optimum was searched for, or the search cancelled, if it was not proven; the plan stays.
    pub(super) fn forget_vain(&mut self) {
        self.cancelled = None;
        self.search_result = self
            .search_result
            .take()
            // Only a gap of exactly 0 is a proof.
            .filter(|answer| answer.report.figures.gap == Some(0.0));
    }

    pub(super) fn cancel_search(&mut self) {
        self.cancelled = Some(self.subject());
    }

    /// Whether the visitor has cancelled the search for the optimum at the present settings.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.as_ref() == Some(&self.subject()) && !self.is_search_over()
    }

    pub(super) fn forget_search(&mut self) {
        self.found = None;
    }

    /// Whether the newest answer is about the present data and settings.
    pub fn is_current(&self) -> bool {
        self.answer.as_ref().is_some_and(|a| {
            a.ticket.data == self.version()
                // Settings that only price may differ: figures are priced again when they change.
                && a.report.settings.deciding() == self.settings.deciding()
        })
    }

    /// Returns whether the answer is about the present data and settings, and whether the comparison is.
    pub fn stands(&self) -> [bool; 2] {
        [self.is_current(), self.is_compared()]
    }

    /// Whether the search for the optimum at the present settings is over, whatever the gap.
    pub fn is_search_over(&self) -> bool {
        self.search_result
            .as_ref()
            .is_some_and(|a| a.subject() == self.subject())
    }

    /// Whether the answer shown is a fast stand-in for a running search.
    pub fn is_interim(&self) -> bool {
        let stands_in = |a: &Rc<StudyAnswer<S>>| {
            a.ticket.data == self.version() && self.stands_in(&a.report.settings)
        };
        self.answer.as_ref().is_some_and(stands_in)
    }

    /// Whether these settings are the stand-in for the present ones.
    fn stands_in(&self, settings: &S) -> bool {
        self.settings
            .stand_in()
            .is_some_and(|s| s.deciding() == settings.deciding())
    }

    /// Returns the state of proof of the plan in the optimum's row: "proven" only if it needs as few packs as its
    /// bound. `None` for rows of other algorithms, and before there is a plan.
    pub fn proof(&self, row: S::Row) -> Option<&'static str> {
        let plan = self
            .row(row)
            .filter(|_| self.settings.with_row(row).is_optimal())?;
        Some(match plan.figures.lower_bound == Some(plan.figures.packs) {
            true => "proven",
            false if self.is_cancelled() => "search cancelled",
            false if !self.is_search_over() && self.searching().is_some() => "not proven yet",
            false => "not proven",
        })
    }

    /// Returns the reason why the engine refused the present settings.
    pub fn refusal(&self) -> Option<&str> {
        let (ticket, settings, why) = self.refused.as_ref()?;
        // A stand-in is refused with the same message.
        let about = self.stands_in(settings) || settings.deciding() == self.settings.deciding();
        (about && ticket.data == self.version() && !self.is_current()).then_some(why)
    }

    /// Returns the progress of a running search for the optimum at the present settings.
    pub fn searching(&self) -> Option<&SearchProgress<S>> {
        self.found.as_ref().filter(|f| f.about == self.subject())
    }
}
