//! `packscope trainer`: the behaviour of training libraries on the lengths, or the graphs, in a file today.

mod list;
mod text;

use crate::input::Input;
use crate::limits::Limits;
use crate::shell::pretty;
use crate::sizes::{Sizes, read_sizes};
use clap::{Args, ValueEnum};
use packscope::api::Query;
use packscope::api::trainer::{LibrariesQuestion, LibrariesRequest, Pass, WindowCurve};
use packscope::error::{Error, Result};
use packscope::export::libraries::{sheets, table};
use packscope::histogram::Size;
use packscope::ingest::{Account, Column};
use packscope::packing::go_on;
use packscope::trainer::batches::{LibraryLimits, SamplerLibraries};
use packscope::trainer::graphs::GraphLibraries;
use packscope::trainer::{Library, LibraryFamily, PackingLibraries, SettingValue};
use serde_json::json;

#[derive(Args)]
// `--list` takes neither file nor limit.
#[command(mut_arg("files", |file| file.required(false).required_unless_present("list")))]
pub struct Trainer {
    #[command(flatten)]
    input: Input,
    /// The maximum sequence length, tokens: max_length, sequence_len, max_seq_len, cutoff_len, seq_length …
    #[arg(long, required_unless_present_any = ["list", "limits"], value_parser = crate::limits::parse_limit)]
    limit: Option<u32>,
    /// Slots of a batch for nodes and for edges, such as 222,502 or free,502: what loaders of graphs do.
    #[arg(long, conflicts_with_all = ["limit", "batch", "curve"])]
    limits: Option<Limits>,
    /// Samplers that make batches, each padded to its longest, instead of libraries that pack.
    #[arg(long, conflicts_with_all = ["limits", "curve", "optimum"])]
    batches: bool,
    #[arg(long, help = libraries())]
    library: Option<String>,
    /// A setting of the library under its own name, such as packing_strategy=wrapped; may be given several times.
    #[arg(long, value_name = "KEY=VALUE", requires = "library")]
    set: Vec<String>,
    /// Switch packing on before, as in the table of all libraries, instead of beginning at the library's defaults.
    #[arg(long, requires = "library")]
    packing: bool,
    /// The order in which sequences or graphs reach the library: random, once for each seed, or that of the file.
    #[arg(long, default_value = "random")]
    order: ReadState,
    /// The first seed of the random order.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many seeds, for the mean and the spread.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    seeds: u32,
    /// Rows in a step, of libraries that have no setting for it; with --batches sequences in a batch, or as many slots as so many of the maximum length.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// Compare with the best plan that a long search finds, about a second for each library; else with fast algorithms.
    #[arg(long)]
    optimum: bool,
    /// Print rows against the window, or the open rows, of the library.
    #[arg(long, requires = "library", conflicts_with = "packs")]
    curve: bool,
    /// With --format json: list the rows, as the lengths (or nodes and edges) in each; up to 1,000,000 sequences.
    #[arg(long, requires = "library")]
    packs: bool,
    /// Print every library with its settings, and where and when it was read; takes no file.
    #[arg(long)]
    list: bool,
    #[arg(long, default_value = "text")]
    format: Form,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum ReadState {
    Random,
    File,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Form {
    Text,
    Json,
    Csv,
}

/// The most sequences whose rows are listed.
const LISTED: u64 = 1_000_000;

fn libraries() -> String {
    fn ids<K: LibraryFamily>() -> String {
        let ids: Vec<&str> = K::ALL.iter().map(|library| library.id).collect();
        ids.join(", ")
    }
    format!(
        "The library; all of them side by side when left out [{}; with --limits {}; with --batches {}]",
        ids::<PackingLibraries>(),
        ids::<GraphLibraries>(),
        ids::<SamplerLibraries>()
    )
}

pub fn run(command: &Trainer) -> Result<String> {
    if command.list {
        return Ok(if command.format == Form::Json {
            pretty(&list::json())
        } else {
            list::text()
        });
    }
    if let Some(Limits(limits)) = &command.limits {
        let limits = <[u32; 2]>::try_from(limits.as_slice()).map_err(|_| Error::Components {
            limits: limits.len(),
            components: 2,
        })?;
        return describe::<GraphLibraries>(command, limits, graphs);
    }
    // Without `--list` clap has required a limit; the engine refuses 0.
    let room = LibraryLimits {
        limit: command.limit.unwrap_or(0),
        batch: command.batch,
    };
    if command.batches {
        describe::<SamplerLibraries>(command, room, lengths)
    } else {
        describe::<PackingLibraries>(command, room, lengths)
    }
}

/// Counts, the order if requested, and an account of the reading.
type TrainerData<S> = (Vec<(S, u64)>, Vec<S>, Account);

/// Describes one library of a kind, or all of them, on data that `read` returns.
fn describe<K: Pass>(
    command: &Trainer,
    given: K::RequestLimits,
    read: fn(&Trainer) -> Result<TrainerData<K::Item>>,
) -> Result<String> {
    // Names are checked before a file is read.
    let question = command.question::<K>(K::limits(given))?;
    let (counts, order, read) = read(command)?;
    let Trainer {
        seed,
        seeds,
        optimum,
        ..
    } = *command;
    let request = LibrariesRequest::<K> {
        counts,
        order,
        given,
        question,
        seed,
        seeds,
        optimum,
    };
    if command.curve {
        return curve(command.format, request.curve(&mut go_on)?, &read);
    }
    let report = request.run(&mut go_on)?;
    let sheets = sheets(&report, given);
    Ok(match (command.format, command.library.is_some()) {
        (Form::Json, one) => {
            let mut value = json!({ "read": read });
            match one {
                // One library was asked for, so there is one answer.
                true => value["answer"] = json!(report.answers[0]),
                false => value["answers"] = json!(report.answers),
            }
            if !report.beside.is_empty() {
                let beside = report.beside.iter();
                let beside =
                    beside.map(|(of, figures)| json!({ "sampler": of.name(), "figures": figures }));
                value["beside"] = beside.collect();
            }
            pretty(&value)
        }
        (Form::Csv, _) => text::csv(&table(K::kind(given).words(), &sheets)),
        (Form::Text, true) => {
            let answers = report.answers.iter().zip(&sheets);
            answers
                .map(|(answer, sheet)| text::describe_answer(&report, answer, sheet, given))
                .collect()
        }
        (Form::Text, false) => text::table_of_libraries(&report, &sheets, given),
    })
}

fn lengths(command: &Trainer) -> Result<TrainerData<u32>> {
    command.data(
        |input| {
            let read = input.read()?;
            Ok((read.histogram.lengths(), read.description.account()))
        },
        |input| (input.length(), |[length]: Size<1>| length),
    )
}

fn graphs(command: &Trainer) -> Result<TrainerData<Size<2>>> {
    command.data(
        |input| {
            input.uncomputed()?;
            let Sizes {
                histogram, read, ..
            } = read_sizes::<2>(input)?;
            Ok((histogram.entries().to_vec(), read))
        },
        |input| (input.sizes(), |size| size),
    )
}

fn curve(format: Form, curve: Option<WindowCurve>, read: &Account) -> Result<String> {
    Ok(match (format, curve) {
        (Form::Json, curve) => pretty(&json!({ "read": read, "curve": curve })),
        (Form::Csv, Some(curve)) => text::csv(&text::curve(&curve)),
        (Form::Text, Some(curve)) => text::curve_in_words(&curve, &text::curve(&curve)),
        (_, None) => {
            return Err(Error::Input {
                place: "--curve".to_owned(),
                message: "at these settings the library has neither a window nor open rows"
                    .to_owned(),
            });
        }
    })
}

fn field(text: &str) -> Result<SettingValue> {
    let (name, value) = text.split_once('=').ok_or_else(|| Error::Input {
        place: format!("--set {text}"),
        message: "expected KEY=VALUE, such as packing_strategy=wrapped".to_owned(),
    })?;
    Ok(SettingValue {
        name: name.trim().to_owned(),
        value: value.trim().to_owned(),
    })
}

impl Trainer {
    /// Returns the question about the libraries asked for. Checks names before a file is read.
    fn question<K: LibraryFamily>(&self, limits: K::Limits) -> Result<LibrariesQuestion> {
        let set = self
            .set
            .iter()
            .map(|text| field(text))
            .collect::<Result<Vec<_>>>()?;
        let Some(library) = self.library.clone() else {
            return Ok(LibrariesQuestion::All);
        };
        let found = Library::<K>::find(&library)?;
        let on = if self.packing {
            found.packing()
        } else {
            Vec::new()
        };
        let settings = on.into_iter().chain(set).collect::<Vec<_>>();
        // Refuses settings and limits that the library does not take; the result is not needed.
        found.with(limits, &settings)?;
        Ok(LibrariesQuestion::One {
            library,
            settings,
            packs: self.packs,
        })
    }

    /// Reads counts, or the items in their order from these columns.
    fn data<S, const K: usize>(
        &self,
        counts: impl Fn(&Input) -> Result<(Vec<(S, u64)>, Account)>,
        columns: impl Fn(&Input) -> (Vec<Column>, fn(Size<K>) -> S),
    ) -> Result<TrainerData<S>> {
        // Before the data are read, which may take long.
        if self.packs && self.format != Form::Json {
            return Err(Error::Input {
                place: "--packs".to_owned(),
                message: "rows are listed in JSON; expected --format json".to_owned(),
            });
        }
        let (counts, order, read) = match self.order {
            ReadState::Random => {
                let (counts, read) = counts(&self.input)?;
                (counts, Vec::new(), read)
            }
            ReadState::File => {
                let (columns, size) = columns(&self.input);
                let (order, read) = self.input.read_order::<K>(columns)?;
                // In the order of the file there are no counts: each item stands for itself.
                (Vec::new(), order.into_iter().map(size).collect(), read)
            }
        };
        let items = order.len() as u64 + counts.iter().map(|(_, n)| n).sum::<u64>();
        if self.packs && items > LISTED {
            return Err(Error::TooManyItems {
                algorithm: "--packs",
                items,
                at_most: LISTED,
            });
        }
        Ok((counts, order, read))
    }
}
