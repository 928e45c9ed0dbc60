//! Short names between a program and its script. wasm-bindgen ends each name with a hash, which does not compress and
//! stands in both files: 8 kB as brotli until the page answers.

use anyhow::{Context, Result};
use regex::bytes::{Captures, Regex};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::fs;
use std::path::Path;
use wasm_encoder::reencode::{self, Reencode, utils};
use wasm_encoder::{ExportSection, ImportSection};
use wasmparser::{Export, Import, ImportSectionReader, Payload};

/// Prefix of the names of closures that a program exports.
const CLOSURE: &str = "wasm_bindgen__";

/// Shortens the names that `NAME_bg.wasm` and `NAME.js` in a folder share; takes comments and indents off the script.
pub fn shorten(folder: &Path, name: &str) -> Result<()> {
    let (program, script) = (
        folder.join(format!("{name}_bg.wasm")),
        folder.join(format!("{name}.js")),
    );
    let (wasm, text) = (
        fs::read(&program)?,
        without_comments(&fs::read_to_string(&script)?),
    );
    let mut short = Short::of(&wasm, &format!("./{name}_bg.js"), &text)?;
    // The program and its script change together: each alone would name what the other does not
    // have.
    fs::write(program, without_paths(short.program(&wasm)?)?)?;
    Ok(fs::write(script, short.script(&text))?)
}

/// Returns a script without lines that are comments, and without indents.
pub fn without_comments(script: &str) -> String {
    let lines = script
        .lines()
        .map(str::trim_start)
        .filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Blanks the paths of sources of other crates, which their panics would name: they differ by machine, and are 0.7 kB until
/// the page answers. Those of Packscope stay.
fn without_paths(wasm: Vec<u8>) -> Result<Vec<u8>> {
    let path = Regex::new(
        r"(?-u)(?:/rustc/[0-9a-f]{40}|(?:/[\w-]+)*/\.?[\w-]+/registry/src/[\w.-]+)/[\w./+-]+?\.rs",
    )?;
    Ok(path
        // As many spaces as the path had bytes: lengths and places of data in the program stay as
        // they are.
        .replace_all(&wasm, |path: &Captures| vec![b' '; path[0].len()])
        .into_owned())
}

/// Name → short name.
struct Short(BTreeMap<String, String>);

impl Short {
    /// Returns names that the script has not for all that a program imports from `module`, and for its closures.
    fn of(wasm: &[u8], module: &str, script: &str) -> Result<Self> {
        let mut names = Vec::new();
        for payload in wasmparser::Parser::new(0).parse_all(wasm) {
            match payload? {
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        let import = import?;
                        names.extend((import.module == module).then(|| import.name.to_owned()));
                    }
                }
                Payload::ExportSection(section) => {
                    for export in section {
                        let name = export?.name;
                        names.extend(name.starts_with(CLOSURE).then(|| name.to_owned()));
                    }
                }
                _ => {}
            }
        }
        let taken: BTreeSet<&str> = words(script).collect();
        // Counted up, and not hashes, which would not compress. A name that stands in the script
        // already would be two things.
        let free = (0..)
            .map(|number| format!("_{number:x}"))
            .filter(|name| !taken.contains(name.as_str()));
        Ok(Self(names.into_iter().zip(free).collect()))
    }

    fn get<'a>(&'a self, name: &'a str) -> &'a str {
        self.0.get(name).map_or(name, |short| short)
    }

    fn script(&self, script: &str) -> String {
        words(script).map(|word| self.get(word)).collect()
    }

    fn program(&mut self, wasm: &[u8]) -> Result<Vec<u8>> {
        let mut module = wasm_encoder::Module::new();
        self.parse_core_module(&mut module, wasmparser::Parser::new(0), wasm)
            .context("not a program")?;
        Ok(module.finish())
    }
}

impl Reencode for Short {
    type Error = Infallible;

    fn parse_import_section(
        &mut self,
        to: &mut ImportSection,
        section: ImportSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        section.into_imports().try_for_each(|import| {
            let import = import?;
            let name = self.get(import.name).to_owned();
            utils::parse_import(
                self,
                to,
                Import {
                    name: &name,
                    ..import
                },
            )
        })
    }

    fn parse_export(
        &mut self,
        to: &mut ExportSection,
        export: Export<'_>,
    ) -> Result<(), reencode::Error> {
        let name = self.get(export.name).to_owned();
        utils::parse_export(
            self,
            to,
            Export {
                name: &name,
                ..export
            },
        )
    }
}

/// Splits a script into names and all that is between them.
fn words(script: &str) -> impl Iterator<Item = &str> {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    script
        .split_inclusive(move |c| !part(c))
        .flat_map(move |word| {
            let (name, rest) = word.split_at(word.trim_end_matches(|c| !part(c)).len());
            [name, rest]
        })
}

#[cfg(test)]
mod tests {
    #[test]
    fn paths_of_others_are_blank_and_ours_stay() {
        let commit = "0".repeat(40);
        let others = format!(
            "/rustc/{commit}/library/core/src/cell.rs/home/me/.cargo/registry/src/index-1/yew-0.2/src/a.rs"
        );
        let text = format!("none{others}src/a/b.rs{others}src/state/mod.rsan end.rs");
        let blank = super::without_paths(text.clone().into_bytes()).expect("a pattern");
        assert_eq!(
            String::from_utf8_lossy(&blank),
            text.replace(&others, &" ".repeat(others.len()))
        );
    }

    use super::*;
    use wasm_encoder::{EntityType, ExportKind, FunctionSection, Module, TypeSection};

    #[test]
    fn a_program_and_its_script_agree_on_short_names() {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        let mut imports = ImportSection::new();
        for (module, name) in [
            ("./x_bg.js", "__wbg_get_12"),
            ("./parts.js", "load"),
            ("./x_bg.js", "__wbg_set_34"),
        ] {
            imports.import(module, name, EntityType::Function(0));
        }
        let mut exports = ExportSection::new();
        exports.export("main", ExportKind::Func, 0).export(
            "wasm_bindgen__h56",
            ExportKind::Func,
            1,
        );
        let mut module = Module::new();
        module
            .section(&types)
            .section(&imports)
            .section(&FunctionSection::new())
            .section(&exports);
        let script =
            "// Why.\n  __wbg_get_12: (_1) => wasm.wasm_bindgen__h56(__wbg_set_34x, load);";
        let wasm = module.finish();
        let mut short = Short::of(&wasm, "./x_bg.js", script).unwrap();
        let script = short.script(&without_comments(script));
        assert_eq!(script, "_0: (_1) => wasm._3(__wbg_set_34x, load);");
        let (mut imported, mut exported) = (Vec::new(), Vec::new());
        let wasm = short.program(&wasm).unwrap();
        for payload in wasmparser::Parser::new(0).parse_all(&wasm) {
            match payload.unwrap() {
                Payload::ImportSection(section) => {
                    imported.extend(section.into_imports().map(|i| i.unwrap().name))
                }
                Payload::ExportSection(section) => {
                    exported.extend(section.into_iter().map(|e| e.unwrap().name))
                }
                _ => {}
            }
        }
        assert_eq!(
            (imported, exported),
            (vec!["_0", "load", "_2"], vec!["main", "_3"])
        );
    }
}
