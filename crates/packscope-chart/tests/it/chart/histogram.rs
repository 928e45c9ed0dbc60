//! The histogram of lengths.

use super::{SETS, WIDTHS, bars, entries, svg, texts, themes};
use crate::common::built_in;
use packscope::histogram::{Histogram, Preset, Spread};
use packscope::rng::Random;
use packscope_chart::histogram::{Across, Bin, Width, places};
use packscope_chart::{Chart, Frame, Hues, Mark, Scale, Theme, histogram};
use plotters_svg::SVGBackend;

fn lengths(entries: &[(u32, u64)], limit: u32) -> histogram::Input {
    histogram::Input {
        entries: entries.to_vec(),
        limit,
        end: None,
        scale: Scale::Linear,
        across: Across::Linear,
        hues: limit.into(),
        lit: vec![],
        items: "sequences",
        unit: "tokens".to_owned(),
    }
}

#[test]
fn histograms_of_every_size_have_their_labels_and_no_more_bars_than_pixels() {
    for (name, limit) in SETS {
        let entries = entries(name);
        for (width, (theme_name, theme)) in
            WIDTHS.into_iter().flat_map(|w| themes().map(|t| (w, t)))
        {
            let frame = Frame::svg(width, 300.0, theme);
            let input = lengths(&entries, limit);
            let (scene, layout) = (input.scene(&frame), histogram::layout(&input, &frame));
            svg(
                &format!("histogram-{name}-{width}-{theme_name}"),
                &scene,
                &frame,
            );
            assert!(bars(&scene) as f64 <= 2.0 * width, "{name} {width}");
            assert!(layout.bins.len() as f64 <= width);
            let texts = texts(&scene);
            assert!(texts.iter().any(|t| t.starts_with("limit ")), "{texts:?}");
            assert!(texts.iter().any(|t| t.ends_with(" tokens")), "{texts:?}");
        }
    }
}

#[test]
fn the_bar_that_towers_over_wikipedia_is_cut_and_named() {
    let entries = entries("wikipedia_bert_512");
    for width in WIDTHS {
        let frame = Frame::svg(width, 300.0, Theme::LIGHT);
        let input = lengths(&entries, 512);
        let (scene, layout) = (input.scene(&frame), histogram::layout(&input, &frame));
        let texts = texts(&scene);
        assert!(
            texts.contains(&"3,815,044 sequences fill all 512"),
            "{texts:?}"
        );
        assert!(texts.contains(&"23.4 % of the data; bar cut"));
        assert!(
            !texts.iter().any(|t| t.ends_with('M')),
            "the axis is that of the other bars: {texts:?}"
        );
        assert_eq!(
            layout.bin,
            histogram::Width::Lengths(if width < 500.0 { 2 } else { 1 })
        );
    }
    let log = histogram::Input {
        scale: Scale::Log,
        ..lengths(&entries, 512)
    };
    let frame = Frame::svg(700.0, 300.0, Theme::LIGHT);
    let scene = log.scene(&frame);
    svg("histogram-wikipedia-log", &scene, &frame);
    let mooncake = super::entries("mooncake_conversation");
    let log = histogram::Input {
        scale: Scale::Log,
        ..lengths(&mooncake, 131_072)
    };
    svg("histogram-mooncake-log", &log.scene(&frame), &frame);
    assert!(texts(&scene).contains(&"1 M") && !texts(&scene).iter().any(|t| t.contains("cut")));
}

#[test]
fn the_caption_says_what_a_bar_counts() {
    let frame = Frame::canvas(700.0, 300.0, 2.0, Theme::LIGHT);
    let caption = |name: &str, limit| {
        histogram::layout(&lengths(&entries(name), limit), &frame).caption("sequences", "tokens")
    };
    assert_eq!(
        caption("wikipedia_bert_512", 512),
        "sequences of each length"
    );
    assert_eq!(
        caption("mooncake_conversation", 131_072),
        "sequences per 256 tokens"
    );
}

