//! What a unit of work costs: [`Rates`](crate::cost::Rates), told step by step.

use super::{Expression, Input, Kind, Sheet};
use crate::cost::{Gnn, Transformer, Workload};

/// Seconds for each unit.
pub(super) struct Costs {
    /// For a token, or a node.
    pub first: Expression,
    /// For a pair in a kernel that knows where sequences end; for an edge.
    pub second: Expression,
    /// For a pair under a mask.
    pub masked: Expression,
    /// For a step.
    pub step: Expression,
    /// For an update.
    pub update: Expression,
    /// For a pack.
    pub pack: Expression,
}

fn count(name: &str, value: f64) -> Expression {
    Expression::known(name, value, Kind::Count)
}

fn number(value: f64) -> Expression {
    Expression::constant(value)
}

pub(super) fn of(input: &Input, sheet: &mut Sheet) -> Costs {
    let a = input.assumptions;
    let [first, second, masked] = match input.workload {
        Workload::Transformer(model) => transformer(input, model, sheet),
        Workload::Gnn(model) => gnn(input, model, sheet),
    };
    let bytes = Expression::known("bytes an update moves", a.training.update_bytes, Kind::Number);
    let parameters = parameters(input, sheet);
    let update = sheet.line("seconds for an update", Kind::Seconds, parameters * bytes / bandwidth(input));
    Costs {
        first,
        second,
        masked,
        step: Expression::known("overhead of a step", a.accelerator.step_seconds, Kind::Seconds),
        update,
        pack: Expression::known("overhead of a pack", a.training.pack_seconds, Kind::Seconds),
    }
}

fn passes(input: &Input) -> Expression {
    Expression::known("passes", input.assumptions.training.passes, Kind::Number)
}

fn bandwidth(input: &Input) -> Expression {
    Expression::known("memory bandwidth", input.assumptions.accelerator.bandwidth, Kind::Bandwidth)
}

/// Operations per second that are reached.
fn reached(input: &Input, what: &str, share: f64) -> Expression {
    let peak = Expression::known("peak", input.assumptions.accelerator.peak, Kind::Rate);
    peak * Expression::known(format!("share that {what}"), share, Kind::Share)
}

fn parameters(input: &Input, sheet: &mut Sheet) -> Expression {
    let expression = match input.workload {
        Workload::Transformer(m) => {
            let table = count("vocabulary", m.vocabulary) * count("width", m.width);
            let tables = if m.tied { table } else { number(2.0) * table };
            count("weights", m.weights()) + tables
        }
        Workload::Gnn(m) => {
            let products =
                count("products for a node", m.node_products) + count("for an edge", m.edge_products);
            count("layers", m.layers) * products * count("width", m.width) * count("width", m.width)
        }
    };
    let parameters = sheet.line("parameters", Kind::Count, expression);
    let apart = matches!(input.workload, Workload::Transformer(m) if !m.tied);
    sheet.note(apart.then(|| "The vocabulary has one table for input and one for output.".to_owned()));
    parameters
}

fn transformer(input: &Input, m: &Transformer, sheet: &mut Sheet) -> [Expression; 3] {
    let (layers, width, inside) = (|| count("layers", m.layers), || count("width", m.width), m.feed_forward);
    let attention = number(2.0) * width() * (width() + count("key width", m.key_width));
    let feed_forward = count("matrices", m.matrices) * width() * count("feed-forward width", inside);
    let weights = sheet.line("weights", Kind::Count, layers() * (attention + feed_forward));
    sheet.note(Some("Those that multiply every token.".to_owned()));
    let predicted = Expression::known("predicted", m.predicted, Kind::Share);
    let output = predicted * count("vocabulary", m.vocabulary) * width();
    let token = sheet.line("operations for a token", Kind::Operations, number(2.0) * (weights + output));
    let pair = number(4.0) * width() * layers();
    let pair = if m.causal { pair / number(2.0) } else { pair };
    let pair = sheet.line("operations for a pair", Kind::Operations, pair);
    let causal = "Causal: a token looks only at those before it, half of the pairs.".to_owned();
    sheet.note(m.causal.then_some(causal));
    let a = &input.assumptions.accelerator;
    let mut seconds = |name, operations: &Expression, what, share| {
        let cost = passes(input) * operations.clone() / reached(input, what, share);
        sheet.line(name, Kind::Seconds, cost)
    };
    [
        seconds("seconds for a token", &token, "matrix products reach", a.utilisation),
        seconds("seconds for a pair", &pair, "attention reaches", a.attention_utilisation),
        seconds("seconds for a pair under a mask", &pair, "masked attention reaches", a.masked_utilisation),
    ]
}

/// Features moved for a node (read, written) and for an edge (two gathered, their sum scattered), as in
/// [`Gnn::moved_bytes`].
const MOVED: [f64; 2] = [2.0, 3.0];

fn gnn(input: &Input, m: &Gnn, sheet: &mut Sheet) -> [Expression; 3] {
    let (layers, width) = (|| count("layers", m.layers), || count("width", m.width));
    let products = [m.node_products, m.edge_products];
    let [first, second] = [0, 1].map(|k| {
        let one = &input.nouns.one[k];
        let often = count("products", products[k]);
        let operations = often * number(2.0) * width() * width() * layers();
        let operations = sheet.line(format!("operations for one {one}"), Kind::Operations, operations);
        let feature = Expression::known("bytes of a feature", m.feature_bytes, Kind::Number);
        let bytes = number(MOVED[k]) * width() * feature * layers();
        let bytes = sheet.line(format!("bytes moved for one {one}"), Kind::Bytes, bytes);
        let reached = reached(input, "matrix products reach", input.assumptions.accelerator.utilisation);
        let cost = passes(input) * (operations / reached + bytes / bandwidth(input));
        sheet.line(format!("seconds for one {one}"), Kind::Seconds, cost)
    });
    [first, second.clone(), second]
}
