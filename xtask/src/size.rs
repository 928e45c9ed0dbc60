//! Download sizes: every file of `dist/`, raw and as brotli, and files that are loaded together.

use crate::files::{DIST, PARTS, Parts, collect, part_files, plain};
use anyhow::{Context, Result};
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use xshell::Shell;

/// Files before the first answer; the data of the first view are in the app, which answers by itself.
const ANSWER: [&str; 5] = [
    "index.html",
    "style.css",
    "app/app.js",
    "app/__wasm_split.js",
    "app/app_bg.wasm",
];
/// The worker that compares algorithms as soon as the answer is there.
const WORKER: [&str; 4] = [
    "worker/start.js",
    "worker/worker.js",
    "worker/__wasm_split.js",
    "worker/worker_bg.wasm",
];
/// Parts that the page loads by itself when it opens: the reader of workers' answers, solvers, and the judge of training
/// without a library. Content below the window is loaded when scrolled to.
const FOLLOWS: [&str; 3] = ["app/replies", "worker/loader", "worker/solvers"];
/// Optionally requested by the browser itself: counted, but nothing waits for them.
const ICONS: [&str; 2] = ["icon.svg", "manifest.webmanifest"];
const OPENING: &str = "whole opening";
/// SHA-256 of each measured file → its bytes as brotli.
const MEASURED: &str = "target/brotli.json";

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    pub bytes: u64,
    /// Size as sent.
    pub brotli: u64,
}

impl std::ops::AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.brotli += other.brotli;
    }
}

/// The files of the page by name, without hashes of contents.
pub type Sizes = BTreeMap<String, Size>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Load {
    /// The occasion.
    pub name: String,
    pub files: BTreeSet<String>,
    pub size: Size,
}

/// Lists all files of the page, with their names.
fn files(sh: &Shell) -> Result<Vec<(String, std::path::PathBuf)>> {
    let dist = sh.current_dir().join(DIST);
    let mut files = Vec::new();
    collect(&dist, &mut files).context("there is no page yet: run `cargo xtask dist` first")?;
    let name = |file: std::path::PathBuf| {
        Ok((
            file.strip_prefix(&dist)?
                .to_string_lossy()
                .replace('\\', "/"),
            file,
        ))
    };
    files.into_iter().map(name).collect()
}

/// Returns every file of the page with its size. Compressing is slow, so earlier results are cached by hash.
pub fn sizes(sh: &Shell) -> Result<Sizes> {
    let known = sh.current_dir().join(MEASURED);
    let before: BTreeMap<String, u64> = std::fs::read(&known)
        .ok()
        .and_then(|json| serde_json::from_slice(&json).ok())
        .unwrap_or_default();
    let measure = |(name, file): (String, std::path::PathBuf)| {
        let contents = std::fs::read(file)?;
        let hash = format!("{:x}", Sha256::digest(&contents));
        let brotli = before
            .get(&hash)
            .map_or_else(|| brotli_size(&contents), |&size| Ok(size))?;
        Ok((
            hash,
            plain(&name),
            Size {
                bytes: contents.len() as u64,
                brotli,
            },
        ))
    };
    let measured: Vec<_> = files(sh)?
        .into_par_iter()
        .map(measure)
        .collect::<Result<_>>()?;
    let now: BTreeMap<&str, u64> = measured
        .iter()
        .map(|(hash, _, size)| (&**hash, size.brotli))
        .collect();
    // Only those of this page: the file would grow with every build.
    std::fs::write(known, serde_json::to_vec(&now)?)?;
    Ok(measured
        .into_iter()
        .map(|(_, name, size)| (name, size))
        .collect())
}

/// Returns the files that the page requests when it opens, as named in `dist/`.
pub fn opening(sh: &Shell) -> Result<Vec<String>> {
    let files = files(sh)?;
    // `loads` only asks which files there are, so their sizes need not be measured.
    let unknown = files
        .iter()
        .map(|(name, _)| (plain(name), Size::default()))
        .collect();
    let loads = loads(sh, &unknown)?;
    let opening = loads
        .iter()
        .find(|load| load.name == OPENING)
        .context("no opening")?;
    Ok(files
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| opening.files.contains(&plain(name)))
        .collect())
}

