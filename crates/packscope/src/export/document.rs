//! A plan with its data and settings, as JSON and as CSV: see `docs/PLAN.md`.

use crate::api::{self, tuple};
use crate::error::{Error, Result};
use crate::histogram::{FREE, Overlong, Size};
use crate::metrics::Figures;
use crate::plan::Strategy;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The format named in the file.
pub const FORMAT: &str = "packscope-plan";
/// The version of the layout; a reader refuses others.
pub const VERSION: u32 = 1;

/// The data and settings of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanHeader {
    /// Name of the data: any text.
    pub data: String,
    /// Names of the components of a size: `length`, or `nodes` and `edges`.
    pub components: Vec<String>,
    /// Slots of a pack per component; `None` for a component without a limit.
    pub limits: Vec<Option<u32>>,
    /// The policy for items above a limit.
    pub overlong: Overlong,
    /// Items begin at multiples of this many tokens.
    pub align: u32,
    /// The settings as the engine has them.
    pub settings: Value,
    /// The figures of the report; readers check packs and items against them.
    pub figures: Figures,
}

/// A complete plan: every pack is listed. Packs are numbered strategy by strategy, in the order of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Document<const K: usize> {
    /// Data, limits, policies, settings and figures.
    pub about: PlanHeader,
    /// The strategies; sizes are those used in packing: cut to the limit, rounded up to the alignment.
    pub strategies: Vec<Strategy<K>>,
}

impl Document<1> {
    /// Creates a document from a report about sequences.
    ///
    /// # Errors
    /// As [`Document::of_graphs`]; [`Error::Input`] for sorted batches, which are not packs.
    pub fn of_sequences(report: &api::Report, data: &str) -> Result<Self> {
        let s = &report.settings;
        if !s.algorithm.fills_rows() {
            return Err(refused("sorted batches are no packs", "another algorithm"));
        }
        complete(report.unlisted_packs)?;
        let about = PlanHeader {
            data: data.to_owned(),
            components: vec!["length".to_owned()],
            limits: vec![Some(s.limit)],
            overlong: s.overlong,
            align: s.align,
            settings: json!(s),
            figures: report.figures.clone(),
        };
        let strategy = |s: &api::PackShape| Strategy {
            runs: s
                .runs
                .iter()
                .map(|&(length, times)| ([length], times))
                .collect(),
            count: s.count,
        };
        Ok(Self {
            about,
            strategies: report.strategies.iter().map(strategy).collect(),
        })
    }
}

impl<const K: usize> Document<K> {
    /// Creates a document from a report about graphs, or other sizes of several components with these names.
    ///
    /// # Errors
    /// [`Error::Input`] if strategies are missing in the report (ask for `listed: u32::MAX`), or for a baseline that
    /// ignores a limit; [`Error::Components`] if sizes have another number of components.
    pub fn of_graphs(report: &tuple::Report, names: &[String], data: &str) -> Result<Self> {
        let s = &report.settings;
        complete(report.unlisted_packs)?;
        // Readers check that packs keep to all limits.
        if s.algorithm.only().is_some() {
            return Err(refused(
                "this baseline keeps to one limit, and its packs exceed the other",
                "another algorithm",
            ));
        }
        let about = PlanHeader {
            data: data.to_owned(),
            components: names.to_vec(),
            limits: s
                .limits
                .iter()
                .map(|limit| (*limit != FREE).then_some(*limit))
                .collect(),
            overlong: s.overlong,
            align: 1,
            settings: json!(s),
            figures: report.figures.clone(),
        };
        let size = |size: &[u32]| {
            size.try_into().map_err(|_| Error::Components {
                limits: K,
                components: size.len(),
            })
        };
        let strategy = |s: &tuple::TupleShape| {
            let runs = s.runs.iter().map(|(of, times)| Ok((size(of)?, *times)));
            Ok(Strategy {
                runs: runs.collect::<Result<_>>()?,
                count: s.count,
            })
        };
        let strategies = report
            .strategies
            .iter()
            .map(strategy)
            .collect::<Result<_>>()?;
        Ok(Self { about, strategies })
    }

