//! The batches of an epoch, two samplers side by side.

use super::{
    BATCH_WIDTHS, DOZEN, assert_tidy, bars, batched, entries, rects, svg, texts, themes, usual,
};
use packscope::api::batch::Report;
use packscope::sampler::{Drawn, PictureRow, Sampler};
use packscope_chart::batches::{self, Column, Input};
use packscope_chart::{Chart, Frame, Theme};

const NAMES: [(Sampler, &str); 7] = [
    (Sampler::Random, "Random"),
    (Sampler::Sorted, "Sorted"),
    (Sampler::LengthGrouped, "Length-grouped"),
    (Sampler::BucketByLength, "Bucket by length"),
    (Sampler::TokenBudget, "Token budget"),
    (Sampler::Bucket, "Bucket"),
    (Sampler::Packed, "Packed"),
];

fn column(report: &Report, epoch: usize) -> Column<'_> {
    let (figures, picture) = (&report.epochs[epoch], &report.pictures[epoch]);
    let settings = &report.settings;
    let packed = settings.sampler == Sampler::Packed;
    Column {
        name: NAMES
            .iter()
            .find(|(s, _)| *s == settings.sampler)
            .unwrap()
            .1,
        batches: &picture.batches,
        every: picture.every,
        steps: figures.batches,
        rows: if packed {
            figures.slots / u64::from(settings.limit)
        } else {
            figures.items
        },
        padding: figures.padding_share,
    }
}

fn input<'a>(columns: [Column<'a>; 2], limit: u32, first: Option<usize>) -> Input<'a> {
    Input {
        columns,
        limit,
        hues: limit.into(),
        first,
        unit: "tokens",
    }
}

#[test]
fn every_sampler_is_drawn_beside_random_batches() {
    let sets = [
        ("glue_sst2", 128),
        ("squad_1_1_bert_384", 384),
        ("wikipedia_bert_512", 512),
        ("dozen", 128),
    ];
    for (set, limit) in sets {
        // A fiftieth of the larger sets, for speed.
        let part = if limit > 128 { 50 } else { 1 };
        let lengths = if set == "dozen" {
            DOZEN.to_vec()
        } else {
            entries(set)
        };
        let lengths: Vec<_> = lengths
            .into_iter()
            .map(|(l, n)| (l, n.div_ceil(part)))
            .collect();
        let random = batched(&lengths, &usual(limit, Sampler::Random));
        for (sampler, _) in NAMES {
            let report = batched(&lengths, &usual(limit, sampler));
            for ((width, height), first) in BATCH_WIDTHS
                .into_iter()
                .flat_map(|w| [(w, None), (w, Some(6))])
            {
                for (theme_name, theme) in themes() {
                    let frame = Frame::svg(width, height, theme);
                    let input = input([column(&random, 2), column(&report, 2)], limit, first);
                    let (scene, layout) = (input.scene(&frame), batches::layout(&input, &frame));
                    let part = first.map_or("all", |_| "first");
                    let name = format!("batches-{set}-{sampler}-{part}-{width}-{theme_name}");
                    assert!(!svg(&name, &scene, &frame).contains("NaN"));
                    assert_tidy(&name, &scene, &frame);
                    assert!(bars(&scene) < 6000, "{name} has {} bars", bars(&scene));
                    let rows = input.columns.map(|c| c.rows as f64);
                    if first.is_none() && rows[0] > 100.0 {
                        let ratio = layout.areas[1].height() / layout.areas[0].height();
                        assert!((ratio - rows[1] / rows[0]).abs() < 1e-9, "{name}: {ratio}");
                    }
                }
            }
        }
    }
}

/// One batch of two long rows and one short one, one of four equal rows.
fn two() -> Vec<Drawn> {
    let row = |length, count| PictureRow {
        runs: vec![(length, 1)],
        count,
    };
    vec![
        Drawn {
            width: 100,
            rows: vec![row(100, 2), row(25, 1)],
        },
        Drawn {
            width: 50,
            rows: vec![row(50, 4)],
        },
    ]
}

fn of(batches: &[Drawn], padding: f64) -> Column<'_> {
    let rows = batches.iter().map(Drawn::height).sum();
    Column {
        name: "Some",
        batches,
        every: 1,
        steps: batches.len() as u64,
        rows,
        padding,
    }
}

#[test]
fn blocks_are_as_wide_as_their_longest_row_and_only_padding_is_grey() {
    let (two, frame) = (two(), Frame::svg(428.0, 400.0, Theme::LIGHT));
    let input = input([of(&two, 0.14), of(&two[..1], 0.25)], 200, Some(2));
    let (scene, layout) = (input.scene(&frame), batches::layout(&input, &frame));
    svg("batches-two", &scene, &frame);
    let theme = Theme::LIGHT;
    let blue = rects(&scene, theme.length_colour(100, 200));
    assert!(
        (blue[0].right - 100.0).abs() < 1e-9,
        "half of 200 slots: {blue:?}"
    );
    let grey: Vec<_> = rects(&scene, theme.padding)
        .into_iter()
        .filter(|a| a.top > layout.areas[0].top)
        .collect();
    assert_eq!(
        grey.len(),
        2,
        "the third row of the first batch, in both columns: {grey:?}"
    );
    for (area, left) in grey.iter().zip([0.0, 228.0]) {
        assert!(
            (area.right - left - 100.0).abs() < 1e-9,
            "no further than the batch: {area:?}"
        );
        assert!(
            (area.left - left - 24.0).abs() < 1e-9,
            "from the end of the row: {area:?}"
        );
    }
    let heights = layout.areas.map(|area| area.height());
    assert!(
        (heights[0] / heights[1] - 7.0 / 3.0).abs() < 1e-9,
        "rows are equally high"
    );
    let texts = texts(&scene);
    for said in [
        "14.0 % padding",
        "25.0 % padding",
        "2 batches",
        "1 batch",
        "200 tokens",
    ] {
        assert!(texts.contains(&said), "{said} is missing in {texts:?}");
    }
    assert!(
        !texts.iter().any(|text| text.ends_with("shown")),
        "all are: {texts:?}"
    );
}

