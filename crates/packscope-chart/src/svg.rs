//! A drawing on a sheet of its own, to be saved, with its title, its data and settings, and its source.

use super::{Area, Frame, LABEL, Mark, Point, Scene, Theme, label_width};
use packscope::words::is_hidden;
use plotters_svg::SVGBackend;

/// The words around a drawing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Words {
    /// The title: the finding.
    pub title: String,
    /// Data and settings.
    pub about: String,
    /// The origin: the program and its page.
    pub source: String,
}

/// Margin around everything, in CSS pixels.
const MARGIN: f64 = 16.0;
/// Distance between the words and the drawing.
const GAP: f64 = 10.0;

/// A text style: height of the font, height of a line, weight.
#[derive(Clone, Copy)]
pub(super) struct Style {
    pub(super) size: f64,
    pub(super) line: f64,
    pub(super) bold: bool,
}

const TITLE: Style = Style {
    size: 15.0,
    line: 20.0,
    bold: true,
};
const ABOUT: Style = Style {
    size: 12.0,
    line: 17.0,
    bold: false,
};
const SOURCE: Style = Style {
    size: 11.0,
    line: 15.0,
    bold: false,
};

impl Style {
    /// Breaks words into lines of at most this width; text without spaces is never broken.
    pub(super) fn lines(self, words: &str, width: f64) -> Vec<String> {
        let wide = |line: &str| label_width(line, self.bold) * self.size / LABEL;
        let mut lines: Vec<String> = Vec::new();
        for word in plain(words).split_whitespace() {
            match lines.last_mut() {
                Some(line) if wide(&format!("{line} {word}")) <= width => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines
    }

    /// Writes lines below a place, and returns their lower end.
    pub(super) fn write(
        self,
        scene: &mut Scene,
        lines: Vec<String>,
        (x, top): Point,
        theme: &Theme,
    ) -> f64 {
        let colour = if self.bold {
            theme.ink
        } else {
            theme.second_ink
        };
        let end = top + lines.len() as f64 * self.line;
        for (k, text) in lines.into_iter().enumerate() {
            let at = (x, top + (k as f64 + 0.5) * self.line);
            scene.marks.push(Mark::Text {
                text,
                at,
                anchor: -1,
                size: self.size,
                bold: self.bold,
                colour,
            });
        }
        end
    }
}

/// Places a drawing on a sheet in a larger frame.
pub fn sheet(drawing: Scene, frame: &Frame, words: &Words) -> (Scene, Frame) {
    let mut scene = Scene::default();
    let write = |style: Style, scene: &mut Scene, words: &str, top: f64| {
        style.write(
            scene,
            style.lines(words, frame.width),
            (MARGIN, top),
            &frame.theme,
        )
    };
    // Words are as wide as the drawing, so that only their height is found here, and the drawing
    // moves down by it.
    let top = write(TITLE, &mut scene, &words.title, MARGIN);
    let top = write(ABOUT, &mut scene, &words.about, top + 2.0) + GAP;
    scene.marks.extend(
        drawing
            .marks
            .into_iter()
            .map(|mark| moved(mark, (MARGIN, top))),
    );
    let end = write(SOURCE, &mut scene, &words.source, top + frame.height + GAP);
    let sheet = Frame {
        width: frame.width + 2.0 * MARGIN,
        height: end + MARGIN,
        ..*frame
    };
    (scene, sheet)
}

/// Returns the sheet as an SVG image in light colours.
pub fn svg(draw: impl Fn(&Frame) -> Scene, [width, height]: [f64; 2], words: &Words) -> String {
    let frame = Frame::svg(width, height, Theme::LIGHT);
    let (scene, sheet) = sheet(draw(&frame), &frame, words);
    painted(&scene, &sheet, words)
}

/// Returns a scene as an SVG image that is described by words.
pub(super) fn painted(scene: &Scene, frame: &Frame, words: &Words) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = scene.paint(
        &mut SVGBackend::with_string(&mut text, frame.device_size()),
        frame,
    );
    described(&text, words)
}

/// Adds title and description, for screen readers.
fn described(svg: &str, words: &Words) -> String {
    // The first tag of plotters is `<svg …>`, whose attributes are numbers and names without `>`.
    let Some((head, body)) = svg.split_once('>') else {
        return svg.to_owned();
    };
    let (title, about) = (
        escaped(&words.title),
        escaped(&format!("{}. {}", words.about, words.source)),
    );
    format!("{head} role=\"img\">\n<title>{title}</title>\n<desc>{about}</desc>{body}")
}

/// Removes invisible characters, some of which XML does not allow.
fn plain(text: &str) -> String {
    text.chars()
        // Before hidden characters are removed: line breaks are among them, and words would join.
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| !is_hidden(*c))
        .collect()
}

/// Escapes text for XML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in plain(text).chars() {
        // Quotation marks are escaped in attributes alone; these are the texts of elements.
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c => out.push(c),
        }
    }
    out
}

fn moved(mark: Mark, by: Point) -> Mark {
    placed(mark, 1.0, by)
}

/// Returns a mark made larger by a factor, and then moved.
pub(super) fn placed(mark: Mark, larger: f64, (dx, dy): Point) -> Mark {
    let to = |(x, y): Point| (x * larger + dx, y * larger + dy);
    let all = |points: Vec<Point>| points.into_iter().map(to).collect();
    match mark {
        Mark::Rect(area, colour) => {
            let ((left, top), (right, bottom)) =
                (to((area.left, area.top)), to((area.right, area.bottom)));
            let area = Area {
                left,
                top,
                right,
                bottom,
            };
            Mark::Rect(area, colour)
        }
        Mark::Rule {
            from,
            to: end,
            width,
            colour,
        } => Mark::Rule {
            from: to(from),
            to: to(end),
            width: width * larger,
            colour,
        },
        Mark::Path(points, width, colour) => Mark::Path(all(points), width * larger, colour),
        Mark::Polygon(points, colour) => Mark::Polygon(all(points), colour),
        Mark::Disc(at, radius, colour) => Mark::Disc(to(at), radius * larger, colour),
        Mark::Text {
            text,
            at,
            anchor,
            size,
            bold,
            colour,
        } => Mark::Text {
            text,
            at: to(at),
            anchor,
            size: size * larger,
            bold,
            colour,
        },
    }
}
