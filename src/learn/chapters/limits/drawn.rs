//! The map of all limits, and a section through it.

use super::{EDGES, NODES, values};
use crate::learn::{Figure, Move};
use packscope::sweep::{self, SweepPoint};
use packscope::words::{percent, tick_percent};
use packscope_chart::lines::{self, Line, Quantity};
use packscope_chart::sweep::Input;
use packscope_chart::{Chart, Look, Scale};
use std::rc::Rc;

/// Draws the map; a press and the arrow keys choose a cell.
pub(super) fn field(points: &[SweepPoint<2>], adopted: [u32; 2]) -> Figure {
    let field = Rc::new(Input {
        axes: [values(NODES), values(EDGES)],
        grid: true,
        points: Rc::new(points.to_vec()),
        adopted,
        best: sweep::best(points).map(|p| p.limits),
        smallest: None,
        front: sweep::front(points).iter().map(|p| p.limits).collect(),
        names: ["nodes", "edges"].map(str::to_owned),
    });
    let drawn = Rc::clone(&field);
    let mut figure = Figure::new(
        field.summary(),
        |width| (width * 0.62).clamp(320.0, 520.0),
        move |frame| drawn.scene(frame),
    );
    let pressed = |component: usize, knob: &'static str| {
        let field = Rc::clone(&field);
        move |x: f64, y: f64, frame: &packscope_chart::Frame| -> Option<Move> {
            let limits = field.hit((x, y), frame)?;
            Some((knob, vec![limits[component]]))
        }
    };
    figure.press = Some(Rc::new(pressed(0, "nodes")));
    // A move sets one knob, and a press chooses two limits: this is the second move of the same
    // press.
    figure.also = Some(Rc::new(pressed(1, "edges")));
    figure.step = Some(Rc::new(move |[right, up]| {
        let moved = |limit: u32, steps: i32, [least, most, step]: [u32; 3]| {
            limit
                .saturating_add_signed(steps * step as i32)
                .clamp(least, most)
        };
        match [right, up] {
            [0, 0] => None,
            [0, up] => Some(("edges", vec![moved(adopted[1], up, EDGES)])),
            [right, _] => Some(("nodes", vec![moved(adopted[0], right, NODES)])),
        }
    }));
    figure
}

/// Plots both efficiencies against the node limit, at the chosen edge limit.
pub(super) fn curves(points: &[SweepPoint<2>], [nodes, edges]: [u32; 2]) -> Figure {
    let row: Vec<SweepPoint<2>> = points
        .iter()
        .filter(|p| p.limits[1] == edges)
        .copied()
        .collect();
    let at = row.iter().find(|p| p.limits[0] == nodes);
    let said = at.map_or_else(String::new, |p| {
        format!(
            " At {nodes} nodes: {} and {}.",
            percent(p.efficiency[0]),
            percent(p.efficiency[1])
        )
    });
    let label =
        format!("Efficiency of nodes and of edges by the node limit, at {edges} edges.{said}");
    Figure::new(
        label,
        |width| (width * 0.5).clamp(220.0, 320.0),
        move |frame| {
            let axis = |name: &'static str, range, label| Quantity {
                name: name.into(),
                range,
                scale: Scale::Linear,
                label,
            };
            let line = |k: usize, name: &'static str, look| {
                let points = row
                    .iter()
                    .map(|p| (f64::from(p.limits[0]), p.efficiency[k]))
                    .collect();
                Line {
                    name: name.into(),
                    points,
                    look,
                }
            };
            let [first, last, _] = NODES.map(f64::from);
            // The axis begins at a multiple of 5 %, at 90 % or lower.
            let low = row.iter().flat_map(|p| p.efficiency).fold(0.9, f64::min);
            let from = (low * 20.0).floor() / 20.0;
            let chart = lines::Input {
                x: axis("node limit", [first, last], |v| format!("{v:.0}")),
                y: Quantity {
                    name: format!("filled, from {} up", tick_percent(from)).into(),
                    range: [from, 1.0],
                    scale: Scale::Linear,
                    label: tick_percent,
                },
                lines: vec![
                    line(0, "nodes", Look::Ink),
                    line(1, "edges", Look::Dashed(1)),
                ],
                needle: Some((f64::from(nodes), nodes.to_string())),
                dots: vec![],
            };
            chart.scene(frame)
        },
    )
}
