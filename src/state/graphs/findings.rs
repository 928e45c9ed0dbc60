//! Findings about graphs, in words computed from the data.

use super::sweep::is_fuller;
use super::{GraphState, TupleRow, row_name};
use packscope::api::PackingSettings;
use packscope::api::tuple::{Report, Settings};
use packscope::histogram::Overlong;
use packscope::ingest::ItemWords;
use packscope::metrics::Figures;
use packscope::packing::tuple::{Heuristic, TupleAlgorithm};
use packscope::sweep::SweepPoint;
use packscope::words::{capital, count, factor, percent, plural, singular};

/// Returns the share of empty slots of a component.
pub fn padding(f: &Figures, k: usize) -> f64 {
    1.0 - f.efficiency.get(k).copied().unwrap_or(1.0)
}

/// Returns the end of a sentence: "the same work in a ninth of the rows".
pub fn of_rows(f: &Figures, words: &ItemWords) -> String {
    const PARTS: [&str; 9] = [
        "half",
        "a third",
        "a quarter",
        "a fifth",
        "a sixth",
        "a seventh",
        "an eighth",
        "a ninth",
        "a tenth",
    ];
    let factor = f.packing_factor;
    // “A ninth” is said where the rows are within a twenty-fifth of it.
    let near = (factor.round() as usize).max(1);
    let word = PARTS
        // The list begins at a half; 1 wraps to an index far beyond it, and has no word.
        .get(near.wrapping_sub(2))
        .filter(|_| (factor / near as f64 - 1.0).abs() < 0.04);
    let work = if f.waste_tokens.iter().all(|lost| *lost == 0) {
        "the same work"
    } else {
        "what is left"
    };
    match word {
        _ if f.packs >= f.items => format!("no two {} share a row", words.items),
        Some(part) => format!("{work} in {part} of the rows"),
        None => format!("{work} in {} of the rows", percent(1.0 / factor)),
    }
}

/// Returns the sentence about losses to the limits, with a space after it; empty if there are none.
pub fn of_waste(report: &Report, words: &ItemWords) -> String {
    let f = &report.figures;
    let share = |k: usize| {
        let [lost, kept] =
            [&f.waste_tokens, &f.real_tokens].map(|tokens| tokens.get(k).copied().unwrap_or(0));
        percent(lost as f64 / ((lost + kept) as f64).max(1.0))
    };
    let done = lost(report.settings.overlong);
    match f.waste_tokens.iter().any(|lost| *lost > 0) {
        true => {
            let [first, second] = words.names();
            format!(
                "{} of the {first} and {} of the {second} are {done}. ",
                share(0),
                share(1)
            )
        }
        false => String::new(),
    }
}

/// Returns the losses at these limits, as ", 234 graphs dropped"; empty if there are none.
pub fn of_loss(state: &GraphState, limits: [u32; 2]) -> String {
    match state.items_above(limits) {
        0 => String::new(),
        n => format!(
            ", {} {}",
            state.words().count(n),
            lost(state.settings.overlong)
        ),
    }
}

/// Returns the participle for items above a limit under a policy.
fn lost(policy: Overlong) -> &'static str {
    if policy == Overlong::Drop {
        "dropped"
    } else {
        "cut off"
    }
}

/// Returns the name of the component whose limit a row ignores: "edges"; `None` if it keeps to both.
pub fn of_ignored(row: TupleRow, words: &ItemWords) -> Option<&str> {
    row.algorithm
        .only()
        .map(|only| words.short(1 - only.min(1)))
}

/// Returns the word before the figures of the headline: names the limit that the packs ignore, if any.
pub fn of_packed(row: TupleRow, words: &ItemWords) -> String {
    match of_ignored(row, words) {
        Some(ignored) => format!("Packed without a limit of {ignored}"),
        None => "Packed".to_owned(),
    }
}

