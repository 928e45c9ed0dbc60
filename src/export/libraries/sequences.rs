//! Libraries that pack sequences into rows.

use super::{Figure, Of, Told, above, figure, rounded};
use crate::api::trainer::{Answer, Figures, Given};
use crate::metrics::Column;
use crate::metrics::Value::Real;
use crate::trainer::Sequences;
use crate::trainer::batches::Room;
use crate::words::{count, mean, percent, plural};

/// Shares below this are not worth reporting.
const LITTLE: f64 = 0.001;

impl Told for Sequences {
    const COLUMNS: &'static [Column<Figures>] = &[
        Column::new("rows", "rows", |f| Some(Real(f.rows, mean))),
        Column::new("steps", "steps", |f| Some(Real(f.steps, mean))),
        Column::new("above_best", "above best", |f| f.above_best.map(|x| Real(x, above))),
        Column::new("padding_share", "padding", |f| Some(Real(f.padding_share, percent))),
        Column::new("truncated_share", "truncated", |f| Some(Real(f.truncated_share, percent))),
        Column::new("dropped_share", "dropped", |f| Some(Real(f.dropped_share, percent))),
        Column::new("cut_share", "cut apart", |f| Some(Real(f.cut_share, percent))),
    ];

    fn given(given: Room) -> Given {
        Given::Sequences(given)
    }

    fn look(of: &Of<Self>) -> (f64, Option<f64>) {
        (of.figures.lost_share(), of.figures.computed_above)
    }

    fn title(of: &Of<Self>) -> String {
        let (f, title) = (of.figures, &of.answer.about.title);
        let limit = count(u64::from(of.given.limit));
        let does = if f.dropped_share > LITTLE {
            format!("drops {} of the tokens", percent(f.dropped_share))
        } else if f.truncated_share > LITTLE {
            format!("cuts off {} of the tokens", percent(f.truncated_share))
        } else if f.cut_share > LITTLE {
            format!("trains {} of the tokens without the beginning of their sequence", percent(f.cut_share))
        } else if !of.answer.own.padded {
            (if f.most > 1.0 { "pads nothing" } else { "packs nothing, and pads nothing," }).to_owned()
        } else {
            match f.computed_above.filter(|above| *above > LITTLE) {
                Some(above) => format!("computes {} more than the best plan", percent(above)),
                None => "packs these data as well as the best plan".to_owned(),
            }
        };
        format!("{title} {does} at a limit of {limit}")
    }

    fn figures(of: &Of<Self>) -> Vec<Figure> {
        let f = of.figures;
        let padding = if of.answer.own.padded { "of the slots" } else { "room that is not computed" };
        let lost = match (f.truncated_share > 0.0, f.dropped_share > 0.0) {
            (false, false) => "nothing is thrown away".to_owned(),
            (true, false) => "cut off".to_owned(),
            (false, true) => "dropped with their sequences".to_owned(),
            (true, true) => {
                format!("{} cut off, {} dropped", percent(f.truncated_share), percent(f.dropped_share))
            }
        };
        let cut = match f.cut_sequences {
            0.0 => "every sequence stays in one row".to_owned(),
            cut => format!("{} in {:.1} pieces each", plural(cut.round() as u64, "sequence"), f.mean_pieces),
        };
        vec![
            figure("trainer_rows", "Rows", f.rows, rounded, below_rows(of)),
            figure("trainer_padding", "Padding", f.padding_share, percent, padding.to_owned()),
            figure("trainer_lost", "Tokens lost", f.lost_share(), percent, lost),
            figure("trainer_cut", "Cut apart", f.cut_share, percent, cut),
        ]
    }

    fn place(f: &Figures) -> Option<(f64, f64)> {
        Some((f.lost_share(), f.computed_above?))
    }

    fn sample(answer: &Answer) -> Option<u64> {
        answer.own.sample
    }
}

fn below_rows(of: &Of<Sequences>) -> String {
    let (f, runs) = (of.figures, &of.answer.runs);
    let alone = !of.answer.own.padded && f.most <= 1.0;
    let above = f.above_best.map(|above| match above {
        _ if alone => "one sequence each, none padded".to_owned(),
        above if above < 0.0005 => "as the best plan".to_owned(),
        above => format!("{} above the best plan", percent(above)),
    });
    let spread = super::spread(runs.iter().map(|run| run.tally.rows));
    let steps = format!("{} on one device", plural(f.steps.round() as u64, "step"));
    [above, spread, Some(steps)].into_iter().flatten().collect::<Vec<_>>().join("; ")
}
