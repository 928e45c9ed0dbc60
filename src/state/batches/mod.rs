//! The view of batches: samplers side by side on the loaded sequences.

pub mod findings;
mod hash;
pub mod real_time;
pub mod shapes;

use super::answers::CachedAnswer;
use super::{AppState, Ticket};
use crate::query::{Answer, Query};
use packscope::api::batch::{BatchCap, LearningRate, Mode, Pricer, Report, Settings};
use packscope::api::fields::{self, batches};
use packscope::histogram::Histogram;
use packscope::metrics::{EpochFigures, ExpectedPadding};
use packscope::order::Map;
use packscope::sampler::{HwCap, Picture, Sampler, TokenDrop};
use shapes::ShapesState;
use std::rc::Rc;

/// A row of the table: the sampler and, for the bucket sampler of P3, whether residual batches are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SamplerRow {
    pub sampler: Sampler,
    /// Whether residual batches are merged; `None` where it makes no difference.
    pub merging: Option<bool>,
}

impl SamplerRow {
    /// Every row, in the order of the table.
    pub const ALL: [Self; 8] = [
        Self::plain(Sampler::Random),
        Self::plain(Sampler::Sorted),
        Self::plain(Sampler::LengthGrouped),
        Self::plain(Sampler::BucketByLength),
        Self::plain(Sampler::TokenBudget),
        Self {
            sampler: Sampler::Bucket,
            merging: Some(true),
        },
        Self {
            sampler: Sampler::Bucket,
            merging: Some(false),
        },
        Self::plain(Sampler::Packed),
    ];

    /// The baseline of the table.
    pub const RANDOM: Self = Self::plain(Sampler::Random);

    const fn plain(sampler: Sampler) -> Self {
        Self {
            sampler,
            merging: None,
        }
    }

    /// Returns the row of the given settings.
    pub fn from_settings(settings: &Settings) -> Self {
        let merging = (settings.sampler == Sampler::Bucket).then_some(settings.merging);
        Self {
            sampler: settings.sampler,
            merging,
        }
    }
}

/// A worker's answer about a row.
#[derive(Debug, Clone, Copy)]
pub struct BatchAnswer<'a> {
    /// The question it answers.
    pub ticket: Ticket,
    /// The settings of the question.
    pub settings: &'a Settings,
    /// The report, or the reason why there is none.
    pub outcome: Result<&'a Rc<Report>, &'a String>,
    pub seconds: f64,
}

impl<'a> BatchAnswer<'a> {
    fn new(known: &'a CachedAnswer) -> Option<Self> {
        let Query::Batches(settings, _) = &known.query else {
            return None;
        };
        let outcome = match &known.answered.outcome {
            Ok(Answer::Batches(report)) => Ok(report),
            Ok(_) => return None,
            Err(why) => Err(why),
        };
        Some(Self {
            ticket: known.ticket,
            settings,
            outcome,
            seconds: known.answered.seconds,
        })
    }

    /// Whether there is a report without pictures.
    fn is_plain(&self) -> bool {
        self.outcome.is_ok_and(|report| report.pictures.is_empty())
    }
}

/// The state of the view, beside the data and settings that it shares with the view of sequences.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchState {
    /// The batching settings; those shared with the sequences (limit, policy, seed, batch) are kept there.
    settings: Settings,
    /// The epoch on screen, from 0.
    epoch: u32,
    /// Whether only the first batches are drawn, large enough to tell apart.
    pub first_batches: bool,
    shapes: ShapesState,
}

impl Default for BatchState {
    fn default() -> Self {
        Self {
            settings: usual(),
            epoch: 0,
            first_batches: false,
            shapes: ShapesState::default(),
        }
    }
}