/// Returns the beginning of the second sentence, the limits that the packs keep to; for each the words before its
/// figure, the figure, and the words after it.
pub fn of_limits(settings: &Settings, words: &ItemWords) -> [[String; 3]; 2] {
    let names = words.names();
    let limit = |k: usize| count(u64::from(settings.limits.get(k).copied().unwrap_or(0)));
    let first = |k: usize| {
        [
            "With packs of at most ".to_owned(),
            limit(k),
            format!(" {}", names[k]),
        ]
    };
    match settings.algorithm.only().map(|only| only.min(1)) {
        None => [
            first(0),
            [" and ".to_owned(), limit(1), format!(" {}", names[1])],
        ],
        Some(k) => {
            let any = format!(" and any number of {}", names[1 - k]);
            [first(k), [any, String::new(), String::new()]]
        }
    }
}

/// Returns the beginning of the headline, up to the word "padding": names the baseline.
pub fn of_baseline(f: &Figures, words: &ItemWords) -> String {
    let [a, b] =
        [0, 1].map(|k| percent(1.0 - f.baseline_efficiency.get(k).copied().unwrap_or(1.0)));
    if words.attention.is_some() {
        return format!(
            "One {} to a pack, {a} of {} slots are ",
            words.item,
            words.singular(0)
        );
    }
    format!(
        "One {} to a pack, {a} of {} and {b} of {} slots are ",
        words.item,
        words.singular(0),
        words.singular(1)
    )
}

/// Returns the figure of the headline for the second component, between the words around it: its padding; of attention,
/// which has no slots, how much more than the mean the largest pack can have.
pub fn of_second(f: &Figures, words: &ItemWords) -> [String; 3] {
    match words.attention {
        Some(_) => [
            ", and no pack has more than\u{a0}".to_owned(),
            limit_over_mean(f),
            " the mean attention".to_owned(),
        ],
        None => [
            // The figure is a mark-up of its own: the space that does not break keeps the word with
            // it.
            " and\u{a0}".to_owned(),
            percent(padding(f, 1)),
            String::new(),
        ],
    }
}

/// Returns the limit of attention ÷ the mean of packs, which no pack exceeds.
fn limit_over_mean(f: &Figures) -> String {
    factor(1.0 / f.efficiency.get(1).copied().unwrap_or(1.0))
}

/// Returns the headline in a sentence, to be read out.
pub fn announced(report: &Report, words: &ItemWords) -> String {
    let (f, one) = (&report.figures, percent(padding(&report.figures, 0)));
    let padding = match words.attention {
        Some(_) => {
            format!(
                "{one} of the {} slots padding{}",
                words.singular(0),
                of_second(f, words).concat()
            )
        }
        None => format!(
            "{one} of the {} slots and {} of the {} slots padding",
            words.singular(0),
            percent(padding(f, 1)),
            words.singular(1)
        ),
    };
    let ignored = of_ignored(report.settings.row(), words);
    let ignored = ignored.map_or_else(String::new, |limit| format!(" without a limit of {limit}"));
    let rows = plural(f.packs, "row");
    format!(
        "{}{padding}, {rows} of {}{ignored}.",
        of_waste(report, words),
        words.count(f.items)
    )
}

/// Returns the sentence about other packs at these limits: those of the best published heuristic, or, with attention,
/// those of tokens alone. `…` stands for figures that are still to come; empty where none will.
pub fn of_others(state: &GraphState) -> String {
    let (words, compared) = (state.words(), state.is_compared());
    let alone = TupleRow {
        algorithm: TupleAlgorithm::NodesOnly,
        heuristic: None,
    };
    let other = match words.attention {
        Some(_) => state.row(alone),
        None => state.best_published(),
    };
    let Some(f) = other.filter(|_| compared).map(|packing| &packing.figures) else {
        return match (compared, words.attention) {
            (true, _) => String::new(),
            (false, None) => "The best published heuristic needs ….".to_owned(),
            (false, Some(_)) => {
                "By tokens alone, the largest of … packs would have … the mean attention."
                    .to_owned()
            }
        };
    };
    match words.attention {
        None => format!("The best published heuristic needs {}.", count(f.packs)),
        Some(_) => format!(
            "By {} alone, the largest of {} would have {} the mean attention.",
            words.names()[0],
            plural(f.packs, "pack"),
            limit_over_mean(f)
        ),
    }
}

