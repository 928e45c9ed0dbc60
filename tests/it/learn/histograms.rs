//! Histograms instead of items.

use super::{Reader, figure, flat, texts};
use packscope_chart::{Frame, Mark, Theme};
use packscope_page::learn::prose::{ProsePiece, pieces};
use packscope_page::learn::{ChapterPart, Figure, KnobKind};

/// Rows of the table of the chapter, as numbers.
fn table(reader: &Reader) -> Vec<Vec<u64>> {
    // Powers of ten are written as such.
    let number = |cell: &String| {
        if cell.is_ascii() {
            cell.replace(',', "").parse().unwrap()
        } else {
            0
        }
    };
    let tables = reader
        .sees()
        .parts
        .into_iter()
        .filter_map(|part| match part {
            // Of the plan; the other is of small rows.
            ChapterPart::Table(table) if table.head[0] == "sequences" => Some(table.rows),
            _ => None,
        });
    tables
        .flatten()
        .map(|row| row.iter().map(number).collect())
        .collect()
}

#[test]
fn work_is_that_of_lengths() {
    let reader = Reader::opens("histograms");
    let shown = reader.sees();
    assert!(
        shown
            .finding
            .starts_with("16,279,552 sequences are packed in ")
            && shown.finding.ends_with("at most"),
        "{}",
        shown.finding
    );
    // 508 distinct lengths; no more than as many splits again and a half.
    let steps = figure(&shown, "steps").unwrap();
    assert!((508.0..2000.0).contains(&steps), "{steps}");
    let n = 16_279_552f64;
    assert!((figure(&shown, "steps_one_by_one").unwrap() / (n * n.log2()) - 1.0).abs() < 1e-12);
    assert!((figure(&shown, "times").unwrap() * steps / (n * n.log2()) - 1.0).abs() < 1e-9);
    // 10^2, 10^4, 10^6, Wikipedia, 10^8, 10^10, 10^12: as many steps from Wikipedia on, give or take a tenth.
    let rows = table(&reader);
    assert_eq!(rows.len(), 7);
    assert_eq!(rows[3][..2], [16_279_552, 8_138_483]);
    let sequences = [
        16_279_552u64,
        100_000_000,
        10_000_000_000,
        1_000_000_000_000,
    ];
    for (row, n) in rows[3..].iter().zip(sequences) {
        assert!((row[3] as f64 / steps - 1.0).abs() < 0.1, "{rows:?}");
        // The packing factor does not change either.
        assert!((n as f64 / row[1] as f64 - 2.0).abs() < 0.001);
    }
    assert!(rows[0][3] < 100);
    // The columns of the public code; the article rounds them to 22K and 940K.
    let shapes = ["shapes_of_three", "shapes_of_four"].map(|name| figure(&shown, name));
    assert_eq!(shapes, [Some(22_102.0), Some(959_631.0)]);
}

#[test]
fn thirty_six_sequences_are_eight_lengths() {
    let mut reader = Reader::opens("histograms");
    reader.moves("stage", &[3]);
    let shown = reader.sees();
    let (packs, kinds) = (
        figure(&shown, "small_packs").unwrap(),
        figure(&shown, "small_strategies").unwrap(),
    );
    // 6 + 21 + 20 + 25 + 28 + 24 + 27 + 72 tokens in rows of 12.
    assert!(
        packs >= (223f64 / 12.0).ceil() && packs < 22.0 && kinds < packs,
        "{packs} {kinds}"
    );
}

#[test]
fn fewer_lengths_are_fewer_steps() {
    let mut reader = Reader::opens("histograms");
    // Fewer sequences are no way.
    reader.moves("n", &[0]);
    assert!(!reader.sees().is_done() && figure(&reader.sees(), "steps").unwrap() < 100.0);
    reader.moves("n", &[16]);
    for (grain, done) in [
        (0, false),
        (1, false),
        (2, false),
        (3, false),
        (4, true),
        (5, false),
        (6, false),
        (7, false),
    ] {
        reader.moves("grain", &[grain]);
        let shown = reader.sees();
        assert_eq!(
            shown.is_done(),
            done,
            "{grain}: {:?} {:?}",
            figure(&shown, "steps"),
            figure(&shown, "padding")
        );
    }
    reader.moves("grain", &[4]);
    reader.moves("n", &[31]);
    assert!(reader.sees().is_done());
    assert!(
        reader
            .sees()
            .finding
            .starts_with("1,000,000,000,000 sequences")
    );
}

/// What the prose shows for a figure.
fn shown(reader: &Reader, name: &str) -> String {
    let texts = texts(&reader.sees());
    let mut all = texts.iter().flat_map(|text| pieces(text));
    let found = all.find_map(|piece| match piece {
        ProsePiece::Figure { name: n, shown, .. } if n == name => Some(shown.to_owned()),
        _ => None,
    });
    found.unwrap()
}

