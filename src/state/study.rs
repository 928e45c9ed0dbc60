//! A study: data, how they are to be packed, and all that is known about it. One for sequences, one for graphs.
//!
//! Answers arrive piece by piece, in any order: one that is older than what is shown, or about data no longer loaded,
//! changes nothing.

use super::pin::Pin;
use super::{Comparison, Data};
use crate::api::{Finding, Packing, Question, Report};
use crate::cost::{self, Overhead};
use std::rc::Rc;

/// The question that an answer belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket {
    /// Version of the data asked about.
    pub data: u64,
    /// Counts questions.
    pub number: u64,
}

/// A report with its solve time.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<S: Packing = crate::api::Settings> {
    /// The question it answers.
    pub ticket: Ticket,
    /// The report.
    pub report: Report<S, S::Size>,
    /// Solve time, seconds, measured by the worker.
    pub seconds: f64,
}

/// A finding, with the question it answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard<S: Packing = crate::api::Settings> {
    /// Of the question.
    pub ticket: Ticket,
    /// The question.
    pub question: Question<S>,
    /// The finding.
    pub finding: Finding<S>,
}

/// The problem that an optimum solves: version of the data, and settings without those that choose an algorithm.
pub type Subject<S = crate::api::Settings> = (u64, S);

/// How far a search for the optimum is, while it goes on.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<S = crate::api::Settings> {
    about: Subject<S>,
    /// Packs of the best plan so far.
    pub packs: u64,
    /// Packs that no plan goes below.
    pub bound: u64,
}

/// Data of `K` components, settings, and what is known about them.
#[derive(Debug, Clone, PartialEq)]
pub struct Study<S: Packing, const K: usize> {
    /// `None` until they are there.
    pub data: Option<Data<K>>,
    /// How they are to be packed.
    pub settings: S,
    /// The newest answer.
    pub answer: Option<Rc<Answer<S>>>,
    /// Other algorithms, depths and heuristics.
    pub comparison: Rc<Comparison<S>>,
    /// A result that is kept to compare with.
    pub pin: Option<Rc<Pin<S, K>>>,
    found: Option<Found<S>>,
    proven: Option<Rc<Answer<S>>>,
    /// The newest question that the engine has refused, and why.
    refused: Option<(Ticket, S, String)>,
}

impl<S: Packing, const K: usize> Default for Study<S, K> {
    fn default() -> Self {
        Self {
            data: None,
            settings: S::default(),
            answer: None,
            comparison: Rc::default(),
            pin: None,
            found: None,
            proven: None,
            refused: None,
        }
    }
}

impl<S: Packing> Answer<S> {
    /// The problem it is about.
    pub fn subject(&self) -> Subject<S> {
        (self.ticket.data, self.report.settings.problem())
    }
}

impl<S: Packing, const K: usize> Study<S, K> {
    /// Version of the data; 0 when there are none.
    pub fn version(&self) -> u64 {
        self.data.as_ref().map_or(0, |d| d.version)
    }

    /// The problem that the present settings pose.
    pub fn subject(&self) -> Subject<S> {
        (self.version(), self.settings.problem())
    }

    /// Takes in a finding.
    pub fn hear(&mut self, Heard { ticket, question, finding }: Heard<S>) {
        let answer = |report: Box<_>, seconds| Rc::new(Answer { ticket, report: *report, seconds });
        let proves = matches!(question, Question::Prove { .. });
        match finding {
            Finding::Report { report, seconds } if proves => self.prove(answer(report, seconds)),
            Finding::Report { report, seconds } => self.accept(answer(report, seconds)),
            Finding::Better { report, seconds } => self.better(answer(report, seconds)),
            Finding::Rows(rows) | Finding::Compared(rows) => self.compare(ticket, question.settings(), rows),
            // Other questions search as well, about other depths.
            Finding::Found { packs, bound } if proves => {
                let about = (ticket.data, question.settings().problem());
                if about == self.subject() {
                    self.found = Some(Found { about, packs, bound });
                    self.share_bounds();
                }
            }
            Finding::Found { .. } => {}
            Finding::Stopped => self.found = None,
            Finding::Refused(why) => self.refuse(ticket, &question, why),
        }
    }

