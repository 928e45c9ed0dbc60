//! `packscope advise`: what a training does today, the one change worth making, and the lines to paste.

use crate::input::Input;
use crate::limits::{self, Limits};
use crate::output::say;
use crate::shell::{about as unreadable, pretty};
use crate::sizes::{Sizes, read_sizes};
use crate::speedup::{AssumedArgs, SpeedupAssumptions, assumption};
use crate::supervise;
use clap::{Args, ValueEnum};
use packscope::advice::{
    Advisor, Case, GraphCase, Hardware, LoaderCase, Outcome, SharedCurves, Verdict, advise_graphs,
    duration, money, shared_out, suited_model, usual_limit,
};
use packscope::api::tuple;
use packscope::config::{self, ModelShape};
use packscope::cost::presets::{self, TRANSFORMERS, overhead_of};
use packscope::cost::{Assumptions, CostField};
use packscope::error::{Error, Result};
use packscope::export::libraries::{JudgedLibrary, judged_table};
use packscope::histogram::{Histogram, Size};
use packscope::ingest::{Account, Ingested};
use packscope::packing::tuple::TupleAlgorithm;
use packscope::packing::{Depth, go_on};
use packscope::supervision::Truncation;
use packscope::trainer::batches::SAMPLERS;
use packscope::trainer::graphs::LOADERS;
use packscope::trainer::{LIBRARIES, Setting, SettingValue};
use packscope::words::{about, about_factor, count, percent, singular_unit};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Args)]
pub struct Advise {
    #[command(flatten)]
    input: Input,
    #[arg(long, help = libraries())]
    library: Option<String>,
    /// Every library side by side: what each does as installed, the change worth making, and what it does then.
    #[arg(long, conflicts_with_all = ["library", "config", "limits", "batch"])]
    libraries: bool,
    /// The configuration of the training: YAML, JSON or the script of axolotl, LLaMA-Factory, TRL, verl, torchtune or NeMo RL. It
    /// sets library, limit, batch and packing; or the config.json of a model, which sets that. Options beside it go first. What was
    /// taken is listed.
    #[arg(long, value_name = "FILE", conflicts_with = "limits")]
    config: Option<PathBuf>,
    /// A value that is set already: a setting of the library under its own name, such as packing=true, or an assumption of the
    /// estimates as `speedup --list` has them, such as sharded=yes; may be given several times.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The maximum sequence length, tokens [default: the smallest power of two that holds 99 % of the sequences whole, or the longest one].
    #[arg(long, value_parser = limits::parse_limit)]
    limit: Option<u32>,
    /// Slots of a batch for nodes and for edges, such as 222,502: advice on loaders of graphs [default: 64 graphs of mean
    /// size, with --library of a loader].
    #[arg(long, conflicts_with = "limit")]
    limits: Option<Limits>,
    /// Sequences of a batch of one accelerator, without a library or with one that makes batches, of which some count its slots
    /// instead: those of so many sequences of the limit; as many as fit the memory [default: 64].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "limits")]
    batch: Option<u32>,
    /// Tokens of a step of all accelerators together [default: those of what is set now].
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "limits")]
    batch_tokens: Option<u64>,
    /// The model that is trained, by the names of `speedup --list` [default: what suits the data and the library].
    #[arg(long)]
    model: Option<String>,
    /// The accelerator that it is trained on, by the names of `speedup --list`.
    #[arg(long)]
    accelerator: Option<String>,
    /// Number of accelerators, 1 to 4,096 [default: 8; 1 for graphs].
    #[arg(long, value_name = "NUMBER")]
    accelerators: Option<u32>,
    /// Price of an accelerator for an hour, in any currency.
    #[arg(long, allow_negative_numbers = true)]
    price: Option<f64>,
    /// The seed of the order of arrival, and of the simulation of waiting.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[arg(long, default_value = "text")]
    format: Form,
    /// The shape of a model that no preset has, and what it is called.
    #[arg(skip)]
    shape: Option<(Vec<crate::speedup::Set>, String)>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Form {
    Text,
    Json,
}

/// PyTorch Geometric's own loader, which pads nothing and has no limit.
const DATA_LOADER: &str = "pyg-dataloader";
/// Graphs of a batch where nobody sets another number.
const GRAPHS: u32 = 64;

