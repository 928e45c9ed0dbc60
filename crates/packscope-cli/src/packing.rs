//! The two problems of the command line behind one trait: lengths with one limit, and sizes of several components with
//! a limit for each.

use crate::args::Rows;
use crate::input::Input;
use crate::limits::{limits_in_words, limits_to_json};
use crate::output::say;
use crate::sizes::read_sizes;
use packscope::api::fields::{graphs, sequences};
use packscope::api::{self, Bands, Problem, RoundingCost, Sequences, TupleItems, tuple};
use packscope::error::{Error, Result};
use packscope::export::{self, Table};
use packscope::histogram::{Bins, FREE, Histogram, Overlong};
use packscope::ingest::{Account, Ingested};
use packscope::metrics::{Figures, SECONDS};
use packscope::packing::tuple::Heuristic;
use packscope::packing::{self, Algorithm, Depth};
use packscope::words::{count, efficiency, plural};
use serde_json::{Value, json};
use std::cmp::Ordering;

/// The options that determine the settings.
pub struct Choice<'a> {
    pub rows: &'a Rows,
    pub algorithm: Option<&'a str>,
    pub seed: u64,
    pub batch: u32,
}

impl<'a> Choice<'a> {
    /// Creates a choice without an algorithm and without options that only some algorithms use.
    pub fn new(rows: &'a Rows) -> Self {
        let api::Settings { seed, batch, .. } = api::Settings::default();
        Self {
            rows,
            algorithm: None,
            seed,
            batch,
        }
    }
}

pub struct FittedData<P: Problem> {
    pub prepared: P,
    /// Names of the components; none for lengths, whose unit is tokens.
    pub names: Vec<String>,
    /// Items before the policy for overlong ones was applied.
    pub items: u64,
    pub read: Account,
    pub bins: Option<Bins>,
    /// For computed components: the same items and their settings, without a limit of attention.
    pub alone: Option<(P, P::Settings)>,
}

/// One algorithm of a comparison: settings, figures, seconds.
pub type ComparisonLine<S> = (S, Figures, f64);

/// A problem that the command line can configure, read and print.
pub trait PrintableProblem: Problem {
    fn settings(choice: &Choice) -> Result<Self::Settings>;
    /// Reads the data and applies the policy for overlong items.
    fn read(input: &Input, settings: &Self::Settings) -> Result<FittedData<Self>>;
    /// Returns the bands around the figures of items spread evenly over bins.
    fn bands(settings: &Self::Settings, bins: &Bins, shown: &Figures) -> Bands;
    /// Returns the largest attention of a pack divided by the mean, where it is a component; else `None`.
    fn unevenness(_: &Self::Packed) -> Option<f64> {
        None
    }
    /// Returns the proof of a bound by the linear relaxation, with its limits and depth.
    fn proof(settings: &Self::Settings, packed: &Self::Packed) -> Option<Value>;

    /// Returns what rounding up costs; an error where not all packs are listed, or they have several limits.
    fn rounding(_: &Self::Settings, _: &Figures, _: &Self::Packed) -> Result<Vec<RoundingCost>> {
        let message = "it is computed for lengths alone".to_owned();
        Err(Error::Input {
            place: "--rounding".to_owned(),
            message,
        })
    }

    /// Returns these settings with every algorithm.
    fn algorithms(asked: &Self::Settings) -> Vec<Self::Settings>;
    /// Returns the rows of a comparison. The optimum comes first, since its bound serves all rows.
    fn compared(asked: &Self::Settings) -> Vec<Self::Settings> {
        Self::algorithms(asked)
    }
    /// Orders rows, the best first.
    fn order(
        one: &ComparisonLine<Self::Settings>,
        other: &ComparisonLine<Self::Settings>,
    ) -> Ordering;
    /// Returns a comparison as it is printed.
    fn side_by_side(rows: &[ComparisonLine<Self::Settings>], names: &[String]) -> Table;
    /// Returns the names of a row in JSON.
    fn named(settings: &Self::Settings) -> Value;
    /// Returns a comparison as it is exported.
    fn table(rows: &[ComparisonLine<Self::Settings>], names: &[String], data: &str) -> Table;

    fn limits(settings: &Self::Settings) -> Value;
    /// Returns algorithm, limits and depth in words.
    fn words(settings: &Self::Settings) -> String;
    /// Returns the depth that the algorithm packs to at most, if it is less than the one allowed.
    fn own_depth(_: &Self::Settings) -> Option<Depth> {
        None
    }
    /// Counts items by their name, as in `12 overlong items`; `kind` ends with a space or is empty.
    fn items(n: u64, kind: &str) -> String;
}

