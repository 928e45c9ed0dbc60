//! The heat map of both sizes.

use super::{GRAPH_WIDTHS, assert_tidy, molhiv, rects, svg, texts, themes};
use packscope_chart::heat::{self, Cell, Corner};
use packscope_chart::{Chart, Frame, Scene, Theme};

const LIMITS: [u32; 2] = [222, 502];

fn graphs(entries: &[([u32; 2], u64)], limits: [u32; 2]) -> heat::Input {
    let total: f64 = entries.iter().map(|(_, n)| *n as f64).sum();
    let mean = |k: usize| {
        entries
            .iter()
            .map(|(s, n)| f64::from(s[k]) * *n as f64)
            .sum::<f64>()
            / total.max(1.0)
    };
    heat::Input {
        entries: entries.into(),
        limits,
        ends: None,
        names: ["nodes", "edges"].map(str::to_owned),
        items: "graphs",
        mean: [mean(0), mean(1)],
        log: true,
        marks: Vec::new(),
    }
}

/// Height of the drawing at a width.
fn height(width: f64) -> f64 {
    if width < 520.0 {
        width * 1.15
    } else {
        width * 0.8
    }
}

fn drawn(name: &str, input: &heat::Input, width: f64, theme: Theme) -> (Scene, heat::Layout) {
    let frame = Frame::svg(width, height(width), theme);
    let (scene, layout) = (input.scene(&frame), heat::layout(input, &frame));
    assert!(!svg(name, &scene, &frame).contains("NaN"));
    assert_tidy(name, &scene, &frame);
    (scene, layout)
}

#[test]
fn the_map_says_what_the_sizes_are_and_where_the_limits_lie() {
    let entries = molhiv();
    for (width, (theme_name, theme)) in GRAPH_WIDTHS
        .into_iter()
        .flat_map(|w| themes().map(|t| (w, t)))
    {
        let name = format!("heat-molhiv-{width}-{theme_name}");
        let (scene, layout) = drawn(&name, &graphs(&entries, LIMITS), width, theme);
        let words = texts(&scene).join("|");
        for said in [
            "mean 25.3 nodes, largest 222",
            "mean 54.1 edges",
            "largest 502",
            "222 ",
            "graphs per cell",
        ] {
            assert!(words.contains(said), "{name}: {said} is missing in {words}");
        }
        assert_eq!(
            layout.map.cells.iter().map(|c| c.count).sum::<u64>(),
            32_901
        );
        assert!(
            layout.map.bin[1] % 2 == 0,
            "edges come in pairs: {:?}",
            layout.map.bin
        );
        assert!(layout.map.cells.len() < 800);
        assert!(layout.inset.is_some(), "{name}");
        // The grey ends at the limits: no cell is beyond them, though the largest graphs are on them.
        let grey = rects(&scene, theme.padding_wash)[0];
        let beyond = |size| layout.map.cell_area(size).right > grey.right + 1e-9;
        assert!(layout.map.bin[0] > 2 || !entries.iter().any(|(size, _)| beyond(*size)));
    }
}

#[test]
fn the_inset_shows_one_size_a_cell_and_only_where_a_corner_is_crowded() {
    let entries = molhiv();
    let (scene, layout) = drawn("heat-inset", &graphs(&entries, LIMITS), 840.0, Theme::LIGHT);
    let inset = layout.inset.unwrap();
    assert_eq!(inset.bin, [1, 2]);
    assert!(
        texts(&scene).contains(&"one cell = one size of graph"),
        "{:?}",
        texts(&scene)
    );
    let even: Vec<_> = (1..=40)
        .flat_map(|n| (1..=40).map(move |e| ([n, e], 3)))
        .collect();
    let uniform = drawn(
        "heat-uniform",
        &graphs(&even, [40, 40]),
        840.0,
        Theme::LIGHT,
    )
    .1;
    assert!(uniform.inset.is_none());
    let one = drawn(
        "heat-one",
        &graphs(&[([30, 60], 5)], [30, 60]),
        840.0,
        Theme::LIGHT,
    )
    .1;
    assert!(one.inset.is_none() && one.map.cells.len() == 1);
}

