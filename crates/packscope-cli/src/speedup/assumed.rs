//! The assumptions of the estimates: presets by name, and changed numbers.

use super::{AssumedArgs, preset_to_json};
use packscope::cost::presets::{
    ACCELERATORS, GNNS, Preset, PresetChoice, TRANSFORMERS, find, named,
};
use packscope::cost::{Accelerator, Assumptions, CostField, FieldGroup, FieldUnit};
use packscope::error::Result;
use packscope::words::count;
use serde_json::Value;

/// An assumption and its value, in the base unit.
pub type Set = (&'static CostField, f64);

/// Numbers of accelerators that are compared by default; the first is shown in detail.
const ACCELERATORS_SHOWN: [u32; 4] = [8, 1, 64, 512];

/// The fields for shares of an accelerator's peak.
const SHARES: [&str; 3] = ["utilisation", "attention", "masked"];

/// The field for the number of accelerators.
const CREW: &str = "accelerators";

/// Parses an assumption such as `peak=312`.
pub fn parse(text: &str) -> Result<Set, String> {
    let expected = "expected ID=VALUE such as peak=312; --list has all of them";
    let (id, value) = text.split_once('=').ok_or(expected)?;
    let field = CostField::find(id.trim()).map_err(|error| error.to_string())?;
    let value = value.trim();
    let number = match (field.unit, value) {
        (FieldUnit::Switch, "yes" | "on") => Ok(1.0),
        (FieldUnit::Switch, "no" | "off") => Ok(0.0),
        // A name, or its number from 0.
        (FieldUnit::Choice(names), name) => match names.iter().position(|known| *known == name) {
            Some(place) => Ok(place as f64),
            None => name.parse(),
        },
        _ => value.parse(),
    };
    let plain = number.map(|number| (field, field.unit.plain(number)));
    plain.map_err(|_| match field.unit {
        FieldUnit::Switch => format!(
            "{value:?} is no value for {}; expected yes or no",
            field.label
        ),
        FieldUnit::Choice(names) => {
            format!(
                "{value:?} is no value for {}; expected {}",
                field.label,
                names.join(", ")
            )
        }
        unit => format!("{value:?} is no number{}", in_brackets(unit)),
    })
}

fn in_brackets(unit: FieldUnit) -> String {
    match unit.displayed_unit().0 {
        "" => String::new(),
        name => format!(" ({name})"),
    }
}

pub struct SpeedupAssumptions {
    /// Whether the model trains on graphs, not sequences.
    pub graphs: bool,
    pub assumptions: Assumptions,
    /// Numbers of accelerators to compare.
    pub accelerators: Vec<u32>,
    pub chosen: PresetChoice,
}

impl SpeedupAssumptions {
    /// Collects the named presets and the set numbers. `--list` takes no limits, so the name of the model decides
    /// between sequences and graphs there.
    pub fn new(args: &AssumedArgs, graphs: bool, list: bool) -> Result<Self> {
        let model = args.model.as_ref();
        let graphs = graphs || list && model.is_some_and(|id| named(GNNS, id).is_some());
        let mut chosen = PresetChoice::default();
        if graphs {
            chosen.gnn = model.map_or(Ok(chosen.gnn), |id| find("model for graphs", GNNS, id))?;
        } else {
            chosen.transformer =
                model.map_or(Ok(chosen.transformer), |id| find("model", TRANSFORMERS, id))?;
        }
        if let Some(id) = &args.accelerator {
            chosen.accelerator = find("accelerator", ACCELERATORS, id)?;
        }
        let accelerators = match &args.accelerators[..] {
            [] => ACCELERATORS_SHOWN.to_vec(),
            given => given.to_vec(),
        };
        let mut assumptions = chosen.assumptions_for(&chosen.accelerator.value, false);
        let number = |id, value: Option<f64>| Some((CostField::named(id)?, value?));
        // `field.with` overwrites: the first number is set last, so it is the one that stays. Each
        // one is checked that way, too.
        let crews = accelerators
            .iter()
            .rev()
            .map(|r| number(CREW, Some(f64::from(*r))));
        let given = crews.chain([number("price", args.price)]).flatten();
        // After the presets and the short options, so that --set has the last word.
        for (field, value) in given.chain(args.set.iter().copied()) {
            assumptions = field.with(&assumptions, value)?;
        }
        // Shares that were not set are those of the kind of card, which --set may have changed.
        let kind = chosen.assumptions_for(&assumptions.accelerator, false);
        let is_set = |field: &CostField| args.set.iter().any(|(set, _)| set.id == field.id);
        for field in SHARES
            .iter()
            .filter_map(|id| CostField::named(id))
            .filter(|field| !is_set(field))
        {
            assumptions = field.with(&assumptions, (field.get)(&kind))?;
        }
        Ok(Self {
            graphs,
            assumptions,
            accelerators,
            chosen,
        })
    }

    /// Returns the accelerator preset, whose numbers may have been changed.
    pub fn accelerator(&self) -> &'static Preset<Accelerator> {
        self.chosen.accelerator
    }

    pub fn model(&self) -> Value {
        match self.graphs {
            true => preset_to_json(self.chosen.gnn),
            false => preset_to_json(self.chosen.transformer),
        }
    }

    pub fn model_named(&self) -> [&'static str; 2] {
        match self.graphs {
            true => [self.chosen.gnn.name, self.chosen.gnn.source()],
            false => [
                self.chosen.transformer.name,
                self.chosen.transformer.source(),
            ],
        }
    }

    pub fn model_group(&self) -> FieldGroup {
        if self.graphs {
            FieldGroup::Gnn
        } else {
            FieldGroup::Transformer
        }
    }

    /// Returns the present value of a field, in its displayed unit.
    pub fn value(&self, field: &CostField) -> String {
        displayed_value((field.get)(&self.assumptions), field.unit)
    }

    /// Whether a field differs from the presets. The number of accelerators is a question, not an assumption.
    pub fn is_changed(&self, field: &CostField) -> bool {
        let usual = self
            .chosen
            .assumptions_for(&self.assumptions.accelerator, false);
        field.id != CREW && (field.get)(&self.assumptions) != (field.get)(&usual)
    }
}

/// Formats a value in its displayed unit, without the unit's name.
pub fn displayed_value(value: f64, unit: FieldUnit) -> String {
    let number = unit.number(value);
    match unit {
        FieldUnit::Switch if value == 1.0 => "yes".to_owned(),
        FieldUnit::Switch => "no".to_owned(),
        FieldUnit::Choice(names) => names
            .get(value as usize)
            .copied()
            .unwrap_or_default()
            .to_owned(),
        // Above 1e15 a float may not be the number that was set.
        _ if number >= 1000.0 && number.fract() == 0.0 && number < 1e15 => count(number as u64),
        _ => number.to_string(),
    }
}
