//! Advice on the one setting to change: every other value of every setting is tried, one at a time.

use super::figures::some_shares;
use super::pass::{Nouns, Pass, PassTask};
use super::{LibraryAnswer, LibraryAtSettings, refusal_of};
use crate::error::Result;
use crate::packing::Progress;
use crate::trainer::{LibraryFamily, LibrarySettings, PassCost, Setting, SettingValue};
use crate::words::{capital, percent};
use serde::{Deserialize, Serialize};

/// The cost of the settings, and the single change that helps most.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// A sentence or two on the losses and excess rows, with the change.
    pub sentence: String,
    /// The setting to change; `None` where no single change helps: by a two-thousandth of the tokens, by half a percent
    /// of the slots, or, if nothing is packed or padded so far, by a tenth of the rows.
    pub setting: Option<String>,
    /// Its new value, as [`SettingValue`] has it.
    pub value: Option<String>,
    /// The gain of the change, in a few words; empty without one.
    pub gain: String,
    /// The gain in one number, to sort libraries by: the two shares below, less the tokens cut apart.
    pub worth: f64,
    /// Share of all tokens that the change recovers.
    pub regained_share: f64,
    /// Share of the computed slots per trained token that the change saves; negative if it needs more.
    pub saved_share: f64,
    /// All changes that were tried and not ruled out, in the order of the settings.
    pub tried: Vec<SettingTrial>,
}

impl Advice {
    /// Returns the change, if there is one.
    pub fn field(&self) -> Option<SettingValue> {
        Some(SettingValue {
            name: self.setting.clone()?,
            value: self.value.clone()?,
        })
    }
}

/// One change of a setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SettingTrial {
    /// The name of the setting that is changed.
    pub setting: String,
    /// The value that was tried.
    pub value: String,
    /// The cost of a pass with this value, all else unchanged.
    #[serde(flatten)]
    pub outcome: PassCost,
}

/// Returns advice; `None` if the library refuses the data and no change of one setting helps.
pub(super) fn advice<K: Pass>(
    task: &PassTask<K>,
    chosen: &LibrarySettings<K>,
    answer: &LibraryAnswer<K>,
    progress: &mut Progress,
) -> Result<Option<Advice>> {
    let present = chosen.recipe().ok();
    let now = match &present {
        Some(recipe) => K::now(task, recipe, answer, progress)?,
        None => None,
    };
    // A change that saves padding with many more steps, or stops packing, is not advised.
    let worse = |now: PassCost, then: PassCost| {
        then.rows as f64 > now.rows as f64 * K::MORE || now.packs && !then.packs
    };
    let tried = try_each_value(chosen, now, |recipe| {
        let then = K::cost(task, recipe, progress)?;
        Ok((!now.is_some_and(|now| worse(now, then))).then_some(then))
    })?;
    let parts = present.and_then(|recipe| K::parts(&recipe, answer));
    let needs = |change: &SettingTrial| {
        let setting = chosen
            .library
            .settings
            .iter()
            .find(|setting| setting.name == change.setting)?;
        setting
            .needs
            .iter()
            .find(|(value, _)| *value == change.value)
            .map(|(_, needs)| *needs)
    };
    Ok(judged(
        now,
        tried,
        &cost(&answer.about, parts),
        K::NOUNS,
        needs,
    ))
}

/// Returns the cost of every other value of every setting, if the library takes the data and `run` returns a cost.
fn try_each_value<K: LibraryFamily>(
    chosen: &LibrarySettings<K>,
    now: Option<PassCost>,
    mut run: impl FnMut(&K::Recipe) -> Result<Option<PassCost>>,
) -> Result<Vec<SettingTrial>> {
    let mut tried = Vec::new();
    let mut attempt = |setting: &Setting, value: &str| -> Result<Option<PassCost>> {
        let mut other = chosen.clone();
        if chosen.get(setting.name) == value || other.set(setting.name, value).is_err() {
            return Ok(None);
        }
        // Values that the library refuses beside the others are no advice.
        let Ok(recipe) = other.recipe() else {
            return Ok(None);
        };
        // Only a cancellation ends the search: a library that refuses data under one value may take
        // another.
        let Ok(Some(outcome)) = refusal_of(run(&recipe))? else {
            return Ok(None);
        };
        tried.push(SettingTrial {
            setting: setting.name.to_owned(),
            value: value.to_owned(),
            outcome,
        });
        Ok(Some(outcome))
    };
    for setting in chosen.library.settings {
        for &value in setting.alternatives() {
            attempt(setting, value)?;
        }
        if let (Some(finest), Some(now)) = (setting.finest, now) {
            // Larger values fill rows better until sequences are left over: doubling, then bisection.
            let mut keeps = |steps: u32| -> Result<bool> {
                let value = format!("{:.1}", 1.0 + f64::from(steps) * finest);
                // A value that is refused, or in use already, does not end the search.
                Ok(attempt(setting, &value)?.is_none_or(|then| !then.loses(&now)))
            };
            let (mut least, mut most) = (0, 1);
            while most < FINE && keeps(most)? {
                (least, most) = (most, 2 * most);
            }
            while most - least > 1 {
                let middle = least.midpoint(most);
                if keeps(middle)? {
                    least = middle
                } else {
                    most = middle
                }
            }
        }
    }
    Ok(tried)
}

