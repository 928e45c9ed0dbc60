//! The recommended packing of sequences, and the limit worth considering.

use super::{Advice, WORTH};
use crate::state::limits::{LITTLE, Outcome, SLACK};
use crate::state::speedup::findings::{crew, model_name};
use crate::state::{Action, AppState};
use packscope::api::PackingSettings;
use packscope::metrics::Figures;
use packscope::packing::{Algorithm, Depth};
use packscope::words::{about_duration, about_percent, count, percent, plural};
use std::collections::BTreeSet;

/// A gain in rows below this is not worth a change: 156 rows instead of 157 are no advice.
const GAIN: f64 = 0.01;

type AdviceRow = (Algorithm, Depth);

/// The findings of the table about packings at the present limit.
struct PackingFindings<'a> {
    /// Rows of the best packing.
    fewest: u64,
    /// Packings, algorithms, and depths.
    many: [u64; 3],
    /// The packing to recommend: within the slack of the fewest rows, at the smallest depth, by the simplest algorithm.
    found: (AdviceRow, &'a Figures),
}

impl AppState {
    /// Returns the recommended algorithm and depth: the shallowest packs within half a percent of the fewest known
    /// rows, by the simplest algorithm. A slow algorithm is recommended only if no fast one comes as near. Until the
    /// table is known, says from bounds what a change can save at most. Names a limit that loses less, or pads less.
    /// `None` until there are figures.
    pub fn packing_advice(&self) -> Option<Advice> {
        let own = self.own_packing();
        let mut advice = match (self.known_packings(), own) {
            (Some(tried), own) => self.of_tried(own, &tried),
            (None, own) => self.of_bound(own?),
        };
        let f = own.or_else(|| Some(self.known_packings()?.found.1))?;
        self.add_limit(&mut advice, f);
        Some(advice)
    }

    /// Returns the figures of the present packing: of the answer or, until that arrives, of its row
    /// in the table. While an optimum is searched, of the plan that stands in for it. `None` for
    /// sorted batches, which pack nothing.
    fn own_packing(&self) -> Option<&Figures> {
        let study = &self.sequences;
        let shown = study
            .answer
            .as_ref()
            .filter(|_| study.is_current() || study.is_interim());
        let row = || {
            study
                .row(study.settings.row())
                .filter(|_| study.is_compared())
        };
        let figures = shown
            .map(|answer| &answer.report.figures)
            .or_else(|| row().map(|row| &row.figures));
        figures.filter(|_| study.settings.algorithm.fills_rows())
    }

