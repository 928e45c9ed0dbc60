//! Which module of a crate may use which: the tables of `docs/ARCHITECTURE.md`, enforced.

mod planted;
mod source;

use source::{Path, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// Modules that everything may name.
const COMMON: [&str; 5] = ["accepts", "error", "names", "order", "words"];

/// The roots of crates and programs. Cargo says which crate may name which; this test has what Cargo cannot say.
const ROOTS: [&str; 8] = [
    "crates/packscope-core/src",
    "crates/packscope-files/src",
    "crates/packscope/src",
    "crates/packscope-chart/src",
    "crates/packscope-cli/src",
    "src/bin/app",
    "src/bin/worker",
    "src",
];

/// Modules of a crate, each with those that it may name.
type Modules = &'static [(&'static str, &'static [&'static str])];

/// Root → module → modules of the same crate that it may name, beside the common ones.
const TABLE: [(&str, Modules); 4] = [
    (
        "crates/packscope-core/src",
        &[
            ("accepts", &[]),
            ("error", &[]),
            ("names", &[]),
            ("words", &[]),
            ("order", &[]),
            ("rng", &[]),
            ("histogram", &["rng"]),
        ],
    ),
    (
        "crates/packscope-files/src",
        &[
            ("config", &[]),
            ("formula", &[]),
            ("ingest", &["config", "formula"]),
            ("tokens", &["ingest"]),
        ],
    ),
    (
        "crates/packscope/src",
        &[
            ("plan", &["histogram"]),
            ("bounds", &["histogram"]),
            ("lp", &["bounds", "histogram"]),
            ("packing", &["bounds", "histogram", "lp", "plan", "rng"]),
            ("sampler", &["histogram", "packing", "rng"]),
            ("metrics", &["bounds", "histogram", "plan", "sampler"]),
            ("cost", &["histogram", "metrics", "rng", "sampler"]),
            ("sweep", &["histogram"]),
            ("shapes", &["histogram"]),
            ("supervision", &["histogram", "rng"]),
            (
                "trainer",
                &["bounds", "histogram", "packing", "rng", "sampler"],
            ),
            ("ranks", &["cost", "histogram", "packing", "rng"]),
            (
                "api",
                &[
                    "bounds",
                    "cost",
                    "histogram",
                    "metrics",
                    "packing",
                    "plan",
                    "ranks",
                    "sampler",
                    "shapes",
                    "sweep",
                    "trainer",
                ],
            ),
            (
                "advice",
                &[
                    "api",
                    "cost",
                    "histogram",
                    "metrics",
                    "packing",
                    "sampler",
                    "supervision",
                    "trainer",
                ],
            ),
            (
                "export",
                &[
                    "advice",
                    "api",
                    "cost",
                    "histogram",
                    "ingest",
                    "metrics",
                    "packing",
                    "plan",
                    "rng",
                    "sampler",
                    "shapes",
                    "trainer",
                ],
            ),
        ],
    ),
    (
        "src",
        &[
            ("query", &[]),
            ("state", &["query", "wire"]),
            ("learn", &["query", "state"]),
            ("finder", &["learn", "state"]),
            ("split", &[]),
            ("wire", &["query"]),
            ("worker", &["split", "wire"]),
        ],
    ),
];

/// Crates of the web, of drawing and of the shell, and who may name them.
const FOREIGN: [(&str, &[&str]); 8] = [
    ("yew", &["src/bin/app"]),
    ("gloo_", &["src/bin/app"]),
    ("web_sys", &["src/bin/app", "src/bin/worker", "src/worker"]),
    ("js_sys", &["src/bin/app", "src/bin/worker", "src/worker"]),
    (
        "wasm_bindgen",
        &["src/bin/app", "src/bin/worker", "src/worker"],
    ),
    ("plotters_canvas", &["src/bin/app"]),
    ("clap", &["crates/packscope-cli"]),
    ("plotters", &["crates/packscope-chart", "src/bin/app"]),
];

/// Modules of the standard library that would make the same request give another report on another machine. So would
/// another name for the standard library, under which this test does not know them.
const IMPURE: [&str; 9] = [
    "*", "as", "env", "fs", "net", "os", "process", "thread", "time",
];
/// Its types with an order of their own each time.
const UNORDERED: [&str; 5] = ["HashMap", "HashSet", "RandomState", "hash_map", "hash_set"];

