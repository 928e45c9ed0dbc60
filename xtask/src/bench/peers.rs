//! Other packers beside ours, in one table.

use crate::peers;
use anyhow::Result;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use xshell::{Shell, cmd};

/// Times packers in Rust and in Python on the same lists; returns the output.
pub fn measure(sh: &Shell, folder: &Path) -> Result<String> {
    let rust = cmd!(
        sh,
        "cargo run --quiet --release --package packscope-benches -- peers {folder}"
    )
    .read()?;
    let python = peers::with_peers(sh)?;
    let theirs = cmd!(sh, "{python} benches/peers.py {folder}")
        .env("HF_HUB_OFFLINE", "1")
        .read()?;
    Ok(rust + "\n" + &theirs)
}

/// A line `PEER who algorithm items milliseconds packs`.
struct Line<'a> {
    who: &'a str,
    algorithm: &'a str,
    items: u64,
    ms: f64,
    packs: u64,
}

fn line(line: &str) -> Option<Line<'_>> {
    let words: Vec<&str> = line.strip_prefix("PEER ")?.split_whitespace().collect();
    let [who, algorithm, items, ms, packs] = words[..] else {
        return None;
    };
    let (items, ms, packs) = (items.parse().ok()?, ms.parse().ok()?, packs.parse().ok()?);
    Some(Line {
        who,
        algorithm,
        items,
        ms,
        packs,
    })
}

const OURS: (&str, &str) = ("packscope", "best-fit-decreasing");

/// Writes the table: each packer with its ratio to ours on the same sequences.
pub fn table(text: &mut String, lines: &str) -> Result<()> {
    let lines: Vec<Line> = lines.lines().filter_map(line).collect();
    let ours = lines
        .iter()
        .filter(|line| (line.who, line.algorithm) == OURS);
    let ours: BTreeMap<u64, (f64, u64)> = ours
        .map(|line| (line.items, (line.ms, line.packs)))
        .collect();
    writeln!(text, "## Other packers\n")?;
    writeln!(
        text,
        "Sequences as long as Wikipedia's, in a random order, limit 512, no limit of depth. Medians, milliseconds, from the list\n\
         of lengths to the pack of every sequence. `seqpacker` and `bin-packing` are crates, `seqpacker/Python` the package of the\n\
         same name, TRL its `pack_dataset`, which packs within batches of 1,000 and copies the tokens. Ratios are to Packscope's\n\
         best-fit decreasing on the same list.\n"
    )?;
    writeln!(
        text,
        "| packer | algorithm | sequences | packs | more packs | ms | ÷ ours |"
    )?;
    writeln!(text, "|---|---|---:|---:|---:|---:|---:|")?;
    for Line {
        who,
        algorithm,
        items,
        ms,
        packs,
    } in &lines
    {
        let Some((our_ms, our_packs)) = ours.get(items) else {
            continue;
        };
        let more = 100.0 * (*packs as f64 / *our_packs as f64 - 1.0);
        let ratio = ms / our_ms;
        writeln!(
            text,
            "| {who} | {algorithm} | {items} | {packs} | {more:+.2} % | {ms:.2} | {ratio:.1} |"
        )?;
    }
    Ok(writeln!(text)?)
}

#[cfg(test)]
mod tests {
    #[test]
    fn each_stands_beside_ours_on_the_same_sequences() {
        let lines = "PEER packscope best-fit-decreasing 10 2.0 4\nPEER other x 10 5.0 5\nnoise\nPEER other x 99 5.0 5\n";
        let mut text = String::new();
        super::table(&mut text, lines).unwrap();
        assert!(
            text.contains("| packscope | best-fit-decreasing | 10 | 4 | +0.00 % | 2.00 | 1.0 |\n"),
            "{text}"
        );
        assert!(
            text.contains("| other | x | 10 | 5 | +25.00 % | 5.00 | 2.5 |\n")
                && !text.contains("99"),
            "{text}"
        );
    }
}