#[test]
fn a_pointer_finds_the_cell_it_is_on_in_map_and_inset() {
    let entries = molhiv();
    for width in GRAPH_WIDTHS {
        let frame = Frame::canvas(width, height(width), 2.0, Theme::DARK);
        let layout = heat::layout(&graphs(&entries, LIMITS), &frame);
        let inset = layout.inset.as_ref().unwrap();
        for map in [&layout.map, inset] {
            for cell in &map.cells {
                let area = map.cell_area(cell.from);
                let at = (
                    f64::midpoint(area.left, area.right),
                    f64::midpoint(area.top, area.bottom),
                );
                assert_eq!(layout.cell_at(at.0, at.1), Some(*cell));
            }
        }
        let size = inset.cell_of([18, 38]).unwrap();
        assert!(size.count == 694 || width < 840.0, "{size:?}");
        assert_eq!(layout.cell_at(-5.0, 50.0), None);
        assert_eq!(
            layout.cell_at(layout.map.area.right - 1.0, layout.map.area.bottom - 1.0),
            None
        );
    }
}

#[test]
fn the_corner_is_dragged_to_where_the_pointer_is() {
    let entries = molhiv();
    for limits in [LIMITS, [100, 502], [222, 200], [444, 1004], [60, 120]] {
        let input = graphs(&entries, limits);
        let frame = Frame::canvas(840.0, 670.0, 1.0, Theme::LIGHT);
        let layout = heat::layout(&input, &frame);
        let (x, y) = layout.corner;
        assert_eq!(layout.limits_at(x, y), limits);
        assert_eq!(layout.near_corner(x + 11.0, y - 11.0), Some(Corner::Both));
        assert_eq!(
            layout.near_corner(x - 11.0, layout.map.area.bottom - 20.0),
            Some(Corner::First)
        );
        let hidden = layout
            .inset
            .as_ref()
            .is_some_and(|inset| inset.area.contains(x / 2.0, y + 11.0));
        let second = layout.near_corner(layout.map.area.left + 14.0, y + 11.0);
        assert!(hidden || second == Some(Corner::Second), "{limits:?}");
        assert_eq!(layout.near_corner(x + 30.0, y - 30.0), None);
        assert_eq!(layout.limits_at(5000.0, -5000.0), [444, 1004]);
        assert_eq!(layout.limits_at(-50.0, 5000.0), [1, 1]);
        drawn(
            &format!("heat-limits-{}-{}", limits[0], limits[1]),
            &input,
            840.0,
            Theme::LIGHT,
        );
        drawn("heat-limits-narrow", &input, 320.0, Theme::LIGHT);
    }
}

/// Limits with a name can be pressed; the corner that is dragged snaps to them, and then has their name.
#[test]
fn limits_with_a_name_are_pressed_and_caught() {
    let entries = molhiv();
    let marks = vec![
        ("95 %", [41, 88]),
        ("99 %", [58, 126]),
        ("100 %", [222, 502]),
    ];
    for (limits, shown) in [([222, 502], 2), ([150, 300], 3), ([58, 126], 2)] {
        let input = heat::Input {
            marks: marks.clone(),
            ..graphs(&entries, limits)
        };
        for (width, (theme_name, theme)) in GRAPH_WIDTHS
            .into_iter()
            .flat_map(|w| themes().map(|t| (w, t)))
        {
            let name = format!("heat-marks-{}-{width}-{theme_name}", limits[0]);
            let (scene, layout) = drawn(&name, &input, width, theme);
            let frame = Frame::svg(width, height(width), theme);
            let (mut pressed, mut said) = (0, 0);
            for (name, at) in &marks {
                let (x, y) = layout.map.point(at.map(f64::from));
                let near = (x - 4.0, y + 2.0);
                match input.hit(near, &frame) {
                    Some(found) => {
                        assert_eq!((found, input.grip(near, &frame)), (*at, None), "{name}");
                        assert_eq!(input.drag(near, &frame), *at);
                        pressed += 1;
                    }
                    None => assert!(*at == limits || layout.inset.is_some(), "{name} {width}"),
                }
                said += usize::from(texts(&scene).contains(name));
            }
            assert!(
                pressed <= shown && (width < 500.0 || pressed == shown),
                "{width}: {pressed}"
            );
            assert!(
                said <= pressed && (width < 500.0 || said > 0),
                "{width}: {said}"
            );
            let corner = texts(&scene).join("|").contains(", 99 %");
            assert_eq!(corner, limits == [58, 126], "{width}");
        }
    }
    // The corner itself is dragged, not pressed.
    let input = heat::Input {
        marks,
        ..graphs(&entries, [60, 128])
    };
    let frame = Frame::canvas(840.0, 670.0, 1.0, Theme::LIGHT);
    let at = heat::layout(&input, &frame).corner;
    assert_eq!(
        (input.grip(at, &frame), input.hit(at, &frame)),
        (Some([true, true]), None)
    );
}

