//! Waiting: exact answers against an enumeration of all outcomes, and against simulation.

use crate::common::{built_in, built_in_graphs};
use packscope::api::speedup::WaitingCurve;
use packscope::cost::Method;
use packscope::cost::waiting::{
    ACCELERATORS, Crew, MOST, Population, WaitingPoint, WaitingQuestion, simulated, waiting,
};
use packscope::histogram::{Histogram, Preset};
use packscope::metrics::ExpectedPadding;

/// Seconds of a pair for seconds of a token in BERT large: 1 / 6h.
const SEQUENCES: [f64; 2] = [1.0, 1.0 / 6144.0];
const GRAPHS: [f64; 2] = [1.0, 0.4];

fn question(
    population: &Population,
    crew: Crew,
    weights: [f64; 2],
    accelerators: &[u32],
) -> WaitingQuestion {
    WaitingQuestion {
        population: population.clone(),
        crew,
        weights,
        accelerators: accelerators.to_vec(),
        seed: 3,
    }
}

fn factors(
    population: &Population,
    crew: Crew,
    weights: [f64; 2],
    accelerators: &[u32],
) -> Vec<f64> {
    let points = waiting(&question(population, crew, weights, accelerators)).unwrap();
    points.iter().map(|p| p.factor).collect()
}

fn of_lengths(data: &Histogram<1>) -> Population {
    let draw =
        |&([l], n): &([u32; 1], u64)| ([f64::from(l), f64::from(l) * f64::from(l)], n as f64);
    Population::new(data.entries().iter().map(draw))
}

fn of_graphs(data: &Histogram<2>) -> Population {
    Population::new(
        data.entries()
            .iter()
            .map(|(size, n)| (size.map(f64::from), *n as f64)),
    )
}

/// Every built-in set.
fn built_in_populations() -> Vec<(&'static str, Population, [f64; 2])> {
    let lengths = Preset::ALL
        .iter()
        .map(|p| (p.id, of_lengths(&built_in(p.id)), SEQUENCES));
    let graphs = Preset::GRAPHS.iter().map(|p| {
        let data = p.generate().unwrap_or_else(|| built_in_graphs(p.id));
        (p.id, of_graphs(&data), GRAPHS)
    });
    let all: Vec<_> = lengths.chain(graphs).collect();
    assert!(all.len() > 30);
    all
}

#[test]
fn an_answer_is_read_from_the_points_around_it() {
    let (population, _) = tiny();
    let crews = [
        Crew::Added(1),
        Crew::Added(3),
        Crew::Parallel(4),
        Crew::Balanced(1),
        Crew::Balanced(2),
        Crew::Neighbours,
    ];
    for crew in crews {
        for known in [&ACCELERATORS[..], &[4, 6], &[5], &[]] {
            let whole = question(&population, crew, GRAPHS, known);
            let read = |question: &WaitingQuestion, accelerators| {
                let points = waiting(question).unwrap();
                let method = Method::Unpadded;
                WaitingCurve { method, points }.wait_at(accelerators)
            };
            for accelerators in [1, 2, 3, 4, 5, 7, 8, 100, 4096, 5000] {
                let around = whole.clone().around(accelerators);
                assert_eq!(
                    read(&around, accelerators),
                    read(&whole, accelerators),
                    "{crew:?}, {accelerators} of {known:?}"
                );
                let exact = !matches!(crew, Crew::Added(3) | Crew::Balanced(2));
                assert!(!exact || around.accelerators.len() <= 2);
            }
        }
    }
}

/// Three sizes, one of them rare; times 5, 8 and 20.
fn tiny() -> (Population, Vec<(f64, f64)>) {
    let draws = [([5.0, 0.0], 3.0), ([2.0, 6.0], 6.0), ([20.0, 0.0], 1.0)];
    (
        Population::new(draws),
        vec![(5.0, 0.3), (8.0, 0.6), (20.0, 0.1)],
    )
}

/// The mean of the largest of so many draws, over all outcomes.
fn largest(times: &[(f64, f64)], draws: u32, largest_yet: f64) -> f64 {
    if draws == 0 {
        return largest_yet;
    }
    times
        .iter()
        .map(|(time, share)| share * largest(times, draws - 1, largest_yet.max(*time)))
        .sum()
}

