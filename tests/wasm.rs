//! The same requests give the same reports natively and in the browser: this file is compiled for both,
//! and both must find the digests of `tests/data/digests.txt`. A changed digest is a changed result.
#![allow(clippy::unwrap_used, reason = "a test may panic: that is how it fails")]

use packscope::api::batch::{self, BatchCap};
use packscope::api::tuple::{Settings as GraphSettings, TupleRequest as GraphRequest};
use packscope::api::{self, Request, Settings, run, speedup};
use packscope::cost::{Assumptions, RowExecution};
use packscope::error::Error;
use packscope::histogram::{Generated, Preset};
use packscope::packing::tuple::{self, Heuristic};
use packscope::packing::{Algorithm, Depth, go_on};
use packscope::sampler::{HwCap, MemoryModel, Sampler, TokenDrop};
#[cfg(feature = "tokenizer")]
use packscope::tokens;
use std::fmt::Write;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

// As the engine runs on the page. In a page itself, a test that takes 30 s on a busy machine is given up by the driver of the
// browser, which is not answered meanwhile.
#[cfg(target_arch = "wasm32")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_dedicated_worker);

/// The page counts with this feature; natively the same file is a test of `packscope-files`.
#[cfg(feature = "tokenizer")]
#[path = "wasm/chats.rs"]
mod chats;

macro_rules! datasets {
    ($($id:literal)*) => {
        [$(($id, include_str!(concat!("../static/datasets/", $id, ".csv")))),*]
    };
}

/// A browser has no files: the counts are compiled in.
const DATASETS: [(&str, &str); 20] = datasets! {
    "alpaca_5000"
    "arxiv_summarization_llama2"
    "azure_llm_trace_conv"
    "geom_drugs_allatoms_len"
    "glue_cola"
    "glue_rte"
    "glue_sst2"
    "glue_stsb"
    "glue_wnli"
    "gsm8k_train"
    "librispeech_devclean_audio_40ms"
    "librispeech_devclean_text_bert"
    "lima_train_chatml"
    "mol_qm9_allatoms_len"
    "mooncake_conversation"
    "protein_ecoli_proteome"
    "sharegpt_8k_llama2"
    "squad_1_1_bert_384"
    "t0_train_50k_2048"
    "wikipedia_bert_512"
};

fn counts(csv: &str) -> Vec<(u32, u64)> {
    let row = |line: &str| {
        let (length, count) = line.split_once(',').unwrap();
        (length.parse().unwrap(), count.parse().unwrap())
    };
    csv.lines().skip(1).map(row).collect()
}

/// One number for all algorithms at two depths.
fn digest(id: &str, csv: &str) -> u64 {
    let limit = Preset::find(id).unwrap().limit();
    let mut digest = 0u64;
    for algorithm in Algorithm::ALL {
        for depth in [Depth::AtMost(3), Depth::Unlimited] {
            let settings = Settings {
                limit,
                algorithm,
                depth,
                seed: 7,
                ..Settings::default()
            };
            let request = Request {
                counts: counts(csv),
                settings,
                listed: 1000,
            };
            let report = match run(&request, &mut go_on) {
                Err(Error::TooManyStrategies { .. }) => 0,
                report => report.unwrap().digest(),
            };
            digest = digest.rotate_left(7) ^ report;
        }
    }
    digest
}

#[test]
fn reports_of_all_built_in_sets_have_the_recorded_digests() {
    let mut found = String::new();
    for (id, csv) in DATASETS {
        writeln!(found, "{id} {:016x}", digest(id, csv)).unwrap();
    }
    assert_eq!(found, include_str!("data/digests.txt"), "found:\n{found}");
}

