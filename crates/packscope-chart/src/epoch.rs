//! One epoch to scale: every row as padded, beside every row as packed. A pixel stands for equally many rows in both,
//! so half the height is half the steps.

use super::{Alike, Area, Chart, Frame, Hues, Pen, Rgb, Stack, columns, label_width};
use packscope::api::PackShape;
use packscope::{order, words};

/// Data and settings of the drawing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Input<'a> {
    /// (length, items), ascending; none longer than the limit.
    pub entries: &'a [(u32, u64)],
    /// The slots to which the row of each entry is padded, as in batches; empty where that is the limit.
    pub ends: &'a [u32],
    /// The name of the rows with one item each: "Padded".
    pub before: &'a str,
    /// Slots in a row.
    pub limit: u32,
    /// The colours of lengths.
    pub hues: Hues,
    /// The packs, in any order.
    pub shapes: &'a [PackShape],
    /// Packs whose shape is not listed.
    pub unlisted: u64,
    /// Share of the slots that is padding with one item a row, in [0, 1].
    pub padded: f64,
    /// Share of the slots that is padding in the packs.
    pub packed: f64,
    /// The name of the packs: "Packed", or "Sorted" for sorted batches.
    pub name: &'a str,
    /// Whether rows end with their items instead of being padded to the limit, as in sorted batches.
    pub shortened: bool,
    /// The unit of lengths: "tokens".
    pub unit: &'a str,
    /// How far items have moved from their own rows into the packs, from 0 to 1: at rest.
    pub moved: f64,
}

impl Input<'_> {
    /// Returns the number of rows with one item each.
    fn items(&self) -> u64 {
        self.entries.iter().map(|(_, n)| n).sum()
    }

    /// Returns the number of packed rows.
    fn packs(&self) -> u64 {
        self.shapes.iter().map(|s| s.count).sum::<u64>() + self.unlisted
    }
}

/// Half of the width and of the height of the divider's handle.
const HANDLE: [f64; 2] = [5.0, 11.0];

impl Input<'_> {
    /// Draws the divider that is pulled from the rows with one item each to the packs.
    pub fn divide(&self, pen: &mut Pen) {
        let [left, right] = divider(pen.frame);
        let Area { top, bottom, .. } = layout(self, pen.frame).padded;
        let x = left + (right - left) * self.moved;
        let (theme, middle) = (pen.theme, f64::midpoint(top, bottom));
        pen.rule((x, top), (x, bottom), 2.0, theme.accent);
        pen.rect(
            Area::around((x, middle), HANDLE[0], HANDLE[1]),
            theme.accent,
        );
        // Two lines along it, as on anything that is taken hold of.
        for at in [x - 1.5, x + 1.5] {
            pen.rule(
                (at, middle - 5.0),
                (at, middle + 5.0),
                1.0,
                theme.background,
            );
        }
    }
}

impl Chart for Input<'_> {
    fn draw(&self, pen: &mut Pen) {
        let layout = layout(self, pen.frame);
        padded(pen, self, layout.padded);
        heads(pen, self, &layout);
        axis(pen, self, &layout);
        if self.moved < 1.0 {
            move_items(pen, self, &layout);
            return;
        }
        let listed = draw_packs(pen, self, layout.packed);
        padding(pen, self, &layout);
        unlisted(pen, self, listed, &layout);
        saved(pen, self, &layout);
    }
}

/// The layout of the drawing, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layout {
    /// The rows with one item each.
    pub padded: Area,
    /// The rows as packed.
    pub packed: Area,
    /// Rows in one CSS pixel of height.
    pub rows_per_pixel: f64,
}

/// Returns the ends of the way of the divider: the edges of the packed rows.
pub fn divider(frame: &Frame) -> [f64; 2] {
    let ([_, left], width) = columns(frame);
    // The handle stays within the frame.
    [left, left + width - HANDLE[0]]
}

/// Height of two lines of words above the rows.
const ABOVE: f64 = 42.0;
const BELOW: f64 = 24.0;

/// Returns the layout of the drawing in a frame.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let ([left, right], width) = columns(frame);
    let height = (frame.height - BELOW - ABOVE).max(20.0);
    // Sorted batches have at most as many rows as there are items.
    let rows = input.items().max(input.packs()).max(1) as f64;
    let column = |left, tall: u64| Area::sized((left, ABOVE), width, height * tall as f64 / rows);
    Layout {
        padded: column(left, input.items()),
        packed: column(right, input.packs()),
        rows_per_pixel: rows / height,
    }
}

