//! Speed-up: what a slider of an assumption costs, what new packs cost, and how long waiting takes to answer.

use crate::median_of;
use packscope::api::speedup::{
    Case, PackWork, WaitingCurve, curves, estimate, questions, sequences,
};
use packscope::api::{Settings, run_on};
use packscope::cost::waiting::{ACCELERATORS, WaitingQuestion};
use packscope::cost::{Assumptions, Bill, Memory, Method, Overhead, Rates, Workload};
use packscope::histogram::Preset;
use packscope::packing::go_on;
use std::hint::black_box;

/// The first set, and that whose waiting takes longest.
const SETS: [&str; 2] = [Preset::FIRST.id, HEAVIEST];
const HEAVIEST: &str = "arxiv_summarization_llama2";

/// Rows of an accelerator.
const BATCH: u32 = 64;
/// Shapes of packs that are looked at.
const LISTED: u32 = 20_000;

/// One line per case: `SPEEDUP set limit what median`, times in milliseconds.
pub fn report(now: &dyn Fn() -> f64) -> String {
    SETS.into_iter().map(|set| of_set(now, set)).collect()
}

fn of_set(now: &dyn Fn() -> f64, set: &str) -> String {
    let (data, limit) = (crate::set(set), Preset::find(set).unwrap().limit());
    let settings = Settings {
        limit,
        ..Settings::default()
    };
    let report = run_on(&data, &settings, LISTED, &mut go_on).unwrap();
    let fitted = data.fit([limit], settings.overlong).unwrap().histogram;
    let packs = PackWork {
        figures: &report.figures,
        shapes: &report.strategies,
    };
    let count = || sequences(&fitted, limit, BATCH, Some(packs)).unwrap();
    let cases = count();
    let line = |what: &str, run: &dyn Fn()| {
        let median = median_of(now, run);
        format!("SPEEDUP {set} {limit} {what} {median:.5}\n")
    };
    let mut lines = line("count", &|| assert!(!count().is_empty()));
    let asked = asked(&cases);
    let known = curves(&asked).unwrap();
    lines += &line("price", &|| assert!(price(&cases, &known, 8) > 0.0));
    let curve = || {
        ACCELERATORS
            .iter()
            .map(|r| price(&cases, &known, *r))
            .sum::<f64>()
    };
    lines += &line("price-13", &|| assert!(curve() > 0.0));
    for question in &asked {
        let one = std::slice::from_ref(question);
        lines += &line(&format!("waiting-{}", question.0.name()), &|| {
            assert!(!curves(one).unwrap().is_empty())
        });
    }
    lines
}

fn asked(cases: &[Case]) -> Vec<(Method, WaitingQuestion)> {
    let a = Assumptions::default();
    let rates = Rates::new(
        &Workload::Transformer(a.transformer),
        &a.accelerator,
        &a.training,
    );
    questions(cases, &rates, BATCH, &a, &ACCELERATORS, 0)
}

/// Everything that a slider of an assumption asks for at one number of accelerators: estimates, bills, memory. Gives the
/// seconds of the last method.
fn price(cases: &[Case], curves: &[WaitingCurve], accelerators: u32) -> f64 {
    let a = black_box(Assumptions {
        accelerators,
        ..Assumptions::default()
    });
    let workload = Workload::Transformer(a.transformer);
    let estimates = estimate(cases, curves, &workload, Overhead::Ipu, &a);
    let bills: Vec<Bill> = estimates.iter().map(|e| Bill::new(e, &a)).collect();
    let memory: Vec<Memory> = cases
        .iter()
        .map(|c| Memory::new(&workload, &a, c.work.largest))
        .collect();
    assert!(bills.len() == memory.len());
    black_box(&estimates).last().map_or(0.0, |e| e.seconds)
}
