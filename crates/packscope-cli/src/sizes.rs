//! Sizes of several components, read from columns or computed from lengths and pairs.

use crate::input::Input;
use packscope::error::{Error, Result};
use packscope::histogram::{Bins, Computation, ComputedSizes, Histogram, Size, Work};
use packscope::ingest::{Account, Description, Ingested};

pub struct Sizes<const K: usize> {
    pub histogram: Histogram<K>,
    pub names: Vec<String>,
    pub read: Account,
    /// The computed components and their work; `None` for sizes that were read.
    pub computed: Option<ComputedComponents>,
}

pub struct ComputedComponents {
    pub computed: ComputedSizes,
    /// The work of all items, and that of their sequences where nothing is shared.
    pub shared_and_apart: [Work; 2],
}

impl ComputedComponents {
    fn new<const K: usize>(computation: Computation, data: &Histogram<K>) -> Result<Self> {
        let shared_and_apart = computation.shared_and_apart(data)?;
        Ok(Self {
            computed: computation.compute(data)?,
            shared_and_apart,
        })
    }
}

impl<const K: usize> Sizes<K> {
    /// Returns the bins of binned lengths; `None` if their band is unknown, as that of computed components.
    pub fn bins(&self) -> Option<Bins> {
        if self.computed.is_some() {
            return None;
        }
        Bins::new(&self.histogram.marginal(0)?, &self.read.description.bins)
    }
}

/// Reads sizes of `K` components, or computes them.
///
/// # Errors
/// [`Error::Components`] if another number of columns is named; [`Error::Input`] with line and column; those of
/// [`Computation::compute`].
pub fn read_sizes<const K: usize>(input: &Input) -> Result<Sizes<K>> {
    if let Some(computation) = input.compute {
        return compute(input, computation);
    }
    let given = input.sizes();
    if !given.is_empty() && given.len() != K {
        return Err(Error::Components {
            limits: K,
            components: given.len(),
        });
    }
    let Ingested {
        histogram,
        description,
    } = input.read_sizes::<K>(given)?;
    let name = |k: usize| {
        let named = description.components.get(k).cloned();
        named.unwrap_or_else(|| format!("component {}", k + 1))
    };
    let names = (0..K).map(name).collect();
    Ok(Sizes {
        histogram,
        names,
        read: description.account(),
        computed: None,
    })
}

/// Reads the data that a computation is about; returns its components with an account of the reading.
pub fn computed_components(
    input: &Input,
    computation: Computation,
) -> Result<(ComputedComponents, Description)> {
    // Lengths may be chosen by --length alone: --size-columns are pairs.
    if computation.components() == 1 {
        if !input.sizes().is_empty() {
            return Err(Error::Components {
                limits: 1,
                components: input.sizes().len(),
            });
        }
        let Ingested {
            histogram,
            description,
        } = input.read_lengths()?;
        return Ok((
            ComputedComponents::new(computation, &histogram)?,
            description,
        ));
    }
    let Ingested {
        histogram,
        description,
    } = input.read_sizes::<2>(input.sizes())?;
    Ok((
        ComputedComponents::new(computation, &histogram)?,
        description,
    ))
}

fn compute<const K: usize>(input: &Input, computation: Computation) -> Result<Sizes<K>> {
    let (made, description) = computed_components(input, computation)?;
    let wrong = Error::Components {
        limits: K,
        components: 2,
    };
    // `K` is 2 here, or there is an error; only the type does not know it.
    let size = |&(size, count): &(Size<2>, u64)| Some((size.as_slice().try_into().ok()?, count));
    let counts: Option<Vec<_>> = made.computed.histogram.entries().iter().map(size).collect();
    Ok(Sizes {
        histogram: Histogram::from_counts(counts.ok_or(wrong)?)?,
        names: made.computed.names().into(),
        read: description.account(),
        computed: Some(made),
    })
}

/// Counts the items above a limit in some component.
pub fn items_above<const K: usize>(histogram: &Histogram<K>, limits: &Size<K>) -> u64 {
    let is_above = |size: &Size<K>| size.iter().zip(limits).any(|(s, limit)| s > limit);
    histogram
        .entries()
        .iter()
        .filter(|(size, _)| is_above(size))
        .map(|(_, n)| n)
        .sum()
}
