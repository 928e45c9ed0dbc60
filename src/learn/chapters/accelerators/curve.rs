//! Speed-up of each way over padding, against the number of accelerators.

use super::{RowLayout, longer, points, power, unpadded, unpadded_with_attention, way};
use crate::learn::prose::figure;
use crate::learn::{ChapterContext, ChapterPart, Figure};
use packscope::cost::waiting::MOST;
use packscope::words::{count, factor, plural};
use packscope_chart::lines::{self, Input, Line, Quantity};
use packscope_chart::{Chart, Frame, Look, Pen, Scale, Scene, label_width};
use std::rc::Rc;

/// A line of the plot, from one accelerator to the largest number.
#[derive(Clone)]
struct Curve {
    name: String,
    values: Vec<(f64, f64)>,
    look: Look,
}

/// Returns the prose, and the plot with its needle.
pub fn parts(here: &ChapterContext<'_>) -> Vec<ChapterPart> {
    let crew = power(here.number("crew"));
    let alone = unpadded();
    let packed = here
        .sequences("packed")
        .map_or(alone, |r| r.figures.packing_factor);
    let wins = match way(here) {
        RowLayout::Padded => Some(1.0),
        RowLayout::Packed => Some(packed),
        _ => longer(here).map(|longer| alone / longer),
    };
    // Points are in the order of `ACCELERATORS`, the powers of two, and the knob counts these
    // powers.
    let many = points(here, "rows").get(here.number("crew") as usize);
    let title = many.map_or_else(
        || "Unpadding loses where many wait".to_owned(),
        |many| {
            let verb = if crew == 1 { "is" } else { "are" };
            let times = factor(alone / many.factor);
            let times = times.trim_end_matches('×');
            format!(
                "Unpadded, {} {verb} {times} times as fast as padded",
                plural(crew, "accelerator")
            )
        },
    );
    vec![
        ChapterPart::Title(title),
        ChapterPart::Text(format!(
            "One accelerator that skips all padding is {} as fast: {} slots of a row by {} tokens of a sequence. With \
             others to wait for, less and less of that is left. Packed rows win {} on any number of them, less the <apart>overhead</> of their mask.",
            figure("unpadded", alone, &factor(alone)),
            super::LIMIT,
            format_args!("{:.1}", f64::from(super::LIMIT) / alone),
            figure("packing_factor", packed, &factor(packed)),
        )),
        drawing(here, wins, curves(here, packed, alone)),
        ChapterPart::Text(above_in_words(packed)),
    ]
}

/// Says what unpadding wins above the bound of packing, and what the curves leave out.
fn above_in_words(packed: f64) -> String {
    let above = unpadded_with_attention();
    format!(
        "A row costs here what its tokens cost. Unpadding saves attention too, which grows with the square of a length: in \
         operations of BERT large, one accelerator without padding is {} as fast, more than the {} that packing ever wins. \
         The paper says so of its bound, 2.013. Kernels that skip padding take time of their own, which the estimate of the tool \
         counts; in the paper a batch takes as long as its longest sequence, and waits more. The exchange of gradients itself \
         is in none of these numbers.",
        figure("unpadded_with_attention", above, &factor(above)),
        factor(packed),
    )
}

fn curves(here: &ChapterContext<'_>, packed: f64, alone: f64) -> Vec<Curve> {
    let way = way(here);
    let look = |line: RowLayout, usual: Look| if way == line { Look::Accent } else { usual };
    let ends = [1.0, f64::from(MOST)];
    let flat = |value: f64| ends.map(|end| (end, value)).to_vec();
    let falling = |name: &str| -> Vec<(f64, f64)> {
        points(here, name)
            .iter()
            .map(|p| (f64::from(p.accelerators), alone / p.factor))
            .collect()
    };
    let rows = power(here.number("rows"));
    let mut curves = vec![
        Curve {
            name: "packed".to_owned(),
            values: flat(packed),
            look: look(RowLayout::Packed, Look::Ink),
        },
        Curve {
            name: "padded".to_owned(),
            values: flat(1.0),
            look: look(RowLayout::Padded, Look::Dashed(2)),
        },
    ];
    if rows > 1 {
        let values = falling("one");
        curves.push(Curve {
            name: "1 row each".to_owned(),
            values,
            look: Look::Dashed(1),
        });
    }
    let name = if rows == 1 {
        "1 row each".to_owned()
    } else {
        format!("{rows} rows each")
    };
    curves.push(Curve {
        name,
        values: falling("rows"),
        look: look(RowLayout::Unpadded, Look::Ink),
    });
    if way == RowLayout::Dealt {
        let values = falling("dealt");
        curves.push(Curve {
            name: "assigned".to_owned(),
            values,
            look: Look::Accent,
        });
    }
    curves.retain(|curve| !curve.values.is_empty());
    curves
}