#[test]
fn axes_stay_while_the_corner_is_dragged() {
    let entries = molhiv();
    let frame = Frame::canvas(840.0, 670.0, 1.0, Theme::LIGHT);
    let at = |limits| heat::Input {
        ends: Some([300, 600]),
        ..graphs(&entries, limits)
    };
    let [short, long] = [[50, 100], [444, 1004]].map(|limits| heat::layout(&at(limits), &frame));
    assert_eq!(short.map.ends, long.map.ends);
    assert_eq!(long.corner, (long.map.area.right, long.map.area.top));
}

#[test]
fn colours_are_in_factors_or_in_differences() {
    let entries = molhiv();
    let log = graphs(&entries, LIMITS);
    let linear = heat::Input {
        log: false,
        ..log.clone()
    };
    let (log, _) = drawn("heat-log", &log, 840.0, Theme::DARK);
    let (linear, _) = drawn("heat-linear", &linear, 840.0, Theme::DARK);
    assert_ne!(log, linear);
    let dark = |scene: &Scene| rects(scene, Theme::DARK.heat(0.0)).len();
    assert!(dark(&log) > 100, "single graphs are the darkest");
    assert!(
        dark(&linear) > dark(&log),
        "few are as dark as one where differences count"
    );
    assert!(
        texts(&log).contains(&"46") && texts(&linear).contains(&"1,073"),
        "{:?}",
        texts(&linear)
    );
}

#[test]
fn the_cell_under_the_pointer_says_what_it_holds() {
    let entries = molhiv();
    for width in GRAPH_WIDTHS {
        for hover in [[18, 38], [222, 502], [2, 2], [1, 200]] {
            let frame = Frame::svg(width, height(width), Theme::LIGHT).pointing(hover);
            let input = graphs(&entries, LIMITS);
            let (scene, layout) = (input.scene(&frame), heat::layout(&input, &frame));
            svg(&format!("heat-hover-{width}-{}", hover[0]), &scene, &frame);
            let said = texts(&scene)
                .iter()
                .any(|t| t.contains(" graph") && t.split(' ').count() == 2);
            assert_eq!(said, layout.map.cell_of(hover).is_some(), "{hover:?}");
        }
    }
    let input = graphs(&entries, LIMITS);
    let scene = input.scene(&Frame::svg(840.0, 670.0, Theme::LIGHT).pointing([18, 38]));
    assert!(texts(&scene).contains(&"694 graphs") && texts(&scene).contains(&"18 nodes, 38 edges"));
    assert_eq!(
        input.summary(),
        "Heat map of 32,901 graphs by nodes and edges. On average 25.3 nodes and 54.1 edges, at most 222 and \
         502. The limits are 222 nodes × 502 edges."
    );
}

