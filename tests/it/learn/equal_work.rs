//! Equal tokens are not equal work.

use super::{Reader, figure, texts};
use packscope_page::learn::ChapterPart;
use packscope_page::state::learn::Prediction;

/// Llama 3.2 1B, counted by hand: 16 layers of width 2,048 with keys of 512 and a gated part of 8,192; 128,256 tokens.
fn by_hand(long: f64) -> f64 {
    let weights = 16.0 * (2.0 * 2048.0 * (2048.0 + 512.0) + 3.0 * 2048.0 * 8192.0);
    let token = 2.0 * (weights + 128_256.0 * 2048.0);
    // Half of the pairs, since no token looks ahead.
    let pair = 4.0 * 2048.0 * 16.0 / 2.0;
    1.0 - (token + pair * 1024.0) / (token + pair * long)
}

#[test]
fn the_rank_with_short_sequences_waits_as_long_as_counted_by_hand() {
    let mut reader = Reader::opens("equal-work");
    for power in 10..=17 {
        reader.moves("longest", &[power]);
        let found = figure(&reader.sees(), "waits").unwrap();
        assert!(
            (found - by_hand(f64::from(1 << power))).abs() < 1e-12,
            "{power}: {found}"
        );
        // The tool counts the time of both.
        assert_eq!(figure(&reader.sees(), "waits_of_both"), Some(found / 2.0));
        assert!(
            texts(&reader.sees())
                .iter()
                .all(|text| !text.contains("first 1 ")),
            "{power}"
        );
    }
}

#[test]
fn larger_models_wait_less_and_curves_follow_the_prediction() {
    let mut reader = Reader::opens("equal-work");
    let waits = [0, 1, 2].map(|model| {
        reader.moves("model", &[model]);
        figure(&reader.sees(), "waits").unwrap()
    });
    assert!(waits[0] > waits[1] && waits[1] > waits[2], "{waits:?}");
    let figures = |reader: &Reader| {
        reader
            .sees()
            .parts
            .iter()
            .filter(|part| matches!(part, ChapterPart::Figure(_)))
            .count()
    };
    assert_eq!(figures(&reader), 1, "the curves tell the answer");
    reader.predicts("ranks-wait", Some(Prediction::Made(1)));
    assert_eq!(figures(&reader), 2);
    // For every model a length is the right one, and the next is not.
    for model in 0..3 {
        reader.moves("model", &[model]);
        let right = (10..=17).filter(|power| {
            reader.moves("longest", &[*power]);
            reader.sees().is_done()
        });
        assert_eq!(right.count(), 1, "{model}");
    }
}
