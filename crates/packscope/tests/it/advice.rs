//! The judge over all advice: its rules as properties, and the cases in which advice was wrong once.

use crate::common::{built_in, built_in_graphs};
use packscope::advice::{
    Advisor, Case, Considered, GraphCase, Hardware, Outcome, Ruling, Verdict, advise_graphs,
    duration, money, shared_out, suited_model, usual_limit,
};
use packscope::api::tuple;
use packscope::cost::presets::{ACCELERATORS, TRANSFORMERS, named};
use packscope::cost::{Assumptions, Work};
use packscope::export::libraries::{JudgedLibrary, judged_table};
use packscope::histogram::Histogram;
use packscope::packing::go_on;
use packscope::packing::tuple::TupleAlgorithm;
use packscope::rng::Random;
use packscope::trainer::batches::SAMPLERS;
use packscope::trainer::graphs::LOADERS;
use packscope::trainer::{LIBRARIES, SettingValue};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const MODELS: [&str; 4] = ["bert-large", "llama-3.2-1b", "llama-3.1-8b", "mixtral-8x7b"];
const CARDS: [&str; 3] = ["rtx-4090", "a100-80gb", "h200"];

/// A tail of one in a thousand: many short sequences, few that are up to forty times as long.
fn tail(short: u32, long: u32, items: u64) -> Histogram<1> {
    let lengths = (1..=40).map(|k| (short * k / 20, items / 40));
    let rare = (1..=4).map(|k| (long * k / 4, (items / 4000).max(1)));
    Histogram::from_lengths(lengths.chain(rare)).unwrap()
}

fn hardware(model: &str, card: &str, limit: u32) -> Hardware {
    let assumptions = Assumptions {
        transformer: named(TRANSFORMERS, model).unwrap().value,
        accelerator: named(ACCELERATORS, card).unwrap().value,
        ..Assumptions::default()
    };
    Hardware {
        assumptions: shared_out(&assumptions, limit),
        ..Hardware::default()
    }
}

fn case(data: &Histogram<1>, library: Option<&str>, limit: u32) -> Case {
    let model = suited_model(limit, library).id;
    Case {
        limit,
        hardware: hardware(model, "a100-80gb", limit),
        ..Case::new(data, library)
    }
}

fn advise(data: &Histogram<1>, case: &Case) -> Verdict {
    Advisor::new(data).advise(case, &mut go_on).unwrap()
}

fn settings(all: &[(&str, &str)]) -> Vec<SettingValue> {
    let field = |(name, value): &(&str, &str)| SettingValue {
        name: (*name).to_owned(),
        value: (*value).to_owned(),
    };
    all.iter().map(field).collect()
}

/// A candidate keeps to the rules against what is set now, told from its figures alone.
fn keeps(now: Option<&Outcome>, then: &Outcome) -> bool {
    let fair = now.is_none_or(|now| {
        then.lost_share <= now.lost_share + 0.005
            && then.cut_share <= now.cut_share + 0.005
            && then.apart >= now.apart
    });
    then.memory <= 1.0 && then.shuffles && then.keeps_step && fair
}

