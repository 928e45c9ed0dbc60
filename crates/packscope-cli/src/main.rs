//! The command line: the same engine as the page, for files that the page cannot reach.
//!
//! Exits with 0 after an answer, and with 2 after an error in the input, the options or the output.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "docs of options are the text of --help, where brackets are no links"
)]

mod advise;
mod args;
mod batch;
mod compare;
mod describe;
mod export;
mod files;
mod input;
mod ledger;
mod limits;
mod open;
mod options;
mod output;
mod pack;
mod packing;
mod ranks;
mod shapes;
mod shell;
mod sizes;
mod speedup;
mod supervise;
mod sweep;
mod tokens;
mod trainer;

use clap::{Parser, Subcommand};
use packscope::words;
use std::process::ExitCode;

/// The meaning of the exit codes.
const EXITS: &str = "Exit codes: 0 after an answer, also when nobody reads it to its end (| head); 2 after a message about \
                     the input, the options, or what cannot be written.";

/// The purpose of the program: the sentence of the library, not of this crate.
const ABOUT: &str = "How much of your model training is padding, and the packing that cures it.";

#[derive(Parser)]
#[command(name = "packscope", version, about = ABOUT, after_help = EXITS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Statistics of the lengths in a file.
    Describe(describe::Describe),
    /// The change worth making to a training as it is today, with its saving and the lines to paste.
    Advise(advise::Advise),
    /// Which tokens train: supervised tokens lost at each limit, weights in the loss, sources and their mix.
    Supervise(supervise::Supervise),
    /// Pack the lengths (or the sizes of graphs, with --limits) in a file and report the figures.
    Pack(pack::Pack),
    /// All algorithms side by side at the same settings.
    Compare(compare::Compare),
    /// Which limits to choose: try many and show the best, the smallest, and those worth considering.
    Sweep(sweep::Sweep),
    /// Few static shapes: the lengths to pad to, with the least padding, beside powers of two and others.
    Shapes(shapes::Shapes),
    /// Batches by length-aware samplers: one epoch by epoch, or all side by side.
    Batch(batch::Batch),
    /// Ranks that wait for each other: what makes them, and the one setting to change.
    Ranks(ranks::Ranks),
    /// The savings of packing on accelerators, estimated: time by method, waiting, memory, money, energy, the optimiser.
    Speedup(speedup::Speedup),
    /// A plan, its figures, or lines to paste into a training.
    Export(export::Export),
    /// Training libraries as they treat the lengths in a file today, and the setting to change.
    Trainer(trainer::Trainer),
    /// The page in the browser, with the sizes of a file loaded: served to this machine alone, until Ctrl+C.
    Open(open::Open),
    /// Which pack each item of a file goes into.
    Assign(export::Assign),
    /// Exact token lengths of texts, counted with the tokenizer of a model.
    Tokens(tokens::Tokens),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return misused(&error),
    };
    // Each returns the text to print, empty if it has written its output by itself.
    let done = match cli.command {
        Command::Describe(describe) => describe::run(&describe),
        Command::Advise(advise) => advise::run(advise),
        Command::Supervise(supervise) => supervise::run(&supervise),
        Command::Pack(pack) => pack::run(&pack),
        Command::Compare(compare) => compare::run(&compare),
        Command::Sweep(sweep) => sweep::run(&sweep),
        Command::Shapes(shapes) => shapes::run(&shapes),
        Command::Batch(batch) => batch::run(&batch),
        Command::Ranks(ranks) => ranks::run(&ranks),
        Command::Speedup(speedup) => speedup::run(&speedup),
        Command::Trainer(trainer) => trainer::run(&trainer),
        Command::Export(export) => export::run(&export),
        Command::Open(open) => open::run(&open),
        Command::Assign(assign) => export::run_assign(&assign),
        Command::Tokens(tokens) => tokens::run(&tokens),
    };
    let written = done.and_then(|text| match text.is_empty() {
        // Output that is written in pieces is complete already.
        true => Ok(()),
        // JSON escapes what a terminal would obey, and is data.
        false if text.starts_with(['{', '[']) => output::write(None, &format!("{text}\n")),
        false => output::write(
            None,
            &format!("{}\n", text.chars().map(words::visible).collect::<String>()),
        ),
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::say(&format!("packscope: {error}"));
            ExitCode::from(2)
        }
    }
}

/// Prints help or the error in the options, without clap's hint to pass a flag as a value, which does not help here.
fn misused(error: &clap::Error) -> ExitCode {
    // Help and version are no errors, though clap returns them as such.
    if !error.use_stderr() {
        let printed = output::write(None, &error.render().to_string());
        return if printed.is_ok() {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(2)
        };
    }
    let text = error.render().to_string();
    let lines = text
        .lines()
        .filter(|line| !line.contains("as a value, use '-- "));
    output::say(lines.collect::<Vec<_>>().join("\n").trim_end());
    ExitCode::from(2)
}
