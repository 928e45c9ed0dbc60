//! The basis of estimates: presets and their sources, fields, units, memory, bills, and published measurements.

use crate::common::{built_in, built_in_graphs};
use packscope::api::run;
use packscope::api::speedup::{Report, Settings, SpeedupRequest};
use packscope::api::{self, tuple};
use packscope::cost::fields::FIELDS;
use packscope::cost::presets::{
    self, ACCELERATORS, GNNS, Measurement, PUBLISHED, Preset, TRANSFORMERS, named,
};
use packscope::cost::{
    Assumptions, Bill, CostField, Epoch, Estimate, FieldUnit, Gnn, Memory, Method, Overhead, Rates,
    Regimes, TimeParts, Transformer, Workload,
};
use packscope::packing::go_on;
use std::collections::BTreeSet;

fn with(assumptions: &Assumptions, changes: &[(&str, f64)]) -> Assumptions {
    changes.iter().fold(*assumptions, |a, (id, value)| {
        CostField::named(id).unwrap().with(&a, *value).unwrap()
    })
}

fn value(assumptions: &Assumptions, id: &str) -> f64 {
    (CostField::named(id).unwrap().get)(assumptions)
}

fn report(assumptions: Assumptions, of_graphs: bool) -> Report {
    let accelerators = vec![1, 8];
    let request = if of_graphs {
        let packing = tuple::Settings {
            limits: vec![64, 128],
            ..tuple::Settings::default()
        };
        let counts = built_in_graphs("tu_mutag").entries().to_vec();
        SpeedupRequest::Graphs(
            counts,
            Settings {
                packing,
                batch: 4,
                assumptions,
                accelerators,
            },
        )
    } else {
        let packing = api::Settings {
            limit: 256,
            ..api::Settings::default()
        };
        let counts = built_in("glue_wnli").lengths();
        SpeedupRequest::Sequences(
            counts,
            Settings {
                packing,
                batch: 4,
                assumptions,
                accelerators,
            },
        )
    };
    run(&request, &mut go_on).unwrap()
}

fn check_presets<T: PartialEq + std::fmt::Debug>(presets: &[Preset<T>]) {
    let ids: BTreeSet<&str> = presets.iter().map(|p| p.id).collect();
    assert_eq!(ids.len(), presets.len());
    for preset in presets {
        assert!(
            preset
                .id
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c))
        );
        assert!(
            !preset.name.is_empty() && preset.source().len() > 20,
            "{}",
            preset.id
        );
        let year = preset
            .source()
            .split(|c: char| !c.is_ascii_digit())
            .any(|n| n.len() == 4 && n.starts_with("20"));
        assert!(
            year || preset.source().contains("data sheet")
                || preset.source().contains("white paper"),
            "{}",
            preset.id
        );
        assert!(
            !preset.source().contains("  ") && !preset.note().contains("  "),
            "{}",
            preset.id
        );
    }
}

#[test]
fn every_preset_has_a_source() {
    check_presets(ACCELERATORS);
    check_presets(TRANSFORMERS);
    check_presets(GNNS);
    // What an accelerator reaches is published, measured or assumed, and its note says which.
    for preset in ACCELERATORS {
        let says = ["assumed", "Table 1", "Utilisation as of"]
            .iter()
            .any(|word| preset.note().contains(word));
        assert!(says, "{}", preset.id);
    }
}

#[test]
fn the_usual_assumptions_are_bert_large_on_a100() {
    let usual = Assumptions::default();
    assert_eq!(
        usual.transformer,
        named(TRANSFORMERS, "bert-large").unwrap().value
    );
    assert_eq!(
        usual.accelerator,
        named(ACCELERATORS, "a100-80gb").unwrap().value
    );
    assert_eq!(usual.gnn, named(GNNS, "gin").unwrap().value);
}

