//! Integrity of a release of the page, checked before anything runs. `index.html` names the SHA-384 of its style, of
//! the app's modules and of its wasm, and these name the parts that are loaded later: files changed on the way, or half
//! updated, are refused. A worker's first script cannot be checked, since no browser supports it; that script checks
//! what it loads, except for modules, because workers have no import maps.

use crate::page::Parts;
use crate::size;
use anyhow::{Context, Result, ensure};
use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256, Sha384};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Pieces of a program below this are bundled with the part's own code in one file: a request costs more than their
/// bytes, and together they compress better. A piece of several parts is in the file of each.
const SMALL: u64 = 8192;
/// Prefix of the names of pieces that belong to one part.
const OWN: &str = "split_";

/// Returns the name of a part's file.
pub fn file_of(part: &str) -> String {
    format!("{OWN}{part}.bin")
}

/// Returns the value of `integrity` for contents.
pub fn of(contents: &[u8]) -> String {
    format!("sha384-{}", BASE64_STANDARD.encode(Sha384::digest(contents)))
}

/// Returns the value of `integrity` for a file.
pub fn of_file(file: &Path) -> Result<String> {
    Ok(of(&fs::read(file).with_context(|| format!("cannot read {}", file.display()))?))
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
            let name = path.file_name().context("a module without a name")?.to_string_lossy();
            modules.insert(format!("./{app}/{name}"), of_file(&path)?);
        }
    }
    let main = format!("./{app}/app.js");
    let wasm = of_file(&stage.join(app).join("app_bg.wasm"))?;
    let preload = modules.get(&main).context("the app has no module")?;
    let boot: Vec<&str> = boot.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let scripts = format!(
        "<script type=\"importmap\">{}{END}\n<link rel=\"modulepreload\" href=\"{main}\" integrity=\"{preload}\">\n\
         <script type=\"module\" data-app=\"{main}\" data-wasm=\"./{app}/app_bg.wasm\" data-integrity=\"{wasm}\">{}{END}",
        serde_json::json!({ "integrity": modules }),
        boot.join("\n"),
    );
    let (before, after) = html.split_once(BOOT).context("nothing starts the page that Trunk has made")?;
    let (_, after) = after.split_once(END).context("a script without an end")?;
    Ok([before, &scripts, after].concat())
}

/// Adds the Content-Security-Policy before anything that it applies to: the page's own files and inline scripts.
pub fn allow_own_scripts(html: &str) -> Result<String> {
    const CHARSET: &str = "<meta charset=\"utf-8\">";
    let hashes: Vec<String> = inline_scripts(html).map(hash_of_script).collect();
    let policy = format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' {}; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
         require-trusted-types-for 'script'; trusted-types default",
        hashes.join(" ")
    );
    let (before, after) = html.split_once(CHARSET).context("the page does not begin with its charset")?;
    let policy = format!("{CHARSET}\n<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
    Ok([before, &policy, after].concat())
}

/// Returns the inline scripts of a page.
fn inline_scripts(html: &str) -> impl Iterator<Item = &str> {
    let scripts =
        html.split("<script").skip(1).filter_map(|script| script.split_once(END)?.0.split_once('>'));
    scripts.filter(|(attributes, _)| !attributes.contains(" src=")).map(|(_, contents)| contents)
}

/// Returns the name of an inline script in a Content-Security-Policy.
fn hash_of_script(script: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(script)))
}

/// Gives the loader of a program's parts their hashes, and lets it find a part's own code in one file with the small
/// pieces that it shares with others.
pub fn seal_parts(folder: &Path, parts: &Parts) -> Result<()> {
    let loader = folder.join("__wasm_split.js");
    let mut script = fs::read_to_string(&loader)?;
    let mut files = Vec::new();
    size::collect(folder, &mut files)?;
    files.sort();
    let mut small = BTreeMap::new();
    for file in files {
        let name = file.file_name().context("a part without a name")?.to_string_lossy().into_owned();
        let fetched = format!("fetch(new URL(\"./{name}\", import.meta.url))");
        if !script.contains(&fetched) {
            continue;
        }
        let contents = fs::read(&file)?;
        let sealed = if name.starts_with(OWN) || fs::metadata(&file)?.len() < SMALL {
            let stem = name.trim_end_matches(".wasm").to_owned();
            let sealed = format!("piece(\"{stem}\")");
            small.insert(stem, contents);
            fs::remove_file(&file)?;
            sealed
        } else {
            fetch(&name, &contents)
        };
        script = script.replace(&fetched, &sealed);
    }
    if !small.is_empty() {
        script = together(&script, folder, parts, &small)?;
    }
    Ok(fs::write(loader, script)?)
}

/// Writes the small pieces of each part into one file, and returns the script that finds them there: in a file already
/// requested, or in the file of the wanted part.
fn together(script: &str, folder: &Path, parts: &Parts, small: &BTreeMap<String, Vec<u8>>) -> Result<String> {
    let mut script = script.to_owned();
    let mut bundles = String::new();
    for (part, files) in parts {
        let part = part.rsplit('/').next().unwrap_or(part);
        let (mut bytes, mut places) = (Vec::new(), Vec::new());
        for (name, contents) in files.iter().filter_map(|file| small.get_key_value(file)) {
            places.push(format!("{name}: [{}, {}]", bytes.len(), bytes.len() + contents.len()));
            bytes.extend(contents);
        }
        if bytes.is_empty() {
            continue;
        }
        let name = file_of(part);
        writeln!(
            bundles,
            "    {part}: {{ load: () => {}, places: {{ {} }} }},",
            fetch(&name, &bytes),
            places.join(", ")
        )?;
        fs::write(folder.join(name), bytes)?;
        let load = format!("__wasm_split_load_{part} = ");
        let plain = format!("{load}wrapAsyncCb(");
        ensure!(script.contains(&plain), "nothing loads {part}");
        script = script.replace(&plain, &format!("{load}wanting(\"{part}\", "));
    }
    Ok(format!("{script}const bundles = {{\n{bundles}}};\n{PIECES}"))
}

