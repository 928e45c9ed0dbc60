//! Training libraries on data: every library at every value of its settings.

use crate::common::{built_in, histograms};
use packscope::Error;
use packscope::api::Query;
use packscope::api::trainer::{
    LibrariesQuestion, LibrariesRequest, LibraryAnswer, Report, WindowCurve,
};
use packscope::histogram::Histogram;
use packscope::packing::{Step, go_on};
use packscope::trainer::batches::LibraryLimits;
use packscope::trainer::{LIBRARIES, Library, LibrarySettings, Order, SettingValue};
use proptest::prelude::*;
use std::ops::ControlFlow;

pub fn request(data: &Histogram<1>, limit: u32, question: LibrariesQuestion) -> LibrariesRequest {
    let counts = data.lengths();
    let given = LibraryLimits { limit, batch: 8 };
    LibrariesRequest {
        counts,
        order: Vec::new(),
        given,
        question,
        seed: 0,
        seeds: 3,
        optimum: false,
    }
}

pub fn one(
    data: &Histogram<1>,
    limit: u32,
    library: &str,
    settings: &[(&str, &str)],
) -> LibraryAnswer {
    request(data, limit, about(library, settings))
        .run(&mut go_on)
        .unwrap()
        .answers
        .remove(0)
}

fn about(library: &str, settings: &[(&str, &str)]) -> LibrariesQuestion {
    // Packing is what most of these tests are about; `installed` is without it.
    let on = Library::named(library)
        .map(Library::packing)
        .unwrap_or_default();
    let settings = on.into_iter().chain(fields(settings)).collect();
    LibrariesQuestion::One {
        library: library.to_owned(),
        settings,
        packs: false,
    }
}

fn curve(data: &Histogram<1>, limit: u32, library: &str) -> Option<WindowCurve> {
    request(data, limit, about(library, &[]))
        .curve(&mut go_on)
        .unwrap()
}

pub fn fields(settings: &[(&str, &str)]) -> Vec<SettingValue> {
    let field = |(name, value): &(&str, &str)| SettingValue {
        name: (*name).to_owned(),
        value: (*value).to_owned(),
    };
    settings.iter().map(field).collect()
}

/// The settings to begin with, and every change of one of them.
pub fn variants(library: &'static Library, limit: u32) -> Vec<LibrarySettings> {
    let mut all = vec![library.start(limit)];
    for setting in library.settings {
        for value in setting.alternatives() {
            let mut other = library.start(limit);
            other.set(setting.name, value).unwrap();
            all.push(other);
        }
    }
    all
}