/// Returns the settings that the view opens with: those of the engine, with the sampler that is recommended on most data,
/// since it keeps the sequences of a step and much of the shuffle.
fn usual() -> Settings {
    Settings {
        sampler: Sampler::LengthGrouped,
        ..Settings::default()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    Sampler(Sampler),
    /// A row of the table.
    Choose(SamplerRow),
    /// A setting that affects no other: its name in addresses, and its value as text. Invalid values change nothing.
    Set(&'static str, String),
    /// The epoch on screen, from 0.
    Epoch(u32),
    /// Batches in a sorted group; `None` for the usual rule.
    Mega(Option<u32>),
    /// Maximum slots of a batch; `None` for as many as a padded batch has.
    Tokens(Option<u64>),
    /// Lengths in a bucket; `None` for the rows of the published table.
    Width(Option<u32>),
    /// The table of largest batches by length. Ignored if invalid.
    HwCap(HwCap),
    /// The cap on the batches of an epoch. Ignored if invalid.
    BatchCap(Option<BatchCap>),
    TokenDrop(TokenDrop),
    /// Learning rates: only re-prices, never batches again.
    LearningRate(LearningRate),
    FirstBatches(bool),
    /// The settings of few static shapes, as in addresses; see [`shapes::pairs`].
    Shapes(shapes::Pairs),
    /// The questions about shapes while they are in view: see [`AppState::shapes_queries`].
    AskShapes(Rc<Vec<Query>>),
}

impl BatchState {
    fn apply(&mut self, action: Action) {
        let mut s = self.settings.clone();
        match action {
            Action::Sampler(sampler) => s.sampler = sampler,
            Action::Choose(row) => {
                s.sampler = row.sampler;
                s.merging = row.merging.unwrap_or(s.merging);
            }
            Action::Set(id, text) => _ = fields::set(batches::VALUES, &mut s, id, &text),
            Action::Epoch(epoch) => self.epoch = epoch,
            Action::Mega(mega) => s.mega = mega.map(|m| m.max(1)),
            Action::Tokens(tokens) => s.tokens = tokens.map(|t| t.max(1)),
            Action::Width(width) => s.bucket_width = width.map(|w| w.max(1)),
            Action::HwCap(hwcap) => s.hwcap = hwcap,
            Action::BatchCap(cap) => s.batch_cap = cap,
            Action::TokenDrop(drop) => s.token_drop = drop,
            Action::LearningRate(rate) => s.learning_rate = rate,
            Action::FirstBatches(first) => self.first_batches = first,
            Action::Shapes(pairs) => self.shapes.pairs = pairs,
            Action::AskShapes(requests) => self.shapes.asked = requests,
        }
        // Invalid settings change nothing.
        if s.check().is_ok() {
            self.settings = s;
        }
    }
}

impl AppState {
    pub(super) fn batch(&mut self, action: Action) {
        self.batches.apply(action);
        self.rate_batches();
    }

    /// Recomputes learning rates in reports if they have changed since the question.
    pub(super) fn rate_batches(&mut self) {
        let settings = self.batch_settings();
        let is_rated = |known: &CachedAnswer| {
            let report = BatchAnswer::new(known).and_then(|batched| batched.outcome.ok());
            report.is_none_or(|report| report.settings.learning_rate == settings.learning_rate)
        };
        // A change copies the list of answers, which earlier states share: so only where one is
        // needed.
        if self.answers.newest().all(is_rated) {
            return;
        }
        self.answers.change(|known| {
            if !is_rated(known)
                && let Ok(Answer::Batches(report)) = &mut Rc::make_mut(known).answered.outcome
            {
                Rc::make_mut(report).set_rates(&settings);
            }
        });
    }

    pub fn batch_settings(&self) -> Settings {
        Settings {
            limit: self.sequences.settings.limit,
            overlong: self.sequences.settings.overlong,
            seed: self.sequences.settings.seed,
            batch: self.sequences.settings.batch,
            cost: Box::new(self.batch_pricing()),
            ..self.batches.settings.clone()
        }
    }

    /// Returns the settings that decide the batches of all rows, with those that only price them at their defaults.
    pub fn batches_asked(&self) -> Settings {
        // Answers are found again by their request, so that it has nothing that only prices.
        let usual = Settings::default();
        Settings {
            learning_rate: usual.learning_rate,
            cost: usual.cost,
            ..self.batch_settings()
        }
    }

    /// Returns the batching settings for a row of the table.
    pub fn batch_settings_of(&self, row: SamplerRow) -> Settings {
        let settings = self.batch_settings();
        let merging = row.merging.unwrap_or(settings.merging);
        Settings {
            sampler: row.sampler,
            merging,
            ..settings
        }
    }

    /// Returns the settings that decide the batches of a row, with those that only price them at their defaults.
    pub(super) fn batch_request(&self, row: SamplerRow) -> Settings {
        let asked = self.batches_asked();
        Settings {
            sampler: row.sampler,
            merging: row.merging.unwrap_or(asked.merging),
            ..asked
        }
    }

    pub fn batch_row(&self) -> SamplerRow {
        SamplerRow::from_settings(&self.batches.settings)
    }

    /// Returns the rows of the table; in real time only the chosen one, since all samplers are the same there.
    pub fn batch_rows(&self) -> Vec<SamplerRow> {
        match self.batches.settings.mode {
            Mode::RealTime => vec![self.batch_row()],
            _ => SamplerRow::ALL.to_vec(),
        }
    }

    /// Returns the rows whose batches are drawn side by side: random batches and the chosen row. Sorted batches replace
    /// random ones if these are the chosen row, or refused by the engine.
    pub fn pictured_rows(&self) -> [SamplerRow; 2] {
        let (chosen, sorted) = (self.batch_row(), SamplerRow::plain(Sampler::Sorted));
        let refused =
            self.is_batched(SamplerRow::RANDOM) && self.batch_report(SamplerRow::RANDOM).is_none();
        match (chosen == SamplerRow::RANDOM, refused) {
            (true, _) => [SamplerRow::RANDOM, sorted],
            (false, true) => [sorted, chosen],
            (false, false) => [SamplerRow::RANDOM, chosen],
        }
    }

    /// Returns the answers for a row, the newest first, each with whether it is about the present data and settings.
    fn all_batched(&self, row: SamplerRow) -> impl Iterator<Item = (BatchAnswer<'_>, bool)> {
        let (version, settings) = (
            self.sequences.version(),
            self.batch_settings_of(row).unpriced(),
        );
        let of_row = move |b: &BatchAnswer<'_>| SamplerRow::from_settings(b.settings) == row;
        self.answers
            .newest()
            .filter_map(BatchAnswer::new)
            .filter(of_row)
            .map(move |b| {
                (
                    b,
                    b.ticket.data == version && b.settings.unpriced() == settings,
                )
            })
    }

    /// Returns the answer for a row, with pictures if there are any; else the newest about other settings or data.
    pub fn batched(&self, row: SamplerRow) -> Option<BatchAnswer<'_>> {
        // The newest comes first. A current answer takes the place of one about other settings, and
        // one with pictures that of one without.
        let best = self.all_batched(row).reduce(|best, other| {
            if other.1 && (!best.1 || best.0.is_plain() && !other.0.is_plain()) {
                other
            } else {
                best
            }
        });
        best.map(|(batched, _)| batched)
    }

    /// Whether the answer for a row is about the present data and settings.
    pub fn is_batched(&self, row: SamplerRow) -> bool {
        self.all_batched(row).any(|(_, is_current)| is_current)
    }

    /// Whether the present answer for a row has pictures, or is a refusal.
    pub fn is_pictured(&self, row: SamplerRow) -> bool {
        self.all_batched(row)
            .any(|(batched, is_current)| is_current && !batched.is_plain())
    }

    /// Whether the answers for all rows are about the present data and settings.
    pub fn are_batched(&self) -> bool {
        self.batch_rows()
            .into_iter()
            .all(|row| self.is_batched(row))
    }

    pub fn batch_report(&self, row: SamplerRow) -> Option<&Rc<Report>> {
        self.batched(row)?.outcome.ok()
    }

    /// Returns the padding of random batches, before any sampler is known; `None` without data. O(distinct · batch) at
    /// most.
    pub fn random_padding(&self) -> Option<f64> {
        let settings = self.batch_settings();
        let fitted = self
            .fitted(&settings)
            .filter(|_| settings.token_drop == TokenDrop::Off)?;
        Some(ExpectedPadding::random(&fitted, settings.batch).padding_share)
    }

    /// Returns the figures of a row in the epoch on screen.
    pub fn epoch_figures(&self, row: SamplerRow) -> Option<&EpochFigures> {
        let epochs = &self.batch_report(row)?.epochs;
        // The report may have fewer epochs than the settings, until the next one arrives.
        epochs.get(self.shown_epoch() as usize).or(epochs.last())
    }

    /// Returns the figures of rows in the epoch on screen, with estimates under the present assumptions; rows about
    /// other data have none. Cost as of [`Pricer`] for each row.
    pub fn priced_figures(&self, rows: &[SamplerRow]) -> Map<SamplerRow, EpochFigures> {
        // Rows have the same limit, except while a new one is being answered: so the lengths that fit it are counted
        // once.
        let mut last: Option<(Settings, Histogram<1>)> = None;
        let mut priced = |row| {
            let settings = self.priced_by(row)?;
            let alike = |s: &Settings| s.limit == settings.limit && s.overlong == settings.overlong;
            let kept = last.take().filter(|(settings, _)| alike(settings));
            let lengths =
                kept.map_or_else(|| self.fitted(&settings), |(_, lengths)| Some(lengths))?;
            let mut figures = self.epoch_figures(row)?.clone();
            Pricer::new(&lengths, &settings).price(&mut figures);
            last = Some((settings, lengths));
            Some((row, figures))
        };
        rows.iter().filter_map(|row| priced(*row)).collect()
    }

    /// Returns the report of a row with estimates under the present assumptions in every epoch; `None` for a report
    /// about other data. Cost as of [`Pricer`] for each epoch.
    pub fn priced_report(&self, row: SamplerRow) -> Option<Report> {
        let settings = self.priced_by(row)?;
        let mut report = Report::clone(self.batch_report(row)?);
        report.price(&settings, &self.fitted(&settings)?);
        Some(report)
    }

    /// Returns the settings by which a row is priced; `None` for a row about other data.
    fn priced_by(&self, row: SamplerRow) -> Option<Settings> {
        let batched = self
            .batched(row)
            .filter(|batched| batched.ticket.data == self.sequences.version())?;
        let (cost, learning_rate) = (
            Box::new(self.batch_pricing()),
            self.batches.settings.learning_rate,
        );
        Some(Settings {
            cost,
            learning_rate,
            ..batched.settings.clone()
        })
    }

    /// Returns the lengths that fit the limit, with the precision that estimates need.
    fn fitted(&self, settings: &Settings) -> Option<Histogram<1>> {
        let data = self.sequences.data.as_ref()?;
        data.histogram
            .fit_roughly(settings.limit, settings.overlong)
            .ok()
    }

    /// Returns the picture of a row in the epoch on screen.
    pub fn epoch_picture(&self, row: SamplerRow) -> Option<&Picture> {
        let pictures = &self.batch_report(row)?.pictures;
        pictures
            .get(self.shown_epoch() as usize)
            .or(pictures.last())
    }

    /// Returns the epoch on screen, from 0.
    pub fn shown_epoch(&self) -> u32 {
        // Inference has a single pass, whatever epoch of training was on screen.
        self.batches.epoch.min(self.batches.settings.runs() - 1)
    }

    /// Returns the reason why the engine refused the chosen row.
    pub fn batch_refusal(&self) -> Option<&str> {
        let row = self.batch_row();
        let refused = self.batched(row).filter(|_| self.is_batched(row))?;
        refused.outcome.err().map(String::as_str)
    }
}
