//! Answers, the table of algorithms and heuristics, and the optimum, which arrives by itself.

use super::{Answer, GraphState, Subject, Told, asked, problem};
use crate::api::tuple::Settings;
use crate::bounds::{Bound, BoundKind};
use crate::cost;
use crate::packing::tuple::{Algorithm, Heuristic};
use crate::state::{Found, Point, Ticket};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Its heuristic, where that makes a difference.
    pub heuristic: Option<Heuristic>,
}

impl Row {
    /// The row of an algorithm with a heuristic.
    pub fn new(algorithm: Algorithm, heuristic: Heuristic) -> Self {
        Self { algorithm, heuristic: algorithm.has_heuristic().then_some(heuristic) }
    }

    /// The row that settings choose.
    pub fn of(settings: &Settings) -> Self {
        Self::new(settings.algorithm, settings.heuristic)
    }

    /// The settings that answer it.
    pub fn settings(self, settings: &Settings) -> Settings {
        let heuristic = self.heuristic.unwrap_or(settings.heuristic);
        Settings { algorithm: self.algorithm, heuristic, ..settings.clone() }
    }

    /// Whether it keeps to all limits: the baselines for one component do not, and bounds say nothing about them.
    pub fn keeps_all_limits(self) -> bool {
        !matches!(self.algorithm, Algorithm::NodesOnly | Algorithm::EdgesOnly)
    }
}

/// Figures of many rows, all for the same data, limits and depth.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Comparison {
    about: Option<Subject>,
    points: Vec<(Row, Point)>,
}

impl Comparison {
    fn at(&self, row: Row) -> Option<&Point> {
        self.points.iter().find(|(r, _)| *r == row).map(|(_, p)| p)
    }

    fn put(&mut self, row: Row, point: Point) {
        match self.points.iter_mut().find(|(r, _)| *r == row) {
            Some((_, old)) => *old = point,
            None => self.points.push((row, point)),
        }
    }
}

impl Answer {
    fn subject(&self) -> Subject {
        (self.ticket.data, problem(&self.report.settings))
    }

    fn point(&self) -> (Row, Point) {
        let point = Point { figures: self.report.figures.clone(), seconds: self.seconds };
        (Row::of(&self.report.settings), point)
    }
}

impl GraphState {
    /// What the comparison and the optimum at the present settings are about.
    pub fn subject(&self) -> Subject {
        (self.version(), problem(&self.settings))
    }

    pub(super) fn hear(&mut self, told: Told) {
        match told {
            Told::Answered(answer) => self.accept(answer),
            Told::Compared(ticket, settings, points) => self.compare(ticket, &settings, points),
            Told::Found(ticket, settings, packs, bound) => {
                let about = (ticket.data, problem(&settings));
                if about == self.subject() {
                    self.found = Some(Found { about, packs, bound });
                    self.share_bounds();
                }
            }
            Told::Better(answer) => self.better(answer),
            Told::Proven(answer) => self.prove(answer),
            Told::Stopped => self.found = None,
            Told::Refused(ticket, settings, why) => {
                if settings.algorithm == Algorithm::Optimal {
                    self.found = None;
                }
                self.refused = Some((ticket, settings, why));
            }
        }
    }

    fn accept(&mut self, answer: Rc<Answer>) {
        let newer = self.answer.as_ref().is_none_or(|shown| shown.ticket < answer.ticket);
        // Nobody asks again for what is there: an answer about other settings does not replace it, and what stands in for
        // a search does not replace that.
        let late = self.is_current() && asked(&answer.report.settings) != asked(&self.settings)
            || self.is_interim() && answer.subject() != self.subject();
        if newer && !late && answer.ticket.data == self.version() {
            self.show(answer);
        }
    }

    fn show(&mut self, answer: Rc<Answer>) {
        // The overhead may have been changed while the worker was packing.
        let mut answer = Rc::unwrap_or_clone(answer);
        cost::price(&mut answer.report.figures, self.settings.overhead);
        let (ticket, settings, point) = (answer.ticket, answer.report.settings.clone(), answer.point());
        self.answer = Some(Rc::new(answer));
        self.compare(ticket, &settings, vec![point]);
    }

    fn compare(&mut self, ticket: Ticket, settings: &Settings, points: Vec<(Row, Point)>) {
        let about = (ticket.data, problem(settings));
        if about != self.subject() {
            return;
        }
        if !self.is_compared() {
            self.comparison = Rc::new(Comparison { about: Some(about), points: Vec::new() });
        }
        let comparison = Rc::make_mut(&mut self.comparison);
        points.into_iter().for_each(|(row, point)| comparison.put(row, point));
        self.share_bounds();
        self.price_points();
    }

    pub(super) fn price_points(&mut self) {
        let overhead = self.settings.overhead;
        for (_, point) in &mut Rc::make_mut(&mut self.comparison).points {
            cost::price(&mut point.figures, overhead);
        }
    }

