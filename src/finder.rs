//! Finds what the page has by the names that people type: settings of training libraries, questions, libraries, chapters,
//! terms.

use crate::learn::{TABLE_TITLES, TITLES, glossary::TERMS, title};
use crate::state::trainer::library_names;
use crate::state::{Tab, View};

/// Somewhere on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// An element of a view, by its id, in a room.
    Part(View, Tab, &'static str),
    /// A training library, a sampler or a loader, which is chosen.
    Library(View, &'static str),
    /// A chapter of Learn, by its name in the address.
    Chapter(&'static str),
}

/// Something found, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Its name on the page.
    pub title: String,
    /// Its use, or its place in words.
    pub about: String,
    /// Where it is.
    pub place: Place,
}

/// A part of the page with the names that people type for it.
struct Entry {
    title: &'static str,
    about: &'static str,
    /// Names between commas.
    names: &'static str,
    place: Place,
}

const fn entry(
    title: &'static str,
    place: Place,
    about: &'static str,
    names: &'static str,
) -> Entry {
    Entry {
        title,
        about,
        names,
        place,
    }
}

use Place::{Chapter, Library, Part};
use Tab::{Answer, Compare, Cost};
use View::{Batches, Graphs, Ranks, Sequences};

/// Parts of the page. Of equal matches the earlier one is found first.
const ENTRIES: &[Entry] = &[
    entry(
        "Maximum length",
        Part(Sequences, Answer, "limit"),
        "the limit of a sequence, and the slots of a row",
        "max_length, max_seq_length, max_seq_len, cutoff_len, sequence_len, block_size, model_max_length, context length, truncation",
    ),
    entry(
        "Other limits",
        Part(Sequences, Compare, "other-limits"),
        "tokens lost, time and memory by limit",
        "which max_length, choose a limit, truncated, cut off, limit curve",
    ),
    entry(
        "Multiples that lengths are rounded up to",
        Part(Sequences, Answer, "align"),
        "under More settings",
        "pad_to_multiple_of, align, alignment, multiple of 8, multiple of 64, tensor cores",
    ),
    entry(
        "What rounding up costs",
        Part(Sequences, Compare, "rounding"),
        "padding by multiple",
        "pad_to_multiple_of, rounding, multiple of 64, alignment",
    ),
    entry(
        "Depth",
        Part(Sequences, Answer, "depth"),
        "the most sequences in a row",
        "max_segments_per_example, thd_max_packed_sequences, packing depth, sequences per row, max_docs",
    ),
    entry(
        "Algorithm",
        Part(Sequences, Answer, "algorithm"),
        "how rows are packed",
        "spfhp, lpfhp, nnlshp, bfd, ffd, best fit, first fit, best_fit_decreasing, bin packing, knapsack, optimal, packing algorithm",
    ),
    entry(
        "Algorithms side by side",
        Part(Sequences, Compare, "algorithms"),
        "rows, padding, time and gap of each",
        "compare algorithms, benchmark",
    ),
    entry(
        "Every training library",
        Part(Sequences, Compare, "trainer"),
        "as installed and as advised",
        "libraries, compare libraries, frameworks, fsdp, deepspeed, accelerate",
    ),
    entry(
        "Longer sequences",
        Part(Sequences, Answer, "overlong"),
        "cut, dropped or split; under More settings",
        "truncate, drop, split, excess_length_strategy, overlong, too long",
    ),
    entry(
        "Compared with",
        Part(Sequences, Answer, "baseline"),
        "padded batches or the limit; under More settings",
        "baseline, padding=longest, max_length padding, dynamic padding, collator",
    ),
    entry(
        "Speed-up and cost",
        Part(Sequences, Cost, "speedup"),
        "time, money and memory of an epoch",
        "hours, price, dollars, cost, speedup, gpu hours, a100, h100, tpu, throughput, mfu",
    ),
    entry(
        "Numbers the estimates rest on",
        Part(Sequences, Cost, "assumptions"),
        "model, accelerator, memory",
        "oom, out of memory, memory, activations, gradient checkpointing, zero, fsdp, sharded, activation memory, flops",
    ),
    entry(
        "The optimiser after packing",
        Part(Sequences, Cost, "optimiser"),
        "batch, learning rate, momentum",
        "learning rate, lr, lamb, beta, batch size scaling, warmup, hyperparameters, optimizer",
    ),
    entry(
        "Export",
        Part(Sequences, Answer, "take"),
        "plans, assignments, tables, lines to paste",
        "csv, json, save, download, plan, indices, code, snippet, dataloader, collate_fn",
    ),
    entry(
        "Few static shapes",
        Part(Batches, Compare, "few-shapes"),
        "shapes that are compiled once",
        "torch.compile, static shapes, recompilation, recompile, xla, dynamic shapes, cudagraph, cuda graph, bucket boundaries, padding buckets, gaudi, tpu",
    ),
    entry(
        "Samplers side by side",
        Part(Batches, Compare, "algorithms"),
        "padding and speed of each",
        "group_by_length, sampler, batchsampler, dynamic batching, token budget, max_tokens, bucket, bucketing, train_sampling_strategy, length-grouped",
    ),
    entry(
        "BucketSampler and TokenDrop",
        Chapter("buckets"),
        "buckets, residuals, caps, stopwords",
        "bucket, bucketing, bucket width, residual merging, bucketsampler, tokendrop, token dropping, stopwords",
    ),
    entry(
        "Largest batches",
        Part(Batches, Compare, "largest-batches"),
        "the cap that memory allows by length",
        "batch cap, hardware cap, hwcap, oom, max batch size",
    ),
    entry(
        "Limits of graphs",
        Part(Graphs, Answer, "nodes"),
        "slots for nodes and edges",
        "max_num_nodes, num_nodes, num_edges, graph limits, pad_to",
    ),
    entry(
        "Every limit tried",
        Part(Graphs, Compare, "sweep"),
        "efficiency by limits on nodes and edges",
        "limit sweep, limit search, pareto, best limits",
    ),
    entry(
        "Responses that share their prompt",
        Part(Graphs, Compare, "groups"),
        "of a file with prompts and responses: GRPO",
        "shared prompt, shared prompts, grpo, rollouts, prefix sharing, num_generations, responses",
    ),
    entry(
        "Ways to assign",
        Part(Ranks, Compare, "ways"),
        "idle time of ranks by way and weight",
        "load balance, load balancing, straggler, karmarkar-karp, lpt, balance_batch, idle, imbalance, world_size, dp",
    ),
    entry(
        "Schedulers of libraries",
        Part(Ranks, Compare, "schedulers"),
        "verl, slime, Megatron-LM, NeMo RL, TRL",
        "verl, balance_batch, use_dynamic_bsz, balance_data, scheduler, dynamic batching",
    ),
    entry(
        "Weights",
        Part(Ranks, Compare, "weights"),
        "equal tokens against equal work",
        "flops, quadratic attention, cost model, balance by tokens",
    ),
    entry(
        "Cap on the tokens of a micro-batch",
        Part(Ranks, Answer, "cap"),
        "under More settings",
        "ppo_max_token_len_per_gpu, max_tokens_per_gpu, max_token_len, log_prob_max_token_len_per_gpu, token budget",
    ),
    entry(
        "Context parallelism",
        Part(Ranks, Answer, "context"),
        "tokens of a sequence on one rank; under More settings",
        "context parallel, cp, ring attention, ulysses, sequence parallel, max_seqlen_per_dp_cp_rank",
    ),
    entry(
        "Gradient accumulation",
        Part(Ranks, Answer, "accumulation"),
        "micro-batches of a step",
        "gradient_accumulation_steps, micro-batch, micro_batch_size, accumulation",
    ),
    entry(
        "Tokens that bear loss",
        Chapter("which-train"),
        "prompts, responses, and what a limit cuts of them",
        "supervised tokens, labels, -100, loss mask, completion_only_loss, assistant_only_loss, train_on_inputs, mask_history",
    ),
    entry(
        "Mean of the loss",
        Chapter("weights"),
        "over a micro-batch, a step, a rank or each sequence",
        "num_items_in_batch, average_tokens_across_devices, calculate_per_token_loss, loss_agg_mode, loss normalisation, loss reduction",
    ),
    entry(
        "Weights of a mix",
        Chapter("mixes"),
        "documents and tokens of several sets",
        "interleave_datasets, interleave_probs, mix_strategy, data mixture, blend, sources",
    ),
    entry(
        "Masks, positions and losses",
        Chapter("apart"),
        "how sequences of a row are kept apart",
        "thd, cu_seqlens, varlen, flash attention, flash_attn, position_ids, attention mask, block diagonal, cross-contamination, document mask, flex attention, padding_free",
    ),
    entry(
        "TRL",
        Library(Sequences, "trl"),
        "packing, packing_strategy, padding_free",
        "sfttrainer, packing, packing=true, packing_strategy, padding_free, sftconfig",
    ),
    entry(
        "Axolotl",
        Library(Sequences, "axolotl"),
        "sample_packing, multipack",
        "sample_packing, multipack, pad_to_sequence_len",
    ),
    entry(
        "LLaMA-Factory",
        Library(Sequences, "llamafactory"),
        "packing, neat_packing",
        "neat_packing, llama factory",
    ),
    entry(
        "PyTorch Geometric",
        Library(Graphs, "pyg"),
        "DynamicBatchSampler",
        "pyg, torch_geometric, dynamicbatchsampler, gnn",
    ),
];

/// The most that is found.
const MOST: usize = 8;

/// Returns a name with its letters and digits alone, in lower case and words: "pad to multiple of".
fn plain(name: &str) -> String {
    let letters = name.chars().map(|c| match c.is_alphanumeric() {
        true => c.to_ascii_lowercase(),
        false => ' ',
    });
    let letters: String = letters.collect();
    letters.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns how far a name is from what was typed, both plain: the same, the beginning, the beginning of a word, or with each
/// of the words somewhere in it; `None` where it is another.
fn distance(name: &str, typed: &str) -> Option<u8> {
    let begins = || {
        name.match_indices(typed)
            .any(|(at, _)| at == 0 || name.as_bytes()[at - 1] == b' ')
    };
    match () {
        () if name == typed => Some(0),
        () if name.starts_with(typed) => Some(1),
        () if begins() => Some(2),
        () if typed.split(' ').all(|word| name.contains(word)) => Some(3),
        () => None,
    }
}

/// Returns the least distance of several names.
fn nearest<'a>(names: impl Iterator<Item = &'a str>, typed: &str) -> Option<u8> {
    names.filter_map(|name| distance(&plain(name), typed)).min()
}

/// Returns what people may mean by what they typed, the nearest first; nothing for nothing. O(entries).
pub fn find(typed: &str) -> Vec<Hit> {
    let typed = plain(typed);
    if typed.is_empty() {
        return Vec::new();
    }
    let mut all: Vec<(u8, Hit)> = Vec::new();
    let mut add = |distance: Option<u8>, found: Hit| {
        let other = all.iter_mut().find(|(_, other)| other.place == found.place);
        match (distance, other) {
            // One place is found once, under its nearest name.
            (Some(distance), Some(other)) if distance < other.0 => *other = (distance, found),
            (Some(distance), None) => all.push((distance, found)),
            _ => {}
        }
    };
    for entry in ENTRIES {
        let names = entry.names.split(", ").chain([entry.title]);
        let found = Hit {
            title: entry.title.to_owned(),
            about: entry.about.to_owned(),
            place: entry.place,
        };
        add(nearest(names, &typed), found);
    }
    for (view, about) in [
        (Sequences, "training library"),
        (Batches, "sampler"),
        (Graphs, "loader of graphs"),
    ] {
        for &(id, name) in library_names(view) {
            let found = Hit {
                title: name.to_owned(),
                about: about.to_owned(),
                place: Library(view, id),
            };
            add(nearest([id, name].into_iter(), &typed), found);
        }
    }
    for &(id, name) in TITLES.iter().chain(&TABLE_TITLES) {
        let found = Hit {
            title: name.to_owned(),
            about: "chapter".to_owned(),
            place: Chapter(id),
        };
        add(nearest([id, name].into_iter(), &typed), found);
    }
    for term in TERMS {
        let names = term.forms.iter().copied().chain([term.name]);
        let found = Hit {
            title: title(term.chapter).to_owned(),
            about: format!("explains “{}”", term.name),
            place: Chapter(term.chapter),
        };
        add(nearest(names, &typed), found);
    }
    // Stable: of equal distance the first entry stays first.
    packscope::order::sort_by_key(&mut all, |(distance, _)| *distance);
    all.into_iter().take(MOST).map(|(_, found)| found).collect()
}