/// Lines of a function, and of a file.
const SCREEN: usize = 100;
const FILE: usize = 800;

/// The file that makes the timers and the futures of the page.
const DUE: &str = "src/bin/app/due.rs";
fn sources() -> &'static [Source] {
    static SOURCES: OnceLock<Vec<Source>> = OnceLock::new();
    SOURCES.get_or_init(read)
}

fn read() -> Vec<Source> {
    let mut found = read_folder("crates", source);
    found.extend(read_folder("src", source));
    assert!(found.len() > 500);
    found
}

/// Reads all sources in a folder of the repository; `of` makes one of its path and its text.
fn read_folder(folder: &str, of: impl Fn(&str, &str) -> Source) -> Vec<Source> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let file = path
                .strip_prefix(root)
                .unwrap()
                .to_str()
                .unwrap()
                .replace('\\', "/");
            // Tests and examples are crates of their own.
            let is_source = file.contains("src/") && !file.starts_with("crates/test-support");
            if path.is_dir() {
                folders.push(path);
            } else if is_source && path.extension().is_some_and(|e| e == "rs") {
                found.push(of(&file, &std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort_by(|a, b| a.file.cmp(&b.file));
    found
}

fn root_of(file: &str) -> &'static str {
    let within = |root: &&&str| {
        file.strip_prefix(**root)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    ROOTS.iter().find(within).copied().unwrap_or("")
}

fn source(file: &str, text: &str) -> Source {
    Source::new(root_of(file), file, text)
}

/// Whether the same source runs in every shell: that of a program does not.
fn is_library(source: &Source) -> bool {
    !source.file.starts_with("src/bin/") && !source.file.starts_with("crates/packscope-cli/")
}

/// One line for each path of a source that is wrong.
fn each(source: &Source, wrong: impl Fn(&Path) -> Option<String>) -> Vec<String> {
    let tell = |path: &Path| Some(format!("{}:{}: {}", source.file, path.line, wrong(path)?));
    source.paths.iter().filter_map(tell).collect()
}

/// Modules of the library that name what the table does not allow.
fn imports(source: &Source) -> Vec<String> {
    let root = root_of(&source.file);
    let Some((_, table)) = TABLE.iter().find(|(crate_root, _)| *crate_root == root) else {
        return Vec::new();
    };
    let within = source.file[root.len()..].trim_start_matches('/');
    // What the root re-exports, it names.
    if within == "lib.rs" {
        return Vec::new();
    }
    let own = within.split('/').next().unwrap().trim_end_matches(".rs");
    let Some((_, allowed)) = table.iter().find(|(module, _)| *module == own) else {
        return vec![format!("{own} is not in the table")];
    };
    each(source, |path| {
        let to = path.within_crate()?.into_iter().next()?;
        let fine = to == own || COMMON.contains(&to.as_str()) || allowed.contains(&to.as_str());
        (!fine).then(|| format!("{own} may not name {to}"))
    })
}

/// Crates named where they must not be.
fn foreign(source: &Source) -> Vec<String> {
    each(source, |path| {
        let named = |name: &str| {
            path.names[0] == name || (name.ends_with('_') && path.names[0].starts_with(name))
        };
        let (name, _) = FOREIGN
            .iter()
            .find(|(name, by)| named(name) && !by.iter().any(|by| source.file.starts_with(by)))?;
        Some(format!("{name} is not for this module"))
    })
}

/// Paths that the engine must not name.
fn impure(source: &Source) -> Vec<String> {
    if !is_library(source) {
        return Vec::new();
    }
    each(source, |path| {
        let std = matches!(path.names[0].as_str(), "std" | "core" | "alloc");
        let known = |name: &&String| IMPURE.contains(&name.as_str());
        let second = path
            .names
            .iter()
            .skip(1)
            .find(|name| *name != "self")
            .filter(|name| std && known(name));
        let unordered = path
            .names
            .iter()
            .find(|name| UNORDERED.contains(&name.as_str()));
        second
            .or(unordered)
            .map(|name| format!("{name} is different each time"))
    })
}

/// Timers and futures of the page that do not say that they are due.
fn unsaid(source: &Source) -> Vec<String> {
    if !source.file.starts_with("src/bin/app/") || source.file == DUE {
        return Vec::new();
    }
    each(source, |path| {
        let own = path.names.ends_with(&["Timeout", "new"].map(str::to_owned));
        let named = path
            .names
            .iter()
            .any(|name| name == "spawn_local" || name == "Interval");
        (own || named).then(|| format!("{} is for {DUE}", path.names.join("::")))
    })
}

/// Functions that are longer than a screen, and files that are longer than a file should be.
fn long(source: &Source) -> Vec<String> {
    let file = (source.lines > FILE).then(|| format!("{}: {} lines", source.file, source.lines));
    let functions = source.functions.iter().filter(|f| f.lines > SCREEN);
    let functions = functions.map(|f| {
        format!(
            "{}:{}: {} has {} lines",
            source.file, f.line, f.name, f.lines
        )
    });
    file.into_iter().chain(functions).collect()
}

/// A folder of modules that have nothing in common but their kind: each stands beside the modules at the top.
const SHELF: &str = "components";

/// The names of a module, where those on the shelf stand at the top.
fn off_shelf(module: &[String]) -> Vec<String> {
    match module {
        [first, second, rest @ ..] if first == SHELF => {
            [&[format!("{first}::{second}")], rest].concat()
        }
        _ => module.to_vec(),
    }
}

/// (part, part that it names), for the parts of each folder of these sources, whatever its depth: the files in it, and
/// its folders. A module may name what holds it, and the other way round.
fn edges<'s>(sources: impl IntoIterator<Item = &'s Source>) -> BTreeSet<(String, String)> {
    let edge = |path: &Path| {
        let [from, to] = [&path.module, &path.within_crate()?].map(|module| off_shelf(module));
        let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        Some((
            from.get(..=shared)?.join("::"),
            to.get(..=shared)?.join("::"),
        ))
    };
    sources
        .into_iter()
        .flat_map(|source| source.paths.iter().filter_map(edge))
        .collect()
}

/// The edges that lie on circles: from the one end there is a way back to the other.
fn circles(edges: &BTreeSet<(String, String)>) -> Vec<&(String, String)> {
    let mut next = BTreeMap::<&str, Vec<&str>>::new();
    for (from, to) in edges {
        next.entry(from).or_default().push(to);
    }
    let leads = |from: &str, to: &str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(at) = open.pop() {
            if at == to {
                return true;
            }
            if seen.insert(at) {
                open.extend(next.get(at).into_iter().flatten());
            }
        }
        false
    };
    edges.iter().filter(|(from, to)| leads(to, from)).collect()
}

