//! What an epoch takes under one method: [`estimates`](crate::cost::estimates), told step by step.

use super::rates::Costs;
use super::{Expression, Input, Kind, Sheet};
use crate::cost::{Assumptions, Overhead, Wait, Work};

fn count(name: &str, value: f64) -> Expression {
    Expression::known(name, value, Kind::Count)
}

/// The seconds of an epoch. What is nothing under this method is left out.
pub(super) fn of(
    input: &Input,
    costs: &Costs,
    work: &Work,
    (wait, found): (Wait, Option<String>),
    sheet: &mut Sheet,
) -> Expression {
    let busy = busy(input, costs, work, sheet);
    let factor = Expression::known("waiting factor", wait.factor, Kind::Number);
    let all = Expression::sum(busy).unwrap_or_else(|| Expression::constant(0.0));
    let all = sheet.line("at work", Kind::Seconds, all);
    let waiting = sheet.line("waiting", Kind::Seconds, all.clone() * (factor - Expression::constant(1.0)));
    sheet.note(found);
    let steps = overhead(input, costs, work, sheet);
    let total = Expression::sum([all, waiting].into_iter().chain(steps));
    sheet.line(
        "estimated seconds of the epoch",
        Kind::Seconds,
        total.unwrap_or_else(|| Expression::constant(0.0)),
    )
}

/// Accelerators that have something to do.
pub(super) fn crew(assumptions: &Assumptions, work: &Work) -> u32 {
    assumptions.accelerators.min(u32::try_from(work.batches).unwrap_or(u32::MAX)).max(1)
}

/// What accelerators spend on work, each part of it that is not nothing.
fn busy(input: &Input, costs: &Costs, work: &Work, sheet: &mut Sheet) -> Vec<Expression> {
    let nouns = input.nouns;
    let crew = || count("accelerators", f64::from(crew(input.assumptions, work)));
    let pair = if work.method.is_masked() { &costs.masked } else { &costs.second };
    let useful = [0, 1].map(|k| count(&nouns.useful[k], work.useful[k]));
    let empty = [0, 1].map(|k| count(&nouns.padding[k], work.padding[k]));
    let ([tokens, within], [slots, unused]) = (useful, empty);
    let terms = [
        (format!("work on {}", nouns.useful[0]), vec![costs.first.clone() * tokens]),
        (format!("work on {}", nouns.useful[1]), vec![faster(costs, pair).clone() * within]),
        ("padding".to_owned(), vec![costs.first.clone() * slots, pair.clone() * unused]),
        ("masking".to_owned(), masking(input, costs, work, pair)),
        ("packs".to_owned(), vec![costs.pack.clone() * count("rows", work.rows as f64)]),
    ];
    // What is nothing under this method is left out.
    let known = terms.into_iter().filter_map(|(name, terms)| Some((name, Expression::sum(terms)?)));
    let line = |(name, all): (String, Expression)| {
        let about = (name == "masking").then(|| masked(input, work));
        let line = sheet.line(name, Kind::Seconds, all / crew());
        sheet.note(about);
        line
    };
    known.map(line).collect()
}

/// What masking is for.
fn masked(input: &Input, work: &Work) -> String {
    match work.depth {
        0 | 1 => "Empty slots are masked: attention under a mask is slower.".to_owned(),
        _ => format!(
            "What it takes to keep {}s in a row apart. {}",
            input.nouns.item,
            measured(input.overhead)
        ),
    }
}

/// Where the overhead comes from.
fn measured(overhead: Overhead) -> &'static str {
    match overhead {
        Overhead::Ipu => {
            "The overhead was measured on IPU (Krell et al. 2022, Table 1), the only one published by depth; the settings of the view change it."
        }
        Overhead::Free => "No overhead beside the attention itself, as set in the view.",
        Overhead::Own(_) => "The overhead is set in the view.",
    }
}

/// The kernel that useful pairs are charged to: what a slower one adds to it is the price of the mask.
fn faster<'a>(costs: &'a Costs, pair: &'a Expression) -> &'a Expression {
    if pair.value() < costs.second.value() { pair } else { &costs.second }
}

/// A slower kernel, pairs that are masked away, and what masks and losses were measured to cost.
fn masking(input: &Input, costs: &Costs, work: &Work, pair: &Expression) -> Vec<Expression> {
    let mut terms = Vec::new();
    if work.method.is_masked() {
        let within = count(&input.nouns.useful[1], work.useful[1]);
        terms.push((pair.clone() - faster(costs, pair).clone()) * within);
        terms.push(pair.clone() * count("pairs between sequences", work.between));
        let [slots, pairs] = work.computed();
        let [slots, pairs] = [(0, slots), (1, pairs)].map(|(k, n)| count(&input.nouns.slots[k], n));
        let share =
            Expression::known("overhead at this depth", input.overhead.at_depth(work.depth), Kind::Share);
        terms.push(share * (costs.first.clone() * slots + pair.clone() * pairs));
    }
    terms
}

/// What steps and updates cost beside their work.
fn overhead(input: &Input, costs: &Costs, work: &Work, sheet: &mut Sheet) -> Option<Expression> {
    let batches = || count("batches", work.batches.max(1) as f64);
    let crew = || count("accelerators", f64::from(crew(input.assumptions, work)));
    let accumulated = || count("accumulated batches", f64::from(input.assumptions.accumulation.max(1)));
    let steps = sheet.line("steps", Kind::Count, (batches() / crew()).ceiling());
    sheet.line("updates", Kind::Count, (steps / accumulated()).ceiling());
    let terms = [costs.step.clone() * batches(), costs.update.clone() * batches() / accumulated()];
    let line = Expression::sum(terms).map(|all| sheet.line("steps and updates", Kind::Seconds, all / crew()));
    sheet.note(Some("A last step that is not full counts as its share.".to_owned()));
    line
}
