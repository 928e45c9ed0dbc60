//! Limits of one or several components: parsed, in words, and in JSON.

use packscope::api::Settings;
use packscope::api::fields::sequences::LIMIT;
use packscope::error::Error;
use packscope::histogram::FREE;
use packscope::packing::tuple::MAX_COMPONENTS;
use serde_json::{Value, json};

/// One limit for each component, `free` for none: `222,502`, `222,free`.
#[derive(Debug, Clone)]
pub struct Limits(pub Vec<u32>);

impl std::str::FromStr for Limits {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        let limit = |part: &str| match part.trim() {
            "free" => Some(FREE),
            number => number
                .parse()
                .ok()
                // `FREE` as a number would mean none.
                .filter(|limit| (1..FREE).contains(limit)),
        };
        let limits: Option<Vec<u32>> = s.split(',').map(limit).collect();
        limits
            // Without any limit all items would fit one pack.
            .filter(|all| all.len() <= MAX_COMPONENTS && all.iter().any(|limit| *limit != FREE))
            .map(Self)
            .ok_or_else(|| {
                "expected one to three limits such as 222,502: whole numbers from 1 to 4,294,967,294, or `free` for a component \
                 without a limit, but not for all"
                    .to_owned()
            })
    }
}

impl std::fmt::Display for Limits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&limits_in_words(&self.0))
    }
}

/// Parses the limit of lengths.
///
/// # Errors
/// An error that says which limits are accepted.
pub fn parse_limit(text: &str) -> Result<u32, String> {
    // A limit of 0 has a message of its own in the engine.
    if text.parse() == Ok(0) {
        return Err(Error::ZeroLimit.to_string());
    }
    let mut settings = Settings::default();
    LIMIT.parse(&mut settings, text).map(|()| settings.limit)
}

/// Calls a function that is generic over the number of components.
macro_rules! by_components {
    ($components:expr, $function:ident($($argument:expr),*)) => {
        match $components {
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            3 => $function::<3>($($argument),*),
            n => Err(crate::limits::too_many(n)),
        }
    };
}
pub(crate) use by_components;

/// Returns the error for more components than heuristics support.
pub fn too_many(components: usize) -> Error {
    Error::Input {
        place: format!("{components} components"),
        message: format!("expected 1 to {MAX_COMPONENTS}"),
    }
}

/// Formats limits as `222 × 502`.
pub fn limits_in_words(limits: &[u32]) -> String {
    let word = |limit: &u32| {
        if *limit == FREE {
            "free".to_owned()
        } else {
            limit.to_string()
        }
    };
    limits.iter().map(word).collect::<Vec<_>>().join(" × ")
}

/// Returns the limits in JSON; `null` for a component without a limit.
pub fn limits_to_json(limits: &[u32]) -> Value {
    limits
        .iter()
        .map(|limit| {
            if *limit == FREE {
                Value::Null
            } else {
                json!(limit)
            }
        })
        .collect()
}
