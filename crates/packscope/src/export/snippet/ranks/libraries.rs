//! Settings of the libraries whose schedulers deal a step by themselves, by their own names.

use super::super::literal::truth;
use super::super::{Context, Snippet, Tool};
use super::about;
use crate::api::ranks::{Library, Settings};

/// Writes the settings of a scheduler; a size of sequences or a cap is that of the present settings.
pub(super) fn lines(context: &Context, settings: &Settings, library: Library) -> Snippet {
    let (about, task) = (about(context, settings), library.task(settings));
    let (language, lines) = match library {
        Library::Trl | Library::TrlBudget => ("python", trl(settings, library)),
        Library::Verl | Library::VerlCapped => ("yaml", verl(settings)),
        Library::Slime | Library::SlimeBalanceData | Library::SlimeBalanceByFlops => {
            ("shell", slime(settings, library))
        }
        Library::MegatronDpBalanced | Library::MegatronDynamicCp => {
            ("shell", megatron(settings, library, task.cap.unwrap_or(u64::from(settings.limit))))
        }
        Library::NemoRl | Library::NemoRlDynamic => ("yaml", nemo_rl(settings, library, task.cap)),
    };
    let notes = vec![format!("{}: {}.", library.long_name(), library.about()), note(library).to_owned()];
    Snippet { tool: Tool::Ranks, language, text: format!("# {about}\n{lines}"), notes, executed: false }
}

/// `AsyncGRPOConfig`, `AsyncDistillationConfig`.
fn trl(settings: &Settings, library: Library) -> String {
    let budget = match library {
        Library::TrlBudget => settings.cap.unwrap_or(u64::from(settings.limit)),
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

fn slime(settings: &Settings, library: Library) -> String {
    let size = match settings.cap {
        Some(cap) => format!("--use-dynamic-batch-size --max-tokens-per-gpu {cap}"),
        None => format!("--micro-batch-size {}", settings.units_of_micro_batch()),
    };
    let balance = match library {
        Library::SlimeBalanceData => " --balance-data",
        Library::SlimeBalanceByFlops => " --balance-by-flops",
        _ => "",
    };
    format!("python train.py --global-batch-size {} {size}{balance}\n", settings.units())
}

fn megatron(settings: &Settings, library: Library, cap: u64) -> String {
    let scheduler = match library {
        Library::MegatronDynamicCp => {
            "--dynamic-context-parallel --sequence-packing-scheduler default_dynamic_cp"
        }
        _ => "--sequence-packing-scheduler dp_balanced",
    };
    let least = match settings.least {
        least if least > 1 && library == Library::MegatronDynamicCp => {
            format!(" --min-dynamic-context-parallel-size {least}")
        }
        _ => String::new(),
    };
    format!("python pretrain_gpt.py --sft {scheduler} --max-seqlen-per-dp-cp-rank {cap}{least}\n")
}

fn nemo_rl(settings: &Settings, library: Library, cap: Option<u64>) -> String {
    let packs = library == Library::NemoRl;
    let yes = |is: bool| truth(is).to_lowercase();
    let cap = cap.map_or_else(|| "null".to_owned(), |cap| cap.to_string());
    let multiple = match settings.multiple {
        multiple if multiple > 1 && packs => format!("  make_sequence_length_divisible_by: {multiple}\n"),
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

/// Returns what else to know of the settings.
const fn note(library: Library) -> &'static str {
    match library {
        Library::Trl | Library::TrlBudget => {
            "Also AsyncGRPOConfig, which deals whole groups of a prompt since TRL 1.16. A budget of 0 stands for a fixed \
             number of sequences; left out, it is the longest that the server allows."
        }
        Library::Verl => "Below 0.9.1 micro-batches may exceed the cap: leave room for it.",
        Library::VerlCapped => "From 0.9.1 on all micro-batches keep to the cap.",
        Library::Slime | Library::SlimeBalanceData => {
            "Without --use-dynamic-batch-size each micro-batch has --micro-batch-size sequences."
        }
        Library::SlimeBalanceByFlops => {
            "Micro-batches are balanced by operations, and may exceed --max-tokens-per-gpu: leave room for it."
        }
        Library::MegatronDpBalanced | Library::MegatronDynamicCp => {
            "Of Megatron-LM's branch dev; --max-seqlen-per-dp-cp-rank is required. --thd-max-packed-sequences is the depth: \
             the most sequences of a row, which CUDA graphs need. Sequences are padded to 2 × context parallel × sequence \
             parallel by itself."
        }
        Library::NemoRl | Library::NemoRlDynamic => {
            "Of packing and dynamic batching only one can be on. policy.megatron_cfg.thd_max_packed_sequences is the depth: \
             the most sequences of a row, which CUDA graphs need."
        }
    }
}
