//! What workers say, and to which question.

use crate::api::Report;
use crate::metrics::Figures;
use std::rc::Rc;

/// Which question an answer belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket {
    /// Version of the data asked about.
    pub data: u64,
    /// Counts questions.
    pub number: u64,
}

/// A report with the time its solve took.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<R = Report> {
    /// The question it answers.
    pub ticket: Ticket,
    /// The report.
    pub report: R,
    /// Solve time, measured by the worker.
    pub seconds: f64,
}

/// Figures of one row of a comparison, with its solve time.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The figures.
    pub figures: Figures,
    /// Solve time, measured by the worker.
    pub seconds: f64,
}

/// What a worker has said: `S` settings, `R` report, `K` the row of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum Told<S, R, K> {
    /// A report.
    Answered(Rc<Answer<R>>),
    /// Figures of a comparison.
    Compared(Ticket, S, Vec<(K, Point)>),
    /// The search for the optimum at these settings: packs of the best plan so far, and the bound.
    Found(Ticket, S, u64, u64),
    /// The search for the optimum has a plan to show, and goes on.
    Better(Rc<Answer<R>>),
    /// The search for the optimum is over.
    Proven(Rc<Answer<R>>),
    /// The search for the optimum was stopped, or failed: what it has found stays.
    Stopped,
    /// The engine refused a question about these settings, and why.
    Refused(Ticket, S, String),
}
