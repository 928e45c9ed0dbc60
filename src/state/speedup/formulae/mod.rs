//! The computation of an estimate: its formulae with the present numbers, step by step, for people to follow.
//!
//! The code of [`Rates`] and [`EpochTime`] computes them with [`Expression`] in place of `f64`: values equal those of the
//! estimates to the last bit.

mod expression;
mod notes;

pub use expression::{Expression, written};
pub use packscope::cost::arithmetic::QuantityKind;

use super::findings::name_of;
use crate::state::{AppState, View};
use packscope::api::speedup::{Case, WaitingCurve};
use packscope::cost::arithmetic::{Arithmetic, Name, Noun};
use packscope::cost::{Assumptions, EpochTime, Overhead, Rates, Wait, Work, Workload};
use std::cell::RefCell;

#[derive(Debug, Clone, PartialEq)]
pub struct FormulaLine {
    /// The name of its result.
    pub name: String,
    /// The formula in words.
    pub formula: String,
    /// The formula with the present numbers.
    pub numbers: String,
    /// The result, formatted.
    pub result: String,
    /// The exact result.
    pub value: f64,
    pub note: Option<String>,
}

/// Steps that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct FormulaPart {
    pub title: String,
    /// The steps, each computed from those before.
    pub lines: Vec<FormulaLine>,
}

pub const LEFT_OUT: [&str; 7] = [
    "Communication counts where weights are shared out, as bytes that every batch moves; adding up gradients of weights that every accelerator has is left out.",
    "Only products of matrices count as operations. Norms, activation functions and residuals count as bytes; look-ups of embeddings are left out.",
    "Small batches reach less of the peak, for a batch moves every weight however few tokens it has; how well products of a shape suit an accelerator is left out.",
    "Loading data takes no time beside the overhead of a step.",
    "Accelerators draw their work independently of each other (of sorted batches those of a step are neighbours), and all of them wait at every step for the slowest, also where batches are accumulated.",
    "A last step with batches for some of the accelerators only counts as its share of a step.",
    "All accelerators are alike, and none fails.",
];

/// The nouns for components and items.
#[derive(Debug, Clone, PartialEq)]
pub struct Nouns {
    /// The singular of each component: "token", "pair".
    pub one: [String; 2],
    /// The plural of each component: "tokens", "pairs within sequences".
    pub useful: [String; 2],
    /// The empty slots of each component.
    pub padding: [String; 2],
    /// All computed slots of each component.
    pub slots: [String; 2],
    /// A sequence, or a graph.
    pub item: &'static str,
}

impl Nouns {
    /// Returns the nouns for tokens, and pairs of tokens.
    pub fn sequences() -> Self {
        Self {
            one: ["token", "pair"].map(str::to_owned),
            useful: ["real tokens", "pairs within sequences"].map(str::to_owned),
            padding: ["empty slots", "pairs with padding"].map(str::to_owned),
            slots: ["all slots", "all pairs"].map(str::to_owned),
            item: "sequence",
        }
    }

    fn name(&self, Name(words, noun): Name) -> String {
        let noun = match noun {
            None => "",
            Some(Noun::One(k)) => &self.one[k],
            Some(Noun::Useful(k)) => &self.useful[k],
            Some(Noun::Padding(k)) => &self.padding[k],
            Some(Noun::Slots(k)) => &self.slots[k],
        };
        let space = if words.is_empty() || noun.is_empty() {
            ""
        } else {
            " "
        };
        format!("{words}{space}{noun}")
    }