/// Parameters as published: the papers' text, or the model cards of the weights.
const PARAMETERS: [(&str, f64); 31] = [
    // Devlin et al. 2019, §3.
    ("bert-base", 110e6),
    ("bert-large", 340e6),
    // Liu et al. 2019; README of RoBERTa in fairseq.
    ("roberta-base", 125e6),
    ("roberta-large", 355e6),
    // Warner et al. 2024, §2.1.3.
    ("modernbert-base", 149e6),
    ("modernbert-large", 395e6),
    // README of openai/gpt-2, which corrects the 117M of the paper.
    ("gpt-2", 124e6),
    // Model cards of meta-llama.
    ("llama-3.2-1b", 1.23e9),
    ("llama-3.2-3b", 3.21e9),
    ("llama-2-7b", 6.74e9),
    ("llama-2-13b", 13.02e9),
    ("llama-3.1-8b", 8.03e9),
    ("llama-3.1-70b", 70.6e9),
    // Model card of mistralai/Mistral-7B-v0.1.
    ("mistral-7b", 7.24e9),
    // All experts: Mistral AI 2023 and 2024; Muennighoff et al. 2024.
    ("mixtral-8x7b", 46.7e9),
    ("mixtral-8x22b", 141e9),
    ("olmoe-1b-7b", 6.92e9),
    // Sizes of the published weights: model cards of HuggingFaceTB, Qwen, google, allenai, openai, deepseek-ai.
    ("smollm2-135m", 134.5e6),
    ("smollm2-1.7b", 1.711e9),
    ("smollm3-3b", 3.075e9),
    ("qwen2.5-1.5b", 1.544e9),
    ("qwen2.5-7b", 7.616e9),
    ("qwen3-0.6b", 0.596e9),
    ("qwen3-8b", 8.191e9),
    ("qwen3-30b-a3b", 30.53e9),
    ("gemma-3-1b", 1.0e9),
    // Without its 0.4 billion for pictures.
    ("gemma-3-4b", 3.88e9),
    ("olmo-2-1b", 1.485e9),
    ("olmo-2-7b", 7.299e9),
    ("gpt-oss-20b", 20.9e9),
    ("deepseek-v2-lite", 15.7e9),
];

/// Weights that multiply a token, as published, with the table of the output: mixtures take a part of theirs.
const ACTIVE: [(&str, f64); 5] = [
    ("mixtral-8x7b", 12.9e9),
    ("olmoe-1b-7b", 1.28e9),
    // Both tables are counted in the 3.3 billion.
    ("qwen3-30b-a3b", 3.3e9),
    // Table 1 of the model card: without the tables.
    ("gpt-oss-20b", 3.61e9),
    ("deepseek-v2-lite", 2.4e9),
];

#[test]
fn models_have_the_published_parameters() {
    assert_eq!(PARAMETERS.len(), TRANSFORMERS.len());
    for (id, published) in PARAMETERS {
        let found = named(TRANSFORMERS, id).unwrap().value.parameters();
        assert!((found / published - 1.0).abs() < 0.03, "{id}: {found}");
    }
    // Of a mixture a token takes a part: weights and the table of the output, half of the operations.
    for (id, published) in ACTIVE {
        let model = named(TRANSFORMERS, id).unwrap().value;
        let found = model.operations()[0] / 2.0;
        // Some count both tables, some none; and biases, norms and routers.
        let tables = 1.2 * model.vocabulary * model.width;
        assert!((found - published).abs() < tables, "{id}: {found}");
        assert!(found < model.parameters() / 2.0, "{id}");
    }
}

/// Heads may be together wider than the model, or narrower: weights and pairs follow them.
#[test]
fn queries_need_not_be_as_wide_as_the_model() {
    let value = |id| named(TRANSFORMERS, id).unwrap().value;
    // 64 heads of 64 features, 2,880 features of the model; 28 layers of 16 heads of 128 features.
    assert_eq!(value("gpt-oss-20b").queries * 2880.0, 4096.0);
    assert_eq!(value("qwen3-0.6b").queries * 1024.0, 2048.0);
    let [_, pair] = value("qwen3-0.6b").operations();
    assert_eq!(pair, 2.0 * 28.0 * 16.0 * 128.0, "causal: half of 4");
    // DeepSeek-V2-Lite: 16 heads of 192 for a query with a key, of 128 for a weight with a value.
    let [_, pair] = value("deepseek-v2-lite").operations();
    assert_eq!(pair, 27.0 * 16.0 * (192.0 + 128.0));
    // What was stored before models had such a ratio is read as before.
    let mut stored = serde_json::to_value(value("bert-large")).unwrap();
    stored.as_object_mut().unwrap().remove("queries");
    let read: Transformer = serde_json::from_value(stored).unwrap();
    assert_eq!(read, value("bert-large"));
}

