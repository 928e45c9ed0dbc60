//! docs/TRAINERS.md lists every library as in the tables. `PACKSCOPE_README=write` updates it.

use packscope::trainer::{Library, LibraryFamily, PackingLibraries, batches, graphs};
use std::fmt::Write;

const KEPT: &str = "docs/TRAINERS.md";

const HEAD: &str = "# Training libraries

What each library does with sequences or graphs of many sizes, as its own code was read, and simulated. One release or one
commit is the source of each; it is compared with that code row by row, or with a transcription of it, in
`cargo xtask test --all`, and `cargo xtask trainers` tells which have changed since. `packscope trainer` and \"What does your
trainer do\" on the page apply it to your data. This file is written from the tables in `crates/packscope/src/trainer`, and tested to equal them.
To add a library, see [CONTRIBUTING.md](../CONTRIBUTING.md).

Of each setting: its default, in brackets the value at which libraries are compared where it is another (that which turns
packing on), and what it does. One library by itself begins at its defaults.
";

/// Text within a cell of a Markdown table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn library<K: LibraryFamily>(text: &mut String, library: &Library<K>) {
    let read = &library.read;
    let [title, address] = [library.title, &read.address()];
    write!(
        text,
        "\n### {title}\n\n`{}` · [{read}]({address}), read on {}: {}\n",
        library.id, read.date, read.path
    )
    .unwrap();
    if !library.settings.is_empty() {
        text.push_str("\n| setting | default | |\n|---|---|---|\n");
    }
    for setting in library.settings {
        let start =
            (setting.start != setting.usual).then(|| format!(" (`{}`)", cell(setting.start)));
        let [name, usual, about] = [setting.name, setting.usual, setting.about].map(cell);
        writeln!(
            text,
            "| `{name}` | `{usual}`{} | {about} |",
            start.unwrap_or_default()
        )
        .unwrap();
    }
    if !library.note.is_empty() {
        write!(text, "\n{}\n", library.note).unwrap();
    }
}

fn libraries<K: LibraryFamily>(text: &mut String, heading: &str) {
    write!(text, "\n## {heading}\n").unwrap();
    K::ALL.iter().for_each(|one| library(text, one));
}

#[test]
fn the_document_of_libraries_is_that_of_the_tables() {
    let mut text = HEAD.to_owned();
    libraries::<PackingLibraries>(&mut text, "Packing sequences into rows");
    libraries::<batches::SamplerLibraries>(&mut text, "Making batches of sequences");
    libraries::<graphs::GraphLibraries>(&mut text, "Loading graphs");
    let path = concat!(
        concat!(env!("CARGO_MANIFEST_DIR"), "/../.."),
        "/docs/TRAINERS.md"
    );
    if std::env::var_os("PACKSCOPE_README").is_some_and(|way| way == "write") {
        std::fs::write(path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap();
    assert!(
        kept == text,
        "{KEPT} is out of date; PACKSCOPE_README=write writes today's"
    );
}
