//! Timings of reading large files: the command line beside pandas, polars and Python's tokenizers, and the page.

use crate::{peers, tools};
use anyhow::Result;
use std::fmt::Write;
use std::path::Path;
use xshell::{Shell, cmd};

/// Reads 100 MB and a gigabyte with the command line and the others; returns the output.
pub fn measure(sh: &Shell, folder: &Path) -> Result<String> {
    let python = peers::with_peers(sh)?;
    cmd!(sh, "cargo build --release --package packscope-cli").run()?;
    let packscope = tools::target(sh).join("release/packscope");
    cmd!(sh, "{python} benches/reading.py {folder} make").run()?;
    Ok(cmd!(
        sh,
        "{python} benches/reading.py {folder} measure {packscope}"
    )
    .read()?)
}

/// Several runs of one program on one file.
#[derive(Default)]
struct Runs {
    what: String,
    file: String,
    seconds: Vec<f64>,
    rate: Vec<f64>,
    peak: Vec<f64>,
    records: String,
}

/// Parses a line for each run: `READ what file seconds megabytes_per_second peak_megabytes records`.
fn runs(read: &str) -> Vec<Runs> {
    let mut all: Vec<Runs> = Vec::new();
    for line in read.lines().filter_map(|line| line.strip_prefix("READ ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [what, file, seconds, rate, peak, records] = words[..] else {
            continue;
        };
        let (Ok(seconds), Ok(rate), Ok(peak)) = (seconds.parse(), rate.parse(), peak.parse())
        else {
            continue;
        };
        // A list and not a map: the table has the order in which the script ran them.
        let at = all
            .iter()
            .position(|runs| (runs.what.as_str(), runs.file.as_str()) == (what, file));
        let at = at.unwrap_or_else(|| {
            let (what, file, records) = (what.to_owned(), file.to_owned(), records.to_owned());
            all.push(Runs {
                what,
                file,
                records,
                ..Runs::default()
            });
            all.len() - 1
        });
        let runs = &mut all[at];
        [&mut runs.seconds, &mut runs.rate, &mut runs.peak]
            .into_iter()
            .zip([seconds, rate, peak])
            .for_each(|(list, value)| list.push(value));
    }
    all
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Writes the table, with ratios to ours, then the page's timings; `versions` are those of the other programs.
pub fn table(text: &mut String, read: &str, waits: &str, versions: &str) -> Result<()> {
    writeln!(text, "## Reading files\n")?;
    writeln!(
        text,
        "100 MB each, and a gigabyte; each in a process of its own, one after another, from the file to the histogram; medians; {versions}.\n\
         Ratios are of seconds to Packscope's on the same file, with the same tokenizer.\n"
    )?;
    writeln!(
        text,
        "| what | file | seconds | ÷ ours | MB/s | peak MB | records |"
    )?;
    writeln!(text, "|---|---|---:|---:|---:|---:|---:|")?;
    let all = runs(read);
    // The tokenizer follows the slash.
    let with = |what: &str| {
        what.split_once('/')
            .map(|(_, tokenizer)| tokenizer.to_owned())
    };
    for one in &all {
        let ours = |other: &&Runs| {
            other.what.starts_with("packscope")
                && other.file == one.file
                && with(&other.what) == with(&one.what)
        };
        let ours = all
            .iter()
            .find(ours)
            .map_or(f64::NAN, |ours| median(&ours.seconds));
        let seconds = median(&one.seconds);
        writeln!(
            text,
            "| {} | {} | {seconds:.2} | {:.2} | {:.1} | {:.0} | {} |",
            one.what,
            one.file,
            seconds / ours,
            median(&one.rate),
            median(&one.peak),
            one.records
        )?;
    }
    writeln!(
        text,
        "\nThe same files in the page, in headless Chromium, from the choice of the file to the answer; the longest frame is the\n\
         longest time that the page did not move, the peak that of the renderer with all its workers:\n\n```text"
    )?;
    for line in super::said(waits).filter(|line| line.starts_with(PAGE)) {
        writeln!(text, "{line}")?;
    }
    Ok(writeln!(text, "```\n")?)
}

/// Prefix of the lines about the page's reading among the waiting times.
pub const PAGE: &str = "reading ";

#[cfg(test)]
mod tests {
    #[test]
    fn medians_stand_beside_ours_with_the_same_tokenizer() {
        let read = "READ packscope a.csv 1.0 100.0 10 7\nREAD packscope a.csv 3.0 33.0 12 7\nREAD packscope a.csv 2.0 50.0 11 7\n\
                    READ pandas a.csv 5.0 20.0 300 7\nREAD packscope/bpe b 4.0 25.0 1 2\nREAD tokenizers-1-thread/bpe b 6.0 16.0 1 2\n";
        let mut text = String::new();
        super::table(
            &mut text,
            read,
            "BENCH reading a.csv: 2 s\nBENCH else\n",
            "pandas 1",
        )
        .unwrap();
        for line in [
            "| packscope | a.csv | 2.00 | 1.00 | 50.0 | 11 | 7 |",
            "| pandas | a.csv | 5.00 | 2.50 | 20.0 | 300 | 7 |",
            "| tokenizers-1-thread/bpe | b | 6.00 | 1.50 | 16.0 | 1 | 2 |",
            "```text\nreading a.csv: 2 s\n```",
        ] {
            assert!(text.contains(line), "{line} is not in {text}");
        }
    }
}
