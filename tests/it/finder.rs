//! The names that people type, and the places that they lead to.

use packscope_page::finder::{Hit, Place, find};
use packscope_page::state::{Tab, View};

fn first(typed: &str) -> Hit {
    let found = find(typed);
    assert!(!found.is_empty(), "{typed} is not found");
    found[0].clone()
}

/// Forty names as people type them, each with the place that it has to lead to.
#[test]
fn names_that_people_type_lead_where_they_matter() {
    use Place::{Chapter, Library, Part};
    use Tab::{Answer, Compare, Cost};
    use View::{Batches, Graphs, Ranks, Sequences};
    let wanted = [
        ("pad_to_multiple_of", Part(Sequences, Answer, "align")),
        ("pad to multiple", Part(Sequences, Answer, "align")),
        ("max_seq_length", Part(Sequences, Answer, "limit")),
        ("cutoff_len", Part(Sequences, Answer, "limit")),
        ("block_size", Part(Sequences, Answer, "limit")),
        ("truncated", Part(Sequences, Compare, "other-limits")),
        ("thd_max_packed_sequences", Part(Sequences, Answer, "depth")),
        ("SPFHP", Part(Sequences, Answer, "algorithm")),
        ("best fit", Part(Sequences, Answer, "algorithm")),
        ("bin packing", Part(Sequences, Answer, "algorithm")),
        ("compare libraries", Part(Sequences, Compare, "trainer")),
        ("excess_length_strategy", Part(Sequences, Answer, "overlong")),
        ("baseline", Part(Sequences, Answer, "baseline")),
        ("price", Part(Sequences, Cost, "speedup")),
        ("H100", Part(Sequences, Cost, "speedup")),
        ("OOM", Part(Sequences, Cost, "assumptions")),
        ("gradient checkpointing", Part(Sequences, Cost, "assumptions")),
        ("learning rate", Part(Sequences, Cost, "optimiser")),
        ("LAMB", Part(Sequences, Cost, "optimiser")),
        ("csv", Part(Sequences, Answer, "take")),
        ("torch.compile", Part(Batches, Compare, "few-shapes")),
        ("recompilation", Part(Batches, Compare, "few-shapes")),
        ("XLA", Part(Batches, Compare, "few-shapes")),
        ("group_by_length", Part(Batches, Compare, "algorithms")),
        ("bucket", Part(Batches, Compare, "algorithms")),
        ("max_tokens", Part(Batches, Compare, "algorithms")),
        ("tokendrop", Chapter("buckets")),
        ("shared prompt", Part(Graphs, Compare, "groups")),
        ("GRPO", Part(Graphs, Compare, "groups")),
        ("limit sweep", Part(Graphs, Compare, "sweep")),
        ("load balance", Part(Ranks, Compare, "ways")),
        ("straggler", Part(Ranks, Compare, "ways")),
        ("balance_batch", Part(Ranks, Compare, "ways")),
        ("ppo_max_token_len_per_gpu", Part(Ranks, Answer, "cap")),
        ("context parallel", Part(Ranks, Answer, "context")),
        ("gradient_accumulation_steps", Part(Ranks, Answer, "accumulation")),
        ("thd", Chapter("apart")),
        ("cu_seqlens", Chapter("apart")),
        ("flash attention", Chapter("apart")),
        ("sample_packing", Library(Sequences, "axolotl")),
        ("neat_packing", Library(Sequences, "llamafactory")),
        ("verl", Library(Sequences, "verl")),
        ("lhotse", Library(Batches, "lhotse")),
        ("jraph", Library(Graphs, "jraph")),
        ("lower bound", Chapter("bounds")),
        ("num_items_in_batch", Chapter("weights")),
        ("interleave_datasets", Chapter("mixes")),
        ("supervised tokens", Chapter("which-train")),
    ];
    for (typed, place) in wanted {
        let found = find(typed);
        // A name of several things has them all, and the wanted one at once in sight.
        assert!(
            found.iter().take(2).any(|found| found.place == place),
            "{typed}: {found:#?}"
        );
    }
}

#[test]
fn each_place_is_found_once_and_nothing_for_nothing() {
    assert!(find("").is_empty() && find(" _ ").is_empty());
    assert!(find("no such thing at all").is_empty());
    for typed in ["packing", "a", "limit", "batch", "é", "最"] {
        let found = find(typed);
        assert!(found.len() <= 8, "{typed}");
        for (at, one) in found.iter().enumerate() {
            assert!(found[..at].iter().all(|other| other.place != one.place), "{typed}: {one:?}");
        }
    }
    assert_eq!(first("trl").place, Place::Library(View::Sequences, "trl"));
}
