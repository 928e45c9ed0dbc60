//! Libraries in the state of the page: when questions are asked, which answers are kept, and the words.

use crate::common::built_in;
use crate::heard;
use packscope::advice::Verdict;
use packscope::api::Query as _;
use packscope::api::trainer::{self, Figures, LibrariesQuestion, LibraryKind, LibraryQuery};
use packscope::export::libraries::packing_sheets;
use packscope::export::libraries::{self, Sheet};
use packscope::histogram::Histogram;
use packscope::histogram::Preset;
use packscope::packing::go_on;
use packscope::trainer::batches::LibraryLimits;
use packscope::trainer::{LIBRARIES, PackingLibraries, SettingValue};
use packscope_page::query::{Answer, Query};
use packscope_page::state::trainer::Action as Trained;
use packscope_page::state::{Action, AppState, Lane, Source, View};
use proptest::prelude::*;
use std::rc::Rc;

fn loaded(id: &str, limit: u32) -> AppState {
    let preset = Preset::find(id).unwrap();
    AppState::default().reduce(Action::Loaded(
        Source::Preset(preset),
        Rc::new(built_in(id)),
        Some(limit),
    ))
}

/// The sheet of the library that is asked about.
fn shown(data: &Histogram<1>, asked: &LibraryQuery) -> Sheet {
    let LibraryKind::Sequences(room) = asked.given else {
        panic!("{asked:?}")
    };
    libraries::answer_query::<PackingLibraries>(asked, room, data, &mut go_on)
        .unwrap()
        .remove(0)
}

/// The state that has heard an answer: a sheet with the name of its library.
/// The question about the sheet of the chosen library.
fn wanted_sheet(state: &AppState) -> LibraryQuery {
    match state.trainer_wanted() {
        Some(Query::Trainer(asked)) => asked,
        other => panic!("{other:?}"),
    }
}

/// The library that a question is about.
fn library_of(query: &Query) -> String {
    match query {
        Query::Trainer(asked) => asked.library.clone(),
        Query::Advice(case) => case.library.clone().unwrap(),
        query => panic!("{query:?}"),
    }
}

fn told(state: &AppState, query: &Query) -> AppState {
    let named = library_of(query);
    let answer = match query {
        Query::Trainer(_) => {
            let sheet = Sheet {
                title: named,
                ..Sheet::default()
            };
            Answer::Trainer(Rc::new(vec![sheet]))
        }
        _ => Answer::Advice(Rc::new(Verdict {
            sentence: named,
            notes: Vec::new(),
            now: None,
            then: None,
            lighter: None,
            keeps: None,
            best: None,
            considered: Vec::new(),
            fixed: None,
            padded_to_limit: None,
        })),
    };
    state.reduce(heard::known(
        state.sequences.version(),
        query.clone(),
        answer,
    ))
}

/// Whether the present settings of the chosen library are answered, and the libraries that stand side by side.
fn known(state: &AppState) -> (Option<bool>, Vec<&'static str>) {
    let side = state.judged_libraries();
    (
        state
            .of_chosen(View::Sequences)
            .map(|(_, is_current)| is_current),
        side.iter().map(|(id, _)| *id).collect(),
    )
}

fn choose(state: &AppState, library: &str) -> AppState {
    state.reduce(Action::Trainer(
        View::Sequences,
        Trained::Choose(Some(library.to_owned())),
    ))
}

fn field(name: &str, value: &str) -> SettingValue {
    SettingValue {
        name: name.to_owned(),
        value: value.to_owned(),
    }
}

