//! Answers of workers, by query. An answer is stale as soon as the state makes another query, and current again once it
//! makes the same one: nothing is deleted when a setting changes.

use super::{AppState, Ticket, graphs, learn, pin};
use crate::query::{Query, QueryData, TimedAnswer};
use packscope::sampler::Sampler;
use std::mem::discriminant;
use std::rc::Rc;

#[derive(Debug, Clone, PartialEq)]
pub struct CachedAnswer {
    /// The number of the question, and the version of the data that it is about.
    pub ticket: Ticket,
    pub query: Query,
    pub answered: TimedAnswer,
}

impl CachedAnswer {
    /// Whether both queries are of one kind: for batches, also about the same row of the table.
    fn is_like(&self, other: &Self) -> bool {
        match (&self.query, &other.query) {
            (Query::Batches(a, _), Query::Batches(b, _)) => {
                a.sampler == b.sampler && (a.sampler != Sampler::Bucket || a.merging == b.merging)
            }
            // The verdicts of a comparison come between those of the headline.
            (Query::Advice(a), Query::Advice(b)) => a.library == b.library,
            (a, b) => discriminant(a) == discriminant(b),
        }
    }

    /// Returns how many answers like this one are kept.
    fn kept_answers(&self) -> usize {
        match self.query {
            // With and without pictures, and one about the settings before: the newest query may be refused.
            Query::Batches(..) | Query::Ranks(_) | Query::Dealings(_) => 3,
            Query::Waiting(_) => 2,
            // Each has all candidates.
            Query::Advice(_) => 8,
            // Each has the shapes of all methods.
            Query::Shapes(_) | Query::GivenShapes(_) => 8,
            _ => 100,
        }
    }
}

/// The newest answers, in order of arrival.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Answers(Rc<Vec<Rc<CachedAnswer>>>);

impl Answers {
    /// Returns the answer to a query about this version of the data.
    pub(super) fn get(&self, data: u64, query: &Query) -> Option<&CachedAnswer> {
        self.newest()
            .find(|known| known.ticket.data == data && known.query == *query)
    }

    pub(super) fn newest(&self) -> impl Iterator<Item = &CachedAnswer> {
        self.0.iter().rev().map(Rc::as_ref)
    }

    pub(super) fn change(&mut self, mut change: impl FnMut(&mut Rc<CachedAnswer>)) {
        Rc::make_mut(&mut self.0).iter_mut().for_each(&mut change);
    }

    /// Adds an answer, unless it is older than one like it.
    fn put(&mut self, known: CachedAnswer) {
        // Workers of several lanes overtake each other: an answer that is late must not replace a
        // newer one.
        let is_older = |other: &CachedAnswer| {
            other.ticket.number > known.ticket.number && other.is_like(&known)
        };
        if self.newest().any(is_older) {
            return;
        }
        let all = Rc::make_mut(&mut self.0);
        // The same query may be answered twice, as after it was cancelled: the newer answer
        // stands.
        all.retain(|other| other.ticket.data != known.ticket.data || other.query != known.query);
        let alike = |other: &Rc<CachedAnswer>| other.is_like(&known);
        if all.iter().filter(|other| alike(other)).count() >= known.kept_answers()
            && let Some(oldest) = all.iter().position(alike)
        {
            all.remove(oldest);
        }
        all.push(Rc::new(known));
    }
}

impl AppState {
    /// Adds answers, except those about data no longer loaded.
    pub(super) fn take_answers(&mut self, answers: Vec<CachedAnswer>) {
        // 0 is the version of queries that need no data.
        let loaded = [0, self.sequences.version(), self.graphs.version()];
        for known in answers
            .into_iter()
            .filter(|known| loaded.contains(&known.ticket.data))
        {
            self.answers.put(known);
        }
        // The learning rates may have changed since batches were asked about.
        self.rate_batches();
    }

    /// Stores the answers of a lesson, by the names of its requests; one of them may be that of a pinned result.
    pub(super) fn take_lesson(&mut self, answers: Vec<(String, learn::LessonAnswer)>) {
        let (pinned, lesson): (Vec<_>, Vec<_>) = answers
            .into_iter()
            .partition(|(name, _)| name == pin::ASKED);
        for (_, answer) in pinned {
            self.take_pinned_answer(answer);
        }
        if !lesson.is_empty() {
            self.learn.apply(learn::Action::Answered(lesson));
        }
    }

    fn take_pinned_answer(
        &mut self,
        learn::LessonAnswer { request, answered }: learn::LessonAnswer,
    ) {
        let of_graphs = matches!(request.data, QueryData::Graphs(_));
        match answered.outcome {
            Ok(answer) if of_graphs => {
                let figures = pin::Action::Figures(Box::new(request), Box::new(answer));
                self.graph(graphs::Action::Pin(figures));
            }
            Ok(answer) => self.pin(pin::Action::Figures(Box::new(request), Box::new(answer))),
            Err(why) => self.problem = Some(format!("The pinned result cannot be had: {why}")),
        }
    }
}
