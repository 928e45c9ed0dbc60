//! The parts of an epoch's time, and the speed-up against the number of accelerators.

use super::{assert_placed, assert_tidy, drawn, extent, rects, svg, texts, themes};
use packscope::cost::TimeParts;
use packscope::cost::waiting::ACCELERATORS;
use packscope_chart::{Area, Chart, Frame, Mark, Scene, Theme, crew, parts};

/// Widths of a phone, of a column and of a whole view.
const WIDTHS: [f64; 3] = [328.0, 640.0, 900.0];

fn spent(hours: [f64; 6]) -> Option<TimeParts> {
    let [linear, attention, padding, masking, overhead, waiting] = hours.map(|h| h * 3600.0);
    Some(TimeParts {
        linear,
        attention,
        padding,
        masking,
        overhead,
        waiting,
    })
}

fn bar(name: &'static str, hours: Option<[f64; 6]>, text: &str) -> parts::Bar {
    parts::Bar {
        name,
        parts: hours.and_then(spent),
        text: text.to_owned(),
    }
}

/// As on Wikipedia with 512 tokens.
fn sequences() -> Vec<parts::Bar> {
    vec![
        bar(
            "Padded",
            Some([1.7, 0.3, 1.95, 0.0, 0.05, 0.0]),
            "4.0 h · 1.00×",
        ),
        bar(
            "Batches, random",
            Some([1.7, 0.3, 1.6, 0.0, 0.05, 0.11]),
            "3.8 h · 1.06×",
        ),
        bar(
            "Batches, sorted",
            Some([1.7, 0.3, 0.02, 0.0, 0.06, 0.95]),
            "3.0 h · 1.32×",
        ),
        bar(
            "Packed, dense mask",
            Some([1.7, 0.3, 0.005, 0.31, 0.03, 0.0]),
            "2.3 h · 1.71×",
        ),
        bar(
            "Packed, block-diagonal",
            Some([1.7, 0.3, 0.005, 0.09, 0.03, 0.0]),
            "2.1 h · 1.88×",
        ),
        bar(
            "Unpadded",
            Some([1.7, 0.3, 0.0, 0.0, 0.05, 0.4]),
            "2.5 h · 1.63×",
        ),
        bar("Unpadded, balanced", None, "no kernel for it"),
    ]
}

/// As on small molecules; hardly any padding in packs.
fn graphs() -> Vec<parts::Bar> {
    vec![
        bar(
            "Padded",
            Some([0.01, 0.012, 0.17, 0.0, 0.003, 0.0]),
            "11.7 min · 1.00×",
        ),
        bar(
            "Packed",
            Some([0.01, 0.012, 0.0003, 0.0, 0.0004, 0.0]),
            "1.4 min · 8.59×",
        ),
        bar(
            "Unpadded",
            Some([0.01, 0.012, 0.0, 0.0, 0.003, 0.002]),
            "1.6 min · 7.31×",
        ),
    ]
}

fn input(bars: &[parts::Bar], graphs: bool) -> parts::Input {
    parts::Input {
        bars: bars.to_vec(),
        names: parts::names(graphs),
        chosen: Some(bars.len() / 2),
    }
}

/// At every width in both themes, with one and two device pixels in each, as high as it wants to be.
fn frames(bars: &parts::Input) -> Vec<(String, Frame)> {
    let sizes = WIDTHS
        .into_iter()
        .flat_map(|width| [(width, 1.0), (width, 2.0)]);
    let frame = |(width, scale): (f64, f64), (name, theme): (&str, Theme)| {
        let frame = Frame::svg(width, bars.height(width).ceil(), theme);
        (format!("{width}x{scale}-{name}"), Frame { scale, ..frame })
    };
    sizes
        .flat_map(|size| themes().map(|theme| frame(size, theme)))
        .collect()
}

