//! The strategy matrix.

use super::{rects, svg, texts, themes};
use crate::common::built_in;
use packscope::api::{self, PackShape, Settings};
use packscope::packing::{Algorithm, Depth, go_on};
use packscope_chart::{Chart, Frame, Theme, matrix};

/// Sets of short sequences with limits at which the matrix is shown.
const SHORT: [(&str, u32, Depth); 4] = [
    ("mol_qm9_allatoms_len", 29, Depth::Unlimited),
    ("mol_qm9_allatoms_len", 64, Depth::AtMost(3)),
    ("glue_cola", 64, Depth::Unlimited),
    ("glue_sst2", 64, Depth::Unlimited),
];

fn shapes(name: &str, limit: u32, depth: Depth) -> Vec<PackShape> {
    let settings = Settings {
        limit,
        depth,
        algorithm: Algorithm::Lpfhp,
        ..Settings::default()
    };
    api::run_on(&built_in(name), &settings, 4000, &mut go_on)
        .unwrap()
        .strategies
}

fn shape(runs: &[(u32, u32)], count: u64) -> PackShape {
    PackShape {
        runs: runs.to_vec(),
        count,
    }
}

#[test]
fn matrices_of_every_size_are_legible_or_say_what_they_leave_out() {
    for ((name, limit, depth), width) in SHORT
        .into_iter()
        .flat_map(|s| [330.0, 700.0, 1400.0].map(|w| (s, w)))
    {
        let shapes = shapes(name, limit, depth);
        let input = matrix::Input {
            shapes: shapes.clone(),
            limit,
            hues: limit.into(),
        };
        for (theme_name, theme) in themes() {
            let frame = Frame::svg(width, input.height(width), theme);
            let (scene, layout) = (input.scene(&frame), matrix::layout(&input, &frame));
            svg(
                &format!("matrix-{name}-{limit}-{width}-{theme_name}"),
                &scene,
                &frame,
            );
            assert!(
                layout.cells.right <= width
                    && (30.0..60.0).contains(&(frame.height - layout.empty.bottom))
            );
            assert!(
                layout.column >= 9.0 && layout.empty.height() >= 13.0,
                "{name} {width} {layout:?}"
            );
            let more = format!("+ {} more strategies", shapes.len() - layout.columns);
            assert_eq!(
                layout.columns < shapes.len(),
                texts(&scene).contains(&more.as_str()),
                "{name} {width}"
            );
            assert!(
                width < 1400.0 || layout.columns == shapes.len(),
                "{name}: {} of {}",
                layout.columns,
                shapes.len()
            );
        }
    }
}

#[test]
fn a_cell_says_how_often_a_length_is_in_the_pack() {
    let shapes = [
        shape(&[(5, 1), (3, 1)], 12),
        shape(&[(2, 4)], 6),
        shape(&[(3, 2)], 1),
    ];
    let input = matrix::Input {
        shapes: shapes.to_vec(),
        limit: 8,
        hues: 8.into(),
    };
    assert_eq!(input.lengths(), [2, 3, 5]);
    let frame = Frame::svg(330.0, input.height(330.0), Theme::LIGHT);
    let (scene, layout) = (input.scene(&frame), matrix::layout(&input, &frame));
    svg("matrix-few", &scene, &frame);
    let texts = texts(&scene);
    assert_eq!(
        texts[..5],
        ["1", "1", "4", "2", "2"],
        "times from the longest, then what is empty"
    );
    for words in [
        "12",
        "6",
        "length",
        "empty",
        "5",
        "strategies, most used first",
    ] {
        assert!(texts.contains(&words), "{words} is missing in {texts:?}");
    }
    let grey = rects(&scene, Theme::LIGHT.padding);
    assert_eq!(grey.len(), 1, "only the third strategy has padding");
    assert!(grey[0].left > layout.cells.left + 2.0 * layout.column);
    let bars: Vec<f64> = rects(&scene, Theme::LIGHT.second_ink)
        .iter()
        .map(|a| a.height())
        .collect();
    assert!(
        (bars[0] - 2.0 * bars[1]).abs() < 1e-9 && bars[2] >= 1.0,
        "{bars:?}"
    );
    assert_eq!(rects(&scene, Theme::LIGHT.length_colour(5, 8)).len(), 1);
}

#[test]
fn where_numbers_do_not_fit_more_is_darker() {
    let shapes: Vec<PackShape> = (1..=30)
        .map(|n| shape(&[(2, n)], 40 - u64::from(n)))
        .collect();
    let input = matrix::Input {
        shapes,
        limit: 64,
        hues: 64.into(),
    };
    let frame = Frame::svg(330.0, input.height(330.0), Theme::LIGHT);
    let (scene, layout) = (input.scene(&frame), matrix::layout(&input, &frame));
    svg("matrix-shades", &scene, &frame);
    assert!(layout.times.is_none() && layout.columns == 30);
    assert!(texts(&scene).contains(&"39"));
    // Only the deepest pack has the full colour of its length, and only the emptiest the full grey.
    assert_eq!(rects(&scene, Theme::LIGHT.length_colour(2, 64)).len(), 1);
    assert_eq!(rects(&scene, Theme::LIGHT.padding).len(), 1);
}

#[test]
fn nothing_breaks_in_no_space_or_without_strategies() {
    let large = shape(&[(u32::MAX, u32::MAX)], u64::MAX);
    for (width, height) in [(1.0, 1.0), (60.0, 40.0), (300.0, 90.0)] {
        let frame = Frame::svg(width, height, Theme::DARK);
        for shapes in [
            &[][..],
            &[shape(&[(1, 1)], 1)],
            &[large.clone(), shape(&[], 0)],
        ] {
            let input = matrix::Input {
                shapes: shapes.to_vec(),
                limit: 8,
                hues: 8.into(),
            };
            assert!(input.height(width) > 100.0);
            assert!(!svg("small-matrix", &input.scene(&frame), &frame).contains("NaN"));
        }
    }
}
