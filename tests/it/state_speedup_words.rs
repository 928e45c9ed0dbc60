//! The words of Speed-up's panels: formulae that recombine to the estimate, numbers that read back, titles.

use crate::common::{built_in, built_in_graphs};
use packscope::api::speedup::{
    Case, PackWork, WaitingCurve, curves, estimate, graphs, questions, sequences,
};
use packscope::api::{self, tuple};
use packscope::cost::accuracy;
use packscope::cost::arithmetic::Number;
use packscope::cost::calibrated::{DEVIATIONS, SCORES, UNSEEN};
use packscope::cost::fields::{FIELDS, FieldGroup};
use packscope::cost::{
    Assumptions, Bill, CostField, Method, Overhead, Rates, Regimes, RowExecution, Wait, Workload,
    presets,
};
use packscope::packing::{Depth, go_on};
use packscope::sampler::Sampler;
use packscope_page::state::speedup::formulae::written;
use packscope_page::state::speedup::formulae::{
    Expression, FormulaLine, FormulaPart, Input, Nouns, QuantityKind, parts,
};
use packscope_page::state::speedup::{findings, words};
use packscope_page::state::{Action, AppState, View};

/// Reads an expression of numbers as the page prints it: `3 · (1.2 k + 5) / (312 TFLOP/s · 50 %)`.
struct Reader<'a> {
    words: std::iter::Peekable<std::vec::IntoIter<&'a str>>,
}

impl<'a> Reader<'a> {
    fn value(text: &'a str) -> f64 {
        let mut apart = Vec::new();
        for mut word in text.split(' ') {
            let inner = word.trim_start_matches(['(', '⌈']);
            let (open, rest) = word.split_at(word.len() - inner.len());
            apart.extend(open.split("").filter(|c| !c.is_empty()));
            word = rest.trim_end_matches([')', '⌉']);
            apart.push(word);
            apart.extend(rest[word.len()..].split("").filter(|c| !c.is_empty()));
        }
        let mut reader = Self {
            words: apart.into_iter().peekable(),
        };
        let value = reader.sum();
        assert_eq!(reader.words.next(), None, "{text}");
        value
    }

    fn sum(&mut self) -> f64 {
        let mut value = self.product();
        while let Some(sign) = self.words.next_if(|w| matches!(*w, "+" | "−")) {
            value += self.product() * if sign == "+" { 1.0 } else { -1.0 };
        }
        value
    }

    fn product(&mut self) -> f64 {
        let mut value = self.one();
        while let Some(sign) = self.words.next_if(|w| matches!(*w, "·" | "/")) {
            let right = self.one();
            value = if sign == "·" {
                value * right
            } else {
                value / right
            };
        }
        value
    }

    fn one(&mut self) -> f64 {
        let word = self.words.next().unwrap();
        if let "(" | "⌈" = word {
            let inner = self.sum();
            let closed = self.words.next().unwrap();
            return if closed == "⌉" { inner.ceil() } else { inner };
        }
        let number: f64 = word
            .replace(',', "")
            .parse()
            .unwrap_or_else(|_| panic!("{word:?} is no number"));
        let unit = self
            .words
            .next_if(|w| !matches!(*w, "+" | "−" | "·" | "/" | ")" | "⌉"));
        number * unit.map_or(1.0, scale)
    }
}

/// How much a unit or prefix is.
fn scale(unit: &str) -> f64 {
    if unit == "%" {
        return 0.01;
    }
    let prefix = ["FLOP/s", "FLOP", "B/s", "B", "s"]
        .iter()
        .find_map(|u| unit.strip_suffix(u))
        .unwrap_or(unit);
    let places = ["f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"];
    let place = places
        .iter()
        .position(|p| *p == prefix)
        .unwrap_or_else(|| panic!("unit {unit:?}"));
    1000f64.powi(place as i32 - 5)
}

fn near(a: f64, b: f64, within: f64) -> bool {
    (a - b).abs() <= within * b.abs()
}

