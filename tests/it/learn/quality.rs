//! Does packing hurt the model?

use super::{Reader, figure, texts};

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
    assert_eq!(
        shown.finding,
        "Packed and kept apart, BERT scored within 0.25 of BERT without packing"
    );
}

/// Nagarajan and Raghunathan 2023, Tables 1 and 7, as printed: SQuAD, MRPC, STS-B, SST-2, CoLA, QQP, QNLI, RTE, MNLI, WNLI.
const TABLES: [[&str; 2]; 3] = [
    [
        "90.46 0.2 88.09 1.0 89.85 0.3 94.15 0.5 59.35 0.6 91.36 0.1 92.58 0.1 69.31 1.6 87.56 0.1 53.51 3.5",
        "90.59 0.1 88.63 0.8 90.06 0.4 94.33 0.2 59.49 1.1 91.48 0.3 92.64 0.1 70.4 2.8 87.66 0.1 54.57 2.8",
    ],
    [
        "90.74 0.3 88.28 0.8 89.74 0.4 95.01 0.3 65.48 0.4 91.93 0.1 92.41 1.1 77.07 0.9 88.33 0.6 54.22 2.6",
        "90.88 0.2 88.51 0.3 89.79 0.3 95.12 0.3 66.03 0.6 92.11 0.1 93.09 0.3 78.24 0.7 88.74 0.3 54.38 2.8",
    ],
    [
        "91.33 0.3 89.71 0.8 91.65 0.7 96.28 1.0 65.49 1.4 92.38 0.1 93.72 0.1 87.1 2.1 89.58 0.1 72.12 4.2",
        "91.68 0.2 90.56 0.5 91.82 0.7 96.51 0.6 65.54 1.3 92.74 0.3 93.99 0.2 88.34 2.6 89.88 0.1 74.08 3.7",
    ],
];
const IDS: [&str; 3] = ["roberta_base", "electra_base", "roberta_large"];

/// Gains of a model, each with its standard error by ten seeds.
fn gains(model: usize) -> Vec<[f64; 2]> {
    let [before, after] = TABLES[model]
        .map(|row| {
            row.split(' ')
                .map(|n| n.parse::<f64>().unwrap())
                .collect::<Vec<_>>()
        })
        .map(|row| {
            row.chunks(2)
                .map(|pair| [pair[0], pair[1]])
                .collect::<Vec<_>>()
        });
    let both = before.iter().zip(after);
    both.map(|([a, s], [b, t])| [b - a, (s.powi(2) / 10.0 + t.powi(2) / 10.0).sqrt()])
        .collect()
}

#[test]
fn gains_and_their_errors_are_those_of_the_tables() {
    let mut reader = Reader::opens("quality");
    for model in 0..3 {
        reader.moves("model", &[model as u32]);
        for (task, [gain, error]) in gains(model).into_iter().enumerate() {
            reader.moves("task", &[task as u32]);
            let shown = reader.sees();
            let found = ["gain", "standard_errors"].map(|name| figure(&shown, name).unwrap());
            assert!(
                (found[0] - gain).abs() < 1e-9 && (found[1] - gain / error).abs() < 0.001,
                "{model} {task}: {found:?}"
            );
        }
    }
}