/// The maximum number of steps above 1 within which a number is sought.
const FINE: u32 = 1 << 12;

/// Returns the best of the tried changes, after a sentence on the cost of the present settings; `None` if the library
/// refuses the data and nothing helps.
fn judged(
    now: Option<PassCost>,
    tried: Vec<SettingTrial>,
    cost: &str,
    nouns: Nouns,
    needs: impl Fn(&SettingTrial) -> Option<&'static str>,
) -> Option<Advice> {
    let best = match now {
        Some(now) => {
            let better = tried.iter().filter(|tried| tried.outcome.helps(&now));
            better.min_by_key(|tried| tried.outcome.rank(&now)).cloned()
        }
        // The change with which the library takes the data and loses least.
        None => tried
            .iter()
            .min_by(|a, b| a.outcome.lost_share.total_cmp(&b.outcome.lost_share))
            .cloned(),
    };
    if best.is_none() && now.is_none() {
        return None;
    }
    let gain = best.as_ref().map(|best| gain(now, best.outcome, nouns));
    let needs = best.as_ref().and_then(needs);
    let (next, gain) = match (&best, gain) {
        (Some(best), Some([gain, words])) => {
            let [sentence, clause] = needs.map_or_else(<[String; 2]>::default, |needs| {
                [format!(" It needs {needs}."), format!("; needs {needs}")]
            });
            let change = format!("`{}: {}`", best.setting, best.value);
            (format!("Set {change}: {gain}.{sentence}"), words + &clause)
        }
        _ => (
            "No change of one setting helps noticeably.".to_owned(),
            String::new(),
        ),
    };
    let gained = |of: fn(&PassCost, &PassCost) -> f64| {
        best.as_ref()
            .zip(now.as_ref())
            .map_or(0.0, |(best, now)| of(&best.outcome, now))
    };
    Some(Advice {
        sentence: format!("{cost} {next}"),
        gain,
        worth: gained(PassCost::worth),
        regained_share: gained(PassCost::regained),
        saved_share: gained(PassCost::saved),
        setting: best.as_ref().map(|best| best.setting.clone()),
        value: best.map(|best| best.value),
        tried,
    })
}

/// Returns the gain and the price of a change: for a sentence, and in a few words.
fn gain(now: Option<PassCost>, then: PassCost, (lost, slots): Nouns) -> [String; 2] {
    let Some(now) = now else {
        let taken = ["it takes the data".to_owned()].into_iter();
        let lost = some_shares([(then.lost_share, &*format!("of the {lost} lost"))]);
        let sentence: Vec<String> = taken.chain(lost).collect();
        return [sentence.join(", "), "takes the data".to_owned()];
    };
    let (regained, saved) = (then.regained(&now), then.saved(&now));
    let [mut sentence, mut words] = [Vec::new(), Vec::new()];
    if then.regains(&now) {
        let share = percent(regained);
        sentence.push(format!("{share} of the {lost} come back"));
        words.push(format!("{share} of the {lost} back"));
    }
    if then.saves(&now) || now.saves(&then) {
        let share = percent(saved.abs());
        let fewer = if saved > 0.0 { "fewer" } else { "more" };
        sentence.push(format!("{share} {fewer} slots for each {slots}"));
        words.push(format!("{share} {fewer} slots"));
    } else if let Some(fewer) = then.fuller(&now) {
        let share = percent(fewer);
        sentence.push(format!(
            "{share} fewer rows, each nearly full: steps are fewer, and even"
        ));
        words.push(format!("{share} fewer rows"));
    }
    // From where `percent` has digits: less is "< 0.01 %".
    if regained <= -0.00005 {
        let share = percent(-regained);
        sentence.push(format!("{share} more of the {lost} are lost"));
    }
    if then.tears(&now) {
        let share = percent(then.cut_share);
        sentence.push(format!(
            "{share} of the {lost} then do not see the beginning of their sequence"
        ));
        words.push(format!("{share} cut apart"));
    }
    [sentence, words].map(|parts| parts.join(", "))
}

/// Returns a sentence on the cost of the settings with these parts, or on why the library refuses the data.
fn cost(about: &LibraryAtSettings, parts: Option<Vec<String>>) -> String {
    match (&about.refused, parts) {
        (Some(refused), _) => format!("It refuses these data: {refused}."),
        (None, Some(parts)) => format!("{}.", capital(&parts.join(", "))),
        (None, None) => String::new(),
    }
}