/// Cases of Wikipedia, with what is known about waiting.
fn wikipedia(assumptions: &Assumptions) -> (Vec<Case>, Vec<WaitingCurve>) {
    let data = built_in("wikipedia_bert_512");
    let settings = api::Settings {
        depth: Depth::AtMost(3),
        ..api::Settings::default()
    };
    let report = api::run_on(&data, &settings, 20_000, &mut go_on).unwrap();
    let packs = PackWork {
        figures: &report.figures,
        shapes: &report.strategies,
    };
    let cases = sequences(&data, 512, 16, Some(packs)).unwrap();
    let workload = Workload::Transformer(assumptions.transformer);
    (cases.clone(), waited(&cases, &workload, assumptions))
}

fn waited(cases: &[Case], workload: &Workload, a: &Assumptions) -> Vec<WaitingCurve> {
    let rates = Rates::new(workload, &a.accelerator, &a.training);
    curves(&questions(cases, &rates, 16, a, &[a.accelerators], 1)).unwrap()
}

/// Holds the formulae of every method against the estimates, and every line against what it prints.
fn check(
    cases: &[Case],
    curves: &[WaitingCurve],
    workload: &Workload,
    a: &Assumptions,
    nouns: &Nouns,
) {
    let overhead = Overhead::Ipu;
    let estimates = estimate(cases, curves, workload, overhead, a);
    let wait = |case: &Case| {
        let curve = curves.iter().find(|curve| curve.method == case.work.method);
        curve.map_or(Wait::NONE, |curve| curve.wait_at(a.accelerators))
    };
    let input = Input {
        workload,
        assumptions: a,
        overhead,
        nouns,
    };
    for (case, estimate) in cases.iter().zip(&estimates) {
        let methods = [&cases[0], case].map(|case| (&case.work, wait(case), None));
        let parts = parts(&input, methods);
        let [units, padded, chosen, last] = &parts[..] else {
            panic!("{} parts", parts.len())
        };
        let seconds = |part: &FormulaPart| part.lines.last().unwrap().value;
        assert_eq!(seconds(padded), estimates[0].seconds);
        assert_eq!(seconds(chosen), estimate.seconds, "{:?}", estimate.method);
        assert_eq!(seconds(last), estimate.speedup);
        let named = |name: &str| {
            chosen
                .lines
                .iter()
                .find(|l| l.name == name)
                .map_or(0.0, |l| l.value)
        };
        assert_eq!(named("padding"), estimate.parts.padding);
        assert_eq!(named("waiting"), estimate.parts.waiting);
        assert_eq!(
            [named("steps"), named("updates")],
            [estimate.steps, estimate.updates].map(|n| n as f64)
        );
        for line in [units, padded, chosen, last]
            .iter()
            .flat_map(|part| &part.lines)
        {
            recombines(line);
        }
    }
}

/// What a line prints comes to what it says comes out of it.
fn recombines(line: &FormulaLine) {
    let within = if line.name == "waiting" { 0.01 } else { 0.002 };
    assert!(
        near(Reader::value(&line.numbers), line.value, within),
        "{line:?}"
    );
    if !line.result.ends_with('×') {
        assert!(
            near(Reader::value(&line.result), line.value, 0.001),
            "{line:?}"
        );
    }
    assert_eq!(line.formula.matches(['·', '/', '(']).count(), {
        // Units have a slash of their own, between letters.
        line.numbers
            .replace("FLOP/s", "")
            .replace("B/s", "")
            .matches(['·', '/', '('])
            .count()
    });
}

