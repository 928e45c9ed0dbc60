//! Messages between page and workers: a question arrives as it was asked, and an answer opens to its question.

use crate::common::{built_in, built_in_graphs};
use packscope::api::limits::at_limit;
use packscope::api::queries::{Answer, HeldRequest, TimedAnswer};
use packscope::api::speedup::WaitingCurve;
use packscope::api::{Finding, Question, Settings, batch, self_contained, shapes, tuple};
use packscope::cost::{Method, waiting};
use packscope::histogram::Overlong;
use packscope::ingest::Options;
use packscope::packing::go_on;
use packscope::{export, tokens};
use packscope_page::wire::{
    Assign, Encoded, EncodedRequest, FileRequest, PartResponse, RequestKind, Responses,
    TokenizerPart, TokenizerRequest, WorkerRequest, WorkerResponse,
};
use packscope_page::wire::{decode, encode, encode_value};
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::rc::Rc;

/// What a worker hears of a question.
fn heard(ask: &WorkerRequest) -> EncodedRequest {
    decode(&encode(&EncodedRequest::from(ask)).unwrap()).unwrap()
}

/// What the page hears of an answer to this question; `None` where it does not open.
fn told(encoded: Encoded, ask: &WorkerRequest) -> Option<PartResponse> {
    let sent = encode(&WorkerResponse::Further(encoded)).unwrap();
    match decode::<WorkerResponse<Encoded>>(&sent)
        .unwrap()
        .decode_with(|encoded| PartResponse::decode(&encoded, ask))
    {
        Ok(WorkerResponse::Further(further)) => Some(further),
        Ok(other) => panic!("{other:?}"),
        Err(_) => None,
    }
}

/// A request, and what a worker hears of it; its answer, and what a worker sends of it.
struct Case {
    request: HeldRequest,
    kind: RequestKind,
    heard: Box<dyn Fn(&Encoded)>,
    answer: Answer,
    sent: Encoded,
}

/// Opens the values of a request, which must be these.
fn opens<T: DeserializeOwned + PartialEq + Debug + 'static>(values: T) -> Box<dyn Fn(&Encoded)> {
    Box::new(move |encoded| assert_eq!(decode::<T>(encoded).unwrap(), values))
}

fn of_sequences() -> Vec<Case> {
    let lengths = built_in("glue_rte");
    let settings = Settings {
        limit: 128,
        ..Settings::default()
    };
    let point = at_limit(&lengths, &settings, 256).unwrap();
    let batches = batch::Settings::default();
    let prepared = batch::PreparedBatches::new(&lengths.with_zero(), false, &batches).unwrap();
    let report = prepared.report(&batches, false, &mut go_on).unwrap();
    let asked = shapes::ShapesQuery {
        limit: 128,
        overlong: Overlong::Drop,
        of: shapes::ShapeSource::Given(vec![64, 128]),
    };
    let listed = encode_value(&shapes::answer(&lengths, &asked).unwrap());
    vec![
        Case {
            request: HeldRequest::Limit(settings.clone(), 256),
            kind: RequestKind::Limit,
            heard: opens((settings.clone(), 256_u32)),
            answer: Answer::Limit(point),
            sent: encode_value(&point),
        },
        Case {
            request: HeldRequest::Batches(Box::new(batches.clone()), true),
            kind: RequestKind::Batches,
            heard: opens((batches, true)),
            answer: Answer::Batches(Rc::new(report.clone())),
            sent: encode_value(&report),
        },
        Case {
            request: HeldRequest::Shapes(asked.clone()),
            kind: RequestKind::Shapes,
            heard: opens(asked),
            answer: Answer::Shapes(Rc::from(listed.to_vec())),
            sent: listed,
        },
        Case {
            request: HeldRequest::CertifyLengths(settings.clone()),
            kind: RequestKind::CertifyLengths,
            heard: opens(settings),
            answer: Answer::Certificate("{}".to_owned()),
            sent: encode_value(&"{}"),
        },
    ]
}

fn of_others() -> Vec<Case> {
    let settings = tuple::Settings::default();
    let limits = vec![[60, 120], [1, 1]];
    let point = tuple::evaluate(&built_in_graphs("tu_mutag"), &settings, limits[0]).unwrap();
    let tried = vec![
        (limits[0], Ok(point)),
        (limits[1], Err("too small".to_owned())),
    ];
    let any = self_contained::SelfContained::Sweep {
        counts: vec![([3, 4], 1)],
        settings: settings.clone(),
        limits: Vec::new(),
    };
    let report = self_contained::Report::Rows(vec![vec![vec![3, 4]]]);
    vec![
        Case {
            request: HeldRequest::Sweep {
                settings: settings.clone(),
                limits: limits.clone(),
                thorough: true,
            },
            kind: RequestKind::Sweep,
            heard: opens((settings, limits, true)),
            answer: Answer::Sweep(tried.clone()),
            sent: encode_value(&tried),
        },
        Case {
            request: HeldRequest::Waiting(Rc::default()),
            kind: RequestKind::Waiting,
            heard: opens(Vec::<(Method, waiting::WaitingQuestion)>::new()),
            answer: Answer::Waiting(Vec::new()),
            sent: encode_value(&Vec::<WaitingCurve>::new()),
        },
        Case {
            request: HeldRequest::SelfContained("its name".to_owned(), any.clone()),
            kind: RequestKind::SelfContained,
            heard: opens(any),
            answer: Answer::SelfContained(Box::new(report.clone())),
            sent: encode_value(&report),
        },
    ]
}

