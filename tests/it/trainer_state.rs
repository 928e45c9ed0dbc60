//! Libraries in the state of the page: what is asked when, what is kept, and in which words.

use crate::common::built_in;
use packscope::api::Query;
use packscope::api::trainer::{Asked, Question, Request, Shown, shown};
use packscope::histogram::Preset;
use packscope::packing::go_on;
use packscope::state::trainer::Action as Trained;
use packscope::state::{Action, AppState, Source};
use packscope::trainer::batches::Room;
use packscope::trainer::{Field, LIBRARIES, Sequences};
use proptest::prelude::*;
use std::rc::Rc;

fn loaded(id: &str, limit: u32) -> AppState {
    let preset = Preset::find(id).unwrap();
    AppState::default().reduce(Action::Loaded(Source::Preset(preset), Rc::new(built_in(id)), Some(limit)))
}

fn told(state: &AppState, asked: &Asked) -> AppState {
    let data = state.sequences.data.as_ref().unwrap();
    let found = shown(&data.histogram, asked, &mut go_on).unwrap();
    state.reduce(Action::Trainer(Trained::Heard(data.version, asked.clone(), Rc::new(found))))
}

fn choose(state: &AppState, library: &str) -> AppState {
    state.reduce(Action::Trainer(Trained::Choose(Some(library.to_owned()))))
}

fn field(name: &str, value: &str) -> Field {
    Field { name: name.to_owned(), value: value.to_owned() }
}

#[test]
fn the_chosen_library_is_asked_about_first_and_nothing_that_is_known() {
    let state = choose(&loaded("sharegpt_8k_llama2", 4096), "axolotl");
    assert_eq!(state.trainer_wanted(), None, "out of view");
    let beside = Rc::new(vec!["trl".to_owned(), "axolotl".to_owned()]);
    let state =
        state.reduce(Action::Trainer(Trained::InView(true))).reduce(Action::Trainer(Trained::Beside(beside)));
    let first = state.trainer_wanted().unwrap();
    assert_eq!((first.library.as_str(), first.thorough, first.limit), ("axolotl", true, 4096));
    let state = told(&state, &first);
    let second = state.trainer_wanted().unwrap();
    assert_eq!((second.library.as_str(), second.thorough), ("trl", false));
    let state = told(&state, &second);
    assert_eq!(state.trainer_wanted(), None, "{:?}", state.trainer_wanted());
    // Its own settings are another question, and the answer to the old one is not theirs.
    let set = state.reduce(Action::Trainer(Trained::Set(field("excess_length_strategy", "truncate"))));
    assert_eq!(set.trainer_wanted().unwrap().settings, [field("excess_length_strategy", "truncate")]);
    assert!(set.trainer.shown("axolotl").is_none() && set.trainer.shown("trl").is_some());
    // At another limit nothing is known.
    let other = state.reduce(Action::Limit(2048));
    assert!(other.trainer.shown("axolotl").is_none());
    assert_eq!(other.trainer_wanted().unwrap().limit, 2048);
    // An answer about the limit before comes too late.
    assert!(told(&other, &first).trainer.shown("axolotl").is_none());
}

#[test]
fn what_a_library_does_is_said_with_its_limit() {
    let state =
        choose(&loaded("sharegpt_8k_llama2", 4096), "axolotl").reduce(Action::Trainer(Trained::InView(true)));
    let state = told(&state, &state.trainer_wanted().unwrap());
    let found = state.trainer.shown("axolotl").unwrap();
    assert_eq!(state.of_trainer("Axolotl", found), "Axolotl drops 54.3 % of the tokens at a limit of 4,096");
    assert_eq!(found.change, Some(field("excess_length_strategy", "truncate")));
    // Rows that are not padded are not too many.
    for (library, wanted) in [
        ("trl", "It pads nothing at a limit of 512"),
        ("unsloth", "It packs nothing, and pads nothing, at a limit of 512"),
        ("torchtune", "It computes 18.7 % more than the best plan at a limit of 512"),
    ] {
        let state = choose(&loaded("gsm8k_train", 512), library);
        let state = state.reduce(Action::Trainer(Trained::InView(true)));
        let state = told(&state, &state.trainer_wanted().unwrap());
        assert_eq!(state.of_trainer("It", state.trainer.shown(library).unwrap()), wanted);
    }
    let refused = Shown { figures: None, refused: Some("so".to_owned()), ..(**found).clone() };
    assert_eq!(state.of_trainer("Axolotl", &refused), "Axolotl refuses these data");
}

#[test]
fn a_page_shows_what_the_command_line_answers() {
    let data = built_in("squad_1_1_bert_384");
    let request = Request::<Sequences> {
        counts: data.lengths(),
        order: Vec::new(),
        given: Room { limit: 384, batch: 64 },
        question: Question::All,
        seed: 0,
        seeds: 2,
        optimum: false,
    };
    let answers = request.run(&mut go_on).unwrap().answers;
    for (library, answer) in LIBRARIES.iter().zip(answers) {
        let asked = Asked {
            library: library.id.to_owned(),
            settings: Vec::new(),
            limit: 384,
            batch: 64,
            seeds: 2,
            thorough: false,
        };
        let found = shown(&data, &asked, &mut go_on).unwrap();
        assert_eq!((found.figures, found.refused), (answer.figures, answer.about.refused), "{}", library.id);
    }
}

#[test]
fn a_library_that_there_is_not_is_refused_in_words() {
    let data = built_in("glue_cola");
    let asked = |library: &str, settings: Vec<Field>| Asked {
        library: library.to_owned(),
        settings,
        limit: 128,
        batch: 64,
        seeds: 1,
        thorough: true,
    };
    let none = shown(&data, &asked("nobody", Vec::new()), &mut go_on).unwrap();
    assert!(none.refused.unwrap().contains("nobody"));
    let none = shown(&data, &asked("trl", vec![field("packing_strategy", "best")]), &mut go_on).unwrap();
    assert!(none.refused.unwrap().contains("bfd_split"));
}

#[test]
fn an_address_of_any_view_keeps_the_library() {
    let chosen = choose(&AppState::default(), "axolotl")
        .reduce(Action::Trainer(Trained::Set(field("excess_length_strategy", "truncate"))));
    for view in packscope::state::View::ALL {
        let written = chosen.reduce(Action::View(view)).hash();
        let read = AppState::default().reduce(Action::Navigate(written.clone()));
        assert_eq!(read.trainer.choice.library.as_deref(), Some("axolotl"), "{written}");
        assert_eq!(read.trainer.choice.settings, chosen.trainer.choice.settings, "{written}");
    }
    // Settings of no library are none.
    let none =
        AppState::default().reduce(Action::Navigate("trainer.excess_length_strategy=truncate".to_owned()));
    assert!(none.trainer.choice.settings.is_empty());
}

proptest! {
    /// Whatever a setting's value is, the address gives it back.
    #[test]
    fn addresses_keep_library_and_settings(library in "[a-z-]{1,12}", name in "[a-z_.]{1,20}", value in ".{0,12}") {
        let state = choose(&loaded("glue_cola", 128), &library)
            .reduce(Action::Trainer(Trained::Set(field(&name, &value))));
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
