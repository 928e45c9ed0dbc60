//! The column of controls: data, limits, depth, algorithm, heuristic, overhead.

use crate::coming::load_graphs;
use crate::components::data::{DataPicker, PasteHint, picked};
use crate::components::exact::Exact;
use crate::components::explained::terms;
use crate::components::fold::Column;
use crate::components::settings::{
    ChoiceOption, budget, choices, deepest, depth_of, in_background, limit_of, policy_of,
    with_proof,
};
use crate::components::slider::real;
use crate::components::{NONE, filtered, tied};
use crate::shared::{SharedState, ViewProps};
use packscope::api::fields::SettingField;
use packscope::api::fields::graphs::{
    ALGORITHM, DEPTH, EDGES, HEURISTIC, NODES, OVERHEAD, OVERLONG,
};
use packscope::api::tuple::Settings;
use packscope::cost::Overhead;
use packscope::histogram::{Attention, Overlong, Preset};
use packscope::ingest::ItemWords;
use packscope::ingest::{self, Description};
use packscope::packing::tuple::{Heuristic, TupleAlgorithm};
use packscope::words::{capital, count, mean};
use packscope_page::state::graphs::{Action, TupleRow};
use packscope_page::state::{self, GraphState, Source};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: SharedState,
    pub dispatch: Callback<Action>,
    pub shared: Callback<packscope_page::state::Action>,
}

#[component]
pub fn Controls(props: &Props) -> Html {
    let state = &props.state.graphs;
    let (limits, most) = (state.limits(), state.largest_limits());
    let words = state.words();
    // O(distinct log distinct): not at every step of a slider.
    let coverings = use_memo(state.version(), |_| state.coverings());
    // The limit of attention that evens packs out depends on that of tokens.
    let attention = use_memo((state.version(), limits[0]), |_| state.of_attention());
    let limit = |k: usize, of: SettingField<Settings>| {
        let (label, unit) = (words.say(of.label), words.say(of.unit));
        // The hint below says what a unit is; the slider has room for a word.
        let unit = if unit == Attention::UNITS {
            "units".to_owned()
        } else {
            unit
        };
        let set = props.dispatch.reform(move |limit| Action::Limit(k, limit));
        limit_of(of.value.id, &label, &unit, (limits[k], most[k]), &set)
    };
    let chosen = state.settings.algorithm.long_name();
    let set = packscope_page::state::graphs::findings::limits(limits);
    let summary = format!("{set} · {} · {chosen}", deepest(state.settings.depth));
    html! {
        <Column {summary}>
            { limit(0, NODES) }
            { limit(1, EDGES) }
            if let Some(attention) = &*attention {
                { even(props, attention) }
            } else {
                { holding_limits(props, &words, &coverings) }
            }
            { deep(props, state, &words) }
            { algorithms(props, state, &words) }
            { heuristics(props, state, &words) }
            { policy(props, state, &words) }
            { overhead(props, state, &words) }
            { in_background(&props.state, &props.shared) }
        </Column>
    }
}

fn deep(props: &Props, state: &GraphState, words: &ItemWords) -> Html {
    let (label, hint) = (words.say(DEPTH.label), words.say(DEPTH.about));
    let set = props.dispatch.reform(Action::Depth);
    depth_of(&label, &hint, (state.settings.depth, &*state.depths()), set)
}

/// The picker of graphs.
pub fn data(props: &ViewProps) -> Html {
    let (absent, words) = (props.state.absent, props.state.graphs.words());
    let said = |data: &state::Data<2>| sentence(data, &words);
    let Some((source, sentence)) = picked(props.state.graphs.data.as_ref(), absent, said) else {
        return Html::default();
    };
    let pasted = PasteHint {
        label: "Graphs or pairs: two sizes, and how many there are",
        example: "nodes,edges,count\n18,38,694\n20,42,2102\n…",
        hint: "Two numbers on a line with a comma between them, or three with a count; a table with columns such as nodes and edges, or source and target; JSON; JSON Lines.",
    };
    let pick = {
        let dispatch = props.dispatch.clone();
        Callback::from(move |preset: &'static Preset| {
            // Both limits begin at the largest graph.
            load_graphs(preset, [true; 2], dispatch.clone())
        })
    };
    html! {
        <DataPicker
            {source}
            {absent}
            {sentence}
            presets={Preset::GRAPHS}
            {pasted}
            {pick}
            open={props.files.open.clone()}
            reread={props.files.reread.clone()}
        />
    }
}

