//! The histogram of lengths.

use super::{SETS, WIDTHS, bars, entries, svg, texts, themes};
use crate::common::built_in;
use packscope::chart::{Chart, Frame, Hues, Scale, Theme, histogram};
use plotters_svg::SVGBackend;

fn lengths(entries: &[(u32, u64)], limit: u32) -> histogram::Input {
    histogram::Input {
        entries: entries.to_vec(),
        limit,
        end: None,
        scale: Scale::Linear,
        across: Scale::Linear,
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
        for (width, (theme_name, theme)) in WIDTHS.into_iter().flat_map(|w| themes().map(|t| (w, t))) {
            let frame = Frame::svg(width, 300.0, theme);
            let input = lengths(&entries, limit);
            let (scene, layout) = (input.scene(&frame), histogram::layout(&input, &frame));
            svg(&format!("histogram-{name}-{width}-{theme_name}"), &scene, &frame);
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
        assert!(texts.contains(&"3,815,044 sequences fill all 512"), "{texts:?}");
        assert!(texts.contains(&"23.4 % of the data; bar cut"));
        assert!(!texts.iter().any(|t| t.ends_with('M')), "the axis is that of the other bars: {texts:?}");
        assert_eq!(layout.bin, histogram::Width::Lengths(if width < 500.0 { 2 } else { 1 }));
    }
    let log = histogram::Input { scale: Scale::Log, ..lengths(&entries, 512) };
    let frame = Frame::svg(700.0, 300.0, Theme::LIGHT);
    let scene = log.scene(&frame);
    svg("histogram-wikipedia-log", &scene, &frame);
    let mooncake = super::entries("mooncake_conversation");
    let log = histogram::Input { scale: Scale::Log, ..lengths(&mooncake, 131_072) };
    svg("histogram-mooncake-log", &log.scene(&frame), &frame);
    assert!(texts(&scene).contains(&"1 M") && !texts(&scene).iter().any(|t| t.contains("cut")));
}

#[test]
fn the_caption_says_what_a_bar_counts() {
    let frame = Frame::canvas(700.0, 300.0, 2.0, Theme::LIGHT);
    let caption = |name: &str, limit| {
        histogram::layout(&lengths(&entries(name), limit), &frame).caption("sequences", "tokens")
    };
    assert_eq!(caption("wikipedia_bert_512", 512), "sequences of each length");
    assert_eq!(caption("mooncake_conversation", 131_072), "sequences per 256 tokens");
}

#[test]
fn lengths_that_are_pointed_out_are_seen_at_every_density() {
    let entries = entries("wikipedia_bert_512");
    let lit = [202, 180, 130, 512];
    let input = histogram::Input { lit: lit.to_vec(), ..lengths(&entries, 512) };
    for (scale, (name, theme)) in [1.0, 2.0].into_iter().flat_map(|s| themes().map(|t| (s, t))) {
        let frame = Frame { font: 1.24, ..Frame::canvas(660.0, 300.0, scale, theme) };
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
            let layout =
                histogram::layout(&lengths(&entries, limit), &Frame::canvas(width, 300.0, 2.0, Theme::DARK));
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
    let steps = [(None, [0, 0]), (None, [1, 0]), (Some([9, 0]), [0, -1]), (Some([1, 0]), [-3, 0])];
    let steps = steps.map(|(from, by)| chart.step(from, by, &frame).map(|[length, _]| length));
    assert_eq!(steps, [Some(3), Some(9), Some(3), Some(1)]);
    assert_eq!(lengths(&[], 4).step(None, [1, 0], &frame), None);
    let (x, y) = histogram::layout(&chart, &frame).handle;
    assert_eq!(
        [chart.grip((x - 15.0, y), &frame), chart.grip((x + 17.0, y), &frame)],
        [Some([true, false]), None]
    );
    assert_eq!(chart.drag((-50.0, 0.0), &frame), [1, 0]);
}

#[test]
fn long_tails_fill_an_axis_of_equal_factors() {
    for (name, limit, words) in [
        ("mooncake_conversation", 131_072, "sequences per 4 % of length"),
        ("sharegpt_8k_llama2", 8192, "sequences per 2 % of length"),
        ("lima_train_chatml", 8192, "sequences per 9 % of length"),
    ] {
        let (histogram, entries) = (built_in(name), entries(name));
        let input = histogram::Input { across: Scale::Log, ..lengths(&entries, limit) };
        for width in WIDTHS {
            let frame = Frame::svg(width, 300.0, Theme::LIGHT);
            let (scene, layout) = (input.scene(&frame), histogram::layout(&input, &frame));
            svg(&format!("histogram-{name}-factors-{width}"), &scene, &frame);
            let share = |q| (layout.x_of(histogram.quantile(q)) - layout.plot.left) / layout.plot.width();
            assert!(share(0.5) > 0.25 && share(0.95) - share(0.05) > 0.25, "{name} {width}");
            for (length, _) in &entries {
                assert_eq!(layout.length_at(layout.x_of(*length)), *length);
                assert!(layout.bin_of(*length).is_some());
            }
            assert_eq!([layout.length_at(-50.0), layout.length_at(5000.0)], [entries[0].0, layout.end]);
            assert!(texts(&scene).iter().any(|t| t.ends_with(" tokens")), "{:?}", texts(&scene));
            assert!(layout.bins.len() as f64 <= width / 2.0);
        }
        let frame = Frame::canvas(700.0, 300.0, 2.0, Theme::LIGHT);
        assert_eq!(histogram::layout(&input, &frame).caption("sequences", "tokens"), words);
        let short = histogram::Input { limit: 1, ..input };
        let layout = histogram::layout(&short, &frame);
        assert!(layout.handle.0 >= layout.plot.left, "a limit below the axis is at its beginning");
    }
}

#[test]
fn colours_of_long_tails_have_an_eighth_of_the_tokens_each() {
    let set = built_in("mooncake_conversation");
    let hues = Hues::of(&set, 131_072);
    let mut tokens = [0; 8];
    set.lengths().into_iter().for_each(|(length, n)| tokens[hues.step(length)] += u64::from(length) * n);
    let eighth = set.total()[0] as f64 / 8.0;
    assert!(tokens.iter().all(|n| (*n as f64 / eighth - 1.0).abs() < 0.02), "{tokens:?}");
    assert_eq!(Hues::of(&set, 4096), hues, "a limit that moves changes no colour");
    for (name, limit) in [("wikipedia_bert_512", 512), ("squad_1_1_bert_384", 384)] {
        assert_eq!(Hues::of(&built_in(name), limit), Hues::equal(limit), "{name}");
    }
}

#[test]
fn a_short_limit_leaves_the_rest_pale_and_says_how_much() {
    let entries = entries("sharegpt_8k_llama2");
    for (width, limit) in [(330.0, 2048), (700.0, 2048), (700.0, 64)] {
        let frame = Frame::svg(width, 300.0, Theme::LIGHT).pointing([1200, 0]);
        let input = histogram::Input { lit: vec![500, 900], ..lengths(&entries, limit) };
        let (scene, layout) = (input.scene(&frame), histogram::layout(&input, &frame));
        svg(&format!("histogram-limit-{limit}-{width}"), &scene, &frame);
        assert!(texts(&scene).iter().any(|t| t.ends_with('%') || t.ends_with("are longer")));
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
            scene.paint(&mut SVGBackend::with_string(&mut text, frame.device_size()), &frame).unwrap();
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
            let scales = [Scale::Linear, Scale::Log];
            for (scale, across) in scales.into_iter().flat_map(|s| scales.map(|a| (s, a))) {
                let input = histogram::Input { scale, across, ..lengths(entries, 512) };
                let scene = input.scene(&frame);
                assert!(!svg("small", &scene, &frame).contains("NaN"));
            }
        }
    }
}
