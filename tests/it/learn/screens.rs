//! Chapters on a full screen: a picture at a time, with the knobs that move it.

use super::{Reader, flat};
use packscope_page::learn::{CHAPTERS, ChapterPart, Screen, screens};

fn of(reader: &Reader, hidden: &[&str]) -> Vec<Screen> {
    screens(reader.chapter, &reader.sees(), |name| {
        hidden.contains(&name)
    })
}

fn is_picture(part: &ChapterPart) -> bool {
    matches!(
        part,
        ChapterPart::Figure(_)
            | ChapterPart::Ends(_)
            | ChapterPart::Packs(_)
            | ChapterPart::Table(_)
    )
}

#[test]
fn every_chapter_fills_a_screen_and_moves_by_arrows_or_by_hand() {
    for chapter in CHAPTERS {
        let mut reader = Reader::opens(chapter.id);
        let all = of(&reader, &[]);
        assert!(!all.is_empty(), "{}", chapter.id);
        for screen in &all {
            let pictures = flat(&screen.parts).into_iter().filter(|p| is_picture(p));
            assert!(pictures.count() >= 1, "{}: {screen:?}", chapter.id);
            assert!(!screen.heading.is_empty(), "{}", chapter.id);
            // A knob has one control.
            let mut numbers = screen.numbers.clone();
            numbers.dedup();
            assert_eq!(numbers, screen.numbers);
        }
        let by_hand = |screen: &Screen| {
            flat(&screen.parts)
                .iter()
                .any(|p| matches!(p, ChapterPart::Ends(_) | ChapterPart::Packs(_)))
        };
        // Not each of them: the water of the bounds stands as high as it stands.
        let moved = all.iter().find(|s| s.stepped.is_some() || by_hand(s));
        let Some(moved) = moved else {
            // Its pictures are of the visitor's own data, as the tool is set.
            assert_eq!(chapter.id, "your-data", "nothing moves");
            continue;
        };
        // A step to either side stays in the range, and one of them moves the knob.
        if let Some(by) = moved.stepped {
            let here = chapter.context(&reader.state.learn);
            let from = here.number(by.knob);
            let to = [by.moved(from, 1), by.moved(from, -1)];
            assert!(to.iter().all(|n| (by.range[0]..=by.range[1]).contains(n)));
            let other = to.into_iter().find(|n| *n != from);
            let other = other.unwrap_or_else(|| panic!("{}: {by:?}", chapter.id));
            reader.moves(by.knob, &[other]);
            let now = chapter.context(&reader.state.learn).number(by.knob);
            assert_eq!(now, other, "{}", chapter.id);
        }
    }
}

#[test]
fn decisions_are_stepped_through_to_their_end() {
    let mut reader = Reader::opens("watch");
    let by = of(&reader, &[])[0].stepped.unwrap();
    assert_eq!(by.knob, "step");
    let mut headings = vec![of(&reader, &[])[0].heading.clone()];
    for _ in 0..by.range[1] + 3 {
        let from = reader.chapter.context(&reader.state.learn).number(by.knob);
        reader.moves(by.knob, &[by.moved(from, 1)]);
        headings.push(of(&reader, &[])[0].heading.clone());
    }
    headings.dedup();
    assert_eq!(
        headings.last().unwrap(),
        "SPFHP ends with 7 packs, LPFHP with 6"
    );
    assert!(headings.len() > 5, "{headings:?}");
}

#[test]
fn what_a_teacher_locks_is_on_no_screen() {
    let reader = Reader::opens("watch");
    let all = of(&reader, &["step", "algorithm"]);
    for screen in all {
        let locked = |part: &&ChapterPart| {
            matches!(
                part,
                ChapterPart::Words("algorithm") | ChapterPart::Player(..)
            )
        };
        assert!(!flat(&screen.parts).iter().any(locked));
        assert_ne!(screen.stepped.map(|by| by.knob), Some("step"));
    }
}
