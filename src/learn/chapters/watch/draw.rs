//! The histogram of sequences without a pack, and the packs made so far.

use super::{LIMIT, WatchScene};
use crate::learn::Figure;
use packscope::packing::watch::EqualPacks;
use packscope::words::plural;
use packscope_chart::{Area, Frame, Pen, Point, Rgb, label_width};

const LINE: f64 = 27.0;
/// Side of a sequence, and the distance to the next.
const SIDE: f64 = 13.0;
const NEXT: f64 = 16.0;
/// Left edge of the sequences.
const BEGIN: f64 = 34.0;
/// Height of the headings of both drawings.
const HEAD: f64 = 26.0;
/// Height of the drawing of the packs.
const TALL: f64 = 268.0;
/// Space beside a row for the number of packs.
const BESIDE: f64 = 62.0;

#[derive(Clone, Copy)]
struct HistogramLine {
    length: u32,
    all: u64,
    left: u64,
    now: bool,
    placed: u64,
}

/// Draws the sequences by length, longest first; filled squares have no pack yet.
pub(super) fn lengths(scene: &WatchScene) -> Figure {
    let now = scene.step().map(|step| step.decision);
    let lines: Vec<HistogramLine> = scene
        .counts
        .iter()
        .zip(scene.unpacked_counts())
        .map(|(&(length, all), left)| {
            let now = now.filter(|d| d.length == length);
            HistogramLine {
                length,
                all,
                left,
                now: now.is_some(),
                placed: now.map_or(0, |d| d.placed_sequences()),
            }
        })
        .collect();
    let said = lines
        .iter()
        .map(|l| format!("length {}: {} of {}", l.length, l.left, l.all))
        .collect::<Vec<_>>();
    let label = format!(
        "Sequences that have no pack yet, by length. {}.",
        said.join("; ")
    );
    Figure::new(
        label,
        |_| HEAD + 5.0 * LINE,
        move |frame| draw_lengths(&lines, frame),
    )
}

fn draw_lengths(lines: &[HistogramLine], frame: &Frame) -> packscope_chart::Scene {
    let (mut pen, theme) = (Pen::new(frame), frame.theme);
    pen.note("length", (0.0, 8.0), -1);
    pen.note("no pack yet", (frame.width, 8.0), 1);
    for (i, line) in lines.iter().enumerate() {
        let y = HEAD + LINE * (i as f64 + 0.5);
        let ink = if line.now { theme.accent } else { theme.ink };
        pen.label(line.length.to_string(), (BEGIN - 14.0, y), 1, ink, true);
        for n in 0..line.all {
            let left = BEGIN + NEXT * n as f64;
            let area = Area {
                left,
                top: y - SIDE / 2.0,
                right: left + SIDE,
                bottom: y + SIDE / 2.0,
            };
            if n < line.left {
                pen.rect(area, theme.length_colour(line.length, LIMIT));
            // Those of this decision, outlined: they have just left the ones that are still filled.
            } else if n < line.left + line.placed {
                pen.outline(area, 2.0, theme.accent);
            } else {
                pen.outline(area, 1.0, theme.hairline);
            }
        }
        let count = if line.left > 0 {
            line.left.to_string()
        } else {
            "none".to_owned()
        };
        let ink = if line.left > 0 {
            theme.ink
        } else {
            theme.second_ink
        };
        pen.label(count, (frame.width, y), 1, ink, line.left > 0);
    }
    pen.scene
}

/// Draws the current packs, equal ones as one row.
pub(super) fn packs(scene: &WatchScene) -> Figure {
    let step = scene.step();
    let groups = step.map_or_else(Vec::new, |step| step.groups.clone());
    let made = step.map(|step| step.at);
    let said = groups.iter().map(describe_group).collect::<Vec<_>>();
    let label = if said.is_empty() {
        format!("Packs of {}: none is open yet", scene.algorithm.long_name())
    } else {
        format!(
            "Packs of {} so far: {}.",
            scene.algorithm.long_name(),
            said.join("; ")
        )
    };
    Figure::new(
        label,
        |_| TALL,
        move |frame| draw_packs(&groups, made, frame),
    )
}

