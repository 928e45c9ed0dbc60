//! A cap on the tokens of a micro-batch, and long sequences shared by several ranks.

use super::Props;
use crate::components::explained::{quiet, terms};
use crate::components::{button, entry_of, framed, titled};
use packscope::api::fields::ranks::{CAP, CONTEXT};
use packscope::api::ranks::{
    CappedMicroBatches, ContextReport, ContextWay, MicroBatchCounts, RankUnit,
};
use packscope::words::{about_percent, count, percent};
use packscope_page::state::ranks::findings::{idle, waits};
use yew::prelude::*;

/// Both, side by side.
pub fn limits(props: &Props) -> Html {
    html! { <div class="pair even">{ capped(props) }{ shared(props) }</div> }
}

/// The button that packs the rows of the ranks under a limit of attention as well as one of tokens.
pub fn of_attention(
    Props {
        state, dispatch, ..
    }: &Props,
) -> Html {
    let (state, dispatch) = (state.clone(), dispatch.clone());
    let open = move |_: MouseEvent| {
        state
            .attention()
            .into_iter()
            .for_each(|action| dispatch.emit(action))
    };
    button(
        "Pack rows under a limit of attention too",
        Callback::from(open),
    )
}

/// The section of a limit that is not set: what it is, and a button that sets it.
fn offered(
    props: &Props,
    id: &'static str,
    title: &str,
    about: &str,
    (label, value): (String, u64),
) -> Html {
    // Caps and sharing are for sequences: where packed rows are dealt, a sentence stands in place
    // of the button.
    let onclick = props.set(id).reform(move |_: MouseEvent| value.to_string());
    html! {
        <section class="caps">
            <h2>{ titled(title) }</h2>
            <p class="small">
                { terms(about) }
                { " " }
                if props.settings.unit == RankUnit::Sequences {
                    { button(&label, onclick) }
                } else {
                    { "It is for sequences, not for packed rows." }
                }
            </p>
        </section>
    }
}

fn number(value: u64) -> Option<[String; 2]> {
    Some([value.to_string(), count(value)])
}

/// The share of idle time at a factor, exact and as it is shown.
pub fn waiting(factor: f64) -> Option<[String; 2]> {
    Some([idle(factor).to_string(), waits(factor)])
}

fn capped(props: &Props) -> Html {
    let unit = props.state.sequences.unit();
    let Some(CappedMicroBatches {
        balanced,
        raised,
        first_fit,
    }) = &props.report.cap
    else {
        // Without a cap it is offered, at twice what the longest sequence may have.
        let most = u64::from(props.settings.limit) * 2;
        let about = "With a cap, a rank makes as many micro-batches as it needs (ppo_max_token_len_per_gpu of verl, max_tokens_per_gpu of slime).";
        let label = format!("Cap at {} {unit}", count(most));
        return offered(
            props,
            CAP.value.id,
            "A cap on the tokens of a micro-batch",
            about,
            (label, most),
        );
    };
    let title = match balanced.over {
        0 => "Under this cap no micro-batch is over it".to_owned(),
        over => {
            format!(
                "{} of {} micro-batches are over the cap",
                count(over),
                count(balanced.micro_batches)
            )
        }
    };
    let row = |(name, made): (&'static str, &MicroBatchCounts)| {
        html! {
            <tr>
                <th scope="row">{ quiet(name) }</th>
                { entry_of("micro_batches", "", number(made.micro_batches), "") }
                { entry_of("over", "", number(made.over), "") }
                { entry_of("most", "", number(made.most), "") }
                { entry_of(
                    "padding",
                    "extra",
                    Some([made.padding.to_string(), percent(made.padding)]),
                    "",
                ) }
                { entry_of("idle", "", waiting(made.factor), "") }
            </tr>
        }
    };
    let heads = html! {
        <>
            <th />
            <th>{ "Micro-batches" }</th>
            <th>{ "Over" }</th>
            <th>{ "Fullest" }</th>
            <th class="extra">{ "Empty" }</th>
            <th>{ "Idle" }</th>
        </>
    };
    html! {
        <section class="caps" id="cap" tabindex="-1">
            <h2>{ titled(&title) }</h2>
            { framed(
                ["compare still", "Micro-batches under the cap"],
                None,
                heads,
                [
                    ("Tokens ÷ cap", balanced),
                    ("None over it", raised),
                    ("First fit", first_fit),
                ]
                .map(row),
            ) }
            <p class="small">
                { format!(
                    "Of all simulated steps. Balanced by Karmarkar–Karp into as many as tokens ÷ cap, as verl did before PR 7553, some are over it; verl 0.9.1 makes more until none is, and slime fits each where there is room. Empty: what padding each to the cap would cost, in {unit}."
                ) }
            </p>
        </section>
    }
}

fn shared(props: &Props) -> Html {
    let unit = props.state.sequences.unit();
    let Some(ContextReport {
        fixed,
        each,
        exact,
        sizes,
        ..
    }) = &props.report.context
    else {
        let most = u64::from(props.settings.limit).div_ceil(4);
        let about = "Context parallelism shares a long sequence among ranks (max_seqlen_per_dp_cp_rank of Megatron-LM): all sequences alike, or each as its length needs.";
        let label = format!("At most {} {unit} of a sequence on a rank", count(most));
        return offered(
            props,
            CONTEXT.value.id,
            "Long sequences shared by several ranks",
            about,
            (label, most),
        );
    };
    let title = format!(
        "Ranks are idle {} with a size for each sequence, {} with one for all",
        waits(each.factor),
        waits(fixed.factor)
    );
    let row = |(name, of): (&'static str, &ContextWay)| {
        let [near, far] = of.communication.map(about_percent);
        html! {
            <tr>
                <th scope="row">{ quiet(name) }</th>
                { entry_of("ranks", "", number(u64::from(of.ranks)), "") }
                { entry_of("idle", "", waiting(of.factor), "") }
                <td>{ format!("{near} to {far}") }</td>
            </tr>
        }
    };
    let heads = html! {
        <>
            <th />
            <th>{ "Ranks, at most" }</th>
            <th>{ "Idle" }</th>
            <th>{ "Communication" }</th>
        </>
    };
    let ways = [
        ("One size for all", fixed),
        ("Powers of two", each),
        ("Any number", exact),
    ];
    let said = sizes.iter().map(|(ranks, of, work)| {
        format!(
            "{ranks}: {} of the sequences, {} of the work",
            percent(*of),
            percent(*work)
        )
    });
    html! {
        <section class="caps" id="context" tabindex="-1">
            <h2>{ titled(&title) }</h2>
            { framed(["compare still", "Context parallelism"], None, heads, ways.map(row)) }
            <p class="small">
                { format!(
                    "Ranks that share a sequence by powers of two: {}. ",
                    said.collect::<Vec<_>>().join("; ")
                ) }
                { terms(
                    "Communication ÷ computation from NVLink to a network of 400 Gb/s, none of it hidden: an estimate.",
                ) }
            </p>
        </section>
    }
}
