//! Pinned results beside the one on screen: as bars on one scale, and figure by figure with
//! differences.

use super::{has_room, press};
use crate::components::fold::Folded;
use crate::components::{button, titled};
use crate::shared::SharedState;
use packscope::api::{PackingSettings, ranks};
use packscope::metrics::Figures;
use packscope::words::{count, percent};
use packscope_page::state::pin::{self, Difference, LETTERS, PinComparison, Verdict};
use packscope_page::state::{Action, AppState, Study, View};
use yew::prelude::*;

fn compared(state: &AppState) -> Vec<PinComparison> {
    match state.view {
        View::Sequences => state.against(),
        View::Graphs => state.graphs.against(),
        View::Ranks => state.ranks_against(),
        View::Batches | View::Learn => Vec::new(),
    }
}

/// Returns the letter of a result: pinned results come first, in their order, then the one on
/// screen.
fn letter(place: usize) -> char {
    LETTERS.get(place).copied().unwrap_or('?')
}

/// The section: a line with the differences and the buttons, which unfolds bars and table.
pub fn section(state: &SharedState, dispatch: &Callback<Action>) -> Html {
    let all = compared(state);
    let known = all.iter().all(|against| !against.figures.is_empty());
    let keep = || press(state, dispatch, pin::Action::Keep, pin::Action::Keep);
    // A result that is pinned already is not offered again.
    let is_new = !all
        .iter()
        .any(|against| against.same_data && against.settings.is_empty());
    html! {
        <section
            class="pinned"
            aria-label="Compared with what is pinned"
            data-pinned={if known { "known" } else { "computing" }}
        >
            // Folded, so that the charts below stay where they are.
            <Folded id="pinned" title={titled(&title(&all))}>
                { pictures(state, &all) }
                { table(state, dispatch, &all) }
            </Folded>
            <p class="more">
                if is_new && has_room(state) {
                    { button("Pin this too", keep()) }
                }
                if let [_] = all.as_slice() {
                    { button(
                        "Swap A and B",
                        press(state, dispatch, pin::Action::Swap(0), pin::Action::Swap(0)),
                    ) }
                    { button(
                        "Go back to A",
                        press(state, dispatch, pin::Action::Back(0), pin::Action::Back(0)),
                    ) }
                    { button(
                        "Unpin",
                        press(state, dispatch, pin::Action::Drop(0), pin::Action::Drop(0)),
                    ) }
                }
            </p>
        </section>
    }
}

/// Returns the title: for one pinned result, the differences in packs and padding, and in lost
/// tokens if there are any.
fn title(all: &[PinComparison]) -> String {
    let [against] = all else {
        let letters: Vec<_> = (0..all.len())
            .map(|place| letter(place).to_string())
            .collect();
        return format!(
            "{} and {}, on screen, side by side",
            letters.join(", "),
            letter(all.len())
        );
    };
    let of = |name: &str| against.figures.iter().find(|d| d.figure == name);
    let lost = of("waste_share").filter(|d| d.value() != 0.0);
    let lost = lost.map_or_else(String::new, |lost| {
        format!(", cut off or dropped {}", lost.words)
    });
    let other = if against.same_data {
        ""
    } else {
        ", which is about other data"
    };
    match (of("padding_share"), of("packs"), of("idle")) {
        _ if against.same_data && against.settings.is_empty() => {
            "This is what you have pinned".to_owned()
        }
        (Some(padding), Some(packs), _) if against.same_data => {
            let unit = packs.label.to_ascii_lowercase();
            format!(
                "Against A: {} {unit}, padding {}{lost}",
                packs.words, padding.words
            )
        }
        (Some(padding), ..) => format!("Against A{other}: padding {}{lost}", padding.words),
        (.., Some(idle)) => format!("Against A{other}: idle time {}", idle.words),
        _ => "The pinned result is computed".to_owned(),
    }
}

/// A result as bars, one for each component.
struct Picture {
    /// The length of each bar, and the part of it that is work.
    bars: Vec<[f64; 2]>,
    words: String,
}

/// Returns the pinned results of packing, then the one on screen; `None` until all are known.
fn pinned_and_present<S: PackingSettings, const K: usize>(
    study: &Study<S, K>,
    rows: &str,
) -> Option<Vec<Picture>> {
    let now = study.answer.as_ref().map(|answer| &answer.report.figures);
    let picture = |f: &Figures| Picture {
        bars: f
            .slots
            .iter()
            .zip(&f.real_tokens)
            .map(|(slots, real)| [*slots as f64, *real as f64])
            .collect(),
        words: format!(
            "{} {rows}, {} padding",
            count(f.packs),
            percent(f.padding_share())
        ),
    };
    study
        .pins
        .iter()
        .map(|pin| pin.figures.as_ref())
        .chain([now])
        .map(|f| f.map(picture))
        .collect()
}

