//! Lines as the pen draws them.

use packscope_chart::{Frame, Mark, Pen, Point, Theme};

#[test]
fn dashes_go_round_corners_and_cover_their_share() {
    let line = [(0.0, 0.0), (7.0, 0.0), (7.0, 13.0)];
    let frame = Frame::canvas(20.0, 20.0, 1.0, Theme::LIGHT);
    let mut pen = Pen::new(&frame);
    pen.dashed(&line, &[3.0, 2.0], 1.0, Theme::LIGHT.ink);
    let dash = |mark: Mark| {
        if let Mark::Path(points, ..) = mark {
            Some(points)
        } else {
            None
        }
    };
    let dashes: Vec<Vec<Point>> = pen.scene.marks.into_iter().filter_map(dash).collect();
    let length = |dash: &Vec<Point>| -> f64 {
        dash.windows(2)
            .map(|p| (p[1].0 - p[0].0).hypot(p[1].1 - p[0].1))
            .sum()
    };
    assert!(
        dashes.iter().all(|d| (length(d) - 3.0).abs() < 1e-9),
        "{dashes:?}"
    );
    assert_eq!(dashes.len(), 4);
    assert_eq!(dashes[1], [(5.0, 0.0), (7.0, 0.0), (7.0, 1.0)]);
}
