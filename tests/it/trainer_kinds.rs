//! Samplers and loaders as a page shows them: figures, the one setting to change, and when questions are asked.

use crate::common::{built_in, built_in_graphs};
use crate::heard;
use packscope::api::Query;
use packscope::api::trainer::{
    Advice, LibrariesQuestion, LibrariesRequest, LibraryAnswer, LibraryKind, LibraryQuery, Pass,
    Report,
};
use packscope::export::libraries::{self, Sheet};
use packscope::histogram::{FREE, Histogram, Preset};
use packscope::packing::go_on;
use packscope::trainer::batches::{LibraryLimits, SAMPLERS, SamplerLibraries};
use packscope::trainer::graphs::{GraphLibraries, LOADERS};
use packscope::trainer::{Library, Setting, SettingValue};
use packscope_page::query as queries;
use packscope_page::state::graphs::{Action as Loads, FIRST};
use packscope_page::state::trainer::Action as Trained;
use packscope_page::state::{Action, AppState, Source, View};
use proptest::prelude::*;
use std::rc::Rc;

const ROOM: LibraryLimits = LibraryLimits {
    limit: 512,
    batch: 16,
};

fn field(name: &str, value: &str) -> SettingValue {
    SettingValue {
        name: name.to_owned(),
        value: value.to_owned(),
    }
}

fn which(library: &str, settings: Vec<SettingValue>) -> LibrariesQuestion {
    LibrariesQuestion::One {
        library: library.to_owned(),
        settings,
        packs: false,
    }
}

fn batched(data: &Histogram<1>, question: LibrariesQuestion) -> Report<SamplerLibraries> {
    let (counts, order) = (data.lengths(), Vec::new());
    let request = LibrariesRequest {
        counts,
        order,
        given: ROOM,
        question,
        seed: 0,
        seeds: 1,
        optimum: false,
    };
    request.run(&mut go_on).unwrap()
}

fn loaded(
    data: &Histogram<2>,
    given: [u32; 2],
    question: LibrariesQuestion,
) -> Vec<LibraryAnswer<GraphLibraries>> {
    let (counts, order) = (data.entries().to_vec(), Vec::new());
    let request = LibrariesRequest {
        counts,
        order,
        given,
        question,
        seed: 0,
        seeds: 1,
        optimum: false,
    };
    request.run(&mut go_on).unwrap().answers
}

/// Every other value of every setting, one at a time.
fn changes(settings: &[Setting], now: &[SettingValue]) -> Vec<SettingValue> {
    let of = |setting: &Setting| {
        let now = now
            .iter()
            .find(|field| field.name == setting.name)
            .unwrap()
            .value
            .clone();
        let others = setting
            .alternatives()
            .iter()
            .filter(move |value| **value != now);
        others
            .map(|value| field(setting.name, value))
            .collect::<Vec<_>>()
    };
    settings.iter().flat_map(of).collect()
}

/// (share of tokens or graphs lost, slots for each token, batches); `None` where the data are refused.
type Cost = Option<(f64, f64, u64)>;

/// The advice is the change of one setting that is worth most, in tokens that come back and slots that are saved: nothing
/// that takes many more batches, or loses more.
fn judge(about: &str, now: Cost, others: &[(SettingValue, Cost)], advice: Option<&Advice>) {
    let worth = |cost: (f64, f64, u64)| match now {
        Some(now) => now.0 - cost.0 + 1.0 - cost.1 / now.1,
        None => -cost.0,
    };
    let helps = |cost: &(f64, f64, u64)| {
        now.is_none_or(|now| {
            let (back, saved) = (now.0 - cost.0, 1.0 - cost.1 / now.1);
            let enough = (back >= 0.0005 && worth(*cost) >= 0.0005)
                || (saved >= 0.005 && worth(*cost) >= 0.005);
            enough && back > -0.0005 && cost.2 as f64 <= now.2 as f64 * 1.1
        })
    };
    let better = others
        .iter()
        .filter_map(|(_, cost)| cost.filter(helps))
        .map(worth)
        .max_by(f64::total_cmp);
    let given = advice.and_then(Advice::field);
    let given = given.map(|given| {
        worth(
            others
                .iter()
                .find(|(other, _)| *other == given)
                .unwrap()
                .1
                .unwrap(),
        )
    });
    assert_eq!(given.is_some(), better.is_some(), "{about}: {others:?}");
    assert!(
        given.is_none_or(|given| given >= better.unwrap() - 0.001),
        "{about}: {others:?}"
    );
    assert!(
        now.is_none() || advice.is_some(),
        "{about}: its cost is told"
    );
}

