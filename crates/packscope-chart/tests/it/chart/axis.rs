//! Axes as drawings show them: round ticks with room for their labels, and equal factors.

use packscope::words::count;
use packscope_chart::along::{self, Epoch};
use packscope_chart::histogram::{self, Across};
use packscope_chart::lines::{self, Quantity};
use packscope_chart::{
    Area, Chart, Frame, Mark, Scale, Scene, Theme, label_width, limits_line, steps,
};

/// The labels at the left of a plot, from the bottom up.
fn beside(scene: &Scene, plot: Area) -> Vec<&str> {
    let label = |mark: &'_ Mark| matches!(mark, Mark::Text { at, anchor: 1, .. } if at.0 == plot.left - 8.0);
    let labels = scene
        .marks
        .iter()
        .filter(|mark| label(mark))
        .filter_map(super::text);
    labels.filter(|label| !label.is_empty()).collect()
}

/// The labels of batches of these sizes, on a plot of this height.
fn sizes(sizes: &[u64], height: f64) -> Vec<String> {
    let epoch = Epoch {
        sizes: sizes.to_vec(),
        every: 1,
        steps: sizes.len() as u64,
        cap: None,
        rates: None,
    };
    let input = along::Input {
        epochs: vec![epoch],
        chosen: 0,
        rate: None,
    };
    let frame = Frame::canvas(600.0, height + 68.0, 1.0, Theme::LIGHT);
    let plot = along::layout(&input, &frame).plot;
    assert_eq!(plot.height(), height.max(4.0));
    beside(&input.scene(&frame), plot)
        .into_iter()
        .map(str::to_owned)
        .collect()
}

#[test]
fn ticks_are_round_and_have_room() {
    // Up to a quarter above the largest.
    assert_eq!(sizes(&[5, 51], 200.0), ["5", "10", "20", "50"]);
    assert_eq!(sizes(&[1, 2020], 100.0), ["1", "10", "100", "1,000"]);
    assert_eq!(sizes(&[64], 200.0), ["50", "100", "200"]);
    assert!(sizes(&[1, u64::MAX], 60.0).len() < 6);
    let frame = Frame::canvas(1.0, 1.0, 1.0, Theme::LIGHT);
    let none = along::Input {
        epochs: Vec::new(),
        chosen: 0,
        rate: None,
    };
    assert!(beside(&none.scene(&frame), along::layout(&none, &frame).plot).len() < 4);
}

/// A drawing without lines, over these values upwards.
fn up(range: [f64; 2], scale: Scale) -> lines::Input {
    let axis = |range| Quantity {
        name: "".into(),
        range,
        scale,
        label: |v| format!("{v:.2}"),
    };
    lines::Input {
        x: axis([1.0, 2.0]),
        y: axis(range),
        lines: vec![],
        needle: None,
        dots: vec![],
    }
}

#[test]
fn equal_factors_are_equally_far() {
    let frame = Frame::canvas(600.0, 354.0, 1.0, Theme::LIGHT);
    let layout = lines::layout(&up([1.0, 1000.0], Scale::Log), &frame);
    let [a, b, c] = [5.0, 50.0, 500.0].map(|value| layout.y(value));
    assert!((a - b - (b - c)).abs() < 1e-9 && a > b);
    assert_eq!(layout.y(0.0), layout.plot.bottom);
}

/// The labels of so many steps that take equally long: their number is the upper end, and a twentieth more.
fn of_steps(number: usize) -> Vec<String> {
    let input = steps::Input {
        factors: vec![1.0; number],
        mean: 1.0,
        bound: 1.0,
    };
    let scene = input.scene(&Frame::canvas(600.0, 262.0, 1.0, Theme::LIGHT));
    let left = |mark: &&Mark| {
        matches!(
            mark,
            Mark::Text {
                anchor: 1,
                bold: false,
                ..
            }
        )
    };
    scene
        .marks
        .iter()
        .filter(left)
        .filter_map(super::text)
        .map(str::to_owned)
        .collect()
}

