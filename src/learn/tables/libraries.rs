//! Every training library on ShareGPT: as installed, and with the change that the judge advises.

use super::{NO_NOTES, cited, shown};
use crate::learn::{Chapter, ChapterContext, ChapterPart, ChapterView, Opens};
use crate::query::{Answer, Query, QueryData, Request};
use crate::state::speedup::findings::{model_name, short_accelerator};
use crate::state::trainer::library_names;
use crate::state::{Action, AppState, Source, View};
use packscope::export::libraries::{JudgedLibrary, judged_table};
use packscope::histogram::{Histogram, Preset};
use packscope::words::count;
use std::rc::Rc;

const DATA: &str = "sharegpt_8k_llama2";

pub const PAGE: Chapter = Chapter {
    id: "libraries",
    title: "Training libraries on ShareGPT",
    keep: "",
    notes: NO_NOTES,
    minutes: 0,
    needs: &[DATA],
    knobs: &[],
    show,
    asks,
    opens: |_| {
        let limit = Preset::find(DATA).map_or(0, Preset::limit);
        Opens {
            settings: format!("data={DATA}&limit={limit}&room=compare"),
            part: Some("trainer"),
            ..Opens::built_in(View::Sequences, "")
        }
        .saying("the same libraries in the tool, at settings of your own, and on your own data")
    },
    sources: &[],
};

/// Returns the tool as it opens on these data: what suits them is set.
fn tool(here: &ChapterContext<'_>) -> Option<AppState> {
    let preset = Preset::find(DATA)?;
    let lengths = here.set(DATA)?.iter().copied();
    let lengths = Rc::new(Histogram::from_lengths(lengths).ok()?);
    let loaded = Action::Loaded(Source::Preset(preset), lengths, Some(preset.limit()));
    Some(AppState::default().reduce(loaded))
}

/// Asks for one verdict after the other, so that each row stands as soon as it is known.
fn asks(here: &ChapterContext<'_>) -> Vec<(&'static str, Request)> {
    let (Some(tool), Some(lengths)) = (tool(here), here.set(DATA)) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for &(id, _) in library_names(View::Sequences) {
        let Some(case) = tool.case_as_installed(id) else {
            continue;
        };
        let request = Request {
            data: QueryData::Lengths(lengths.to_vec()),
            query: Query::Advice(Box::new(case)),
        };
        let known = here.is_answer_to(id, &request);
        all.push((id, request));
        if !known {
            break;
        }
    }
    all
}

/// The columns on the page; the file has all.
const SHOWN: [&str; 10] = [
    "library",
    "padding_now",
    "lost_now",
    "hours_now",
    "change",
    "computed",
    "lost_share",
    "cut_share",
    "hours",
    "speedup",
];

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let names = library_names(View::Sequences);
    let known = |(id, _): &(&'static str, &'static str)| {
        let verdict = match (here.answer(id), here.refusal(id)) {
            (Some(Answer::Advice(verdict)), _) => Ok(&**verdict),
            (_, Some(why)) => Err(why),
            _ => return None,
        };
        Some(JudgedLibrary { id, verdict })
    };
    let rows: Vec<JudgedLibrary> = names.iter().filter_map(known).collect();
    let table = judged_table(&rows);
    let all = names.len();
    let mut parts = vec![ChapterPart::Text(introduction(here))];
    if rows.len() < all {
        let state = match here.is_absent(DATA) {
            true => "The data could not be loaded; they are asked for again when this page is opened again.".to_owned(),
            false => format!("{} of {all} are judged; the others follow.", rows.len()),
        };
        parts.push(ChapterPart::Text(state));
    }
    let label = "Training libraries as installed and as advised";
    parts.push(ChapterPart::Table(shown(&table, &SHOWN, label)));
    parts.push(ChapterPart::Text(NOTE.to_owned()));
    parts.extend(cited(&PAGE, &table, rows.len() == all));
    ChapterView {
        finding: format!("{} training libraries on ShareGPT", count(all as u64)),
        parts,
        notice: String::new(),
        task: String::new(),
        conditions: Vec::new(),
        found: String::new(),
    }
}

const NOTE: &str = "The first three figures are of the library as it is installed, those after the change as advised. Loses: tokens \
    that are cut off, dropped or left over. Slots a token: slots computed for each token that is trained. Cut apart: tokens \
    trained without the beginning of their sequence. An epoch and the gain are estimates, at the same tokens a step on both \
    sides; the gain is for each token. The list begins with what is used most.";

fn introduction(here: &ChapterContext<'_>) -> String {
    let on = tool(here).map_or_else(String::new, |tool| {
        let a = tool.speedup.assumptions();
        format!(
            " The model is {}, on {} of {}.",
            model_name(&tool),
            count(u64::from(a.accelerators)),
            short_accelerator(tool.speedup.accelerator.name),
        )
    });
    let preset = Preset::find(DATA);
    let (about, limit) = preset.map_or(("", 0), |preset| (preset.about, preset.limit()));
    format!(
        "{} Rows have {} slots.{on} Each library packs, batches and cuts as its own code does, read at the version that its \
         source names.",
        super::plain(about),
        count(u64::from(limit)),
    )
}
