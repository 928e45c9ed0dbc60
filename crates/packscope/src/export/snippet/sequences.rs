//! Snippets for packs of sequences.

use super::apply::{self, ItemTraits};
use super::literal::number;
use super::{Snippet, SnippetContext, Tool, trainers};
use crate::api::Settings;
use crate::cost::Regime;
use crate::metrics::Figures;
use crate::words::{batches, count, efficiency, plural};

pub(super) fn sequence_snippets(
    context: &SnippetContext,
    settings: &Settings,
    figures: &Figures,
) -> Vec<Snippet> {
    let words = format!(
        "limit {}, depth {}, {}: {}, efficiency {}",
        settings.limit,
        settings.depth,
        settings.algorithm,
        plural(figures.packs, "pack"),
        efficiency(figures.efficiency.first().copied().unwrap_or(1.0))
    );
    let items = ItemTraits {
        columns: &["length"],
        limits: &[settings.limit],
        overlong: settings.overlong,
        align: settings.align,
    };
    let mut all = apply::engine_snippets(context, &words, &items);
    all.push(torch(context, &words, &items, figures));
    all.push(optimiser(context, &words, figures));
    all.extend(trainers::trainer_snippets(context, settings, figures));
    all
}

/// Makes batches of packs, for causal and for masked language models.
pub(super) const COLLATE: &str = include_str!("collate.py");

/// Explains the lines that include [`COLLATE`].
pub(super) const YIELDS: &str = "PyTorch 1.13 or later. loader(items, lengths) is for a causal language model (GPT, Llama): the mask is block-diagonal \
     and lower triangular, labels are the next token. loader(items, lengths, masked) is for a masked language model (BERT): \
     the mask is block-diagonal, labels are the hidden tokens. A model that follows mask and position ids has the losses and \
     gradients of the sequences one by one. PAD, MASK, VOCABULARY and SPECIAL are those of your tokenizer.";

/// Returns the constants of [`COLLATE`] and of the loader.
pub(super) fn constants(rows: u32) -> String {
    format!(
        "ROWS, PAD = {rows}, 0\nMASK, VOCABULARY, SPECIAL = 103, 30522, [101, 102]  # of BERT, for masked() alone\n"
    )
}

fn torch(context: &SnippetContext, words: &str, items: &ItemTraits, figures: &Figures) -> Snippet {
    let imports = "import numpy as np\nimport torch\nfrom torch.utils.data import BatchSampler, DataLoader, Dataset, RandomSampler\n\n";
    let text = apply::head(context, words, imports)
        + &constants(context.rows(figures))
        + &apply::numpy(items)
        // torch.py calls its `assign`.
        + include_str!("numpy.py")
        + "\n\n"
        + COLLATE
        + "\n\n"
        + include_str!("torch.py");
    Snippet {
        tool: Tool::Torch,
        language: "python",
        text,
        notes: vec![
            YIELDS.to_owned(),
            "ROWS keeps the sequences of an update as before packing.".to_owned(),
            trainers::capacity(
                figures,
                "max_segments_per_example of Levanter, thd_max_packed_sequences and --cuda-graph-max-packed-seqs of Megatron-LM",
            ),
        ],
        executed: true,
    }
}

/// Returns the optimiser's lines, for sequences and graphs.
pub(super) fn optimiser(context: &SnippetContext, words: &str, figures: &Figures) -> Snippet {
    let regimes = context.regimes(figures);
    let regime = |name: &str, why: &str, r: &Regime| {
        format!(
            "# {why}\n{name} = {{\"rows\": {}, \"sequences\": {}, \"updates\": {}, \"betas\": ({}, {})}}\n",
            number(rounded(r.rows)),
            number(rounded(r.sequences)),
            r.updates,
            number(r.beta1),
            number(r.beta2)
        )
    };
    let a = context.assumptions;
    let text = format!(
        "# {}\nimport torch\n\n# Of an update: {} of a batch, {}, {}.\n{}{}{}\n\n\
         def optimizer(parameters, lr, regime=SAME_SEQUENCES):\n    \"\"\"The learning rate is that of before packing.\"\"\"\n    \
         return torch.optim.AdamW(parameters, lr=lr, betas=regime[\"betas\"])\n\n\n{}",
        context.about(words),
        plural(u64::from(context.batch), "row"),
        plural(u64::from(a.accelerators), "accelerator"),
        batches(u64::from(a.accumulation)) + " accumulated",
        regime("BEFORE", "One sequence a row.", &regimes.before),
        regime(
            "SAME_SEQUENCES",
            "Fewer rows (a smaller batch, or less accumulation): nothing else changes.",
            &regimes.same_sequences
        ),
        regime(
            "SAME_ROWS",
            "As many rows, more sequences in each update: beta becomes beta^p, a heuristic for LAMB.",
            &regimes.same_rows
        ),
        include_str!("update.py"),
    );
    let mut notes = vec![
        "SAME_SEQUENCES changes nothing but the rows of an update: a smaller batch, or less accumulation. update() makes \
         the update that the same sequences made before packing, whatever rows, batches and accelerators they are in."
            .to_owned(),
        format!(
            "With SAME_ROWS, packing factor {:.3}, {} updates an epoch become {}; learning-rate schedules count updates: give \
             them the new number. Krell et al. 2022, §3.3, propose β^p for LAMB and tried factors of about 2; these lines \
             have AdamW, as LAMB is no part of PyTorch. Convergence is comparable, not identical; scaling the learning \
             rate with the batch slowed it (§4.2).",
            figures.packing_factor,
            count(regimes.before.updates),
            count(regimes.same_rows.updates)
        ),
    ];
    notes.extend(regimes.untried().map(|factor| {
        format!(
            "A factor of {factor:.1} is beyond what SAME_ROWS was tried with: keep SAME_SEQUENCES."
        )
    }));
    Snippet {
        tool: Tool::Optimiser,
        language: "python",
        text,
        notes,
        executed: true,
    }
}

fn rounded(x: f64) -> f64 {
    (x * 100.0).round() / 100.0
}
