//! The state in the URL: `#data=…&limit=512&depth=3&algorithm=lpfhp…`. Unknown names and bad values are
//! ignored, so that an old or mangled link still opens.
//!
//! Settings of the view on screen stand under their own names, those of the other views, where they are not the
//! usual ones, behind their name: `#view=graphs&data=ogbg_molhiv&nodes=222&sequences.limit=384`. What sequences and
//! batches share belongs to both. Data of the visitor's own stand there too, where they are few: see
//! [`custom`](super::custom).
//!
//! Two settings are of the whole page, under their own names on every view, and stay when a link without them is
//! followed: `embed=1` where the page is a part of another one, and `background=0` where it does no work that nobody has
//! asked for (see [`Background`](super::Background)).

use super::custom::{ADDRESS, LINK, is_carried};
use super::graphs::hash as graphs;
use super::pin::{PREFIX, Pin};
use super::speedup::hash as speedup;
use super::{AppState, Source, Theme, View};
use crate::api::Settings;
use crate::api::fields::{self, Value, batches, sequences};
use crate::histogram::Preset;
use std::rc::Rc;

/// Set when the data were the visitor's own and are too many to travel in the link.
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

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// Its name and value.
    pub(super) fn parts(self) -> (String, String) {
        (self.name.to_owned(), self.value)
    }

    pub(super) fn always(name: &'static str, value: String, usual: bool) -> Self {
        Self { name, value, usual, always: true }
    }
}

impl AppState {
    /// Every setting, in a fixed order; those at their default are left out unless they matter to readers. As the
    /// address bar has it: with data of one's own only where these are short.
    pub fn hash(&self) -> String {
        self.address(ADDRESS, self.embed)
    }

    /// The same to be handed on: with as much data as a link can have.
    pub fn link(&self) -> String {
        self.address(LINK, false)
    }

    /// The same for a page that is to be a part of another one.
    pub fn embedding(&self) -> String {
        self.address(LINK, true)
    }

