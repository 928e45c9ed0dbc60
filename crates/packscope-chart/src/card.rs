//! A card to share: the headline, a picture, the data, and a link as squares that cameras read.

use super::svg::{Style, Words, painted, placed};
use super::{Area, Frame, Pen, Scene, Theme};

/// Width and height of a card in CSS pixels, as sites show them.
pub const SIZE: [f64; 2] = [1200.0, 630.0];

/// The contents of a card besides its picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// The headline.
    pub title: String,
    /// Data, settings and library.
    pub about: String,
    /// The page, below the squares.
    pub source: String,
    /// Squares of the link in a row and in a column; 0 for none.
    pub squares: usize,
    /// Whether each square is dark, row by row.
    pub dark: Vec<bool>,
}

const MARGIN: f64 = 52.0;
const GAP: f64 = 18.0;
/// The side of the squares together.
const LINK: f64 = 236.0;
/// How many times larger a picture is than on screen.
const LARGER: f64 = 1.5;
/// Lines of the headline at most, and those of the line of data.
const LINES: [usize; 2] = [4, 2];
const TITLE: Style = Style {
    size: 41.0,
    line: 50.0,
    bold: true,
};
/// The headline where no picture needs the room.
const ALONE: Style = Style {
    size: 56.0,
    line: 70.0,
    bold: true,
};
const ABOUT: Style = Style {
    size: 22.0,
    line: 30.0,
    bold: false,
};
const SOURCE: Style = Style {
    size: 17.0,
    line: 22.0,
    bold: false,
};

impl Card {
    /// Draws the card in a frame of [`SIZE`], with a picture if there is one.
    pub fn scene(&self, picture: Option<&dyn Fn(&Frame) -> Scene>, frame: &Frame) -> Scene {
        let mut pen = Pen::new(frame);
        let [width, height] = SIZE;
        let theme = frame.theme;
        let all = Area::sized((0.0, 0.0), width, height);
        pen.rect(all, theme.background);
        pen.rect(Area::sized((0.0, 0.0), width, 10.0), theme.accent);
        let style = if picture.is_some() { TITLE } else { ALONE };
        let wide = width - 2.0 * MARGIN;
        let title = first(style.lines(&self.title, wide), LINES[0]);
        let top = style.write(&mut pen.scene, title, (MARGIN, MARGIN), &theme);
        let beside = width - 2.0 * MARGIN - LINK - 2.0 * GAP;
        // Without a picture the line of data may meet the squares.
        let room = if picture.is_some() { wide } else { beside };
        let about = first(ABOUT.lines(&self.about, room), LINES[1]);
        let top = ABOUT.write(&mut pen.scene, about, (MARGIN, top + 8.0), &theme);
        if let Some(picture) = picture {
            let room = Frame {
                width: beside / LARGER,
                height: (height - MARGIN / 2.0 - top - GAP) / LARGER,
                ..*frame
            };
            let marks = picture(&room).marks.into_iter();
            let at = (MARGIN, top + GAP);
            pen.scene
                .marks
                .extend(marks.map(|mark| placed(mark, LARGER, at)));
        }
        self.link(&mut pen);
        pen.scene
    }

    /// Draws the squares of the link at the lower right, and the page below them.
    fn link(&self, pen: &mut Pen) {
        let [width, height] = SIZE;
        let source = first(SOURCE.lines(&self.source, LINK), 2);
        let bottom = height - MARGIN / 2.0 - source.len() as f64 * SOURCE.line;
        let left = width - MARGIN - LINK;
        SOURCE.write(&mut pen.scene, source, (left, bottom), &pen.theme);
        if self.squares == 0 {
            return;
        }
        let side = LINK / self.squares as f64;
        let top = bottom - 6.0 - LINK;
        // Runs of dark squares are one mark, so that no seam shows between them.
        for (row, dark) in self.dark.chunks(self.squares).enumerate() {
            let mut from = 0;
            while let Some(begin) = dark[from..].iter().position(|dark| *dark) {
                let begin = from + begin;
                let rest = &dark[begin..];
                let run = rest.iter().position(|dark| !dark).unwrap_or(rest.len());
                let at = (left + begin as f64 * side, top + row as f64 * side);
                pen.rect(Area::sized(at, run as f64 * side, side), pen.theme.ink);
                from = begin + run;
            }
        }
    }

    /// Returns the card as an SVG image in light colours.
    pub fn svg(&self, picture: Option<&dyn Fn(&Frame) -> Scene>) -> String {
        let [width, height] = SIZE;
        let frame = Frame::svg(width, height, Theme::LIGHT);
        let words = Words {
            title: self.title.clone(),
            about: self.about.clone(),
            source: self.source.clone(),
        };
        painted(&self.scene(picture, &frame), &frame, &words)
    }
}

/// Returns the first lines; the last of them says where more are left out.
fn first(mut lines: Vec<String>, most: usize) -> Vec<String> {
    let more = lines.len() > most;
    lines.truncate(most);
    if let Some(last) = lines.last_mut().filter(|_| more) {
        last.push_str(" …");
    }
    lines
}
