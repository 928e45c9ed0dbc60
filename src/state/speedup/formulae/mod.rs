//! How an estimate is computed: its formulae with the present numbers put in, step by step, for people to follow.
//!
//! They are the arithmetic of [`Rates`](crate::cost::Rates) and [`estimates`](crate::cost::estimates) told again; tests
//! hold both against each other.

mod epoch;
mod expression;
mod rates;

pub use expression::{Expression, Kind, Operator};

use super::findings::name_of;
use crate::api::speedup::{Case, Curve};
use crate::cost::{Assumptions, Overhead, Wait, Work, Workload};
use crate::state::{AppState, View};
use crate::words::significant;

/// A step: what it gives, how, and with which numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// What it gives.
    pub name: String,
    /// How, in words.
    pub formula: String,
    /// The same with the present numbers.
    pub numbers: String,
    /// What comes out, as it is written.
    pub result: String,
    /// What comes out, exactly.
    pub value: f64,
    /// What is to be said beside it.
    pub note: Option<String>,
}

/// Steps that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// What they are about.
    pub title: String,
    /// The steps, each from those before.
    pub lines: Vec<Line>,
}

/// What the model leaves out.
pub const LEFT_OUT: [&str; 7] = [
    "Communication between accelerators is not in the model: adding up gradients and gathering shared weights takes time at every update, and a method with fewer updates saves some of it.",
    "Only products of matrices count as operations. Norms, softmax, activation functions and look-ups of embeddings are in the share of the peak that is reached.",
    "The share of the peak that is reached does not depend on the length of rows or on how many a batch has; small batches reach less.",
    "Loading data takes no time beside the overhead of a step.",
    "Accelerators draw their work independently of each other (of sorted batches those of a step are neighbours), and all of them wait at every step for the slowest, also where batches are accumulated.",
    "A last step with batches for some of the accelerators only counts as its share of a step.",
    "All accelerators are alike, and none fails.",
];

/// What the components are called.
#[derive(Debug, Clone, PartialEq)]
pub struct Nouns {
    /// One of the first component, and one of the second: "token", "pair".
    pub one: [String; 2],
    /// Many of them: "tokens", "pairs within sequences".
    pub useful: [String; 2],
    /// Those that carry nothing.
    pub padding: [String; 2],
    /// All that are computed.
    pub slots: [String; 2],
    /// A sequence, or a graph.
    pub item: &'static str,
}

impl Nouns {
    /// Tokens, and pairs of tokens.
    pub fn sequences() -> Self {
        Self {
            one: ["token", "pair"].map(str::to_owned),
            useful: ["real tokens", "pairs within sequences"].map(str::to_owned),
            padding: ["empty slots", "pairs with padding"].map(str::to_owned),
            slots: ["all slots", "all pairs"].map(str::to_owned),
            item: "sequence",
        }
    }

    fn of(state: &AppState) -> Self {
        if state.view != View::Graphs {
            return Self::sequences();
        }
        let words = state.graphs.words();
        Self {
            one: [0, 1].map(|k| words.one(k).to_owned()),
            useful: words.components.clone(),
            padding: [0, 1].map(|k| format!("empty {} slots", words.one(k))),
            slots: [0, 1].map(|k| format!("all {} slots", words.one(k))),
            item: words.item,
        }
    }
}

/// What the formulae of a method are about.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// What is trained.
    pub workload: &'a Workload,
    /// What the estimate rests on.
    pub assumptions: &'a Assumptions,
    /// What keeping packed items apart costs.
    pub overhead: Overhead,
    /// What the components are called.
    pub nouns: &'a Nouns,
}

/// A method's work, how long accelerators wait for each other, and how that was found.
pub type Of<'a> = (&'a Work, Wait, Option<String>);

/// The formulae of padded rows and of another method: what a unit costs, both epochs, and how they compare.
pub fn parts(input: &Input, methods: [Of; 2]) -> Vec<Part> {
    let mut sheet = Sheet::default();
    let costs = rates::of(input, &mut sheet);
    let mut parts = vec![Part { title: "What a unit costs".to_owned(), lines: sheet.taken() }];
    let view = match input.workload {
        Workload::Gnn(_) => View::Graphs,
        Workload::Transformer(_) => View::Sequences,
    };
    let [padded, chosen] = methods.map(|(work, wait, note)| {
        let total = epoch::of(input, &costs, work, (wait, note), &mut sheet);
        parts.push(Part { title: format!("{}: an epoch", name_of(work.method, view)), lines: sheet.taken() });
        total.value()
    });
    let [padded, chosen] = [("seconds, padded", padded), ("seconds, this method", chosen)]
        .map(|(name, seconds)| Expression::known(name, seconds, Kind::Seconds));
    sheet.line("estimated speed-up", Kind::Factor, padded / chosen);
    parts.push(Part { title: "Speed-up".to_owned(), lines: sheet.taken() });
    parts
}

/// Collects steps.
#[derive(Default)]
struct Sheet {
    lines: Vec<Line>,
}

impl Sheet {
    /// A step; what it gives is used by its name from then on.
    fn line(&mut self, name: impl Into<String>, kind: Kind, expression: Expression) -> Expression {
        let (name, value) = (name.into(), expression.value());
        self.lines.push(Line {
            name: name.clone(),
            formula: expression.formula(),
            numbers: expression.numbers(),
            result: kind.written(value),
            value,
            note: None,
        });
        Expression::known(name, value, kind)
    }

    /// Something to be said beside the last step.
    fn note(&mut self, note: Option<String>) {
        if let Some(last) = self.lines.last_mut() {
            last.note = note;
        }
    }

    fn taken(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.lines)
    }
}

impl AppState {
    /// The formulae of padded rows and of the chosen method on the view that is shown.
    pub fn formulae(&self, cases: &[Case]) -> Option<Vec<Part>> {
        let (workload, nouns) = (self.workload(), Nouns::of(self));
        let input = Input {
            workload: &workload,
            assumptions: self.speedup.assumptions(),
            overhead: self.masking(),
            nouns: &nouns,
        };
        let told = |case: &'_ Case| {
            let curve = self.curves().iter().find(|curve| curve.method == case.work.method);
            let wait = curve.map_or(Wait::NONE, |curve| curve.at(epoch::crew(input.assumptions, &case.work)));
            (wait, found(case, curve, wait))
        };
        let methods = [cases.first()?, self.speedup_case(cases)?].map(|case| {
            let (wait, how) = told(case);
            (&case.work, wait, Some(how))
        });
        Some(parts(&input, methods))
    }
}

/// How the waiting factor was found.
fn found(case: &Case, curve: Option<&Curve>, wait: Wait) -> String {
    match (&case.population, curve) {
        (None, _) => "All batches have the same shape: nobody waits.".to_owned(),
        (_, None) => "Not known yet: a worker is at it.".to_owned(),
        _ if wait.error > 0.0 => {
            let error = significant(wait.error, 2);
            format!("The waiting factor is simulated, from a seed; its standard error is {error}.")
        }
        _ if wait.factor == 1.0 => "One accelerator waits for nobody.".to_owned(),
        _ => "The waiting factor is exact: the mean of the slowest, from the distribution.".to_owned(),
    }
}
