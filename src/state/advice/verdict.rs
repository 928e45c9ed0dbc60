//! The judge's verdict on the training that is set up: what it does now, the change that is worth making, and the actions
//! that make it.

use crate::query::{Answer, Query};
use crate::state::pending_queries::{LONGEST_REST, REST};
use crate::state::trainer::{Action as Trained, Choice};
use crate::state::{Action, AppState, CachedAnswer, View, batches, graphs};
use packscope::advice::{Case, Hardware, LoaderCase, Outcome, SamplerChoice, Verdict};
use packscope::histogram::{FREE, Size};
use packscope::sampler::Sampler;
use packscope::trainer::SettingValue;
use packscope::words::count;
use std::rc::Rc;

/// A button under a verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Press {
    /// Its label.
    pub label: String,
    /// The actions that one press dispatches.
    pub actions: Vec<Action>,
}

impl AppState {
    /// Returns the training that is set up; `None` on views that have none, and before there are data.
    fn case(&self) -> Option<Case> {
        let Choice { library, settings } = &self.libraries(self.view).choice;
        let library = match self.view {
            View::Sequences | View::Batches => library.clone(),
            _ => return None,
        };
        self.case_of(library, settings.clone())
    }

    /// Returns the training with a library at these settings, or without one.
    pub(in crate::state) fn case_of(
        &self,
        library: Option<String>,
        settings: Vec<SettingValue>,
    ) -> Option<Case> {
        self.sequences.data.as_ref()?;
        let of = &self.sequences.settings;
        // What no library reads is left at its default, so that one question is equal to another.
        let loader = match library {
            // Libraries that pack have settings for the rows of a batch.
            Some(_) if self.view != View::Batches => LoaderCase::default(),
            Some(_) => LoaderCase {
                rows: of.batch,
                ..LoaderCase::default()
            },
            None => LoaderCase {
                rows: of.batch,
                overlong: of.overlong,
                packing: of
                    .algorithm
                    .fills_rows()
                    .then_some((of.algorithm, of.depth)),
                shuffles: self.trains(),
            },
        };
        Some(Case {
            settings: match library {
                Some(_) => settings,
                None => Vec::new(),
            },
            library,
            limit: of.limit,
            hardware: Hardware {
                assumptions: self.assumed(),
                overhead: of.overhead,
            },
            loader,
            unit: self.sequences.unit().to_owned(),
            batch_tokens: None,
            seed: of.seed,
            supervision: self.curves_of(self.sequences.version()),
        })
    }

    fn verdict_query(&self) -> Option<Query> {
        Some(match self.view {
            View::Graphs => Query::GraphAdvice(Box::new(self.graph_case()?)),
            _ => Query::Advice(Box::new(self.case()?)),
        })
    }

    /// Returns the version of the data that a verdict on this view is about.
    pub fn judged_version(&self) -> u64 {
        match self.view {
            View::Graphs => self.graphs.version(),
            _ => self.sequences.version(),
        }
    }

    /// Returns the unit of sizes that a verdict on this view is about, plural.
    pub fn judged_unit(&self) -> String {
        match self.view {
            View::Graphs => self.graphs.words().names()[0].to_owned(),
            _ => self.sequences.unit().to_owned(),
        }
    }

    fn known_verdict(&self) -> Option<&CachedAnswer> {
        self.answers
            .get(self.judged_version(), &self.verdict_query()?)
    }

    /// Returns the question for a verdict that is not known yet.
    pub(in crate::state) fn verdict_wanted(&self) -> Vec<Query> {
        let query = self.verdict_query();
        let unknown = query.filter(|_| self.known_verdict().is_none());
        unknown.into_iter().collect()
    }

    /// Returns the milliseconds without a change before a verdict is asked for: few for the first one on these data, which
    /// the visitor waits for.
    pub(in crate::state) fn verdict_rest(&self) -> u32 {
        let version = self.judged_version();
        let mut of_data = self.answers.newest();
        let is_first = !of_data.any(|known| {
            let advice = matches!(known.query, Query::Advice(_) | Query::GraphAdvice(_));
            advice && known.ticket.data == version
        });
        if is_first { REST } else { LONGEST_REST }
    }

    /// Returns the verdict on what is set, or why there is none; `None` until it is known.
    pub fn verdict(&self) -> Option<Result<&Rc<Verdict>, &str>> {
        match &self.known_verdict()?.answered.outcome {
            Ok(Answer::Advice(verdict) | Answer::GraphAdvice(verdict)) => Some(Ok(verdict)),
            Ok(_) => None,
            Err(why) => Some(Err(why)),
        }
    }

