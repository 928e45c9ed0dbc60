//! Checks which training libraries of `packscope trainer` have changed since they were read: compares versions and
//! defaults with the packages installed for the tests in `tests/python`.

use crate::peers;
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;
use xshell::{Shell, cmd};

/// A library as printed by `packscope trainer --list --format json`.
#[derive(Deserialize)]
struct Library {
    id: String,
    repository: String,
    path: String,
    commit: Option<String>,
    package: Option<String>,
    version: Option<String>,
    date: String,
    settings: Vec<Setting>,
}

#[derive(Deserialize)]
struct Setting {
    name: String,
    usual: String,
}

/// Defaults declared by releases, by library and setting: `tests/python/libraries/defaults.py` reads them.
type Declared = BTreeMap<String, BTreeMap<String, String>>;

/// Prints versions of the packages named in its arguments as JSON, without those that are not installed.
const VERSIONS: &str = "\
import json, sys
from importlib.metadata import PackageNotFoundError, version
found = {}
for name in sys.argv[1:]:
    try:
        found[name] = version(name)
    except PackageNotFoundError:
        pass
print(json.dumps(found))
";

/// Prints a line for each library: as read, another version, or not comparable. Fails if an installed release declares
/// another default than Packscope does.
pub fn compare(sh: &Shell) -> Result<()> {
    let listed = cmd!(
        sh,
        "cargo run --quiet --package packscope-cli -- trainer --list --format json"
    );
    let libraries: Vec<Library> = serde_json::from_str(&listed.read()?)
        .context("the list of libraries is not what is read here")?;
    let python = peers::with_peers(sh)?;
    let names: Vec<&String> = libraries
        .iter()
        .filter_map(|library| library.package.as_ref())
        .collect();
    let found = cmd!(sh, "{python} -c {VERSIONS} {names...}")
        .quiet()
        .read()?;
    let found: BTreeMap<String, String> = serde_json::from_str(&found)?;
    let again: Vec<&Library> = libraries
        .iter()
        .filter(|library| state(library, &found) == State::Other)
        .collect();
    for library in &libraries {
        println!("{}", line(library, &found));
    }
    println!("\n{} to look at again", again.len());
    for library in again {
        println!("  {}: {}, {}", library.id, library.repository, library.path);
    }
    let declared = cmd!(sh, "{python} tests/python/libraries/defaults.py")
        .quiet()
        .read()?;
    let declared: Declared = serde_json::from_str(&declared)?;
    // Another version only asks to look again; another default is an error in what Packscope says.
    let other = other_defaults(&libraries, &declared);
    ensure!(
        other.is_empty(),
        "defaults are others in the releases that are installed:\n{}",
        other.join("\n")
    );
    println!(
        "{} defaults are those of the releases",
        declared.values().map(BTreeMap::len).sum::<usize>()
    );
    Ok(())
}

/// Returns a line for each default that differs in the release, or that no library here has.
fn other_defaults(libraries: &[Library], declared: &Declared) -> Vec<String> {
    let said = |id: &str, name: &str| {
        let library = libraries.iter().find(|library| library.id == id)?;
        library
            .settings
            .iter()
            .find(|setting| setting.name == name)
            .map(|setting| setting.usual.as_str())
    };
    let all = declared
        .iter()
        .flat_map(|(id, settings)| settings.iter().map(move |(name, value)| (id, name, value)));
    let other = all.filter(|(id, name, value)| said(id, name) != Some(value.as_str()));
    other
        .map(|(id, name, value)| {
            format!(
                "  {id}: {name} is {value}, and not {}",
                said(id, name).unwrap_or("a setting here")
            )
        })
        .collect()
}

/// The installed version of a library, compared with the version that was read.
#[derive(Debug, PartialEq, Eq)]
enum State {
    Same,
    Other,
    /// It is not installed, or was not read from a package.
    Unknown,
}

fn state(library: &Library, found: &BTreeMap<String, String>) -> State {
    let installed = library
        .package
        .as_ref()
        .and_then(|package| found.get(package));
    match (installed, &library.version) {
        (Some(installed), Some(version)) if installed == version => State::Same,
        (Some(_), Some(_)) => State::Other,
        _ => State::Unknown,
    }
}

fn line(library: &Library, found: &BTreeMap<String, String>) -> String {
    let Library {
        id,
        commit,
        package,
        version,
        date,
        ..
    } = library;
    let read = format!("{id}: read on {date}");
    let (Some(package), Some(version)) = (package, version) else {
        let commit = commit.as_deref().unwrap_or_default();
        return format!(
            "{read} at {commit}; it has no package that was read: look at its repository"
        );
    };
    match (state(library, found), found.get(package)) {
        (State::Other, Some(installed)) => {
            format!("{read} in {package} {version}; {installed} is installed: LOOK AT IT AGAIN")
        }
        (State::Same, _) => format!("{read} in {package} {version}, which is installed"),
        _ => format!("{read} in {package} {version}; it is not installed here"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library(package: Option<&str>, version: Option<&str>) -> Library {
        let text = |text: &str| text.to_owned();
        Library {
            id: text("lib"),
            repository: text("a/b"),
            path: text("c.py"),
            commit: Some(text("abc")),
            package: package.map(text),
            version: version.map(text),
            date: text("2026-11-22"),
            settings: vec![Setting {
                name: text("packing"),
                usual: text("false"),
            }],
        }
    }

    #[test]
    fn another_default_is_named() {
        let libraries = [library(Some("p"), Some("1.1"))];
        let other = |name: &str, value: &str| {
            let settings = BTreeMap::from([(name.to_owned(), value.to_owned())]);
            other_defaults(&libraries, &BTreeMap::from([("lib".to_owned(), settings)]))
        };
        assert!(other("packing", "false").is_empty());
        assert_eq!(
            other("packing", "true"),
            ["  lib: packing is true, and not false"]
        );
        assert_eq!(
            other("strategy", "bfd"),
            ["  lib: strategy is bfd, and not a setting here"]
        );
    }

    #[test]
    fn another_version_is_looked_at_again() {
        let found = BTreeMap::from([("p".to_owned(), "1.1".to_owned())]);
        for (package, version, wanted, words) in [
            (
                Some("p"),
                Some("1.1"),
                State::Same,
                "lib: read on 2026-11-22 in p 1.1, which is installed",
            ),
            (
                Some("p"),
                Some("1.0"),
                State::Other,
                "1.1 is installed: LOOK AT IT AGAIN",
            ),
            (
                Some("q"),
                Some("1.0"),
                State::Unknown,
                "it is not installed here",
            ),
            (
                None,
                None,
                State::Unknown,
                "at abc; it has no package that was read",
            ),
        ] {
            let library = library(package, version);
            assert_eq!(state(&library, &found), wanted);
            let line = line(&library, &found);
            assert!(line.contains(words), "{line}");
        }
    }
}
