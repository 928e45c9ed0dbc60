//! Drawings as data: marks in CSS pixels.

use super::{Rgb, Spot, Theme};

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
    /// What the pointer or a key is at, in the data of the drawing.
    pub hover: Option<Spot>,
}

impl Frame {
    /// A canvas of this many CSS pixels with `scale` device pixels in each.
    pub fn canvas(width: f64, height: f64, scale: f64, theme: Theme) -> Self {
        Self { width, height, scale, font: 1.0, theme, hover: None }
    }

    /// An SVG image.
    pub fn svg(width: f64, height: f64, theme: Theme) -> Self {
        Self { width, height, scale: 1.0, font: 1.24, theme, hover: None }
    }

    /// The same with a spot pointed at.
    pub fn pointing(&self, hover: impl Into<Option<Spot>>) -> Self {
        Self { hover: hover.into(), ..*self }
    }

    /// Width and height in device pixels: what the canvas or the backend is to be made with.
    pub fn device_size(&self) -> (u32, u32) {
        let device = |css: f64| (css * self.scale).round().max(1.0) as u32;
        (device(self.width), device(self.height))
    }

    /// The plot that is left by what is above and below it, and by what its sides need: the closure is asked for the
    /// widths at the left and at the right once the height is known. At least four pixels each way.
    pub(super) fn plot(&self, top: f64, below: f64, sides: impl FnOnce(Area) -> [f64; 2]) -> Area {
        let bottom = (self.height - below).max(top + 4.0);
        let [left, right] = sides(Area { left: 0.0, top, right: self.width, bottom });
        let left = left.min(self.width / 2.0);
        Area { left, top, right: (self.width - right).max(left + 4.0), bottom }
    }

    /// The whole surface.
    pub(super) fn area(&self) -> Area {
        Area { left: 0.0, top: 0.0, right: self.width, bottom: self.height }
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
    /// A rectangle by its upper left corner.
    pub fn sized((left, top): Point, width: f64, height: f64) -> Self {
        Self { left, top, right: left + width, bottom: top + height }
    }

    /// A rectangle by its middle, and how far it reaches to the sides and up and down.
    pub fn around((x, y): Point, wide: f64, high: f64) -> Self {
        Self { left: x - wide, top: y - high, right: x + wide, bottom: y + high }
    }

    /// The middle.
    pub fn middle(&self) -> Point {
        (f64::midpoint(self.left, self.right), f64::midpoint(self.top, self.bottom))
    }

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

    /// Whether all of another is in it.
    pub(super) fn holds(&self, other: &Self) -> bool {
        self.contains(other.left, other.top) && self.contains(other.right, other.bottom)
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
        /// The line itself.
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

/// Size of labels in CSS pixels.
pub(super) const LABEL: f64 = 12.0;

/// About how wide a label is; rather too wide, since the font is the visitor's.
pub fn label_width(text: &str, bold: bool) -> f64 {
    let em = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' => 0.28,
        ' ' | 'f' | 't' | 'r' | '-' | '(' | ')' => 0.36,
        'm' | 'w' | '%' | 'M' | 'W' | '∞' | '×' => 0.88,
        'A'..='Z' => 0.7,
        '0'..='9' => 0.63,
        _ => 0.59,
    };
    text.chars().map(em).sum::<f64>() * LABEL * if bold { 1.07 } else { 1.0 }
}

/// About how wide the widest of some labels is; 0 without labels.
pub(super) fn widest<T: AsRef<str>>(texts: impl IntoIterator<Item = T>, bold: bool) -> f64 {
    texts.into_iter().map(|text| label_width(text.as_ref(), bold)).fold(0.0, f64::max)
}

/// The first of some labels that fits a width.
pub(crate) fn fitting<T: AsRef<str>>(
    texts: impl IntoIterator<Item = T>,
    width: f64,
    bold: bool,
) -> Option<T> {
    texts.into_iter().find(|text| label_width(text.as_ref(), bold) <= width)
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

#[cfg(test)]
mod tests {
    use super::*;

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
