//! The judge on ranks that wait for each other: how they are balanced now, and the change with which they are idle least.

use super::judge::{self, Judged, Now};
use super::words::{bill, of_nothing};
use super::{Change, Effort, Outcome, Verdict};
use crate::api::ranks::words::{assignment, idly, units};
use crate::api::ranks::{
    self, DealingTable, LibraryRow, Report, Scheduler, Settings, SyncPoint, Untrained, Weight,
    WhatIf, idle,
};
use crate::trainer::SettingValue;
use crate::words::{count, percent};

/// Ranks at some settings, and what is known of others.
#[derive(Debug, Clone, Copy)]
pub struct RanksCase<'a> {
    /// The settings of the report.
    pub settings: &'a Settings,
    /// The ranks as they are set up now.
    pub report: &'a Report,
    /// Every way side by side; without it single changes alone are weighed.
    pub table: Option<&'a DealingTable>,
    /// Hours of an epoch, were no rank ever idle, and the price of an hour of all ranks; without them nothing is said of
    /// time and money.
    pub working: Option<[f64; 2]>,
    /// The name of the model, for sentences: "Llama 3.1 8B".
    pub model: &'a str,
}

/// Returns the verdict on ranks. In its outcomes `padding_share` is the share of the time in which ranks are idle, or compute
/// padding; `settings` of a change have the names of [`fields`](crate::api::fields::ranks). No candidate has another
/// number of sequences in a step: where only that helps, a note says so. O(rows of the table).
pub fn advise_ranks(case: &RanksCase) -> Verdict {
    let now = case.now();
    let mut tried = case.single_changes(&now);
    tried.extend(case.ways(&now));
    tried.extend(case.libraries(&now));
    let Judged {
        considered,
        advised,
        lighter,
    } = judge::judged(Now::Runs(&now), tried);
    let [then, lighter] = [advised, lighter].map(|at| at.map(|at| considered[at].outcome.clone()));
    let end = match &then {
        Some(then) => format!("With {}: {}.", then.change.words, case.figures(then)),
        None => of_nothing(Some(&now), None),
    };
    let begin = format!("{}: {}", case.title(), case.figures(&now));
    let begin = match case.working {
        Some(_) => format!("{begin} an epoch."),
        None => format!("{begin}."),
    };
    let needs = then
        .iter()
        .filter(|then| !then.change.needs.is_empty())
        .map(|then| format!("It needs {}.", then.change.needs));
    let smaller = lighter.iter().map(|lighter| {
        let figures = case.figures(lighter);
        format!("With {} alone: {figures}.", lighter.change.words)
    });
    let longer = case.longer_step(then.as_ref().unwrap_or(&now));
    Verdict {
        sentence: format!("{begin} {end}"),
        notes: needs.chain(smaller).chain(longer).collect(),
        now: Some(now),
        then,
        lighter,
        keeps: None,
        best: None,
        considered,
        fixed: None,
        padded_to_limit: None,
    }
}