/// Checks every rule on a verdict; `of` names the case.
fn check(verdict: &Verdict, case: &Case, of: &str) {
    let runs = verdict.now.as_ref().filter(|now| now.fits);
    let said = |words: &str| verdict.notes.iter().any(|note| note.contains(words));
    let advised = |one: &&Considered| one.ruling == Ruling::Advised;
    let all = || verdict.considered.iter().map(|one| &one.outcome);
    assert_eq!(
        verdict.considered.iter().filter(advised).count(),
        usize::from(verdict.then.is_some()),
        "{of}"
    );
    for outcome in all().chain(&verdict.now) {
        let figures = [
            outcome.hours,
            outcome.money,
            outcome.memory,
            outcome.charge,
            outcome.steps,
        ];
        assert!(
            figures.iter().all(|x| x.is_finite() && *x > 0.0),
            "{of}: {outcome:?}"
        );
        let shares = [outcome.padding_share, outcome.lost_share, outcome.cut_share];
        assert!(
            shares.iter().all(|share| (0.0..=1.0).contains(share)),
            "{of}: {outcome:?}"
        );
        assert_eq!(outcome.fits, outcome.memory <= 1.0, "{of}");
    }
    let Some(then) = &verdict.then else {
        for other in all().filter(|other| keeps(runs, other)) {
            let now = runs.unwrap_or_else(|| panic!("{of}: {} would run", other.change.words));
            assert!(
                other.charge > now.charge * 0.99,
                "{of}: {}",
                other.change.words
            );
        }
        let ends = [
            "Nothing to change.",
            "a batch fits.",
            "it takes them.",
            "the memory.",
        ];
        assert!(
            ends.iter().any(|end| verdict.sentence.ends_with(end)),
            "{of}: {}",
            verdict.sentence
        );
        return;
    };
    assert!(
        then.memory <= 1.0 && then.fits && then.shuffles && then.keeps_step,
        "{of}: {then:?}"
    );
    let [limit] = then.limit[..] else {
        panic!("{of}: {:?}", then.limit)
    };
    assert!(
        limit == case.limit || limit % 64 == 0,
        "{of}: a limit of {limit}"
    );
    assert!(
        verdict.sentence.contains(&then.change.words),
        "{of}: {}",
        verdict.sentence
    );
    for figure in [duration(then.hours * 3600.0), money(then.money)] {
        assert!(
            verdict.sentence.contains(&figure),
            "{of}: {figure} in {}",
            verdict.sentence
        );
    }
    if let Some(now) = runs {
        assert!(then.charge <= now.charge * 0.99, "{of}: {then:?}\n{now:?}");
        assert!(then.lost_share <= now.lost_share + 0.005, "{of}");
        assert!(
            !then.loses_more(now) || said("It loses"),
            "{of}: {verdict:?}"
        );
        let torn = then.cut_share - now.cut_share;
        assert!(
            torn <= 0.005 || said("beginning there"),
            "{of}: {verdict:?}"
        );
        // Only what would be cut off is cut apart instead.
        assert!(
            torn <= (now.lost_share - then.lost_share).max(0.0) + 0.006,
            "{of}"
        );
        assert!(then.apart >= now.apart, "{of}: sequences see one another");
        assert!(
            !then.changes_step(now) || said("A step has"),
            "{of}: {verdict:?}"
        );
        let longer = then.hours > now.hours * 1.01;
        assert!(
            !longer || said("An epoch takes longer"),
            "{of}: {verdict:?}"
        );
        let other = limit != case.limit;
        assert!(
            !other || now.lost_share > 0.02,
            "{of}: a limit for {}",
            now.lost_share
        );
    }
    for other in all().filter(|other| keeps(runs, other)) {
        let loses = runs.is_none() && other.loses_more(then);
        // A change of a larger kind is not worth less than a percent.
        let larger = other.change.effort > then.change.effort;
        let slack = if larger { 0.0101 } else { 0.0051 };
        let better = other.charge < then.charge * (1.0 - slack);
        let written = |of: &Outcome| (duration(of.hours * 3600.0), money(of.money));
        let alike = larger && written(other) == written(then);
        assert!(
            loses || !better || alike,
            "{of}: {} beats {}",
            other.change.words,
            then.change.words
        );
        let equal = other.charge <= then.charge && !loses;
        let smaller = other.change.effort < then.change.effort;
        assert!(
            !(equal && smaller),
            "{of}: {} is as good",
            other.change.words
        );
    }
}

/// Checks what is named beside the advice: the smaller change, and the plan that loses less.
fn check_others(verdict: &Verdict, of: &str) {
    let runs = verdict.now.as_ref().filter(|now| now.fits);
    let named = |outcome: &Outcome| {
        let (words, hours) = (&outcome.change.words, duration(outcome.hours * 3600.0));
        let note = |note: &&String| note.contains(words.as_str()) && note.contains(&hours);
        assert!(verdict.notes.iter().any(|one| note(&one)), "{of}: {words}");
    };
    if let Some(lighter) = &verdict.lighter {
        let then = verdict.then.as_ref().unwrap();
        assert!(lighter.change.effort < then.change.effort, "{of}");
        assert!(keeps(runs, lighter), "{of}: {lighter:?}");
        assert!(then.charge <= lighter.charge * 0.9901, "{of}: {lighter:?}");
        let written = |of: &Outcome| (duration(of.hours * 3600.0), money(of.money));
        let more = then.lost_share < lighter.lost_share;
        assert!(
            more || written(then) != written(lighter),
            "{of}: it looks as good"
        );
        assert!(
            runs.is_none_or(|now| lighter.charge <= now.charge * 0.99),
            "{of}: {lighter:?}"
        );
        named(lighter);
    }
    if let Some(keeps) = &verdict.keeps {
        let plan = verdict.then.as_ref().or(runs).unwrap();
        assert!(keeps.lost_share < plan.lost_share && keeps.fits, "{of}");
        named(keeps);
    }
}