#[test]
fn the_setting_of_a_sampler_that_mends_most_is_named() {
    for id in ["gsm8k_train", "sharegpt_8k_llama2"] {
        let data = built_in(id);
        for library in SAMPLERS {
            let cost = |settings: Vec<SettingValue>| -> Cost {
                let report = batched(&data, which(library.id, settings));
                let t = &report.answers[0].runs.first()?.tally;
                let lost = (t.truncated_tokens + t.dropped_tokens) as f64 / t.tokens() as f64;
                let slots = t.slots as f64 / t.real_tokens.max(1) as f64;
                Some((lost, slots, t.batches))
            };
            let start = library.start(ROOM).fields();
            let others: Vec<_> = changes(library.settings, &start)
                .into_iter()
                .map(|f| (f.clone(), cost(vec![f])))
                .collect();
            let report = batched(&data, which(library.id, Vec::new()));
            let about = format!("{id}, {}", library.id);
            judge(
                &about,
                cost(Vec::new()),
                &others,
                report.answers[0].advice.as_ref(),
            );
        }
    }
}

#[test]
fn the_setting_of_a_loader_that_mends_most_is_named() {
    let data = built_in_graphs("mol_qm9_allatoms_graph");
    for limits in [[222, 502], [20, 30], [24, FREE]] {
        for library in LOADERS {
            let cost = |settings: Vec<SettingValue>| -> Cost {
                let answer = loaded(&data, limits, which(library.id, settings)).remove(0);
                let (t, shape) = (&answer.runs.first()?.tally, answer.own.shape?);
                let lost = t.skipped_graphs as f64 / (t.graphs + t.skipped_graphs) as f64;
                let of = |k: usize| t.slots[k] as f64 / t.real[k].max(1) as f64;
                let slots = if shape.padded {
                    (of(0) + of(1)) / 2.0
                } else {
                    1.0
                };
                Some((lost, slots, t.batches))
            };
            let start = library.start(limits).fields();
            let others: Vec<_> = changes(library.settings, &start)
                .into_iter()
                .map(|f| (f.clone(), cost(vec![f])))
                .collect();
            let answer = loaded(&data, limits, which(library.id, Vec::new())).remove(0);
            let about = format!("{limits:?}, {}", library.id);
            judge(&about, cost(Vec::new()), &others, answer.advice.as_ref());
            if let Some(refused) = &answer.about.refused {
                assert!(answer.figures.is_none() && !refused.is_empty());
            }
        }
    }
}

fn asked(given: LibraryKind, library: &str, settings: Vec<SettingValue>) -> LibraryQuery {
    LibraryQuery {
        given,
        library: library.to_owned(),
        packing: false,
        settings,
        seeds: 1,
        thorough: true,
        most_slots: None,
    }
}

/// The sheets of a sampler, and of what it is compared with.
fn sampled(data: &Histogram<1>, library: &str, settings: Vec<SettingValue>) -> Vec<Sheet> {
    let asked = asked(LibraryKind::Batches(ROOM), library, settings);
    libraries::answer_query::<SamplerLibraries>(&asked, ROOM, data, &mut go_on).unwrap()
}

fn loader(
    data: &Histogram<2>,
    limits: [u32; 2],
    library: &str,
    settings: Vec<SettingValue>,
) -> Sheet {
    let asked = asked(LibraryKind::Graphs(limits), library, settings);
    let mut sheets =
        libraries::answer_query::<GraphLibraries>(&asked, limits, data, &mut go_on).unwrap();
    assert_eq!(sheets.len(), 1, "nothing to compare with");
    sheets.remove(0)
}

fn all_loaders(data: &Histogram<2>, limits: [u32; 2]) -> Vec<Sheet> {
    LOADERS
        .iter()
        .map(|library| loader(data, limits, library.id, Vec::new()))
        .collect()
}

