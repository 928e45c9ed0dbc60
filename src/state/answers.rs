//! Answers of workers, by request. An answer is stale as soon as the state makes another request,
//! and current again once it makes the same one: nothing is deleted when a setting changes.

use super::{AppState, Ticket, graphs, learn, pin};
use packscope::api::queries::{Answer, HeldRequest, TimedAnswer};
use packscope::api::self_contained::{Report, SelfContained};
use packscope::sampler::Sampler;
use std::mem::discriminant;
use std::rc::Rc;

/// An encoded answer: only the code that shows it decodes it.
pub type EncodedAnswer = Rc<[u8]>;

#[derive(Debug, Clone, PartialEq)]
pub struct CachedAnswer {
    /// The number of the request, and the version of the data that it is about.
    pub ticket: Ticket,
    pub request: HeldRequest,
    pub answered: TimedAnswer,
}

impl CachedAnswer {
    /// Whether both requests are of one kind: for batches, also about the same row of the table; for ranks, the same
    /// part.
    fn is_like(&self, other: &Self) -> bool {
        match (&self.request, &other.request) {
            (HeldRequest::Batches(a, _), HeldRequest::Batches(b, _)) => {
                a.sampler == b.sampler && (a.sampler != Sampler::Bucket || a.merging == b.merging)
            }
            (HeldRequest::Ranks(_, a), HeldRequest::Ranks(_, b)) => a == b,
            (a, b) => discriminant(a) == discriminant(b),
        }
    }

    /// Returns how many answers like this one are kept.
    fn kept_answers(&self) -> usize {
        match self.request {
            // With and without pictures, and one about the settings before: the newest request may be refused.
            HeldRequest::Batches(..) | HeldRequest::Ranks(..) => 3,
            HeldRequest::Waiting(_) => 2,
            // Each has the shapes of all methods.
            HeldRequest::Shapes(_) => 8,
            _ => 100,
        }
    }
}

/// The newest answers, in order of arrival.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Answers(Rc<Vec<Rc<CachedAnswer>>>);

impl Answers {
    /// Returns the answer to a request about this version of the data.
    pub(super) fn get(&self, data: u64, request: &HeldRequest) -> Option<&CachedAnswer> {
        self.newest()
            .find(|known| known.ticket.data == data && known.request == *request)
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
        // The same request may be answered twice, as after it was cancelled: the newer answer
        // stands.
        all.retain(|other| {
            other.ticket.data != known.ticket.data || other.request != known.request
        });
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
    /// Adds answers, except those about data no longer loaded. Lessons and pinned results store their own.
    pub(super) fn take_answers(&mut self, answers: Vec<CachedAnswer>) {
        // 0 is the version of requests that carry their own data, as lessons and pins do.
        let loaded = [0, self.sequences.version(), self.graphs.version()];
        let mut lesson = Vec::new();
        for known in answers
            .into_iter()
            .filter(|known| loaded.contains(&known.ticket.data))
        {
            let CachedAnswer {
                ticket,
                request,
                answered,
            } = known;
            let HeldRequest::SelfContained(name, request) = request else {
                self.answers.put(CachedAnswer {
                    ticket,
                    request,
                    answered,
                });
                continue;
            };
            let TimedAnswer { outcome, seconds } = answered;
            let outcome = match outcome {
                Ok(Answer::SelfContained(report)) => Ok(*report),
                Ok(_) => continue,
                Err(why) => Err(why),
            };
            if name == pin::ASKED {
                self.take_pinned_report(request, outcome);
            } else {
                lesson.push((
                    name,
                    learn::LessonAnswer {
                        request,
                        outcome,
                        seconds,
                    },
                ));
            }
        }
        if !lesson.is_empty() {
            self.learn.apply(learn::Action::Answered(lesson));
        }
        // The learning rates may have changed since batches were asked about.
        self.rate_batches();
    }

    fn take_pinned_report(&mut self, asked: SelfContained, outcome: Result<Report, String>) {
        let of_graphs = matches!(asked, SelfContained::Graphs(_));
        match outcome {
            Ok(report) if of_graphs => {
                let figures = pin::Action::Figures(Box::new(asked), Box::new(report));
                self.graph(graphs::Action::Pin(figures));
            }
            Ok(report) => self.pin(pin::Action::Figures(Box::new(asked), Box::new(report))),
            Err(why) => self.problem = Some(format!("The pinned result cannot be had: {why}")),
        }
    }
}
