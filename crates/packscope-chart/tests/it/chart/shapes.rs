//! Sequences under the steps of a few shapes.

use super::{SETS, WIDTHS, svg, text, themes};
use crate::common::built_in;
use packscope::shapes::{Shape, ShapeMethod, choose, padding};
use packscope_chart::shapes::Input;
use packscope_chart::{Chart, Frame, Hues, Mark, Theme};

fn input(set: &str, limit: u32, shapes: usize, method: ShapeMethod) -> Input {
    let h = built_in(set)
        .fit_roughly(limit, packscope::histogram::Overlong::Truncate)
        .unwrap();
    let shapes = choose(&h, shapes, method, 1).unwrap();
    Input {
        lengths: h.lengths(),
        batches: vec![64; shapes.len()],
        shapes,
        hues: Hues::of(&h, limit),
        unit: "tokens".to_owned(),
    }
}

#[test]
fn sequences_are_under_their_steps_at_every_width() {
    for (set, limit) in SETS {
        for method in [ShapeMethod::Best, ShapeMethod::PowersOfTwo] {
            for width in WIDTHS {
                for (name, theme) in themes() {
                    let frame = Frame::canvas(width, 300.0, 1.0, theme).pointing([1, 0]);
                    let input = input(set, limit, 8, method);
                    let scene = input.scene(&frame);
                    svg(
                        &format!("shapes-{set}-{method}-{width}-{name}"),
                        &scene,
                        &frame,
                    );
                    let texts: Vec<&str> = scene.marks.iter().filter_map(text).collect();
                    let last =
                        packscope::words::count(u64::from(input.shapes.last().unwrap().length));
                    assert!(texts.contains(&&*last), "{set} {width}: {last} {texts:?}");
                }
            }
        }
    }
}

#[test]
fn grey_areas_are_padding() {
    let input = input("gsm8k_train", 512, 5, ShapeMethod::Best);
    let frame = Frame::canvas(4000.0, 2000.0, 1.0, Theme::LIGHT);
    let area = |colours: &[[u8; 3]]| -> f64 {
        let of = |mark: &Mark| match mark {
            Mark::Rect(area, colour) if colours.contains(colour) => {
                Some(area.width() * area.height())
            }
            _ => None,
        };
        input.scene(&frame).marks.iter().filter_map(of).sum()
    };
    let (slots, tokens) = (area(&[Theme::LIGHT.padding]), area(&Theme::LIGHT.lengths));
    let real: u64 = input.shapes.iter().map(|shape| shape.tokens).sum();
    let share = real as f64 / (real as f64 + padding(&input.shapes) as f64);
    assert!(
        (tokens / slots - share).abs() < 0.002,
        "{} {share}",
        tokens / slots
    );
}

#[test]
fn steps_are_pointed_at_and_read() {
    let input = Input {
        lengths: vec![(10, 8), (12, 4), (100, 1)],
        shapes: vec![
            Shape {
                length: 12,
                items: 12,
                tokens: 128,
            },
            Shape {
                length: 100,
                items: 1,
                tokens: 100,
            },
        ],
        batches: vec![85, 10],
        hues: Hues::equal(100),
        unit: "tokens".to_owned(),
    };
    let frame = Frame::canvas(600.0, 300.0, 1.0, Theme::LIGHT);
    assert_eq!(input.hit((100.0, 100.0), &frame), Some([0, 0]));
    assert_eq!(input.hit((580.0, 100.0), &frame), Some([1, 0]));
    assert_eq!(input.step(None, [1, 0], &frame), Some([0, 0]));
    assert_eq!(input.step(Some([0, 0]), [1, 0], &frame), Some([1, 0]));
    assert_eq!(input.step(Some([1, 0]), [1, 0], &frame), Some([1, 0]));
    assert_eq!(
        input.reading([0, 0]).unwrap(),
        "12: 12 sequences of 1 to 12 tokens, 11.1 % padding; 85 in a batch."
    );
    assert_eq!(
        input.reading([1, 0]).unwrap(),
        "100: 1 sequence of 13 to 100 tokens, 0 % padding; 10 in a batch."
    );
    assert_eq!(
        input.summary(),
        "Sequences, the shortest first, each padded to the next of 2 lengths: 6.6 % is padding."
    );
    assert_eq!(input.table().unwrap().rows.len(), 2);
    let empty = Input {
        lengths: vec![],
        shapes: vec![],
        ..input
    };
    assert_eq!(
        (
            empty.hit((1.0, 1.0), &frame),
            empty.step(None, [1, 0], &frame)
        ),
        (None, None)
    );
    let _ = empty.scene(&frame);
}