fn libraries() -> String {
    let ids = |ids: Vec<&str>| ids.join(", ");
    format!(
        "The library that you train with; batches padded to their longest when left out [{}; for batches {}; for graphs {DATA_LOADER}, {}]",
        ids(LIBRARIES.iter().map(|library| library.id).collect()),
        ids(SAMPLERS.iter().map(|library| library.id).collect()),
        ids(LOADERS.iter().map(|loader| loader.id).collect())
    )
}

/// The question with its answer, for the text and the JSON.
struct Answer {
    verdict: Verdict,
    assumed: SpeedupAssumptions,
    hardware: Hardware,
    case: Value,
    read: Account,
    /// The unit of lengths, in the plural.
    unit: String,
    /// The unit of what is lost.
    lost: String,
    /// The name of a model that is no preset.
    model: Option<String>,
}

pub fn run(mut command: Advise) -> Result<String> {
    command.configure()?;
    command.check_batch()?;
    if command.libraries {
        return command.side_by_side();
    }
    let answer = if command.is_of_graphs() {
        command.graphs()?
    } else {
        command.sequences()?
    };
    Ok(match command.format {
        Form::Json => pretty(&to_json(&answer)),
        Form::Text => text(&answer),
    })
}

impl Advise {
    /// Refuses a size of batches beside a library that packs, which has a setting of its own for it.
    fn check_batch(&self) -> Result<()> {
        let packs = |id: &String| LIBRARIES.iter().any(|library| library.id == id.as_str());
        match self.library.as_ref().filter(|id| packs(id)) {
            Some(id) if self.batch.is_some() => Err(Error::Input {
                place: "--batch".to_owned(),
                message: format!(
                    "{id} has a setting for the rows of its batches; expected --set with its name"
                ),
            }),
            _ => Ok(()),
        }
    }

    /// Takes what the configuration sets and no option does.
    fn configure(&mut self) -> Result<()> {
        let Some(path) = &self.config else {
            return Ok(());
        };
        let called = path.display().to_string();
        let text = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
        let text = String::from_utf8_lossy(&text);
        let shape = config::model_shape(&text).map_err(|error| error.within_place(&called))?;
        if let Some(shape) = shape {
            return self.take_model(&called, &shape);
        }
        let config = config::read(&text).map_err(|error| error.within_place(&called))?;
        say(&format!("{called}: {}", config.sentence()));
        // Settings of one library are none of another.
        if self.library.get_or_insert_with(|| config.library.clone()) != &config.library {
            return Err(Error::Input {
                place: called,
                message: format!(
                    "this configures {}; leave --library out, or the configuration",
                    config.library
                ),
            });
        }
        self.limit = self.limit.or(config.limit);
        if let (None, Some(weights)) = (&self.model, &config.model) {
            match presets::of_weights(weights) {
                Some(model) => self.model = Some(model.id.to_owned()),
                None => say(&format!(
                    "{weights} is none of the models that --model names, so one is taken that suits the data; its config.json has its shape"
                )),
            }
        }
        let settings = config.settings.iter();
        let given = |name: &String| {
            self.set.iter().any(|set| {
                set.split_once('=')
                    .is_some_and(|(known, _)| known.trim() == name)
            })
        };
        let more: Vec<String> = settings
            .filter(|(name, _)| !given(name))
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        self.set.extend(more);
        Ok(())
    }

    /// Takes the model of a `config.json`, unless an option names one.
    fn take_model(&mut self, called: &str, shape: &ModelShape) -> Result<()> {
        let numbers = shape.numbers.iter();
        let set: Vec<crate::speedup::Set> = numbers
            .filter_map(|(id, value)| Some((CostField::named(id)?, *value)))
            .collect();
        let of_file = set
            .iter()
            .try_fold(Assumptions::default(), |a, (field, value)| {
                field.with(&a, *value)
            })
            .map_err(|error| error.within_place(called))?;
        let known = presets::find_value(TRANSFORMERS, &of_file.transformer);
        let found = known.map_or_else(String::new, |known| format!("; this is {}", known.name));
        say(&format!("{called}: {}{found}", shape.sentence()));
        match (known, &self.model) {
            (_, Some(_)) => {}
            (Some(known), None) => self.model = Some(known.id.to_owned()),
            (None, None) => self.shape = Some((set, format!("the model of {called}"))),
        }
        Ok(())
    }

