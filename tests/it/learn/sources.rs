//! Each text that `docs/SOURCES.md` names for a chapter stands in it.

use super::{Reader, flat};
use crate::common::sources::{CHAPTER, entries, missing};
use packscope_page::learn::prose::{ProsePiece, pieces};
use packscope_page::learn::{ChapterPart, KnobKind, PREDICTIONS};
use packscope_page::state::{Action, AppState};
use std::collections::BTreeMap;

/// Everything that a reader sees of a chapter at an address, all answers shown: `#view=learn&chapter=quality&scene.model=1`.
fn read(address: &str) -> String {
    let place = address.strip_prefix(CHAPTER).unwrap();
    let hash = address.trim_start_matches('#').to_owned();
    let opened = AppState::default().reduce(Action::Navigate(hash.clone()));
    assert_eq!(opened.hash(), hash, "the page writes another address");
    let (id, knobs) = place.split_at(place.find('&').unwrap_or(place.len()));
    let reader = Reader::opens(&format!("{id}&hide={PREDICTIONS}{knobs}"));
    assert_eq!(reader.chapter.id, id, "there is no such chapter");
    let mut seen = vec![reader.chapter.title.to_owned()];
    seen.extend(
        super::texts(&reader.sees())
            .iter()
            .map(|text| plain(&reader, text)),
    );
    for part in flat(&reader.sees().parts) {
        match part {
            ChapterPart::Figure(figure) => seen.push(figure.label.clone()),
            ChapterPart::Table(table) => seen.push(table.label.clone()),
            ChapterPart::Aside(about, _) => seen.push((*about).to_owned()),
            ChapterPart::Words(knob) => {
                if let Some(KnobKind::Words(words)) = reader.chapter.knob(knob).map(|k| k.kind) {
                    seen.push(words.join(", "));
                }
            }
            _ => {}
        }
    }
    for citation in reader.chapter.sources {
        seen.extend([citation.at, citation.says].map(str::to_owned));
    }
    seen.join("\n")
}

/// A text without its markup.
fn plain(reader: &Reader, text: &str) -> String {
    let here = reader.chapter.context(&reader.state.learn);
    let number = |name: &str| match reader.chapter.knob(name).map(|knob| knob.kind) {
        Some(KnobKind::Number { shown, .. }) => shown(here.number(name)),
        _ => String::new(),
    };
    let piece = |piece: ProsePiece<'_>| match piece {
        ProsePiece::Words(words) | ProsePiece::Bold(words) | ProsePiece::Grey(words) => {
            words.to_owned()
        }
        ProsePiece::Knob(name) => number(name),
        ProsePiece::Figure { shown, .. } => shown.to_owned(),
        ProsePiece::Term { words, .. } | ProsePiece::Chapter { words, .. } => words.to_owned(),
    };
    pieces(text).into_iter().map(piece).collect()
}

#[test]
fn what_the_table_of_sources_finds_in_chapters_is_there() {
    let (mut read_before, mut gone, mut checked) = (BTreeMap::new(), Vec::new(), 0);
    for entry in entries() {
        for place in entry.places() {
            if !place.name.starts_with(CHAPTER) {
                continue;
            }
            let read_here = || read(place.name);
            let text = read_before.entry(place.name).or_insert_with(read_here);
            let missing = missing(text, &place.words);
            if !missing.is_empty() {
                gone.push(format!("{}: {}: {missing:?}", entry.number, place.name));
            }
            checked += place.words.len();
        }
    }
    assert!(gone.is_empty(), "not there:\n{}", gone.join("\n"));
    assert!(checked > 60, "{checked}");
}

/// The check can fail: a chapter is read as it is, at the positions of its knobs.
#[test]
fn chapters_are_read_as_they_stand() {
    let [base, electra] =
        ["quality", "quality&scene.model=1"].map(|at| read(&format!("{CHAPTER}{at}")));
    assert_eq!(
        missing(&electra, &["77.07 ± 0.9", "69.31 ± 1.6"]),
        ["69.31 ± 1.6"]
    );
    assert_eq!(
        missing(&base, &["69.31 ± 1.6", "§4, Table 5", "no such words"]),
        ["no such words"]
    );
}