fn fetch(name: &str, contents: &[u8]) -> String {
    format!("fetch(new URL(\"./{name}\", import.meta.url), {{ integrity: \"{}\" }})", of(contents))
}

/// Returns a small piece from a file already requested, or from the file of the part being loaded; retries failures. A
/// part that has arrived does not fail with another part whose file was to bring their common pieces.
const PIECES: &str = r#"let wanted;
function wanting(part, load) {
    const attempt = () => {
        wanted = part;
        return load();
    };
    return wrapAsyncCb(() => attempt().catch(async (error) => {
        if (!bundles[part].coming) throw error;
        await bundles[part].coming;
        await new Promise((next) => setTimeout(next));
        return attempt();
    }));
}
async function piece(name) {
    const own = bundles[wanted];
    const coming = Object.values(bundles).find((bundle) => bundle.coming && name in bundle.places);
    const bundle = own.coming ? own : coming ?? own;
    bundle.coming ??= bundle.load().then((response) => response.arrayBuffer());
    bundle.coming.catch(() => { bundle.coming = undefined; });
    const bytes = await bundle.coming;
    return new Response(bytes.slice(...bundle.places[name]), { headers: { "Content-Type": "application/wasm" } });
}
"#;

/// Returns the first script of a worker.
pub fn start(folder: &Path, name: &str) -> Result<String> {
    let wasm = format!("{name}_bg.wasm");
    let fetch = fetch(&wasm, &fs::read(folder.join(&wasm))?);
    Ok(format!("import init from \"./{name}.js\";\nawait init({{ module_or_path: {fetch} }});\n"))
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
        // From the specification of Subresource Integrity: the SHA-384 of `alert('Hello, world.');`.
        let known = "sha384-H8BRh8j48O9oYatfu5AZzq6A9RINhZO5H16dQZngK7T62em8MUt1FLm52t+eX6xO";
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
        assert!(sealed.contains(&format!("\"./app-1/app.js\":\"{}\"", of(b"export default 1"))), "{sealed}");
        assert!(sealed.contains(&format!("data-integrity=\"{}\">go();</script>", of(b"x"))), "{sealed}");
        assert!(!sealed.contains("boot.js") && !sealed.contains("app-2"), "{sealed}");
        let scripts: Vec<&str> = inline_scripts(&sealed).collect();
        assert_eq!((scripts.len(), scripts[1], scripts[2]), (3, "go();", "reload()"));
        let policy = sealed.split_once("script-src 'self'").unwrap().1.split_once(';').unwrap().0;
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
        let (small, large, own) = ("s".repeat(10), "l".repeat(9000), "o".repeat(9000));
        let names = ["chunk_1", "chunk_2", "split_x"];
        for (name, contents) in names.iter().zip([&small, &large, &own]) {
            fs::write(out.join(format!("{name}.wasm")), contents).unwrap();
        }
        let loader = names.map(|n| format!("() => fetch(new URL(\"./{n}.wasm\", import.meta.url));\n"));
        let exports =
            ["x", "y"].map(|part| format!("export const __wasm_split_load_{part} = wrapAsyncCb(load);\n"));
        fs::write(out.join("__wasm_split.js"), loader.concat() + &exports.concat()).unwrap();
        let parts = Parts::from([
            ("app/x".to_owned(), names.map(str::to_owned).into()),
            ("app/y".to_owned(), ["chunk_1", "chunk_2"].map(str::to_owned).into()),
            ("app/z".to_owned(), ["chunk_2".to_owned()].into()),
        ]);
        seal_parts(&out, &parts).unwrap();
        let script = fs::read_to_string(out.join("__wasm_split.js")).unwrap();
        for loaded in ["() => piece(\"chunk_1\");", "() => piece(\"split_x\");"] {
            assert!(script.contains(loaded), "{script}");
        }
        for (part, places) in [("x", "chunk_1: [0, 10], split_x: [10, 9010]"), ("y", "chunk_1: [0, 10]")] {
            assert!(
                script.contains(&format!("__wasm_split_load_{part} = wanting(\"{part}\", load);")),
                "{script}"
            );
            assert!(script.contains(&format!("places: {{ {places} }}")), "{script}");
        }
        let files = [("chunk_2.wasm", large), ("split_x.bin", small.clone() + &own), ("split_y.bin", small)];
        for (name, contents) in files {
            assert_eq!(fs::read_to_string(out.join(name)).unwrap(), contents);
            let told =
                format!("./{name}\", import.meta.url), {{ integrity: \"{}\" }})", of(contents.as_bytes()));
            assert!(script.contains(&told), "{script}");
        }
        assert!(!out.join("split_x.wasm").exists() && !script.contains("import.meta.url));"), "{script}");
        assert!(!out.join("split_z.bin").exists());
        fs::remove_dir_all(stage).unwrap();
    }
}
