//! Batches: a [`BatchRequest`] gives a [`Report`] with figures for every epoch.

mod price;
mod servers;
mod settings;

pub use price::{Pricer, Pricing};
pub use servers::{SERVER_MEASUREMENTS, ServerMeasurement};
pub use settings::{BatchCap, EPOCHS, LearningRate, Mode, Settings};

use super::{Query, digest};
use crate::error::{Error, Result};
use crate::histogram::{ClippedHistogram, FREE, Histogram, Size};
use crate::metrics::{EpochFigures, ExpectedPadding, PublishedEstimate};
use crate::packing::Progress;
use crate::sampler::{Batch, EpochTally, EpochTask, Picture, Sampler, TokenDrop, share_of};
use crate::words::count;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

/// Data and settings: everything a report depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BatchRequest {
    /// (length and stopwords, number of items), in any order.
    pub counts: Vec<(Size<2>, u64)>,
    /// Whether the stopwords are known; otherwise the share in the settings is assumed.
    pub stopwords_known: bool,
    /// The settings of batches, epochs and estimates.
    pub settings: Settings,
    /// Whether the report includes pictures of batches.
    pub drawn: bool,
}

/// The report: figures of every epoch.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Report {
    /// The settings of the request, as they were given.
    pub settings: Settings,
    /// Whether the stopwords were counted; otherwise a share is assumed.
    pub stopwords_known: bool,
    /// Items that were longer than the limit.
    pub overlong_items: u64,
    /// Tokens thrown away by truncating or dropping items. Never part of padding.
    pub waste_tokens: u64,
    /// Stopwords of the data within the limit, counted or assumed.
    pub stopwords: u64,
    /// The expectation for random batches without dropped tokens, over all orders.
    pub random: ExpectedPadding,
    /// The estimate of TokenDrop + BucketSampler of the padding of random batches.
    pub estimate: PublishedEstimate,
    /// Figures of each epoch.
    pub epochs: Vec<EpochFigures>,
    /// Pictures of each epoch's batches; empty unless requested.
    // Always serialised, as messages to workers have no field names.
    #[serde(default)]
    pub pictures: Vec<Picture>,
    /// The number of sequences that were simulated in all epochs, where there are too many to
    /// simulate all in random order; the others are in batches like these. `None` if all were.
    #[serde(default)]
    pub simulated: Option<u64>,
}

/// As derived, but for a field that readers of JSON need only where it says something.
impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Messages to workers have no field names, so that all fields have to be there.
        let all = self.simulated.is_some() || !serializer.is_human_readable();
        let mut fields = serializer.serialize_struct("Report", 9 + usize::from(all))?;
        fields.serialize_field("settings", &self.settings)?;
        fields.serialize_field("stopwords_known", &self.stopwords_known)?;
        fields.serialize_field("overlong_items", &self.overlong_items)?;
        fields.serialize_field("waste_tokens", &self.waste_tokens)?;
        fields.serialize_field("stopwords", &self.stopwords)?;
        fields.serialize_field("random", &self.random)?;
        fields.serialize_field("estimate", &self.estimate)?;
        fields.serialize_field("epochs", &self.epochs)?;
        fields.serialize_field("pictures", &self.pictures)?;
        if all {
            fields.serialize_field("simulated", &self.simulated)?;
        }
        fields.end()
    }
}

impl Query for BatchRequest {
    type Report = Report;

    fn run(&self, progress: &mut Progress) -> Result<Report> {
        let (prepared, mut report) = self.batched(progress)?;
        prepared.price(&mut report);
        Ok(report)
    }
}

impl BatchRequest {
    /// Batches every epoch; without estimates.
    ///
    /// # Errors
    /// As [`PreparedBatches::report`].
    pub(super) fn batched(&self, progress: &mut Progress) -> Result<(PreparedBatches, Report)> {
        let data = Histogram::from_counts(self.counts.iter().copied())?;
        let prepared = PreparedBatches::new(&data, self.stopwords_known, &self.settings)?;
        let report = prepared.report(&self.settings, self.drawn, progress)?;
        Ok((prepared, report))
    }
}

