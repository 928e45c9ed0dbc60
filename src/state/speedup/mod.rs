//! Speed-up, on every view: what an epoch takes on accelerators, by method. Nothing here packs.

pub mod findings;
pub mod formulae;
pub(super) mod hash;
pub mod words;

use super::{AppState, Ticket, View};
use crate::api::speedup::{Case, Curve, Packs, batches, estimate, graphs, questions, sequences};
use crate::cost::presets::{self, Preset};
use crate::cost::waiting::{ACCELERATORS, Question};
use crate::cost::{
    Accelerator, Assumptions, Bill, Estimate, Field, Gnn, Memory, Method, Overhead, Rates, Regimes, StepCost,
    Transformer, Workload,
};
use crate::histogram::Size;
use std::rc::Rc;

/// Questions about waiting, by method: equal questions have equal answers.
pub type Asked = Vec<(Method, Question)>;

/// What a worker has said about waiting.
#[derive(Debug, Clone, PartialEq)]
pub struct Waited {
    /// The question it answers.
    pub ticket: Ticket,
    /// What was asked.
    pub asked: Rc<Asked>,
    /// The answer, by method.
    pub curves: Vec<Curve>,
}

/// What the estimates rest on, and what is known about waiting.
#[derive(Debug, Clone, PartialEq)]
pub struct SpeedUpState {
    /// The model for sequences that was chosen last; its numbers may have been changed since.
    pub transformer: &'static Preset<Transformer>,
    /// The same for graphs.
    pub gnn: &'static Preset<Gnn>,
    /// The accelerator that was chosen last.
    pub accelerator: &'static Preset<Accelerator>,
    /// What the estimates rest on.
    assumptions: Assumptions,
    /// The newest answer about waiting.
    waited: Option<Rc<Waited>>,
}

impl Default for SpeedUpState {
    fn default() -> Self {
        let assumptions = Assumptions::default();
        let (transformer, gnn) = (&presets::TRANSFORMERS[0], &presets::GNNS[0]);
        Self {
            transformer: presets::of(presets::TRANSFORMERS, &assumptions.transformer).unwrap_or(transformer),
            gnn: presets::of(presets::GNNS, &assumptions.gnn).unwrap_or(gnn),
            accelerator: presets::of(presets::ACCELERATORS, &assumptions.accelerator)
                .unwrap_or(&presets::ACCELERATORS[0]),
            assumptions,
            waited: None,
        }
    }
}

