//! Candidates of loaders of graphs: one changed setting, and limits where a loader refuses the data.

use super::answers::answer_of;
use super::case::GraphCase;
use super::outcome::{Change, Effort, Outcome};
use super::packs::{FixedShapes, best_of, fixed_shapes};
use super::price::{BatchRows, Lost, Pass, Pricer};
use super::words::{limit_in_words, written};
use crate::api::speedup;
use crate::api::trainer::LibraryAnswer;
use crate::cost::{Method, Work};
use crate::error::Result;
use crate::histogram::{FREE, Histogram, Size};
use crate::packing::Progress;
use crate::trainer::graphs::GraphLibraries;
use crate::trainer::{Library, LibraryFamily, LibrarySettings};

/// A loader as it is set now, and all that was tried instead.
pub(super) struct Loaded {
    pub title: String,
    /// The outcome of now; an error why the loader refuses the data.
    pub now: std::result::Result<Outcome, String>,
    pub tried: Vec<Outcome>,
    /// The best packs for shapes that are fixed, where nothing asks for them.
    pub fixed: Option<Outcome>,
}

/// The lines of PyTorch Geometric's own loader.
const DATA_LOADER: &str = "from torch_geometric.loader import DataLoader\n\nloader = DataLoader(dataset, batch_size={batch}, shuffle=True)\n";

/// Tries the settings of a loader; without one, prices PyTorch Geometric's `DataLoader`.
///
/// # Errors
/// Names and values that the loader does not have; [`Error::Cancelled`](crate::error::Error::Cancelled).
pub(super) fn graphs(
    data: &Histogram<2>,
    case: &GraphCase,
    mut pricer: Pricer,
    progress: &mut Progress,
) -> Result<Loaded> {
    let Some(id) = &case.loader else {
        return of_no_loader(data, case, pricer, progress);
    };
    let library = Library::<GraphLibraries>::find(id)?;
    let set = library.with(case.limits, &case.settings)?;
    let own = set.fields() == library.installed(case.limits).fields();
    let title = format!(
        "{} {} at {}",
        library.title,
        if own { "as installed" } else { "as set" },
        limit_in_words(&case.limits)
    );
    let answer = answer_of(data, &set, case.seed, progress)?;
    let now = match pass_of(data, &answer) {
        Some(pass) => Ok(pricer.price(&pass, change(&set, &set, &answer), None)?),
        None => Err(answer.about.refused.clone().unwrap_or_default()),
    };
    let step = now.as_ref().ok().map(|now| now.step_tokens);
    let mut tried = Vec::new();
    let trials = answer.advice.iter().flat_map(|advice| &advice.tried);
    let changed = trials.filter_map(|trial| {
        let mut other = set.clone();
        other.set(&trial.setting, &trial.value).ok().map(|()| other)
    });
    let least = answer.own.least.map(|limit| {
        let mut other = set.clone();
        other.limit = limit;
        other
    });
    for chosen in changed.chain(least).chain(others(&set)) {
        let answer = answer_of(data, &chosen, case.seed, progress)?;
        if let Some(pass) = pass_of(data, &answer) {
            tried.push(pricer.price(&pass, change(&set, &chosen, &answer), step)?);
        }
    }
    Ok(Loaded {
        title,
        now,
        tried,
        fixed: None,
    })
}

/// Prices PyTorch Geometric's `DataLoader`, and packs for shapes that are fixed. Where an accelerator knows no others, what
/// is done now is one graph in each slot of a batch.
fn of_no_loader(
    data: &Histogram<2>,
    case: &GraphCase,
    mut pricer: Pricer,
    progress: &mut Progress,
) -> Result<Loaded> {
    let now = pricer.price(&plain(data, case.batch), of_data_loader(case.batch), None)?;
    let FixedShapes { alone, packs } =
        fixed_shapes(data, case, &mut pricer, now.step_tokens, progress)?;
    let dynamic = case.hardware.assumptions.accelerator.dynamic;
    Ok(match alone.filter(|_| !dynamic) {
        Some(alone) => Loaded {
            title: format!(
                "Graphs one by one, each padded to {}",
                limit_in_words(&alone.limit)
            ),
            now: Ok(alone),
            tried: packs,
            fixed: None,
        },
        None => Loaded {
            title: "PyTorch Geometric's DataLoader as installed".to_owned(),
            now: Ok(now),
            fixed: best_of(&packs).cloned(),
            tried: Vec::new(),
        },
    })
}

