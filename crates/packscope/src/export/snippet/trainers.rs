//! Settings of trainers that pack by themselves, with notes on how they differ from the plan.

use super::{Snippet, SnippetContext, Tool};
use crate::api::Settings;
use crate::histogram::Overlong;
use crate::metrics::Figures;
use crate::packing::Depth;
use crate::words::{count, percent, plural};

pub(super) fn trainer_snippets(
    context: &SnippetContext,
    settings: &Settings,
    figures: &Figures,
) -> Vec<Snippet> {
    vec![
        trl(context, settings, figures),
        nemo(context, settings, figures),
        axolotl(context, settings, figures),
    ]
}

/// Describes settings that no trainer has, and the results to expect instead.
fn describe_missing_settings(figures: &Figures, packs: &str) -> String {
    format!(
        "It packs by itself, {packs}: not this plan of {} packs ({} padding).",
        count(figures.packs),
        percent(figures.padding_share())
    )
}

/// Returns the remark for trainers without a limit on depth.
fn no_depth(settings: &Settings) -> Option<String> {
    let said = || format!("It has no setting for the depth of {}.", settings.depth);
    (settings.depth != Depth::Unlimited).then(said)
}

/// Returns the remark on the settings, by their names, that must allow as many sequences as the
/// deepest pack has.
pub(super) fn capacity(figures: &Figures, names: &str) -> String {
    format!(
        "The deepest pack has {}. Where shapes are fixed (XLA, CUDA graphs), their number is a setting: {names}; one more where \
         padding is a sequence of its own.",
        plural(figures.max_depth, "sequence")
    )
}

/// Mean number of extra rows per window when packing in windows of 1,000 examples: 0.3 to 0.6 on the built-in sets, as
/// counted in Packscope's tests.
pub const WINDOW_LOSS: f64 = 0.5;

fn trl(context: &SnippetContext, settings: &Settings, figures: &Figures) -> Snippet {
    let (limit, rows) = (settings.limit, context.rows(figures));
    let strategy = if settings.overlong == Overlong::Split {
        "bfd_split"
    } else {
        "bfd"
    };
    let text = format!(
        "# {}\nfrom trl import SFTConfig\n\nconfig = SFTConfig(\n    max_length={limit},\n    packing=True,\n    \
         packing_strategy=\"{strategy}\",\n    per_device_train_batch_size={rows},\n    gradient_accumulation_steps={},\n)\n",
        context.about(&format!("limit {limit}")),
        context.assumptions.accumulation
    );
    let mut notes = vec![describe_missing_settings(
        figures,
        "best-fit decreasing within each 1,000 examples",
    )];
    notes.extend(no_depth(settings));
    notes.push(match settings.overlong {
        Overlong::Split => "bfd_split cuts sequences above the limit, as here.".to_owned(),
        Overlong::Truncate => {
            "bfd cuts sequences above the limit and throws the rest away, as here.".to_owned()
        }
        Overlong::Drop | Overlong::Reject => {
            "bfd cuts sequences above the limit: filter them before, if they shall be left out."
                .to_owned()
        }
    });
    notes.push(format!(
        "Each 1,000 examples end with rows that are not full: about {} of a row more than best-fit decreasing on all data, \
         here {} more packs. Sequences are kept apart only with FlashAttention or one of its variants.",
        WINDOW_LOSS,
        // A window of 1,000 examples has 1,000 / factor rows.
        percent(WINDOW_LOSS * figures.packing_factor / 1000.0)
    ));
    Snippet {
        tool: Tool::Trl,
        language: "python",
        text,
        notes,
        executed: false,
    }
}

fn nemo(context: &SnippetContext, settings: &Settings, figures: &Figures) -> Snippet {
    let (limit, align) = (settings.limit, settings.align);
    let rows = context
        .regimes(figures)
        .same_sequences
        .rows
        .round()
        .max(1.0);
    let text = format!(
        "# {}\nfrom megatron.bridge.data.datasets.packed_sequence import PackedSequenceSpecs\n\n\
         cfg.train.micro_batch_size = 1\ncfg.train.global_batch_size = {rows}\ncfg.model.seq_length = {limit}\n\
         cfg.dataset.seq_length = {limit}\ncfg.dataset.packed_sequence_specs = PackedSequenceSpecs(\n    \
         packed_sequence_size={limit},\n    pad_seq_to_mult={align},\n)\n",
        context.about(&format!("limit {limit}"))
    );
    let mut notes = vec![describe_missing_settings(
        figures,
        "first fit of shuffled sequences, prepared once (first_fit_shuffle)",
    )];
    notes.extend(no_depth(settings));
    notes.push(capacity(
        figures,
        "cfg.model.thd_max_packed_sequences, or --cuda-graph-max-packed-seqs",
    ));
    notes.push(
        "First fit of shuffled data leaves more padding than this plan: often a percent or more. The batch is counted in \
         packs: micro batches of one."
            .to_owned(),
    );
    notes.push(
        "Names of Megatron Bridge up to 0.5. From 0.6 on the class is in megatron.bridge.data.packing, the field is \
         offline_packing_specs, and enable_offline_packing = True turns it on."
            .to_owned(),
    );
    Snippet {
        tool: Tool::Nemo,
        language: "python",
        text,
        notes,
        executed: false,
    }
}

fn axolotl(context: &SnippetContext, settings: &Settings, figures: &Figures) -> Snippet {
    let (limit, rows) = (settings.limit, context.rows(figures));
    let deepest = match settings.depth {
        Depth::AtMost(depth) => u64::from(depth),
        // The trainer's default, unless packs of this plan are deeper.
        Depth::Unlimited => figures.max_depth.max(200),
    };
    let (excess, split) = match settings.overlong {
        Overlong::Truncate => ("truncate", false),
        Overlong::Reject => ("raise", false),
        Overlong::Drop => ("drop", false),
        // Nothing in it splits: a note says so.
        Overlong::Split => ("drop", true),
    };
    let text = format!(
        "# {}\nsequence_len: {limit}\nsample_packing: true\npad_to_sequence_len: true\nmicro_batch_size: {rows}\n\
         gradient_accumulation_steps: {}\nsample_packing_group_size: 100000\nsample_packing_bin_size: {deepest}\nexcess_length_strategy: {excess}\n",
        context.about(&format!("limit {limit}")),
        context.assumptions.accumulation
    );
    let mut notes = vec![
        describe_missing_settings(figures, "first fit in the order of its sampler"),
        "First fit without sorting leaves more padding than this plan: often a percent or more. sample_packing_bin_size is \
         the depth: the most sequences of a pack."
            .to_owned(),
    ];
    if split {
        notes.push("It splits no sequence: those above the limit are left out.".to_owned());
    }
    Snippet {
        tool: Tool::Axolotl,
        language: "yaml",
        text,
        notes,
        executed: false,
    }
}