/// All sums of two draws.
fn sums(times: &[(f64, f64)], others: &[(f64, f64)]) -> Vec<(f64, f64)> {
    times
        .iter()
        .flat_map(|(a, p)| others.iter().map(move |(b, q)| (a + b, p * q)))
        .collect()
}

fn mean(times: &[(f64, f64)]) -> f64 {
    times.iter().map(|(time, share)| time * share).sum()
}

#[test]
fn exact_is_the_mean_over_all_outcomes() {
    let (population, times) = tiny();
    for accelerators in 1..=8 {
        let found = factors(&population, Crew::Added(1), [1.0, 1.0], &[accelerators])[0];
        assert!((found - largest(&times, accelerators, 0.0) / mean(&times)).abs() < 1e-12);
        for rows in 1..=3 {
            if rows * accelerators <= 9 {
                let found = factors(
                    &population,
                    Crew::Parallel(rows),
                    [1.0, 1.0],
                    &[accelerators],
                )[0];
                let naive = largest(&times, rows * accelerators, 0.0) / mean(&times);
                assert!(
                    (found - naive).abs() < 1e-12,
                    "{rows} rows, {accelerators} accelerators"
                );
            }
        }
    }
}

#[test]
fn one_accelerator_with_one_row_takes_the_mean() {
    for (name, population, weights) in built_in_populations() {
        let [alone] = waiting(&question(&population, Crew::Added(1), weights, &[1])).unwrap()[..]
        else {
            panic!()
        };
        assert!(
            (alone.factor - 1.0).abs() < 1e-12 && alone.error == 0.0,
            "{name}: {alone:?}"
        );
        let parallel = factors(&population, Crew::Parallel(1), weights, &[1])[0];
        assert!((parallel - 1.0).abs() < 1e-12, "{name}");
    }
}

/// Answers of several seeds, taken together.
fn pooled(
    population: &Population,
    weights: [f64; 2],
    draws: u32,
    accelerators: &[u32],
) -> Vec<WaitingPoint> {
    const SEEDS: u64 = 4;
    let of_seed = |seed| {
        let question = WaitingQuestion {
            seed,
            ..question(population, Crew::Added(draws), weights, accelerators)
        };
        simulated(&question, draws).unwrap()
    };
    let answers: Vec<Vec<WaitingPoint>> = (0..SEEDS).map(of_seed).collect();
    let n = SEEDS as f64;
    let point = |i: usize| WaitingPoint {
        accelerators: accelerators[i],
        factor: answers.iter().map(|points| points[i].factor).sum::<f64>() / n,
        error: answers
            .iter()
            .map(|points| points[i].error.powi(2))
            .sum::<f64>()
            .sqrt()
            / n,
    };
    (0..accelerators.len()).map(point).collect()
}

fn assert_near(name: &str, exact: &[f64], simulated: &[WaitingPoint]) {
    for (exact, simulated) in exact.iter().zip(simulated) {
        let off = (exact - simulated.factor).abs();
        assert!(
            off <= 4.0 * simulated.error + 1e-12,
            "{name}: {exact} {simulated:?}"
        );
        assert!(simulated.error < 0.15 * exact, "{name}: {simulated:?}");
    }
}

#[test]
fn simulation_agrees_with_the_exact_answer_on_all_sets() {
    let accelerators = [1, 8, 64, 512, MOST];
    for (name, population, weights) in built_in_populations() {
        let exact = factors(&population, Crew::Added(1), weights, &accelerators);
        assert_near(
            name,
            &exact,
            &pooled(&population, weights, 1, &accelerators),
        );
    }
}

