//! One rule on skipped records, for the page and the command line.

use super::description::{Contents, Description};
use super::formats::Format;
use super::options::Options;
use packscope_core::error::{ChoiceNeeded, ColumnOffer, Error, Result};
use packscope_core::words::{count, percent, plural};
use std::sync::Arc;

/// The largest share of records that may be skipped without the visitor's consent.
const MOST_SKIPPED: f64 = 0.05;

impl Description {
    /// Returns an objection to the histogram: too many records were skipped, or any of a table of counts, where one may
    /// stand for most items. `None` if there is none.
    pub fn doubt(&self) -> Option<String> {
        let skipped = plural(self.skipped, self.format.record());
        match self.skipped {
            0 => None,
            _ if self.count.is_some() || self.format == Format::Histogram => Some(format!(
                "{skipped} of a table of counts cannot be read, and one may stand for most items"
            )),
            _ if self.skipped_share() > MOST_SKIPPED => {
                let (share, records) = (percent(self.skipped_share()), count(self.records));
                Some(format!("{skipped} of {records} ({share}) cannot be read"))
            }
            _ => None,
        }
    }

    /// Refuses a histogram with an objection, unless that is allowed.
    ///
    /// # Errors
    /// The [`doubt`](Self::doubt), with the first record that cannot be read.
    pub fn judge(&self, options: &Options) -> Result<()> {
        let Some(doubt) = self.doubt().filter(|_| !options.allow_skipped) else {
            return Ok(());
        };
        let first = self
            .problems
            .first()
            .map(|first| format!("; the first is {first}"))
            .unwrap_or_default();
        let field = |name: String| ColumnOffer {
            holds: self.holds(&name).map_or("", Contents::word).to_owned(),
            choice: name.clone(),
            name,
            first: Vec::new(),
        };
        let fields = self.choices().into_iter().map(field).collect();
        let asked = Arc::new(ChoiceNeeded {
            fields,
            skipped: self.skipped,
            ..ChoiceNeeded::default()
        });
        let message = format!("{doubt}{first}; expected fewer, or --allow-skipped");
        Err(Error::Unclear {
            place: "the records".to_owned(),
            message,
            asked,
        })
    }
}