    fn address(&self, characters: usize, embed: bool) -> String {
        let mut written = Vec::new();
        if self.view != View::default() {
            written.push(format!("view={}", self.view.name()));
        }
        for view in [self.view].into_iter().chain(View::ALL.into_iter().filter(|v| *v != self.view)) {
            let prefix = view.prefix();
            for Pair { name, value, usual, always } in self.pairs(view, characters) {
                let shown = view == self.view || self.view == View::Batches && is_shared(view, name);
                if !usual || always && shown {
                    let prefix = if shown { "" } else { prefix };
                    written.push(format!("{prefix}{name}={value}"));
                }
            }
            let prefix = if view == self.view { "" } else { prefix };
            written.extend(
                self.pin_pairs(view).into_iter().map(|(name, value)| format!("{prefix}{name}={value}")),
            );
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
        written.extend((!self.background.on).then(|| "background=0".to_owned()));
        written.extend(embed.then(|| "embed=1".to_owned()));
        written.join("&")
    }

    fn pairs(&self, view: View, characters: usize) -> Vec<Pair> {
        match view {
            View::Sequences => self.sequence_pairs(characters),
            View::Graphs => self.graphs.pairs(characters),
            View::Batches => self.batches.pairs(),
            // Written apart: its names are the chapter's.
            View::Learn => Vec::new(),
        }
    }

    /// The result that is kept on a view.
    fn pin_pairs(&self, view: View) -> Vec<(String, String)> {
        let pairs = match view {
            View::Sequences => {
                self.sequences.pin.as_ref().map(|pin| pin.pairs(packing_pairs(&pin.settings, 0)))
            }
            View::Graphs => {
                self.graphs.pin.as_ref().map(|pin| pin.pairs(graphs::packing_pairs(&pin.settings, [0; 2])))
            }
            View::Batches | View::Learn => None,
        };
        pairs.unwrap_or_default()
    }

    /// The results that an address keeps, without their figures; one that is kept already stays with what is known.
    fn navigate_pins(&mut self, hash: &str) {
        let data = |view| {
            settings(hash).find(|(v, name, _)| *v == view && *name == "pin.data").map(|(.., data)| data)
        };
        let named = |view| {
            settings(hash).filter_map(move |(v, name, value)| {
                Some((name.strip_prefix(PREFIX).filter(|_| v == view)?, value))
            })
        };
        if let Some(data) = data(View::Sequences) {
            let mut pin = Pin::named(data);
            named(View::Sequences).for_each(|(name, value)| {
                fields::set(sequences::VALUES, &mut pin.settings, name, value);
            });
            let kept = self.sequences.pin.take().filter(|kept| kept.is_same(&pin));
            self.sequences.pin = Some(kept.unwrap_or_else(|| Rc::new(pin)));
        }
        if let Some(data) = data(View::Graphs) {
            let mut pin = Pin::named(data);
            named(View::Graphs).for_each(|(name, value)| {
                fields::set(fields::graphs::VALUES, &mut pin.settings, name, value);
            });
            let kept = self.graphs.pin.take().filter(|kept| kept.is_same(&pin));
            self.graphs.pin = Some(kept.unwrap_or_else(|| Rc::new(pin)));
        }
    }

    fn sequence_pairs(&self, characters: usize) -> Vec<Pair> {
        let data = self.sequences.data.as_ref().map_or_else(String::new, |d| d.named(characters));
        let limit = match self.sequences.data.as_ref().map(|d| &d.source) {
            Some(Source::Preset(preset)) => preset.limit(),
            _ => Settings::default().limit,
        };
        let is_first = data == Preset::FIRST.id || data.is_empty();
        let mut pairs = vec![Pair::always("data", data, is_first)];
        pairs.extend(packing_pairs(&self.sequences.settings, limit));
        pairs.push(Pair::new("counts", "log".to_owned(), !self.log_counts));
        pairs.push(Pair::new("padding", "linear".to_owned(), self.log_padding));
        pairs
    }

    /// Takes over every setting the hash names. Data are loaded by the shell: see [`data_of`].
    pub(super) fn navigate(&mut self, hash: &str) {
        self.view = view_of(hash);
        self.learn.hide("");
        if self.view == View::Learn {
            self.learn.leave();
        }
        self.navigate_pins(hash);
        for (name, value) in pairs(hash) {
            if let Some(name) = name.strip_prefix(speedup::PREFIX) {
                self.speedup.set(name, value);
            }
        }
        for (view, name, value) in settings(hash) {
            match (name, view) {
                ("hide", _) => self.learn.hide(value),
                // A page within another one stays that when one of its links is followed.
                ("embed", _) => self.embed = value == "1",
                // And what saves battery goes on to.
                ("background", _) => {
                    self.background.on = value == "1" || self.background.on && value != "0";
                }
                ("theme", _) => self.theme = Theme::named(value).unwrap_or(self.theme),
                (_, View::Sequences) => self.set(name, value),
                (_, View::Graphs) => self.graphs.set(name, value),
                (_, View::Batches) => self.batches.set(name, value),
                // Written on its own view alone, and read there alone.
                (_, View::Learn) if self.view == View::Learn => self.learn.set(name, value),
                (_, View::Learn) => {}
            }
        }
    }

    fn set(&mut self, name: &str, value: &str) {
        match name {
            "counts" => self.log_counts = value == "log",
            "padding" => self.log_padding = value != "linear",
            _ => {
                fields::set(sequences::VALUES, &mut self.sequences.settings, name, value);
            }
        }
    }
}

/// How sequences are packed; the limit that goes without saying is that of the data.
pub(super) fn packing_pairs(s: &Settings, limit: u32) -> Vec<Pair> {
    pairs_of(sequences::VALUES, s, &Settings { limit, ..Settings::default() })
}

/// Every setting of a table, in its order, beside what goes without saying.
pub(super) fn pairs_of<S>(values: &[Value<S>], now: &S, usual: &S) -> Vec<Pair> {
    let pair = |value: &Value<S>| {
        let text = (value.get)(now);
        let usual = text == (value.get)(usual);
        Pair { name: value.id, value: text, usual, always: value.always }
    };
    values.iter().map(pair).collect()
}

/// What a hash says about the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataName<'a> {
    /// A name, perhaps of a built-in set.
    Named(&'a str),
    /// The data themselves: see [`Custom::read`](super::custom::Custom::read).
    Carried(&'a str),
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
        Some((.., data)) if is_carried(data) => DataName::Carried(data),
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
    let in_both = || {
        sequences::VALUES.iter().any(|value| value.id == name)
            && batches::VALUES.iter().any(|value| value.id == name)
    };
    view == View::Sequences && (name == "data" || in_both())
}

fn pairs(hash: &str) -> impl Iterator<Item = (&str, &str)> {
    hash.trim_start_matches('#').split('&').filter_map(|pair| pair.split_once('='))
}

pub(super) fn put<T: std::str::FromStr>(slot: &mut T, value: &str, accept: impl Fn(&T) -> bool) {
    if let Some(value) = value.parse().ok().filter(accept) {
        *slot = value;
    }
}
