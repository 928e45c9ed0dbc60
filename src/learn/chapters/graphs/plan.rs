//! A plan of the engine for the eight graphs: its packs along their diagonals, and the limit if one exceeds it.

use super::LIMITS;
use crate::learn::Figure;
use packscope::api::tuple::{Report, TupleShape};
use packscope_chart::diagonal::{self, Input, Pack};
use packscope_chart::{Area, Chart, Pen};

pub(super) fn drawing(report: &Report) -> Figure {
    let limits = room(report);
    let input = Input {
        packs: report.strategies.iter().map(pack).collect(),
        limits,
        unpacked: None,
        names: ["nodes", "edges"].map(str::to_owned),
        items: "graphs",
    };
    let tall: fn(f64) -> f64 = match input.packs.len() {
        0..=3 => |width| diagonal::height_for(width, 3),
        _ => |width| diagonal::height_for(width, 4),
    };
    Figure::new(input.summary(), tall, move |frame| {
        let layout = diagonal::layout(&input, frame);
        let mut pen = Pen::new(frame);
        input.draw(&mut pen);
        // Only the edge limit is ever ignored here: see `rules::ALONE`.
        if limits[1] > LIMITS[1] {
            for (pack, square) in input.packs.iter().zip(&layout.squares) {
                over(&mut pen, pack, *square, limits[1]);
            }
        }
        pen.scene
    })
}

/// Draws the ignored limit, with its label where it is exceeded.
fn over(pen: &mut Pen, pack: &Pack, square: Area, room: u32) {
    let ink = pen.theme.ink;
    let y = square.bottom - f64::from(LIMITS[1]) / f64::from(room) * square.height();
    pen.dashed(
        &[(square.left, y), (square.right, y)],
        &[5.0, 3.0],
        1.5,
        ink,
    );
    if pack.sizes.iter().map(|size| size[1]).sum::<u32>() > LIMITS[1] {
        pen.label(
            format!("limit {}", LIMITS[1]),
            (square.left + 5.0, y + 11.0),
            -1,
            ink,
            true,
        );
    }
}

fn pack(shape: &TupleShape) -> Pack {
    let times = |(size, n): &(Vec<u32>, u32)| {
        let size = [0, 1].map(|k| size.get(k).copied().unwrap_or_default());
        std::iter::repeat_n(size, *n as usize)
    };
    Pack {
        sizes: shape.runs.iter().flat_map(times).collect(),
        count: shape.count,
    }
}

/// Returns the slots of a pack in the plan, per component: the limit, or more where it was ignored.
pub(super) fn room(report: &Report) -> [u32; 2] {
    let used = |k: usize| {
        report.figures.slots.get(k).copied().unwrap_or_default() / report.figures.packs.max(1)
    };
    [0, 1].map(|k| LIMITS[k].max(used(k) as u32))
}
