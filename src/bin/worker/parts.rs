//! Parts of the worker that are loaded when first needed; the build splits them off.

use crate::solve::{self, Packer};
use crate::{CURVES, answered, batches, milliseconds, ticks, timed, with_data};
use packscope::advice::{Advisor, Case, GraphCase, advise_graphs, advise_loader, advise_sampler};
use packscope::api::trainer::{LibraryKind, LibraryQuery, RowsQuery, outcomes};
use packscope::api::{
    self, Query as _, Sequences, Settings, TupleItems, batch, ranks, shapes, speedup, tuple,
};
use packscope::cost::{Method, waiting::WaitingQuestion};
use packscope::error::Error;
use packscope::export::{certificate, libraries};
use packscope::histogram::{Histogram, Size};
use packscope::packing::Step;
use packscope::sweep::SweepPoint;
use packscope::trainer;
use packscope_page::part;
use packscope_page::query::{Answer, Query, QueryData, Question, SweepQuery, TimedAnswer};
use packscope_page::worker::PartError;
use std::ops::ControlFlow;
use std::rc::Rc;

/// Milliseconds after which the points of a sweep so far are sent.
const PART: f64 = 40.0;

type PartAnswer = std::result::Result<TimedAnswer, PartError>;

/// Whether a case is of a library that makes batches: the part for the others is larger.
fn makes_batches(case: &Case) -> bool {
    let library = case.library.as_deref();
    library.is_some_and(|id| {
        trainer::batches::SAMPLERS
            .iter()
            .any(|sampler| sampler.id == id)
    })
}

/// Answers the question at this place of a message with the part of the worker that handles it.
pub async fn answer(data: QueryData, query: Query, at: usize) -> PartAnswer {
    match query {
        Query::Sequences(question) => sequences(data, question, at).await,
        Query::Graphs(question) => graphs(data, question, at).await,
        Query::Limit(settings, limit) => at_limit(data, settings, limit).await,
        Query::Batches(settings, drawn) => epochs(data, settings, drawn).await,
        Query::Trainer(asked) => match asked.given {
            LibraryKind::Sequences(_) => packers(data, asked).await,
            _ => loaders(data, asked).await,
        },
        Query::Shapes(asked) => few_shapes(data, asked).await,
        Query::GivenShapes(asked) => given_shapes(data, asked).await,
        Query::Waiting(questions) => waiting(questions).await,
        Query::Sweep(asked) => sweep(data, asked).await,
        Query::Ranks(settings) => of_ranks(data, settings).await,
        Query::Dealings(settings) => dealings(data, settings).await,
        Query::CertifySequences(settings) => certify_sequences(data, settings).await,
        Query::CertifyGraphs(settings) => certify_graphs(data, settings).await,
        Query::Advice(mut case) => {
            // Cases come without what bears loss, which is held once, with the data.
            if data == QueryData::Held {
                case.supervision = CURVES.with_borrow(Clone::clone);
            }
            judged(data, case).await
        }
        Query::GraphAdvice(case) => advice_of_graphs(data, case).await,
        Query::Trainers(asked) => lesson(data, asked).await,
        Query::Rows(asked) => rows(asked).await,
    }
}

async fn judged(data: QueryData, case: Box<Case>) -> PartAnswer {
    match () {
        // Without a library no library's code is needed.
        () if case.library.is_none() => advice_of_loader(data, case).await,
        () if makes_batches(&case) => advice_of_sampler(data, case).await,
        () => advice(data, case).await,
    }
}

part! { solvers:
    /// Answers questions that need the solvers: the optimum with its proof, or least squares.
    fn sequences(data: QueryData, question: Question<Settings>, at: usize) -> PartAnswer {
        let packer = Packer::<Sequences>::new(at, Answer::Sequences);
        Ok(answered(with_data(data, |data| packer.answer(&question, data.lengths()?))))
    }
}

// Few visitors need certificates, and nothing else here writes JSON.
part! { certificates:
    fn certify_sequences(data: QueryData, settings: Settings) -> PartAnswer {
        Ok(timed(data, |data| {
            let proof = solve::certify::<Sequences>(&settings, data.lengths()?, certificate::of_sequences)?;
            Ok(Answer::CertifySequences(proof))
        }))
    }
}

part! { certificates:
    fn certify_graphs(data: QueryData, settings: tuple::Settings) -> PartAnswer {
        Ok(timed(data, |data| {
            let proof = solve::certify::<TupleItems<2>>(&settings, data.graphs()?, certificate::of_graphs)?;
            Ok(Answer::CertifyGraphs(proof))
        }))
    }
}

part! { graphs:
    fn graphs(data: QueryData, question: Question<tuple::Settings>, at: usize) -> PartAnswer {
        let packer = Packer::<TupleItems<2>>::new(at, Answer::Graphs);
        Ok(answered(with_data(data, |data| packer.answer(&question, data.graphs()?))))
    }
}

part! { graphs:
    fn sweep(data: QueryData, asked: SweepQuery) -> PartAnswer {
        Ok(timed(data, |data| Ok(Answer::Sweep(sweep_limits(data.graphs()?, &asked)))))
    }
}

part! { batches:
    fn epochs(data: QueryData, settings: Box<batch::Settings>, drawn: bool) -> PartAnswer {
        Ok(answered(with_data(data, |data| batches::answer(data, &settings, drawn))))
    }
}

part! { batches:
    fn waiting(questions: Rc<Vec<(Method, WaitingQuestion)>>) -> PartAnswer {
        Ok(timed(QueryData::Held, |_| Ok(Answer::Waiting(speedup::curves(&questions)?))))
    }
}

