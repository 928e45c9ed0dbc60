//! A library with its settings, as chosen and as written in an address.

use packscope::trainer::SettingValue;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Choice {
    /// The library, by its name; `None` for none.
    pub library: Option<String>,
    /// The settings whose values differ from the initial ones.
    pub settings: Vec<SettingValue>,
}

impl Choice {
    /// Returns the library and its settings as names and values for an address.
    pub(in crate::state) fn pairs(&self) -> Vec<(String, String)> {
        let Some(library) = &self.library else {
            return Vec::new();
        };
        let fields = self.settings.iter();
        let settings = fields.map(|field| (format!("{PREFIX}{}", field.name), coded(&field.value)));
        [(NAME.to_owned(), coded(library))]
            .into_iter()
            .chain(settings)
            .collect()
    }

    /// Reads a setting of an address. Returns whether it is one.
    pub(in crate::state) fn read(&mut self, name: &str, value: &str) -> bool {
        if name == NAME {
            self.choose(Some(decoded(value)).filter(|name| !name.is_empty()));
        } else if let Some(name) = name.strip_prefix(PREFIX) {
            self.set(SettingValue {
                name: name.to_owned(),
                value: decoded(value),
            });
        } else {
            return false;
        }
        true
    }

    pub(super) fn choose(&mut self, library: Option<String>) {
        (self.library, self.settings) = (library, Vec::new());
    }

    /// Sets a setting of the chosen library; ignored without a library.
    pub(super) fn set(&mut self, field: SettingValue) {
        if self.library.is_none() {
            return;
        }
        match self
            .settings
            .iter_mut()
            .find(|other| other.name == field.name)
        {
            Some(other) => *other = field,
            None => self.settings.push(field),
        }
    }
}

const NAME: &str = "trainer";
const PREFIX: &str = "trainer.";

/// Encodes a value for an address: all but letters, digits, dots, minus and underscores as `~` and two digits.
fn coded(value: &str) -> String {
    let code = |byte: u8| match byte {
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'.' | b'_' | b'-' => {
            char::from(byte).to_string()
        }
        // `~` is unreserved in addresses (RFC 3986), so that nothing on the way codes or decodes
        // it, as `%` would be.
        byte => format!("~{byte:02x}"),
    };
    value.bytes().map(code).collect()
}

/// Decodes a value of an address; characters that are not part of a code stand for themselves.
fn decoded(value: &str) -> String {
    let mut parts = value.split('~');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        // Two characters that are no number in hexadecimal, or not whole, stand for themselves.
        match part
            .get(..2)
            .and_then(|code| u8::from_str_radix(code, 16).ok())
        {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend(part[2..].bytes());
            }
            None => bytes.extend(part.bytes()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