/// Returns the other loaders of the same library, as they are installed.
fn others(set: &LibrarySettings<GraphLibraries>) -> Vec<LibrarySettings<GraphLibraries>> {
    let family = |library: &Library<GraphLibraries>| {
        library
            .title
            .split(',')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let own = family(set.library);
    GraphLibraries::ALL
        .iter()
        .filter(|other| other.id != set.library.id && family(other) == own)
        .map(|other| other.installed(set.limit))
        .collect()
}

fn of_data_loader(batch: u32) -> Change {
    let lines = DATA_LOADER.replace("{batch}", &batch.to_string());
    Change::none((lines, "python".to_owned()))
}

/// Returns the pass of batches of so many graphs, without padding.
fn plain(data: &Histogram<2>, batch: u32) -> Pass {
    let cases = speedup::graphs(data, batch, None);
    let unpadded = cases
        .into_iter()
        .find(|case| case.work.method == Method::Unpadded);
    let [nodes, edges] = data.total().map(|n| n as f64);
    let work = Work {
        method: Method::Unpadded,
        items: data.items(),
        rows: data.items(),
        batches: data.items().div_ceil(u64::from(batch.max(1))),
        depth: 1,
        useful: [nodes, edges],
        padding: [0.0; 2],
        between: 0.0,
        largest: 0.0,
    };
    Pass {
        limit: vec![FREE; 2],
        work,
        population: unpadded.and_then(|case| case.population),
        rows: BatchRows::Any {
            usual: batch.max(1),
            side_by_side: true,
        },
        longest: f64::from(data.max()[0]),
        row_pairs: 0.0,
        step_tokens: None,
        lost: Lost::default(),
        cut_share: 0.0,
        apart: true,
        shuffles: true,
    }
}

/// Returns the pass of a loader; `None` where it refuses the data.
fn pass_of(data: &Histogram<2>, answer: &LibraryAnswer<GraphLibraries>) -> Option<Pass> {
    let (figures, shape) = answer.figures.as_ref().zip(answer.own.shape)?;
    let total = data.total().map(|n| n as f64);
    let useful: [f64; 2] = [0, 1].map(|k: usize| total[k] * (1.0 - figures.lost_share[k]));
    let padding = |k: usize| match shape.padded {
        true => (figures.slots[k] - useful[k]).max(0.0),
        false => 0.0,
    };
    let batches = figures.batches.round().max(1.0) as u64;
    let limits: Size<2> = shape.limits();
    let largest = match shape.padded {
        true => figures.slots[0] / figures.batches.max(1.0),
        false => figures.largest[0] as f64,
    };
    Some(Pass {
        limit: limits.to_vec(),
        work: Work {
            method: if shape.padded {
                Method::Packed
            } else {
                Method::Unpadded
            },
            items: data.items(),
            rows: batches,
            batches,
            depth: 1,
            useful,
            padding: [padding(0), padding(1)],
            between: 0.0,
            largest,
        },
        population: None,
        rows: BatchRows::Fixed(figures.graphs_per_batch.round() as u32),
        longest: largest,
        row_pairs: 0.0,
        step_tokens: None,
        lost: Lost {
            cut_off: 0.0,
            dropped: figures.lost_share[0],
        },
        cut_share: 0.0,
        apart: true,
        shuffles: true,
    })
}

/// Returns the way from the settings of now to others.
fn change(
    now: &LibrarySettings<GraphLibraries>,
    then: &LibrarySettings<GraphLibraries>,
    answer: &LibraryAnswer<GraphLibraries>,
) -> Change {
    let other = then.library.id != now.library.id;
    let settings = then.changed_from(if other { then } else { now });
    let limits =
        (then.limit != now.limit).then(|| format!("limits of {}", limit_in_words(&then.limit)));
    let lines = answer.about.lines.clone();
    let named: Vec<String> = settings
        .iter()
        .map(|set| written(&lines, set))
        .chain(limits)
        .chain(other.then(|| then.library.title.to_owned()))
        .collect();
    Change {
        effort: match named.len() {
            _ if other => Effort::Loader,
            0 => Effort::Nothing,
            1 => Effort::Setting,
            _ => Effort::Settings,
        },
        size: named.len() as u64,
        words: super::words::among(&named),
        library: other.then(|| then.library.id.to_owned()),
        settings,
        needs: String::new(),
        sampler: None,
        packing: None,
        lines,
        language: answer.about.language.clone(),
    }
}
