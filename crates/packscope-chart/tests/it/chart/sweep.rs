//! Efficiency over both limits.

use super::{GRAPH_WIDTHS, assert_tidy, rects, svg, texts, themes};
use packscope_chart::{Area, Chart, Frame, Mark, Theme, sweep, viridis};
use std::rc::Rc;

type Point = packscope::sweep::SweepPoint<2>;

/// 40 × 60 limits, as the page sweeps.
fn limits() -> [Vec<u32>; 2] {
    let steps = |from: u32, n: u32| (0..n).map(|i| from + from * i / (n - 1)).collect();
    [steps(222, 40), steps(502, 60)]
}

/// A smooth efficiency with a ridge where edges are 2.14 times nodes.
fn point(limits: [u32; 2]) -> Point {
    let [nodes, edges] = limits.map(f64::from);
    let off = (edges / nodes / 2.14).ln();
    let harmonic = 0.991 - 0.45 * off.abs() - 0.02 * ((nodes - 421.0) / 222.0).powi(2);
    let packs = (830_936.0 / nodes.min(edges / 2.14) / harmonic).ceil() as u64;
    Point {
        limits,
        packs,
        needed: limits,
        efficiency: [harmonic; 2],
        harmonic,
    }
}

fn points(axes: &[Vec<u32>; 2]) -> Vec<Point> {
    axes[1]
        .iter()
        .flat_map(|e| axes[0].iter().map(|n| point([*n, *e])))
        .collect()
}

fn input(axes: &[Vec<u32>; 2], points: &[Point]) -> sweep::Input {
    sweep::Input {
        axes: axes.clone(),
        grid: true,
        points: Rc::new(points.to_vec()),
        adopted: [222, 502],
        best: None,
        smallest: None,
        front: vec![],
        names: ["nodes", "edges"].map(str::to_owned),
    }
}

fn height(width: f64) -> f64 {
    if width < 520.0 {
        width * 1.2
    } else {
        width * 0.72
    }
}

#[test]
fn the_best_the_smallest_and_the_adopted_limits_are_named() {
    let axes = limits();
    let points = points(&axes);
    let best = points
        .iter()
        .max_by(|a, b| a.harmonic.total_cmp(&b.harmonic))
        .unwrap();
    let front = [[222, 502], [233, 502], [290, 622], best.limits];
    for (width, (theme_name, theme)) in GRAPH_WIDTHS
        .into_iter()
        .flat_map(|w| themes().map(|t| (w, t)))
    {
        let frame = Frame::svg(width, height(width), theme).pointing([301, 800]);
        let all = sweep::Input {
            best: Some(best.limits),
            smallest: Some([233, 502]),
            front: front.to_vec(),
            ..input(&axes, &points)
        };
        let (scene, layout) = (all.scene(&frame), sweep::layout(&all, &frame));
        let name = format!("sweep-molhiv-{width}-{theme_name}");
        assert!(!svg(&name, &scene, &frame).contains("NaN"));
        assert_tidy(&name, &scene, &frame);
        let texts = texts(&scene);
        let [nodes, edges] = best.limits;
        for end in [", best", ", smallest", ", adopted"] {
            assert!(
                texts.iter().any(|t| t.ends_with(end)),
                "{end} is missing in {texts:?}"
            );
        }
        assert!(
            texts
                .iter()
                .any(|t| t.starts_with(&format!("{nodes} × {edges}: "))),
            "{texts:?}"
        );
        assert_eq!(
            texts.contains(&"node slots run out first:"),
            width > 800.0,
            "{texts:?}"
        );
        assert!(texts.contains(&"edge limit") && texts.contains(&"node limit"));
        assert!(
            texts.iter().any(|t| t.starts_with("≤ ")),
            "less than 0.7 of the best is cut"
        );
        assert_eq!(layout.range.unwrap().high, best.harmonic);
    }
}

