//! The state in the URL: `#data=…&limit=512&depth=3&algorithm=lpfhp…`. Unknown names and bad values are
//! ignored, so that an old or mangled link still opens.
//!
//! Settings of the view on screen appear under their own names. Settings of other views that differ from the defaults
//! have the view as a prefix: `#view=graphs&data=ogbg_molhiv&nodes=222&sequences.limit=384`. Settings shared by
//! sequences and batches belong to both. Small data of the visitor's own are included: see [`custom`](super::custom).
//!
//! Three settings belong to the whole page, have the same name on every view, and stay when a link without them is
//! followed: `embed=1` embeds the page in another one, `background=0` turns off work in the background, and `budget=1`
//! is the time limit in seconds of a search that the visitor asks for (see [`Background`](super::Background)).
//! `room=compare` opens that room of the view, and a link without it the answer.

use super::beside::is_beside;
use super::custom::{is_carried, is_stored};
use super::graphs::{FIRST as FIRST_GRAPHS, hash as graphs};
use super::pairs::{OWN, Pair, is_named, pairs_of};
use super::pin::{self, PREFIXES, Pin};
use super::speedup::{self, hash::PREFIX as SPEEDUP};
use super::trainer::{self, Choice};
use super::{AppState, Baseline, Budget, RankState, Source, Tab, Theme, View};
use packscope::api::fields::{self, batches, ranks, sequences};
use packscope::api::{Settings, tuple};
use packscope::histogram::{Preset, Spread};
use packscope::words::{is_hidden, plural};
use std::rc::Rc;

impl AppState {
    /// Returns the settings in a fixed order, for the address bar. Defaults are left out, except those that readers
    /// need. Includes the visitor's own data, or the name under which the browser stores them.
    pub fn hash(&self) -> String {
        self.address(self.embed)
    }

    pub fn link(&self) -> String {
        // Whoever follows a link sees the whole page, not the part that another page embeds.
        self.address(false)
    }

    /// Returns the settings as a link that embeds the page in another one.
    pub fn embedding(&self) -> String {
        self.address(true)
    }

    fn address(&self, embed: bool) -> String {
        let mut written = Vec::new();
        if self.view != View::default() {
            written.push(format!("view={}", self.view.name()));
        }
        // The settings on screen come first, for people who read the address.
        for view in [self.view]
            .into_iter()
            .chain(View::ALL.into_iter().filter(|v| *v != self.view))
        {
            let prefix = view.prefix();
            for Pair {
                name,
                value,
                usual,
                always,
            } in self.pairs(view)
            {
                let shown = view == self.view || is_shared(self.view, view, name);
                if !usual || always && shown {
                    let prefix = if shown { "" } else { prefix };
                    written.push(format!("{prefix}{name}={value}"));
                }
            }
            let prefix = if view == self.view { "" } else { prefix };
            written.extend(
                self.pin_pairs(view)
                    .into_iter()
                    .map(|(name, value)| format!("{prefix}{name}={value}")),
            );
        }
        for view in View::ALL {
            let prefix = if view == self.view { "" } else { view.prefix() };
            // A library is written before its settings: read in another order they would be lost,
            // since `Choice::set` ignores settings without a library.
            let pairs = self.choice(view).map_or_else(Vec::new, Choice::pairs);
            written.extend(
                pairs
                    .into_iter()
                    .map(|(name, value)| format!("{prefix}{name}={value}")),
            );
        }
        let prefix = if self.view == View::Batches {
            ""
        } else {
            View::Batches.prefix()
        };
        written.extend(
            // As text: only the part of the page that shows shapes has the code that reads them.
            self.shapes_pairs()
                .iter()
                .map(|(name, value)| format!("{prefix}{name}={value}")),
        );
        if self.view == View::Learn {
            written.extend(
                self.learn
                    .pairs()
                    .map(|(name, value)| format!("{name}={value}")),
            );
        }
        written.extend(self.learn.hiding());
        // The tool leads back to the chapter that opened it.
        if self.view != View::Learn && !self.learn.from.is_empty() {
            written.push(format!("from={}", self.learn.from));
        }
        if self.room != Tab::default() {
            written.push(format!("room={}", self.room.name()));
        }
        // The assumptions are the same on every view, so their prefix names none.
        for (name, value) in self.speedup.pairs() {
            written.push(format!("{}{name}={value}", SPEEDUP));
        }
        if self.theme != Theme::System {
            written.push(format!("theme={}", self.theme.name()));
        }
        if self.baseline != Baseline::default() {
            written.push(format!("baseline={}", self.baseline.name()));
        }
        written.extend((!self.background.on).then(|| "background=0".to_owned()));
        let budget = self.background.budget;
        written.extend((budget != Budget::default()).then(|| format!("budget={budget}")));
        written.extend(embed.then(|| "embed=1".to_owned()));
        written.join("&")
    }

