//! Buckets.

use super::{Reader, figure};
use packscope::histogram::Histogram;
use packscope::metrics::{ExpectedPadding, PublishedEstimate};
use packscope_page::learn::ChapterPart;
use packscope_page::learn::ChapterView;
use packscope_page::learn::data::lengths;

/// The cells of a row of the table.
fn row(shown: &ChapterView, epoch: usize) -> Vec<String> {
    let table = shown.parts.iter().find_map(|p| {
        if let ChapterPart::Table(t) = p {
            Some(t)
        } else {
            None
        }
    });
    table.map(|t| t.rows[epoch - 1].clone()).unwrap()
}

fn near(value: Option<f64>, percent: f64, by: f64) -> bool {
    value.is_some_and(|v| (v * 100.0 - percent).abs() < by)
}

/// What the published code gives on RTE: random 47.969 % in 39 batches; width 1 and merging, caps of the paper 42 batches
/// of 1.926 %, 28 of 2.955 %, 24 of 3.633 %; rows of the table (width 5) without merging 51, 38 and 34 of 2.59 %.
#[test]
fn batches_are_those_of_the_reference() {
    let mut reader = Reader::opens("buckets");
    assert_eq!(figure(&reader.sees(), "random_batches"), Some(39.0));
    assert!(
        reader
            .sees()
            .finding
            .starts_with("Random batches are ~48.0\u{a0}%~ padding"),
        "{}",
        reader.sees().finding
    );
    for (width, merging, golden) in [
        (1, 1, [(42.0, 1.926), (28.0, 2.955), (24.0, 3.633)]),
        (5, 0, [(51.0, 2.592), (38.0, 2.592), (34.0, 2.593)]),
    ] {
        reader.moves("width", &[width]);
        reader.moves("merging", &[merging]);
        for (epoch, (batches, padding)) in (1..).zip(golden) {
            reader.moves("epoch", &[epoch]);
            let shown = reader.sees();
            assert_eq!(figure(&shown, "batches"), Some(batches), "{width} {epoch}");
            assert!(
                near(figure(&shown, "padding_share"), padding, 0.06),
                "{width} {epoch}"
            );
        }
    }
    // What the chapter says to notice: merged, about as many batches as at random, which are 39.
    assert!(reader.sees().notice.contains("about as many as those"));
    // A length of its own for every bucket, nothing merged: no padding, and many batches.
    reader.moves("width", &[1]);
    reader.moves("epoch", &[1]);
    reader.moves("merging", &[0]);
    let shown = reader.sees();
    assert_eq!(figure(&shown, "padding_share"), Some(0.0));
    assert_eq!(figure(&shown, "batches"), Some(119.0));
}

#[test]
fn caps_grow_and_rates_follow_the_square_root() {
    let mut reader = Reader::opens("buckets&scene.width=1&scene.merging=1");
    let caps: Vec<String> = (1..=5)
        .map(|epoch| row(&reader.sees(), epoch)[1].clone())
        .collect();
    assert_eq!(caps, ["64", "128", "256", "512", "1,024"]);
    for epoch in 1..=5 {
        reader.moves("epoch", &[epoch]);
        let shown = reader.sees();
        let sizes = row(&shown, epoch as usize)[4].clone();
        let sizes: Vec<f64> = sizes.split(" – ").map(|n| n.parse().unwrap()).collect();
        for (name, size) in [
            ("learning_rate_least", sizes[0]),
            ("learning_rate_most", sizes[1]),
        ] {
            let rate = figure(&shown, name).unwrap();
            assert!(
                (rate - 3e-5 * (size / 64.0).sqrt()).abs() < 1e-12,
                "{epoch} {name} {rate}"
            );
        }
    }
    // The table of the authors’ code: (10, 15] and (125, ..].
    let shown = reader.sees();
    assert_eq!(
        [figure(&shown, "hwcap_15"), figure(&shown, "hwcap_128")],
        [Some(800.0), Some(50.0)]
    );
}

#[test]
fn few_batches_and_little_padding_take_the_right_width_and_epoch() {
    let mut reader = Reader::opens("buckets");
    // Narrow and merged: too many batches while the cap is small, too much padding when it is not.
    reader.moves("width", &[1]);
    reader.moves("merging", &[1]);
    for (epoch, done) in [(1, false), (2, true), (3, false), (5, true)] {
        reader.moves("epoch", &[epoch]);
        assert_eq!(reader.sees().is_done(), done, "{epoch}");
    }
    // On their own: wide enough, but not too wide.
    reader.moves("merging", &[0]);
    for (width, done) in [(1, false), (4, false), (5, true), (6, true), (8, false)] {
        reader.moves("width", &[width]);
        assert_eq!(reader.sees().is_done(), done, "{width}");
    }
    // Not by throwing tokens away.
    reader.moves("drop", &[1]);
    let shown = reader.sees();
    assert!(
        !shown.is_done()
            && figure(&shown, "padding_share") == Some(0.0)
            && figure(&shown, "dropped_tokens") > Some(0.0)
    );
    reader.moves("stopwords", &[0]);
    assert_eq!(figure(&reader.sees(), "dropped_tokens"), Some(0.0));
}

/// What the sources of the chapter say of the paper's estimate. Random batches of SST-2, by the published code: 70.046 %.
#[test]
fn the_estimate_of_the_paper_is_only_an_estimate() {
    for (id, limit, estimate, truth) in [
        ("glue_rte", 128, 48.0, 47.97),
        ("glue_sst2", 128, 44.0, 70.05),
    ] {
        let histogram = Histogram::from_lengths(lengths(id)).unwrap();
        assert!(histogram.lengths().iter().all(|(l, _)| *l <= limit));
        let random = ExpectedPadding::random(&histogram, 64);
        assert!((random.padding_share * 100.0 - truth).abs() < 0.1, "{id}");
        let found = PublishedEstimate::new(&histogram, &random).padding_fraction_est;
        assert!((found * 100.0 - estimate).abs() < 6.5, "{id} {found}");
    }
}
