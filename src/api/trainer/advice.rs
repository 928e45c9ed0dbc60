//! The one setting to change: every other value of every setting is tried, one at a time.

use super::figures::part;
use super::{About, Answer, Figures, Task, taken};
use crate::error::Result;
use crate::packing::Progress;
use crate::trainer::{Chosen, Kind, Recipe, Tally};
use crate::words::{capital, percent};
use serde::{Deserialize, Serialize};

/// The cost of the settings, and the single change that helps most.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// Losses and rows that are too many, in a sentence or two with the change.
    pub sentence: String,
    /// The setting to change; `None` where no single change helps: by a thousandth of the tokens that are lost, by a
    /// hundredth of a slot per token, or, where nothing is packed and nothing padded, by a tenth of the rows.
    pub setting: Option<String>,
    /// Its new value.
    pub value: Option<String>,
    /// Share of all tokens that comes back.
    pub regained_share: f64,
    /// Share of the computed slots per trained token that the change saves; negative if it needs more.
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
    /// Share of all tokens, or graphs, that is not trained.
    pub lost_share: f64,
    /// Slots that are computed for each token, or each node and edge, that is trained; 0 where none is.
    pub slots: f64,
    /// Share of all tokens that is trained without the beginning of its sequence.
    pub cut_share: f64,
    /// Rows, or batches.
    pub rows: u64,
    /// Whether rows hold several sequences; `false` for batches.
    pub packs: bool,
}