#[test]
fn lengths_that_are_pointed_out_are_seen_at_every_density() {
    let entries = entries("wikipedia_bert_512");
    let lit = [202, 180, 130, 512];
    let input = histogram::Input {
        lit: lit.to_vec(),
        ..lengths(&entries, 512)
    };
    for (scale, (name, theme)) in [1.0, 2.0]
        .into_iter()
        .flat_map(|s| themes().map(|t| (s, t)))
    {
        let frame = Frame {
            font: 1.24,
            ..Frame::canvas(660.0, 300.0, scale, theme)
        };
        let scene = input.scene(&frame.pointing([202, 0]));
        svg(&format!("histogram-lit-{scale}-{name}"), &scene, &frame);
        let plain = lengths(&entries, 512).scene(&frame);
        assert!(scene.marks.len() >= plain.marks.len() + 3 * lit.len());
    }
}

#[test]
fn a_pointer_finds_the_length_it_is_on() {
    for (name, limit) in SETS {
        let entries = entries(name);
        for width in WIDTHS {
            let layout = histogram::layout(
                &lengths(&entries, limit),
                &Frame::canvas(width, 300.0, 2.0, Theme::DARK),
            );
            for (length, _) in &entries {
                assert_eq!(layout.length_at(layout.x_of(*length)), *length);
                assert!(layout.bin_of(*length).is_some());
            }
            assert_eq!(layout.length_at(-50.0), 1);
            assert_eq!(layout.length_at(5000.0), layout.end);
        }
    }
}

#[test]
fn keys_go_from_bar_to_bar_and_a_press_near_the_needle_holds_it() {
    let frame = Frame::canvas(700.0, 300.0, 2.0, Theme::LIGHT);
    let chart = lengths(&[(1, 5), (3, 2), (9, 1)], 4);
    let steps = [
        (None, [0, 0]),
        (None, [1, 0]),
        (Some([9, 0]), [0, -1]),
        (Some([1, 0]), [-3, 0]),
    ];
    let steps = steps.map(|(from, by)| chart.step(from, by, &frame).map(|[length, _]| length));
    assert_eq!(steps, [Some(3), Some(9), Some(3), Some(1)]);
    assert_eq!(lengths(&[], 4).step(None, [1, 0], &frame), None);
    let (x, y) = histogram::layout(&chart, &frame).handle;
    assert_eq!(
        [
            chart.grip((x - 15.0, y), &frame),
            chart.grip((x + 17.0, y), &frame)
        ],
        [Some([true, false]), None]
    );
    assert_eq!(chart.drag((-50.0, 0.0), &frame), [1, 0]);
}

#[test]
fn long_tails_fill_an_axis_of_equal_factors() {
    for (name, limit, words) in [
        (
            "mooncake_conversation",
            131_072,
            "sequences per 4 % of length",
        ),
        ("sharegpt_8k_llama2", 8192, "sequences per 2 % of length"),
        ("lima_train_chatml", 8192, "sequences per 9 % of length"),
    ] {
        let (histogram, entries) = (built_in(name), entries(name));
        let input = histogram::Input {
            across: Across::Log,
            ..lengths(&entries, limit)
        };
        for width in WIDTHS {
            let frame = Frame::svg(width, 300.0, Theme::LIGHT);
            let (scene, layout) = (input.scene(&frame), histogram::layout(&input, &frame));
            svg(&format!("histogram-{name}-factors-{width}"), &scene, &frame);
            let share =
                |q| (layout.x_of(histogram.quantile(q)) - layout.plot.left) / layout.plot.width();
            assert!(
                share(0.5) > 0.25 && share(0.95) - share(0.05) > 0.25,
                "{name} {width}"
            );
            for (length, _) in &entries {
                assert_eq!(layout.length_at(layout.x_of(*length)), *length);
                assert!(layout.bin_of(*length).is_some());
            }
            assert_eq!(
                [layout.length_at(-50.0), layout.length_at(5000.0)],
                [entries[0].0, layout.end]
            );
            assert!(
                texts(&scene).iter().any(|t| t.ends_with(" tokens")),
                "{:?}",
                texts(&scene)
            );
            assert!(layout.bins.len() as f64 <= width / 2.0);
        }
        let frame = Frame::canvas(700.0, 300.0, 2.0, Theme::LIGHT);
        assert_eq!(
            histogram::layout(&input, &frame).caption("sequences", "tokens"),
            words
        );
        let short = histogram::Input { limit: 1, ..input };
        let layout = histogram::layout(&short, &frame);
        assert!(
            layout.handle.0 >= layout.plot.left,
            "a limit below the axis is at its beginning"
        );
    }
}

