//! Remarks beside the formulae.

use super::{Case, Input, Overhead, Wait, WaitingCurve, Work, Workload};
use packscope::words::significant;

/// The remark on a last step for which only some accelerators have batches.
pub(super) const LAST_STEP: &str = "A last step that is not full counts as its share.";

/// Returns the remark beside a step of the rates.
pub(super) fn of_rates(workload: &Workload, step: &str) -> Option<String> {
    let Workload::Transformer(model) = workload else {
        return None;
    };
    let note = match step {
        "weights" => "Those that multiply every token.",
        "operations for a pair" if model.causal => {
            "Causal: a token looks only at those before it, half of the pairs."
        }
        "parameters" if !model.tied => "The vocabulary has one table for input and one for output.",
        _ => return None,
    };
    Some(note.to_owned())
}

/// Returns the remark beside a step of an epoch; `found` is the remark on waiting.
pub(super) fn of_epoch(
    input: &Input,
    work: &Work,
    found: Option<&String>,
    step: &str,
) -> Option<String> {
    match step {
        "masking" => Some(of_masking(input, work)),
        "waiting" => found.cloned(),
        _ => None,
    }
}

fn of_masking(input: &Input, work: &Work) -> String {
    if work.depth <= 1 {
        return "A row of one needs no mask.".to_owned();
    }
    let source = match input.overhead {
        Overhead::Ipu => {
            "The overhead was measured on IPU (Krell et al. 2022, Table 1), the only one published by depth, and counts in place of a slower kernel; the settings of the view change it."
        }
        Overhead::Free => {
            "No overhead is given, so attention under a mask is a slower kernel; the settings of the view change it."
        }
        Overhead::Own(_) => "The overhead is set in the view.",
    };
    format!(
        "What it takes to keep {}s in a row apart. {source}",
        input.nouns.item
    )
}

/// Returns the remark on the source of the waiting factor.
pub(super) fn of_waiting(case: &Case, curve: Option<&WaitingCurve>, wait: Wait) -> String {
    match (&case.population, curve) {
        (None, _) => "All batches have the same shape: nobody waits.".to_owned(),
        (_, None) => "Not known yet: a worker is at it.".to_owned(),
        _ if wait.error > 0.0 => {
            let error = significant(wait.error, 2);
            format!("The waiting factor is simulated, from a seed; its standard error is {error}.")
        }
        _ if wait.factor == 1.0 => "One accelerator waits for nobody.".to_owned(),
        _ => "The waiting factor is exact: the mean of the slowest, from the distribution."
            .to_owned(),
    }
}