#[test]
fn a_press_holds_the_limits_it_is_near_and_the_table_has_every_graph() {
    let (map, frame) = (
        graphs(&molhiv(), [100, 300]),
        Frame::canvas(840.0, 670.0, 1.0, Theme::LIGHT),
    );
    let layout = heat::layout(&map, &frame);
    let ((x, y), axes) = (layout.corner, layout.map.area);
    let places = [
        (x, y),
        (x, axes.bottom + 5.0),
        (axes.left - 5.0, y),
        (x + 40.0, y + 40.0),
    ];
    let grips = places.map(|at| map.grip(at, &frame));
    assert_eq!(
        grips,
        [
            Some([true, true]),
            Some([true, false]),
            Some([false, true]),
            None
        ]
    );
    assert_eq!(map.drag((x, y), &frame), [100, 300]);
    let table = map.table().unwrap();
    assert_eq!(
        (table.caption.as_str(), table.head.len()),
        ("Graphs by nodes and edges", 5)
    );
    assert_eq!(
        [&table.head[1], &table.rows[1][0]],
        ["0 to 126 edges", "57 to 112"]
    );
    let cells = table.rows.iter().flat_map(|row| &row[1..]);
    let sum: u64 = cells
        .map(|cell| cell.replace(',', "").parse::<u64>().unwrap())
        .sum();
    assert_eq!(sum, 32_901);
}

#[test]
fn many_sizes_give_some_thousand_cells() {
    let entries: Vec<_> = (0..43_000u32)
        .map(|i| {
            (
                [
                    1 + i.wrapping_mul(7919) % 1999,
                    1 + i.wrapping_mul(104_729) % 5003,
                ],
                1,
            )
        })
        .collect();
    let (scene, layout) = drawn(
        "heat-many",
        &graphs(&entries, [2000, 5000]),
        840.0,
        Theme::LIGHT,
    );
    assert!(layout.map.cells.len() <= 5000 && scene.marks.len() < 6000);
    assert_eq!(
        layout.map.cells.iter().map(|c| c.count).sum::<u64>(),
        43_000
    );
}

#[test]
fn nothing_breaks_in_no_space_or_without_data() {
    let large = [
        ([1, 0], 3),
        ([u32::MAX, u32::MAX], u64::MAX / 2),
        ([u32::MAX - 1, 7], u64::MAX),
    ];
    for (width, height) in [(1.0, 1.0), (60.0, 40.0), (300.0, 90.0)] {
        let frame = Frame::svg(width, height, Theme::LIGHT).pointing([1, 1]);
        for entries in [&[][..], &[([1, 1], 1)], &large] {
            for log in [true, false] {
                let limits = [512, u32::MAX];
                let input = heat::Input {
                    log,
                    ..graphs(entries, limits)
                };
                let (scene, layout) = (input.scene(&frame), heat::layout(&input, &frame));
                assert!(!svg("small-heat", &scene, &frame).contains("NaN"));
                assert!(layout.limits_at(1e9, -1e9).iter().all(|limit| *limit >= 1));
            }
        }
    }
}

/// A map of these sizes up to 40, in a frame so narrow that several share a cell.
fn coarse(entries: &[([u32; 2], u64)]) -> heat::Map {
    let input = heat::Input {
        ends: Some([40, 40]),
        ..graphs(entries, [40, 40])
    };
    heat::layout(&input, &Frame::svg(52.0, 150.0, Theme::LIGHT)).map
}

#[test]
fn sizes_up_to_a_limit_lie_within_it() {
    let entries = [([1, 0], 1), ([10, 10], 2), ([11, 12], 4), ([40, 40], 8)];
    let map = coarse(&entries);
    assert_eq!(
        map.bin.map(|bin| bin > 1 && 40 % bin == 0),
        [true; 2],
        "{:?}",
        map.bin
    );
    let cell = |size: [u32; 2]| [0, 1].map(|k| size[k].max(1).div_ceil(map.bin[k]));
    let mut wanted = std::collections::BTreeMap::<_, Vec<([u32; 2], u64)>>::new();
    entries
        .iter()
        .for_each(|entry| wanted.entry(cell(entry.0)).or_default().push(*entry));
    assert_eq!(map.cells.len(), wanted.len());
    for (cell, items) in &wanted {
        let found = map.cell_of(items[0].0).unwrap();
        let end = |least: bool| {
            [0, 1].map(|k| {
                let sizes = items.iter().map(|(size, _)| size[k]);
                if least {
                    sizes.min().unwrap()
                } else {
                    sizes.max().unwrap()
                }
            })
        };
        let count = items.iter().map(|(_, n)| n).sum::<u64>();
        assert_eq!(
            found,
            Cell {
                from: end(true),
                to: end(false),
                count
            }
        );
        // As far as the largest size of the cell, and no farther.
        let last = [0, 1].map(|k| f64::from(cell[k] * map.bin[k]).min(map.ends[k]));
        let (area, (right, top)) = (map.cell_area(found.from), map.point(last));
        assert!(
            (area.right - right).abs() < 1e-9 && (area.top - top).abs() < 1e-9,
            "{found:?}"
        );
    }
}

