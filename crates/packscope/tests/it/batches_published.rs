//! Results of published samplers on published data, over many seeds. Source: `tests/data/golden_batches.csv`.

use crate::common::pairs;
use packscope::api::batch::{BatchCap, PreparedBatches, Settings};
use packscope::histogram::Overlong;
use packscope::metrics::EpochFigures;
use packscope::packing::go_on;
use packscope::sampler::{HwCap, Sampler};

/// Seeds that our means are over.
const SEEDS: u64 = 20;
/// The caps of the paper's figure between its published points, for buckets that end at 4, 9, …, 124 and 127.
const PAPER: [u32; 26] = [
    2525, 1250, 800, 518, 401, 326, 273, 235, 205, 182, 163, 147, 135, 124, 114, 106, 99, 93, 87,
    82, 78, 74, 70, 67, 64, 64,
];

/// A row of the table: the mean of a method on a set.
#[derive(Debug)]
struct Published {
    set: &'static str,
    method: &'static str,
    epoch: usize,
    /// Percent, its standard deviation over the seeds, and the seeds.
    padding: [f64; 3],
    batches: f64,
    mean_batch: f64,
    largest_batch: u64,
    largest_slots: u64,
    dropped: u64,
}

fn published() -> Vec<Published> {
    let lines = include_str!("../../../../tests/data/golden_batches.csv")
        .lines()
        .filter(|line| !line.starts_with('#'));
    let row = |line: &'static str| {
        let [set, method, rest @ ..] = &line.split(',').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let n: Vec<f64> = rest.iter().map(|n| n.parse().unwrap()).collect();
        let [
            epoch,
            padding,
            sd,
            seeds,
            batches,
            mean_batch,
            largest_batch,
            largest_slots,
            dropped,
        ] = n[..]
        else {
            panic!("{line}")
        };
        Published {
            set,
            method,
            epoch: epoch as usize,
            padding: [padding, sd, seeds],
            batches,
            mean_batch,
            largest_batch: largest_batch as u64,
            largest_slots: largest_slots as u64,
            dropped: dropped as u64,
        }
    };
    lines.skip(1).map(row).collect()
}

/// A method under its published name, as settings; and, for each of its epochs, which of ours that is.
fn method(name: &str) -> (Settings, &'static [usize]) {
    // Their code has the buckets of its table, whether tokens are dropped or not.
    let plain = Settings {
        batch_cap: None,
        epochs: 1,
        bucket_width: Some(5),
        ..Settings::default()
    };
    let (bucket, cap) = (
        Settings {
            merging: false,
            ..plain.clone()
        },
        Some(BatchCap::default()),
    );
    let merged = plain.clone();
    let of = |sampler| Settings {
        sampler,
        ..plain.clone()
    };
    const ONE: &[usize] = &[0];
    const DOUBLED: &[usize] = &[0, 1, 2];
    // Their code skips 128.
    const SKIPPING: &[usize] = &[0, 2, 3];
    match name {
        "RandomSampler64" => (of(Sampler::Random), ONE),
        "LengthGroupedSampler64" => (of(Sampler::LengthGrouped), ONE),
        "LengthGroupedSampler64_mult50" => (
            Settings {
                mega: Some(50),
                ..of(Sampler::LengthGrouped)
            },
            ONE,
        ),
        "tf_bucket_by_sequence_length(code HW)" => (of(Sampler::BucketByLength), ONE),
        "BucketSampler_noRBM(code HW)" => (bucket, ONE),
        "BucketSampler_RBM(code HW)" => (merged, ONE),
        "BucketSampler_RBM_BatchCap_paper(64;128;256)" => (
            Settings {
                batch_cap: cap,
                epochs: 3,
                ..merged
            },
            DOUBLED,
        ),
        "BucketSampler_RBM_BatchCap_code(64;256;512)" => (
            Settings {
                batch_cap: cap,
                epochs: 4,
                ..merged
            },
            SKIPPING,
        ),
        "BucketSampler_noRBM_BatchCap_paper" => (
            Settings {
                batch_cap: cap,
                epochs: 3,
                ..bucket
            },
            DOUBLED,
        ),
        "BucketSampler_RBM_width1(code HW)" => (
            Settings {
                bucket_width: None,
                ..merged
            },
            ONE,
        ),
        "BucketSampler_RBM_width1_BatchCap_paper" => (
            Settings {
                bucket_width: None,
                batch_cap: cap,
                epochs: 3,
                ..merged
            },
            DOUBLED,
        ),
        // Half-open buckets up to 128 have no place for 128.
        "BucketSampler_RBM(paper HW interp; [min;max) buckets)" => {
            let ends = (4..125).step_by(5).chain([127]);
            let hwcap = HwCap::Table(ends.zip(PAPER).collect());
            (
                Settings {
                    limit: 127,
                    overlong: Overlong::Drop,
                    hwcap,
                    bucket_width: None,
                    ..merged
                },
                ONE,
            )
        }
        _ => panic!("{name}"),
    }
}

