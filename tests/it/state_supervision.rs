//! Which tokens train, as the page has it of a file of prompts and responses.

use packscope::advice::SharedCurves;
use packscope::histogram::{Histogram, Overlong};
use packscope::ingest;
use packscope::supervision::sources::BySource;
use packscope::supervision::weights::Reduction;
use packscope::supervision::{CurveBuilder, Curves, Sample, Truncation};
use packscope_page::state::supervision::Action as Supervising;
use packscope_page::state::{Action, AppState, Source};
use packscope_page::wire::{self, Supervised, TrainedTurns, WorkerResponse};
use std::rc::Rc;
use std::sync::Arc;

/// Prompt, response and source of each item.
const ITEMS: [(u32, u32, &str); 6] = [
    (100, 20, "chat"),
    (300, 100, "chat"),
    (600, 200, "code"),
    (50, 10, "chat"),
    (900, 100, "code"),
    (40, 60, "math"),
];

fn found(truncation: Truncation) -> Supervised {
    let (mut curves, mut sample) = (CurveBuilder::new(truncation), Sample::new(100, 0));
    let mut sources = BySource::new(truncation);
    for (prompt, response, source) in ITEMS {
        let (tokens, span) = (prompt + response, prompt..prompt + response);
        curves.add(tokens, std::slice::from_ref(&span), 1).unwrap();
        sample.add(tokens, std::slice::from_ref(&span), 1).unwrap();
        sources
            .add(source, tokens, std::slice::from_ref(&span), 1)
            .unwrap();
    }
    Supervised {
        curves: SharedCurves(Arc::new(curves.finish())),
        labels: "\"response\" after \"prompt\"".to_owned(),
        turns: None,
        by: Some("source".to_owned()),
        sources: sources.finish(),
        sample: sample.into_items(),
    }
}

/// A file of the visitor's.
fn own(name: &str) -> Source {
    let read = ingest::read::<1>(b"4\n5\n", ingest::Options::default()).unwrap();
    Source::Own {
        name: name.to_owned(),
        description: Rc::new(read.description),
    }
}

/// The page with the items of a file, at a limit.
fn page(limit: u32) -> AppState {
    let lengths = ITEMS.map(|(prompt, response, _)| (prompt + response, 1));
    let source = own("sft.jsonl");
    let lengths = Rc::new(Histogram::from_lengths(lengths).unwrap());
    AppState::default().reduce(Action::Loaded(source, lengths, Some(limit)))
}

fn told(state: &AppState, truncation: Truncation) -> AppState {
    let found = Some(Rc::new(found(truncation)));
    let version = state.sequences.version();
    state.reduce(Action::Supervision(Supervising::Found(version, found)))
}

fn curves(state: &AppState) -> &Curves {
    &state.supervised().unwrap().curves.0
}

#[test]
fn a_file_is_asked_about_once_and_again_where_the_truncation_changes() {
    let state = page(512);
    let version = state.sequences.version();
    assert_eq!(
        state.supervision_wanted(),
        Some((version, Truncation::Right, TrainedTurns::Assistant))
    );
    let none = state.reduce(Action::Supervision(Supervising::Found(version, None)));
    assert_eq!((none.supervision_wanted(), none.supervised()), (None, None));
    let known = told(&state, Truncation::Right);
    assert_eq!(known.supervision_wanted(), None);
    let left = known.reduce(Action::Supervision(Supervising::Truncate(Truncation::Left)));
    assert_eq!(
        left.supervision_wanted(),
        Some((version, Truncation::Left, TrainedTurns::Assistant))
    );
    // Until then, what is known stays on screen.
    assert_eq!(curves(&left).truncation(), Truncation::Right);
    let answered = told(&left, Truncation::Left);
    assert_eq!(answered.supervision_wanted(), None);
    // Built-in data have no file that could tell.
    assert_eq!(AppState::default().supervision_wanted(), None);
}

#[test]
fn other_turns_are_asked_about_where_the_file_has_turns() {
    let state = page(512);
    let version = state.sequences.version();
    let of = |turns: Option<TrainedTurns>| {
        let found = Supervised {
            turns,
            ..found(Truncation::Right)
        };
        Action::Supervision(Supervising::Found(version, Some(Rc::new(found))))
    };
    let all = Action::Supervision(Supervising::Train(TrainedTurns::All));
    let chats = state.reduce(of(Some(TrainedTurns::Assistant)));
    assert_eq!(chats.supervision_wanted(), None);
    let asked = chats.reduce(all.clone());
    assert_eq!(
        asked.supervision_wanted(),
        Some((version, Truncation::Right, TrainedTurns::All))
    );
    let answered = asked.reduce(of(Some(TrainedTurns::All)));
    assert_eq!(answered.supervision_wanted(), None);
    // Lengths of prompts and responses have no turns.
    let lengths = state.reduce(of(None)).reduce(all);
    assert_eq!(lengths.supervision_wanted(), None);
}

#[test]
fn the_chosen_library_decides_the_truncation_until_one_is_chosen() {
    use packscope_page::state::{View, trainer};
    let choose = |library: &str| {
        let library = Some(library.to_owned());
        page(512).reduce(Action::Trainer(
            View::Sequences,
            trainer::Action::Choose(library),
        ))
    };
    assert_eq!(choose("trl").truncation(), Truncation::Right);
    let shared = choose("llama-factory");
    assert_eq!(shared.truncation(), Truncation::Shared);
    let chosen = shared.reduce(Action::Supervision(Supervising::Truncate(
        Truncation::Right,
    )));
    assert_eq!(chosen.truncation(), Truncation::Right);
}

