//! Speed-up, on every view: the time of an epoch on accelerators, by method. Nothing here packs.

pub mod findings;
pub mod formulae;
pub(super) mod hash;
mod suited;
pub mod words;

pub(super) use suited::LEAST_ROWS;

use super::{AppState, View};
use crate::query::{Answer, Query};
use packscope::api::batch::{Mode, Pricing};
use packscope::api::speedup::{
    Case, PackWork, WaitingCurve, batches, estimate, graphs, questions, sequences,
};
use packscope::cost::presets::{self, Preset, PresetChoice};
use packscope::cost::waiting::{ACCELERATORS, WaitingQuestion};
use packscope::cost::{
    Accelerator, Assumptions, Bill, CostField, Estimate, Gnn, Memory, Method, Overhead, Rates,
    Regimes, Training, Transformer, Workload,
};
use packscope::histogram::Size;
use std::rc::Rc;

/// The name of the setting whether weights are sharded.
pub(super) const SHARDED: &str = "sharded";
/// The name of the setting of the number of accelerators.
const CREW: &str = "accelerators";

/// Questions about waiting, by method; equal questions have equal answers.
pub type WaitingQuestions = Vec<(Method, WaitingQuestion)>;

/// Settings that the visitor, or the address, has set; the others follow the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct SetByHand {
    /// The model, or one of its numbers.
    pub model: bool,
    /// The rows of a batch.
    pub batch: bool,
    pub sharded: bool,
    pub accelerators: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SpeedUpState {
    /// The model for sequences that was chosen last; the visitor may have changed its numbers since.
    pub transformer: &'static Preset<Transformer>,
    /// The model for graphs that was chosen last.
    pub gnn: &'static Preset<Gnn>,
    /// The accelerator that was chosen last.
    pub accelerator: &'static Preset<Accelerator>,
    /// The settings that do not follow the data: the visitor has set them. All else follows the data.
    pub(super) by_hand: SetByHand,
    /// Whether weights are sharded unless the visitor sets it.
    shards: bool,
    /// The number of accelerators unless the visitor sets it.
    crew: u32,
    assumptions: Assumptions,
}

impl Default for SpeedUpState {
    fn default() -> Self {
        let PresetChoice {
            transformer,
            gnn,
            accelerator,
        } = PresetChoice::default();
        Self {
            transformer,
            gnn,
            accelerator,
            by_hand: SetByHand::default(),
            shards: false,
            crew: Assumptions::default().accelerators,
            assumptions: Assumptions::default(),
        }
    }
}

