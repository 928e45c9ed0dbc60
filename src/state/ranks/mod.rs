//! The view of ranks: the loaded sequences, dealt to ranks that wait for each other.

pub mod findings;

use super::answers::CachedAnswer;
use super::pairs::{Pair, own_pairs, pairs_of, set_own};
use super::pending_queries::REST;
use super::pin::RanksPin;
use super::speedup::findings::{model_name, short_accelerator};
use super::{AppState, Ticket};
use crate::query::{Answer, Query};
use packscope::api::fields::ranks;
use packscope::api::ranks::{DealingTable, RankUnit, Report, Scheduler, Settings};
use std::rc::Rc;

/// The settings of the view, beside those that it shares with the view of sequences (limit, policy, seed), and the
/// model, which is that of the estimates.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RankState {
    settings: Settings,
    /// The pinned results, at most [`super::pin::MOST`], with the model of the estimates.
    pub pins: Vec<Rc<RanksPin>>,
}

impl RankState {
    pub(super) fn pairs(&self) -> Vec<Pair> {
        own_pairs(ranks::VALUES, &self.settings, &Settings::default())
    }

    /// Sets one of these settings; bad values, other names and invalid settings change nothing. An empty text stands
    /// for no number, where that is possible.
    pub(super) fn set(&mut self, name: &str, text: &str) {
        let usual = Settings::default();
        // On a copy: what is refused leaves what it would have replaced.
        let mut next = self.settings.clone();
        // A way to deal of one's own takes the place of a library's.
        if name == ranks::DEALING.value.id || name == ranks::WEIGHT.value.id {
            next.library = usual.library;
        }
        // Libraries deal sequences: of the two, the newer one stands.
        if name == ranks::UNIT.value.id && text == RankUnit::Rows.name() {
            next.library = usual.library;
        }
        if name == ranks::LIBRARY.value.id && Scheduler::NAMES.contains(&text) {
            next.unit = usual.unit;
        }
        // An empty text is no number, which `set_own` refuses.
        let is_set = match text {
            "" if name == ranks::CAP.value.id => {
                next.cap = usual.cap;
                true
            }
            "" if name == ranks::CONTEXT.value.id => {
                next.context = usual.context;
                true
            }
            "" if name == ranks::MICRO_BATCH.value.id => {
                next.micro_batch = usual.micro_batch;
                true
            }
            _ => set_own(ranks::VALUES, &mut next, (name, text), |_| true),
        };
        if is_set && next.check().is_ok() {
            self.settings = next;
        }
    }
}

/// Returns the settings of a pinned result for the address, always with the limit.
pub(super) fn pin_pairs(settings: &Settings) -> Vec<Pair> {
    pairs_of(
        ranks::VALUES,
        settings,
        &Settings {
            limit: 0,
            ..Settings::default()
        },
    )
}

/// A worker's report on ranks.
#[derive(Debug, Clone, Copy)]
pub struct RanksAnswer<'a> {
    pub ticket: Ticket,
    /// The settings of the question.
    pub settings: &'a Settings,
    pub report: &'a Rc<Report>,
}

impl<'a> RanksAnswer<'a> {
    fn new(known: &'a CachedAnswer) -> Option<Self> {
        match (&known.query, &known.answered.outcome) {
            (Query::Ranks(settings), Ok(Answer::Ranks(report))) => Some(Self {
                ticket: known.ticket,
                settings,
                report,
            }),
            _ => None,
        }
    }
}

/// Returns the table of an answer, if it is one.
fn table_of(known: &CachedAnswer) -> Option<&Rc<DealingTable>> {
    match &known.answered.outcome {
        Ok(Answer::Dealings(table)) => Some(table),
        _ => None,
    }
}

impl AppState {
    pub fn ranks_settings(&self) -> Settings {
        let s = &self.sequences.settings;
        let model = self.speedup.assumptions().transformer;
        Settings {
            limit: s.limit,
            overlong: s.overlong,
            seed: s.seed,
            model,
            ..self.ranks.settings.clone()
        }
    }

    /// Takes over settings, but for the model, which is that of the estimates.
    pub(super) fn set_ranks(&mut self, to: &Settings) {
        let Settings {
            limit,
            overlong,
            seed,
            model,
            ..
        } = Settings::default();
        let s = &mut self.sequences.settings;
        (s.limit, s.overlong, s.seed) = (to.limit, to.overlong, to.seed);
        // What is shared is kept with the sequences alone; here it stays at its default.
        self.ranks.settings = Settings {
            limit,
            overlong,
            seed,
            model,
            ..to.clone()
        };
    }

    /// Gives all pinned results the model of the estimates: figures of another one are asked again.
    pub(super) fn remodel_pins(&mut self) {
        let model = self.speedup.assumptions().transformer;
        for pin in self
            .ranks
            .pins
            .iter_mut()
            .filter(|pin| pin.settings.model != model)
        {
            // Figures of another model could not be compared with those on screen.
            let pin = Rc::make_mut(pin);
            (pin.settings.model, pin.figures) = (model, None);
        }
    }

