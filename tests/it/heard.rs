//! Answers as workers send them, for tests of the state.

use packscope::advice::{Advisor, Verdict};
use packscope::api::{self, PackingSettings, Query as _, Settings, batch, speedup, trainer, tuple};
use packscope::error::Error;
use packscope::histogram::Histogram;
use packscope::metrics::Figures;
use packscope::packing::go_on;
use packscope_page::query::{
    Answer, ComparisonRow, Finding, Query, QueryData, Question, Request, SweepQuery, TimedAnswer,
};
use packscope_page::state::{
    self, Action, AppState, CachedAnswer, Lane, StudyEvent, StudyUpdate, Ticket,
};
use std::rc::Rc;

const LISTED: u32 = 100;

fn report<S: PackingSettings>(answer: &state::StudyAnswer<S>, more: bool) -> StudyEvent<S> {
    StudyEvent::Report {
        report: Box::new(answer.report.clone()),
        seconds: answer.seconds,
        more,
    }
}

fn prove<S: PackingSettings>(ticket: Ticket, settings: S, event: StudyEvent<S>) -> StudyUpdate<S> {
    StudyUpdate {
        ticket,
        question: Question::Prove {
            settings,
            listed: LISTED,
            budget: 1.0,
        },
        event,
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
        event: report(&answer, false),
    }
}

/// The end of a search.
pub fn proven<S: PackingSettings>(answer: Rc<state::StudyAnswer<S>>) -> StudyUpdate<S> {
    prove(
        answer.ticket,
        answer.report.settings.clone(),
        report(&answer, false),
    )
}

/// A plan to look at while a search goes on.
pub fn better<S: PackingSettings>(answer: Rc<state::StudyAnswer<S>>) -> StudyUpdate<S> {
    let settings = answer.report.settings.clone();
    prove(answer.ticket, settings, report(&answer, true))
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
    let event = StudyEvent::Rows(rows.into_iter().map(compared).collect());
    StudyUpdate {
        ticket,
        question: Question::Compare {
            settings,
            rows: Vec::new(),
            budget: 0.0,
        },
        event,
    }
}

/// How far a search is: packs, and the bound.
pub fn found<S: PackingSettings>(
    ticket: Ticket,
    settings: S,
    packs: u64,
    bound: u64,
) -> StudyUpdate<S> {
    prove(ticket, settings, StudyEvent::Found { packs, bound })
}

/// The end of a search that was stopped.
pub fn stopped() -> StudyUpdate {
    prove(
        Ticket { data: 0, number: 0 },
        Settings::default(),
        StudyEvent::Stopped,
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
        event: StudyEvent::Refused(why),
    }
}

/// The answer to a query about this version of the data.
pub fn known(data: u64, query: Query, answer: Answer) -> Action {
    let answered = TimedAnswer {
        outcome: Ok(answer),
        seconds: 0.0,
    };
    Action::Answered(vec![CachedAnswer {
        ticket: Ticket { data, number: 1 },
        query,
        answered,
    }])
}

/// The answer to a request of a lesson or of a pinned result, as the worker computes it.
pub fn answer(Request { data, query }: &Request) -> Result<Answer, Error> {
    let lengths = || match data {
        QueryData::Lengths(counts) => Histogram::from_lengths(counts.iter().copied()),
        _ => Err(Error::Empty),
    };
    let graphs = || match data {
        QueryData::Graphs(counts) => Histogram::from_counts(counts.iter().copied()),
        _ => Err(Error::Empty),
    };
    Ok(match query {
        Query::Sequences(Question::Report { settings, listed }) => {
            let report = api::run_on(&lengths()?, settings, *listed, &mut go_on)?;
            Answer::Sequences(Finding::Report(Box::new(report)))
        }
        Query::Graphs(Question::Report { settings, listed }) => {
            let report = tuple::run_on(&graphs()?, settings, *listed, &mut go_on)?;
            Answer::Graphs(Finding::Report(Box::new(report)))
        }
        Query::Batches(settings, drawn) => {
            let items = lengths()?.with_zero();
            let prepared = batch::PreparedBatches::new(&items, false, settings)?;
            Answer::Batches(Rc::new(prepared.report(settings, *drawn, &mut go_on)?))
        }
        Query::Sweep(SweepQuery {
            settings, limits, ..
        }) => {
            let graphs = graphs()?;
            let point = |limits: &[u32; 2]| {
                let point = tuple::evaluate(&graphs, settings, *limits);
                (*limits, point.map_err(|error| error.to_string()))
            };
            Answer::Sweep(limits.iter().map(point).collect())
        }
        Query::Shapes(asked) => Answer::Shapes(Rc::new(asked.answer(&lengths()?)?)),
        Query::Waiting(questions) => Answer::Waiting(speedup::curves(questions)?),
        Query::Trainers(asked) => {
            Answer::Trainers(trainer::outcomes(asked, &lengths()?, &mut go_on)?)
        }
        Query::Rows(asked) => Answer::Rows(asked.run(&mut go_on)?),
        Query::Ranks(settings) => {
            let report = packscope::ranks::run(&lengths()?, settings)?;
            Answer::Ranks(Rc::new(report))
        }
        Query::Advice(case) => {
            let verdict = Advisor::new(&lengths()?).advise(case, &mut go_on)?;
            Answer::Advice(Rc::new(verdict))
        }
        query => panic!("{query:?}"),
    })
}

/// The answer to a question about the sequences that the state has, as the worker computes it.
pub fn answer_on(state: &state::AppState, query: &Query) -> Result<Answer, Error> {
    let lengths = &state.sequences.data.as_ref().unwrap().histogram;
    answer(&Request {
        data: QueryData::Lengths(lengths.lengths()),
        query: query.clone(),
    })
}

/// The state with the verdict that the page asks for, and the verdict.
pub fn weighed(state: &AppState) -> (AppState, Rc<Verdict>) {
    if let Some(known) = state.verdict() {
        return (state.clone(), Rc::clone(known.unwrap()));
    }
    let data = state.sequences.data.clone().unwrap();
    let query = advice_wanted(state).unwrap();
    let Query::Advice(case) = &query else {
        panic!("{query:?}")
    };
    let verdict = Advisor::new(&data.histogram).advise(case, &mut go_on);
    let verdict = Rc::new(verdict.unwrap());
    let answer = Answer::Advice(Rc::clone(&verdict));
    (state.reduce(known(data.version, query, answer)), verdict)
}

/// The question for a verdict that the page asks now.
pub fn advice_wanted(state: &AppState) -> Option<Query> {
    let wanted = state.wanted();
    let mut advice = wanted.iter().filter(|want| want.lane == Lane::Advice);
    advice.next().map(|want| want.queries[0].clone())
}
