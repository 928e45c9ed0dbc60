//! One recommendation for the data in each view, with its reason, its cost, and the actions that apply it.

use super::batches::{self, Row as BatchRow};
use super::{Action, AppState, graphs};
use crate::api::Packing;
use crate::api::batch::Mode;
use crate::metrics::{EpochFigures, Figures};
use crate::packing::tuple::Algorithm as Tuple;
use crate::packing::{Algorithm, Depth};
use crate::sampler::Sampler;
use crate::sweep::{self, Point};
use crate::words::{capital, count, factor, percent, plural};
use std::collections::BTreeMap;

/// Factor by which a recommended packing may exceed the fewest rows: half a percent matters to nobody.
const SLACK: f64 = 1.005;
/// Fast algorithms, then slow ones, each group from the simplest: of equally good ones, the first is recommended.
const SIMPLEST: [&[Algorithm]; 2] = [
    &[
        Algorithm::Lpfhp,
        Algorithm::AverageTarget,
        Algorithm::BestFitDecreasing,
        Algorithm::FirstFitDecreasing,
        Algorithm::Spfhp,
    ],
    &[Algorithm::Greedy, Algorithm::Nnlshp, Algorithm::Optimal],
];
/// A gain below this share is not worth a change.
const WORTH: f64 = 0.02;
/// Samplers whose speed-ups differ by less than this factor count as equal.
const ALIKE: f64 = 1.03;
/// Share of tokens cut off from which the limit is mentioned.
const CUT: f64 = 0.01;

/// A recommendation.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The setting in a few words: "LPFHP, at most 4 sequences a row"; says so if it is already in force.
    pub setting: String,
    /// Sentences that give the reason and the cost.
    pub reason: String,
    /// The actions that apply the setting; empty if it is already in force or nothing is to be done.
    pub take: Vec<Action>,
    /// The label of the button that applies it.
    pub press: &'static str,
}

impl Advice {
    fn new(setting: impl Into<String>, reason: String, take: Vec<Action>) -> Self {
        Self { setting: setting.into(), reason, take, press: "Use it" }
    }
}

impl AppState {
    /// Returns the recommended algorithm and depth: the shallowest packs within half a percent of the fewest known
    /// rows, by the simplest algorithm. A slow algorithm is recommended only if no fast one comes as near. `None` until
    /// the figures are known.
    pub fn packing_advice(&self) -> Option<Advice> {
        let study = &self.sequences;
        let figures = |algorithm, depth| study.row((algorithm, depth)).map(|row| &row.figures);
        let resting = [Algorithm::Lpfhp, Algorithm::AverageTarget].map(|a| figures(a, Depth::Unlimited));
        if !study.is_compared() || resting.contains(&None) {
            return None;
        }
        let depths = study.depths();
        let fewest = study.comparison.rows().iter().filter(|row| depths.contains(&row.row.1));
        let fewest = fewest.filter(|row| row.row.0.fills_rows()).map(|row| row.figures.packs).min()?;
        let near = |f: &&Figures| f.packs as f64 <= fewest as f64 * SLACK;
        let all = SIMPLEST.iter().flat_map(|group| depths.iter().map(move |depth| (group, *depth)));
        let mut all = all.flat_map(|(group, depth)| group.iter().map(move |algorithm| (*algorithm, depth)));
        let (found, f) = all.find_map(|(a, d)| figures(a, d).filter(near).map(|f| ((a, d), f)))?;
        if (f.packs as f64) > f.items as f64 * (1.0 - WORTH) {
            let saved = percent(1.0 - f.packs as f64 / f.items as f64);
            let reason = format!("It would save {saved} of {}.", plural(f.items, "row"));
            return Some(Advice::new("Packing hardly matters here", reason, vec![]));
        }
        let cut = of_cut(f, study.settings.limit, study.unit());
        let present = study.settings.row();
        // The present choice is kept even if its packs are deeper than needed or its algorithm is less simple.
        if let Some(own) = figures(present.0, present.1).filter(near).filter(|_| present.0.fills_rows()) {
            let setting = format!("{}, as set", in_words(present));
            let reason = format!("{}{}{cut}", of_rows(own), self.of_better(own, (found, f)));
            return Some(Advice::new(setting, reason, vec![]));
        }
        let algorithm = (present.0 != found.0).then_some(Action::Algorithm(found.0));
        let depth = (present.1 != found.1).then_some(Action::Depth(found.1));
        // Slow algorithms are not known at every depth.
        let deeper = match found {
            (quick, Depth::AtMost(_)) if !quick.takes_long() => {
                " More sequences a row would save less than half a percent."
            }
            _ => "",
        };
        let reason = format!("{}{deeper}{cut}", of_rows(f));
        Some(Advice::new(in_words(found), reason, algorithm.into_iter().chain(depth).collect()))
    }

