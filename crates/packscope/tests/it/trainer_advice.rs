//! Advice on training libraries, at every value of their settings.

use crate::common::built_in;
use crate::trainer::{one, request, variants};
use packscope::api::Query;
use packscope::api::trainer::{LibrariesQuestion, LibrariesRequest, LibraryAnswer};
use packscope::histogram::Histogram;
use packscope::packing::go_on;
use packscope::trainer::{LIBRARIES, Library, Order, RowTally};
use packscope::words::percent;

/// Every answer that advice is asked for, over built-in sets: library, settings, answer.
fn advised(each: impl Fn(&str, &LibraryAnswer)) {
    for (name, limit) in [
        ("sharegpt_8k_llama2", 4096),
        ("alpaca_5000", 512),
        ("gsm8k_train", 512),
    ] {
        let data = built_in(name);
        for library in LIBRARIES.iter().filter(|library| library.id != "verl") {
            for chosen in variants(library, limit) {
                let question = LibrariesQuestion::One {
                    library: library.id.to_owned(),
                    settings: chosen.fields(),
                    packs: false,
                };
                let request = LibrariesRequest {
                    seeds: 1,
                    ..request(&data, limit, question)
                };
                let answer = request.run(&mut go_on).unwrap().answers.remove(0);
                each(
                    &format!("{name}: {} {:?}", library.id, chosen.fields()),
                    &answer,
                );
            }
        }
    }
}

/// Settings that change what is trained, or the memory: never advised.
const ALONE: [&str; 17] = [
    "per_device_train_batch_size",
    "micro_batch_size",
    "batch_size",
    "policy.train_global_batch_size",
    "policy.train_micro_batch_size",
    "device_batch_size",
    "ppo_mini_batch_size",
    "per_device_batch_size",
    "local_batch_size",
    "device_train_batch_size",
    "device_train_microbatch_size",
    "train.batch_size",
    "train.micro_batch_size",
    "global-batch-size",
    "num_unique_prompts_rollout",
    "num_samples_per_prompt_rollout",
    "training.per_device_train_batch_size",
];

/// What every advice keeps to: it says what the change does, counted here from rows of its own; it loses nothing that it
/// does not say, computes no more slots than it says, and is in the lines.
fn holds(about: &str, answer: &LibraryAnswer, data: &Histogram<1>) {
    let Some(advice) = &answer.advice else { return };
    let sentence = &advice.sentence;
    for wrong in [
        ": .",
        "  ",
        ", .",
        "NaN",
        "inf",
        " 0 % fewer",
        " 0 % more slots",
        "..",
        ": ,",
    ] {
        assert!(!sentence.contains(wrong), "{about}: {sentence}");
    }
    let Some(setting) = &advice.setting else {
        assert!(
            sentence.ends_with("No change of one setting helps noticeably."),
            "{about}: {sentence}"
        );
        assert!(
            advice.gain.is_empty() && advice.worth == 0.0,
            "{about}: {advice:?}"
        );
        return;
    };
    let value = advice.value.as_ref().unwrap();
    assert!(
        sentence.contains(&format!(" Set `{setting}: {value}`: ")) && sentence.ends_with('.'),
        "{about}: {sentence}"
    );
    assert!(
        !sentence.contains("No change") && !advice.gain.is_empty(),
        "{about}: {advice:?}"
    );
    assert!(!ALONE.contains(&setting.as_str()), "{about}: {sentence}");
    // What a change needs beside its line is said with it.
    let library = Library::named(&answer.about.library).unwrap();
    let needs = library
        .settings
        .iter()
        .find(|of| of.name == setting)
        .unwrap()
        .needs;
    let needs = needs
        .iter()
        .find(|(of, _)| of == value)
        .map_or("", |(_, needs)| *needs);
    assert!(
        advice.gain.ends_with(needs) && sentence.contains(" It needs ") != needs.is_empty(),
        "{about}: {advice:?}"
    );
    let now = Library::named(&answer.about.library)
        .unwrap()
        .with(answer.own.limit, &answer.about.settings)
        .unwrap();
    let mut other = now.clone();
    other.set(setting, value).unwrap();
    assert_ne!(
        other.lines(),
        now.lines(),
        "{about}: the lines cannot reach it"
    );
    let recipe = other.recipe().unwrap();
    let then = recipe.run(data, Order::Seed(0), &mut go_on).unwrap();
    let Some(run) = answer.runs.first() else {
        return;
    };
    let lost = |tally: &RowTally| tally.lost_tokens() as f64 / tally.tokens() as f64;
    let computed = |padded: bool, tally: &RowTally| {
        if padded {
            tally.slots as f64 / tally.real_tokens as f64
        } else {
            1.0
        }
    };
    let (before, after) = (
        computed(answer.own.padded, &run.tally),
        computed(recipe.padded, &then),
    );
    let (regained, saved) = (lost(&run.tally) - lost(&then), 1.0 - after / before);
    let fuller = run.tally.most == 1 && then.rows as f64 <= 0.9 * run.tally.rows as f64;
    assert!(
        regained >= 0.0005 || saved >= 0.005 || fuller,
        "{about}: {sentence}"
    );
    assert!(regained > -0.0005, "{about}: {sentence}");
    // What is said is so, and what is so is said.
    assert!(
        (advice.saved_share - saved).abs() < 1e-9,
        "{about}: {advice:?}"
    );
    assert!(
        (advice.regained_share - regained).abs() < 1e-9,
        "{about}: {advice:?}"
    );
    for (so, words) in [
        (regained >= 0.0005, " come back"),
        (regained <= -0.00005, " are lost"),
        (saved >= 0.005, " fewer slots"),
        (saved <= -0.006, " more slots"),
    ] {
        let said = sentence.split(" Set `").nth(1).unwrap().contains(words);
        assert!(
            so == said || words == " more slots" && !so,
            "{about}: {words:?}: {sentence}"
        );
    }
}

