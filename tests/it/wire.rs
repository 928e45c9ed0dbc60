//! Messages between page and workers: what is sent is read as the same.

use crate::common::{built_in, built_in_graphs};
use crate::heard;
use packscope::advice::{Advisor, Case};
use packscope::api::limits::at_limit;
use packscope::api::{Settings, batch, shapes, tuple};
use packscope::histogram::{Overlong, Sizes};
use packscope::ingest::Options;
use packscope::packing::{Step, go_on};
use packscope::{export, ranks, tokens};
use packscope_page::query::{
    Answer, ComparisonRow, Finding, Query, QueryData, Question, Request, SweepQuery, TimedAnswer,
};
use packscope_page::wire::{
    Answers, Assign, ChatFiles, FileRequest, TokenizerPart, TokenizerRequest, WorkerRequest,
    WorkerResponse, decode, encode,
};
use std::rc::Rc;

/// What a worker reads of a message.
fn asked(request: &WorkerRequest) -> WorkerRequest {
    decode(&encode(request).unwrap()).unwrap()
}

/// What the page reads of a reply.
fn told(response: &WorkerResponse) -> WorkerResponse {
    decode(&encode(response).unwrap()).unwrap()
}

fn settings() -> Settings {
    Settings {
        limit: 128,
        ..Settings::default()
    }
}

/// Questions about sequences that the worker holds, each with an answer.
fn of_sequences() -> Vec<(Query, Answer)> {
    let lengths = built_in("glue_rte");
    let point = at_limit(&lengths, &settings(), 256).unwrap();
    let batches = batch::Settings::default();
    let prepared = batch::PreparedBatches::new(&lengths.with_zero(), false, &batches).unwrap();
    let report = prepared.report(&batches, false, &mut go_on).unwrap();
    let given = shapes::GivenShapesQuery {
        limit: 128,
        overlong: Overlong::Drop,
        given: vec![64, 128],
    };
    let methods = shapes::ShapesQuery {
        limit: 128,
        overlong: Overlong::Truncate,
        most: 4,
        multiple: 8,
    };
    let row = ComparisonRow {
        row: (settings().algorithm, settings().depth),
        figures: packscope::api::run_on(&lengths, &settings(), 0, &mut go_on)
            .unwrap()
            .figures,
        seconds: 0.5,
    };
    let compare = Question::Compare {
        settings: settings(),
        rows: vec![row.row],
        budget: 1.0,
    };
    let few = ranks::Settings {
        steps: 2,
        ..ranks::Settings::default()
    };
    let [report_of_ranks, table] = [
        Answer::Ranks(Rc::new(ranks::run(&lengths, &few).unwrap())),
        Answer::Dealings(Rc::new(ranks::table(&lengths, &few).unwrap())),
    ];
    let case = Case::new(&lengths, Some("trl"));
    let verdict = Advisor::new(&lengths).advise(&case, &mut go_on).unwrap();
    let verdict = Answer::Advice(Rc::new(verdict));
    vec![
        (compare.into(), Answer::Sequences(Finding::Rows(vec![row]))),
        (Query::Limit(settings(), 256), Answer::Limit(point)),
        (
            Query::Batches(Box::new(batches), true),
            Answer::Batches(Rc::new(report)),
        ),
        (
            Query::Shapes(methods.clone()),
            Answer::Shapes(Rc::new(methods.answer(&lengths).unwrap())),
        ),
        (
            Query::GivenShapes(given.clone()),
            Answer::GivenShapes(Rc::new(given.answer(&lengths).unwrap())),
        ),
        (Query::Advice(Box::new(case)), verdict),
        (Query::Ranks(Box::new(few.clone())), report_of_ranks),
        (Query::Dealings(Box::new(few)), table),
        (
            Query::CertifySequences(settings()),
            Answer::CertifySequences("{}".to_owned()),
        ),
    ]
}

fn of_others() -> Vec<(Query, Answer)> {
    let settings = tuple::Settings::default();
    let limits = vec![[60, 120], [1, 1]];
    let point = tuple::evaluate(&built_in_graphs("tu_mutag"), &settings, limits[0]).unwrap();
    let tried = vec![
        (limits[0], Ok(point)),
        (limits[1], Err("too small".to_owned())),
    ];
    let sweep = SweepQuery {
        settings,
        limits,
        thorough: true,
        all: false,
    };
    vec![
        (Query::Sweep(sweep), Answer::Sweep(tried)),
        (Query::Waiting(Rc::default()), Answer::Waiting(Vec::new())),
    ]
}

#[test]
fn each_question_is_read_as_it_was_asked_and_its_answer_as_it_was_given() {
    for (query, answer) in of_sequences().into_iter().chain(of_others()) {
        let requests = vec![
            Request::from(query.clone()),
            Request {
                data: QueryData::Lengths(vec![(3, 4)]),
                query: query.clone(),
            },
            Request {
                data: QueryData::Graphs(vec![([3, 4], 1)]),
                query,
            },
        ];
        let request = WorkerRequest::Queries(requests);
        assert_eq!(asked(&request), request);
        let answers = [Ok(answer), Err("refused".to_owned())].map(|outcome| TimedAnswer {
            outcome,
            seconds: 1.5,
        });
        for more in [true, false] {
            let response = WorkerResponse::Answers(Answers {
                first: 1,
                answers: answers.to_vec(),
                more,
            });
            assert_eq!(told(&response), response);
            assert_eq!(response.continues(), more);
        }
    }
}

