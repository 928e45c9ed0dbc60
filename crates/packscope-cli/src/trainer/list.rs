//! Every library with its settings, and the source that was read.

use packscope::trainer::batches::SamplerLibraries;
use packscope::trainer::graphs::GraphLibraries;
use packscope::trainer::{Library, LibraryFamily, PackingLibraries, Source};
use serde_json::{Value, json};

/// Returns the libraries as text: those that pack, those that make batches, and those for graphs.
pub fn text() -> String {
    [
        libraries_of::<PackingLibraries, _>(describe_library),
        libraries_of::<SamplerLibraries, _>(describe_library),
        libraries_of::<GraphLibraries, _>(describe_library),
    ]
    .concat()
    .join("\n\n")
}

pub fn json() -> Value {
    let of = [
        libraries_of::<PackingLibraries, _>(|library| value(library, "sequences")),
        libraries_of::<SamplerLibraries, _>(|library| value(library, "batches")),
        libraries_of::<GraphLibraries, _>(|library| value(library, "graphs")),
    ];
    of.concat().into()
}

fn libraries_of<K: LibraryFamily, T>(of: impl Fn(&Library<K>) -> T) -> Vec<T> {
    K::ALL.iter().map(|library| of(library)).collect()
}

fn describe_library<K: LibraryFamily>(library: &Library<K>) -> String {
    let read = &library.read;
    let mut lines = vec![
        format!("{}: {}", library.id, library.title),
        format!("  read on {} in {read}, {}", read.date, read.address()),
        format!("  {}", read.path),
    ];
    for setting in library.settings {
        // Settings begin elsewhere where the library needs one, or to compare libraries that pack.
        let start = match setting.start == setting.usual {
            true => format!("default {}", setting.usual),
            false if setting.required => {
                format!("default {}, here {}", setting.usual, setting.start)
            }
            false => format!("default {}, compared at {}", setting.usual, setting.start),
        };
        lines.push(format!(
            "  {} [{}] [{start}]: {}",
            setting.name, setting.accepts, setting.about
        ));
    }
    lines.push(format!("  {}", library.note));
    lines.join("\n")
}

fn value<K: LibraryFamily>(library: &Library<K>, of: &str) -> Value {
    let setting = |setting: &packscope::trainer::Setting| {
        json!({
            "name": setting.name,
            "accepts": setting.accepts.to_string(),
            "usual": setting.usual,
            "start": setting.start,
            "required": setting.required,
            "about": setting.about,
        })
    };
    let read = &library.read;
    let (package, commit) = match read.source {
        Source::Release(name, version) => (Some((name, version)), None),
        Source::Commit(commit) => (None, Some(commit)),
    };
    json!({
        "id": library.id,
        "of": of,
        "title": library.title,
        "repository": read.repository,
        "path": read.path,
        "commit": commit,
        "package": package.map(|(name, _)| name),
        "version": package.map(|(_, version)| version),
        "date": read.date,
        "note": library.note,
        "settings": library.settings.iter().map(setting).collect::<Vec<_>>(),
    })
}
