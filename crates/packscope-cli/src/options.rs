//! Options made from the tables of settings and names: the options of a command, their help, and the settings given.

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use packscope::api::fields::{Accepts, SettingField, batches, graphs, ranks, sequences, shapes};
use packscope::error::{Error, Result};
use packscope::ingest::Format;
use packscope::ingest::ItemWords;
use packscope::packing::{Algorithm, tuple};
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// The settings that a command takes as options.
pub trait Takes {
    /// Returns the options, in the order of the help.
    fn options() -> Vec<Arg>;
}

/// The settings of packing, of sequences and of graphs, that every command takes.
pub struct PackingOptions;

pub struct SweepOptions;

pub struct BatchOptions;

pub struct RankOptions;

pub struct ShapeOptions;

/// The text of each option that was given.
pub struct ParsedOptions<T> {
    texts: BTreeMap<String, String>,
    takes: PhantomData<T>,
}

impl<T> ParsedOptions<T> {
    /// Returns the settings with the given options applied.
    ///
    /// # Errors
    /// [`Error::Input`] for a value that only the setting of the same name for other items accepts.
    pub fn onto<S: Default>(&self, fields: &[SettingField<S>], mut settings: S) -> Result<S> {
        // A name may be a setting of sequences and of graphs; clap checked the text by the first.
        for field in fields {
            if let Some(text) = self.texts.get(field.option) {
                let refused = |message| Error::Input {
                    place: format!("--{}", field.option),
                    message,
                };
                field.parse(&mut settings, text).map_err(refused)?;
            }
        }
        Ok(settings)
    }

    /// Whether the option was given, or has a default.
    pub fn has(&self, option: &str) -> bool {
        self.texts.contains_key(option)
    }
}

impl<T: Takes> FromArgMatches for ParsedOptions<T> {
    fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<Self, clap::Error> {
        let given = |arg: Arg| {
            let option = arg.get_id().to_string();
            matches
                .get_one::<String>(&option)
                .map(|text| (option.clone(), text.clone()))
        };
        Ok(Self {
            texts: T::options().into_iter().filter_map(given).collect(),
            takes: PhantomData,
        })
    }

