//! Every library with its settings, and where it was read.

use packscope::trainer::{LIBRARIES, Library};
use serde_json::{Value, json};

/// Returns the libraries as text.
pub fn text() -> String {
    LIBRARIES.iter().map(|library| one(library)).collect::<Vec<_>>().join("\n\n")
}

fn one(library: &Library) -> String {
    let read = &library.read;
    let package = read.package.map_or(String::new(), |(name, version)| format!(", {name} {version} on PyPI"));
    let mut lines = vec![
        format!("{}: {}", library.id, library.title),
        format!("  read on {} in {}@{}{package}", read.date, read.repository, read.commit),
        format!("  {}", read.path),
    ];
    for setting in library.settings {
        let start = match setting.start == setting.usual {
            true => format!("default {}", setting.usual),
            false => format!("default {}, here {}", setting.usual, setting.start),
        };
        lines.push(format!("  {} [{}] [{start}]: {}", setting.name, setting.accepts, setting.about));
    }
    lines.push(format!("  {}", library.note));
    lines.join("\n")
}

/// Returns the same as JSON.
pub fn json() -> Value {
    let setting = |setting: &packscope::trainer::Setting| {
        json!({
            "name": setting.name,
            "accepts": setting.accepts.to_string(),
            "usual": setting.usual,
            "start": setting.start,
            "about": setting.about,
        })
    };
    let library = |library: &&Library| {
        let read = &library.read;
        json!({
            "id": library.id,
            "title": library.title,
            "repository": read.repository,
            "path": read.path,
            "commit": read.commit,
            "package": read.package.map(|(name, _)| name),
            "version": read.package.map(|(_, version)| version),
            "date": read.date,
            "note": library.note,
            "settings": library.settings.iter().map(setting).collect::<Vec<_>>(),
        })
    };
    LIBRARIES.iter().map(library).collect()
}
