//! Integrity of a release of the page, checked before anything runs. `index.html` names the SHA-256 of its style, of
//! the app's modules and of its wasm, and these name the parts that are loaded later: files changed on the way, or half
//! updated, are refused. A worker's first script cannot be checked, since no browser supports it; that script checks
//! what it loads, except for modules, because workers have no import maps.

use crate::files::{OWN, Parts, file_of};
use anyhow::{Context, Result, ensure};
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Pieces of a program below this are bundled with the part's own code in one file: a request costs more than their
/// bytes, and together they compress better. A piece of several parts is in the file of each.
const SMALL: usize = 20_480;
/// Returns the value of `integrity` for contents.
pub fn of(contents: &[u8]) -> String {
    format!("sha256-{}", sha256(contents))
}

/// Returns a script without lines that are comments, and without indents.
pub fn without_comments(script: &str) -> String {
    let lines = script
        .lines()
        .map(str::trim_start)
        .filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

fn sha256(contents: &[u8]) -> String {
    BASE64_STANDARD.encode(Sha256::digest(contents))
}

/// Returns the value of `integrity` for a file.
pub fn of_file(file: &Path) -> Result<String> {
    Ok(of(&fs::read(file).with_context(|| {
        format!("cannot read {}", file.display())
    })?))
}

/// The element that starts the page, as named in `Trunk.toml`.
const BOOT: &str = "<script type=\"module\" src=\"./boot.js\"";
const END: &str = "</script>";

/// Adds the script that starts the page, with the files that it loads and their hashes. `app` is the folder of the
/// app's modules.
pub fn seal(html: &str, boot: &str, stage: &Path, app: &str) -> Result<String> {
    let mut modules = BTreeMap::new();
    for entry in fs::read_dir(stage.join(app))? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "js") {
            let name = path
                .file_name()
                .context("a module without a name")?
                .to_string_lossy();
            modules.insert(format!("./{app}/{name}"), of_file(&path)?);
        }
    }
    let main = format!("./{app}/app.js");
    let wasm = of_file(&stage.join(app).join("app_bg.wasm"))?;
    let preload = modules.get(&main).context("the app has no module")?;
    let scripts = format!(
        "<script type=\"importmap\">{}{END}\n<link rel=\"modulepreload\" href=\"{main}\" integrity=\"{preload}\">\n\
         <script type=\"module\" data-app=\"{main}\" data-wasm=\"./{app}/app_bg.wasm\" data-integrity=\"{wasm}\">{}{END}",
        // The import map comes first: browsers apply its hashes to the modules that they load after
        // it.
        json!({ "integrity": modules }),
        without_comments(boot),
    );
    let (before, after) = html
        .split_once(BOOT)
        .context("nothing starts the page that Trunk has made")?;
    let (_, after) = after.split_once(END).context("a script without an end")?;
    Ok([before, &scripts, after].concat())
}

/// Adds the Content-Security-Policy before anything that it applies to: the page's own files and inline scripts.
pub fn allow_own_scripts(html: &str) -> Result<String> {
    const CHARSET: &str = "<meta charset=\"utf-8\">";
    // After everything else has been written into the page: one changed letter of a script, and the
    // policy refuses it.
    let hashes: Vec<String> = inline_scripts(html).map(hash_of_script).collect();
    let policy = format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' {}; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
         require-trusted-types-for 'script'; trusted-types default",
        hashes.join(" ")
    );
    let (before, after) = html
        .split_once(CHARSET)
        .context("the page does not begin with its charset")?;
    let policy =
        format!("{CHARSET}\n<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
    Ok([before, &policy, after].concat())
}

fn inline_scripts(html: &str) -> impl Iterator<Item = &str> {
    let scripts = html
        .split("<script")
        .skip(1)
        .filter_map(|script| script.split_once(END)?.0.split_once('>'));
    scripts
        // Scripts with an address are allowed by `'self'`, and need no hash.
        .filter(|(attributes, _)| !attributes.contains(" src="))
        .map(|(_, contents)| contents)
}

