//! Findings about the estimates, in words computed from them. Every title says that it is an estimate.

use super::PricedEstimates;
use crate::state::findings::whole;
use crate::state::{AppState, Baseline, View};
use packscope::api::batch::Mode;
use packscope::cost::accuracy::banded;
use packscope::cost::waiting::MOST;
use packscope::cost::{Estimate, Gnn, Method, Overhead, Transformer, presets::Preset};
use packscope::sampler::Sampler;
use packscope::words::{about_duration, about_factor, about_percent, capital, count};

/// Times closer than this share count as equal.
const ALIKE: f64 = 0.005;

pub fn name_of(method: Method, view: View) -> &'static str {
    match method {
        Method::Padded => "Padded",
        Method::Batched(Sampler::Random) => "Random batches",
        Method::Batched(Sampler::Sorted) => "Sorted batches",
        Method::Batched(sampler) => sampler.long_name(),
        Method::Packed if view == View::Graphs => "Packed",
        Method::Packed => "Packed, with a mask",
        Method::PackedBlocks => "Packed, block-diagonal",
        Method::Unpadded => "Unpadded",
        Method::Balanced => "Unpadded, balanced",
    }
}

pub fn short_name_of(method: Method, view: View) -> &'static str {
    match method {
        Method::Padded => "padded",
        Method::Batched(Sampler::Random) => "random",
        Method::Batched(Sampler::Sorted) => "sorted",
        Method::Batched(Sampler::LengthGrouped) => "length-grouped",
        Method::Batched(Sampler::BucketByLength) => "bucketed",
        Method::Batched(Sampler::TokenBudget) => "token budget",
        Method::Packed if view == View::Graphs => "packed",
        Method::Packed => "masked",
        Method::PackedBlocks => "block-diagonal",
        Method::Unpadded => "unpadded",
        Method::Balanced => "balanced",
        Method::Batched(_) => name_of(method, view),
    }
}

pub fn about(method: Method, view: View) -> &'static str {
    match (method, view) {
        (Method::Padded, View::Graphs) => "each graph in a pack of its own, as large as the limits",
        (Method::Padded, _) => "each sequence in a row of its own, as long as the limit",
        (Method::Batched(Sampler::Random), _) => "shuffled, each batch padded to its longest",
        (Method::Batched(Sampler::Sorted), _) => {
            "like lengths together, each batch padded to its longest"
        }
        (Method::Batched(Sampler::Packed), _) => "rows filled with several sequences, in batches",
        (Method::Batched(_), _) => "batches of the chosen sampler, each padded to its longest",
        (Method::Packed, View::Graphs) => "several graphs in each pack, packs of one size",
        (Method::Packed, _) => {
            "several sequences in a row; attention is computed for all of the row, and a mask drops what lies between sequences"
        }
        (Method::PackedBlocks, _) => {
            "the same rows; a kernel computes attention within each sequence alone, the blocks on the diagonal"
        }
        (Method::Unpadded, View::Graphs) => {
            "graphs as they come, nothing empty; steps differ in size"
        }
        (Method::Unpadded, _) => {
            "sequences end to end in one row (varlen), nothing empty; accelerators get unequal work and wait"
        }
        (Method::Balanced, View::Graphs) => {
            "the same, graphs of a step dealt out so that all have as much to do"
        }
        (Method::Balanced, _) => {
            "the same, sequences of a step dealt out so that all have as much to do"
        }
    }
}

/// Returns the method as an adverbial, before "it takes".
fn adverb(method: Method) -> String {
    match method {
        Method::Padded => "padded".to_owned(),
        Method::Batched(Sampler::Random) => "in random batches".to_owned(),
        Method::Batched(Sampler::Sorted) => "in sorted batches".to_owned(),
        Method::Batched(Sampler::LengthGrouped) => "grouped by length".to_owned(),
        Method::Batched(Sampler::BucketByLength) => "bucketed by length".to_owned(),
        Method::Batched(Sampler::TokenBudget) => "by a token budget".to_owned(),
        Method::Batched(Sampler::Bucket) => "with BucketSampler".to_owned(),
        Method::Batched(Sampler::Packed) | Method::Packed => "packed".to_owned(),
        Method::PackedBlocks => "packed block-diagonally".to_owned(),
        Method::Unpadded => "unpadded".to_owned(),
        Method::Balanced => "unpadded and balanced".to_owned(),
    }
}

