//! A few shapes.

use super::{Reader, figure};
use crate::common::built_in;
use packscope::histogram::{Overlong, Preset};
use packscope::shapes::{ShapeMethod, choose, padding, padding_share};
use packscope_chart::{Frame, Mark, Theme};
use packscope_page::learn::ChapterPart;

#[test]
fn a_handful_of_fitting_lengths_does_what_sixteen_powers_do() {
    let limit = Preset::find("alpaca_5000").unwrap().limit();
    let h = built_in("alpaca_5000")
        .fit([limit], Overlong::Truncate)
        .unwrap()
        .histogram;
    let share = |shapes, method| padding_share(&choose(&h, shapes, method, 1).unwrap());
    let powers = share(16, ShapeMethod::PowersOfTwo);
    let fewest = (1..)
        .find(|shapes| share(*shapes, ShapeMethod::Best) <= powers)
        .unwrap();
    assert!((3..7).contains(&fewest), "{fewest}");
    let mut reader = Reader::opens("few-shapes");
    let shown = reader.sees();
    assert_eq!(
        figure(&shown, "padding_share"),
        Some(share(8, ShapeMethod::PowersOfTwo))
    );
    // There are fewer powers of two than are asked for, and the page does not speak of sixteen.
    let there = choose(&h, 16, ShapeMethod::PowersOfTwo, 1).unwrap().len();
    assert!(
        there < 8
            && shown
                .finding
                .starts_with(&format!("{there} lengths of 8 allowed")),
        "{}",
        shown.finding
    );
    assert_eq!(powers, share(64, ShapeMethod::PowersOfTwo));
    assert!(!shown.task.contains("16"), "{}", shown.task);
    assert_eq!(
        figure(&shown, "one_shape"),
        Some(share(1, ShapeMethod::Best))
    );
    reader.moves("shapes", &[fewest as u32]);
    assert!(!reader.sees().is_done(), "powers of two do not do it");
    reader.moves("by", &[0]);
    let best = choose(&h, fewest, ShapeMethod::Best, 1).unwrap();
    assert_eq!(
        figure(&reader.sees(), "padding_tokens"),
        Some(padding(&best) as f64)
    );
    assert!(reader.sees().is_done());
    reader.moves("shapes", &[fewest as u32 + 1]);
    assert!(!reader.sees().is_done(), "one less would do");
}

/// Every step of the drawing has its length, the first and narrowest too, and the tool opens at the shapes.
#[test]
fn every_step_has_its_length_and_the_tool_opens_at_them() {
    let reader = Reader::opens("few-shapes");
    let frame = Frame::canvas(760.0, 380.0, 1.0, Theme::LIGHT);
    let shown = reader.sees();
    let drawn = shown.parts.iter().find_map(|part| match part {
        ChapterPart::Figure(figure) => Some((figure.draw)(&frame)),
        _ => None,
    });
    let drawn = drawn.unwrap();
    let is = |length: &str| {
        drawn
            .marks
            .iter()
            .any(|m| matches!(m, Mark::Text { text, .. } if text == length))
    };
    for length in ["32", "64", "128", "256", "512"] {
        assert!(is(length), "{length}");
    }
    let opens = reader
        .chapter
        .opened(&reader.chapter.context(&reader.state.learn));
    assert_eq!(opens.part, Some("few-shapes"));
}