    fn choice(&self, view: View) -> Option<&Choice> {
        (!matches!(view, View::Ranks | View::Learn)).then(|| &self.libraries(view).choice)
    }

    fn pairs(&self, view: View) -> Vec<Pair> {
        match view {
            View::Sequences => self.sequence_pairs(),
            View::Graphs => self.graphs.pairs(),
            View::Batches => self.batches.pairs(),
            View::Ranks => self.ranks.pairs(),
            // Written separately: its names depend on the chapter.
            View::Learn => Vec::new(),
        }
    }

    fn pin_pairs(&self, view: View) -> Vec<(String, String)> {
        fn all<S, const K: usize, F>(
            pins: &[Rc<Pin<S, K, F>>],
            packing: fn(&S) -> Vec<Pair>,
        ) -> Vec<(String, String)> {
            let placed = PREFIXES.iter().zip(pins);
            placed
                .flat_map(|(prefix, pin)| pin::pairs(&pin.named, prefix, packing(&pin.settings)))
                .collect()
        }
        match view {
            // No limit is 0, so that a pin always has its limit in the address, whatever is usual
            // for its data.
            View::Sequences => all(&self.sequences.pins, |settings| packing_pairs(settings, 0)),
            View::Graphs => all(&self.graphs.pins, |settings| {
                graphs::packing_pairs(settings, [0; 2])
            }),
            View::Ranks => all(&self.ranks.pins, super::ranks::pin_pairs),
            View::Batches | View::Learn => Vec::new(),
        }
    }

    /// Replaces the pinned results by those of an address, without figures; equal ones that are pinned already stay.
    fn navigate_pins(&mut self, hash: &str) {
        pinned(
            &mut self.sequences.pins,
            sequences::VALUES,
            hash,
            View::Sequences,
        );
        pinned(
            &mut self.graphs.pins,
            fields::graphs::VALUES,
            hash,
            View::Graphs,
        );
        pinned(
            &mut self.ranks.pins,
            fields::ranks::VALUES,
            hash,
            View::Ranks,
        );
    }

    fn sequence_pairs(&self) -> Vec<Pair> {
        let data = self
            .sequences
            .data
            .as_ref()
            .map_or_else(String::new, |d| d.named());
        let limit = match self.sequences.data.as_ref().map(|d| &d.source) {
            Some(Source::Preset(preset)) => preset.limit(),
            _ => Settings::default().limit,
        };
        let is_first = data == Preset::FIRST.id || data.is_empty();
        let mut pairs = vec![Pair::always("data", data, is_first)];
        pairs.extend(packing_pairs(&self.sequences.settings, limit));
        // A batch that follows the data is left out, one that was set is not.
        let batch = pairs
            .iter_mut()
            .find(|pair| pair.name == sequences::BATCH.value.id);
        batch
            .into_iter()
            .for_each(|pair| pair.usual = !self.speedup.by_hand.batch);
        // Switches have a single value, which is written where they are not as usual.
        pairs.push(Pair::new("counts", "log".to_owned(), !self.log_counts));
        let lengths = self.lengths.unwrap_or_default().name().to_owned();
        pairs.push(Pair::new("lengths", lengths, self.lengths.is_none()));
        pairs.push(Pair::new("padding", "linear".to_owned(), self.log_padding));
        pairs
    }

    /// Sets all settings to their defaults, except those of the whole page. Data, answers and pinned results stay.
    pub(super) fn reset(&mut self) {
        let usual = Self::default();
        self.sequences.settings = usual.sequences.settings;
        self.sequences.settings.limit = match self.sequences.data.as_ref().map(|data| &data.source)
        {
            Some(Source::Preset(preset)) => preset.limit(),
            _ => Settings::default().limit,
        };
        self.graphs.reset();
        self.batches.reset();
        self.ranks = RankState::default();
        for view in View::ALL {
            self.train(view, trainer::Action::Choose(None));
        }
        // `Reset` keeps a batch that was set by hand; here that follows the data again too.
        self.speed_up(speedup::Action::Reset);
        self.speedup.by_hand = speedup::SetByHand::default();
        (
            self.baseline,
            self.log_counts,
            self.lengths,
            self.log_padding,
        ) = (
            usual.baseline,
            usual.log_counts,
            usual.lengths,
            usual.log_padding,
        );
    }