/// Draws the items, longest first, one a row.
fn padded(pen: &mut Pen, input: &Input, area: Area) {
    let runs: Vec<[(u32, u32); 1]> = input.entries.iter().rev().map(|(l, _)| [(*l, 1)]).collect();
    let ends = input.ends.iter().rev().map(|end| Some(*end));
    let ends = ends.chain(std::iter::repeat(None));
    let counts = input.entries.iter().rev().map(|(_, n)| *n).zip(ends);
    // Both drawings begin with the longest, so that colours can be compared from the top.
    let order = runs
        .iter()
        .zip(counts)
        .map(|(runs, (count, end))| Alike { runs, count, end });
    stack(input, area, input.items(), Some(pen.theme.padding)).draw(pen, order);
}

/// Returns the packs, ordered by their first length and then by the others, longest first: rows that begin alike are
/// together, and their colours form bands.
fn in_bands<'a>(input: &Input<'a>) -> Vec<&'a PackShape> {
    let mut order: Vec<&PackShape> = input.shapes.iter().collect();
    order::sort_by(&mut order, |a, b| b.runs.cmp(&a.runs));
    order
}

/// The share of the time by which the last rows begin to move later than the first.
const STAGGER: f64 = 0.4;

/// Draws the items of the packs on their way from rows of their own. Those of a length leave from the rows of that length,
/// one below the other, so that each part of the left drawing is seen to go to its place in the right one.
fn move_items(pen: &mut Pen, input: &Input, layout: &Layout) {
    let from = layout.padded;
    let row = from.height() / input.items().max(1) as f64;
    // The edge of the rows of each length that have not left, longest first as they are drawn.
    let mut top = from.top;
    let mut left: Vec<(u32, f64)> = Vec::new();
    for &(length, count) in input.entries.iter().rev() {
        left.push((length, top));
        top += row * count as f64;
    }
    let width = layout.packed.width() / f64::from(input.limit.max(1));
    let packs = input.packs().max(1) as f64;
    let mut seen = 0;
    for shape in in_bands(input) {
        let begin = layout.packed.top + layout.packed.height() * seen as f64 / packs;
        let height = row * shape.count as f64;
        let late = STAGGER * seen as f64 / packs;
        let moved = ease(((input.moved - late) / (1.0 - STAGGER)).clamp(0.0, 1.0));
        seen += shape.count;
        let mut x = layout.packed.left;
        for &(length, times) in shape.runs.iter() {
            // Entries descend here.
            let found = left.binary_search_by(|(other, _)| length.cmp(other));
            let Some((_, top)) = found.ok().and_then(|at| left.get_mut(at)) else {
                continue;
            };
            let tall = height * f64::from(times);
            let wide = f64::from(length) * width;
            let start = Area::sized((from.left, *top), wide, tall);
            let end = Area::sized((x, begin), wide * f64::from(times), height);
            *top += tall;
            x = end.right;
            let colour = pen.theme.length_colour(length, input.hues);
            pen.rect(between(start, end, moved), colour);
        }
    }
}

/// Returns a share of a way that begins and ends slowly.
fn ease(share: f64) -> f64 {
    share * share * (3.0 - 2.0 * share)
}

/// Returns the area that is this share of the way from one to another.
fn between(from: Area, to: Area, share: f64) -> Area {
    let at = |from: f64, to: f64| from + (to - from) * share;
    Area {
        left: at(from.left, to.left),
        top: at(from.top, to.top),
        right: at(from.right, to.right),
        bottom: at(from.bottom, to.bottom),
    }
}

/// Draws the packs. Returns the lower edge of the listed ones.
fn draw_packs(pen: &mut Pen, input: &Input, area: Area) -> f64 {
    let order = in_bands(input);
    let order = order.iter().map(|shape| Alike {
        runs: &shape.runs,
        count: shape.count,
        end: None,
    });
    let rest = (!input.shortened).then_some(pen.theme.padding);
    stack(input, area, input.packs(), rest).draw(pen, order)
}

fn stack(input: &Input, area: Area, rows: u64, rest: Option<Rgb>) -> Stack {
    Stack {
        area,
        rows,
        slots: input.limit,
        hues: input.hues,
        rest,
    }
}

/// Height of a line of text.
const LINE: f64 = 17.0;

/// Writes the names of the two drawings and their rows.
fn heads(pen: &mut Pen, input: &Input, layout: &Layout) {
    let theme = pen.theme;
    for (name, rows, area) in [
        (input.before, input.items(), layout.padded),
        (input.name, input.packs(), layout.packed),
    ] {
        pen.label(name, (area.left, 9.0), -1, theme.ink, true);
        let rows = format!("{} rows", words::count(rows));
        pen.note(rows, (area.left, 9.0 + LINE), -1);
    }
}

