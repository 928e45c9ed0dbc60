//! Paths to the texts of a JSON value, in the order of the input.

use super::options::TextField;
use crate::ingest::parts::shorten;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Returns the paths to strings in a JSON text, each once, with its first string; the path of a bare string is empty.
pub(super) fn texts(json: &[u8]) -> Vec<TextField> {
    let mut found = Vec::new();
    let walk = Walk {
        path: String::new(),
        found: &mut found,
    };
    // Damage is reported when the records are counted, so it is ignored here.
    let _ = walk.deserialize(&mut serde_json::Deserializer::from_slice(json));
    found
}

struct Walk<'f> {
    path: String,
    found: &'f mut Vec<TextField>,
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        // Elements of a list share one path: the first text stands for all.
        if !self.found.iter().any(|field| field.name == self.path) {
            self.found.push(TextField {
                name: self.path,
                example: shorten(text.as_bytes()),
            });
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            let path = if self.path.is_empty() {
                key
            } else {
                format!("{}.{key}", self.path)
            };
            map.next_value_seed(Walk {
                path,
                found: self.found,
            })?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let path = format!("{}[]", self.path);
        while seq
            .next_element_seed(Walk {
                path: path.clone(),
                found: self.found,
            })?
            .is_some()
        {}
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }
}
