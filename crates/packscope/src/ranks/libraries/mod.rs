//! The schedulers of training libraries, as their code was read: which rank gets which sequence of a step, in which
//! micro-batch.

mod megatron;
mod nemo_rl;
mod ordered;
mod prime_rl;
mod skyrl;
mod slime;
mod trl;
mod verl;

pub(super) use slime::first_fit;

use super::{Settings, Weight};
use crate::cost::Transformer;
use crate::error::{Error, Result};
use crate::names::names;
use crate::words::{count, plural};
use serde::{Deserialize, Serialize};

/// A scheduler of a training library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheduler {
    /// Squared lengths, the longest first, in each micro-batch.
    Trl,
    /// Squared lengths in order of arrival, under a budget of tokens for each rank.
    TrlBudget,
    /// Karmarkar–Karp of equal size over the step, then of any size for micro-batches.
    Verl,
    /// The same, with more micro-batches until all keep to the cap.
    #[serde(rename = "verl-0.9.1")]
    VerlCapped,
    /// First-fit over the step, micro-batches dealt in turn.
    Slime,
    /// The same, micro-batches dealt by Karmarkar–Karp of equal size.
    SlimeBalanceData,
    /// Micro-batches made and dealt by Karmarkar–Karp.
    SlimeBalanceByFlops,
    /// Next-fit over the step, rows dealt in turn.
    MegatronDpBalanced,
    /// Groups of ranks for each sequence.
    MegatronDynamicCp,
    /// Modified first-fit decreasing over the step, rows dealt in turn.
    NemoRl,
    /// Sorted and dealt in turn, padded micro-batches.
    NemoRlDynamic,
    /// First-fit decreasing over the step, rows dealt in turn.
    #[serde(rename = "skyrl")]
    SkyRl,
    /// First-fit decreasing over the step, rows dealt by Karmarkar–Karp of equal size and swaps.
    PrimeRl,
}

names! { Scheduler, "scheduler";
    Trl: "trl", "TRL", "TRL, fixed count", "L², the longest first, in each micro-batch", "huggingface/trl@f2cd577 trl/experimental/async_grpo/async_grpo_trainer.py FixedCountBatcher, _balance_by_squared_length";
    TrlBudget: "trl-budget", "TRL", "TRL, token budget", "L² in order of arrival, up to a budget of each rank", "huggingface/trl@f2cd577 trl/experimental/async_grpo/async_grpo_trainer.py TokenBudgetBatcher";
    Verl: "verl", "verl", "verl before 0.9.1", "24,576 · L + L² by Karmarkar–Karp; micro-batches may exceed the cap", "verl-project/verl@1dda039 verl/trainer/ppo/ray_trainer.py _balance_batch, verl/utils/seqlen_balancing.py rearrange_micro_batches";
    VerlCapped: "verl-0.9.1", "verl", "verl 0.9.1", "24,576 · L + L² by Karmarkar–Karp, with as many micro-batches as the cap needs", "verl 0.9.1 (PR 7553) verl/utils/seqlen_balancing.py rearrange_micro_batches";
    Slime: "slime", "slime", "slime", "First-fit over the step, assigned in turn", "THUDM/slime@624b824 slime/utils/dp_schedule.py build_dp_schedule";
    SlimeBalanceData: "slime-balance-data", "slime", "slime, balance_data", "First-fit, assigned by Karmarkar–Karp of operations", "THUDM/slime@624b824 slime/utils/dp_schedule.py build_dp_schedule, --balance-data";
    SlimeBalanceByFlops: "slime-balance-by-flops", "slime", "slime, balance_by_flops", "Made and assigned by Karmarkar–Karp of operations; may exceed the cap", "THUDM/slime@624b824 slime/utils/dp_schedule.py build_dp_schedule, --balance-by-flops";
    MegatronDpBalanced: "megatron-dp-balanced", "Megatron-LM", "Megatron-LM, dp_balanced", "Next-fit over the step, assigned in turn", "NVIDIA/Megatron-LM@d2e7ec5b megatron/core/datasets/data_schedule.py DpBalancedScheduler";
    MegatronDynamicCp: "megatron-dynamic-cp", "Megatron-LM", "Megatron-LM, default_dynamic_cp", "A group of ranks for each sequence, balanced by L² ÷ ranks", "NVIDIA/Megatron-LM@d2e7ec5b megatron/core/datasets/data_schedule_utils.py next_hdp_group_packing_aware";
    NemoRl: "nemo-rl", "NeMo RL", "NeMo RL, sequence packing", "Modified first-fit decreasing, assigned in turn", "NVIDIA-NeMo/RL@7ea279a nemo_rl/distributed/batched_data_dict.py shard_by_batch_size, nemo_rl/data/packing/algorithms.py";
    NemoRlDynamic: "nemo-rl-dynamic", "NeMo RL", "NeMo RL, dynamic batching", "Sorted, assigned in turn; micro-batches padded to their longest", "NVIDIA-NeMo/RL@7ea279a nemo_rl/distributed/batched_data_dict.py shard_by_batch_size";
    SkyRl: "skyrl", "SkyRL", "SkyRL, sequence packing", "First-fit decreasing over the step, assigned in turn", "skyrl 0.3.0 skyrl/train/dataset/collators.py PackedDataCollator, skyrl/train/dataset/bin_packing.py";
    PrimeRl: "prime-rl", "prime-rl", "prime-rl", "First-fit decreasing, assigned by Karmarkar–Karp of operations and by swaps", "PrimeIntellect-ai/prime-rl@559b447 src/prime_rl/trainer/batch.py prepare_batch, balanced_partition";
}