/// Draws an axis of slots from 0 to the limit, below the padded rows.
fn axis(pen: &mut Pen, input: &Input, layout: &Layout) {
    pen.baseline(layout.packed);
    pen.slots(layout.padded, input.limit, input.unit);
}

/// Writes the share of padding: in the grey of the padded rows if there is room, and below the packed ones.
fn padding(pen: &mut Pen, input: &Input, layout: &Layout) {
    let ink = pen.theme.ink;
    let words = format!("{} padding", words::percent(input.padded));
    let (area, y) = (layout.padded, layout.padded.bottom - 16.0);
    // Rows get shorter downwards: behind the words the longest one is at their upper edge.
    // The row of the shortest item is the last, and padded least.
    let end = input.ends.first().map_or(input.limit, |end| *end);
    let at = |slots: f64| area.left + area.width() * slots / f64::from(input.limit.max(1));
    let right = at(f64::from(end)).min(area.right);
    let grey = right - at(longest_at(input, &area, y - 9.0));
    if label_width(&words, true) + 18.0 < grey && y - 9.0 > area.top {
        let chip = Area {
            left: right - 14.0 - label_width(&words, true),
            top: y - 9.0,
            right: right - 6.0,
            bottom: y + 9.0,
        };
        pen.rect(chip, pen.theme.padding);
        pen.label(words, (right - 10.0, y), 1, ink, true);
    }
    if room_below(layout) >= 22.0 {
        let words = format!("{} padding", words::percent(input.packed));
        pen.label(
            words,
            (layout.packed.left, layout.packed.bottom + 15.0),
            -1,
            ink,
            true,
        );
    }
}

/// Returns the length of the item whose row is at a height of the padded drawing.
fn longest_at(input: &Input, area: &Area, y: f64) -> f64 {
    let share = ((area.bottom - y) / area.height().max(1.0)).clamp(0.0, 1.0);
    let rank = share * input.items() as f64;
    // Entries ascend and rows descend, so ranks are counted from below.
    let mut seen = 0.0;
    let reached = input.entries.iter().find(|(_, n)| {
        seen += *n as f64;
        seen >= rank
    });
    reached.map_or(0.0, |(length, _)| f64::from(*length))
}

/// Returns the pixels between the packed rows and the lower edge of the padded ones, with the line of words there.
fn room_below(layout: &Layout) -> f64 {
    layout.padded.bottom + 22.0 - layout.packed.bottom
}

/// Draws packs of unknown shape as an outline with their number, without a colour that would stand for a length.
fn unlisted(pen: &mut Pen, input: &Input, from: f64, layout: &Layout) {
    let (
        theme,
        Area {
            left,
            right,
            bottom,
            ..
        },
    ) = (pen.theme, layout.packed);
    if input.unlisted == 0 || bottom - from < 2.0 {
        return;
    }
    for x in [left, right - 1.0] {
        pen.rule((x, from), (x, bottom), 1.0, theme.control);
    }
    pen.rule((left, from), (right, from), 1.0, theme.control);
    let words = format!("{} rows of other shapes", words::short(input.unlisted));
    if bottom - from >= LINE && label_width(&words, false) < right - left - 8.0 {
        let at = (f64::midpoint(left, right), f64::midpoint(from, bottom));
        pen.note(words, at, 0);
    }
}

/// Draws a bracket as high as the rows that packing saves.
fn saved(pen: &mut Pen, input: &Input, layout: &Layout) {
    let theme = pen.theme;
    let (left, top, bottom) = (
        layout.packed.left + 6.0,
        layout.packed.bottom + 30.0,
        layout.padded.bottom,
    );
    let saved = input.items().saturating_sub(input.packs());
    if saved == 0 || bottom - top < 2.0 * LINE {
        // A lower bracket has no room for its label.
        if saved > 0 && room_below(layout) >= 22.0 + LINE {
            let at = (layout.packed.left, layout.packed.bottom + 15.0 + LINE);
            pen.note(format!("{} rows fewer", words::count(saved)), at, -1);
        }
        return;
    }
    pen.rule((left, top), (left, bottom), 1.0, theme.control);
    for y in [top, bottom] {
        pen.rule((left - 4.0, y), (left + 5.0, y), 1.0, theme.control);
    }
    let middle = f64::midpoint(top, bottom);
    let rows = format!("{} rows", words::count(saved));
    pen.label(
        rows,
        (left + 14.0, middle - LINE / 2.0),
        -1,
        theme.ink,
        true,
    );
    pen.note("saved", (left + 14.0, middle + LINE / 2.0), -1);
}
