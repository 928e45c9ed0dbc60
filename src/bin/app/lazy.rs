//! Parts of the page that are loaded when they are first wanted. Each is a file of its own, split off by the build: what
//! is reached only through the functions here is not part of what the page loads when it opens.

use crate::app::{Shared, ViewProps};
use crate::components::{
    batches, below, graphs, learn, plot_out, plot_saved, read_as, side_by_side, speedup, take, tokens,
};
use packscope::histogram::{Histogram, Preset};
use packscope::learn::Chapter;
use packscope::state::LearnState;
use std::future::Future;
use std::pin::Pin;
use std::sync::OnceLock;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use yew::prelude::*;

type Loading<T> = Result<T, SplitLoaderError>;
type Draw<P> = fn(P) -> Html;
type Load<T> = fn() -> Pin<Box<dyn Future<Output = Loading<T>>>>;

/// A part: what draws it, once it was loaded.
pub struct Part<T: 'static> {
    here: OnceLock<T>,
    load: Load<T>,
}

impl<T> Part<T> {
    const fn new(load: Load<T>) -> Self {
        Self { here: OnceLock::new(), load }
    }
}

/// The view of lessons.
pub static LEARN: Part<Lessons> = Part::new(|| Box::pin(load_learn()));
/// The view of graphs.
pub static GRAPHS: Part<Draw<ViewProps>> = Part::new(|| Box::pin(load_graphs()));
/// The view of batches.
pub static BATCHES: Part<Draw<ViewProps>> = Part::new(|| Box::pin(load_batches()));
/// What stands below the histogram of sequences.
pub static BELOW: Part<Draw<below::Props>> = Part::new(|| Box::pin(load_below()));
/// Speed-up.
pub static SPEEDUP: Part<Draw<speedup::Props>> = Part::new(|| Box::pin(load_speedup()));
/// How a file was read.
pub static READ_AS: Part<Draw<read_as::Props>> = Part::new(|| Box::pin(load_read_as()));
/// Files side by side.
pub static FILES: Part<Draw<side_by_side::Props>> = Part::new(|| Box::pin(load_files()));
/// What can be taken along.
pub static TAKE: Part<Draw<take::Props>> = Part::new(|| Box::pin(load_take()));
/// Counting tokens.
pub static TOKENS: Part<Draw<tokens::PanelProps>> = Part::new(|| Box::pin(load_tokens()));

/// The view of lessons, loaded.
#[derive(Clone, Copy)]
pub struct Lessons {
    /// Draws it.
    pub draw: Draw<learn::Props>,
    /// Whether the chapter that is read has all its answers.
    pub current: fn(&LearnState) -> bool,
}

#[wasm_split(learn, fallible)]
fn load_learn() -> Loading<Lessons> {
    Ok(Lessons {
        draw: |props| html! { <learn::Lessons ..props /> },
        current: |state| {
            let chapter = Chapter::named(&state.chapter);
            chapter.unanswered(&chapter.here(state)).is_empty()
        },
    })
}

#[wasm_split(graphs, fallible)]
fn load_graphs() -> Loading<Draw<ViewProps>> {
    Ok(|props| html! { <graphs::Graphs ..props /> })
}

#[wasm_split(batches, fallible)]
fn load_batches() -> Loading<Draw<ViewProps>> {
    Ok(|props| html! { <batches::Batches ..props /> })
}

#[wasm_split(lower, fallible)]
fn load_below() -> Loading<Draw<below::Props>> {
    Ok(|props| html! { <below::Below ..props /> })
}

#[wasm_split(lower, fallible)]
fn load_speedup() -> Loading<Draw<speedup::Props>> {
    Ok(|props| html! { <speedup::SpeedUp ..props /> })
}

#[wasm_split(own, fallible)]
fn load_read_as() -> Loading<Draw<read_as::Props>> {
    Ok(|props| html! { <read_as::ReadAs ..props /> })
}

#[wasm_split(own, fallible)]
fn load_files() -> Loading<Draw<side_by_side::Props>> {
    Ok(|props| html! { <side_by_side::SideBySide ..props /> })
}

#[wasm_split(own, fallible)]
fn load_take() -> Loading<Draw<take::Props>> {
    Ok(|props| html! { <take::Content ..props /> })
}

#[wasm_split(own, fallible)]
fn load_tokens() -> Loading<Draw<tokens::PanelProps>> {
    Ok(|props| html! { <tokens::CountTokens ..props /> })
}

/// Saves a plot.
pub type SavePlot = fn(&plot_out::Props, [f64; 2], &Shared, plot_out::Form) -> Option<()>;

/// What saves plots.
#[wasm_split(own, fallible)]
pub fn saving() -> Loading<SavePlot> {
    Ok(plot_saved::save_plot)
}

/// Graphs of a set that is generated, not loaded.
#[wasm_split(graphs, fallible)]
pub fn generate(preset: &'static Preset) -> Loading<Option<Histogram<2>>> {
    Ok(preset.generate())
}

/// Why a part is not there.
#[derive(Clone)]
pub enum Absent {
    /// It is on its way, or was not wanted yet.
    Coming,
    /// It could not be loaded; this tries again.
    Failed(Callback<()>),
}

/// A part, or why it is not there. It is loaded as soon as it is wanted.
#[hook]
pub fn use_part<T: Copy + Send + Sync + 'static>(part: &'static Part<T>, wanted: bool) -> Result<T, Absent> {
    let (failed, tries) = (use_state_eq(|| false), use_state_eq(|| 0));
    let (set, update) = (failed.setter(), use_force_update());
    use_effect_with((wanted, *tries), move |(wanted, _)| {
        if *wanted && part.here.get().is_none() {
            set.set(false);
            wasm_bindgen_futures::spawn_local(async move {
                match (part.load)().await {
                    Ok(loaded) => {
                        let _ = part.here.set(loaded);
                        set.set(false);
                        update.force_update();
                    }
                    Err(_) => set.set(true),
                }
            });
        }
    });
    let again = move || Absent::Failed(Callback::from(move |()| tries.set(*tries + 1)));
    part.here.get().copied().ok_or_else(|| if *failed { again() } else { Absent::Coming })
}

/// Whether a part is on its way.
pub fn is_coming<T>(part: &Result<T, Absent>) -> bool {
    matches!(part, Err(Absent::Coming))
}

/// What stands in for a part that is not there.
pub fn missing(absent: Absent) -> Html {
    match absent {
        Absent::Failed(_) => failed([Some(absent)]),
        Absent::Coming => html! { <p class="wait" role="status">{ "Loading …" }</p> },
    }
}

/// What stands in for parts that could not be loaded, and nothing for those that are on their way.
pub fn failed<const N: usize>(parts: [Option<Absent>; N]) -> Html {
    let again = parts.into_iter().flatten().filter_map(|absent| match absent {
        Absent::Failed(again) => Some(again),
        Absent::Coming => None,
    });
    let again: Vec<_> = again.collect();
    if again.is_empty() {
        return Html::default();
    }
    let onclick = Callback::from(move |_: MouseEvent| again.iter().for_each(|again| again.emit(())));
    html! {
        <div class="notice" role="alert" data-notice="missing">
            <p>{ "This part of the page could not be loaded; is the connection gone? All else works on." }</p>
            <button type="button" class="word" {onclick}>{ "Try again" }</button>
        </div>
    }
}
