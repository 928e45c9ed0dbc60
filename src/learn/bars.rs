//! Bars of the same length, one below the other, each divided into the same parts.

use super::Figure;
use packscope::words::percent;
use packscope_chart::{Area, Frame, Pen, Rgb, Scene, Theme, contrast, label_width};

/// Height of a name, of a bar, and of a line of the legend.
const NAME: f64 = 20.0;
const BAR: f64 = 28.0;
const LINE: f64 = 20.0;

/// A bar: its name, and the shares of its parts.
pub type Bar = (String, Vec<f64>);

/// Draws bars with their parts, each in its name and colour. There is a legend below.
pub fn figure(
    label: String,
    bars: Vec<Bar>,
    parts: &'static [&'static str],
    colour: fn(&Theme, usize) -> Rgb,
) -> Figure {
    let tall = match bars.len() {
        1 => |_| NAME + BAR + 10.0 + 2.0 * LINE,
        _ => |_| 2.0 * (NAME + BAR + 6.0) + 10.0 + 2.0 * LINE,
    };
    Figure::new(label, tall, move |frame| draw(&bars, parts, colour, frame))
}

fn draw(
    bars: &[Bar],
    parts: &[&'static str],
    colour: fn(&Theme, usize) -> Rgb,
    frame: &Frame,
) -> Scene {
    let (mut pen, theme) = (Pen::new(frame), frame.theme);
    let mut top = 0.0;
    for (name, shares) in bars {
        pen.label(name.clone(), (0.0, top + NAME / 2.0), -1, theme.ink, true);
        top += NAME;
        let mut left = 0.0;
        for (at, share) in shares.iter().enumerate() {
            let wide = share * frame.width;
            let area = Area::sized((left, top), (wide - 1.0).max(0.0), BAR);
            let ground = colour(&theme, at);
            pen.rect(area, ground);
            let words = percent(*share);
            if wide > label_width(&words, true) + 8.0 {
                let ink = on(&theme, ground);
                pen.label(words, area.middle(), 0, ink, true);
            }
            left += wide;
        }
        top += BAR + 6.0;
    }
    let (mut x, mut y) = (0.0, top + 4.0 + LINE / 2.0);
    for (at, name) in parts.iter().enumerate() {
        let wide = label_width(name, false) + 18.0;
        if x > 0.0 && x + wide > frame.width {
            (x, y) = (0.0, y + LINE);
        }
        pen.rect(Area::around((x + 5.0, y), 5.0, 5.0), colour(&theme, at));
        pen.label(*name, (x + 16.0, y), -1, theme.ink, false);
        x += wide + 14.0;
    }
    pen.scene
}

/// Returns the colour of words on a ground: that of the two with more contrast.
fn on(theme: &Theme, ground: Rgb) -> Rgb {
    let [ink, background] = [theme.ink, theme.background];
    if contrast(ink, ground) >= contrast(background, ground) {
        ink
    } else {
        background
    }
}