fn exact(sheet: &Sheet, id: &str) -> f64 {
    sheet
        .figures
        .iter()
        .find(|figure| figure.id == id)
        .unwrap()
        .exact
}

#[test]
fn a_sheet_has_the_figures_of_the_report() {
    let data = built_in("gsm8k_train");
    for library in SAMPLERS {
        let report = batched(&data, which(library.id, Vec::new()));
        let figures = report.answers[0].figures.as_ref().unwrap();
        let sheet = sampled(&data, library.id, Vec::new()).remove(0);
        assert_eq!(exact(&sheet, "padding_share"), figures.padding_share);
        assert_eq!(exact(&sheet, "batches"), figures.batches);
        assert_eq!(exact(&sheet, "largest_slots"), figures.largest_slots as f64);
        assert_eq!(
            exact(&sheet, "lost_share"),
            figures.truncated_share + figures.dropped_share
        );
        assert!(
            sheet.title.contains("at a limit of 512")
                && sheet.title.contains("in random batches of 16")
        );
        let advice = report.answers[0].advice.as_ref().unwrap();
        assert_eq!(sheet.advice, advice.sentence);
        assert_eq!(sheet.change.map(|field| field.name), advice.setting);
        assert_eq!(sheet.about.lines, report.answers[0].about.lines);
    }
    let data = built_in_graphs("mol_qm9_allatoms_graph");
    for library in LOADERS {
        let answer = loaded(&data, [222, 502], which(library.id, Vec::new())).remove(0);
        let figures = answer.figures.as_ref().unwrap();
        let sheet = loader(&data, [222, 502], library.id, Vec::new());
        assert_eq!(exact(&sheet, "batches"), figures.batches);
        assert_eq!(exact(&sheet, "skipped_share"), figures.skipped_share);
        let padded = answer.own.shape.unwrap().padded;
        assert_eq!(
            sheet.title.contains("at limits of 222 nodes and 502 edges"),
            padded,
            "{}",
            sheet.title
        );
        assert_eq!(
            sheet.title.contains("without padding"),
            !padded,
            "{}",
            sheet.title
        );
        assert!(!sheet.about.lines.contains("fits"), "{}", sheet.about.lines);
    }
}

#[test]
fn all_stand_side_by_side_with_columns_that_a_page_has_room_for() {
    let data = built_in("gsm8k_train");
    // As the page puts them together: one by one, then what they are compared with.
    let mut samplers: Vec<Sheet> = Vec::new();
    for library in SAMPLERS {
        let sheets = sampled(&data, library.id, Vec::new());
        samplers.truncate(samplers.len().saturating_sub(sheets.len() - 1));
        samplers.extend(sheets);
    }
    assert_eq!(samplers.len(), SAMPLERS.len() + 3);
    let graphs = built_in_graphs("mol_qm9_allatoms_graph");
    let loaders = all_loaders(&graphs, [222, 502]);
    // The same as of one request for all.
    let at_once = libraries::sheets(&batched(&data, LibrariesQuestion::All), ROOM);
    assert_eq!(
        libraries::table(SamplerLibraries::kind(ROOM).words(), &at_once).csv(),
        { libraries::table(SamplerLibraries::kind(ROOM).words(), &samplers).csv() }
    );
    for (given, sheets, ids) in [
        (
            LibraryKind::Batches(ROOM),
            &samplers,
            SAMPLERS
                .iter()
                .map(|library| library.id)
                .collect::<Vec<_>>(),
        ),
        (
            LibraryKind::Graphs([222, 502]),
            &loaders,
            LOADERS.iter().map(|library| library.id).collect(),
        ),
    ] {
        let table = libraries::table(given.words(), sheets);
        let rows: Vec<&str> = table.rows.iter().map(|row| row[0].exact.as_str()).collect();
        assert!(
            ids.iter().all(|id| rows[..ids.len()].contains(id)),
            "{rows:?}"
        );
        let headline = libraries::headline(given, sheets);
        assert!(
            headline.starts_with("With ") && headline.contains("’s defaults, "),
            "{headline}"
        );
        // What gains most comes first.
        let worth: Vec<f64> = table.rows[..ids.len()]
            .iter()
            .map(|row| row[5].exact.parse().unwrap())
            .collect();
        assert!(worth.is_sorted_by(|a, b| a >= b), "{worth:?}");
        let sheets: Vec<&Sheet> = sheets
            .iter()
            .filter(|sheet| !sheet.about.title.is_empty())
            .collect();
        assert_eq!(
            sheets.iter().filter(|sheet| sheet.place.is_some()).count(),
            ids.len()
        );
        let range = given.words().picture.as_ref().unwrap().range(&sheets);
        assert!(range.starts_with("At their defaults, from "), "{range}");
    }
    // What refuses has no place, and its row says so.
    let none = libraries::table(
        GraphLibraries::kind([2, 2]).words(),
        &all_loaders(&graphs, [2, 2]),
    );
    assert!(
        none.rows
            .iter()
            .filter(|row| row[6].exact == "refuses the data")
            .count()
            >= 2
    );
}