    /// Returns the actions that set the chosen library and the limits as an outcome has them.
    pub fn applied(&self, then: &Outcome) -> Vec<Action> {
        let view = self.view;
        let act = |action| Action::Trainer(view, action);
        let other = then.change.library.clone();
        let other = other.map(|library| act(Trained::Choose(Some(library))));
        let set = |field| act(Trained::Set(field));
        // Another loader finds its own limits.
        let limit = other.is_none().then(|| self.limit_of(then)).flatten();
        limit
            .into_iter()
            .chain(other)
            .chain(then.change.settings.iter().cloned().map(set))
            .collect()
    }

    fn limit_of(&self, then: &Outcome) -> Option<Action> {
        if self.view == View::Graphs {
            let limits: Size<2> = then.limit.as_slice().try_into().ok()?;
            let other = limits != self.graphs.limits();
            return other.then_some(Action::Graphs(graphs::Action::Limits(limits)));
        }
        let limit = then.limit.first().copied()?;
        (limit != self.sequences.settings.limit).then_some(Action::Limit(limit))
    }

    /// Returns the actions that set an outcome without a library: empty where all of it is set and on screen.
    pub fn taken_by(&self, then: &Outcome) -> Vec<Action> {
        let mut actions: Vec<Action> = self.limit_of(then).into_iter().collect();
        if !actions.is_empty() && self.view != View::Graphs {
            // As many rows as now may be too many of another limit.
            let fit = then.limit.first().and_then(|limit| self.fit_at(*limit));
            let fewer = fit.filter(|fit| fit.rows < self.sequences.settings.batch);
            actions.extend(fewer.map(|fit| Action::Batch(fit.rows)));
        }
        let (of, change) = (&self.sequences.settings, &then.change);
        if let Some((algorithm, depth)) = change.packing {
            let shown = (self.view != View::Sequences).then_some(Action::View(View::Sequences));
            actions.extend(shown);
            actions.extend((of.algorithm != algorithm).then_some(Action::Algorithm(algorithm)));
            actions.extend((of.depth != depth).then_some(Action::Depth(depth)));
        }
        if let Some(choice) = change.sampler {
            let shown = (self.view != View::Batches).then_some(Action::View(View::Batches));
            actions.extend(shown);
            actions.extend(
                self.sampler_actions(choice)
                    .into_iter()
                    .map(Action::Batches),
            );
        }
        actions
    }

    /// Returns the actions that set a sampler, with what keeps the tokens of its steps.
    fn sampler_actions(&self, choice: SamplerChoice) -> Vec<batches::Action> {
        let now = self.batch_settings();
        let mut actions = Vec::new();
        if now.sampler != choice.sampler {
            actions.push(batches::Action::Sampler(choice.sampler));
        }
        if choice.sampler == Sampler::TokenBudget && now.tokens != choice.tokens {
            actions.push(batches::Action::Tokens(choice.tokens));
        }
        if choice.sampler == Sampler::Bucket && now.batch_cap != choice.batch_cap {
            actions.push(batches::Action::BatchCap(choice.batch_cap));
        }
        actions
    }

    /// Returns the buttons under a verdict without a library, the advice first; none for what is set already.
    pub fn presses(&self, verdict: &Verdict) -> Vec<Press> {
        let others = verdict.lighter.iter().chain(&verdict.keeps);
        let others = others.chain(&verdict.fixed);
        let all = verdict.then.iter().chain(others);
        let press = |then: &Outcome| {
            let actions = self.taken_by(then);
            (!actions.is_empty()).then(|| Press {
                label: self.label_of(then),
                actions,
            })
        };
        let mut presses: Vec<Press> = all.filter_map(press).collect();
        presses.dedup();
        presses
    }

    fn label_of(&self, then: &Outcome) -> String {
        let change = &then.change;
        if let [nodes, edges] = then.limit[..] {
            let slots = |slots: u32| match slots {
                FREE => "any".to_owned(),
                slots => count(u64::from(slots)),
            };
            return format!("Use {} × {}", slots(nodes), slots(edges));
        }
        let limit = self.limit_of(then).and(then.limit.first());
        let at = limit.map_or_else(String::new, |limit| {
            format!(" at {}", count(u64::from(*limit)))
        });
        let name = |sampler: Sampler| match sampler {
            Sampler::Bucket => sampler.long_name().to_owned(),
            _ => sampler.long_name().to_lowercase(),
        };
        match (self.view, change.packing, change.sampler) {
            (View::Batches, Some(_), _) => format!("Pack them{at}"),
            (View::Sequences, _, Some(choice)) => {
                format!("See {}{at}", name(choice.sampler))
            }
            (_, Some((algorithm, _)), _) => format!("Use {}{at}", algorithm.long_name()),
            (_, _, Some(choice)) => format!("Use {}{at}", name(choice.sampler)),
            _ => format!("Use {}", change.words),
        }
    }

    /// Whether the advice is what is set, or nothing is to be changed.
    pub fn is_taken(&self, verdict: &Verdict) -> bool {
        verdict
            .then
            .as_ref()
            .is_none_or(|then| self.taken_by(then).is_empty())
    }
}
