//! A packing of what is in a file, for one component or several.

use super::Packing;
use crate::sizes::{self, Limits, Sizes};
use packscope::api::{Graphs, Problem, Sequences, Settings, tuple};
use packscope::error::{Error, Result};
use packscope::export::{self, Document, Table};
use packscope::histogram::Histogram;
use packscope::metrics::Figures;
use packscope::packing;

/// A plan of one component or two.
pub enum Made {
    Sequences { document: Box<Document<1>>, settings: Box<Settings>, items: u64 },
    Graphs { document: Box<Document<2>>, settings: Box<tuple::Settings>, items: u64 },
}

/// Every strategy is listed.
const ALL: u32 = u32::MAX;

impl Made {
    /// Reads and packs.
    pub fn new(packing: &Packing) -> Result<Self> {
        match &packing.rows.room.limits {
            Some(limits) => graphs(packing, limits),
            None => sequences(packing),
        }
    }

    /// The plan as JSON.
    pub fn json(&self, out: &mut dyn FnMut(&str)) {
        match self {
            Self::Sequences { document, .. } => document.json(out),
            Self::Graphs { document, .. } => document.json(out),
        }
    }

    /// The plan as CSV.
    pub fn csv(&self, out: &mut dyn FnMut(&str)) {
        match self {
            Self::Sequences { document, .. } => document.csv(out),
            Self::Graphs { document, .. } => document.csv(out),
        }
    }

    /// The headline figures.
    pub fn figures(&self) -> Table {
        let about = match self {
            Self::Sequences { document, .. } => &document.about,
            Self::Graphs { document, .. } => &document.about,
        };
        export::figures(&about.figures, &about.components, &about.data)
    }
}

/// What the data are called.
fn name(packing: &Packing) -> String {
    let file = || {
        packing
            .input
            .files
            .first()
            .and_then(|file| file.file_stem())
            .map(|stem| stem.to_string_lossy().into_owned())
    };
    packing.name.clone().or_else(file).unwrap_or_default()
}

fn lengths(packing: &Packing) -> Result<(Histogram<1>, Settings)> {
    let algorithm = packing.algorithm.as_deref().map_or(Ok(packing::Algorithm::Lpfhp), str::parse)?;
    let histogram = packing.input.read()?.histogram;
    Ok((histogram, Settings { algorithm, seed: packing.seed, ..packing.rows.settings() }))
}

fn sequences(packing: &Packing) -> Result<Made> {
    let (histogram, settings) = lengths(packing)?;
    let prepared = Sequences::prepare(&histogram, &settings)?;
    let (packed, _) = packing.rows.timed(|steps, ask| prepared.pack(&settings, ALL, steps, ask))?;
    let report = prepared.report(&settings, packed, ALL);
    let document = Box::new(Document::of_sequences(&report, &name(packing))?);
    Ok(Made::Sequences { document, settings: Box::new(settings), items: histogram.items() })
}

fn pairs(packing: &Packing, limits: &Limits) -> Result<(Sizes<2>, tuple::Settings)> {
    if limits.0.len() != 2 {
        return Err(Error::Components { limits: limits.0.len(), components: 2 });
    }
    let algorithm =
        packing.algorithm.as_deref().map_or(Ok(packing::tuple::Algorithm::BestFit), str::parse)?;
    let settings = sizes::settings(&packing.rows, limits, algorithm);
    Ok((sizes::read_sizes::<2>(&packing.input)?, settings))
}

fn graphs(packing: &Packing, limits: &Limits) -> Result<Made> {
    let (read, settings) = pairs(packing, limits)?;
    let prepared = Graphs::prepare(&read.histogram, &settings)?;
    let (packed, _) = packing.rows.timed(|steps, ask| prepared.pack(&settings, 0, steps, ask))?;
    let report = prepared.report(&settings, packed, ALL);
    let document = Box::new(Document::of_graphs(&report, &read.names, &name(packing))?);
    Ok(Made::Graphs { document, settings: Box::new(settings), items: read.histogram.items() })
}

/// All algorithms side by side; those that refuse so many items or strategies are left out.
pub fn algorithms(packing: &Packing) -> Result<Table> {
    match &packing.rows.room.limits {
        Some(limits) => graph_algorithms(packing, limits),
        None => sequence_algorithms(packing),
    }
}

fn sequence_algorithms(packing: &Packing) -> Result<Table> {
    let (histogram, settings) = lengths(packing)?;
    let prepared = Sequences::prepare(&histogram, &settings)?;
    let mut rows: Vec<(packing::Algorithm, Figures, f64)> = Vec::new();
    for algorithm in packing::Algorithm::ALL {
        let settings = Settings { algorithm, ..settings.clone() };
        match packing.rows.timed(|steps, ask| prepared.pack(&settings, 0, steps, ask)) {
            Ok((packed, taken)) => rows.push((algorithm, prepared.figures(&settings, &packed), taken)),
            Err(error) if error.is_too_much() => eprintln!("{error}; left out"),
            Err(error) => return Err(error),
        }
    }
    let rows =
        rows.iter().map(|(algorithm, figures, taken)| (algorithm.name(), settings.depth, figures, *taken));
    Ok(export::algorithms(rows, &name(packing)))
}

fn graph_algorithms(packing: &Packing, limits: &Limits) -> Result<Table> {
    let (read, settings) = pairs(packing, limits)?;
    let prepared = Graphs::prepare(&read.histogram, &settings)?;
    let mut rows: Vec<(String, Figures, f64)> = Vec::new();
    for algorithm in packing::tuple::Algorithm::ALL {
        let settings = tuple::Settings { algorithm, ..settings.clone() };
        let (packed, taken) = packing.rows.timed(|steps, ask| prepared.pack(&settings, 0, steps, ask))?;
        rows.push((algorithm.name().to_owned(), prepared.figures(&settings, &packed), taken));
    }
    let rows = rows.iter().map(|(algorithm, figures, taken)| (algorithm.clone(), figures, *taken));
    Ok(export::graph_algorithms(rows, &read.names, &name(packing)))
}
