//! Names of methods, words at the ends of bars, and names of parts above them.

use super::{GAP, Input, Layout, PARTS};
use crate::{Area, Pen, fitted, label_width};
use packscope::order;

/// Distance from the bar up to the middle of the words.
const ABOVE: f64 = 11.0;
/// Minimum distance between the names of two parts.
const APART: f64 = 8.0;
/// Minimum distance from a tick to the end of the words above it.
const EDGE: f64 = 4.0;
/// Parts narrower than this in every bar have no name.
const SEEN: f64 = 1.5;
/// A bar suits a name if its part has at least this share of its largest width.
const NEARLY: f64 = 0.7;

/// The name of a part above a bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PartLabel {
    /// The index of the bar.
    pub bar: usize,
    part: usize,
    name: &'static str,
    left: f64,
    /// Whether the part is too narrow for its name, so that a tick points to it.
    ticked: bool,
}

/// Places each name once: above the first bar whose part is wide enough for it, else above a bar where the part is
/// widest and names fit beside each other. A name that fits nowhere is left out. O(bars²).
pub(super) fn place_names(
    bars: &[[Area; PARTS]],
    names: [&'static str; PARTS],
    left: f64,
    right: f64,
) -> Vec<PartLabel> {
    let width = |bar: usize, part: usize| bars[bar][part].width();
    let (mut labels, mut narrow) = (vec![], vec![]);
    for (part, name) in names.into_iter().enumerate() {
        let wide = label_width(name, false) + APART;
        // From the top, where the padded rows are.
        match (0..bars.len()).find(|bar| width(*bar, part) >= wide) {
            Some(bar) => labels.push(PartLabel {
                bar,
                part,
                name,
                left: bars[bar][part].left,
                ticked: false,
            }),
            None => narrow.push((part, name)),
        }
    }
    for (part, name) in narrow {
        let most = (0..bars.len())
            .map(|bar| width(bar, part))
            .fold(0.0, f64::max);
        let mut order: Vec<usize> = (0..bars.len())
            .filter(|bar| width(*bar, part) >= SEEN)
            .collect();
        // `false` sorts first, and the sort is stable: wide parts before narrow ones, each from the
        // top.
        order::sort_by_key(&mut order, |bar| width(*bar, part) < most * NEARLY);
        let with = |bar: usize| {
            let label = PartLabel {
                bar,
                part,
                name,
                left,
                ticked: true,
            };
            let others = labels
                .iter()
                .copied()
                .filter(|other: &PartLabel| other.bar == bar);
            place_side_by_side(others.chain([label]).collect(), &bars[bar], left, right)
        };
        if let Some(above) = order.into_iter().find_map(with) {
            // All names above this bar were placed anew.
            labels.retain(|other| other.bar != above[0].bar);
            labels.extend(above);
        }
    }
    labels
}

/// Places names above one bar side by side, each over its part; `None` if they do not all fit.
fn place_side_by_side(
    mut labels: Vec<PartLabel>,
    parts: &[Area; PARTS],
    left: f64,
    right: f64,
) -> Option<Vec<PartLabel>> {
    order::sort_by_key(&mut labels, |label| label.part);
    let mut used = left;
    for label in &mut labels {
        let (part, wide) = (parts[label.part], label_width(label.name, false));
        let middle = f64::midpoint(part.left, part.right);
        // The preferred left end, and the last one at which the label is still over its part.
        let (want, last) = if label.ticked {
            (
                (middle - wide / 2.0).min(right - wide),
                (middle - EDGE).min(right - wide),
            )
        } else {
            (part.left, part.right - wide)
        };
        label.left = want.max(used);
        if label.left > last || label.ticked && label.left + wide < middle + EDGE {
            return None;
        }
        used = label.left + wide + APART;
    }
    Some(labels)
}

pub(super) fn parts(pen: &mut Pen, layout: &Layout) {
    let ink = pen.theme.second_ink;
    for label in &layout.labels {
        let part = layout.rows[label.bar].parts[label.part];
        pen.label(label.name, (label.left, part.top - ABOVE), -1, ink, false);
        if label.ticked {
            let middle = f64::midpoint(part.left, part.right) - 0.5;
            pen.rule((middle, part.top - 4.0), (middle, part.top), 1.0, ink);
        }
    }
}

/// Writes the names of methods, with the needle of the chosen one, and the words at the ends of bars.
pub(super) fn methods(pen: &mut Pen, input: &Input, layout: &Layout) {
    let theme = pen.theme;
    for (i, (bar, row)) in input.bars.iter().zip(&layout.rows).enumerate() {
        let bold = input.chosen == Some(i);
        let ink = if bar.parts.is_some() {
            theme.ink
        } else {
            theme.second_ink
        };
        if bold {
            let top = row.bar.top.min(row.name.1 - 7.0);
            pen.rect(
                Area {
                    left: 0.0,
                    top,
                    right: 3.0,
                    bottom: row.bar.bottom,
                },
                theme.accent,
            );
        }
        pen.label(fitted(bar.name, row.room, bold), row.name, -1, ink, bold);
        let gap = if bar.parts.is_some() { GAP } else { 0.0 };
        let at = (
            row.bar.right + gap,
            f64::midpoint(row.bar.top, row.bar.bottom),
        );
        pen.label(
            fitted(&bar.text, pen.frame.width - at.0, bold),
            at,
            -1,
            ink,
            bold,
        );
    }
}