    fn ranks_query(&self) -> Query {
        Query::Ranks(Box::new(self.ranks_settings()))
    }

    fn dealings_query(&self) -> Query {
        Query::Dealings(Box::new(self.ranks_settings()))
    }

    /// Returns the answer about the data on screen, which may be a refusal.
    fn known(&self, query: &Query) -> Option<&CachedAnswer> {
        self.answers.get(self.sequences.version(), query)
    }

    /// Returns the newest report, perhaps about other settings or data.
    pub fn ranked(&self) -> Option<RanksAnswer<'_>> {
        let now = self.known(&self.ranks_query()).and_then(RanksAnswer::new);
        now.or_else(|| self.answers.newest().find_map(RanksAnswer::new))
    }

    /// Returns the newest table of all ways to deal, perhaps about other settings or data.
    pub fn dealings(&self) -> Option<&Rc<DealingTable>> {
        let now = self.known(&self.dealings_query()).and_then(table_of);
        now.or_else(|| self.answers.newest().find_map(table_of))
    }

    /// Whether the report is about the present data and settings.
    pub fn is_ranked(&self) -> bool {
        self.known(&self.ranks_query())
            .is_some_and(|known| known.answered.outcome.is_ok())
    }

    /// Whether the table of all ways to deal is about the present data and settings.
    pub fn is_dealt(&self) -> bool {
        self.known(&self.dealings_query())
            .is_some_and(|known| known.answered.outcome.is_ok())
    }

    /// Returns the reason why the engine refused the settings.
    pub fn ranks_refusal(&self) -> Option<&str> {
        self.known(&self.ranks_query())?
            .answered
            .outcome
            .as_ref()
            .err()
            .map(String::as_str)
    }

    /// Returns the queries for the report and for the table, with the milliseconds without a change before each: while a
    /// slider moves, the report is on few steps.
    pub(super) fn ranks_wanted(&self) -> [(u32, Vec<Query>); 2] {
        let few = self.ranks_settings().swift();
        let (is_few, glance) = (few == self.ranks_settings(), Query::Ranks(Box::new(few)));
        let unanswered = |query: Query| match self.known(&query) {
            Some(_) => Vec::new(),
            None => vec![query],
        };
        let report = match unanswered(self.ranks_query()) {
            report if is_few => (0, report),
            // Few steps answer the slider at once, all of them follow when it rests.
            report if report.is_empty() || self.known(&glance).is_some() => (REST, report),
            _ => (0, vec![glance]),
        };
        [report, (REST, unanswered(self.dealings_query()))]
    }
}

/// The cost of an epoch, an estimate.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// Seconds of an epoch, with the waiting.
    pub seconds: f64,
    /// Hours of all ranks together.
    pub hours: f64,
    /// Price of these hours.
    pub money: f64,
    /// Price of an hour of one rank.
    pub price: f64,
    /// Which sequences the time is of, in a few words.
    pub of: &'static str,
    /// The assumptions in words.
    pub assumed: String,
}

impl AppState {
    /// Returns the cost of an epoch at the settings of a report: the work of all sequences at the rates of the
    /// estimates, without the fixed time of batches and updates. `None` without data. O(distinct).
    pub fn ranks_cost(&self, settings: &Settings, report: &Report) -> Option<Cost> {
        let data = self.sequences.data.as_ref()?;
        let fitted = data
            .histogram
            .fit_roughly(settings.limit, settings.overlong)
            .ok()?;
        let rates = self.rates();
        // Work on tokens goes with the length, attention with its square.
        let of = |([length], n): &([u32; 1], u64)| {
            let length = f64::from(*length);
            (rates.first + rates.second * length) * length * *n as f64
        };
        let work: f64 = fitted.entries().iter().map(of).sum();
        // Of all ranks together, with their waiting for the slowest.
        let hours = work * findings::factor_of(report) / 3600.0;
        let (a, accelerator) = (
            self.speedup.assumptions(),
            short_accelerator(self.speedup.accelerator.name),
        );
        let (of, unpacked) = match settings.unit {
            RankUnit::Sequences => (
                "sequences unpacked",
                " Each sequence is computed by itself, not packed into rows: the hours are not those of packed rows under Sequences.",
            ),
            RankUnit::Rows => ("sequences in packed rows", ""),
        };
        let assumed = format!(
            "An estimate for {} on {accelerator}s, one a rank, by the rates of Speed-up, where they can be changed; without the time of updates, of communication and of starting kernels.{unpacked}",
            model_name(self)
        );
        let seconds = hours * 3600.0 / f64::from(settings.ranks.max(1));
        Some(Cost {
            seconds,
            hours,
            money: hours * a.price,
            price: a.price,
            of,
            assumed,
        })
    }
}