/// An event of the estimates. None of them packs.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    Transformer(&'static Preset<Transformer>),
    Gnn(&'static Preset<Gnn>),
    Accelerator(&'static Preset<Accelerator>),
    /// Another value of the field of this name. Ignored if invalid.
    Set(&'static str, f64),
    /// All settings back to their defaults.
    Reset,
}

impl SpeedUpState {
    fn apply(&mut self, action: Action) {
        let a = &mut self.assumptions;
        match action {
            Action::Transformer(preset) => {
                (self.transformer, a.transformer) = (preset, preset.value);
                self.by_hand.model = true;
            }
            Action::Gnn(preset) => (self.gnn, a.gnn) = (preset, preset.value),
            Action::Accelerator(preset) => {
                (self.accelerator, a.accelerator) = (preset, preset.value);
            }
            Action::Set(id, value) => {
                if let Some(changed) =
                    CostField::named(id).and_then(|field| field.with(a, value).ok())
                {
                    self.by_hand.model |= changed.transformer != a.transformer;
                    self.by_hand.sharded |= id == SHARDED;
                    self.by_hand.accelerators |= id == CREW;
                    self.take(changed);
                }
            }
            Action::Reset => {
                // The batch is a setting of sequences, not of the estimates.
                let batch = self.by_hand.batch;
                *self = Self::default();
                self.by_hand.batch = batch;
            }
        }
    }

    /// Takes changed assumptions. Shares of the peak that the visitor has not set follow the kind of card.
    fn take(&mut self, changed: Assumptions) {
        let before = self.usual().accelerator;
        let had = self.assumptions.accelerator;
        self.assumptions = changed;
        let (usual, now) = (self.usual().accelerator, &mut self.assumptions.accelerator);
        // Shares that were as usual before and were not changed now were set by nobody.
        if had == had.with_shares_of(&before) && *now == now.with_shares_of(&before) {
            *now = now.with_shares_of(&usual);
        }
    }

    pub fn assumptions(&self) -> &Assumptions {
        &self.assumptions
    }

    /// Returns the assumptions of the chosen presets, with the shares of the peak that are usual for the present one.
    pub fn usual(&self) -> Assumptions {
        self.usual_for(&self.assumptions.accelerator)
    }

    /// Returns the assumptions of the chosen presets, with the shares of the peak that are usual for this card.
    pub fn usual_for(&self, card: &Accelerator) -> Assumptions {
        let choice = PresetChoice {
            transformer: self.transformer,
            gnn: self.gnn,
            accelerator: self.accelerator,
        };
        let usual = choice.assumptions_for(card, self.shards);
        Assumptions {
            accelerators: self.crew,
            ..usual
        }
    }

    /// Whether the visitor has changed a number.
    pub fn is_changed(&self, field: &CostField) -> bool {
        (field.get)(&self.assumptions) != (field.get)(&self.usual())
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct PricedEstimates {
    /// One estimate for each method, the baseline first: random batches, or padded rows.
    pub estimates: Vec<Estimate>,
    /// The bill of each estimate.
    pub bills: Vec<Bill>,
    /// The memory of each estimate.
    pub memory: Vec<Memory>,
}

impl AppState {
    pub(super) fn speed_up(&mut self, action: Action) {
        let chosen = match &action {
            // Constants measured on one accelerator are not used for another.
            Action::Accelerator(preset) => {
                presets::overhead_of(preset.id)
                    .or((self.sequences.settings.overhead == Overhead::Ipu)
                        .then_some(Overhead::Free))
            }
            _ => None,
        };
        self.speedup.apply(action);
        // The measured masking of an accelerator becomes the overhead.
        if let Some(overhead) = chosen {
            self.sequences.reprice(overhead);
        }
    }

    /// Returns the work of every method on the view on screen, from the newest answer; empty without one. O(distinct +
    /// strategies).
    pub fn speedup_cases(&self) -> Vec<Case> {
        let cases = match self.view {
            View::Sequences => self.sequence_cases(),
            View::Graphs => self.graph_cases(),
            View::Batches => self.batch_cases(),
            View::Ranks | View::Learn => None,
        };
        cases.unwrap_or_default()
    }

    fn sequence_cases(&self) -> Option<Vec<Case>> {
        let (data, answer) = (
            self.sequences.data.as_ref()?,
            self.sequences.answer.as_ref()?,
        );
        // The lengths of the present data do not belong to packs of others.
        if answer.ticket.data != data.version {
            return None;
        }
        let report = &answer.report;
        let s = &report.settings;
        let fitted = data.histogram.fit_roughly(s.limit, s.overlong).ok()?;
        let packs = PackWork {
            figures: &report.figures,
            shapes: &report.strategies,
        };
        let batch = self.sequences.settings.batch;
        let mut cases = sequences(&fitted, s.limit, batch, Some(packs)).ok()?;
        // The first one is that which the others are compared with.
        let first = cases
            .iter()
            .position(|case| case.work.method == self.baseline.method())?;
        cases[..=first].rotate_right(1);
        Some(cases)
    }

    fn batch_cases(&self) -> Option<Vec<Case>> {
        let (data, row) = (self.sequences.data.as_ref()?, self.batch_row());
        // Queries one by one are no batches.
        if self.batch_settings().mode == Mode::RealTime {
            return None;
        }
        let batched = self
            .batched(row)
            .filter(|b| b.ticket.data == data.version)?;
        let s = &batched.settings;
        let fitted = data.histogram.fit_roughly(s.limit, s.overlong).ok()?;
        let chosen = self
            .epoch_figures(row)
            .map(|figures| (row.sampler, figures));
        batches(&fitted, s.limit, s.batch, chosen).ok()
    }

    fn graph_cases(&self) -> Option<Vec<Case>> {
        let (data, answer) = (self.graphs.data.as_ref()?, self.graphs.answer.as_ref()?);
        // The models are of graphs.
        if answer.ticket.data != data.version || self.graphs.words().attention.is_some() {
            return None;
        }
        let s = &answer.report.settings;
        let limits: Size<2> = s.limits.as_slice().try_into().ok()?;
        let fitted = data.histogram.fit(limits, s.overlong).ok()?.histogram;
        Some(graphs(
            &fitted,
            self.rows_of_batch(),
            Some(&answer.report.figures),
        ))
    }

    /// Returns the model trained on the view on screen.
    pub fn workload(&self) -> Workload {
        match self.view {
            View::Graphs => Workload::Gnn(self.speedup.assumptions.gnn),
            _ => Workload::Transformer(self.speedup.assumptions.transformer),
        }
    }

    /// Returns the cost of keeping packed items apart on the view on screen.
    pub fn masking(&self) -> Overhead {
        match self.view {
            View::Graphs => self.graphs.settings.overhead,
            _ => self.sequences.settings.overhead,
        }
    }

    /// Returns seconds for a pair (an edge) / seconds for a token (a node), with a mask and without. Waiting factors
    /// are relative to the mean, and depend on no other property of the rates.
    pub fn relative_rates(&self) -> [f64; 2] {
        let rates = self.rates();
        [rates.masked / rates.first, rates.second / rates.first]
    }

    /// Whether the model of the view on screen is trained, not asked.
    pub fn trains(&self) -> bool {
        self.view != View::Batches || self.batch_settings().mode == Mode::Training
    }

    /// Returns the assumptions of the view on screen: batches of inference make one pass.
    pub fn assumed(&self) -> Assumptions {
        match self.view {
            View::Batches => {
                self.batch_pricing()
                    .for_mode(self.batch_settings().mode)
                    .assumptions
            }
            // Models of graphs are small: weights are sharded only where the visitor says so, not to fit sequences.
            View::Graphs => {
                let a = self.speedup.assumptions;
                let sharded = a.training.sharded && self.speedup.by_hand.sharded;
                Assumptions {
                    training: Training {
                        sharded,
                        ..a.training
                    },
                    ..a
                }
            }
            _ => self.speedup.assumptions,
        }
    }

    pub(super) fn rates(&self) -> Rates {
        let a = self.assumed();
        Rates::new(&self.workload(), &a.accelerator, &a.training)
    }

    /// Returns the basis for pricing batches, the same as for the estimates by method.
    pub fn batch_pricing(&self) -> Pricing {
        Pricing {
            assumptions: self.speedup.assumptions,
            overhead: self.sequences.settings.overhead,
        }
    }

    /// Returns the questions about waiting. Weights are relative to that of a token, so a change that scales all of
    /// them gives the same questions.
    pub fn speedup_asked(&self, cases: &[Case]) -> WaitingQuestions {
        let a = &self.assumed();
        let [masked, second] = self.relative_rates();
        let rates = Rates {
            first: 1.0,
            second,
            masked,
            ..self.rates()
        };
        questions(
            cases,
            &rates,
            self.rows_of_batch(),
            a,
            &ACCELERATORS,
            self.sequences.settings.seed,
        )
    }

    /// Returns the newest answer about waiting, with its questions.
    fn waited(&self) -> Option<(&Rc<WaitingQuestions>, &[WaitingCurve])> {
        self.answers
            .newest()
            .find_map(|known| match (&known.query, &known.answered.outcome) {
                (Query::Waiting(asked), Ok(Answer::Waiting(curves))) => Some((asked, &curves[..])),
                _ => None,
            })
    }

    /// Whether the newest answer about waiting is about these questions.
    pub fn is_waited(&self, asked: &Rc<WaitingQuestions>) -> bool {
        self.waited()
            // Mostly it is the same list, whose questions need no comparison.
            .is_some_and(|(waited, _)| Rc::ptr_eq(waited, asked) || waited == asked)
    }

    /// Returns the newest answer about waiting, perhaps under other assumptions.
    pub fn curves(&self) -> &[WaitingCurve] {
        self.waited().map_or(&[], |(_, curves)| curves)
    }

    /// Prices the work at a number of accelerators. O(cases): nothing is packed, nothing simulated.
    pub fn priced(&self, cases: &[Case], accelerators: u32) -> PricedEstimates {
        let a = Assumptions {
            accelerators,
            ..self.assumed()
        };
        let workload = self.workload();
        let estimates = estimate(cases, self.curves(), &workload, self.masking(), &a);
        PricedEstimates {
            bills: estimates
                .iter()
                .map(|estimate| Bill::new(estimate, &a))
                .collect(),
            memory: cases
                .iter()
                .map(|case| Memory::new(&workload, &a, case.work.largest))
                .collect(),
            estimates,
        }
    }

    /// Returns the optimiser's regimes before and after packing; `None` where the view has no packs.
    pub fn regimes(&self) -> Option<Regimes> {
        let figures = match self.view {
            View::Sequences => &self.sequences.answer.as_ref()?.report.figures,
            View::Graphs => &self.graphs.answer.as_ref()?.report.figures,
            View::Batches | View::Ranks | View::Learn => return None,
        };
        Some(Regimes::from_figures(
            figures,
            self.rows_of_batch(),
            &self.speedup.assumptions,
        ))
    }
}