#[test]
fn requests_of_chapters_are_read_as_they_were_asked() {
    for chapter in packscope_page::learn::CHAPTERS {
        let state = packscope_page::state::AppState::default();
        for (_, request) in (chapter.asks)(&chapter.context(&state.learn)) {
            let answer = heard::answer(&request).unwrap();
            let request = WorkerRequest::Queries(vec![request]);
            assert_eq!(asked(&request), request);
            let answers = vec![TimedAnswer {
                outcome: Ok(answer),
                seconds: 0.0,
            }];
            let response = WorkerResponse::Answers(Answers {
                first: 0,
                answers,
                more: false,
            });
            assert_eq!(told(&response), response);
        }
    }
}

#[test]
fn files_and_texts_are_asked_about_as_they_were_named() {
    let names = vec!["a.csv".to_owned(), "b.csv".to_owned()];
    let plan = Assign {
        plan: "{}".to_owned(),
        form: export::Form::Csv,
        items: 3,
    };
    for (assign, estimate) in [(None, false), (None, true), (Some(plan.clone()), false)] {
        let files = WorkerRequest::Files(FileRequest {
            options: Options::default(),
            pairs: true,
            names: names.clone(),
            assign,
            estimate,
        });
        assert_eq!(asked(&files), files);
    }
    let part = TokenizerPart {
        version: 7,
        name: "tokenizer.json".to_owned(),
        size: 99,
        chat: Some(Box::new(ChatFiles {
            config: Some("{}".to_owned()),
            template: Some((
                "chat_template.jinja".to_owned(),
                "{{ messages }}".to_owned(),
            )),
        })),
    };
    let options = tokens::CountOptions::default();
    for question in [
        TokenizerRequest::About,
        TokenizerRequest::Look(options.clone()),
        TokenizerRequest::Assign(options, plan),
    ] {
        let request = WorkerRequest::Tokens(part.clone(), question);
        assert_eq!(asked(&request), request);
    }
}

#[test]
fn bytes_of_another_version_are_no_message() {
    assert!(decode::<WorkerRequest>(&[0xFF; 9]).is_err());
    assert!(decode::<WorkerResponse>(&[0xFF; 9]).is_err());
    let progress = WorkerResponse::Progress(Step::Done { done: 1, of: 2 });
    assert!(told(&progress).continues());
}

#[test]
fn the_first_bytes_are_those_that_browser_tests_read() {
    let bytes = |query: Query| encode(&WorkerRequest::Queries(vec![query.into()])).unwrap();
    assert_eq!(bytes(Query::Waiting(Rc::default()))[..4], [1, 1, 0, 7]);
    let report = Question::Report {
        settings: Settings::default(),
        listed: 9,
    };
    assert_eq!(bytes(report.into())[..5], [1, 1, 0, 0, 0]);
    let prove = Question::Prove {
        settings: tuple::Settings::default(),
        listed: 9,
        budget: 1.0,
    };
    let prove = bytes(prove.into());
    assert!(prove[..5] == [1, 1, 0, 1, 2] && prove.ends_with(&1_f64.to_le_bytes()));
    let data = WorkerRequest::Data(Sizes::Lengths(Rc::new(built_in("glue_rte"))));
    assert_eq!(encode(&data).unwrap()[0], 0);
    let answer = packscope::api::run_on(&built_in("glue_rte"), &settings(), 0, &mut go_on);
    let answers = vec![TimedAnswer {
        outcome: Ok(Answer::Sequences(Finding::Report(Box::new(
            answer.unwrap(),
        )))),
        seconds: 0.0,
    }];
    let reply = WorkerResponse::Answers(Answers {
        first: 0,
        answers,
        more: false,
    });
    assert_eq!(encode(&reply).unwrap()[..6], [2, 0, 1, 0, 0, 0]);
    assert_eq!(encode(&WorkerResponse::Ready).unwrap(), [0]);
}

/// JSON of a report leaves out the number of simulated sequences where all were; a message has it always.
#[test]
fn reports_on_parts_of_epochs_are_read_back() {
    let settings = batch::Settings::default();
    let lengths = built_in("glue_rte").with_zero();
    let prepared = batch::PreparedBatches::new(&lengths, false, &settings).unwrap();
    let whole = prepared.report(&settings, false, &mut go_on).unwrap();
    for report in [
        batch::Report {
            simulated: Some(7),
            ..whole.clone()
        },
        whole,
    ] {
        assert_eq!(
            decode::<batch::Report>(&encode(&report).unwrap()).unwrap(),
            report
        );
    }
}