/// What can happen to them. None of it packs.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Another model for sequences.
    Transformer(&'static Preset<Transformer>),
    /// Another model for graphs.
    Gnn(&'static Preset<Gnn>),
    /// Another accelerator.
    Accelerator(&'static Preset<Accelerator>),
    /// Another value of the field of this name. Refused when it makes no sense.
    Set(&'static str, f64),
    /// Everything as it was at first.
    Reset,
    /// A worker has said how long accelerators wait.
    Waited(Rc<Waited>),
}

impl SpeedUpState {
    fn apply(&mut self, action: Action) {
        let a = &mut self.assumptions;
        match action {
            Action::Transformer(preset) => {
                (self.transformer, a.transformer) = (preset, preset.value);
            }
            Action::Gnn(preset) => (self.gnn, a.gnn) = (preset, preset.value),
            Action::Accelerator(preset) => {
                (self.accelerator, a.accelerator) = (preset, preset.value);
            }
            Action::Set(id, value) => {
                if let Some(changed) = Field::named(id).and_then(|field| field.with(a, value).ok()) {
                    *a = changed;
                }
            }
            Action::Reset => *self = Self { waited: self.waited.take(), ..Self::default() },
            Action::Waited(waited) => self.waited = Some(waited),
        }
    }

    /// What the estimates rest on.
    pub fn assumptions(&self) -> &Assumptions {
        &self.assumptions
    }

    /// The assumptions as the chosen presets have them.
    pub fn usual(&self) -> Assumptions {
        Assumptions {
            transformer: self.transformer.value,
            gnn: self.gnn.value,
            accelerator: self.accelerator.value,
            ..Assumptions::default()
        }
    }

    /// Whether the visitor has changed a number.
    pub fn is_changed(&self, field: &Field) -> bool {
        (field.get)(&self.assumptions) != (field.get)(&self.usual())
    }
}

/// Everything Speed-up shows on a view, priced.
#[derive(Debug, Clone, PartialEq)]
pub struct Priced {
    /// One for each method, padded first.
    pub estimates: Vec<Estimate>,
    /// The bill of each.
    pub bills: Vec<Bill>,
    /// Memory of each.
    pub memory: Vec<Memory>,
}

impl AppState {
    pub(super) fn speed_up(&mut self, action: Action) {
        let chosen = match &action {
            Action::Accelerator(preset) => presets::overhead_of(preset.id),
            _ => None,
        };
        self.speedup.apply(action);
        self.price_batches();
        // An accelerator whose masking was measured brings that measurement with it.
        if let Some(overhead) = chosen {
            self.sequences.reprice(overhead);
        }
    }

    /// The work of every method on the view that is shown, from the newest answer; nothing before there is one.
    /// O(distinct + strategies).
    pub fn speedup_cases(&self) -> Vec<Case> {
        let cases = match self.view {
            View::Sequences => self.sequence_cases(),
            View::Graphs => self.graph_cases(),
            View::Batches => self.batch_cases(),
            View::Learn => None,
        };
        cases.unwrap_or_default()
    }

    fn sequence_cases(&self) -> Option<Vec<Case>> {
        let (data, answer) = (self.sequences.data.as_ref()?, self.sequences.answer.as_ref()?);
        if answer.ticket.data != data.version {
            return None;
        }
        let report = &answer.report;
        let s = &report.settings;
        let fitted = data.histogram.fit([s.limit], s.overlong).ok()?.histogram;
        let packs = Packs { figures: &report.figures, shapes: &report.strategies };
        sequences(&fitted, s.limit, self.sequences.settings.batch, Some(packs)).ok()
    }

    fn batch_cases(&self) -> Option<Vec<Case>> {
        let (data, row) = (self.sequences.data.as_ref()?, self.batch_row());
        let batched = self.batched(row).filter(|b| b.ticket.data == data.version)?;
        let s = &batched.settings;
        let fitted = data.histogram.fit([s.limit], s.overlong).ok()?.histogram;
        let chosen = self.epoch_figures(row).map(|figures| (row.sampler, figures));
        batches(&fitted, s.limit, s.batch, chosen).ok()
    }

    fn graph_cases(&self) -> Option<Vec<Case>> {
        let (data, answer) = (self.graphs.data.as_ref()?, self.graphs.answer.as_ref()?);
        if answer.ticket.data != data.version {
            return None;
        }
        let s = &answer.report.settings;
        let limits: Size<2> = s.limits.as_slice().try_into().ok()?;
        let fitted = data.histogram.fit(limits, s.overlong).ok()?.histogram;
        Some(graphs(&fitted, self.sequences.settings.batch, Some(&answer.report.figures)))
    }

    /// What is trained on the view that is shown.
    pub fn workload(&self) -> Workload {
        match self.view {
            View::Graphs => Workload::Gnn(self.speedup.assumptions.gnn),
            _ => Workload::Transformer(self.speedup.assumptions.transformer),
        }
    }

    /// What keeping packed items apart costs on the view that is shown.
    pub fn masking(&self) -> Overhead {
        match self.view {
            View::Graphs => self.graphs.settings.overhead,
            _ => self.sequences.settings.overhead,
        }
    }

    /// Seconds for a pair (an edge) / seconds for a token (a node), with a mask and without: all that waiting, which is
    /// told in relation to its mean, depends on.
    pub fn relative_rates(&self) -> [f64; 2] {
        let rates = self.rates();
        [rates.masked / rates.first, rates.second / rates.first]
    }

    fn rates(&self) -> Rates {
        let a = &self.speedup.assumptions;
        Rates::new(&self.workload(), &a.accelerator, &a.training)
    }

    /// What a step costs beside the slots of its batch, for the samplers of the view of batches.
    pub fn step_cost(&self) -> StepCost {
        let a = &self.speedup.assumptions;
        StepCost::of(&Rates::new(&Workload::Transformer(a.transformer), &a.accelerator, &a.training))
    }

    /// What a worker is to be asked about waiting. Weights are relative to a token's: what changes all alike asks nothing
    /// new.
    pub fn speedup_asked(&self, cases: &[Case]) -> Asked {
        let a = &self.speedup.assumptions;
        let [masked, second] = self.relative_rates();
        let rates = Rates { first: 1.0, second, masked, ..self.rates() };
        questions(
            cases,
            &rates,
            self.sequences.settings.batch,
            a,
            &ACCELERATORS,
            self.sequences.settings.seed,
        )
    }

    /// Whether what is known about waiting answers this.
    pub fn is_waited(&self, asked: &Rc<Asked>) -> bool {
        self.speedup.waited.as_ref().is_some_and(|w| Rc::ptr_eq(&w.asked, asked) || w.asked == *asked)
    }

    /// What is known about waiting, perhaps about other assumptions.
    pub fn curves(&self) -> &[Curve] {
        self.speedup.waited.as_ref().map_or(&[], |waited| &waited.curves)
    }

    /// Prices the work at so many accelerators. O(cases): nothing is packed, nothing simulated.
    pub fn priced(&self, cases: &[Case], accelerators: u32) -> Priced {
        let a = Assumptions { accelerators, ..self.speedup.assumptions };
        let workload = self.workload();
        let estimates = estimate(cases, self.curves(), &workload, self.masking(), &a);
        Priced {
            bills: estimates.iter().map(|estimate| Bill::new(estimate, &a)).collect(),
            memory: cases.iter().map(|case| Memory::new(&workload, &a, case.work.largest)).collect(),
            estimates,
        }
    }

    /// What packing changes for the optimiser; `None` where the view has no packs.
    pub fn regimes(&self) -> Option<Regimes> {
        let figures = match self.view {
            View::Sequences => &self.sequences.answer.as_ref()?.report.figures,
            View::Graphs => &self.graphs.answer.as_ref()?.report.figures,
            View::Batches | View::Learn => return None,
        };
        Some(Regimes::of(figures, self.sequences.settings.batch, &self.speedup.assumptions))
    }
}