/// Returns the same of ranks: the time of a step, and the mean work of a rank.
fn dealt(state: &AppState) -> Option<Vec<Picture>> {
    let now = state.ranked().map(|ranked| ranked.report.figures());
    let picture = |f: ranks::Figures| Picture {
        bars: vec![[f.factor, 1.0]],
        words: format!(
            "ranks are idle {} of the time",
            percent(ranks::idle(f.factor))
        ),
    };
    state
        .ranks
        .pins
        .iter()
        .map(|pin| pin.figures)
        .chain([now])
        .map(|f| f.map(picture))
        .collect()
}

/// Draws each result as a bar per component, on the scale of the largest result.
fn pictures(state: &AppState, all: &[PinComparison]) -> Html {
    let (pictures, [length, grey]) = match state.view {
        View::Graphs => (
            pinned_and_present(&state.graphs, "packs"),
            ["slots", "padding"],
        ),
        View::Ranks => (dealt(state), ["time of a step", "idle"]),
        _ => (
            pinned_and_present(&state.sequences, "rows"),
            ["slots", "padding"],
        ),
    };
    let Some(pictures) = pictures else {
        return Html::default();
    };
    // Times of a step are multiples of the mean rank's work, which compare whatever the data.
    let same = state.view == View::Ranks || all.iter().all(|against| against.same_data);
    let words = (state.view == View::Graphs).then(|| state.graphs.words());
    let above = words.as_ref().map_or_else(String::new, |words| {
        format!("; {}", words.names().join(" above "))
    });
    let below = if words.is_some_and(|words| words.attention.is_some()) {
        ", and attention below its limit"
    } else {
        ""
    };
    let one = |place: usize, picture: &Picture| {
        let bars = picture.bars.iter().enumerate().map(|(k, [whole, full])| {
            let of = |picture: &Picture| picture.bars.get(k).map_or(0.0, |bar| bar[0]);
            let largest = pictures.iter().map(of).fold(0.0, f64::max);
            // At least 1, or the width of an empty bar would be 0 ÷ 0.
            let scale = if same { largest } else { *whole }.max(1.0);
            let width = |part: f64| format!("{:.3}%", part / scale * 100.0);
            html! {
                // SVG, since a bar of CSS would need a style attribute, which the content security
                // policy forbids.
                <svg width="100%" height="12" aria-hidden="true">
                    <rect class="pad" width={width(*whole)} height="12" />
                    <rect class="full" width={width(*full)} height="12" />
                </svg>
            }
        });
        html! {
            <li>
                <b>{ letter(place) }</b>
                <span>{ for bars }</span>
                <small>{ &picture.words }</small>
            </li>
        }
    };
    html! {
        <>
            <ul class="pictures">
                { for pictures.iter().enumerate().map(|(place, picture)| one(place, picture)) }
            </ul>
            <p class="small">
                {
                    if same {
                        format!("Length: {length}, on one scale")
                    } else {
                        "Each to its own scale, since the data differ".to_owned()
                    }
                }
                { format!("{above}. Outlined: pinned; filled: on screen; grey: {grey}{below}.") }
            </p>
        </>
    }
}

fn table(state: &SharedState, dispatch: &Callback<Action>, all: &[PinComparison]) -> Html {
    let Some(last) = all.last() else {
        return Html::default();
    };
    let one = all.len() == 1;
    let data = all
        .iter()
        .map(|against| &against.data[0])
        .chain([&last.data[1]]);
    let data: Vec<_> = data
        .map(|name| html! { { name.clone().unwrap_or_else(|| "…".to_owned()) } })
        .collect();
    let same = all.iter().all(|against| against.same_data);
    let apart = if same { "" } else { "other data" };
    html! {
        <>
            <div class="scroll">
                <table class={classes!("compare", "still", (!one).then_some("several"))}>
                    <thead>
                        <tr>
                            <th scope="col">
                                <span class="unseen">{ "What is compared" }</span>
                            </th>
                            {
                                for (0..all.len())
                                    .map(|place| html! {
                                        <th scope="col">{ letter(place) }{ ", pinned" }</th>
                                    })
                            }
                            <th scope="col">{ letter(all.len()) }{ ", on screen" }</th>
                            if one {
                                <th scope="col">{ "difference" }</th>
                            }
                        </tr>
                    </thead>
                    <tbody>
                        if one || !same {
                            { row("Data", data, one.then(|| html! { { apart } })) }
                        }
                        { for settings(all).into_iter().map(|(name, values)| {
                            row(
                                name,
                                values
                                    .into_iter()
                                    .map(|value| html! { { value } })
                                    .collect(),
                                one.then(Html::default),
                            )
                        }) }
                        { for figures(all) }
                        if !one {
                            { presses(state, dispatch, all.len()) }
                        }
                    </tbody>
                </table>
            </div>
            if !one {
                <p class="small">
                    { format!(
                        "Below a figure: how {}, on screen, differs from it.",
                        letter(all.len())
                    ) }
                </p>
            }
        </>
    }
}