fn sentence(data: &state::Data<2>, words: &ItemWords) -> String {
    if let Source::Own { description, .. } = &data.source {
        // If the file has no names for the components, the names on the rest of the page are used.
        let named = Description {
            components: words.components.to_vec(),
            ..(**description).clone()
        };
        return format!("{}.", named.sentence());
    }
    if matches!(data.source, Source::Kept { .. }) && words.attention.is_none() {
        return format!("{}.", ingest::sentence(&data.histogram, &words.names()));
    }
    let h = &data.histogram;
    let ([a, b], [most_a, most_b]) = (
        h.mean_size().map(mean),
        h.max().map(|m| count(u64::from(m))),
    );
    let ([first, second], items) = (words.names(), words.count(h.items()));
    let sizes = count(h.distinct() as u64);
    format!(
        "{items} of {sizes} sizes, up to {most_a} {first} and {most_b} {second}, mean {a} and {b}."
    )
}

/// Limits that hold 95, 99 and 100 % of the items, as buttons that set them.
fn holding_limits(
    props: &Props,
    words: &ItemWords,
    coverings: &[(&'static str, [u32; 2])],
) -> Html {
    let now = props.state.graphs.limits();
    let button = |(at, (name, limits)): (usize, &(&'static str, [u32; 2]))| {
        let (limits, apart) = (*limits, if at == 0 { " " } else { "; " });
        let set = props.dispatch.reform(move |_| Action::Limits(limits));
        let shown = packscope_page::state::graphs::findings::limits(limits);
        html! {
            <>
                { tied(&format!("{apart}{name}: ")) }
                <button
                    type="button"
                    class="word"
                    data-held={*name}
                    aria-pressed={(limits == now).to_string()}
                    onclick={set}
                >
                    { shown }
                </button>
            </>
        }
    };
    html! {
        <p class="hint after">
            { format!("To hold {} whole:", words.items) }
            { for coverings.iter().enumerate().map(button) }
        </p>
    }
}

/// The unit of attention, and the limits that even packs out as a button that sets them.
fn even(props: &Props, (said, limits): &(String, [u32; 2])) -> Html {
    let limits = *limits;
    let set = props.dispatch.reform(move |_| Action::Limits(limits));
    let pressed = (limits == props.state.graphs.limits()).to_string();
    html! {
        <p class="hint after">
            { terms(said) }
            { " A tenth above a full pack’s mean, or the largest: " }
            <button type="button" class="word" aria-pressed={pressed} onclick={set}>
                { packscope_page::state::graphs::findings::limits(limits) }
            </button>
        </p>
    }
}

/// The packs of a row; `…` until it is computed, `–` if it is left out.
fn packs(props: &Props, row: TupleRow) -> String {
    let none = if props.state.is_row_left_out(row) {
        "–"
    } else {
        "…"
    };
    props
        .state
        .graphs
        .row(row)
        .map_or_else(|| none.to_owned(), |p| count(p.figures.packs))
}

fn algorithms(props: &Props, state: &GraphState, words: &ItemWords) -> Html {
    let way = |algorithm: TupleAlgorithm| ChoiceOption {
        value: algorithm.name().to_owned(),
        name: with_proof(
            &words.say(algorithm.long_name()),
            state.proof(TupleRow::new(algorithm, state.settings.heuristic)),
        ),
        // A number of packs that exceed a limit does not stand beside those that keep it.
        figure: match algorithm.only() {
            Some(_) => NONE.to_owned(),
            None => packs(props, TupleRow::new(algorithm, state.settings.heuristic)),
        },
        about: words.say(algorithm.about()),
        more: budget(
            &props.state,
            [algorithm, state.settings.algorithm] == [TupleAlgorithm::Optimal; 2],
            &props.shared,
        ),
        chosen: state.settings.algorithm == algorithm,
        choose: props.dispatch.reform(move |_| Action::Algorithm(algorithm)),
    };
    choices(
        ALGORITHM.value.id,
        ALGORITHM.label,
        "packs",
        TupleAlgorithm::ALL.into_iter().map(way),
    )
}

fn heuristics(props: &Props, state: &GraphState, words: &ItemWords) -> Html {
    let settings = &state.settings;
    let used = settings.algorithm.has_heuristic();
    // Heuristics are those of best fit where the algorithm has none of its own.
    let algorithm = if used {
        settings.algorithm
    } else {
        TupleAlgorithm::BestFit
    };
    let mut all = algorithm.heuristics().to_vec();
    all.push(state.weighted());
    // An address may set weights, or a heuristic of another algorithm.
    if !all.contains(&settings.heuristic) {
        all.push(settings.heuristic);
    }
    let way = |heuristic: Heuristic| ChoiceOption {
        // One value for all weights, so that the field being typed into is not replaced.
        value: weights_of(heuristic)
            .map_or_else(|| heuristic.to_string(), |_| "weighted".to_owned()),
        name: weights_of(heuristic).map_or_else(
            || capital(&words.say(&heuristic.short_name())),
            |_| "Weighted".to_owned(),
        ),
        figure: packs(props, TupleRow::new(algorithm, heuristic)),
        about: words.say(&heuristic.about()),
        more: weights_of(heuristic).map_or_else(Html::default, |now| {
            weights(now, words, &props.dispatch.reform(Action::Heuristic))
        }),
        chosen: used && settings.heuristic == heuristic,
        choose: props.dispatch.reform(move |_| Action::Heuristic(heuristic)),
    };
    choices(
        HEURISTIC.value.id,
        HEURISTIC.label,
        "packs",
        all.into_iter().map(way),
    )
}

fn weights_of(heuristic: Heuristic) -> Option<[f64; 3]> {
    if let Heuristic::Weighted(weights) = heuristic {
        Some(weights)
    } else {
        None
    }
}

fn policy(props: &Props, state: &GraphState, words: &ItemWords) -> Html {
    let over = state.answer.as_ref().map_or(0, |a| a.report.overlong_items);
    let label = words.say(OVERLONG.label);
    // What is cut off a sequence takes more than its share of attention with it.
    let cut = |policy: &Overlong| words.attention.is_none() || *policy != Overlong::Truncate;
    let policies = Overlong::UNSPLIT.into_iter().filter(cut);
    let set = props
        .dispatch
        .reform(|text| Action::Set(OVERLONG.value.id, text));
    html! {
        <section class="control">
            { policy_of(label, policies, state.settings.overlong, set) }
            if over > 0 {
                <p class="hint">
                    { terms(&format!("{} above: waste, not padding.", words.count(over))) }
                </p>
            }
        </section>
    }
}

fn overhead(props: &Props, state: &GraphState, words: &ItemWords) -> Html {
    let settings = &state.settings;
    // 0 is no overhead of one’s own but the default, which addresses leave out.
    let own = |percent| {
        if percent > 0.0 {
            Overhead::Own(percent / 100.0)
        } else {
            Overhead::Free
        }
    };
    let typed = real(
        0.0..,
        &props
            .dispatch
            .reform(move |percent| Action::Overhead(own(percent))),
    );
    let none = match words.attention {
        Some(_) => String::new(),
        None => format!("None is published for {}. ", words.items),
    };
    let share = match settings.overhead {
        Overhead::Own(share) => share,
        usual => usual.at_depth(u64::from(settings.depth.get())),
    };
    html! {
        <section class="control">
            <div class="line">
                <label for="overhead">{ OVERHEAD.label }</label>
                <Exact
                    id="overhead"
                    name={OVERHEAD.label}
                    min=0.0
                    step="0.1"
                    value={((share * 1e5).round() / 1e3).to_string()}
                    {typed}
                />
            </div>
            <p class="hint">{ format!("{none}Packed BERT on an IPU has 4.3 %.") }</p>
        </section>
    }
}

/// Draws a field for each weight of a weighted sum; invalid text, such as an unfinished number, changes nothing.
fn weights(now: [f64; 3], words: &ItemWords, set: &Callback<Heuristic>) -> Html {
    let field = |k: usize| {
        let changed = filtered(set, move |weight| {
            let mut weights = now;
            weights[k] = weight;
            weights
                .iter()
                .any(|w| *w > 0.0)
                .then_some(Heuristic::Weighted(weights))
        });
        let typed = real(0.0.., &changed);
        let label = format!("Weight of {}", words.components[k]);
        html! {
            <Exact
                class="field"
                id={format!("weight-{}", k + 1)}
                about={label.clone()}
                name={label}
                min=0.0
                step="any"
                value={now[k].to_string()}
                {typed}
            />
        }
    };
    html! {
        <span class="weights" role="group" aria-label="Weights">
            { field(0) }
            { ":" }
            { field(1) }
        </span>
    }
}
