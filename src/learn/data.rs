//! Real data that chapters show at once: small built-in sets, compiled into the program instead of fetched.

use packscope::histogram::{Histogram, Size};

macro_rules! built_in {
    ($($id:literal),* $(,)?) => {
        &[$(($id, include_str!(concat!("../../static/datasets/", $id, ".csv")))),*]
    };
}

/// The set that the page opens with.
const FIRST: &[(&str, &str)] = built_in!("wikipedia_bert_512");

const LENGTHS: &[(&str, &str)] = built_in!(
    "wikipedia_bert_512",
    "squad_1_1_bert_384",
    "glue_cola",
    "glue_sst2",
    "glue_rte",
    "gsm8k_train",
    "alpaca_5000",
    "mol_qm9_allatoms_len",
    "librispeech_devclean_text_bert",
);

const GRAPHS: &[(&str, &str)] = built_in!("ogbg_molhiv", "mol_qm9");

fn counts<const K: usize>(sets: &[(&str, &str)], id: &str) -> Vec<(Size<K>, u64)> {
    let csv = sets
        .iter()
        .find(|(name, _)| *name == id)
        .map_or("", |(_, csv)| *csv);
    Histogram::<K>::from_built_in(csv).map_or_else(Vec::new, |h| h.entries().to_vec())
}

/// Returns the set that the page opens with, as [`lengths`] does, but without linking the other sets.
pub fn opening_lengths() -> Vec<(u32, u64)> {
    counts::<1>(FIRST, FIRST[0].0)
        .into_iter()
        .map(|([length], n)| (length, n))
        .collect()
}

/// Returns (length, sequences) of a built-in set, ascending; empty for a set that is not compiled in. O(distinct).
pub fn lengths(id: &str) -> Vec<(u32, u64)> {
    counts::<1>(LENGTHS, id)
        .into_iter()
        .map(|([length], n)| (length, n))
        .collect()
}

/// Returns (nodes and edges, graphs) of a built-in set, as [`lengths`] does.
pub fn graphs(id: &str) -> Vec<(Size<2>, u64)> {
    counts(GRAPHS, id)
}

/// Every 32nd request of the trace of conversations that Azure has published, from the first on, in the order of arrival:
/// tokens of the prompt and of the response. Azure/AzurePublicDataset@b469a113ce, CC BY 4.0.
const PAIRS: &str = include_str!("pairs.csv");

/// Returns tokens of prompt and response of the conversations in `pairs.csv`. O(conversations).
pub fn pairs() -> Vec<[u32; 2]> {
    let pair = |line: &str| {
        let (prompt, response) = line.split_once(',')?;
        Some([prompt.parse().ok()?, response.parse().ok()?])
    };
    // The first line names the columns.
    PAIRS.lines().filter_map(pair).collect()
}

/// Returns (length, conversations) of [`pairs`], one by one.
pub fn pair_lengths() -> impl Iterator<Item = (u32, u64)> {
    pairs()
        .into_iter()
        .map(|[prompt, response]| (prompt + response, 1))
}
