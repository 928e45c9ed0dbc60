//! The questions that the page has to ask next: one pure function of the state.

use super::{AppState, Search, Study, View};
use crate::query::{Query, Question};
use packscope::api::{PackingSettings, Report, Settings};
use packscope::histogram::Sizes;
use packscope::order;
use packscope::packing::Algorithm;

/// Maximum strategies that a report lists for the page; it only counts the others.
pub const LISTED: u32 = 20_000;
/// Maximum strategies while a slider moves over data of more than [`DISTINCT`] sizes, where each row may have a shape
/// of its own: drawings need few of them, and the rest follow when the slider rests.
const GLANCED: u32 = 500;
/// Maximum distinct sizes of data that are packed in the page with all strategies listed at every step.
pub const DISTINCT: usize = 10_000;
/// Milliseconds without a change before table and curve follow the slider.
pub(super) const REST: u32 = 60;
/// Milliseconds for slow tables, which would delay the answer if they were computed at every step.
pub(super) const LONGEST_REST: u32 = 400;
/// Milliseconds for slow rows while the optimum is being searched.
const LONG_REST: u32 = 1500;
/// Milliseconds for the search for the optimum, which ends by itself.
const PROOF_REST: u32 = 200;
/// Milliseconds for data of very many sizes: the next step must not end a worker that was just started and sent them.
const LARGE_REST: u32 = 1000;

/// A queue of questions for a worker: of those that wait, only the newest is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// The answer on screen.
    Live,
    /// The comparison.
    Side,
    /// Slow algorithms.
    Slow,
    /// The search for the optimum.
    Proof,
    /// Batches that are drawn, and ranks.
    Drawn,
    /// Batches of the other rows of the table, and all ways to deal to ranks.
    Rows,
    /// The waiting of accelerators, which their part of the page asks for.
    Waiting,
    /// Other limits, few static shapes, and what lessons ask for by themselves.
    Lessons,
    /// Libraries that train.
    Trainer,
    /// The judge's verdict.
    Advice,
    /// Certificates, which the visitor asks for.
    Proofs,
}

impl Lane {
    // In the order of declaration: the engine keeps lanes in a list, and a lane is an index of it.
    pub const ALL: [Self; 11] = [
        Self::Live,
        Self::Side,
        Self::Slow,
        Self::Proof,
        Self::Drawn,
        Self::Rows,
        Self::Waiting,
        Self::Lessons,
        Self::Trainer,
        Self::Advice,
        Self::Proofs,
    ];

    /// Whether no visitor waits for its answers.
    pub fn is_background(self) -> bool {
        matches!(self, Self::Slow | Self::Proof)
    }
}

/// Questions of a lane that have no answer yet.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingQuery {
    pub lane: Lane,
    /// Version of the data.
    pub data: u64,
    /// The questions, the most urgent first.
    pub queries: Vec<Query>,
    /// Milliseconds without a change before they are asked.
    pub rest: u32,
}

impl PendingQuery {
    /// Whether the answers to these questions also answer `other`.
    pub fn covers(&self, other: &Self) -> bool {
        let is_covered = |query: &Query| self.queries.iter().any(|known| known.covers(query));
        self.data == other.data && other.queries.iter().all(is_covered)
    }

    /// Whether both are the same questions about the same settings, apart from those that only price.
    pub fn is_same(&self, other: &Self) -> bool {
        let pairs = self.queries.iter().zip(&other.queries);
        self.data == other.data
            && self.queries.len() == other.queries.len()
            && pairs.into_iter().all(|(a, b)| a.is_same(b))
    }
}

