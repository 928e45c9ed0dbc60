//! Many accelerators.

use super::{Reader, figure, flat};
use packscope::cost::waiting::ACCELERATORS;
use packscope_chart::{Frame, Mark, Theme};
use packscope_page::learn::data::lengths;
use packscope_page::learn::{ChapterPart, Figure};

/// Mean of the largest of so many lengths / mean length, by summing P(largest > l) over all l: another way than the engine's.
fn longest(crew: i32) -> f64 {
    let counts = lengths("wikipedia_bert_512");
    let all: u64 = counts.iter().map(|(_, n)| n).sum();
    let up_to =
        |l: u32| counts.iter().filter(|c| c.0 <= l).map(|c| c.1).sum::<u64>() as f64 / all as f64;
    let mean: f64 = (0..512).map(|l| 1.0 - up_to(l)).sum();
    (0..512).map(|l| 1.0 - up_to(l).powi(crew)).sum::<f64>() / mean
}

#[test]
fn one_row_each_waits_as_the_distribution_says() {
    let mut reader = Reader::opens("accelerators&scene.rows=0");
    // 512 slots by a mean of 255.8 tokens: 16,279,552 sequences with 4,164,796,173 tokens.
    let alone = 8_335_130_624.0 / (8_335_130_624.0 - 4_170_334_451.0);
    for crew in [0u32, 1, 3, 6, 12] {
        reader.moves("crew", &[crew]);
        let shown = reader.sees();
        let expected = longest(1 << crew);
        let longer = figure(&shown, "longer").unwrap();
        assert!(
            (longer - expected).abs() < 1e-9,
            "{crew}: {longer} {expected}"
        );
        assert!((figure(&shown, "waiting").unwrap() - (1.0 - 1.0 / expected)).abs() < 1e-9);
        assert!((figure(&shown, "unpadded").unwrap() - alone).abs() < 1e-9);
    }
    // So many that one always draws a full row: nothing is left of what unpadding wins.
    assert!((figure(&reader.sees(), "longer").unwrap() - alone).abs() < 1e-6);
}

#[test]
fn padded_and_packed_rows_wait_for_nobody() {
    let mut reader = Reader::opens("accelerators&scene.crew=5&scene.rows=3");
    for (way, waits) in [(0, false), (1, true), (2, true), (3, false)] {
        reader.moves("way", &[way]);
        let mut slowest = Vec::new();
        for step in 0..6 {
            reader.moves("step", &[step]);
            let shown = reader.sees();
            assert_eq!(figure(&shown, "waiting_now").unwrap() > 0.0, waits, "{way}");
            assert_eq!(figure(&shown, "waiting").unwrap() > 0.0, waits, "{way}");
            slowest.push(figure(&shown, "slowest").unwrap());
        }
        assert_eq!(
            slowest.iter().any(|s| *s != slowest[0]),
            waits,
            "{way}: {slowest:?}"
        );
    }
}

#[test]
fn dealt_out_by_length_two_rows_each_do() {
    let mut reader = Reader::opens("accelerators&scene.way=2&scene.crew=6&scene.rows=1");
    let waits = figure(&reader.sees(), "waiting").unwrap();
    assert!((0.04..0.08).contains(&waits), "{waits}");
    assert!(
        reader
            .sees()
            .found
            .contains("Assigned by length, two rows each do")
    );
    assert!(!reader.sees().is_done());
    // One row each cannot be dealt out better: too much waiting.
    reader.moves("rows", &[0]);
    assert!(figure(&reader.sees(), "waiting").unwrap() >= 0.25);
}

#[test]
fn the_fewest_rows_are_thirty_two() {
    let mut reader = Reader::opens("accelerators");
    assert!(
        reader.sees().finding.starts_with("8 accelerators spend "),
        "{}",
        reader.sees().finding
    );
    reader.moves("crew", &[6]);
    for rows in 0..=6 {
        reader.moves("rows", &[rows]);
        assert_eq!(
            reader.sees().is_done(),
            rows == 5,
            "{rows}: {:?}",
            figure(&reader.sees(), "waiting")
        );
    }
    reader.moves("rows", &[5]);
    // The largest of 64 sums of 32: the mean and 2.4 standard deviations, about.
    let counts = lengths("wikipedia_bert_512");
    let all: f64 = counts.iter().map(|c| c.1 as f64).sum();
    let mean = counts
        .iter()
        .map(|c| f64::from(c.0) * c.1 as f64)
        .sum::<f64>()
        / all;
    let variance = counts
        .iter()
        .map(|c| (f64::from(c.0) - mean).powi(2) * c.1 as f64)
        .sum::<f64>()
        / all;
    let normal = 1.0 + 2.377 * (variance / 32.0).sqrt() / mean;
    let longer = figure(&reader.sees(), "longer").unwrap();
    assert!((longer - normal).abs() < 0.02, "{longer} {normal}");
    reader.moves("way", &[3]);
    assert!(!reader.sees().is_done());
    assert_eq!(reader.sees().finding, "Packed, nobody waits for anybody");
}

