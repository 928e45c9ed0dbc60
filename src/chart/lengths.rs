//! The histogram of lengths. It is its own legend: colour means length, here and in the packs.

use super::pen::{Look, Pen, Side, mix, text_width};
use super::{Drawn, Theme, nice, short};
use crate::words::{count, percent};
use plotters::coord::Shift;
use plotters::prelude::*;

/// What the histogram shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Lengths<'a> {
    /// Lengths with their counts, ascending.
    pub entries: &'a [([u32; 1], u64)],
    /// The maximum sequence length.
    pub limit: u32,
    /// Whether counts are on a logarithmic scale.
    pub log: bool,
    /// A length under the pointer, with what to say about it.
    pub hover: Option<(u32, Vec<String>)>,
    /// Lengths to mark, because a pack that uses them is under the pointer.
    pub lit: &'a [u32],
}

const LEFT: f64 = 44.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 26.0;

/// Where lengths stand in a drawing, both ways.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    width: f64,
    height: f64,
    max: u32,
    /// Lengths that share a bar.
    pub bin: u32,
}

impl Frame {
    /// For a drawing of this size.
    pub fn new(width: f64, height: f64, entries: &[([u32; 1], u64)], limit: u32) -> Self {
        let max = entries.last().map_or(limit, |([l], _)| limit.max(*l)).max(2);
        let items: u64 = entries.iter().map(|(_, n)| n).sum();
        // As many bars as there is room for, but fewer where items are few, or only noise would be seen.
        let bars = ((width - LEFT - RIGHT) / 0.9).min(40.0 + 3.0 * (items as f64).sqrt()).max(8.0);
        let bin = u32::try_from(nice(f64::from(max) / bars)).unwrap_or(u32::MAX);
        Self { width, height, max, bin }
    }

    /// Left edge of a length.
    pub fn x(&self, length: f64) -> f64 {
        LEFT + (length - 0.5) / f64::from(self.max) * (self.width - LEFT - RIGHT)
    }

    /// The length at a place.
    pub fn length_at(&self, x: f64) -> u32 {
        let share = (x - LEFT) / (self.width - LEFT - RIGHT);
        ((share * f64::from(self.max)).round().clamp(1.0, f64::from(self.max))) as u32
    }

    /// First length of the bar in which a length stands.
    pub fn bar_of(&self, length: u32) -> u32 {
        bar_of(length, self.bin)
    }

    /// Where the line of a limit stands: right of the bar of that length.
    pub fn limit_x(&self, limit: u32) -> f64 {
        self.x(f64::from(limit) + 0.5)
    }

    fn bottom(&self) -> f64 {
        self.height - BOTTOM
    }
}

fn bar_of(length: u32, bin: u32) -> u32 {
    (length.max(1) - 1) / bin * bin + 1
}

/// Bars of `bin` lengths with something in them: (first length, items), ascending. O(entries).
pub fn bars(bin: u32, entries: &[([u32; 1], u64)]) -> Vec<(u32, u64)> {
    let mut bars = Vec::<(u32, u64)>::new();
    for &([length], n) in entries {
        let bar = bar_of(length, bin);
        match bars.last_mut() {
            Some((last, sum)) if *last == bar => *sum = sum.saturating_add(n),
            _ => bars.push((bar, n)),
        }
    }
    bars
}

/// Heights: the largest count of the axis, and the bar that is cut because it towers over all others.
struct Scale {
    top: f64,
    log: bool,
    cut: Option<(u32, u64)>,
}

impl Scale {
    fn new(bars: &[(u32, u64)], log: bool) -> Self {
        let mut highest: Vec<(u32, u64)> = bars.to_vec();
        highest.sort_by_key(|b| std::cmp::Reverse(b.1));
        let first = highest.first().map_or(1, |b| b.1) as f64;
        match highest.get(1) {
            Some(second) if !log && bars.len() > 4 && first > 4.0 * second.1 as f64 => {
                Self { top: second.1 as f64 * 1.06, log, cut: Some(highest[0]) }
            }
            _ => Self { top: first * 1.06, log, cut: None },
        }
    }

    /// Share of the height.
    fn share(&self, n: u64) -> f64 {
        match (n, self.log) {
            (0, _) => 0.0,
            // A single item is seen too.
            (n, true) => ((n as f64).ln() + 0.5) / (self.top.max(2.0).ln() + 0.5),
            (n, false) => (n as f64 / self.top).min(1.04),
        }
    }

