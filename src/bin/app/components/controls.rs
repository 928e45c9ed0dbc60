//! The column of controls: limit, depth, algorithm, and the settings that few change.

use super::data::PasteHint;
use super::exact::Exact;
use super::explained::terms;
use super::fold::{Column, Fold, use_room_fold};
use super::settings::{budget, deepest, depth_of, in_background, limit_of, policy_of, with_proof};
use super::slider::real;
use super::trainer::chosen;
use super::{filtered, list};
use crate::shared::Props;
use packscope::api::Settings;
use packscope::api::fields::sequences::{ALGORITHM, ALIGN, DEPTH, LIMIT, OVERHEAD, OVERLONG};
use packscope::cost::Overhead;
use packscope::histogram::{Histogram, Overlong};
use packscope::ingest;
use packscope::packing::Algorithm;
use packscope::words::{count, factor, mean, percent, plural, singular};
use packscope_page::state::{Action, Baseline, DISTINCT, Data, Source};
use yew::prelude::*;

#[component]
pub fn Controls(props: &Props) -> Html {
    let fold = use_room_fold("further");
    let (settings, unit) = (
        &props.state.sequences.settings,
        props.state.sequences.unit(),
    );
    let (limit_of, deep) = (count(u64::from(settings.limit)), deepest(settings.depth));
    let library = chosen(&props.state);
    let summary = match library {
        Some(library) => format!("{limit_of} {unit} · {library}"),
        None => format!(
            "{limit_of} {unit} · {deep} · {}",
            settings.algorithm.short_name()
        ),
    };
    html! {
        <Column {summary}>
            { limit(props) }
            // A library packs in its own way.
            if library.is_none() {
                { depth(props) }
                { algorithms(props) }
            }
            { further(props, fold) }
        </Column>
    }
}

pub const PASTED: PasteHint = PasteHint {
    label: "Lengths, or a table of length and count",
    example: "128\n97\n512\n…",
    hint: "One length per line or between commas; CSV with columns such as length,count; JSON; JSON Lines.",
};

pub fn sentence(data: &Data) -> String {
    let stopwords = data
        .texts
        .as_ref()
        .map(|texts| stopwords(texts))
        .map(percent);
    let stopwords = stopwords.map_or_else(String::new, |share| format!("; {share} are stopwords"));
    match &data.source {
        Source::Own { description, .. } => {
            return format!("{}{stopwords}.", description.sentence());
        }
        Source::Kept { components, .. } => {
            let names: Vec<&str> = components.iter().map(String::as_str).take(1).collect();
            return format!("{}{stopwords}.", ingest::sentence(&data.histogram, &names));
        }
        Source::Preset(_) => {}
    }
    let h = &data.histogram;
    let (shortest, longest) = (u64::from(h.entries()[0].0[0]), u64::from(h.max()[0]));
    let mean = mean(h.mean());
    format!(
        "{} sequences, {}–{} tokens, mean {mean}.",
        count(h.items()),
        count(shortest),
        count(longest)
    )
}

/// Returns the stopwords as a share of all words.
pub fn stopwords(texts: &Histogram<2>) -> f64 {
    let [words, stopwords] = texts.total();
    stopwords as f64 / words as f64
}

fn limit(props: &Props) -> Html {
    let (value, max) = (
        props.state.sequences.settings.limit,
        props.state.sequences.largest_limit(),
    );
    let why = props.state.of_opening_limit();
    html! {
        <>
            { limit_of(
                LIMIT.value.id,
                LIMIT.label,
                props.state.sequences.unit(),
                (value, max),
                &props.dispatch.reform(Action::Limit),
            ) }
            if let Some(why) = why {
                <p class="hint">{ why }</p>
            }
        </>
    }
}

fn depth(props: &Props) -> Html {
    let set = props.dispatch.reform(Action::Depth);
    depth_of(
        DEPTH.label,
        DEPTH.about,
        (
            props.state.sequences.settings.depth,
            &props.state.sequences.depths(),
        ),
        set,
    )
}

/// The choice of the algorithm; each option has its number of rows.
fn algorithms(props: &Props) -> Html {
    let (settings, state) = (&props.state.sequences.settings, &props.state);
    let option = |algorithm: Algorithm| {
        let row = (algorithm, settings.depth);
        let packs = state
            .sequences
            .row(row)
            .map(|p| format!("{} rows", count(p.figures.packs)));
        // A dash where no number will come, dots where it is being computed.
        let never = algorithm.refuses(settings.limit) || state.is_left_out(algorithm);
        let packs = packs.unwrap_or_else(|| if never { "–" } else { "…" }.to_owned());
        let name = with_proof(algorithm.long_name(), state.sequences.proof(row));
        (
            algorithm.name().into(),
            format!("{name} · {packs}").into(),
            settings.algorithm == algorithm,
        )
    };
    let set = filtered(&props.dispatch, |name: String| {
        name.parse().ok().map(Action::Algorithm)
    });
    html! {
        <section class="control">
            <label for={ALGORITHM.value.id}>{ terms(ALGORITHM.label) }</label>
            { list(ALGORITHM.value.id, Algorithm::ALL.into_iter().map(option), &set) }
            <p class="hint">{ settings.algorithm.about() }</p>
            { budget(&props.state, settings.algorithm == Algorithm::Optimal, &props.dispatch) }
        </section>
    }
}

