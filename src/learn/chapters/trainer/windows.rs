//! Rows against the window: best-fit decreasing, and first fit in the order of arrival.

use super::{EMPTY, LessonOutcome, OF_ROWS, TrainerScene};
use crate::learn::prose::figure;
use crate::learn::{ChapterPart, Figure};
use packscope::api::trainer::{CurvePoint, WindowCurve};
use packscope::words::{count, percent, tick_percent};
use packscope_chart::lines::{self, Line, Quantity};
use packscope_chart::{Chart, Frame, Look, Pen, Scale};
use std::rc::Rc;

pub const KNOB: &str = "window";
const TITLE: &str = "A small window costs rows";
/// Its first paragraph.
const INTRODUCTION: &str = "Few libraries see all conversations before training starts. Most read some, pack them, forget them, and read on. What is left in the last row of a window stays empty, and a long conversation meets \
    only the short ones of its own window.";
/// The smallest window, sequences; each next one is twice as large.
const LEAST: u64 = 16;
/// The place of the knob at which all are packed together.
pub const ALL: u32 = 11;

pub fn words(place: u32) -> String {
    if place >= ALL {
        "all".to_owned()
    } else {
        count(LEAST << place)
    }
}

/// Returns the share of rows above the best plan at a place of the knob.
fn excess_rows(curve: &WindowCurve, place: u32) -> Option<f64> {
    let size = if place >= ALL {
        u64::MAX
    } else {
        LEAST << place
    };
    let most = curve.points.last()?.size;
    let point = curve
        .points
        .iter()
        // The last point is the whole of the data, whatever its size; larger windows are the same.
        .find(|point| point.size == size.min(most))?;
    Some(point.above_best)
}

/// Returns the first place of the knob with at most this share of rows above the best plan.
pub fn enough(outcome: &LessonOutcome, more: f64) -> Option<u32> {
    let curve = outcome.curve.as_ref()?;
    (0..=ALL).find(|place| excess_rows(curve, *place).is_some_and(|above| above <= more))
}

/// Returns the section; curves are drawn once the answer about rows is revealed.
pub fn parts(scene: &TrainerScene<'_>) -> Vec<ChapterPart> {
    let (Some(sorted), Some(arrival)) = (&scene.sorted.curve, &scene.set().curve) else {
        return Vec::new();
    };
    let revealed = scene.here.is_revealed(OF_ROWS);
    let place = scene.here.number(KNOB);
    let mut parts = vec![
        ChapterPart::Title(TITLE.to_owned()),
        ChapterPart::Text(INTRODUCTION.to_owned()),
    ];
    if revealed {
        parts.push(ChapterPart::Text(here_in_words(sorted, arrival, place)));
        parts.push(ChapterPart::Text(
            scene.values[1]
                .curve
                .as_ref()
                .map_or_else(String::new, |cut_off| compared(sorted, cut_off)),
        ));
    } else {
        parts.push(ChapterPart::Text(
            "Let it be {window} conversations at a time.".to_owned(),
        ));
    }
    parts.push(ChapterPart::Figure(picture(
        sorted, arrival, place, revealed,
    )));
    parts
}

fn here_in_words(sorted: &WindowCurve, arrival: &WindowCurve, place: u32) -> String {
    let [sorted, arrival] = [sorted, arrival].map(|curve| excess_rows(curve, place).unwrap_or(0.0));
    format!(
        "With {{window}} conversations at a time, best-fit decreasing needs {} more rows than the best plan, and first \
         fit in the order of arrival, as Axolotl is set above, {}.",
        figure("window_sorted", sorted, &percent(sorted)),
        figure("window_arrival", arrival, &percent(arrival)),
    )
}

/// Describes the gain of sorting within windows; both ways truncate long conversations.
fn compared(sorted: &WindowCurve, arrival: &WindowCurve) -> String {
    let Some(last) = arrival.points.last() else {
        return String::new();
    };
    let as_good = sorted
        .points
        .iter()
        .find(|point| point.above_best <= last.above_best);
    let as_good = as_good.map_or_else(String::new, |point| {
        format!(
            "Sorted in windows of {}, conversations need no more rows than unsorted all together: the order of arrival \
             leaves the short ones anywhere, sorting keeps them for the gaps. ",
            figure("as_good", point.size, &count(point.size))
        )
    });
    let enough = sorted.enough.map_or_else(String::new, |size| {
        format!(
            "From {} on it is within a percent of the best plan; TRL takes {} at a time by default.",
            figure("enough", size, &count(size)),
            count(sorted.now),
        )
    });
    as_good + &enough
}