/// Returns the files loaded together: until the answer, by the whole opening, and by each later opening.
pub fn loads(sh: &Shell, sizes: &Sizes) -> Result<Vec<Load>> {
    let parts: Parts = serde_json::from_str(&sh.read_file(PARTS)?)?;
    let mut loads = vec![load("until the answer", sizes, ANSWER.map(str::to_owned))];
    let follows = FOLLOWS
        .iter()
        .flat_map(|part| part_files(part, &parts, |file| sizes.contains_key(file)));
    let all = ANSWER
        .iter()
        .chain(&WORKER)
        .chain(&ICONS)
        .map(|name| (*name).to_owned())
        .chain(follows);
    loads.push(load(OPENING, sizes, all));
    for part in parts
        .keys()
        .filter(|part| !FOLLOWS.contains(&part.as_str()))
    {
        loads.push(load(
            part,
            sizes,
            part_files(part, &parts, |file| sizes.contains_key(file)),
        ));
    }
    Ok(loads)
}

fn load(name: &str, sizes: &Sizes, files: impl IntoIterator<Item = String>) -> Load {
    let files: BTreeSet<String> = files
        .into_iter()
        .filter(|file| sizes.contains_key(file))
        .collect();
    let mut size = Size::default();
    files.iter().for_each(|file| size += sizes[file]);
    Load {
        name: name.to_owned(),
        files,
        size,
    }
}

/// Returns both tables: files loaded together, and all files. Data sets are loaded one at a time, when chosen.
pub fn table(sizes: &Sizes, loads: &[Load]) -> Result<String> {
    let mut table = format!(
        "{:>10} {:>10} {:>9}  loaded together\n",
        "bytes", "brotli", "requests"
    );
    for Load { name, files, size } in loads {
        writeln!(
            table,
            "{:>10} {:>10} {:>9}  {name}",
            size.bytes,
            size.brotli,
            files.len()
        )?;
    }
    let (mut total, mut data) = (Size::default(), Size::default());
    write!(table, "\n{:>10} {:>10}  file\n", "bytes", "brotli")?;
    for (name, size) in sizes {
        if name.starts_with("datasets/") {
            data += *size;
        } else {
            total += *size;
            writeln!(table, "{:>10} {:>10}  {name}", size.bytes, size.brotli)?;
        }
    }
    for (size, what) in [
        (total, "the page"),
        (data, "data sets, each loaded when it is chosen"),
    ] {
        writeln!(table, "{:>10} {:>10}  {what}", size.bytes, size.brotli)?;
    }
    Ok(table)
}

fn brotli_size(bytes: &[u8]) -> Result<u64> {
    let mut out = Vec::new();
    let params = brotli::enc::BrotliEncoderParams {
        // 11 is brotli's best quality, 22 its usual window: as a host sends that compresses once.
        quality: 11,
        lgwin: 22,
        ..Default::default()
    };
    brotli::BrotliCompress(&mut &bytes[..], &mut out, &params)?;
    Ok(out.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_two_parts_share_is_loaded_once() {
        let sizes: Sizes = ["app/chunk_9.wasm", "app/split_a.bin"]
            .map(|name| {
                (
                    name.to_owned(),
                    Size {
                        bytes: 9,
                        brotli: 4,
                    },
                )
            })
            .into();
        let parts = Parts::from([(
            "app/a".to_owned(),
            ["chunk_1", "chunk_9", "split_a"].map(str::to_owned).into(),
        )]);
        let loaded = load(
            "a",
            &sizes,
            part_files("app/a", &parts, |file| sizes.contains_key(file)),
        );
        assert_eq!(
            (loaded.files.len(), loaded.size),
            (
                2,
                Size {
                    bytes: 18,
                    brotli: 8
                }
            )
        );
    }
}
