//! Packs of graphs, for shapes that are fixed once: which limits are best, and what they cost.

use super::case::GraphCase;
use super::judge::{Now, best};
use super::outcome::{Change, Effort, Outcome};
use super::price::{BatchRows, Lost, Pass, Pricer};
use super::words::limit_in_words;
use crate::api::{speedup, tuple};
use crate::cost::Method;
use crate::error::{Error, Result};
use crate::histogram::{Histogram, Size};
use crate::metrics::Figures;
use crate::packing::Progress;

/// Packs at the limits of a case, priced.
pub(super) struct FixedShapes {
    /// One graph in each batch slot, padded to the limits that are set; `None` where no packs are asked about.
    pub alone: Option<Outcome>,
    /// Packs, of the case's settings, in their order.
    pub packs: Vec<Outcome>,
}

/// Packs graphs under each of a case's settings, at so many nodes a step. Settings that refuse the data are left out.
///
/// # Errors
/// [`Error::Cancelled`].
pub(super) fn fixed_shapes(
    data: &Histogram<2>,
    case: &GraphCase,
    pricer: &mut Pricer,
    step: f64,
    progress: &mut Progress,
) -> Result<FixedShapes> {
    let mut found = FixedShapes {
        alone: None,
        packs: Vec::new(),
    };
    for (at, settings) in case.packs.iter().enumerate() {
        let figures = match tuple::run_on(data, settings, 0, progress) {
            Ok(report) => report.figures,
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            Err(_) => continue,
        };
        let Some(limits) = <Size<2>>::try_from(settings.limits.as_slice()).ok() else {
            continue;
        };
        let fitted = data.fit(limits, settings.overlong)?.histogram;
        let cases = speedup::graphs(&fitted, 1, Some(&figures));
        let find = |method| cases.iter().find(|case| case.work.method == method);
        let (by, limit) = (settings.algorithm.long_name(), limit_in_words(&limits));
        let words = format!("packs by {} of at most {limit}", by.to_lowercase());
        // What is set is no change, and goes before limits that are as good.
        let change = Change {
            effort: Effort::Data,
            size: u64::from(at > 0),
            words,
            ..Change::none((String::new(), String::new()))
        };
        let pass = |case: &speedup::Case| pass(case, limits, &figures);
        if let Some(packed) = find(Method::Packed) {
            found
                .packs
                .push(pricer.price(&pass(packed), change, Some(step))?);
        }
        if let Some(padded) = find(Method::Padded).filter(|_| at == 0) {
            let none = Change::none((String::new(), String::new()));
            found.alone = Some(pricer.price(&pass(padded), none, Some(step))?);
        }
    }
    Ok(found)
}

/// Returns the best of packs, where shapes are fixed: by the judge's rules, as if nothing ran so far.
pub(super) fn best_of(packs: &[Outcome]) -> Option<&Outcome> {
    best(Now::Stops, packs, false).and_then(|at| packs.get(at))
}

/// Returns the pass of batches of packs, or of single graphs in as large slots.
fn pass(case: &speedup::Case, limits: Size<2>, figures: &Figures) -> Pass {
    let nodes = |all: &[u64]| all.first().map_or(0.0, |n| *n as f64);
    let (lost, kept) = (nodes(&figures.waste_tokens), nodes(&figures.real_tokens));
    Pass {
        limit: limits.to_vec(),
        work: case.work,
        population: case.population.clone(),
        rows: BatchRows::Any {
            usual: 1,
            side_by_side: false,
        },
        // A component without a limit is as long as packs have it.
        longest: (case.work.useful[0] + case.work.padding[0]) / (case.work.rows as f64).max(1.0),
        row_pairs: 0.0,
        step_tokens: None,
        lost: Lost {
            cut_off: lost / (lost + kept).max(1.0),
            dropped: 0.0,
        },
        cut_share: 0.0,
        apart: true,
        shuffles: true,
    }
}
