//! Grouping of files that belong together, and their formats.

use super::archive::{self, ArchiveEntry, SPREADSHEET};
use super::input::File;
use super::source::{Source, whole};
use super::stream::{GZIP, RawRange, Stream, Unpacker, is_zstd};
use flate2::bufread::DeflateDecoder;
use packscope_core::error::{Error, Result};
use std::io::{BufRead, BufReader};

/// The first bytes of an array of NumPy.
pub(super) const NUMPY: &[u8] = b"\x93NUMPY";
/// The first bytes of Parquet, and of Parquet with an encrypted footer.
const PARQUET: [&[u8]; 2] = [b"PAR1", b"PARE"];

/// The first bytes of an Arrow file, which are followed by the messages of a stream, and the first bytes of a message.
pub(super) const ARROW: &[u8] = b"ARROW1";
pub(super) const MESSAGE: &[u8] = b"\xff\xff\xff\xff";
/// The first bytes of an index of Megatron or fairseq.
const INDEX: &[u8] = b"MMIDIDX\0\0";

fn is_parquet(head: &[u8]) -> bool {
    PARQUET.iter().any(|magic| head.starts_with(magic))
}

fn is_arrow(head: &[u8]) -> bool {
    // A stream of Arrow begins with the mark of a message.
    head.starts_with(ARROW) || head.starts_with(MESSAGE)
}

/// Whether a file is Parquet or Arrow, by its first bytes.
///
/// # Errors
/// When they cannot be read.
pub(crate) fn is_columnar(source: &dyn Source) -> Result<bool> {
    let head = whole(source, 0, ARROW.len())?;
    Ok(is_parquet(&head) || is_arrow(&head))
}

/// A file, or a file in an archive.
#[derive(Clone)]
pub(super) struct Part<'a> {
    name: String,
    source: &'a dyn Source,
    /// Bytes of the files before it.
    pub before: u64,
    /// Whether it is the only file.
    alone: bool,
    packed: Option<ArchiveEntry>,
    /// Whether it is compressed by zstd, and the function that decompresses it.
    pub is_zstd: bool,
    unpack: Option<Unpacker>,
}

impl<'a> Part<'a> {
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn source(&self) -> &'a dyn Source {
        self.source
    }

    /// Returns a new stream of its unpacked contents, from the beginning.
    ///
    /// # Errors
    /// Those of [`Stream::new`].
    pub fn stream(&self) -> Result<Stream<'a>> {
        let Some(packed) = &self.packed else {
            return Stream::open(self.source, self.unpack);
        };
        let raw = RawRange::new(
            self.source,
            packed.start,
            packed.start.saturating_add(packed.length),
        );
        let position = raw.position();
        let reader: Box<dyn BufRead + 'a> = match packed.deflated {
            true => Box::new(BufReader::new(packed.checked(DeflateDecoder::new(raw)))),
            false => Box::new(BufReader::new(packed.checked(raw))),
        };
        Stream::new(reader, position, self.unpack)
    }

    /// Adds the file's name to an error, if there are several files.
    pub fn named(&self, error: Error) -> Error {
        if self.alone {
            error
        } else {
            error.within_place(&self.name)
        }
    }

    fn wrong(&self, place: &str, message: &str) -> Error {
        self.named(Error::Input {
            place: place.to_owned(),
            message: message.to_owned(),
        })
    }

    /// Returns the name in lower case, without the extension of gzip and zstd.
    fn plain(&self) -> String {
        let name = self.name.to_lowercase();
        let bare = name
            .strip_suffix(".gz")
            .or_else(|| name.strip_suffix(".zst"));
        bare.map_or(name.clone(), str::to_owned)
    }
}