impl AppState {
    /// Returns the questions that the view on screen needs, at most one for each lane.
    pub fn wanted(&self) -> Vec<PendingQuery> {
        let mut wants = match self.view {
            View::Sequences => {
                let rows = self
                    .sequences
                    .unknown_beside(self.whole.as_deref().map_or(&[][..], Vec::as_slice));
                self.of_study(&self.sequences, rows, self.lengths_searched())
            }
            View::Graphs => {
                let study: &Study<_, 2> = &self.graphs;
                let search = self.search().map(|search| self.proves(study, search));
                self.of_study(study, self.graphs.unknown_rows(), search)
            }
            View::Batches | View::Ranks | View::Learn => Vec::new(),
        };
        let limits = self.limits_wanted().map(|(settings, limits)| {
            limits
                .into_iter()
                .map(|limit| Query::Limit(settings.clone(), limit))
                .collect()
        });
        // Limits are of the view of sequences, shapes of that of batches: one lane has room for
        // both.
        let limits = limits.unwrap_or_else(|| self.shapes_wanted());
        let trainer = self.trainer_wanted().map(|asked| vec![asked]);
        let [drawn, rows] = match self.view {
            View::Ranks => self.ranks_wanted(),
            View::Batches => self.batches_wanted(),
            View::Sequences | View::Graphs | View::Learn => Default::default(),
        };
        let each = [
            (Lane::Drawn, drawn.0, drawn.1),
            (Lane::Rows, rows.0, rows.1),
            (Lane::Lessons, REST, limits),
            (Lane::Trainer, 0, trainer.unwrap_or_default()),
            (Lane::Advice, self.verdict_rest(), self.verdict_wanted()),
        ];
        // Sequences, batches and ranks share their data.
        let data = if self.view == View::Graphs {
            self.graphs.version()
        } else {
            self.sequences.version()
        };
        let each = each
            .into_iter()
            // 0 is the version before any data.
            .filter(|(_, _, requests)| data > 0 && !requests.is_empty());
        wants.extend(each.map(|(lane, rest, queries)| PendingQuery {
            lane,
            data,
            queries,
            rest,
        }));
        wants
    }

    /// Returns the questions about a study: for its answer, these rows of its comparison, and this search.
    fn of_study<S: PackingSettings, const K: usize>(
        &self,
        study: &Study<S, K>,
        rows: Vec<S::Row>,
        search: Option<Question<S>>,
    ) -> Vec<PendingQuery>
    where
        Query: From<Question<S>>,
    {
        let Some(data) = &study.data else {
            return Vec::new();
        };
        let (settings, rest) = (&study.settings, study.rest(&rows));
        let is_large = data.histogram.distinct() > DISTINCT;
        let slow = match settings.takes_long() && !settings.is_optimal() {
            // The lane serves the visitor's choice first.
            true => (!study.is_current()).then(|| (0, study.reports(settings, LISTED))),
            // The optimum is searched first: with few cores, slow rows would delay it.
            false => study
                .compares(&rows, true)
                .filter(|_| self.background.works() || self.whole.is_some())
                .map(|compare| {
                    (
                        if study.is_search_over() {
                            REST
                        } else {
                            LONG_REST
                        },
                        compare,
                    )
                }),
        };
        let all = [
            (Lane::Live, study.live(is_large, rest)),
            (
                Lane::Side,
                study.compares(&rows, false).map(|compare| (rest, compare)),
            ),
            (Lane::Slow, slow),
            (
                Lane::Proof,
                search.map(|search| (if is_large { LARGE_REST } else { PROOF_REST }, search)),
            ),
        ];
        let wants = all.into_iter().filter_map(|(lane, asked)| {
            asked.map(|(rest, question)| PendingQuery {
                lane,
                data: data.version,
                queries: vec![question.into()],
                rest,
            })
        });
        wants.collect()
    }

    fn lengths_searched(&self) -> Option<Question<Settings>> {
        let study = &self.sequences;
        Some(match self.search()? {
            Search::Depths => {
                let rows = study
                    .unsearched_depths()
                    .into_iter()
                    .map(|depth| (Algorithm::Optimal, depth))
                    .collect();
                let budget = Search::Depths.seconds(self.background.budget);
                Question::Compare {
                    // All of these rows are optima, so that no other setting of the algorithm is
                    // read.
                    settings: study.settings.problem(),
                    rows,
                    budget,
                }
            }
            search => self.proves(study, search),
        })
    }

    fn proves<S: PackingSettings, const K: usize>(
        &self,
        study: &Study<S, K>,
        search: Search,
    ) -> Question<S> {
        let budget = search.seconds(self.background.budget);
        Question::Prove {
            settings: study.settings.clone(),
            listed: LISTED,
            budget,
        }
    }

