//! The subject of the panel: the answer on screen, its plan, and the words for both.

use packscope::export::snippet::{DataLocation, SnippetContext, SnippetSetting};
use packscope::export::{Document, file_name};
use packscope::packing::Depth;
use packscope_page::state::{AppState, Source, View};

/// The plan of a view, converted to text on demand.
#[derive(Clone)]
pub enum Plan {
    Sequences(Document<1>),
    Graphs(Document<2>),
}

impl Plan {
    pub fn json(&self) -> String {
        self.text(|plan, out| plan.json(out), |plan, out| plan.json(out))
    }

    pub fn csv(&self) -> String {
        self.text(|plan, out| plan.csv(out), |plan, out| plan.csv(out))
    }

    // A document has a type for each number of components, so both kinds need a function of their
    // own.
    fn text(
        &self,
        one: impl Fn(&Document<1>, &mut dyn FnMut(&str)),
        two: impl Fn(&Document<2>, &mut dyn FnMut(&str)),
    ) -> String {
        let mut text = String::new();
        let mut out = |piece: &str| text += piece;
        match self {
            Self::Sequences(plan) => one(plan, &mut out),
            Self::Graphs(plan) => two(plan, &mut out),
        }
        text
    }
}

pub struct ExportSubject {
    pub data: String,
    pub items: u64,
    /// The settings as words of a file name.
    pub settings: Vec<String>,
    /// The plan, or the reason why there is none; `None` of batches and ranks, which have none.
    pub plan: Option<Result<Plan, String>>,
}

impl ExportSubject {
    /// Returns the subject of the view; `None` before the first answer, and in Learn.
    pub fn new(state: &AppState) -> Option<Self> {
        let data = data(state)?;
        let (settings, plan) = match state.view {
            View::Sequences => {
                let report = &state.sequences.answer.as_ref()?.report;
                let s = &report.settings;
                let settings = vec![s.limit.to_string(), depth(s.depth), s.algorithm.to_string()];
                (
                    settings,
                    Some(Document::of_sequences(report, &data).map(Plan::Sequences)),
                )
            }
            View::Graphs => {
                let report = &state.graphs.answer.as_ref()?.report;
                let s = &report.settings;
                let limits = s.limits.iter().map(u32::to_string);
                let names = state.graphs.words().names().map(str::to_owned);
                let plan = Document::of_graphs(report, &names, &data).map(Plan::Graphs);
                (
                    limits
                        .chain([depth(s.depth), s.algorithm.to_string()])
                        .collect(),
                    Some(plan),
                )
            }
            View::Batches => {
                state.batched(state.batch_row())?;
                let s = state.batch_settings();
                let settings = vec![s.limit.to_string(), s.sampler.name().to_owned()];
                (settings, None)
            }
            View::Ranks => {
                let s = state.ranked()?.settings;
                let settings = [
                    s.limit.to_string(),
                    s.ranks.to_string(),
                    s.dealing.to_string(),
                ];
                (settings.into(), None)
            }
            View::Learn => return None,
        };
        let items = match state.view {
            View::Graphs => state.graphs.data.as_ref()?.histogram.items(),
            _ => state.sequences.data.as_ref()?.histogram.items(),
        };
        Some(Self {
            data,
            items,
            settings,
            plan: plan.map(|plan| plan.map_err(|error| error.to_string())),
        })
    }

    /// Returns the name of a file about this subject.
    pub fn file(&self, what: &str) -> String {
        let words: Vec<&str> = self.settings.iter().map(String::as_str).collect();
        file_name(&self.data, &words, what)
    }
}

fn depth(depth: Depth) -> String {
    format!("depth {depth}")
}

/// Returns the name of the data of a view.
fn data(state: &AppState) -> Option<String> {
    let source = match state.view {
        View::Graphs => &state.graphs.data.as_ref()?.source,
        _ => &state.sequences.data.as_ref()?.source,
    };
    Some(match source {
        Source::Preset(preset) => preset.title.to_owned(),
        Source::Own { name, .. } | Source::Kept { name, .. } => name.clone(),
    })
}

/// Calls `each` with the context for which code is generated; `None` before the first answer.
pub fn with_context<T>(state: &AppState, each: impl FnOnce(&SnippetContext) -> T) -> Option<T> {
    let subject = ExportSubject::new(state)?;
    let (plan, lives) = (subject.file("plan.json"), DataLocation::default());
    let batches = state.batch_settings();
    let setting = match state.view {
        View::Sequences => {
            let report = &state.sequences.answer.as_ref()?.report;
            SnippetSetting::Sequences {
                settings: &report.settings,
                figures: &report.figures,
            }
        }
        View::Graphs => {
            let report = &state.graphs.answer.as_ref()?.report;
            SnippetSetting::Graphs {
                settings: &report.settings,
                figures: &report.figures,
            }
        }
        View::Ranks => SnippetSetting::Ranks {
            settings: state.ranked()?.settings,
        },
        // Lessons have no subject, and have returned above.
        _ => SnippetSetting::Batches { settings: &batches },
    };
    let context = SnippetContext {
        data: &subject.data,
        plan: &plan,
        setting,
        batch: state.sequences.settings.batch,
        assumptions: state.speedup.assumptions(),
        lives: &lives,
    };
    Some(each(&context))
}