/// Calls a function that is generic over [`PrintableProblem`] with the problem for the limits
/// given: one, or one per component.
macro_rules! by_limits {
    ($rows:expr, $function:ident($($argument:expr),*)) => {
        match $rows.room.limits.as_ref().map_or(0, |limits| limits.0.len()) {
            0 => $function::<packscope::api::Sequences>($($argument),*),
            1 => $function::<packscope::api::TupleItems<1>>($($argument),*),
            2 => $function::<packscope::api::TupleItems<2>>($($argument),*),
            3 => $function::<packscope::api::TupleItems<3>>($($argument),*),
            n => Err(crate::limits::too_many(n)),
        }
    };
}
pub(crate) use by_limits;

/// Packs with each of these settings, except algorithms that refuse the number of items or strategies.
pub fn pack_all<P: PrintableProblem>(
    prepared: &P,
    rows: &Rows,
    all: Vec<P::Settings>,
) -> Result<Vec<ComparisonLine<P::Settings>>> {
    let mut packed = Vec::new();
    for settings in all {
        // No strategies are listed: only figures are compared.
        match rows.timed(|steps, ask| prepared.pack(&settings, 0, steps, ask)) {
            Ok((one, taken)) => {
                let figures = prepared.figures(&settings, &one);
                packed.push((settings, figures, taken));
            }
            // The other algorithms can still be compared.
            Err(error) if error.is_too_much() => say(&format!("{error}; left out")),
            Err(error) => return Err(error),
        }
    }
    Ok(packed)
}

impl PrintableProblem for Sequences {
    fn settings(choice: &Choice) -> Result<Self::Settings> {
        let default = api::Settings::default();
        let settings = api::Settings {
            limit: choice.rows.room.limit.unwrap_or(default.limit),
            algorithm: choice
                .algorithm
                .map_or(Ok(packing::Algorithm::Lpfhp), str::parse)?,
            seed: choice.seed,
            batch: choice.batch,
            ..default
        };
        choice.rows.given.onto(sequences::ALL, settings)
    }

    fn read(input: &Input, settings: &Self::Settings) -> Result<FittedData<Self>> {
        let Ingested {
            histogram,
            description,
        } = input.read()?;
        let prepared = Self::prepare(&histogram, settings)?;
        let bins = Bins::new(&histogram, &description.bins);
        let read = description.account();
        Ok(FittedData {
            prepared,
            names: Vec::new(),
            items: histogram.items(),
            read,
            bins,
            alone: None,
        })
    }

    fn bands(settings: &Self::Settings, bins: &Bins, shown: &Figures) -> Bands {
        Bands::new(bins, settings, shown)
    }

    fn proof(settings: &Self::Settings, packed: &Self::Packed) -> Option<Value> {
        export::certificate::of_sequences(settings, packed)
    }

    fn rounding(
        s: &Self::Settings,
        f: &Figures,
        packed: &Self::Packed,
    ) -> Result<Vec<RoundingCost>> {
        let refused = |message: &str| Error::Input {
            place: "--rounding".to_owned(),
            message: message.to_owned(),
        };
        if !s.algorithm.fills_rows() {
            return Err(refused(
                "batches of like lengths are no packs; expected another algorithm",
            ));
        }
        // A sum over a part of the packs would be too small.
        if packed.listing.unlisted > 0 {
            return Err(refused(
                "there are too many shapes of packs to count; expected another algorithm",
            ));
        }
        let packs = Self::strategies(packed, u32::MAX);
        Ok(api::rounding(
            &packs,
            s.limit,
            f.real_tokens.first().copied().unwrap_or(0),
        ))
    }

    fn algorithms(asked: &Self::Settings) -> Vec<Self::Settings> {
        let with = |algorithm| api::Settings {
            algorithm,
            ..asked.clone()
        };
        packing::Algorithm::ALL.map(with).into()
    }

    /// Orders rows as on the page: by padding, the least first; then algorithms that do not pack.
    fn order(
        (a, f, _): &ComparisonLine<Self::Settings>,
        (b, g, _): &ComparisonLine<Self::Settings>,
    ) -> Ordering {
        let order = b.algorithm.fills_rows().cmp(&a.algorithm.fills_rows());
        order.then(f.padding_share().total_cmp(&g.padding_share()))
    }

    fn side_by_side(rows: &[ComparisonLine<Self::Settings>], _: &[String]) -> Table {
        let table = Table::of("", rows).words("algorithm", |row| row.0.algorithm.to_string());
        table
            .figures(Figures::COMPARED, |row| &row.1)
            .figures(&[SECONDS], |row| &row.2)
            .figures(&[Figures::GAP], |row| &row.1)
            .table
    }