pub(super) fn noun(method: Method, view: View) -> &'static str {
    match method {
        Method::Padded => "padding to the limit",
        Method::Batched(Sampler::Random) => "random batches",
        Method::Batched(Sampler::Sorted) => "sorted batches",
        Method::Batched(Sampler::LengthGrouped) => "length-grouped batches",
        Method::Batched(Sampler::BucketByLength) => "batches bucketed by length",
        Method::Batched(Sampler::TokenBudget) => "batches of a token budget",
        Method::Batched(Sampler::Bucket) => "BucketSampler",
        Method::Batched(Sampler::Packed) => "packed rows",
        Method::Packed if view == View::Graphs => "packing",
        Method::Packed => "packing with a mask",
        Method::PackedBlocks => "block-diagonal packing",
        Method::Unpadded => "unpadding",
        Method::Balanced => "balanced unpadding",
    }
}

/// Returns the name of the method with which the view compares the others, for use after "against".
pub fn baseline(state: &AppState) -> &'static str {
    match (state.view, state.baseline) {
        (View::Batches, _) | (View::Sequences, Baseline::Batches) => "random batches",
        (View::Sequences | View::Graphs | View::Ranks | View::Learn, _) => "padded",
    }
}

/// Makers, left out of the names of accelerators.
const MAKERS: [&str; 7] = [
    "NVIDIA",
    "AMD",
    "Instinct",
    "Intel",
    "Google",
    "Graphcore",
    "GeForce",
];

/// Returns the name of an accelerator without its maker, form and memory: `A100`, `TPU v4`.
pub fn short_accelerator(name: &str) -> String {
    let words = name.split(' ').skip_while(|word| MAKERS.contains(word));
    let ends = |word: &&str| word.starts_with('(') || word.starts_with("SXM") || *word == "PCIe";
    let words: Vec<&str> = words.take_while(|word| !ends(word)).collect();
    words
        .join(" ")
        .split(',')
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// Returns the name of a model without its remarks: `BERT base`, `GIN`.
pub fn model_name(state: &AppState) -> &'static str {
    let (transformer, gnn): (&Preset<Transformer>, &Preset<Gnn>) =
        (state.speedup.transformer, state.speedup.gnn);
    let name = if state.view == View::Graphs {
        gnn.name
    } else {
        transformer.name
    };
    name.split([',', '(']).next().unwrap_or(name).trim_end()
}

/// Returns the accelerators in words: `8 A100s`, `one A100`.
pub fn crew(state: &AppState) -> String {
    let name = short_accelerator(state.speedup.accelerator.name);
    match state.speedup.assumptions().accelerators {
        1 => format!("one {name}"),
        n => format!("{} {name}s", count(u64::from(n))),
    }
}

impl AppState {
    /// Returns the method of the view: the chosen sampler, or packs, kept apart as the cost of keeping apart says: for
    /// nothing by block-diagonal kernels, else by a mask.
    pub fn speedup_chosen(&self) -> Method {
        let figures = self
            .sequences
            .answer
            .as_ref()
            .map(|answer| &answer.report.figures);
        // Sorted batches have no bound, for they are no packing.
        let packs = figures.is_none_or(|f| f.lower_bound.is_some());
        let apart = figures.is_some_and(|f| f.max_depth > 1);
        match self.view {
            View::Batches => Method::Batched(self.batch_row().sampler),
            View::Sequences if !packs => Method::Batched(Sampler::Sorted),
            View::Sequences if apart && self.masking() == Overhead::Free => Method::PackedBlocks,
            _ => Method::Packed,
        }
    }
}

/// Returns the estimate of the view's method; without one, the fastest.
fn chosen<'a>(state: &AppState, estimates: &'a [Estimate]) -> Option<&'a Estimate> {
    let method = state.speedup_chosen();
    estimates
        .iter()
        .find(|e| e.method == method)
        .or_else(|| fastest(estimates))
}

/// Returns the fastest of the possible methods; the first of equals.
fn fastest(estimates: &[Estimate]) -> Option<&Estimate> {
    estimates.iter().filter(|e| e.possible).reduce(|best, e| {
        // Of methods that are alike, the first is the simplest.
        if e.seconds < best.seconds * (1.0 - ALIKE) {
            e
        } else {
            best
        }
    })
}

/// Whether no other method is noticeably faster.
fn is_fastest(estimates: &[Estimate], method: Method) -> bool {
    let least = estimates
        .iter()
        .filter(|e| e.possible)
        .map(|e| e.seconds)
        .fold(f64::INFINITY, f64::min);
    estimates
        .iter()
        .any(|e| e.method == method && e.possible && e.seconds <= least * (1.0 + ALIKE))
}

/// Returns what the estimates are of, with its article: an epoch, or in inference a pass over the data.
pub fn a_run(state: &AppState) -> &'static str {
    if state.trains() {
        "an epoch"
    } else {
        "a pass over the data"
    }
}