/// Words of a drawing, with where they are.
fn said<'a>(scene: &'a Scene, words: &str) -> Option<&'a Mark> {
    scene
        .marks
        .iter()
        .find(|mark| matches!(mark, Mark::Text { text, .. } if text == words))
}

#[test]
fn parts_are_on_one_scale_and_each_is_named_once() {
    for (set, bars, of_graphs) in [
        ("sequences", sequences(), false),
        ("graphs", graphs(), true),
    ] {
        let input = input(&bars, of_graphs);
        for (size, frame) in frames(&input) {
            let (scene, layout) = (input.scene(&frame), parts::layout(&input, &frame));
            let name = format!("parts-{set}-{size}");
            assert!(!svg(&name, &scene, &frame).contains("NaN"));
            assert_tidy(&name, &scene, &frame);
            assert_eq!(layout, parts::layout(&input, &frame));
            let longest = layout.rows[0].bar.width() / bars[0].parts.unwrap().sum();
            for (bar, row) in bars.iter().zip(&layout.rows) {
                let seconds = bar.parts.map_or(0.0, |parts| parts.sum());
                assert!((row.bar.width() - seconds * longest).abs() < 1e-6, "{name}");
                assert!(
                    said(&scene, bar.name).is_some() && said(&scene, &bar.text).is_some(),
                    "{name}"
                );
            }
            let shown = |part: &&'static str| !of_graphs || *part != "masking";
            for part in input.names.into_iter().filter(shown) {
                let named = texts(&scene).iter().filter(|text| **text == part).count();
                assert_eq!(named, 1, "{name}: {part}");
                assert!(
                    is_over_its_part(&scene, &input, &layout, part),
                    "{name}: {part}"
                );
            }
        }
    }
}

/// Whether a name stands over the part it names.
fn is_over_its_part(
    scene: &Scene,
    input: &parts::Input,
    layout: &parts::Layout,
    name: &str,
) -> bool {
    let words = extent(said(scene, name).unwrap());
    let part = input.names.iter().position(|other| *other == name).unwrap();
    let below = layout
        .rows
        .iter()
        .find(|row| row.bar.top > words.bottom - 2.0)
        .unwrap()
        .parts[part];
    let middle = f64::midpoint(below.left, below.right);
    let over = words.left <= middle && middle <= words.right;
    below.top - words.bottom < 8.0
        && (over || words.left >= below.left && words.right <= below.right)
}

#[test]
fn grey_is_padding_and_what_has_no_kernel_has_no_bar() {
    let bars = sequences();
    let mut input = input(&bars, false);
    input.chosen = Some(4);
    for (size, frame) in frames(&input) {
        let (scene, layout) = (input.scene(&frame), parts::layout(&input, &frame));
        let grey: Vec<Area> = rects(&scene, frame.theme.padding);
        let padding: Vec<Area> = layout
            .rows
            .iter()
            .map(|row| row.parts[2])
            .filter(|a| a.width() >= 0.25)
            .collect();
        assert_eq!(grey, padding, "{size}");
        let needle = rects(&scene, frame.theme.accent);
        assert_eq!(needle.len(), 1);
        assert!(
            needle[0].right < 4.0
                && layout.rows[4]
                    .area
                    .contains(1.0, f64::midpoint(needle[0].top, needle[0].bottom))
        );
        let (without, row) = (said(&scene, "Unpadded, balanced").unwrap(), &layout.rows[6]);
        assert!(matches!(without, Mark::Text { colour, .. } if *colour == frame.theme.second_ink));
        assert_eq!(row.bar.width(), 0.0);
        let drawn = scene
            .marks
            .iter()
            .filter(|mark| !matches!(mark, Mark::Text { .. }));
        assert!(
            drawn
                .into_iter()
                .all(|mark| extent(mark).bottom < row.bar.top),
            "{size}"
        );
    }
}

