//! Settings of ranks, and what waits for what.

use super::{Dealing, Scheduler, UnitCount, Weight};
use crate::cost::{Transformer, presets};
use crate::error::{Error, Result};
use crate::histogram::Overlong;
use crate::names::names;
use crate::packing::Algorithm;
use serde::{Deserialize, Serialize};

/// The most ranks.
pub const RANKS: u32 = 1024;
/// The most micro-batches of a step.
pub const MICRO_BATCHES: u32 = 1024;
/// The most units of a step over all ranks.
pub const UNITS: u64 = 1 << 20;
/// The most steps that are simulated.
pub const STEPS: u32 = 4096;
/// The algorithms that pack rows: they fill rows, and solve no system of equations.
pub const ROW_PACKERS: [Algorithm; 7] = [
    Algorithm::AverageTarget,
    Algorithm::Lpfhp,
    Algorithm::BestFitDecreasing,
    Algorithm::FirstFitDecreasing,
    Algorithm::Spfhp,
    Algorithm::Greedy,
    Algorithm::None,
];
/// The most units of all simulated steps.
const SIMULATED: u64 = 1 << 24;

/// The units that are dealt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RankUnit {
    /// Sequences: a micro-batch has any number of tokens.
    #[default]
    Sequences,
    /// Rows packed up to the limit.
    Rows,
}

names! { RankUnit, "unit";
    Sequences: "sequences", "Sequences", "Each by itself, without padding";
    Rows: "rows", "Packed rows", "Rows packed up to the limit";
}

/// The points at which ranks wait for each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SyncPoint {
    /// After every micro-batch: where weights or experts are exchanged in it.
    MicroBatch,
    /// Once a step, where gradients are exchanged.
    #[default]
    Step,
    /// Never: the bound.
    Never,
}

names! { SyncPoint, "waiting";
    MicroBatch: "micro-batch", "After every micro-batch", "FSDP, ZeRO-3, expert parallelism: the slowest of each micro-batch decides";
    Step: "step", "Once a step", "Data parallelism, ZeRO-1 and 2: the slowest of the step decides";
    Never: "never", "Never", "No rank waits: the best possible";
}

/// Settings of ranks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
// Not in the page, which is sent all settings.
#[cfg_attr(not(target_arch = "wasm32"), serde(default))]
pub struct Settings {
    /// Maximum sequence length, tokens; also the slots of a row.
    pub limit: u32,
    /// The policy for longer sequences.
    pub overlong: Overlong,
    /// Ranks that work on the same step (data parallelism), 1 to [`RANKS`].
    pub ranks: u32,
    /// The units that are dealt.
    pub unit: RankUnit,
    /// The algorithm that packs rows, of [`ROW_PACKERS`]; any other stands for the default. Without effect on sequences.
    pub algorithm: Algorithm,
    /// Mean units of a rank in a micro-batch; `None` for 4 sequences or 1 row.
    pub micro_batch: Option<u32>,
    /// Micro-batches of a rank in a step.
    pub micro_batches: u32,
    /// How units are dealt.
    pub dealing: Dealing,
    /// The weight by which they are dealt; without effect as they come.
    pub weight: Weight,
    /// A scheduler of a library, in place of dealing, weight and unit: its sequences of a micro-batch are
    /// `micro_batch`, its tokens of one are `cap`. It deals sequences: not with rows.
    pub library: Option<Scheduler>,
    /// The point at which ranks wait for each other.
    pub waiting: SyncPoint,
    /// The model, whose work is the true one.
    pub model: Transformer,
    /// The seed of the order of the sequences.
    pub seed: u64,
    /// Steps to simulate.
    pub steps: u32,
    /// A cap on the tokens of a micro-batch: a step then has as many micro-batches as the cap
    /// needs. `None` for a fixed number.
    pub cap: Option<u64>,
    /// The most tokens of a sequence on one rank, above which it is shared by several (context parallelism); `None` for
    /// none.
    pub context: Option<u32>,
    /// The fewest ranks that share a sequence by context parallelism with a size for each sequence.
    pub least: u32,
    /// A number of tokens to a multiple of which each sequence is padded before a library deals it, where the library
    /// [pads](Scheduler::pads); work is that of the tokens without padding.
    pub multiple: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            limit: 8192,
            overlong: Overlong::Truncate,
            ranks: 8,
            unit: RankUnit::Sequences,
            algorithm: Algorithm::Lpfhp,
            micro_batch: None,
            micro_batches: 8,
            dealing: Dealing::AsDrawn,
            weight: Weight::Tokens,
            library: None,
            waiting: SyncPoint::Step,
            model: presets::TRANSFORMERS[0].value,
            seed: 0,
            steps: 64,
            cap: None,
            context: None,
            least: 1,
            multiple: 1,
        }
    }
}

