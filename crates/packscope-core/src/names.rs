//! One table of names for an enum, next to its definition, read by the page, addresses, the command line and docs.

/// Names the variants of an enum, one line each, in the order shown to people. A line has the name in addresses, on the
/// command line and in JSON, and the displayed title; mostly a sentence too; for algorithms and samplers also a short
/// name after the first one, and at the end the publication.
///
/// Sentences about graphs and pairs alike have placeholders `{item}`, `{first}`, `{nodes}` …, which
/// the caller replaces.
#[macro_export]
#[doc(hidden)]
macro_rules! __names {
    // The forms with more columns call those with fewer, so each method stands in one arm.
    ($enum:ty, $kind:literal; $($variant:ident: $name:literal, $short:literal, $title:literal, $about:literal, $source:literal;)+) => {
        $crate::names::names! { $enum, $kind; $($variant: $name, $title, $about;)+ }

        impl $enum {
            /// Returns a short name, for use within a sentence or where there is little room.
            pub const fn short_name(self) -> &'static str {
                match self { $(Self::$variant => $short),+ }
            }

            /// Returns where it is published.
            pub const fn source(self) -> &'static str {
                match self { $(Self::$variant => $source),+ }
            }
        }
    };
    ($enum:ty, $kind:literal; $($variant:ident: $name:literal, $title:literal, $about:literal;)+) => {
        $crate::names::names! { $enum, $kind; $($variant: $name, $title;)+ }

        impl $enum {
            /// Returns a description, in a line.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$variant => $about),+ }
            }
        }
    };
    ($enum:ty, $kind:literal; $($variant:ident: $name:literal, $title:literal;)+) => {
        impl $enum {
            /// Every variant, in the order shown to people.
            // `macro_rules` cannot count repetitions, but an array of literals has a length.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The names of all variants, in the same order.
            pub const NAMES: [&'static str; Self::ALL.len()] = [$($name),+];

            /// Returns the name in addresses, on the command line and in JSON.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// Returns the displayed name.
            pub const fn long_name(self) -> &'static str {
                match self { $(Self::$variant => $title),+ }
            }
        }

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $enum {
            type Err = $crate::error::Error;
            fn from_str(text: &str) -> $crate::error::Result<Self> {
                $crate::error::named($kind, text, &Self::ALL, Self::name)
            }
        }
    };
}
#[doc(inline)]
pub use __names as names;

/// Serialises a type as text, by `Display` and `FromStr`; the type must have
/// `#[serde(into = "String", try_from = "String")]`.
#[macro_export]
#[doc(hidden)]
macro_rules! __as_text {
    ($type:ty) => {
        impl From<$type> for String {
            fn from(value: $type) -> Self {
                value.to_string()
            }
        }

        impl TryFrom<String> for $type {
            type Error = $crate::error::Error;
            fn try_from(text: String) -> $crate::error::Result<Self> {
                text.parse()
            }
        }
    };
}
#[doc(inline)]
pub use __as_text as as_text;
