//! `packscope ranks`: what makes ranks wait for each other, and the one setting to change.

mod text;

use crate::args::FigureFormat;
use crate::input::Input;
use crate::options::{self, ParsedOptions, RankOptions};
use crate::output::say;
use crate::shell::pretty;
use crate::speedup::assumption;
use clap::Args;
use packscope::api::fields::ranks as fields;
use packscope::cost::presets::{self, Preset};
use packscope::cost::{Assumptions, FieldGroup, Transformer};
use packscope::error::{Error, Result};
use packscope::export::snippet::{self, DataLocation, SnippetContext, SnippetSetting, Tool};
use packscope::ranks::{self, Scheduler, Settings};
use serde_json::json;

#[derive(Args)]
// `--list` and `--snippet` take neither file nor limit.
#[command(mut_arg("files", |file| file.required(false).required_unless_present_any(["list", "snippet"])))]
pub struct Ranks {
    #[command(flatten)]
    input: Option<Input>,
    #[arg(long, help = options::help(&fields::LIMIT), value_parser = crate::limits::parse_limit, required_unless_present_any = ["list", "assign", "snippet"])]
    limit: Option<u32>,
    #[command(flatten)]
    given: ParsedOptions<RankOptions>,
    /// The model, whose work is the true one; `packscope speedup --list` lists them.
    #[arg(long, default_value = "llama-3.1-8b", value_parser = model)]
    model: &'static Preset<Transformer>,
    /// Another number of the model, by the names of `packscope speedup --list`, such as feed-forward=6144 for the experts
    /// that a token takes; or with --library a setting by the library's own name, such as max_tokens_per_gpu=8192; may be
    /// given often.
    #[arg(long, value_name = "ID=VALUE")]
    set: Vec<String>,
    /// Every dealing with every weight, and every library, side by side.
    #[arg(long)]
    compare: bool,
    /// The sequences of the file are one step, in its order: print which rank gets which, by their positions from 0, in
    /// which micro-batch, in JSON.
    #[arg(long, conflicts_with = "compare")]
    assign: bool,
    /// Print lines for a training: a sampler that deals like this, or the settings of the library; takes no file.
    #[arg(long, conflicts_with_all = ["compare", "assign"])]
    snippet: bool,
    /// Print the schedulers of libraries with where they were read and their names for these options; takes no file.
    #[arg(long)]
    list: bool,
    #[arg(long, default_value = "text")]
    format: FigureFormat,
}

fn model(id: &str) -> Result<&'static Preset<Transformer>> {
    presets::find("model", presets::TRANSFORMERS, id)
}

impl Ranks {
    fn settings(&self) -> Result<Settings> {
        let usual = Settings::default();
        let limit = self.limit.unwrap_or(usual.limit);
        let mut settings = self.given.onto(
            fields::ALL,
            Settings {
                limit,
                model: self.model.value,
                ..usual
            },
        )?;
        // In order, so that a later setting of the same name counts.
        for text in &self.set {
            set(&mut settings, text)?;
        }
        Ok(settings)
    }
}

/// Sets a number of the model, or a setting by the own name of the library.
fn set(settings: &mut Settings, text: &str) -> Result<()> {
    let refused = |message| Error::Input {
        place: "--set".to_owned(),
        message,
    };
    let named = |(name, option): &(&str, &'static str)| {
        Some((
            *option,
            text.split_once('=').filter(|(key, _)| key == name)?.1,
        ))
    };
    // The library's own names come before those of the model.
    let own = settings.library.map_or(&[][..], Scheduler::own_names);
    if let Some((option, value)) = own.iter().find_map(named) {
        let field = fields::ALL.iter().find(|field| field.option == option);
        return field
            .map_or(Ok(()), |field| field.parse(settings, value))
            .map_err(refused);
    }
    let (field, value) = assumption(text).map_err(refused)?;
    if field.group != FieldGroup::Transformer {
        return Err(refused(format!("{} is no number of the model", field.id)));
    }
    let assumptions = Assumptions {
        transformer: settings.model,
        ..Assumptions::default()
    };
    settings.model = field.with(&assumptions, value)?.transformer;
    Ok(())
}

/// Returns the lines for a training; their notes go to standard error.
fn lines(settings: &Settings) -> Result<String> {
    let context = SnippetContext {
        data: "sequences",
        plan: "",
        setting: SnippetSetting::Ranks { settings },
        batch: settings.units_of_micro_batch(),
        assumptions: &Assumptions::default(),
        lives: &DataLocation::default(),
    };
    let snippet = snippet::snippet_for(&context, Tool::Ranks)?;
    snippet.notes.iter().for_each(|note| say(note));
    Ok(snippet.text)
}

pub fn run(command: &Ranks) -> Result<String> {
    if command.snippet {
        return lines(&command.settings()?);
    }
    let input = match &command.input {
        Some(input) if !command.list => input,
        _ => return Ok(text::list()),
    };
    let settings = command.settings()?;
    // One step in the order of the file: a histogram would not keep the order.
    if command.assign {
        let (order, _) = input.read_order::<1>(input.length())?;
        let lengths: Vec<u32> = order.into_iter().map(|[length]| length).collect();
        let assignment = ranks::assign(&lengths, &settings)?;
        return Ok(json!({
            "library": settings.library, "assignment": assignment.ranks, "dropped": assignment.dropped,
            "left": assignment.left
        })
        .to_string());
    }
    let read = input.read()?;
    let report = ranks::run(&read.histogram, &settings)?;
    let table = command
        .compare
        .then(|| ranks::table(&read.histogram, &settings))
        .transpose()?;
    Ok(match command.format {
        FigureFormat::Json => pretty(&json!({
            "settings": settings, "report": report, "table": table, "read": read.description.account()
        })),
        FigureFormat::Text => text::print(&settings, command.model.name, &report, table.as_ref()),
    })
}
