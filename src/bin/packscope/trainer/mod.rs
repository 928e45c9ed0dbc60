//! `packscope trainer`: what training libraries do with the lengths, or the graphs, in a file today.

mod batches;
mod graphs;
mod list;
mod text;

use crate::input::Input;
use crate::limits::Limits;
use crate::output::say;
use crate::shell::pretty;
use clap::{Args, ValueEnum};
use packscope::api::Query;
use packscope::api::trainer::{Question, Report, Request, Which};
use packscope::error::{Error, Result};
use packscope::histogram::Size;
use packscope::ingest::{Account, Column};
use packscope::packing::go_on;
use packscope::trainer::batches::SAMPLERS;
use packscope::trainer::graphs::LOADERS;
use packscope::trainer::{Field, Kind, LIBRARIES, Library, Sequences};
use serde_json::{Value, json};

#[derive(Args)]
// A list takes neither file nor limit.
#[command(mut_arg("files", |file| file.required(false).required_unless_present("list")))]
pub struct Trainer {
    #[command(flatten)]
    input: Input,
    /// The maximum sequence length, tokens: max_length, sequence_len, max_seq_len, cutoff_len, seq_length …
    #[arg(long, required_unless_present_any = ["list", "limits"], value_parser = crate::limits::one)]
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
    /// The order in which sequences or graphs reach the library: random, once for each seed, or that of the file.
    #[arg(long, default_value = "random")]
    order: Known,
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
enum Known {
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
/// The most sequences of a file whose order is kept.
const ORDERED: usize = 200_000_000;

/// Returns the help on libraries.
fn libraries() -> String {
    let names = LIBRARIES.iter().map(|library| library.id).collect::<Vec<_>>().join(", ");
    let loaders = LOADERS.iter().map(|loader| loader.id).collect::<Vec<_>>().join(", ");
    let samplers = SAMPLERS.iter().map(|sampler| sampler.id).collect::<Vec<_>>().join(", ");
    format!(
        "The library; all of them side by side when left out [{names}; with --limits {loaders}; with --batches {samplers}]"
    )
}

/// Runs the command; returns the text that it prints.
pub fn run(command: &Trainer) -> Result<String> {
    if command.list {
        return Ok(if command.format == Form::Json { pretty(&list::json()) } else { list::text() });
    }
    if let Some(limits) = &command.limits {
        return graphs::run(command, limits);
    }
    if command.batches {
        return batches::run(command);
    }
    // Without a list there is one; the engine refuses 0.
    let limit = command.limit.unwrap_or(0);
    let which = command.which::<Sequences>(limit)?;
    let (counts, order, read) = command.data()?;
    let question = match which {
        Which::All => Question::All { settings: Vec::new() },
        Which::One { library, settings, .. } if command.curve => Question::Curve { library, settings },
        Which::One { library, settings, packs } => Question::One { library, settings, packs },
    };
    let request = Request {
        counts,
        order,
        limit,
        question,
        seed: command.seed,
        seeds: command.seeds,
        batch: command.batch,
        optimum: command.optimum,
    };
    print(command, &request.run(&mut go_on)?, &read)
}

fn print(command: &Trainer, report: &Report, read: &Account) -> Result<String> {
    Ok(match (command.format, report) {
        (Form::Json, report) => pretty(&match report {
            Report::One(answer) => json!({ "read": read, "answer": flat(json!(answer)) }),
            Report::All(answers) => {
                json!({ "read": read, "answers": answers.iter().map(|answer| flat(json!(answer))).collect::<Value>() })
            }
            Report::Curve(curve) => json!({ "read": read, "curve": curve }),
        }),
        (Form::Text, Report::One(answer)) => text::one(answer),
        (Form::Csv, Report::One(answer)) => text::csv(&text::table([answer.as_ref()])),
        (Form::Text, Report::All(answers)) => text::all(answers),
        (Form::Csv, Report::All(answers)) => text::csv(&text::table(answers)),
        (form, Report::Curve(curve)) => {
            let Some(curve) = curve else {
                return Err(Error::Input {
                    place: "--curve".to_owned(),
                    message: "at these settings the library has neither a window nor open rows".to_owned(),
                });
            };
            let table = text::curve(curve);
            if form == Form::Csv { text::csv(&table) } else { text::curve_in_words(curve, &table) }
        }
    })
}

/// Puts the figures of each run, and of each change that was tried, beside its name; and a library's name on top.
fn flat(mut answer: Value) -> Value {
    if let Value::Object(fields) = &mut answer
        && let Some(Value::Object(about)) = fields.remove("about")
    {
        fields.extend(about);
    }
    let lift = |list: Option<&mut Value>, inner: &str| {
        for one in list.and_then(Value::as_array_mut).into_iter().flatten() {
            if let Value::Object(fields) = one
                && let Some(Value::Object(more)) = fields.remove(inner)
            {
                fields.extend(more);
            }
        }
    };
    lift(answer.get_mut("runs"), "tally");
    lift(answer.pointer_mut("/advice/tried"), "outcome");
    answer
}

fn field(text: &str) -> Result<Field> {
    let (name, value) = text.split_once('=').ok_or_else(|| Error::Input {
        place: format!("--set {text}"),
        message: "expected KEY=VALUE, such as packing_strategy=wrapped".to_owned(),
    })?;
    Ok(Field { name: name.trim().to_owned(), value: value.trim().to_owned() })
}

/// Counts, the order if it is asked for, and how both were read.
type Data = (Vec<(u32, u64)>, Vec<u32>, Account);

impl Trainer {
    /// Returns the libraries of a kind that are asked for. Names are checked before a file is read.
    fn which<K: Kind>(&self, limits: K::Limits) -> Result<Which> {
        let settings = self.set.iter().map(|text| field(text)).collect::<Result<Vec<_>>>()?;
        let Some(library) = self.library.clone() else { return Ok(Which::All) };
        Library::<K>::find(&library)?.with(limits, &settings)?;
        Ok(Which::One { library, settings, packs: self.packs })
    }

