//! Which tokens of the visitor's sequences bear loss, once a worker has found it out from their file: of what is computed,
//! how much trains, at every limit; how much a token weighs; and by source.

use super::{AppState, Source};
use crate::wire::{Supervised, TrainedTurns};
use packscope::advice::SharedCurves;
use packscope::histogram::Overlong;
use packscope::metrics::ExpectedPadding;
use packscope::supervision::sources::Mix;
use packscope::supervision::weights::{Epoch, Steps, of_epoch};
use packscope::supervision::{Composition, Curves, SampledItem, Truncation, words};
use packscope::words::percent;
use std::rc::Rc;

/// The tokens that bear loss, as far as they are known.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Supervision {
    /// Version of the data that were asked about, and what was found.
    known: (u64, Option<Rc<Supervised>>),
    /// The part of longer sequences that is kept, if the visitor has chosen.
    truncation: Option<Truncation>,
    /// The turns of conversations that bear loss.
    turns: TrainedTurns,
}

/// Something about supervised tokens.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// A worker has found out which tokens of this version of the data bear loss; `None` where nothing tells.
    Found(u64, Option<Rc<Supervised>>),
    /// The part of longer sequences that is to be kept.
    Truncate(Truncation),
    /// The turns that are to bear loss.
    Train(TrainedTurns),
}

/// One source of the sequences.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceRow<'a> {
    pub name: &'a str,
    /// Documents, tokens and supervised tokens: of how many, and their share in all.
    pub documents: (u64, f64),
    pub tokens: (u64, f64),
    pub supervised: (u64, f64),
    /// Shares of its own tokens that the limit loses, of its supervised ones, and of its documents that train nothing.
    pub lost: [f64; 3],
}

/// Sequences of a length in the histogram by source.
#[derive(Debug, Clone, PartialEq)]
pub struct StackedBin {
    /// The longest sequence.
    pub to: u32,
    /// Sequences of each source, in their order, and of those that are not listed.
    pub documents: Vec<u64>,
}

/// The most bins of a histogram by source, the last of which ends at this multiple of the first.
const BINS: i32 = 28;
const RANGE: f64 = 128.0;

/// Returns the ends of bins that grow by one factor, the first of which begins at 0.
fn edges(reach: u32) -> Vec<u32> {
    let least = f64::from(reach) / RANGE;
    let edge = |k: i32| (least * RANGE.powf(f64::from(k) / f64::from(BINS))).round() as u32;
    let mut edges: Vec<u32> = std::iter::once(0).chain((0..=BINS).map(edge)).collect();
    // Short limits have fewer whole numbers than bins.
    edges.dedup();
    edges
}

impl Supervision {
    pub(super) fn apply(&mut self, action: Action) {
        match action {
            Action::Found(version, found) => self.known = (version, found),
            Action::Truncate(truncation) => self.truncation = Some(truncation),
            Action::Train(turns) => self.turns = turns,
        }
    }
}

impl AppState {
    /// Returns which tokens of the sequences on screen bear loss, if that is known.
    pub fn supervised(&self) -> Option<&Supervised> {
        let (version, found) = &self.supervision.known;
        let data = self.sequences.data.as_ref()?;
        let (found, lengths) = (found.as_deref()?, &data.histogram);
        let curves = &found.curves.0;
        // Of a pair that is read as two budgets, or of texts counted in another way, the lengths are others.
        let is_of_these = *version == self.sequences.version()
            && curves.items() == lengths.items()
            && [curves.tokens()] == lengths.total();
        (is_of_these && curves.supervised() > 0).then_some(found)
    }

    /// Returns which tokens of this version of the data bear loss.
    pub fn curves_of(&self, version: u64) -> Option<SharedCurves> {
        let found = self.supervised()?;
        (version == self.sequences.version()).then(|| found.curves.clone())
    }

    /// Returns the part of longer sequences that is kept: as chosen, else as the chosen library does it.
    pub fn truncation(&self) -> Truncation {
        let library = || {
            let id = self.trainer.choice.library.as_deref();
            id.map(Truncation::of_library).unwrap_or_default()
        };
        self.supervision.truncation.unwrap_or_else(library)
    }

    /// Returns what a worker is to be asked: the version of the data, the truncation, and the turns of conversations that are to
    /// bear loss; `None` where the answer is known, or where the data are no files of the visitor's.
    pub fn supervision_wanted(&self) -> Option<(u64, Truncation, TrainedTurns)> {
        let (version, truncation) = (self.sequences.version(), self.truncation());
        let turns = self.supervision.turns;
        let data = self.sequences.data.as_ref()?;
        let is_own = matches!(data.source, Source::Own { .. });
        let (known, found) = &self.supervision.known;
        let is_known = *known == version
            && found.as_ref().is_none_or(|found| {
                let is_of_turns = found.turns.is_none_or(|of| of == turns);
                found.curves.0.truncation() == truncation && is_of_turns
            });
        (is_own && !is_known).then_some((version, truncation, turns))
    }
}

impl AppState {
    /// Returns the sentence about the present limit, or nothing where it is not known which tokens bear loss.
    pub fn of_supervision(&self) -> Option<String> {
        let of = &self.sequences.settings;
        let found = self.supervised()?;
        Some(words::headline(&found.curves.0, of.limit, of.overlong))
    }

