//! The files of the page: the folder for a host, the names in it, and what each part that is loaded on demand consists of.

use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs;
use std::hash::Hasher;
use std::path::{Path, PathBuf};

/// The folder of the page for a host.
pub const DIST: &str = "dist";
/// The file that lists the files of each part that is loaded on demand.
pub const PARTS: &str = "target/parts.json";
/// Part → its files, without extension.
pub type Parts = BTreeMap<String, Vec<String>>;
/// Prefix of the names of pieces that belong to one part.
pub const OWN: &str = "split_";

pub fn file_of(part: &str) -> String {
    format!("{OWN}{part}.bin")
}

/// Returns a name without the hash of its contents: `app-0123456789abcdef/app.js` is `app/app.js`.
pub fn plain(name: &str) -> String {
    let part = |part: &str| {
        let (stem, dot) = part
            .split_once('.')
            .map_or((part, ""), |(stem, _)| (stem, &part[stem.len()..]));
        match stem.rsplit_once('-') {
            Some((name, hash))
                // Ours have 16 digits; those of Trunk may have fewer.
                if (12..=16).contains(&hash.len())
                    && hash.bytes().all(|b| b.is_ascii_hexdigit()) =>
            {
                format!("{name}{dot}")
            }
            _ => part.to_owned(),
        }
    };
    name.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// Returns the files of a part among those that are there; its small pieces are in one file.
pub fn part_files(part: &str, parts: &Parts, is_there: impl Fn(&String) -> bool) -> Vec<String> {
    let (program, name) = part.split_once('/').unwrap_or_default();
    let file = |stem: &String| {
        let own = format!("{program}/{stem}.wasm");
        if is_there(&own) {
            own
        } else {
            format!("{program}/{}", file_of(name))
        }
    };
    parts.get(part).into_iter().flatten().map(file).collect()
}

pub fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

pub fn copy(from: &Path, to: &Path) -> Result<()> {
    let mut files = Vec::new();
    collect(from, &mut files)?;
    for file in files {
        let to = to.join(file.strip_prefix(from)?);
        fs::create_dir_all(to.parent().context("a file without a folder")?)?;
        fs::copy(&file, to)?;
    }
    Ok(())
}

/// Returns a number that changes when any file of a folder does.
pub fn hash_of(folder: &Path) -> Result<u64> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    // The order in which a system lists a folder differs, and must not change the hash.
    files.sort();
    let mut hasher = fnv::FnvHasher::default();
    for file in files {
        hasher.write(file.strip_prefix(folder)?.as_os_str().as_encoded_bytes());
        hasher.write(&fs::read(file)?);
    }
    Ok(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_for_every_build() {
        let at = [
            ("app-0123456789abcdef/app_bg.wasm", "app/app_bg.wasm"),
            ("a-b-0123456789abcdef/start.js", "a-b/start.js"),
            ("style-0123456789abcdef.css", "style.css"),
            ("datasets/glue_cola.csv", "datasets/glue_cola.csv"),
            ("a-b/x", "a-b/x"),
        ];
        for (name, wanted) in at {
            assert_eq!(plain(name), wanted);
        }
    }
}
