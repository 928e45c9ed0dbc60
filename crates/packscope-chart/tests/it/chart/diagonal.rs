//! Packs along their diagonal.

use super::{GRAPH_WIDTHS, assert_tidy, molhiv, rects, svg, texts, themes};
use packscope_chart::diagonal::{self, Pack};
use packscope_chart::{Area, Chart, Frame, Scene, Theme};
use std::collections::BTreeMap;

const LIMITS: [u32; 2] = [222, 502];

/// Kinds of packs with their counts.
type Strategies = Vec<(Vec<[u32; 2]>, u64)>;

/// The set packed next fit from both ends in turn: good enough to draw.
fn strategies() -> Strategies {
    let mut items: Vec<[u32; 2]> = molhiv()
        .into_iter()
        .flat_map(|(size, n)| std::iter::repeat_n(size, n as usize))
        .collect();
    items.sort_unstable_by_key(|size| std::cmp::Reverse(*size));
    let (mut packs, mut pack, mut sum) = (BTreeMap::<Vec<[u32; 2]>, u64>::new(), vec![], [0; 2]);
    for size in items {
        let next: [u32; 2] = std::array::from_fn(|k| sum[k] + size[k]);
        if next[0] > LIMITS[0] || next[1] > LIMITS[1] {
            *packs.entry(std::mem::take(&mut pack)).or_default() += 1;
            sum = size;
        } else {
            sum = next;
        }
        pack.push(size);
    }
    *packs.entry(pack).or_default() += 1;
    packs.into_iter().collect()
}

fn chosen(strategies: &Strategies, n: usize) -> Vec<Pack> {
    let pack = |i: usize| Pack {
        sizes: strategies[i].0.clone(),
        count: strategies[i].1,
    };
    diagonal::choose(strategies, n)
        .into_iter()
        .map(pack)
        .collect()
}

fn input(packs: &[Pack]) -> diagonal::Input {
    diagonal::Input {
        packs: packs.to_vec(),
        limits: LIMITS,
        unpacked: Some(([25.26, 54.09], 32_901)),
        names: ["nodes", "edges"].map(str::to_owned),
        items: "graphs",
    }
}

fn area(areas: &[Area]) -> f64 {
    areas.iter().map(|a| a.width() * a.height()).sum()
}

/// Share of the square that items cover by their rectangles.
fn covered(scene: &Scene, square: &Area, theme: Theme) -> f64 {
    let inside = |a: &Area| a.left >= square.left - 1e-6 && a.right <= square.right + 1e-6;
    let mut items = [
        rects(scene, theme.accent),
        rects(scene, theme.second_accent),
    ]
    .concat();
    items.retain(|a| inside(a) && a.top >= square.top - 1e-6 && a.bottom <= square.bottom + 1e-6);
    area(&items) / area(&[*square])
}

#[test]
fn packs_are_steps_to_the_corner_and_the_rest_is_grey() {
    let strategies = strategies();
    let packs = chosen(&strategies, 9);
    assert_eq!(packs.len(), 9);
    for (width, (theme_name, theme)) in GRAPH_WIDTHS
        .into_iter()
        .flat_map(|w| themes().map(|t| (w, t)))
    {
        let input = input(&packs);
        let frame = Frame::svg(width, diagonal::height_for(width, packs.len() + 1), theme);
        let (scene, layout) = (input.scene(&frame), diagonal::layout(&input, &frame));
        let name = format!("diagonal-molhiv-{width}-{theme_name}");
        assert!(!svg(&name, &scene, &frame).contains("NaN"));
        assert_tidy(&name, &scene, &frame);
        let texts = texts(&scene);
        assert!(texts.contains(&"Unpacked"));
        for (pack, square) in packs.iter().zip(&layout.squares) {
            let said = format!("{} graph", pack.sizes.len());
            assert!(
                texts.iter().any(|t| t.starts_with(&said)),
                "{said} is missing in {texts:?}"
            );
            let part = |size: &[u32; 2]| f64::from(size[0]) / 222.0 * f64::from(size[1]) / 502.0;
            let items: f64 = pack.sizes.iter().map(part).sum();
            let drawn = covered(&scene, square, theme);
            // Items too small to be seen are drawn together.
            let together = pack.sizes.len() > 15 && drawn > items && drawn < 1.6 * items;
            assert!(
                together || (drawn - items).abs() < 1e-6,
                "{name} {}",
                pack.sizes.len()
            );
        }
        let grey = rects(&scene, theme.padding_wash);
        let used = packs[0].sizes.iter().map(|s| s[0]).sum::<u32>();
        let right = layout.squares[0].left + layout.squares[0].width() * f64::from(used) / 222.0;
        assert!(
            used == 222 || grey.iter().any(|a| (a.left - right).abs() < 1e-6),
            "{name}"
        );
    }
}

