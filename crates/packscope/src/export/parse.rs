//! A plan read back from its JSON.

use super::assigner::slots_taken;
use super::document::{Document, FORMAT, PlanHeader, VERSION};
use crate::error::{Error, Result};
use crate::histogram::Size;
use crate::plan::Strategy;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// The fields common to all versions.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
    // Only their number: it decides which `Document` can hold the plan.
    limits: Vec<Option<IgnoredAny>>,
}

#[derive(Deserialize)]
struct Whole {
    #[serde(flatten)]
    about: PlanHeader,
    strategies: Vec<WrittenPlan>,
}

#[derive(Deserialize)]
// An unknown field of a strategy could change what it means; elsewhere they are passed over.
#[serde(deny_unknown_fields)]
struct WrittenPlan {
    runs: Vec<(WrittenSize, u32)>,
    count: u64,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a size is a whole number, or a list of them")]
enum WrittenSize {
    One(u32),
    Many(Vec<u32>),
}

/// Returns the number of components of the sizes in a written plan.
///
/// # Errors
/// As [`Document::parse`].
pub fn components(text: &str) -> Result<usize> {
    // Read before all else, so that a plan of another version is refused for its version, and not
    // for a field that it lacks.
    let head: Head = serde_json::from_str(text).map_err(|e| located(&e))?;
    if head.format != FORMAT || head.version != VERSION {
        let found = format!("format {:?}, version {}", head.format, head.version);
        return Err(input(
            "the plan",
            &found,
            &format!("format {FORMAT:?}, version {VERSION}"),
        ));
    }
    Ok(head.limits.len())
}

impl<const K: usize> Document<K> {
    /// Parses the output of [`Document::json`].
    ///
    /// # Errors
    /// [`Error::Input`] with line and column, or with the number of the strategy that does not fit its limits;
    /// [`Error::Components`] for another number of components; [`Error::ZeroAlign`].
    pub fn parse(text: &str) -> Result<Self> {
        let limits = components(text)?;
        if limits != K {
            return Err(Error::Components {
                limits,
                components: K,
            });
        }
        let Whole { about, strategies } = serde_json::from_str(text).map_err(|e| located(&e))?;
        let strategies = strategies
            .into_iter()
            .map(strategy)
            .collect::<Result<_>>()?;
        let document = Self { about, strategies };
        document.check()?;
        Ok(document)
    }

    /// Checks that packs keep to their limits, and that the numbers of packs and items are those of the figures.
    fn check(&self) -> Result<()> {
        let align = self.about.align;
        if align == 0 {
            return Err(Error::ZeroAlign);
        }
        let limits = self.limits()?;
        for (i, strategy) in self.strategies.iter().enumerate() {
            let used = strategy.used();
            let over = used
                .iter()
                .zip(limits)
                .any(|(used, limit)| *used > u64::from(limit));
            let empty = strategy
                .runs
                .iter()
                .any(|(size, times)| size[0] == 0 || *times == 0);
            // Items are looked up by aligned sizes, so that none would find a size between two.
            let aligned = |(size, _): &(Size<K>, u32)| *size == slots_taken(size, align, &limits);
            if over || empty || strategy.runs.is_empty() || !strategy.runs.iter().all(aligned) {
                let at = if align == 1 {
                    String::new()
                } else {
                    format!(", in multiples of {align},")
                };
                let expected = format!("sizes from 1{at} that add up to {limits:?} at most");
                return Err(input(
                    &format!("strategy {}", i + 1),
                    &format!("it holds {used:?}"),
                    &expected,
                ));
            }
        }
        let figures = &self.about.figures;
        // Counts in a file can be any: in 128 bits their sums cannot overflow.
        let sum = |of: fn(&Strategy<K>) -> u128| self.strategies.iter().map(of).sum::<u128>();
        let packs = sum(|s| u128::from(s.count));
        let items = sum(|s| u128::from(s.depth()) * u128::from(s.count));
        for (found, said, of) in [
            (packs, figures.packs, "packs"),
            (items, figures.items, "items"),
        ] {
            if found != u128::from(said) {
                let found = format!("its strategies are of {found} {of}");
                return Err(input(
                    "the plan",
                    &found,
                    &format!("{said}, as its figures say"),
                ));
            }
        }
        Ok(())
    }
}

fn strategy<const K: usize>(written: WrittenPlan) -> Result<Strategy<K>> {
    let size = |size: WrittenSize| -> Result<Size<K>> {
        let size = match size {
            WrittenSize::One(size) => vec![size],
            WrittenSize::Many(size) => size,
        };
        let components = size.len();
        size.try_into().map_err(|_| Error::Components {
            limits: K,
            components,
        })
    };
    let runs = written
        .runs
        .into_iter()
        .map(|(of, times)| Ok((size(of)?, times)));
    Ok(Strategy {
        runs: runs.collect::<Result<_>>()?,
        count: written.count,
    })
}

fn located(error: &serde_json::Error) -> Error {
    let message = error.to_string();
    // The error has the place in a field of its own.
    let words = message
        .rsplit_once(" at line ")
        .map_or(message.as_str(), |(words, _)| words);
    let place = format!("line {}, column {}", error.line(), error.column());
    input(
        &place,
        words,
        "a plan as Packscope writes it, see docs/PLAN.md of its repository",
    )
}

fn input(place: &str, found: &str, expected: &str) -> Error {
    Error::Input {
        place: place.to_owned(),
        message: format!("{found}; expected {expected}"),
    }
}