/// The figures of the chapter whose label begins so.
fn drawing(reader: &Reader, label: &str) -> Figure {
    let shown = reader.sees();
    let found = flat(&shown.parts).into_iter().find_map(|part| match part {
        ChapterPart::Figure(figure) if figure.label.starts_with(label) => Some(figure.clone()),
        _ => None,
    });
    found.unwrap()
}

#[test]
fn presses_find_powers_of_two() {
    let mut reader = Reader::opens("accelerators");
    let frame = Frame::canvas(600.0, 300.0, 1.0, Theme::LIGHT);
    for (place, crew) in (0u32..).zip(ACCELERATORS) {
        assert_eq!(crew, 1 << place);
        reader.moves("crew", &[place]);
        let figure = drawing(&reader, "How many times as fast");
        let scene = (figure.draw)(&frame);
        let dot = |mark: &Mark| match mark {
            Mark::Disc((x, _), radius, colour)
                if (*radius, *colour) == (4.5, Theme::LIGHT.accent) =>
            {
                Some(*x)
            }
            _ => None,
        };
        let at = scene.marks.iter().find_map(dot).unwrap();
        let press = figure.press.unwrap();
        assert_eq!(press(at, 100.0, &frame), Some(("crew", vec![place])));
        // So do presses nearby: a power of two is as wide as a twelfth of the plot.
        assert_eq!(press(at - 5.0, 100.0, &frame), Some(("crew", vec![place])));
    }
}

#[test]
fn ways_differ_in_grey_and_in_waiting() {
    let mut reader = Reader::opens("accelerators&scene.crew=3&scene.rows=2&scene.step=1");
    let frame = Frame::canvas(900.0, 300.0, 1.0, Theme::LIGHT);
    let mut of = |way: u32| {
        reader.moves("way", &[way]);
        let shown = reader.sees();
        let scene = (drawing(&reader, "One step of").draw)(&frame);
        let grey = scene
            .marks
            .iter()
            .any(|m| matches!(m, Mark::Rect(_, c) if *c == Theme::LIGHT.padding));
        (
            figure(&shown, "slowest").unwrap(),
            figure(&shown, "mean").unwrap(),
            grey,
        )
    };
    // Eight accelerators with four rows of 512 slots each.
    let [padded, drawn, dealt, packed] = [0, 1, 2, 3].map(&mut of);
    assert_eq!([padded, packed], [(2048.0, 2048.0, true); 2]);
    // The same rows.
    assert!((drawn.1 - dealt.1).abs() < 1e-9);
    assert!(dealt.0 < drawn.0 && drawn.1 < drawn.0);
    assert!(!drawn.2 && !dealt.2);
}

/// Krell et al. 2022, §4.4: unpadding saves attention too, and can exceed the bound of packing. Operations of BERT large are
/// 24 · 1,024² for a token in each of 24 layers, 4 · 1,024 for a pair, and 15 % of the output over the vocabulary.
#[test]
fn one_accelerator_without_padding_exceeds_the_bound_of_packing() {
    let counts = lengths("wikipedia_bert_512");
    let token = 24.0 * 24.0 * 1024.0 * 1024.0 + 2.0 * 0.15 * 30_522.0 * 1024.0;
    let work = |l: f64| token * l + 24.0 * 4.0 * 1024.0 * l * l;
    let all: f64 = counts.iter().map(|(_, n)| *n as f64).sum();
    let unpadded: f64 = counts
        .iter()
        .map(|(l, n)| work(f64::from(*l)) * *n as f64)
        .sum();
    let above = work(512.0) * all / unpadded;
    let shown = Reader::opens("accelerators").sees();
    let [said, packed] =
        ["unpadded_with_attention", "packing_factor"].map(|name| figure(&shown, name).unwrap());
    assert!((said - above).abs() < 1e-3, "{said} {above}");
    assert!(said > 2.013 && packed < 2.013, "{said} {packed}");
}