    fn data(&self) -> Result<Data> {
        let (counts, order, read) = match self.order {
            Known::Random => {
                self.listed()?;
                let read = self.input.read()?;
                (read.histogram.lengths(), Vec::new(), read.description.account())
            }
            Known::File => {
                let (order, read) = self.in_order::<1>(self.input.length())?;
                (Vec::new(), order.into_iter().map(|[length]| length).collect(), read)
            }
        };
        self.few_enough(order.len() as u64 + counts.iter().map(|(_, n)| n).sum::<u64>())?;
        Ok((counts, order, read))
    }

    /// Refuses to list rows but in JSON.
    fn listed(&self) -> Result<()> {
        if self.packs && self.format != Form::Json {
            return Err(Error::Input {
                place: "--packs".to_owned(),
                message: "rows are listed in JSON; expected --format json".to_owned(),
            });
        }
        Ok(())
    }

    /// Refuses to list the rows of too many.
    fn few_enough(&self, items: u64) -> Result<()> {
        if self.packs && items > LISTED {
            return Err(Error::TooManyItems { algorithm: "--packs", items, at_most: LISTED });
        }
        Ok(())
    }

    /// Reads every sequence, or graph, in the order of the file.
    fn in_order<const K: usize>(&self, columns: Vec<Column>) -> Result<(Vec<Size<K>>, Account)> {
        self.listed()?;
        let (files, options) = (self.input.files()?, self.input.options(columns)?);
        let mut order = Vec::new();
        let mut items = 0;
        let description = files.each::<K>(&options, &mut |size, count| {
            items += count;
            let left = ORDERED - order.len().min(ORDERED);
            let size: Size<K> = std::array::from_fn(|k| size.get(k).copied().unwrap_or(0));
            order.extend(std::iter::repeat_n(size, usize::try_from(count).unwrap_or(left).min(left)));
        });
        let description = description.map_err(|error| files.name(error))?;
        self.input.judge(&description)?;
        if items > order.len() as u64 {
            return Err(Error::TooManyItems { algorithm: "--order file", items, at_most: ORDERED as u64 });
        }
        if description.skipped > 0 {
            say("records that cannot be read are left out of the order");
        }
        Ok((order, description.account()))
    }
}
