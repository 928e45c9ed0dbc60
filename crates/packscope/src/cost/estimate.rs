//! The time of an epoch, its money and its energy: the work of a method, priced.

use super::arithmetic::{Arithmetic, Name, Noun, Number, PlainNumber, QuantityKind};
use super::{Assumptions, Method, Overhead, Rates, Work, calibrated};
use serde::{Deserialize, Serialize};

/// An estimate, not a measurement: seconds of an epoch on all accelerators, and their parts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The method.
    pub method: Method,
    /// Whether the accelerator supports the method: see [`Accelerator::dynamic`](super::Accelerator::dynamic).
    pub possible: bool,
    /// Seconds of the epoch.
    pub seconds: f64,
    /// Seconds of the baseline (the first method) / seconds of this method.
    pub speedup: f64,
    /// The band of the speed-up, from and to, by the kind of set-up, as
    /// [`calibrated::band`] has it. 1 to 1 for the baseline itself.
    pub band: [f64; 2],
    /// Real tokens (nodes) per second, all accelerators together.
    pub tokens_per_second: f64,
    /// Parts of the seconds.
    pub parts: TimeParts,
    /// Steps of an accelerator, one batch each.
    pub steps: u64,
    /// Updates of the weights; none in inference.
    pub updates: u64,
    /// Standard error of the seconds, if waiting was simulated.
    pub error: f64,
}

/// Seconds by purpose; their sum is the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct TimeParts<N = f64> {
    /// Work on single real tokens, or on nodes.
    pub linear: N,
    /// Attention between tokens of the same sequence; work on edges.
    pub attention: N,
    /// Work on empty slots.
    pub padding: N,
    /// Keeping packed items apart: attention that is masked away, a slower kernel, masks and losses.
    pub masking: N,
    /// Fixed costs of packs, steps and updates.
    pub overhead: N,
    /// Waiting for the slowest accelerator.
    pub waiting: N,
}

impl TimeParts {
    /// Returns all parts with their names, in the order in which they are drawn.
    pub fn named(&self) -> [(&'static str, f64); 6] {
        [
            ("linear", self.linear),
            ("attention", self.attention),
            ("padding", self.padding),
            ("masking", self.masking),
            ("overhead", self.overhead),
            ("waiting", self.waiting),
        ]
    }
}

impl<N: Number> TimeParts<N> {
    /// Returns the sum of the parts.
    pub fn sum(&self) -> N {
        let work = self
            .linear
            .clone()
            .plus(self.attention.clone())
            .plus(self.padding.clone());
        work.plus(self.masking.clone())
            .plus(self.overhead.clone())
            .plus(self.waiting.clone())
    }
}

/// The waiting of accelerators: the factor of [`waiting`](super::waiting), and its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wait {
    /// Mean time of a step / mean time of an accelerator's work.
    pub factor: f64,
    /// Standard error of the factor.
    pub error: f64,
}

impl Wait {
    /// No waiting.
    pub const NONE: Self = Self {
        factor: 1.0,
        error: 0.0,
    };
}

/// Prices works; the first is the baseline of the others. O(works).
///
/// With fewer batches than accelerators, the accelerators without a batch are left out. A last step that has batches
/// for only some accelerators counts as a share of a step, as if the epoch ran on into the next.
pub fn estimates(
    works: &[(Work, Wait)],
    rates: &Rates,
    overhead: Overhead,
    assumptions: &Assumptions,
) -> Vec<Estimate> {
    let priced = works
        .iter()
        .map(|(work, wait)| price(work, *wait, rates, overhead, assumptions));
    let mut estimates: Vec<Estimate> = priced.collect();
    if let Some(padded) = estimates.first().map(|padded| padded.seconds) {
        for e in &mut estimates {
            e.speedup = padded / e.seconds;
            e.band =
                calibrated::band(assumptions, rates.parameters).map(|factor| e.speedup * factor);
        }
    }
    if let Some(first) = estimates.first_mut() {
        first.band = [1.0; 2];
    }
    estimates
}

fn price(
    work: &Work,
    wait: Wait,
    rates: &Rates,
    overhead: Overhead,
    assumptions: &Assumptions,
) -> Estimate {
    let EpochTime {
        parts,
        busy,
        seconds,
        steps,
        updates,
    } = EpochTime::new(&PlainNumber, (work, wait), rates, overhead, assumptions);
    Estimate {
        method: work.method,
        possible: assumptions.accelerator.dynamic || work.method.is_fixed(),
        seconds,
        speedup: 1.0,
        band: [1.0; 2],
        tokens_per_second: work.useful[0] / seconds,
        parts,
        steps,
        updates,
        // Only waiting is simulated: the seconds are `busy` times its factor, and a fixed part.
        error: busy * wait.error,
    }
}

/// The time of an epoch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EpochTime<N = f64> {
    /// Parts of the seconds.
    pub parts: TimeParts<N>,
    /// Seconds at work, without steps, updates and waiting.
    pub busy: N,
    /// Seconds of the epoch.
    pub seconds: N,
    /// Steps of an accelerator.
    pub steps: u64,
    /// Updates of the weights; none in inference.
    pub updates: u64,
}