/// The labels below the limits from one to the other that are neither.
fn between(first: u32, last: u32, width: f64) -> Vec<String> {
    let points = (first..=last).map(|limit| (limit, [0.9; 2])).collect();
    let names = ["nodes", "edges"].map(str::to_owned);
    let input = limits_line::Input {
        points,
        at: [first, 1],
        names,
    };
    let wide = |frame: &Frame| input.plane(frame).unwrap().plot.width();
    let frame = |width: f64| Frame::canvas(width, 200.0, 1.0, Theme::LIGHT);
    // So that the plot has this width.
    let frame = frame(width + 1000.0 - wide(&frame(1000.0)));
    assert!((wide(&frame) - width).abs() < 1e-9);
    let scene = input.scene(&frame);
    let below = |mark: &&Mark| {
        matches!(
            mark,
            Mark::Text {
                anchor: 0,
                bold: false,
                ..
            }
        )
    };
    let words = scene.marks.iter().filter(below).filter_map(super::text);
    words
        .filter(|text| text.parse::<u32>().is_ok_and(|l| l > first && l < last))
        .map(str::to_owned)
        .collect()
}

#[test]
fn whole_numbers_are_round_and_within() {
    assert_eq!(of_steps(222), ["0", "50", "100", "150", "200"]);
    // Four labels at most would fit: 240, 260, 280, and the end itself.
    assert_eq!(between(222, 300, 4.0 * 64.0), ["240", "260", "280"]);
    assert!(between(3, 4, 9.0 * 64.0).is_empty());
}

/// The labels of an axis upwards, on a plot of this height.
fn levels(range: [f64; 2], height: f64) -> Vec<String> {
    let input = up(range, Scale::Linear);
    let frame = Frame::canvas(600.0, height + 54.0, 1.0, Theme::LIGHT);
    let plot = lines::layout(&input, &frame).plot;
    assert!((plot.height() - height).abs() < 1e-9, "{}", plot.height());
    beside(&input.scene(&frame), plot)
        .into_iter()
        .map(str::to_owned)
        .collect()
}

#[test]
fn steps_are_round() {
    // Ten steps of at least 0.9, 1, 21 and 51.
    let tall = [9.0, 10.0, 210.0, 510.0].map(|end| levels([0.0, end], 700.0));
    assert_eq!(
        tall[0],
        (0..=9).map(|i| format!("{i}.00")).collect::<Vec<_>>()
    );
    assert_eq!(
        tall[1],
        (0..=10).map(|i| format!("{i}.00")).collect::<Vec<_>>()
    );
    assert_eq!(tall[2], ["0.00", "50.00", "100.00", "150.00", "200.00"]);
    assert_eq!(
        tall[3],
        ["0.00", "100.00", "200.00", "300.00", "400.00", "500.00"]
    );
    assert_eq!(levels([0.7, 0.99], 180.0), ["0.70", "0.80", "0.90"]);
}

/// The first length with a tick after 1 where there is room for about so many.
fn step(end: u32, most: f64) -> u32 {
    let input = histogram::Input {
        entries: vec![(1, 1), (end, 1)],
        limit: end,
        end: Some(end),
        scale: Scale::Linear,
        across: Across::Linear,
        hues: end.into(),
        lit: vec![],
        items: "sequences",
        unit: "tokens".to_owned(),
    };
    let room = label_width(&count(u64::from(end)), false) + 22.0;
    let frame = |width: f64| Frame::canvas(width, 300.0, 1.0, Theme::LIGHT);
    let wide = histogram::layout(&input, &frame(1000.0)).plot.width();
    let frame = frame(most * room + 1000.0 - wide + 0.01);
    let (layout, scene) = (histogram::layout(&input, &frame), input.scene(&frame));
    assert!(
        (layout.plot.width() / room - most).abs() < 0.01,
        "{}",
        layout.plot.width() / room
    );
    let bottom = layout.plot.bottom;
    let tick = |mark: &Mark| match mark {
        Mark::Rule { from, to, .. } if (from.1, to.1) == (bottom, bottom + 5.0) => Some(from.0),
        _ => None,
    };
    let ticks: Vec<u32> = scene
        .marks
        .iter()
        .filter_map(tick)
        .map(|x| layout.length_at(x))
        .collect();
    assert_eq!(ticks[0], 1);
    ticks.get(1).copied().unwrap_or(1)
}

#[test]
fn steps_of_lengths_divide_the_limit() {
    assert_eq!(
        [step(512, 10.0), step(512, 4.0), step(131_072, 9.0)],
        [64, 128, 16_384]
    );
    assert_eq!(
        [step(384, 8.0), step(384, 2.0), step(29, 8.0)],
        [64, 192, 5]
    );
    assert_eq!([step(126_527, 8.0), step(1, 8.0)], [20_000, 1]);
}