#[test]
fn libraries_are_complete() {
    let mut ids: Vec<&str> = LIBRARIES.iter().map(|library| library.id).collect();
    assert!(ids.len() >= 20);
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), LIBRARIES.len());
    for library in LIBRARIES {
        let read = &library.read;
        assert!(
            read.repository.contains('/')
                && read.address().starts_with("https://")
                && !read.path.is_empty()
        );
        assert_eq!(read.date.len(), 10);
        for setting in library.settings {
            // Defaults and what is tried are values that it accepts, and every setting is in the lines.
            for value in [setting.usual, setting.start]
                .iter()
                .chain(setting.alternatives())
            {
                library.start(512).set(setting.name, value).unwrap();
            }
            // An option without a value is a line of its own.
            let names = [
                format!("{{{}}}", setting.name),
                format!("{{?{}=", setting.name),
            ];
            assert!(
                names.iter().any(|name| library.lines.contains(name)),
                "{}",
                setting.name
            );
            assert!(setting.about.ends_with('.'), "{}", setting.about);
        }
        let lines = library.start(4096).lines();
        assert!(
            lines.ends_with('\n') && !lines.contains("{limit}"),
            "{lines}"
        );
        for setting in library.settings {
            assert!(!lines.contains(&format!("{{{}}}", setting.name)), "{lines}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Nothing is lost that is not counted as lost; capacity and cap are kept; the same seed gives the same report.
    #[test]
    fn every_library_accounts_for_every_token(data in histograms(700, 12, 60), power in 5..10u32, odd in any::<bool>()) {
        let limit = (1 << power) - u32::from(odd);
        for library in LIBRARIES {
            for chosen in variants(library, limit) {
                let Ok(recipe) = chosen.recipe() else { continue };
                let about = format!("{} {:?}", library.id, chosen.fields());
                let Ok((tally, rows)) = recipe.list(&data, Order::Seed(7), &mut go_on) else { continue };
                let shift = |(length, n): &(u32, u64)| u64::from(length - recipe.shift.min(*length)) * n;
                let total: u64 = data.lengths().iter().map(shift).sum();
                prop_assert_eq!(tally.tokens(), total, "{}", &about);
                let again = recipe.list(&data, Order::Seed(7), &mut go_on).unwrap();
                prop_assert_eq!((&tally, &rows), (&again.0, &again.1), "{}", &about);
                let counted = recipe.run(&data, Order::Seed(7), &mut go_on).unwrap();
                prop_assert_eq!(packscope::trainer::RowTally { most: tally.most, ..counted }, tally.clone(), "{}", &about);
                for row in &rows {
                    // OpenRLHF and slime train what is longer alone, and OpenRLHF balances without a limit.
                    let fits = row.iter().map(|l| u64::from(*l)).sum::<u64>() <= u64::from(recipe.capacity);
                    prop_assert!(fits || recipe.exceeds(), "{}", &about);
                    prop_assert!(row.len() as u64 <= u64::from(recipe.cap), "{}", &about);
                }
                prop_assert!(tally.slots >= tally.real_tokens, "{}", &about);
                prop_assert!(tally.cut_tokens <= tally.real_tokens, "{}", &about);
                prop_assert!(tally.pieces == 0 || tally.pieces >= 2 * tally.cut_sequences, "{}", &about);
                if recipe.order_free() {
                    prop_assert_eq!(&recipe.run(&data, Order::Seed(8), &mut go_on).unwrap().rows, &tally.rows);
                }
            }
        }
    }

    /// No library's rows go below the bound for what it packs.
    #[test]
    fn no_library_beats_the_bound(data in histograms(300, 12, 60)) {
        let report = request(&data, 256, LibrariesQuestion::All).run(&mut go_on).unwrap();
        prop_assert_eq!(report.answers.len(), LIBRARIES.len());
        // Beyond the limit: who cuts more crops documents to fill rows, and needs fewer of them.
        let beyond: u64 = data.entries().iter().map(|([l], n)| u64::from(l.saturating_sub(256)) * n).sum();
        for answer in report.answers {
            let (Some(known), Some(figures)) = (&answer.own.reference, &answer.figures) else { continue };
            prop_assert!(known.bound <= known.rows, "{}", &answer.about.library);
            prop_assert!(answer.runs.iter().all(|run| run.tally.rows >= known.bound || run.tally.dropped_tokens > 0 || run.tally.truncated_tokens > beyond || figures.cut_share > 0.0), "{:?}", &answer);
        }
    }
}

/// The figures that were found first, by a simulation of its own: rows above the optimum.
#[test]
fn the_first_simulation_is_met() {
    let optima = [
        ("squad_1_1_bert_384", 384, 40_188),
        ("gsm8k_train", 512, 2_354),
        ("sharegpt_8k_llama2", 4096, 17_485),
    ];
    for (library, above) in [
        ("trl", [0.015, 0.025, 0.002]),
        // Its sequences take a slot less than they have tokens, which the simulation left out: it had the rows of axolotl.
        ("nemo", [0.0435, 0.0437, 0.0113]),
        ("torchtune", [0.297, 0.212, 0.271]),
        // So do these.
        ("torchtitan-main", [0.1494, 0.0986, f64::NAN]),
        ("axolotl", [0.050, 0.049, f64::NAN]),
    ] {
        for ((name, limit, optimum), wanted) in optima.into_iter().zip(above) {
            let answer = one(&built_in(name), limit, library, &[]);
            let found = answer.figures.unwrap().rows / f64::from(optimum) - 1.0;
            // Chat data of which half is dropped have another optimum.
            assert!(
                wanted.is_nan() || (found - wanted).abs() < 0.006,
                "{library} {name}: {found} instead of {wanted}"
            );
        }
    }
    // Half of the tokens of chat data: dropped by some, cut at the limit by others.
    let chat = built_in("sharegpt_8k_llama2");
    for (library, dropped, truncated) in [
        ("axolotl", 0.543, 0.0),
        ("torchtitan", 0.543, 0.0),
        ("torchtitan-main", 0.543, 0.0),
        ("trl", 0.0, 0.161),
        ("llm-foundry", 0.0, 0.161),
    ] {
        let figures = one(&chat, 4096, library, &[]).figures.unwrap();
        assert!(
            (figures.dropped_share - dropped).abs() < 0.001,
            "{library}: {figures:?}"
        );
        assert!(
            (figures.truncated_share - truncated).abs() < 0.001,
            "{library}: {figures:?}"
        );
    }
    let foundry = one(&chat, 4096, "llm-foundry", &[]).figures.unwrap();
    assert!(
        (foundry.rows / 17_485.0 - 1.757).abs() < 0.01,
        "{foundry:?}"
    );
}

#[test]
fn advice_names_the_setting_that_mends_most() {
    let chat = built_in("sharegpt_8k_llama2");
    let advice = one(&chat, 4096, "axolotl", &[]).advice.unwrap();
    assert_eq!(
        (advice.setting.as_deref(), advice.value.as_deref()),
        (Some("excess_length_strategy"), Some("truncate"))
    );
    assert!((advice.regained_share - 0.382).abs() < 0.001, "{advice:?}");
    assert!(
        advice
            .sentence
            .contains("Set `excess_length_strategy: truncate`: 38.2 % of the tokens come back"),
        "{}",
        advice.sentence
    );
    // Every other value was tried.
    assert!(
        advice.tried.len() >= 4
            && advice
                .tried
                .iter()
                .any(|tried| tried.setting == "sample_packing_bin_size")
    );
    // Packing is never switched off, whatever that does to padding.
    for (library, switch) in [
        ("trl", "packing"),
        ("axolotl", "sample_packing"),
        ("torchtune", "packed"),
        ("llama-factory", "packing"),
        ("nemo-rl", "policy.sequence_packing.enabled"),
        ("llm-foundry", "packing_ratio"),
        ("modernbert", "sequence_packing"),
    ] {
        let advice = one(&chat, 4096, library, &[]).advice.unwrap();
        let off = |name: &str, value: &str| name == switch && matches!(value, "false" | "none");
        assert!(
            !advice
                .tried
                .iter()
                .any(|tried| off(&tried.setting, &tried.value)),
            "{library}: {advice:?}"
        );
    }
    // A library that refuses the data is told how not to.
    let refused = one(
        &chat,
        4096,
        "axolotl",
        &[("excess_length_strategy", "raise")],
    );
    assert!(
        refused
            .about
            .refused
            .as_deref()
            .unwrap()
            .contains("7,955 items")
            && refused.figures.is_none()
    );
    assert_eq!(refused.advice.unwrap().value.as_deref(), Some("truncate"));
    // Where nothing is to be mended, that is said.
    let even = Histogram::from_lengths([(256, 1000), (128, 2000)]).unwrap();
    let advice = one(&even, 256, "trl", &[]).advice.unwrap();
    assert_eq!((advice.setting, advice.regained_share), (None, 0.0));
    assert!(
        advice.sentence.contains("No change of one setting"),
        "{}",
        advice.sentence
    );
}

#[test]
fn what_a_library_does_not_have_is_refused_with_what_it_has() {
    let trl = Library::named("trl").unwrap();
    let text = |error: Error| error.to_string();
    let unknown = text(trl.with(512, &fields(&[("pack", "true")])).unwrap_err());
    assert!(
        unknown.contains("settings of TRL")
            && unknown.contains("packing, packing_strategy, map_batch_size"),
        "{unknown}"
    );
    let value = text(
        trl.with(512, &fields(&[("packing_strategy", "ffd")]))
            .unwrap_err(),
    );
    assert!(
        value.contains("\"ffd\"") && value.contains("bfd, bfd_split, wrapped"),
        "{value}"
    );
    for value in ["0", "-1", "1.5", "x", ""] {
        let refused = text(
            trl.with(512, &fields(&[("map_batch_size", value)]))
                .unwrap_err(),
        );
        assert!(
            refused.contains("a whole number from 1 to 1000000000"),
            "{refused}"
        );
    }
    let name = text(Library::named("tlr").unwrap_err());
    assert!(
        name.contains("unknown library") && name.contains("trl, axolotl, torchtune"),
        "{name}"
    );
    let data = Histogram::from_lengths([(5, 2)]).unwrap();
    let zero = request(&data, 0, LibrariesQuestion::All).run(&mut go_on);
    assert_eq!(zero.unwrap_err(), Error::ZeroLimit);
    // A limit that one library does not take leaves the others.
    let report = request(&data, 1, LibrariesQuestion::All)
        .run(&mut go_on)
        .unwrap();
    let refused: Vec<&str> = report
        .answers
        .iter()
        .filter(|answer| answer.about.refused.is_some())
        .map(|answer| answer.about.library.as_str())
        .collect();
    assert!(
        refused.contains(&"olmo-vsl") && refused.contains(&"llama-factory"),
        "{refused:?}"
    );
    assert!(
        report
            .answers
            .iter()
            .filter(|answer| answer.figures.is_some())
            .count()
            > 15
    );
    // Rows of more slots than there are numbers.
    let vast = one(&data, u32::MAX, "axolotl", &[("micro_batch_size", "2")]);
    assert!(
        vast.about
            .refused
            .unwrap()
            .contains("the number of slots of a row")
    );
    for library in LIBRARIES
        .iter()
        .filter(|library| !library.id.starts_with("olmo"))
    {
        assert!(
            one(&data, u32::MAX / 64, library.id, &[]).figures.is_some(),
            "{}",
            library.id
        );
    }
}

/// Concatenating and cutting loses context, not tokens; packing whole sequences loses none.
#[test]
fn context_is_what_a_token_sees_of_its_own_sequence() {
    let data = Histogram::from_lengths([(100, 64)]).unwrap();
    let whole = one(&data, 200, "trl", &[]).figures.unwrap();
    assert_eq!(
        (whole.mean_context, whole.whole_context, whole.rows),
        (50.5, 50.5, 32.0)
    );
    // Rows of 160: a hundred and sixty, forty and a hundred and twenty: 100 | 60 + 40 | 100 | 20 + 80 | 80 + 20 | 60.
    let cut = one(&data, 160, "trl", &[("packing_strategy", "wrapped")])
        .figures
        .unwrap();
    assert_eq!(
        (
            cut.rows,
            cut.cut_sequences,
            cut.mean_pieces,
            cut.truncated_share
        ),
        (40.0, 32.0, 2.0, 0.0)
    );
    let triangle = |n: f64| n * (n + 1.0) / 2.0;
    // Of eight documents, in five rows, four are cut: at 60, 20, 80 and 40.
    let pieces = [60.0, 40.0, 20.0, 80.0, 80.0, 20.0, 40.0, 60.0]
        .map(triangle)
        .iter()
        .sum::<f64>();
    assert_eq!(cut.mean_context, (4.0 * triangle(100.0) + pieces) / 800.0);
    assert!((cut.cut_share - (40.0 + 80.0 + 20.0 + 60.0) / 800.0).abs() < 1e-12);
}

#[test]
fn a_curve_says_which_window_is_enough() {
    let data = built_in("squad_1_1_bert_384");
    let curve = |library: &str| curve(&data, 384, library);
    let trl = curve("trl").unwrap();
    assert_eq!((trl.of.as_str(), trl.now), ("sequences in a window", 1000));
    assert!(
        trl.points.is_sorted_by(|a, b| a.size < b.size)
            && trl.points.iter().any(|point| point.size == 1000)
    );
    let enough = trl.enough.unwrap();
    let rows = |size: u64| {
        trl.points
            .iter()
            .find(|point| point.size == size)
            .unwrap()
            .rows
    };
    assert!(rows(enough) as f64 <= 1.01 * trl.best as f64);
    assert!(
        trl.points
            .iter()
            .filter(|point| point.size < enough)
            .all(|point| point.rows as f64 > 1.01 * trl.best as f64)
    );
    let grain = curve("grain").unwrap();
    assert_eq!((grain.of.as_str(), grain.now), ("open rows", 64));
    // One open row is next fit.
    let torchtune = one(&data, 384, "torchtune", &[]).runs[0].tally.rows;
    assert_eq!((grain.points[0].size, grain.points[0].rows), (1, torchtune));
    assert!(curve("nemo-automodel").is_none());
    // One definition of cost: slots that are computed where rows are padded, rows where no room of them is.
    for (library, curve, padded) in [("trl", &trl, false), ("grain", &grain, true)] {
        assert_eq!(curve.padded, padded, "{library}");
        let recipe = Library::named(library)
            .unwrap()
            .start(384)
            .recipe()
            .unwrap();
        let tally = recipe.run(&data, Order::Seed(0), &mut go_on).unwrap();
        let above = curve
            .points
            .iter()
            .find(|point| point.size == curve.now)
            .unwrap()
            .above_best;
        let now = if padded {
            tally.slots as f64 / tally.real_tokens as f64
        } else {
            tally.rows as f64
        };
        let best = if padded {
            curve.best as f64 * 384.0 / data.total()[0] as f64
        } else {
            curve.best as f64
        };
        assert!(
            (now / best - 1.0 - above).abs() < 1e-9,
            "{library}: {above}"
        );
    }
    // What is thrown away saves nothing: fewer rows by fewer tokens are no better.
    let lossy = self::curve(&data, 384, "nanotron").unwrap();
    assert!(
        lossy
            .points
            .iter()
            .all(|point| point.above_best.abs() < 0.001),
        "{lossy:?}"
    );
    assert!(lossy.points[0].rows < lossy.points.last().unwrap().rows);
}

#[test]
fn what_takes_long_is_cancelled() {
    let data = Histogram::from_lengths([(100, 200_000), (31, 200_000)]).unwrap();
    for (question, curve) in [
        (LibrariesQuestion::All, false),
        (about("trl", &[]), false),
        (about("trl", &[]), true),
    ] {
        let mut asked = 0;
        let mut stop = |_: Step| {
            asked += 1;
            if asked < 3 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let request = request(&data, 256, question);
        let stopped = if curve {
            request.curve(&mut stop).map(drop)
        } else {
            request.run(&mut stop).map(drop)
        };
        assert_eq!((stopped.unwrap_err(), asked), (Error::Cancelled, 3));
    }
}

#[test]
fn requests_and_reports_cross_a_shell() {
    let data = Histogram::from_lengths([(100, 20), (31, 20)]).unwrap();
    for packs in [false, true] {
        let question = LibrariesQuestion::One {
            library: "olmo-vsl".to_owned(),
            settings: Vec::new(),
            packs,
        };
        let request = request(&data, 512, question);
        let value = serde_json::to_value(&request).unwrap();
        assert_eq!(
            serde_json::from_value::<LibrariesRequest>(value).unwrap(),
            request
        );
        let report = request.run(&mut go_on).unwrap();
        let answer = &report.answers[0];
        assert_eq!(
            (answer.packs.is_some(), answer.advice.is_none()),
            (packs, packs)
        );
        let value = serde_json::to_value(&report).unwrap();
        assert_eq!(serde_json::from_value::<Report>(value).unwrap(), report);
    }
}

/// Nothing is expanded.
#[test]
fn millions_are_drawn_and_not_stored() {
    let data = built_in("geom_drugs_allatoms_len");
    assert!(data.items() > 6_000_000);
    let library = Library::named("torchtune").unwrap();
    let recipe = library.start(181).recipe().unwrap();
    let mut rows = 0;
    let memory = allocation_counter::measure(|| {
        rows = recipe.run(&data, Order::Seed(0), &mut go_on).unwrap().rows
    });
    assert!(memory.bytes_max < 1 << 20, "{memory:?}");
    // The packs of `greedy`, the same algorithm on the same draw.
    let greedy = packscope::Algorithm::Greedy
        .pack(&data, 181, packscope::Depth::Unlimited)
        .unwrap();
    assert_eq!(rows, greedy.packs());
}

/// What a library does not train is counted, and no note says that it is not: axolotl on one rank leaves out rows beyond
/// the fewest of its trials, and sequences of a token everywhere.
#[test]
fn what_is_not_trained_is_counted() {
    for library in LIBRARIES {
        assert!(
            !library.note.contains("not counted"),
            "{}: {}",
            library.id,
            library.note
        );
    }
    let data = built_in("gsm8k_train");
    let lost = |settings: &[(&str, &str)]| {
        let request = LibrariesRequest {
            seeds: 20,
            ..request(&data, 512, about("axolotl", settings))
        };
        let answer = request.run(&mut go_on).unwrap().answers.remove(0);
        for run in &answer.runs {
            assert_eq!(run.tally.tokens(), data.total()[0]);
        }
        answer.figures.unwrap().dropped_share
    };
    let cut_off = ("excess_length_strategy", "truncate");
    assert_eq!(lost(&[cut_off, ("WORLD_SIZE", "4")]), 0.0);
    // Its default.
    let one_rank = lost(&[cut_off]);
    assert!((0.0001..0.005).contains(&one_rank), "{one_rank}");
    // In an order that is known nothing is drawn, and all trials are alike.
    let order: Vec<u32> = (0..3000).map(|i| 20 + i % 90).collect();
    let chosen = Library::named("axolotl").unwrap().start(128);
    let counts = Histogram::from_lengths(order.iter().map(|length| (*length, 1))).unwrap();
    let known = chosen
        .recipe()
        .unwrap()
        .run(&counts, Order::Given(&order), &mut go_on)
        .unwrap();
    assert_eq!(known.lost_tokens(), 0);
    let single = Histogram::from_lengths([(1, 5), (2, 7)]).unwrap();
    let figures = one(&single, 8, "axolotl", &[]).runs[0].tally.clone();
    assert_eq!(
        (
            figures.dropped_tokens,
            figures.dropped_sequences,
            figures.real_tokens
        ),
        (5, 5, 14)
    );
}

/// nanochat fills every row: the longest that fits, and the shortest cropped where none does.
#[test]
fn nanochat_crops_the_shortest_where_none_fits() {
    let order = [5, 3, 9, 2, 8, 4];
    let data = Histogram::from_lengths(order.map(|length| (length, 1))).unwrap();
    let recipe = Library::named("nanochat")
        .unwrap()
        .start(7)
        .recipe()
        .unwrap();
    let (tally, rows) = recipe
        .list(&data, Order::Given(&order), &mut go_on)
        .unwrap();
    // Rows of eight: 8; 5 and 3; 4 and 2, and of the 9 two; nothing is left.
    assert_eq!(rows, [vec![8], vec![5, 3], vec![4, 2, 2]]);
    assert_eq!(
        (
            tally.truncated_tokens,
            tally.truncated_sequences,
            tally.dropped_tokens
        ),
        (7, 1, 0)
    );
    let chat = one(&built_in("sharegpt_8k_llama2"), 4096, "nanochat", &[]);
    let figures = chat.figures.unwrap();
    assert!(
        (0.1..0.5).contains(&figures.truncated_share) && figures.padding_share == 0.0,
        "{figures:?}"
    );
}

/// The row that is closed takes the shortest of those that come next, as long as all of them fit; a window is taken from
/// its end.
#[test]
fn xtuner_tops_up_with_the_shortest() {
    let rows = |settings: &[(&str, &str)], order: &[u32]| {
        let data = Histogram::from_lengths(order.iter().map(|length| (*length, 1))).unwrap();
        let recipe = Library::named("xtuner")
            .unwrap()
            .with(10, &fields(settings))
            .unwrap()
            .recipe()
            .unwrap();
        recipe
            .list(&data, Order::Given(order), &mut go_on)
            .unwrap()
            .1
    };
    let order = [2, 3, 12, 1, 9, 6];
    assert_eq!(
        rows(&[], &order),
        [vec![6, 1, 2], vec![9], vec![10], vec![3]]
    );
    assert_eq!(
        rows(&[("pack_extra_buffer_size", "2")], &order),
        [vec![6, 1], vec![9], vec![10], vec![3, 2]]
    );
    assert_eq!(
        rows(&[("pack_extra_buffer_size", "0")], &order),
        [vec![6], vec![9, 1], vec![10], vec![3, 2]]
    );
    assert_eq!(
        rows(&[("pack_chunk_size", "4")], &order),
        [vec![1, 2, 3], vec![10], vec![6], vec![9]]
    );
    assert_eq!(
        rows(&[("pack_level", "hard")], &order),
        [vec![2, 3, 5], vec![7, 1, 2], vec![7, 3]]
    );
}

/// What is longer than a micro-batch is trained whole in one of its own; balanced ones can exceed the limit too, and all of
/// their tokens are counted.
#[test]
fn micro_batches_that_exceed_the_limit() {
    let order = [4, 15, 4, 4, 3, 5];
    let data = Histogram::from_lengths(order.map(|length| (length, 1))).unwrap();
    let run = |library: &str, settings: &[(&str, &str)]| {
        let recipe = Library::named(library).unwrap();
        let settings = [recipe.packing(), fields(settings)].concat();
        let recipe = recipe.with(10, &settings).unwrap().recipe().unwrap();
        assert!(recipe.exceeds() && !recipe.padded, "{library}");
        recipe
            .list(&data, Order::Given(&order), &mut go_on)
            .unwrap()
    };
    let (tally, rows) = run("slime", &[]);
    assert_eq!(rows, [vec![4, 4], vec![15], vec![4, 3], vec![5]]);
    assert_eq!(
        (tally.slots, tally.real_tokens, tally.lost_tokens()),
        (45, 35, 0)
    );
    let (tally, rows) = run("slime", &[("global-batch-size", "3")]);
    assert_eq!(
        (rows, tally.slots),
        (vec![vec![4, 4], vec![15], vec![4, 3], vec![5]], 45)
    );
    // Three of first fit: 5 and 5, 5 and 5, 4 and 4; by tokens, 9, 9 and 10.
    let balanced = [5, 5, 5, 5, 4, 4];
    let data = Histogram::from_lengths(balanced.map(|length| (length, 1))).unwrap();
    let mut chosen = Library::named("openrlhf").unwrap().start(10);
    chosen.set("train.batch_size", "6").unwrap();
    let recipe = chosen.recipe().unwrap();
    let (tally, rows) = recipe
        .list(&data, Order::Given(&balanced), &mut go_on)
        .unwrap();
    assert_eq!((rows.len(), tally.rows, tally.real_tokens), (3, 3, 28));
    // Of the plan for the same tokens none is better than without room.
    for library in ["slime", "openrlhf"] {
        let figures = one(&built_in("sharegpt_8k_llama2"), 4096, library, &[])
            .figures
            .unwrap();
        assert_eq!(
            (figures.computed_above, figures.truncated_share),
            (Some(0.0), 0.0)
        );
        // What does not fill a last step is left out by the one, and goes on in the next pass with the other.
        assert_eq!(
            figures.dropped_sequences,
            if library == "openrlhf" {
                30_731.0 % 128.0
            } else {
                0.0
            }
        );
    }
}

/// The best plan of the same sequences is kept within a request: it must be that of the library's own settings.
#[test]
fn libraries_side_by_side_are_compared_with_their_own_best_plans() {
    let mut random = packscope::rng::Random::seeded(3);
    for (limit, optimum) in [(100, true), (64, false), (7, false)] {
        let counts = (1..=90).map(|l| (l, 1 + random.below(30)));
        let data = Histogram::from_lengths(counts).unwrap();
        let run = |question| {
            let request = LibrariesRequest {
                optimum,
                ..request(&data, limit, question)
            };
            request.run(&mut go_on).unwrap().answers
        };
        let alone = |library: &&'static Library| {
            let settings = library.start(limit).fields();
            run(LibrariesQuestion::One {
                library: library.id.to_owned(),
                settings,
                packs: false,
            })
            .remove(0)
        };
        assert_eq!(
            run(LibrariesQuestion::All),
            LIBRARIES.iter().map(alone).collect::<Vec<_>>()
        );
    }
}