/// The settings that few change, folded unless one is changed or all of the page is on screen.
fn further(props: &Props, Fold { open, ontoggle }: Fold) -> Html {
    let (settings, usual) = (&props.state.sequences.settings, Settings::default());
    // Only those below the fold: other settings have controls above it.
    let ours = (settings.overhead, settings.overlong, settings.align);
    let is_changed = ours != (usual.overhead, usual.overlong, usual.align)
        || props.state.baseline != Baseline::default()
        || !props.state.background.on;
    // What differs from the defaults must be in sight.
    let open = open || is_changed;
    html! {
        <details class="further" {open} {ontoggle}>
            <summary>{ "More settings" }</summary>
            { baseline(props) }
            { accelerator(props) }
            { policies(props) }
            { in_background(&props.state, &props.dispatch) }
        </details>
    }
}

/// The choice of the padded rows that packing is compared with.
fn baseline(props: &Props) -> Html {
    let now = props.state.baseline;
    let batch = props.state.sequences.settings.batch;
    let set = filtered(&props.dispatch, |name: String| {
        Baseline::named(&name).map(Action::Baseline)
    });
    let all = Baseline::ALL.map(|b| (b.name().into(), b.title(batch).into(), b == now));
    html! {
        <section class="control">
            <label for="baseline">{ "Compared with" }</label>
            { list("baseline", all, &set) }
        </section>
    }
}

fn accelerator(props: &Props) -> Html {
    let overhead = props.state.sequences.settings.overhead;
    let figures = props
        .state
        .sequences
        .answer
        .as_ref()
        .map(|a| &a.report.figures);
    let speedup = figures
        .and_then(|f| props.state.compared_with()?.realised_speedup(f))
        .map_or_else(|| "–".to_owned(), factor);
    let set = filtered(&props.dispatch, |value: String| {
        value.parse().ok().map(Action::Overhead)
    });
    let typed = real(
        0.0..,
        &props
            .dispatch
            .reform(|percent| Action::Overhead(Overhead::Own(percent / 100.0))),
    );
    let all = [
        (
            "free",
            "None: block-diagonal kernels",
            overhead == Overhead::Free,
        ),
        (
            "ipu",
            "A mask on an IPU, as Krell 2022 measured",
            overhead == Overhead::Ipu,
        ),
        // Begins at 5 %, to be changed in the field below.
        ("0.05", "My own share", matches!(overhead, Overhead::Own(_))),
    ];
    let all = all.map(|(value, words, now)| (value.into(), words.into(), now));
    html! {
        <section class="control">
            <div class="line">
                <label for="accelerator">{ "Cost of keeping apart" }</label>
                // An `output` is read out at each change unless told otherwise; the headline is
                // announced instead.
                <output for="accelerator" aria-live="off">{ speedup }</output>
            </div>
            { list("accelerator", all, &set) }
            if let Overhead::Own(share) = overhead {
                <div class="line">
                    <label for="overhead">{ OVERHEAD.label }</label>
                    <Exact
                        id="overhead"
                        name={OVERHEAD.label}
                        min=0.0
                        step="0.1"
                        // In percent: 0.07 · 100 alone is written as 7.000000000000001.
                        value={((share * 1e5).round() / 1e3).to_string()}
                        {typed}
                    />
                </div>
            }
            <p class="hint">
                {
                    figures
                        .and_then(|f| f.overhead)
                        .map_or_else(String::new, |o| format!(
                            "{} for masks, position ids and loss per sequence. ",
                            percent(o)
                        ))
                }
                { source(overhead) }
            </p>
        </section>
    }
}

fn source(overhead: Overhead) -> &'static str {
    match overhead {
        Overhead::Ipu => {
            "BERT on a Graphcore IPU: Krell et al. 2022, Table 1, linearly interpolated between depths."
        }
        Overhead::Free => "An assumption: kernels that never compute attention between sequences.",
        Overhead::Own(_) => "Your figure.",
    }
}

fn policies(props: &Props) -> Html {
    let settings = &props.state.sequences.settings;
    let to = props
        .dispatch
        .reform(|text| Action::Set(ALIGN.value.id, text));
    // Each option says what it costs, where that takes less than a frame.
    let data = props.state.sequences.data.as_ref();
    let counted = data
        .map(|data| &data.histogram)
        .filter(|h| h.distinct() <= DISTINCT);
    let mut aligns = vec![1, 2, 4, 8, 16, 32, 64, 128];
    // An address may set another multiple, which then has its place in the list.
    if let Err(at) = aligns.binary_search(&settings.align) {
        aligns.insert(at, settings.align);
    }
    let align = |a: u32| {
        let added = counted
            .filter(|_| a > 1)
            .map(|h| percent(h.added_by_alignment(a, settings.limit)));
        let words = added.map_or_else(
            || plural(u64::from(a), singular(ALIGN.unit)),
            |added| format!("{} (+{added})", count(u64::from(a))),
        );
        (a.to_string().into(), words.into(), settings.align == a)
    };
    let set = props
        .dispatch
        .reform(|text| Action::Set(OVERLONG.value.id, text));
    html! {
        <section class="control two">
            <div>
                { policy_of(OVERLONG.label.to_owned(), Overlong::ALL, settings.overlong, set) }
            </div>
            <div>
                <label for={ALIGN.value.id}>{ ALIGN.label }</label>
                { list(ALIGN.value.id, aligns.into_iter().map(align), &to) }
            </div>
        </section>
    }
}