#[track_caller]
fn assert_none(wrong: Vec<String>) {
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn modules_import_only_what_the_table_allows() {
    assert_none(sources().iter().flat_map(imports).collect());
}

#[test]
fn only_shells_name_the_web_and_only_charts_draw() {
    assert_none(sources().iter().flat_map(foreign).collect());
}

#[test]
fn the_engine_is_pure() {
    assert_none(sources().iter().flat_map(impure).collect());
}

#[test]
fn the_page_waits_in_one_place() {
    assert_none(sources().iter().flat_map(unsaid).collect());
}

/// Tests in the sources of the library and its programs, which would never run: `Cargo.toml` asks for none.
fn tests(source: &Source) -> Vec<String> {
    each(source, |path| {
        (path.names == ["test"]).then(|| "tests are in tests/it".to_owned())
    })
}

#[test]
fn no_source_holds_tests_that_would_not_run() {
    assert_none(sources().iter().flat_map(tests).collect());
}

#[test]
fn functions_fit_a_screen_and_files_are_short() {
    assert_none(sources().iter().flat_map(long).collect());
}

#[test]
fn imports_of_no_crate_have_a_circle() {
    let (mut all, mut wrong) = (0, Vec::new());
    for root in ROOTS {
        let edges = edges(
            sources()
                .iter()
                .filter(|source| root_of(&source.file) == root),
        );
        wrong.extend(
            circles(&edges)
                .iter()
                .map(|(from, to)| format!("{root}: {from} and {to}")),
        );
        all += edges.len();
    }
    assert_none(wrong);
    assert!(all > 500, "{all}");
}

#[test]
fn imports_of_the_developers_commands_have_no_circle() {
    let sources = read_folder("xtask/src", |file, text| {
        Source::new("xtask/src", file, text)
    });
    let edges = edges(&sources);
    assert!(
        edges.len() > 20 && circles(&edges).is_empty(),
        "{:?}",
        circles(&edges)
    );
}
