//! Data and settings in words: captions of pinned results and of saved drawings.

use super::{AppState, Data, View};
use packscope::api::fields::{SettingAccess, batches, graphs, ranks, sequences};
use packscope::api::{self, Settings, tuple};
use packscope::ingest::ItemWords;
use packscope::words::plural;

/// A setting and its value, as people read them.
pub type CaptionEntry = (&'static str, String);

/// A caption for the screen: data and settings in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caption {
    /// The name of the data.
    pub data: String,
    /// The number of items, with their name.
    pub items: String,
    /// The settings that differ from the defaults, and those that always matter.
    pub settings: Vec<CaptionEntry>,
}

/// Lists every setting of packing sequences.
pub fn of_sequences(s: &Settings) -> Vec<CaptionEntry> {
    every(sequences::VALUES, s)
}

/// Lists every setting of packing graphs, the two limits as one.
pub fn of_graphs(s: &tuple::Settings, words: &ItemWords) -> Vec<CaptionEntry> {
    let [first, second] = words.names();
    let [a, b] = [graphs::NODES, graphs::EDGES].map(|limit| (limit.value.words)(s));
    let limits = ("Limits", format!("{a} {first} × {b} {second}"));
    // The first two of the table are the limits.
    let others = graphs::VALUES
        .iter()
        .skip(2)
        .map(|value| (value.name, words.say(&(value.words)(s))));
    std::iter::once(limits).chain(others).collect()
}

pub(super) fn of_all_ranks(s: &api::ranks::Settings) -> Vec<CaptionEntry> {
    every(ranks::VALUES, s)
}

fn every<S>(values: &[SettingAccess<S>], s: &S) -> Vec<CaptionEntry> {
    values
        .iter()
        .map(|value| (value.name, (value.words)(s)))
        .collect()
}

/// Lists the settings of ranks that differ from the defaults, and those that always matter.
fn of_ranks(s: &api::ranks::Settings) -> Vec<CaptionEntry> {
    let pairs = ranks::VALUES
        .iter()
        .filter(|value| value.always || (value.get)(s) != value.usual());
    pairs.map(|value| (value.name, (value.words)(s))).collect()
}

/// Returns the first `always` settings, and those of the others that differ from the defaults.
fn notable(
    settings: Vec<CaptionEntry>,
    usual: &[CaptionEntry],
    always: usize,
) -> Vec<CaptionEntry> {
    let kept = |(at, setting): (usize, CaptionEntry)| {
        (at < always || !usual.contains(&setting)).then_some(setting)
    };
    settings.into_iter().enumerate().filter_map(kept).collect()
}

impl AppState {
    /// Returns the caption of the screen; `None` without data, and in lessons, which have their own.
    pub fn caption(&self) -> Option<Caption> {
        match self.view {
            View::Learn => None,
            View::Graphs => self.graph_caption(),
            View::Sequences | View::Batches | View::Ranks => {
                let data = self.sequences.data.as_ref()?;
                // The first three always matter: limit, depth and algorithm.
                let mut settings = notable(
                    of_sequences(&self.sequences.settings),
                    &of_sequences(&Settings::default()),
                    3,
                );
                if self.view == View::Batches {
                    // Batches do not pack rows, unless the sampler does.
                    settings.retain(|(name, _)| {
                        batches::VALUES.iter().any(|value| value.name == *name)
                    });
                    let sampler = batches::SAMPLER.value;
                    settings.push((sampler.name, (sampler.words)(&self.batch_settings())));
                }
                // The view of ranks has settings of its own, and neither depth nor algorithm.
                if self.view == View::Ranks {
                    settings = of_ranks(&self.ranks_settings());
                }
                Some(Caption::new(
                    data,
                    plural(data.histogram.items(), "sequence"),
                    settings,
                ))
            }
        }
    }

    fn graph_caption(&self) -> Option<Caption> {
        let (data, words) = (self.graphs.data.as_ref()?, self.graphs.words());
        // Always the limits, which are one entry here, depth and algorithm.
        let usual = of_graphs(&tuple::Settings::default(), &words);
        let settings = notable(of_graphs(&self.graphs.settings, &words), &usual, 3);
        Some(Caption::new(
            data,
            words.count(data.histogram.items()),
            settings,
        ))
    }
}

impl Caption {
    fn new<const K: usize>(data: &Data<K>, items: String, settings: Vec<CaptionEntry>) -> Self {
        Self {
            data: data.source.title().to_owned(),
            items,
            settings,
        }
    }

    /// Returns a file name for a drawing: its name, the data and the settings.
    pub fn file_name(&self, drawing: &str) -> String {
        let settings: String = self
            .settings
            .iter()
            .map(|(_, value)| format!("-{value}"))
            .collect();
        slug(&format!("packscope-{drawing}-{}{settings}", self.data))
    }

    /// Returns the caption in a line: `Wikipedia, 16,279,552 sequences · Maximum length 512 tokens · Depth 3`.
    pub fn line(&self) -> String {
        let settings = self
            .settings
            .iter()
            .map(|(name, value)| format!(" · {name} {value}"));
        format!("{}, {}", self.data, self.items) + &settings.collect::<String>()
    }
}

/// Replaces all but letters and digits by single hyphens, for a file name on any system; at most 100 characters.
pub fn slug(words: &str) -> String {
    let mut slug = String::new();
    for c in words
        .chars()
        .map(|c| c.to_ascii_lowercase())
        // Thousands are separated by commas: 16,279,552 stays one number.
        .filter(|c| *c != ',')
    {
        match c {
            'a'..='z' | '0'..='9' => slug.push(c),
            _ if slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
    }
    // All characters are of one byte, so that none is cut.
    slug.truncate(100);
    slug.trim_matches('-').to_owned()
}
