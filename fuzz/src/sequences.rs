//! Packs of sequences.

use crate::make::{byte, counts, depth, number, others, overhead, overlong, pick, size};
use arbitrary::Unstructured;
use packscope::api::fields;
use packscope::api::{Problem, Report, Request, Sequences, Settings, run};
use packscope::error::{Error, Result};
use packscope::export::Document;
use packscope::histogram::{Histogram, Overlong};
use packscope::packing::{Algorithm, go_on};
use std::collections::BTreeMap;

/// Steps of the search for the optimum: a hundredth of a second.
pub const STEPS: u64 = 1 << 22;
/// Items where an algorithm goes item by item.
const FEW: u64 = 2_000;

/// A request: its plan holds every item once and keeps to the limits, no bound is above its packs, its figures add up,
/// and it is answered in the same way twice.
pub fn sequences(bytes: &[u8]) {
    let request = request(&mut Unstructured::new(bytes));
    let report = answer(&request);
    assert_eq!(report, answer(&request), "the same request twice");
    match report {
        Ok(report) => judge(&request, &report),
        Err(error) => refused(&error),
    }
}

fn request(u: &mut Unstructured<'_>) -> Request {
    let by_hand = [
        "limit",
        "depth",
        "algorithm",
        "overlong",
        "align",
        "seed",
        "batch",
        "overhead",
    ];
    #[allow(clippy::needless_update, reason = "there are no others yet")]
    let settings = Settings {
        algorithm: pick(u, &Algorithm::ALL),
        limit: if byte(u) == 255 { 0 } else { size(u) },
        depth: depth(u),
        overlong: overlong(u),
        align: pick(u, &[1, 1, 1, 2, 8, 0, u32::MAX]),
        seed: number(u).into(),
        batch: pick(u, &[64, 1, 7, 0, u32::MAX]),
        overhead: overhead(u),
        ..others(u, fields::sequences::VALUES, &by_hand)
    };
    let most = if settings.algorithm == Algorithm::Greedy {
        FEW
    } else {
        u64::MAX
    };
    let counts = counts::<1>(u, most)
        .into_iter()
        .map(|([length], n)| (length, n))
        .collect();
    Request {
        counts,
        settings,
        listed: u32::MAX,
    }
}

/// The engine's answer; the search for the optimum has fewer steps than in the page.
fn answer(request: &Request) -> Result<Report> {
    let Request {
        counts,
        settings,
        listed,
    } = request;
    let items: u64 = counts.iter().fold(0, |sum, (_, n)| sum.saturating_add(*n));
    let mut settings = settings.clone();
    let splits = settings.overlong == Overlong::Split;
    match settings.algorithm {
        // Takes minutes where there are as many strategies as it accepts, which is no defect.
        Algorithm::Nnlshp => settings.limit %= 97,
        // A split item is many.
        Algorithm::Greedy if splits || items > FEW => settings.overlong = Overlong::Truncate,
        _ => {}
    }
    if settings.algorithm != Algorithm::Optimal {
        return run(
            &Request {
                settings,
                ..request.clone()
            },
            &mut go_on,
        );
    }
    let histogram = Histogram::from_lengths(counts.iter().copied())?;
    let prepared = Sequences::prepare(&histogram, &settings)?;
    let packed = prepared.pack(&settings, *listed, STEPS, &mut go_on)?;
    Ok(prepared.report(&settings, packed, *listed))
}

/// A refusal is about what was asked, never about the engine.
pub fn refused(error: &Error) {
    assert!(
        !matches!(error, Error::InvalidPlan(_) | Error::Cancelled),
        "{error}"
    );
    assert!(!error.to_string().is_empty());
}

/// The lengths that are to be packed, counted as simply as can be.
fn wanted(counts: &[(u32, u64)], s: &Settings) -> (BTreeMap<u32, u128>, u128) {
    let (mut wanted, mut real) = (BTreeMap::new(), 0u128);
    let mut add = |length: u32, n: u64| {
        if length > 0 && n > 0 {
            let aligned = u64::from(length)
                .next_multiple_of(s.align.into())
                .min(s.limit.into()) as u32;
            *wanted.entry(aligned).or_default() += u128::from(n);
            real += u128::from(length) * u128::from(n);
        }
    };
    for &(length, n) in counts {
        match s.overlong {
            _ if length <= s.limit => add(length, n),
            Overlong::Truncate => add(s.limit, n),
            Overlong::Split => {
                add(s.limit, n * u64::from(length / s.limit));
                add(length % s.limit, n);
            }
            Overlong::Drop | Overlong::Reject => {}
        }
    }
    (wanted, real)
}

fn judge(request: &Request, report: &Report) {
    let (s, f) = (&report.settings, &report.figures);
    let (wanted, real) = wanted(&request.counts, s);
    let mut placed: BTreeMap<u32, u128> = BTreeMap::new();
    let (mut packs, mut by_depth) = (0u128, BTreeMap::<u64, u64>::new());
    for shape in &report.strategies {
        assert!(
            shape.used() <= u64::from(s.limit),
            "{shape:?} in {}",
            s.limit
        );
        assert!(
            shape.depth() <= u64::from(s.depth.get()) && shape.count > 0,
            "{shape:?}"
        );
        for &(length, times) in &shape.runs {
            *placed.entry(length).or_default() += u128::from(times) * u128::from(shape.count);
        }
        packs += u128::from(shape.count);
        *by_depth.entry(shape.depth()).or_default() += shape.count;
    }
    assert_eq!(placed, wanted, "every item once");
    assert_eq!((packs, report.unlisted_packs), (u128::from(f.packs), 0));
    assert!(
        by_depth
            .into_iter()
            .eq(report.packs_by_depth.iter().copied())
    );
    assert_eq!(wanted.values().sum::<u128>(), u128::from(f.items));
    assert_eq!(real, u128::from(f.real_tokens[0]));
    assert_eq!(f.slots[0] - f.real_tokens[0], f.padding_tokens[0]);
    if s.algorithm.fills_rows() {
        assert_eq!(u128::from(f.slots[0]), packs * u128::from(s.limit));
        assert!(
            f.lower_bound
                .is_some_and(|bound| (1..=f.packs).contains(&bound)),
            "{f:?}"
        );
        let document =
            Document::of_sequences(report, "data").unwrap_or_else(|error| panic!("{error}"));
        crate::plan::recounts(&document);
    }
    figures(f);
}

/// Asserts the properties of the figures of every plan.
pub fn figures(f: &packscope::metrics::Figures) {
    let share = |x: &f64| (0.0..=1.0).contains(x);
    assert!(
        f.efficiency.iter().chain(&f.baseline_efficiency).all(share),
        "{f:?}"
    );
    assert!(
        share(&f.efficiency_harmonic) && f.gap.is_none_or(|gap| gap >= 0.0),
        "{f:?}"
    );
    assert!(
        f.packing_factor.is_finite() && f.packing_factor > 0.0,
        "{f:?}"
    );
    assert!(
        f.realised_speedup.is_none_or(|x| x.is_finite() && x >= 0.0),
        "{f:?}"
    );
}