/// Returns the slots of each pack if shapes are fixed.
fn padded_shape(f: &Figures) -> Option<[u32; 2]> {
    let slots: &[u64; 2] = f.slots.as_slice().try_into().ok()?;
    // Slots of all packs, which are alike in size, and may exceed 32 bits.
    let of_one = slots.map(|all| u32::try_from(all / f.packs.max(1)).ok());
    Some([of_one[0]?, of_one[1]?])
}

/// Returns a sentence that compares the packs with the lower bound.
pub fn of_bound(f: &Figures, words: &ItemWords, settings: &Settings, searching: bool) -> String {
    let Some(bound) = f.lower_bound else {
        return String::new();
    };
    if let Some(only) = settings.algorithm.only() {
        // Attention has no shape.
        let shape = padded_shape(f).filter(|_| words.attention.is_none());
        let shape = shape.map_or_else(String::new, |s| {
            format!(": fixed shapes must be {}", limits(s))
        });
        let ignored = 1 - only.min(1);
        let limit = settings
            .limits
            .get(ignored)
            .map_or_else(String::new, |limit| count(u64::from(*limit)));
        let limit = format!("{limit} {}", words.names()[ignored]);
        return format!("It ignores the limit of {limit}{shape}");
    }
    match f.packs.saturating_sub(bound) {
        0 => "That is proven: no plan needs fewer".to_owned(),
        _ if searching => format!("No plan can do better than {}; still looking", count(bound)),
        _ => format!("No plan can do better than {}", count(bound)),
    }
}

/// Returns the title of the heat map: the number of graphs that are large or above the limits.
pub fn of_sizes(state: &GraphState) -> String {
    let Some(data) = &state.data else {
        return String::new();
    };
    let ItemWords {
        item,
        items,
        components: [first, second],
        ..
    } = state.words();
    let limits = state.limits();
    let (h, mean) = (&data.histogram, data.histogram.mean_size());
    // In 64 bits: twice a size may exceed 32.
    let half = |size: &[u32; 2]| (0..2).any(|k| u64::from(size[k]) * 2 > u64::from(limits[k]));
    let large: u64 = h
        .entries()
        .iter()
        .filter(|(size, _)| half(size))
        .map(|(_, n)| n)
        .sum();
    let share = large as f64 / h.items() as f64;
    match state.items_above(limits) {
        0 if large == 0 => format!("No {item} needs half of a row: two always fit"),
        0 if share < 0.1 => {
            format!(
                "{} of {} {items} need more than half of a row",
                count(large),
                count(h.items())
            )
        }
        0 => {
            let [a, b] = mean.map(|mean| count(mean.round() as u64));
            format!("The average {item} has {a} {first} and {b} {second}")
        }
        1 => format!("One {item} is outside of the limits"),
        n => format!(
            "{} of {} {items} are outside of the limits",
            count(n),
            count(h.items())
        ),
    }
}

/// Returns the title of the packs: the component that fills up first.
pub fn of_packs(f: &Figures, words: &ItemWords) -> String {
    let left = [padding(f, 0), padding(f, 1)];
    // The component with less padding is the one that runs out first.
    let (full, empty) = if left[0] <= left[1] { (0, 1) } else { (1, 0) };
    let (name, other) = (words.singular(full), words.singular(empty));
    if words.attention.is_some() {
        match left[0] < 0.1 {
            _ if f.packs >= f.items => {
                format!(
                    "One {} a row leaves {} of the token slots empty",
                    words.item,
                    percent(left[0])
                )
            }
            true => {
                format!(
                    "Packs are full of tokens, and none has more than {} the mean attention",
                    limit_over_mean(f)
                )
            }
            false if full == 1 => {
                format!(
                    "The limit of attention binds: {} of the token slots stay empty",
                    percent(left[0])
                )
            }
            false => format!(
                "Neither limit binds: {} of the token slots stay empty",
                percent(left[0])
            ),
        }
    } else if f.packs >= f.items {
        format!(
            "One {} a row leaves {} of the {other} slots empty",
            words.item,
            percent(left[empty])
        )
    } else if left[empty] < 0.1 {
        format!("Laid corner to corner, {} fill both budgets", words.items)
    } else {
        let name = capital(name);
        format!(
            "{name} slots run out first: {} of the {other} slots stay empty",
            percent(left[empty])
        )
    }
}

