//! Findings as workers send them, for tests of the state.

use packscope::api::queries::{Answer, HeldRequest, TimedAnswer};
use packscope::api::{ComparisonRow, Finding, PackingSettings, Question, Settings};
use packscope::metrics::Figures;
use packscope_page::state::{self, Action, CachedAnswer, StudyUpdate, Ticket};
use std::rc::Rc;

const LISTED: u32 = 100;

fn report<S: PackingSettings>(answer: &state::StudyAnswer<S>) -> Finding<S> {
    Finding::Report {
        report: Box::new(answer.report.clone()),
        seconds: answer.seconds,
    }
}

fn prove<S: PackingSettings>(ticket: Ticket, settings: S, finding: Finding<S>) -> StudyUpdate<S> {
    StudyUpdate {
        ticket,
        question: Question::Prove {
            settings,
            listed: LISTED,
            budget: 1.0,
        },
        finding,
    }
}

/// The answer to a question about one report.
pub fn answered<S: PackingSettings>(answer: Rc<state::StudyAnswer<S>>) -> StudyUpdate<S> {
    let settings = answer.report.settings.clone();
    let question = Question::Report {
        settings,
        listed: LISTED,
    };
    StudyUpdate {
        ticket: answer.ticket,
        question,
        finding: report(&answer),
    }
}

/// The end of a search.
pub fn proven<S: PackingSettings>(answer: Rc<state::StudyAnswer<S>>) -> StudyUpdate<S> {
    prove(
        answer.ticket,
        answer.report.settings.clone(),
        report(&answer),
    )
}

/// A plan to look at while a search goes on.
pub fn better<S: PackingSettings>(answer: Rc<state::StudyAnswer<S>>) -> StudyUpdate<S> {
    let state::StudyAnswer {
        ticket,
        report,
        seconds,
    } = (*answer).clone();
    prove(
        ticket,
        report.settings.clone(),
        Finding::Better {
            report: Box::new(report),
            seconds,
        },
    )
}

/// Rows of a comparison, computed in no time.
pub fn compared<S: PackingSettings>(
    ticket: Ticket,
    settings: S,
    rows: Vec<(S::Row, Figures)>,
) -> StudyUpdate<S> {
    compared_in(0.0, ticket, settings, rows)
}

/// Rows of a comparison, each computed in so many seconds.
pub fn compared_in<S: PackingSettings>(
    seconds: f64,
    ticket: Ticket,
    settings: S,
    rows: Vec<(S::Row, Figures)>,
) -> StudyUpdate<S> {
    let compared = |(row, figures)| ComparisonRow {
        row,
        figures,
        seconds,
    };
    let finding = Finding::Compared(rows.into_iter().map(compared).collect());
    StudyUpdate {
        ticket,
        question: Question::Compare {
            settings,
            rows: Vec::new(),
            budget: 0.0,
        },
        finding,
    }
}

/// How far a search is: packs, and the bound.
pub fn found<S: PackingSettings>(
    ticket: Ticket,
    settings: S,
    packs: u64,
    bound: u64,
) -> StudyUpdate<S> {
    prove(ticket, settings, Finding::Found { packs, bound })
}

/// The end of a search that was stopped.
pub fn stopped() -> StudyUpdate {
    prove(
        Ticket { data: 0, number: 0 },
        Settings::default(),
        Finding::Stopped,
    )
}

/// The engine's refusal of a question about one report.
pub fn refused<S: PackingSettings>(ticket: Ticket, settings: S, why: String) -> StudyUpdate<S> {
    let question = Question::Report {
        settings,
        listed: LISTED,
    };
    StudyUpdate {
        ticket,
        question,
        finding: Finding::Refused(why),
    }
}

/// The answer to a request about this version of the data.
pub fn known(data: u64, request: HeldRequest, answer: Answer) -> Action {
    let answered = TimedAnswer {
        outcome: Ok(answer),
        seconds: 0.0,
    };
    Action::Answered(vec![CachedAnswer {
        ticket: Ticket { data, number: 1 },
        request,
        answered,
    }])
}
