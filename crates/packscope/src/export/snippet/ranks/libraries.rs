//! Settings of the libraries whose schedulers deal a step by themselves, by their own names.

use super::super::literal::truth;
use super::super::{Snippet, SnippetContext, Tool};
use super::about;
use crate::api::ranks::{Scheduler, Settings};

/// Writes the settings of a scheduler; a size of sequences or a cap is that of the present settings.
pub(super) fn lines(context: &SnippetContext, settings: &Settings, library: Scheduler) -> Snippet {
    let (about, task) = (about(context, settings), library.task(settings));
    let (language, lines) = match library {
        Scheduler::Trl | Scheduler::TrlBudget => ("python", trl(settings, library)),
        Scheduler::Verl | Scheduler::VerlCapped => ("yaml", verl(settings)),
        Scheduler::Slime | Scheduler::SlimeBalanceData | Scheduler::SlimeBalanceByFlops => {
            ("shell", slime(settings, library))
        }
        Scheduler::MegatronDpBalanced | Scheduler::MegatronDynamicCp => (
            "shell",
            megatron(
                settings,
                library,
                task.cap.unwrap_or(u64::from(settings.limit)),
            ),
        ),
        Scheduler::NemoRl | Scheduler::NemoRlDynamic => {
            ("yaml", nemo_rl(settings, library, task.cap))
        }
        Scheduler::SkyRl => ("shell", skyrl(settings, task.cap)),
        Scheduler::PrimeRl => ("toml", prime_rl(settings, task.cap)),
    };
    let notes = vec![
        format!("{}: {}.", library.long_name(), library.about()),
        note(library).to_owned(),
    ];
    Snippet {
        tool: Tool::Ranks,
        language,
        text: format!("# {about}\n{lines}"),
        notes,
        executed: false,
    }
}

/// `AsyncGRPOConfig`, `AsyncDistillationConfig`.
fn trl(settings: &Settings, library: Scheduler) -> String {
    let budget = match library {
        // The cap of the settings is optional; the budget is not.
        Scheduler::TrlBudget => settings.cap.unwrap_or(u64::from(settings.limit)),
        // Without a budget the number of sequences is fixed.
        _ => 0,
    };
    format!(
        "from trl.experimental.async_distillation import AsyncDistillationConfig\n\n\
         config = AsyncDistillationConfig(\n    per_device_train_batch_size={},\n    \
         gradient_accumulation_steps={},\n    token_budget={budget},\n)\n",
        settings.units_of_micro_batch(),
        settings.micro_batches,
    )
}

fn verl(settings: &Settings) -> String {
    let size = match settings.cap {
        Some(cap) => format!("use_dynamic_bsz: true\n    ppo_max_token_len_per_gpu: {cap}"),
        None => format!(
            "use_dynamic_bsz: false\n    ppo_micro_batch_size_per_gpu: {}",
            settings.units_of_micro_batch()
        ),
    };
    format!("trainer:\n  balance_batch: true\nactor_rollout_ref:\n  actor:\n    {size}\n")
}

fn slime(settings: &Settings, library: Scheduler) -> String {
    let size = match settings.cap {
        Some(cap) => format!("--use-dynamic-batch-size --max-tokens-per-gpu {cap}"),
        None => format!("--micro-batch-size {}", settings.units_of_micro_batch()),
    };
    let balance = match library {
        Scheduler::SlimeBalanceData => " --balance-data",
        Scheduler::SlimeBalanceByFlops => " --balance-by-flops",
        _ => "",
    };
    format!(
        "python train.py --global-batch-size {} {size}{balance}\n",
        settings.units()
    )
}

fn megatron(settings: &Settings, library: Scheduler, cap: u64) -> String {
    let scheduler = match library {
        Scheduler::MegatronDynamicCp => {
            "--dynamic-context-parallel --sequence-packing-scheduler default_dynamic_cp"
        }
        _ => "--sequence-packing-scheduler dp_balanced",
    };
    let least = match settings.least {
        least if least > 1 && library == Scheduler::MegatronDynamicCp => {
            format!(" --min-dynamic-context-parallel-size {least}")
        }
        _ => String::new(),
    };
    format!("python pretrain_gpt.py --sft {scheduler} --max-seqlen-per-dp-cp-rank {cap}{least}\n")
}

fn nemo_rl(settings: &Settings, library: Scheduler, cap: Option<u64>) -> String {
    let packs = library == Scheduler::NemoRl;
    let yes = |is: bool| truth(is).to_lowercase();
    let cap = cap.map_or_else(|| "null".to_owned(), |cap| cap.to_string());
    let multiple = match settings.multiple {
        multiple if multiple > 1 && packs => {
            format!("  make_sequence_length_divisible_by: {multiple}\n")
        }
        _ => String::new(),
    };
    format!(
        "policy:\n{multiple}  train_global_batch_size: {}\n  train_micro_batch_size: {}\n  sequence_packing:\n    \
         enabled: {}\n    train_mb_tokens: {cap}\n  dynamic_batching:\n    enabled: {}\n    train_mb_tokens: {cap}\n",
        settings.units(),
        settings.units_of_micro_batch(),
        yes(packs),
        yes(!packs),
    )
}

fn skyrl(settings: &Settings, cap: Option<u64>) -> String {
    let cap = cap.unwrap_or(u64::from(settings.limit));
    format!(
        "python -m skyrl.train.main_sft strategy=megatron use_sequence_packing=true batch_size={} max_length={} \
         max_tokens_per_microbatch={cap}\n",
        settings.units(),
        settings.limit,
    )
}

fn prime_rl(settings: &Settings, cap: Option<u64>) -> String {
    let cap = cap.unwrap_or(u64::from(settings.limit));
    format!(
        "seq_len = {cap}\n\n[orchestrator]\nbatch_size = {}\n",
        settings.units()
    )
}

/// Returns the remark on the settings.
const fn note(library: Scheduler) -> &'static str {
    match library {
        Scheduler::Trl | Scheduler::TrlBudget => {
            "Also AsyncGRPOConfig, which deals whole groups of a prompt since TRL 1.16. A budget of 0 stands for a fixed \
             number of sequences; left out, it is the longest that the server allows."
        }
        Scheduler::Verl => "Below 0.9.1 micro-batches may exceed the cap: leave room for it.",
        Scheduler::VerlCapped => "From 0.9.1 on all micro-batches keep to the cap.",
        Scheduler::Slime | Scheduler::SlimeBalanceData => {
            "Without --use-dynamic-batch-size each micro-batch has --micro-batch-size sequences."
        }
        Scheduler::SlimeBalanceByFlops => {
            "Micro-batches are balanced by operations, and may exceed --max-tokens-per-gpu: leave room for it."
        }
        Scheduler::MegatronDpBalanced | Scheduler::MegatronDynamicCp => {
            "Of Megatron-LM's branch dev; --max-seqlen-per-dp-cp-rank is required. --thd-max-packed-sequences is the depth: \
             the most sequences of a row, which CUDA graphs need. Sequences are padded to 2 × context parallel × sequence \
             parallel by itself."
        }
        Scheduler::SkyRl => {
            "For main_sft with the Megatron backend; max_length is the longest sequence, and no row may be shorter."
        }
        Scheduler::PrimeRl => {
            "For rl: longer samples are cut to seq_len. Without the model's configuration it balances by tokens."
        }
        Scheduler::NemoRl | Scheduler::NemoRlDynamic => {
            "Of packing and dynamic batching only one can be on. policy.megatron_cfg.thd_max_packed_sequences is the depth: \
             the most sequences of a row, which CUDA graphs need."
        }
    }
}
