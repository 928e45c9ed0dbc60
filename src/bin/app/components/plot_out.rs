//! Saving of a plot as a file: SVG, or PNG with two pixels per CSS pixel.

use super::plot_saved::{Form, Props, save_plot};
use crate::due;
use crate::lazy::PartLoad;
use crate::shared::{Same, SharedState};
use packscope_page::part;
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

/// The latest state, read when a button is pressed, so that plots are not rendered whenever it
/// changes.
pub type Now = Same<RefCell<SharedState>>;

type SavePlot = fn(&Props, [f64; 2], &SharedState, Form) -> Option<()>;

part! { own:
    fn saving() -> PartLoad<SavePlot> {
        Ok(save_plot)
    }
}

#[component]
pub fn Save(props: &Props) -> Html {
    let now = use_context::<Now>();
    let failed = use_state_eq(|| false);
    // Without a size nothing is drawn yet.
    let (Some(now), Some(size)) = (now, props.size) else {
        return Html::default();
    };
    let button = |form: Form| {
        let (props, now, failed) = (props.clone(), now.clone(), failed.setter());
        let label = format!("Save as {}: {}", form.name(), props.title);
        let name = format!("{}-{}", props.name, form.extension());
        let onclick = Callback::from(move |_: MouseEvent| {
            let (props, now, failed) = (props.clone(), now.clone(), failed.clone());
            // By `due`, so that the page counts as busy until the file is written.
            due::load(async move {
                let saved = saving()
                    .await
                    .ok()
                    .and_then(|save| save(&props, size, &now.borrow(), form));
                failed.set(saved.is_none());
            });
        });
        html! {
            <button type="button" class="word" data-save={name} aria-label={label} {onclick}>
                { form.name() }
            </button>
        }
    };
    html! {
        <p class="save">
            { button(Form::Svg) }
            { " · " }
            { button(Form::Png) }
            <span role="status">
                if *failed {
                    { " · not saved; is the connection gone?" }
                }
            </span>
        </p>
    }
}

#[hook]
pub fn use_now(state: &SharedState) -> Now {
    let now = use_memo((), |()| Same(Rc::new(RefCell::new(state.clone()))));
    // Set while rendering and without another rendering: whoever holds the cell keeps the same
    // cell.
    *now.borrow_mut() = state.clone();
    (*now).clone()
}
