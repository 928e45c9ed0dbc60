//! Writes a plot into a file; loaded when the first plot is saved.

use crate::browser;
use crate::files::{save, save_text};
use crate::paint::paint;
use crate::shared::{Same, SharedState};
use packscope_chart::svg::{Words, sheet, svg};
use packscope_chart::{Frame, Scene, Theme};
use packscope_page::learn::title;
use packscope_page::state::View;
use packscope_page::state::caption::slug;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, HtmlCanvasElement};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The kind of plot, for the file name.
    pub name: &'static str,
    pub title: AttrValue,
    pub draw: Same<dyn Fn(&Frame) -> Scene>,
    /// Width and height on screen in CSS pixels.
    pub size: Option<[f64; 2]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Svg,
    Png,
}

impl Form {
    pub fn name(self) -> &'static str {
        match self {
            Self::Svg => "SVG",
            Self::Png => "PNG",
        }
    }

    pub fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }
}

/// Saves a plot of this size (CSS pixels) with the current state; `None` if the browser fails to.
pub fn save_plot(props: &Props, size: [f64; 2], now: &SharedState, form: Form) -> Option<()> {
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

/// Returns the texts around the drawing, and the file name without extension.
fn about(state: &SharedState, props: &Props) -> (Words, String) {
    let here = browser::window().location();
    // Without the settings: they are in words above, and data in an address fill lines.
    let page = format!(
        "{}{}",
        here.origin().unwrap_or_default(),
        here.pathname().unwrap_or_default()
    );
    let (about, name) = match state.caption() {
        Some(caption) => (caption.line(), caption.file_name(props.name)),
        None if state.view == View::Learn => {
            let chapter = &state.learn.chapter;
            (
                title(chapter).to_owned(),
                slug(&format!("packscope-{chapter}-{}", props.name)),
            )
        }
        None => (String::new(), slug(&format!("packscope-{}", props.name))),
    };
    (
        Words {
            title: props.title.to_string(),
            about,
            source: format!("Packscope · {page}"),
        },
        name,
    )
}

fn write_png(props: &Props, [width, height]: [f64; 2], words: &Words, name: String) -> Option<()> {
    // Files have light colours, whatever the theme of the page.
    let frame = Frame::canvas(width, height, 2.0, Theme::LIGHT);
    let (scene, frame) = sheet((props.draw)(&frame), &frame, words);
    save_png(&scene, &frame, name)
}

/// Saves a scene as a PNG file of this name; `None` if the browser fails to.
pub fn save_png(scene: &Scene, frame: &Frame, name: String) -> Option<()> {
    let canvas: HtmlCanvasElement = browser::document()
        .create_element("canvas")
        .ok()?
        .dyn_into()
        .ok()?;
    paint(&canvas, scene, frame)?;
    // The browser calls back after this function has returned; a closure of this kind frees itself.
    let saved = Closure::once_into_js(move |blob: Option<Blob>| {
        if let Some(blob) = blob {
            save(&name, &js_sys::Array::of1(&blob));
        }
    });
    canvas.to_blob(saved.unchecked_ref()).ok()
}
