//! Decisions in words.

use super::WatchScene;
use crate::state::findings::number_in_words;
use packscope::packing::Algorithm;
use packscope::packing::watch::{CloseReason, Decision, PackPlace};
use packscope::words::{capital, plural};

pub(super) fn finding(scene: &WatchScene) -> String {
    let [spfhp, lpfhp] = scene.ends;
    let Some(step) = scene.step() else {
        return format!(
            "{} sequences wait, the longest first",
            capital(&number_in_words(scene.sequences()))
        );
    };
    if scene.is_over() {
        return if spfhp == lpfhp {
            format!("Here both need {}", plural(spfhp, "pack"))
        } else {
            format!(
                "SPFHP ends with {}, LPFHP with {lpfhp}",
                plural(spfhp, "pack")
            )
        };
    }
    let (d, name) = (step.decision, scene.algorithm.long_name());
    match (d.place, scene.algorithm) {
        (PackPlace::New, _) => format!(
            "{name} opens {} for length {}",
            plural(d.packs, "pack"),
            d.length
        ),
        (_, Algorithm::Spfhp) => {
            format!("{name} puts length {} where most space is left", d.length)
        }
        _ => format!("{name} puts length {} where it just fits", d.length),
    }
}

/// Describes where both stand after as many decisions.
pub(super) fn finding_of_both(both: [&WatchScene; 2]) -> String {
    if both.iter().all(|scene| scene.at == 0 || scene.is_over()) {
        // The same words as for one of them: nothing is decided, or all is.
        return finding(both[0]);
    }
    let packs = both.map(|scene| {
        let groups = scene.step().map_or(&[][..], |step| step.groups.as_slice());
        groups.iter().map(|group| group.count).sum::<u64>()
    });
    let decisions = both.map(|scene| scene.at as u64).into_iter().max();
    format!(
        "After {} SPFHP has {}, LPFHP {}",
        plural(decisions.unwrap_or_default(), "decision"),
        plural(packs[0], "pack"),
        packs[1],
    )
}

pub(super) fn decision(scene: &WatchScene) -> String {
    let Some(step) = scene.step() else {
        return "No pack is open yet. **Step** makes the first decision.".to_owned();
    };
    let d = step.decision;
    let waits = if d.left == 1 {
        "1 sequence waits".to_owned()
    } else {
        format!("{} sequences wait", d.left)
    };
    let (place, rest) = (place(&d, scene.algorithm), describe_remaining(&d));
    format!(
        "**Length {}.** {waits}. {place} {} {rest}",
        d.length,
        state(&d)
    )
}

fn place(d: &Decision, algorithm: Algorithm) -> String {
    let each = if d.times > 1 {
        format!("{} in each", d.times)
    } else {
        "one in each".to_owned()
    };
    match (d.place, algorithm) {
        (PackPlace::New, Algorithm::Spfhp) if d.packs == 1 => {
            "It fits in no open pack and opens one.".to_owned()
        }
        (PackPlace::New, Algorithm::Spfhp) => {
            format!(
                "They fit in no open pack, so each of them opens one of its own: {} packs.",
                d.packs
            )
        }
        (PackPlace::New, _) => {
            let many = if d.times > 1 {
                format!("take {}", d.times)
            } else {
                "take one".to_owned()
            };
            let opened = plural(d.packs, "new pack");
            // "1 new pack takes", "2 new packs take … each".
            let many = if d.packs == 1 {
                many.replacen("take", "takes", 1)
            } else {
                format!("{many} each")
            };
            format!("No open pack has room: {opened} {many}.")
        }
        (PackPlace::Open { packs, space }, _) => {
            let which = match (algorithm, packs) {
                (Algorithm::Spfhp, 1) => "The emptiest open pack has",
                (Algorithm::Spfhp, _) => "The emptiest open packs have",
                (_, 1) => "The fullest open pack in which it fits has",
                _ => "The fullest open packs in which it fits have",
            };
            let there = if packs > 1 {
                format!("; there are {packs} of them")
            } else {
                String::new()
            };
            let goes = if d.placed_sequences() == 1 {
                "1 sequence goes in".to_owned()
            } else {
                format!("{} go in", d.placed_sequences())
            };
            let each = if d.placed_sequences() > 1 && d.packs > 1 {
                format!(", {each}")
            } else {
                String::new()
            };
            format!(
                "{which} {} left{there}. {goes}{each}.",
                plural(u64::from(space), "slot")
            )
        }
    }
}

/// Describes the state of those packs after the decision.
fn state(d: &Decision) -> String {
    let each = if d.packs > 1 { " in each" } else { "" };
    let verb = if d.space == 1 { "stays" } else { "stay" };
    let slots = format!("{} {verb} empty{each}", plural(u64::from(d.space), "slot"));
    match d.closed {
        Some(CloseReason::Full) => if d.packs > 1 {
            "They are full."
        } else {
            "It is full."
        }
        .to_owned(),
        Some(CloseReason::Deep) => format!("{slots}, and no more may go in: the depth is reached."),
        None => format!("{slots}."),
    }
}

fn describe_remaining(d: &Decision) -> String {
    match d.left - d.placed_sequences() {
        0 => String::new(),
        1 => "1 sequence is left over for the next step.".to_owned(),
        n => format!("{n} sequences are left over for the next step."),
    }
}
