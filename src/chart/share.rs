//! The share of tokens in sequences up to each length.

use super::{Axis, BELOW, Chart, Pen, Scale, axis};

/// Data of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// (length, tokens), by length.
    pub tokens: Vec<(u32, u64)>,
    /// The unit of length.
    pub unit: String,
}

impl Chart for Input {
    fn draw(&self, pen: &mut Pen) {
        let up = |plot| Axis::up(plot, [0.0, 1.0], Scale::Linear);
        let plot = pen.frame.plot(8.0, BELOW, |plot| [axis::margin(&up(plot).round_ticks(40.0)), 2.0]);
        let longest = self.tokens.last().map_or(1.0, |(length, _)| f64::from(*length));
        let (across, up) = (Axis::across(plot, [0.0, longest], Scale::Linear), up(plot));
        let all = self.tokens.iter().map(|(_, tokens)| *tokens).sum::<u64>().max(1) as f64;
        let mut so_far = 0.0;
        let line = self.tokens.iter().map(|(length, tokens)| {
            so_far += *tokens as f64 / all;
            (across.at(f64::from(*length)), up.at(so_far))
        });
        pen.grid(plot, &up.round_ticks(40.0));
        let line = line.collect();
        pen.bound(line);
        pen.baseline(plot);
        pen.ticks_below(plot, &across.round_ticks(80.0), &self.unit, pen.frame.width);
    }

    fn summary(&self) -> String {
        format!("The share of tokens in sequences up to each of {} lengths.", self.tokens.len())
    }
}