/// The settings of a scheduler.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SchedulerTask {
    /// Ranks; those that share sequences by context parallelism count each.
    pub ranks: u32,
    /// Sequences of a rank in a micro-batch, where their number is fixed; `None` for all of a step.
    pub micro_batch: Option<u32>,
    /// The most tokens of a micro-batch on a rank; `None` where sequences are counted instead.
    pub cap: Option<u64>,
    /// The model, whose operations slime counts.
    pub model: Transformer,
    /// The fewest ranks that share a sequence, where each has a number of its own.
    pub least: u32,
    /// A number of tokens to a multiple of which each sequence is padded, where the library [pads](Scheduler::pads).
    pub multiple: u32,
}

/// The schedule of a step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    /// The sequences of each micro-batch of each rank, by their position in the step. Ranks that share a sequence all
    /// have it.
    pub ranks: Vec<Vec<Vec<u32>>>,
    /// Sequences above the cap, which are never trained.
    pub dropped: Vec<u32>,
    /// Sequences left for a micro-batch that is not full yet, which the next step may fill.
    pub left: Vec<u32>,
}

impl Assignment {
    /// Returns the schedule of a scheduler that trains every sequence.
    fn training_all(ranks: Vec<Vec<Vec<u32>>>) -> Self {
        Self {
            ranks,
            ..Self::default()
        }
    }
}

impl Scheduler {
    /// Returns the scheduler with which a library of this [short name](Self::short_name) begins, in its latest version;
    /// `None` for one that has none here.
    pub fn of_library(library: &str) -> Option<Self> {
        let begins = |one: &Self| *one != Self::Verl && one.short_name() == library;
        Self::ALL.into_iter().find(begins)
    }

