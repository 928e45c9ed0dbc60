//! The settings of packing and batching: one table for each, the source of addresses, captions, controls, the help of
//! the command line and the tables of docs/COMMANDS.md.
//!
//! A setting is a field of a settings struct and an entry here; all else reads its description from the entry.

pub mod batches;
pub mod graphs;
pub mod ranks;
pub mod sequences;
pub mod shapes;

pub use crate::accepts::Accepts;

use crate::cost::Overhead;
use crate::packing::Depth;
use crate::words::{count, percent};

/// A setting of `S` as used in addresses and captions. Separate from [`SettingField`], so that the page does not carry the
/// help texts.
#[derive(Debug)]
pub struct SettingAccess<S: 'static> {
    /// The name in addresses: never changed, as links have it.
    pub id: &'static str,
    /// The name in captions, beside results.
    pub name: &'static str,
    /// The accepted values, as texts of addresses.
    pub accepts: Accepts,
    /// Whether an address names it even at its default.
    pub always: bool,
    /// Returns the value in the form of addresses and the command line.
    pub get: fn(&S) -> String,
    /// Returns the value as captions have it.
    pub words: fn(&S) -> String,
    put: fn(&mut S, &str) -> bool,
}

/// A setting of `S` with all its names, its unit and its help.
#[derive(Debug)]
pub struct SettingField<S: 'static> {
    /// The part that addresses and captions use.
    pub value: SettingAccess<S>,
    /// The name on the command line, without dashes.
    pub option: &'static str,
    /// The label of its control on the page.
    pub label: &'static str,
    /// The unit, in the plural; may be empty.
    pub unit: &'static str,
    /// A description, in a sentence: the help of the command line.
    pub about: &'static str,
    /// Returns the reason why a text is invalid, if the type of the value gives one.
    wrong: fn(&str) -> String,
}

impl<S> SettingField<S> {
    /// Returns the largest whole number that is accepted, at most [`u32::MAX`].
    pub const fn largest_accepted(&self) -> u32 {
        match self.value.accepts {
            Accepts::Whole(_, most) if most < MOST => most as u32,
            _ => u32::MAX,
        }
    }

    /// Sets the value from its text on the command line. Changes nothing if the text is invalid.
    ///
    /// # Errors
    /// Says which values are accepted.
    pub fn parse(&self, settings: &mut S, text: &str) -> Result<(), String>
    where
        S: Default,
    {
        let text = match self.value.accepts {
            Accepts::Switch(names) => match text {
                // Addresses have the names of the setting; the command line has on and off for
                // every switch.
                "on" => names[0],
                "off" => names[1],
                _ => "",
            },
            _ => text,
        };
        if self.value.set(settings, text) {
            return Ok(());
        }
        let why = match self.value.accepts {
            // The accepted range says more than the error of parsing a number.
            Accepts::Whole(..) | Accepts::NumberOr(..) | Accepts::Switch(_) => String::new(),
            _ => (self.wrong)(text),
        };
        Err(if why.is_empty() {
            format!("expected {}", self.value.accepts.exactly())
        } else {
            why
        })
    }
}

impl<S: Default> SettingAccess<S> {
    /// Sets the value from its text in an address. Returns `false`, and changes nothing, if the text is invalid.
    pub fn set(&self, settings: &mut S, text: &str) -> bool {
        self.accepts.takes(text) && (self.put)(settings, text)
    }

    /// Returns the default value.
    pub fn usual(&self) -> String {
        (self.get)(&S::default())
    }
}

/// Sets a setting by its name in addresses. Returns `false`, and changes nothing, for invalid values and unknown names.
pub fn set<S: Default>(
    values: &[SettingAccess<S>],
    settings: &mut S,
    id: &str,
    text: &str,
) -> bool {
    values
        .iter()
        .find(|value| value.id == id)
        .is_some_and(|value| value.set(settings, text))
}

/// Returns the name of a setting and a text of its accepted values, if a value is refused; `None` for accepted values
/// and unknown settings.
pub fn refused<S: Default>(
    values: &[SettingAccess<S>],
    id: &str,
    text: &str,
) -> Option<(&'static str, String)> {
    let value = values.iter().find(|value| value.id == id)?;
    // Set on a default that is thrown away: only whether the text is valid counts.
    let taken = value.set(&mut S::default(), text);
    (!taken).then(|| (value.name, value.accepts.exactly()))
}