impl RanksCase<'_> {
    fn title(&self) -> String {
        match self.settings.library {
            _ if self.report.context.is_some() => "Long sequences shared by ranks".to_owned(),
            Some(library) => format!("Assigned by {}", library.long_name()),
            None => {
                let words = assignment(self.settings.dealing, self.settings.weight, self.model);
                crate::words::capital(&words)
            }
        }
    }

    /// Returns the idle share of an outcome, with time and money where these are known.
    fn figures(&self, of: &Outcome) -> String {
        let idle = percent(of.padding_share);
        let mut parts = vec![format!("{idle} {}", idly(self.report.padding))];
        if self.working.is_some() {
            parts.extend(bill(of));
        }
        parts.join(", ")
    }

    fn factor(&self) -> f64 {
        self.report.figures().factor
    }

    /// Returns an epoch whose steps take this factor of the mean work of a rank.
    fn outcome(&self, change: Change, factor: f64, untrained: &Untrained) -> Outcome {
        let [hours, price] = self.working.unwrap_or_default();
        let [_, lost] = untrained.dropped;
        let speedup = self.factor() / factor;
        let step = self.report.units as f64;
        Outcome {
            change,
            limit: vec![self.settings.limit],
            hours: hours * factor,
            money: hours * factor * price,
            speedup,
            band: [speedup; 2],
            slots: 0.0,
            padding_share: idle(factor),
            trained_tokens: 0.0,
            lost_share: lost,
            cut_share: 0.0,
            apart: true,
            shuffles: true,
            memory: 0.0,
            fits: true,
            rows: self.settings.units_of_micro_batch(),
            accumulation: self.settings.micro_batches,
            step_tokens: step,
            keeps_step: true,
            steps: (self.report.population as f64 / step).ceil(),
            charge: factor / (1.0 - lost).max(f64::MIN_POSITIVE),
        }
    }

    fn now(&self) -> Outcome {
        let none = Change::none((String::new(), String::new()));
        self.outcome(none, self.factor(), &self.report.untrained)
    }

    /// Returns the changes of one setting that the report has, but for those of the step.
    fn single_changes(&self, now: &Outcome) -> Vec<Outcome> {
        let one = |what_if: &WhatIf| {
            let change = self.change(what_if.change)?;
            // A scheduler that the report names trains every sequence.
            let untrained = match what_if.change {
                ranks::Change::Library(_) => Untrained::default(),
                _ => self.report.untrained,
            };
            Some(self.outcome(change, what_if.factor, &untrained))
        };
        let all = self.report.what_if.iter().filter_map(one);
        all.filter(|then| then.charge < now.charge).collect()
    }

    fn change(&self, change: ranks::Change) -> Option<Change> {
        let (name, value) = change.setting();
        let settings = vec![SettingValue {
            name: name.to_owned(),
            value,
        }];
        let Settings {
            dealing, weight, ..
        } = *self.settings;
        let (effort, words, needs) = match change {
            ranks::Change::Weight(by) => (Effort::Setting, assignment(dealing, by, self.model), ""),
            ranks::Change::Dealing(by) => (Effort::Setting, assignment(by, weight, self.model), ""),
            ranks::Change::Library(library) => (Effort::Loader, of_library(library), ""),
            ranks::Change::Waiting(SyncPoint::Step) => (
                Effort::Model,
                "one synchronisation a step".to_owned(),
                "weights that every rank holds, as in data parallelism or ZeRO-1 and 2",
            ),
            ranks::Change::Context(most) if self.report.context.is_none() => (
                Effort::Model,
                format!(
                    "at most {} tokens of a sequence on a rank",
                    count(u64::from(most))
                ),
                "attention across ranks (context parallelism)",
            ),
            // Sequences are shared already; or the step becomes another.
            ranks::Change::Context(_)
            | ranks::Change::MicroBatches(_)
            | ranks::Change::Waiting(_) => return None,
        };
        Some(Change {
            effort,
            size: 1,
            words,
            settings,
            needs: needs.to_owned(),
            ..Change::none((String::new(), String::new()))
        })
    }

    /// Returns the place of a factor in the rows of the table; `None` where ranks never wait.
    fn waiting(&self) -> Option<usize> {
        match self.settings.waiting {
            SyncPoint::MicroBatch => Some(0),
            SyncPoint::Step => Some(1),
            SyncPoint::Never => None,
        }
    }

    /// Returns what a factor of the table is multiplied by to stand beside the report, which may be on more steps.
    fn scale(&self, table: &DealingTable, at: usize) -> f64 {
        let same = match self.settings.library {
            Some(library) => {
                let mut rows = table.libraries.iter();
                let row = rows.find(|row| row.library == library);
                row.and_then(|row| Some(row.factors.as_ref().ok()?[at]))
            }
            None => {
                let Settings {
                    dealing, weight, ..
                } = *self.settings;
                let mut rows = table.rows.iter();
                let is_it = |row: &&ranks::DealingRow| {
                    row.dealing == dealing && (dealing.is_blind() || row.weight == weight)
                };
                rows.find(is_it).map(|row| [row.micro_batch, row.step][at])
            }
        };
        same.map_or(1.0, |same| self.report.factor / same)
    }

    /// Returns the ways to assign of the table: a dealing with a weight.
    fn ways(&self, now: &Outcome) -> Vec<Outcome> {
        let known = self.table.zip(self.waiting());
        let Some((table, at)) = known.filter(|_| self.report.context.is_none()) else {
            return Vec::new();
        };
        let scale = self.scale(table, at);
        let Settings {
            dealing,
            weight,
            library,
            ..
        } = *self.settings;
        let rows = table
            .rows
            .iter()
            .filter(|row| library.is_some() || row.dealing != dealing || row.weight != weight);
        let one = |row: &ranks::DealingRow| {
            let mut settings = Vec::new();
            let mut set = |name: &str, value: String| {
                settings.push(SettingValue {
                    name: name.to_owned(),
                    value,
                });
            };
            if library.is_some() || row.dealing != dealing {
                set("dealing", row.dealing.to_string());
            }
            if !row.dealing.is_blind() && row.weight != weight {
                set("weight", row.weight.to_string());
            }
            let effort = match (library, settings.len()) {
                // It takes the place of the library's own scheduler.
                (Some(_), _) => Effort::Loader,
                (None, 0 | 1) => Effort::Setting,
                (None, _) => Effort::Settings,
            };
            let change = Change {
                effort,
                size: simplicity(row.dealing, row.weight),
                words: assignment(row.dealing, row.weight, self.model),
                settings,
                ..Change::none((String::new(), String::new()))
            };
            let factor = scale * [row.micro_batch, row.step][at];
            self.outcome(change, factor, &Untrained::default())
        };
        rows.map(one)
            .filter(|then| then.charge < now.charge)
            .collect()
    }

    /// Returns the schedulers of libraries that train every sequence in whole, without padding, and keep to a cap.
    fn libraries(&self, now: &Outcome) -> Vec<Outcome> {
        let known = self.table.zip(self.waiting());
        let Some((table, at)) = known.filter(|_| self.report.context.is_none()) else {
            return Vec::new();
        };
        let scale = self.scale(table, at);
        let is_whole = |row: &&LibraryRow| {
            row.untrained == Untrained::default()
                && row.padding == 0.0
                && !row.library.shares()
                && (self.settings.cap.is_none() || !row.library.exceeds_cap())
                && Some(row.library) != self.settings.library
        };
        let one = |row: &LibraryRow| {
            let factor = scale * row.factors.as_ref().ok()?[at];
            let change = self.change(ranks::Change::Library(row.library))?;
            Some(self.outcome(change, factor, &row.untrained))
        };
        let rows = table.libraries.iter().filter(is_whole).filter_map(one);
        rows.filter(|then| then.charge < now.charge).collect()
    }

    /// Returns the sentence about more sequences in a step, where that leaves ranks idle for less than a plan by a percent.
    fn longer_step(&self, plan: &Outcome) -> Option<String> {
        let all = self.report.what_if.iter();
        let (micro_batches, factor) = all
            .filter_map(|what_if| match what_if.change {
                ranks::Change::MicroBatches(many) => Some((many, what_if.factor)),
                _ => None,
            })
            .find(|(_, factor)| *factor < plan.charge * 0.99)?;
        let of = |micro_batches: u32| {
            let all = u64::from(self.settings.ranks) * u64::from(micro_batches);
            units(
                self.settings.unit,
                all * u64::from(self.settings.units_of_micro_batch()),
            )
        };
        Some(format!(
            "A step of {} instead of {} would leave them {} {}: it is another batch.",
            of(micro_batches),
            count(self.report.units),
            percent(idle(factor)),
            idly(self.report.padding)
        ))
    }
}

fn of_library(library: Scheduler) -> String {
    format!("the scheduler of {}", library.long_name())
}

/// Returns a rank of ways that balance as well, lower for simpler ones: a weight that every trainer knows, and a way of a few
/// lines.
fn simplicity(dealing: ranks::Dealing, weight: Weight) -> u64 {
    let place = |at: Option<usize>| at.unwrap_or(usize::MAX) as u64;
    let dealing = ranks::Dealing::ALL.into_iter().position(|d| d == dealing);
    let weight = Weight::ALL.into_iter().position(|w| w == weight);
    1 + place(dealing) * Weight::ALL.len() as u64 + place(weight)
}