    /// Returns the known packings at this limit; `None` until those of the fast curves are known.
    fn known_packings(&self) -> Option<PackingFindings<'_>> {
        let study = &self.sequences;
        let figures = |algorithm, depth| study.row((algorithm, depth)).map(|row| &row.figures);
        // Rows are asked for by algorithm and depth, unlimited depth last: with these two both fast
        // curves are known.
        let resting =
            [Algorithm::Lpfhp, Algorithm::AverageTarget].map(|a| figures(a, Depth::Unlimited));
        if !study.is_compared() || resting.contains(&None) {
            return None;
        }
        let depths = study.depths();
        let rows = study
            .comparison
            .rows()
            .iter()
            .filter(|r| r.row.0.fills_rows() && depths.contains(&r.row.1));
        // A search may have a better plan on screen than any row of the table.
        let own = self.own_packing().map(|f| f.packs);
        let fewest = rows.clone().map(|row| row.figures.packs).chain(own).min()?;
        let near = |f: &&Figures| is_near(f.packs, fewest);
        // Simple algorithms first, and each at small depths first: the first row that is near is
        // the one to recommend.
        let all = Algorithm::PREFERRED
            .iter()
            .flat_map(|group| depths.iter().map(move |depth| (group, *depth)));
        let mut all =
            all.flat_map(|(group, depth)| group.iter().map(move |algorithm| (*algorithm, depth)));
        let found = all.find_map(|(a, d)| figures(a, d).filter(near).map(|f| ((a, d), f)));
        let found = found.or_else(|| Some((study.settings.row(), self.own_packing()?)))?;
        let algorithms: BTreeSet<_> = rows.clone().map(|row| row.row.0).collect();
        let tried_depths: BTreeSet<_> = rows.clone().map(|row| row.row.1).collect();
        let many = [rows.count(), algorithms.len(), tried_depths.len()].map(|n| n as u64);
        Some(PackingFindings {
            fewest,
            many,
            found,
        })
    }

    /// Returns the rows that every plan for these tokens needs at this limit, whatever its depth:
    /// the largest lower bound that is known.
    fn floor(&self, f: &Figures) -> u64 {
        let study = &self.sequences;
        let tokens = f.real_tokens[0].div_ceil(u64::from(study.settings.limit.max(1)));
        let rows = study
            .comparison
            .rows()
            .iter()
            .filter(|_| study.is_compared());
        // Bounds for a limited depth do not hold for deeper packs, which may need fewer rows.
        let known = rows
            .filter(|r| r.row.1 == Depth::Unlimited)
            .filter_map(|r| r.figures.lower_bound);
        let own = self
            .own_packing()
            .filter(|_| study.settings.depth == Depth::Unlimited);
        let own = own.and_then(|own| own.lower_bound);
        known.chain(own).fold(tokens, u64::max).min(f.packs)
    }

    /// Returns the advice before the table is known: what any change can save at most, from bounds.
    fn of_bound(&self, own: &Figures) -> Advice {
        let floor = self.floor(own);
        match is_near(own.packs, floor) {
            true => Advice::new(of_nothing(own, floor), String::new(), vec![]),
            false => {
                let most = format!(
                    "At most {} of the rows can be saved",
                    percent(saved(own.packs, floor))
                );
                let reason = "Comparing algorithms and depths …".to_owned();
                Advice {
                    is_early: true,
                    ..Advice::new(most, reason, vec![])
                }
            }
        }
    }

    /// Returns the advice that follows from the known packings; `own` are the figures of the
    /// present one.
    fn of_tried(&self, own: Option<&Figures>, tried: &PackingFindings) -> Advice {
        let (present, (found, f)) = (self.sequences.settings.row(), tried.found);
        let near = own.filter(|own| own.packs as f64 <= tried.fewest as f64 * (1.0 + GAIN));
        // Even the best plan saves less than what is worth a change.
        let hardly = tried.fewest as f64 > f.items as f64 * (1.0 - WORTH);
        if hardly && own.is_none_or(|own| near == Some(own)) {
            let [saved, rows] = [
                percent(saved(f.items, tried.fewest)),
                plural(f.items, "row"),
            ];
            let reason = format!("It would save {saved} of {rows}.");
            return Advice::new("Packing hardly matters here", reason, vec![]);
        }
        // The present choice is kept even if its packs are deeper than needed or its algorithm is less simple.
        if let Some(own) = near {
            let floor = self.floor(own);
            let [many, algorithms, depths] = tried.many;
            let setting = match is_near(own.packs, floor) {
                true => of_nothing(own, floor),
                false => format!(
                    "of {} tried ({}, {}), none saves 1 %",
                    plural(many, "packing"),
                    plural(algorithms, "algorithm"),
                    plural(depths, "depth")
                ),
            };
            return Advice::new(setting, String::new(), vec![]);
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
        let reason = format!("{}{deeper}", self.of_rows(f, own));
        Advice::new(
            in_words(found),
            reason,
            algorithm.into_iter().chain(depth).collect(),
        )
    }

    /// Returns the sentence that compares the rows with the present ones, and with those that every plan needs.
    fn of_rows(&self, f: &Figures, own: Option<&Figures>) -> String {
        let rows = plural(f.packs, "row");
        let instead = own.map_or_else(String::new, |own| {
            format!(" instead of {}", count(own.packs))
        });
        let above = match self.floor(f) {
            floor if floor < f.packs => {
                format!(
                    "{} above what every plan needs",
                    percent(f.packs as f64 / floor as f64 - 1.0)
                )
            }
            _ => "as few as any plan needs".to_owned(),
        };
        format!("{rows}{instead}, {above}.")
    }

    /// Names the [better limit](Self::better_limit), if there is one, the tokens that the present one loses, and what the
    /// other one costs. Where nothing else is to be changed and it pads less, it is the recommendation. Where not one row
    /// fits the memory at the present limit, says so instead, and names the largest limit that fits.
    fn add_limit(&self, advice: &mut Advice, f: &Figures) {
        let (limit, unit) = (self.sequences.settings.limit, self.sequences.unit());
        let (lost, kept) = (f.waste_tokens[0] as f64, f.real_tokens[0] as f64);
        let lost = lost / (lost + kept);
        // The beginning of several sentences, which end with what another limit does.
        let loses = format!(
            "A limit of {} loses {} of the {unit}",
            words(limit),
            percent(lost)
        );
        // Nothing else matters where not one row of the present limit fits.
        if self.fit_at(limit).is_none() {
            let fits = self.fitting_limit();
            let end = fits.map_or_else(String::new, |(limit, lost)| match lost {
                0.0 => format!("; at {} one does, and nothing is lost", words(limit)),
                lost => {
                    format!(
                        "; at {} one does, and {} of the {unit} are lost",
                        words(limit),
                        percent(lost)
                    )
                }
            });
            let sentence = format!("At {} {}{end}.", words(limit), self.of_no_fit(1));
            advice.also =
                fits.map(|(limit, _)| (format!("Use {}", words(limit)), self.take_limit(limit)));
            return advice.add(&sentence);
        }
        let found = match (self.better_limit(), lost > LITTLE) {
            (Some([now, then]), true) => {
                let cost = self.of_cost(&now, &then);
                Some((
                    then.limit,
                    format!("{}{cost}.", keeps(&loses, then.limit, then.lost)),
                ))
            }
            (Some([now, then]), false) => {
                let cost = self.of_cost(&now, &then);
                Some((
                    then.limit,
                    format!("Rows of {} lose no more{cost}.", words(then.limit)),
                ))
            }
            // Padding and time are not known yet.
            (None, true) => match self.keeping_limit() {
                Some((limit, lost)) => Some((
                    limit,
                    format!("{}{}.", keeps(&loses, limit, lost), self.of_memory(limit)),
                )),
                None => {
                    return advice.add(&format!(
                        "{loses}; at limits that lose less, {}.",
                        self.of_no_fit(self.least_rows())
                    ));
                }
            },
            (None, false) => None,
        };
        let Some((limit, sentence)) = found else {
            return;
        };
        let take = self.take_limit(limit);
        // One recommendation at a time: a limit takes the first place only where the packing stays
        // as it is and no tokens are at stake.
        if advice.take.is_empty() && !advice.is_early && lost <= LITTLE {
            *advice = Advice::new(format!("a limit of {}", words(limit)), String::new(), take);
        } else {
            advice.also = Some((format!("Use {}", words(limit)), take));
        }
        advice.add(&sentence);
    }

    /// Returns the costs of another limit as the end of a sentence: padding, time of an epoch, memory and rows of a
    /// batch, each beside the present one and only where they differ as written.
    fn of_cost(&self, now: &Outcome, then: &Outcome) -> String {
        let mut costs = Vec::new();
        let mut differ = |[then, now]: [String; 2], begin: &str, what: &str| {
            if then != now {
                costs.push(format!("{begin}{then}{what} instead of {now}"));
            }
        };
        differ([then, now].map(|at| percent(at.padding)), "", " padding");
        if then.seconds > 0.0 && now.seconds > 0.0 {
            differ(
                [then, now].map(|at| about_duration(at.seconds)),
                "an estimated ",
                " an epoch",
            );
        }
        if let (Some(after), Some(before)) = (then.fit, now.fit) {
            differ(
                [after, before].map(|fit| about_percent(fit.memory)),
                "",
                " of the memory",
            );
            let rows = [after, before].map(|fit| plural(u64::from(fit.rows), "row"));
            differ(rows, "batches of ", "");
            if after.shards && !before.shards {
                costs.push(SHARDED_WEIGHTS.to_owned());
            }
        }
        let listed = match costs.split_last() {
            None => return String::new(),
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
        };
        format!(", with {listed} ({})", self.of_whom())
    }

    /// Returns the memory that a batch of this limit needs, and its rows if they are fewer, as the end of a sentence.
    fn of_memory(&self, limit: u32) -> String {
        let Some(fit) = self.fit_at(limit) else {
            return String::new();
        };
        let rows = match fit.rows < self.sequences.settings.batch {
            true => format!(" in batches of {}", plural(u64::from(fit.rows), "row")),
            false => String::new(),
        };
        let sharded = if fit.shards {
            format!(" and {SHARDED_WEIGHTS}")
        } else {
            String::new()
        };
        format!(
            ", with {} of the memory{rows}{sharded} ({})",
            about_percent(fit.memory),
            self.of_whom()
        )
    }

    /// Names the model and the accelerators for which times and memory are estimated.
    fn of_whom(&self) -> String {
        format!("{} on {}", model_name(self), crew(self))
    }
}