#[test]
fn the_chosen_library_is_asked_about_first_and_nothing_that_is_known() {
    let state = choose(&loaded("sharegpt_8k_llama2", 4096), "axolotl");
    let first = state.trainer_wanted().unwrap();
    assert_eq!(library_of(&first), "axolotl", "for the headline");
    let given = |query: &Query| match query {
        Query::Trainer(asked) => asked.given,
        query => panic!("{query:?}"),
    };
    let at = |limit| {
        LibraryKind::Sequences(LibraryLimits {
            limit,
            batch: state.sequences.settings.batch,
        })
    };
    assert_eq!(given(&first), at(4096));
    // Libraries side by side are judged one by one, the chosen one at its settings.
    let beside = Rc::new(vec!["axolotl".to_owned(), "trl".to_owned()]);
    let state = told(&state, &first)
        .reduce(Action::Trainer(View::Sequences, Trained::InView(true)))
        .reduce(Action::Trainer(View::Sequences, Trained::Beside(beside)));
    assert_eq!(state.unjudged(), ["axolotl", "trl"]);
    let second = state.trainer_wanted().unwrap();
    assert_eq!(
        (library_of(&second), known(&state).0),
        ("axolotl".to_owned(), Some(true))
    );
    let state = told(&state, &second);
    let third = state.trainer_wanted().unwrap();
    assert_eq!(library_of(&third), "trl");
    let state = told(&state, &third);
    assert_eq!(state.trainer_wanted(), None, "{:?}", state.trainer_wanted());
    assert_eq!(
        known(&state),
        (Some(true), vec!["trl", "axolotl"]),
        "in the order of the list"
    );
    // Its own settings are another question, and the answer to the old one is not theirs.
    let set = state.reduce(Action::Trainer(
        View::Sequences,
        Trained::Set(field("excess_length_strategy", "truncate")),
    ));
    let asked = wanted_sheet(&set);
    assert_eq!(
        asked.settings,
        [field("excess_length_strategy", "truncate")]
    );
    assert_eq!(known(&set), (Some(false), vec!["trl"]));
    // At another limit nothing is known.
    let other = state.reduce(Action::Limit(2048));
    assert_eq!(known(&other), (None, Vec::new()));
    assert_eq!(given(&other.trainer_wanted().unwrap()), at(2048));
    // An answer about the limit before comes too late.
    assert_eq!(known(&told(&other, &first)), (None, Vec::new()));
}

/// The verdict of the headline and that of the comparison are one question: none is asked twice, and one that comes late
/// does not take the place of another library's.
#[test]
fn one_verdict_serves_headline_and_comparison() {
    let state = choose(&loaded("lima_train_chatml", 2048), "trl");
    let headline = heard::advice_wanted(&state).unwrap();
    let beside = Rc::new(vec!["trl".to_owned(), "axolotl".to_owned()]);
    let state = told(&told(&state, &headline), &state.trainer_wanted().unwrap())
        .reduce(Action::Trainer(View::Sequences, Trained::InView(true)))
        .reduce(Action::Trainer(View::Sequences, Trained::Beside(beside)));
    assert_eq!(state.unjudged(), ["axolotl"]);
    assert!(state.verdict().is_some());
    let state = told(&state, &state.trainer_wanted().unwrap());
    assert_eq!(known(&state).1, ["trl", "axolotl"]);
    assert!(state.verdict().is_some());
}

/// Escape stops a comparison of libraries, whose answers stay, and nothing where none is running.
#[test]
fn a_comparison_of_libraries_is_cancelled_and_goes_on() {
    let beside = Rc::new(vec!["trl".to_owned(), "axolotl".to_owned()]);
    let state = loaded("sharegpt_8k_llama2", 4096)
        .reduce(Action::Trainer(View::Sequences, Trained::InView(true)))
        .reduce(Action::Trainer(View::Sequences, Trained::Beside(beside)));
    let left = |state: &AppState| state.uncompared(View::Sequences).len();
    let one = told(&state, &state.trainer_wanted().unwrap());
    let stopped = one.reduce(Action::Cancelled);
    assert_eq!((left(&state), left(&one), left(&stopped)), (2, 1, 1));
    assert!(stopped.trainer.paused && stopped.trainer_wanted().is_none());
    assert_eq!(known(&stopped).1, ["trl"]);
    // The chosen library is asked about all the same.
    let chosen = choose(&stopped, "llamafactory").trainer_wanted().unwrap();
    assert_eq!(library_of(&chosen), "llamafactory");
    let on = stopped.reduce(Action::Trainer(View::Sequences, Trained::Pause(false)));
    let all = told(&on, &on.trainer_wanted().unwrap());
    assert_eq!(left(&all), 0);
    assert!(
        !all.reduce(Action::Cancelled).trainer.paused,
        "there is nothing to stop"
    );
}

