//! Drawings as data: marks in CSS pixels.

use super::{Look, Rgb, Spot, Theme};

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
    /// The spot of the pointer or of the keys, in the data of the drawing.
    pub hover: Option<Spot>,
}

impl Frame {
    /// Returns the frame of a canvas of this many CSS pixels, with `scale` device pixels in each.
    pub fn canvas(width: f64, height: f64, scale: f64, theme: Theme) -> Self {
        Self {
            width,
            height,
            scale,
            font: 1.0,
            theme,
            hover: None,
        }
    }

    /// Returns the frame of an SVG image.
    pub fn svg(width: f64, height: f64, theme: Theme) -> Self {
        Self {
            width,
            height,
            scale: 1.0,
            font: 1.24,
            theme,
            hover: None,
        }
    }

    /// Returns the frame with a spot pointed at.
    pub fn pointing(&self, hover: impl Into<Option<Spot>>) -> Self {
        Self {
            hover: hover.into(),
            ..*self
        }
    }

    /// Returns width and height in device pixels, with which the canvas or the backend is to be created.
    pub fn device_size(&self) -> (u32, u32) {
        let device = |css: f64| (css * self.scale).round().max(1.0) as u32;
        (device(self.width), device(self.height))
    }

    /// Returns the area of the plot, within the heights above and below it, and the widths at its sides. The closure
    /// returns the left and the right width once the height is known. The plot has at least four pixels in each
    /// direction.
    pub(super) fn plot(&self, top: f64, below: f64, sides: impl FnOnce(Area) -> [f64; 2]) -> Area {
        let bottom = (self.height - below).max(top + 4.0);
        let [left, right] = sides(Area {
            left: 0.0,
            top,
            right: self.width,
            bottom,
        });
        // Long labels take half of a narrow frame at most.
        let left = left.min(self.width / 2.0);
        Area {
            left,
            top,
            right: (self.width - right).max(left + 4.0),
            bottom,
        }
    }

    /// Returns the colour of a line.
    pub(super) fn colour(&self, look: Look) -> Rgb {
        match look {
            Look::Accent => self.theme.accent,
            Look::Ink => self.theme.ink,
            Look::Dashed(_) => self.theme.second_ink,
        }
    }

    /// Returns the whole surface.
    pub(super) fn area(&self) -> Area {
        Area {
            left: 0.0,
            top: 0.0,
            right: self.width,
            bottom: self.height,
        }
    }

    pub(super) fn device(&self, css: f64) -> i32 {
        // The one place where CSS pixels become device pixels, so that equal edges stay equal.
        (css * self.scale).round() as i32
    }
}

/// A place, in CSS pixels from the upper left corner.
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
    /// Returns the rectangle with this upper left corner.
    pub fn sized((left, top): Point, width: f64, height: f64) -> Self {
        Self {
            left,
            top,
            right: left + width,
            bottom: top + height,
        }
    }

    /// Returns the rectangle with this middle, and these distances to its sides and to its upper and lower edge.
    pub fn around((x, y): Point, wide: f64, high: f64) -> Self {
        Self {
            left: x - wide,
            top: y - high,
            right: x + wide,
            bottom: y + high,
        }
    }

    /// Returns the centre.
    pub fn middle(&self) -> Point {
        (
            f64::midpoint(self.left, self.right),
            f64::midpoint(self.top, self.bottom),
        )
    }

    /// Returns right − left.
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    /// Returns bottom − top.
    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// Whether a place is in the rectangle.
    pub fn contains(&self, x: f64, y: f64) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    /// Whether all of another rectangle is in this one.
    pub(super) fn holds(&self, other: &Self) -> bool {
        self.contains(other.left, other.top) && self.contains(other.right, other.bottom)
    }

    /// Whether the rectangles overlap.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.overlap(other) > 0.0
    }

    /// Returns the overlap in square pixels.
    pub(super) fn overlap(&self, other: &Self) -> f64 {
        let width = self.right.min(other.right) - self.left.max(other.left);
        let height = self.bottom.min(other.bottom) - self.top.max(other.top);
        // Rectangles apart have negative widths or heights, whose product could be positive.
        width.max(0.0) * height.max(0.0)
    }

    /// Returns the rectangle grown by the same distance on each side.
    pub(super) fn grown(&self, by: f64) -> Self {
        let Self {
            left,
            top,
            right,
            bottom,
        } = *self;
        Self {
            left: left - by,
            top: top - by,
            right: right + by,
            bottom: bottom + by,
        }
    }
}

/// An element of a drawing.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// A filled rectangle, at least one device pixel in each direction.
    Rect(Area, Rgb),
    /// A crisp horizontal or vertical line of even thickness, whose pixels start at `from`.
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
        /// The text.
        text: String,
        /// The place, in the middle of the height.
        at: Point,
        /// The part of the text at the place: −1 for its left end, 0 for its middle, 1 for its right end.
        anchor: i8,
        /// Height of the font.
        size: f64,
        /// Whether the font is bold.
        bold: bool,
        /// Colour.
        colour: Rgb,
    },
}

/// Marks in the order in which they are painted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    /// The marks.
    pub marks: Vec<Mark>,
}

/// Font size of labels in CSS pixels.
pub(super) const LABEL: f64 = 12.0;

/// Returns the approximate width of a label; rather too large, since fonts differ between visitors.
pub fn label_width(text: &str, bold: bool) -> f64 {
    // Layouts are pure: only a browser could measure text, and tests and saved images have none.
    let em = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' => 0.28,
        ' ' | 'f' | 't' | 'r' | '-' | '(' | ')' => 0.36,
        'm' | 'w' | '%' | 'M' | 'W' | '∞' | '×' | '≤' => 0.88,
        'A'..='Z' => 0.7,
        '0'..='9' => 0.63,
        _ => 0.59,
    };
    text.chars().map(em).sum::<f64>() * LABEL * if bold { 1.13 } else { 1.0 }
}

/// Returns the approximate width of the widest label; 0 without labels.
pub(super) fn widest<T: AsRef<str>>(texts: impl IntoIterator<Item = T>, bold: bool) -> f64 {
    texts
        .into_iter()
        .map(|text| label_width(text.as_ref(), bold))
        .fold(0.0, f64::max)
}

/// Returns the first label that fits a width.
pub(crate) fn fitting<T: AsRef<str>>(
    texts: impl IntoIterator<Item = T>,
    width: f64,
    bold: bool,
) -> Option<T> {
    texts
        .into_iter()
        .find(|text| label_width(text.as_ref(), bold) <= width)
}

/// Returns as much of a label as fits a width, with an ellipsis if it is cut; nothing if not even a word would be left.
pub(super) fn fitted(text: &str, width: f64, bold: bool) -> String {
    // Widths that were added and subtracted differ in their last digits.
    if label_width(text, bold) <= width + 0.5 {
        return text.to_owned();
    }
    let mut kept: Vec<char> = text.chars().collect();
    while kept.len() > 2 {
        kept.pop();
        // No space before the ellipsis.
        let cut = format!("{}…", kept.iter().collect::<String>().trim_end());
        if label_width(&cut, bold) <= width {
            return cut;
        }
    }
    String::new()
}