#[test]
fn a_pointer_finds_the_part_it_is_on() {
    let bars = sequences();
    let input = input(&bars, false);
    for (size, frame) in frames(&input) {
        let layout = parts::layout(&input, &frame);
        for (method, row) in layout.rows.iter().enumerate() {
            let middle = f64::midpoint(row.bar.top, row.bar.bottom);
            for (k, part) in row
                .parts
                .iter()
                .enumerate()
                .filter(|(_, part)| part.width() >= 2.0)
            {
                let at = (f64::midpoint(part.left, part.right), middle);
                assert_eq!(
                    input.hit(at, &frame),
                    Some([method as u32, k as u32]),
                    "{size}"
                );
            }
            assert_eq!(
                input.hit((row.bar.right + 12.0, middle), &frame),
                None,
                "{size}"
            );
            assert_eq!(input.hit((1.0, middle), &frame), None, "{size}");
        }
        // An outline round it, and nothing else moves.
        let before = input.scene(&frame);
        let after = input.scene(&frame.pointing([3, 3]));
        assert_tidy(&size, &after, &frame);
        assert_eq!(after.marks[..before.marks.len()], before.marks);
        assert_eq!(after.marks.len(), before.marks.len() + 4);
        let steps = [
            (None, [1, 1]),
            (Some([0, 2]), [-1, 1]),
            (Some([0, 2]), [9, -9]),
        ];
        let steps = steps.map(|(from, by)| input.step(from, by, &frame).unwrap());
        assert_eq!(
            steps,
            [[0, 2], [0, 1], [6, 5]],
            "down is to the next method"
        );
    }
}

#[test]
fn odd_parts_and_small_frames_break_nothing() {
    let odd = [
        vec![],
        vec![bar("Padded", Some([0.0; 6]), "0 s")],
        vec![bar("Padded", None, "no kernel for it")],
        vec![
            bar("Padded", Some([1.0; 6]), "6 h"),
            bar("Packed", Some([1.0; 6]), "6 h"),
        ],
        vec![
            bar(
                "Padded",
                Some([f64::NAN, f64::INFINITY, -1.0, 1e305, 1e-300, 0.0]),
                "",
            ),
            bar("", Some([1.0; 6]), "6 h"),
        ],
    ];
    for bars in &odd {
        let input = parts::Input {
            chosen: Some(7),
            ..input(bars, false)
        };
        for (width, height) in [(1.0, 1.0), (60.0, 40.0), (328.0, 30.0), (900.0, 400.0)] {
            let frame = Frame::canvas(width, height, 2.0, Theme::DARK).pointing([9, 9]);
            let (scene, layout) = (input.scene(&frame), parts::layout(&input, &frame));
            assert!(!svg("small-parts", &scene, &frame).contains("NaN"));
            assert_eq!(layout.rows.len(), bars.len());
            assert!(
                layout
                    .rows
                    .iter()
                    .all(|row| row.area.bottom <= height + 1e-9 && row.bar.right.is_finite())
            );
            assert_eq!(input.hit((f64::NAN, f64::NAN), &frame), None);
        }
    }
}

/// Speed-ups that fall with waiting, from the first to the last.
fn falling(first: f64, last: f64) -> Vec<f64> {
    (0..13)
        .map(|i| last + (first - last) * (-f64::from(i) / 4.0).exp())
        .collect()
}

const NAMES: [&str; 5] = [
    "Packed, block-diagonal",
    "Packed, dense mask",
    "Unpadded",
    "Unpadded, balanced",
    "Batches, sorted",
];

/// The last falls below padded rows.
fn waits() -> Vec<Vec<f64>> {
    let ends = [
        (1.88, 1.86),
        (1.71, 1.705),
        (1.95, 1.12),
        (1.95, 1.6),
        (1.2, 0.9),
    ];
    ends.into_iter()
        .map(|(first, last)| falling(first, last))
        .collect()
}

