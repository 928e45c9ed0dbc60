//! The training on graphs that is set up, for the judge; and the recommendation to compare limits.

use super::Advice;
use crate::state::graphs::findings::{limits, of_filled, of_instead, of_kept};
use crate::state::{Action, AppState, graphs};
use packscope::advice::{GraphCase, Hardware};
use packscope::api::{PackingSettings, tuple};
use packscope::ingest::ItemWords;
use packscope::packing::tuple::TupleAlgorithm;
use packscope::words::plural;

impl AppState {
    /// Returns the training on graphs that is set up; `None` before there are data, and for items that no model of graphs
    /// is about.
    pub(super) fn graph_case(&self) -> Option<GraphCase> {
        let (state, choice) = (&self.graphs, &self.loaders.choice);
        state.data.as_ref()?;
        if state.words().attention.is_some() {
            return None;
        }
        let usual = tuple::Settings {
            limits: state.limits().to_vec(),
            ..state.settings.clone()
        };
        // What takes long, or exceeds a limit, is no part of a quick comparison.
        let quick = !usual.takes_long() && usual.algorithm.only().is_none();
        let algorithm = if quick {
            usual.algorithm
        } else {
            TupleAlgorithm::BestFit
        };
        let present = tuple::Settings { algorithm, ..usual };
        let better = state.better_limits().map(|found| tuple::Settings {
            limits: found.limits.to_vec(),
            ..present.clone()
        });
        let packs = std::iter::once(present).chain(better);
        Some(GraphCase {
            loader: choice.library.clone(),
            settings: choice.settings.clone(),
            limits: state.limits(),
            hardware: Hardware {
                assumptions: self.assumed(),
                overhead: state.settings.overhead,
            },
            batch: self.rows_of_batch(),
            // A loader makes no packs.
            packs: packs.filter(|_| choice.library.is_none()).collect(),
            seed: 0,
        })
    }

    /// Returns the [better limits](crate::state::GraphState::better_limits) of the sweep, or why there are none, for items
    /// that no estimate is about, so that the judge cannot weigh them. Recommends the sweep itself if it does not start
    /// unasked. `None` until the sweep is over.
    pub fn limits_advice(&self) -> Option<Advice> {
        let (state, course) = (&self.graphs, &self.graphs.course);
        if course.running {
            return None;
        }
        if !state.is_swept() {
            return self.sweep_advice();
        }
        let here = course.point_at(state.limits());
        let Some(found) = state.better_limits() else {
            let here = here?;
            let reason = format!("{}.", of_filled(state, here));
            return Some(Advice::new(of_kept(state, here), reason, vec![]));
        };
        let words = state.words();
        let instead = here.map_or_else(String::new, |here| of_instead(here, &words));
        let with = match state.is_swept_by_best_fit() {
            true => " by best fit",
            false => "",
        };
        let packs = here.map_or_else(String::new, |here| {
            of_change(here.packs, found.packs, &words)
        });
        let reason = format!("{}{instead}{with}.{packs}", of_filled(state, found));
        let take = vec![Action::Graphs(graphs::Action::Limits(found.limits))];
        Some(Advice::new(limits(found.limits), reason, take))
    }

    /// Whether the recommendation to compare limits has a line: also while it is not known yet, so that nothing moves when
    /// it comes.
    pub fn offers_sweep(&self) -> bool {
        let unasked = self.background.on && self.graphs.is_sweep_cheap() != Some(false);
        !self.graphs.course.running && !self.graphs.is_swept() && !unasked
    }

    /// Returns the recommendation to compare limits, if none were compared and none will be until the visitor asks.
    pub fn sweep_advice(&self) -> Option<Advice> {
        if self.graphs.course.running || self.graphs.is_swept() {
            return None;
        }
        let cheap = self.graphs.is_sweep_cheap()?;
        if !self.graphs.is_compared() || cheap && self.background.on {
            return None;
        }
        let why = match cheap {
            true => "work in the background is off",
            false => "packing at so many takes too long to begin unasked",
        };
        let take = vec![Action::Graphs(graphs::Action::Start)];
        let reason = format!("No others were tried for these settings: {why}.");
        Some(Advice {
            press: "Compare them",
            ..Advice::new("Compare limits", reason, take)
        })
    }
}

/// Returns the sentence about packs saved or added; empty where there are as many.
fn of_change(from: u64, to: u64, words: &ItemWords) -> String {
    match from.abs_diff(to) {
        0 => String::new(),
        n if to < from => format!(" {} fewer.", plural(n, "pack")),
        // Less attention leaves rows as they are.
        n if words.attention.is_some() => format!(" {} more.", plural(n, "pack")),
        n => format!(" {} more, of smaller rows.", plural(n, "pack")),
    }
}