impl<N: Number> EpochTime<N> {
    /// Returns the time of a work at these rates, with this waiting.
    pub fn new(
        a: &impl Arithmetic<Number = N>,
        (work, wait): (&Work, Wait),
        rates: &Rates<N>,
        overhead: Overhead,
        assumptions: &Assumptions,
    ) -> Self {
        let (crew, batches) = (work.crew(assumptions.accelerators), work.batches.max(1));
        let accumulation = assumptions.accumulation.max(1);
        let mut parts = work_parts(a, work, rates, overhead, crew);
        let busy = a.step("at work", QuantityKind::Seconds, parts.sum());
        let factor = a.given("waiting factor", wait.factor, QuantityKind::Number);
        parts.waiting = a.step(
            "waiting",
            QuantityKind::Seconds,
            busy.clone() * (factor - a.constant(1.0)),
        );

        let accelerators = || a.count("accelerators", f64::from(crew));
        let accumulated = || a.count("accumulated batches", f64::from(accumulation));
        let all = || a.count("batches", batches as f64);
        let steps = batches.div_ceil(u64::from(crew));
        let trains = assumptions.training.trains();
        let updates = if trains {
            steps.div_ceil(u64::from(accumulation))
        } else {
            0
        };
        let whole = |n: u64| a.count("", n as f64);
        // Computed in whole numbers; the division is only what the page displays.
        let rounds = whole(steps).written_as(|| (all() / accelerators()).ceiling());
        let rounds = a.step("steps", QuantityKind::Count, rounds);
        if trains {
            a.step(
                "updates",
                QuantityKind::Count,
                whole(updates).written_as(|| (rounds / accumulated()).ceiling()),
            );
        }

        // A last step that is not full counts as its share, like in the work.
        let step = || rates.step.clone();
        // With sharding, each accelerator updates its part of the weights.
        let update = || match assumptions.training.sharded {
            true => rates.update.clone() / accelerators(),
            false => rates.update.clone(),
        };
        let each = (step() + update() / accumulated()) * all() / accelerators();
        // The same sum in another order: `each` decides the last bit, this is displayed.
        let formula = || (step() * all()).plus(update() * all() / accumulated()) / accelerators();
        let [fixed, total] = match trains {
            true => ["steps and updates", "estimated seconds of the epoch"],
            false => ["batches beside their work", "estimated seconds of the pass"],
        };
        let each = a.part(fixed, QuantityKind::Seconds, each.written_as(formula));
        // The fixed costs of packs are in it already.
        parts.overhead = parts.overhead + each.clone();
        let formula = || busy.clone().plus(parts.waiting.clone()).plus(each);
        let seconds = parts.sum().written_as(formula);
        let seconds = a.step(total, QuantityKind::Seconds, seconds);
        Self {
            parts,
            busy,
            seconds,
            steps,
            updates,
        }
    }
}

/// Returns the seconds of the work, divided among the accelerators that have a batch.
fn work_parts<A: Arithmetic>(
    a: &A,
    work: &Work,
    rates: &Rates<A::Number>,
    overhead: Overhead,
    crew: u32,
) -> TimeParts<A::Number> {
    let masked = work.method.is_masked() && work.depth > 1;
    // A mask costs either the overhead measured for it or a slower kernel; never both.
    let slow = masked && overhead == Overhead::Free;
    let ([first, pair], second) = (rates.weights(slow), rates.second.clone());
    let share = if masked {
        overhead.at_depth(work.depth)
    } else {
        0.0
    };
    let share = a.given("overhead at this depth", share, QuantityKind::Share);
    let useful = |k: usize| a.count(Noun::Useful(k), work.useful[k]);
    let empty = |k: usize| a.count(Noun::Padding(k), work.padding[k]);
    let all = |k: usize| a.count(Noun::Slots(k), work.computed()[k]);
    let between = a.count("pairs between sequences", work.between);
    // Useful pairs are charged at the faster kernel's rate; the excess of a slower one is the price of the mask.
    let fast = pair.clone().min(second);
    let slower = (pair.clone() - fast.clone()) * useful(1);
    let masking = slower
        .plus(pair.clone() * between)
        .plus(share * (first.clone() * all(0) + pair.clone() * all(1)));
    let part = |name: Name, seconds| {
        a.part(
            name,
            QuantityKind::Seconds,
            seconds / a.count("accelerators", f64::from(crew)),
        )
    };
    TimeParts {
        linear: part(
            Name("work on", Some(Noun::Useful(0))),
            first.clone() * useful(0),
        ),
        attention: part(Name("work on", Some(Noun::Useful(1))), fast * useful(1)),
        padding: part("padding".into(), (first * empty(0)).plus(pair * empty(1))),
        masking: part("masking".into(), masking),
        overhead: part(
            "packs".into(),
            rates.pack.clone() * a.count("rows", work.rows as f64),
        ),
        waiting: a.constant(0.0),
    }
}

/// The money and the energy of an epoch.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bill {
    /// Hours that the epoch takes.
    pub hours: f64,
    /// Hours of all accelerators together, which are paid for.
    pub accelerator_hours: f64,
    /// Price of the accelerator hours, in the currency of the price.
    pub money: f64,
    /// Kilowatt-hours at the accelerators' rated power, without hosts and cooling.
    pub energy: f64,
}

impl Bill {
    /// Returns the bill of an epoch.
    pub fn new(estimate: &Estimate, assumptions: &Assumptions) -> Self {
        let hours = estimate.seconds / 3600.0;
        let accelerator_hours = hours * f64::from(assumptions.accelerators.max(1));
        Self {
            hours,
            accelerator_hours,
            money: accelerator_hours * assumptions.price,
            energy: accelerator_hours * assumptions.accelerator.power / 1000.0,
        }
    }

    /// Returns the savings against another bill.
    pub fn saved_from(&self, before: &Self) -> Self {
        Self {
            hours: before.hours - self.hours,
            accelerator_hours: before.accelerator_hours - self.accelerator_hours,
            money: before.money - self.money,
            energy: before.energy - self.energy,
        }
    }
}
