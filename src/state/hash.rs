//! The state in the URL: `#data=…&limit=512&depth=3&algorithm=lpfhp…`. Unknown names and bad values are
//! ignored, so that an old or mangled link still opens.
//!
//! Settings of the view on screen stand under their own names, those of the other views, where they are not the
//! usual ones, behind their name: `#view=graphs&data=ogbg_molhiv&nodes=222&sequences.limit=384`. What sequences and
//! batches share belongs to both.

use super::speedup::hash as speedup;
use super::{AppState, Source, Theme, View};
use crate::api::Settings;
use crate::histogram::Preset;

/// Set when the data were the visitor's own: they do not travel in the link.
pub(super) const OWN: &str = "own";

/// A setting in the URL.
pub(super) struct Pair {
    name: &'static str,
    value: String,
    /// Whether it is what it would be without.
    usual: bool,
    /// Whether readers are told all the same, on the view that it belongs to.
    always: bool,
}

impl Pair {
    pub(super) fn new(name: &'static str, value: String, usual: bool) -> Self {
        Self { name, value, usual, always: false }
    }

    pub(super) fn always(name: &'static str, value: String, usual: bool) -> Self {
        Self { name, value, usual, always: true }
    }
}

impl AppState {
    /// Every setting, in a fixed order; those at their default are left out unless they matter to readers.
    pub fn hash(&self) -> String {
        let mut written = Vec::new();
        if self.view != View::default() {
            written.push(format!("view={}", self.view.name()));
        }
        for view in [self.view].into_iter().chain(View::ALL.into_iter().filter(|v| *v != self.view)) {
            let prefix = view.prefix();
            for Pair { name, value, usual, always } in self.pairs(view) {
                let shown = view == self.view || self.view == View::Batches && is_shared(view, name);
                if !usual || always && shown {
                    let prefix = if shown { "" } else { prefix };
                    written.push(format!("{prefix}{name}={value}"));
                }
            }
        }
        if self.view == View::Learn {
            written.extend(self.learn.pairs().map(|(name, value)| format!("{name}={value}")));
        }
        written.extend(self.learn.hiding());
        for (name, value) in self.speedup.pairs() {
            written.push(format!("{}{name}={value}", speedup::PREFIX));
        }
        if self.theme != Theme::System {
            written.push(format!("theme={}", self.theme.name()));
        }
        written.join("&")
    }

    fn pairs(&self, view: View) -> Vec<Pair> {
        match view {
            View::Sequences => self.sequence_pairs(),
            View::Graphs => self.graphs.pairs(),
            View::Batches => self.batches.pairs(),
            // Written apart: its names are the chapter's.
            View::Learn => Vec::new(),
        }
    }

    fn sequence_pairs(&self) -> Vec<Pair> {
        let s = &self.settings;
        let usual = Settings::default();
        let data = self.data_name();
        let limit = match self.data.as_ref().map(|d| &d.source) {
            Some(Source::Preset(preset)) => preset.limit(),
            _ => usual.limit,
        };
        vec![
            Pair::always("data", data.to_owned(), data == Preset::FIRST.id || data.is_empty()),
            Pair::always("limit", s.limit.to_string(), s.limit == limit),
            Pair::always("depth", s.depth.to_string(), s.depth == usual.depth),
            Pair::always("algorithm", s.algorithm.to_string(), s.algorithm == usual.algorithm),
            Pair::new("overlong", s.overlong.name().to_owned(), s.overlong == usual.overlong),
            Pair::new("align", s.align.to_string(), s.align == usual.align),
            Pair::new("seed", s.seed.to_string(), s.seed == usual.seed),
            Pair::new("batch", s.batch.to_string(), s.batch == usual.batch),
            Pair::new("overhead", s.overhead.to_string(), s.overhead == usual.overhead),
            Pair::new("counts", "log".to_owned(), !self.log_counts),
            Pair::new("padding", "linear".to_owned(), self.log_padding),
        ]
    }

