//! Sentences of the judge: one grammar for all advice, one way to write times and money.

use super::outcome::{CUT, LOSS, Outcome};
use crate::histogram::FREE;
use crate::trainer::SettingValue;
pub use crate::words::about_duration as duration;
use crate::words::{about, about_factor, batches, capital, count, dollars, percent};

/// Formats an estimated amount of dollars with two digits: `$0.06`, `$12`, `$1,200`.
pub fn money(amount: f64) -> String {
    match amount {
        x if x < 9.95 => dollars(x),
        x => format!("${}", about(x)),
    }
}

/// Formats limits: `2,048`, or `222 nodes and 502 edges`.
pub(super) fn limit_in_words(limit: &[u32]) -> String {
    let free = |slots: u32| match slots {
        FREE => "any number of".to_owned(),
        n => count(u64::from(n)),
    };
    match *limit {
        [one] => count(u64::from(one)),
        [nodes, edges] => format!("{} nodes and {} edges", free(nodes), free(edges)),
        _ => String::new(),
    }
}

/// Joins parts of a list: "a, b and c".
pub(super) fn among(parts: &[String]) -> String {
    match parts.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// The longest setting that is quoted as its line has it: options of a command stand side by side.
const QUOTED: usize = 60;

/// Returns a setting as the lines to paste write it: `packing=True`, `sample_packing: true`; else its name and value.
pub(super) fn written(lines: &str, set: &SettingValue) -> String {
    let name = set.name.rsplit('.').next().unwrap_or(&set.name);
    let line = lines
        .lines()
        .map(|line| line.trim().trim_end_matches([',', '\\', ' ']))
        .filter(|line| !line.starts_with('#') && line.len() <= QUOTED)
        .find(|line| {
            let rest = line.strip_prefix(name).map(str::trim_start);
            rest.is_some_and(|rest| rest.starts_with(['=', ':']))
        });
    match line {
        // What is switched on stands above such a line.
        Some(line) if name != "enabled" => format!("`{line}`"),
        _ => format!("`{}={}`", set.name, set.value),
    }
}

/// Returns padding, losses and cuts as parts of a sentence. `beside`: what is set now, so that what does not change is left
/// out.
fn shares(
    of: &Outcome,
    beside: Option<&Outcome>,
    Named {
        unit,
        lost: lost_unit,
        ..
    }: Named,
) -> Vec<String> {
    let mut parts = Vec::new();
    let padding = percent(of.padding_share);
    match beside {
        None if of.padding_share == 0.0 => parts.push("no padding".to_owned()),
        None => parts.push(format!("{padding} padding")),
        Some(now) if now.padding_share == 0.0 && of.padding_share == 0.0 => {}
        Some(_) if of.padding_share == 0.0 => parts.push("none".to_owned()),
        Some(_) => parts.push(format!("{padding} padding")),
    }
    let differs = |share: f64, before: fn(&Outcome) -> f64| match beside {
        None => share >= LOSS,
        Some(now) => {
            percent(share) != percent(before(now)) && (share >= LOSS || before(now) >= LOSS)
        }
    };
    if differs(of.lost_share, |now| now.lost_share) {
        parts.push(match of.lost_share {
            0.0 => format!("no {lost_unit} lost"),
            lost => format!("{} of the {lost_unit} lost", percent(lost)),
        });
    }
    if differs(of.cut_share, |now| now.cut_share) {
        parts.push(match of.cut_share {
            0.0 => "no sequence cut apart".to_owned(),
            cut => format!("{} of the {unit} cut from their beginning", percent(cut)),
        });
    }
    if !of.apart && beside.is_none_or(|now| now.apart) {
        parts.push("documents see those before them in their row".to_owned());
    }
    if of.apart && beside.is_some_and(|now| !now.apart) {
        parts.push("documents kept apart".to_owned());
    }
    parts
}

/// The names that the sentences of a verdict have for a case.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named<'a> {
    /// The name of the training as it is set: "TRL as installed at 2,048".
    pub title: &'a str,
    /// The unit of sizes, plural.
    pub unit: &'a str,
    /// The unit of what is lost: that of sizes, or supervised tokens.
    pub lost: &'a str,
    /// A pass over the data: inference has no epochs.
    pub pass: &'static str,
}

/// Returns time and money of an epoch.
pub(super) fn bill(of: &Outcome) -> [String; 2] {
    [duration(of.hours * 3600.0), money(of.money)]
}

/// Returns the sentence about what is set now: "TRL as installed at 2,048: 64 % padding, 2.1 h, $33 an epoch."
pub(super) fn of_now(named: Named, now: &Outcome) -> String {
    let Named { title, pass, .. } = named;
    if !now.fits {
        return format!(
            "{title} does not fit the memory: one batch needs {} times as much as there is.",
            about(now.memory)
        );
    }
    let mut parts = shares(now, None, named);
    parts.extend(bill(now));
    format!("{title}: {} {pass}.", parts.join(", "))
}

/// Returns the sentence about a library that refuses the data.
pub(super) fn of_refusal(title: &str, why: &str) -> String {
    format!("{title} refuses these data: {}.", why.trim_end_matches('.'))
}

