//! Questions whose answers the reader predicts before they are revealed.

use super::prose::figure;
use crate::state::learn::Prediction;
use packscope::words::{percent, tick_percent};

/// The name with which a teacher's link hides all questions; all answers are then visible.
pub const PREDICTIONS: &str = "predictions";

/// A multiple-choice question whose answer is a share. The page shows the answer only after the reader commits a
/// prediction or asks for the answer without one.
#[derive(Debug, Clone, PartialEq)]
pub struct Guess {
    /// The name, unique among all chapters.
    pub id: &'static str,
    /// The question. Markup, without knobs.
    pub question: String,
    /// Round shares to choose from, ascending.
    pub choices: &'static [f64],
    /// The answer, as computed; `None` until the engine has answered.
    pub answer: Option<f64>,
    /// The text shown with the answer, and after it. Markup.
    pub reveal: String,
}

impl Guess {
    /// Returns the index of the choice nearest to the answer: the right one.
    pub fn nearest(&self) -> Option<usize> {
        let answer = self.answer?;
        let off = |index: &usize| (self.choices[*index] - answer).abs();
        (0..self.choices.len()).min_by(|a, b| off(a).total_cmp(&off(b)))
    }

    /// Returns how far off a prediction was, in a sentence; an empty text without a prediction or an answer.
    pub fn verdict(&self, prediction: Prediction) -> String {
        let Prediction::Made(made) = prediction else {
            return String::new();
        };
        let (Some(answer), Some(said)) = (self.answer, self.choices.get(made as usize)) else {
            return String::new();
        };
        let said_words = tick_percent(*said);
        let points = (said - answer) * 100.0;
        let off = format!("{:.1}", points.abs());
        // Judged by the choice, and not by the points: the nearest choice may still be some points
        // off.
        let right = self.nearest() == Some(made as usize);
        let nearest = if right { ", the nearest" } else { "" };
        // As it is shown: a difference that rounds to nothing is none to the reader.
        if off == "0.0" {
            return format!("You said {said_words}, and that is it.");
        }
        let way = if points > 0.0 { "high" } else { "low" };
        format!("You said {said_words}{nearest}: {off} percentage points too {way}.")
    }

    pub fn choice(&self, index: usize) -> String {
        self.choices
            .get(index)
            .map_or_else(String::new, |share| tick_percent(*share))
    }

    pub fn figure(answer: f64) -> String {
        figure("answer", answer, &percent(answer))
    }
}