/// A sequence of Wikipedia costs BERT large 0.500 TFLOP: 6 operations for a weight and token, 12 · width · layers for a pair
/// (Narayanan et al. 2021, *Efficient Large-Scale Language Model Training on GPU Clusters*, appendix).
#[test]
fn operations_are_those_of_the_textbook() {
    let assumptions = with(
        &Assumptions::default(),
        // Next to nothing moves.
        &[
            ("peak", 1e12),
            ("utilisation", 1.0),
            ("attention", 1.0),
            ("traffic", 0.0),
            ("bandwidth", 1e15),
        ],
    );
    let workload = Workload::Transformer(assumptions.transformer);
    let rates = Rates::new(&workload, &assumptions.accelerator, &assumptions.training);
    let (tokens, pairs) = (255.83, 98_826.0);
    assert!((rates.first * tokens + rates.second * pairs - 0.500).abs() < 0.001);
    let llama = named(TRANSFORMERS, "llama-2-7b").unwrap().value;
    let rates = Rates::new(
        &Workload::Transformer(llama),
        &assumptions.accelerator,
        &assumptions.training,
    );
    // All weights but the table of the input multiply every token.
    assert!(
        (rates.first * 1e12 / (6.0 * (llama.parameters() - 32_000.0 * 4096.0)) - 1.0).abs() < 1e-6
    );
    assert!(
        (rates.second * 1e12 / (6.0 * 32.0 * 4096.0) - 1.0).abs() < 1e-12,
        "causal: half of 12"
    );
}

#[test]
fn fields_are_named_once_and_hold_what_they_are_given() {
    let ids: BTreeSet<&str> = FIELDS.iter().map(|field| field.id).collect();
    assert_eq!(ids.len(), FIELDS.len());
    let all = TRANSFORMERS
        .iter()
        .flat_map(|t| GNNS.iter().map(move |g| (t.value, g.value)));
    for field in FIELDS {
        assert!(
            !field.label.is_empty() && field.about().ends_with('.'),
            "{field:?}"
        );
        let plain = matches!(
            field.unit,
            FieldUnit::Number | FieldUnit::Switch | FieldUnit::Choice(_)
        );
        assert!(
            plain || !field.unit.displayed_unit().0.is_empty(),
            "{field:?}"
        );
        for (transformer, gnn) in all.clone() {
            for accelerator in ACCELERATORS {
                let a = Assumptions {
                    transformer,
                    gnn,
                    accelerator: accelerator.value,
                    ..Assumptions::default()
                };
                let value = (field.get)(&a);
                assert_eq!(field.with(&a, value).unwrap(), a, "{field:?}");
            }
        }
        let usual = Assumptions::default();
        for value in field.range {
            assert_eq!(
                (field.get)(&field.with(&usual, value).unwrap()),
                value,
                "{field:?}"
            );
        }
        let [least, most] = field.range;
        for wrong in [least - 1.0, most * 2.0 + 1.0, f64::NAN, f64::INFINITY] {
            let error = field.with(&usual, wrong).unwrap_err().to_string();
            assert!(error.contains(field.label), "{error}");
        }
        assert_eq!(
            field.with(&usual, least + 0.5).is_err(),
            field.whole || most < least + 0.5,
            "{field:?}"
        );
    }
}

/// Exponents of the units that every other is made of: a bandwidth is bytes¹ · seconds⁻¹.
#[derive(Default)]
struct Dimension {
    seconds: i32,
    operations: i32,
    bytes: i32,
    joules: i32,
    money: i32,
}

/// The dimension of a unit; that of counts, shares and plain numbers has no exponent.
fn dimension(unit: FieldUnit) -> Dimension {
    let none = Dimension::default();
    match unit {
        FieldUnit::Operations => Dimension {
            operations: 1,
            seconds: -1,
            ..none
        },
        FieldUnit::Bandwidth => Dimension {
            bytes: 1,
            seconds: -1,
            ..none
        },
        FieldUnit::Memory | FieldUnit::Bytes(_) => Dimension { bytes: 1, ..none },
        FieldUnit::Power => Dimension {
            joules: 1,
            seconds: -1,
            ..none
        },
        FieldUnit::Time => Dimension { seconds: 1, ..none },
        FieldUnit::Price => Dimension {
            money: 1,
            seconds: -1,
            ..none
        },
        FieldUnit::Count(_)
        | FieldUnit::Share
        | FieldUnit::Number
        | FieldUnit::Switch
        | FieldUnit::Choice(_) => none,
    }
}