#[test]
fn the_batch_under_the_pointer_is_found_and_outlined() {
    let (two, frame) = (two(), Frame::svg(428.0, 400.0, Theme::LIGHT));
    let input = input([of(&two, 0.14), of(&two, 0.14)], 200, None);
    let (plain, layout) = (input.scene(&frame), batches::layout(&input, &frame));
    for (k, area) in layout.areas.into_iter().enumerate() {
        let at =
            |share: f64| input.hit((area.right - 1.0, area.top + share * area.height()), &frame);
        assert_eq!(
            [at(0.1), at(0.42), at(0.44), at(0.99)],
            [0, 0, 1, 1].map(|index| Some([k as u32, index]))
        );
    }
    let between = (layout.areas[0].right + 5.0, layout.areas[0].top + 9.0);
    assert_eq!(input.hit(between, &frame), None);
    assert_eq!(
        input.scene(&frame.pointing([1, 1])).marks.len(),
        plain.marks.len() + 4
    );
    let steps = [
        (None, [1, 1]),
        (Some([0, 0]), [1, -1]),
        (Some([1, 1]), [5, 5]),
    ];
    let steps = steps.map(|(from, by)| input.step(from, by, &frame).unwrap());
    assert_eq!(steps, [[1, 0], [1, 1], [1, 0]], "down is to the next batch");
    let said = input.reading([1, 0]);
    assert_eq!(
        said.as_deref(),
        Some("Batch 1: 3 sequences of 25 to 100 tokens, 25.0 % padding.")
    );
    assert_eq!(input.reading([0, 2]), None);
}

#[test]
fn batches_are_left_out_until_they_can_be_seen_and_that_is_said() {
    let many: Vec<Drawn> = two().into_iter().cycle().take(500).collect();
    let column = Column {
        every: 4,
        steps: 2000,
        rows: 7000,
        ..of(&many, 0.1)
    };
    let frame = Frame::svg(700.0, 360.0, Theme::LIGHT);
    let all = input([column; 2], 200, None);
    let (scene, layout) = (all.scene(&frame), batches::layout(&all, &frame));
    svg("batches-many", &scene, &frame);
    assert!(
        layout.drawn_batches(0) < 45 && layout.drawn_batches(0) > 20,
        "{}",
        layout.drawn_batches(0)
    );
    let said = |text: &&str| {
        text.strip_prefix("one in ")?
            .strip_suffix(" batches shown")?
            .parse::<usize>()
            .ok()
    };
    let stride = texts(&scene).iter().find_map(said).unwrap();
    assert_eq!(
        2000usize.div_ceil(stride),
        layout.drawn_batches(0),
        "one of {stride}"
    );
    let first = input([column; 2], 200, Some(5));
    let (scene, layout) = (first.scene(&frame), batches::layout(&first, &frame));
    assert_eq!([layout.drawn_batches(0), layout.drawn_batches(1)], [5, 5]);
    assert!(
        texts(&scene).contains(&"5 of 2,000 batches shown"),
        "{:?}",
        texts(&scene)
    );
    // Few batches beside many are all shown, and both columns are as high as their epochs.
    let few = Column {
        batches: &many[..20],
        every: 1,
        steps: 20,
        rows: 7000,
        ..column
    };
    let layout = batches::layout(&input([column, few], 200, None), &frame);
    assert_eq!(layout.drawn_batches(1), 20);
    assert!(
        (layout.areas[0].bottom - layout.areas[1].bottom).abs() < 1.0,
        "{:?}",
        layout.areas
    );
}

#[test]
fn nothing_breaks_in_no_space_or_without_batches() {
    let odd = [
        Drawn {
            width: 0,
            rows: vec![],
        },
        Drawn {
            width: 900,
            rows: vec![PictureRow {
                runs: vec![(900, 9)],
                count: 1,
            }],
        },
    ];
    for (width, height) in [(1.0, 1.0), (60.0, 40.0), (300.0, 90.0)] {
        let frame = Frame::svg(width, height, Theme::LIGHT);
        for batches in [&[][..], &odd, &two()] {
            for first in [None, Some(0), Some(9)] {
                let input = input([of(batches, f64::NAN), of(&[], 0.0)], 0, first);
                let scene = input.scene(&frame);
                assert!(!svg("small-batches", &scene, &frame).contains("=\"NaN"));
                input.hit((3.0, 50.0), &frame);
            }
        }
    }
}