#[test]
fn printed_formulae_of_sequences_recombine_to_the_estimate() {
    let usual = Assumptions::default();
    let ipu = presets::named(presets::ACCELERATORS, "ipu").unwrap().value;
    let llama = presets::TRANSFORMERS
        .iter()
        .find(|p| p.value.causal)
        .unwrap()
        .value;
    // A kernel that is slower without a mask than with one.
    let mut slow = usual.accelerator;
    slow.masked_utilisation = 0.6;
    let mut some = usual;
    (
        some.training.pack_seconds,
        some.accumulation,
        some.accelerators,
    ) = (1e-5, 4, 64);
    for a in [
        usual,
        some,
        Assumptions {
            accelerator: ipu,
            rows: RowExecution::Parallel,
            ..usual
        },
        Assumptions {
            accelerator: slow,
            ..usual
        },
        Assumptions {
            transformer: llama,
            accelerators: 4096,
            ..usual
        },
    ] {
        let (cases, curves) = wikipedia(&a);
        check(
            &cases,
            &curves,
            &Workload::Transformer(a.transformer),
            &a,
            &Nouns::sequences(),
        );
    }
}

#[test]
fn printed_formulae_of_graphs_recombine_to_the_estimate() {
    let data = built_in_graphs("ogbg_molhiv");
    let settings = tuple::Settings::default();
    let figures = tuple::run_on(&data, &settings, 0, &mut go_on)
        .unwrap()
        .figures;
    let mut a = Assumptions::default();
    a.gnn.edge_products = 1.0;
    let (cases, workload) = (graphs(&data, 16, Some(&figures)), Workload::Gnn(a.gnn));
    let nouns = Nouns {
        one: ["node", "edge"].map(str::to_owned),
        useful: ["nodes", "edges"].map(str::to_owned),
        padding: ["empty node slots", "empty edge slots"].map(str::to_owned),
        slots: ["all node slots", "all edge slots"].map(str::to_owned),
        item: "graph",
    };
    check(
        &cases,
        &waited(&cases, &workload, &a),
        &workload,
        &a,
        &nouns,
    );
}

#[test]
fn a_formula_says_the_same_in_words_and_in_numbers() {
    let of = |name: &str, value| Expression::quantity(name, value, QuantityKind::Count);
    let sum = || of("a", 12.0) + of("b", 3.0);
    let one = sum() * (of("c", 5.0) - (of("d", 2.0) - of("e", 1.0))) / (sum() * of("f", 2.0));
    assert_eq!(one.formula(), "(a + b) · (c − (d − e)) / ((a + b) · f)");
    assert_eq!(one.numbers(), "(12 + 3) · (5 − (2 − 1)) / ((12 + 3) · 2)");
    assert_eq!((one.value(), Reader::value(&one.numbers())), (2.0, 2.0));
    let steps = (of("batches", 7.0) / of("accelerators", 2.0)).ceiling();
    assert_eq!(
        (steps.formula().as_str(), steps.value()),
        ("⌈batches / accelerators⌉", 4.0)
    );
    assert_eq!(written(QuantityKind::Rate, 312e12), "312 TFLOP/s");
    assert_eq!(written(QuantityKind::Seconds, 12_345.6), "12,346 s");
}

#[test]
fn every_field_reads_back_what_it_writes_with_every_preset() {
    for accelerator in presets::ACCELERATORS {
        let a = Assumptions {
            accelerator: accelerator.value,
            ..Assumptions::default()
        };
        for field in FIELDS {
            let text = words::typed_value(field, (field.get)(&a));
            assert_eq!(
                words::typed(field, &text),
                Ok((field.get)(&a)),
                "{} {text}",
                field.id
            );
            assert!(text.len() < 12, "{} is {text}", field.id);
        }
    }
    let of = |id: &str, text: &str| words::typed(CostField::named(id).unwrap(), text);
    assert_eq!(
        [of("utilisation", "57"), of("step", "1.5")],
        [Ok(0.57), Ok(0.0015)]
    );
    assert_eq!(
        of("layers", "2.5"),
        Err("Expected: a whole number from 1 to 1000 layers".to_owned())
    );
    assert_eq!(
        of("utilisation", "120"),
        Err("Expected: 0.1 to 100 %".to_owned())
    );
    assert_eq!(
        [of("peak", ""), of("peak", "NaN"), of("peak", "inf")].map(|r| r.is_err()),
        [true; 3]
    );
    assert_eq!(
        words::value_with_unit(CostField::named("utilisation").unwrap(), 0.5),
        "50 %"
    );
    assert_eq!(
        words::value_with_unit(CostField::named("layers").unwrap(), 24.0),
        "24"
    );
    assert_eq!(
        words::value_with_unit(CostField::named("causal").unwrap(), 0.0),
        "no"
    );
    assert!(FIELDS.iter().any(|f| f.group == FieldGroup::Bill));
}