    /// Applies every setting of the hash, and notes those that are not possible. The shell loads the data: see
    /// [`data_of`].
    pub(super) fn navigate(&mut self, hash: &str) {
        self.view = view_of(hash);
        self.room = Tab::default();
        self.ignored = ignored(hash);
        // Parts are hidden by the address that is followed, and by no earlier one.
        self.learn.hide("");
        self.learn.from.clear();
        if self.view == View::Learn {
            self.learn.leave();
        }
        self.navigate_pins(hash);
        for (name, value) in pairs(hash) {
            // These belong to no view: `settings` below would hand them to the one on screen, which
            // does not know them.
            if let Some(name) = name.strip_prefix(SPEEDUP) {
                self.speedup.set(name, value);
            }
        }
        for (view, name, value) in settings(hash) {
            match (name, view) {
                ("hide", _) => self.learn.hide(value),
                ("from", _) => self.learn.come_from(value),
                ("room", _) => self.room = Tab::named(value).unwrap_or(self.room),
                // An embedded page stays embedded when one of its links is followed.
                ("embed", _) => self.embed = value == "1",
                // Background work that was turned off stays off in the same way.
                ("background", _) => {
                    self.background.on = value == "1" || self.background.on && value != "0";
                }
                ("budget", _) => {
                    self.background.budget = value.parse().unwrap_or(self.background.budget)
                }
                ("baseline", _) => self.baseline = Baseline::named(value).unwrap_or(self.baseline),
                ("theme", _) => self.theme = Theme::named(value).unwrap_or(self.theme),
                (_, View::Sequences) => self.set(name, value),
                (_, View::Graphs | View::Batches)
                    if self.libraries_mut(view).choice.read(name, value) => {}
                (_, View::Graphs) => self.graphs.set(name, value),
                (_, View::Batches) => self.batches.set(name, value),
                (_, View::Ranks) => self.ranks.set(name, value),
                // Written and read on its own view only.
                (_, View::Learn) if self.view == View::Learn => self.learn.set(name, value),
                (_, View::Learn) => {}
            }
        }
    }

    fn set(&mut self, name: &str, value: &str) {
        match name {
            "counts" => self.log_counts = value == "log",
            "lengths" => {
                self.lengths = Spread::ALL
                    .into_iter()
                    .find(|spread| spread.name() == value)
            }
            // Logarithmic is usual: any value but the other one keeps it.
            "padding" => self.log_padding = value != "linear",
            _ if self.trainer.choice.read(name, value) => {}
            _ => self.set_value(name, value),
        }
    }
}

/// Returns the settings of packing sequences; the default limit is that of the data.
pub(super) fn packing_pairs(s: &Settings, limit: u32) -> Vec<Pair> {
    pairs_of(
        sequences::VALUES,
        s,
        &Settings {
            limit,
            ..Settings::default()
        },
    )
}