    fn is_of_graphs(&self) -> bool {
        let loader = |id: &String| {
            id == DATA_LOADER || LOADERS.iter().any(|loader| loader.id == id.as_str())
        };
        self.limits.is_some() || self.library.as_ref().is_some_and(loader)
    }

    /// Whether the library has a setting of this name.
    fn is_setting(&self, name: &str) -> bool {
        let own = |id: &str, settings: &[Setting]| {
            self.library.as_deref() == Some(id) && settings.iter().any(|set| set.name == name)
        };
        LIBRARIES
            .iter()
            .any(|library| own(library.id, library.settings))
            || LOADERS.iter().any(|loader| own(loader.id, loader.settings))
            || SAMPLERS
                .iter()
                .any(|sampler| own(sampler.id, sampler.settings))
    }

    /// Returns the settings of the library, and the assumptions, of all that is set.
    fn set(&self) -> Result<(Vec<SettingValue>, Vec<crate::speedup::Set>)> {
        let (mut settings, mut assumed) = (Vec::new(), Vec::new());
        for text in &self.set {
            let given = text.split_once('=');
            // A name may be in both: what the library has goes first.
            let own = given.is_some_and(|(name, _)| self.is_setting(name.trim()));
            match (assumption(text), given) {
                (Ok(set), _) if !own => assumed.push(set),
                (_, Some((name, value))) if self.library.is_some() => {
                    settings.push(SettingValue {
                        name: name.trim().to_owned(),
                        value: value.trim().to_owned(),
                    });
                }
                (Err(message), _) => {
                    return Err(Error::Input {
                        place: format!("--set {text}"),
                        message,
                    });
                }
                // Only a library has settings of its own.
                (Ok(set), _) => assumed.push(set),
            }
        }
        Ok((settings, assumed))
    }

    fn assumed(
        &self,
        (model, accelerators): (Option<String>, u32),
        set: Vec<crate::speedup::Set>,
        graphs: bool,
    ) -> Result<SpeedupAssumptions> {
        let args = AssumedArgs {
            model,
            accelerator: self.accelerator.clone(),
            accelerators: vec![self.accelerators.unwrap_or(accelerators)],
            price: self.price,
            set,
        };
        SpeedupAssumptions::new(&args, graphs, false)
    }

    /// Returns the data, the assumptions, and the case of training on them.
    fn case(&self) -> Result<(Ingested, SpeedupAssumptions, Case)> {
        let (settings, set) = self.set()?;
        let sharded = set.iter().any(|(field, _)| field.id == "sharded");
        let data = self.input.read()?;
        let histogram: &Histogram<1> = &data.histogram;
        let limit = self.limit.unwrap_or_else(|| usual_limit(histogram));
        // One model for all libraries side by side: what suits the first of them.
        let first = self.libraries.then(|| LIBRARIES[0].id);
        let library = self.library.as_deref().or(first);
        let model = self.model.clone();
        let model = model.unwrap_or_else(|| suited_model(limit, library).id.to_owned());
        let of_file = self.shape.iter().flat_map(|(of_file, _)| of_file.clone());
        // What is set by an option comes later, and stays.
        let set = of_file.chain(set).collect();
        let assumed = self.assumed((Some(model), 8), set, false)?;
        let hardware = Hardware {
            assumptions: match sharded {
                true => assumed.assumptions,
                false => shared_out(&assumed.assumptions, limit),
            },
            overhead: overhead_of(assumed.accelerator().id).unwrap_or_default(),
        };
        let case = Case {
            library: self.library.clone(),
            settings,
            limit,
            hardware,
            loader: self
                .batch
                .map_or_else(LoaderCase::default, |rows| LoaderCase {
                    rows,
                    ..LoaderCase::default()
                }),
            unit: data.description.unit().to_owned(),
            batch_tokens: self.batch_tokens,
            seed: self.seed,
            supervision: self.supervision(&data),
        };
        Ok((data, assumed, case))
    }