/// One number for all algorithms and heuristics under two limits.
#[test]
fn reports_of_graphs_have_the_recorded_digest() {
    let csv = include_str!("../static/datasets/ogbg_molhiv.csv");
    let row = |line: &str| {
        let numbers: Vec<u64> = line.split(',').map(|n| n.parse().unwrap()).collect();
        (vec![numbers[0] as u32, numbers[1] as u32], numbers[2])
    };
    let counts: Vec<_> = csv.lines().skip(1).map(row).collect();
    let mut digest = 0u64;
    for algorithm in tuple::TupleAlgorithm::ALL {
        let heuristics = if algorithm.has_heuristic() {
            &Heuristic::PUBLISHED[..]
        } else {
            &[Heuristic::Sum]
        };
        for heuristic in heuristics {
            for limits in [vec![222, 502], vec![300, 600]] {
                let settings = GraphSettings {
                    limits,
                    algorithm,
                    heuristic: *heuristic,
                    ..GraphSettings::default()
                };
                let request = GraphRequest {
                    counts: counts.clone(),
                    settings,
                    listed: 1000,
                };
                digest = digest.rotate_left(7) ^ api::run(&request, &mut go_on).unwrap().digest();
            }
        }
    }
    assert_eq!(format!("{digest:016x}"), "cd1fa3f6aef87ce8");
}

/// One number for all samplers on a set, with and without everything that can be switched.
fn digest_of_batches(csv: &str) -> u64 {
    let usual = batch::Settings {
        seed: 7,
        ..batch::Settings::default()
    };
    let memory = MemoryModel {
        linear: 1e6,
        quadratic: 3e3,
        bytes: 1e9,
    };
    let other = batch::Settings {
        batch: 8,
        mega: Some(3),
        bucket_width: Some(3),
        hwcap: HwCap::Memory(memory),
        merging: false,
        batch_cap: Some(BatchCap {
            base: Some(8),
            scaling: 1.7,
        }),
        token_drop: TokenDrop::Equalise,
        ..usual.clone()
    };
    let mut digest = 0u64;
    for sampler in Sampler::ALL {
        for settings in [&usual, &other] {
            let settings = batch::Settings {
                sampler,
                ..settings.clone()
            };
            let counts = counts(csv)
                .into_iter()
                .map(|(length, n)| ([length, 0], n))
                .collect();
            let request = batch::BatchRequest {
                counts,
                stopwords_known: false,
                settings,
                drawn: true,
            };
            digest =
                digest.rotate_left(7) ^ packscope::api::run(&request, &mut go_on).unwrap().digest();
        }
    }
    digest
}

#[test]
fn reports_of_batches_have_the_recorded_digests() {
    let found = ["glue_cola", "glue_wnli"].map(|id| {
        let csv = DATASETS.iter().find(|(name, _)| *name == id).unwrap().1;
        format!("{:016x}", digest_of_batches(csv))
    });
    assert_eq!(found, ["3924aaea8e4059c0", "69e56b3bc7ef61c7"]);
}

#[test]
fn reports_of_speed_up_have_the_recorded_digest() {
    let csv = DATASETS
        .iter()
        .find(|(name, _)| *name == "glue_wnli")
        .unwrap()
        .1;
    let digests = [RowExecution::Added, RowExecution::Parallel].map(|rows| {
        let settings = speedup::Settings {
            packing: Settings {
                limit: 128,
                seed: 7,
                ..Settings::default()
            },
            batch: 4,
            assumptions: Assumptions {
                rows,
                ..Assumptions::default()
            },
            accelerators: vec![1, 8, 4096],
        };
        let mut report = packscope::api::run(
            &speedup::SpeedupRequest::Sequences(counts(csv), settings),
            &mut go_on,
        )
        .unwrap();
        // Powers of decays are rounded to what is typed, but are not promised to be the same everywhere.
        let optimiser = &mut report.optimiser;
        for regime in [
            &mut optimiser.before,
            &mut optimiser.same_sequences,
            &mut optimiser.same_rows,
        ] {
            (regime.beta1, regime.beta2) = (0.0, 0.0);
        }
        format!("{:016x}", report.digest())
    });
    assert_eq!(digests, ["7c3c11b0ce547b5a", "2d177886478bf1d6"]);
}

#[test]
fn generated_sets_are_the_same_everywhere() {
    let digests = Generated::ALL.map(|set| {
        let histogram = set.histogram().unwrap();
        let mix = |d: u64, n: u64| d.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ n;
        histogram.entries().iter().fold(0, |d, ([a, b], n)| {
            mix(mix(mix(d, (*a).into()), (*b).into()), *n)
        })
    });
    assert_eq!(
        digests,
        [
            0x682f_cadf_20df_5ccb,
            0x3e2f_a582_8fd6_03ba,
            0x3d8c_c45c_ba4f_6e8a
        ]
    );
}
