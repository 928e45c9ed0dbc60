//! `packscope batch`: batches instead of packs, one sampler epoch by epoch, or all samplers side by side.

mod text;

use crate::args::TableOutput;
use crate::input::Input;
use crate::options::{self, BatchOptions, ParsedOptions};
use crate::output::say;
use crate::shell::{about, clock, pretty};
use crate::sizes::read_sizes;
use clap::Args;
use packscope::api::batch::{BatchCap, Mode, PreparedBatches, Pricing, Report, Settings, parts};
use packscope::api::fields::batches as fields;
use packscope::cost::presets::{self, Preset};
use packscope::cost::waiting::MOST;
use packscope::cost::{Accelerator, Assumptions, Transformer};
use packscope::error::{Error, Result};
use packscope::histogram::Histogram;
use packscope::ingest::Account;
use packscope::sampler::{HwCap, Sampler};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Batch {
    #[command(flatten)]
    input: Input,
    #[arg(long, help = options::help(&fields::LIMIT), value_parser = crate::limits::parse_limit)]
    limit: u32,
    #[arg(long, help = options::help(&fields::SAMPLER), long_help = samplers())]
    sampler: Option<Sampler>,
    #[command(flatten)]
    given: ParsedOptions<BatchOptions>,
    #[command(flatten)]
    sizes: BatchSizes,
    /// The model, for the estimated time of a step; `packscope speedup --list` lists them.
    #[arg(long, default_value = "bert-large", value_parser = model)]
    model: &'static Preset<Transformer>,
    /// The accelerator, for the estimated time of a step.
    #[arg(long, default_value = "a100-80gb", value_parser = accelerator)]
    accelerator: &'static Preset<Accelerator>,
    /// Accelerators that wait for each other in every step, for its estimated time, 1 to 4,096.
    #[arg(long, default_value_t = Assumptions::default().accelerators, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST)))]
    accelerators: u32,
    #[arg(long, default_value = "text")]
    format: TableOutput,
}

/// The largest batches, which are written in another way than in addresses.
#[derive(Args)]
struct BatchSizes {
    #[arg(long, help = options::help(&fields::CAP), value_name = "BASE,SCALING")]
    batch_cap: Option<Cap>,
    #[arg(long, help = options::help(&fields::HWCAP), value_name = "FILE", conflicts_with = "memory_model")]
    hwcap: Option<PathBuf>,
    /// bucket, bucket-by-length: the largest batch of a length by memory: bytes for each token of a row, for each
    /// pair of tokens of a row, and bytes free for a batch.
    #[arg(long, value_name = "LINEAR,QUADRATIC,BYTES", value_parser = memory)]
    memory_model: Option<HwCap>,
}

/// The cap on the batches of an epoch, if any.
#[derive(Clone, Copy)]
struct Cap(Option<BatchCap>);

impl std::str::FromStr for Cap {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        if text == "off" {
            return Ok(Self(None));
        }
        let pair = text.split_once(',').and_then(|(base, scaling)| {
            Some(BatchCap {
                base: Some(base.trim().parse().ok()?),
                scaling: scaling.trim().parse().ok()?,
            })
        });
        pair.map(|cap| Self(Some(cap)))
            .ok_or_else(|| "expected BASE,SCALING such as 64,2, or off".to_owned())
    }
}

fn samplers() -> String {
    let about = Sampler::ALL.map(|s| (s.name(), format!("{} ({})", s.about(), s.source())));
    options::help(&fields::SAMPLER) + "\n" + &options::listed(about)
}

fn memory(text: &str) -> Result<HwCap, String> {
    // As the setting is written in addresses.
    format!("memory:{text}").parse().map_err(|_| {
        "expected three numbers of bytes: for each token of a row, for each pair of tokens, and free for a batch, \
         such as 400000,100,8e9"
            .to_owned()
    })
}

fn model(id: &str) -> Result<&'static Preset<Transformer>> {
    presets::find("model", presets::TRANSFORMERS, id)
}

fn accelerator(id: &str) -> Result<&'static Preset<Accelerator>> {
    presets::find("accelerator", presets::ACCELERATORS, id)
}

impl Batch {
    fn settings(&self) -> Result<Settings> {
        let sizes = &self.sizes;
        let hwcap = match (&sizes.hwcap, &sizes.memory_model) {
            (Some(file), _) => read_hwcap(file)?,
            (None, Some(memory)) => memory.clone(),
            (None, None) => HwCap::default(),
        };
        let settings = Settings {
            limit: self.limit,
            sampler: self.sampler.unwrap_or(Sampler::Bucket),
            hwcap,
            // `off` was given too, as no cap.
            batch_cap: sizes
                .batch_cap
                .map_or_else(|| Some(BatchCap::default()), |Cap(cap)| cap),
            cost: Box::new(self.pricing()),
            ..Settings::default()
        };
        self.given.onto(fields::ALL, settings)
    }

    /// Returns the basis of the estimates: the defaults for the model and the accelerators.
    fn pricing(&self) -> Pricing {
        let assumptions = Assumptions {
            transformer: self.model.value,
            accelerator: self.accelerator.value,
            accelerators: self.accelerators,
            ..Assumptions::default()
        };
        Pricing {
            assumptions,
            ..Pricing::default()
        }
    }

