//! A stream of items, kept as what the views and commands show of it.

use super::sources::BySource;
use super::{CurveBuilder, Curves, Sample, Span, Truncation};
use crate::error::Result;

/// Takes items one after the other, and keeps their curves, those of their sources, and a sample.
#[derive(Debug, Clone)]
pub struct Collector {
    curves: CurveBuilder,
    sources: BySource,
    sample: Sample,
}

/// The curves, sources and sample that a [`Collector`] has kept.
#[derive(Debug, Clone)]
pub struct Collected {
    /// The curves of all items.
    pub curves: Curves,
    /// The curves of each source, that of most tokens first; none where no item names one.
    pub sources: Vec<(String, Curves)>,
    /// Some of the items with their spans.
    pub sample: Sample,
}

impl Collector {
    /// Creates a collector for items that are cut in this way; it keeps a sample of at most `sampled` items.
    pub fn new(truncation: Truncation, sampled: usize) -> Self {
        Self {
            curves: CurveBuilder::new(truncation),
            sources: BySource::new(truncation),
            sample: Sample::new(sampled, 0),
        }
    }

    /// Adds an item of `tokens` tokens, of a source if it names one.
    ///
    /// # Errors
    /// Those of [`CurveBuilder::add`].
    pub fn add(&mut self, tokens: u32, spans: &[Span], source: Option<&str>) -> Result<()> {
        self.curves.add(tokens, spans, 1)?;
        self.sample.add(tokens, spans, 1)?;
        match source {
            Some(source) => self.sources.add(source, tokens, spans, 1),
            None => Ok(()),
        }
    }

    /// Returns what was kept. Takes O(limits) for all items and for each source.
    pub fn finish(self) -> Collected {
        Collected {
            curves: self.curves.finish(),
            sources: self.sources.finish(),
            sample: self.sample,
        }
    }
}