    fn for_view(state: &AppState) -> Self {
        if state.view != View::Graphs {
            return Self::sequences();
        }
        let words = state.graphs.words();
        Self {
            one: [0, 1].map(|k| words.singular(k).to_owned()),
            useful: words.components.clone(),
            padding: [0, 1].map(|k| format!("empty {} slots", words.singular(k))),
            slots: [0, 1].map(|k| format!("all {} slots", words.singular(k))),
            item: words.item,
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The model that is trained.
    pub workload: &'a Workload,
    pub assumptions: &'a Assumptions,
    /// The cost of keeping packed items apart.
    pub overhead: Overhead,
    pub nouns: &'a Nouns,
}

/// A method's work, its waiting factor, and a remark on the source of that factor.
pub type FormulaSubject<'a> = (&'a Work, Wait, Option<String>);

/// Returns the formulae of two methods, the one compared with first: seconds per unit, both epochs, and the speed-up.
pub fn parts(input: &Input, methods: [FormulaSubject; 2]) -> Vec<FormulaPart> {
    let (assumptions, sheet) = (input.assumptions, Sheet::new(input.nouns));
    let rates = Rates::with(
        &sheet,
        input.workload,
        &assumptions.accelerator,
        &assumptions.training,
    );
    let lines = sheet.take_steps(|name| notes::of_rates(input.workload, name));
    let mut parts = vec![FormulaPart {
        title: "What a unit costs".to_owned(),
        lines,
    }];
    // Only the names of methods differ, which are for graphs or for all others.
    let view = match input.workload {
        Workload::Gnn(_) => View::Graphs,
        Workload::Transformer(_) => View::Sequences,
    };
    let [before, chosen] = methods.map(|(work, wait, found)| {
        let spent = EpochTime::new(&sheet, (work, wait), &rates, input.overhead, assumptions);
        let mut lines = sheet.take_steps(|name| notes::of_epoch(input, work, found.as_ref(), name));
        // The step before the total is "steps and updates", or "updates" if steps cost nothing.
        if let Some(steps) = lines.iter_mut().nth_back(1) {
            steps.note = Some(notes::LAST_STEP.to_owned());
        }
        let run = if assumptions.training.trains() {
            "an epoch"
        } else {
            "a pass over the data"
        };
        parts.push(FormulaPart {
            title: format!("{}: {run}", name_of(work.method, view)),
            lines,
        });
        spent.seconds.value()
    });
    let [before, chosen] = [
        ("seconds, before", before),
        ("seconds, this method", chosen),
    ]
    .map(|(name, seconds)| sheet.given(name, seconds, QuantityKind::Seconds));
    sheet.step("estimated speed-up", QuantityKind::Factor, before / chosen);
    parts.push(FormulaPart {
        title: "Speed-up".to_owned(),
        lines: sheet.take_steps(|_| None),
    });
    parts
}

/// Arithmetic with expressions that collects the steps.
struct Sheet<'a> {
    nouns: &'a Nouns,
    // The methods of `Arithmetic` take `&self`, so that steps are collected in a cell.
    lines: RefCell<Vec<FormulaLine>>,
}

impl<'a> Sheet<'a> {
    fn new(nouns: &'a Nouns) -> Self {
        Self {
            nouns,
            lines: RefCell::default(),
        }
    }

    /// Takes the steps collected so far; `note` gives the remark for a step by its name.
    fn take_steps(&self, note: impl Fn(&str) -> Option<String>) -> Vec<FormulaLine> {
        let mut lines = self.lines.take();
        lines
            .iter_mut()
            .for_each(|line| line.note = note(&line.name));
        lines
    }
}

impl Arithmetic for Sheet<'_> {
    type Number = Expression;

    fn given(&self, name: impl Into<Name>, value: f64, kind: QuantityKind) -> Expression {
        Expression::quantity(self.nouns.name(name.into()), value, kind)
    }

    fn step(&self, name: impl Into<Name>, kind: QuantityKind, result: Expression) -> Expression {
        let (name, value) = (self.nouns.name(name.into()), result.value());
        self.lines.borrow_mut().push(FormulaLine {
            name: name.clone(),
            formula: result.formula(),
            numbers: result.numbers(),
            result: written(kind, value),
            value,
            note: None,
        });
        Expression::quantity(name, value, kind)
    }

    fn part(&self, name: impl Into<Name>, kind: QuantityKind, result: Expression) -> Expression {
        // What costs nothing has no step, and `Number::plus` leaves it out of sums.
        if result.value() == 0.0 {
            Expression::constant(0.0)
        } else {
            self.step(name, kind, result)
        }
    }
}

impl AppState {
    /// Returns the formulae of the method compared with and of the view's method.
    pub fn formulae(&self, cases: &[Case]) -> Option<Vec<FormulaPart>> {
        let (workload, nouns) = (self.workload(), Nouns::for_view(self));
        let assumptions = &self.assumed();
        let input = Input {
            workload: &workload,
            assumptions,
            overhead: self.masking(),
            nouns: &nouns,
        };
        let methods = [cases.first()?, self.speedup_case(cases)?].map(|case| {
            let curve = self
                .curves()
                .iter()
                .find(|curve| curve.method == case.work.method);
            // An epoch may have too few batches for all of the accelerators.
            let crew = case.work.crew(assumptions.accelerators);
            let wait = curve.map_or(Wait::NONE, |curve: &WaitingCurve| curve.wait_at(crew));
            (&case.work, wait, Some(notes::of_waiting(case, curve, wait)))
        });
        Some(parts(&input, methods))
    }
}