    /// Returns which tokens bear loss, where the file says so, and says that losses are shares of these.
    fn supervision(&self, data: &Ingested) -> Option<SharedCurves> {
        let truncation = Truncation::of_library(self.library.as_deref().unwrap_or_default());
        let found = supervise::of_input(&self.input, &data.histogram, truncation)?;
        say(&format!(
            "supervised: {}; losses are shares of these tokens",
            found.labels
        ));
        Some(SharedCurves(Arc::new(found.curves)))
    }

    fn sequences(&self) -> Result<Answer> {
        let (data, assumed, case) = self.case()?;
        let verdict = Advisor::new(&data.histogram).advise(&case, &mut go_on)?;
        Ok(Answer {
            verdict,
            assumed,
            hardware: case.hardware,
            case: json!({
                "library": case.library,
                "settings": case.settings,
                "limit": case.limit,
                "batch_tokens": case.batch_tokens,
            }),
            read: data.description.account(),
            unit: data.description.unit().to_owned(),
            lost: case
                .supervision
                .as_ref()
                .map(|_| "supervised ".to_owned())
                .unwrap_or_default()
                + data.description.unit(),
            model: self.shape.as_ref().map(|(_, name)| name.clone()),
        })
    }

    /// Returns all libraries as a table, or as JSON.
    fn side_by_side(&self) -> Result<String> {
        let (data, _, case) = self.case()?;
        let mut advisor = Advisor::new(&data.histogram);
        let mut verdicts = Vec::new();
        for library in LIBRARIES {
            let case = Case {
                library: Some(library.id.to_owned()),
                ..case.clone()
            };
            verdicts.push((library.id, advisor.advise(&case, &mut go_on)?));
        }
        let rows: Vec<JudgedLibrary> = verdicts
            .iter()
            .map(|(id, verdict)| JudgedLibrary {
                id,
                verdict: Ok(verdict),
            })
            .collect();
        let table = judged_table(&rows);
        Ok(match self.format {
            Form::Text => format!(
                "{}\nPadding, loses, an epoch, batch: as installed at {}; the rest with the change. Batch: rows × accumulated.",
                table.text(),
                count(u64::from(case.limit))
            ),
            Form::Json => pretty(&json!({
                "limit": case.limit,
                "libraries": verdicts.iter().map(|(id, verdict)| json!({
                    "library": id,
                    "sentence": verdict.sentence,
                    "notes": verdict.notes,
                    "now": verdict.now,
                    "then": verdict.then,
                })).collect::<Vec<_>>(),
            })),
        })
    }

    /// Returns packs at these limits, which only those ask about who use no loader.
    fn packs(&self, limits: Size<2>) -> Vec<tuple::Settings> {
        let packs = tuple::Settings {
            limits: limits.to_vec(),
            depth: Depth::Unlimited,
            algorithm: TupleAlgorithm::BestFit,
            ..tuple::Settings::default()
        };
        let asks = self.limits.is_some() && self.library.is_none();
        asks.then_some(packs).into_iter().collect()
    }

    fn graphs(&self) -> Result<Answer> {
        let (settings, set) = self.set()?;
        self.input.uncomputed()?;
        let Sizes {
            histogram, read, ..
        } = read_sizes::<2>(&self.input)?;
        let limits = match &self.limits {
            Some(Limits(limits)) => {
                <Size<2>>::try_from(limits.as_slice()).map_err(|_| Error::Components {
                    limits: limits.len(),
                    components: 2,
                })?
            }
            None => usual_limits(&histogram),
        };
        let assumed = self.assumed((self.model.clone(), 1), set, true)?;
        let hardware = Hardware {
            assumptions: assumed.assumptions,
            ..Hardware::default()
        };
        let case = GraphCase {
            loader: self.library.clone().filter(|id| id != DATA_LOADER),
            settings,
            limits,
            hardware,
            batch: GRAPHS,
            packs: self.packs(limits),
            seed: self.seed,
        };
        let verdict = advise_graphs(&histogram, &case, &mut go_on)?;
        Ok(Answer {
            verdict,
            assumed,
            hardware,
            case: json!({
                "library": self.library.as_deref().unwrap_or(DATA_LOADER),
                "settings": case.settings,
                "limits": limits::limits_to_json(&case.limits),
            }),
            read,
            unit: "nodes".to_owned(),
            lost: "nodes".to_owned(),
            model: None,
        })
    }
}