#[test]
fn a_gain_that_one_task_does_not_show_is_not_called_none() {
    let mut reader = Reader::opens("quality&hide=predictions");
    let clear = ["One", "Three", "Five"];
    let (mut positive, mut all) = (0, 0);
    for model in 0..3 {
        reader.moves("model", &[model as u32]);
        let shown = reader.sees();
        let gains = gains(model);
        let number = |name: &str| figure(&shown, &format!("{}_{name}", IDS[model])).unwrap();
        let errors: Vec<f64> = gains.iter().map(|[gain, error]| gain / error).collect();
        let above = errors.iter().filter(|errors| **errors > 2.0).count();
        assert_eq!(number("clear"), above as f64);
        // Stouffer's sum: of independent deviates, each of variance one, divided by the root of their number.
        assert!((number("pooled") - errors.iter().sum::<f64>() / 10f64.sqrt()).abs() < 1e-4);
        assert!(
            (number("mean_gain") - gains.iter().map(|[gain, _]| gain).sum::<f64>() / 10.0).abs()
                < 0.006
        );
        positive += gains.iter().filter(|[gain, _]| *gain > 0.0).count();
        all += gains.len();
        let title = format!("{} of ten tasks show", clear[model]);
        let titled = texts(&shown)
            .iter()
            .any(|t| t.starts_with(&title) && t.ends_with("all ten together do"));
        assert!(titled, "{title}");
    }
    let shown = reader.sees();
    assert_eq!((positive, all), (30, 30));
    assert_eq!(figure(&shown, "gains_positive"), Some(30.0));
    assert_eq!(figure(&shown, "gains_clear"), Some(9.0));
    assert!((figure(&shown, "roberta_base_pooled").unwrap() - 3.954).abs() < 0.001);
    assert!((figure(&shown, "pooled_at_worst").unwrap() - 3.042).abs() < 0.001);
    assert!((figure(&shown, "mean_large").unwrap() - 87.514).abs() < 1e-9);
    for text in texts(&shown) {
        assert!(
            !text.contains("than chance") && !text.contains("is none"),
            "{text}"
        );
    }
}

/// However the printed numbers were rounded, thirty seeds are too few and forty are enough.
#[test]
fn the_seeds_of_the_exercise_are_determined_by_the_figures_shown() {
    let error = |by: f64, seeds: f64| (((1.6f64 + by).powi(2) + (2.8 + by).powi(2)) / seeds).sqrt();
    assert!((1.09 + 0.01) / error(-0.05, 30.0) < 2.0 && (1.09 - 0.01) / error(0.05, 40.0) > 2.0);
    let mut reader = Reader::opens("quality");
    for seeds in (10..=100).step_by(10) {
        reader.moves("seeds", &[seeds]);
        assert_eq!(reader.sees().is_done(), seeds == 40, "{seeds}");
    }
    reader.moves("seeds", &[40]);
    assert!(
        reader.sees().found.starts_with("40 seeds instead of ten"),
        "{}",
        reader.sees().found
    );
    reader.moves("model", &[1]);
    assert!(!reader.sees().is_done());
}

/// Nagarajan and Raghunathan 2023, Tables 1 and 7: the last line of each, with its mean.
#[test]
fn scores_and_times_by_task_are_those_of_the_tables() {
    let base = "9.87 2.75 7.73 10.61 9.39 5.51 3.18 2.05 4.09 3.8";
    let large = "9.46 2.91 7.28 10.12 8.96 5.6 3.14 2.02 4.19 3.92";
    let ids = "squad mrpc stsb sst2 cola qqp qnli rte mnli wnli";
    let mut reader = Reader::opens("quality");
    for (model, times, mean) in [(0, base, 5.9), (1, base, 5.9), (2, large, 5.76)] {
        reader.moves("model", &[model as u32]);
        let shown = reader.sees();
        let number = |name: &str| figure(&shown, name).unwrap();
        let [before, after] = TABLES[model].map(|row| {
            row.split(' ')
                .step_by(2)
                .map(|n| n.parse().unwrap())
                .collect::<Vec<f64>>()
        });
        for (k, (id, times)) in ids.split(' ').zip(times.split(' ')).enumerate() {
            assert_eq!(
                number(&format!("faster_{id}")),
                times.parse::<f64>().unwrap(),
                "{id}"
            );
            assert_eq!(number(&format!("random_{id}")), before[k], "{id}");
            assert_eq!(number(&format!("buckets_{id}")), after[k], "{id}");
        }
        assert!((number("times_mean") - mean).abs() < 0.006, "{model}");
    }
}
