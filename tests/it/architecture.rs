//! Who may import whom: the table of `src/README.md`, enforced.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Module → modules of the library that it may name. Everything may name `error`, `words` and `order`.
fn table() -> BTreeMap<&'static str, &'static [&'static str]> {
    BTreeMap::from([
        ("error", &[][..]),
        ("words", &[]),
        ("order", &[]),
        ("rng", &[]),
        ("histogram", &["rng"]),
        ("ingest", &["histogram"]),
        ("plan", &["histogram"]),
        ("bounds", &["histogram", "rng"]),
        ("lp", &["bounds", "histogram", "rng"]),
        ("packing", &["bounds", "histogram", "lp", "plan", "rng"]),
        ("sampler", &["histogram", "packing", "rng"]),
        ("metrics", &["bounds", "histogram", "plan", "sampler"]),
        ("cost", &["histogram", "metrics", "rng", "sampler"]),
        ("sweep", &["histogram"]),
        ("api", &["bounds", "cost", "histogram", "metrics", "packing", "plan", "sampler", "sweep"]),
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
                "sweep",
                "tokens",
            ],
        ),
        ("export", &["api", "cost", "histogram", "ingest", "metrics", "packing", "plan", "rng", "sampler"]),
        ("chart", &["api", "cost", "histogram", "packing", "sampler"]),
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
                "state",
                "sweep",
            ],
        ),
        ("split", &[]),
        ("tokens", &["ingest"]),
        (
            "wire",
            &[
                "api",
                "cost",
                "export",
                "histogram",
                "ingest",
                "metrics",
                "packing",
                "sampler",
                "sweep",
                "tokens",
            ],
        ),
    ])
}

/// Crates of the web and of drawing, and who may name them.
const FOREIGN: [(&str, &[&str]); 9] = [
    ("yew", &["bin/app"]),
    ("gloo_", &["bin/app"]),
    ("web_sys", &["bin/app", "bin/reader", "bin/worker"]),
    ("js_sys", &["bin/app", "bin/reader", "bin/worker"]),
    ("wasm_bindgen", &["bin/app", "bin/reader", "bin/worker"]),
    ("plotters_canvas", &["bin/app"]),
    ("plotters_svg", &["chart"]),
    ("plotters", &["bin/app", "chart"]),
    ("clap", &["bin/packscope"]),
];

/// What would make the same request give another report on another machine.
const IMPURE: [&str; 7] =
    ["std::time", "std::thread", "std::fs", "std::env", "std::process", "HashMap", "HashSet"];

fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(&root).unwrap().to_owned(), text));
            }
        }
    }
    assert!(found.len() > 30);
    found
}

/// Code without comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim_start().starts_with("//"))
}

#[test]
fn modules_import_only_what_the_table_allows() {
    let table = table();
    for (path, text) in sources() {
        let module = path.components().next().unwrap().as_os_str().to_str().unwrap();
        let module = module.strip_suffix(".rs").unwrap_or(module);
        if matches!(module, "bin" | "lib") {
            continue;
        }
        let allowed = table.get(module).unwrap_or_else(|| panic!("{module} is not in the table"));
        for line in code(&text) {
            for name in line.split("crate::").skip(1) {
                let name: String = name.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
                let own =
                    name == module || ["error", "words", "order"].contains(&name.as_str()) || name.is_empty();
                assert!(own || allowed.contains(&name.as_str()), "{} imports {name}: {line}", path.display());
            }
        }
    }
}

#[test]
fn only_shells_name_the_web_and_only_charts_draw() {
    for (path, text) in sources() {
        let path = path.to_str().unwrap().replace('\\', "/");
        for line in code(&text) {
            for (foreign, allowed) in FOREIGN {
                let named = line.contains(&format!("{foreign}::"))
                    || (foreign.ends_with('_') && line.contains(foreign));
                // plotters_canvas:: is not plotters::, but contains no "plotters::" either.
                assert!(!named || allowed.iter().any(|a| path.starts_with(a)), "{path}: {line}");
            }
        }
    }
}

#[test]
fn the_engine_is_pure() {
    for (path, text) in sources() {
        if path.starts_with("bin") {
            continue;
        }
        for line in code(&text) {
            for impure in IMPURE {
                assert!(!line.contains(impure), "{}: {line}", path.display());
            }
        }
    }
}

#[test]
fn functions_fit_a_screen_and_files_are_short() {
    for (path, text) in sources() {
        assert!(text.lines().count() <= 420, "{} is too long", path.display());
        let mut start = None;
        for (i, line) in text.lines().enumerate() {
            let indent = line.len() - line.trim_start().len();
            let words = line.trim_start();
            let begins =
                ["fn ", "pub fn ", "pub(super) fn ", "async fn "].iter().any(|p| words.starts_with(p));
            if begins && line.ends_with('{') {
                start = Some((i, indent));
            } else if let Some((from, at)) = start
                && words == "}"
                && indent == at
            {
                assert!(
                    i - from < 76,
                    "{}: a function of {} lines at line {}",
                    path.display(),
                    i - from,
                    from + 1
                );
                start = None;
            }
        }
    }
}
