//! A recommendation for the data on screen, one a view, with its reason, its cost, and the actions that take it.

use super::batches::{self, Row as BatchRow};
use super::{Action, AppState, graphs};
use crate::api::Packing;
use crate::api::batch::Mode;
use crate::metrics::{EpochFigures, Figures};
use crate::packing::tuple::Algorithm as Tuple;
use crate::packing::{Algorithm, Depth};
use crate::sampler::Sampler;
use crate::words::{count, percent, plural};
use std::collections::BTreeMap;

/// Rows that a recommendation may need above the fewest: half a percent matters to nobody.
const SLACK: f64 = 1.005;
/// A gain below this share is not worth a change.
const WORTH: f64 = 0.02;
/// Speed-ups of samplers that are this close are taken as equal.
const ALIKE: f64 = 1.03;
/// A share of the tokens cut off that is worth a word on the limit.
const CUT: f64 = 0.01;

/// A recommendation.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The setting, in a few words: "LPFHP, at most 4 sequences a row".
    pub setting: String,
    /// Why, and what it costs: sentences.
    pub reason: String,
    /// The actions that take it; empty where it is in force or where nothing is to be done.
    pub take: Vec<Action>,
    /// The words of the button that takes it.
    pub press: &'static str,
}

impl Advice {
    fn new(setting: impl Into<String>, reason: String, take: Vec<Action>) -> Self {
        Self { setting: setting.into(), reason, take, press: "Use it" }
    }
}

impl AppState {
    /// Returns algorithm and depth: the shallowest packs within half a percent of the fewest rows, by the simplest
    /// algorithm that is as good. `None` until what it rests on is known.
    pub fn packing_advice(&self) -> Option<Advice> {
        let study = &self.sequences;
        if !study.is_compared() {
            return None;
        }
        let row = |algorithm, depth| study.row((algorithm, depth)).map(|row| &row.figures);
        let best = |depth| {
            let published = row(Algorithm::Lpfhp, depth)?;
            let better = row(Algorithm::AverageTarget, depth)?;
            let gains = published.packs as f64 > better.packs as f64 * SLACK;
            Some(if gains { (Algorithm::AverageTarget, better) } else { (Algorithm::Lpfhp, published) })
        };
        let (_, deepest) = best(Depth::Unlimited)?;
        let near = |f: &Figures| f.packs as f64 <= deepest.packs as f64 * SLACK;
        let depths = study.depths();
        let found = depths.iter().find_map(|d| best(*d).filter(|(_, f)| near(f)).map(|found| (*d, found)));
        let (depth, (algorithm, f)) = found?;
        if (f.packs as f64) > f.items as f64 * (1.0 - WORTH) {
            let reason = format!(
                "It would save {} of {}.",
                percent(1.0 - f.packs as f64 / f.items as f64),
                plural(f.items, "row")
            );
            return Some(Advice::new("Packing hardly matters here", reason, vec![]));
        }
        let mut take = vec![];
        if study.settings.algorithm != algorithm && !self.is_as_good(f) {
            take.push(Action::Algorithm(algorithm));
        }
        // Deeper packs than are needed are kept where all else is as it should be.
        if study.settings.depth < depth || study.settings.depth > depth && !take.is_empty() {
            take.push(Action::Depth(depth));
        }
        let cut = of_cut(f, study.settings.limit, study.unit());
        if take.is_empty() {
            let (present, own) = (study.settings.row(), &study.row(study.settings.row())?.figures);
            let enough = match study.settings.depth > depth {
                true => format!(" At most {} would need less than half a percent more.", sequences(depth)),
                false => String::new(),
            };
            let reason = format!("{}{enough}{cut}", of_rows(own));
            return Some(Advice::new(in_words(present.0, present.1), reason, take));
        }
        let deeper = match depth {
            Depth::Unlimited => "",
            Depth::AtMost(_) => " More sequences a row would save less than half a percent.",
        };
        let reason = format!("{}{deeper}{cut}", of_rows(f));
        Some(Advice::new(in_words(algorithm, depth), reason, take))
    }

    /// Whether the chosen algorithm needs hardly more rows than these figures.
    fn is_as_good(&self, f: &Figures) -> bool {
        let study = &self.sequences;
        study.row(study.settings.row()).is_some_and(|shown| {
            let shown = &shown.figures;
            shown.lower_bound.is_some() && shown.packs as f64 <= f.packs as f64 * SLACK
        })
    }

    /// Returns limits: the smallest that reach the sweep's target, or else the fullest, and that exceed no graph which the
    /// present ones hold; the sweep itself where it does not start unasked. `None` until the sweep is over.
    pub fn limits_advice(&self) -> Option<Advice> {
        let (state, words) = (&self.graphs, self.graphs.words());
        let course = &state.course;
        if course.running {
            return None;
        }
        if !state.is_swept() {
            return self.sweep_advice();
        }
        let (now, maxima) = (state.limits(), state.maxima());
        let here = course.at(now);
        let found = course.without_loss([now[0].min(maxima[0]), now[1].min(maxima[1])]).or(here)?;
        let full = |p: &crate::sweep::Point<2>| {
            let [first, second] = p.efficiency.map(percent);
            format!("{first} of the {} and {second} of the {} slots are filled", words.one(0), words.one(1))
        };
        let setting = graphs::findings::limits(found.limits);
        let gains = here.is_none_or(|here| found.harmonic > here.harmonic + WORTH / 2.0);
        if !gains {
            let reason = format!("No limits tried fill more by a percent: {}.", here.map(full)?);
            return Some(Advice::new("The limits as they are", reason, vec![]));
        }
        let now = here.map_or_else(String::new, |here| {
            let [first, second] = here.efficiency.map(percent);
            format!(" instead of {first} and {second}")
        });
        let heuristic = state.settings.algorithm == Tuple::None;
        let with = if heuristic { " by best fit" } else { "" };
        let packs = here.map_or_else(String::new, |here| of_change(here.packs, found.packs));
        let reason = format!("{}{now}{with}.{packs}", full(found));
        let take = vec![Action::Graphs(graphs::Action::Limits(found.limits))];
        Some(Advice::new(setting, reason, take))
    }

