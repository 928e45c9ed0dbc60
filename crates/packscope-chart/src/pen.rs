//! The pen with which every drawing is made.

use super::{Area, Frame, LABEL, Mark, Point, Rgb, Scene, Theme, label_width};

/// Draws marks into a scene, in the colours of a frame.
#[derive(Debug, Clone)]
pub struct Pen<'f> {
    /// The marks drawn so far.
    pub scene: Scene,
    /// The surface that is drawn on.
    pub frame: &'f Frame,
    /// The colours of the surface.
    pub theme: Theme,
}

impl<'f> Pen<'f> {
    /// Creates a pen on an empty surface.
    pub fn new(frame: &'f Frame) -> Self {
        Self {
            scene: Scene::default(),
            frame,
            theme: frame.theme,
        }
    }

    /// Draws a filled rectangle, at least a device pixel wide and high.
    pub fn rect(&mut self, area: Area, colour: Rgb) {
        self.scene.marks.push(Mark::Rect(area, colour));
    }

    /// Draws a horizontal or vertical line; its thickness extends downwards, or to the right.
    pub fn rule(&mut self, from: Point, to: Point, width: f64, colour: Rgb) {
        self.scene.marks.push(Mark::Rule {
            from,
            to,
            width,
            colour,
        });
    }

    /// Draws a line through points, of a width in CSS pixels.
    pub fn path(&mut self, points: Vec<Point>, width: f64, colour: Rgb) {
        self.scene.marks.push(Mark::Path(points, width, colour));
    }

    /// Draws a filled polygon; its last corner is joined to the first.
    pub fn polygon(&mut self, corners: Vec<Point>, colour: Rgb) {
        self.scene.marks.push(Mark::Polygon(corners, colour));
    }

    /// Draws the outline of a rectangle, with the line inside.
    pub fn outline(&mut self, area: Area, width: f64, colour: Rgb) {
        let Area {
            left,
            top,
            right,
            bottom,
        } = area;
        // Lines extend downwards and to the right, so the far ones begin before their edges.
        for y in [top, bottom - width] {
            self.rule((left, y), (right, y), width, colour);
        }
        for x in [left, right - width] {
            self.rule((x, top), (x, bottom), width, colour);
        }
    }

    /// Draws a dashed line: on, off, on, off …; solid for an empty pattern.
    pub fn dashed(&mut self, points: &[Point], pattern: &[f64], width: f64, colour: Rgb) {
        if pattern.is_empty() {
            return self.path(points.to_vec(), width, colour);
        }
        for dash in dashes(points, pattern) {
            self.path(dash, width, colour);
        }
    }

    /// Draws a line through points with the colour, the width and the dashes of a look.
    pub fn line(&mut self, points: &[Point], look: Look) {
        let (pattern, width) = match look {
            Look::Accent => (PATTERNS[0], 2.0),
            Look::Ink => (PATTERNS[0], 1.5),
            Look::Dashed(i) => (PATTERNS[i % PATTERNS.len()], 1.5),
        };
        self.dashed(points, pattern, width, self.colour(look));
    }

    /// Draws a part of a curve: a line, or a dot if it is a single point, which makes no line.
    pub(super) fn curve(&mut self, part: &[Point], look: Look) {
        // A path of one point paints nothing.
        if let [at] = part {
            self.disc(*at, 2.5, self.colour(look));
        }
        self.line(part, look);
    }

    /// Returns the colour of a line.
    pub(super) fn colour(&self, look: Look) -> Rgb {
        self.frame.colour(look)
    }

    /// Draws a line down from a handle that can be dragged.
    pub fn needle(&mut self, (x, y): Point, bottom: f64, colour: Rgb) {
        self.rule((x - 0.75, y), (x - 0.75, bottom), 1.5, colour);
        let handle = [
            (-5.5, -7.0),
            (5.5, -7.0),
            (5.5, 3.0),
            (0.0, 9.0),
            (-5.5, 3.0),
        ];
        self.polygon(
            handle.iter().map(|(dx, dy)| (x + dx, y + dy)).collect(),
            colour,
        );
    }

    /// Draws a filled disc; place and radius are in CSS pixels.
    pub fn disc(&mut self, at: Point, radius: f64, colour: Rgb) {
        self.scene.marks.push(Mark::Disc(at, radius, colour));
    }