    fn update_from_arg_matches(
        &mut self,
        matches: &ArgMatches,
    ) -> std::result::Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<T: Takes> Args for ParsedOptions<T> {
    fn augment_args(command: Command) -> Command {
        command.args(T::options())
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl Takes for PackingOptions {
    fn options() -> Vec<Arg> {
        // These options are declared apart, since not every command has them.
        let apart = ["limit", "limits", "algorithm", "seed", "batch"];
        // A setting that both have is one option without a default, since the defaults may differ.
        let twin = |option: &str| graphs::ALL.iter().find(|field| field.option == option);
        let only_graphs = graphs::ALL
            .iter()
            .filter(|f| sequences::ALL.iter().all(|s| s.option != f.option));
        let of_sequences = sequences::ALL.iter().map(|field| match twin(field.option) {
            Some(graphs) => option(field).help(describe_both(field, graphs)),
            None => with_default(option(field), field.value.usual()).conflicts_with("limits"),
        });
        let of_graphs =
            only_graphs.map(|field| option(field).help(of_graphs(field)).conflicts_with("limit"));
        let all = of_sequences.chain(of_graphs);
        all.filter(|arg| !apart.contains(&arg.get_id().as_str()))
            .collect()
    }
}

impl Takes for SweepOptions {
    fn options() -> Vec<Arg> {
        // `limits` are ranges here, and a sweep has no speed-up that an overhead would lower.
        let taken = graphs::ALL
            .iter()
            .filter(|field| !["limits", "overhead"].contains(&field.option));
        taken
            .map(|field| with_default(option(field), usual(field)))
            .collect()
    }
}

impl Takes for BatchOptions {
    fn options() -> Vec<Arg> {
        // These are declared apart: one is required, one decides the output, and two have another syntax.
        let apart = ["limit", "sampler", "hwcap", "batch-cap"];
        let taken = batches::ALL
            .iter()
            .filter(|field| !apart.contains(&field.option));
        let switched = |field: &'static SettingField<_>| match field.value.accepts {
            Accepts::Switch(names) => {
                let on = field.value.usual() == names[0];
                // A switch has its own names in addresses, and on/off here.
                with_default(option(field), if on { "on" } else { "off" }.to_owned())
            }
            _ => with_default(option(field), field.value.usual()),
        };
        taken.map(switched).collect()
    }
}

impl Takes for RankOptions {
    fn options() -> Vec<Arg> {
        // The limit is declared in the command, which requires it.
        let taken = ranks::ALL.iter().filter(|field| field.option != "limit");
        taken
            .map(|field| with_default(option(field), field.value.usual()))
            .collect()
    }
}

impl Takes for ShapeOptions {
    fn options() -> Vec<Arg> {
        shapes::ALL
            .iter()
            .map(|field| with_default(option(field), field.value.usual()))
            .collect()
    }
}

/// Returns the option of a setting, without a default.
fn option<S: Default>(field: &'static SettingField<S>) -> Arg {
    let known = |text: &str| {
        field
            .parse(&mut S::default(), text)
            .map(|()| text.to_owned())
    };
    let arg = Arg::new(field.option)
        .long(field.option)
        .value_name(field.option.to_uppercase().replace('-', "_"))
        .help(help(field))
        .allow_negative_numbers(true);
    // The parser of the setting checks the text, so that clap reports it with the option.
    match field.value.accepts {
        Accepts::Switch(_) => arg.value_parser(["on", "off"]),
        _ => arg.value_parser(known),
    }
}

/// Adds a default, if there is one.
fn with_default(arg: Arg, usual: String) -> Arg {
    if usual.is_empty() {
        arg
    } else {
        arg.default_value(usual)
    }
}

/// Returns a setting's description and the values that it accepts.
pub fn help<S>(field: &SettingField<S>) -> String {
    // Sentences that graphs and pairs share have placeholders; here they speak of graphs.
    let about = ItemWords::default().say(field.about.trim_end_matches('.'));
    match field.value.accepts {
        // The values of a switch are listed anyway.
        Accepts::Switch(_) => about,
        accepts => format!("{about} [{accepts}]"),
    }
}

/// Returns the description of a setting of graphs that sequences lack or have differently.
pub fn of_graphs<S: Default>(field: &SettingField<S>) -> String {
    format!("{} [default: {}, with --limits]", help(field), usual(field))
}

/// Returns the description, accepted values and default of a setting that sequences and graphs share.
pub fn describe_both<S: Default, G: Default>(
    sequences: &SettingField<S>,
    graphs: &SettingField<G>,
) -> String {
    let about = sequences
        .about
        .trim_end_matches('.')
        .replace("sequences", "items");
    let (mut accepts, with_limits) = (
        sequences.value.accepts.to_string(),
        graphs.value.accepts.to_string(),
    );
    if accepts != with_limits {
        accepts += &format!("; with --limits: {with_limits}");
    }
    format!(
        "{about} [{accepts}] [default: {}; {} with --limits]",
        sequences.value.usual(),
        usual(graphs)
    )
}

/// Returns the command line's default for graphs: the quick algorithm, or the general default of other settings.
fn usual<G: Default>(field: &SettingField<G>) -> String {
    match field.option {
        "algorithm" => graphs::QUICK.name().to_owned(),
        _ => field.value.usual(),
    }
}

/// Returns the text formats that can be chosen.
pub fn formats() -> String {
    let text = Format::ALL
        .into_iter()
        .filter(|format| format.is_text())
        .map(Format::name);
    let text = text.collect::<Vec<_>>().join(", ");
    format!("How text is laid out: {text} (table: CSV, TSV …); detected when left out")
}

/// Returns a list of names with their meanings, for long help.
pub fn listed<const N: usize>(names: [(&str, String); N]) -> String {
    names
        .map(|(name, about)| format!("\n  {name}: {about}"))
        .concat()
}

/// Returns the help of [`describe_both`] on algorithms, then a description and publication of each.
pub fn algorithms() -> String {
    let (both, words) = (
        describe_both(&sequences::ALGORITHM, &graphs::ALGORITHM),
        ItemWords::default(),
    );
    let lengths = Algorithm::ALL.map(|a| (a.name(), format!("{} ({})", a.about(), a.source())));
    let sizes = tuple::TupleAlgorithm::ALL.map(|a| {
        (
            a.name(),
            format!("{} ({})", words.say(a.about()), a.source()),
        )
    });
    format!(
        "{both}\n\nWith --limit:{}\nWith --limits:{}",
        listed(lengths),
        listed(sizes)
    )
}