    fn data_name(&self) -> &'static str {
        match self.data.as_ref().map(|d| &d.source) {
            Some(Source::Preset(preset)) => preset.id,
            Some(Source::Own { .. }) => OWN,
            None => "",
        }
    }

    /// Takes over every setting the hash names. Data are loaded by the shell: see [`data_of`].
    pub(super) fn navigate(&mut self, hash: &str) {
        self.view = view_of(hash);
        self.learn.hide("");
        if self.view == View::Learn {
            self.learn.leave();
        }
        for (name, value) in pairs(hash) {
            if let Some(name) = name.strip_prefix(speedup::PREFIX) {
                self.speedup.set(name, value);
            }
        }
        for (view, name, value) in settings(hash) {
            match (name, view) {
                ("hide", _) => self.learn.hide(value),
                ("theme", _) => self.theme = Theme::named(value).unwrap_or(self.theme),
                (_, View::Sequences) => self.set(name, value),
                (_, View::Graphs) => self.graphs.set(name, value),
                (_, View::Batches) => self.batches.set(name, value),
                (_, View::Learn) => self.learn.set(name, value),
            }
        }
    }

    fn set(&mut self, name: &str, value: &str) {
        let s = &mut self.settings;
        match name {
            "limit" => put(&mut s.limit, value, |l| *l > 0),
            "depth" => put(&mut s.depth, value, |_| true),
            "algorithm" => put(&mut s.algorithm, value, |_| true),
            "overlong" => put(&mut s.overlong, value, |_| true),
            "align" => put(&mut s.align, value, |a| *a > 0),
            "seed" => put(&mut s.seed, value, |_| true),
            "batch" => put(&mut s.batch, value, |b| *b > 0),
            "overhead" => put(&mut s.overhead, value, |_| true),
            "counts" => self.log_counts = value == "log",
            "padding" => self.log_padding = value != "linear",
            _ => {}
        }
    }
}

/// What a hash says about the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataName<'a> {
    /// A name, perhaps of a built-in set.
    Named(&'a str),
    /// The visitor's own data, which are not in the link.
    Own,
    /// Nothing.
    Absent,
}

/// The view a hash names.
pub fn view_of(hash: &str) -> View {
    let named = pairs(hash).filter(|(name, _)| *name == "view").find_map(|(_, value)| View::named(value));
    named.unwrap_or_default()
}

/// The data a hash names for a view.
pub fn data_of(hash: &str, view: View) -> DataName<'_> {
    match settings(hash).find(|(v, name, _)| *v == view && *name == "data") {
        Some((.., OWN)) => DataName::Own,
        Some((.., name)) => DataName::Named(name),
        None => DataName::Absent,
    }
}

/// Whether a hash names a limit of a view.
pub fn has(hash: &str, view: View, limit: &str) -> bool {
    let is_limit = |value: &str| value.parse::<u32>().is_ok_and(|l| l > 0);
    settings(hash).any(|(v, name, value)| v == view && name == limit && is_limit(value))
}

/// Settings with the view that they belong to.
fn settings(hash: &str) -> impl Iterator<Item = (View, &str, &str)> {
    let shown = view_of(hash);
    pairs(hash).map(move |(name, value)| {
        let other = View::ALL.into_iter().find_map(|v| Some((v, name.strip_prefix(v.prefix())?, value)));
        let own = match shown {
            View::Batches if is_shared(View::Sequences, name) => View::Sequences,
            view => view,
        };
        other.unwrap_or((own, name, value))
    })
}

/// Whether a setting belongs to batches too.
fn is_shared(view: View, name: &str) -> bool {
    view == View::Sequences && matches!(name, "data" | "limit" | "overlong" | "seed" | "batch")
}

fn pairs(hash: &str) -> impl Iterator<Item = (&str, &str)> {
    hash.trim_start_matches('#').split('&').filter_map(|pair| pair.split_once('='))
}

pub(super) fn put<T: std::str::FromStr>(slot: &mut T, value: &str, accept: impl Fn(&T) -> bool) {
    if let Some(value) = value.parse().ok().filter(accept) {
        *slot = value;
    }
}