#[test]
fn what_a_library_does_is_said_with_its_limit() {
    let asked = |library, limit| LibraryQuery::about(library, &[], limit, 3).thoroughly();
    let found = shown(&built_in("sharegpt_8k_llama2"), &asked("axolotl", 4096));
    assert_eq!(
        found.title,
        "Axolotl drops 54.3 % of the tokens and computes 2.1 % more than the best plan at a limit of 4,096"
    );
    assert_eq!(
        found.change,
        Some(field("excess_length_strategy", "truncate"))
    );
    assert!(found.curve.is_some());
    // Rows that are not padded are not too many.
    for (library, wanted) in [
        ("trl", "TRL pads nothing at a limit of 512"),
        (
            "unsloth",
            "Unsloth packs nothing, and pads nothing, at a limit of 512",
        ),
        (
            "torchtune",
            "torchtune computes 18.7 % more than the best plan at a limit of 512",
        ),
    ] {
        assert_eq!(
            shown(&built_in("gsm8k_train"), &asked(library, 512)).title,
            wanted
        );
    }
    let refused = shown(&built_in("sharegpt_8k_llama2"), &asked("olmo-vsl", 1));
    assert_eq!(
        refused.title,
        format!("{} refuses these data", refused.about.title)
    );
    assert!(refused.figures.is_empty() && refused.curve.is_none() && !refused.advice.is_empty());
}

#[test]
fn a_page_shows_what_the_command_line_answers() {
    let data = built_in("squad_1_1_bert_384");
    let request = trainer::LibrariesRequest::<PackingLibraries> {
        counts: data.lengths(),
        order: Vec::new(),
        given: LibraryLimits {
            limit: 384,
            batch: 64,
        },
        question: LibrariesQuestion::All,
        seed: 0,
        seeds: 2,
        optimum: false,
    };
    let answers = request.run(&mut go_on).unwrap().answers;
    for (library, answer) in LIBRARIES.iter().zip(answers) {
        let asked = LibraryQuery {
            given: LibraryKind::Sequences(LibraryLimits {
                limit: 384,
                batch: 64,
            }),
            ..LibraryQuery::about(library.id, &[], 384, 2)
        };
        let (found, figures) = (shown(&data, &asked), answer.figures.as_ref());
        let exact = found
            .figures
            .iter()
            .map(|figure| figure.exact)
            .collect::<Vec<_>>();
        let room = |f: &Figures| {
            if answer.own.padded {
                f.padding_share
            } else {
                f.unfilled_share
            }
        };
        let wanted = figures.map(|f| vec![f.rows, room(f), f.lost_share(), f.cut_share]);
        assert_eq!(exact, wanted.unwrap_or_default(), "{}", library.id);
        assert_eq!(
            (found.lost, found.above),
            (
                figures.map(|f| f.lost_share()),
                figures.and_then(|f| f.computed_above)
            )
        );
        assert_eq!(
            (found.about.lines, found.about.settings),
            (answer.about.lines, answer.about.settings)
        );
        assert!(
            answer
                .about
                .refused
                .is_none_or(|why| found.advice.contains(&why)),
            "{}",
            found.advice
        );
    }
}

#[test]
fn a_library_that_there_is_not_is_refused_in_words() {
    let data = built_in("glue_cola");
    let asked = |library, settings: &[(&str, &str)]| {
        LibraryQuery::about(library, settings, 128, 1).thoroughly()
    };
    let none = shown(&data, &asked("nobody", &[]));
    assert!(
        none.advice.contains("nobody") && none.figures.is_empty(),
        "{}",
        none.advice
    );
    let none = shown(&data, &asked("trl", &[("packing_strategy", "best")]));
    assert!(none.advice.contains("bfd_split"), "{}", none.advice);
}

#[test]
fn an_address_of_any_view_keeps_the_library() {
    let chosen = choose(&AppState::default(), "axolotl").reduce(Action::Trainer(
        View::Sequences,
        Trained::Set(field("excess_length_strategy", "truncate")),
    ));
    for view in packscope_page::state::View::ALL {
        let written = chosen.reduce(Action::View(view)).hash();
        let read = AppState::default().reduce(Action::Navigate(written.clone()));
        assert_eq!(
            read.trainer.choice.library.as_deref(),
            Some("axolotl"),
            "{written}"
        );
        assert_eq!(
            read.trainer.choice.settings, chosen.trainer.choice.settings,
            "{written}"
        );
    }
    // Settings of no library are none.
    let none = AppState::default().reduce(Action::Navigate(
        "trainer.excess_length_strategy=truncate".to_owned(),
    ));
    assert!(none.trainer.choice.settings.is_empty());
}

