//! Paints a scene with plotters, which no other module uses.

use super::{Area, Frame, Mark, Point, Rgb, Scene};
use plotters::prelude::{
    Color, DrawResult, DrawingAreaErrorKind, DrawingBackend, FontDesc, FontFamily, FontStyle,
    RGBColor, ShapeStyle, TextStyle,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// The fonts of the page, as in `static/style/base.css`. Both backends write the list into CSS
/// or SVG as it is, so that it may name several.
const FONTS: &str =
    "-apple-system, \"Segoe UI\", Inter, Roboto, \"Helvetica Neue\", Arial, sans-serif";

impl Scene {
    /// Paints the background and every mark.
    ///
    /// # Errors
    /// Errors of the backend.
    pub fn paint<DB: DrawingBackend>(&self, backend: &mut DB, frame: &Frame) -> DrawResult<(), DB> {
        let ground = Area {
            left: 0.0,
            top: 0.0,
            right: frame.width,
            bottom: frame.height,
        };
        paint(&Mark::Rect(ground, frame.theme.background), backend, frame)?;
        self.marks
            .iter()
            .try_for_each(|mark| paint(mark, backend, frame))
    }
}

fn paint<DB: DrawingBackend>(mark: &Mark, backend: &mut DB, frame: &Frame) -> DrawResult<(), DB> {
    // Backends of plotters count in whole pixels. Rounding a place always in the same way keeps
    // marks that share an edge together.
    let px = |css: f64| frame.device(css);
    let points = |points: &[Point]| {
        points
            .iter()
            .map(|(x, y)| (px(*x), px(*y)))
            .collect::<Vec<_>>()
    };
    match mark {
        Mark::Rect(area, colour) => {
            let from = (px(area.left), px(area.top));
            let to = (
                px(area.right).max(from.0 + 1),
                px(area.bottom).max(from.1 + 1),
            );
            backend.draw_rect(from, to, &filled(*colour), true)
        }
        Mark::Rule {
            from,
            to,
            width,
            colour,
        } => {
            // The width is rounded by itself, not as the difference of two edges: all lines of one
            // width are equally thick, wherever they begin.
            let thick = px(*width).max(1);
            let start = (px(from.0), px(from.1));
            let end = if from.0 == to.0 {
                (start.0 + thick, px(to.1).max(start.1 + 1))
            } else {
                (px(to.0).max(start.0 + 1), start.1 + thick)
            };
            backend.draw_rect(start, end, &filled(*colour), true)
        }
        Mark::Path(path, width, colour) => backend.draw_path(
            points(path),
            &filled(*colour).stroke_width(px(*width).max(1) as u32),
        ),
        Mark::Polygon(path, colour) => backend.fill_polygon(points(path), &filled(*colour)),
        Mark::Disc(at, radius, colour) => backend.draw_circle(
            (px(at.0), px(at.1)),
            px(*radius).max(1) as u32,
            &filled(*colour),
            true,
        ),
        Mark::Text {
            text,
            at,
            anchor,
            size,
            bold,
            colour,
        } => {
            // Canvas and SVG get the size in device pixels; `font` undoes what the backend divides
            // by.
            let style = text_style(*size * frame.scale * frame.font, *bold, *anchor, *colour);
            backend.draw_text(text, &style, (px(at.0), px(at.1)))
        }
    }
    .map_err(DrawingAreaErrorKind::BackendError)
}

fn filled([r, g, b]: Rgb) -> ShapeStyle {
    RGBColor(r, g, b).filled()
}

fn text_style(size: f64, bold: bool, anchor: i8, [r, g, b]: Rgb) -> TextStyle<'static> {
    let style = if bold {
        FontStyle::Bold
    } else {
        FontStyle::Normal
    };
    let horizontal = match anchor {
        ..0 => HPos::Left,
        0 => HPos::Center,
        1.. => HPos::Right,
    };
    TextStyle {
        font: FontDesc::new(FontFamily::Name(FONTS), size, style),
        color: RGBColor(r, g, b).to_backend_color(),
        pos: Pos::new(horizontal, VPos::Center),
    }
}
