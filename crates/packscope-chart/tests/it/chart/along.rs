//! Batch sizes and learning rates along the training.

use super::{
    BATCH_WIDTHS, DOZEN, assert_placed, bars, batched, drawn, entries, rects, svg, texts, usual,
};
use packscope::api::batch::{BatchCap, Report, Settings};
use packscope::metrics::EpochFigures;
use packscope::sampler::{Picture, Sampler};
use packscope_chart::along::{self, Epoch, Input};
use packscope_chart::{Chart, Frame, Mark, Theme};

fn epochs(report: &Report) -> Vec<Epoch> {
    let bucket = report.settings.sampler == Sampler::Bucket;
    let epoch = |(figures, picture): (&EpochFigures, &Picture)| {
        let sizes: Vec<u64> = picture.batches.iter().map(|batch| batch.size()).collect();
        let rates = sizes
            .iter()
            .map(|size| report.settings.rate_of(*size).unwrap())
            .collect();
        let (every, steps, cap) = (picture.every, figures.batches, figures.batch_cap);
        Epoch {
            sizes,
            every,
            steps,
            cap,
            rates: bucket.then_some(rates),
        }
    };
    report
        .epochs
        .iter()
        .zip(&report.pictures)
        .map(epoch)
        .collect()
}

#[test]
fn sizes_caps_and_rates_of_every_epoch() {
    let wide = Settings {
        epochs: 8,
        ..usual(128, Sampler::Bucket)
    };
    let growing = BatchCap {
        base: Some(16),
        scaling: 1.2,
    };
    let slow = Settings {
        epochs: 10,
        batch_cap: Some(growing),
        ..usual(128, Sampler::Bucket)
    };
    let sets = [
        (
            "glue_sst2",
            entries("glue_sst2"),
            usual(128, Sampler::Bucket),
        ),
        ("glue_sst2-8", entries("glue_sst2"), wide),
        ("glue_sst2-10", entries("glue_sst2"), slow),
        (
            "glue_sst2-random",
            entries("glue_sst2"),
            usual(128, Sampler::Random),
        ),
        (
            "glue_sst2-budget",
            entries("glue_sst2"),
            usual(128, Sampler::TokenBudget),
        ),
        (
            "glue_sst2-packed",
            entries("glue_sst2"),
            usual(128, Sampler::Packed),
        ),
        (
            "squad",
            entries("squad_1_1_bert_384"),
            usual(384, Sampler::Bucket),
        ),
        ("dozen", DOZEN.to_vec(), usual(128, Sampler::Bucket)),
        ("dozen-random", DOZEN.to_vec(), usual(128, Sampler::Random)),
    ];
    for (set, lengths, settings) in sets {
        let report = batched(&lengths, &settings);
        let epochs = epochs(&report);
        let input = Input {
            epochs,
            chosen: 1,
            rate: Some(3e-5),
        };
        for (name, scene, frame) in drawn(&format!("along-{set}"), &input, &BATCH_WIDTHS) {
            let layout = along::layout(&input, &frame);
            assert!(bars(&scene) < 6000, "{name} has {} bars", bars(&scene));
            let texts = texts(&scene);
            assert!(
                texts.contains(&"epoch 2") && texts.contains(&"batches"),
                "{texts:?}"
            );
            let throughout = texts.contains(&"learning rate 3e-5 throughout");
            assert_eq!(throughout, settings.sampler != Sampler::Bucket, "{texts:?}");
            let fixed = matches!(settings.sampler, Sampler::Random);
            let batch = if set.starts_with("dozen") {
                "batch 12"
            } else {
                "batch 64"
            };
            assert_eq!(texts.contains(&batch), fixed, "{texts:?}");
            assert!(
                input
                    .hit((layout.plot.left + 1.0, layout.plot.top + 1.0), &frame)
                    .is_some()
            );
        }
    }
}

