//! The size of each module: lines and public items in `tests/data/growth.csv`. A change that adds some must update the
//! file (`PACKSCOPE_README=write` does), so that reviewers see what it costs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const KEPT: &str = "tests/data/growth.csv";
/// What begins a public item of a module.
const ITEMS: [&str; 9] = ["const", "enum", "fn", "macro", "static", "struct", "trait", "type", "use"];

/// Module → lines, and public items.
type Sizes = BTreeMap<String, [usize; 2]>;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The module of the library, or the program, that a file is of.
fn module(file: &Path) -> String {
    let names: Vec<_> = file.iter().map(|name| name.to_string_lossy()).collect();
    let deep = if names[0] == "bin" { 2 } else { 1 };
    names[..deep].join("/").trim_end_matches(".rs").to_owned()
}

fn is_public(line: &str) -> bool {
    let item = line.trim_start().strip_prefix("pub ").and_then(|item| item.split_whitespace().next());
    item.is_some_and(|word| ITEMS.contains(&word) || ["async", "unsafe"].contains(&word))
}

fn today() -> Sizes {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut found, mut sizes) = (Vec::new(), Sizes::new());
    files(&src, &mut found);
    for file in found {
        let text = std::fs::read_to_string(&file).unwrap();
        let [lines, items] = sizes.entry(module(file.strip_prefix(&src).unwrap())).or_default();
        *lines += text.lines().count();
        *items += text.lines().filter(|line| is_public(line)).count();
    }
    sizes
}

#[test]
fn a_module_that_grows_says_so() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(KEPT);
    let today = today();
    if std::env::var_os("PACKSCOPE_README").is_some_and(|way| way == "write") {
        let rows = today.iter().map(|(module, [lines, items])| format!("{module},{lines},{items}\n"));
        return std::fs::write(file, format!("module,lines,public\n{}", rows.collect::<String>())).unwrap();
    }
    let kept = std::fs::read_to_string(file).unwrap();
    let row = |row: &str| {
        let [module, lines, items] = row.split(',').collect::<Vec<_>>()[..] else { panic!("{KEPT}: {row}") };
        (module.to_owned(), [lines.parse().unwrap(), items.parse().unwrap()])
    };
    let kept: Sizes = kept.lines().skip(1).map(row).collect();
    for (module, sizes) in today {
        let before = kept.get(&module).copied().unwrap_or_default();
        let grown = (0..2).any(|i| sizes[i] > before[i]);
        assert!(
            !grown,
            "{module} has {sizes:?} lines and public items, {before:?} in {KEPT}; PACKSCOPE_README=write"
        );
    }
}
