//! A plot written into a file: loaded when the first one is saved.

use super::plot_out::{Form, Props};
use super::take::{save, save_text};
use crate::browser;
use crate::plot::paint;
use crate::shared::Shared;
use packscope::chart::svg::{Words, sheet, svg};
use packscope::chart::{Frame, Theme};
use packscope::learn::title;
use packscope::state::View;
use packscope::state::caption::slug;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, HtmlCanvasElement};

/// Saves a plot of a size as it is now; nothing where the browser does not.
pub fn save_plot(props: &Props, size: [f64; 2], now: &Shared, form: Form) -> Option<()> {
    let (words, name) = about(now, props);
    let name = format!("{name}.{}", form.extension());
    match form {
        Form::Svg => {
            save_text(&name, &svg(|frame| (props.draw)(frame), size, &words));
            Some(())
        }
        Form::Png => write_png(props, size, &words, name),
    }
}

/// What stands round the drawing, and what the file is called.
fn about(state: &Shared, props: &Props) -> (Words, String) {
    let here = browser::window().location();
    let page = format!("{}{}", here.origin().unwrap_or_default(), here.pathname().unwrap_or_default());
    let (about, name) = match state.caption() {
        Some(caption) => (caption.line(), caption.file_name(props.name)),
        None if state.view == View::Learn => {
            let chapter = &state.learn.chapter;
            (title(chapter).to_owned(), slug(&format!("packscope-{chapter}-{}", props.name)))
        }
        None => (String::new(), slug(&format!("packscope-{}", props.name))),
    };
    (Words { title: props.title.to_string(), about, source: format!("Packscope · {page}") }, name)
}

fn write_png(props: &Props, [width, height]: [f64; 2], words: &Words, name: String) -> Option<()> {
    let frame = Frame::canvas(width, height, 2.0, Theme::LIGHT);
    let (scene, frame) = sheet((props.draw)(&frame), &frame, words);
    let canvas: HtmlCanvasElement = browser::document().create_element("canvas").ok()?.dyn_into().ok()?;
    paint(&canvas, &scene, &frame)?;
    let saved = Closure::once_into_js(move |blob: Option<Blob>| {
        if let Some(blob) = blob {
            save(&name, &js_sys::Array::of1(&blob));
        }
    });
    canvas.to_blob(saved.unchecked_ref()).ok()
}
