//! The rows of the table of algorithms and heuristics.

use super::{GraphState, Row};
use crate::api::tuple::Settings;
use crate::api::{Compared, Packing};
use crate::packing::tuple::{Algorithm, Heuristic};

impl GraphState {
    /// Returns the rows of the table.
    pub fn rows(&self) -> Vec<Row> {
        let plain = |algorithm| Row { algorithm, heuristic: None };
        let with = |algorithm| Heuristic::PUBLISHED.map(|h| Row::new(algorithm, h));
        let mut rows = vec![plain(Algorithm::Optimal), plain(Algorithm::Search)];
        rows.extend(with(Algorithm::BestFit));
        rows.push(Row::new(Algorithm::FirstFit, self.settings.heuristic));
        rows.extend(with(Algorithm::BestFitPublished));
        rows.extend([Algorithm::NodesOnly, Algorithm::EdgesOnly, Algorithm::None].map(plain));
        let chosen = self.settings.row();
        if !rows.contains(&chosen) {
            rows.insert(2, chosen);
        }
        rows
    }

    /// Returns the rows not known yet: those of the table, and those that the control column compares.
    pub fn unknown_rows(&self) -> Vec<Row> {
        let mut rows = self.rows();
        let chosen = self.settings.algorithm;
        let offered = if chosen.has_heuristic() { chosen } else { Algorithm::BestFit };
        for row in offered.heuristics().iter().copied().chain([self.weighted()]).map(|h| Row::new(offered, h))
        {
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        rows.retain(|row| !self.is_answered(*row));
        rows
    }

    /// Returns the best of the published heuristics.
    pub fn best_published(&self) -> Option<&Compared<Settings>> {
        let rows = Heuristic::PUBLISHED.map(|h| Row::new(Algorithm::BestFitPublished, h));
        rows.into_iter().filter_map(|row| self.row(row)).min_by_key(|p| p.figures.packs)
    }
}
