//! The sequences by where they are from: a table, a histogram with a colour for each source, and a mix that one can set.

use crate::components::{fold::Folded, framed};
use crate::shared::SharedState;
use packscope::supervision::words::{named, skewed};
use packscope::words::{about_factor, count, percent};
use packscope_page::state::Action;
use packscope_page::state::supervision::{SourceRow, StackedBin};
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: SharedState,
    pub dispatch: Callback<Action>,
    /// The field that names sources.
    pub by: String,
}

/// The table by source, its histogram, and the mix.
#[component]
pub fn Sources(props: &Props) -> Html {
    let state = &props.state;
    let Some(found) = state.supervised() else {
        return Html::default();
    };
    let skewed = skewed(&found.sources, &found.curves.0);
    let title = skewed.unwrap_or_else(|| format!("By {}", props.by));
    html! {
        <>
            <h3>{ title }</h3>
            { stacked(&state.stacked_sources(), state.sequences.unit()) }
            { table(&state.of_sources(), &props.by) }
            <Folded id="source-mix" title={html! { "Mix the sources" }}>
                <Mixing ..props.clone() />
            </Folded>
        </>
    }
}

fn table(rows: &[SourceRow<'_>], by: &str) -> Html {
    let row = |(at, row): (usize, &SourceRow<'_>)| {
        let [tokens, supervised, untrained] = row.lost.map(percent);
        html! {
            <tr data-source={row.name.to_owned()}>
                <th scope="row"><i class={format!("swatch source-{at}")} />{ row.name.to_owned() }</th>
                <td>{ count(row.documents.0) }</td>
                <td data-figure="documents" data-value={row.documents.1.to_string()}>
                    { percent(row.documents.1) }
                </td>
                <td data-figure="tokens" data-value={row.tokens.1.to_string()}>
                    { percent(row.tokens.1) }
                </td>
                <td>{ percent(row.supervised.1) }</td>
                <td>{ tokens }</td>
                <td>{ supervised }</td>
                <td>{ untrained }</td>
            </tr>
        }
    };
    let heads = [
        by,
        "Documents",
        "Share",
        "Of tokens",
        "Of supervised",
        "Tokens lost",
        "Supervised lost",
        "Train nothing",
    ];
    framed(
        [
            "compare of-sources",
            "Documents, tokens and losses by source",
        ],
        None,
        html! { { for heads.map(|head| html! { <th>{ head.to_owned() }</th> }) } },
        rows.iter().enumerate().map(row),
    )
}

/// Draws bins as stacks of sources, with the height of the fullest.
fn stacked(bins: &[StackedBin], unit: &str) -> Html {
    let whole = |bin: &StackedBin| bin.documents.iter().sum::<u64>();
    let most = bins.iter().map(whole).max().unwrap_or(0).max(1) as f64;
    let stack = |(k, bin): (usize, &StackedBin)| {
        let title = format!(
            "to {} {unit}: {}",
            count(u64::from(bin.to)),
            count(whole(bin))
        );
        let mut above = 100.0;
        let piece = |(at, n): (usize, &u64)| {
            let height = 100.0 * *n as f64 / most;
            above -= height;
            // The last of a bin are those of sources that are not listed.
            let class = match at + 1 == bin.documents.len() {
                true => "source-rest".to_owned(),
                false => format!("source-{at}"),
            };
            html! {
                <rect
                    {class} x={format!("{k}.05")} width="0.9" y={above.to_string()}
                    height={height.to_string()}
                />
            }
        };
        html! {
            <g>
                <title>{ title }</title>
                { for bin.documents.iter().enumerate().map(piece) }
            </g>
        }
    };
    let label = format!("Sequences by length and source, in {} bins", bins.len());
    let ends = [bins.first(), bins.last()].map(|bin| bin.map_or(0, |bin| u64::from(bin.to)));
    html! {
        <figure class="stacked">
            <svg
                role="img" aria-label={label} viewBox={format!("0 0 {} 100", bins.len())}
                preserveAspectRatio="none"
            >
                { for bins.iter().enumerate().map(stack) }
            </svg>
            <figcaption class="small">
                <span>{ format!("to {}", count(ends[0])) }</span>
                <span>{ "sequences by length, each bin longer by one factor" }</span>
                <span>{ format!("to {} {unit}", count(ends[1])) }</span>
            </figcaption>
        </figure>
    }
}

/// Weights of documents that one types, what they come to, and the lines that set them.
#[component]
fn Mixing(props: &Props) -> Html {
    let state = &props.state;
    let typed = use_state_eq(Vec::<f64>::new);
    let Some(found) = state.supervised() else {
        return Html::default();
    };
    // As they are, until something else is typed.
    let shares: Vec<f64> = found
        .sources
        .iter()
        .map(|(_, of)| of.items() as f64 / found.curves.0.items().max(1) as f64)
        .collect();
    let weights = if typed.len() == shares.len() {
        (*typed).clone()
    } else {
        shares
            .iter()
            .map(|share| (share * 1000.0).round() / 10.0)
            .collect()
    };
    let Some((now, then, lines)) = state.mix_of_sources(&weights) else {
        return html! { <p>{ "Each source needs a weight of 0 or more, one of them above 0." }</p> };
    };
    let row = |(at, (name, _)): (usize, &(String, _))| {
        let oninput = {
            let (set, weights) = (typed.setter(), weights.clone());
            Callback::from(move |e: InputEvent| {
                let text = e
                    .target_dyn_into::<HtmlInputElement>()
                    .map(|input| input.value());
                let weight = text.and_then(|text| text.parse::<f64>().ok());
                if let Some(weight) = weight.filter(|weight| weight.is_finite() && *weight >= 0.0) {
                    let mut weights = weights.clone();
                    weights[at] = weight;
                    set.set(weights);
                }
            })
        };
        let label = format!("Weight of {}", named(name));
        html! {
            <tr>
                <th scope="row">{ named(name).to_owned() }</th>
                <td>
                    <input
                        type="number" min="0" step="any" inputmode="decimal" aria-label={label}
                        value={weights[at].to_string()} {oninput}
                    />
                </td>
                <td>{ percent(then.documents[at]) }</td>
                <td>{ percent(now.tokens[at]) }</td>
                <td data-figure="tokens" data-value={then.tokens[at].to_string()}>
                    { percent(then.tokens[at]) }
                </td>
                <td>{ percent(then.supervised[at]) }</td>
                <td>{ about_factor(then.epochs[at]) }</td>
            </tr>
        }
    };
    let heads = [
        props.by.as_str(),
        "Weight",
        "Documents",
        "Tokens now",
        "Tokens then",
        "Supervised then",
        "Epochs",
    ];
    html! {
        <>
            { framed(
                ["compare of-mix", "Weights of sources, and what they come to"],
                None,
                html! { { for heads.map(|head| html! { <th>{ head.to_owned() }</th> }) } },
                found.sources.iter().enumerate().map(row),
            ) }
            <p class="small">
                { "Weights are of documents, as Hugging Face's interleave_datasets draws them. Epochs: how often each document of a source is seen, in as many as there are." }
            </p>
            <pre class="lines"><code>{ lines }</code></pre>
        </>
    }
}