    fn named(settings: &Self::Settings) -> Value {
        json!({ "algorithm": settings.algorithm })
    }

    fn table(rows: &[ComparisonLine<Self::Settings>], _: &[String], data: &str) -> Table {
        export::algorithms(
            rows.iter()
                .map(|(s, f, taken)| (s.algorithm.name(), s.depth, f, *taken)),
            None,
            data,
        )
    }

    fn limits(settings: &Self::Settings) -> Value {
        json!([settings.limit])
    }

    fn words(s: &Self::Settings) -> String {
        let depth = depth_in_words(s.algorithm, s.depth);
        format!("{}, limit {}, depth {depth}", s.algorithm, s.limit)
    }

    fn own_depth(s: &Self::Settings) -> Option<Depth> {
        Some(s.algorithm.depth(s.depth)).filter(|own| *own != s.depth)
    }

    fn items(n: u64, kind: &str) -> String {
        format!("{} {kind}sequences", count(n))
    }
}

/// Returns the depth that is allowed, and the one to which NNLSHP packs if that is less.
pub fn depth_in_words(algorithm: Algorithm, allowed: Depth) -> String {
    let own = algorithm.depth(allowed);
    // Algorithms of one sequence a row say so by their names.
    if own == allowed || own == Depth::AtMost(1) {
        return allowed.to_string();
    }
    format!("{allowed}, of which {algorithm} uses {own}")
}

/// Returns the heuristic, if the algorithm uses one.
fn heuristic(settings: &tuple::Settings) -> Option<Heuristic> {
    settings
        .algorithm
        .has_heuristic()
        .then_some(settings.heuristic)
}

/// Prepares the items that fit the limits, with a limit of their first component alone; `None` if that has none.
fn alone<const K: usize>(
    histogram: &Histogram<K>,
    settings: &tuple::Settings,
) -> Result<Option<(TupleItems<K>, tuple::Settings)>> {
    let limits = settings.limits.as_slice();
    let wrong = Error::Components {
        limits: limits.len(),
        components: K,
    };
    // Fitted to both limits first, so that both packings have the same items.
    let fitted = histogram.fit(limits.try_into().map_err(|_| wrong)?, settings.overlong)?;
    let first = limits.first().copied().filter(|limit| *limit != FREE);
    let free = |first| (0..K).map(|k| if k == 0 { first } else { FREE }).collect();
    let prepare = |first| {
        let settings = tuple::Settings {
            limits: free(first),
            heuristic: Heuristic::Component(0),
            ..settings.clone()
        };
        Ok((TupleItems::prepare(&fitted.histogram, &settings)?, settings))
    };
    first.map(prepare).transpose()
}

impl<const K: usize> PrintableProblem for TupleItems<K> {
    fn settings(choice: &Choice) -> Result<Self::Settings> {
        let default = tuple::Settings::default();
        let limits = choice.rows.room.limits.as_ref();
        let settings = tuple::Settings {
            limits: limits.map_or(default.limits, |limits| limits.0.clone()),
            algorithm: choice.algorithm.map_or(Ok(graphs::QUICK), str::parse)?,
            ..default
        };
        choice.rows.given.onto(graphs::ALL, settings)
    }

    fn read(input: &Input, settings: &Self::Settings) -> Result<FittedData<Self>> {
        // Attention is quadratic: cutting it to the limit says nothing of the tokens that would be
        // left.
        if input.compute.is_some() && settings.overlong == Overlong::Truncate {
            let message = "the attention of what is left of an item that is cut is unknown; expected drop or reject";
            return Err(Error::Input {
                place: "--overlong".to_owned(),
                message: message.to_owned(),
            });
        }
        let sizes = read_sizes::<K>(input)?;
        let prepared = Self::prepare(&sizes.histogram, settings)?;
        let alone = sizes
            .computed
            .as_ref()
            .map(|_| alone(&sizes.histogram, settings))
            .transpose()?;
        let (items, bins) = (sizes.histogram.items(), sizes.bins());
        Ok(FittedData {
            prepared,
            names: sizes.names,
            items,
            read: sizes.read,
            bins,
            alone: alone.flatten(),
        })
    }

    fn unevenness(packed: &Self::Packed) -> Option<f64> {
        // The second component is attention, if it is one.
        packed.plan.unevenness().get(1).copied()
    }

    fn bands(settings: &Self::Settings, bins: &Bins, shown: &Figures) -> Bands {
        // Only binned lengths have bands, and these have one component.
        let (limit, depth, overlong) = (settings.limits[0], settings.depth, settings.overlong);
        Bands::new(
            bins,
            &api::Settings {
                limit,
                depth,
                overlong,
                ..api::Settings::default()
            },
            shown,
        )
    }