/// Room in rows that are not padded is not computed: no change is worth it, and none is without a gain.
#[test]
#[ignore = "outer circle: all libraries; a grid of sets is in the inner circle"]
fn advice_saves_what_is_computed_and_always_gains() {
    advised(|about, answer| holds(about, answer, &built_in(about.split(':').next().unwrap())));
}

/// Ten sets at three limits: the longest sequence, and a half and a quarter of it.
#[test]
fn advice_holds_on_a_grid_of_sets_and_limits() {
    let mut advised = 0;
    for name in [
        "alpaca_5000",
        "gsm8k_train",
        "glue_cola",
        "glue_rte",
        "glue_stsb",
        "glue_wnli",
        "lima_train_chatml",
        "protein_ecoli_proteome",
        "librispeech_devclean_text_bert",
        "azure_llm_trace_conv",
    ] {
        let data = built_in(name);
        for part in [1, 2, 4] {
            let limit = data.max()[0].next_power_of_two() / part;
            let all = LibrariesRequest {
                seeds: 1,
                ..request(&data, limit, LibrariesQuestion::All)
            };
            let answers = all.run(&mut go_on).unwrap().answers;
            assert_eq!(answers.len(), LIBRARIES.len());
            for answer in answers {
                holds(
                    &format!("{name} at {limit}: {}", answer.about.library),
                    &answer,
                    &data,
                );
                advised += u32::from(answer.advice.is_some_and(|advice| advice.setting.is_some()));
            }
        }
    }
    assert!(advised > 100, "{advised}");
}

/// What the lines cannot reach, and pieces without a label, are not even tried.
#[test]
fn what_cannot_be_followed_is_not_tried() {
    let chat = built_in("sharegpt_8k_llama2");
    for (library, setting, value) in [
        ("nanotron", "map_batch_size", "10000"),
        ("nemo", "packing_algorithm", "first_fit_decreasing"),
        ("olmo-vsl", "min_sequence_length", "1"),
        // Only its data set of texts takes it.
        ("torchtune", "split_across_pack", "true"),
    ] {
        let tried = one(&chat, 4096, library, &[]).advice.unwrap().tried;
        assert!(
            !tried
                .iter()
                .any(|tried| tried.setting == setting && tried.value == value),
            "{tried:?}"
        );
    }
}

/// Where the best change is a number, numbers are tried.
#[test]
fn the_ratio_of_llm_foundry_is_sought() {
    let chat = built_in("sharegpt_8k_llama2");
    let now = one(&chat, 4096, "llm-foundry", &[]);
    let advice = now.advice.unwrap();
    assert_eq!(
        (advice.setting.as_deref(), advice.value.as_deref()),
        (Some("packing_ratio"), Some("1.7")),
        "{advice:?}"
    );
    let then = one(&chat, 4096, "llm-foundry", &[("packing_ratio", "1.7")])
        .figures
        .unwrap();
    assert!(now.figures.unwrap().rows > 1.5 * then.rows, "{then:?}");
    // Without packing it pads to the limit.
    let data = built_in("alpaca_5000");
    let none = one(&data, 512, "llm-foundry", &[("packing_ratio", "none")]);
    let figures = none.figures.unwrap();
    assert!(
        (figures.padding_share - 0.80).abs() < 0.01 && figures.computed_above.unwrap() > 3.0,
        "{figures:?}"
    );
    assert_eq!(none.about.algorithm, "no packing: padded to the limit");
}