    /// Returns the limits, [`FREE`] for a component without one.
    ///
    /// # Errors
    /// [`Error::Components`] unless there are `K` of them.
    pub fn limits(&self) -> Result<Size<K>> {
        let limits: Vec<u32> = self
            .about
            .limits
            .iter()
            .map(|limit| limit.unwrap_or(FREE))
            .collect();
        let components = limits.len();
        limits.try_into().map_err(|_| Error::Components {
            limits: components,
            components: K,
        })
    }

    /// Returns the number of packs, each with a number from 0 up to it. O(strategies).
    pub fn packs(&self) -> u64 {
        self.strategies.iter().map(|s| s.count).sum()
    }

    /// Writes JSON, one strategy a line, handing text over piece by piece.
    pub fn json(&self, out: &mut dyn FnMut(&str)) {
        // By hand around the strategies: one line each, and the plan is never one string or one
        // value.
        let mut head = format!("{{\"format\":\"{FORMAT}\",\"version\":{VERSION},\n");
        if let Value::Object(fields) = json!(self.about) {
            fields
                .iter()
                .for_each(|(name, value)| head += &format!("{}:{value},\n", json!(name)));
        }
        out(&(head + "\"strategies\":["));
        for (i, strategy) in self.strategies.iter().enumerate() {
            let comma = if i == 0 { "\n" } else { ",\n" };
            let runs: Vec<Value> = strategy
                .runs
                .iter()
                .map(|(size, times)| json!([size_to_json(size), times]))
                .collect();
            out(&format!(
                "{comma}{{\"runs\":{},\"count\":{}}}",
                Value::Array(runs),
                strategy.count
            ));
        }
        out("\n]}\n");
    }

    /// Writes CSV: for each strategy its packs, its items, and its sizes in one cell, as `300 200` or
    /// `12:26 12:26 3:4`; a repeated size is written once, as `12:26*2`.
    pub fn csv(&self, out: &mut dyn FnMut(&str)) {
        out("count,items,sizes\n");
        for strategy in &self.strategies {
            let run = |(size, times): &(Size<K>, u32)| {
                let size: Vec<String> = size.iter().map(u32::to_string).collect();
                let times = if *times == 1 {
                    String::new()
                } else {
                    format!("*{times}")
                };
                size.join(":") + &times
            };
            let runs: Vec<String> = strategy.runs.iter().map(run).collect();
            out(&format!(
                "{},{},{}\n",
                strategy.count,
                strategy.depth(),
                runs.join(" ")
            ));
        }
    }
}

/// Returns a size as JSON: a number for one component, else a list.
fn size_to_json<const K: usize>(size: &Size<K>) -> Value {
    if K == 1 {
        json!(size[0])
    } else {
        json!(size.as_slice())
    }
}

fn complete(unlisted: u64) -> Result<()> {
    match unlisted {
        0 => Ok(()),
        n => Err(refused(
            &format!(
                "{n} packs are of shapes that were not kept, or that the report does not list"
            ),
            "to list all of them, or an algorithm with fewer shapes",
        )),
    }
}

fn refused(found: &str, expected: &str) -> Error {
    Error::Input {
        place: "the plan".to_owned(),
        message: format!("{found}; choose {expected}"),
    }
}

/// Returns a file name: the name of the data and `words`, in lower-case letters, digits and dashes, then `what`, the
/// extension.
pub fn file_name(data: &str, words: &[&str], what: &str) -> String {
    let letters = |text: &str| {
        let mut name = String::new();
        for c in text.chars() {
            match c {
                c if c.is_ascii_alphanumeric() => name.push(c.to_ascii_lowercase()),
                // One dash for any run of other characters, none at the beginning.
                _ if name.ends_with('-') || name.is_empty() => (),
                _ => name.push('-'),
            }
        }
        // All bytes are ASCII here, so that no character is cut in two.
        name.truncate(48);
        name.trim_end_matches('-').to_owned()
    };
    let parts = std::iter::once(data)
        .chain(words.iter().copied())
        .map(letters);
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    let parts = if parts.is_empty() {
        "data".to_owned()
    } else {
        parts.join("-")
    };
    format!("{parts}.{what}")
}
