//! One step: a lane for each accelerator, ending at the slowest.

use super::steps::{AcceleratorStep, SlotRun, slots, step};
use super::{LIMIT, RowLayout, in_words, power, way};
use crate::learn::data::lengths;
use crate::learn::{ChapterContext, ChapterPart, Figure};
use packscope::words::count;
use packscope_chart::{Area, Frame, Pen, Scene, label_width};

/// The last step on offer.
pub const LAST: u32 = 23;
const LANES: usize = 32;
/// Space above the lanes, for the label of the slowest.
const ABOVE: f64 = 24.0;
/// Space below the lanes, for the axis.
const BELOW: f64 = 24.0;

pub fn parts(here: &ChapterContext<'_>) -> Vec<ChapterPart> {
    let (crew, rows) = (power(here.number("crew")), power(here.number("rows")));
    let way = way(here);
    let packs = here
        .sequences("packed")
        .map(|r| r.strategies.clone())
        .unwrap_or_default();
    let drawn = step(
        way,
        [crew, rows],
        &lengths("wikipedia_bert_512"),
        &packs,
        here.number("step"),
    );
    let said = in_words(here, &drawn);
    let (slowest, mean) = (drawn.slowest(), drawn.mean());
    let label = format!(
        "One step of {}: the slowest works through {} slots, the mean is {}",
        packscope::words::plural(crew, "accelerator"),
        count(slowest),
        count(mean.round() as u64)
    );
    let seen = visible_lanes(drawn);
    let tall: fn(f64) -> f64 = match seen.len() {
        0..=2 => |_| 110.0,
        3..=4 => |_| 160.0,
        5..=8 => |_| 250.0,
        _ => |_| 320.0,
    };
    let full = u64::from(LIMIT) * rows;
    let figure = Figure::new(label, tall, move |frame| {
        draw(&seen, [slowest, full], way, frame)
    });
    let mut parts = vec![ChapterPart::Figure(figure)];
    if crew as usize > LANES {
        parts.push(ChapterPart::Text(format!(
            "Drawn are {} of {} lanes, and the slowest of all below them.",
            LANES - 1,
            count(crew)
        )));
    }
    parts.extend([
        ChapterPart::Player("step", LAST, "Step", 1),
        ChapterPart::Text(said),
    ]);
    parts
}

/// Returns the lanes to draw: the first ones if there are too many, and the slowest.
fn visible_lanes(step: AcceleratorStep) -> Vec<Vec<SlotRun>> {
    let mut lanes = step.lanes;
    if lanes.len() > LANES {
        let slowest = (0..lanes.len())
            .max_by_key(|i| slots(&lanes[*i]))
            .unwrap_or_default();
        // The order of lanes means nothing, so the last may take its place.
        let slowest = lanes.swap_remove(slowest);
        lanes.truncate(LANES - 1);
        lanes.push(slowest);
    }
    lanes
}

fn draw(lanes: &[Vec<SlotRun>], [slowest, full]: [u64; 2], way: RowLayout, frame: &Frame) -> Scene {
    let (mut pen, theme) = (Pen::new(frame), frame.theme);
    let room = frame.height - ABOVE - BELOW;
    let each = (room / lanes.len().max(1) as f64).min(28.0);
    let gap = if each > 12.0 { 4.0 } else { 1.5 };
    // The last two pixels hold half of the rule at the right edge.
    let slot = (frame.width - 2.0) / full.max(1) as f64;
    let end = slot * slowest as f64;
    // The lane with the least work waits longest.
    let longest = lanes
        .iter()
        .map(|lane| slots(lane))
        .min()
        .unwrap_or_default();
    // Only one lane has the word, and only where there is room for it.
    let mut named = false;
    for (i, lane) in lanes.iter().enumerate() {
        let top = ABOVE + each * i as f64;
        let area = Area {
            left: 0.0,
            top,
            right: slot * slots(lane) as f64,
            bottom: top + each - gap,
        };
        pieces(&mut pen, lane, area, slot);
        let middle = f64::midpoint(area.top, area.bottom);
        if area.right + 3.0 < end {
            let line = [(area.right + 2.0, middle), (end - 1.0, middle)];
            pen.dashed(&line, &[1.5, 2.5], 1.0, theme.control);
        }
        if !named && slots(lane) == longest && each > 12.0 {
            named = waiting(&mut pen, [area.right, end], middle);
        }
    }
    let bottom = ABOVE + each * lanes.len() as f64;
    pen.rule(
        (end - 0.75, 14.0),
        (end - 0.75, bottom + 2.0),
        1.5,
        theme.accent,
    );
    let words = match way {
        RowLayout::Padded | RowLayout::Packed => format!("all lanes: {} slots", count(slowest)),
        _ => format!("the slowest: {} slots", count(slowest)),
    };
    let half = label_width(&words, true) / 2.0;
    let middle = end.clamp(half, (frame.width - half).max(half));
    pen.label(words, (middle, 6.0), 0, theme.accent, true);
    pen.rule(
        (0.0, bottom + 2.0),
        (frame.width, bottom + 2.0),
        1.0,
        theme.ink,
    );
    pen.note("0", (0.0, bottom + 14.0), -1);
    let padded = format!("{} slots, if every row is padded", count(full));
    pen.note(padded, (frame.width, bottom + 14.0), 1);
    pen.scene
}

fn pieces(pen: &mut Pen, lane: &[SlotRun], area: Area, slot: f64) {
    let theme = pen.theme;
    let mut left = area.left;
    for piece in lane {
        let right = left + slot * f64::from(piece.slots);
        let colour = if piece.grey {
            theme.padding
        } else {
            theme.length_colour(piece.slots, LIMIT)
        };
        pen.rect(
            Area {
                left,
                right,
                ..area
            },
            colour,
        );
        // Rows, and sequences within them, are separated if there is room.
        let apart = if piece.ends { 2.0 } else { 1.0 };
        // Thinner pieces would be nothing but gap.
        if right - left > 3.0 * apart {
            pen.rule(
                (right - apart, area.top),
                (right - apart, area.bottom),
                apart,
                theme.background,
            );
        }
        left = right;
    }
}

/// Labels the lane that waits longest if there is room; returns whether it did.
fn waiting(pen: &mut Pen, [from, to]: [f64; 2], middle: f64) -> bool {
    let wide = label_width("waiting", false) + 8.0;
    if to - from < wide + 16.0 {
        return false;
    }
    let centre = f64::midpoint(from, to);
    let area = Area {
        left: centre - wide / 2.0,
        top: middle - 7.0,
        right: centre + wide / 2.0,
        bottom: middle + 7.0,
    };
    pen.rect(area, pen.theme.background);
    pen.note("waiting", (centre, middle), 0);
    true
}