fn curves(values: Vec<Vec<f64>>, errors: &[f64]) -> Vec<crew::MethodCurve> {
    let errors = |name: &str| {
        if name.starts_with("Unp") {
            errors.to_vec()
        } else {
            vec![]
        }
    };
    let curve = |(name, values)| crew::MethodCurve {
        name,
        values,
        errors: errors(name),
    };
    NAMES.into_iter().zip(values).map(curve).collect()
}

fn crew(curves: Vec<crew::MethodCurve>, chosen: Option<usize>, accelerators: u32) -> crew::Input {
    crew::Input {
        curves,
        baseline: "padded",
        chosen,
        accelerators,
    }
}

#[test]
fn speedups_over_accelerators_have_names_and_dots() {
    let values = waits();
    let errors: Vec<f64> = (0..13).map(|i| 0.004 * f64::from(i)).collect();
    for (count, n) in [(5, 64), (4, 1), (5, 4096), (1, 2), (3, 100)] {
        let curves = curves(values[..count].to_vec(), &errors);
        let input = crew(curves.clone(), Some(0), n);
        let sizes = WIDTHS.map(|width| (width, 300.0));
        for (name, scene, frame) in drawn(&format!("crew-{count}-{n}"), &input, &sizes) {
            let (layout, theme) = (input.plane(&frame).unwrap(), frame.theme);
            // The spot under the pointer adds a line and dots, and nothing else moves.
            let pointed = input.scene(&frame.pointing([1024, 0]));
            assert_tidy(&name, &pointed, &frame);
            assert!(texts(&pointed) == texts(&scene) && pointed.marks.len() > scene.marks.len());
            let texts = texts(&scene);
            assert!(texts.contains(&"padded"), "{name}: {texts:?}");
            let whole = texts.concat().replace([' ', ','], "");
            for curve in &curves {
                assert!(
                    whole.contains(&curve.name.replace([' ', ','], "")),
                    "{name}: {} in {texts:?}",
                    curve.name
                );
            }
            for label in ["1", "8", "64", "512", "4,096"] {
                assert!(texts.contains(&label), "{name}: {texts:?}");
            }
            let x = layout.plot.left + layout.plot.width() * f64::from(n).log2() / 12.0;
            let dots = |colour: [u8; 3]| {
                let dot = |mark: &&Mark| matches!(mark, Mark::Disc(at, _, c) if (at.0 - x).abs() < 1e-6 && *c == colour);
                scene.marks.iter().filter(dot).count()
            };
            assert_eq!(
                [dots(theme.accent), dots(theme.second_ink)],
                [1, count - 1],
                "{name}"
            );
            assert!(rects(&scene, theme.padding).is_empty());
        }
    }
}

#[test]
fn the_needle_says_what_is_chosen_and_lines_are_told_apart_by_dashes() {
    let curves = curves(waits(), &[]);
    let frame = Frame::svg(640.0, 300.0, Theme::LIGHT);
    let input = crew(curves.clone(), Some(2), 1);
    let (scene, layout) = (input.scene(&frame), input.plane(&frame).unwrap());
    assert!(
        texts(&scene).contains(&"1.9× with 1 accelerator"),
        "{:?}",
        texts(&scene)
    );
    let colours = [
        Theme::LIGHT.accent,
        Theme::LIGHT.second_ink,
        Theme::LIGHT.control,
    ];
    let paths = |mark: &Mark| match mark {
        Mark::Path(.., colour) => Some(*colour),
        _ => None,
    };
    assert!(
        scene
            .marks
            .iter()
            .filter_map(paths)
            .all(|colour| colours.contains(&colour))
    );
    // Higher is faster, and padded rows have their line at 1.
    let line = |mark: &&Mark| match mark {
        Mark::Rule {
            from, to, colour, ..
        } => *colour == Theme::LIGHT.second_ink && to.0 - from.0 > 300.0,
        _ => false,
    };
    assert_eq!(
        scene.marks.iter().filter(line).count(),
        2,
        "the axis and the line at 1"
    );
    // Where all are faster the axis begins with padded rows.
    let faster = crew(curves[..4].to_vec(), Some(2), 1);
    let (scene, above) = (faster.scene(&frame), faster.plane(&frame).unwrap());
    assert!(
        texts(&scene).contains(&"1.0×") && !texts(&scene).contains(&"0.0×"),
        "{:?}",
        texts(&scene)
    );
    assert_eq!(above.plot, layout.plot);
}