    /// Draws a disc with a rim of the background, which sets it off from its line.
    pub fn dot(&mut self, at: Point, radius: f64, colour: Rgb) {
        self.disc(at, radius + 1.0, self.theme.background);
        self.disc(at, radius, colour);
    }

    /// Writes text in any size. Its left end (anchor −1), its middle (0) or its right end (1) is at the place.
    pub fn text(
        &mut self,
        text: impl Into<String>,
        at: Point,
        anchor: i8,
        (size, bold): (f64, bool),
        colour: Rgb,
    ) {
        self.scene.marks.push(Mark::Text {
            text: text.into(),
            at,
            anchor,
            size,
            bold,
            colour,
        });
    }

    /// Writes text in the size of labels.
    pub fn label(
        &mut self,
        text: impl Into<String>,
        at: Point,
        anchor: i8,
        colour: Rgb,
        bold: bool,
    ) {
        self.text(text, at, anchor, (LABEL, bold), colour);
    }

    /// Writes a less prominent label, in the second ink.
    pub fn note(&mut self, text: impl Into<String>, at: Point, anchor: i8) {
        self.label(text, at, anchor, self.theme.second_ink, false);
    }

    /// Writes labels one below the other, with a line height, from an upper end.
    pub(super) fn labels<T: Into<String>>(
        &mut self,
        lines: impl IntoIterator<Item = T>,
        (x, top): Point,
        height: f64,
        anchor: i8,
        (colour, bold): (Rgb, bool),
    ) {
        for (i, line) in lines.into_iter().enumerate() {
            self.label(
                line,
                (x, top + height * (i as f64 + 0.5)),
                anchor,
                colour,
                bold,
            );
        }
    }

    /// Writes a bold label at a distance to the right of a place, or to its left if the frame ends too soon.
    pub(super) fn label_beside(&mut self, text: &str, (x, y): Point, gap: f64, colour: Rgb) {
        let fits = x + gap + label_width(text, true) <= self.frame.width;
        let (x, anchor) = if fits { (x + gap, -1) } else { (x - gap, 1) };
        self.label(text, (x, y), anchor, colour, true);
    }
}

/// The look of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// The chosen line, or the proven one.
    Accent,
    /// A line with which the accent is compared.
    Ink,
    /// A line in ink, in one of six kinds of dashes: they tell lines apart so that colour keeps its meanings.
    Dashed(usize),
}

impl Look {
    pub(super) fn of_curve(place: usize, chosen: bool) -> Self {
        if chosen {
            Self::Accent
        } else {
            Self::Dashed(place)
        }
    }
}

const PATTERNS: [&[f64]; 6] = [
    &[],
    &[6.0, 3.0],
    &[2.0, 3.0],
    &[10.0, 3.0, 2.0, 3.0],
    &[12.0, 5.0],
    &[6.0, 3.0, 2.0, 3.0, 2.0, 3.0],
];

/// Returns the parts of a curve in which neighbours have places.
pub(super) fn runs(points: impl Iterator<Item = Option<Point>>) -> Vec<Vec<Point>> {
    let points: Vec<Option<Point>> = points.collect();
    // A gap in the values is a gap in the line: nothing is drawn across it.
    let runs = points.split(Option::is_none).filter(|run| !run.is_empty());
    runs.map(|run| run.iter().flatten().copied().collect())
        .collect()
}

/// Returns the dashes of a line, each a line through its own corners.
fn dashes(points: &[Point], pattern: &[f64]) -> Vec<Vec<Point>> {
    let (mut done, mut dash) = (
        vec![],
        points.first().copied().into_iter().collect::<Vec<_>>(),
    );
    // Even parts of a pattern are on, odd ones off. Both go on round the corners of the line.
    let (mut part, mut left) = (0, pattern[0]);
    for pair in points.windows(2) {
        let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        let length = dx.hypot(dy);
        let mut at = 0.0;
        while length - at > left {
            at += left;
            let here = (pair[0].0 + dx * at / length, pair[0].1 + dy * at / length);
            if part % 2 == 0 {
                dash.push(here);
                done.push(std::mem::take(&mut dash));
            } else {
                dash = vec![here];
            }
            part += 1;
            // A pattern of zeros would never get past its place.
            left = pattern[part % pattern.len()].max(0.5);
        }
        left -= length - at;
        if part % 2 == 0 {
            dash.push(pair[1]);
        }
    }
    done.extend((dash.len() > 1).then_some(dash));
    done
}