    /// Returns the advice to compare limits, where nothing was compared and nothing will be unless it is asked for.
    fn sweep_advice(&self) -> Option<Advice> {
        let cheap = self.graphs.is_sweep_cheap()?;
        if !self.graphs.is_compared() || cheap && self.background.on {
            return None;
        }
        let why = match cheap {
            true => "work in the background is off",
            false => "packing at so many takes too long to begin unasked",
        };
        let take = vec![Action::Graphs(graphs::Action::Start)];
        let reason = format!("No others were tried for these settings: {why}.");
        Some(Advice { press: "Compare them", ..Advice::new("Compare limits", reason, take) })
    }

    /// Returns the sampler: of those with as many sequences a step as random batches, the one that shuffles most among
    /// the fastest by estimate. `rows` are [priced](Self::priced_figures); `None` until all are known.
    pub fn sampling_advice(&self, rows: &BTreeMap<BatchRow, EpochFigures>) -> Option<Advice> {
        let settings = self.batch_settings();
        if settings.mode == Mode::RealTime || !self.are_batched() {
            return None;
        }
        let random = rows.get(&BatchRow::RANDOM)?;
        let fair = |f: &EpochFigures| (f.sequences_per_step / random.sequences_per_step - 1.0).abs() < 0.1;
        // From the most shuffled to the least; packing changes the rows themselves and has a view of its own.
        let order = [Sampler::Bucket, Sampler::BucketByLength, Sampler::LengthGrouped, Sampler::Sorted];
        let of = |sampler: Sampler| rows.iter().filter(move |(row, f)| row.sampler == sampler && fair(f));
        let all = || order.into_iter().flat_map(of);
        let fastest = all().map(|(_, f)| f.estimated_speedup).fold(1.0, f64::max);
        let (row, f) = all().find(|(_, f)| f.estimated_speedup * ALIKE >= fastest)?;
        let name = batches::findings::name_of(*row).to_owned();
        let [few, now] = [f, random].map(|f| percent(f.padding_share));
        if fastest < 1.0 + WORTH {
            let reason = format!(
                "At as many sequences a step no sampler is estimated to gain 2 %: random batches have {now} padding."
            );
            return Some(Advice::new("Random batches", reason, vec![]));
        }
        let reason = format!(
            "{few} padding instead of {now} in random batches of as many sequences: an estimated {:.1}×. {}",
            f.estimated_speedup,
            of_shuffling(row.sampler)
        );
        let here = rows.get(&self.batch_row()).filter(|f| fair(f));
        let good = here.is_some_and(|here| here.estimated_speedup * ALIKE >= fastest);
        let take = if good { vec![] } else { vec![Action::Batches(batches::Action::Choose(*row))] };
        Some(Advice::new(name, reason, take))
    }
}

/// Returns an algorithm and a depth in words.
fn in_words(algorithm: Algorithm, depth: Depth) -> String {
    let name = algorithm.long_name();
    let most = if depth == Depth::Unlimited { "" } else { "at most " };
    format!("{name}, {most}{}", sequences(depth))
}

/// Returns a depth in words: "3 sequences a row".
fn sequences(depth: Depth) -> String {
    match depth {
        Depth::AtMost(n) => format!("{} a row", plural(u64::from(n), "sequence")),
        Depth::Unlimited => "any number of sequences a row".to_owned(),
    }
}

/// Returns the sentence about rows against those that every plan needs.
fn of_rows(f: &Figures) -> String {
    let above = match f.bound() {
        Some(bound) if bound.packs < f.packs => {
            format!("{} above what every plan needs", percent(f.packs as f64 / bound.packs as f64 - 1.0))
        }
        _ => "as few as any plan needs".to_owned(),
    };
    format!("{}, {above}.", plural(f.packs, "row"))
}

/// Returns the sentence about tokens that the limit cuts off; empty where they are few.
fn of_cut(f: &Figures, limit: u32, unit: &str) -> String {
    let (lost, kept) = (f.waste_tokens[0] as f64, f.real_tokens[0] as f64);
    let share = lost / (lost + kept);
    if share < CUT {
        return String::new();
    }
    format!(" First the limit: at {} it loses {} of the {unit}.", count(u64::from(limit)), percent(share))
}

/// Returns the sentence about packs saved or added; empty where there are as many.
fn of_change(from: u64, to: u64) -> String {
    match from.abs_diff(to) {
        0 => String::new(),
        n if to < from => format!(" {} fewer.", plural(n, "pack")),
        n => format!(" {} more, of smaller rows.", plural(n, "pack")),
    }
}

/// Returns the sentence about the order that a sampler leaves.
fn of_shuffling(sampler: Sampler) -> &'static str {
    match sampler {
        Sampler::Sorted => "The order of lengths is the same in every epoch.",
        Sampler::LengthGrouped => "Shuffled within groups of some batches.",
        _ => "Batches come in random order, and are drawn anew in each epoch.",
    }
}