/// Files that are read as one input.
pub(super) enum Unit<'a> {
    /// A text format.
    Text(Part<'a>),
    /// One array of NumPy.
    Array(Part<'a>),
    /// The arrays of an archive of NumPy.
    Arrays(Part<'a>, Vec<Part<'a>>),
    Parquet(Part<'a>),
    /// The graph of each node, and the edges.
    Tu(Part<'a>, Part<'a>),
    /// The nodes of each graph, and the edges of each.
    Lists(Part<'a>, Part<'a>),
    /// An index of Megatron or fairseq.
    Index(Part<'a>),
    /// Arrow, as a file or as a stream.
    Arrow(Part<'a>),
}

impl<'a> Unit<'a> {
    /// Adds the file's name to an error, if there are several files.
    pub fn named(&self, error: Error) -> Error {
        match self {
            // These errors name the file themselves.
            Self::Tu(..) | Self::Lists(..) => error,
            other => other.part().named(error),
        }
    }

    /// Returns the file that represents the unit.
    pub fn part(&self) -> &Part<'a> {
        match self {
            Self::Text(part) | Self::Array(part) | Self::Arrays(part, _) | Self::Parquet(part) => {
                part
            }
            Self::Index(part) | Self::Arrow(part) => part,
            Self::Tu(part, _) | Self::Lists(part, _) => part,
        }
    }
}

/// Groups the files into units, in their order; `zstd` decompresses files compressed by it.
///
/// # Errors
/// When a file of a group is missing, or an archive is damaged.
pub(super) fn sort<'a>(files: &[File<'a>], zstd: Option<Unpacker>) -> Result<Vec<Unit<'a>>> {
    let mut before: u64 = 0;
    let (mut units, mut parts) = (Vec::new(), Vec::new());
    let files: Vec<&File<'a>> = data(files);
    once(&files)?;
    for file in &files {
        let (name, alone) = (file.name.to_owned(), files.len() == 1);
        // The longest magic is that of an index.
        let head = whole(file.source, 0, INDEX.len())?;
        let is_zstd = is_zstd(&head);
        let part = Part {
            name,
            before,
            alone,
            source: file.source,
            packed: None,
            is_zstd,
            unpack: zstd,
        };
        before = before.saturating_add(file.source.size());
        if head.starts_with(INDEX) {
            units.push(Unit::Index(part));
        } else if is_arrow(&head) {
            units.push(Unit::Arrow(part));
        } else if is_parquet(&head) {
            units.push(Unit::Parquet(part));
        } else if head.starts_with(archive::MAGIC) || head.starts_with(archive::EMPTY) {
            unpack(part, &mut units, &mut parts)?;
        } else {
            parts.push(part);
        }
    }
    join(parts, &mut units)?;
    // Groups were found after single files; the order of the caller decides again.
    units.sort_by_key(|unit| unit.part().before);
    Ok(units)
}

/// Files beside data that only mark or describe them.
const BESIDE: [&str; 4] = [
    "dataset_info.json",
    "state.json",
    "dataset_dict.json",
    "dataset_infos.json",
];

/// Returns the files that hold data: of several, without hidden ones, without markers such as `_SUCCESS`, and without
/// files that PyTorch Geometric derives from a TU folder.
fn data<'f, 'a>(files: &'f [File<'a>]) -> Vec<&'f File<'a>> {
    let last = |file: &File<'_>| {
        file.name
            .rsplit(['/', '\\'])
            .next()
            .unwrap_or_default()
            .to_lowercase()
    };
    // `save_to_disk` writes JSON beside the Arrow files; alone, JSON is data.
    let has_arrow = files.iter().any(|file| last(file).ends_with(".arrow"));
    let is_tu = files.iter().any(|file| last(file).ends_with(TU[0]));
    let has_index = files.iter().any(|file| last(file).ends_with(".idx"));
    let is_data = |file: &&File<'_>| {
        let name = last(file);
        let marks = name.starts_with('.') || name.starts_with('_') || name.ends_with(".crc");
        let marks = marks
            || ["license", "licence", "notice"]
                .iter()
                .any(|word| name.starts_with(word));
        // Caches derived from the data by `datasets`.
        let marks = marks || (name.starts_with("cache-") && name.ends_with(".arrow"));
        let describes = has_arrow && BESIDE.contains(&name.as_str());
        let made = is_tu && (name.ends_with(".pt") || file.name.contains("/processed/"));
        let is_tokens = has_index && name.ends_with(".bin");
        !(marks || describes || made || is_tokens)
    };
    let kept: Vec<&File<'a>> = files.iter().filter(is_data).collect();
    // A file that is the only one is meant, whatever its name.
    if files.len() < 2 || kept.is_empty() {
        files.iter().collect()
    } else {
        kept
    }
}

/// Refuses two files that differ only in compression or format: they hold the same data.
fn once(files: &[&File<'_>]) -> Result<()> {
    let stem = |name: &str| {
        let name = name.to_lowercase();
        let name = name
            .strip_suffix(".gz")
            .or_else(|| name.strip_suffix(".zst"))
            .unwrap_or(&name);
        let written = [
            ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".arrow", ".feather", ".npy",
        ];
        written
            .iter()
            .find_map(|end| name.strip_suffix(end))
            .unwrap_or(name)
            .to_owned()
    };
    let mut seen: std::collections::BTreeMap<String, &str> = std::collections::BTreeMap::new();
    for file in files {
        if let Some(first) = seen
            .insert(stem(file.name), file.name)
            .filter(|first| *first != file.name)
        {
            let message = format!(
                "it and {first} seem to hold the same, which would count twice; bring one of them"
            );
            return Err(Error::Input {
                place: file.name.to_owned(),
                message,
            });
        }
    }
    Ok(())
}

/// Adds the files of an archive; arrays are columns of one table.
fn unpack<'a>(
    archive: Part<'a>,
    units: &mut Vec<Unit<'a>>,
    parts: &mut Vec<Part<'a>>,
) -> Result<()> {
    let listed = archive::list(archive.source).map_err(|error| archive.named(error))?;
    if listed.iter().any(|(name, _)| name == SPREADSHEET) {
        let what = "this is an Office document; save the sheet as CSV (File, Save as), or in Python: \
                    pandas.read_excel(\"…\").to_csv(\"lengths.csv\")";
        return Err(archive.wrong("byte 1", what));
    }
    let alone = archive.alone && listed.len() == 1;
    let inside = |(name, packed): (String, ArchiveEntry)| {
        let name = if archive.alone {
            name
        } else {
            format!("{}/{name}", archive.name)
        };
        Part {
            name,
            alone,
            packed: Some(packed),
            ..archive.clone()
        }
    };
    let mut inside: Vec<Part<'a>> = listed.into_iter().map(inside).collect();
    // `np.savez` names its arrays so; a ZIP of other files is a folder.
    if inside.len() > 1 && inside.iter().all(|part| part.plain().ends_with(".npy")) {
        let parts = inside
            .into_iter()
            .map(|part| Part {
                alone: false,
                ..part
            })
            .collect();
        units.push(Unit::Arrays(archive, parts));
    } else {
        parts.append(&mut inside);
    }
    Ok(())
}

