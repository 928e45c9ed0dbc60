//! Messages between page and workers: a question arrives as it was asked, and an answer opens to its question.

use crate::common::{built_in, built_in_graphs};
use packscope::api::held::{Answer, Answered, Request};
use packscope::api::limits::at;
use packscope::api::{Finding, Question, Settings, any, batch, shapes, tuple};
use packscope::histogram::Overlong;
use packscope::ingest::Options;
use packscope::packing::go_on;
use packscope::wire::{
    Ask, Assign, Each, Files, Further, Message, OfTokens, Part, Reply, Sealed, TokenizerPart,
};
use packscope::wire::{decode, encode, seal};
use packscope::{export, tokens};
use std::rc::Rc;

/// What a worker hears of a question.
fn heard(ask: &Ask) -> Message {
    decode(&encode(&Message::from(ask)).unwrap()).unwrap()
}

/// What the page hears of an answer to this question; `None` where it does not open.
fn told(sealed: Sealed, ask: &Ask) -> Option<Further> {
    let sent = encode(&Reply::Further(sealed)).unwrap();
    match decode::<Reply<Sealed>>(&sent).unwrap().open(|sealed| Further::open(&sealed, ask)) {
        Ok(Reply::Further(further)) => Some(further),
        Ok(other) => panic!("{other:?}"),
        Err(_) => None,
    }
}

/// Requests with their answers, these as a worker seals them, and the part of the worker.
fn answers() -> Vec<(Request, Answer, Sealed, Part)> {
    let lengths = built_in("glue_rte");
    let settings = Settings { limit: 128, ..Settings::default() };
    let point = at(&lengths, &settings, 256).unwrap();
    let batches = batch::Settings::default();
    let prepared = batch::Prepared::new(&lengths.with_zero(), false, &batches).unwrap();
    let report = prepared.report(&batches, false, &mut go_on).unwrap();
    let graphs = tuple::Settings::default();
    let point_of_graphs = tuple::evaluate(&built_in_graphs("tu_mutag"), &graphs, [60, 120]).unwrap();
    let tried = vec![([60, 120], Ok(point_of_graphs)), ([1, 1], Err("too small".to_owned()))];
    let sweep = Request::Sweep { settings: graphs.clone(), limits: vec![[60, 120], [1, 1]], thorough: true };
    let asked = shapes::Asked { limit: 128, overlong: Overlong::Drop, of: shapes::Of::Given(vec![64, 128]) };
    let listed = shapes::answer(&lengths, &asked).unwrap();
    let (given, proof) = (seal(&listed), "{}".to_owned());
    let any = any::Report::Rows(vec![vec![vec![3, 4]]]);
    let counts = vec![([3, 4], 1)];
    let small = any::Request::Sweep { counts, settings: graphs.clone(), limits: Vec::new() };
    vec![
        (Request::Limit(settings.clone(), 256), Answer::Limit(point.clone()), seal(&point), Part::Anything),
        (
            Request::Batches(Box::new(batches), false),
            Answer::Batches(Rc::new(report.clone())),
            seal(&report),
            Part::Epochs,
        ),
        (sweep, Answer::Sweep(tried.clone()), seal(&tried), Part::Sweeps),
        (Request::Shapes(asked), Answer::Shapes(Rc::from(given.to_vec())), given, Part::Shapes),
        (
            Request::CertifyLengths(settings),
            Answer::Certificate(proof.clone()),
            seal(&proof),
            Part::Certificates,
        ),
        (
            Request::CertifyGraphs(graphs),
            Answer::Certificate(proof.clone()),
            seal(&proof),
            Part::Certificates,
        ),
        (Request::Waiting(Rc::default()), Answer::Waiting(Vec::new()), seal(&Vec::<u8>::new()), Part::Epochs),
        (Request::Any("x".to_owned(), small), Answer::Any(Box::new(any.clone())), seal(&any), Part::Anything),
    ]
}

#[test]
fn each_request_goes_to_its_part_and_its_answer_opens() {
    for (request, answer, sealed, part) in answers() {
        let ask = Ask::Each(vec![request.clone(), request.clone(), request.clone()]);
        let Message::Each(sent) = heard(&ask) else { panic!("{request:?}") };
        assert!(
            sent.len() == 3
                && sent
                    .iter()
                    .all(|(of, sealed)| { *of == part && decode::<Request>(sealed).unwrap() == request })
        );
        let outcomes = [Ok(sealed), Err("refused".to_owned())];
        let sealed = outcomes.map(|outcome| Answered { outcome, seconds: 1.5 }).into();
        let opened = [Ok(answer), Err("refused".to_owned())];
        let opened = opened.map(|outcome| Answered { outcome, seconds: 1.5 }).into();
        let further = told(seal(&Each { first: 1, answers: sealed, more: true }), &ask);
        assert_eq!(further, Some(Further::Each(Each { first: 1, answers: opened, more: true })));
        assert!(Reply::Further(further.unwrap()).continues());
    }
}

#[test]
fn files_and_texts_are_asked_about_as_they_were_named() {
    let names = vec!["a.csv".to_owned(), "b.csv".to_owned()];
    let plan = Assign { plan: "{}".to_owned(), form: export::Form::Csv, items: 3 };
    for assign in [None, Some(plan.clone())] {
        let files = Files { options: Options::default(), pairs: true, names: names.clone(), assign };
        let Message::Files(reads, sealed) = heard(&Ask::Files(files.clone())) else { panic!("files") };
        assert!(reads == files.assign.is_none() && decode::<Files>(&sealed).unwrap() == files);
    }
    let part = TokenizerPart { version: 7, name: "tokenizer.json".to_owned(), size: 99 };
    let options = tokens::Options::default();
    for asked in [OfTokens::About, OfTokens::Look(options.clone()), OfTokens::Assign(options, plan)] {
        let Message::Tokens(sealed) = heard(&Ask::Tokens(part.clone(), asked.clone())) else {
            panic!("texts")
        };
        assert_eq!(decode::<(TokenizerPart, OfTokens)>(&sealed).unwrap(), (part.clone(), asked));
    }
}

#[test]
fn an_answer_to_another_question_does_not_open() {
    let question = Question::Prove { settings: tuple::Settings::default(), listed: 9, budget: 1.0 };
    let graphs = Ask::Graphs(question.clone());
    let Message::Graphs(sealed) = heard(&graphs) else { panic!("graphs") };
    assert_eq!(decode::<Question<tuple::Settings>>(&sealed).unwrap(), question);
    let found = Finding::Found { packs: 9, bound: 8 };
    assert_eq!(told(seal(&found), &graphs), Some(Further::Graphs(found.clone())));
    let lengths = Question::Report { settings: Settings::default(), listed: 9 };
    assert_eq!(heard(&Ask::Lengths(lengths.clone())), Message::Lengths(lengths.clone()));
    assert_eq!(told(seal(&found), &Ask::Lengths(lengths)), None, "these are not sealed");
    assert_eq!(told(Sealed::from(vec![0xFF; 9]), &graphs), None);
}
