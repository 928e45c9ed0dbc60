//! One library: its settings under their own names, what they cost, and lines to paste.

use super::chosen;
use crate::components::explained::terms;
use crate::components::take::save::{Copy, save_button};
use crate::components::{cell, figure, tied};
use crate::plot::{Draw, Plot};
use crate::shared::Props;
use packscope::api::trainer::{Curve, Shown};
use packscope::chart::lines::{self, Input, Line, Quantity};
use packscope::chart::{Frame, Look, Scale};
use packscope::state::trainer::Action as Trained;
use packscope::state::{Action, AppState};
use packscope::trainer::{Accepts, Chosen, Field, LIBRARIES, Language, Library, Setting};
use packscope::words::{count, percent, plural, tick_percent};
use std::rc::Rc;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// The choice of a library, and what it does.
#[component]
pub fn One(props: &Props) -> Html {
    let state = &props.state;
    let library = chosen(state);
    let onchange = props.dispatch.reform(|e: Event| {
        let id = e.target_dyn_into::<HtmlSelectElement>().map(|select| select.value()).unwrap_or_default();
        Action::Trainer(Trained::Choose(Some(id).filter(|id| !id.is_empty())))
    });
    html! {
        <div class="of-one">
            <p class="line"><label for="library">{ "You train with" }</label>
                <select id="library" {onchange}>
                    <option value="" selected={library.is_none()}>{ "choose a library …" }</option>
                    { for LIBRARIES.iter().map(|other| html! {
                        <option value={other.id} selected={library.is_some_and(|l| l.id == other.id)}>{ other.title }</option>
                    }) }
                </select>
            </p>
            if let Some(library) = library {
                { of_library(props, library) }
            } else {
                <p class="small">{ format!("{} libraries pack, batch or cut sequences in ways of their own. Choose yours: its settings have its own names, its algorithm is the one in its code, not in its documentation.", LIBRARIES.len()) }</p>
            }
        </div>
    }
}

/// Draws the outcome of the chosen library, or that it is being computed.
fn of_library(props: &Props, library: &'static Library) -> Html {
    match props.state.trainer.shown(library.id) {
        Some(shown) => told(props, shown),
        None => html! { <p class="wait" role="status">{ "Packing as it does …" }</p> },
    }
}

/// The settings of the chosen library, lines to paste, and where it was read.
#[component]
pub fn Own(props: &Props) -> Html {
    let state = &props.state;
    let Some(library) = chosen(state) else { return Html::default() };
    let limit = state.sequences.settings.limit;
    let (values, wrong) = match library.with(limit, &state.trainer.settings) {
        Ok(values) => (values, None),
        Err(error) => (library.start(limit), Some(error.to_string())),
    };
    let reset = props.dispatch.reform(|_: MouseEvent| Action::Trainer(Trained::Reset));
    html! { <>
        <div class="own-settings">
            { for library.settings.iter().map(|setting| field(props, setting, values.get(setting.name))) }
        </div>
        if let Some(wrong) = wrong { <p class="hint" role="alert">{ wrong }{ ". The library's own value stands." }</p> }
        if !state.trainer.settings.is_empty() {
            <p><button type="button" class="word" onclick={reset}>{ "Reset" }</button></p>
        }
        { paste(&values) }
        { source(library) }
    </> }
}

