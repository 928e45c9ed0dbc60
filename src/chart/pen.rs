//! plotters' primitives in CSS pixels, with the page's type.

use super::Theme;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const FAMILY: &str = "-apple-system, 'Segoe UI', Inter, Roboto, 'Helvetica Neue', Arial, sans-serif";

/// Whether drawing worked; the error is the backend's.
pub type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

/// Where a text stands relative to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The text begins there.
    Right,
    /// The text ends there.
    Left,
    /// The text is centred there.
    Middle,
}

/// Draws in CSS pixels on an area of device pixels.
pub struct Pen<'a, B: DrawingBackend> {
    area: &'a DrawingArea<B, Shift>,
    scale: f64,
    /// Colours.
    pub theme: &'a Theme,
}

impl<'a, B: DrawingBackend> Pen<'a, B> {
    /// A pen on an area, `scale` device pixels to a CSS pixel.
    pub fn new(area: &'a DrawingArea<B, Shift>, scale: f64, theme: &'a Theme) -> Self {
        Self { area, scale, theme }
    }

    fn at(&self, x: f64, y: f64) -> (i32, i32) {
        ((x * self.scale).round() as i32, (y * self.scale).round() as i32)
    }

    /// Fills a rectangle; edges that meet leave no gap.
    pub fn rect(&self, (x0, y0): (f64, f64), (x1, y1): (f64, f64), colour: RGBColor) -> Drawn<B> {
        let (a, b) = (self.at(x0, y0), self.at(x1, y1));
        if b.0 > a.0 && b.1 > a.1 {
            self.area.draw(&Rectangle::new([a, b], colour.filled()))?;
        }
        Ok(())
    }

    /// Outlines a rectangle.
    pub fn outline(&self, from: (f64, f64), to: (f64, f64), colour: RGBColor, width: f64) -> Drawn<B> {
        let (x0, y0, x1, y1) = (from.0, from.1, to.0, to.1);
        self.line(&[(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)], colour, width)
    }

    /// A line through points.
    pub fn line(&self, points: &[(f64, f64)], colour: RGBColor, width: f64) -> Drawn<B> {
        let points: Vec<_> = points.iter().map(|&(x, y)| self.at(x, y)).collect();
        let width = (width * self.scale).round().max(1.0) as u32;
        self.area.draw(&PathElement::new(points, colour.stroke_width(width)))
    }

    /// A dashed line through points; `dash` is (drawn, left out).
    pub fn dashed(&self, points: &[(f64, f64)], colour: RGBColor, width: f64, dash: (f64, f64)) -> Drawn<B> {
        let mut on = true;
        let mut left = dash.0;
        for pair in points.windows(2) {
            let ((mut x, mut y), (x1, y1)) = (pair[0], pair[1]);
            loop {
                let rest = (x1 - x).hypot(y1 - y);
                let part = if rest > left { left / rest } else { 1.0 };
                let to = (x + (x1 - x) * part, y + (y1 - y) * part);
                if on {
                    self.line(&[(x, y), to], colour, width)?;
                }
                if rest <= left {
                    left -= rest;
                    break;
                }
                (x, y) = to;
                on = !on;
                left = if on { dash.0 } else { dash.1 };
            }
        }
        Ok(())
    }

    /// Fills a polygon.
    pub fn polygon(&self, points: &[(f64, f64)], colour: RGBColor) -> Drawn<B> {
        let points: Vec<_> = points.iter().map(|&(x, y)| self.at(x, y)).collect();
        self.area.draw(&Polygon::new(points, colour.filled()))
    }

    /// Fills a circle.
    pub fn dot(&self, x: f64, y: f64, radius: f64, colour: RGBColor) -> Drawn<B> {
        let radius = (radius * self.scale).round() as i32;
        self.area.draw(&Circle::new(self.at(x, y), radius, colour.filled()))
    }

    /// A text, vertically centred on its point.
    pub fn text(&self, text: &str, at: (f64, f64), side: Side, look: Look) -> Drawn<B> {
        let h = match side {
            Side::Right => HPos::Left,
            Side::Left => HPos::Right,
            Side::Middle => HPos::Center,
        };
        let style = if look.bold { FontStyle::Bold } else { FontStyle::Normal };
        let font = FontDesc::new(FontFamily::Name(FAMILY), look.size * self.scale, style);
        let style = TextStyle::from(font).color(&look.colour).pos(Pos::new(h, VPos::Center));
        self.area.draw(&Text::new(text.to_owned(), self.at(at.0, at.1), style))
    }

    /// Small text in the second ink.
    pub fn note(&self) -> Look {
        Look { size: 12.0, bold: false, colour: self.theme.second }
    }
}

/// Size, weight and colour of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// CSS pixels.
    pub size: f64,
    /// Weight 600 or 400.
    pub bold: bool,
    /// Colour.
    pub colour: RGBColor,
}

impl Look {
    /// In bold.
    pub fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// In another colour.
    pub fn in_colour(self, colour: RGBColor) -> Self {
        Self { colour, ..self }
    }
}

/// A colour between two.
pub fn mix(a: RGBColor, b: RGBColor, share_of_b: f64) -> RGBColor {
    let part = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share_of_b).round() as u8;
    RGBColor(part(a.0, b.0), part(a.1, b.1), part(a.2, b.2))
}

/// About how wide a text is; exact metrics differ between systems.
pub fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.54
}