/// The assumptions in other units: every field is multiplied by so much for each of what it is made of.
fn rescaled(assumptions: &Assumptions, exponent: fn(Dimension) -> i32) -> Assumptions {
    FIELDS.iter().fold(*assumptions, |a, field| {
        let value = (field.get)(&a) * 2f64.powi(exponent(dimension(field.unit)));
        field.with(&a, value).unwrap()
    })
}

/// Seconds, hours, money, energy, state and activations, each divided by what it was before.
fn ratios(before: &Report, after: &Report) -> Vec<[f64; 6]> {
    let estimates = |report: &Report| -> Vec<f64> {
        report
            .estimates
            .iter()
            .flat_map(|p| p.methods.iter().map(|e| e.seconds))
            .collect()
    };
    let seconds: Vec<f64> = estimates(before)
        .iter()
        .zip(estimates(after))
        .map(|(b, a)| a / b)
        .collect();
    assert!(
        seconds
            .iter()
            .all(|ratio| (ratio - seconds[0]).abs() < 1e-9)
    );
    let bills = before.bills.iter().zip(&after.bills);
    let memory = before.memory.iter().zip(&after.memory);
    let ratio = |((b, a), (m, n)): ((&Bill, &Bill), (&Memory, &Memory))| {
        assert!((m.share - n.share).abs() < 1e-9 && m.most_slots == n.most_slots);
        [
            seconds[0],
            a.hours / b.hours,
            a.money / b.money,
            a.energy / b.energy,
            n.state / m.state,
            n.activations / m.activations,
        ]
    };
    bills.zip(memory).map(ratio).collect()
}

fn assert_scales(before: &Assumptions, after: &Assumptions, of_graphs: bool, expected: [f64; 6]) {
    for found in ratios(&report(*before, of_graphs), &report(*after, of_graphs)) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
        }
    }
}

/// In other units of time, bytes, energy and money everything is the same: the formulae are right in their dimensions.
/// Nothing but steps, packs, updates and features of 4 bytes; no bytes of logits, which are no field.
#[test]
fn formulae_keep_their_dimensions() {
    let usual = with(
        &Assumptions::default(),
        &[("predicted", 0.0), ("pack", 1e-3), ("step", 0.01)],
    );
    for of_graphs in [false, true] {
        let scales = |exponent, expected| {
            assert_scales(&usual, &rescaled(&usual, exponent), of_graphs, expected)
        };
        scales(|d| d.seconds, [2.0, 2.0, 1.0, 1.0, 1.0, 1.0]);
        scales(|d| d.bytes, [1.0, 1.0, 1.0, 1.0, 2.0, 2.0]);
        scales(|d| d.joules, [1.0, 1.0, 1.0, 2.0, 1.0, 1.0]);
        scales(|d| d.money, [1.0, 1.0, 2.0, 1.0, 1.0, 1.0]);
        // Operations are counted, not given: twice as many for everything that is computed.
        let counted: &[&str] = if of_graphs {
            &["node-products", "edge-products"]
        } else {
            &["passes"]
        };
        let doubled: Vec<(&str, f64)> = counted
            .iter()
            .map(|id| (*id, 2.0 * value(&usual, id)))
            .collect();
        let more = with(&usual, &doubled);
        // Weights in memory are no operations.
        let bytes = if of_graphs { 0.5 } else { 1.0 };
        let kept = ["state-bytes", "update-bytes"].map(|id| (id, bytes * value(&usual, id)));
        // Nor is what moves for a token or a weight, or starts a layer, in passes of half of it.
        let halved = ["traffic", "weight-bytes", "layer"].map(|id| (id, 0.5 * value(&usual, id)));
        let more = rescaled(&with(&with(&more, &kept), &halved), |d| d.operations);
        assert_scales(&usual, &more, of_graphs, [1.0; 6]);
    }
}

