//! Seconds for each token and pair, node and edge, pack, batch and update.

use super::arithmetic::{Arithmetic, Name, Noun, Number, PlainNumber, QuantityKind};
use super::{Accelerator, Gnn, Training, Transformer, Workload};

/// Seconds for a unit of work on one accelerator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates<N = f64> {
    /// Seconds for a token, or a node.
    pub first: N,
    /// Seconds for a pair of tokens, or an edge, in a kernel that skips pairs across sequences.
    pub second: N,
    /// Seconds for a pair of tokens under a mask; the same as [`second`](Self::second) for graphs.
    pub masked: N,
    /// Fixed seconds of a pack.
    pub pack: N,
    /// Fixed seconds of a batch: the host, starting the kernels of every layer, and traffic for every weight regardless
    /// of the number of tokens. This is why small batches reach less of the peak: tokens / (tokens + step / first).
    pub step: N,
    /// Seconds for an update of all weights: the optimiser's traffic to and from memory.
    pub update: N,
    /// Parameters of the model.
    pub parameters: N,
}

impl Rates {
    /// Returns operations / (peak · share reached) + bytes / bandwidth, times the passes of a training step.
    pub fn new(workload: &Workload, accelerator: &Accelerator, training: &Training) -> Self {
        Self::with(&PlainNumber, workload, accelerator, training)
    }
}

/// Operations and bytes as seconds on one accelerator.
struct Seconds<'a, A> {
    a: &'a A,
    accelerator: &'a Accelerator,
    training: &'a Training,
}

/// Seconds for a unit of the first and of the second component, and of the second under a mask; parameters; seconds to
/// start the layers of a batch.
type OfModel<N> = ([N; 3], N, N);

impl<N: Number, A: Arithmetic<Number = N>> Seconds<'_, A> {
    fn passes(&self) -> N {
        self.a
            .given("passes", self.training.passes_made(), QuantityKind::Number)
    }

    /// Returns the time in which bytes are moved.
    fn moved(&self, bytes: N) -> N {
        let bandwidth = self.accelerator.bandwidth;
        bytes
            / self
                .a
                .given("memory bandwidth", bandwidth, QuantityKind::Bandwidth)
    }

    /// Returns the time of operations that reach a named share of the peak.
    fn at_share(&self, operations: N, (name, share): (&'static str, f64)) -> N {
        let peak = self
            .a
            .given("peak", self.accelerator.peak, QuantityKind::Rate);
        operations / (peak * self.a.given(name, share, QuantityKind::Share))
    }

    fn products(&self) -> (&'static str, f64) {
        (
            "share that matrix products reach",
            self.accelerator.utilisation,
        )
    }

    fn of_transformer(&self, model: &Transformer) -> OfModel<N> {
        let a = self.a;
        let weights = model.weights(a);
        let token = model.token_operations(a, weights.clone());
        let pair = model.pair_operations(a);
        let kernel = (
            "share that attention reaches",
            self.accelerator.attention_utilisation,
        );
        let mask = (
            "share that masked attention reaches",
            self.accelerator.masked_utilisation,
        );
        let seconds = |name: &'static str, operations: N, reached| {
            a.step(
                name,
                QuantityKind::Seconds,
                self.at_share(self.passes() * operations, reached),
            )
        };
        let bytes = model.token_bytes(a, self.training.traffic_bytes);
        // Matrix products take the time of the peak, all else that of the bandwidth.
        let first = self
            .at_share(self.passes() * token, self.products())
            .plus(self.passes() * self.moved(bytes));
        let first = a.step("seconds for a token", QuantityKind::Seconds, first);
        let second = seconds("seconds for a pair", pair.clone(), kernel);
        let masked = seconds("seconds for a pair under a mask", pair, mask);
        let layers = a.count("layers", model.layers) * self.passes();
        let start = a.given(
            "start of a layer",
            self.accelerator.layer_seconds,
            QuantityKind::Seconds,
        );
        (
            [first, second, masked],
            model.parameters_of(a, weights),
            layers * start,
        )
    }

    fn of_gnn(&self, model: &Gnn) -> OfModel<N> {
        let a = self.a;
        let [first, second] = [0, 1].map(|k| {
            let (operations, bytes) = (model.operations(a, k), model.moved_bytes(a, k));
            let computing = self.at_share(self.passes() * operations.clone(), self.products());
            let seconds = computing + self.passes() * self.moved(bytes.clone());
            let formula =
                || self.passes() * (self.at_share(operations, self.products()) + self.moved(bytes));
            let name = Name("seconds for one", Some(Noun::One(k)));
            a.step(name, QuantityKind::Seconds, seconds.written_as(formula))
        });
        (
            // Graphs need no mask: no edge leads from one to another.
            [first, second.clone(), second],
            model.parameters_of(a),
            a.constant(0.0),
        )
    }
}

impl<N: Number> Rates<N> {
    /// Returns the same in any arithmetic.
    pub fn with(
        a: &impl Arithmetic<Number = N>,
        workload: &Workload,
        accelerator: &Accelerator,
        training: &Training,
    ) -> Self {
        let seconds = Seconds {
            a,
            accelerator,
            training,
        };
        let ([first, second, masked], parameters, layers) = match workload {
            Workload::Transformer(model) => seconds.of_transformer(model),
            Workload::Gnn(model) => seconds.of_gnn(model),
        };
        let weights = || {
            a.given(
                "bytes of a weight in a pass",
                training.pass_bytes(),
                QuantityKind::Number,
            )
        };
        // Each pass reads the weights; gathering and unpacking them counts once for a batch.
        let batch = seconds.passes() * weights();
        let besides = a.given(
            "bytes of a weight besides",
            training.batch_bytes(),
            QuantityKind::Number,
        );
        let step = a.given(
            "overhead of a step",
            accelerator.step_seconds,
            QuantityKind::Seconds,
        );
        let step = step
            .plus(layers)
            .plus(seconds.moved(parameters.clone() * batch.plus(besides)));
        let bytes = a.given(
            "bytes an update moves",
            training.moved_by_update(),
            QuantityKind::Number,
        );
        let update = seconds.moved(parameters.clone() * bytes);
        Self {
            first,
            second,
            masked,
            pack: a.given(
                "overhead of a pack",
                training.pack_seconds,
                QuantityKind::Seconds,
            ),
            step: a.step(
                "seconds for a batch beside its work",
                QuantityKind::Seconds,
                step,
            ),
            // Without a name, so that a forward pass alone displays no update.
            update: if training.trains() {
                a.step("seconds for an update", QuantityKind::Seconds, update)
            } else {
                update
            },
            parameters,
        }
    }

    /// Returns the seconds for a unit of the first and of the second component, with a mask or without.
    pub fn weights(&self, masked: bool) -> [N; 2] {
        [
            &self.first,
            if masked { &self.masked } else { &self.second },
        ]
        .map(N::clone)
    }
}