/// Returns the name of an inline script in a Content-Security-Policy.
fn hash_of_script(script: &str) -> String {
    format!(
        "'sha256-{}'",
        BASE64_STANDARD.encode(Sha256::digest(script))
    )
}

/// Writes the script that loads the parts of the program `name`: the pieces of each part with their hashes, and
/// `parts.js`. The small pieces of a part and its own code become one file.
pub fn seal_parts(folder: &Path, name: &str, parts: &Parts) -> Result<()> {
    let mut pieces: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (part, files) in parts {
        let part = part.rsplit('/').next().unwrap_or(part);
        files
            .iter()
            .for_each(|piece| _ = pieces.entry(piece).or_default().insert(part));
    }
    let all: BTreeSet<&str> = pieces.values().flatten().copied().collect();
    // The lists are in every first download, so a part is a letter there and not a name.
    let letters: BTreeMap<&str, char> = all.into_iter().zip('a'..='z').collect();
    let (mut large, mut small, mut contents) =
        (Map::new(), String::new(), BTreeMap::<_, Vec<u8>>::new());
    // By name, so that a part's own code is last.
    for (piece, of) in pieces {
        let file = folder.join(format!("{piece}.wasm"));
        let bytes = fs::read(&file).with_context(|| format!("there is no {}", file.display()))?;
        let of_parts: String = of.iter().filter_map(|part| letters.get(part)).collect();
        // `zip` ends with the 26th letter, so further parts have none.
        ensure!(of_parts.len() == of.len(), "more parts than letters");
        if !piece.starts_with(OWN) {
            if bytes.len() >= SMALL {
                large.insert(format!("{piece}.wasm"), json!([of_parts, sha256(&bytes)]));
                continue;
            }
            write!(small, "{of_parts}{}", bytes.len())?;
        }
        of.iter()
            // The loader cuts the file at the lengths in `SMALL`, in the same order, which is that
            // of the names.
            .for_each(|&part| contents.entry(part).or_default().extend(&bytes));
        fs::remove_file(file)?;
    }
    let mut known = Map::new();
    let mut load = String::new();
    for (part, bytes) in contents {
        known.insert(part.to_owned(), json!([letters[part], sha256(&bytes)]));
        write!(load, "\n{LOAD}{part} = loader(\"{part}\");")?;
        fs::write(folder.join(file_of(part)), bytes)?;
    }
    // The splitting tool's script is replaced as a whole: the checks below notice if another
    // version of the tool writes something else.
    let script = folder.join("__wasm_split.js");
    let before = fs::read_to_string(&script)?;
    ensure!(
        before.contains(IMPORTS),
        "pieces import from elsewhere than the program"
    );
    ensure!(
        before.matches(LOAD).count() == known.len(),
        "parts of which nothing is known"
    );
    let head = format!(
        "import {{ initSync }} from \"./{name}.js\";\nconst PARTS = {};\nconst LARGE = {};\nconst SMALL = \"{small}\";\n",
        Value::Object(known),
        Value::Object(large)
    );
    Ok(fs::write(script, head + &without_comments(LOADER) + &load)?)
}

const LOADER: &str = include_str!("../parts.js");
/// From where pieces import, in the script that is replaced.
const IMPORTS: &str = "sharedImports = { __wasm_split: {  } };";
const LOAD: &str = "export const __wasm_split_load_";