fn drawing(here: &ChapterContext<'_>, wins: Option<f64>, curves: Vec<Curve>) -> ChapterPart {
    let place = here.number("crew");
    let crew = power(place);
    let label = format!(
        "How many times as fast as padded rows, against the number of accelerators. {} with {}; packed rows keep what \
         they win, unpadded ones lose it",
        wins.map_or_else(String::new, factor),
        plural(crew, "accelerator"),
    );
    let curves = Rc::new(curves);
    let pressed = Rc::clone(&curves);
    let figure = Figure {
        // Knobs count powers of two up to 2¹² = 4,096, the most accelerators that are simulated.
        press: Some(Rc::new(move |x, _, frame| {
            let value = lines::layout(&input(crew, &pressed), frame).value(x);
            Some(("crew", vec![(value.log2().round().max(0.0) as u32).min(12)]))
        })),
        step: Some(Rc::new(move |[right, up]| {
            Some((
                "crew",
                vec![(place as i32 + right + up).clamp(0, 12) as u32],
            ))
        })),
        ..Figure::new(
            label,
            |width| if width < 480.0 { 270.0 } else { 300.0 },
            move |frame| scene(crew, wins, &curves, frame),
        )
    };
    ChapterPart::Figure(figure)
}

fn input(crew: u64, curves: &[Curve]) -> Input {
    let line = |curve: &'_ Curve| (curve.values.clone(), curve.look);
    Input {
        x: Quantity {
            name: "accelerators".into(),
            range: [1.0, f64::from(MOST)],
            scale: Scale::Log,
            label: |x| count(x.round() as u64),
        },
        y: Quantity {
            name: "".into(),
            // Room for a factor of 2.013, the bound of packing on Wikipedia, and for unpadding that
            // loses a little.
            range: [0.8, 2.2],
            scale: Scale::Linear,
            label: |x| format!("{x:.1}×"),
        },
        lines: curves
            .iter()
            .map(|curve| {
                let (points, look) = line(curve);
                Line {
                    name: curve.name.clone().into(),
                    points,
                    look,
                }
            })
            .collect(),
        needle: Some((crew as f64, count(crew))),
        dots: Vec::new(),
    }
}

fn scene(crew: u64, wins: Option<f64>, curves: &[Curve], frame: &Frame) -> Scene {
    let input = input(crew, curves);
    let layout = lines::layout(&input, frame);
    let (mut pen, theme) = (Pen::new(frame), frame.theme);
    input.draw(&mut pen);
    let needle = layout.x(crew as f64);
    if let Some(wins) = wins {
        let at = (needle, layout.y(wins));
        pen.dot(at, 4.5, theme.accent);
        // Beside the needle and off the line, never beyond the plot.
        let words = factor(wins);
        let right = needle + 8.0 + label_width(&words, true) < layout.plot.right;
        let (x, anchor) = if right {
            (needle + 8.0, -1)
        } else {
            (needle - 8.0, 1)
        };
        let y = if wins < 1.2 { at.1 + 13.0 } else { at.1 - 11.0 };
        pen.label(words, (x, y), anchor, theme.accent, true);
    }
    // The name of the axis, on the side without the needle.
    let (left, right) = (layout.plot.left + 8.0, layout.plot.right);
    let (x, anchor) = if needle > f64::midpoint(left, right) {
        (left, -1)
    } else {
        (right, 1)
    };
    let room = if anchor < 0 {
        needle - left
    } else {
        right - needle
    } - 6.0;
    // The long name where it fits beside the needle, else the short one, else none.
    let names = ["times as fast as padded", "speed-up"];
    if let Some(name) = names
        .into_iter()
        .find(|name| label_width(name, false) <= room)
    {
        pen.note(name, (x, layout.plot.top + 6.0), anchor);
    }
    pen.scene
}
