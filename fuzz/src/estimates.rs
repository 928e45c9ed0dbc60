//! Sweeps, waiting, estimates: what is asked beside packs.

use crate::make::{byte, counts, number, pick, size};
use crate::sequences::refused;
use arbitrary::Unstructured;
use packscope::api::speedup::{Settings, SpeedupRequest};
use packscope::api::tuple::evaluate;
use packscope::api::{self, tuple};
use packscope::cost::fields::FIELDS;
use packscope::cost::waiting::{Crew, Population, WaitingQuestion, waiting};
use packscope::cost::{Assumptions, presets};
use packscope::histogram::Histogram;
use packscope::packing::tuple::TupleAlgorithm as Graphs;
use packscope::packing::{Algorithm, go_on};
use packscope::sweep::{Range, Sweep, SweepMethod, SweepPoint, best, front, smallest};

/// A sweep that is asked and told to its end, a question about waiting, or estimates.
pub fn estimates(bytes: &[u8]) {
    let mut u = Unstructured::new(bytes);
    match byte(&mut u) % 4 {
        0 => sweep(&mut u),
        1 => waits(&mut u),
        2 => sequences(&mut u),
        _ => graphs(&mut u),
    }
}

fn packing(u: &mut Unstructured<'_>) -> tuple::Settings {
    let settings = crate::graphs::settings::<2>(u);
    match settings.algorithm {
        // Searching is the business of others.
        Graphs::Optimal | Graphs::Search => tuple::Settings {
            algorithm: Graphs::BestFit,
            ..settings
        },
        _ => settings,
    }
}

/// It comes to an end, tries nothing twice and no more than it said.
fn sweep(u: &mut Unstructured<'_>) {
    let range = |u: &mut Unstructured<'_>| {
        let (from, step) = (size(u), u32::from(byte(u) % 64));
        Range::new(
            from,
            from.saturating_add(step * u32::from(byte(u) % 24)),
            step,
        )
    };
    let (Ok(nodes), Ok(edges)) = (range(u), range(u)) else {
        return;
    };
    let method = pick(u, &SweepMethod::ALL);
    let settings = tuple::Settings {
        algorithm: Graphs::None,
        ..packing(u)
    };
    let mut counts = counts::<2>(u, u64::MAX);
    counts.truncate(8);
    let Ok(data) = Histogram::from_counts(counts.iter().copied()) else {
        return;
    };
    let mut sweep = Sweep::new(method, [nodes, edges]);
    let (most, mut asked) = (sweep.at_most(), Vec::new());
    while let Some(limits) = sweep.ask() {
        asked.push(limits);
        match evaluate(&data, &settings, limits) {
            Ok(point) => {
                let share = |x: &f64| (0.0..=1.0).contains(x);
                assert!(
                    point.efficiency.iter().all(share) && share(&point.harmonic),
                    "{point:?}"
                );
                sweep.tell(point);
            }
            Err(_) => sweep.refuse(limits),
        }
    }
    assert!(
        sweep.is_done() && asked.len() as u64 <= most,
        "{} of {most}",
        asked.len()
    );
    let tried = asked.len();
    asked.sort_unstable();
    asked.dedup();
    assert_eq!(asked.len(), tried, "nothing twice");
    let points = sweep.points();
    let (best, front) = (best(points), front(points));
    assert_eq!(best.is_some(), points.iter().any(SweepPoint::is_limited));
    assert!(front.len() <= points.len());
    let _ = smallest(points, 0.9);
    asked.truncate(20);
    let Ok(data) = Histogram::from_counts(counts) else {
        panic!("the sweep had these sizes")
    };
    for limits in asked {
        // A limit below every size leaves nothing, which is an error.
        drop(tuple::evaluate(&data, &settings, limits));
    }
}

