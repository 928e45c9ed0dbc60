//! The view of graphs in the URL.

use super::{Course, FIRST, GraphState, POLICIES};
use crate::api::tuple::Settings;
use crate::packing::Depth;
use crate::state::Source;
use crate::state::hash::{OWN, Pair, put};

/// The names of the limits, whatever the data call their components.
pub const LIMITS: [&str; 2] = ["nodes", "edges"];

impl GraphState {
    pub(in crate::state) fn pairs(&self) -> Vec<Pair> {
        let (s, usual, first) = (&self.settings, Settings::default(), Course::default());
        let source = self.data.as_ref().map(|d| &d.source);
        let data = match source {
            Some(Source::Preset(preset)) => preset.id,
            Some(Source::Own { .. }) => OWN,
            None => FIRST.id,
        };
        let maxima = match self.data {
            Some(_) => self.maxima(),
            None => [222, 502],
        };
        let limits = self.limits();
        let mut pairs = vec![
            Pair::always("data", data.to_owned(), data == FIRST.id),
            Pair::always("nodes", limits[0].to_string(), limits[0] == maxima[0]),
            Pair::always("edges", limits[1].to_string(), limits[1] == maxima[1]),
            Pair::always("depth", s.depth.to_string(), s.depth == usual.depth),
            Pair::always("algorithm", s.algorithm.to_string(), s.algorithm == usual.algorithm),
            Pair::always("heuristic", s.heuristic.to_string(), s.heuristic == usual.heuristic),
            Pair::new("overlong", s.overlong.name().to_owned(), s.overlong == usual.overlong),
            Pair::new("overhead", s.overhead.to_string(), s.overhead == usual.overhead),
            Pair::new("colours", "linear".to_owned(), !self.linear_colours),
            Pair::new("method", self.course.method.to_string(), self.course.method == first.method),
            Pair::new("target", self.course.target.to_string(), self.course.target == first.target),
        ];
        for (name, range) in ["sweep-nodes", "sweep-edges"].into_iter().zip(self.course.ranges) {
            pairs.push(Pair::new(name, range.map_or_else(String::new, |r| r.to_string()), range.is_none()));
        }
        pairs
    }

    pub(in crate::state) fn set(&mut self, name: &str, value: &str) {
        let s = &mut self.settings;
        match name {
            "nodes" => put(&mut s.limits[0], value, |l| *l > 0),
            "edges" => put(&mut s.limits[1], value, |l| *l > 0),
            "depth" => put(&mut s.depth, value, |d| *d != Depth::AtMost(0)),
            "algorithm" => put(&mut s.algorithm, value, |_| true),
            "heuristic" => put(&mut s.heuristic, value, |_| true),
            "overlong" => put(&mut s.overlong, value, |p| POLICIES.contains(p)),
            "overhead" => put(&mut s.overhead, value, |_| true),
            "colours" => self.linear_colours = value == "linear",
            "method" => put(&mut self.course.method, value, |_| true),
            "target" => put(&mut self.course.target, value, |t| (0.0..=1.0).contains(t)),
            "sweep-nodes" => self.course.ranges[0] = value.parse().ok().or(self.course.ranges[0]),
            "sweep-edges" => self.course.ranges[1] = value.parse().ok().or(self.course.ranges[1]),
            _ => {}
        }
    }
}
