//! Tables to cite: their rows come one after the other, with the figures of the tool.

use super::fetched;
use crate::heard;
use packscope::histogram::Preset;
use packscope_page::learn::{Chapter, ChapterPart, ChapterView, TABLE_TITLES, TABLES};
use packscope_page::query::{Query, Request, TimedAnswer};
use packscope_page::state::learn::{Action as Learn, LessonAnswer};
use packscope_page::state::trainer::{Action as Trained, library_names};
use packscope_page::state::{Action, AppState, Source, Tab, View};
use std::rc::Rc;

/// A table by its address, with the sets that it fetches.
fn opens(id: &str) -> (&'static Chapter, AppState) {
    let address = format!("view=learn&chapter={id}");
    let mut state = AppState::default().reduce(Action::Navigate(address));
    let page = Chapter::named(&state.learn.chapter);
    assert_eq!(page.id, id);
    for set in page.missing(&state.learn) {
        let lengths = Rc::new(fetched(set).lengths());
        state = state.reduce(Action::Learn(Learn::Loaded(set, Some(lengths))));
    }
    (page, state)
}

/// The next question, which is the only one that is open.
fn next(page: &Chapter, state: &AppState) -> Option<(&'static str, Request)> {
    let mut open = page.unanswered(&page.context(&state.learn));
    assert!(open.len() <= 1, "{} at once", open.len());
    open.pop()
}

fn answered(state: &AppState, (name, request): (&str, Request)) -> AppState {
    let outcome = heard::answer(&request).map_err(|e| e.to_string());
    let answered = TimedAnswer {
        outcome,
        seconds: 0.001,
    };
    let answer = LessonAnswer { request, answered };
    state.reduce(Action::Learn(Learn::Answered(vec![(
        name.to_owned(),
        answer,
    )])))
}

fn sees(page: &Chapter, state: &AppState) -> ChapterView {
    (page.show)(&page.context(&state.learn))
}

fn rows(view: &ChapterView) -> Vec<Vec<String>> {
    view.parts
        .iter()
        .find_map(|part| match part {
            ChapterPart::Table(table) => Some(table.rows.clone()),
            _ => None,
        })
        .unwrap()
}

fn file(view: &ChapterView) -> Option<&str> {
    view.parts.iter().find_map(|part| match part {
        ChapterPart::Code(_, csv, _) => Some(csv.as_str()),
        _ => None,
    })
}

#[test]
fn addresses_of_tables_stay_and_say_how_to_cite_them() {
    assert_eq!(TABLES.len(), TABLE_TITLES.len());
    for (id, title) in [
        ("libraries", "Training libraries on ShareGPT"),
        ("datasets", "Padding of the built-in data sets"),
    ] {
        let (page, state) = opens(id);
        assert!(page.is_table() && TABLE_TITLES.contains(&(id, title)));
        let texts: Vec<String> = sees(page, &state)
            .parts
            .into_iter()
            .filter_map(|part| match part {
                ChapterPart::Text(text) => Some(text),
                _ => None,
            })
            .collect();
        let cite = texts.iter().find(|text| text.contains("How to cite"));
        let cite = cite.unwrap();
        for part in [title, env!("CARGO_PKG_VERSION"), &*page.address()] {
            assert!(cite.contains(part), "{part}: {cite}");
        }
    }
}

#[test]
fn every_data_set_has_its_row() {
    let (page, mut state) = opens("datasets");
    assert!(file(&sees(page, &state)).is_none());
    let mut count = 0;
    while let Some(asked) = next(page, &state) {
        assert_eq!(rows(&sees(page, &state)).len(), count);
        state = answered(&state, asked);
        count += 1;
    }
    let view = sees(page, &state);
    assert_eq!(count, Preset::ALL.len());
    let shown = rows(&view);
    assert_eq!(shown.len(), count);
    assert!(view.finding.starts_with(&count.to_string()));
    // Wikipedia for BERT: half is padding at the limit, and LPFHP leaves 0.05 %.
    let wikipedia = &shown[0];
    assert_eq!(wikipedia[1], "16,279,552");
    assert_eq!([&*wikipedia[4], &wikipedia[6]], ["50.0 %", "0.05 %"]);
    let csv = file(&view).unwrap();
    assert_eq!(csv.trim_end().lines().count(), count + 1);
    // No plan is below its bound, and no packing above its batches.
    let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let at = |name: &str| header.iter().position(|other| *other == name).unwrap();
    for line in csv.lines().skip(1) {
        // Names of sets have no commas.
        let cells: Vec<&str> = line.split(',').collect();
        let number = |name: &str| cells[at(name)].parse::<f64>().unwrap();
        let packed = number("padding_share");
        assert!(number("least_padding_share") <= packed + 1e-9, "{line}");
        assert!(packed <= number("limit_padding_share") + 1e-9, "{line}");
    }
}

#[test]
fn libraries_are_judged_as_the_tool_judges_them() {
    let (page, mut state) = opens("libraries");
    // The tool on the same data, with all libraries side by side.
    let preset = Preset::find("sharegpt_8k_llama2").unwrap();
    let lengths = Rc::new(fetched(preset.id));
    let ids = library_names(View::Sequences).iter();
    let ids: Vec<String> = ids.map(|(id, _)| (*id).to_owned()).collect();
    let act = |action| Action::Trainer(View::Sequences, action);
    let tool = [
        Action::Loaded(Source::Preset(preset), lengths, Some(preset.limit())),
        Action::Room(Tab::Compare),
        act(Trained::InView(true)),
        act(Trained::Beside(Rc::new(ids.clone()))),
    ]
    .into_iter()
    .fold(AppState::default(), |state, action| state.reduce(action));
    let asked = next(page, &state).unwrap();
    assert_eq!(asked.0, ids[0]);
    assert_eq!(tool.trainer_wanted().as_ref(), Some(&asked.1.query));
    assert!(matches!(asked.1.query, Query::Advice(_)));
    // Rows come one after the other, and the file with the last.
    for count in 0..2 {
        let view = sees(page, &state);
        assert_eq!(rows(&view).len(), count);
        assert!(file(&view).is_none());
        let asked = next(page, &state).unwrap();
        state = answered(&state, asked);
    }
    let view = sees(page, &state);
    assert_eq!(
        view.finding,
        format!("{} training libraries on ShareGPT", ids.len())
    );
    assert_eq!(rows(&view)[0][0], ids[0]);
}