    /// Returns the names that the library has for settings of ranks: own name, option of the command line.
    pub fn own_names(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Trl => &[("per_device_train_batch_size", "micro-batch")],
            Self::TrlBudget => &[("token_budget", "cap")],
            Self::Verl | Self::VerlCapped => &[
                ("ppo_max_token_len_per_gpu", "cap"),
                ("ppo_micro_batch_size_per_gpu", "micro-batch"),
            ],
            Self::Slime | Self::SlimeBalanceData | Self::SlimeBalanceByFlops => &[
                ("max_tokens_per_gpu", "cap"),
                ("micro_batch_size", "micro-batch"),
            ],
            Self::MegatronDpBalanced => &[("max_seqlen_per_dp_cp_rank", "cap")],
            Self::MegatronDynamicCp => &[
                ("max_seqlen_per_dp_cp_rank", "cap"),
                ("min_dynamic_context_parallel_size", "least-ranks"),
            ],
            Self::NemoRl => &[
                ("train_mb_tokens", "cap"),
                ("make_sequence_length_divisible_by", "multiple"),
            ],
            Self::NemoRlDynamic => &[("train_mb_tokens", "cap")],
            Self::SkyRl => &[("max_tokens_per_microbatch", "cap")],
            Self::PrimeRl => &[("seq_len", "cap")],
        }
    }

    /// Whether several ranks may share a sequence, so that a step may take less than its heaviest one on a single rank.
    pub fn shares(self) -> bool {
        self == Self::MegatronDynamicCp
    }

    /// Whether micro-batches may have more tokens than the cap.
    pub fn exceeds_cap(self) -> bool {
        matches!(self, Self::Verl | Self::SlimeBalanceByFlops)
    }

    /// Whether it deals sequences by their lengths with padding to a multiple: as tensor and context parallelism need it.
    pub fn pads(self) -> bool {
        matches!(
            self,
            Self::MegatronDpBalanced | Self::MegatronDynamicCp | Self::NemoRl
        )
    }

    /// Returns the weight by which it balances; `None` where nothing is weighed.
    pub fn weight(self) -> Option<Weight> {
        match self {
            Self::Trl | Self::TrlBudget | Self::MegatronDynamicCp => Some(Weight::Squared),
            Self::Verl | Self::VerlCapped => Some(Weight::Verl),
            // prime-rl counts operations by the same formula.
            Self::SlimeBalanceData | Self::SlimeBalanceByFlops | Self::PrimeRl => {
                Some(Weight::Slime)
            }
            Self::Slime
            | Self::MegatronDpBalanced
            | Self::NemoRl
            | Self::NemoRlDynamic
            | Self::SkyRl => None,
        }
    }

    /// Returns the task of settings: their cap, or what the scheduler needs in its place.
    pub fn task(self, settings: &Settings) -> SchedulerTask {
        let micro_batch = settings.units_of_micro_batch();
        // Without a cap, schedulers that need one get a row of the limit; NeMo RL's, as many rows
        // as a micro-batch has.
        let usual = match self {
            Self::TrlBudget
            | Self::MegatronDpBalanced
            | Self::MegatronDynamicCp
            | Self::SkyRl
            | Self::PrimeRl => Some(1),
            Self::NemoRl | Self::NemoRlDynamic => Some(u64::from(micro_batch)),
            _ => None,
        };
        let usual = usual.map(|rows| rows * u64::from(settings.limit));
        let cap = settings.cap.or(usual);
        SchedulerTask {
            ranks: settings.ranks,
            micro_batch: Some(micro_batch),
            cap,
            model: settings.model,
            least: settings.least,
            multiple: settings.multiple,
        }
    }

    /// Checks the settings that the library itself checks before it sees a sequence.
    ///
    /// # Errors
    /// [`Error::Scheduler`] for a 0, and where it needs a cap and has none.
    pub fn check(self, task: &SchedulerTask) -> Result<()> {
        if [task.ranks, task.least, task.multiple].contains(&0)
            || task.cap == Some(0)
            || task.micro_batch == Some(0)
        {
            return Err(stops(
                self,
                "its settings are numbers from 1, not 0".to_owned(),
            ));
        }
        match self {
            Self::Trl | Self::Verl | Self::VerlCapped | Self::Slime | Self::SlimeBalanceData => {
                Ok(())
            }
            _ => capped(self, task).map(|_| ()),
        }
    }

    /// Returns the slots that each sequence of a step takes in its micro-batch: more than its length where micro-batches
    /// are padded to their longest.
    pub(super) fn slots(self, lengths: &[u32], assignment: &Assignment) -> Option<Vec<u32>> {
        if self != Self::NemoRlDynamic {
            return None;
        }
        let width = lengths.iter().max().copied().unwrap_or(1);
        let mut slots = lengths.to_vec();
        for place in 0..assignment.ranks.first().map_or(0, Vec::len) {
            let own = || {
                assignment
                    .ranks
                    .iter()
                    .filter_map(|rank| rank.get(place))
                    .flatten()
            };
            let longest = own().map(|at| lengths[*at as usize]).max().unwrap_or(1);
            own().for_each(|at| slots[*at as usize] = nemo_rl::slots(longest, width));
        }
        Some(slots)
    }

    /// Returns the error where it trains no sequence of any step, all of them being above the cap, or left over.
    pub(super) fn idle(self, settings: &Settings, dropped: bool) -> Error {
        let cap = plural(self.task(settings).cap.unwrap_or(u64::MAX), "token");
        stops(
            self,
            match dropped {
                true => {
                    format!(
                        "it drops every sequence, all being above its cap of {cap}; choose a higher cap"
                    )
                }
                false => format!(
                    "the {} of a step never fill its cap of {cap} on all {}, so that it trains none; choose more \
                 micro-batches, or a lower cap",
                    plural(settings.units(), "sequence"),
                    plural(u64::from(settings.ranks), "rank")
                ),
            },
        )
    }

    /// Returns the schedule of a step of sequences in their order of arrival. O(sequences²) at most.
    ///
    /// # Errors
    /// [`Error::Scheduler`] where the library stops: too few sequences for its ranks, one that is longer than its cap, or
    /// [settings](Self::check) that it refuses.
    pub fn assign(self, lengths: &[u32], task: &SchedulerTask) -> Result<Assignment> {
        self.check(task)?;
        // Padding changes what is dealt, not the work: see `Settings::multiple`.
        let padded = |length: &u32| {
            length
                .checked_next_multiple_of(task.multiple)
                .unwrap_or(*length)
        };
        let padded: Option<Vec<u32>> =
            (self.pads() && task.multiple > 1).then(|| lengths.iter().map(padded).collect());
        let lengths = padded.as_deref().unwrap_or(lengths);
        match self {
            Self::Trl => Ok(trl::fixed_count(lengths, task)),
            Self::TrlBudget => trl::token_budget(lengths, task),
            Self::Verl => verl::assign(lengths, task, false),
            Self::VerlCapped => verl::assign(lengths, task, true),
            Self::Slime => slime::assign(lengths, task, slime::Balance::Nothing),
            Self::SlimeBalanceData => slime::assign(lengths, task, slime::Balance::Ranks),
            Self::SlimeBalanceByFlops => slime::assign(lengths, task, slime::Balance::All),
            Self::MegatronDpBalanced => megatron::dp_balanced(lengths, task),
            Self::MegatronDynamicCp => megatron::dynamic_cp(lengths, task),
            Self::NemoRl => nemo_rl::rows_of_mffd(lengths, task),
            Self::NemoRlDynamic => nemo_rl::dynamic(lengths, task),
            Self::SkyRl => skyrl::rows_of_ffd(lengths, task),
            Self::PrimeRl => prime_rl::assign(lengths, task),
        }
    }
}