#[test]
fn simulated_sums_agree_with_convolution() {
    for name in ["glue_wnli", "glue_cola"] {
        let data = built_in(name);
        let items = data.items() as f64;
        let once: Vec<(f64, f64)> = data
            .entries()
            .iter()
            .map(|&([l], n)| (f64::from(l), n as f64 / items))
            .collect();
        let twice = sums(&once, &once);
        for (draws, times) in [(2, &twice), (3, &sums(&twice, &once))] {
            let convolved =
                Population::new(times.iter().map(|(time, share)| ([*time, 0.0], *share)));
            let exact = factors(&convolved, Crew::Added(1), [1.0, 0.0], &[1, 2, 16, 256]);
            let simulated = pooled(&of_lengths(&data), [1.0, 0.0], draws, &[1, 2, 16, 256]);
            assert_near(name, &exact, &simulated);
        }
    }
}

/// Unless work is dealt out among them: then there is more to deal, and waiting may fall.
#[test]
#[ignore = "outer circle: a grid; published waits are in the inner circle"]
fn more_accelerators_wait_longer() {
    for (name, population, weights) in built_in_populations() {
        for crew in [Crew::Added(1), Crew::Parallel(8), Crew::Added(3)] {
            let factors = factors(&population, crew, weights, &ACCELERATORS);
            assert!(
                factors.windows(2).all(|w| w[0] <= w[1] + 1e-12),
                "{name} {crew:?}: {factors:?}"
            );
            assert!(factors[0] >= 1.0 && factors.iter().all(|f| f.is_finite()));
        }
        let dealt = waiting(&question(
            &population,
            Crew::Balanced(4),
            weights,
            &[1, 16, 1024],
        ))
        .unwrap();
        let added = waiting(&question(
            &population,
            Crew::Added(4),
            weights,
            &[1, 16, 1024],
        ))
        .unwrap();
        assert!((dealt[0].factor - 1.0).abs() < 1e-12);
        for (balanced, alone) in dealt.iter().zip(&added) {
            let error = 4.0 * balanced.error.hypot(alone.error) + 1e-12;
            assert!(
                balanced.factor >= 1.0 && balanced.factor <= alone.factor + error,
                "{name}: {balanced:?} {alone:?}"
            );
        }
    }
}

/// Krell et al. 2022, §4.4: a batch takes as long as its longest sequence, so that it might as well be padded to it.
#[test]
fn rows_side_by_side_take_as_long_as_a_padded_batch() {
    let data = built_in("wikipedia_bert_512");
    for batch in [1, 2, 16, 64] {
        let factor = factors(&of_lengths(&data), Crew::Parallel(batch), [1.0, 0.0], &[1])[0];
        let padded = ExpectedPadding::random(&data, batch).slots / data.total()[0] as f64;
        assert!((factor - padded).abs() < 1e-4, "{batch}: {factor} {padded}");
        let ascending: Vec<_> = data
            .entries()
            .iter()
            .map(|&([l], n)| ([f64::from(l), 0.0], n as f64))
            .collect();
        let longest = Population::longest_of(batch, &ascending);
        for accelerators in [1, 7, 500] {
            let of_longest =
                factors(&longest, Crew::Added(1), [1.0, 0.0], &[accelerators])[0] * factor;
            let at_once = factors(
                &of_lengths(&data),
                Crew::Parallel(batch),
                [1.0, 0.0],
                &[accelerators],
            )[0];
            assert!((of_longest - at_once).abs() < 1e-9 * at_once);
        }
    }
}

#[test]
fn shares_of_the_longest_are_a_distribution() {
    let ascending = [([1.0, 0.0], 1.0), ([2.0, 0.0], 1e9), ([3.0, 0.0], 1.0)];
    for draws in [1, 64, 4096, u32::MAX] {
        let population = Population::longest_of(draws, &ascending);
        let points = waiting(&question(
            &population,
            Crew::Added(1),
            [1.0, 0.0],
            &[1, MOST],
        ))
        .unwrap();
        assert!(
            points.iter().all(|p| p.factor >= 1.0 && p.factor < 1.6),
            "{points:?}"
        );
    }
}

#[test]
fn seeds_decide() {
    let population = of_lengths(&built_in("glue_sst2"));
    for crew in [Crew::Added(16), Crew::Balanced(4)] {
        let of_seed = |seed| {
            let question = WaitingQuestion {
                seed,
                ..question(&population, crew, SEQUENCES, &[8, 128])
            };
            waiting(&question).unwrap()
        };
        assert_eq!(of_seed(7), of_seed(7));
        assert_ne!(of_seed(7), of_seed(8));
    }
}