    /// A plan of the search is the answer where the optimum was asked for, and a row of the table.
    fn better(&mut self, answer: Rc<Answer>) {
        if answer.subject() != self.subject() {
            return;
        }
        self.compare(answer.ticket, &answer.report.settings, vec![answer.point()]);
        if self.settings.algorithm == Algorithm::Optimal {
            self.show(answer);
        }
    }

    /// The search is over.
    fn prove(&mut self, answer: Rc<Answer>) {
        if answer.subject() == self.subject() {
            self.found = None;
            self.proven = Some(Rc::clone(&answer));
            self.better(answer);
        }
    }

    /// The plan that was proven is the answer as soon as it is asked for.
    pub(super) fn adopt_proven(&mut self) {
        if self.settings.algorithm == Algorithm::Optimal
            && !self.is_current()
            && let Some(proven) = self.proven.clone().filter(|_| self.is_proven())
        {
            self.show(proven);
        }
    }

    /// Whether the search for the optimum at the present settings is over, with whatever gap.
    pub fn is_proven(&self) -> bool {
        self.proven.as_ref().is_some_and(|a| a.subject() == self.subject())
    }

    /// Whether a fast answer stands in for what is being looked for.
    pub fn is_interim(&self) -> bool {
        let stands_in = |a: &Rc<Answer>| {
            a.report.settings.algorithm == Algorithm::BestFit && a.subject() == self.subject()
        };
        self.settings.algorithm.takes_long() && self.answer.as_ref().is_some_and(stands_in)
    }

    /// Why the engine gave no answer to the present settings.
    pub fn refusal(&self) -> Option<&str> {
        let (ticket, settings, why) = self.refused.as_ref()?;
        // What stands in for a search is refused with the same words.
        let stands_in = self.settings.algorithm.takes_long()
            && settings.algorithm == Algorithm::BestFit
            && problem(settings) == problem(&self.settings);
        let about = stands_in || asked(settings) == asked(&self.settings);
        (about && ticket.data == self.version() && !self.is_current()).then_some(why)
    }

    /// How far the search for the optimum of the present settings is, while it goes on.
    pub fn searching(&self) -> Option<&Found<Settings>> {
        self.found.as_ref().filter(|f| f.about == self.subject())
    }

    /// Whether the table is about the present data, limits and depth.
    pub fn is_compared(&self) -> bool {
        self.comparison.about == Some(self.subject())
    }

    /// The figures of a row, if known for the present settings; else of those before.
    pub fn point(&self, row: Row) -> Option<&Point> {
        self.comparison.at(row)
    }

    /// The rows of the table.
    pub fn rows(&self) -> Vec<Row> {
        let plain = |algorithm| Row { algorithm, heuristic: None };
        let with = |algorithm| Heuristic::PUBLISHED.map(|h| Row::new(algorithm, h));
        let mut rows = vec![plain(Algorithm::Optimal), plain(Algorithm::Search)];
        rows.extend(with(Algorithm::BestFit));
        rows.push(Row::new(Algorithm::FirstFit, self.settings.heuristic));
        rows.extend(with(Algorithm::BestFitPublished));
        rows.extend([Algorithm::NodesOnly, Algorithm::EdgesOnly, Algorithm::None].map(plain));
        let chosen = Row::of(&self.settings);
        if !rows.contains(&chosen) {
            rows.insert(2, chosen);
        }
        rows
    }

    /// Rows that are not known yet: those of the table, and what the control column compares.
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
        rows.retain(|row| !(self.is_compared() && self.point(*row).is_some()));
        rows
    }

    /// The best of the published heuristics.
    pub fn best_published(&self) -> Option<&Point> {
        let rows = Heuristic::PUBLISHED.map(|h| Row::new(Algorithm::BestFitPublished, h));
        rows.into_iter().filter_map(|row| self.point(row)).min_by_key(|p| p.figures.packs)
    }

    /// A bound found for one algorithm holds for all that keep to the same limits and depth.
    fn share_bounds(&mut self) {
        if !self.is_compared() {
            return;
        }
        let searched = self.searching().map(|f| Bound { packs: f.bound, kind: BoundKind::LinearProgram });
        let own = self.comparison.points.iter().filter(|(row, _)| row.keeps_all_limits());
        let bounds = own.filter_map(|(_, p)| p.figures.bound()).chain(searched);
        let Some(best) = bounds.reduce(|best, b| if b.packs > best.packs { b } else { best }) else { return };
        let points = &mut Rc::make_mut(&mut self.comparison).points;
        for (_, point) in points.iter_mut().filter(|(row, _)| row.keeps_all_limits()) {
            point.figures.raise(best);
        }
        let subject = self.subject();
        let holds = |a: &Rc<Answer>| a.subject() == subject && Row::of(&a.report.settings).keeps_all_limits();
        if let Some(answer) = self.answer.as_mut().filter(|a| holds(a) && a.report.figures.is_raised_by(best))
        {
            Rc::make_mut(answer).report.figures.raise(best);
        }
    }
}