/// Describes a group of packs: "2 packs with 12, 5 and 3 slots empty".
fn describe_group(group: &EqualPacks) -> String {
    let sizes = group
        .runs
        .iter()
        .flat_map(|(l, n)| (0..*n).map(|_| l.to_string()))
        .collect::<Vec<_>>();
    let rest = plural(u64::from(group.space), "slot");
    format!(
        "{} with {} and {rest} empty",
        plural(group.count, "pack"),
        sizes.join(", ")
    )
}

fn draw_packs(groups: &[EqualPacks], made: Option<usize>, frame: &Frame) -> packscope_chart::Scene {
    let (mut pen, theme) = (Pen::new(frame), frame.theme);
    let right = frame.width - BESIDE;
    pen.note(format!("packs of {LIMIT} slots"), (0.0, 8.0), -1);
    pen.note("how many", (frame.width, 8.0), 1);
    let room = frame.height - HEAD - 4.0;
    let pitch = (room / groups.len().max(1) as f64).min(34.0);
    // Rows that are close together are set apart by less.
    let tall = pitch - if pitch > 20.0 { 6.0 } else { 3.0 };
    if groups.is_empty() {
        let row = Area {
            left: 0.0,
            top: HEAD + 3.0,
            right,
            bottom: HEAD + 31.0,
        };
        let corners = [
            (row.left, row.top),
            (right, row.top),
            (right, row.bottom),
            (row.left, row.bottom),
            (row.left, row.top),
        ];
        pen.dashed(&corners, &[4.0, 4.0], 1.0, theme.control);
        pen.note("none is open", (right / 2.0, HEAD + 17.0), 0);
    }
    for (i, group) in groups.iter().enumerate() {
        let top = HEAD + 3.0 + pitch * i as f64;
        let row = Area {
            left: 0.0,
            top,
            right,
            bottom: top + tall,
        };
        draw_row(&mut pen, group, row);
        let middle = f64::midpoint(row.top, row.bottom);
        let is_made = made == Some(i);
        let ink = if is_made { theme.accent } else { theme.ink };
        pen.label(
            format!("× {}", group.count),
            (frame.width, middle),
            1,
            ink,
            true,
        );
        if is_made {
            let Area {
                left,
                top,
                right,
                bottom,
            } = row;
            let ring = Area {
                left: left.max(0.0),
                top: top - 3.0,
                right: right + 3.0,
                bottom: bottom + 3.0,
            };
            pen.outline(ring, 2.0, theme.accent);
        }
    }
    pen.scene
}

/// Draws a pack to scale: its sequences, then its empty slots.
fn draw_row(pen: &mut Pen, group: &EqualPacks, row: Area) {
    let theme = pen.theme;
    let x = |slots: u32| 3.0 + (row.right - 3.0) * f64::from(slots) / f64::from(LIMIT);
    let middle = f64::midpoint(row.top, row.bottom);
    let mut at = 0;
    for &(length, times) in &group.runs {
        for _ in 0..times {
            let area = Area {
                left: x(at),
                right: x(at + length) - 1.0,
                ..row
            };
            pen.rect(area, theme.length_colour(length, LIMIT));
            let ink = theme.on_length(length, LIMIT);
            write(
                pen,
                &length.to_string(),
                (f64::midpoint(area.left, area.right), middle),
                area.width(),
                ink,
            );
            at += length;
        }
    }
    if group.space > 0 {
        let area = Area { left: x(at), ..row };
        pen.rect(area, theme.padding);
        // Slots of a closed pack can never be filled any more.
        let words = if group.closed.is_some() {
            format!("{} lost", group.space)
        } else {
            format!("{} left", group.space)
        };
        let words = if label_width(&words, true) + 6.0 < area.width() {
            words
        } else {
            group.space.to_string()
        };
        write(
            pen,
            &words,
            (f64::midpoint(area.left, area.right), middle),
            area.width(),
            theme.ink,
        );
    }
}

fn write(pen: &mut Pen, text: &str, at: Point, width: f64, ink: Rgb) {
    if label_width(text, true) + 2.0 < width {
        pen.label(text, at, 0, ink, true);
    }
}