/// Nobody waits less than not at all.
fn waits(u: &mut Unstructured<'_>) {
    let draws = pick(u, &[1, 2, 64, 0, 1_000, u32::MAX]);
    let crew = match byte(u) % 4 {
        0 => Crew::Added(draws),
        1 => Crew::Parallel(draws),
        2 => Crew::Balanced(draws),
        _ => Crew::Neighbours,
    };
    let mut accelerators: Vec<u32> = (0..byte(u) % 4).map(|_| number(u) % 5_000).collect();
    accelerators.sort_unstable();
    accelerators.dedup();
    let weights = [
        pick(u, &[1.0, 0.0, 1e-9, 1e300]),
        pick(u, &[0.0, 1.0, 1e-12]),
    ];
    let seed = number(u).into();
    let draws = counts::<2>(u, u64::MAX)
        .into_iter()
        .map(|(units, n)| (units.map(f64::from), n as f64));
    let question = WaitingQuestion {
        population: Population::new(draws),
        crew,
        weights,
        accelerators,
        seed,
    };
    let points = waiting(&question);
    match points {
        Ok(points) => {
            assert_eq!(points.len(), question.accelerators.len());
            for point in points {
                assert!(
                    point.factor.is_finite() && point.factor >= 1.0 - 1e-9,
                    "{point:?}"
                );
                assert!(point.error.is_finite() && point.error >= 0.0, "{point:?}");
            }
        }
        Err(error) => refused(&error),
    }
}

/// Assumptions as the page and the command line let people set them.
fn assumptions(u: &mut Unstructured<'_>) -> Assumptions {
    let mut assumptions = Assumptions::default();
    let preset = presets::ACCELERATORS.get(usize::from(byte(u)));
    assumptions.accelerator = preset.map_or(assumptions.accelerator, |preset| preset.value);
    for _ in 0..byte(u) % 6 {
        let field = &FIELDS[usize::from(byte(u)) % FIELDS.len()];
        let [least, most] = field.range;
        let value = pick(u, &[least, most, (least + most) / 2.0, -1.0, f64::NAN]);
        assumptions = field.with(&assumptions, value).unwrap_or(assumptions);
    }
    assumptions.accelerators = assumptions.accelerators.min(64);
    assumptions
}

fn all<P>(u: &mut Unstructured<'_>, packing: P) -> Settings<P> {
    let assumptions = assumptions(u);
    let batch = pick(u, &[64, 1, 7, 0, u32::MAX]);
    let accelerators = vec![1, pick(u, &[2, 8, 4096])];
    Settings {
        packing,
        batch,
        assumptions,
        accelerators,
    }
}

fn judge(request: &SpeedupRequest) {
    let report = packscope::api::run(request, &mut go_on);
    match report {
        Ok(report) => {
            assert!(!report.estimates.is_empty());
            for method in report.estimates.iter().flat_map(|priced| &priced.methods) {
                assert!(
                    method.seconds.is_finite() && method.seconds >= 0.0,
                    "{method:?}"
                );
                assert!(
                    !method.speedup.is_nan() && method.speedup >= 0.0,
                    "{method:?}"
                );
            }
        }
        Err(error) => refused(&error),
    }
}

fn sequences(u: &mut Unstructured<'_>) {
    let packing = api::Settings {
        algorithm: pick(
            u,
            &[
                Algorithm::Lpfhp,
                Algorithm::None,
                Algorithm::AverageTarget,
                Algorithm::Sort,
            ],
        ),
        limit: size(u),
        depth: crate::make::depth(u),
        overlong: crate::make::overlong(u),
        ..api::Settings::default()
    };
    let settings = all(u, packing);
    let mut counts: Vec<(u32, u64)> = counts::<1>(u, 2_000)
        .into_iter()
        .map(|([l], n)| (l, n))
        .collect();
    counts.truncate(20);
    judge(&SpeedupRequest::Sequences(counts, settings));
}

fn graphs(u: &mut Unstructured<'_>) {
    let packing = packing(u);
    let settings = all(u, packing);
    let mut counts = counts::<2>(u, 2_000);
    counts.truncate(20);
    judge(&SpeedupRequest::Graphs(counts, settings));
}
