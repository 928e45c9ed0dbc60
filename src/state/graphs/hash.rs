//! The view of graphs in the URL.

use super::{Course, FIRST, GraphState};
use crate::state::pairs::{Pair, pairs_of, put};
use packscope::accepts::number;
use packscope::api::fields::{self, graphs};
use packscope::api::tuple::Settings;

/// The names of the limits in addresses, whatever the components of the data.
pub const LIMITS: [&str; 2] = [graphs::NODES.value.id, graphs::EDGES.value.id];

impl GraphState {
    pub(in crate::state) fn pairs(&self) -> Vec<Pair> {
        let first = Course::default();
        let data = self
            .data
            .as_ref()
            .map_or_else(|| FIRST.id.to_owned(), |d| d.named());
        let maxima = match self.data {
            Some(_) => self.maxima(),
            // Those of the set that the view opens on, which is on its way then.
            None => [222, 502],
        };
        let is_first = data == FIRST.id;
        let mut pairs = vec![Pair::always("data", data, is_first)];
        pairs.extend(packing_pairs(&self.settings, maxima));
        pairs.extend([
            Pair::new("colours", "linear".to_owned(), !self.linear_colours),
            Pair::new(
                "method",
                self.course.method.to_string(),
                self.course.method == first.method,
            ),
            Pair::new(
                "target",
                self.course.target.to_string(),
                self.course.target == first.target,
            ),
        ]);
        for (name, range) in ["sweep-nodes", "sweep-edges"]
            .into_iter()
            .zip(self.course.ranges)
        {
            pairs.push(Pair::new(
                name,
                range.map_or_else(String::new, |r| r.to_string()),
                range.is_none(),
            ));
        }
        pairs
    }

    /// Sets all settings to their defaults: limits to those of the largest graph.
    pub(in crate::state) fn reset(&mut self) {
        self.settings = Settings::default();
        if self.data.is_some() {
            self.settings.limits = self.maxima().to_vec();
        }
        let usual = Course::default();
        let course = &mut self.course;
        (course.ranges, course.method, course.target) = (usual.ranges, usual.method, usual.target);
        self.linear_colours = false;
    }

    pub(in crate::state) fn set(&mut self, name: &str, value: &str) {
        match name {
            "colours" => self.linear_colours = value == "linear",
            "method" => put(&mut self.course.method, value, |_| true),
            "target" => {
                // A share that is no share, or no number, leaves the target as it is.
                let target = number(value).filter(|share| (0.0..=1.0).contains(share));
                self.course.target = target.unwrap_or(self.course.target);
            }
            "sweep-nodes" => self.course.ranges[0] = value.parse().ok().or(self.course.ranges[0]),
            "sweep-edges" => self.course.ranges[1] = value.parse().ok().or(self.course.ranges[1]),
            _ => {
                fields::set(graphs::VALUES, &mut self.settings, name, value);
            }
        }
    }
}

/// Returns the settings of packing graphs; the default limits are those of the data.
pub(in crate::state) fn packing_pairs(s: &Settings, maxima: [u32; 2]) -> Vec<Pair> {
    pairs_of(
        graphs::VALUES,
        s,
        &Settings {
            limits: maxima.to_vec(),
            ..Settings::default()
        },
    )
}