fn items() -> words::Items {
    words::Items {
        item: "sequence",
        tokens: "tokens".to_owned(),
        row: "row",
    }
}

#[test]
fn the_optimiser_is_told_as_in_p1() {
    let epoch = packscope::cost::Epoch {
        items: 16_000_000,
        tokens: 4_000_000_000,
        packing_factor: 2.0,
    };
    let regimes = Regimes::new(&epoch, 128, 0.9, 0.999);
    assert_eq!(
        words::of_optimiser(&regimes, &items()),
        "Packed, an update sees 256 sequences instead of 128, and an epoch has half the updates"
    );
    assert_eq!(
        words::of_step(&regimes, &items(), 64).unwrap(),
        "Packed batches keep their 64 rows here, and an update sees 256 sequences instead of 128; the table above keeps the \
         128, in more and smaller batches."
    );
    let rows = words::compared(&items());
    let of = |figure: &str| {
        let (_, column) = rows.iter().find(|(_, column)| column.id == figure).unwrap();
        let all = [&regimes.before, &regimes.same_sequences, &regimes.same_rows];
        all.map(|regime| (column.get)(regime).unwrap().read()[1].clone())
    };
    assert_eq!(of("rows_per_update"), ["128", "64", "128"]);
    assert_eq!(of("sequences_per_update"), ["128", "128", "256"]);
    assert_eq!(of("tokens_per_update"), ["32,000", "32,000", "64,000"]);
    assert_eq!(of("updates"), ["125,000", "125,000", "62,500"]);
    assert_eq!(
        [of("beta1"), of("beta2")],
        [["0.9", "0.9", "0.81"], ["0.999", "0.999", "0.998"]]
    );
    let [sequences, rows] = words::of_choices(&regimes, &items());
    assert!(sequences.contains("packing factor 2.") && rows.contains("to the power of 2,"));
    assert!(words::of_fewer_steps(&regimes, &items()).contains("No sequence is lost"));
    // Proposed for LAMB, tried with factors of about 2: beyond, the reader is warned.
    assert!(
        rows.contains("for the optimiser LAMB, tried with packing factors of about 2"),
        "{rows}"
    );
    assert!(rows.ends_with(words::RATES), "{rows}");
    assert_eq!(words::of_untried(&regimes, &items()), None);
    let deep = Regimes::new(
        &packscope::cost::Epoch {
            packing_factor: 20.0,
            ..epoch
        },
        128,
        0.9,
        0.999,
    );
    assert_eq!(
        (deep.untried(), deep.same_rows.beta1),
        (Some(20.0), 0.121577)
    );
    let warning = words::of_untried(&deep, &items()).unwrap();
    assert!(
        warning.contains("here it is 20, which would make β₁ 0.1216. Keep the same sequences"),
        "{warning}"
    );
    let alone = Regimes::new(
        &packscope::cost::Epoch {
            packing_factor: 1.0,
            ..epoch
        },
        128,
        0.9,
        0.999,
    );
    assert_eq!(
        words::of_optimiser(&alone, &items()),
        "A row holds one sequence: for the optimiser nothing changes"
    );
    assert_eq!(words::of_step(&alone, &items(), 64), None);
    // Data smaller than an update: it has room for more, and there is one all the same.
    let small = packscope::cost::Epoch {
        items: 100,
        tokens: 9_000,
        packing_factor: 1.99,
    };
    assert_eq!(
        words::of_optimiser(&Regimes::new(&small, 512, 0.9, 0.999), &items()),
        "Packed, an update has room for 1,019 sequences instead of 512; an epoch is 1 update all the same"
    );
}