#[test]
fn a_map_fills_in_as_it_is_computed() {
    let axes = limits();
    let all = points(&axes);
    let frame = Frame::svg(840.0, 600.0, Theme::LIGHT);
    let mut before = 0;
    for known in [0, 1, 700, 2400] {
        let input = input(&axes, &all[..known]);
        let (scene, layout) = (input.scene(&frame), sweep::layout(&input, &frame));
        svg(&format!("sweep-{known}"), &scene, &frame);
        assert_tidy("sweep", &scene, &frame);
        let inside = |m: &&Mark| matches!(m, Mark::Rect(a, _) if a.left >= layout.field.area.left - 1.0 && a.right <= layout.field.area.right + 1.0);
        let cells = scene.marks.iter().filter(inside).count();
        assert!(cells >= known && cells >= before, "{cells}");
        before = cells;
        assert_eq!(layout.range.is_none(), known == 0);
        assert!(
            texts(&scene).contains(&"node limit") && texts(&scene).contains(&"300"),
            "axes without points"
        );
        let words = input.summary();
        assert_eq!(
            words.contains("nothing is computed yet"),
            known == 0,
            "{words}"
        );
        assert_eq!(
            words.contains("of 2,400 limits so far"),
            known == 1 || known == 700,
            "{words}"
        );
        assert!(
            rects(&scene, Theme::LIGHT.padding).is_empty(),
            "grey is padding"
        );
    }
}

/// The first points of a sweep, every eighth in both directions, fill the map.
#[test]
fn a_map_is_coarse_before_it_is_fine() {
    let axes = limits();
    let every = |step: usize| -> Vec<Point> {
        let at = |k: usize| axes[k].iter().step_by(step);
        at(1)
            .flat_map(|e| at(0).map(move |n| point([*n, *e])))
            .collect()
    };
    let frame = Frame::svg(840.0, 600.0, Theme::LIGHT);
    let coarse = every(8);
    let input = input(&axes, &coarse);
    let (scene, layout) = (input.scene(&frame), sweep::layout(&input, &frame));
    svg("sweep-coarse", &scene, &frame);
    let area = layout.field.area;
    let within = |a: &Area| {
        a.left >= area.left - 0.1 && a.right <= area.right + 0.1 && a.bottom <= area.bottom + 0.1
    };
    let cells = scene.marks.iter().filter_map(|mark| match mark {
        Mark::Rect(a, _) if within(a) => Some(*a),
        _ => None,
    });
    let size = |a: Area| (a.right - a.left) * (a.bottom - a.top);
    let filled: f64 = cells.map(size).sum();
    // Labels lie over it.
    assert!(filled >= 0.999 * size(area), "{filled} of {}", size(area));
}

#[test]
fn a_pointer_finds_the_limits_it_is_on() {
    let axes = limits();
    let all = points(&axes);
    for width in GRAPH_WIDTHS {
        let frame = Frame::canvas(width, height(width), 2.0, Theme::DARK);
        let (map, layout) = (input(&axes, &[]), sweep::layout(&input(&axes, &[]), &frame));
        for point in &all {
            assert_eq!(
                map.hit(layout.field.point(point.limits), &frame),
                Some(point.limits)
            );
        }
        assert_eq!(map.hit((1.0, 1.0), &frame), None);
    }
}

#[test]
fn keys_begin_at_the_limits_in_force_and_stay_on_the_map() {
    let (axes, frame) = (limits(), Frame::svg(840.0, 600.0, Theme::LIGHT));
    let on = sweep::Input {
        adopted: [230, 1],
        ..input(&axes, &[])
    };
    let [nodes, edges] = &axes;
    assert_eq!(on.step(None, [5, 5], &frame), Some([nodes[1], edges[0]]));
    assert_eq!(
        on.step(Some([nodes[3], edges[3]]), [-1, 2], &frame),
        Some([nodes[2], edges[5]])
    );
    assert_eq!(
        on.step(Some([nodes[3], edges[3]]), [-9, 99], &frame),
        Some([nodes[0], edges[59]])
    );
    assert_eq!(
        input(&[vec![], vec![]], &[]).step(None, [1, 0], &frame),
        None
    );
}

