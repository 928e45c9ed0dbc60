//! The settings of packing and batching: one table for each, which addresses, captions, controls, the help of the
//! command line and the tables of the README follow.
//!
//! A setting is a field of the struct of settings and an entry here; what it is for is read from it everywhere else.

pub mod batches;
pub mod graphs;
pub mod sequences;

use crate::cost::Overhead;
use crate::packing::Depth;
use crate::words::{count, percent};

/// What a setting takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Accepts {
    /// Whole numbers from the first to the last.
    Whole(u64, u64),
    /// Numbers from the first to the last.
    Number(f64, f64),
    /// One of these names.
    Names(&'static [&'static str]),
    /// One of these names, or what is said in words.
    NamesOr(&'static [&'static str], &'static str),
    /// On or off, under these names.
    Switch([&'static str; 2]),
    /// What is said in words.
    Other(&'static str),
}

/// A setting of `S` as addresses and captions have it. Apart from [`Field`], so that the page carries the help texts of
/// none.
#[derive(Debug)]
pub struct Value<S: 'static> {
    /// The name in addresses.
    pub id: &'static str,
    /// The name beside results.
    pub name: &'static str,
    /// What it takes.
    pub accepts: Accepts,
    /// Whether an address names it even where it is the usual one.
    pub always: bool,
    /// The value, as addresses and the command line have it.
    pub get: fn(&S) -> String,
    /// The value as people read it.
    pub words: fn(&S) -> String,
    put: fn(&mut S, &str) -> bool,
}

/// A setting of `S`.
#[derive(Debug)]
pub struct Field<S: 'static> {
    /// Name, range and value.
    pub value: Value<S>,
    /// The name on the command line, without dashes.
    pub option: &'static str,
    /// The name beside its control.
    pub label: &'static str,
    /// Of what it is a number, in the plural; may be empty.
    pub unit: &'static str,
    /// What it is, in a sentence.
    pub about: &'static str,
}

impl Accepts {
    /// Whether a text is in the range, or one of the names. What other texts mean is not looked at.
    fn takes(self, text: &str) -> bool {
        match self {
            Self::Whole(least, most) => text.parse().is_ok_and(|n: u64| (least..=most).contains(&n)),
            Self::Number(least, most) => text.parse().is_ok_and(|n: f64| (least..=most).contains(&n)),
            Self::Names(names) => names.contains(&text),
            Self::Switch(names) => names.contains(&text),
            Self::NamesOr(..) | Self::Other(_) => true,
        }
    }
}

impl std::fmt::Display for Accepts {
    /// What it takes, in words: `1 to 100`, or the names.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(least, most) if *most >= u64::from(u32::MAX) - 1 => {
                write!(f, "a whole number from {least}")
            }
            Self::Whole(least, most) => write!(f, "a whole number from {least} to {most}"),
            Self::Number(least, most) => write!(f, "a number from {least} to {most}"),
            Self::Names(names) => f.write_str(&names.join(", ")),
            Self::NamesOr(names, other) => write!(f, "{}, {other}", names.join(", ")),
            Self::Switch(_) => f.write_str("on or off"),
            Self::Other(words) => f.write_str(words),
        }
    }
}

impl<S> Field<S> {
    /// The largest whole number that it takes, as far as 32 bits go.
    pub const fn most(&self) -> u32 {
        match self.value.accepts {
            Accepts::Whole(_, most) if most < MOST => most as u32,
            _ => u32::MAX,
        }
    }
}

impl<S: Default> Value<S> {
    /// Takes a value as addresses have it; `false` where it is none, and then nothing has changed.
    pub fn set(&self, settings: &mut S, text: &str) -> bool {
        self.accepts.takes(text) && (self.put)(settings, text)
    }

    /// The value that goes without saying.
    pub fn usual(&self) -> String {
        (self.get)(&S::default())
    }
}

/// Takes a setting by its name in addresses; `false` for bad values and other names, which change nothing.
pub fn set<S: Default>(values: &[Value<S>], settings: &mut S, id: &str, text: &str) -> bool {
    values.iter().find(|value| value.id == id).is_some_and(|value| value.set(settings, text))
}

/// Takes over what can be read.
fn put<T: std::str::FromStr>(place: &mut T, text: &str) -> bool {
    text.parse().map(|value| *place = value).is_ok()
}

/// The same for what may be left to a rule.
fn put_some<T: std::str::FromStr>(place: &mut Option<T>, text: &str) -> bool {
    text.parse().map(|value| *place = Some(value)).is_ok()
}

/// A number that may be left to a rule: nothing where it is.
fn some<T: ToString>(number: &Option<T>) -> String {
    number.as_ref().map_or_else(String::new, T::to_string)
}

/// Where whole numbers of 32 bits end.
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

/// What [`Depth`] takes.
const DEPTHS: Accepts = Accepts::Other("1, 2, 3, … or unlimited");

/// What [`Overhead`] takes.
const OVERHEADS: Accepts = Accepts::NamesOr(&["ipu", "free"], "or a share such as 0.05");

/// Entries of a table. First the names, in the address, on the command line, beside results and beside the control; then
/// unit, range, whether an address always names it, and what it is; then where the value is, or how it is got and put; at
/// last how people read it, unless as it is written.
macro_rules! fields {
    ($settings:ty; $($entry:ident: $id:literal, $option:literal, $name:literal, $label:literal,
        $unit:literal, $accepts:expr, $always:literal, $about:literal, [$($place:tt)+] $(, $words:expr)?;)+) => {
        $(
            #[doc = $about]
            pub const $entry: Field<$settings> = Field {
                value: Value {
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
            };
        )+

        /// Every setting.
        pub const ALL: &[Field<$settings>] = &[$($entry),+];

        /// The same in the order of addresses and captions, without help texts.
        pub const VALUES: &[Value<$settings>] = &[$($entry.value),+];
    };
    (@get $settings:ty, get $get:expr, put $put:expr) => { $get };
    (@get $settings:ty, $($place:ident).+) => { |s: &$settings| s.$($place).+.to_string() };
    (@put $settings:ty, get $get:expr, put $put:expr) => { $put };
    (@put $settings:ty, $($place:ident).+) => { |s: &mut $settings, text: &str| put(&mut s.$($place).+, text) };
    (@words $settings:ty, [$($place:tt)+]) => { fields!(@get $settings, $($place)+) };
    (@words $settings:ty, $words:expr, [$($place:tt)+]) => { $words };
}
use fields;