/// The change without which a batch does not fit the memory.
const SHARDED_WEIGHTS: &str = "weights shared out (sharded)";

fn words(limit: u32) -> String {
    count(u64::from(limit))
}

/// Returns the beginning of a sentence: what the present limit loses, and what a larger one loses.
fn keeps(loses: &str, limit: u32, lost: f64) -> String {
    match lost {
        0.0 => format!("{loses}; {} keeps all", words(limit)),
        lost => format!("{loses}; {} loses {}", words(limit), percent(lost)),
    }
}

/// Whether a number of rows is within the [`SLACK`] of the fewest.
fn is_near(rows: u64, fewest: u64) -> bool {
    rows as f64 <= fewest as f64 * SLACK
}

/// Returns the share of rows that fewer ones save.
fn saved(rows: u64, fewer: u64) -> f64 {
    1.0 - fewer as f64 / rows.max(1) as f64
}

/// Returns why nothing is to be changed where a bound proves it.
fn of_nothing(own: &Figures, floor: u64) -> String {
    match saved(own.packs, floor) {
        0.0 => "no plan has fewer rows".to_owned(),
        share => format!(
            "at most {} of the rows can be saved by any plan",
            percent(share)
        ),
    }
}

/// Returns an algorithm and a depth in words: "LPFHP, at most 3 sequences a row".
fn in_words((algorithm, depth): AdviceRow) -> String {
    format!("{}, {}", algorithm.long_name(), at_most(depth))
}

/// Returns a depth in words: "at most 3 sequences a row".
fn at_most(depth: Depth) -> String {
    match depth {
        Depth::AtMost(n) => format!("at most {} a row", plural(u64::from(n), "sequence")),
        Depth::Unlimited => "any number of sequences a row".to_owned(),
    }
}