#[test]
fn a_press_finds_the_number_of_accelerators_and_a_drag_stays_on_the_axis() {
    let input = crew(curves(waits(), &[]), None, 64);
    for width in WIDTHS {
        let frame = Frame::svg(width, 300.0, Theme::LIGHT);
        let layout = input.plane(&frame).unwrap();
        let step = layout.plot.width() / 12.0;
        let at = |place| input.hit(place, &frame).map(|[n, _]| n);
        let nearest = |x| input.drag((x, 150.0), &frame)[0];
        for (i, n) in ACCELERATORS.into_iter().enumerate() {
            let x = layout.plot.left + step * i as f64;
            assert_eq!(at((x, 5.0)), Some(n), "the handle at {width}");
            assert_eq!(
                at((x + step * 0.4, 150.0)),
                Some(n).filter(|_| i < 12 || step * 0.4 < 14.0)
            );
            assert_eq!(nearest(x - step * 0.4), n);
        }
        assert_eq!([nearest(-1e9), nearest(1e9)], [1, 4096]);
        assert_eq!(at((width - 2.0, 150.0)), None, "on the names");
        let names = (width - 2.0, 150.0);
        assert_eq!(
            (input.grip(names, &frame), input.drag(names, &frame)),
            (None, [4096, 0])
        );
    }
    let frame = Frame::svg(640.0, 300.0, Theme::LIGHT);
    let steps = [[1, 0], [0, -9], [9, 9]].map(|by| input.step(None, by, &frame));
    assert_eq!(
        steps,
        [Some([128, 0]), Some([1, 0]), Some([4096, 0])],
        "by doublings"
    );
    let said = input.reading([1, 0]).unwrap();
    assert!(
        said.starts_with("1: Unpadded 1.9×, Unpadded, balanced 1.9×, Packed, block-diagonal 1.9×"),
        "{said}"
    );
    assert!(said.ends_with("Batches, sorted 1.2×, estimated."), "{said}");
    assert_eq!(input.reading([3, 0]), None);
    let table = input.table().unwrap();
    assert_eq!(
        (
            table.head.len(),
            table.rows.len(),
            table.rows[4][1].as_str()
        ),
        (14, 5, "1.2×")
    );
}

#[test]
fn odd_curves_and_small_frames_break_nothing() {
    let nan = [f64::NAN; 13];
    let holes = [1.0, f64::NAN, 2.0, 2.5, f64::INFINITY, 3.0];
    let wild = [1e300, 0.0, -5.0, 1.0];
    let sets: [Vec<&[f64]>; 6] = [
        vec![],
        vec![&[]],
        vec![&nan],
        vec![&[1.0; 13], &[1.0; 13]],
        vec![&holes, &nan],
        vec![&wild, &[1.003; 20]],
    ];
    for set in &sets {
        let curves: Vec<_> = set
            .iter()
            .map(|values| crew::MethodCurve {
                name: "Unpadded, balanced",
                values: values.to_vec(),
                errors: nan.to_vec(),
            })
            .collect();
        for n in [0, 1, 3, 4096, u32::MAX] {
            let input = crew(curves.clone(), Some(1), n);
            assert_placed("small-crew", &[&input], [n / 2, 0]);
            let frame = Frame::svg(640.0, 300.0, Theme::LIGHT);
            assert_eq!(input.step(None, [1, 0], &frame).is_some(), n > 0);
            assert_eq!(input.hit((f64::NAN, 3.0), &frame), None);
        }
    }
}
