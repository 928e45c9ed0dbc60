//! The contents of the page's programs: sections of their wasm, and code by crate.
//!
//! Crates are identified by function names, which the compiler's output has but the page's does not: inlined code
//! counts for the caller, and code later removed by wasm-opt is included.

use crate::page;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use wasmparser::{KnownCustom, Name, Parser, Payload};
use xshell::Shell;

/// The number of crates listed by name; the others are summed.
const NAMED: usize = 14;

#[derive(Debug, Default, PartialEq, Eq)]
struct Bytes {
    code: u64,
    data: u64,
    rest: u64,
    by_crate: BTreeMap<String, u64>,
}

/// Returns a table of sections, and one of crates, with a column for each program.
pub fn table(sh: &Shell) -> Result<String> {
    let mut columns = Vec::new();
    for (name, built) in page::built(sh) {
        columns.push((
            name,
            of_module(&read(&built)?).with_context(|| format!("reading {name}"))?,
        ));
    }
    let head = |first: &str| {
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        format!(
            "| {first} | {} |\n|---|{}\n",
            names.join(" | "),
            "---:|".repeat(names.len())
        )
    };
    let row = |name: &str, of: &dyn Fn(&Bytes) -> u64| {
        let cells: Vec<String> = columns
            .iter()
            .map(|(_, bytes)| kilobytes(of(bytes)))
            .collect();
        format!("| {name} | {} |\n", cells.join(" | "))
    };
    let mut text = head("section") + &row("code", &|b| b.code) + &row("data", &|b| b.data);
    write!(
        text,
        "{}\n{}",
        row("tables, exports, names", &|b| b.rest),
        head("code of")
    )?;
    let mut sums = BTreeMap::<&str, u64>::new();
    for (name, bytes) in columns.iter().flat_map(|(_, bytes)| &bytes.by_crate) {
        *sums.entry(name).or_default() += bytes;
    }
    let mut names: Vec<&str> = sums.keys().copied().collect();
    // By the sum over both programs, so that both columns have the same rows.
    names.sort_by_key(|name| std::cmp::Reverse(sums[name]));
    let (named, others) = names.split_at(names.len().min(NAMED));
    for name in named {
        text += &row(name, &|b| {
            b.by_crate.get(*name).copied().unwrap_or_default()
        });
    }
    let other = |b: &Bytes| others.iter().filter_map(|name| b.by_crate.get(*name)).sum();
    Ok(text + &row(&format!("{} others", others.len()), &other))
}

fn read(file: &Path) -> Result<Vec<u8>> {
    std::fs::read(file).with_context(|| {
        format!(
            "{} is missing: run `cargo xtask dist` first",
            file.display()
        )
    })
}

fn length(range: &std::ops::Range<u64>) -> u64 {
    range.end - range.start
}

fn kilobytes(bytes: u64) -> String {
    if bytes == 0 {
        "–".to_owned()
    } else {
        format!("{:.1}", bytes as f64 / 1e3)
    }
}

fn of_module(wasm: &[u8]) -> Result<Bytes> {
    let (mut imported, mut bodies, mut names) = (0, Vec::new(), BTreeMap::new());
    let mut bytes = Bytes::default();
    for payload in Parser::new(0).parse_all(wasm) {
        match payload? {
            Payload::ImportSection(section) => {
                bytes.rest += length(&section.range());
                for import in section.into_imports() {
                    imported += u32::from(matches!(import?.ty, wasmparser::TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionStart { range, .. } => bytes.code = length(&range),
            Payload::CodeSectionEntry(body) => bodies.push(length(&body.range())),
            Payload::DataSection(section) => bytes.data = length(&section.range()),
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(section) = section.as_known() {
                    for name in section {
                        if let Name::Function(functions) = name? {
                            for function in functions {
                                let function = function?;
                                names.insert(function.index, crate_of(function.name));
                            }
                        }
                    }
                }
            }
            other => bytes.rest += other.as_section().map_or(0, |(_, range)| length(&range)),
        }
    }
    // Functions are numbered from the imported ones on, which have no body.
    for (i, body) in (imported..).zip(bodies) {
        let name = names.get(&i).map_or("no name", String::as_str);
        *bytes.by_crate.entry(name.to_owned()).or_default() += body;
    }
    Ok(bytes)
}

/// Returns the crate of a function: the first name that is a path, as alloc in `<alloc::vec::Vec<T> as Drop>::drop`.
fn crate_of(name: &str) -> String {
    let plain = format!("{:#}", rustc_demangle::demangle(name));
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    // The last part is the function itself, without `::` behind it, and so no crate.
    let before: Vec<&str> = plain.split("::").collect();
    let path = before.split_last().map_or(&[][..], |(_, before)| before);
    let first = path
        .iter()
        .map(|part| part.rsplit(|c| !is_name(c)).next().unwrap_or_default());
    first
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .next()
        .unwrap_or_else(|| "no crate".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_belong_to_the_crate_that_they_are_written_in() {
        let of = [
            (
                "_ZN9packscope7packing5lpfhp4pack17h0123456789abcdefE",
                "packscope",
            ),
            (
                "_ZN66_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h0123456789abcdefE",
                "alloc",
            ),
            ("_RNvNtCs1234_7mycrate3foo3bar", "mycrate"),
            (
                "_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$17h0123456789abcdefE",
                "core",
            ),
            ("memcpy", "no crate"),
        ];
        for (name, wanted) in of {
            assert_eq!(crate_of(name), wanted, "{name}");
        }
    }

    /// The code section has `(func)` with an empty body, in a crate identified by its name.
    #[test]
    fn code_is_counted_by_crate() {
        let mut wasm =
            b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x03\x02\x01\0\x0a\x04\x01\x02\0\x0b".to_vec();
        let name = b"_ZN9packscope3run17h0123456789abcdefE";
        let list = [&[1, 0, name.len() as u8][..], name].concat();
        let section = [&b"\x04name\x01"[..], &[list.len() as u8], &list].concat();
        wasm.extend([&[0, section.len() as u8][..], &section].concat());
        let bytes = of_module(&wasm).unwrap();
        assert_eq!(
            bytes.by_crate,
            BTreeMap::from([("packscope".to_owned(), 2)])
        );
        assert_eq!((bytes.code, bytes.data), (4, 0));
    }
}