/// Data that fit the limit, ready for batching under many settings, which may differ from those given here in
/// everything but limit, policy and share of stopwords.
#[derive(Debug)]
pub struct PreparedBatches {
    items: Histogram<2>,
    lengths: Histogram<1>,
    stopwords_known: bool,
    overlong_items: u64,
    waste_tokens: u64,
}

impl PreparedBatches {
    /// Applies the policy for overlong items. If `stopwords_known`, the second component counts the stopwords;
    /// otherwise the settings' share of each length is assumed.
    ///
    /// # Errors
    /// As [`Histogram::fit`] and [`Settings::check`].
    pub fn new(data: &Histogram<2>, stopwords_known: bool, settings: &Settings) -> Result<Self> {
        settings.check()?;
        let ClippedHistogram {
            histogram,
            overlong_items,
            waste_tokens,
        } = if stopwords_known {
            // Lengths with stopwords cannot be split: nobody counted the stopwords of a piece.
            data.fit([settings.limit, FREE], settings.overlong)?
        } else {
            // Lengths alone can be split, too.
            let lengths = data.marginal(0).ok_or(Error::Empty)?;
            let fitted = lengths.fit([settings.limit], settings.overlong)?;
            ClippedHistogram {
                histogram: fitted.histogram.with_zero(),
                overlong_items: fitted.overlong_items,
                waste_tokens: [fitted.waste_tokens[0], 0],
            }
        };
        let stopwords = |length: u32, known: u32| match stopwords_known {
            // A truncated sequence has at most as many stopwords as tokens.
            true => known.min(length),
            false => share_of(settings.stopword_share, length),
        };
        let counts = histogram.entries().iter();
        let items = counts.map(|&([length, known], n)| ([length, stopwords(length, known)], n));
        Ok(Self {
            items: Histogram::from_counts(items)?,
            lengths: histogram.marginal(0).ok_or(Error::Empty)?,
            stopwords_known,
            overlong_items,
            waste_tokens: waste_tokens[0],
        })
    }

    /// Batches every epoch; without estimates, which [`PreparedBatches::price`] adds.
    ///
    /// # Errors
    /// As [`Settings::check`] and [`Sampler::run`]; [`TooLarge`](crate::error::Error::TooLarge).
    pub fn report(
        &self,
        settings: &Settings,
        drawn: bool,
        progress: &mut Progress,
    ) -> Result<Report> {
        settings.check()?;
        let items = settings.token_drop.before(&self.items)?;
        // The baseline is computed before stopwords are dropped, so that dropping them shows as a
        // gain.
        let random = ExpectedPadding::random(&self.lengths, settings.batch_size());
        let mut report = Report {
            settings: settings.clone(),
            stopwords_known: self.stopwords_known,
            overlong_items: self.overlong_items,
            waste_tokens: self.waste_tokens,
            stopwords: self.items.total()[1],
            estimate: PublishedEstimate::new(&self.lengths, &random),
            random,
            epochs: Vec::new(),
            pictures: Vec::new(),
            simulated: None,
        };
        let mut simulated = 0;
        for epoch in 0..settings.runs() {
            let task = settings.task(items.items(), epoch);
            let (figures, picture, part) =
                self.epoch(&items, (settings, &task), drawn, progress)?;
            simulated += part;
            report.epochs.push(figures);
            report.pictures.extend(drawn.then_some(picture));
        }
        // Of all epochs together, as `items` counts them.
        report.simulated = Some(simulated).filter(|simulated| *simulated < report.items());
        report.set_rates(settings);
        Ok(report)
    }

    /// Fills in the estimates of a report on these data, as [`Pricer`] does for every epoch.
    pub fn price(&self, report: &mut Report) {
        let settings = report.settings.clone();
        report.price(&settings, &self.lengths);
    }

    /// Returns the figures of one epoch, without estimates.
    ///
    /// # Errors
    /// As [`PreparedBatches::report`].
    pub fn epoch_of(
        &self,
        settings: &Settings,
        epoch: u32,
        progress: &mut Progress,
    ) -> Result<EpochFigures> {
        self.epoch_in_part(settings, epoch, u64::MAX, progress)
    }