proptest! {
    /// Whatever a setting's value is, the address gives it back.
    #[test]
    fn addresses_keep_library_and_settings(library in "[a-z-]{1,12}", name in "[a-z_.]{1,20}", value in ".{0,12}") {
        let state = choose(&loaded("glue_cola", 128), &library)
            .reduce(Action::Trainer(View::Sequences, Trained::Set(field(&name, &value))));
        let hash = state.hash();
        let written = format!("trainer={library}&trainer.{name}=");
        prop_assert!(hash.contains(&written), "{hash}");
        prop_assert!(hash.is_ascii());
        let again = loaded("glue_cola", 128).reduce(Action::Navigate(hash.clone()));
        prop_assert_eq!(&again.trainer.choice.library, &state.trainer.choice.library);
        prop_assert_eq!(&again.trainer.choice.settings, &state.trainer.choice.settings);
        let restored = again.reduce(Action::Restore("data=glue_cola".to_owned()));
        prop_assert_eq!(&restored.trainer.choice.library, &None);
    }
}

/// The state that has heard the verdict that it asks for.
fn judged(state: &AppState) -> AppState {
    let want = state
        .wanted()
        .into_iter()
        .find(|want| want.lane == Lane::Advice);
    let Some([query]) = want.as_ref().map(|want| &want.queries[..]) else {
        panic!("no verdict is asked for: {want:?}")
    };
    let answer = heard::answer_on(state, query).unwrap();
    state.reduce(heard::known(
        state.sequences.version(),
        query.clone(),
        answer,
    ))
}

/// A press takes the advice, after which there is nothing to change; another setting asks anew.
#[test]
fn the_verdict_on_the_chosen_library_is_taken_by_a_press() {
    for (library, limit) in [("trl", 4096), ("axolotl", 4096), ("llama-factory", 1024)] {
        let state = choose(&loaded("lima_train_chatml", limit), library);
        assert!(state.verdict().is_none());
        let state = judged(&state);
        let verdict = state.verdict().unwrap().unwrap();
        assert!(state.wanted().iter().all(|want| want.lane != Lane::Advice));
        let then = verdict.then.as_ref().unwrap();
        let actions = state.applied(then).into_iter();
        let there = actions.fold(state.clone(), |state, action| state.reduce(action));
        assert_eq!(there.sequences.settings.limit, then.limit[0]);
        let choice = &there.libraries(View::Sequences).choice;
        for field in &then.change.settings {
            assert!(choice.settings.contains(field), "{library}: {field:?}");
        }
        assert!(
            there.verdict().is_none(),
            "the one before is about other settings"
        );
        let there = judged(&there);
        let now = there.verdict().unwrap().unwrap();
        assert!(now.then.is_none(), "{library}: {}", now.sentence);
        let lost = now.now.as_ref().unwrap().lost_share;
        assert!((lost - then.lost_share).abs() < 1e-9, "{library}: {lost}");
    }
    // A library that makes batches has a verdict, too; ranks have a judge of their own.
    let none = loaded("lima_train_chatml", 4096);
    let sampler = Trained::Choose(Some("hf-group-by-length".to_owned()));
    let of_sampler = none
        .reduce(Action::View(View::Batches))
        .reduce(Action::Trainer(View::Batches, sampler));
    let verdict = judged(&of_sampler);
    let sentence = &verdict.verdict().unwrap().unwrap().sentence;
    assert!(sentence.starts_with("Hugging Face"), "{sentence}");
    let ranks = none.reduce(Action::View(View::Ranks));
    assert!(ranks.wanted().iter().all(|want| want.lane != Lane::Advice));
}

/// The figures of the headline and those of the verdict are of the same rows: where the memory does not hold the batch
/// that is installed, both are of as many as fit, and say so.
#[test]
fn headline_and_verdict_have_one_padding() {
    let mut lowered = 0;
    for library in LIBRARIES {
        let state = choose(&loaded("lima_train_chatml", 4096), library.id);
        let (verdict, asked) = (judged(&state), wanted_sheet(&state));
        let verdict = verdict.verdict().unwrap().unwrap();
        let LibraryKind::Sequences(room) = asked.given else {
            panic!("{asked:?}")
        };
        let data = built_in("lima_train_chatml");
        let sheets = packing_sheets(&asked, room, &data, &mut go_on).unwrap();
        let Some(now) = &verdict.now else { continue };
        let about = format!("{}: {} {}", library.id, sheets[0].title, verdict.sentence);
        let rows = " rows at a time";
        assert_eq!(
            sheets[0].title.contains(rows),
            verdict.sentence.contains(rows),
            "{about}"
        );
        lowered += usize::from(sheets[0].title.contains(rows));
        let shown = sheets[0].figures.iter();
        for figure in shown.filter(|figure| figure.id == "padding_share") {
            assert!(
                (figure.exact - now.padding_share).abs() < 0.01,
                "{} {about}",
                figure.exact
            );
        }
    }
    assert!(lowered > 3, "{lowered}");
}