/// Draws from a distribution: a normal number with mean 0 and variance 1, turned into a length.
fn drawn(items: u32, length: impl Fn(f64, f64) -> f64) -> Histogram<1> {
    let mut random = Random::seeded(44);
    let mut uniform = || (random.below(1 << 30) as f64 + 0.5) / f64::from(1 << 30);
    let mut one = || {
        let (a, b) = (uniform(), uniform());
        length(
            (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos(),
            b,
        )
        .round()
        .max(1.0) as u32
    };
    Histogram::from_lengths((0..items).map(|_| (one(), 1))).unwrap()
}

/// Twelve kinds of data, with the spread that shows them.
fn kinds() -> [(&'static str, Histogram<1>, Spread); 12] {
    let lognormal = |median: f64, sigma: f64| drawn(50_000, move |z, _| median * (sigma * z).exp());
    let with = |set: Histogram<1>, length: u32| {
        Histogram::from_lengths(set.lengths().into_iter().chain([(length, 1)])).unwrap()
    };
    [
        (
            "normal",
            drawn(50_000, |z, _| 500.0 + 80.0 * z),
            Spread::Linear,
        ),
        ("uniform", drawn(50_000, |_, u| 2048.0 * u), Spread::Linear),
        (
            "cut at 512",
            drawn(50_000, |z, _| (300.0 * (0.8 * z).exp()).min(512.0)),
            Spread::Linear,
        ),
        ("lognormal", lognormal(400.0, 0.5), Spread::Linear),
        (
            "exponential",
            drawn(50_000, |_, u| -300.0 * u.ln()),
            Spread::Log,
        ),
        ("lognormal, wide", lognormal(400.0, 1.0), Spread::Log),
        (
            "few",
            drawn(300, |z, _| 400.0 * (1.2 * z).exp()),
            Spread::Log,
        ),
        (
            "cut at 4096",
            drawn(50_000, |z, _| (300.0 * z.exp()).min(4096.0)),
            Spread::Log,
        ),
        (
            "two humps",
            drawn(
                50_000,
                |z, u| if u < 0.4 { 100.0 } else { 3000.0 } + 10.0 * z,
            ),
            Spread::Even,
        ),
        (
            "lognormal, 1 : 1000",
            with(lognormal(300.0, 0.4), 300_000),
            Spread::Even,
        ),
        (
            "a power, 1 : 1000",
            drawn(50_000, |_, u| (20.0 * u.powf(-1.0 / 1.2)).min(20_000.0)),
            Spread::Even,
        ),
        ("very wide, 1 : 1000", lognormal(400.0, 1.8), Spread::Log),
    ]
}

/// The share of the middle half of the width that has bars of at least a pixel.
fn filled(layout: &histogram::Layout) -> f64 {
    let mut heights: Vec<u64> = layout.bins.iter().map(|bin| bin.height).collect();
    heights.sort_unstable_by(|a, b| b.cmp(a));
    let tower = (1..=3.min(heights.len() / 8))
        .rev()
        .find(|k| heights[k - 1] > 3 * heights[*k]);
    let most = heights[tower.unwrap_or(0)] as f64;
    let places =
        (0..1000).map(|i| layout.plot.left + layout.plot.width() * (0.25 + f64::from(i) / 2000.0));
    let seen = |x: &f64| {
        let bin = layout.bin_of(layout.length_at(*x));
        bin.is_some_and(|bin| bin.height as f64 / most * layout.plot.height() >= 1.0)
    };
    places.filter(seen).count() as f64 / 1000.0
}

/// The axis on which the page opens.
fn opening(set: &Histogram<1>, entries: &[(u32, u64)], end: u32) -> Across {
    match set.spread() {
        Spread::Linear => Across::Linear,
        Spread::Log => Across::Log,
        Spread::Even => Across::Placed(places(Spread::Even, entries, end, [entries[0].0, end])),
    }
}

#[test]
fn every_kind_of_data_fills_the_middle_half_of_the_picture() {
    for (name, set, spread) in kinds() {
        assert_eq!(set.spread(), spread, "{name}");
        let (entries, end) = (set.lengths(), set.max()[0]);
        let across = opening(&set, &entries, end);
        let input = histogram::Input {
            across,
            hues: Hues::of(&set, end),
            ..lengths(&entries, end)
        };
        for width in WIDTHS {
            let frame = Frame::svg(width, 300.0, Theme::LIGHT);
            let layout = histogram::layout(&input, &frame);
            let share = filled(&layout);
            svg(
                &format!("histogram-kind-{name}-{width}"),
                &input.scene(&frame),
                &frame,
            );
            assert!(share >= 0.5, "{name} at {width}: {share}");
            assert!(
                spread != Spread::Even || share >= 0.9 || name == "two humps",
                "{name}: {share}"
            );
            let items: u64 = layout.bins.iter().map(|bin| bin.count).sum();
            assert_eq!(items, set.items(), "{name}");
        }
    }
}

#[test]
fn built_in_sets_keep_their_axes() {
    for preset in Preset::ALL
        .iter()
        .filter(|preset| preset.generated.is_none())
    {
        let long = [
            "azure_llm_trace_conv",
            "lima_train_chatml",
            "mooncake_conversation",
            "t0_train_50k_2048",
        ];
        let spread = if long.contains(&preset.id) {
            Spread::Log
        } else {
            Spread::Linear
        };
        assert_eq!(built_in(preset.id).spread(), spread, "{}", preset.id);
    }
    let tiny = Histogram::from_lengths([(12, 3), (40, 1), (512, 1)]).unwrap();
    assert_eq!(
        tiny.spread(),
        Spread::Log,
        "few lengths have gaps everywhere"
    );
}

#[test]
fn an_even_axis_and_every_part_of_an_axis_find_their_lengths() {
    for (name, set, _) in kinds() {
        let (entries, end) = (set.lengths(), set.max()[0]);
        let (low, high) = (set.quantile(0.2), set.quantile(0.7));
        for (spread, ends) in Spread::ALL
            .into_iter()
            .flat_map(|s| [[entries[0].0, end], [low, high]].map(|e| (s, e)))
        {
            let across = Across::Placed(places(spread, &entries, end, ends));
            let input = histogram::Input {
                across,
                end: Some(end),
                ..lengths(&entries, high)
            };
            let layout = histogram::layout(&input, &Frame::canvas(700.0, 300.0, 2.0, Theme::LIGHT));
            assert_eq!([layout.start, layout.end], ends);
            let within = || {
                entries
                    .iter()
                    .filter(|(length, _)| (ends[0]..=ends[1]).contains(length))
            };
            for (length, _) in within() {
                assert_eq!(
                    layout.length_at(layout.x_of(*length)),
                    *length,
                    "{name} {spread}"
                );
                assert!(layout.bin_of(*length).is_some(), "{name} {spread} {length}");
            }
            let items: u64 = layout.bins.iter().map(|bin| bin.count).sum();
            assert_eq!(
                items,
                within().map(|(_, n)| n).sum::<u64>(),
                "{name} {spread}"
            );
            assert!(
                layout
                    .bins
                    .iter()
                    .all(|bin| ends[0] <= bin.from && bin.from <= bin.to && bin.to <= ends[1])
            );
            assert!(
                layout.bins.windows(2).all(|pair| pair[0].to < pair[1].from),
                "{name} {spread}"
            );
            assert_eq!([layout.length_at(-50.0), layout.length_at(5000.0)], ends);
        }
    }
}

#[test]
fn a_part_of_the_lengths_says_where_the_limit_is() {
    let entries = entries("wikipedia_bert_512");
    let frame = Frame::svg(700.0, 300.0, Theme::LIGHT);
    for (limit, ends, name) in [
        (512, [100, 200], "limit 512 →"),
        (64, [100, 200], "← limit 64"),
        (150, [100, 200], "limit 150"),
    ] {
        let across = Across::Placed(places(Spread::Linear, &entries, 512, ends));
        let input = histogram::Input {
            across,
            end: Some(512),
            ..lengths(&entries, limit)
        };
        let scene = input.scene(&frame);
        svg(&format!("histogram-part-{limit}"), &scene, &frame);
        let texts = texts(&scene);
        assert!(
            texts.contains(&name) && texts.contains(&"100") && texts.contains(&"200 tokens"),
            "{texts:?}"
        );
        let (x, y) = histogram::layout(&input, &frame).handle;
        assert_eq!(input.grip((x, y), &frame).is_some(), limit == 150);
    }
}

#[test]
fn colours_of_long_tails_have_an_eighth_of_the_tokens_each() {
    let set = built_in("mooncake_conversation");
    let hues = Hues::of(&set, 131_072);
    let mut tokens = [0; 8];
    set.lengths()
        .into_iter()
        .for_each(|(length, n)| tokens[hues.step(length)] += u64::from(length) * n);
    let eighth = set.total()[0] as f64 / 8.0;
    assert!(
        tokens
            .iter()
            .all(|n| (*n as f64 / eighth - 1.0).abs() < 0.02),
        "{tokens:?}"
    );
    for limit in [2048, 8192, 32_768] {
        let (hues, mut tokens) = (Hues::of(&set, limit), [0; 8]);
        let fit = set
            .lengths()
            .into_iter()
            .filter(|(length, _)| *length <= limit);
        fit.for_each(|(length, n)| tokens[hues.step(length)] += u64::from(length) * n);
        let eighth = set.tokens_within(limit) as f64 / 8.0;
        assert!(
            tokens
                .iter()
                .all(|n| (*n as f64 / eighth - 1.0).abs() < 0.1),
            "{limit}: {tokens:?}"
        );
    }
    assert_eq!(Hues::of(&set, 1), Hues::equal(1), "no length fits");
    // Short sequences under a limit for long ones have all colours too.
    let short = Histogram::from_lengths((1..=600).map(|length| (length, 10))).unwrap();
    assert_eq!(
        [8192, 1200, 1199].map(|limit| Hues::of(&short, limit)),
        [600, 600, 1199].map(Hues::equal)
    );
    // One hump of two has as many colours as the other, although both are narrow.
    let (_, humps, _) = kinds()
        .into_iter()
        .find(|(name, ..)| *name == "two humps")
        .unwrap();
    let steps = |from, to| {
        (from..to)
            .map(|length| Hues::of(&humps, 4000).step(length))
            .max()
    };
    assert!(
        steps(2950, 2990) < steps(3000, 3060),
        "{:?}",
        Hues::of(&humps, 4000)
    );
    for (name, limit) in [("wikipedia_bert_512", 512), ("squad_1_1_bert_384", 384)] {
        assert_eq!(
            Hues::of(&built_in(name), limit),
            Hues::equal(limit),
            "{name}"
        );
    }
}

#[test]
fn a_short_limit_leaves_the_rest_pale_and_says_how_much() {
    let entries = entries("sharegpt_8k_llama2");
    for (width, limit) in [(330.0, 2048), (700.0, 2048), (700.0, 64)] {
        let frame = Frame::svg(width, 300.0, Theme::LIGHT).pointing([1200, 0]);
        let input = histogram::Input {
            lit: vec![500, 900],
            ..lengths(&entries, limit)
        };
        let (scene, layout) = (input.scene(&frame), histogram::layout(&input, &frame));
        svg(&format!("histogram-limit-{limit}-{width}"), &scene, &frame);
        assert!(
            texts(&scene)
                .iter()
                .any(|t| t.ends_with('%') || t.ends_with("are longer"))
        );
        assert!(layout.handle.0 < layout.plot.right);
    }
}

#[test]
fn the_same_input_gives_the_same_image() {
    let entries = entries("squad_1_1_bert_384");
    for scale in [1.0, 1.5, 2.0, 3.0] {
        let frame = Frame::canvas(411.0, 277.0, scale, Theme::DARK);
        let image = || {
            let scene = lengths(&entries, 384).scene(&frame);
            let mut text = String::new();
            scene
                .paint(
                    &mut SVGBackend::with_string(&mut text, frame.device_size()),
                    &frame,
                )
                .unwrap();
            text
        };
        assert_eq!(image(), image());
    }
}

#[test]
fn nothing_breaks_in_no_space_or_without_data() {
    for (width, height) in [(1.0, 1.0), (60.0, 40.0), (300.0, 90.0)] {
        let frame = Frame::svg(width, height, Theme::LIGHT);
        for entries in [&[][..], &[(1, 1)], &[(7, 3), (4_000_000_000, u64::MAX / 2)]] {
            let end = entries.last().map_or(1, |(length, _)| *length);
            let mut axes = vec![Across::Linear, Across::Log];
            axes.extend(Spread::ALL.map(|s| Across::Placed(places(s, entries, end, [1, end]))));
            axes.push(Across::Placed(places(Spread::Even, entries, 0, [9, 3])));
            let all =
                |across: &Across| [Scale::Linear, Scale::Log].map(|scale| (scale, across.clone()));
            for (scale, across) in axes.iter().flat_map(all) {
                let input = histogram::Input {
                    scale,
                    across,
                    ..lengths(entries, 512)
                };
                let scene = input.scene(&frame);
                assert!(!svg("small", &scene, &frame).contains("NaN"));
            }
        }
    }
}

/// The layout in a frame of this width; the first measure of the plot is 54 pixels narrower.
fn wide(input: &histogram::Input, pixels: f64) -> histogram::Layout {
    histogram::layout(
        input,
        &Frame::canvas(pixels + 54.0, 300.0, 1.0, Theme::LIGHT),
    )
}

#[test]
fn dense_data_have_a_bar_for_each_length_until_pixels_run_out() {
    let dense = lengths(&(1..=512).map(|l| (l, 1000)).collect::<Vec<_>>(), 512);
    for (pixels, width) in [
        (600.0, 1),
        (512.0, 1),
        (511.0, 2),
        (300.0, 2),
        (256.0, 2),
        (255.0, 4),
    ] {
        let layout = wide(&dense, pixels);
        assert_eq!(layout.bin, Width::Lengths(width), "{pixels}");
        let bars = (0..512 / width).map(|i| {
            let count = 1000 * u64::from(width);
            Bin {
                from: i * width + 1,
                to: (i + 1) * width,
                count,
                height: count,
            }
        });
        assert!(layout.bins.into_iter().eq(bars), "{pixels}");
    }
}

#[test]
fn sparse_data_have_wider_bars() {
    let layout = wide(
        &lengths(
            &(0..5000).map(|i| (i * 25 + 1, 1)).collect::<Vec<_>>(),
            131_072,
        ),
        700.0,
    );
    let Width::Lengths(width) = layout.bin else {
        panic!("{:?}", layout.bin)
    };
    assert!((1024..=2048).contains(&width), "{width}");
    assert_eq!(layout.bins.iter().map(|b| b.count).sum::<u64>(), 5000);
}

#[test]
fn bars_never_reach_beyond_the_end() {
    let input = histogram::Input {
        end: Some(29),
        ..lengths(&[(1, 1), (29, 3), (40, 9)], 29)
    };
    // In eight pixels.
    let frame = Frame::canvas(1.0, 300.0, 1.0, Theme::LIGHT);
    let layout = histogram::layout(&input, &frame);
    let bars = [
        Bin {
            from: 1,
            to: 2,
            count: 1,
            height: 1,
        },
        Bin {
            from: 29,
            to: 29,
            count: 3,
            height: 3,
        },
    ];
    assert_eq!(
        (layout.bin, &layout.bins[..]),
        (Width::Lengths(2), &bars[..])
    );
    let none = histogram::Input {
        end: Some(1),
        ..lengths(&[], 1)
    };
    assert_eq!(histogram::layout(&none, &frame).bin, Width::Lengths(1));
}

#[test]
fn bars_of_equal_factors_are_next_to_each_other_and_as_high_as_items_per_factor() {
    // Equally many items per factor everywhere.
    let entries: Vec<_> = (3..=4096).map(|l| (l, 1_000_000 / u64::from(l))).collect();
    let log = |entries: &[(u32, u64)]| histogram::Input {
        across: Across::Log,
        ..lengths(entries, 4096)
    };
    let histogram::Layout { bin, bins, .. } = wide(&log(&entries), 600.0);
    let Width::Factor(factor) = bin else {
        panic!("{bin:?}")
    };
    assert!((1.0..1.1).contains(&factor), "{factor}");
    assert_eq!([bins[0].from, bins[bins.len() - 1].to], [3, 4096]);
    assert!(
        bins.windows(2).all(|pair| pair[1].from == pair[0].to + 1),
        "{bins:?}"
    );
    assert_eq!(
        bins.iter().map(|b| b.count).sum::<u64>(),
        entries.iter().map(|(_, n)| n).sum::<u64>()
    );
    let wanted = 1e6 * factor.ln();
    assert!(
        bins.iter()
            .all(|b| (b.height as f64 / wanted - 1.0).abs() < 0.02),
        "{wanted}: {bins:?}"
    );
    let beyond = histogram::Input {
        end: Some(9),
        ..log(&[(9, 2), (12, 1)])
    };
    assert_eq!(wide(&beyond, 600.0).bins.len(), 1, "beyond the end");
}

/// The number of bars that are named because they are cut; the labels beside the bars reach about as high as the others.
fn cut(counts: &[u64], highest: f64) -> usize {
    let entries: Vec<_> = (1..).zip(counts.iter().copied()).collect();
    let (input, frame) = (
        lengths(&entries, entries.len() as u32),
        Frame::canvas(700.0, 300.0, 1.0, Theme::LIGHT),
    );
    let (scene, left) = (
        input.scene(&frame),
        histogram::layout(&input, &frame).plot.left - 8.0,
    );
    let beside = |mark: &&Mark| matches!(mark, Mark::Text { at, anchor: 1, .. } if at.0 == left);
    let label = |text: &str| {
        text.replace(" k", "000")
            .replace(" M", "000000")
            .parse::<f64>()
            .ok()
    };
    let labels = scene
        .marks
        .iter()
        .filter(beside)
        .filter_map(super::text)
        .filter_map(label);
    let top = labels.fold(0.0, f64::max);
    assert!(
        (0.5 * highest..3.0 * highest).contains(&top),
        "{top} {highest}"
    );
    texts(&scene)
        .iter()
        .filter(|text| text.ends_with("bar cut"))
        .count()
}

#[test]
fn only_a_few_bars_that_tower_are_cut() {
    let mut counts = vec![3_815_044];
    counts.extend((0..500).map(|i| 75_000 - 100 * i));
    assert_eq!(cut(&counts, 75_000.0), 1);
    assert_eq!(cut(&counts[1..], 75_000.0), 0);
    assert_eq!(
        cut(&[100, 1, 1], 100.0),
        0,
        "three bars have nothing to tower over"
    );
    let two: Vec<u64> = [900, 800].into_iter().chain([100; 30]).collect();
    assert_eq!(cut(&two, 100.0), 2);
    assert_eq!(
        cut(&[&[900, 800, 700, 600][..], &[100; 40]].concat(), 900.0),
        0,
        "four are not a few"
    );
}