/// Steps are those of a device at the batch that the library uses: of rows, or of the sequences of a step.
#[test]
fn steps_are_those_of_the_library() {
    let data = built_in("gsm8k_train");
    let steps = |library: &str, settings: &[(&str, &str)]| {
        let answer = one(&data, 512, library, settings);
        (answer.runs[0].steps.unwrap(), answer.runs[0].tally.rows)
    };
    assert_eq!(steps("trl", &[("packing", "false")]), (935, 7473));
    let (by, rows) = steps("llama-factory", &[]);
    assert_eq!(by, rows.div_ceil(8));
    assert_eq!(steps("nemo-rl", &[]).0, 7473_u64.div_ceil(32));
    let (by, rows) = steps("axolotl", &[]);
    assert_eq!(by, rows);
    // One that has no batch of its own takes that of the question: 8.
    let (by, rows) = steps("grain", &[]);
    assert_eq!(by, rows.div_ceil(8));
}

/// A batch that is not packed is padded to a multiple where its collator does so: of 64 by Axolotl
/// (core/builders/causal.py), of 8 by LLaMA-Factory (train/sft/workflow.py); so is a row.
#[test]
fn what_is_not_packed_is_padded_to_a_multiple() {
    let data = built_in("alpaca_5000");
    let per_token = |multiple: u32| {
        let slots = |(l, n): &(u32, u64)| u64::from(l.next_multiple_of(multiple)) * n;
        data.lengths().iter().map(slots).sum::<u64>() as f64 / data.total()[0] as f64
    };
    let computed = |answer: &LibraryAnswer| {
        let tally = &answer.runs[0].tally;
        tally.slots as f64 / tally.real_tokens as f64
    };
    // At the longest, nothing is lost.
    let off = [("sample_packing", "false")];
    let alone = one(&data, 640, "axolotl", &off);
    assert!(
        (computed(&alone) - per_token(64)).abs() < 1e-9 && per_token(64) > 1.29,
        "{}",
        computed(&alone)
    );
    let advice = alone.advice.as_ref().unwrap();
    assert!(!advice.sentence.contains("in vain"), "{}", advice.sentence);
    let packed = one(&data, 640, "axolotl", &[]);
    let saved = 1.0 - computed(&packed) / computed(&alone);
    assert_eq!(
        (advice.setting.as_deref(), advice.value.as_deref()),
        (Some("sample_packing"), Some("true")),
        "{advice:?}"
    );
    assert!(
        (advice.saved_share - saved).abs() < 1e-9 && saved > 0.2,
        "{advice:?}"
    );
    let neither = one(
        &data,
        640,
        "axolotl",
        &[off[0], ("pad_to_sequence_len", "false")],
    );
    assert_eq!(computed(&neither), 1.0);
    let all = one(
        &data,
        640,
        "axolotl",
        &[off[0], ("pad_to_sequence_len", "true")],
    );
    assert_eq!(all.runs[0].tally.slots, 5_000 * 640);
    let eights = [("packing", "false"), ("per_device_train_batch_size", "1")];
    let alone = one(&data, 640, "llama-factory", &eights);
    assert!(
        (computed(&alone) - per_token(8)).abs() < 1e-9,
        "{}",
        computed(&alone)
    );
    let plain = one(
        &data,
        640,
        "llama-factory",
        &[eights[0], eights[1], ("stage", "pt")],
    );
    assert_eq!(
        computed(&plain),
        1.0,
        "its collator for pre-training pads to no multiple"
    );
    // Rows, where the limit is no multiple.
    for (library, row) in [("axolotl", 640), ("llama-factory", 608)] {
        let tally = &one(&data, 602, library, &[]).runs[0].tally;
        assert_eq!(tally.slots, tally.rows * row, "{library}");
    }
    // Rows that are padded to nothing cost what is in them; the library warns, so nobody is advised to.
    let rows = one(&data, 640, "axolotl", &[("pad_to_sequence_len", "false")]);
    assert!(!rows.own.padded && rows.figures.unwrap().computed_above == Some(0.0));
    assert!(
        !packed
            .advice
            .unwrap()
            .tried
            .iter()
            .any(|tried| tried.setting == "pad_to_sequence_len")
    );
}