/// The sentence, the change that mends most, and the figures.
fn told(props: &Props, shown: &Shown) -> Html {
    let change = shown.change.clone().map(|field| {
        let words = format!("Set {}: {}", field.name, field.value);
        let onclick =
            props.dispatch.reform(move |_: MouseEvent| Action::Trainer(Trained::Set(field.clone())));
        html! { <>{ " " }<button type="button" class="solid" {onclick}>{ words }</button></> }
    });
    html! { <>
        <p class="advice" data-change={shown.change.as_ref().map(|field| field.name.clone())}>
            if let Some(advice) = &shown.advice { { terms(&tied(&plain(advice))) } }
            { change }
        </p>
        if let Some(f) = &shown.figures {
            <dl class="figures of-trainer">
                { cell("Rows", figure("trainer_rows", f.rows, count(f.rows.round() as u64)), html! { below_rows(&props.state, shown) }) }
                { cell("Padding", figure("trainer_padding", f.padding_share, percent(f.padding_share)), html! { if shown.padded { { "of the slots" } } else { { "room that is not computed" } } }) }
                { cell("Tokens lost", figure("trainer_lost", f.lost_share(), percent(f.lost_share())), html! { lost(f.truncated_share, f.dropped_share) }) }
                { cell("Cut apart", figure("trainer_cut", f.cut_share, percent(f.cut_share)), html! { cut(f.cut_sequences, f.mean_pieces) }) }
            </dl>
            <p class="small">{ format!("Algorithm, as coded: {}.", shown.algorithm) }</p>
        }
        if let Some(curve) = shown.curve.as_ref().filter(|curve| curve.points.len() > 2) {
            <Window curve={Rc::new(curve.clone())} state={props.state.clone()} />
        }
    </> }
}

/// Without the marks of code, which the page does not draw.
fn plain(sentence: &str) -> String {
    sentence.replace('`', "")
}

