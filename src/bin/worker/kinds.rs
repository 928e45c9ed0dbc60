//! What is packed: sequences or graphs. The worker's ways with both are the same.

use packscope::api::{self, tuple};
use packscope::error::Result;
use packscope::metrics::Figures;
use packscope::packing::{self, Algorithm, Progress};
use packscope::wire::{Finding, GraphRow, LengthRow, Reply};

/// Data that are ready to be packed in many ways.
pub trait Prepared {
    /// How they are to be packed.
    type Settings: Clone;
    /// What packing makes.
    type Packed;
    /// Everything there is to say about it.
    type Report;
    /// A row of a comparison.
    type Row: Copy;

    /// The settings with the optimum for an algorithm.
    fn optimal(settings: &Self::Settings) -> Self::Settings;
    /// The settings of a row.
    fn settings(settings: &Self::Settings, row: Self::Row) -> Self::Settings;
    /// Packs.
    fn pack(&self, settings: &Self::Settings, listed: u32, progress: &mut Progress) -> Result<Self::Packed>;
    /// Says everything about a packing.
    fn report(&self, settings: &Self::Settings, packed: Self::Packed, listed: u32) -> Self::Report;
    /// The figures of a packing.
    fn figures(&self, settings: &Self::Settings, packed: &Self::Packed) -> Figures;
    /// Packs, and a bound that was found on the way.
    fn known(packed: &Self::Packed) -> (u64, u64);
    /// The reply that tells it.
    fn reply(finding: Finding<Self::Report, Self::Row>) -> Reply;
}

impl Prepared for api::Prepared {
    type Settings = api::Settings;
    type Packed = packing::Packed;
    type Report = api::Report;
    type Row = LengthRow;

    fn optimal(settings: &Self::Settings) -> Self::Settings {
        api::Settings { algorithm: Algorithm::Optimal, ..settings.clone() }
    }

    fn settings(settings: &Self::Settings, (algorithm, depth): LengthRow) -> Self::Settings {
        api::Settings { algorithm, depth, ..settings.clone() }
    }

    fn pack(&self, settings: &Self::Settings, listed: u32, progress: &mut Progress) -> Result<Self::Packed> {
        self.pack(settings, listed, u64::MAX, progress)
    }

    fn report(&self, settings: &Self::Settings, packed: Self::Packed, listed: u32) -> Self::Report {
        self.report(settings, packed, listed)
    }

    fn figures(&self, settings: &Self::Settings, packed: &Self::Packed) -> Figures {
        self.figures(settings, packed)
    }

    fn known(packed: &Self::Packed) -> (u64, u64) {
        (packed.listing.packs, packed.bound.map_or(0, |b| b.packs))
    }

    fn reply(finding: Finding<Self::Report, Self::Row>) -> Reply {
        Reply::Lengths(finding)
    }
}

/// Sequences that are packed by algorithms without a solver.
pub struct Simple(pub api::Prepared);

impl Prepared for Simple {
    type Settings = api::Settings;
    type Packed = packing::Packed;
    type Report = api::Report;
    type Row = LengthRow;

    fn optimal(settings: &Self::Settings) -> Self::Settings {
        settings.clone()
    }

    fn settings(settings: &Self::Settings, row: LengthRow) -> Self::Settings {
        <api::Prepared as Prepared>::settings(settings, row)
    }

    fn pack(&self, settings: &Self::Settings, listed: u32, progress: &mut Progress) -> Result<Self::Packed> {
        self.0.pack_simply(settings, listed, progress)
    }

    fn report(&self, settings: &Self::Settings, packed: Self::Packed, listed: u32) -> Self::Report {
        self.0.report(settings, packed, listed)
    }

    fn figures(&self, settings: &Self::Settings, packed: &Self::Packed) -> Figures {
        self.0.figures(settings, packed)
    }

    fn known(packed: &Self::Packed) -> (u64, u64) {
        (packed.listing.packs, 0)
    }

    fn reply(finding: Finding<Self::Report, Self::Row>) -> Reply {
        Reply::Lengths(finding)
    }
}

impl Prepared for tuple::Prepared<2> {
    type Settings = tuple::Settings;
    type Packed = packing::tuple::Packed<2>;
    type Report = tuple::Report;
    type Row = GraphRow;

    fn optimal(settings: &Self::Settings) -> Self::Settings {
        tuple::Settings { algorithm: packing::tuple::Algorithm::Optimal, ..settings.clone() }
    }

    fn settings(settings: &Self::Settings, (algorithm, heuristic): GraphRow) -> Self::Settings {
        let heuristic = heuristic.unwrap_or(settings.heuristic);
        tuple::Settings { algorithm, heuristic, ..settings.clone() }
    }

    fn pack(&self, settings: &Self::Settings, _: u32, progress: &mut Progress) -> Result<Self::Packed> {
        self.pack(settings, u64::MAX, progress)
    }

    fn report(&self, settings: &Self::Settings, packed: Self::Packed, listed: u32) -> Self::Report {
        self.report(settings, packed, listed)
    }

    fn figures(&self, settings: &Self::Settings, packed: &Self::Packed) -> Figures {
        self.figures(settings, packed)
    }

    fn known(packed: &Self::Packed) -> (u64, u64) {
        (packed.plan.packs(), packed.bound.map_or(0, |b| b.packs))
    }

    fn reply(finding: Finding<Self::Report, Self::Row>) -> Reply {
        Reply::Graphs(finding)
    }
}