/// Replaces `place` by the parsed text. Returns `false`, and changes nothing, if it does not parse.
fn put<T: std::str::FromStr>(place: &mut T, text: &str) -> bool {
    text.parse().map(|value| *place = value).is_ok()
}

/// Returns the error of parsing a text as the type of a field; empty if it parses.
fn wrong<S, T: std::str::FromStr<Err: ToString>>(_: fn(&S) -> &T, text: &str) -> String {
    text.parse::<T>()
        .err()
        .map_or_else(String::new, |error| error.to_string())
}

/// Replaces `place` by the parsed text, as [`put`] does.
fn put_some<T: std::str::FromStr>(place: &mut Option<T>, text: &str) -> bool {
    text.parse().map(|value| *place = Some(value)).is_ok()
}

/// Returns an optional number as text; empty for `None`.
fn optional_text<T: ToString>(number: &Option<T>) -> String {
    number.as_ref().map_or_else(String::new, T::to_string)
}

// The type of lengths and counts is the range that is accepted.
const MOST: u64 = u32::MAX as u64;

fn depth(depth: Depth) -> String {
    match depth {
        Depth::AtMost(depth) => count(u64::from(depth)),
        Depth::Unlimited => "unlimited".to_owned(),
    }
}

fn overhead(overhead: Overhead) -> String {
    match overhead {
        Overhead::Ipu => "measured on the IPU".to_owned(),
        Overhead::Free => "none".to_owned(),
        Overhead::Own(share) => percent(share),
    }
}

/// The accepted values of [`Depth`].
const DEPTHS: Accepts = Accepts::Other("1, 2, 3, … or unlimited");

/// The accepted values of [`Overhead`].
const OVERHEADS: Accepts = Accepts::NamesOr(&["ipu", "free"], "or a share such as 0.05");

/// The entries of a table. First the names: in the address, on the command line, beside results and beside the control.
/// Then unit, accepted values, whether an address always has it, and the description. Then the field, or its getter and
/// setter. Last, the value in words if it differs from its text.
macro_rules! fields {
    ($settings:ty; $($entry:ident {
        id: $id:literal,
        option: $option:literal,
        name: $name:literal,
        label: $label:literal,
        unit: $unit:literal,
        accepts: $accepts:expr,
        always: $always:literal,
        about: $about:literal,
        place: [$($place:tt)+],
        $(words: $words:expr,)?
    })+) => {
        $(
            #[doc = $about]
            pub const $entry: SettingField<$settings> = SettingField {
                value: SettingAccess {
                    id: $id,
                    name: $name,
                    accepts: $accepts,
                    always: $always,
                    get: fields!(@get $settings, $($place)+),
                    words: fields!(@words $settings, $($words,)? [$($place)+]),
                    put: fields!(@put $settings, $($place)+),
                },
                option: $option,
                label: $label,
                unit: $unit,
                about: $about,
                wrong: fields!(@wrong $settings, $($place)+),
            };
        )+

        /// Every setting, in the order of help and tables.
        pub const ALL: &[SettingField<$settings>] = &[$($entry),+];

        /// Every setting without help texts, in the order of addresses and captions.
        pub const VALUES: &[SettingAccess<$settings>] = &[$($entry.value),+];
    };
    (@get $settings:ty, get $get:expr, put $put:expr) => { $get };
    (@get $settings:ty, $($place:ident).+) => { |s: &$settings| s.$($place).+.to_string() };
    (@put $settings:ty, get $get:expr, put $put:expr) => { $put };
    (@put $settings:ty, $($place:ident).+) => { |s: &mut $settings, text: &str| put(&mut s.$($place).+, text) };
    (@wrong $settings:ty, get $get:expr, put $put:expr) => { |_| String::new() };
    (@wrong $settings:ty, $($place:ident).+) => { |text: &str| super::wrong(|s: &$settings| &s.$($place).+, text) };
    (@words $settings:ty, [$($place:tt)+]) => { fields!(@get $settings, $($place)+) };
    (@words $settings:ty, $words:expr, [$($place:tt)+]) => { $words };
}
use fields;
