//! Settings of batching.

use super::Pricing;
use crate::error::{Error, Result};
use crate::histogram::Overlong;
use crate::metrics::EpochFigures;
use crate::names::names;
use crate::sampler::{Buckets, EpochTask, HwCap, Sampler, TokenDrop, mega_of, simulated_of};
use serde::{Deserialize, Serialize};

/// The use of the batches, which decides on epochs, caps and learning rates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Training: epochs, weight updates, learning rates.
    #[default]
    Training,
    /// Inference of many queries at once: one pass, no updates and no BatchCap, so that batches of BucketSampler are as
    /// large as the HWCap allows (TokenDrop + BucketSampler, §3.2).
    Server,
    /// Inference of queries as they come: batches of one, no padding; only dropping tokens helps
    /// (TokenDrop + BucketSampler, §3.2).
    RealTime,
}

names! { Mode, "mode";
    Training: "training", "Training", "Epochs of weight updates";
    Server: "server", "Server inference", "Batches as large as memory allows (HWCap)";
    RealTime: "real-time", "Real-time inference", "One query at a time";
}

/// BatchCap (TokenDrop + BucketSampler, §2.2): the largest batch of an epoch is base · scaling^epoch.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BatchCap {
    /// The largest batch of the first epoch; `None` for [`Settings::batch`].
    pub base: Option<u32>,
    /// Growth factor from epoch to epoch, at least 1.
    pub scaling: f64,
}

impl Default for BatchCap {
    fn default() -> Self {
        Self {
            base: None,
            scaling: 2.0,
        }
    }
}

/// Learning rates (LRM; TokenDrop + BucketSampler, §2.2): base · √(size / base size), batch by batch.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LearningRate {
    /// The rate for batches of the usual size.
    pub base: f64,
    /// Whether the rate follows the size of each batch; only for [`Sampler::Bucket`].
    pub modulated: bool,
}

impl Default for LearningRate {
    /// Returns the smallest of the three rates that the paper tries.
    fn default() -> Self {
        Self {
            base: 3e-5,
            modulated: true,
        }
    }
}

/// Settings of batches, epochs, learning rates and estimates. Out of range they are an error of
/// [`check`](Self::check).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
// Not in the page, which is sent all settings and would be 4 KB larger.
#[cfg_attr(not(target_arch = "wasm32"), serde(default))]
pub struct Settings {
    /// Maximum sequence length, tokens.
    pub limit: u32,
    /// The policy for longer sequences.
    pub overlong: Overlong,
    /// The way in which sequences become batches.
    pub sampler: Sampler,
    /// Sequences (packed: rows) in a batch of fixed size. [`Sampler::Bucket`] and [`Sampler::BucketByLength`] make
    /// batches as large as `hwcap` allows instead; for the former it is the base of `batch_cap`.
    pub batch: u32,
    /// Epochs, 1 to [`EPOCHS`].
    pub epochs: u32,
    /// The seed of the order of the sequences.
    pub seed: u64,
    /// Training, or one of two kinds of inference.
    pub mode: Mode,
    /// Length-grouped: batches in a sorted group; `None` for the rule of Hugging Face.
    pub mega: Option<u32>,
    /// Token budget: maximum slots of a batch; `None` for the slots of a padded batch, batch · limit.
    pub tokens: Option<u64>,
    /// Lengths in a bucket; `None` for the usual width: see [`Settings::width`].
    pub bucket_width: Option<u32>,
    /// The largest batch of a length: by default for RoBERTa base on an accelerator of 11 GB, so set your own. The rows
    /// of your own table are also the buckets, unless `bucket_width` is set.
    pub hwcap: HwCap,
    /// Whether residual batches are merged.
    pub merging: bool,
    /// The largest batch of an epoch; `None` for no cap except HWCap.
    pub batch_cap: Option<BatchCap>,
    /// The stopwords to drop.
    pub token_drop: TokenDrop,
    /// Assumed share of stopwords in each sequence, rounded down, if the data do not count them.
    pub stopword_share: f64,
    /// Learning rates; they never change a batch.
    pub learning_rate: LearningRate,
    /// The basis of the estimates; it never changes a batch.
    pub cost: Box<Pricing>,
}

/// The maximum number of epochs.
pub const EPOCHS: u32 = 100;

impl Default for Settings {
    fn default() -> Self {
        Self {
            limit: 128,
            overlong: Overlong::Truncate,
            sampler: Sampler::Bucket,
            batch: 64,
            epochs: 3,
            seed: 0,
            mode: Mode::Training,
            mega: None,
            tokens: None,
            bucket_width: None,
            hwcap: HwCap::default(),
            merging: true,
            batch_cap: Some(BatchCap::default()),
            token_drop: TokenDrop::Off,
            stopword_share: 0.4,
            learning_rate: LearningRate::default(),
            cost: Box::default(),
        }
    }
}

impl Settings {
    /// Returns the settings that decide the batches: settings without effect on this sampler are at their defaults.
    pub fn unpriced(&self) -> Self {
        // Equal settings are one question: a setting without effect must not ask anew.
        let usual = Self::default();
        let mut s = self.clone();
        (s.learning_rate, s.cost) = (usual.learning_rate, usual.cost.clone());
        if s.mode != Mode::Training {
            // Inference has one epoch and no caps.
            (s.epochs, s.batch_cap) = (usual.epochs, usual.batch_cap);
        }
        if s.token_drop == TokenDrop::Off {
            s.stopword_share = usual.stopword_share;
        }
        let is = |sampler| s.sampler == sampler;
        if !is(Sampler::LengthGrouped) {
            s.mega = None;
        }
        if !is(Sampler::TokenBudget) {
            s.tokens = None;
        }
        if !matches!(s.sampler, Sampler::Bucket | Sampler::BucketByLength) {
            (s.bucket_width, s.hwcap) = (None, usual.hwcap);
        }
        if s.sampler != Sampler::Bucket {
            (s.merging, s.batch_cap) = (true, usual.batch_cap);
        }
        s
    }