#[test]
fn state_is_that_of_zero() {
    // Rajbhandari et al. 2020, ZeRO: §3.1, GPT-2 of 1.5 billion takes 24 GB; Figure 1, 7.5 billion on 64 take 120 GB, 1.9 GB.
    let model = |layers, width| Transformer {
        layers,
        width,
        key_width: width,
        feed_forward: 4.0 * width,
        vocabulary: 1.0,
        predicted: 0.0,
        ..Assumptions::default().transformer
    };
    for (layers, width, sharded, gigabytes) in [
        (48.0, 1614.0, 0.0, 24.0),
        (100.0, 2500.0, 0.0, 120.0),
        (100.0, 2500.0, 1.0, 1.875),
    ] {
        let assumptions = with(
            &Assumptions::default(),
            &[("accelerators", 64.0), ("sharded", sharded)],
        );
        let memory = Memory::new(
            &Workload::Transformer(model(layers, width)),
            &assumptions,
            1.0,
        );
        assert!(
            (memory.state / 1e9 / gigabytes - 1.0).abs() < 1e-3,
            "{memory:?}"
        );
    }
}

#[test]
fn experts_count_where_they_work_and_where_they_lie() {
    // Jiang et al. 2024, abstract: 13B of 47B (12.9 and 46.7 in the announcement); Mistral AI 2024: 39B of 141B;
    // Muennighoff et al. 2024, Table 1: 1.3B of 6.9B.
    for (id, active, all) in [
        ("mixtral-8x7b", 12.9e9, 46.7e9),
        ("mixtral-8x22b", 39e9, 141e9),
        ("olmoe-1b-7b", 1.3e9, 6.9e9),
    ] {
        let model = named(TRANSFORMERS, id).unwrap().value;
        // The table of the input only looks up.
        let works = model.operations()[0] / 2.0 + model.vocabulary * model.width;
        assert!((works / active - 1.0).abs() < 0.03, "{id}: {works:e}");
        assert!(
            (model.parameters() / all - 1.0).abs() < 0.01,
            "{id}: {:e}",
            model.parameters()
        );
        // Without the experts that lie idle it is a dense model of the same work.
        let dense = Transformer {
            idle_experts: 0.0,
            ..model
        };
        assert_eq!(dense.operations(), model.operations());
        assert_eq!(dense.parameters(), works);
        let memory =
            |model| Memory::new(&Workload::Transformer(model), &Assumptions::default(), 1.0);
        assert_eq!(memory(dense).activations, memory(model).activations);
        let grown = memory(model).state / memory(dense).state;
        assert!(
            (grown - model.parameters() / works).abs() < 1e-12,
            "{id}: {grown}"
        );
    }
}

#[test]
fn activations_are_those_of_the_formula() {
    // Korthikanti et al. 2022, Eq. (1) without scores: 34 s b h for each layer. GPT-3 (s = 2,048, h = 12,288, 96 layers).
    let gpt_3 = [
        ("layers", 96.0),
        ("width", 12_288.0),
        ("key-width", 12_288.0),
        ("feed-forward", 4.0 * 12_288.0),
        ("predicted", 0.0),
        ("sharded", 1.0),
        ("accelerators", 4096.0),
    ];
    let assumptions = with(&Assumptions::default(), &gpt_3);
    let memory = Memory::new(
        &Workload::Transformer(assumptions.transformer),
        &assumptions,
        2048.0,
    );
    assert!((memory.activations - 34.0 * 2048.0 * 12_288.0 * 96.0).abs() < 1.0);
    assert!(
        (memory.share - (memory.state + memory.activations) / 80e9).abs() < 1e-12
            && memory.share > 1.0
    );
    // Gated blocks keep more: gate, its activation, the other half and their product, 2 bytes each.
    let llama_2 = named(TRANSFORMERS, "llama-2-7b").unwrap().value;
    let gated = Memory::new(
        &Workload::Transformer(Transformer {
            predicted: 0.0,
            ..llama_2
        }),
        &Assumptions::default(),
        1.0,
    );
    let by_hand = 32.0 * (4.0 * 4096.0 + 11.0 * 4096.0 + 2.0 * 4096.0 + 8.0 * 11_008.0);
    assert!(
        (gated.activations - by_hand).abs() < 1.0,
        "{gated:?} {by_hand}"
    );
    // 6 bytes for each logit: 1,000 tokens of Llama 3.1 take 0.77 GB.
    let llama = Workload::Transformer(named(TRANSFORMERS, "llama-3.1-8b").unwrap().value);
    let bare = with(&assumptions, &[("activation-bytes", 0.0)]);
    assert!(
        (Memory::new(&llama, &bare, 1000.0).activations - 6.0 * 128_256.0 * 1000.0).abs() < 1.0
    );
    // As many slots as fit do fit, and one more does not.
    let usual = Assumptions::default();
    let bert = Workload::Transformer(usual.transformer);
    let most = Memory::new(&bert, &usual, 0.0).most_slots;
    assert!(
        Memory::new(&bert, &usual, most).share <= 1.0
            && Memory::new(&bert, &usual, most + 1.0).share > 1.0
    );
    let gnn = Gnn {
        layers: 5.0,
        width: 300.0,
        feature_bytes: 4.0,
        ..usual.gnn
    };
    assert_eq!(
        Memory::new(&Workload::Gnn(gnn), &usual, 10.0).activations,
        2.0 * 5.0 * 300.0 * 4.0 * 10.0
    );
}