/// Returns the title of the table: the cost of a choice of heuristic.
pub fn of_table(state: &GraphState) -> Option<String> {
    let published =
        Heuristic::PUBLISHED.map(|h| TupleRow::new(TupleAlgorithm::BestFitPublished, h));
    let packs: Option<Vec<u64>> = published
        .iter()
        .map(|row| state.row(*row).map(|p| p.figures.packs))
        .collect();
    let packs = packs?;
    let (least, most) = (*packs.iter().min()?, *packs.iter().max()?);
    let optimum = state
        .row(TupleRow {
            algorithm: TupleAlgorithm::Optimal,
            heuristic: None,
        })
        .map(|p| &p.figures);
    // Only a plan that meets its bound is the optimum.
    let proven = optimum
        .filter(|f| f.lower_bound == Some(f.packs))
        .map(|f| f.packs);
    Some(match proven {
        Some(best) if most == best => "Every heuristic is optimal here".to_owned(),
        Some(best) => format!(
            "The published heuristics need {} to {} more than the optimum",
            count(least.saturating_sub(best)),
            plural(most.saturating_sub(best), "pack")
        ),
        None if most == least => format!("All published heuristics need {}", plural(most, "pack")),
        None => format!(
            "Published heuristics differ by up to {}",
            plural(most - least, "pack")
        ),
    })
}

/// Returns the title of the sweep: what the [better limits](GraphState::better_limits) change and save, or why there
/// are none.
pub fn of_sweep(state: &GraphState) -> String {
    let course = &state.course;
    let Some(best) = course.best() else {
        return "Are these the best limits?".to_owned();
    };
    // The point to compare with: the present limits, or those of the largest graph.
    let here = course.point_at(state.limits());
    let Some(from) = here.or_else(|| course.point_at(state.maxima())) else {
        let loss = of_loss(state, best.limits);
        return format!("{}{loss}", of_full(best, &state.words()));
    };
    let Some(other) = state.better_limits() else {
        return format!("{}: {}", limits(from.limits), of_kept(state, from));
    };
    if other.limits == from.limits {
        return of_full(other, &state.words());
    }
    let names = state.words().components;
    let change: Vec<String> = (0..2)
        .filter_map(|k| change(from.limits[k], other.limits[k], &names[k]))
        .collect();
    let left = [other, from].map(|p| percent(1.0 - p.harmonic));
    let saved = match from.packs.checked_sub(other.packs) {
        // “1 more node saves”, but “2 more nodes save”.
        Some(n) if n > 0 && change.len() == 1 && change[0].starts_with("1 ") => {
            format!(" saves {}", plural(n, "pack"))
        }
        Some(n) if n > 0 => format!(" save {}", plural(n, "pack")),
        _ => String::new(),
    };
    let loss = of_loss(state, other.limits);
    let padding = match state.words().attention {
        Some(_) => of_filled(state, other),
        None => format!("{} padding instead of {}", left[0], left[1]),
    };
    format!("{}{saved}: {padding}{loss}", change.join(" and "))
}

/// Returns limits and how full they are.
fn of_full(p: &SweepPoint<2>, words: &ItemWords) -> String {
    match words.attention {
        Some(_) => format!("{}: {}", limits(p.limits), filled(p, words)),
        None => format!("{} is {} full", limits(p.limits), percent(p.harmonic)),
    }
}

/// Returns why limits, those of a point, are kept if there are no [better](GraphState::better_limits) ones.
pub fn of_kept(state: &GraphState, here: &SweepPoint<2>) -> String {
    let course = &state.course;
    if course.is_reached(here) {
        return format!("both reach the target of {}", percent(course.target));
    }
    let among = match course.best().filter(|p| is_fuller(p, here)) {
        None => String::new(),
        // The fullest point has smaller limits, which lose graphs that the present ones hold.
        Some(_) if state.smallest_holding_limits() == state.maxima() => {
            format!(" that hold every {}", state.words().item)
        }
        Some(_) => " that are larger".to_owned(),
    };
    format!(
        "of {} tried, none{among} fill 1 % more",
        plural(course.limits_tried(), "limit")
    )
}