#[test]
fn insets_hold_what_is_up_to_their_ends_and_cover_no_cell() {
    let entries = molhiv();
    let mut insets = 0;
    for width in GRAPH_WIDTHS {
        let frame = Frame::svg(width, height(width), Theme::LIGHT);
        let layout = heat::layout(&graphs(&entries, LIMITS), &frame);
        let Some(inset) = layout.inset else { continue };
        insets += 1;
        let last =
            [0, 1].map(|k| (inset.ends[k] / f64::from(inset.bin[k])).ceil() as u32 * inset.bin[k]);
        let within = entries
            .iter()
            .filter(|(size, _)| size[0] <= last[0] && size[1] <= last[1]);
        let beyond = entries
            .iter()
            .filter(|(size, _)| size[0] > last[0] || size[1] > last[1])
            .count();
        assert!(beyond > 0, "{last:?}");
        assert_eq!(
            inset.cells.iter().map(|c| c.count).sum::<u64>(),
            within.map(|(_, n)| n).sum::<u64>()
        );
        let apart = |cell: &Cell| {
            let (a, b) = (layout.map.cell_area(cell.from), inset.area);
            a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top
        };
        assert!(layout.map.cells.iter().all(apart), "{width}");
    }
    assert!(insets > 0);
}

/// Sizes in a cell, on a map that has room for cells of a single size.
fn bins(entries: &[([u32; 2], u64)], end: u32) -> [u32; 2] {
    let input = heat::Input {
        ends: Some([end; 2]),
        ..graphs(entries, [1, 1])
    };
    heat::layout(&input, &Frame::svg(4000.0, 4000.0, Theme::LIGHT))
        .map
        .bin
}

#[test]
fn even_sizes_have_even_cells() {
    assert_eq!(
        bins(&[([3, 4], 96), ([4, 6], 30), ([5, 7], 1)], 286),
        [1, 2]
    );
    assert_eq!(
        bins(&[([9, 28], 3), ([8, 26], 2)], 28)[1],
        2,
        "few sizes are no reason for stripes"
    );
    assert_eq!(
        bins(&[([512, 1], 1)], 571)[0],
        1,
        "one cell for everything would say nothing"
    );
    assert_eq!(bins(&[], 1), [1, 1]);
}

/// The corner that an inset shows ends where 99 % of the items are within it.
#[test]
fn insets_end_at_the_ends_of_bins() {
    let few: Vec<_> = (1..=100)
        .map(|n| ([n, 2 * n], 99))
        .chain([([1000, 2000], 100)])
        .collect();
    let fine = heat::layout(
        &graphs(&few, [1000, 2000]),
        &Frame::svg(4000.0, 4000.0, Theme::LIGHT),
    );
    assert_eq!(fine.inset.map(|inset| inset.ends), Some([100.0, 200.0]));
    let frame = Frame::svg(520.0, 520.0, Theme::LIGHT);
    let coarse = heat::layout(&graphs(&few, [1000, 2000]), &frame);
    let pixels = [coarse.map.area.width(), coarse.map.area.height()];
    // Bins of at least a pixel and a half, of 1, 2, 5, 10 … sizes, of which all of the second are even.
    let width = |k: usize| {
        let step = [1.0, 2.0][k];
        let least = 1.5 * coarse.map.ends[k] / pixels[k] / step;
        step * [1.0, 2.0, 5.0, 10.0, 20.0]
            .into_iter()
            .find(|width| *width >= least)
            .unwrap()
    };
    let end = |k: usize| ([100.0, 200.0][k] / width(k)).ceil() * width(k);
    assert_eq!(coarse.inset.map(|inset| inset.ends), Some([end(0), end(1)]));
    let none = heat::layout(&graphs(&[], [1, 1]), &frame);
    assert!(none.inset.is_none() && none.map.cells.is_empty());
}