#[test]
fn squares_stand_in_rows() {
    let packs = chosen(&strategies(), 9);
    for (width, columns) in [(340.0, 3), (840.0, 5)] {
        let frame = Frame::svg(width, diagonal::height_for(width, 10), Theme::LIGHT);
        let layout = diagonal::layout(&input(&packs), &frame);
        let first = layout.unpacked.unwrap();
        let row = layout.squares.iter().filter(|s| s.top == first.top).count() + 1;
        assert_eq!(row, columns);
        let last = layout.squares.last().unwrap();
        assert!((30.0..50.0).contains(&(frame.height - last.bottom)));
        assert!(
            layout
                .squares
                .iter()
                .all(|s| s.right <= width && (s.width() - s.height()).abs() < 1e-9)
        );
    }
    assert!(diagonal::height_for(340.0, 10) > diagonal::height_for(340.0, 9));
}

#[test]
fn a_pointer_finds_the_item_it_is_on() {
    let packs = chosen(&strategies(), 9);
    let frame = Frame::canvas(840.0, diagonal::height_for(840.0, 10), 1.0, Theme::LIGHT);
    let chart = input(&packs);
    let layout = diagonal::layout(&chart, &frame);
    for (i, pack) in packs.iter().enumerate() {
        let (square, mut sum) = (layout.squares[i], [0.0; 2]);
        for (item, size) in pack.sizes.iter().enumerate() {
            let middle: [f64; 2] = std::array::from_fn(|k| sum[k] + f64::from(size[k]) / 2.0);
            sum = std::array::from_fn(|k| sum[k] + f64::from(size[k]));
            let x = square.left + middle[0] / 222.0 * square.width();
            let y = square.bottom - middle[1] / 502.0 * square.height();
            assert_eq!(chart.hit((x, y), &frame), Some([i as u32, item as u32]));
        }
        let corner = (square.right - 0.5, square.bottom - 0.5);
        assert_eq!(chart.hit(corner, &frame), None, "off the diagonal");
    }
    let first = layout.unpacked.unwrap();
    assert_eq!(
        chart.hit((first.left + 1.0, first.bottom - 1.0), &frame),
        None
    );
    let scene = chart.scene(&Frame {
        font: 1.24,
        ..frame.pointing([2, 1])
    });
    assert!(!rects(&scene, Theme::LIGHT.ink).is_empty());
    let [first, last] = [[0, 0], [8, 0]].map(|at| chart.step(Some(at), [9, 0], &frame));
    assert_eq!((first, last), (Some([8, 0]), Some([8, 0])));
    let said = chart.reading([8, 0]).unwrap();
    let pack = format!(", in a pack of {} graphs × ", packs[8].sizes.len());
    assert!(
        said.starts_with(&format!("{} nodes, ", packs[8].sizes[0][0])) && said.contains(&pack),
        "{said}"
    );
    assert_eq!(chart.reading([9, 0]), None);
}

