//! The view of ranks: the loaded sequences, dealt to ranks that wait for each other.

pub mod findings;

use super::AppState;
use super::answers::{CachedAnswer, EncodedAnswer};
use super::pairs::{Pair, own_pairs, pairs_of, set_own};
use super::pending_queries::REST;
use super::pin::RanksPin;
use super::speedup::findings::{model_name, short_accelerator};
use packscope::api::fields::ranks;
use packscope::api::queries::{Answer, HeldRequest};
use packscope::api::ranks::{AnswerPart, Figures, RankUnit, Report, Scheduler, Settings};
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

/// A worker's answer about ranks.
#[derive(Debug, Clone, Copy)]
pub struct RanksAnswer<'a> {
    /// The answer with its ticket and its time.
    pub known: &'a CachedAnswer,
    pub settings: &'a Settings,
    pub figures: Option<Figures>,
    /// The report or the table, encoded.
    pub encoded: &'a EncodedAnswer,
}

impl<'a> RanksAnswer<'a> {
    fn new(known: &'a CachedAnswer, part: AnswerPart) -> Option<Self> {
        match (&known.request, &known.answered.outcome) {
            (HeldRequest::Ranks(settings, of), Ok(Answer::Ranks(figures, encoded)))
                if *of == part =>
            {
                Some(Self {
                    known,
                    settings,
                    figures: *figures,
                    encoded,
                })
            }
            _ => None,
        }
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

    fn ranks_request(&self, part: AnswerPart) -> HeldRequest {
        HeldRequest::Ranks(Box::new(self.ranks_settings()), part)
    }

    /// Returns the answer about the present data and settings, which may be a refusal.
    fn ranks_answer(&self, part: AnswerPart) -> Option<&CachedAnswer> {
        self.answers
            .get(self.sequences.version(), &self.ranks_request(part))
    }

    /// Returns the newest report or table, perhaps about other settings or data.
    pub fn ranked(&self, part: AnswerPart) -> Option<RanksAnswer<'_>> {
        let now = self
            .ranks_answer(part)
            .and_then(|known| RanksAnswer::new(known, part));
        now.or_else(|| {
            self.answers
                .newest()
                .find_map(|known| RanksAnswer::new(known, part))
        })
    }

    /// Whether the report or the table is about the present data and settings.
    pub fn is_ranked(&self, part: AnswerPart) -> bool {
        self.ranks_answer(part)
            .is_some_and(|known| known.answered.outcome.is_ok())
    }

    /// Returns the reason why the engine refused the settings.
    pub fn ranks_refusal(&self) -> Option<&str> {
        self.ranks_answer(AnswerPart::Report)?
            .answered
            .outcome
            .as_ref()
            .err()
            .map(String::as_str)
    }

    /// Returns the requests for the report and for the table, with the milliseconds without a change before each: while a
    /// slider moves, the report is on few steps.
    pub(super) fn ranks_wanted(&self) -> [(u32, Vec<HeldRequest>); 2] {
        let few = self.ranks_settings().swift();
        let (is_few, glance) = (
            few == self.ranks_settings(),
            HeldRequest::Ranks(Box::new(few), AnswerPart::Report),
        );
        let asked = |part| match self.ranks_answer(part) {
            Some(_) => Vec::new(),
            None => vec![self.ranks_request(part)],
        };
        let is_glanced = || {
            self.answers
                .get(self.sequences.version(), &glance)
                .is_some()
        };
        let report = match asked(AnswerPart::Report) {
            report if is_few => (0, report),
            // Few steps answer the slider at once, all of them follow when it rests.
            report if report.is_empty() || is_glanced() => (REST, report),
            _ => (0, vec![glance]),
        };
        [report, (REST, asked(AnswerPart::Table))]
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