    fn refuse(&mut self, ticket: Ticket, question: &Question<S>, why: String) {
        let settings = question.settings();
        match question {
            // The report is refused with the same words.
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

    fn accept(&mut self, answer: Rc<Answer<S>>) {
        let newer = self.answer.as_ref().is_none_or(|shown| shown.ticket < answer.ticket);
        // Nobody asks again for what is there: an answer about other settings does not replace it, and what stands in for
        // a search does not replace that.
        let late = self.is_current() && answer.report.settings.deciding() != self.settings.deciding()
            || self.is_interim() && answer.subject() != self.subject();
        if newer && !late && answer.ticket.data == self.version() {
            self.show(answer);
        }
    }

    fn show(&mut self, answer: Rc<Answer<S>>) {
        // The overhead may have been changed while the worker was packing.
        let mut answer = Rc::unwrap_or_clone(answer);
        cost::price(&mut answer.report.figures, self.settings.overhead());
        self.answer = Some(Rc::new(answer));
        self.adopt_answer();
        self.share_bounds();
    }

    /// A plan of the search is the answer where the optimum was asked for, and a row of the table.
    fn better(&mut self, answer: Rc<Answer<S>>) {
        if answer.subject() != self.subject() {
            return;
        }
        self.compare(answer.ticket, &answer.report.settings, vec![answer.row()]);
        if self.settings.is_optimal() {
            self.show(answer);
        }
    }

    /// The search is over.
    fn prove(&mut self, answer: Rc<Answer<S>>) {
        if answer.subject() == self.subject() {
            self.found = None;
            self.proven = Some(Rc::clone(&answer));
            self.better(answer);
        }
    }

    /// The plan that was proven is the answer as soon as it is asked for.
    pub(super) fn adopt_proven(&mut self) {
        if self.settings.is_optimal()
            && !self.is_current()
            && let Some(proven) = self.proven.clone().filter(|_| self.is_proven())
        {
            self.show(proven);
        }
    }

    /// Changes what keeping packed items apart costs: prices everything anew, packs nothing.
    pub(super) fn reprice(&mut self, overhead: Overhead) {
        self.settings.set_overhead(overhead);
        if let Some(answer) = &mut self.answer {
            cost::price(&mut Rc::make_mut(answer).report.figures, overhead);
        }
        self.price_rows();
    }

    /// Forgets how far a search is.
    pub(super) fn forget_search(&mut self) {
        self.found = None;
    }

    /// Whether the newest answer is about the present data and settings.
    pub fn is_current(&self) -> bool {
        self.answer.as_ref().is_some_and(|a| {
            a.ticket.data == self.version() && a.report.settings.deciding() == self.settings.deciding()
        })
    }

    /// Whether the answer, and the comparison, are about the present data and settings.
    pub fn stands(&self) -> [bool; 2] {
        [self.is_current(), self.is_compared()]
    }

    /// Whether the search for the optimum at the present settings is over, with whatever gap.
    pub fn is_proven(&self) -> bool {
        self.proven.as_ref().is_some_and(|a| a.subject() == self.subject())
    }

    /// Whether a fast answer stands in for the one that is being searched.
    pub fn is_interim(&self) -> bool {
        let stands_in =
            |a: &Rc<Answer<S>>| a.ticket.data == self.version() && self.stands_in(&a.report.settings);
        self.answer.as_ref().is_some_and(stands_in)
    }

    /// Whether packs of these settings stand in for those of the present ones, while they are searched.
    fn stands_in(&self, settings: &S) -> bool {
        self.settings.stand_in().is_some_and(|s| s.deciding() == settings.deciding())
    }

    /// Why the engine gave no answer to the present settings.
    pub fn refusal(&self) -> Option<&str> {
        let (ticket, settings, why) = self.refused.as_ref()?;
        // A stand-in is refused with the same words.
        let about = self.stands_in(settings) || settings.deciding() == self.settings.deciding();
        (about && ticket.data == self.version() && !self.is_current()).then_some(why)
    }

    /// How far the search for the optimum of the present settings is, while it goes on.
    pub fn searching(&self) -> Option<&Found<S>> {
        self.found.as_ref().filter(|f| f.about == self.subject())
    }
}