/// With one draw for each accelerator there is nothing to deal out; with more, it is simulated until less is uncertain than
/// two digits show, here of the set with the longest tail.
#[test]
fn what_is_uncertain_is_not_shown() {
    let answer = |name: &str, crew| {
        waiting(&question(
            &of_lengths(&built_in(name)),
            crew,
            SEQUENCES,
            &[1, 8, 64, 512],
        ))
        .unwrap()
    };
    for name in ["sharegpt_8k_llama2", "glue_cola", "azure_llm_trace_conv"] {
        assert_eq!(
            answer(name, Crew::Balanced(1)),
            answer(name, Crew::Added(1)),
            "{name}"
        );
    }
    for crew in [Crew::Balanced(2), Crew::Balanced(16), Crew::Added(4)] {
        for point in answer("sharegpt_8k_llama2", crew) {
            assert!(point.error < 0.005 * point.factor, "{crew:?} {point:?}");
        }
    }
}

#[test]
fn populations_of_one_kind_never_wait() {
    let alike = Population::new([([7.0, 49.0], 5.0)]);
    for crew in [
        Crew::Added(1),
        Crew::Added(9),
        Crew::Added(1000),
        Crew::Parallel(5),
        Crew::Balanced(3),
    ] {
        for point in waiting(&question(&alike, crew, [1.0, 0.1], &[1, 64, MOST])).unwrap() {
            assert!(
                (point.factor - 1.0).abs() < 1e-9 && point.error < 1e-9,
                "{crew:?}: {point:?}"
            );
        }
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let (population, _) = tiny();
    let refused = |population: &Population, crew, accelerators: &[u32]| {
        waiting(&question(population, crew, [1.0, 1.0], accelerators)).is_err()
    };
    assert!(refused(&Population::default(), Crew::Added(1), &[1]));
    assert!(refused(&population, Crew::Added(0), &[1]));
    assert!(refused(&population, Crew::Added(1), &[0]));
    assert!(refused(&population, Crew::Balanced(1), &[MOST + 1]));
    assert!(
        !refused(&population, Crew::Balanced(u32::MAX), &[MOST]),
        "many draws take no longer"
    );
}

/// The mean over steps of the slowest, item by item: every R in a row of the sorted list are a step.
#[test]
fn neighbours_wait_for_the_last_of_each_step() {
    let batches = [
        ([3.0, 0.0], 5u32),
        ([4.0, 1.0], 2),
        ([9.0, 0.0], 4),
        ([11.0, 0.0], 1),
    ];
    let population = Population::new(batches.map(|(units, n)| (units, f64::from(n))));
    let mut list: Vec<f64> = batches
        .iter()
        .flat_map(|([a, b], n)| std::iter::repeat_n(a + b / 6144.0, *n as usize))
        .collect();
    list.sort_by(f64::total_cmp);
    let mean = list.iter().sum::<f64>() / list.len() as f64;
    for crew in 1..=13u32 {
        let waited: f64 = list
            .chunks(crew as usize)
            .map(|step| step[step.len() - 1] * step.len() as f64)
            .sum();
        let wanted = waited / list.len() as f64 / mean;
        let found = factors(&population, Crew::Neighbours, SEQUENCES, &[crew])[0];
        assert!((found - wanted).abs() < 1e-12, "{crew}: {found} {wanted}");
    }
}

#[test]
fn sorted_batches_wait_less_than_the_same_batches_shuffled() {
    for (id, population, weights) in built_in_populations() {
        let [sorted, shuffled] = [Crew::Neighbours, Crew::Added(1)]
            .map(|crew| factors(&population, crew, weights, &ACCELERATORS));
        for (k, (sorted, shuffled)) in sorted.iter().zip(&shuffled).enumerate() {
            // Where a step is the whole epoch there is nothing to be sorted.
            let few = population.size() < f64::from(ACCELERATORS[k]) * 20.0;
            assert!(
                *sorted >= 1.0 && (few || sorted <= shuffled),
                "{id}: {sorted} {shuffled}"
            );
        }
    }
}