/// The name endings in a TU folder: the graph of each node, and the edges.
const TU: [&str; 2] = ["_graph_indicator.txt", "_a.txt"];
/// The names of the lists of the Open Graph Benchmark: nodes and edges of each graph.
const LISTS: [&str; 2] = ["num-node-list.csv", "num-edge-list.csv"];
/// Other files of a data set of the Open Graph Benchmark, which have no sizes.
const OTHERS: [&str; 8] = [
    "edge.csv",
    "edge-feat.csv",
    "node-feat.csv",
    "graph-label.csv",
    "node-label.csv",
    "node_year.csv",
    "mol.csv",
    "triplet-type-list.csv",
];

/// Joins files that belong together into units.
fn join<'a>(mut parts: Vec<Part<'a>>, units: &mut Vec<Unit<'a>>) -> Result<()> {
    while let Some((first, second)) = pair(&mut parts, TU)? {
        // Other files of these graphs do not have their sizes.
        let plain = first.plain();
        let prefix = plain.strip_suffix(TU[0]).unwrap_or_default().to_owned() + "_";
        parts.retain(|part| !part.plain().starts_with(&prefix));
        units.push(Unit::Tu(first, second));
    }
    while let Some((nodes, edges)) = pair(&mut parts, LISTS)? {
        // Other files of these graphs do not have their sizes.
        let plain = nodes.plain();
        let folder = plain.strip_suffix(LISTS[0]).unwrap_or_default().to_owned();
        let is_other = |part: &Part<'_>| {
            part.plain()
                .strip_prefix(&folder)
                .is_some_and(|name| OTHERS.contains(&name))
        };
        parts.retain(|part| !is_other(part));
        units.push(Unit::Lists(nodes, edges));
    }
    // Beside data, a readme is no text to be measured.
    if units.len() + parts.len() > 1 {
        let says = |part: &Part<'_>| {
            part.plain()
                .rsplit('/')
                .next()
                .is_some_and(|n| n.starts_with("readme"))
        };
        parts.retain(|part| !says(part));
    }
    for part in parts {
        units.push(alone(part)?);
    }
    Ok(())
}

/// Removes and returns two parts with these endings and otherwise equal names.
fn pair<'a>(parts: &mut Vec<Part<'a>>, endings: [&str; 2]) -> Result<Option<(Part<'a>, Part<'a>)>> {
    let Some(i) = parts
        .iter()
        .position(|part| part.plain().ends_with(endings[0]))
    else {
        let lonely = parts
            .iter()
            .find(|part| endings == TU && part.plain().ends_with(endings[1]));
        return lonely.map_or(Ok(None), |part| {
            let what =
                "these are the edges of a TU folder; expected the file …_graph_indicator.txt beside it";
            Err(part.wrong("the file", what))
        });
    };
    let wanted = parts[i].plain();
    let wanted = wanted
        .strip_suffix(endings[0])
        .unwrap_or_default()
        .to_owned()
        + endings[1];
    match parts.iter().position(|part| part.plain() == wanted) {
        Some(j) => {
            let second = parts[j].clone();
            let first = parts[i].clone();
            // By name and not by index: removing one would move the other.
            parts.retain(|part| part.name != first.name && part.name != second.name);
            Ok(Some((first, second)))
        }
        None if endings == TU => {
            let what = "these are the graphs of the nodes of a TU folder; expected the file …_A.txt beside it";
            Err(parts[i].wrong("the file", what))
        }
        None => Ok(None),
    }
}

/// Returns the unit of a file that belongs to no group.
fn alone(part: Part<'_>) -> Result<Unit<'_>> {
    let stream = part.stream().map_err(|error| part.named(error))?;
    let head = stream.head();
    if head.starts_with(NUMPY) {
        return Ok(Unit::Array(part));
    }
    let packed = match head {
        _ if is_parquet(head) => "a packed Parquet file",
        _ if head.starts_with(ARROW) => "a packed Arrow file",
        _ if head.starts_with(archive::MAGIC) => "an archive in an archive",
        _ if head.starts_with(GZIP) => "packed more than once",
        _ => return Ok(Unit::Text(part)),
    };
    Err(part.wrong("byte 1", &format!("this is {packed}; unpack it first")))
}