    /// Returns the slots of an epoch of random batches padded to their longest sequence, and of packed rows as they are on
    /// screen, if they are.
    pub fn computed_slots(&self) -> Option<(Composition, Option<Composition>)> {
        let (found, data) = (self.supervised()?, self.sequences.data.as_ref()?);
        let (of, curves) = (&self.sequences.settings, &found.curves.0);
        let fitted = data.histogram.fit([of.limit], of.overlong).ok()?.histogram;
        let with = |slots: f64| curves.composition(slots, of.limit, of.overlong);
        let padded = ExpectedPadding::random(&fitted, of.batch.max(1)).slots;
        let answer = self.sequences.answer.as_ref();
        let answer = answer.filter(|answer| {
            answer.report.settings.limit == of.limit && self.sequences.is_current()
        });
        let packed = answer.map(|answer| {
            let packs = answer.report.figures.packs as f64;
            with(packs * f64::from(of.limit))
        });
        Some((with(padded), packed))
    }

    /// Returns the title of what is computed: the share of it that trains.
    pub fn of_computed(&self) -> Option<String> {
        let (padded, packed) = self.computed_slots()?;
        let trains = |of: &Composition| percent(of.share(of.responses));
        let packed = packed.map_or_else(String::new, |packed| {
            format!(", of packed rows {}", trains(&packed))
        });
        Some(format!(
            "Of what padded batches compute {} trains{packed}",
            trains(&padded)
        ))
    }

    /// Returns the weights in the loss of an epoch of these micro-batches a step: of a sequence a row, and of packed rows.
    /// The batch of the page is a step of all accelerators. O(n log n) of the sample.
    pub fn weights(&self, accumulation: u32) -> Option<[Epoch; 2]> {
        let (found, of) = (self.supervised()?, &self.sequences.settings);
        let truncation = found.curves.0.truncation();
        let at = |(tokens, spans): &(u32, Box<[_]>)| {
            SampledItem::at_limit(*tokens, spans, of.limit, truncation)
        };
        let items: Vec<SampledItem> = found.sample.iter().map(at).collect();
        let steps = |packed| Steps {
            rows: of.batch.max(1),
            accumulation,
            packed,
            ..Steps::default()
        };
        let unpacked = of_epoch(&items, &steps(None)).ok()?;
        Some([unpacked, of_epoch(&items, &steps(Some(of.limit))).ok()?])
    }

    /// Returns the rows of the table by source; empty where no field names sources.
    pub fn of_sources<'s>(&'s self) -> Vec<SourceRow<'s>> {
        let (Some(found), of) = (self.supervised(), &self.sequences.settings) else {
            return Vec::new();
        };
        let all = &found.curves.0;
        let part = |n: u64, of: u64| (n, n as f64 / of.max(1) as f64);
        let row = |(name, curves): &'s (String, Curves)| SourceRow {
            name: words::named(name),
            documents: part(curves.items(), all.items()),
            tokens: part(curves.tokens(), all.tokens()),
            supervised: part(curves.supervised(), all.supervised()),
            lost: [
                curves.tokens_lost_share(of.limit, of.overlong),
                curves.lost_share(of.limit, of.overlong),
                curves.untrained_share(of.limit),
            ],
        };
        found.sources.iter().map(row).collect()
    }

    /// Returns the histogram of lengths by source: bins that grow by one factor up to the limit, and one for those beyond, if
    /// any.
    pub fn stacked_sources(&self) -> Vec<StackedBin> {
        let Some(found) = self.supervised() else {
            return Vec::new();
        };
        let (all, limit) = (&found.curves.0, self.sequences.settings.limit);
        let reach = limit.min(all.longest()).max(1);
        let mut edges = edges(reach);
        if all.longest() > reach {
            edges.push(all.longest());
        }
        let within = |of: &Curves, from: u32, to: u32| of.longer(from) - of.longer(to);
        edges
            .windows(2)
            .map(|edge| {
                let each = found.sources.iter();
                let mut documents: Vec<u64> = each
                    .map(|(_, curves)| within(curves, edge[0], edge[1]))
                    .collect();
                let listed: u64 = documents.iter().sum();
                documents.push(within(all, edge[0], edge[1]) - listed);
                StackedBin {
                    to: edge[1],
                    documents,
                }
            })
            .collect()
    }

    /// Returns the mix of the sources as they are, and with these weights of documents, with the lines that set it; `None`
    /// where the weights are none.
    pub fn mix_of_sources(&self, weights: &[f64]) -> Option<(Mix, Mix, String)> {
        let (found, limit) = (self.supervised()?, self.sequences.settings.limit);
        let curves: Vec<&Curves> = found.sources.iter().map(|(_, of)| of).collect();
        let names: Vec<String> = found.sources.iter().map(|(name, _)| name.clone()).collect();
        let now = Mix::as_they_are(&curves, limit).ok()?;
        let by = packscope::supervision::sources::Weighted::Documents;
        let then = Mix::new(&curves, weights, by, limit).ok()?;
        let lines = words::lines(&names, &then);
        Some((now, then, lines))
    }

    /// Whether a share of the supervised tokens, or of the sequences, that does not train is large enough for the headline.
    pub fn loses_supervision(&self) -> bool {
        const MUCH: f64 = 0.01;
        let of = &self.sequences.settings;
        self.supervised().is_some_and(|found| {
            let curves = &found.curves.0;
            curves.lost_share(of.limit, of.overlong) >= MUCH
                || of.overlong == Overlong::Truncate && curves.untrained_share(of.limit) >= MUCH
        })
    }
}