/// Returns the error where a library stops.
fn stops(library: Scheduler, reason: String) -> Error {
    Error::Scheduler {
        scheduler: library.long_name(),
        reason,
    }
}

/// Returns the cap, or an error if there is none.
fn capped(library: Scheduler, task: &SchedulerTask) -> Result<u64> {
    task.cap
        .ok_or_else(|| stops(library, "it needs a cap on tokens".to_owned()))
}

/// Returns an error if a sequence is longer than the cap.
fn above_cap(library: Scheduler, lengths: &[u32], cap: u64) -> Result<()> {
    match lengths.iter().max().map(|longest| u64::from(*longest)) {
        Some(longest) if longest > cap => {
            let cap = plural(cap, "token");
            Err(stops(
                library,
                format!(
                    "its cap of {cap} is below the longest sequence, of {}",
                    count(longest)
                ),
            ))
        }
        _ => Ok(()),
    }
}

/// Returns an error unless all ranks get the same number of sequences, at least one.
fn divided(library: Scheduler, lengths: &[u32], task: &SchedulerTask) -> Result<()> {
    if lengths.is_empty() || !lengths.len().is_multiple_of(task.ranks as usize) {
        let given = plural(lengths.len() as u64, "sequence");
        let ranks = plural(u64::from(task.ranks), "rank");
        return Err(stops(
            library,
            format!("it assigns as many sequences to each of {ranks}, and {given} are no multiple"),
        ));
    }
    Ok(())
}

/// Takes the last sequence off packs, each as a pack of its own, until there are `target` packs: from the first of `sources`
/// until it has one left, then from the next. Returns `false` if they have too few.
fn split_singles(
    packs: &mut Vec<Vec<u32>>,
    sources: impl Iterator<Item = usize>,
    target: usize,
) -> bool {
    for source in sources {
        while packs.len() < target && packs[source].len() > 1 {
            let moved = packs[source].pop();
            packs.push(moved.into_iter().collect());
        }
    }
    packs.len() >= target
}

fn in_turn(micro_batches: Vec<Vec<u32>>, ranks: u32) -> Vec<Vec<Vec<u32>>> {
    let mut dealt = vec![Vec::new(); ranks as usize];
    let all = micro_batches.into_iter().enumerate();
    all.for_each(|(at, micro_batch)| dealt[at % ranks as usize].push(micro_batch));
    dealt
}

fn tokens(sequences: &[u32], lengths: &[u32]) -> u64 {
    sequences
        .iter()
        .map(|at| u64::from(lengths[*at as usize]))
        .sum()
}

/// Returns the sequences with the longest first; of equals the first.
fn longest_first(lengths: &[u32]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..lengths.len() as u32).collect();
    // A stable sort: equal ones stay in their order of arrival.
    order.sort_by_key(|at| std::cmp::Reverse(lengths[*at as usize]));
    order
}