#[test]
fn epochs_are_as_long_as_their_steps_and_rates_stand_beside_their_sizes() {
    let epoch = |size: u64, many, steps, rate| Epoch {
        sizes: vec![size; many],
        every: 2,
        steps,
        cap: Some(size),
        rates: Some(vec![rate; many]),
    };
    let epochs = vec![epoch(64, 300, 600, 3e-5), epoch(256, 100, 200, 6e-5)];
    let frame = Frame::svg(600.0, 300.0, Theme::LIGHT).pointing([1, 3]);
    let input = Input {
        epochs,
        chosen: 0,
        rate: Some(3e-5),
    };
    let (scene, layout) = (input.scene(&frame), along::layout(&input, &frame));
    svg("along-two", &scene, &frame);
    let plot = layout.plot;
    let at = |share: f64| input.hit((plot.left + share * plot.width(), 100.0), &frame);
    assert_eq!(
        [at(0.0), at(0.7499), at(0.7501), at(1.0)],
        [Some([0, 0]), Some([0, 299]), Some([1, 0]), Some([1, 99])]
    );
    assert_eq!(
        input.reading([1, 3]).as_deref(),
        Some("Epoch 2, step 7: 256 sequences, learning rate 6e-5.")
    );
    assert_eq!(
        (input.reading([1, 100]), input.reading([2, 0])),
        (None, None)
    );
    let steps = [[0, 0], [1, 0], [9, 9]].map(|by| input.step(Some([0, 99]), by, &frame));
    assert_eq!(
        steps,
        [Some([0, 99]), Some([0, 100]), Some([1, 99])],
        "there are fewer in the second"
    );
    assert_eq!(input.table().unwrap().rows[1], ["2", "200", "256", "256"]);
    let y_of = |text: &str| {
        scene.marks.iter().find_map(|mark| match mark {
            Mark::Text { text: t, at, .. } if t == text => Some(at.1),
            _ => None,
        })
    };
    // Each size is drawn in one line of pixels; the rates that belong to them are at its height.
    let dots = rects(&scene, Theme::LIGHT.ink);
    let middle = f64::midpoint(dots[0].top, dots[0].bottom);
    assert!((y_of("3.0e-5").unwrap() - middle).abs() < 0.3, "{middle}");
    assert!(y_of("6.0e-5").unwrap() < y_of("3.0e-5").unwrap());
    assert!(y_of("cap 64").unwrap() < middle && y_of("256").unwrap() < y_of("6.0e-5").unwrap());
    let accent =
        |m: &&Mark| matches!(m, Mark::Rule { colour, .. } if *colour == Theme::LIGHT.accent);
    assert_eq!(
        scene.marks.iter().filter(accent).count(),
        3,
        "two caps, and the step between"
    );
}

#[test]
fn a_cap_far_beyond_the_batches_is_only_said() {
    let epoch = Epoch {
        sizes: vec![64, 64, 12],
        every: 1,
        steps: 3,
        cap: Some(640_000),
        rates: None,
    };
    let frame = Frame::svg(500.0, 260.0, Theme::LIGHT);
    let input = Input {
        epochs: vec![epoch],
        chosen: 0,
        rate: None,
    };
    let scene = input.scene(&frame);
    svg("along-far", &scene, &frame);
    assert!(
        texts(&scene).contains(&"cap 640,000 ↑"),
        "{:?}",
        texts(&scene)
    );
    assert!(
        !texts(&scene)
            .iter()
            .any(|text| text.contains("learning rate"))
    );
    let accent =
        |m: &&Mark| matches!(m, Mark::Rule { colour, .. } if *colour == Theme::LIGHT.accent);
    assert_eq!(scene.marks.iter().filter(accent).count(), 0);
    assert_eq!(
        input.summary(),
        "Sequences in a batch, in the order of the batches. Epoch 1: 3 batches, 12 to 64 sequences, cap 640,000."
    );
}

#[test]
fn nothing_breaks_in_no_space_or_without_epochs() {
    let rates = Some(vec![f64::NAN, 0.0]);
    let odd = Epoch {
        sizes: vec![0, u64::MAX, 1],
        every: 1,
        steps: 0,
        cap: Some(0),
        rates,
    };
    let none = Epoch {
        sizes: vec![],
        every: 1,
        steps: 7,
        cap: None,
        rates: Some(vec![]),
    };
    for epochs in [vec![], vec![none.clone()], vec![odd.clone(), none, odd]] {
        let inputs = [None, Some(f64::NAN), Some(3e-5)].map(|rate| Input {
            epochs: epochs.clone(),
            chosen: 5,
            rate,
        });
        assert_placed("small-along", &inputs.each_ref().map(|i| i as _), [0, 9]);
    }
}