impl Settings {
    /// Returns the mean units of a rank in a micro-batch.
    pub fn units_of_micro_batch(&self) -> u32 {
        self.micro_batch.unwrap_or(match self.unit {
            RankUnit::Sequences => 4,
            RankUnit::Rows => 1,
        })
    }

    /// Returns the units of a step over all ranks; of settings that no [check](Self::check) passes, at most [`u64::MAX`].
    pub fn units(&self) -> u64 {
        // Two numbers of 32 bits cannot overflow, three can.
        (u64::from(self.ranks) * u64::from(self.micro_batches))
            .saturating_mul(self.units_of_micro_batch().into())
    }

    /// Returns the size of micro-batches: sequences are balanced in any number, rows have slots.
    pub fn size(&self) -> UnitCount {
        match self.unit {
            RankUnit::Sequences => UnitCount::Any(self.micro_batches),
            RankUnit::Rows => UnitCount::AtMost(self.units_of_micro_batch()),
        }
    }

    /// Returns the scheduler of a library that deals, if one does.
    pub fn scheduler(&self) -> Option<Scheduler> {
        self.library.filter(|_| self.unit == RankUnit::Sequences)
    }

    /// Returns the same with fewer steps, for an answer while a slider moves: at most 2^11 units
    /// over all steps, but at least 2 steps.
    #[must_use]
    pub fn swift(&self) -> Self {
        self.of_units(1 << 11, 2)
    }

    /// Returns the same with the steps on which all ways, about forty, are compared: at most 2^18
    /// units over all steps, but at least 1 step.
    #[must_use]
    pub fn compared(&self) -> Self {
        self.of_units(1 << 18, 1)
    }

    fn of_units(&self, units: u64, least: u32) -> Self {
        let affordable = u32::try_from(units / self.units().max(1))
            .unwrap_or(u32::MAX)
            .max(least);
        Self {
            steps: self.steps.min(affordable),
            ..self.clone()
        }
    }

    /// Checks that all values are in range.
    ///
    /// # Errors
    /// [`Error::Setting`]; [`Error::ZeroLimit`]; [`Error::Scheduler`] for packed rows with the scheduler of a library.
    pub fn check(&self) -> Result<()> {
        if self.limit == 0 {
            return Err(Error::ZeroLimit);
        }
        if let (Some(library), RankUnit::Rows) = (self.library, self.unit) {
            let reason =
                "it assigns sequences, not packed rows; choose sequences, or no library".to_owned();
            return Err(Error::Scheduler {
                scheduler: library.long_name(),
                reason,
            });
        }
        let within = |what, given: u64, most: u64, expected| match (1..=most).contains(&given) {
            true => Ok(()),
            false => Err(Error::Setting {
                what,
                given: given.to_string(),
                expected,
            }),
        };
        within(
            "number of ranks",
            self.ranks.into(),
            RANKS.into(),
            "1 to 1,024",
        )?;
        within(
            "number of micro-batches",
            self.micro_batches.into(),
            MICRO_BATCHES.into(),
            "1 to 1,024",
        )?;
        within(
            "number of steps",
            self.steps.into(),
            STEPS.into(),
            "1 to 4,096",
        )?;
        within(
            "number of units in a step",
            self.units(),
            UNITS,
            "1 to 1,048,576 over all ranks",
        )?;
        let simulated = self.units() * u64::from(self.steps);
        within(
            "number of units in all steps",
            simulated,
            SIMULATED,
            "at most 16,777,216: fewer steps, or ranks",
        )?;
        within(
            "cap on tokens",
            self.cap.unwrap_or(1),
            u64::MAX,
            "1 or more",
        )?;
        within(
            "number of tokens of a rank",
            self.context.unwrap_or(1).into(),
            u64::MAX,
            "1 or more",
        )?;
        within(
            "fewest ranks of a sequence",
            self.least.into(),
            RANKS.into(),
            "1 to 1,024",
        )?;
        within("multiple", self.multiple.into(), u64::MAX, "1 or more")
    }
}