fn row(name: &str, cells: Vec<Html>, apart: Option<Html>) -> Html {
    html! {
        <tr>
            <th scope="row">{ name.to_owned() }</th>
            { for cells.into_iter().chain(apart).map(|cell| html! { <td>{ cell }</td> }) }
        </tr>
    }
}

/// Returns the settings in which any pinned result differs from the one on screen, with their
/// values.
fn settings(all: &[PinComparison]) -> Vec<(&'static str, Vec<String>)> {
    let mut rows: Vec<(&'static str, Vec<String>)> = Vec::new();
    for (name, [_, now]) in all.iter().flat_map(|against| &against.settings) {
        if rows.iter().any(|(other, _)| other == name) {
            continue;
        }
        let then = |against: &PinComparison| {
            let found = against.settings.iter().find(|(other, _)| other == name);
            // A pinned result without this difference has the value on screen.
            found.map_or_else(|| now.clone(), |(_, [then, _])| then.clone())
        };
        rows.push((name, all.iter().map(then).chain([now.clone()]).collect()));
    }
    rows
}

/// Returns the rows of figures that any pinned result has; losses appear only if there are any.
fn figures(all: &[PinComparison]) -> Vec<Html> {
    let mut known: Vec<&Difference> = Vec::new();
    for d in all.iter().flat_map(|against| &against.figures) {
        if !known.iter().any(|other| other.figure == d.figure) {
            known.push(d);
        }
    }
    let lost = |d: &Difference| d.figure == "waste_share" && d.values != [0.0; 2];
    let loses = all.iter().flat_map(|against| &against.figures).any(lost);
    // All pins and the screen lose nothing: a row of zeros would only be in the way.
    known.retain(|d| loses || d.figure != "waste_share");
    let one = all.len() == 1;
    let of = |d: &Difference| {
        let cell = |(place, against): (usize, &PinComparison)| {
            let Some(d) = against
                .figures
                .iter()
                .find(|other| other.figure == d.figure)
            else {
                return html! { "–" };
            };
            if one {
                html! { { &d.shown[0] } }
            } else {
                html! {
                    <>
                        { &d.shown[0] }
                        <br />
                        { difference(place, d) }
                    </>
                }
            }
        };
        let cells = all
            .iter()
            .enumerate()
            .map(cell)
            .chain([html! { { &d.shown[1] } }])
            .collect();
        row(d.label, cells, one.then(|| difference(0, d)))
    };
    known.into_iter().map(of).collect()
}

/// The buttons for each pinned result.
fn presses(state: &SharedState, dispatch: &Callback<Action>, pinned: usize) -> Html {
    let of = |place: usize| {
        let (this, screen) = (letter(place), letter(pinned));
        let swap = press(
            state,
            dispatch,
            pin::Action::Swap(place),
            pin::Action::Swap(place),
        );
        let back = press(
            state,
            dispatch,
            pin::Action::Back(place),
            pin::Action::Back(place),
        );
        let drop = press(
            state,
            dispatch,
            pin::Action::Drop(place),
            pin::Action::Drop(place),
        );
        html! {
            <td>
                { button(&format!("Go back to {this}"), back) }
                <br />
                { button(&format!("Swap {this} and {screen}"), swap) }
                <br />
                { button(&format!("Unpin {this}"), drop) }
            </td>
        }
    };
    html! {
        <tr>
            <th scope="row">
                <span class="unseen">{ "What to do" }</span>
            </th>
            { for (0..pinned).map(of) }
            <td />
        </tr>
    }
}

/// Draws the difference of the result on screen from a pinned one; a word, not only a colour, says
/// which is better.
fn difference(place: usize, d: &Difference) -> Html {
    let name = match place {
        0 => format!("difference_{}", d.figure),
        _ => format!(
            "difference_{}_{}",
            d.figure,
            letter(place).to_ascii_lowercase()
        ),
    };
    html! {
        <span data-figure={name} data-value={d.value().to_string()}>
            { &d.words }
            { " " }
            <small>{ d.verdict.word() }</small>
        </span>
    }
}

/// Draws how a figure of the headline differs from the last pinned result.
pub fn apart(state: &AppState, figure: &'static str) -> Html {
    let all = compared(state);
    let found = all
        .last()
        .and_then(|against| against.figures.iter().find(|d| d.figure == figure));
    let Some(d) = found else {
        return Html::default();
    };
    let than = match (all.len(), d.verdict) {
        // One pinned result needs no name.
        (1, _) => String::new(),
        (pinned, Verdict::Same | Verdict::Alike) => format!(" as {}", letter(pinned - 1)),
        (pinned, _) => format!(" than {}", letter(pinned - 1)),
    };
    html! {
        <span class="apart" data-apart={d.figure}>
            { &d.words }
            { ", " }
            { d.verdict.word() }
            { than }
        </span>
    }
}
