//! Libraries as dots over two axes, every one named.

use super::{WIDTHS, extent, svg};
use packscope_chart::lines::Dot;
use packscope_chart::scatter::{Input, shares};
use packscope_chart::{Area, Chart, Frame, Look, Mark, Theme};

fn dot((at, name): &((f64, f64), &str)) -> Dot {
    let look = if *name == "mine" {
        Look::Accent
    } else {
        Look::Ink
    };
    Dot {
        at: *at,
        name: (*name).to_owned(),
        look,
    }
}

/// The names in a drawing, with their places: words that begin at a place, which those of axes do not.
fn named(file: &str, all: &[((f64, f64), &str)], width: f64) -> Vec<(String, Area)> {
    let x = shares("tokens lost", all.iter().map(|(at, _)| at.0));
    let y = shares("", all.iter().map(|(at, _)| at.1));
    let frame = Frame::svg(width, 300.0, Theme::LIGHT);
    let scene = Input::new(x, y, all.iter().map(dot).collect()).scene(&frame);
    svg(&format!("scatter-{file}-{width}"), &scene, &frame);
    let name = |mark: &Mark| match mark {
        Mark::Text {
            text, anchor: -1, ..
        } => Some((text.clone(), extent(mark))),
        _ => None,
    };
    scene.marks.iter().filter_map(name).collect()
}

/// The dots that a name stands for.
fn said(words: &str) -> usize {
    let more = words
        .rsplit_once('+')
        .map_or(0, |(_, n)| n.parse::<usize>().unwrap());
    words.split(", ").count() + more
}

#[test]
fn every_dot_is_named_once_and_no_names_touch() {
    let mut all = vec![
        ((0.0, 0.0), "mine"),
        ((0.0, 0.0), "same"),
        ((0.0, 0.0004), "close"),
    ];
    let many: Vec<String> = (0..18).map(|i| format!("library {i}")).collect();
    all.extend(
        many.iter()
            .zip(0..)
            .map(|(name, i)| ((0.0, 0.001 * 1.4f64.powi(i)), name.as_str())),
    );
    all.push(((0.54, 0.76), "far"));
    let one = [((0.2, 0.3), "mine")];
    for width in WIDTHS {
        let names = named("many", &all, width);
        let words: Vec<&str> = names.iter().map(|(words, _)| words.as_str()).collect();
        assert_eq!(
            words.iter().map(|words| said(words)).sum::<usize>(),
            all.len(),
            "{words:?}"
        );
        assert!(
            words.iter().any(|words| words.starts_with("mine, same")),
            "{words:?}"
        );
        assert!(
            words.contains(&"far") && words.len() > 6,
            "{width}: {words:?}"
        );
        for (i, (words, area)) in names.iter().enumerate() {
            assert!(
                area.left >= 0.0 && area.right <= width + 0.5,
                "{words} at {width}"
            );
            let meets = |other: &Area| {
                area.left < other.right
                    && other.left < area.right
                    && area.top < other.bottom
                    && other.top < area.bottom
            };
            assert!(
                !names[..i].iter().any(|(_, other)| meets(other)),
                "{words} at {width}"
            );
        }
        assert_eq!(named("one", &one, width).len(), 1);
        assert!(named("none", &[], width).is_empty());
    }
}

#[test]
fn shares_begin_at_a_power_of_ten() {
    let range = |values: &[f64]| shares("", values.iter().copied()).range;
    assert_eq!([range(&[0.3, 0.6])[0], range(&[0.3, 0.02])[0]], [0.1, 0.01]);
    assert_eq!(range(&[0.0, 0.0]), [0.001, 0.01]);
    let label = shares("", [0.0].into_iter()).label;
    assert_eq!([0.001, 0.01].map(label), ["≤ 0.1 %", "1 %"]);
}