/// The data that a hash names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataName<'a> {
    /// A name, perhaps of a built-in set.
    Named(&'a str),
    /// The data themselves: see [`Custom::read`](super::custom::Custom::read).
    Carried(&'a str),
    /// The name under which the browser has stored the visitor's own data.
    Stored(&'a str),
    /// The address of a file beside the page: see [`beside`](super::beside).
    Beside(&'a str),
    /// The visitor's own data, which are not in the link.
    Own,
    Absent,
}

impl AppState {
    /// Returns a key for the history, which gets an entry when it changes: the view, its data, its algorithm, and
    /// limits taken from elsewhere. Moving a slider does not change it.
    pub fn landmark(&self) -> String {
        let lengths = || {
            self.sequences
                .data
                .as_ref()
                .map(|d| d.named())
                .unwrap_or_default()
        };
        let trainer = self
            .choice(self.view)
            .and_then(|choice| choice.library.as_deref())
            .unwrap_or_default();
        let parts = match self.view {
            View::Sequences => {
                format!("{} {}", lengths(), self.sequences.settings.algorithm.name())
            }
            View::Batches => lengths() + " " + self.batch_settings().sampler.name(),
            View::Ranks => lengths(),
            View::Graphs => {
                let tuple::Settings {
                    algorithm,
                    heuristic,
                    ..
                } = &self.graphs.settings;
                // Until data are loaded, those that the view opens on are on their way.
                let data = self
                    .graphs
                    .data
                    .as_ref()
                    .map_or_else(|| FIRST_GRAPHS.id.to_owned(), |d| d.named());
                format!("{data} {algorithm} {heuristic} {}", self.graphs.adopted)
            }
            // Links of chapters write the history themselves.
            View::Learn => String::new(),
        };
        format!(
            "{} {} {parts} {trainer}",
            self.view.name(),
            self.room.name()
        )
    }
}

/// Returns the settings of each pinned result of a view in an address, with its data.
fn pins_in(hash: &str, view: View) -> Vec<(&str, Vec<(&str, &str)>)> {
    let one = |prefix: &&str| {
        let of_prefix = settings(hash).filter_map(|(v, name, value)| {
            Some((name.strip_prefix(*prefix).filter(|_| v == view)?, value))
        });
        // All settings of one pin; those of other pins have another prefix.
        let named: Vec<(&str, &str)> = of_prefix.collect();
        // Own data that no address holds cannot be found again.
        let data = named
            .iter()
            .find(|(name, data)| *name == "data" && *data != OWN)?
            .1;
        Some((data, named))
    };
    PREFIXES.iter().filter_map(one).collect()
}

/// Replaces the pinned results of a view by those of an address, if it has any.
fn pinned<S: Default + PartialEq, const K: usize, F>(
    pins: &mut Vec<Rc<Pin<S, K, F>>>,
    values: &[fields::SettingAccess<S>],
    hash: &str,
    view: View,
) {
    let one = |(data, named)| {
        let mut pin = Pin::named(data);
        for (name, value) in named {
            fields::set(values, &mut pin.settings, name, value);
        }
        // Its data and figures need not be loaded again.
        let kept = pins.iter().find(|kept| kept.is_same(&pin)).cloned();
        kept.unwrap_or_else(|| Rc::new(pin))
    };
    let new: Vec<_> = pins_in(hash, view).into_iter().map(one).collect();
    // A link without pins takes none away: they are there to be compared with what it opens.
    if !new.is_empty() {
        *pins = new;
    }
}

/// Maximum settings that a message names; it only counts the others.
const NAMED: usize = 4;

/// Returns sentences about the settings of a hash whose values are not possible.
fn ignored(hash: &str) -> Option<String> {
    let view = pairs(hash).find(|(name, value)| *name == "view" && View::named(value).is_none());
    let view = view.map(|(_, value)| ("view", value, "View", View::ALL.map(View::name).join(", ")));
    let refusals = settings(hash)
        .filter_map(|(view, id, value)| Some((view, id, value, refused(view, id, value)?)));
    let refusals: Vec<_> = refusals.collect();
    // Of several values of a setting, the last possible one stands.
    let mut replaced: Vec<(View, &str, bool)> = Vec::new();
    for (view, id, ..) in &refusals {
        if !replaced
            .iter()
            .any(|(of, name, _)| (of, name) == (view, id))
        {
            replaced.push((*view, id, false));
        }
    }
    for (view, id, value) in settings(hash) {
        if let Some(one) = replaced
            .iter_mut()
            .find(|(of, name, _)| (*of, *name) == (view, id))
        {
            one.2 |= refused(view, id, value).is_none();
        }
    }
    let is_replaced = |view: View, id: &str| {
        replaced
            .iter()
            .any(|(of, name, is)| *is && (*of, *name) == (view, id))
    };
    let others = refusals
        .iter()
        .filter(|(view, id, ..)| is_replaced(*view, id))
        .count();
    let refusals = refusals
        .into_iter()
        .map(|(_, id, value, (name, expected))| (id, value, name, expected));
    no_values(
        &view.into_iter().chain(refusals).collect::<Vec<_>>(),
        others,
    )
}

/// Returns the name of a setting and its accepted values, if a value is none of them; `None` for unknown settings.
fn refused(view: View, id: &str, value: &str) -> Option<(&'static str, String)> {
    fn of<const N: usize>(
        label: &'static str,
        names: [&'static str; N],
        value: &str,
    ) -> Option<(&'static str, String)> {
        (!names.contains(&value)).then(|| (label, names.join(", ")))
    }
    match (id, view) {
        ("room", _) => {
            let [answer, compare, cost] = Tab::EACH.map(Tab::name);
            of("Room", [answer, compare, cost, Tab::All.name()], value)
        }
        ("budget", _) => of("Search time", Budget::NAMES, value),
        ("baseline", _) => of("Compared with", Baseline::ALL.map(Baseline::name), value),
        ("theme", _) => of("Theme", Theme::ALL.map(Theme::name), value),
        ("background" | "embed", _) => of("Switch", ["0", "1"], value),
        (_, View::Sequences) => fields::refused(sequences::VALUES, id, value),
        (_, View::Graphs) => fields::refused(fields::graphs::VALUES, id, value),
        (_, View::Batches) => fields::refused(batches::VALUES, id, value),
        (_, View::Ranks) => fields::refused(ranks::VALUES, id, value),
        (_, View::Learn) => None,
    }
    .or_else(|| speedup::hash::refused(id.strip_prefix(SPEEDUP)?, value))
}

/// Returns sentences about settings of an address with their names, their texts and what is expected instead; for
/// `others` of them the address has another value, which is possible.
pub(super) fn no_values(all: &[(&str, &str, &str, String)], others: usize) -> Option<String> {
    let said = all.iter().take(NAMED).map(|(id, value, name, expected)| {
        // Anybody may have written the address: marks of direction could turn the sentence around,
        // and a long value could fill the window.
        let value: String = value.chars().filter(|c| !is_hidden(*c)).take(40).collect();
        format!("{id}={value}, which is no value for “{name}”: expected {expected}")
    });
    let said = said.collect::<Vec<_>>().join("; ");
    let more = match all.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("; and {} like these", plural(more as u64, "setting")),
    };
    let stands = match (all.len(), others) {
        (1, 0) => "The usual value stands",
        (_, 0) => "The usual values stand",
        (all, others) if all == others => "The other value in the address stands",
        _ => "The usual values stand where the address has no other",
    };
    (!all.is_empty()).then(|| format!("The address has {said}{more}. {stands}."))
}

pub fn view_of(hash: &str) -> View {
    let named = pairs(hash)
        .filter(|(name, _)| *name == "view")
        .find_map(|(_, value)| View::named(value));
    named.unwrap_or_default()
}

pub fn data_of(hash: &str, view: View) -> DataName<'_> {
    match settings(hash).find(|(v, name, _)| *v == view && *name == "data") {
        Some((.., OWN)) => DataName::Own,
        Some((.., data)) if is_carried(data) => DataName::Carried(data),
        Some((.., key)) if is_stored(key) => DataName::Stored(key),
        Some((.., file)) if is_beside(file) => DataName::Beside(file),
        Some((.., name)) => DataName::Named(name),
        None => DataName::Absent,
    }
}

/// Whether a hash sets a limit of a view.
pub fn has(hash: &str, view: View, limit: &str) -> bool {
    let is_limit = |value: &str| value.parse::<u32>().is_ok_and(|l| l > 0);
    settings(hash).any(|(v, name, value)| v == view && name == limit && is_limit(value))
}

/// Returns the settings with the view that each belongs to.
fn settings(hash: &str) -> impl Iterator<Item = (View, &str, &str)> {
    let shown = view_of(hash);
    pairs(hash).map(move |(name, value)| {
        let other = View::ALL
            .into_iter()
            .find_map(|v| Some((v, name.strip_prefix(v.prefix())?, value)));
        // Without a prefix: of the view on screen, or of the sequences whose data it shows.
        let own = if is_shared(shown, View::Sequences, name) {
            View::Sequences
        } else {
            shown
        };
        other.unwrap_or((own, name, value))
    })
}

/// Whether a setting of a view is shared with the view on screen, which shows the same data.
fn is_shared(shown: View, view: View, name: &str) -> bool {
    let own = match shown {
        View::Batches => is_named(batches::VALUES, name),
        View::Ranks => is_named(ranks::VALUES, name),
        View::Sequences | View::Graphs | View::Learn => return false,
    };
    // Batches and ranks have no data of their own.
    view == View::Sequences && (name == "data" || own && is_named(sequences::VALUES, name))
}

fn pairs(hash: &str) -> impl Iterator<Item = (&str, &str)> {
    // Nothing is unescaped: values have only characters that need no escape, or are coded by
    // whoever writes them, as in `trainer::choice`.
    hash.trim_start_matches('#')
        .split('&')
        .filter_map(|pair| pair.split_once('='))
}