    /// Returns the number of epochs to run: one at inference.
    pub fn runs(&self) -> u32 {
        if self.mode == Mode::Training {
            self.epochs
        } else {
            1
        }
    }

    /// Returns the BatchCap of an epoch; `None` if the sampler has none.
    pub fn cap_of(&self, epoch: u32) -> Option<u64> {
        let cap = self
            .batch_cap
            .filter(|_| self.mode == Mode::Training && self.sampler == Sampler::Bucket)?;
        // By multiplication, since powers of floats differ between machines.
        let grown = (0..epoch).fold(f64::from(cap.base.unwrap_or(self.batch)), |cap, _| {
            cap * cap_scaling(self)
        });
        Some((grown as u64).max(1))
    }

    /// Returns the learning rate of a batch of `sequences` sequences; `None` at inference.
    pub fn rate_of(&self, sequences: u64) -> Option<f64> {
        if self.mode != Mode::Training {
            return None;
        }
        let LearningRate { base, modulated } = self.learning_rate;
        let usual = self
            .batch_cap
            .and_then(|cap| cap.base)
            .unwrap_or(self.batch);
        let follows = modulated && self.sampler == Sampler::Bucket;
        Some(if follows {
            base * (sequences as f64 / f64::from(usual)).sqrt()
        } else {
            base
        })
    }

    /// Returns the lengths in a bucket; `None` for buckets that follow the rows of the HWCap table, or of width 5 where
    /// the HWCap is a memory model.
    ///
    /// BucketSampler has buckets of 1 without TokenDrop and of 5 with it, the width of its table (App. A, Table 6); a
    /// custom table has its own rows.
    pub fn width(&self) -> Option<u32> {
        let own = matches!(&self.hwcap, HwCap::Table(_)) && self.hwcap != HwCap::default();
        let narrow = self.sampler == Sampler::Bucket && self.token_drop == TokenDrop::Off && !own;
        self.bucket_width.or(narrow.then_some(1))
    }

    /// Returns the buckets of these settings.
    pub fn buckets(&self) -> Buckets {
        Buckets::new(self.hwcap.clone(), self.width(), self.limit)
    }

    /// Fills in the figures that depend only on learning rates.
    pub(super) fn set_rates(&self, figures: &mut EpochFigures) {
        let rates = figures
            .batch_sizes([0.0, 1.0])
            .map(|size| self.rate_of(size));
        figures.learning_rate = rates[0].zip(rates[1]).map(|(least, most)| [least, most]);
        figures.updates = if self.mode == Mode::Training {
            figures.batches
        } else {
            0
        };
    }

    /// Checks that all values are in range.
    ///
    /// # Errors
    /// [`Error::ZeroBatch`], [`Error::HwCap`], [`Error::Setting`].
    pub fn check(&self) -> Result<()> {
        if self.batch == 0 {
            return Err(Error::ZeroBatch);
        }
        self.hwcap.check()?;
        let setting = |ok: bool, what, given: String, expected| {
            if ok {
                Ok(())
            } else {
                Err(Error::Setting {
                    what,
                    given,
                    expected,
                })
            }
        };
        // NaN is in no range.
        let share = |x: f64| (0.0..=1.0).contains(&x);
        let cap = self.batch_cap.unwrap_or_default();
        setting(
            (1..=EPOCHS).contains(&self.epochs),
            "number of epochs",
            self.epochs.to_string(),
            "1 to 100",
        )?;
        setting(
            (1.0..=100.0).contains(&cap.scaling) && cap.base != Some(0),
            "BatchCap",
            format!("{},{}", cap.base.unwrap_or(self.batch), cap.scaling),
            "a base from 1 and a scaling from 1 to 100, such as 64,2",
        )?;
        setting(
            share(self.stopword_share),
            "share of stopwords",
            self.stopword_share.to_string(),
            "a number from 0 to 1",
        )?;
        let rate = self.learning_rate.base;
        setting(
            rate.is_finite() && rate > 0.0,
            "learning rate",
            rate.to_string(),
            "a number above 0",
        )?;
        setting(
            self.bucket_width != Some(0),
            "width of buckets",
            "0".to_owned(),
            "1 or more",
        )?;
        setting(
            self.mega != Some(0),
            "size of a group",
            "0".to_owned(),
            "1 or more",
        )
    }

    /// Returns the number of sequences in a batch of fixed size.
    pub(super) fn batch_size(&self) -> u32 {
        if self.mode == Mode::RealTime {
            1
        } else {
            self.batch
        }
    }

    pub(super) fn task(&self, items: u64, epoch: u32) -> EpochTask {
        let batch = self.batch_size();
        EpochTask {
            batch,
            limit: self.limit,
            seed: self.seed,
            epoch,
            mega: self.mega.unwrap_or_else(|| mega_of(items, batch)),
            tokens: self
                .tokens
                .unwrap_or(u64::from(batch) * u64::from(self.limit)),
            buckets: self.buckets(),
            cap: self
                .cap_of(epoch)
                .map(|cap| u32::try_from(cap).unwrap_or(u32::MAX)),
            merging: self.merging,
            simulated: simulated_of(items),
        }
    }
}

fn cap_scaling(settings: &Settings) -> f64 {
    settings.batch_cap.unwrap_or_default().scaling
}