    fn proof(settings: &Self::Settings, packed: &Self::Packed) -> Option<Value> {
        export::certificate::of_graphs(settings, packed)
    }

    fn algorithms(asked: &Self::Settings) -> Vec<Self::Settings> {
        let with = |algorithm| tuple::Settings {
            algorithm,
            ..asked.clone()
        };
        packing::tuple::TupleAlgorithm::ALL.map(with).into()
    }

    /// Returns the rows of Krell et al. 2022, *Tuple Packing*, table 2, and ours: the published algorithm with every
    /// published heuristic, and the others with the chosen one.
    fn compared(asked: &Self::Settings) -> Vec<Self::Settings> {
        let there = |component: u8| usize::from(component) < K;
        let heuristics = |algorithm| match algorithm {
            packing::tuple::TupleAlgorithm::BestFitPublished => Heuristic::PUBLISHED
                .into_iter()
                // Some heuristics look at one component, which the data may not have.
                .filter(|h| !matches!(h, Heuristic::Component(k) if !there(*k)))
                .collect(),
            packing::tuple::TupleAlgorithm::EdgesOnly if !there(1) => Vec::new(),
            _ => vec![asked.heuristic],
        };
        let with = |settings: tuple::Settings| {
            let by = |heuristic| tuple::Settings {
                heuristic,
                ..settings.clone()
            };
            heuristics(settings.algorithm)
                .into_iter()
                .map(by)
                .collect::<Vec<_>>()
        };
        Self::algorithms(asked).into_iter().flat_map(with).collect()
    }

    fn order(
        (s, f, _): &ComparisonLine<Self::Settings>,
        (t, g, _): &ComparisonLine<Self::Settings>,
    ) -> Ordering {
        // Packs that exceed a limit come last: they are no better, however few.
        let beyond = |s: &tuple::Settings| s.ignores_a_limit();
        beyond(s)
            .cmp(&beyond(t))
            .then(g.efficiency_harmonic.total_cmp(&f.efficiency_harmonic))
    }

    fn side_by_side(rows: &[ComparisonLine<Self::Settings>], names: &[String]) -> Table {
        let by = |row: &ComparisonLine<_>| {
            heuristic(&row.0).map_or_else(|| "–".to_owned(), |h| h.to_string())
        };
        let name = |row: &ComparisonLine<tuple::Settings>| match row.0.ignores_a_limit() {
            true => format!(
                "{} (limits {})",
                row.0.algorithm,
                limits_in_words(&row.0.kept_limits())
            ),
            false => row.0.algorithm.to_string(),
        };
        // The bound under all limits is the one that counts.
        let gap = |row: &ComparisonLine<tuple::Settings>| {
            // A gap under one limit alone would look better than the packs that keep both.
            let gap = (Figures::GAP.get)(&row.1).filter(|_| !row.0.ignores_a_limit());
            gap.map_or_else(|| "–".to_owned(), |gap| gap.read()[1].clone())
        };
        let table = Table::of("", rows)
            .words("algorithm", name)
            .words("heuristic", by);
        let table = table
            .figures(&[Figures::PACKS], |row| &row.1)
            .words(Figures::GAP.head, gap);
        let each = names.iter().enumerate().fold(table, |table, (k, name)| {
            table.words(name, |row| efficiency(row.1.efficiency[k]))
        });
        each.figures(&[Figures::HARMONIC], |row| &row.1)
            .figures(&[SECONDS], |row| &row.2)
            .table
    }

    fn named(s: &Self::Settings) -> Value {
        json!({ "algorithm": s.algorithm, "heuristic": heuristic(s), "limits": limits_to_json(&s.kept_limits()) })
    }

    fn table(rows: &[ComparisonLine<Self::Settings>], names: &[String], data: &str) -> Table {
        let rows = rows
            .iter()
            .map(|(s, f, taken)| (s.algorithm.name().to_owned(), f, *taken));
        export::graph_algorithms(rows, names, data)
    }

    fn limits(settings: &Self::Settings) -> Value {
        limits_to_json(&settings.kept_limits())
    }

    fn words(s: &Self::Settings) -> String {
        let by = heuristic(s).map_or_else(String::new, |heuristic| format!(" by {heuristic}"));
        format!(
            "{}{by}, limits {}, depth {}",
            s.algorithm,
            limits_in_words(&s.kept_limits()),
            s.depth
        )
    }

    fn items(n: u64, kind: &str) -> String {
        plural(n, &format!("{kind}item"))
    }
}
