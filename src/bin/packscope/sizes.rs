//! Sizes of several components.

use crate::input::Input;
use packscope::error::{Error, Result};
use packscope::histogram::{Bins, Histogram, Size};
use packscope::ingest::{Account, Ingested};

/// Counts by size, and the names of the components.
pub struct Sizes<const K: usize> {
    pub histogram: Histogram<K>,
    pub names: Vec<String>,
    /// An account of the reading.
    pub read: Account,
}

impl<const K: usize> Sizes<K> {
    /// Returns the bins of binned lengths.
    pub fn bins(&self) -> Option<Bins> {
        Bins::new(&self.histogram.marginal(0)?, &self.read.description.bins)
    }
}

/// Reads sizes of `K` components.
///
/// # Errors
/// [`Error::Components`] if another number of columns is named; [`Error::Input`] with line and column.
pub fn read_sizes<const K: usize>(input: &Input) -> Result<Sizes<K>> {
    let given = input.sizes();
    if !given.is_empty() && given.len() != K {
        return Err(Error::Components { limits: K, components: given.len() });
    }
    let Ingested { histogram, description } = input.read_sizes::<K>(given)?;
    let name = |k: usize| {
        let named = description.components.get(k).cloned();
        named.unwrap_or_else(|| format!("component {}", k + 1))
    };
    Ok(Sizes { histogram, names: (0..K).map(name).collect(), read: description.account() })
}

/// Counts the items above a limit in some component.
pub fn above<const K: usize>(histogram: &Histogram<K>, limits: &Size<K>) -> u64 {
    let is_above = |size: &Size<K>| size.iter().zip(limits).any(|(s, limit)| s > limit);
    histogram.entries().iter().filter(|(size, _)| is_above(size)).map(|(_, n)| n).sum()
}