    /// Returns sentences about alternatives that are better than the chosen packing by less than half a percent: the
    /// shallower packs that were found, with their figures, and the algorithm with the fewest rows at this depth. Empty
    /// if there are none.
    fn of_better(&self, own: &Figures, (found, f): ((Algorithm, Depth), &Figures)) -> String {
        let study = &self.sequences;
        let (present, rows) = (study.settings.row(), study.comparison.rows().iter());
        let share = |packs: u64| percent(packs.abs_diff(own.packs) as f64 / own.packs as f64);
        let mut better = String::new();
        if present.1 > found.1 {
            let same = present.0 == found.0;
            let packs = if same { capital(&at_most(found.1)) } else { in_words(found) + "," };
            let more = if f.packs > own.packs { share(f.packs) } else { "no".to_owned() };
            better = format!(" {packs} would need {more} more.");
        }
        let beside = rows.filter(|row| row.row.1 == present.1 && row.row.0.fills_rows());
        if let Some(row) = beside.min_by_key(|r| r.figures.packs).filter(|r| r.figures.packs < own.packs) {
            better += &format!(" {} would save {}.", row.row.0.long_name(), share(row.figures.packs));
        }
        better
    }

    /// Returns limits with noticeably fuller packs that hold every graph that the present limits hold: the smallest
    /// that reach the sweep's target, or else the fullest; only smaller ones if the present limits reach it. Recommends
    /// the sweep itself if it does not start unasked. `None` until the sweep is over.
    pub fn limits_advice(&self) -> Option<Advice> {
        let (state, course) = (&self.graphs, &self.graphs.course);
        if course.running {
            return None;
        }
        if !state.is_swept() {
            return self.sweep_advice();
        }
        let (now, maxima) = (state.limits(), state.maxima());
        let held = [now[0].min(maxima[0]), now[1].min(maxima[1])];
        let here = course.at(now);
        let enough = here.filter(|here| course.is_reached(here));
        let gains = |p: &&Point<2>| {
            here.is_none_or(|here| is_fuller(p, here)) && enough.is_none_or(|here| p.area() < here.area())
        };
        let fullest = sweep::best(course.from(held));
        let found = sweep::smallest(course.from(held).filter(gains), course.target);
        let found = found.or(fullest.filter(|p| gains(p) && enough.is_none()));
        let Some(found) = found else {
            return Some(Advice::new("The limits as they are", self.of_kept(here?, fullest?), vec![]));
        };
        let instead = here.map_or_else(String::new, |here| {
            let [first, second] = here.efficiency.map(percent);
            format!(" instead of {first} and {second}")
        });
        let with = if state.settings.algorithm == Tuple::None { " by best fit" } else { "" };
        let packs = here.map_or_else(String::new, |here| of_change(here.packs, found.packs));
        let reason = format!("{}{instead}{with}.{packs}", self.of_filled(found));
        let take = vec![Action::Graphs(graphs::Action::Limits(found.limits))];
        Some(Advice::new(graphs::findings::limits(found.limits), reason, take))
    }

    /// Returns why the present limits, those of the point `here`, are kept: they reach the target, or no others are
    /// worth a change. `fullest` is the fullest point among limits that lose no more.
    fn of_kept(&self, here: &Point<2>, fullest: &Point<2>) -> String {
        let (state, course) = (&self.graphs, &self.graphs.course);
        let filled = self.of_filled(here);
        let (now, maxima) = (state.limits(), state.maxima());
        let fuller = course.best().filter(|p| is_fuller(p, here));
        let why = match fuller {
            _ if course.is_reached(here) => {
                format!("{}: both reach the target of {}.", filled, percent(course.target))
            }
            None => format!("No limits tried fill more by a percent: {filled}."),
            Some(_) if now[0] >= maxima[0] && now[1] >= maxima[1] => {
                let item = state.words().item;
                format!("No limits tried that hold every {item} fill more by a percent: {filled}.")
            }
            Some(_) => format!("No larger limits tried fill more by a percent: {filled}."),
        };
        let saved = here.packs.saturating_sub(fullest.packs);
        if saved == 0 || fullest.harmonic <= here.harmonic {
            return why;
        }
        let fullest = graphs::findings::limits(fullest.limits);
        format!("{why} The fullest, {fullest}, would save {}.", plural(saved, "pack"))
    }