/// Advises on one set of every case of a grid, and returns the number of verdicts with advice, and without. Of models and
/// cards `on`, those are taken for which `asked` holds of their place and that of the library.
fn on_set(
    (name, data): &(&str, Histogram<1>),
    on: &[(&str, &str)],
    asked: impl Fn(usize, usize) -> bool,
) -> [usize; 2] {
    let mut counts = [0, 0];
    let mut advisor = Advisor::new(data);
    let limit = usual_limit(data);
    let libraries = LIBRARIES
        .iter()
        .map(|library| Some(library.id))
        .chain([None]);
    for (row, library) in libraries.enumerate() {
        let on = on
            .iter()
            .enumerate()
            .filter(|(column, _)| asked(row, *column));
        for (_, (model, card)) in on {
            let case = Case {
                hardware: hardware(model, card, limit),
                ..case(data, library, limit)
            };
            let verdict = advisor.advise(&case, &mut go_on).unwrap();
            let of = format!("{name}, {library:?}, {model} on {card}");
            check(&verdict, &case, &of);
            check_others(&verdict, &of);
            counts[usize::from(verdict.then.is_none())] += 1;
        }
    }
    counts
}

/// Advises every library on two sets, on those of two machines that are asked for; returns the number of verdicts with
/// advice, and without.
fn on_two_sets(asked: impl Fn(usize, usize, usize) -> bool) -> [usize; 2] {
    let sets = [
        ("lima_train_chatml", built_in("lima_train_chatml")),
        ("a tail", tail(200, 16_000, 40_000)),
    ];
    let on = [("llama-3.2-1b", "rtx-4090"), ("llama-3.1-8b", "a100-80gb")];
    let counts = [0, 1].map(|at| on_set(&sets[at], &on, |row, column| asked(at, row, column)));
    [0, 1].map(|at| counts[0][at] + counts[1][at])
}

#[test]
fn no_advice_breaks_a_rule() {
    // Each library meets one model on one set, and the other on the other.
    let [some, none] = on_two_sets(|at, row, column| (at + row + column).is_multiple_of(2));
    // Neither is everything advised, nor nothing.
    assert!(some > 15 && none > 10, "{some} and {none}");
}

#[test]
#[ignore = "outer circle: every library on both sets and both machines; half of it remains inside"]
fn no_advice_on_two_sets_breaks_a_rule() {
    let [some, none] = on_two_sets(|_, _, _| true);
    assert!(some > 30 && none > 20, "{some} and {none}");
}