fn prepared(set: &str, settings: &Settings) -> PreparedBatches {
    let file = if set == "squad_trunc128" {
        "squad_1_1_bert_384"
    } else {
        set
    };
    PreparedBatches::new(&pairs(file), false, settings).unwrap()
}

/// Mean and standard deviation.
fn spread(values: &[f64]) -> [f64; 2] {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
    [mean, (squares / (n - 1.0)).sqrt()]
}

/// Of the difference of two means: with the variance of each sample, or with one variance estimated from both,
/// whichever is larger. Where one batch decides (merged residuals have two or three outcomes), either of few seeds may by
/// luck show hardly any spread.
fn standard_error(sd: [f64; 2], n: [f64; 2]) -> f64 {
    let pairs = || sd.iter().zip(n);
    let separate: f64 = pairs().map(|(sd, n)| sd * sd / n).sum();
    let squares: f64 = pairs().map(|(sd, n)| (n - 1.0) * sd * sd).sum();
    let pooled = squares / (n[0] + n[1] - 2.0) * (1.0 / n[0] + 1.0 / n[1]);
    separate.max(pooled).sqrt()
}

/// The same epoch under every seed.
fn compare(row: &Published, ours: &[&EpochFigures]) {
    let items = ours[0].items as f64;
    for f in ours {
        assert_eq!(f.batches as f64, row.batches, "{row:?}");
        assert!(
            (items / f.batches as f64 - row.mean_batch).abs() < 0.051,
            "{row:?}"
        );
        assert_eq!(
            f.batch_size_quantiles.last(),
            Some(&(1.0, row.largest_batch)),
            "{row:?}"
        );
        assert_eq!(f.padding_tokens, f.slots - f.real_tokens);
    }
    let slots = || ours.iter().map(|f| f.largest_slots);
    let range = slots().min().unwrap()..=slots().max().unwrap();
    assert!(range.contains(&row.largest_slots), "{range:?} {row:?}");
    let percent: Vec<f64> = ours.iter().map(|f| 100.0 * f.padding_share).collect();
    let ([mean, sd], [their_mean, their_sd, seeds]) = (spread(&percent), row.padding);
    let error = standard_error([sd, their_sd], [ours.len() as f64, seeds]);
    // The table has three digits.
    assert!(
        (mean - their_mean).abs() <= (3.0 * error).max(0.0006),
        "{mean} ± {error} for {row:?}"
    );
}

#[test]
fn every_sampler_gives_the_published_means() {
    let rows = published();
    assert_eq!(rows.len(), 123);
    for group in rows.chunk_by(|a, b| (a.set, a.method) == (b.set, b.method)) {
        let (settings, epochs) = method(group[0].method);
        let data = prepared(group[0].set, &settings);
        let report = |seed| {
            data.report(
                &Settings {
                    seed,
                    ..settings.clone()
                },
                false,
                &mut go_on,
            )
            .unwrap()
        };
        let reports: Vec<_> = (0..SEEDS).map(report).collect();
        for row in group {
            assert_eq!(
                reports[0].overlong_items * u64::from(settings.limit == 127),
                row.dropped,
                "{row:?}"
            );
            let ours: Vec<_> = reports
                .iter()
                .map(|r| &r.epochs[epochs[row.epoch]])
                .collect();
            compare(row, &ours);
        }
    }
}

/// P3 writes half-open buckets up to 128, in which 314 of the 2,490 pairs of RTE have no place.
#[test]
fn no_sequence_of_exactly_the_limit_is_lost() {
    for (set, of_128, items) in [("glue_rte", 314, 2_490), ("squad_trunc128", 68_228, 88_641)] {
        for sampler in Sampler::ALL {
            let settings = Settings {
                sampler,
                epochs: 1,
                ..Settings::default()
            };
            let report = prepared(set, &settings)
                .report(&settings, false, &mut go_on)
                .unwrap();
            assert_eq!(report.epochs[0].items, items, "{set} {sampler}");
            let shorter = Settings {
                limit: 127,
                overlong: Overlong::Drop,
                ..settings
            };
            let report = prepared(set, &shorter)
                .report(&shorter, false, &mut go_on)
                .unwrap();
            assert_eq!(report.epochs[0].items, items - of_128, "{set} {sampler}");
        }
    }
}