#[test]
fn refusals_are_told_in_place() {
    let data = built_in_graphs("mol_qm9_allatoms_graph");
    let refused = loader(&data, [20, 30], "jraph", Vec::new());
    assert_eq!(refused.title, "jraph, dynamically_batch refuses these data");
    assert!(refused.figures.is_empty() && refused.advice.starts_with("It refuses these data: "));
    let Some(LibraryKind::Graphs([nodes, edges])) = refused.least else {
        panic!("{:?}", refused.least)
    };
    assert_eq!([nodes, edges], [data.max()[0] + 1, data.max()[1]]);
    let takes = format!(" It takes them at limits of {nodes} nodes and {edges} edges.");
    assert!(refused.advice.ends_with(&takes), "{}", refused.advice);
    let table = libraries::table(GraphLibraries::kind([20, 30]).words(), &[refused]);
    assert_eq!(
        [&table.rows[0][3].exact, &table.rows[0][3].shown],
        [
            &format!("limits={nodes},{edges}"),
            &format!("limits {nodes} × {edges}")
        ]
    );
    let unknown = loader(&data, [20, 30], "nobody", Vec::new());
    assert!(
        unknown.advice.contains("expected one of: pyg"),
        "{}",
        unknown.advice
    );
    let wrong = sampled(
        &built_in("glue_cola"),
        "fairseq",
        vec![field("max_tokens", "many")],
    )
    .remove(0);
    assert!(
        wrong.advice.contains("expected slots, or a whole number"),
        "{}",
        wrong.advice
    );
}

fn with_graphs() -> AppState {
    let data = Rc::new(built_in_graphs(FIRST.id));
    AppState::default()
        .reduce(Action::View(View::Graphs))
        .reduce(Action::Graphs(Loads::Loaded(
            Source::Preset(FIRST),
            data,
            [true; 2],
        )))
}

fn with_batches() -> AppState {
    let preset = Preset::find("gsm8k_train").unwrap();
    let data = Rc::new(built_in(preset.id));
    AppState::default()
        .reduce(Action::View(View::Batches))
        .reduce(Action::Loaded(Source::Preset(preset), data, Some(512)))
}

