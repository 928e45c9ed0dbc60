//! The rows of the table of algorithms and heuristics.

use super::{GraphState, Row};
use packscope::api::tuple::Settings;
use packscope::api::{Compared, Packing};
use packscope::packing::tuple::{Algorithm, Heuristic};

impl GraphState {
    /// Returns the rows of the table: all ways to pack under both limits, which share their lower bound.
    pub fn rows(&self) -> Vec<Row> {
        let plain = |algorithm| Row { algorithm, heuristic: None };
        let with = |algorithm| Heuristic::PUBLISHED.map(|h| Row::new(algorithm, h));
        let mut rows = vec![plain(Algorithm::Optimal), plain(Algorithm::Search)];
        rows.extend(with(Algorithm::BestFit));
        rows.push(Row::new(Algorithm::FirstFit, self.settings.heuristic));
        rows.extend(with(Algorithm::BestFitPublished));
        rows.push(plain(Algorithm::None));
        let chosen = self.settings.row();
        if !rows.contains(&chosen) && chosen.keeps_all_limits() {
            rows.insert(2, chosen);
        }
        rows
    }

    /// Returns the rows below the table: each ignores one of the limits, so that fewer packs are no gain.
    pub fn rows_beyond(&self) -> [Row; 2] {
        [Algorithm::NodesOnly, Algorithm::EdgesOnly].map(|algorithm| Row { algorithm, heuristic: None })
    }

    /// Returns the rows of the table, and those below it.
    pub fn all_rows(&self) -> Vec<Row> {
        let mut rows = self.rows();
        rows.extend(self.rows_beyond());
        rows
    }

    /// Returns the unknown rows of the table, and of the comparisons in the control column.
    pub fn unknown_rows(&self) -> Vec<Row> {
        let mut rows = self.all_rows();
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

    /// Groups rows of the table: heuristics of one algorithm with the same figures share a group, at the place of the
    /// first. An algorithm's rows are grouped only when all of them are known, so that no row moves while a visitor
    /// looks at it. O(rows²).
    pub fn grouped(&self, rows: &[Row]) -> Vec<Vec<Row>> {
        let known = |row: &Row| self.row(*row).is_some();
        let whole = |algorithm| rows.iter().filter(|row| row.algorithm == algorithm).all(known);
        let figures = |row: Row| {
            let f = self.row(row).filter(|_| row.heuristic.is_some() && whole(row.algorithm))?;
            Some((row.algorithm, f.figures.packs, &f.figures.efficiency))
        };
        let mut groups: Vec<Vec<Row>> = Vec::new();
        for row in rows {
            let alike = |group: &&mut Vec<Row>| {
                figures(*row).is_some_and(|own| group.first().and_then(|first| figures(*first)) == Some(own))
            };
            match groups.iter_mut().find(alike) {
                Some(group) => group.push(*row),
                None => groups.push(vec![*row]),
            }
        }
        groups
    }

    /// Returns the best of the published heuristics.
    pub fn best_published(&self) -> Option<&Compared<Settings>> {
        let rows = Heuristic::PUBLISHED.map(|h| Row::new(Algorithm::BestFitPublished, h));
        rows.into_iter().filter_map(|row| self.row(row)).min_by_key(|p| p.figures.packs)
    }
}
