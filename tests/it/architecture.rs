//! Which module may use which: the table of `src/README.md`, enforced.

mod planted;
mod source;

use source::{Path, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// Modules that everything may name.
const COMMON: [&str; 5] = ["accepts", "error", "names", "order", "words"];

/// Module → modules of the library that it may name, beside the common ones.
const TABLE: [(&str, &[&str]); 29] = [
    ("accepts", &[]),
    ("error", &[]),
    ("names", &[]),
    ("words", &[]),
    ("order", &[]),
    ("rng", &[]),
    ("formula", &[]),
    ("histogram", &["rng"]),
    ("ingest", &["formula", "histogram"]),
    ("plan", &["histogram"]),
    ("bounds", &["histogram"]),
    ("lp", &["bounds", "histogram"]),
    ("packing", &["bounds", "histogram", "lp", "plan", "rng"]),
    ("sampler", &["histogram", "packing", "rng"]),
    ("metrics", &["bounds", "histogram", "plan", "sampler"]),
    ("cost", &["histogram", "metrics", "rng", "sampler"]),
    ("sweep", &["histogram"]),
    ("shapes", &["histogram"]),
    ("trainer", &["bounds", "histogram", "packing", "rng", "sampler"]),
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
        "state",
        &[
            "api",
            "bounds",
            "cost",
            "histogram",
            "ingest",
            "metrics",
            "packing",
            "sampler",
            "shapes",
            "sweep",
            "tokens",
            "trainer",
        ],
    ),
    (
        "export",
        &[
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
    ("chart", &["api", "cost", "histogram", "packing", "sampler", "shapes", "sweep"]),
    (
        "learn",
        &[
            "api",
            "bounds",
            "chart",
            "cost",
            "histogram",
            "metrics",
            "packing",
            "plan",
            "rng",
            "sampler",
            "shapes",
            "state",
            "sweep",
        ],
    ),
    ("split", &[]),
    ("tokens", &["ingest"]),
    (
        "wire",
        &["api", "cost", "export", "histogram", "ingest", "metrics", "packing", "sampler", "sweep", "tokens"],
    ),
    ("worker", &["export", "ingest", "packing", "split", "wire"]),
];

/// Crates of the web, of drawing and of the shell, and who may name them.
const FOREIGN: [(&str, &[&str]); 9] = [
    ("yew", &["bin/app"]),
    ("gloo_", &["bin/app"]),
    ("web_sys", &["bin/app", "bin/worker", "worker"]),
    ("js_sys", &["bin/app", "bin/worker", "worker"]),
    ("wasm_bindgen", &["bin/app", "bin/worker", "worker"]),
    ("plotters_canvas", &["bin/app"]),
    ("plotters_svg", &["chart"]),
    ("plotters", &["bin/app", "chart"]),
    ("clap", &["bin/packscope"]),
];

/// Modules of the standard library that would make the same request give another report on another machine. So would
/// another name for the standard library, under which this test does not know them.
const IMPURE: [&str; 9] = ["*", "as", "env", "fs", "net", "os", "process", "thread", "time"];
/// Its types with an order of their own each time.
const UNORDERED: [&str; 5] = ["HashMap", "HashSet", "RandomState", "hash_map", "hash_set"];

/// Lines of a function, and of a file.
const SCREEN: usize = 100;
const FILE: usize = 800;

/// The programs that are made of many modules.
const PROGRAMS: [&str; 2] = ["bin/app", "bin/packscope"];
/// The file that makes the timers and the futures of the page.
const DUE: &str = "bin/app/due.rs";
/// A folder of modules that have nothing in common but their kind: each stands for itself.
const SHELF: &str = "components";

fn sources() -> &'static [Source] {
    static SOURCES: OnceLock<Vec<Source>> = OnceLock::new();
    SOURCES.get_or_init(read)
}

fn read() -> Vec<Source> {
    let found = read_folder("src", source);
    assert!(found.len() > 30);
    found
}

/// Reads all sources in a folder of the repository; `of` makes one of its name within the folder and its text.
fn read_folder(folder: &str, of: impl Fn(&str, &str) -> Source) -> Vec<Source> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut folders = vec![root.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let file = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
                found.push(of(&file, &std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort_by(|a, b| a.file.cmp(&b.file));
    found
}

/// The root of a program is its folder, that of the library is `src`.
fn source(file: &str, text: &str) -> Source {
    let root = match file.strip_prefix("bin/") {
        Some(program) => &file[.."bin/".len() + program.find('/').unwrap()],
        None => "",
    };
    Source::new(root, file, text)
}

fn is_library(source: &Source) -> bool {
    !source.file.starts_with("bin/")
}

/// One line for each path of a source that is wrong.
fn each(source: &Source, wrong: impl Fn(&Path) -> Option<String>) -> Vec<String> {
    let tell = |path: &Path| Some(format!("{}:{}: {}", source.file, path.line, wrong(path)?));
    source.paths.iter().filter_map(tell).collect()
}

/// Modules of the library that name what the table does not allow.
fn imports(source: &Source) -> Vec<String> {
    // What the root re-exports, it names.
    if !is_library(source) || source.file == "lib.rs" {
        return Vec::new();
    }
    let own = source.file.split('/').next().unwrap().trim_end_matches(".rs");
    let Some((_, allowed)) = TABLE.iter().find(|(module, _)| *module == own) else {
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
        let named =
            |name: &str| path.names[0] == name || (name.ends_with('_') && path.names[0].starts_with(name));
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
        let second = path.names.iter().skip(1).find(|name| *name != "self").filter(|name| std && known(name));
        let unordered = path.names.iter().find(|name| UNORDERED.contains(&name.as_str()));
        second.or(unordered).map(|name| format!("{name} is different each time"))
    })
}

/// Timers and futures of the page that do not say that they are due.
fn unsaid(source: &Source) -> Vec<String> {
    if !source.file.starts_with("bin/app/") || source.file == DUE {
        return Vec::new();
    }
    each(source, |path| {
        let own = path.names.ends_with(&["Timeout", "new"].map(str::to_owned));
        let named = path.names.iter().any(|name| name == "spawn_local" || name == "Interval");
        (own || named).then(|| format!("{} is for {DUE}", path.names.join("::")))
    })
}

/// Functions that are longer than a screen, and files that are longer than a file should be.
fn long(source: &Source) -> Vec<String> {
    let file = (source.lines > FILE).then(|| format!("{}: {} lines", source.file, source.lines));
    let functions = source.functions.iter().filter(|f| f.lines > SCREEN);
    let functions =
        functions.map(|f| format!("{}:{}: {} has {} lines", source.file, f.line, f.name, f.lines));
    file.into_iter().chain(functions).collect()
}

/// (module, module that it names), for the modules at the top of the crate whose sources these are. What the shelf itself
/// declares for its modules is a module too.
fn edges<'s>(sources: impl IntoIterator<Item = &'s Source, IntoIter: Clone>) -> BTreeSet<(String, String)> {
    let named = sources.into_iter().flat_map(|source| &source.paths);
    let stands = |path: &'s Path| (path.module.first()? == SHELF).then(|| path.module.get(1)).flatten();
    let shelved: BTreeSet<&String> = named.clone().filter_map(stands).collect();
    let top = |module: &[String]| match module {
        [first, second, ..] if first == SHELF && shelved.contains(second) => format!("{first}::{second}"),
        [first, ..] => first.clone(),
        [] => String::new(),
    };
    let edge = |path: &Path| Some((top(&path.module), top(&path.within_crate()?)));
    // The root names all, and its own items are no module.
    named.filter_map(edge).filter(|(from, to)| from != to && !from.is_empty()).collect()
}

/// The same for the parts of one module of the library: the files and folders beside its `mod.rs`.
fn edges_within<'s>(
    module: &str,
    sources: impl IntoIterator<Item = &'s Source>,
) -> BTreeSet<(String, String)> {
    let part = |path: &[String]| match path {
        [first, part, ..] if first == module => Some(part.clone()),
        _ => None,
    };
    let named = sources.into_iter().flat_map(|source| &source.paths);
    let edge = |path: &Path| Some((part(&path.module)?, part(&path.within_crate()?)?));
    named.filter_map(edge).filter(|(from, to)| from != to).collect()
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
    each(source, |path| (path.names == ["test"]).then(|| "tests are in tests/it".to_owned()))
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
fn imports_of_the_library_have_no_circle() {
    let edges = edges(sources().iter().filter(|source| is_library(source)));
    assert!(edges.len() > 30 && circles(&edges).is_empty(), "{:?}", circles(&edges));
}

#[test]
fn imports_within_a_module_have_no_circle() {
    let mut all = 0;
    for (module, _) in TABLE {
        let edges = edges_within(module, sources().iter().filter(|source| is_library(source)));
        assert!(circles(&edges).is_empty(), "{module}: {:?}", circles(&edges));
        all += edges.len();
    }
    assert!(all > 200, "{all}");
}

#[test]
fn imports_of_programs_have_no_circle() {
    for program in PROGRAMS {
        let edges = edges(sources().iter().filter(|source| source.file.starts_with(program)));
        assert!(!edges.is_empty() && circles(&edges).is_empty(), "{program}: {:?}", circles(&edges));
    }
}

#[test]
fn imports_of_the_developers_commands_have_no_circle() {
    let sources = read_folder("xtask/src", |file, text| Source::new("", file, text));
    let edges = edges(&sources);
    assert!(edges.len() > 20 && circles(&edges).is_empty(), "{:?}", circles(&edges));
}
