//! The view of graphs in the URL.

use super::{Course, FIRST, GraphState, POLICIES};
use crate::api::tuple::Settings;
use crate::packing::Depth;
use crate::state::hash::{Pair, put};

/// The names of the limits, whatever the data call their components.
pub const LIMITS: [&str; 2] = ["nodes", "edges"];

impl GraphState {
    pub(in crate::state) fn pairs(&self, characters: usize) -> Vec<Pair> {
        let first = Course::default();
        let data = self.data.as_ref().map_or_else(|| FIRST.id.to_owned(), |d| d.named(characters));
        let maxima = match self.data {
            Some(_) => self.maxima(),
            None => [222, 502],
        };
        let is_first = data == FIRST.id;
        let mut pairs = vec![Pair::always("data", data, is_first)];
        pairs.extend(packing_pairs(&self.settings, maxima));
        pairs.extend([
            Pair::new("colours", "linear".to_owned(), !self.linear_colours),
            Pair::new("method", self.course.method.to_string(), self.course.method == first.method),
            Pair::new("target", self.course.target.to_string(), self.course.target == first.target),
        ]);
        for (name, range) in ["sweep-nodes", "sweep-edges"].into_iter().zip(self.course.ranges) {
            pairs.push(Pair::new(name, range.map_or_else(String::new, |r| r.to_string()), range.is_none()));
        }
        pairs
    }

    pub(in crate::state) fn set(&mut self, name: &str, value: &str) {
        match name {
            "colours" => self.linear_colours = value == "linear",
            "method" => put(&mut self.course.method, value, |_| true),
            "target" => put(&mut self.course.target, value, |t| (0.0..=1.0).contains(t)),
            "sweep-nodes" => self.course.ranges[0] = value.parse().ok().or(self.course.ranges[0]),
            "sweep-edges" => self.course.ranges[1] = value.parse().ok().or(self.course.ranges[1]),
            _ => set_packing(&mut self.settings, name, value),
        }
    }
}

/// How graphs are packed; the limits that go without saying are those of the data.
pub(in crate::state) fn packing_pairs(s: &Settings, maxima: [u32; 2]) -> Vec<Pair> {
    let usual = Settings::default();
    let limit = |k: usize| s.limits.get(k).copied().unwrap_or(1);
    vec![
        Pair::always("nodes", limit(0).to_string(), limit(0) == maxima[0]),
        Pair::always("edges", limit(1).to_string(), limit(1) == maxima[1]),
        Pair::always("depth", s.depth.to_string(), s.depth == usual.depth),
        Pair::always("algorithm", s.algorithm.to_string(), s.algorithm == usual.algorithm),
        Pair::always("heuristic", s.heuristic.to_string(), s.heuristic == usual.heuristic),
        Pair::new("overlong", s.overlong.name().to_owned(), s.overlong == usual.overlong),
        Pair::new("overhead", s.overhead.to_string(), s.overhead == usual.overhead),
    ]
}

/// Takes one of these settings; bad values and other names change nothing.
pub(in crate::state) fn set_packing(s: &mut Settings, name: &str, value: &str) {
    match name {
        "nodes" => put(&mut s.limits[0], value, |l| *l > 0),
        "edges" => put(&mut s.limits[1], value, |l| *l > 0),
        "depth" => put(&mut s.depth, value, |d| *d != Depth::AtMost(0)),
        "algorithm" => put(&mut s.algorithm, value, |_| true),
        "heuristic" => put(&mut s.heuristic, value, |_| true),
        "overlong" => put(&mut s.overlong, value, |p| POLICIES.contains(p)),
        "overhead" => put(&mut s.overhead, value, |_| true),
        _ => {}
    }
}
