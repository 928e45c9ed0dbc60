//! Parts of the page that are loaded when they are first wanted. In a release each is a file of its own: what is reached
//! only through functions in `part!` is not part of what the page loads when it opens.

use packscope::split::Missing;
use std::future::Future;
use std::pin::Pin;
use std::sync::OnceLock;
use yew::prelude::*;

/// A part, or why it did not come.
pub type Loading<T> = Result<T, Missing>;
/// Draws a part.
pub type Draw<P> = fn(P) -> Html;
type Load<T> = fn() -> Pin<Box<dyn Future<Output = Loading<T>>>>;

/// A part: what draws it, once it was loaded.
pub struct Part<T: 'static> {
    here: OnceLock<T>,
    load: Load<T>,
}

impl<T> Part<T> {
    /// A part that this loads.
    pub const fn new(load: Load<T>) -> Self {
        Self { here: OnceLock::new(), load }
    }
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
