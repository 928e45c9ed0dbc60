//! Parts of the page that are loaded when first needed. In a release build each is a file of its own: code that is
//! reachable only through functions in `part!` is not loaded when the page opens.

use crate::due;
use packscope_page::split::MissingPart;
use std::future::Future;
use std::pin::Pin;
use std::sync::OnceLock;
use yew::prelude::*;

/// A loaded part, or the reason why loading failed.
pub type PartLoad<T> = Result<T, MissingPart>;
pub type DrawPart<P> = fn(P) -> Html;
type Load<T> = fn() -> Pin<Box<dyn Future<Output = PartLoad<T>>>>;

pub struct LazyPart<T: 'static> {
    here: OnceLock<T>,
    load: Load<T>,
}

impl<T> LazyPart<T> {
    pub const fn new(load: Load<T>) -> Self {
        Self {
            here: OnceLock::new(),
            load,
        }
    }
}

impl<T: Copy> LazyPart<T> {
    pub fn get(&self) -> Option<T> {
        self.here.get().copied()
    }

    /// # Errors
    /// [`MissingPart`] if one of its files cannot be loaded.
    pub async fn load(&self) -> PartLoad<T> {
        let loaded = (self.load)().await?;
        // Two callers may load at once; the second finds the value there, which is the same.
        let _ = self.here.set(loaded);
        Ok(loaded)
    }
}

#[derive(Clone)]
pub enum Absent {
    /// It is loading, or is not needed yet.
    Coming,
    /// It could not be loaded; the callback tries again.
    Failed(Callback<()>),
}

/// Returns a part, or the reason why it is absent. Loads it once it is `wanted`.
#[hook]
pub fn use_part<T: Copy + Send + Sync + 'static>(
    part: &'static LazyPart<T>,
    wanted: bool,
) -> Result<T, Absent> {
    let (failed, tries) = (use_state_eq(|| false), use_state_eq(|| 0));
    let (set, update) = (failed.setter(), use_force_update());
    // The parts of the views share a hook: only one of them is on screen.
    use_effect_with(
        // The address tells parts apart, as functions cannot be compared; `tries` runs the effect
        // once more after a failure.
        (std::ptr::from_ref(part).addr(), wanted, *tries),
        move |(_, wanted, _)| {
            if *wanted && part.get().is_none() {
                set.set(false);
                due::load(async move {
                    match part.load().await {
                        Ok(_) => {
                            set.set(false);
                            update.force_update();
                        }
                        Err(_) => set.set(true),
                    }
                });
            }
        },
    );
    let again = move || Absent::Failed(Callback::from(move |()| tries.set(*tries + 1)));
    part.get()
        .ok_or_else(|| if *failed { again() } else { Absent::Coming })
}

/// Draws the placeholder of an absent part.
pub fn missing(absent: Absent) -> Html {
    match absent {
        Absent::Failed(_) => failed([Some(absent)]),
        Absent::Coming => html! { <p class="wait" role="status">{ "Loading …" }</p> },
    }
}

/// Draws a message about parts that failed to load; nothing for parts that are loading.
pub fn failed<const N: usize>(parts: [Option<Absent>; N]) -> Html {
    let again = parts
        .into_iter()
        .flatten()
        .filter_map(|absent| match absent {
            Absent::Failed(again) => Some(again),
            Absent::Coming => None,
        });
    let again: Vec<_> = again.collect();
    if again.is_empty() {
        return Html::default();
    }
    let onclick =
        Callback::from(move |_: MouseEvent| again.iter().for_each(|again| again.emit(())));
    html! {
        <div class="notice" role="alert" data-notice="missing">
            <p>
                { "This part of the page could not be loaded; is the connection gone? All else works on." }
            </p>
            <button type="button" class="word" {onclick}>{ "Try again" }</button>
        </div>
    }
}
