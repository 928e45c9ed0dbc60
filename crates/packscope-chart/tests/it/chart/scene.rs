//! Frames, and the widths of words.

use packscope_chart::lines::{self, Input, Line, Quantity};
use packscope_chart::{Chart, Frame, Look, Scale, Theme, label_width};

#[test]
fn widths_grow_with_text_and_weight() {
    assert!(label_width("limit 512", false) < label_width("limit 512", true));
    assert!((40.0..70.0).contains(&label_width("limit 512", false)));
}

const NAME: &str = "Packed, block-diagonal";

/// The name at the end of a line, as far as it is written beside a plot of this width: 36 % of it, but 8 pixels.
fn beside(width: f64, look: Look) -> Option<String> {
    let axis = || Quantity {
        name: "".into(),
        range: [0.0, 1.0],
        scale: Scale::Linear,
        label: |_| String::new(),
    };
    let line = Line {
        name: NAME.into(),
        points: vec![(0.0, 0.0), (1.0, 0.5)],
        look,
    };
    let input = Input {
        x: axis(),
        y: axis(),
        lines: vec![line],
        needle: None,
        dots: vec![],
    };
    let frame = Frame::canvas(width, 300.0, 1.0, Theme::LIGHT);
    let left = lines::layout(&input, &frame).plot.right + 8.0;
    let scene = input.scene(&frame);
    let at_left = |mark: &&packscope_chart::Mark| super::extent(mark).left == left;
    scene
        .marks
        .iter()
        .filter(at_left)
        .find_map(super::text)
        .map(str::to_owned)
}

#[test]
fn words_that_do_not_fit_are_cut() {
    assert_eq!(beside(2000.0, Look::Ink).as_deref(), Some(NAME));
    // Room for 80 pixels, and for 5.
    let cut = beside(88.0 / 0.36, Look::Accent).unwrap();
    assert!(
        cut.starts_with("Packed") && cut.ends_with('…') && label_width(&cut, true) <= 80.0,
        "{cut}"
    );
    assert_eq!(beside(13.0 / 0.36, Look::Ink).unwrap_or_default(), "");
}

#[test]
fn device_pixels_follow_the_scale() {
    let frame = Frame::canvas(300.5, 200.0, 2.0, Theme::LIGHT);
    assert_eq!(frame.device_size(), (601, 400));
}