/// Returns slots for 64 graphs of mean size, at least for the largest one, in multiples of 64.
fn usual_limits(data: &Histogram<2>) -> Size<2> {
    let (mean, most) = (data.mean_size(), data.max());
    [0, 1].map(|k: usize| {
        let slots = (mean[k] * f64::from(GRAPHS)) as u32;
        // One slot more than the largest, which loaders keep for padding.
        let slots = slots.max(most[k].saturating_add(1));
        slots.checked_next_multiple_of(64).unwrap_or(slots)
    })
}

fn to_json(answer: &Answer) -> Value {
    let a = &answer.hardware.assumptions;
    let mut all = json!({ "read": answer.read, "case": answer.case });
    all["case"]["model"] = answer.model.as_ref().map_or_else(
        || json!(answer.assumed.model()["id"]),
        |_| json!(a.transformer),
    );
    all["case"]["accelerator"] = json!(answer.assumed.accelerator().id);
    all["case"]["accelerators"] = json!(a.accelerators);
    all["case"]["price"] = json!(a.price);
    all["case"]["sharded"] = json!(a.training.sharded);
    if let (Value::Object(all), Value::Object(verdict)) = (&mut all, json!(answer.verdict)) {
        all.extend(verdict);
    }
    all
}

fn text(answer: &Answer) -> String {
    let Verdict {
        sentence,
        notes,
        now,
        then,
        ..
    } = &answer.verdict;
    let mut text = sentence.clone();
    for note in notes {
        text += &format!("\n{note}");
    }
    text += &format!("\n\n{}", figures(answer, now.as_ref(), then.as_ref()));
    if let Some(then) = then.as_ref().filter(|then| !then.change.lines.is_empty()) {
        text += "\n\n";
        let lines = then.change.lines.trim_end().lines();
        let indented = lines.map(|line| format!("    {line}").trim_end().to_owned());
        text += &indented.collect::<Vec<_>>().join("\n");
    }
    text
}

/// Returns the figures of now and then, and what they are estimated for.
fn figures(answer: &Answer, now: Option<&Outcome>, then: Option<&Outcome>) -> String {
    let all: Vec<(&str, &Outcome)> = [("now", now), ("then", then)]
        .into_iter()
        .filter_map(|(name, outcome)| Some((name, outcome?)))
        .collect();
    let runs = |of: &Outcome, text: String| if of.fits { text } else { "–".to_owned() };
    let row = |name: &str, of: &dyn Fn(&Outcome) -> String, end: String| {
        let cells: String = all
            .iter()
            .map(|(_, outcome)| format!("{:>10}", of(outcome)))
            .collect();
        format!("{name:<8}{cells}  {end}")
    };
    let a = &answer.hardware.assumptions;
    let speed = then
        .filter(|_| now.is_some_and(|now| now.fits))
        .map_or_else(
            || "an epoch, estimated".to_owned(),
            |then| {
                let [low, high] = then.band.map(about);
                let (speed, unit) = (about_factor(then.speedup), singular_unit(&answer.unit));
                format!("an epoch, estimated: {speed} the speed for each {unit} ({low} to {high})")
            },
        );
    let many = count(u64::from(a.accelerators));
    let sharded = if a.training.sharded {
        ", weights shared out"
    } else {
        ""
    };
    let price = format!("at ${} an hour for each accelerator", a.price);
    let hours = |of: &Outcome| runs(of, duration(of.hours * 3600.0));
    let dollars = |of: &Outcome| runs(of, money(of.money));
    let lost = |of: &Outcome| percent(of.lost_share);
    let step = |of: &Outcome| count(of.step_tokens.round() as u64);
    let names: String = all.iter().map(|(name, _)| format!("{name:>10}")).collect();
    let mut lines = vec![
        format!("{:<8}{names}", ""),
        row("time", &hours, speed),
        row("money", &dollars, price),
        row("lost", &lost, format!("of the {}", answer.lost)),
        row(
            "step",
            &step,
            format!("{} of all accelerators", answer.unit),
        ),
    ];
    if all.is_empty() {
        lines.clear();
    }
    lines.push(format!(
        "for     {} on {many} × {}{sharded}",
        answer
            .model
            .as_deref()
            .unwrap_or(answer.assumed.model_named()[0]),
        answer.assumed.accelerator().name
    ));
    lines.join("\n")
}