fn below_rows(state: &AppState, shown: &Shown) -> String {
    let above = shown.figures.as_ref().and_then(|f| f.above_best);
    let above = above.map(|above| match above {
        above if above < 0.0005 => "as the best plan".to_owned(),
        above => format!("{} above the best plan", percent(above)),
    });
    let (least, most) = shown.rows;
    let spread = (least < most).then(|| format!("{} to {} by order", count(least), count(most)));
    let steps = shown.figures.as_ref().map(|f| {
        let batch = u64::from(state.sequences.settings.batch);
        format!("{} of {}", plural(f.steps.round() as u64, "step"), count(batch))
    });
    [above, spread, steps].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn lost(truncated: f64, dropped: f64) -> String {
    match (truncated > 0.0, dropped > 0.0) {
        (false, false) => "nothing is thrown away".to_owned(),
        (true, false) => "cut off".to_owned(),
        (false, true) => "dropped with their sequences".to_owned(),
        (true, true) => format!("{} cut off, {} dropped", percent(truncated), percent(dropped)),
    }
}

fn cut(sequences: f64, pieces: f64) -> String {
    if sequences == 0.0 {
        return "every sequence stays in one row".to_owned();
    }
    format!("{} in {pieces:.1} pieces each", plural(sequences.round() as u64, "sequence"))
}

/// A setting, as a choice or a field.
fn field(props: &Props, setting: &'static Setting, value: &str) -> Html {
    let id = format!("own-{}", setting.name);
    let usual = match setting.usual {
        usual if usual == value => String::new(),
        usual => format!(" Default: {usual}."),
    };
    let names: &[&str] = match setting.accepts {
        Accepts::Switch => &["true", "false"],
        Accepts::Names(names) | Accepts::Given(names) => names,
        _ => &[],
    };
    let set = props.dispatch.reform(|value: String| {
        Action::Trainer(Trained::Set(Field { name: setting.name.to_owned(), value }))
    });
    let input = if names.is_empty() {
        let onchange = set.reform(|e: Event| {
            e.target_dyn_into::<HtmlInputElement>()
                .map(|input| input.value().trim().to_owned())
                .unwrap_or_default()
        });
        html! { <input id={id.clone()} class="field" type="text" autocomplete="off" value={value.to_owned()} title={format!("{}", setting.accepts)} {onchange} /> }
    } else {
        let onchange = set.reform(|e: Event| {
            e.target_dyn_into::<HtmlSelectElement>().map(|select| select.value()).unwrap_or_default()
        });
        html! {
            <select id={id.clone()} {onchange}>
                { for names.iter().map(|name| html! { <option value={*name} selected={*name == value}>{ *name }</option> }) }
            </select>
        }
    };
    html! {
        <div class="own-setting">
            <label for={id}><code>{ setting.name }</code></label>
            { input }
            <p class="small">{ plain(setting.about) }{ usual }</p>
        </div>
    }
}

/// The settings as lines in the library's own names.
fn paste(values: &Chosen) -> Html {
    let (text, library) = (values.lines(), values.library);
    let extension = match library.language {
        Language::Python => "py",
        Language::Yaml => "yml",
        Language::Shell => "sh",
    };
    let (saved, file) = (text.clone(), format!("{}.{extension}", library.id));
    html! {
        <details class="lines">
            <summary>{ format!("Lines for {}", library.title) }</summary>
            <p class="actions">
                <Copy text={text.clone()} label={format!("the lines for {}", library.title)} />
                { save_button("Save", file, move || saved.clone()) }
            </p>
            <pre class="snippet" tabindex="0" aria-label={format!("Lines for {}", library.title)}><code>{ text }</code></pre>
        </details>
    }
}

/// Where the library was read.
fn source(library: &Library) -> Html {
    let read = &library.read;
    let version =
        read.package.map(|(package, version)| format!(" ({package} {version})")).unwrap_or_default();
    let href = format!("https://github.com/{}/tree/{}", read.repository, read.commit);
    html! { <>
        if !library.note.is_empty() { <p class="small">{ plain(library.note) }</p> }
        <p class="small">{ "Read on " }{ read.date }{ " in " }<a {href} rel="noopener">{ read.repository }{ " at " }{ read.commit }</a>{ version }{ ": " }{ read.path }{ "." }</p>
    </> }
}

#[derive(Clone, Properties)]
struct WindowProps {
    curve: Rc<Curve>,
    state: crate::shared::Shared,
}

impl PartialEq for WindowProps {
    fn eq(&self, other: &Self) -> bool {
        self.curve == other.curve && self.state.theme == other.state.theme
    }
}

/// Rows against the window.
#[component]
fn Window(props: &WindowProps) -> Html {
    let curve = Rc::clone(&props.curve);
    let draw: Rc<Draw> = use_memo(Rc::clone(&curve), |curve| {
        let curve = Rc::clone(curve);
        let draw: Draw = Rc::new(move |frame: &Frame| with(&curve, |input| lines::scene(input, frame).0));
        draw
    });
    let title = of_window(&curve);
    let label = format!(
        "Rows above the fewest known against {}, at {} sizes. {title}.",
        curve.of,
        curve.points.len()
    );
    html! {
        <div class="window">
            <h3>{ tied(&title) }</h3>
            <p class="caption">{ format!("rows above the fewest known, by {}", curve.of) }</p>
            <Plot name="window" title={title.clone()} theme={props.state.theme} class="tall-window" {label} draw={(*draw).clone()} />
        </div>
    }
}

fn of_window(curve: &Curve) -> String {
    match curve.enough {
        Some(enough) if enough <= curve.now => {
            format!("{} {} are enough: within 1 % of the fewest rows", count(enough), curve.of)
        }
        Some(enough) => format!(
            "{} {} instead of {} come within 1 % of the fewest rows",
            count(enough),
            curve.of,
            count(curve.now)
        ),
        None => format!("No number of {} comes within 1 % of the fewest rows", curve.of),
    }
}

/// Calls `f` with the plot's input.
fn with<T>(curve: &Curve, f: impl FnOnce(&Input) -> T) -> T {
    let above = |rows: u64| rows as f64 / curve.best.max(1) as f64 - 1.0;
    let points: Vec<(f64, f64)> =
        curve.points.iter().map(|p| ((p.size.max(1) as f64).log2(), above(p.rows))).collect();
    let most = points.iter().map(|(_, y)| *y).fold(0.02, f64::max);
    let range = [points.first().map_or(0.0, |p| p.0), points.last().map_or(1.0, |p| p.0).max(1.0)];
    f(&Input {
        x: Quantity {
            name: &curve.of,
            range,
            scale: Scale::Linear,
            label: |v| if v.fract() == 0.0 { count(v.exp2() as u64) } else { String::new() },
        },
        y: Quantity { name: "", range: [0.0, most], scale: Scale::Linear, label: tick_percent },
        lines: vec![Line { name: "", points, look: Look::Accent }],
        needle: Some(((curve.now.max(1) as f64).log2(), format!("now {}", count(curve.now)))),
        dots: Vec::new(),
    })
}
