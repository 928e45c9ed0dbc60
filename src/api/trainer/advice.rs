//! The one setting to change: every other value of every setting is tried, one at a time.

use super::{Answer, Run, Task};
use crate::error::{Error, Result};
use crate::packing::Progress;
use crate::trainer::{Chosen, Recipe};
use crate::words::{capital, percent};
use serde::{Deserialize, Serialize};

/// What the settings cost, and the one change that mends most.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// What is lost, and how many rows are too many, in a sentence or two with the change.
    pub sentence: String,
    /// The setting to change; `None` where no change of one setting mends a percent.
    pub setting: Option<String>,
    /// Its new value.
    pub value: Option<String>,
    /// Share of all tokens that comes back.
    pub regained_share: f64,
    /// Share of the slots that is saved; below 0 where there are more.
    pub saved_share: f64,
    /// What was tried: (setting, value, share of tokens lost, slots a token that is trained).
    pub tried: Vec<(String, String, f64, f64)>,
}

/// The merit of a run: tokens that are lost in thousandths of all, slots a trained token in hundredths, tokens cut apart.
type Merit = (u64, u64, u64);

fn merit(recipe: &Recipe, run: &Run) -> Merit {
    let tally = &run.tally;
    let parts = |part: u64, whole: u64, of: f64| (part as f64 / whole.max(1) as f64 * of).round() as u64;
    let lost = parts(tally.lost_tokens(), tally.tokens(), 1000.0);
    (lost, (slots(recipe, run) * 100.0).round() as u64, parts(tally.cut_tokens, tally.tokens(), 100.0))
}

/// Returns the slots a trained token takes. Rows that are not padded still end steps early, and count alike.
fn slots(_: &Recipe, run: &Run) -> f64 {
    run.tally.slots as f64 / run.tally.real_tokens.max(1) as f64
}

/// Returns advice; `None` where the library refuses the data and no change of one setting helps.
pub(super) fn advice(
    task: &Task,
    chosen: &Chosen,
    answer: &Answer,
    progress: &mut Progress,
) -> Result<Option<Advice>> {
    let seed = task.request.seed;
    let recipe = chosen.recipe().ok();
    let now = recipe.as_ref().zip(answer.runs.first());
    let mut best: Option<(Merit, &'static str, &'static str, Run, f64)> = None;
    let mut tried = Vec::new();
    for setting in chosen.library.settings {
        for &value in setting.alternatives() {
            let mut other = chosen.clone();
            if chosen.get(setting.name) == value || other.set(setting.name, value).is_err() {
                continue;
            }
            let Ok(recipe) = other.recipe() else { continue };
            let run = match task.run(&recipe, seed, progress) {
                Ok(run) => run,
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                Err(_) => continue,
            };
            let (merit, slots) = (merit(&recipe, &run), slots(&recipe, &run));
            let lost = run.tally.lost_tokens() as f64 / run.tally.tokens().max(1) as f64;
            tried.push((setting.name.to_owned(), value.to_owned(), lost, slots));
            if best.as_ref().is_none_or(|best| merit < best.0) {
                best = Some((merit, setting.name, value, run, slots));
            }
        }
    }
    let better = best.filter(|best| {
        now.is_none_or(|(recipe, run)| {
            (best.0.0, best.0.1) < {
                let m = merit(recipe, run);
                (m.0, m.1)
            }
        })
    });
    let before = now.map(|(recipe, run)| {
        (run.tally.lost_tokens() as f64 / run.tally.tokens().max(1) as f64, slots(recipe, run))
    });
    let cost = cost(answer);
    let Some((_, setting, value, run, slots)) = better else {
        let sentence = format!("{cost} No change of one setting mends a percent.");
        return Ok(now.map(|_| Advice {
            sentence,
            setting: None,
            value: None,
            regained_share: 0.0,
            saved_share: 0.0,
            tried,
        }));
    };
    let lost = run.tally.lost_tokens() as f64 / run.tally.tokens().max(1) as f64;
    let regained = before.map_or(0.0, |(before, _)| before - lost);
    let saved = before.map_or(0.0, |(_, before)| 1.0 - slots / before);
    let mut gain = Vec::new();
    if regained >= 0.0005 {
        gain.push(format!("{} of the tokens come back", percent(regained)));
    }
    if saved >= 0.005 {
        gain.push(format!("{} fewer slots a token", percent(saved)));
    }
    if before.is_none() {
        gain.push("it takes the data".to_owned());
    }
    let cut = run.tally.cut_tokens as f64 / run.tally.tokens().max(1) as f64;
    if cut >= 0.005 {
        gain.push(format!("{} then do not see the beginning of their sequence", percent(cut)));
    }
    Ok(Some(Advice {
        sentence: format!("{cost} Set `{setting}: {value}`: {}.", gain.join(", ")),
        setting: Some(setting.to_owned()),
        value: Some(value.to_owned()),
        regained_share: regained,
        saved_share: saved,
        tried,
    }))
}

/// Returns what the settings cost, in a sentence.
fn cost(answer: &Answer) -> String {
    if let Some(refused) = &answer.refused {
        return format!("It refuses these data: {refused}.");
    }
    let Some(figures) = &answer.figures else { return String::new() };
    let mut parts = Vec::new();
    if figures.dropped_share > 0.0 {
        parts.push(format!("{} of the tokens are dropped", percent(figures.dropped_share)));
    }
    if figures.truncated_share > 0.0 {
        parts.push(format!("{} of the tokens are cut off", percent(figures.truncated_share)));
    }
    if figures.cut_share > 0.0 {
        parts.push(format!("{} do not see the beginning of their sequence", percent(figures.cut_share)));
    }
    match figures.above_best {
        Some(above) if above >= 0.00005 => {
            parts.push(format!("{} more rows than the best plan", percent(above)));
        }
        _ => parts.push("no more rows than the best plan".to_owned()),
    }
    format!("{}.", capital(&parts.join(", ")))
}