pub fn start(folder: &Path, name: &str) -> Result<String> {
    let wasm = format!("{name}_bg.wasm");
    let hash = of_file(&folder.join(&wasm))?;
    Ok(format!(
        "import init from \"./{name}.js\";\nconst wasm = fetch(new URL(\"./{wasm}\", import.meta.url), {{ integrity: \
         \"{hash}\" }});\nawait init({{ module_or_path: wasm }});\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("packscope-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("app-1")).unwrap();
        folder
    }

    #[test]
    fn hashes_are_those_that_browsers_know() {
        // From the specification of Subresource Integrity: the SHA-256 of `alert('Hello, world.');`.
        let known = "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=";
        assert_eq!(of(b"alert('Hello, world.');"), known);
    }

    #[test]
    fn the_page_allows_its_own_scripts_and_no_others() {
        let stage = folder("seal");
        fs::write(stage.join("app-1/app.js"), "export default 1").unwrap();
        fs::write(stage.join("app-1/app_bg.wasm"), "x").unwrap();
        let html = format!(
            "<meta charset=\"utf-8\">{BOOT} data-app=\"./app-2.js\"></script><script src=\"./x.js\"></script><script>reload()</script>"
        );
        let sealed = seal(&html, "// Why.\ngo();\n", &stage, "app-1").unwrap();
        let sealed = allow_own_scripts(&sealed).unwrap();
        assert!(
            sealed.contains(&format!(
                "\"./app-1/app.js\":\"{}\"",
                of(b"export default 1")
            )),
            "{sealed}"
        );
        assert!(
            sealed.contains(&format!("data-integrity=\"{}\">go();</script>", of(b"x"))),
            "{sealed}"
        );
        assert!(
            !sealed.contains("boot.js") && !sealed.contains("app-2"),
            "{sealed}"
        );
        let scripts: Vec<&str> = inline_scripts(&sealed).collect();
        assert_eq!(
            (scripts.len(), scripts[1], scripts[2]),
            (3, "go();", "reload()")
        );
        let policy = sealed
            .split_once("script-src 'self'")
            .unwrap()
            .1
            .split_once(';')
            .unwrap()
            .0;
        assert_eq!(policy.matches("sha256-").count(), 3);
        for script in scripts {
            assert!(policy.contains(&hash_of_script(script)), "{script}");
        }
        fs::remove_dir_all(stage).unwrap();
    }

    #[test]
    fn every_part_is_told_what_it_must_be() {
        let stage = folder("parts");
        let out = stage.join("app-1");
        let (small, large, own) = ("s".repeat(10), "l".repeat(SMALL), "o".repeat(SMALL));
        let pieces = [
            ("chunk_1", &small),
            ("chunk_2", &large),
            ("split_x", &own),
            ("split_y", &own),
        ];
        for (name, contents) in pieces {
            fs::write(out.join(format!("{name}.wasm")), contents).unwrap();
        }
        fs::write(
            out.join("__wasm_split.js"),
            format!("{IMPORTS}{LOAD}x{LOAD}y"),
        )
        .unwrap();
        let files = |names: [&str; 3]| names.map(str::to_owned).to_vec();
        let parts = Parts::from([
            ("app/x".to_owned(), files(["chunk_1", "chunk_2", "split_x"])),
            ("app/y".to_owned(), files(["split_y", "chunk_2", "chunk_1"])),
        ]);
        seal_parts(&out, "app", &parts).unwrap();
        let script = fs::read_to_string(out.join("__wasm_split.js")).unwrap();
        let script = script.replace(&without_comments(LOADER), "loader");
        let together = small + &own;
        let hash = |contents: &str| sha256(contents.as_bytes());
        let own = hash(&together);
        assert_eq!(
            script.lines().collect::<Vec<_>>(),
            [
                "import { initSync } from \"./app.js\";",
                &format!("const PARTS = {{\"x\":[\"a\",\"{own}\"],\"y\":[\"b\",\"{own}\"]}};"),
                &format!(
                    "const LARGE = {{\"chunk_2.wasm\":[\"ab\",\"{}\"]}};",
                    hash(&large)
                ),
                "const SMALL = \"ab10\";",
                "loader",
                "export const __wasm_split_load_x = loader(\"x\");",
                "export const __wasm_split_load_y = loader(\"y\");",
            ]
        );
        for part in ["x", "y"] {
            assert_eq!(
                fs::read_to_string(out.join(file_of(part))).unwrap(),
                together
            );
            assert!(!out.join(format!("split_{part}.wasm")).exists());
        }
        assert!(out.join("chunk_2.wasm").exists() && !out.join("chunk_1.wasm").exists());
        fs::remove_dir_all(stage).unwrap();
    }
}