/// MaxText's grain reads other files than tfds: whoever is advised to take it is told so, in the table as well.
#[test]
fn advice_that_needs_other_files_names_them() {
    let advice = one(&built_in("alpaca_5000"), 512, "maxtext", &[])
        .advice
        .unwrap();
    assert_eq!(
        (advice.setting.as_deref(), advice.value.as_deref()),
        (Some("dataset_type"), Some("grain"))
    );
    assert!(
        advice
            .gain
            .ends_with(" fewer slots; needs files that grain reads (grain_train_files)"),
        "{}",
        advice.gain
    );
    assert!(
        advice
            .sentence
            .ends_with(" It needs files that grain reads (grain_train_files)."),
        "{}",
        advice.sentence
    );
}

/// Of many sequences few stand for all, and are said to be few.
#[test]
#[ignore = "outer circle: millions of sequences"]
fn a_sample_of_many_is_near_to_all() {
    let data = built_in("geom_drugs_allatoms_len");
    for library in ["torchtune", "trl", "axolotl", "nemo-rl", "verl"] {
        let answer = one(&data, 181, library, &[]);
        assert_eq!(
            (answer.own.sample, answer.runs.len()),
            (Some(131_072), 1),
            "{library}"
        );
        if library == "verl" {
            continue;
        }
        let recipe = Library::named(library)
            .unwrap()
            .start(181)
            .recipe()
            .unwrap();
        let all = recipe.run(&data, Order::Seed(0), &mut go_on).unwrap();
        let rows = answer.figures.unwrap().rows;
        assert!(
            (rows / all.rows as f64 - 1.0).abs() < 0.002,
            "{library}: {rows} instead of {}",
            all.rows
        );
    }
    // What is counted is counted.
    assert_eq!(one(&data, 256, "olmo-packed", &[]).own.sample, None);
}

#[test]
fn advice_on_rows_that_are_not_padded() {
    let chat = built_in("sharegpt_8k_llama2");
    let sentence = |library: &str, settings: &[(&str, &str)]| {
        let advice = one(&chat, 4096, library, settings).advice.unwrap();
        (
            advice.setting.unwrap_or_default(),
            advice.value.unwrap_or_default(),
            advice.sentence,
        )
    };
    // Tokens come back; nothing is cut that need not be.
    let (setting, value, words) = sentence("trl", &[]);
    assert_eq!(
        (setting.as_str(), value.as_str()),
        ("packing_strategy", "bfd_split"),
        "{words}"
    );
    assert!(!words.contains("slots"), "{words}");
    // Nothing is lost, and nothing is computed in vain.
    let data = built_in("gsm8k_train");
    let advice = one(&data, 512, "trl", &[]).advice.unwrap();
    assert_eq!(
        (advice.setting, advice.sentence.as_str()),
        (
            None,
            "Nothing is computed in vain. No change of one setting helps noticeably."
        )
    );
    let advice = one(&data, 512, "hf-flattening", &[]).advice.unwrap();
    assert_eq!(
        (advice.setting, advice.sentence.as_str()),
        (
            None,
            "Nothing is padded, and nothing is packed: each row is one sequence. No change of one setting helps noticeably."
        )
    );
    // Unpacked, packing is named: for fewer, fuller rows where nothing is padded, for fewer slots where it is.
    let alone = one(&data, 512, "unsloth", &[]);
    let advice = alone.advice.clone().unwrap();
    assert_eq!(
        (advice.setting.as_deref(), advice.value.as_deref()),
        (Some("packing"), Some("true"))
    );
    let packed = one(&data, 512, "unsloth", &[("packing", "true")]);
    let [packed, alone] = [packed, alone].map(|answer| answer.runs[0].tally.rows as f64);
    let fewer = percent(1.0 - packed / alone);
    assert_eq!(
        advice.sentence,
        format!(
            "Nothing is padded, and nothing is packed: each row is one sequence. Set `packing: true`: {fewer} fewer rows, \
             each nearly full: steps are fewer, and even."
        )
    );
    assert_eq!(advice.saved_share, 0.0);
    for (library, settings) in [
        ("unsloth", &[("padding_free", "false")][..]),
        ("trl", &[("packing", "false")]),
    ] {
        let advice = one(&data, 512, library, settings).advice.unwrap();
        assert_eq!(
            (advice.setting.as_deref(), advice.value.as_deref()),
            (Some("packing"), Some("true")),
            "{advice:?}"
        );
        assert!(
            advice.sentence.contains(" fewer slots for each token") && advice.saved_share > 0.2,
            "{advice:?}"
        );
    }
    // Of rows that are all full, nothing is to be had.
    let full = Histogram::from_lengths([(512, 300)]).unwrap();
    let advice = one(&full, 512, "unsloth", &[]).advice.unwrap();
    assert_eq!(advice.setting, None, "{advice:?}");
}