/// Small items are drawn together, so that tones alternate by what is drawn.
#[test]
fn an_item_keeps_its_tone_under_the_pointer() {
    let mut packs = chosen(&strategies(), 9);
    let small = [1, 1];
    packs.push(Pack {
        sizes: vec![small, [100, 200], small, small, small, [50, 100], [40, 90]],
        count: 2,
    });
    let frame = Frame::canvas(840.0, diagonal::height_for(840.0, 11), 1.0, Theme::LIGHT);
    let chart = input(&packs);
    let layout = diagonal::layout(&chart, &frame);
    let toned = |scene: &Scene| {
        [Theme::LIGHT.accent, Theme::LIGHT.second_accent].map(|tone| rects(scene, tone))
    };
    let plain = toned(&chart.scene(&frame));
    for (at, pack) in packs.iter().enumerate() {
        let (square, mut sum) = (layout.squares[at], [0.0; 2]);
        for (item, size) in pack.sizes.iter().enumerate() {
            let [x, y] = [0, 1].map(|k| (sum[k] + f64::from(size[k]) / 2.0) / f64::from(LIMITS[k]));
            sum = [0, 1].map(|k| sum[k] + f64::from(size[k]));
            let middle = (
                square.left + x * square.width(),
                square.bottom - y * square.height(),
            );
            let drawn = |areas: &[Area]| {
                areas
                    .iter()
                    .filter(|a| a.contains(middle.0, middle.1))
                    .count()
            };
            let pointed = toned(&chart.scene(&frame.pointing([at as u32, item as u32])));
            for (tone, plain) in pointed.iter().zip(&plain) {
                assert_eq!(
                    drawn(tone),
                    2 * drawn(plain),
                    "item {item} of {:?}",
                    pack.sizes
                );
            }
        }
    }
}

#[test]
fn a_pack_of_hundreds_stays_a_staircase_of_few_marks() {
    let packs = [Pack {
        sizes: vec![[1, 2]; 200],
        count: 12,
    }];
    let input = diagonal::Input {
        unpacked: None,
        ..input(&packs)
    };
    let frame = Frame::svg(340.0, diagonal::height_for(340.0, 1), Theme::LIGHT);
    let scene = input.scene(&frame);
    svg("diagonal-many", &scene, &frame);
    assert!(scene.marks.len() < 80, "{}", scene.marks.len());
    assert!(texts(&scene).contains(&"200 graphs"));
    assert_eq!(
        input.summary(),
        "Packs of at most 222 nodes × 502 edges, each item a step along the diagonal. 200 graphs, 12 times: 200 \
         nodes, 400 edges."
    );
}

#[test]
fn nothing_breaks_in_no_space_or_without_packs() {
    let packs = [
        Pack {
            sizes: vec![],
            count: 0,
        },
        Pack {
            sizes: vec![[u32::MAX; 2]; 3],
            count: u64::MAX,
        },
        Pack {
            sizes: vec![[5, 0], [0, 7]],
            count: 1,
        },
    ];
    for (width, height) in [(1.0, 1.0), (60.0, 40.0), (300.0, 90.0)] {
        let frame = Frame::svg(width, height, Theme::DARK);
        for packs in [&[][..], &packs] {
            for unpacked in [None, Some(([f64::NAN, 1e12], 1))] {
                let input = diagonal::Input {
                    limits: [0, 1],
                    unpacked,
                    ..input(packs)
                };
                let scene = input.scene(&frame);
                assert!(!svg("small-diagonal", &scene, &frame).contains("NaN"));
                input.hit((3.0, 3.0), &frame);
            }
        }
    }
}

fn kinds(depths: &[(usize, u64)]) -> Vec<(Vec<[u32; 2]>, u64)> {
    depths
        .iter()
        .map(|(depth, count)| (vec![[1, 2]; *depth], *count))
        .collect()
}

#[test]
fn depths_differ_and_both_ends_are_there() {
    let all = kinds(&[
        (9, 3),
        (9, 7),
        (9, 7),
        (1, 1),
        (2, 5),
        (4, 2),
        (5, 8),
        (6, 1),
        (20, 1),
    ]);
    assert_eq!(diagonal::choose(&all, 100), [3, 4, 5, 6, 7, 1, 8]);
    assert_eq!(diagonal::choose(&all, 4), [3, 4, 6, 8]);
    assert_eq!(diagonal::choose(&all, 5).len(), 5);
    assert_eq!(
        [
            diagonal::choose(&all, 0),
            diagonal::choose(&all, 1),
            diagonal::choose(&all, 2)
        ],
        [vec![], vec![8], vec![3, 8]]
    );
    assert!(diagonal::choose(&[], 5).is_empty());
}

#[test]
fn as_many_as_are_asked_for() {
    let all = kinds(
        &(1..=27)
            .map(|depth| (depth, depth as u64 % 7))
            .collect::<Vec<_>>(),
    );
    for n in 1..=30 {
        let chosen = diagonal::choose(&all, n);
        assert_eq!(chosen.len(), n.min(27));
        assert!(
            chosen
                .windows(2)
                .all(|w| all[w[0]].0.len() < all[w[1]].0.len())
        );
    }
}