#[test]
fn batches_are_updates() {
    assert_eq!(
        words::of_updates(1544, 512.0),
        "An epoch is 1,544 updates of 512 sequences on average"
    );
    let of = |accelerators, accumulation| {
        let a = Assumptions {
            accelerators,
            accumulation,
            ..Assumptions::default()
        };
        words::of_batches(Method::Batched(Sampler::Sorted), View::Batches, 12_345, &a)
    };
    assert!(of(1, 1).starts_with("Sorted batches: 12,345 batches, one after another; each time"));
    assert!(
        of(8, 4).contains(
            "8 at a time, one on each accelerator; the weights are updated every 4 times."
        )
    );
    let factors = [[2.0, 2.0], [1.26, 1.43], [0.0, 6.0], [2.0, f64::INFINITY]];
    assert_eq!(
        factors.map(words::measured),
        ["2.00×", "1.26–1.43×", "up to 6.00×", "over 2.00×"]
    );
    // Each source by itself, and apart what judges nothing.
    assert_eq!(accuracy::accuracy().len(), SCORES.len() + 2);
}

#[test]
fn batches_of_inference_are_a_pass() {
    assert_eq!(
        words::of_passes(12, 5612.4),
        "A pass over the data is 12 batches of 5,612 sequences on average"
    );
    let of = |accelerators| {
        words::of_asked_batches(
            Method::Batched(Sampler::Bucket),
            View::Batches,
            12,
            accelerators,
        )
    };
    assert!(
        of(1).starts_with("BucketSampler: 12 batches, one after another. A sampler decides"),
        "{}",
        of(1)
    );
    assert!(
        of(8).contains("8 at a time, one on each accelerator. A sampler decides"),
        "{}",
        of(8)
    );
    let bill = Bill {
        hours: 1.0,
        accelerator_hours: 8.0,
        money: 16.0,
        energy: 1.0,
    };
    let words = words::of_bill(
        Method::Batched(Sampler::Bucket),
        View::Batches,
        false,
        &bill,
        &bill,
    );
    assert!(words.ends_with(" in each pass over the data"), "{words}");
}

/// What stands under "others" is of others: counted from the rows, not from a constant.
#[test]
fn accuracy_counts_independent_speed_ups_alone_and_names_the_worst() {
    let words = accuracy::of_measurements();
    assert!(
        words.starts_with(
            "Measured on GPUs: training, end to end, half of 16 speed-ups of 6 sources within "
        ),
        "{words}"
    );
    assert!(
        words.contains(
            "the worst (torchtune) off by 100 %; inference, half of 31 speed-ups of 2 sources within "
        ),
        "{words}"
    );
    assert_eq!(
        accuracy::of_dependent(),
        "Not among these: 40 speed-ups of a benchmark that the constants are also fitted to, 22 of our own, and 13 that are \
         rates of texts of different lengths."
    );
    assert_eq!(
        accuracy::of_unseen(),
        "Of 23 measurements that neither constants nor bands had seen (compared on 28 November 2026), the band held 13 (57 %), \
         16 at most. Estimates were from 4.0 % below to 14 % above on models of 7B to 9B and up to 8 accelerators; 1.6 to 2.2 \
         times the measured speed-up with models below 1B, LoRA and consumer cards; up to 45 % above on 32 accelerators; in \
         inference from 43 % below to 35 % above. For all but the first the band is wider now, so that it holds \
         these too."
    );
}