#[test]
fn each_request_is_heard_as_it_was_asked_and_its_answer_opens() {
    for Case {
        request,
        kind,
        heard: hear,
        answer,
        sent,
    } in of_sequences().into_iter().chain(of_others())
    {
        let ask = WorkerRequest::Each(vec![request; 3]);
        let EncodedRequest::Each(each) = heard(&ask) else {
            panic!("{ask:?}")
        };
        assert_eq!(each.len(), 3);
        each.iter().for_each(|(of, encoded)| {
            assert_eq!(*of, kind);
            hear(encoded);
        });
        let answered = |outcome| TimedAnswer {
            outcome,
            seconds: 1.5,
        };
        let answers = vec![answered(Ok(sent)), answered(Err("refused".to_owned()))];
        let further = told(
            encode_value(&Responses {
                first: 1,
                answers,
                more: true,
            }),
            &ask,
        )
        .unwrap();
        let answered = |outcome| TimedAnswer {
            outcome,
            seconds: 1.5,
        };
        let answers = vec![answered(Ok(answer)), answered(Err("refused".to_owned()))];
        assert_eq!(
            further,
            PartResponse::Each(Responses {
                first: 1,
                answers,
                more: true
            })
        );
        assert!(WorkerResponse::Further(further).continues());
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
    for assign in [None, Some(plan.clone())] {
        let files = FileRequest {
            options: Options::default(),
            pairs: true,
            names: names.clone(),
            assign,
        };
        let EncodedRequest::Files(reads, encoded) = heard(&WorkerRequest::Files(files.clone()))
        else {
            panic!("files")
        };
        assert!(
            reads == files.assign.is_none() && decode::<FileRequest>(&encoded).unwrap() == files
        );
    }
    let part = TokenizerPart {
        version: 7,
        name: "tokenizer.json".to_owned(),
        size: 99,
    };
    let options = tokens::CountOptions::default();
    for asked in [
        TokenizerRequest::About,
        TokenizerRequest::Look(options.clone()),
        TokenizerRequest::Assign(options, plan),
    ] {
        let EncodedRequest::Tokens(encoded) =
            heard(&WorkerRequest::Tokens(part.clone(), asked.clone()))
        else {
            panic!("texts")
        };
        assert_eq!(
            decode::<(TokenizerPart, TokenizerRequest)>(&encoded).unwrap(),
            (part.clone(), asked)
        );
    }
}

#[test]
fn an_answer_to_another_question_does_not_open() {
    let question = Question::Prove {
        settings: tuple::Settings::default(),
        listed: 9,
        budget: 1.0,
    };
    let graphs = WorkerRequest::Graphs(question.clone());
    let EncodedRequest::Graphs(encoded) = heard(&graphs) else {
        panic!("graphs")
    };
    assert_eq!(
        decode::<Question<tuple::Settings>>(&encoded).unwrap(),
        question
    );
    let found = Finding::Found { packs: 9, bound: 8 };
    assert_eq!(
        told(encode_value(&found), &graphs),
        Some(PartResponse::Graphs(found.clone()))
    );
    let lengths = Question::Report {
        settings: Settings::default(),
        listed: 9,
    };
    assert_eq!(
        heard(&WorkerRequest::Lengths(lengths.clone())),
        EncodedRequest::Lengths(lengths.clone())
    );
    assert_eq!(
        told(encode_value(&found), &WorkerRequest::Lengths(lengths)),
        None,
        "these are not encoded within the message"
    );
    assert_eq!(told(Encoded::from(vec![0xFF; 9]), &graphs), None);
}

#[test]
fn the_first_bytes_are_those_that_browser_tests_read() {
    let waiting = heard(&WorkerRequest::Each(vec![HeldRequest::Waiting(
        Rc::default(),
    )]));
    assert_eq!(encode(&waiting).unwrap()[..3], [3, 1, 5]);
    let graphs = Question::Report {
        settings: tuple::Settings::default(),
        listed: 9,
    };
    let (lengths, graphs) = (
        Question::Report {
            settings: Settings::default(),
            listed: 9,
        },
        WorkerRequest::Graphs(graphs),
    );
    assert_eq!(
        encode(&heard(&WorkerRequest::Lengths(lengths))).unwrap()[..2],
        [1, 0]
    );
    let bytes = encode(&heard(&graphs)).unwrap();
    assert!(
        bytes[0] == 2 && bytes[1] < 128 && bytes[2] == 0,
        "{bytes:?}"
    );
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