impl Outcome {
    fn new(tally: &Tally, recipe: &Recipe) -> Self {
        // Room in rows that are not padded is not computed.
        let slots = if recipe.padded { tally.slots } else { tally.real_tokens };
        Self {
            lost_share: part(tally.lost_tokens(), tally.tokens()),
            slots: part(slots, tally.real_tokens),
            cut_share: part(tally.cut_tokens, tally.tokens()),
            rows: tally.rows,
            packs: recipe.block.packs(),
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

    /// Whether a change to this outcome is worth naming.
    fn helps(&self, now: &Self) -> bool {
        let gains = now.lost_share - self.lost_share >= TOKENS || saved(*now, *self) >= SLOTS;
        self.cost() < now.cost() && gains || self.cost() == now.cost() && self.fuller(now).is_some()
    }

    /// Returns the share of the rows that packing saves where nothing was packed.
    fn fuller(&self, now: &Self) -> Option<f64> {
        let fewer = 1.0 - part(self.rows, now.rows);
        (self.packs && !now.packs && fewer >= ROWS).then_some(fewer)
    }
}

/// The least share of all tokens, of the slots for each token, and of the rows, that is worth naming.
const TOKENS: f64 = 0.0005;
const SLOTS: f64 = 0.005;
const ROWS: f64 = 0.1;

/// The words for what is lost, and for what has slots.
pub(super) type Nouns = (&'static str, &'static str);

/// Returns advice; `None` where the library refuses the data and no change of one setting helps.
pub(super) fn advice(
    task: &Task,
    chosen: &Chosen,
    answer: &Answer,
    progress: &mut Progress,
) -> Result<Option<Advice>> {
    let present = chosen.recipe().ok();
    let now = present.as_ref().zip(answer.runs.first());
    let now = now.map(|(recipe, run)| Outcome::new(&run.tally, recipe));
    let packs = present.as_ref().is_some_and(|recipe| recipe.block.packs());
    let tried = each(chosen, |recipe| {
        // Less padding by one sequence a row is no advice: steps are many times as many.
        if packs && !recipe.block.packs() {
            return Ok(None);
        }
        Ok(Some(Outcome::new(&task.run(recipe, task.request.seed, progress)?.tally, recipe)))
    })?;
    let parts = present.as_ref().zip(answer.figures.as_ref());
    let cost = cost(&answer.about, parts.map(|(recipe, figures)| self::parts(figures, recipe)));
    Ok(judged(now, tried, &cost, ("tokens", "token")))
}

/// As many times the batches, at most, may a change of a setting take.
const MORE: f64 = 1.1;

/// Returns advice on libraries that make batches. `now` is the outcome of the present settings, `run` returns that of
/// others; `cost` is what the present settings cost, in a sentence.
pub(super) fn of_batches<K: Kind>(
    chosen: &Chosen<K>,
    now: Option<Outcome>,
    mut run: impl FnMut(&K::Recipe) -> Result<Outcome>,
    cost: &str,
    nouns: Nouns,
) -> Result<Option<Advice>> {
    let tried = each(chosen, |recipe| {
        let outcome = run(recipe)?;
        // Less padding by many more steps is no advice.
        let many = now.is_some_and(|now| outcome.rows as f64 > now.rows as f64 * MORE);
        Ok((!many).then_some(outcome))
    })?;
    Ok(judged(now, tried, cost, nouns))
}

/// Returns the outcome of every other value of every setting, of a library of any kind, where it takes the data and
/// `run` returns one.
fn each<K: Kind>(
    chosen: &Chosen<K>,
    mut run: impl FnMut(&K::Recipe) -> Result<Option<Outcome>>,
) -> Result<Vec<Tried>> {
    let mut tried = Vec::new();
    for setting in chosen.library.settings {
        for &value in setting.alternatives() {
            let mut other = chosen.clone();
            if chosen.get(setting.name) == value || other.set(setting.name, value).is_err() {
                continue;
            }
            let Ok(recipe) = other.recipe() else { continue };
            if let Ok(Some(outcome)) = taken(run(&recipe))? {
                tried.push(Tried { setting: setting.name.to_owned(), value: value.to_owned(), outcome });
            }
        }
    }
    Ok(tried)
}

/// Returns the best of what was tried, after a sentence on what the present settings cost; `None` where the library
/// refuses the data and nothing helps.
fn judged(now: Option<Outcome>, tried: Vec<Tried>, cost: &str, nouns: Nouns) -> Option<Advice> {
    let better = tried.iter().filter(|tried| now.is_none_or(|now| tried.outcome.helps(&now)));
    let best = better.min_by_key(|tried| tried.outcome.order()).cloned();
    if best.is_none() && now.is_none() {
        return None;
    }
    let next = best.as_ref().map_or_else(
        || "No change of one setting helps noticeably.".to_owned(),
        |best| format!("Set `{}: {}`: {}.", best.setting, best.value, gain(now, best.outcome, nouns)),
    );
    let (before, after) = (now.as_ref(), best.as_ref().map(|best| best.outcome));
    let gained = |of: fn(&Outcome, &Outcome) -> f64| match (before, &after) {
        (Some(before), Some(after)) => of(before, after),
        _ => 0.0,
    };
    Some(Advice {
        sentence: format!("{cost} {next}"),
        regained_share: gained(|before, after| before.lost_share - after.lost_share),
        saved_share: gained(|before, after| saved(*before, *after)),
        setting: best.as_ref().map(|best| best.setting.clone()),
        value: best.map(|best| best.value),
        tried,
    })
}

/// Returns the share of the slots for each token that is saved.
fn saved(now: Outcome, then: Outcome) -> f64 {
    if now.slots > 0.0 && then.slots > 0.0 { 1.0 - then.slots / now.slots } else { 0.0 }
}

/// Returns what a change gives, and what it takes.
fn gain(now: Option<Outcome>, then: Outcome, (lost, slots): Nouns) -> String {
    let mut gain = Vec::new();
    match now {
        None => gain.push("it takes the data".to_owned()),
        Some(now) => {
            let (regained, saved) = (now.lost_share - then.lost_share, saved(now, then));
            if regained >= TOKENS {
                gain.push(format!("{} of the {lost} come back", percent(regained)));
            }
            if saved >= SLOTS {
                gain.push(format!("{} fewer slots for each {slots}", percent(saved)));
            } else if saved <= -SLOTS {
                gain.push(format!("{} more slots for each {slots}", percent(-saved)));
            } else if let Some(fewer) = then.fuller(&now) {
                gain.push(format!(
                    "{} fewer rows, each nearly full: steps are fewer, and even",
                    percent(fewer)
                ));
            }
        }
    }
    let before = now.map_or(0.0, |now| now.cut_share);
    if then.cut_share >= before + 0.005 {
        gain.push(format!("{} then do not see the beginning of their sequence", percent(then.cut_share)));
    }
    gain.join(", ")
}

/// Returns what the settings cost, in a sentence with these parts; or why the library refuses the data.
pub(super) fn cost(about: &About, parts: Option<Vec<String>>) -> String {
    match (&about.refused, parts) {
        (Some(refused), _) => format!("It refuses these data: {refused}."),
        (None, Some(parts)) => format!("{}.", capital(&parts.join(", "))),
        (None, None) => String::new(),
    }
}

/// Returns the shares above 0, each with its words behind it.
pub(super) fn some_shares<const N: usize>(shares: [(f64, &str); N]) -> Vec<String> {
    let some = shares.into_iter().filter(|(share, _)| *share > 0.0);
    some.map(|(share, words)| format!("{} {words}", percent(share))).collect()
}

/// Returns the parts of [`cost`].
fn parts(figures: &Figures, recipe: &Recipe) -> Vec<String> {
    let mut parts = some_shares([
        (figures.dropped_share, "of the tokens are dropped"),
        (figures.truncated_share, "of the tokens are cut off"),
        (figures.cut_share, "do not see the beginning of their sequence"),
    ]);
    parts.push(match (figures.above_best, recipe.padded) {
        (_, false) if !recipe.block.packs() => {
            "nothing is padded, and nothing is packed: each row is one sequence".to_owned()
        }
        (Some(above), padded) if above >= 0.00005 => {
            let room = if padded { "" } else { ", but their room is not computed" };
            format!("{} more rows than the best plan{room}", percent(above))
        }
        _ => "no more rows than the best plan".to_owned(),
    });
    parts
}