    /// Returns how full the packs of a point are, in words.
    fn of_filled(&self, p: &Point<2>) -> String {
        let ([first, second], words) = (p.efficiency.map(percent), self.graphs.words());
        format!("{first} of the {} and {second} of the {} slots are filled", words.one(0), words.one(1))
    }

    /// Returns the recommendation to compare limits, if none were compared and none will be until the visitor asks.
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

    /// Returns the recommended sampler: of the fastest by estimate that have as many sequences a step as random
    /// batches, the one that shuffles most. `rows` are [priced](Self::priced_figures); `None` until all are known.
    pub fn sampling_advice(&self, rows: &BTreeMap<BatchRow, EpochFigures>) -> Option<Advice> {
        let settings = self.batch_settings();
        if settings.mode == Mode::RealTime || !self.are_batched() {
            return None;
        }
        let random = rows.get(&BatchRow::RANDOM)?;
        let fair = |f: &EpochFigures| (f.sequences_per_step / random.sequences_per_step - 1.0).abs() < 0.1;
        // From the most shuffled to the least. Packing is not listed: it changes the rows, and has a view of its own.
        let order = [Sampler::Bucket, Sampler::BucketByLength, Sampler::LengthGrouped, Sampler::Sorted];
        let of = |sampler: Sampler| rows.iter().filter(move |(row, f)| row.sampler == sampler && fair(f));
        let all = || order.into_iter().flat_map(of);
        let fastest = all().map(|(_, f)| f.estimated_speedup).fold(1.0, f64::max);
        let now = percent(random.padding_share);
        let present = self.batch_row();
        let advice = |row: BatchRow, reason| {
            let random = row == BatchRow::RANDOM;
            let name = if random { "Random batches" } else { batches::findings::name_of(row) };
            match row == present {
                true => Advice::new(format!("{name}, as set"), reason, vec![]),
                false => Advice::new(name, reason, vec![Action::Batches(batches::Action::Choose(row))]),
            }
        };
        if fastest < 1.0 + WORTH {
            let reason = format!(
                "At as many sequences a step no sampler is estimated to gain 2 %: random batches have {now} padding."
            );
            return Some(advice(BatchRow::RANDOM, reason));
        }
        let good = |f: &EpochFigures| f.estimated_speedup >= (fastest / ALIKE).max(1.0 + WORTH);
        let (found, _) = all().find(|(_, f)| good(f))?;
        // Merging of residual batches stays as it is if both ways are equally good.
        let own = rows
            .get_key_value(&present)
            .filter(|(row, f)| row.sampler == found.sampler && fair(f) && good(f));
        let (row, f) = own.or_else(|| rows.get_key_value(found))?;
        let reason = format!(
            "{} padding instead of {now} in random batches of as many sequences: an estimated {}. {}",
            percent(f.padding_share),
            factor(f.estimated_speedup),
            of_shuffling(row.sampler)
        );
        Some(advice(*row, reason))
    }
}

/// Whether a point is so much fuller that a change of limits is worth it.
fn is_fuller(p: &Point<2>, here: &Point<2>) -> bool {
    p.harmonic >= here.harmonic + WORTH / 2.0
}

/// Returns an algorithm and a depth in words: "LPFHP, at most 3 sequences a row".
fn in_words((algorithm, depth): (Algorithm, Depth)) -> String {
    format!("{}, {}", algorithm.long_name(), at_most(depth))
}

/// Returns a depth in words: "at most 3 sequences a row".
fn at_most(depth: Depth) -> String {
    match depth {
        Depth::AtMost(n) => format!("at most {} a row", plural(u64::from(n), "sequence")),
        Depth::Unlimited => "any number of sequences a row".to_owned(),
    }
}

/// Returns the sentence that compares the rows with those that every plan needs.
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
    format!(
        " A limit of {} loses {} of the {unit}: choose it first.",
        count(u64::from(limit)),
        percent(share)
    )
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