part! { batches:
    fn few_shapes(data: QueryData, asked: shapes::ShapesQuery) -> PartAnswer {
        Ok(timed(data, |data| Ok(Answer::Shapes(Rc::new(asked.answer(data.lengths()?)?)))))
    }
}

part! { batches:
    fn given_shapes(data: QueryData, asked: shapes::GivenShapesQuery) -> PartAnswer {
        Ok(timed(data, |data| Ok(Answer::GivenShapes(Rc::new(asked.answer(data.lengths()?)?)))))
    }
}

part! { batches:
    fn at_limit(data: QueryData, settings: Settings, limit: u32) -> PartAnswer {
        Ok(timed(data, |data| Ok(Answer::Limit(api::limits::at_limit(data.lengths()?, &settings, limit)?))))
    }
}

part! { trainers:
    /// Answers questions about libraries that pack.
    fn packers(data: QueryData, asked: LibraryQuery) -> PartAnswer {
        Ok(timed(data, |data| match asked.given {
            LibraryKind::Sequences(room) => {
                let sheets = libraries::packing_sheets(&asked, room, data.lengths()?, &mut telling())?;
                Ok(Answer::Trainer(Rc::new(sheets)))
            }
            _ => Err(Error::Empty),
        }))
    }
}

part! { libraries:
    /// Answers questions about samplers, and about loaders of graphs.
    fn loaders(data: QueryData, asked: LibraryQuery) -> PartAnswer {
        Ok(timed(data, |data| {
            let sheets = match asked.given {
                LibraryKind::Batches(room) => libraries::answer_query::<trainer::batches::SamplerLibraries>(&asked, room, data.lengths()?, &mut telling())?,
                LibraryKind::Graphs(limits) => libraries::answer_query::<trainer::graphs::GraphLibraries>(&asked, limits, data.graphs()?, &mut telling())?,
                LibraryKind::Sequences(_) => return Err(Error::Empty),
            };
            Ok(Answer::Trainer(Rc::new(sheets)))
        }))
    }
}

part! { advice:
    fn advice(data: QueryData, case: Box<Case>) -> PartAnswer {
        Ok(timed(data, |data| {
            let verdict = Advisor::new(data.lengths()?).advise(&case, &mut telling())?;
            Ok(Answer::Advice(Rc::new(verdict.without_candidates())))
        }))
    }
}

part! { libraries:
    fn advice_of_graphs(data: QueryData, case: Box<GraphCase>) -> PartAnswer {
        Ok(timed(data, |data| {
            let verdict = advise_graphs(data.graphs()?, &case, &mut telling())?;
            Ok(Answer::GraphAdvice(Rc::new(verdict.without_candidates())))
        }))
    }
}

part! { libraries:
    fn advice_of_sampler(data: QueryData, case: Box<Case>) -> PartAnswer {
        Ok(timed(data, |data| {
            let verdict = advise_sampler(data.lengths()?, &case, &mut telling())?;
            Ok(Answer::Advice(Rc::new(verdict.without_candidates())))
        }))
    }
}

part! { loader:
    fn advice_of_loader(data: QueryData, case: Box<Case>) -> PartAnswer {
        Ok(timed(data, |data| {
            let verdict = advise_loader(data.lengths()?, &case, &mut telling())?;
            Ok(Answer::Advice(Rc::new(verdict.without_candidates())))
        }))
    }
}

part! { trainers:
    /// Answers questions of lessons about libraries.
    fn lesson(data: QueryData, asked: Vec<LibraryQuery>) -> PartAnswer {
        Ok(timed(data, |data| Ok(Answer::Trainers(outcomes(&asked, data.lengths()?, &mut telling())?))))
    }
}

part! { trainers:
    fn rows(asked: RowsQuery) -> PartAnswer {
        Ok(timed(QueryData::Held, |_| Ok(Answer::Rows(asked.run(&mut telling())?))))
    }
}

part! { ranks:
    fn of_ranks(data: QueryData, settings: Box<ranks::Settings>) -> PartAnswer {
        Ok(timed(data, |data| Ok(Answer::Ranks(Rc::new(ranks::run(data.lengths()?, &settings)?)))))
    }
}

part! { ranks:
    fn dealings(data: QueryData, settings: Box<ranks::Settings>) -> PartAnswer {
        Ok(timed(data, |data| Ok(Answer::Dealings(Rc::new(ranks::table(data.lengths()?, &settings)?)))))
    }
}

/// Returns a callback that sends progress to the page and never stops the work.
fn telling() -> impl FnMut(Step) -> ControlFlow<()> {
    let mut tick = ticks();
    move |step| {
        tick(step);
        ControlFlow::Continue(())
    }
}

/// Packs at the limits until [`PART`] has passed, at least at one of them; at all if so asked.
fn sweep_limits(
    graphs: &Histogram<2>,
    asked: &SweepQuery,
) -> Vec<(Size<2>, std::result::Result<SweepPoint<2>, String>)> {
    // The first pass over the limits leaves out slow heuristics; points where these may matter are checked afterwards.
    let fast = asked.settings.algorithm.takes_long() && !asked.thorough;
    let pack = if fast {
        tuple::evaluate_fast
    } else {
        tuple::evaluate
    };
    let start = milliseconds();
    let mut tried = Vec::new();
    for &limits in &asked.limits {
        let point = pack(graphs, &asked.settings, limits).map_err(|error| error.to_string());
        tried.push((limits, point));
        // After at least one limit: however slow a pack is, a sweep goes on.
        if !asked.all && milliseconds() - start > PART {
            break;
        }
    }
    tried
}
