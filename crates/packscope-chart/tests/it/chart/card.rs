//! Cards: words that fit, a picture, and squares as they were given.

use packscope_chart::card::{Card, SIZE};
use packscope_chart::{Area, Frame, Mark, Scene, Theme};

/// A code of three squares, with a hole in its middle.
fn card() -> Card {
    Card {
        title: "In random batches of 64, padded to their longest, half of the slots are padding"
            .to_owned(),
        about: "Wikipedia, 16,279,552 sequences · TRL".to_owned(),
        source: "Packscope · example.org/packscope/".to_owned(),
        squares: 3,
        dark: [1, 1, 1, 1, 0, 1, 0, 1, 0].map(|n| n == 1).to_vec(),
    }
}

fn frame() -> Frame {
    Frame::canvas(SIZE[0], SIZE[1], 1.0, Theme::LIGHT)
}

fn texts(scene: &Scene) -> Vec<(&str, f64)> {
    scene
        .marks
        .iter()
        .filter_map(|mark| match mark {
            Mark::Text { text, at, .. } => Some((text.as_str(), at.1)),
            _ => None,
        })
        .collect()
}

#[test]
fn words_stand_in_order_and_a_long_headline_is_cut() {
    let scene = card().scene(None, &frame());
    let all: Vec<&str> = texts(&scene).iter().map(|(text, _)| *text).collect();
    let joined = all.join(" ");
    for words in [card().title, card().about, card().source] {
        assert!(joined.contains(&words), "{words}: {joined}");
    }
    let long = Card {
        title: "many words ".repeat(60),
        ..card()
    };
    let scene = long.scene(None, &frame());
    let cut = texts(&scene);
    assert!(cut[3].0.ends_with(" …"), "{cut:?}");
    assert!(cut.iter().all(|(_, y)| (0.0..SIZE[1]).contains(y)));
}

#[test]
fn squares_are_dark_where_they_are_said_to_be() {
    let scene = card().scene(None, &frame());
    let ink = Theme::LIGHT.ink;
    let dark: Vec<Area> = scene
        .marks
        .iter()
        .filter_map(|mark| match mark {
            Mark::Rect(area, colour) if *colour == ink => Some(*area),
            _ => None,
        })
        .collect();
    let left = dark.iter().map(|a| a.left).fold(f64::INFINITY, f64::min);
    let top = dark.iter().map(|a| a.top).fold(f64::INFINITY, f64::min);
    let right = dark.iter().map(|a| a.right).fold(0.0, f64::max);
    let side = (right - left) / 3.0;
    for (at, expected) in card().dark.into_iter().enumerate() {
        let (row, column) = ((at / 3) as f64, (at % 3) as f64);
        let (x, y) = (left + (column + 0.5) * side, top + (row + 0.5) * side);
        let is_dark = dark.iter().any(|area| area.contains(x, y));
        assert_eq!(is_dark, expected, "square {at}");
    }
}

#[test]
fn a_picture_is_larger_and_left_of_the_squares() {
    let dot = |frame: &Frame| {
        let corner = Area::sized((frame.width - 10.0, frame.height - 10.0), 10.0, 10.0);
        Scene {
            marks: vec![Mark::Rect(corner, Theme::LIGHT.padding)],
        }
    };
    let scene = card().scene(Some(&dot), &frame());
    let corner = scene.marks.iter().find_map(|mark| match mark {
        Mark::Rect(area, colour) if *colour == Theme::LIGHT.padding => Some(*area),
        _ => None,
    });
    let corner = corner.unwrap();
    assert!(corner.width() > 12.0 && corner.right < SIZE[0] - 236.0 && corner.bottom < SIZE[1]);
    let svg = card().svg(Some(&dot));
    assert!(svg.contains("<title>In random batches of 64") && svg.contains("· TRL"));
}