/// Returns the title of the section for queries one by one, and what it means; `None` before an answer.
pub fn of_queries(state: &AppState) -> Option<[String; 2]> {
    let row = state.batch_row();
    if state.view != View::Batches || state.batch_settings().mode != Mode::RealTime {
        return None;
    }
    let priced = state.priced_figures(&[row]);
    let f = priced.get(&row)?;
    let (model, one) = (
        model_name(state),
        short_accelerator(state.speedup.accelerator.name),
    );
    let (all, each) = (
        f.estimated_seconds,
        f.estimated_seconds / f.items.max(1) as f64,
    );
    let gain = match f.estimated_speedup {
        s if (s - 1.0).abs() < ALIKE => String::new(),
        s => format!(", {} as fast as with all tokens", about_factor(s)),
    };
    Some([
        format!(
            "One by one, {model} on one {one} takes {} for {}, {} each{gain}, estimated",
            about_duration(all),
            if f.items == 1 { "1 query".to_owned() } else { format!("{} queries", count(f.items)) },
            about_duration(each)
        ),
        "Time goes with the tokens of a query, all else left out. There are no batches, so nothing is padded and nothing waits."
            .to_owned(),
    ])
}

/// Returns the title of the section: the share of padding in an epoch, and its time without padding.
pub fn of_epoch(state: &AppState, estimates: &[Estimate]) -> Option<String> {
    let (first, e) = (estimates.first()?, chosen(state, estimates)?);
    let (crew, model, way) = (crew(state), model_name(state), adverb(e.method));
    let (before, after) = (about_duration(first.seconds), about_duration(e.seconds));
    let (share, usual) = (first.parts.padding / first.seconds, adverb(first.method));
    let run = match state.trains() {
        true => format!("an epoch of {model}"),
        false => format!("a pass of {model} over the data"),
    };
    let title = match e.speedup {
        _ if e.method == first.method => {
            format!(
                "{way}, {run} takes {crew} {before}, {} of it padding, estimated",
                whole(share)
            )
        }
        s if (s - 1.0).abs() < ALIKE => {
            format!("{way}, {run} takes {crew} as long as {usual}: {before}, estimated")
        }
        s if s < 1.0 => {
            format!("{way}, {run} takes {crew} {after}, {usual} {before}, estimated: no gain")
        }
        _ if share < 0.01 => {
            format!("{way}, {run} takes {crew} {after} instead of {before}, estimated")
        }
        _ => {
            let spend = if state.speedup.assumptions().accelerators == 1 {
                "spends"
            } else {
                "spend"
            };
            let share = whole(share).to_ascii_lowercase();
            format!(
                "{crew} {spend} {share} of {run} on padding: {way}, it takes {after} instead of {before}{}, estimated",
                of_waiting(e)
            )
        }
    };
    Some(capital(&title))
}

/// Returns a clause about waiting; empty below a tenth of the time.
fn of_waiting(e: &Estimate) -> String {
    match e.parts.waiting / e.seconds {
        share if share < 0.1 => String::new(),
        share => format!(", {} of it waiting", whole(share)),
    }
}

/// Returns the title of the parts: the share of useful work in the time of the view's method.
pub fn of_parts(state: &AppState, estimates: &[Estimate]) -> Option<String> {
    let e = chosen(state, estimates)?;
    // Time is useful where it goes into real tokens; padding, masks, overhead and waiting are the
    // rest.
    let useful = (e.parts.linear + e.parts.attention) / e.seconds;
    let (way, share) = (
        capital(&adverb(e.method)),
        whole(useful).to_ascii_lowercase(),
    );
    let first = estimates.first()?;
    let before =
        whole((first.parts.linear + first.parts.attention) / first.seconds).to_ascii_lowercase();
    Some(match e.method == first.method {
        true => format!(
            "{share} of the time is work on real {}, estimated",
            units(state)[0]
        ),
        false => format!(
            "{way}, {share} of the time is work on real {}; {}, {before}, estimated",
            units(state)[0],
            adverb(first.method)
        ),
    })
}

