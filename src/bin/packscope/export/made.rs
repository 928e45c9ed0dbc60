//! A packing of the items of a file, for one component or several.

use super::PackingArgs;
use crate::packing::{Choice, Data, Shown, pack_all};
use packscope::api::{Graphs, Problem, Sequences, Settings, tuple};
use packscope::error::{Error, Result};
use packscope::export::{self, Document, Table};

/// A plan of one component or two.
pub enum Made {
    Sequences { document: Box<Document<1>>, settings: Box<Settings>, items: u64 },
    Graphs { document: Box<Document<2>>, settings: Box<tuple::Settings>, items: u64 },
}

/// Every strategy is listed.
const ALL: u32 = u32::MAX;

impl Made {
    /// Reads and packs the data.
    pub fn new(packing: &PackingArgs) -> Result<Self> {
        if is_pairs(packing)? { graphs(packing) } else { sequences(packing) }
    }

    /// Writes the plan as JSON.
    pub fn json(&self, out: &mut dyn FnMut(&str)) {
        match self {
            Self::Sequences { document, .. } => document.json(out),
            Self::Graphs { document, .. } => document.json(out),
        }
    }

    /// Writes the plan as CSV.
    pub fn csv(&self, out: &mut dyn FnMut(&str)) {
        match self {
            Self::Sequences { document, .. } => document.csv(out),
            Self::Graphs { document, .. } => document.csv(out),
        }
    }

    /// Returns the headline figures.
    pub fn figures(&self) -> Table {
        let about = match self {
            Self::Sequences { document, .. } => &document.about,
            Self::Graphs { document, .. } => &document.about,
        };
        export::figures(&about.figures, &about.components, &about.data)
    }
}

/// Returns the name of the data.
fn name(packing: &PackingArgs) -> String {
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

fn settings<P: Shown>(packing: &PackingArgs) -> Result<P::Settings> {
    let algorithm = packing.algorithm.as_deref();
    P::settings(&Choice { algorithm, seed: packing.seed, ..Choice::of(&packing.rows) })
}

/// Packs with a list of all strategies.
fn packed<P: Shown>(packing: &PackingArgs) -> Result<(Data<P>, P::Settings, P::Packed)> {
    let settings = settings::<P>(packing)?;
    let data = P::read(&packing.input, &settings)?;
    let (packed, _) = packing.rows.timed(|steps, ask| data.prepared.pack(&settings, ALL, steps, ask))?;
    Ok((data, settings, packed))
}

fn sequences(packing: &PackingArgs) -> Result<Made> {
    let (data, settings, packed) = packed::<Sequences>(packing)?;
    let report = data.prepared.report(&settings, packed, ALL);
    let document = Box::new(Document::of_sequences(&report, &name(packing))?);
    Ok(Made::Sequences { document, settings: Box::new(settings), items: data.items })
}

fn graphs(packing: &PackingArgs) -> Result<Made> {
    let (data, settings, packed) = packed::<Graphs<2>>(packing)?;
    let report = data.prepared.report(&settings, packed, ALL);
    let document = Box::new(Document::of_graphs(&report, &data.names, &name(packing))?);
    Ok(Made::Graphs { document, settings: Box::new(settings), items: data.items })
}

/// Whether there are two limits, not one.
///
/// # Errors
/// [`Error::Components`] for one limit for each component of another number of components.
fn is_pairs(packing: &PackingArgs) -> Result<bool> {
    match packing.rows.room.limits.as_ref().map(|limits| limits.0.len()) {
        None => Ok(false),
        Some(2) => Ok(true),
        Some(limits) => Err(Error::Components { limits, components: 2 }),
    }
}

/// Packs with every algorithm, except those that refuse the number of items or strategies.
pub fn algorithms(packing: &PackingArgs) -> Result<Table> {
    if is_pairs(packing)? { table::<Graphs<2>>(packing) } else { table::<Sequences>(packing) }
}

fn table<P: Shown>(packing: &PackingArgs) -> Result<Table> {
    let settings = settings::<P>(packing)?;
    let data = P::read(&packing.input, &settings)?;
    let rows = pack_all(&data.prepared, &packing.rows, P::algorithms(&settings))?;
    Ok(P::table(&rows, &data.names, &name(packing)))
}
