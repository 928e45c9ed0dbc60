//! What is drawn, as data: marks in CSS pixels.

use super::theme::{Rgb, Theme};

/// The surface that is drawn on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Width in CSS pixels.
    pub width: f64,
    /// Height in CSS pixels.
    pub height: f64,
    /// Device pixels per CSS pixel.
    pub scale: f64,
    /// Factor on font sizes: 1 on a canvas; the SVG backend of plotters divides them by 1.24.
    pub font: f64,
    /// The colours.
    pub theme: Theme,
}

impl Frame {
    /// A canvas of this many CSS pixels with `scale` device pixels in each.
    pub fn canvas(width: f64, height: f64, scale: f64, theme: Theme) -> Self {
        Self { width, height, scale, font: 1.0, theme }
    }

    /// An SVG image.
    pub fn svg(width: f64, height: f64, theme: Theme) -> Self {
        Self { width, height, scale: 1.0, font: 1.24, theme }
    }

    /// Width and height in device pixels: what the canvas or the backend is to be made with.
    pub fn device_size(&self) -> (u32, u32) {
        let device = |css: f64| (css * self.scale).round().max(1.0) as u32;
        (device(self.width), device(self.height))
    }

    pub(super) fn device(&self, css: f64) -> i32 {
        (css * self.scale).round() as i32
    }
}

/// A place, in CSS pixels from the upper left.
pub type Point = (f64, f64);

/// A rectangle in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// Left edge.
    pub left: f64,
    /// Upper edge.
    pub top: f64,
    /// Right edge.
    pub right: f64,
    /// Lower edge.
    pub bottom: f64,
}

impl Area {
    /// Right − left.
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    /// Bottom − top.
    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// Whether a place is in it.
    pub fn contains(&self, x: f64, y: f64) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    /// Whether another shares a part of it.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.overlap(other) > 0.0
    }

    /// The part shared with another, in square pixels.
    pub(super) fn overlap(&self, other: &Self) -> f64 {
        let width = self.right.min(other.right) - self.left.max(other.left);
        let height = self.bottom.min(other.bottom) - self.top.max(other.top);
        width.max(0.0) * height.max(0.0)
    }

    /// As much larger on each side.
    pub(super) fn grown(&self, by: f64) -> Self {
        let Self { left, top, right, bottom } = *self;
        Self { left: left - by, top: top - by, right: right + by, bottom: bottom + by }
    }
}

/// One thing that is drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// A filled rectangle; at least one device pixel each way.
    Rect(Area, Rgb),
    /// A horizontal or vertical line of even thickness, crisp: its pixels start at `from`.
    Rule {
        /// Upper or left end.
        from: Point,
        /// Lower or right end.
        to: Point,
        /// Thickness.
        width: f64,
        /// Colour.
        colour: Rgb,
    },
    /// A line through points.
    Path(Vec<Point>, f64, Rgb),
    /// A filled polygon.
    Polygon(Vec<Point>, Rgb),
    /// A disc: centre, radius, colour.
    Disc(Point, f64, Rgb),
    /// A line of text.
    Text {
        /// What it says.
        text: String,
        /// Where, in the middle of its height.
        at: Point,
        /// Which part of it is there: −1 its left end, 0 its middle, 1 its right end.
        anchor: i8,
        /// Height of the font.
        size: f64,
        /// Heavier.
        bold: bool,
        /// Colour.
        colour: Rgb,
    },
}

/// Marks in the order they are painted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    /// The marks.
    pub marks: Vec<Mark>,
}

impl Scene {
    pub(crate) fn rect(&mut self, area: Area, colour: Rgb) {
        self.marks.push(Mark::Rect(area, colour));
    }

    pub(crate) fn rule(&mut self, from: Point, to: Point, width: f64, colour: Rgb) {
        self.marks.push(Mark::Rule { from, to, width, colour });
    }

    pub(crate) fn path(&mut self, points: Vec<Point>, width: f64, colour: Rgb) {
        self.marks.push(Mark::Path(points, width, colour));
    }

    /// The outline of a rectangle, its line inside.
    pub(crate) fn outline(&mut self, area: Area, width: f64, colour: Rgb) {
        let Area { left, top, right, bottom } = area;
        for y in [top, bottom - width] {
            self.rule((left, y), (right, y), width, colour);
        }
        for x in [left, right - width] {
            self.rule((x, top), (x, bottom), width, colour);
        }
    }

    /// A line in dashes: on, off, on, off …; solid for an empty pattern.
    pub(crate) fn dashed(&mut self, points: &[Point], pattern: &[f64], width: f64, colour: Rgb) {
        if pattern.is_empty() {
            return self.path(points.to_vec(), width, colour);
        }
        for dash in dashes(points, pattern) {
            self.path(dash, width, colour);
        }
    }