#[test]
fn what_is_told_of_other_lengths_is_not_shown() {
    let state = told(&page(512), Truncation::Right);
    assert!(state.supervised().is_some());
    // The same version, but a pair that was read as two budgets, say.
    let lengths = Rc::new(Histogram::from_lengths([(120, 6)]).unwrap());
    let source = own("other.jsonl");
    let other = state.reduce(Action::Loaded(source, lengths, None));
    assert_eq!(other.supervised(), None, "of the data before");
    assert_eq!(
        told(&other, Truncation::Right).supervised(),
        None,
        "totals differ"
    );
}

#[test]
fn the_sentence_and_the_slots_are_those_of_the_items_counted_by_hand() {
    let limit = 512;
    let mut state = told(&page(limit), Truncation::Right);
    // By hand: of 490 supervised tokens the third keeps none, the fifth none, all others all.
    let kept: u32 = ITEMS
        .iter()
        .map(|(prompt, response, _)| (prompt + response).min(limit).saturating_sub(*prompt))
        .sum();
    assert_eq!((kept, curves(&state).kept(limit)), (190, 190));
    let said = state.of_supervision().unwrap();
    assert_eq!(
        said,
        "At 512, 61.2 % of the supervised tokens are lost, of all tokens 31.3 %, and 2 sequences (33.3 %) train nothing."
    );
    let cut = told(&page(limit), Truncation::Left);
    let said = cut.of_supervision().unwrap();
    assert!(
        said.starts_with("At 512, where the beginning is cut off, "),
        "{said}"
    );
    assert!(state.loses_supervision());
    state = state.reduce(Action::Set(
        "overlong",
        Overlong::Truncate.name().to_owned(),
    ));
    let (padded, _) = state.computed_slots().unwrap();
    let tokens: u32 = ITEMS.iter().map(|(p, r, _)| (p + r).min(limit)).sum();
    assert_eq!(padded.responses, 190.0);
    assert_eq!(padded.prompts, f64::from(tokens) - 190.0);
    // One batch holds all six, padded to the limit.
    assert!(
        (padded.slots() - 6.0 * f64::from(limit)).abs() < 1e-6,
        "{padded:?}"
    );
    let longest = told(&page(1000), Truncation::Right);
    assert!(
        !longest.loses_supervision(),
        "{:?}",
        longest.of_supervision()
    );
}

#[test]
fn sources_add_up_and_stand_in_the_bins_of_their_lengths() {
    let state = told(&page(512), Truncation::Right);
    let rows = state.of_sources();
    assert_eq!(
        rows.iter().map(|row| row.name).collect::<Vec<_>>(),
        ["code", "chat", "math"]
    );
    assert_eq!(
        rows.iter().map(|row| row.documents.0).collect::<Vec<_>>(),
        [2, 3, 1]
    );
    let whole: f64 = rows.iter().map(|row| row.tokens.1).sum();
    assert!((whole - 1.0).abs() < 1e-12);
    // Both of code lose all that trains.
    assert_eq!(rows[0].lost[1..], [1.0, 1.0]);
    let bins = state.stacked_sources();
    let of = |k: usize| bins.iter().map(|bin| bin.documents[k]).sum::<u64>();
    assert_eq!([of(0), of(1), of(2), of(3)], [2, 3, 1, 0]);
    // Beyond the limit is one bin.
    assert_eq!(bins.last().unwrap().documents, [2, 0, 0, 0]);
    let (now, then, lines) = state.mix_of_sources(&[0.0, 0.5, 0.5]).unwrap();
    assert_eq!((now.documents[0], then.documents[0]), (1.0 / 3.0, 0.0));
    assert!(lines.contains("probabilities=[0, 0.5, 0.5]"), "{lines}");
    assert_eq!(state.mix_of_sources(&[0.0; 3]), None);
}

#[test]
fn weights_are_those_of_the_batch_on_the_page() {
    let state = told(&page(1024), Truncation::Right).reduce(Action::Batch(1));
    let [unpacked, packed] = state.weights(2).unwrap();
    assert_eq!(unpacked.micro_batches, 6);
    assert!(unpacked.of(Reduction::MicroBatch).within_step.most > 1.0);
    assert_eq!(unpacked.of(Reduction::Step).within_step.most, 1.0);
    assert!(packed.micro_batches < unpacked.micro_batches);
}

#[test]
fn what_a_worker_tells_travels_whole() {
    let reply = WorkerResponse::Supervised(Some(Box::new(found(Truncation::Right))));
    let WorkerResponse::Supervised(Some(back)) =
        wire::decode(&wire::encode(&reply).unwrap()).unwrap()
    else {
        panic!("another reply");
    };
    let told = found(Truncation::Right);
    // Curves in two places of memory are two to the page, which compares no limits.
    assert_eq!(back.curves.0, told.curves.0);
    assert_eq!((&back.labels, &back.by), (&told.labels, &told.by));
    assert_eq!((&back.sources, &back.sample), (&told.sources, &told.sample));
}

#[test]
fn the_judge_is_asked_anew_with_what_bears_loss() {
    let before = page(512);
    assert_eq!(before.curves_of(before.sequences.version()), None);
    let state = told(&before, Truncation::Right);
    let version = state.sequences.version();
    assert!(state.curves_of(version).is_some());
    assert_eq!(state.curves_of(version + 1), None);
}