/// The number of sequences at a place of the knob, as it is written beside it.
fn sequences(place: u32) -> u64 {
    let KnobKind::Number { shown, .. } =
        Reader::opens("histograms").chapter.knob("n").unwrap().kind
    else {
        panic!("no number of sequences");
    };
    shown(place).replace(',', "").parse().unwrap()
}

#[test]
fn estimates_are_written_with_two_digits() {
    let mut reader = Reader::opens("histograms");
    for (place, words) in [(0, "660"), (16, "390,000,000")] {
        reader.moves("n", &[place]);
        assert_eq!(shown(&reader, "steps_one_by_one"), words);
        // Below a hundred all digits before the point, above it two.
        let times = figure(&reader.sees(), "times").unwrap();
        let digits = (times.log10().floor() - 1.0).max(0.0);
        let rounded = (times / 10f64.powf(digits)).round() * 10f64.powf(digits);
        assert_eq!(
            shown(&reader, "times"),
            packscope::words::count(rounded as u64)
        );
    }
    let sizes: Vec<u64> = (0..=31).map(sequences).collect();
    assert!(sizes.windows(2).all(|pair| pair[0] < pair[1]), "{sizes:?}");
}

/// The plot of the steps.
fn plot(reader: &Reader) -> Figure {
    let steps = |part: &&ChapterPart| matches!(part, ChapterPart::Figure(f) if f.label.starts_with("Steps of packing"));
    let shown = reader.sees();
    match flat(&shown.parts).into_iter().find(steps) {
        Some(ChapterPart::Figure(figure)) => figure.clone(),
        _ => panic!("no plot"),
    }
}

#[test]
fn powers_are_written_as_such_and_presses_find_the_nearest_number() {
    let figure = plot(&Reader::opens("histograms"));
    let frame = Frame::canvas(2400.0, 900.0, 1.0, Theme::LIGHT);
    let scene = (figure.draw)(&frame);
    let written = |words: &str| {
        scene
            .marks
            .iter()
            .any(|m| matches!(m, Mark::Text { text, .. } if text == words))
    };
    assert!(["1", "10²", "10⁴", "10¹²"].into_iter().all(written));
    let press = figure.press.unwrap();
    let place = |x: f64| press(x, 100.0, &frame).unwrap().1[0];
    assert_eq!([place(-100.0), place(1e6)], [0, 31]);
    // Where one number ends and the next begins: at their geometric mean.
    let mut ends: Vec<f64> = Vec::new();
    for x in 0..24_000 {
        let x = f64::from(x) / 10.0;
        while place(x) as usize > ends.len() {
            ends.push(x);
        }
    }
    let middle = |i: usize| (sequences(i as u32) as f64 * sequences(i as u32 + 1) as f64).ln();
    let [first, last] = [0, 30].map(|i| (ends[i], middle(i)));
    assert_eq!(ends.len(), 31);
    for (i, end) in ends.iter().enumerate() {
        let share = (middle(i) - first.1) / (last.1 - first.1);
        assert!(
            (end - first.0 - share * (last.0 - first.0)).abs() < 0.3,
            "{i}: {end}"
        );
    }
}

/// What only experts ask is folded.
#[test]
fn least_squares_are_an_aside() {
    let shown = Reader::opens("histograms").sees();
    let aside = flat(&shown.parts).into_iter().find_map(|part| match part {
        ChapterPart::Aside(about, text) => Some((*about, text.clone())),
        _ => None,
    });
    let (about, text) = aside.unwrap();
    assert!(about.contains("least squares") && text.contains("NNLSHP"));
    assert!(
        !shown
            .parts
            .iter()
            .any(|part| matches!(part, ChapterPart::Text(text) if text.contains("NNLSHP")))
    );
}

/// Krell, Kosec 2021, Figure 4: the matrix of a row of eight with at most three sequences has ten columns.
#[test]
fn small_rows_have_all_their_shapes() {
    let mut reader = Reader::opens("histograms");
    for (slots, shapes) in [(2, 2), (4, 4), (8, 10), (12, 19)] {
        reader.moves("small", &[slots]);
        let shown = reader.sees();
        assert_eq!(figure(&shown, "small_shapes"), Some(f64::from(shapes)));
        let mut tables = flat(&shown.parts)
            .into_iter()
            .filter_map(|part| match part {
                ChapterPart::Table(table) => Some(table.clone()),
                _ => None,
            });
        let matrix = tables.next_back().unwrap();
        assert_eq!(
            (matrix.rows.len(), matrix.head.len()),
            (slots as usize, 1 + shapes as usize)
        );
        for column in 1..matrix.head.len() {
            let times = |row: &Vec<String>| row[column].parse::<u32>().unwrap_or(0);
            let filled: u32 = (1..)
                .zip(&matrix.rows)
                .map(|(length, row)| length * times(row))
                .sum();
            let sequences: u32 = matrix.rows.iter().map(times).sum();
            assert!(
                filled == slots && (1..=3).contains(&sequences),
                "{slots}: {column}"
            );
        }
    }
}