    fn ticks(&self) -> Vec<u64> {
        if self.log {
            let decades = self.top.max(1.0).log10().floor() as u32;
            let every = decades / 5 + 1;
            return (0..=decades).step_by(every as usize).map(|d| 10u64.pow(d)).collect();
        }
        let step = nice(self.top / 4.0);
        (1..5).map(|i| i * step).filter(|t| *t as f64 <= self.top).collect()
    }
}

/// Draws the histogram.
///
/// # Errors
/// The backend's.
pub fn draw<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    scale: f64,
    theme: &Theme,
    frame: &Frame,
    lengths: &Lengths,
) -> Drawn<B> {
    area.fill(&theme.background)?;
    let pen = Pen::new(area, scale, theme);
    let bars = bars(frame.bin, lengths.entries);
    let heights = Scale::new(&bars, lengths.log);
    grid(&pen, frame, &heights)?;
    for &(bar, n) in &bars {
        draw_bar(&pen, frame, &heights, lengths, (bar, n))?;
    }
    outline(&pen, frame, &heights, &bars)?;
    axis(&pen, frame, lengths.limit)?;
    if let Some(cut) = heights.cut {
        label_cut(&pen, frame, lengths, cut)?;
    }
    limit(&pen, frame, lengths.limit)?;
    match &lengths.hover {
        Some((length, words)) => hover(&pen, frame, *length, words),
        None => Ok(()),
    }
}

fn y(frame: &Frame, heights: &Scale, n: u64) -> f64 {
    frame.bottom() - heights.share(n) * (frame.bottom() - TOP - 8.0)
}

fn grid<B: DrawingBackend>(pen: &Pen<B>, frame: &Frame, heights: &Scale) -> Drawn<B> {
    for tick in heights.ticks() {
        let at = y(frame, heights, tick);
        pen.line(&[(LEFT, at), (frame.width - RIGHT, at)], pen.theme.hairline, 1.0)?;
        pen.text(&short(tick), (LEFT - 8.0, at), Side::Left, pen.note())?;
    }
    let zero = if heights.log { "" } else { "0" };
    pen.text(zero, (LEFT - 8.0, frame.bottom()), Side::Left, pen.note())
}

fn draw_bar<B: DrawingBackend>(
    pen: &Pen<B>,
    frame: &Frame,
    heights: &Scale,
    lengths: &Lengths,
    (bar, n): (u32, u64),
) -> Drawn<B> {
    let (x0, x1) = (frame.x(f64::from(bar)), frame.x(f64::from(bar) + f64::from(frame.bin)));
    let last = bar.saturating_add(frame.bin - 1);
    let under_pointer = lengths.hover.as_ref().is_some_and(|(l, _)| frame.bar_of(*l) == bar);
    let lit = lengths.lit.iter().any(|l| (bar..=last).contains(l));
    let colour = match () {
        () if under_pointer || lit => pen.theme.ink,
        // What is above the limit is cut, dropped or split: shown, but pale.
        () if bar > lengths.limit => mix(pen.theme.lengths[super::STEPS - 1], pen.theme.background, 0.72),
        () => pen.theme.length(last.min(lengths.limit), lengths.limit),
    };
    // A bar is seen even where it is thinner than a pixel.
    pen.rect((x0, y(frame, heights, n)), (x1.max(x0 + 1.0), frame.bottom()), colour)
}

/// Ink along the top: the pale colours alone are too weak on white.
fn outline<B: DrawingBackend>(pen: &Pen<B>, frame: &Frame, heights: &Scale, bars: &[(u32, u64)]) -> Drawn<B> {
    let mut run = Vec::new();
    let mut next = 0;
    for &(bar, n) in bars {
        if bar != next && !run.is_empty() {
            pen.line(&std::mem::take(&mut run), pen.theme.ink, 1.0)?;
        }
        let at = y(frame, heights, n);
        run.push((frame.x(f64::from(bar)), at));
        run.push((frame.x(f64::from(bar) + f64::from(frame.bin)), at));
        next = bar.saturating_add(frame.bin);
    }
    if run.is_empty() { Ok(()) } else { pen.line(&run, pen.theme.ink, 1.0) }
}

