//! The state in the URL: `#data=…&limit=512&depth=3&algorithm=lpfhp…`. Unknown names and bad values are
//! ignored, so that an old or mangled link still opens.

use super::{AppState, Source, Theme};
use crate::api::Settings;

/// Set when the data were the visitor's own: they do not travel in the link.
const OWN: &str = "own";

impl AppState {
    /// Every setting, in a fixed order; those at their default are left out unless they matter to readers.
    pub fn hash(&self) -> String {
        let s = &self.settings;
        let usual = Settings::default();
        let mut pairs = vec![
            ("data", self.data_name().to_owned()),
            ("limit", s.limit.to_string()),
            ("depth", s.depth.to_string()),
            ("algorithm", s.algorithm.to_string()),
        ];
        let mut other = |name, value: String, default: bool| {
            if !default {
                pairs.push((name, value));
            }
        };
        other("overlong", s.overlong.name().to_owned(), s.overlong == usual.overlong);
        other("align", s.align.to_string(), s.align == usual.align);
        other("seed", s.seed.to_string(), s.seed == usual.seed);
        other("batch", s.batch.to_string(), s.batch == usual.batch);
        other("overhead", s.overhead.to_string(), s.overhead == usual.overhead);
        other("counts", "log".to_owned(), !self.log_counts);
        other("padding", "linear".to_owned(), self.log_padding);
        other("theme", self.theme.name().to_owned(), self.theme == Theme::System);
        let pairs: Vec<String> = pairs.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join("&")
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
        for (name, value) in pairs(hash) {
            self.set(name, value);
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
            "theme" => self.theme = Theme::named(value).unwrap_or(self.theme),
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

/// The data a hash names.
pub fn data_of(hash: &str) -> DataName<'_> {
    match pairs(hash).find(|(name, _)| *name == "data") {
        Some((_, OWN)) => DataName::Own,
        Some((_, name)) => DataName::Named(name),
        None => DataName::Absent,
    }
}

/// Whether a hash names a limit.
pub fn has_limit(hash: &str) -> bool {
    pairs(hash).any(|(name, value)| name == "limit" && value.parse::<u32>().is_ok_and(|l| l > 0))
}

fn pairs(hash: &str) -> impl Iterator<Item = (&str, &str)> {
    hash.trim_start_matches('#').split('&').filter_map(|pair| pair.split_once('='))
}

fn put<T: std::str::FromStr>(slot: &mut T, value: &str, accept: impl Fn(&T) -> bool) {
    if let Some(value) = value.parse().ok().filter(accept) {
        *slot = value;
    }
}

impl Theme {
    /// The name in the URL and on the page's root element.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    fn named(name: &str) -> Option<Self> {
        [Self::System, Self::Light, Self::Dark].into_iter().find(|t| t.name() == name)
    }
}