    fn priced_on(&self, mode: Mode) -> String {
        // Queries one by one have no other accelerator to wait for.
        let accelerators = if mode == Mode::RealTime {
            1
        } else {
            self.accelerators
        };
        format!(
            "{} on {accelerators} × {}",
            self.model.name, self.accelerator.name
        )
    }

    /// Returns the settings to compare: one sampler, or all of them, with the bucket sampler both merging and not.
    fn cases(&self, settings: &Settings) -> Vec<Settings> {
        // For queries one by one there is nothing to compare: no sampler changes them.
        if self.sampler.is_some() || settings.mode == Mode::RealTime {
            return vec![settings.clone()];
        }
        let both = |sampler| {
            if sampler == Sampler::Bucket {
                vec![true, false]
            } else {
                vec![true]
            }
        };
        let of = |sampler| {
            both(sampler).into_iter().map(move |merging| Settings {
                sampler,
                merging,
                ..settings.clone()
            })
        };
        Sampler::ALL.into_iter().flat_map(of).collect()
    }
}

/// Reads a table of the largest batches; errors name the file.
fn read_hwcap(file: &Path) -> Result<HwCap> {
    let text = std::fs::read_to_string(file).map_err(|e| about(file, &e))?;
    text.parse().map_err(|error: Error| Error::Input {
        place: file.display().to_string(),
        message: error.to_string(),
    })
}

/// Reads lengths and stopwords; returns whether the stopwords are known, and an account of the reading.
fn read(input: &Input) -> Result<(Histogram<2>, bool, Account)> {
    match input.sizes().len() {
        0 => input.read_texts(),
        2 => {
            input.uncomputed()?;
            let sizes = read_sizes::<2>(input)?;
            Ok((sizes.histogram, true, sizes.read))
        }
        n => Err(Error::Input {
            place: "--size-columns".to_owned(),
            message: format!(
                "{n} given; expected two, the length and its stopwords, such as length,stopwords, or --length-column \
                 for the length alone"
            ),
        }),
    }
}

type TimedReport = (Report, f64);

pub fn run(batch: &Batch) -> Result<String> {
    let settings = batch.settings()?;
    // Before the data are read, which may take long.
    settings.check()?;
    let (data, stopwords_known, account) = read(&batch.input)?;
    let prepared = PreparedBatches::new(&data, stopwords_known, &settings)?;
    let timed = |settings: Settings| -> Result<TimedReport> {
        let start = clock();
        let mut report = prepared.report(&settings, false, &mut |_| ControlFlow::Continue(()))?;
        let taken = start.elapsed().as_secs_f64();
        prepared.price(&mut report);
        Ok((report, taken))
    };
    let mut reports = Vec::new();
    for case in batch.cases(&settings) {
        match timed(case) {
            Ok(one) => reports.push(one),
            // The other samplers can still be compared.
            Err(error @ Error::TooManyItems { .. }) if batch.sampler.is_none() => {
                say(&format!("{error}; left out"));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(match (batch.sampler, &reports[..]) {
        (Some(_), [one]) => print_one(batch, one, &account),
        (_, all) => print_all(batch, all, &account),
    })
}

/// Returns the report of the engine and its time in JSON.
fn to_json((report, taken): &TimedReport) -> Value {
    let mut all = json!(report);
    // Batches to look at are only for drawings.
    if let Some(fields) = all.as_object_mut() {
        fields.remove("pictures");
    }
    all["seconds"] = json!(taken);
    all
}

fn print_one(batch: &Batch, one: &TimedReport, read: &Account) -> String {
    let notes = text::notes(&one.0, &batch.priced_on(one.0.settings.mode));
    let notes = parts(&[(String::new(), &one.0)])
        .into_iter()
        .chain([notes])
        .collect::<Vec<_>>()
        .join("\n");
    let format = batch.format;
    let epochs = text::epochs(&one.0);
    let printed = || format.print(&epochs, || Value::Null);
    match format {
        TableOutput::Json => {
            let mut all = to_json(one);
            all["read"] = json!(read);
            pretty(&all)
        }
        TableOutput::Markdown => format!("{}\n\n{notes}", printed()),
        TableOutput::Text => format!("{}\n\n{}\n\n{notes}", text::head_of_sampler(one), printed()),
    }
}

fn print_all(batch: &Batch, all: &[TimedReport], read: &Account) -> String {
    let Some((first, _)) = all.first() else {
        return String::new();
    };
    let notes = text::notes(first, &batch.priced_on(first.settings.mode));
    let notes = parts(&text::named(all))
        .into_iter()
        .chain([notes])
        .collect::<Vec<_>>()
        .join("\n");
    let format = batch.format;
    let samplers = text::samplers(all);
    let printed = || format.print(&samplers, || Value::Null);
    match format {
        TableOutput::Json => pretty(
            &json!({ "read": read, "samplers": all.iter().map(to_json).collect::<Vec<_>>() }),
        ),
        TableOutput::Markdown => format!("{}\n\n{notes}", printed()),
        TableOutput::Text => format!("{}\n\n{}\n\n{notes}", text::data(first), printed()),
    }
}