#[test]
fn edges_move_three_features_and_nodes_two() {
    let usual = with(
        &Assumptions::default(),
        &[("node-products", 0.0), ("bandwidth", 1e12)],
    );
    let rates = Rates::new(
        &Workload::Gnn(usual.gnn),
        &usual.accelerator,
        &usual.training,
    );
    // 5 layers of 300 features of 4 bytes, in three passes.
    assert!((rates.first - 3.0 * 2.0 * 6000.0 / 1e12).abs() < 1e-20);
    assert!((rates.second - 3.0 * 3.0 * 6000.0 / 1e12).abs() < 1e-20);
}

#[test]
fn bills_are_hours_of_all_accelerators() {
    let estimate = Estimate {
        method: Method::Padded,
        possible: true,
        seconds: 7200.0,
        speedup: 1.0,
        band: [1.0; 2],
        tokens_per_second: 1.0,
        parts: TimeParts::default(),
        steps: 1,
        updates: 1,
        error: 0.0,
    };
    let assumptions = with(&Assumptions::default(), &[("price", 2.5)]);
    let bill = Bill::new(&estimate, &assumptions);
    // 2 hours of 8 A100 of 400 W.
    assert_eq!(
        bill,
        Bill {
            hours: 2.0,
            accelerator_hours: 16.0,
            money: 40.0,
            energy: 6.4
        }
    );
    let half = Bill::new(
        &Estimate {
            seconds: 3600.0,
            ..estimate
        },
        &assumptions,
    );
    assert_eq!(half.saved_from(&bill), half);
}

#[test]
fn the_optimiser_is_that_of_the_paper() {
    // Krell et al. 2022, §3.3: a packing factor of 2 squares the decays; Figure 3: 1,500 rows are 3,000 sequences; §4.2: or
    // the accumulation is cut by half and the training has as many steps.
    let epoch = Epoch {
        items: 3_000_000,
        tokens: 3_000_000 * 256,
        packing_factor: 2.0,
    };
    let regimes = Regimes::new(&epoch, 1500, 0.9, 0.999);
    assert_eq!(
        [regimes.same_rows.beta1, regimes.same_rows.beta2],
        [0.81, 0.998_001]
    );
    assert_eq!(
        [
            regimes.before.updates,
            regimes.same_rows.updates,
            regimes.same_sequences.updates
        ],
        [2000, 1000, 2000]
    );
    assert_eq!(
        [regimes.same_rows.sequences, regimes.same_rows.tokens],
        [3000.0, 3000.0 * 256.0]
    );
    assert_eq!(
        [
            regimes.same_sequences.rows,
            regimes.same_sequences.sequences
        ],
        [750.0, 1500.0]
    );
    assert_eq!(
        [regimes.same_sequences.beta1, regimes.same_sequences.beta2],
        [0.9, 0.999]
    );
}

fn measurement(id: &str) -> &'static Measurement {
    PUBLISHED.iter().find(|m| m.id == id).unwrap()
}

#[test]
fn published_measurements_have_sources_and_make_sense() {
    let ids: BTreeSet<&str> = PUBLISHED.iter().map(|m| m.id).collect();
    assert_eq!(ids.len(), PUBLISHED.len());
    for m in PUBLISHED {
        assert!(m.source.len() > 20 && !m.note.is_empty(), "{}", m.id);
        assert!(
            [m.what, m.against, m.model, m.data, m.hardware]
                .iter()
                .all(|words| !words.is_empty()),
            "{}",
            m.id
        );
        assert!(
            !m.source.contains("  ") && !m.note.contains("  "),
            "{}",
            m.id
        );
        assert!(m.factor[1] > 1.0 && m.factor[0] <= m.factor[1], "{}", m.id);
        assert_eq!(m.estimated().is_some(), m.setup.is_some(), "{}", m.id);
    }
    // Krell et al. 2022, Table 2, as printed.
    let table_2 = ["base-128", "base-384", "large-128", "large-384"]
        .map(|id| measurement(&format!("krell-{id}")).factor[0]);
    assert_eq!(table_2, [1.15, 1.68, 1.15, 1.69]);
}

