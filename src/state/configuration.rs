//! The configuration of a training, or of a model, that was dropped on the page.

use super::{AppState, Source, View, speedup, trainer};
use packscope::api::fields::ranks::LIBRARY;
use packscope::config::{ModelShape, TrainingConfig};
use packscope::cost::presets::{self, Preset, TRANSFORMERS};
use packscope::cost::{Assumptions, CostField, Transformer};
use packscope::error::Result;
use packscope::trainer::SettingValue;

/// The settings that were taken from a configuration, named until the visitor closes the sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Configuration {
    /// Lists what was taken, behind the name of the file.
    pub words: String,
    /// The library, by its id; `None` of a model.
    library: Option<String>,
    settings: Vec<SettingValue>,
    limit: Option<u32>,
    model: Option<ModelChoice>,
}

/// The model that a configuration names or describes.
#[derive(Debug, Clone, PartialEq)]
enum ModelChoice {
    Known(&'static Preset<Transformer>),
    /// Each number of another shape, by the name of its field.
    Shape(Vec<(&'static str, f64)>),
}

impl Configuration {
    /// Takes what decides on packing from a configuration in a file of this name.
    pub fn new(name: &str, config: &TrainingConfig) -> Self {
        let set = |(name, value): &(String, String)| SettingValue {
            name: name.clone(),
            value: value.clone(),
        };
        let weights = config.model.as_deref();
        let model = weights.and_then(presets::of_weights);
        let unknown = weights.filter(|_| model.is_none()).map(|weights| {
            format!(
                " {weights} is none of the models here: drop its config.json, which has its shape."
            )
        });
        Self {
            words: format!(
                "{name} sets {}.{}",
                config.sentence(),
                unknown.unwrap_or_default()
            ),
            library: Some(config.library.clone()),
            settings: config.settings.iter().map(set).collect(),
            limit: config.limit,
            model: model.map(ModelChoice::Known),
        }
    }

    /// Takes the shape of a model from its `config.json` in a file of this name.
    ///
    /// # Errors
    /// A number that no model of an estimate may have.
    pub fn of_model(name: &str, shape: &ModelShape) -> Result<Self> {
        let mut assumptions = Assumptions::default();
        for (id, value) in &shape.numbers {
            if let Some(field) = CostField::named(id) {
                assumptions = field.with(&assumptions, *value)?;
            }
        }
        let known = presets::find_value(TRANSFORMERS, &assumptions.transformer);
        let is_known = known.map_or_else(String::new, |known| format!("; this is {}", known.name));
        Ok(Self {
            words: format!(
                "{name} sets the model of the estimates, a {}{is_known}.",
                shape.sentence()
            ),
            library: None,
            settings: Vec::new(),
            limit: None,
            model: Some(known.map_or_else(
                || ModelChoice::Shape(shape.numbers.clone()),
                ModelChoice::Known,
            )),
        })
    }
}

impl AppState {
    /// Sets library, settings and limit as a configuration has them, on a view that shows them.
    pub(super) fn configure(&mut self, configuration: Configuration) {
        if !matches!(self.view, View::Sequences | View::Ranks) {
            self.view = View::Sequences;
        }
        let view = self.view;
        if let Some(library) = &configuration.library {
            self.train(view, trainer::Action::Choose(Some(library.clone())));
            // Of the same name, where the library has a scheduler.
            self.ranks.set(LIBRARY.value.id, library);
        }
        for setting in &configuration.settings {
            self.train(view, trainer::Action::Set(setting.clone()));
        }
        match &configuration.model {
            Some(ModelChoice::Known(preset)) => {
                self.speed_up(speedup::Action::Transformer(preset));
            }
            Some(ModelChoice::Shape(numbers)) => {
                for (id, value) in numbers {
                    self.speed_up(speedup::Action::Set(id, *value));
                }
            }
            None => {}
        }
        if let Some(limit) = configuration.limit {
            self.sequences.settings.limit = limit.max(1);
        }
        self.problem = None;
        self.configuration = Some(configuration);
    }

    /// Returns the limit at which data open: the visitor's own at that of their configuration, else
    /// at one that suits the data.
    pub(super) fn opening_limit(&self, source: &Source, suited: Option<u32>) -> Option<u32> {
        let configured = self.configuration.as_ref().and_then(|one| one.limit);
        match source {
            Source::Own { .. } => configured.or(suited),
            _ => suited,
        }
    }
}
