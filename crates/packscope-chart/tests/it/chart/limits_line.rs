//! Efficiency against one limit.

use super::{assert_placed, drawn, texts};
use packscope_chart::{Chart, Frame, Mark, Theme, limits_line};

/// Nodes empty as their limit grows, edges fill.
fn points() -> Vec<(u32, [f64; 2])> {
    let point = |i: u32| {
        let limit = 222 + 6 * i;
        (
            limit,
            [
                0.994 - 0.0165 * f64::from(i),
                (0.942 + 0.022 * f64::from(i)).min(0.998),
            ],
        )
    };
    (0..14).map(point).collect()
}

fn input(points: &[(u32, [f64; 2])], at: u32) -> limits_line::Input {
    limits_line::Input {
        points: points.to_vec(),
        at: [at, 502],
        names: ["nodes", "edges"].map(str::to_owned),
    }
}

#[test]
fn both_lines_are_named_and_the_present_limit_is_marked() {
    let points = points();
    let input = input(&points, 234);
    for (_, scene, frame) in drawn("limits-line", &input, &[(292.0, 196.0), (340.0, 196.0)]) {
        let plot = input.plane(&frame).unwrap().plot;
        let texts = texts(&scene);
        for said in ["nodes", "edges", "234", "300", "100 %", "80 %"] {
            assert!(texts.contains(&said), "{said} is missing in {texts:?}");
        }
        for colour in [frame.theme.accent, frame.theme.ink] {
            assert!(
                scene
                    .marks
                    .iter()
                    .any(|m| matches!(m, Mark::Path(p, _, c) if *c == colour && p.len() == 14))
            );
        }
        for (i, (limit, _)) in points.iter().enumerate() {
            let x = plot.left + plot.width() * i as f64 / 13.0;
            assert_eq!(input.hit((x, 60.0), &frame), Some([*limit, 502]));
        }
        assert_eq!(input.hit((5000.0, 60.0), &frame), None);
    }
}

#[test]
fn names_keep_apart_where_lines_meet() {
    let points = [(10, [0.9, 0.8]), (20, [0.95, 0.95])];
    let input = input(&points, 20);
    drawn("limits-line-meet", &input, &[(292.0, 196.0)]);
    assert_eq!(
        input.summary(),
        "Efficiency of nodes and edges at limits from 10 to 20. At 20: nodes 95.0 %, edges 95.0 %."
    );
}

#[test]
fn a_place_and_a_key_give_the_first_limit_and_keep_the_second() {
    let (line, frame) = (
        input(&points(), 237),
        Frame::svg(340.0, 196.0, Theme::LIGHT),
    );
    let plot = line.plane(&frame).unwrap().plot;
    assert_eq!(line.hit((plot.right, 60.0), &frame), Some([300, 502]));
    assert_eq!(
        line.step(None, [1, 0], &frame),
        Some([240, 502]),
        "from the nearest below"
    );
    assert_eq!(line.step(None, [0, -40], &frame), Some([222, 502]));
    assert_eq!(input(&[], 7).step(None, [1, 0], &frame), None);
    let table = line.table().unwrap();
    assert_eq!(
        table.caption,
        "efficiency against the node limit, at 502 edges"
    );
    assert_eq!(table.rows[0], ["222", "99.40 %", "94.2 %"]);
}

#[test]
fn nothing_breaks_in_no_space_or_without_points() {
    let sets = [
        &[][..],
        &[(7, [1.0, 0.0])],
        &[(1, [f64::NAN, 0.5]), (u32::MAX, [2.0, -1.0])],
    ];
    let inputs = sets.map(|points| input(points, 7));
    assert_placed(
        "small-limits-line",
        &inputs.each_ref().map(|i| i as _),
        [7, 0],
    );
}
