//! A packing of the items of a file, for one component or several.

use super::PackingArgs;
use crate::limits::too_many;
use crate::packing::{Choice, FittedData, PrintableProblem, pack_all};
use packscope::api::{Problem, Sequences, Settings, TupleItems, tuple};
use packscope::error::Result;
use packscope::export::{self, Document, Table};

pub enum AnyPlan {
    Sequences {
        document: Box<Document<1>>,
        settings: Box<Settings>,
        items: u64,
    },
    Graphs {
        document: Box<Document<2>>,
        settings: Box<tuple::Settings>,
        items: u64,
    },
    // Without settings: lines to paste are written for lengths and for two components alone.
    Triples {
        document: Box<Document<3>>,
        items: u64,
    },
}

/// Every strategy is listed, as a plan must place every item.
const ALL: u32 = u32::MAX;

impl AnyPlan {
    pub fn new(packing: &PackingArgs) -> Result<Self> {
        match components(packing) {
            1 => sequences(packing),
            2 => graphs(packing),
            3 => triples(packing),
            n => Err(too_many(n)),
        }
    }

    pub fn json(&self, out: &mut dyn FnMut(&str)) {
        match self {
            Self::Sequences { document, .. } => document.json(out),
            Self::Graphs { document, .. } => document.json(out),
            Self::Triples { document, .. } => document.json(out),
        }
    }

    pub fn csv(&self, out: &mut dyn FnMut(&str)) {
        match self {
            Self::Sequences { document, .. } => document.csv(out),
            Self::Graphs { document, .. } => document.csv(out),
            Self::Triples { document, .. } => document.csv(out),
        }
    }

    pub fn figures(&self) -> Table {
        let about = match self {
            Self::Sequences { document, .. } => &document.about,
            Self::Graphs { document, .. } => &document.about,
            Self::Triples { document, .. } => &document.about,
        };
        export::figures(&about.figures, &about.components, &about.data)
    }
}

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

fn settings<P: PrintableProblem>(packing: &PackingArgs) -> Result<P::Settings> {
    let algorithm = packing.algorithm.as_deref();
    P::settings(&Choice {
        algorithm,
        seed: packing.seed,
        ..Choice::new(&packing.rows)
    })
}

fn pack_in_full<P: PrintableProblem>(
    packing: &PackingArgs,
) -> Result<(FittedData<P>, P::Settings, P::Packed)> {
    let settings = settings::<P>(packing)?;
    let data = P::read(&packing.input, &settings)?;
    let (packed, _) = packing
        .rows
        .timed(|steps, ask| data.prepared.pack(&settings, ALL, steps, ask))?;
    Ok((data, settings, packed))
}

fn sequences(packing: &PackingArgs) -> Result<AnyPlan> {
    let (data, settings, packed) = pack_in_full::<Sequences>(packing)?;
    let report = data.prepared.report(&settings, packed, ALL);
    let document = Box::new(Document::of_sequences(&report, &name(packing))?);
    Ok(AnyPlan::Sequences {
        document,
        settings: Box::new(settings),
        items: data.items,
    })
}

fn graphs(packing: &PackingArgs) -> Result<AnyPlan> {
    let (data, settings, packed) = pack_in_full::<TupleItems<2>>(packing)?;
    let report = data.prepared.report(&settings, packed, ALL);
    let document = Box::new(Document::of_graphs(&report, &data.names, &name(packing))?);
    Ok(AnyPlan::Graphs {
        document,
        settings: Box::new(settings),
        items: data.items,
    })
}

fn triples(packing: &PackingArgs) -> Result<AnyPlan> {
    let (data, settings, packed) = pack_in_full::<TupleItems<3>>(packing)?;
    let report = data.prepared.report(&settings, packed, ALL);
    let document = Box::new(Document::of_graphs(&report, &data.names, &name(packing))?);
    Ok(AnyPlan::Triples {
        document,
        items: data.items,
    })
}

/// Returns the number of components; 1 for a limit of lengths.
fn components(packing: &PackingArgs) -> usize {
    packing.rows.room.limits.as_ref().map_or(1, |limits| {
        if limits.0.len() == 1 {
            2
        } else {
            limits.0.len()
        }
    })
}

/// Packs with every algorithm, except those that refuse the number of items or strategies.
pub fn algorithms(packing: &PackingArgs) -> Result<Table> {
    match components(packing) {
        1 => table::<Sequences>(packing),
        2 => table::<TupleItems<2>>(packing),
        3 => table::<TupleItems<3>>(packing),
        n => Err(too_many(n)),
    }
}

fn table<P: PrintableProblem>(packing: &PackingArgs) -> Result<Table> {
    let settings = settings::<P>(packing)?;
    let data = P::read(&packing.input, &settings)?;
    // Each algorithm once, as the page saves them; `compare` has the published heuristics too.
    let rows = pack_all(&data.prepared, &packing.rows, P::algorithms(&settings))?;
    Ok(P::table(&rows, &data.names, &name(packing)))
}