/// Returns how full the packs of a point are, in words.
pub fn of_filled(state: &GraphState, p: &SweepPoint<2>) -> String {
    filled(p, &state.words())
}

fn filled(p: &SweepPoint<2>, words: &ItemWords) -> String {
    let [first, second] = p.efficiency.map(percent);
    match words.attention {
        Some(_) => format!(
            "{first} of the {} slots are filled, and no pack has more than {} the mean attention",
            words.singular(0),
            factor(1.0 / p.efficiency[1])
        ),
        None => {
            format!(
                "{first} of the {} and {second} of the {} slots are filled",
                words.singular(0),
                words.singular(1)
            )
        }
    }
}

/// Returns the end of a sentence about a point that other limits are to replace: how full its packs are.
pub fn of_instead(p: &SweepPoint<2>, words: &ItemWords) -> String {
    let [first, second] = p.efficiency.map(percent);
    match words.attention {
        Some(_) => format!(", instead of {first} and {}", factor(1.0 / p.efficiency[1])),
        None => format!(" instead of {first} and {second}"),
    }
}

/// Returns the sentence for a target that no point of the sweep reaches: names the algorithm, and the nearest point.
pub fn of_missed(state: &GraphState, target: &str) -> String {
    let with = match (state.is_sweep_checked(), state.course.doubtful.is_empty()) {
        (false, _) => format!(
            " with “{}”",
            row_name(&state.words(), state.sweep_settings().row())
        ),
        (true, true) => String::new(),
        (true, false) => " so far".to_owned(),
    };
    let nearest = state.course.nearest().map_or_else(String::new, |p| {
        let loss = of_loss(state, p.limits);
        match state.words().attention {
            Some(_) => format!("; nearest is {}{loss}", of_full(p, &state.words())),
            None => format!(
                "; nearest is {}, {} and {} full{loss}",
                limits(p.limits),
                percent(p.efficiency[0]),
                percent(p.efficiency[1])
            ),
        }
    });
    format!("No limits tried reach {target} in both{with}{nearest}.")
}

/// Returns "12 more nodes"; `None` where nothing changes.
fn change(from: u32, to: u32, name: &str) -> Option<String> {
    match i64::from(to) - i64::from(from) {
        0 => None,
        1 => Some(format!("1 more {}", singular(name))),
        -1 => Some(format!("1 fewer {}", singular(name))),
        n if n > 0 => Some(format!("{} more {name}", count(n.unsigned_abs()))),
        n => Some(format!("{} fewer {name}", count(n.unsigned_abs()))),
    }
}

/// Returns limits in words: `234 × 502`.
pub fn limits(limits: [u32; 2]) -> String {
    format!(
        "{} × {}",
        count(u64::from(limits[0])),
        count(u64::from(limits[1]))
    )
}

pub fn point(p: &SweepPoint<2>, words: &ItemWords) -> String {
    let ([a, b], [first, second]) = (p.efficiency.map(percent), words.names());
    if words.attention.is_some() {
        return format!(
            "{}: {}, {}",
            limits(p.limits),
            plural(p.packs, "pack"),
            filled(p, words)
        );
    }
    format!(
        "{}: {}, {first} {a} and {second} {b} full",
        limits(p.limits),
        plural(p.packs, "pack")
    )
}

/// Returns "all 32,901 graphs", or the number of graphs that fit.
pub fn of_items(report: &Report, words: &ItemWords) -> String {
    let f = &report.figures;
    match report.overlong_items {
        n if n > 0 && report.settings.overlong == Overlong::Drop => {
            format!(
                "{} of {} {}",
                count(f.items),
                count(f.items + n),
                words.items
            )
        }
        _ => format!("all {} {}", count(f.items), words.items),
    }
}