    /// Returns the requests for batches, with the milliseconds without a change before each: the chosen and the random
    /// sampler, with pictures, and all other samplers.
    fn batches_wanted(&self) -> [(u32, Vec<Query>); 2] {
        let mut looked_at = self.pictured_rows().to_vec();
        // Chosen and baseline may be the same row.
        looked_at.dedup();
        // The chosen one first.
        order::sort_by_key(&mut looked_at, |row| *row != self.batch_row());
        let rows = self.batch_rows();
        let request = |row, drawn| Query::Batches(Box::new(self.batch_request(row)), drawn);
        let drawn = looked_at
            .iter()
            .filter(|row| rows.contains(row) && !self.is_pictured(**row));
        let others = rows
            .iter()
            .filter(|row| !looked_at.contains(row) && !self.is_batched(**row));
        [
            (0, drawn.map(|row| request(*row, true)).collect()),
            (REST, others.map(|row| request(*row, false)).collect()),
        ]
    }

    /// Returns the data of a version.
    pub fn sizes(&self, version: u64) -> Option<Sizes> {
        let sequences = self
            .sequences
            .data
            .as_ref()
            .filter(|data| data.version == version);
        let graphs = self
            .graphs
            .data
            .as_ref()
            .filter(|data| data.version == version);
        sequences
            .map(|data| data.sizes())
            .or_else(|| graphs.map(|data| data.sizes()))
    }
}

impl<S: PackingSettings, const K: usize> Study<S, K> {
    fn reports(&self, settings: &S, listed: u32) -> Question<S> {
        Question::Report {
            settings: settings.clone(),
            listed,
        }
    }

    /// Returns the question for the answer on screen, with the milliseconds to wait before; `None` if it would be slow.
    fn live(&self, is_large: bool, rest: u32) -> Option<(u32, Question<S>)> {
        let glanced = is_large && !self.is_listed();
        let listed = if glanced { GLANCED } else { LISTED };
        let fast = Some(&self.settings).filter(|settings| !settings.takes_long());
        // A current answer leaves only the strategies to ask for, if it was a glance. A search has
        // a fast plan in its place until it finds one of its own.
        match self.settings.stand_in() {
            _ if self.is_current() => fast
                .filter(|_| glanced)
                .map(|s| (rest, self.reports(s, LISTED))),
            Some(stand_in) if !self.is_interim() => Some((0, self.reports(&stand_in, listed))),
            _ => fast.map(|settings| (0, self.reports(settings, listed))),
        }
    }

    /// Whether the answer is about the present settings, with all the strategies that a report lists.
    fn is_listed(&self) -> bool {
        let few = |report: &Report<S, S::Size>| report.strategies.len() <= GLANCED as usize;
        let brief = |report: &Report<S, S::Size>| report.unlisted_packs > 0 && few(report);
        self.is_current()
            && self
                .answer
                .as_ref()
                .is_some_and(|answer| !brief(&answer.report))
    }

    /// Returns the milliseconds without a change before these rows are computed: the time they took before, clamped.
    fn rest(&self, rows: &[S::Row]) -> u32 {
        let took: f64 = rows
            .iter()
            .filter_map(|row| Some(self.row(*row)?.seconds))
            .sum();
        // The cast saturates, and the result is clamped.
        ((took * 1e3) as u32).clamp(REST, LONGEST_REST)
    }

    /// Returns the question for the slow or the fast rows; `None` if there are none. Optima are searched separately.
    fn compares(&self, rows: &[S::Row], long: bool) -> Option<Question<S>> {
        let settings = self.settings.clone();
        let is_asked = |row: &S::Row| {
            let row = settings.with_row(*row);
            !row.is_optimal() && row.takes_long() == long
        };
        let rows: Vec<S::Row> = rows.iter().copied().filter(is_asked).collect();
        (!rows.is_empty()).then_some(Question::Compare {
            settings,
            rows,
            // Only searches have a budget, and these rows are no searches.
            budget: 0.0,
        })
    }
}
