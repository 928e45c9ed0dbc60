//! Lines over two axes: what is pressed, and where keys lead.

use super::{drawn, texts};
use packscope_chart::lines::{self, Dot, Input, Line, Quantity};
use packscope_chart::{Chart, Frame, Look, Mark, Scale, Theme};

/// Lines at limits of 64, 128 … 1,024, with the needle at one of them.
fn input(needle: f64, points: usize) -> Input {
    let points = (0..points)
        .map(|i| (6.0 + i as f64, 0.1 * i as f64))
        .collect();
    Input {
        x: Quantity::doubling("limit, tokens".into(), [6.0, 10.0]),
        y: Quantity {
            name: "".into(),
            range: [0.0, 1.0],
            scale: Scale::Linear,
            label: |v| v.to_string(),
        },
        lines: vec![Line {
            name: "padding".into(),
            points,
            look: Look::Accent,
        }],
        needle: Some((needle, "limit".to_owned())),
        dots: vec![],
    }
}

#[test]
fn a_press_and_a_key_find_corners_of_the_first_line() {
    let (chart, frame) = (
        input(8.0, 5),
        Frame::canvas(600.0, 300.0, 1.0, Theme::LIGHT),
    );
    let layout = lines::layout(&chart, &frame);
    for (i, x) in [6.2, 7.4, 7.6, 9.0, 10.0].into_iter().enumerate() {
        let at = [0, 1, 2, 3, 4][i];
        assert_eq!(chart.hit((layout.x(x), 5.0), &frame), Some([at, 0]), "{x}");
    }
    assert_eq!(
        chart.hit((-9.0, 0.0), &frame),
        Some([0, 0]),
        "the nearer end"
    );
    let steps = [[1, 0], [0, -1], [9, 9], [-9, 0]].map(|by| chart.step(None, by, &frame));
    assert_eq!(
        steps,
        [3, 1, 4, 0].map(|at| Some([at, 0])),
        "from the needle"
    );
    assert_eq!(
        input(7.5, 5).step(None, [1, 0], &frame),
        Some([1, 0]),
        "a needle at no corner"
    );
    let labels = [7.0, 7.5, 10.0].map(chart.x.label);
    assert_eq!(labels, ["128", "", "1,024"]);
}

#[test]
fn without_lines_nothing_is_found() {
    let frame = Frame::canvas(600.0, 300.0, 1.0, Theme::LIGHT);
    for chart in [
        input(8.0, 0),
        Input {
            lines: vec![],
            ..input(8.0, 5)
        },
    ] {
        assert_eq!(
            (
                chart.hit((300.0, 9.0), &frame),
                chart.step(None, [1, 0], &frame)
            ),
            (None, None)
        );
    }
}

/// Two lines over a thousandfold of both axes, with a needle and a dot.
fn over(scale: Scale) -> Input {
    let axis = |name: &'static str| Quantity {
        name: name.into(),
        range: [1.0, 1000.0],
        scale,
        label: |v| format!("{v:.0}"),
    };
    let line = |name: &'static str, look| Line {
        name: name.into(),
        points: vec![(1.0, 1.0), (1000.0, 1000.0)],
        look,
    };
    Input {
        x: axis("items"),
        y: axis("steps"),
        lines: vec![line("chosen", Look::Accent), line("other", Look::Dashed(1))],
        needle: Some((100.0, "here".to_owned())),
        dots: vec![Dot {
            at: (10.0, 10.0),
            name: "a dot".to_owned(),
            look: Look::Accent,
        }],
    }
}

/// A needle at the left would stand in the name of the axis above it.
#[test]
fn the_name_of_an_axis_is_clear_of_the_needle() {
    let frame = Frame::canvas(600.0, 300.0, 1.0, Theme::LIGHT);
    const NAME: &str = "filled, from 70 % up";
    for (needle, right) in [(6.0, true), (6.2, true), (9.0, false), (10.0, false)] {
        let mut chart = input(needle, 5);
        chart.y.name = NAME.into();
        let plot = lines::layout(&chart, &frame).plot;
        let scene = chart.scene(&frame);
        let name = scene.marks.iter().find_map(|mark| match mark {
            Mark::Text {
                text, at, anchor, ..
            } if text == NAME => Some((at.0, *anchor)),
            _ => None,
        });
        let wanted = if right { (plot.right, 1) } else { (0.0, -1) };
        assert_eq!(name, Some(wanted), "{needle}");
    }
}

#[test]
fn places_and_values_are_inverse() {
    let frame = Frame::canvas(600.0, 300.0, 1.0, Theme::LIGHT);
    for scale in [Scale::Linear, Scale::Log] {
        let layout = lines::layout(&over(scale), &frame);
        for value in [1.0, 20.0, 700.0, 1000.0] {
            assert!((layout.value(layout.x(value)) - value).abs() < 1e-6);
        }
        assert_eq!(
            (layout.x(1.0), layout.y(1.0)),
            (layout.plot.left, layout.plot.bottom)
        );
    }
}

#[test]
fn everything_is_named_and_within() {
    for (_, scene, _) in drawn(
        "lines",
        &over(Scale::Log),
        &[(300.0, 300.0), (900.0, 300.0)],
    ) {
        let texts = texts(&scene);
        for words in [
            "chosen", "other", "here", "a dot", "items", "steps", "10", "100",
        ] {
            assert!(texts.contains(&words), "{words} {texts:?}");
        }
    }
}

/// Where the names of lines stand that end at these places, in pixels; the plot ends at 272.
fn names_at(ends: &[f64]) -> Vec<f64> {
    let axis = || Quantity {
        name: "".into(),
        range: [0.0, 1.0],
        scale: Scale::Linear,
        label: |_| String::new(),
    };
    let frame = Frame::canvas(600.0, 300.0, 1.0, Theme::LIGHT);
    let plot = lines::layout(
        &Input {
            x: axis(),
            y: axis(),
            ..input(8.0, 0)
        },
        &frame,
    )
    .plot;
    assert_eq!((plot.top, plot.bottom), (26.0, 272.0));
    let line = |y: &f64| {
        let end = (plot.bottom - y) / plot.height();
        Line {
            name: "name".into(),
            points: vec![(0.0, 0.0), (1.0, end)],
            look: Look::Ink,
        }
    };
    let lines = ends.iter().map(line).collect();
    let chart = Input {
        x: axis(),
        y: axis(),
        lines,
        needle: None,
        dots: vec![],
    };
    let place = |mark: Mark| match mark {
        Mark::Text { text, at, .. } if text == "name" => Some((at.1 * 1e6).round() / 1e6),
        _ => None,
    };
    chart
        .scene(&frame)
        .marks
        .into_iter()
        .filter_map(place)
        .collect()
}

/// Lines of words are 15 pixels high.
#[test]
fn names_that_have_room_stay_and_those_that_touch_share_the_way() {
    assert_eq!(names_at(&[60.0, 100.0]), [60.0, 100.0]);
    assert_eq!(names_at(&[100.0, 104.0]), [94.5, 109.5]);
    assert_eq!(names_at(&[271.0, 272.0]), [257.0, 272.0]);
    assert_eq!(names_at(&[26.0; 4]), [7.5, 22.5, 37.5, 52.5]);
    assert_eq!(names_at(&[]), [0.0; 0]);
}