fn axis<B: DrawingBackend>(pen: &Pen<B>, frame: &Frame, limit: u32) -> Drawn<B> {
    let bottom = frame.bottom();
    pen.line(&[(LEFT, bottom), (frame.width - RIGHT, bottom)], pen.theme.ink, 1.0)?;
    let room = ((frame.width - LEFT - RIGHT) / 76.0).max(2.0);
    let max = f64::from(frame.max);
    // Powers of two are the steps of those who set limits such as 512.
    let step = match limit {
        l if l == frame.max && l >= 16 && l.is_power_of_two() => {
            (0..).map(|i| 1u64 << i).find(|s| max / *s as f64 <= room).unwrap_or(1)
        }
        _ => nice(max / room),
    };
    let end = format!("{} tokens", count(u64::from(frame.max)));
    let free = frame.width - RIGHT - text_width(&end, 12.0) - 14.0;
    for tick in (1..).map(|i| i * step).take_while(|t| (*t as f64) < max) {
        let (at, label) = (frame.x(tick as f64 + 0.5), count(tick));
        if at + text_width(&label, 12.0) / 2.0 < free {
            pen.line(&[(at, bottom), (at, bottom + 4.0)], pen.theme.second, 1.0)?;
            pen.text(&label, (at, bottom + 15.0), Side::Middle, pen.note())?;
        }
    }
    pen.text(&end, (frame.width - RIGHT, bottom + 15.0), Side::Left, pen.note())
}

/// Says what a bar holds that does not fit into the picture, and marks the cut.
fn label_cut<B: DrawingBackend>(
    pen: &Pen<B>,
    frame: &Frame,
    lengths: &Lengths,
    (bar, n): (u32, u64),
) -> Drawn<B> {
    let total: u64 = lengths.entries.iter().map(|(_, n)| n).sum();
    let last = bar + frame.bin - 1;
    let words = match lengths.limit {
        limit if (bar..=last).contains(&limit) && frame.bin == 1 => {
            format!("{} sequences fill all {}", count(n), count(u64::from(limit)))
        }
        _ if frame.bin == 1 => format!("{} sequences of {}", count(n), count(u64::from(bar))),
        _ => format!("{} sequences of {} to {}", count(n), count(u64::from(bar)), count(u64::from(last))),
    };
    let share = format!("{} of the data; bar cut", percent(n as f64 / total as f64));
    let x = frame.x(f64::from(bar) + f64::from(frame.bin) / 2.0);
    let at_left = x > frame.width / 2.0;
    let (side, at) = if at_left { (Side::Left, x - 10.0) } else { (Side::Right, x + 10.0) };
    pen.text(&words, (at, TOP + 12.0), side, pen.note().bold().in_colour(pen.theme.ink))?;
    pen.text(&share, (at, TOP + 28.0), side, pen.note())?;
    for dy in [14.0, 18.0] {
        pen.line(&[(x - 5.0, TOP + dy + 3.0), (x + 5.0, TOP + dy - 3.0)], pen.theme.background, 2.0)?;
    }
    Ok(())
}

/// The limit: a needle that can be dragged.
fn limit<B: DrawingBackend>(pen: &Pen<B>, frame: &Frame, limit: u32) -> Drawn<B> {
    let (x, accent) = (frame.limit_x(limit), pen.theme.accent);
    pen.line(&[(x, 8.0), (x, frame.bottom())], accent, 1.5)?;
    pen.polygon(&[(x - 5.0, 4.0), (x + 5.0, 4.0), (x + 5.0, 13.0), (x, 19.0), (x - 5.0, 13.0)], accent)?;
    let words = format!("limit {}", count(u64::from(limit)));
    let at_left = x > frame.width / 2.0;
    let (side, at) = if at_left { (Side::Left, x - 10.0) } else { (Side::Right, x + 10.0) };
    pen.text(&words, (at, 11.0), side, pen.note().bold().in_colour(accent))
}

/// What stands under the pointer, in a box beside it.
fn hover<B: DrawingBackend>(pen: &Pen<B>, frame: &Frame, length: u32, words: &[String]) -> Drawn<B> {
    let x = frame.x(f64::from(frame.bar_of(length)) + f64::from(frame.bin) / 2.0);
    let width = words.iter().map(|w| text_width(w, 12.0)).fold(0.0, f64::max) + 22.0;
    let height = words.len() as f64 * 16.0 + 12.0;
    let left = if x + 10.0 + width < frame.width { x + 10.0 } else { (x - 10.0 - width).max(2.0) };
    let top = TOP + 44.0;
    pen.line(&[(x, TOP), (x, frame.bottom())], pen.theme.ink, 1.0)?;
    pen.rect((left, top), (left + width, top + height), pen.theme.background)?;
    pen.outline((left, top), (left + width, top + height), pen.theme.ink, 1.0)?;
    for (i, line) in words.iter().enumerate() {
        let look =
            Look { bold: i == 0, colour: if i == 0 { pen.theme.ink } else { pen.theme.second }, size: 12.0 };
        pen.text(line, (left + 10.0, top + 14.0 + i as f64 * 16.0), Side::Right, look)?;
    }
    Ok(())
}