    /// A line down from a handle that can be dragged.
    pub(crate) fn needle(&mut self, (x, y): Point, bottom: f64, colour: Rgb) {
        self.rule((x - 0.75, y), (x - 0.75, bottom), 1.5, colour);
        let handle = [(-5.5, -7.0), (5.5, -7.0), (5.5, 3.0), (0.0, 9.0), (-5.5, 3.0)];
        self.marks.push(Mark::Polygon(handle.iter().map(|(dx, dy)| (x + dx, y + dy)).collect(), colour));
    }

    /// A disc with a rim of the background, so that it is seen on its line.
    pub(crate) fn dot(&mut self, at: Point, radius: f64, colour: Rgb, theme: &Theme) {
        self.disc(at, radius + 1.0, theme.background);
        self.disc(at, radius, colour);
    }

    pub(crate) fn disc(&mut self, at: Point, radius: f64, colour: Rgb) {
        self.marks.push(Mark::Disc(at, radius, colour));
    }

    /// Text in any size.
    pub fn text(&mut self, text: impl Into<String>, at: Point, anchor: i8, size: f64, colour: Rgb) {
        self.marks.push(Mark::Text { text: text.into(), at, anchor, size, bold: true, colour });
    }

    /// Text in the size of labels.
    pub(crate) fn label(&mut self, text: impl Into<String>, at: Point, anchor: i8, colour: Rgb, bold: bool) {
        self.marks.push(Mark::Text { text: text.into(), at, anchor, size: LABEL, bold, colour });
    }
}

/// Dashes tell lines apart, so that colour keeps its meanings.
pub(super) const PATTERNS: [&[f64]; 6] =
    [&[], &[6.0, 3.0], &[2.0, 3.0], &[10.0, 3.0, 2.0, 3.0], &[12.0, 5.0], &[6.0, 3.0, 2.0, 3.0, 2.0, 3.0]];

/// Size of labels in CSS pixels.
pub(super) const LABEL: f64 = 12.0;

/// About how wide a label is; rather too wide, since the font is the visitor's.
pub fn label_width(text: &str, bold: bool) -> f64 {
    let em = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' => 0.28,
        ' ' | 'f' | 't' | 'r' | '-' | '(' | ')' => 0.36,
        'm' | 'w' | '%' | 'M' | 'W' | '∞' => 0.88,
        'A'..='Z' => 0.7,
        '0'..='9' => 0.63,
        _ => 0.59,
    };
    text.chars().map(em).sum::<f64>() * LABEL * if bold { 1.07 } else { 1.0 }
}

/// As much of a label as fits a width, with an ellipsis where it is cut; nothing where that would be no word.
pub(super) fn fitted(text: &str, width: f64, bold: bool) -> String {
    // Widths that were added and taken away again differ in their last digits.
    if label_width(text, bold) <= width + 0.5 {
        return text.to_owned();
    }
    let mut kept: Vec<char> = text.chars().collect();
    while kept.len() > 2 {
        kept.pop();
        let cut = format!("{}…", kept.iter().collect::<String>().trim_end());
        if label_width(&cut, bold) <= width {
            return cut;
        }
    }
    String::new()
}

/// The dashes of a line, each a line through its own corners.
fn dashes(points: &[Point], pattern: &[f64]) -> Vec<Vec<Point>> {
    let (mut done, mut dash) = (vec![], points.first().copied().into_iter().collect::<Vec<_>>());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_go_round_corners_and_cover_their_share() {
        let line = [(0.0, 0.0), (7.0, 0.0), (7.0, 13.0)];
        let dashes = dashes(&line, &[3.0, 2.0]);
        let length = |dash: &Vec<Point>| -> f64 {
            dash.windows(2).map(|p| (p[1].0 - p[0].0).hypot(p[1].1 - p[0].1)).sum()
        };
        assert!(dashes.iter().all(|d| (length(d) - 3.0).abs() < 1e-9), "{dashes:?}");
        assert_eq!(dashes.len(), 4);
        assert_eq!(dashes[1], [(5.0, 0.0), (7.0, 0.0), (7.0, 1.0)]);
    }

    #[test]
    fn widths_grow_with_text_and_weight() {
        assert!(label_width("limit 512", false) < label_width("limit 512", true));
        assert!((40.0..70.0).contains(&label_width("limit 512", false)));
    }

    #[test]
    fn words_that_do_not_fit_are_cut() {
        let whole = "Packed, block-diagonal";
        assert_eq!(fitted(whole, 500.0, false), whole);
        let cut = fitted(whole, 80.0, true);
        assert!(cut.starts_with("Packed") && cut.ends_with('…') && label_width(&cut, true) <= 80.0, "{cut}");
        assert_eq!(fitted(whole, 5.0, false), "");
    }

    #[test]
    fn device_pixels_follow_the_scale() {
        let frame = Frame::canvas(300.5, 200.0, 2.0, Theme::LIGHT);
        assert_eq!(frame.device_size(), (601, 400));
    }
}
