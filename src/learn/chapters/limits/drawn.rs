//! The map of all limits, and a section through it.

use super::{EDGES, NODES, values};
use crate::chart::lines::{self, Line, Quantity};
use crate::chart::{Look, Scale, sweep as map};
use crate::learn::{Figure, Move};
use crate::sweep::{self, Point};
use crate::words::{percent, tick_percent};
use std::rc::Rc;

/// The data of the map.
struct Field {
    axes: [Vec<u32>; 2],
    points: Vec<map::Point>,
    front: Vec<[u32; 2]>,
    best: Option<[u32; 2]>,
    adopted: [u32; 2],
}

impl Field {
    fn input(&self) -> map::Input<'_> {
        map::Input {
            axes: [&self.axes[0], &self.axes[1]],
            grid: true,
            points: &self.points,
            adopted: Some(self.adopted),
            best: self.best,
            smallest: None,
            front: &self.front,
            hover: None,
            names: ["nodes", "edges"],
        }
    }
}

/// Draws the map; a press and the arrow keys choose a cell.
pub(super) fn field(points: &[Point<2>], adopted: [u32; 2]) -> Figure {
    let point = |p: &Point<2>| map::Point { limits: p.limits, packs: p.packs, harmonic: p.harmonic };
    let field = Rc::new(Field {
        axes: [values(NODES), values(EDGES)],
        points: points.iter().map(point).collect(),
        front: sweep::front(points).iter().map(|p| p.limits).collect(),
        best: sweep::best(points).map(|p| p.limits),
        adopted,
    });
    let drawn = Rc::clone(&field);
    let mut figure = Figure::new(
        map::summary(&field.input()),
        |width| (width * 0.62).clamp(320.0, 520.0),
        move |frame| map::scene(&drawn.input(), frame).0,
    );
    let pressed = |component: usize, knob: &'static str| {
        let field = Rc::clone(&field);
        move |x: f64, y: f64, frame: &crate::chart::Frame| -> Option<Move> {
            let limits = map::layout(&field.input(), frame).at(x, y)?;
            Some((knob, vec![limits[component]]))
        }
    };
    figure.press = Some(Rc::new(pressed(0, "nodes")));
    figure.also = Some(Rc::new(pressed(1, "edges")));
    figure.step = Some(Rc::new(move |[right, up]| {
        let moved = |limit: u32, steps: i32, [least, most, step]: [u32; 3]| {
            limit.saturating_add_signed(steps * step as i32).clamp(least, most)
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
pub(super) fn curves(points: &[Point<2>], [nodes, edges]: [u32; 2]) -> Figure {
    let row: Vec<Point<2>> = points.iter().filter(|p| p.limits[1] == edges).copied().collect();
    let at = row.iter().find(|p| p.limits[0] == nodes);
    let said = at.map_or_else(String::new, |p| {
        format!(" At {nodes} nodes: {} and {}.", percent(p.efficiency[0]), percent(p.efficiency[1]))
    });
    let label = format!("Efficiency of nodes and of edges by the node limit, at {edges} edges.{said}");
    Figure::new(
        label,
        |width| (width * 0.5).clamp(220.0, 320.0),
        move |frame| {
            let axis = |name, range, label| Quantity { name, range, scale: Scale::Linear, label };
            let line = |k: usize, name, look| {
                let points = row.iter().map(|p| (f64::from(p.limits[0]), p.efficiency[k])).collect();
                Line { name, points, look }
            };
            let [first, last, _] = NODES.map(f64::from);
            let low = row.iter().flat_map(|p| p.efficiency).fold(0.9, f64::min);
            let input = lines::Input {
                x: axis("node limit", [first, last], |v| format!("{v:.0}")),
                y: axis("filled", [(low * 20.0).floor() / 20.0, 1.0], tick_percent),
                lines: vec![line(0, "nodes", Look::Ink), line(1, "edges", Look::Dashed(1))],
                needle: Some((f64::from(nodes), nodes.to_string())),
                dots: vec![],
            };
            lines::scene(&input, frame).0
        },
    )
}
