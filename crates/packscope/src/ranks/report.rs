//! The report on ranks.

use super::{Dealing, Scheduler, SyncPoint, Weight};
use crate::names::names;
use serde::{Deserialize, Serialize};

/// Ranks at some settings. A *factor* is the time of a step ÷ the mean work of a rank in it: 1 where nobody waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The factor: time of all simulated steps ÷ mean work of a rank in them.
    pub factor: f64,
    /// Standard error of the factor.
    pub error: f64,
    /// The factor that 5, 50 and 95 % of the steps do not exceed.
    pub quantiles: [f64; 3],
    /// Share of the time in which ranks are idle, or compute padding where there is any: 1 − 1 ÷ factor.
    pub idle: f64,
    /// The factor below which no dealing of the units that are trained gets, with this waiting: whatever the order and the
    /// number of units of a rank. Where the scheduler lets ranks share sequences also no sharing, so that it is 1.
    pub bound: f64,
    /// The heaviest unit that is trained in a step ÷ the mean work of a rank in it, on average: above 1 it alone makes all
    /// others wait, unless ranks share it.
    pub longest: f64,
    /// Sequences that the scheduler of the settings does not train.
    pub untrained: Untrained,
    /// Share of the computed work that is padding: 0 but where the scheduler pads micro-batches to their longest. It is part
    /// of the time.
    pub padding: f64,
    /// The cause of most of the waiting: the first of [`what_if`](Self::what_if) loosens it.
    pub binds: Binds,
    /// Single changes of a setting, the one that helps most first; those that do not help are left out.
    pub what_if: Vec<WhatIf>,
    /// One step to look at, the one with the median factor: for each rank the work of its micro-batches, in units of the
    /// mean work of a rank in the step. Without waiting in between a rank's bar is their sum.
    pub rank_bars: Vec<Vec<f64>>,
    /// The longest sequence of each of these micro-batches, tokens; 0 for an empty one.
    pub rank_longest: Vec<Vec<u32>>,
    /// Tokens of each rank in that step.
    pub rank_tokens: Vec<u64>,
    /// The factor of each simulated step, in their order.
    pub factors: Vec<f64>,
    /// The weights in the order of [`Weight::ALL`]: how far each is from the true work, and what that costs.
    pub weights: Vec<WeightRow>,
    /// Micro-batches under the cap on tokens, if there is one and sequences are dealt.
    pub cap: Option<super::CappedMicroBatches>,
    /// Context parallelism, if there is a most of tokens for a rank and sequences are dealt.
    pub context: Option<super::ContextReport>,
    /// Units of a step over all ranks.
    pub units: u64,
    /// Sequences or rows of an epoch: all that there are.
    pub population: u64,
    /// Sequences above the limit.
    pub overlong_items: u64,
}

/// Sequences of the simulated steps that a scheduler does not train: shares of the sequences and of the tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Untrained {
    /// Above its cap, and dropped.
    pub dropped: [f64; 2],
    /// Left over for a micro-batch that is not full at the end of a step; the next step may train them.
    pub left: [f64; 2],
}

/// The figures of a report by which settings are compared.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// The factor; where ranks share long sequences, the one with a size for each sequence.
    pub factor: f64,
    /// The factor below which no dealing of the same units gets; where ranks share long sequences,
    /// no sharing by the same number of ranks.
    pub bound: f64,
    /// The heaviest unit of a step ÷ the mean work of a rank in it.
    pub longest: f64,
}

impl Report {
    /// Returns the figures by which settings are compared.
    pub fn figures(&self) -> Figures {
        let (factor, bound) = self
            .context
            .as_ref()
            .map_or((self.factor, self.bound), |context| {
                (context.each.factor, context.bound)
            });
        Figures {
            factor,
            bound,
            longest: self.longest,
        }
    }
}

/// The cause of most of the waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Binds {
    /// One sequence, or row, is about as long as all others of a rank.
    Longest,
    /// Ranks wait more often than their work needs.
    Synchronisation,
    /// Units are balanced by a weight that is not their work.
    Weight,
    /// Units are not balanced, or not well.
    Dealing,
    /// Micro-batches are padded to their longest.
    Padding,
    /// Ranks hardly wait: less than [`NOTHING`], or a little more, which no single change shortens.
    Nothing,
}