    /// Returns the figures of one epoch, without estimates, of which whole batches of about `most` sequences are simulated;
    /// the others are taken to be like these.
    ///
    /// # Errors
    /// As [`PreparedBatches::report`].
    pub fn epoch_in_part(
        &self,
        settings: &Settings,
        epoch: u32,
        most: u64,
        progress: &mut Progress,
    ) -> Result<EpochFigures> {
        let items = settings.token_drop.before(&self.items)?;
        let task = settings.task(items.items(), epoch);
        let task = EpochTask {
            simulated: task.simulated.min(most),
            ..task
        };
        Ok(self.epoch(&items, (settings, &task), false, progress)?.0)
    }

    /// Returns the figures of queries one by one ([`Mode::RealTime`]), in any mode of the settings. O(distinct).
    ///
    /// # Errors
    /// As [`PreparedBatches::report`].
    pub fn one_by_one(&self, settings: &Settings) -> Result<EpochFigures> {
        let settings = Settings {
            mode: Mode::RealTime,
            ..settings.clone()
        };
        settings.check()?;
        let items = settings.token_drop.before(&self.items)?;
        let mut tally = EpochTally::new(&items, false, false);
        // A batch for each distinct length, counted as often as there are sequences of it: no
        // sampler is needed, and the page need not link one.
        for (entry, (_, times)) in (0..).zip(items.entries()) {
            tally.take(&Batch {
                times: *times,
                ..Batch::single(&[(entry, 1)])
            });
        }
        let dropped = self.items.total()[0] - items.total()[0];
        let mut figures = EpochFigures::new(0, &tally.finish(None).0, dropped)?;
        settings.set_rates(&mut figures);
        Pricer::new(&self.lengths, &settings).price(&mut figures);
        Ok(figures)
    }

    fn epoch(
        &self,
        items: &Histogram<2>,
        (settings, task): (&Settings, &EpochTask),
        drawn: bool,
        progress: &mut Progress,
    ) -> Result<(EpochFigures, Picture, u64)> {
        let epoch = task.epoch;
        let mut tally = EpochTally::new(items, settings.token_drop == TokenDrop::Equalise, drawn);
        // Batches of one are the same in any order.
        let sampler = if settings.mode == Mode::RealTime {
            Sampler::Sorted
        } else {
            settings.sampler
        };
        sampler.run(items, task, &mut |batch| tally.take(batch), progress)?;
        // A part of every bucket is simulated by itself, in order of length.
        let by_bucket = sampler == Sampler::BucketByLength && task.simulated < items.items();
        let shuffled = (sampler.shuffles() || by_bucket).then_some(task.seed ^ u64::from(epoch));
        let (counts, picture) = tally.finish(shuffled);
        let before = self.items.total()[0] - items.total()[0];
        let mut figures = EpochFigures::new(epoch, &counts, before)?;
        figures.batch_cap = settings.cap_of(epoch);
        Ok((figures, picture, counts.simulated))
    }
}

impl Report {
    /// Returns the sequences of all epochs.
    pub fn items(&self) -> u64 {
        self.epochs
            .iter()
            .map(|epoch| epoch.items)
            .fold(0, u64::saturating_add)
    }

    /// Recomputes the figures that depend only on learning rates; batches stay the same.
    pub fn set_rates(&mut self, settings: &Settings) {
        self.settings.learning_rate = settings.learning_rate;
        for figures in &mut self.epochs {
            self.settings.set_rates(figures);
        }
    }

    /// Returns the 64-bit FNV-1a hash of the report's JSON.
    pub fn digest(&self) -> u64 {
        digest(self)
    }
}

/// Says of reports, each with the name of its row, how many of how many sequences were simulated; `None` if all were.
pub fn parts(reports: &[(String, &Report)]) -> Option<String> {
    let part = |(name, report): &(String, &Report)| {
        let [simulated, all] = [report.simulated?, report.items()].map(count);
        let epochs = if report.epochs.len() > 1 {
            " of all epochs"
        } else {
            ""
        };
        let words = format!("{name} {simulated} of {all} sequences{epochs}");
        Some(words.trim_start().to_owned())
    };
    let parts: Vec<String> = reports.iter().filter_map(part).collect();
    let words = "batches, slots and padding are scaled up from these, and the largest batch is the largest of them";
    (!parts.is_empty()).then(|| {
        format!(
            "Simulated in part, in whole batches: {}; {words}.",
            parts.join(", ")
        )
    })
}
