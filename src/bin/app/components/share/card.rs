//! The card of the result on screen, drawn and saved in this browser.

use super::address;
use crate::browser;
use crate::components::epoch;
use crate::components::plot_saved::save_png;
use crate::components::trainer::chosen;
use crate::files::save_text;
use crate::shared::SharedState;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use packscope_chart::card::{Card, SIZE};
use packscope_chart::{Chart, Frame, Scene, Theme};
use packscope_page::learn::title;
use packscope_page::state::View;
use packscope_page::state::caption::slug;
use qrcodegen::{QrCode, QrCodeEcc};
use std::rc::Rc;

/// Bytes of a link up to which its squares are large enough for a camera.
const LEGIBLE: usize = 600;

/// A card with its picture.
pub struct CardFile {
    card: Card,
    picture: Option<Rc<dyn Chart>>,
    name: String,
    /// Whether the link of the squares has all that the page's link has.
    is_whole: bool,
}

impl CardFile {
    pub fn new(state: &SharedState) -> Self {
        let (link, is_whole) = legible(&address(&state.link()));
        let code = QrCode::encode_text(&link, QrCodeEcc::Low).ok();
        let side = code.as_ref().map_or(0, QrCode::size);
        let dark = code.map_or_else(Vec::new, |code| {
            let all = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
            all.map(|(x, y)| code.get_module(x, y)).collect()
        });
        let card = Card {
            title: headline(),
            about: about(state),
            source: page(),
            squares: side as usize,
            dark,
        };
        Self {
            card,
            picture: picture(state),
            name: match state.caption() {
                Some(caption) => caption.file_name("card"),
                None => slug(&format!("packscope-card-{}", state.learn.chapter)),
            },
            is_whole,
        }
    }

    /// Returns the words of the card, for those who do not see it.
    pub fn words(&self) -> String {
        format!("{} {}", self.card.title, self.card.about)
    }

    fn draw<T>(&self, with: impl FnOnce(Option<&dyn Fn(&Frame) -> Scene>) -> T) -> T {
        match &self.picture {
            Some(picture) => with(Some(&|frame: &Frame| picture.scene(frame))),
            None => with(None),
        }
    }

    fn svg(&self) -> String {
        self.draw(|picture| self.card.svg(picture))
    }

    /// Returns the card as an address of an image.
    pub fn preview(&self) -> String {
        format!("data:image/svg+xml;base64,{}", STANDARD.encode(self.svg()))
    }

    pub fn save_svg(&self) {
        save_text(&format!("{}.svg", self.name), &self.svg());
    }

    pub fn save_png(&self) {
        let [width, height] = SIZE;
        // Files have light colours, whatever the theme of the page.
        let frame = Frame::canvas(width, height, 2.0, Theme::LIGHT);
        let scene = self.draw(|picture| self.card.scene(picture, &frame));
        // Where the browser has no canvas, the other file is there.
        let _ = save_png(&scene, &frame, format!("{}.png", self.name));
    }
}

/// Says what the squares of a card lead to.
pub fn about_code(of: &CardFile) -> &'static str {
    match of.is_whole {
        true => "Drawn in this browser. Its squares are the link.",
        false => {
            "Drawn in this browser. Its squares are a link to these settings: your data are too large for them."
        }
    }
}

/// Returns a link that squares can hold, and whether it is the whole one: without data of one's own, or else the page.
fn legible(link: &str) -> (String, bool) {
    if link.len() <= LEGIBLE {
        return (link.to_owned(), true);
    }
    let (page, settings) = link.split_once('#').unwrap_or((link, ""));
    let kept: Vec<&str> = settings
        .split('&')
        .filter(|pair| !pair.starts_with("data=") && !pair.contains(".data="))
        .collect();
    let shorter = format!("{page}#{}", kept.join("&"));
    match shorter.len() <= LEGIBLE {
        true => (shorter, false),
        false => (page.to_owned(), false),
    }
}

/// Returns the headline as it is read on the page, of whichever view.
fn headline() -> String {
    let title = browser::document().query_selector("main h1").ok().flatten();
    let words = title.and_then(|title| title.text_content());
    words.unwrap_or_default().trim().to_owned()
}

/// Returns data and settings, with the library if one is chosen: it packs as it does, without a depth or an algorithm.
fn about(state: &SharedState) -> String {
    let Some(mut caption) = state.caption() else {
        return format!("Learn: {}", title(&state.learn.chapter));
    };
    let library = chosen(state);
    if library.is_some() && state.view == View::Sequences {
        caption.settings.truncate(1);
    }
    let library = library.map_or_else(String::new, |name| format!(" · {name}"));
    caption.line() + &library
}

/// Returns the address of the page as people read it.
fn page() -> String {
    let here = browser::window().location();
    let host = here.host().unwrap_or_default();
    let path = here.pathname().unwrap_or_default();
    format!("Packscope · {host}{path}")
}

/// Returns the picture of an epoch at rest, on the view that has it.
fn picture(state: &SharedState) -> Option<Rc<dyn Chart>> {
    let shown = state.view == View::Sequences && state.sequences.answer.is_some();
    shown.then(|| epoch::still(state))
}