#[test]
fn points_that_are_no_grid_are_dots_in_the_order_they_were_tried() {
    let tried = [[222, 502], [234, 502], [300, 700], [421, 901], [260, 560]];
    let mut axes = [0, 1].map(|k| tried.map(|l| l[k]).to_vec());
    for axis in &mut axes {
        axis.sort_unstable();
        axis.dedup();
    }
    let points = tried.map(point);
    for width in GRAPH_WIDTHS {
        let frame = Frame::svg(width, height(width), Theme::LIGHT);
        let input = sweep::Input {
            grid: false,
            best: Some([421, 901]),
            ..input(&axes, &points)
        };
        let (scene, layout) = (input.scene(&frame), sweep::layout(&input, &frame));
        svg(&format!("sweep-dots-{width}"), &scene, &frame);
        assert_tidy("sweep-dots", &scene, &frame);
        let places: Vec<_> = tried.iter().map(|l| layout.field.point(*l)).collect();
        assert!(
            scene
                .marks
                .iter()
                .any(|m| matches!(m, Mark::Path(path, ..) if *path == places))
        );
        for (limits, (x, y)) in tried.iter().zip(places) {
            assert_eq!(input.hit((x + 1.0, y - 1.0), &frame), Some(*limits));
        }
        let area = layout.field.area;
        assert_eq!(
            input.hit((area.right - 2.0, area.bottom - 60.0), &frame),
            None
        );
        assert!(
            scene
                .marks
                .iter()
                .any(|m| matches!(m, Mark::Disc(_, _, c) if *c == viridis(1.0)))
        );
    }
}

#[test]
fn limits_that_are_several_things_have_one_label() {
    let axes = limits();
    let all = points(&axes);
    let one = Some([222, 502]);
    let frame = Frame::svg(840.0, 600.0, Theme::DARK);
    let input = sweep::Input {
        best: one,
        smallest: one,
        ..input(&axes, &all)
    };
    let scene = input.scene(&frame);
    assert!(
        texts(&scene)
            .iter()
            .any(|t| t.ends_with("packs, best, smallest, adopted"))
    );
    let unknown = sweep::Input {
        adopted: [223, 503],
        ..self::input(&axes, &all)
    };
    let scene = unknown.scene(&frame);
    assert!(texts(&scene).contains(&"223 × 503") && texts(&scene).contains(&"adopted"));
}

#[test]
fn nothing_breaks_in_no_space_or_without_points() {
    let none = [vec![], vec![]];
    let one = [vec![7], vec![9]];
    let odd = [Point {
        limits: [7, 9],
        packs: 0,
        harmonic: f64::NAN,
        ..point([7, 9])
    }];
    for (width, height) in [(1.0, 1.0), (60.0, 40.0), (300.0, 90.0)] {
        let frame = Frame::svg(width, height, Theme::LIGHT);
        for (axes, points) in [(&none, &[][..]), (&one, &odd[..]), (&none, &odd[..])] {
            for grid in [true, false] {
                let input = sweep::Input {
                    grid,
                    best: Some([7, 9]),
                    ..input(axes, points)
                };
                let scene = input.scene(&frame);
                assert!(!svg("small-sweep", &scene, &frame).contains("NaN"));
                input.hit((5.0, 5.0), &frame);
            }
        }
    }
}

/// The drawing of these limits and 1 or 2 of the other component.
fn along(limits: &[u32], grid: bool) -> sweep::Input {
    let axes = [limits.to_vec(), vec![1, 2]];
    sweep::Input {
        grid,
        ..input(&axes, &points(&axes))
    }
}

/// The limits at the left and at the right edge of the plane.
fn ends(limits: &[u32], grid: bool) -> [f64; 2] {
    let field = sweep::layout(
        &along(limits, grid),
        &Frame::svg(600.0, 400.0, Theme::LIGHT),
    )
    .field;
    let [one, two] = [1000, 2000].map(|limit| field.point([limit, 1]).0);
    let at = |x: f64| 1000.0 + 1000.0 * (x - one) / (two - one);
    [field.area.left, field.area.right].map(|x| (at(x) * 1e6).round() / 1e6)
}

#[test]
fn cells_meet_half_way() {
    assert_eq!(ends(&[10, 20, 40], true), [5.0, 50.0]);
    assert_eq!(ends(&[7], true), [6.5, 7.5]);
    assert_eq!(ends(&[], true), [0.0, 1.0]);
    assert_eq!(ends(&[100, 200], false), [94.0, 206.0]);
    assert_eq!(ends(&[5], false), [4.0, 6.0]);
    let (input, frame) = (
        along(&[10, 20, 40], true),
        Frame::svg(600.0, 400.0, Theme::LIGHT),
    );
    let area = sweep::layout(&input, &frame).field.area;
    let hit = |limit: f64| {
        let x = area.left + area.width() * (limit - 5.0) / 45.0;
        input
            .hit((x, area.middle().1 + 1.0), &frame)
            .map(|[limit, _]| limit)
    };
    assert_eq!(
        [14.9, 15.1, 29.9, 30.1].map(hit),
        [10, 20, 20, 40].map(Some)
    );
}