/// Returns the sentence about the advice: "With `packing=True`: none, 48 min, $12."
pub(super) fn of_then(now: Option<&Outcome>, then: &Outcome, named: Named) -> String {
    let mut parts = shares(then, now, named);
    parts.extend(bill(then));
    format!("With {}: {}.", then.change.words, parts.join(", "))
}

/// Returns the sentence about the best smaller change: "With BucketSampler alone: 12 % padding, 1.4 h, $22."
pub(super) fn of_lighter(now: Option<&Outcome>, lighter: &Outcome, named: Named) -> String {
    let mut parts = shares(lighter, now, named);
    parts.extend(bill(lighter));
    format!("With {} alone: {}.", lighter.change.words, parts.join(", "))
}

/// Returns the sentence about packs for shapes that are fixed.
pub(super) fn of_fixed(fixed: &Outcome, named: Named) -> String {
    let mut parts = shares(fixed, None, named);
    parts.extend(bill(fixed));
    format!(
        "Where shapes are fixed once, as for compiled models, {}: {}.",
        fixed.change.words,
        parts.join(", ")
    )
}

/// Returns sentences about the price of the advice, and what else changes with it.
pub(super) fn prices(now: Option<&Outcome>, then: &Outcome, named: Named) -> Vec<String> {
    let Named {
        unit, pass, lost, ..
    } = named;
    let mut all = Vec::new();
    if !then.change.needs.is_empty() {
        all.push(format!("It needs {}.", then.change.needs));
    }
    let Some(now) = now else {
        if then.lost_share > LOSS {
            all.push(format!(
                "It loses {} of the {lost}.",
                percent(then.lost_share)
            ));
        }
        return all;
    };
    if now.fits && then.hours > now.hours * 1.01 {
        let more = then.trained_tokens / now.trained_tokens.max(1.0);
        let more = match more {
            more if more < 2.0 => format!("{} more", percent(more - 1.0)),
            more => format!("{} times as many", about(more)),
        };
        all.push(format!(
            "{} takes longer: {more} {unit} are trained, each at {} the speed.",
            capital(pass),
            about_factor(then.speedup)
        ));
    }
    if then.loses_more(now) {
        let more = percent(then.lost_share - now.lost_share);
        all.push(format!("It loses {more} more of the {lost}."));
    }
    if then.cut_share > now.cut_share + CUT {
        let what = match then.lost_share < now.lost_share - CUT {
            true => {
                "What was cut off goes on in another row, and does not see its beginning there."
            }
            false => "More sequences go on in another row, and do not see their beginning there.",
        };
        all.push(what.to_owned());
    }
    if then.changes_step(now) {
        let tokens = |of: &Outcome| count(of.step_tokens.round() as u64);
        all.push(format!(
            "A step has {} {unit} instead of {}.",
            tokens(then),
            tokens(now)
        ));
    }
    all.extend(accumulated(now.accumulation, then.accumulation));
    all
}

/// Returns the sentence about another number of accumulated batches; `None` where it stays about the same.
fn accumulated(now: u32, then: u32) -> Option<String> {
    let ratio = f64::from(then) / f64::from(now);
    if (ratio - 1.0).abs() <= 0.1 {
        return None;
    }
    let of = |n: u32| batches(u64::from(n));
    Some(match (now, then) {
        (_, 1) => format!(
            "Gradients need not be accumulated over {} for that.",
            of(now)
        ),
        (1, _) => format!("Gradients are accumulated over {}.", of(then)),
        _ => format!(
            "Gradients are accumulated over {} instead of {now}.",
            of(then)
        ),
    })
}

/// Returns the sentence about the least that can be lost, where the plan at hand loses much: another limit with its price, or
/// that there is none.
pub(super) fn of_loss(plan: &Outcome, keeps: Option<&Outcome>, lost_unit: &str) -> String {
    let Some(keeps) = keeps else {
        return format!(
            "No limit that fits memory and step loses less than {} of the {lost_unit}.",
            percent(plan.lost_share)
        );
    };
    let lost = match keeps.lost_share {
        0.0 => "nothing is lost".to_owned(),
        lost => format!("{} is lost", percent(lost)),
    };
    format!(
        "With {}, {lost}: {}.",
        keeps.change.words,
        bill(keeps).join(", ")
    )
}

/// Returns the sentence where nothing is worth a change. `beyond`: the candidate that comes nearest to the memory, of those
/// that exceed it.
pub(super) fn of_nothing(now: Option<&Outcome>, beyond: Option<&Outcome>) -> String {
    match (now, beyond) {
        (Some(now), _) if !now.fits => {
            "No limit and no setting was found with which a batch fits.".to_owned()
        }
        (Some(_), _) => "Nothing to change.".to_owned(),
        (None, Some(then)) => format!(
            "With {} it takes them, but a batch needs {} times the memory.",
            then.change.words,
            about(then.memory)
        ),
        (None, None) => "No setting and no limit was found with which it takes them.".to_owned(),
    }
}