/// Returns the title of the curve: the fastest methods on few and on many accelerators.
pub fn of_crew(state: &AppState, priced: &[(u32, PricedEstimates)]) -> Option<String> {
    // Where an epoch is a single step, more accelerators are idle.
    let busy = |at: &PricedEstimates| at.estimates.iter().all(|e| e.steps > 1);
    let until = priced
        .iter()
        .position(|(_, at)| !busy(at))
        .unwrap_or(priced.len())
        // At least one number is told of, even if a single step is the whole epoch.
        .max(1);
    let priced = &priced[..until.min(priced.len())];
    let winners: Vec<(u32, Method)> = priced
        .iter()
        .map(|(r, at)| Some((*r, fastest(&at.estimates)?.method)))
        .collect::<Option<_>>()?;
    let many = winners.last()?;
    let name = |method| noun(method, state.view);
    let most = match many.0 {
        MOST => "any number of".to_owned(),
        r => format!("up to {}", count(u64::from(r))),
    };
    // One method may be fastest everywhere without being the winner everywhere: times that differ
    // by little count as equal.
    let everywhere = |method: &Method| {
        priced
            .iter()
            .all(|(_, at)| is_fastest(&at.estimates, *method))
    };
    if let Some(method) = winners
        .iter()
        .map(|(_, method)| *method)
        .find(|method| everywhere(method))
    {
        return Some(format!(
            "Fastest on {most} accelerators: {}, estimated",
            name(method)
        ));
    }
    let others = priced
        .iter()
        .rposition(|(_, at)| !is_fastest(&at.estimates, many.1))?;
    let from = winners.get(others + 1)?.0;
    // Numbers of accelerators are doubled, so that below two there is one.
    let few = if from == 2 {
        "one accelerator"
    } else {
        "few accelerators"
    };
    Some(format!(
        "Fastest on {few}: {}; from {} on: {}, estimated",
        name(winners.first()?.1),
        count(u64::from(from)),
        name(many.1)
    ))
}

/// Returns the title of the table: the fastest at the chosen number of accelerators.
pub fn of_methods(state: &AppState, estimates: &[Estimate]) -> Option<String> {
    let (best, first) = (fastest(estimates)?, estimates.first()?);
    let crew = crew(state);
    Some(match best.method {
        Method::Padded => format!("Nothing is faster than padding on {crew}, estimated"),
        method if method == first.method => {
            format!(
                "Nothing is faster than {} on {crew}, estimated",
                noun(method, state.view)
            )
        }
        method => {
            let (name, gain) = (noun(method, state.view), banded(best));
            format!(
                "Fastest on {crew}: {name}, {gain} against {}, estimated",
                baseline(state)
            )
        }
    })
}

/// Returns a warning where the band of the view's method begins below 1: trainings of this kind were that far from their
/// estimates.
pub fn of_doubt(state: &AppState, estimates: &[Estimate]) -> Option<String> {
    let e = chosen(state, estimates)?;
    // For BERT large the band is 0.82 to 2.9: the training may well become slower, which nobody
    // should have to conclude.
    let [low, high] = e.band;
    let (of, some) = match state.trains() {
        true => ("trainings", "steps"),
        false => ("passes", "batches"),
    };
    (low < 1.0 && high > 1.0).then(|| {
        format!(
            "The band, {} to {}, begins below 1: {of} of this kind were that far from their estimates, so {} may be slower than \
             {}. Measure a few hundred {some} of both before you switch.",
            packscope::words::about(low),
            packscope::words::about(high),
            noun(e.method, state.view),
            match state.view {
                View::Batches => "random batches",
                _ => "padding",
            },
        )
    })
}

/// Returns a description of a part of the time, by its name in [`Parts::named`](packscope::cost::TimeParts::named).
pub fn of_part(state: &AppState, part: &str) -> String {
    let [first, second] = units(state);
    let graphs = state.view == View::Graphs;
    match part {
        "linear" => format!("work on real {first}"),
        "attention" if graphs => format!("work on {second}"),
        "attention" => "attention within sequences".to_owned(),
        "padding" => "padding".to_owned(),
        "masking" if graphs => "keeping packed graphs apart".to_owned(),
        "masking" => "attention under a mask, beyond what is of use".to_owned(),
        "waiting" => "waiting for the slowest accelerator".to_owned(),
        _ if !state.trains() => "what batches cost beside their work".to_owned(),
        _ => "what steps cost beside their work".to_owned(),
    }
}

/// Returns a part of a method's time in words: duration and share.
pub fn of_share(state: &AppState, e: &Estimate, part: &str) -> Option<String> {
    let (_, seconds) = e
        .parts
        .named()
        .into_iter()
        .find(|(name, _)| *name == part)?;
    let (name, what) = (name_of(e.method, state.view), of_part(state, part));
    if seconds == 0.0 {
        return Some(format!("{name}: {what}, none, estimated"));
    }
    let share = about_percent(seconds / e.seconds);
    let spread = match part {
        "waiting" if e.error > 0.0 => format!(" ± {}", about_duration(e.error)),
        _ => String::new(),
    };
    let run = if state.trains() { "epoch" } else { "pass" };
    Some(format!(
        "{name}: {what}, {}{spread}, {share} of the {run}, estimated",
        about_duration(seconds)
    ))
}

fn units(state: &AppState) -> [String; 2] {
    match state.view {
        View::Graphs => state.graphs.words().components,
        _ => ["tokens".to_owned(), "pairs".to_owned()],
    }
}