names! { Binds, "cause";
    Longest: "longest", "The longest sequence or row", "One sequence or row is about as heavy as all others of a rank";
    Synchronisation: "synchronisation", "Synchronisation", "Ranks synchronise more often than their work needs";
    Weight: "weight", "The weight", "Ranks are balanced by another weight than their work";
    Dealing: "dealing", "Assignment", "Units are assigned without regard to their work";
    Padding: "padding", "Padding", "Micro-batches are padded to their longest";
    Nothing: "nothing", "Nothing", "Ranks are hardly idle";
}

/// The excess of a factor over 1 that is as good as none.
pub const NOTHING: f64 = 0.02;

/// A setting with another value, all else equal.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct WhatIf {
    /// The setting that changes, with its new value.
    pub change: Change,
    /// The factor that it gives, on the same steps.
    pub factor: f64,
}

/// A change of one setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Balance by this weight.
    Weight(Weight),
    /// Deal like this.
    Dealing(Dealing),
    /// Deal as this library does.
    Library(Scheduler),
    /// Wait here only.
    Waiting(SyncPoint),
    /// This many micro-batches in a step: more sequences, among which a long one weighs less.
    MicroBatches(u32),
    /// At most this many tokens of a sequence on one rank (context parallelism).
    Context(u32),
}

impl Change {
    /// Returns the name of the setting in addresses ([`fields`](crate::api::fields::ranks)), and its new value there.
    pub fn setting(self) -> (&'static str, String) {
        match self {
            Self::Weight(weight) => ("weight", weight.to_string()),
            Self::Dealing(dealing) => ("dealing", dealing.to_string()),
            Self::Library(library) => ("library", library.to_string()),
            Self::Waiting(waiting) => ("waiting", waiting.to_string()),
            Self::MicroBatches(number) => ("accumulation", number.to_string()),
            Self::Context(tokens) => ("context", tokens.to_string()),
        }
    }
}

/// A weight, compared with the true work.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct WeightRow {
    /// The weight.
    pub weight: Weight,
    /// Share of the work of the data that it puts on the wrong units: half the sum of |its share − true share|.
    pub misplaced: f64,
    /// Its work of the longest unit ÷ its work of the mean unit, divided by the same ratio of the true work: above 1 it
    /// takes long units for heavier than they are.
    pub longest: f64,
    /// The factor where units are dealt by it: as in the settings, or the heaviest first if these leave units as they
    /// come.
    pub factor: f64,
}

/// A way to deal and to wait, with its factor.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DealingRow {
    /// How units are dealt.
    pub dealing: Dealing,
    /// The weight; [`Weight::Tokens`] where units stay as they come.
    pub weight: Weight,
    /// The factor where ranks wait after every micro-batch.
    pub micro_batch: f64,
    /// The factor where they wait once a step.
    pub step: f64,
}

/// A scheduler of a library on the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LibraryRow {
    /// The scheduler.
    pub library: Scheduler,
    /// The factors where ranks wait after every micro-batch, and once a step; or why the library stops.
    pub factors: std::result::Result<[f64; 2], String>,
    /// The factors that no dealing of what it trains gets below; where it shares sequences, also no sharing.
    pub bound: [f64; 2],
    /// Sequences that it does not train.
    pub untrained: Untrained,
    /// Share of its work that is padding, as in a [`Report`].
    pub padding: f64,
}

impl LibraryRow {
    /// Returns why the library stops, without its name, which the row has already.
    pub fn refusal(&self) -> Option<&str> {
        let why = self.factors.as_ref().err()?;
        let rest = why
            .strip_prefix(self.library.long_name())
            .and_then(|rest| rest.strip_prefix(": "));
        Some(rest.unwrap_or(why))
    }
}

/// Every way side by side, on the same steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DealingTable {
    /// Each dealing with each weight.
    pub rows: Vec<DealingRow>,
    /// Each scheduler of a library, where sequences are dealt.
    pub libraries: Vec<LibraryRow>,
    /// The bound of dealing all units, each on one rank, with either waiting: after every micro-batch, and once a step.
    /// Schedulers that drop sequences, or share them among ranks, have bounds of their own.
    pub bound: [f64; 2],
    /// Steps simulated: those of the settings, or as many as [`Settings::compared`](super::Settings::compared) has.
    pub steps: u32,
}
