//! The rows of the table of algorithms and heuristics.

use super::{GraphState, TupleRow};
use crate::query::ComparisonRow;
use packscope::api::PackingSettings;
use packscope::api::tuple::Settings;
use packscope::packing::tuple::{Heuristic, TupleAlgorithm};

impl GraphState {
    /// Returns the rows of the table: all ways to pack under both limits, which share their lower bound.
    pub fn rows(&self) -> Vec<TupleRow> {
        let plain = |algorithm| TupleRow {
            algorithm,
            heuristic: None,
        };
        let with = |algorithm| Heuristic::PUBLISHED.map(|h| TupleRow::new(algorithm, h));
        let mut rows = vec![
            plain(TupleAlgorithm::Optimal),
            plain(TupleAlgorithm::Search),
        ];
        rows.extend(with(TupleAlgorithm::BestFit));
        rows.push(TupleRow::new(
            TupleAlgorithm::FirstFit,
            self.settings.heuristic,
        ));
        rows.extend(with(TupleAlgorithm::BestFitPublished));
        rows.push(plain(TupleAlgorithm::None));
        let chosen = self.settings.row();
        if !rows.contains(&chosen) && chosen.keeps_all_limits() {
            // Below the optimum and the search, before all other heuristics.
            rows.insert(2, chosen);
        }
        rows
    }

    /// Returns the rows below the table: each ignores one of the limits, so that fewer packs are no gain.
    pub fn rows_beyond(&self) -> [TupleRow; 2] {
        // Such packs may be fewer than the proven bound of those that keep both limits, and so
        // stand apart.
        [TupleAlgorithm::NodesOnly, TupleAlgorithm::EdgesOnly].map(|algorithm| TupleRow {
            algorithm,
            heuristic: None,
        })
    }

    pub fn all_rows(&self) -> Vec<TupleRow> {
        let mut rows = self.rows();
        rows.extend(self.rows_beyond());
        rows
    }

    /// Returns the unknown rows of the table, and of the comparisons in the control column.
    pub fn unknown_rows(&self) -> Vec<TupleRow> {
        let mut rows = self.all_rows();
        let chosen = self.settings.algorithm;
        // The control column compares heuristics, for best fit where the chosen algorithm has none.
        let offered = if chosen.has_heuristic() {
            chosen
        } else {
            TupleAlgorithm::BestFit
        };
        for row in offered
            .heuristics()
            .iter()
            .copied()
            .chain([self.weighted()])
            .map(|h| TupleRow::new(offered, h))
        {
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        rows.retain(|row| !self.is_answered(*row));
        rows
    }

    /// Groups rows of the table: heuristics of one algorithm with the same figures share a group, at the place of the
    /// first. An algorithm's rows are grouped only when all of them are known, so that no row moves while a visitor
    /// looks at it. O(rows²).
    pub fn grouped(&self, rows: &[TupleRow]) -> Vec<Vec<TupleRow>> {
        let known = |row: &TupleRow| self.row(*row).is_some();
        let whole = |algorithm| {
            rows.iter()
                .filter(|row| row.algorithm == algorithm)
                .all(known)
        };
        // By packs and the filling of both components: heuristics that differ in neither are one
        // row.
        let figures = |row: TupleRow| {
            let f = self
                .row(row)
                .filter(|_| row.heuristic.is_some() && whole(row.algorithm))?;
            Some((row.algorithm, f.figures.packs, &f.figures.efficiency))
        };
        let mut groups: Vec<Vec<TupleRow>> = Vec::new();
        for row in rows {
            let alike = |group: &&mut Vec<TupleRow>| {
                figures(*row)
                    .is_some_and(|own| group.first().and_then(|first| figures(*first)) == Some(own))
            };
            match groups.iter_mut().find(alike) {
                Some(group) => group.push(*row),
                None => groups.push(vec![*row]),
            }
        }
        groups
    }

    pub fn best_published(&self) -> Option<&ComparisonRow<Settings>> {
        let rows = Heuristic::PUBLISHED.map(|h| TupleRow::new(TupleAlgorithm::BestFitPublished, h));
        rows.into_iter()
            .filter_map(|row| self.row(row))
            .min_by_key(|p| p.figures.packs)
    }
}