#[test]
fn estimates_of_published_measurements_are_as_near_as_their_notes_say() {
    for m in PUBLISHED.iter().filter(|m| m.setup.is_some()) {
        let (estimated, ratio, measured) = (m.estimated().unwrap(), m.ratio.unwrap(), m.factor[0]);
        let off = estimated / measured - 1.0;
        if m.method == Method::Packed {
            assert!(
                off.abs() < 0.05 && estimated < ratio,
                "{}: {estimated}",
                m.id
            );
        } else {
            // Nearer than counting tokens.
            let counted = (ratio / measured - 1.0).abs();
            assert!(
                off.abs() < 0.1 && off.abs() < counted + 0.02,
                "{}: {estimated}",
                m.id
            );
        }
    }
}

#[test]
fn inference_is_one_pass_without_an_update() {
    use packscope::api::batch::{Mode, Pricing};
    let training = Pricing::default();
    let of = |mode| {
        let a = training.for_mode(mode).assumptions;
        Rates::new(
            &Workload::Transformer(a.transformer),
            &a.accelerator,
            &a.training,
        )
    };
    let [passes, one] = [Mode::Training, Mode::Server].map(of);
    assert!(
        (passes.first / one.first - 3.0).abs() < 1e-9 && one.update == 0.0 && passes.update > 0.0
    );
    assert_eq!(of(Mode::RealTime), one);
}

#[test]
fn the_overhead_follows_the_measured_points() {
    // Krell et al. 2022, Table 1.
    let measured = [
        (1, 0.0),
        (2, 0.04283),
        (3, 0.04287),
        (4, 0.04294),
        (8, 0.04481),
        (16, 0.04477),
    ];
    for (depth, overhead) in measured {
        assert_eq!(Overhead::Ipu.at_depth(depth), overhead);
    }
    assert_eq!(Overhead::Ipu.at_depth(400), 0.04477);
    assert!((Overhead::Ipu.at_depth(6) - 0.043875).abs() < 1e-12);
    assert_eq!(Overhead::Own(0.1).at_depth(1), 0.0);
    assert!(
        ["-1", "nan", "1e308", "inf", "100.1"]
            .iter()
            .all(|o| o.parse::<Overhead>().is_err())
    );
    assert_eq!("100".parse(), Ok(Overhead::Own(100.0)));
}

#[test]
fn weights_on_a_hub_are_known_by_their_names() {
    let known = |name: &str| presets::of_weights(name).map(|preset| preset.id);
    for (name, id) in [
        ("Qwen/Qwen3-8B", "qwen3-8b"),
        ("Qwen/Qwen2.5-7B-Instruct", "qwen2.5-7b"),
        ("meta-llama/Llama-3.1-8B-Instruct", "llama-3.1-8b"),
        ("meta-llama/Meta-Llama-3.1-8B", "llama-3.1-8b"),
        ("meta-llama/Llama-2-7b-hf", "llama-2-7b"),
        ("mistralai/Mistral-7B-Instruct-v0.3", "mistral-7b"),
        ("google/gemma-3-1b-it", "gemma-3-1b"),
        ("allenai/OLMo-2-0425-1B", "olmo-2-1b"),
        ("google-bert/bert-base-uncased", "bert-base"),
        ("bert-large-cased", "bert-large"),
        ("openai-community/gpt2", "gpt-2"),
        ("openai/gpt-oss-20b", "gpt-oss-20b"),
        ("answerdotai/ModernBERT-base", "modernbert-base"),
        ("/models/Qwen3-8B/", "qwen3-8b"),
    ] {
        assert_eq!(known(name), Some(id), "{name}");
    }
    // Larger ones, and others of the same family, are other models.
    for name in [
        "Qwen/Qwen3-80B",
        "Qwen/Qwen3-8B-AWQ",
        "openai-community/gpt2-xl",
        "llama",
        "",
    ] {
        assert_eq!(known(name), None, "{name}");
    }
    // Each preset is known by its own name, and by no other's.
    for preset in TRANSFORMERS {
        assert_eq!(known(preset.id), Some(preset.id));
    }
}