/// Draws both curves, once revealed, with the window as needle. A press or an arrow key chooses a window.
fn picture(sorted: &WindowCurve, arrival: &WindowCurve, place: u32, revealed: bool) -> Figure {
    let points = |curve: &WindowCurve| {
        let at = |point: &CurvePoint| (point.size as f64, point.above_best);
        curve.points.iter().map(at).collect::<Vec<_>>()
    };
    let [sorted_points, arrival_points] = [sorted, arrival].map(points);
    let both = || sorted_points.iter().chain(&arrival_points);
    let most = [
        both().fold(0.0, |m: f64, p| m.max(p.0)),
        both().fold(0.0, |m: f64, p| m.max(p.1)),
    ];
    let label = if revealed {
        let each = |points: &[(f64, f64)]| {
            let said = points
                .iter()
                .map(|(size, above)| format!("{} at {}", percent(*above), count(*size as u64)));
            said.collect::<Vec<_>>().join(", ")
        };
        format!(
            "Rows above the best plan by the window. Best-fit decreasing: {}. First fit in the order of arrival: {}.",
            each(&sorted_points),
            each(&arrival_points)
        )
    } else {
        "Rows above the best plan by the window. The lines are drawn once the answer above is revealed."
            .to_owned()
    };
    let lines = if revealed {
        vec![
            Line {
                name: NAMES[0].into(),
                look: Look::Accent,
                points: sorted_points,
            },
            Line {
                name: NAMES[1].into(),
                look: Look::Ink,
                points: arrival_points,
            },
        ]
    } else {
        Vec::new()
    };
    let drawn = Drawn {
        lines,
        // Before the answer the axis must not show how high the lines go.
        most: if revealed { most } else { [most[0], 1.0] },
        place,
    };
    let pressed = drawn.clone();
    let tall = |width: f64| if width < 480.0 { 240.0 } else { 300.0 };
    let step = move |[right, _]: [i32; 2]| {
        Some((
            KNOB,
            vec![(i64::from(place) + i64::from(right)).clamp(0, i64::from(ALL)) as u32],
        ))
    };
    Figure {
        press: Some(Rc::new(move |x, _, frame| {
            Some((KNOB, vec![pressed.place_at(x, frame)]))
        })),
        step: Some(Rc::new(step)),
        ..Figure::new(label, tall, move |frame| {
            let mut pen = Pen::new(frame);
            drawn.input().draw(&mut pen);
            if drawn.lines.is_empty() {
                pen.note(EMPTY, (frame.width / 2.0, frame.height / 2.0), 0);
            }
            pen.scene
        })
    }
}

const NAMES: [&str; 2] = ["best-fit decreasing", "first fit"];

#[derive(Debug, Clone)]
struct Drawn {
    lines: Vec<Line>,
    /// The ends of the axes.
    most: [f64; 2],
    place: u32,
}

impl Drawn {
    fn input(&self) -> lines::Input {
        // The place of all sequences stands at the end of the axis.
        let size = ((LEAST << self.place.min(ALL)) as f64).min(self.most[0]);
        lines::Input {
            x: Quantity {
                name: "window, sequences".into(),
                range: [LEAST as f64, self.most[0]],
                scale: Scale::Log,
                label: |v| count(v as u64),
            },
            y: Quantity {
                name: "rows above the best plan".into(),
                range: [0.0, self.most[1] * 1.08],
                scale: Scale::Linear,
                label: tick_percent,
            },
            lines: self.lines.clone(),
            needle: Some((size, words(self.place))),
            dots: Vec::new(),
        }
    }

    /// Returns the place of the knob nearest to a place of the drawing.
    fn place_at(&self, x: f64, frame: &Frame) -> u32 {
        let size = lines::layout(&self.input(), frame).value(x);
        (size / LEAST as f64)
            .log2()
            .round()
            .clamp(0.0, f64::from(ALL)) as u32
    }
}