#[test]
#[ignore = "outer circle: 24 sets, all libraries, models and cards take minutes; two sets remain inside"]
fn no_advice_on_any_set_breaks_a_rule() {
    let names = [
        "alpaca_5000",
        "arxiv_summarization_llama2",
        "azure_llm_trace_conv",
        "geom_drugs_allatoms_len",
        "glue_cola",
        "glue_rte",
        "glue_sst2",
        "glue_stsb",
        "glue_wnli",
        "gsm8k_train",
        "librispeech_devclean_audio_40ms",
        "librispeech_devclean_text_bert",
        "lima_train_chatml",
        "mooncake_conversation",
        "protein_ecoli_proteome",
        "sharegpt_8k_llama2",
        "squad_1_1_bert_384",
        "t0_train_50k_2048",
        "wikipedia_bert_512",
        "mol_qm9_allatoms_len",
    ];
    let mut sets: Vec<(&str, Histogram<1>)> =
        names.iter().map(|name| (*name, built_in(name))).collect();
    sets.push(("tail of 1,000", tail(100, 1000, 40_000)));
    sets.push(("tail of 16,000", tail(200, 16_000, 40_000)));
    sets.push(("tail of 130,000", tail(800, 130_000, 40_000)));
    sets.push(("tail of a million", tail(60, 4000, 4_000_000)));
    let on: Vec<(&str, &str)> = MODELS
        .iter()
        .flat_map(|model| CARDS.iter().map(move |card| (*model, *card)))
        .collect();
    // Every library meets every model on every card, on a quarter of the sets: all of it is half an hour of computing.
    let (next, sets, on) = (AtomicUsize::new(0), &sets, &on);
    thread::scope(|scope| {
        let work = || {
            while let Some((at, set)) = {
                let at = next.fetch_add(1, Ordering::Relaxed);
                sets.get(at).map(|set| (at, set))
            } {
                on_set(set, on, |row, column| (at + row + column) % 4 == 0);
            }
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        all.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

/// Libraries that make batches have the same judge, with every model on every card.
#[test]
fn no_advice_on_batches_breaks_a_rule() {
    let mut advised = 0;
    let sets = [
        "glue_cola",
        "squad_1_1_bert_384",
        "librispeech_devclean_audio_40ms",
        "sharegpt_8k_llama2",
    ];
    for (at, set) in sets.into_iter().enumerate() {
        let data = built_in(set);
        let limit = usual_limit(&data);
        for (of, sampler) in SAMPLERS.iter().enumerate() {
            let model = MODELS[(at + of) % MODELS.len()];
            for card in CARDS {
                let case = Case {
                    hardware: hardware(model, card, limit),
                    limit,
                    ..Case::new(&data, Some(sampler.id))
                };
                let verdict = advise(&data, &case);
                check(
                    &verdict,
                    &case,
                    &format!("{set}, {}, {model}, {card}", sampler.id),
                );
                advised += u32::from(verdict.then.is_some());
            }
        }
    }
    assert!(advised > 10, "{advised}");
}

#[test]
fn a_batch_beyond_the_memory_is_made_smaller_and_said() {
    let data = built_in("sharegpt_8k_llama2");
    let case = Case {
        hardware: hardware("llama-3.2-1b", "rtx-4090", 8192),
        limit: 8192,
        ..Case::new(&data, Some("lhotse"))
    };
    let verdict = advise(&data, &case);
    let note = verdict
        .notes
        .iter()
        .find(|note| note.starts_with("Batches of 64 "));
    assert!(
        note.is_some_and(|note| note.contains("do not fit the memory")),
        "{verdict:?}"
    );
    // What fits without it has no such note.
    let small = built_in("glue_cola");
    let verdict = advise(&small, &Case::new(&small, Some("lhotse")));
    assert!(
        !verdict.notes.iter().any(|note| note.contains("memory")),
        "{verdict:?}"
    );
}

#[test]
fn libraries_side_by_side_are_priced_for_what_they_tear() {
    let data = built_in("lima_train_chatml");
    let mut advisor = Advisor::new(&data);
    let verdicts: Vec<Verdict> = LIBRARIES
        .iter()
        .map(|library| {
            advisor
                .advise(&case(&data, Some(library.id), 2048), &mut go_on)
                .unwrap()
        })
        .collect();
    let rows: Vec<JudgedLibrary> = LIBRARIES
        .iter()
        .zip(&verdicts)
        .map(|(library, verdict)| JudgedLibrary {
            id: library.id,
            verdict: Ok(verdict),
        })
        .collect();
    let table = judged_table(&rows);
    let column = |name: &str| {
        let mut names = table.columns.iter();
        names.position(|(other, _)| other == name).unwrap()
    };
    assert_eq!(table.rows.len(), LIBRARIES.len());
    let mut torn = 0;
    for ((of, row), verdict) in rows.iter().zip(&table.rows).zip(&verdicts) {
        assert_eq!(row.len(), table.columns.len());
        let nothing = verdict.then.is_none() && verdict.now.as_ref().is_some_and(|now| now.fits);
        assert_eq!(
            row[column("change")].shown == "nothing",
            nothing,
            "{}",
            of.id
        );
        // A gain is one over what is set, and only of advice.
        let gain = row[column("speedup")].exact.parse::<f64>();
        assert!(gain.is_err() || verdict.then.is_some(), "{}", of.id);
        let Some((lost, above)) = of.plan().and_then(JudgedLibrary::place) else {
            continue;
        };
        let plan = of.plan().unwrap();
        assert!(above > -1e-9, "{}: fewer slots than tokens", of.id);
        assert!(lost >= plan.cut_share / 2.0, "{}", of.id);
        torn += usize::from(plan.cut_share > 0.05);
    }
    assert!(torn > 2, "{torn} libraries tear documents");
}

#[test]
fn no_advice_on_small_data_breaks_a_rule() {
    let mut rng = Random::seeded(7);
    let mut below = |n: u64| rng.below(n);
    for turn in 0..40 {
        let distinct = 1 + below(12);
        let counts: Vec<(u32, u64)> = (0..distinct)
            .map(|_| (1 + below(3000) as u32, 1 + below(400)))
            .collect();
        let data = Histogram::from_lengths(counts).unwrap();
        let limit = 1 + below(4000) as u32;
        let library = LIBRARIES.get(below(LIBRARIES.len() as u64 + 1) as usize);
        let mut case = case(&data, library.map(|library| library.id), limit);
        case.batch_tokens = (turn % 3 == 0).then(|| 1 + below(1_000_000));
        case.hardware.assumptions.accelerators = 1 + below(16) as u32;
        let verdict = advise(&data, &case);
        check(
            &verdict,
            &case,
            &format!("turn {turn}, {:?} at {limit}", case.library),
        );
    }
}

/// A limit was recommended of which one row needs 280 % of the memory.
#[test]
fn no_limit_beyond_the_memory_is_advised() {
    let data = tail(1200, 18_630, 40_000);
    let verdict = advise(&data, &case(&data, None, 4096));
    let then = verdict.then.unwrap();
    assert!(then.memory <= 1.0 && then.limit[0] < 16_384, "{then:?}");
    let here = hardware("llama-3.1-8b", "a100-80gb", 16_384);
    let case = Case {
        hardware: here,
        ..case(&data, Some("trl"), 16_384)
    };
    let verdict = advise(&data, &case);
    // Where not one row fits, that comes first, and there are no hours of what cannot run.
    assert!(
        verdict.sentence.contains("does not fit the memory"),
        "{}",
        verdict.sentence
    );
    let now = verdict.now.unwrap();
    assert!(!now.fits && !verdict.sentence.contains(&duration(now.hours * 3600.0)));
    let then = verdict.then.unwrap();
    assert!(then.fits && then.limit[0] < 16_384, "{then:?}");
}

/// The largest gain of TRL, which packs nothing as it is installed, was in no row; its lines were
/// those of before.
#[test]
fn packing_is_advised_to_those_who_have_not_switched_it_on() {
    let data = built_in("alpaca_5000");
    for (library, line) in [
        ("trl", "packing=True"),
        ("axolotl", "sample_packing: true"),
        ("torchtune", "packed: true"),
        ("llama-factory", "neat_packing: true"),
        ("ms-swift", "packing"),
        ("unsloth", "packing=True"),
    ] {
        let verdict = advise(&data, &case(&data, Some(library), 2048));
        let (now, then) = (verdict.now.unwrap(), verdict.then.unwrap());
        assert!(
            verdict.sentence.contains("as installed at 2,048"),
            "{}",
            verdict.sentence
        );
        assert!(
            then.change.words.contains(line),
            "{library}: {}",
            then.change.words
        );
        assert!(
            then.hours < now.hours && then.money < now.money,
            "{library}"
        );
        assert!(
            then.change.lines.contains(line),
            "{library}: {}",
            then.change.lines
        );
        assert_ne!(then.change.lines, now.change.lines, "{library}");
        let before = now.change.lines.contains(line);
        assert!(
            library == "ms-swift" || !before,
            "{library}: {}",
            now.change.lines
        );
    }
}

/// Sorted batches were recommended for training.
/// Axolotl packs its rows of a batch into one row of as many limits, which the memory does not hold: packing is advised with
/// fewer of them.
#[test]
fn packing_is_advised_with_as_many_rows_as_fit() {
    let lengths = (0..5000u32).map(|i| (20 + i.wrapping_mul(i).wrapping_mul(7919) % 1900, 1));
    let data = Histogram::from_lengths(lengths).unwrap();
    let case = Case {
        settings: settings(&[("micro_batch_size", "4"), ("sample_packing", "false")]),
        hardware: hardware("qwen3-8b", "a100-80gb", 4096),
        ..case(&data, Some("axolotl"), 4096)
    };
    let verdict = advise(&data, &case);
    check(&verdict, &case, "axolotl");
    let then = verdict.then.unwrap();
    assert_eq!(
        then.change.words,
        "`sample_packing: true` and `micro_batch_size: 1`"
    );
    assert!(then.padding_share < 0.02 && verdict.now.unwrap().padding_share > 0.3);
}

#[test]
fn order_of_length_is_never_advised() {
    for name in ["sharegpt_8k_llama2", "librispeech_devclean_audio_40ms"] {
        let data = built_in(name);
        let verdict = advise(&data, &Case::new(&data, None));
        let then = verdict.then.unwrap();
        assert!(
            then.shuffles && !then.change.words.contains("sort"),
            "{}",
            then.change.words
        );
        let ruled = |one: &&Considered| one.ruling == Ruling::Unshuffled;
        let sorted = verdict.considered.iter().find(ruled).unwrap();
        assert!(sorted.outcome.change.words.contains("sorted"), "{sorted:?}");
    }
}

/// The same data had two answers by the way one had come to them.
#[test]
fn the_same_case_has_the_same_answer() {
    let data = built_in("lima_train_chatml");
    let mut advisor = Advisor::new(&data);
    let case = Case::new(&data, Some("trl"));
    // By way of other libraries, limits and cards.
    for (library, limit) in [(None, 512), (Some("axolotl"), 4096), (Some("trl"), 1024)] {
        let other = Case {
            hardware: hardware("llama-3.2-1b", "h200", limit),
            ..self::case(&data, library, limit)
        };
        advisor.advise(&other, &mut go_on).unwrap();
    }
    let then = advisor.advise(&case, &mut go_on).unwrap();
    assert_eq!(then, advise(&data, &case));
    // And with its defaults written out.
    let written = Case {
        settings: settings(&[("packing", "false"), ("packing_strategy", "bfd")]),
        limit: usual_limit(&data),
        ..case
    };
    assert_eq!(then, advise(&data, &written));
}

/// Room in rows that nothing computes was called padding.
#[test]
fn room_that_is_not_computed_is_no_padding() {
    let data = built_in("alpaca_5000");
    let case = Case {
        settings: settings(&[("packing", "true")]),
        ..case(&data, Some("trl"), 2048)
    };
    let verdict = advise(&data, &case);
    assert_eq!(verdict.now.unwrap().padding_share, 0.0);
    assert!(
        verdict.sentence.contains("as set at 2,048: no padding"),
        "{}",
        verdict.sentence
    );
}

/// Verl refuses sequences above its limit, and its lines were those that stop.
#[test]
fn a_refusal_names_the_limit_that_works() {
    let data = built_in("sharegpt_8k_llama2");
    let case = Case {
        hardware: hardware("llama-3.2-1b", "h200", 4096),
        ..case(&data, Some("verl"), 4096)
    };
    let verdict = advise(&data, &case);
    assert!(verdict.now.is_none() && verdict.sentence.contains("refuses these data"));
    let then = verdict.then.unwrap();
    assert_eq!((then.limit[0], then.lost_share), (8192, 0.0));
    assert!(then.change.lines.contains("8192"), "{}", then.change.lines);
    // On a card that has no room for it, the memory is named instead.
    let small = Case {
        hardware: hardware("llama-3.1-8b", "rtx-4090", 4096),
        ..case
    };
    let verdict = advise(&data, &small);
    assert!(
        verdict.then.is_none() && verdict.sentence.contains("the memory"),
        "{}",
        verdict.sentence
    );
}

/// The baseline was padding to the limit, so that a higher limit seemed to save more.
#[test]
fn a_higher_limit_makes_no_gain() {
    let data = built_in("glue_rte");
    let step = |limit| Case {
        batch_tokens: Some(65_536),
        hardware: hardware("bert-large", "a100-80gb", limit),
        ..case(&data, None, limit)
    };
    let [near, far] = [512, 4096].map(|limit| advise(&data, &step(limit)));
    let hours = |verdict: &Verdict| verdict.now.as_ref().unwrap().hours;
    assert!(
        (hours(&far) / hours(&near) - 1.0).abs() < 0.02,
        "{} {}",
        hours(&far),
        hours(&near)
    );
    // Rows padded to the limit are a scenario, and none of the candidates.
    let padded = |verdict: &Verdict| verdict.padded_to_limit.as_ref().unwrap().slots;
    assert!(padded(&far) > 7.0 * padded(&near));
    assert!(
        near.sentence
            .starts_with("Shuffled batches of 64, padded to their longest, at 512: ")
    );
}

#[test]
fn the_best_of_all_that_was_tried_is_named_with_its_ruling() {
    let mut rulings = BTreeSet::new();
    for (data, limit) in [
        ("glue_rte", 512),
        ("sharegpt_8k_llama2", 8192),
        ("glue_cola", 128),
    ] {
        let data = built_in(data);
        for library in [None, Some("trl"), Some("llama-factory")] {
            let verdict = advise(&data, &case(&data, library, limit));
            let best = verdict.best.as_ref().unwrap();
            let fit = verdict.considered.iter().filter(|one| one.outcome.fits);
            let least = fit
                .map(|one| one.outcome.charge)
                .fold(f64::INFINITY, f64::min);
            assert_eq!(best.outcome.charge, least);
            assert_ne!(best.ruling, Ruling::Memory);
            if best.ruling == Ruling::Advised {
                assert_eq!(verdict.then.as_ref(), Some(&best.outcome));
            }
            rulings.insert(best.ruling.words("tokens"));
        }
    }
    assert!(
        rulings.contains("advised") && rulings.len() > 1,
        "{rulings:?}"
    );
}

/// "$0", "0.032 h", "0.25 s" beside "28 ms".
#[test]
fn times_and_money_are_written_one_way() {
    for (seconds, words) in [
        (0.000_4, "< 1 ms"),
        (0.028, "28 ms"),
        (0.25, "0.25 s"),
        (59.4, "59 s"),
        (59.96, "1.0 min"),
        (115.0, "1.9 min"),
        (48.0 * 60.0, "48 min"),
        (119.0 * 60.0, "2.0 h"),
        (2.1 * 3600.0, "2.1 h"),
        (47.9 * 3600.0, "2.0 days"),
        (1e6, "12 days"),
    ] {
        assert_eq!(duration(seconds), words, "{seconds}");
    }
    for (dollars, words) in [
        (0.001, "< $0.01"),
        (0.06, "$0.06"),
        (9.949, "$9.95"),
        (12.3, "$12"),
        (1234.0, "$1,200"),
    ] {
        assert_eq!(money(dollars), words, "{dollars}");
    }
}

/// 157 rows instead of 156 were advice, and so were limits that are multiples of nothing.
#[test]
fn what_saves_less_than_a_percent_is_no_advice() {
    let data = built_in("lima_train_chatml");
    let case = Case {
        settings: settings(&[("packing", "true")]),
        ..Case::new(&data, Some("trl"))
    };
    let verdict = advise(&data, &case);
    assert!(verdict.then.is_none() && verdict.sentence.ends_with(" Nothing to change."));
    assert_eq!(usual_limit(&data) % 64, 0);
}

/// The limit was never the advice, though ten libraries lost 44 % or more.
#[test]
fn a_limit_is_advice_where_much_is_lost() {
    let data = built_in("sharegpt_8k_llama2");
    for library in ["trl", "axolotl", "llama-factory", "nemo", "olmo-packed"] {
        let verdict = advise(&data, &case(&data, Some(library), 2048));
        let (now, then) = (verdict.now.unwrap(), verdict.then.unwrap());
        assert!(
            now.lost_share > 0.4 && then.lost_share <= 0.02,
            "{library}: {then:?}"
        );
        assert!(
            then.limit[0] > 2048 && then.cut_share == 0.0,
            "{library}: {then:?}"
        );
        assert!(then.change.words.contains("a limit of "), "{library}");
    }
}

/// Concatenation stood in the best corner, with 68.7 % of the tokens cut from their beginning.
#[test]
fn concatenation_is_not_the_best_corner() {
    let data = built_in("sharegpt_8k_llama2");
    let verdict = advise(&data, &case(&data, Some("oumi"), 2048));
    let packs = |one: &&Considered| one.outcome.change.words.contains("`pack: true`");
    let packed = verdict.considered.iter().find(packs).unwrap();
    assert_eq!(packed.ruling, Ruling::Tears);
    assert!(packed.outcome.cut_share > 0.5 && !packed.outcome.apart);
    // What is torn now is said of now.
    let verdict = advise(&data, &case(&data, Some("megatron-lm"), 2048));
    for words in [
        "cut from their beginning",
        "documents see those before them",
    ] {
        assert!(verdict.sentence.contains(words), "{}", verdict.sentence);
    }
}

/// Where no limit that keeps the tokens fits, what would be cut off is cut apart, and that is said.
#[test]
fn cutting_apart_stands_in_for_cutting_off_alone() {
    let data = built_in("sharegpt_8k_llama2");
    let case = Case {
        hardware: hardware("llama-3.1-8b", "rtx-4090", 512),
        ..case(&data, Some("trl"), 512)
    };
    let verdict = advise(&data, &case);
    check(&verdict, &case, "bfd_split");
    let (now, then) = (verdict.now.unwrap(), verdict.then.unwrap());
    assert!(
        now.lost_share > 0.5 && then.lost_share < 0.01 && then.cut_share > 0.5,
        "{then:?}"
    );
    assert!(
        then.change.words.contains("bfd_split"),
        "{}",
        then.change.words
    );
}

/// A fourfold price makes four times the money, and a batch of more tokens fewer steps: all else stays.
#[test]
fn prices_and_steps_scale() {
    let data = built_in("alpaca_5000");
    let case = case(&data, Some("trl"), 1024);
    let plain = advise(&data, &case).then.unwrap();
    let mut dear = case.clone();
    dear.hardware.assumptions.price *= 4.0;
    let dear = advise(&data, &dear).then.unwrap();
    assert!((dear.money / plain.money - 4.0).abs() < 1e-9 && dear.hours == plain.hours);
    let mut large = case.clone();
    large.batch_tokens = Some((plain.step_tokens * 4.0) as u64);
    let large = advise(&data, &large).then.unwrap();
    assert!(
        (large.steps * 4.0 / plain.steps - 1.0).abs() < 0.1,
        "{large:?}"
    );
    assert!((large.step_tokens / plain.step_tokens / 4.0 - 1.0).abs() < 0.1);
}

/// The loader that most people have pads nothing, and was missing.
#[test]
fn graphs_begin_with_the_loader_that_pads_nothing() {
    let data = built_in_graphs("ogbg_molhiv");
    let of = |loader: Option<&str>| {
        let case = GraphCase {
            loader: loader.map(str::to_owned),
            settings: Vec::new(),
            limits: [1664, 3520],
            hardware: Hardware {
                assumptions: Assumptions {
                    accelerators: 1,
                    ..Assumptions::default()
                },
                ..Hardware::default()
            },
            batch: 64,
            packs: Vec::new(),
            seed: 0,
        };
        advise_graphs(&data, &case, &mut go_on).unwrap()
    };
    let plain = of(None);
    assert!(plain.sentence.ends_with("Nothing to change.") && plain.then.is_none());
    assert_eq!(plain.now.as_ref().unwrap().padding_share, 0.0);
    assert!(
        plain
            .now
            .unwrap()
            .change
            .lines
            .contains("DataLoader(dataset, batch_size=64")
    );
    // Batches as large as the largest graph, sixty-four times.
    let tight = of(Some("tf-gnn-tight"));
    let (now, then) = (tight.now.unwrap(), tight.then.unwrap());
    assert!(
        now.padding_share > 0.8 && then.padding_share < 0.1,
        "{then:?}"
    );
    assert!(!then.changes_step(&now) || tight.notes.iter().any(|note| note.contains("A step has")));
    for loader in LOADERS {
        let verdict = of(Some(loader.id));
        if let (Some(now), Some(then)) = (&verdict.now, &verdict.then) {
            assert!(then.charge <= now.charge * 0.99 && then.lost_share <= now.lost_share + 0.005);
        }
    }
}

/// The hours of random batches are those of the estimates by method: one price for one thing.
#[test]
fn hours_are_those_of_the_estimates_by_method() {
    use packscope::api::speedup::{curves, estimate, questions, random};
    use packscope::cost::{Overhead, Rates, Workload};
    let data = built_in("glue_rte");
    let case = case(&data, None, 512);
    let now = advise(&data, &case).now.unwrap();
    let a = Assumptions {
        accumulation: now.accumulation,
        ..case.hardware.assumptions
    };
    let workload = Workload::Transformer(a.transformer);
    let cases = [random(&data, now.rows)];
    let Work { useful, .. } = cases[0].work;
    let rates = Rates::new(&workload, &a.accelerator, &a.training);
    let crew = cases[0].work.crew(a.accelerators);
    let asked = questions(&cases, &rates, now.rows, &a, &[crew], 0);
    let waiting = curves(&asked).unwrap();
    let estimates = estimate(&cases, &waiting, &workload, Overhead::Free, &a);
    assert_eq!(estimates[0].seconds / 3600.0, now.hours);
    assert_eq!(useful[0], now.trained_tokens);
}

#[test]
fn names_that_are_unknown_are_refused() {
    let data = built_in("glue_rte");
    let refused = |case: &Case| Advisor::new(&data).advise(case, &mut go_on).unwrap_err();
    let unknown = Case::new(&data, Some("no-such"));
    assert!(
        refused(&unknown).to_string().contains("trl"),
        "{}",
        refused(&unknown)
    );
    let zero = Case {
        limit: 0,
        ..Case::new(&data, None)
    };
    refused(&zero);
    let wrong = Case {
        settings: settings(&[("packing", "perhaps")]),
        ..Case::new(&data, Some("trl"))
    };
    refused(&wrong);
}

/// Packs are weighed by the judge where shapes are fixed, and named as what they are where any shape runs.
#[test]
fn packs_of_graphs_are_for_shapes_that_are_fixed() {
    let data = built_in_graphs("ogbg_molhiv");
    let packs = |limits: [u32; 2]| tuple::Settings {
        limits: limits.to_vec(),
        algorithm: TupleAlgorithm::BestFit,
        ..tuple::Settings::default()
    };
    let of = |card: &str| {
        let case = GraphCase {
            loader: None,
            settings: Vec::new(),
            limits: [222, 502],
            hardware: Hardware {
                assumptions: Assumptions {
                    accelerators: 1,
                    accelerator: named(ACCELERATORS, card).unwrap().value,
                    ..Assumptions::default()
                },
                ..Hardware::default()
            },
            batch: 64,
            packs: vec![packs([222, 502]), packs([1024, 2176]), packs([256, 400])],
            seed: 0,
        };
        advise_graphs(&data, &case, &mut go_on).unwrap()
    };
    let gpu = of("a100-80gb");
    assert!(gpu.then.is_none() && gpu.sentence.contains("no padding"));
    let fixed = gpu.fixed.as_ref().unwrap();
    assert!(fixed.padding_share > 0.0 && fixed.fits);
    assert!(gpu.notes.iter().any(|note| note.contains("fixed once")));
    // No limits that were tried are better by more than ties are.
    let ipu = of("ipu");
    let then = ipu.then.as_ref().unwrap();
    assert!(
        ipu.sentence
            .starts_with("Graphs one by one, each padded to 222 nodes and 502 edges: ")
    );
    assert_eq!(ipu.considered.len(), 3);
    for other in &ipu.considered {
        assert!(then.charge <= other.outcome.charge * 1.0101, "{other:?}");
    }
    assert!(ipu.fixed.is_none() && then.speedup > 3.0);
}