#[test]
fn documents_say_what_the_band_held() {
    let (held, rows) = (UNSEEN.held, UNSEEN.rows);
    let share = (100.0 * f64::from(held) / f64::from(rows)).round();
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let readme = plain(include_str!("../../README.md"));
    assert!(readme.contains(&format!(
        "Of {rows} measurements that had no part in it the band held {held} ({share} %)"
    )));
    let results = plain(include_str!("../../benches/RESULTS.md"));
    assert!(results.contains(&format!(
        "{held} were in the band ({share} %), {} where",
        UNSEEN.at_most
    )));
    assert!(results.contains(&format!(
        "review of {} held {rows} published measurements",
        UNSEEN.date
    )));
    for (_, [least, most]) in DEVIATIONS {
        assert!(
            results.contains(&format!("{least} to {most}")),
            "{least} to {most}"
        );
    }
}

#[test]
fn the_bill_says_what_is_saved_or_what_it_costs_more() {
    let bill = |hours: f64| Bill {
        hours,
        accelerator_hours: hours * 8.0,
        money: hours * 16.0,
        energy: hours,
    };
    let (padded, packed) = (bill(10.0), bill(6.0));
    assert_eq!(
        words::of_bill(Method::Packed, View::Graphs, true, &padded, &packed),
        "Packing saves an estimated 32 of 80 accelerator hours in each epoch"
    );
    assert_eq!(
        words::of_bill(
            Method::Batched(Sampler::TokenBudget),
            View::Batches,
            true,
            &packed,
            &padded
        ),
        "Batches of a token budget cost an estimated 32 accelerator hours more in each epoch"
    );
    let due = words::due(&padded, &packed);
    let saved: Vec<_> = due
        .iter()
        .map(|d| (d.figure, d.values[2], d.in_words()))
        .collect();
    assert_eq!(
        saved[1],
        ("saved_hours", 32.0, ["80", "48", "32"].map(str::to_owned))
    );
    assert_eq!([saved[2].1, saved[3].1], [64.0, 4.0]);
    assert_eq!(words::due(&packed, &padded)[1].in_words()[2], "−32");
    // A small epoch is told in seconds; what tests and scripts read stays in hours.
    let (long, short) = (bill(0.01), bill(0.001));
    assert_eq!(
        words::of_bill(Method::Packed, View::Graphs, true, &long, &short),
        "Packing saves an estimated 260 of 290 accelerator seconds in each epoch"
    );
    let row = &words::due(&long, &short)[1];
    assert_eq!(
        (row.name.as_str(), row.in_words()[0].as_str()),
        ("Accelerator seconds", "290")
    );
    assert!((row.values[0] - 0.08).abs() < 1e-12);
}

#[test]
fn panels_are_about_the_packs_or_the_chosen_sampler() {
    let (cases, _) = wikipedia(&Assumptions::default());
    let of =
        |state: &AppState, cases: &[Case]| state.speedup_case(cases).map(|case| case.work.method);
    let state = AppState::default();
    assert_eq!(of(&state, &cases), Some(Method::Packed));
    let no_packs: Vec<Case> = cases
        .iter()
        .filter(|c| !matches!(c.work.method, Method::Packed | Method::PackedBlocks))
        .cloned()
        .collect();
    assert_eq!(
        of(&state, &no_packs),
        Some(Method::Batched(Sampler::Random))
    );
    let batches = state.reduce(Action::View(View::Batches));
    let chosen = batches.batch_row().sampler;
    let with: Vec<Case> = cases
        .iter()
        .cloned()
        .chain([Case {
            work: packscope::cost::Work {
                method: Method::Batched(chosen),
                ..cases[0].work
            },
            population: None,
        }])
        .collect();
    assert_eq!(of(&batches, &with), Some(Method::Batched(chosen)));
    assert_eq!(of(&state, &cases[..1]), Some(Method::Padded));
    assert_eq!(of(&state, &[]), None);
    // Everything that can be chosen has a name of its own.
    let mut names: Vec<_> = cases
        .iter()
        .map(|c| findings::name_of(c.work.method, View::Sequences))
        .collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), cases.len());
}
