//! The one setting to change: every other value of every setting is tried, one at a time.

use super::{Answer, Task};
use crate::error::{Error, Result};
use crate::packing::Progress;
use crate::trainer::{Chosen, Tally};
use crate::words::{capital, percent};
use serde::{Deserialize, Serialize};

/// The cost of the settings, and the one change that mends most.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// Losses and rows that are too many, in a sentence or two with the change.
    pub sentence: String,
    /// The setting to change; `None` where no change of one setting mends a percent.
    pub setting: Option<String>,
    /// Its new value.
    pub value: Option<String>,
    /// Share of all tokens that comes back.
    pub regained_share: f64,
    /// Share of the slots for each token that is saved; below 0 where there are more.
    pub saved_share: f64,
    /// Everything that was tried.
    pub tried: Vec<Tried>,
}

/// One change of a setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// The setting.
    pub setting: String,
    /// Its new value.
    pub value: String,
    /// The outcome of the change.
    pub outcome: Outcome,
}

/// The outcome of settings, in short.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Share of all tokens that is not trained.
    pub lost_share: f64,
    /// Slots for each token that is trained; 0 where none is.
    pub slots: f64,
    /// Share of all tokens that is trained without the beginning of its sequence.
    pub cut_share: f64,
}

impl Outcome {
    fn of(tally: &Tally) -> Self {
        let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
        Self {
            lost_share: share(tally.lost_tokens(), tally.tokens()),
            slots: share(tally.slots, tally.real_tokens),
            cut_share: share(tally.cut_tokens, tally.tokens()),
        }
    }

    /// The lower the better: tokens lost in thousandths of all, then slots in hundredths.
    fn cost(&self) -> (u64, u64) {
        ((self.lost_share * 1000.0).round() as u64, (self.slots * 100.0).round() as u64)
    }

    /// Of equal cost, what cuts fewer sequences apart is better.
    fn order(&self) -> (u64, u64, u64) {
        let (lost, slots) = self.cost();
        (lost, slots, (self.cut_share * 100.0).round() as u64)
    }
}

/// Returns advice; `None` where the library refuses the data and no change of one setting helps.
pub(super) fn advice(
    task: &Task,
    chosen: &Chosen,
    answer: &Answer,
    progress: &mut Progress,
) -> Result<Option<Advice>> {
    let now = answer.runs.first().map(|run| Outcome::of(&run.tally));
    let tried = try_all(task, chosen, progress)?;
    let best = tried.iter().min_by_key(|tried| tried.outcome.order());
    let best = best.filter(|best| now.is_none_or(|now| best.outcome.cost() < now.cost()));
    let cost = cost(answer);
    Ok(match (best.cloned(), now) {
        (None, None) => None,
        (None, Some(_)) => Some(Advice {
            sentence: format!("{cost} No change of one setting mends a percent."),
            setting: None,
            value: None,
            regained_share: 0.0,
            saved_share: 0.0,
            tried,
        }),
        (Some(best), now) => Some(Advice {
            sentence: format!("{cost} Set `{}: {}`: {}.", best.setting, best.value, gain(now, best.outcome)),
            regained_share: now.map_or(0.0, |now| now.lost_share - best.outcome.lost_share),
            saved_share: now.map_or(0.0, |now| saved(now, best.outcome)),
            setting: Some(best.setting),
            value: Some(best.value),
            tried,
        }),
    })
}

/// Returns what every other value of every setting gives, with the first seed, where the library takes the data and does
/// not stop packing.
fn try_all(task: &Task, chosen: &Chosen, progress: &mut Progress) -> Result<Vec<Tried>> {
    let packs = chosen.recipe().is_ok_and(|recipe| recipe.block.packs());
    let mut tried = Vec::new();
    for setting in chosen.library.settings {
        for &value in setting.alternatives() {
            let mut other = chosen.clone();
            if chosen.get(setting.name) == value || other.set(setting.name, value).is_err() {
                continue;
            }
            let Ok(recipe) = other.recipe() else { continue };
            // Less padding by one sequence a row is no advice: steps are many times as many.
            if packs && !recipe.block.packs() {
                continue;
            }
            match task.run(&recipe, task.request.seed, progress) {
                Ok(run) => tried.push(Tried {
                    setting: setting.name.to_owned(),
                    value: value.to_owned(),
                    outcome: Outcome::of(&run.tally),
                }),
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                Err(_) => {}
            }
        }
    }
    Ok(tried)
}

/// Returns the share of the slots for each token that is saved.
fn saved(now: Outcome, then: Outcome) -> f64 {
    if now.slots > 0.0 && then.slots > 0.0 { 1.0 - then.slots / now.slots } else { 0.0 }
}

/// Returns what a change gives, and what it takes.
fn gain(now: Option<Outcome>, then: Outcome) -> String {
    let mut gain = Vec::new();
    match now {
        None => gain.push("it takes the data".to_owned()),
        Some(now) => {
            let (regained, saved) = (now.lost_share - then.lost_share, saved(now, then));
            if regained >= 0.0005 {
                gain.push(format!("{} of the tokens come back", percent(regained)));
            }
            if saved >= 0.005 {
                gain.push(format!("{} fewer slots for each token", percent(saved)));
            } else if saved <= -0.005 {
                gain.push(format!("{} more slots for each token", percent(-saved)));
            }
        }
    }
    let before = now.map_or(0.0, |now| now.cut_share);
    if then.cut_share >= before + 0.005 {
        gain.push(format!("{} then do not see the beginning of their sequence", percent(then.cut_share)));
    }
    gain.join(", ")
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
