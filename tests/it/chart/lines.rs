//! Lines over two axes: what is pressed, and where keys lead.

use packscope::chart::lines::{Input, Line, Quantity};
use packscope::chart::{Chart, Frame, Look, Scale, Theme};

/// Lines at limits of 64, 128 … 1,024, with the needle at one of them.
fn input(needle: f64, points: usize) -> Input {
    let points = (0..points).map(|i| (6.0 + i as f64, 0.1 * i as f64)).collect();
    Input {
        x: Quantity::doubling("limit, tokens".into(), [6.0, 10.0]),
        y: Quantity { name: "".into(), range: [0.0, 1.0], scale: Scale::Linear, label: |v| v.to_string() },
        lines: vec![Line { name: "padding".into(), points, look: Look::Accent }],
        needle: Some((needle, "limit".to_owned())),
        dots: vec![],
    }
}

#[test]
fn a_press_and_a_key_find_corners_of_the_first_line() {
    let (chart, frame) = (input(8.0, 5), Frame::canvas(600.0, 300.0, 1.0, Theme::LIGHT));
    let layout = packscope::chart::lines::layout(&chart, &frame);
    for (i, x) in [6.2, 7.4, 7.6, 9.0, 10.0].into_iter().enumerate() {
        let at = [0, 1, 2, 3, 4][i];
        assert_eq!(chart.hit((layout.x(x), 5.0), &frame), Some([at, 0]), "{x}");
    }
    assert_eq!(chart.hit((-9.0, 0.0), &frame), Some([0, 0]), "the nearer end");
    let steps = [[1, 0], [0, -1], [9, 9], [-9, 0]].map(|by| chart.step(None, by, &frame));
    assert_eq!(steps, [3, 1, 4, 0].map(|at| Some([at, 0])), "from the needle");
    assert_eq!(input(7.5, 5).step(None, [1, 0], &frame), Some([1, 0]), "a needle at no corner");
    let labels = [7.0, 7.5, 10.0].map(chart.x.label);
    assert_eq!(labels, ["128", "", "1,024"]);
}

#[test]
fn without_lines_nothing_is_found() {
    let frame = Frame::canvas(600.0, 300.0, 1.0, Theme::LIGHT);
    for chart in [input(8.0, 0), Input { lines: vec![], ..input(8.0, 5) }] {
        assert_eq!((chart.hit((300.0, 9.0), &frame), chart.step(None, [1, 0], &frame)), (None, None));
    }
}
