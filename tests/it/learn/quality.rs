//! Does packing hurt the model?

use super::{Reader, figure};

/// Krell et al. 2022, Table 3; Nagarajan and Raghunathan 2023, Tables 5 and 8.
#[test]
fn scores_are_those_of_the_papers() {
    let shown = Reader::opens("quality").sees();
    for (name, value) in [
        ("base_f1_published", 88.5),
        ("base_f1", 88.32),
        ("base_f1_gain", -0.18),
        ("base_em_published", 80.8),
        ("base_em", 81.03),
        ("base_em_gain", 0.23),
        ("large_f1_published", 90.9),
        ("large_f1", 90.65),
        ("large_f1_gain", -0.25),
        ("large_em_published", 84.1),
        ("large_em", 84.12),
        ("large_em_gain", 0.02),
        ("score_random", 81.62),
        ("score_length-grouped", 81.65),
        ("score_packed", 80.69),
        ("score_bucket-by-length", 76.9),
        ("score_bucket", 81.67),
        ("score_dropping", 81.98),
        ("gain_packed", -0.93),
        ("times_length-grouped", 3.8),
        ("times_packed", 4.2),
        ("times_bucket-by-length", 5.3),
        ("times_bucket", 5.1),
        ("times_dropping", 5.9),
        ("score_dropout", 81.62),
        ("score_any", 78.44),
        ("score_stopwords", 81.98),
        ("score_all", 79.97),
    ] {
        assert_eq!(figure(&shown, name), Some(value), "{name}");
    }
    assert_eq!(shown.finding, "Kept apart in its packs, BERT scored within 0.25 of what it had without");
}

/// Nagarajan and Raghunathan 2023, Table 1, Roberta-base: gains, and their standard errors of ten seeds by hand.
#[test]
fn one_gain_in_ten_is_more_than_two_standard_errors() {
    let mut reader = Reader::opens("quality");
    let gains = [0.13, 0.54, 0.21, 0.18, 0.14, 0.12, 0.06, 1.09, 0.1, 1.06];
    let errors = [0.0707, 0.4050, 0.1581, 0.1703, 0.3962, 0.1, 0.0447, 1.0198, 0.0447, 1.4174];
    for (task, (gain, error)) in gains.into_iter().zip(errors).enumerate() {
        reader.moves("task", &[task as u32]);
        let shown = reader.sees();
        let found = ["gain", "standard_errors"].map(|name| figure(&shown, name).unwrap());
        assert!(
            (found[0] - gain).abs() < 1e-9 && (found[1] - gain / error).abs() < 0.01,
            "{task}: {found:?}"
        );
        assert_eq!(shown.done, task == 8, "{task}: {found:?}");
    }
}