#[test]
fn the_chosen_one_is_asked_about_first_then_all_and_nothing_that_is_known() {
    for (state, version, library) in [
        (with_graphs(), with_graphs().graphs.version(), "jraph"),
        (with_batches(), with_batches().sequences.version(), "lhotse"),
    ] {
        let view = state.view;
        let act = |state: &AppState, action| state.reduce(Action::Trainer(view, action));
        let told = |state: &AppState, asked: LibraryQuery, gain: u8| {
            let sheet = Sheet {
                worth: f64::from(gain),
                ..Sheet::default()
            };
            let sheets = queries::Answer::Trainer(Rc::new(vec![sheet]));
            state.reduce(heard::known(
                version,
                queries::Query::Trainer(asked),
                sheets,
            ))
        };
        let chosen = |state: &AppState| {
            state
                .of_chosen(view)
                .map(|(sheets, now)| (sheets[0].worth as u8, now))
        };
        let side = |state: &AppState| {
            state
                .answers_of_all(view)
                .iter()
                .map(|sheets| sheets[0].worth as u8)
                .collect::<Vec<u8>>()
        };
        let beside = Rc::new(vec!["other".to_owned(), library.to_owned()]);
        let state = act(
            &act(&state, Trained::Choose(Some(library.to_owned()))),
            Trained::Beside(beside),
        );
        let wanted = |state: &AppState| match state.trainer_wanted() {
            Some(queries::Query::Trainer(asked)) => asked,
            other => panic!("{other:?}"),
        };
        assert_eq!(wanted(&state).library, library, "for the headline");
        let state = act(&state, Trained::InView(true));
        let one = wanted(&state);
        assert_eq!(one.library, library);
        let state = told(&state, one.clone(), 1);
        assert_eq!(chosen(&state), Some((1, true)));
        let other = wanted(&state);
        assert_eq!(other.library, "other");
        let state = told(&state, other, 2);
        assert_eq!(state.trainer_wanted(), None);
        assert_eq!(side(&state), [2, 1]);
        // Another setting is another question; until it is answered the old figures stand, and are known to be old. Side by
        // side it stands as it begins.
        let set = act(&state, Trained::Set(field("drop_last", "true")));
        assert_eq!((chosen(&set), side(&set)), (Some((1, false)), vec![2, 1]));
        assert_eq!(wanted(&set).settings, [field("drop_last", "true")]);
        // At other limits nothing is known, answers about those before come too late, and another view asks nothing.
        let other = match view {
            View::Graphs => {
                AppState::default().reduce(Action::Navigate(state.hash() + "&nodes=99"))
            }
            _ => state.reduce(Action::Limit(256)),
        };
        for other in [told(&other, one, 3), other] {
            assert!(chosen(&other).is_none() && side(&other).is_empty());
        }
        assert_eq!(
            state.reduce(Action::View(View::Sequences)).trainer_wanted(),
            None
        );
    }
}

#[test]
fn every_view_keeps_a_library_of_its_own_in_the_address() {
    let choose = |state: AppState, view, library: &str| {
        let chosen = state.reduce(Action::Trainer(
            view,
            Trained::Choose(Some(library.to_owned())),
        ));
        chosen.reduce(Action::Trainer(view, Trained::Set(field("a.b", "c d"))))
    };
    let state = choose(
        choose(with_graphs(), View::Graphs, "pyg"),
        View::Batches,
        "espnet",
    )
    .reduce(Action::Trainer(
        View::Sequences,
        Trained::Choose(Some("trl".to_owned())),
    ));
    for view in View::ALL {
        let hash = state.reduce(Action::View(view)).hash();
        let read = AppState::default().reduce(Action::Navigate(hash.clone()));
        assert_eq!(read.loaders.choice, state.loaders.choice, "{hash}");
        assert_eq!(read.samplers.choice, state.samplers.choice, "{hash}");
        assert_eq!(read.trainer.choice, state.trainer.choice, "{hash}");
        let back = read.reduce(Action::Restore("data=glue_cola".to_owned()));
        assert!(back.loaders.choice.library.is_none() && back.samplers.choice.library.is_none());
    }
    // The history has an entry for it.
    assert_ne!(state.landmark(), with_graphs().landmark());
}

proptest! {
    /// Advice never makes worse, whatever the data.
    #[test]
    fn advice_mends(lengths in prop::collection::vec((1u32..600, 1u64..30), 1..40)) {
        let data = Histogram::from_lengths(lengths).unwrap();
        for library in SAMPLERS {
            let of = |settings| batched(&data, which(library.id, settings)).answers.remove(0);
            let now = of(Vec::new());
            let Some(advice) = &now.advice else { continue };
            let (Some(name), Some(value)) = (&advice.setting, &advice.value) else { continue };
            let then = of(vec![field(name, value)]);
            let (Some(now), Some(then)) = (now.runs.first(), then.runs.first()) else { continue };
            let lost = |t: &packscope::trainer::batches::SamplerTally| t.truncated_tokens + t.dropped_tokens;
            let (now, then) = (&now.tally, &then.tally);
            prop_assert!(lost(then) <= lost(now) || then.slots < now.slots, "{}: {name} {value}", library.id);
        }
    }
}

#[test]
fn libraries_of_both_kinds_are_found_by_their_names() {
    assert!(
        SAMPLERS
            .iter()
            .all(|library| Library::<SamplerLibraries>::find(library.id).is_ok())
    );
    assert!(
        LOADERS
            .iter()
            .all(|library| Library::<GraphLibraries>::find(library.id).is_ok())
    );
}
