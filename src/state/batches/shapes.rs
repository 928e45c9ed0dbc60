//! A few static shapes: what is asked about the sequences on screen, and what was found, in words.
//!
//! The state keeps the settings as they stand in addresses, and the requests as the part of the page made them that shows
//! shapes: so only that part has the code that reads settings.

use crate::query::{Answer, Query};
use crate::state::address::no_values;
use crate::state::{AppState, CachedAnswer, DISTINCT, View};
use packscope::api::fields;
use packscope::api::fields::shapes::VALUES;
use packscope::api::shapes::{
    GivenShapes, GivenShapesQuery, Methods, SHOWN, Settings, ShapesQuery,
};
use packscope::shapes::{Shape, ShapeMethod, padding_share};
use packscope::words::{percent, plural};
use std::rc::Rc;

/// The beginning of the names of all settings of shapes in addresses.
pub(super) const SHAPES: &str = "shapes";
/// The fewest numbers of shapes that are asked about at once in data of very many sizes.
const FEWEST: u32 = 16;

/// Settings as in addresses: names, and values as text.
pub type Pairs = Rc<Vec<(String, String)>>;

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ShapesState {
    /// The settings that are not the default, as in addresses.
    pub pairs: Pairs,
    /// The queries; none before shapes have been in view.
    pub asked: Rc<Vec<Query>>,
}

impl ShapesState {
    pub fn set(&mut self, name: &str, value: &str) {
        let pairs = Rc::make_mut(&mut self.pairs);
        pairs.retain(|(other, _)| other != name);
        pairs.push((name.to_owned(), value.to_owned()));
    }
}

/// Returns the settings that are not the default, as in addresses.
pub fn pairs(settings: &Settings) -> Pairs {
    let usual = Settings::default();
    let differs = VALUES
        .iter()
        .filter(|value| (value.get)(settings) != (value.get)(&usual));
    // Given lengths that the visitor has removed are the default again, whose text is empty.
    Rc::new(
        differs
            .map(|value| (value.id.to_owned(), (value.get)(settings)))
            .collect(),
    )
}

impl AppState {
    /// Returns the settings of shapes; those with values that are not possible have the default.
    pub fn shapes(&self) -> Settings {
        let mut settings = Settings::default();
        for (name, value) in self.shapes_pairs() {
            fields::set(VALUES, &mut settings, name, value);
        }
        settings
    }

    pub fn shapes_pairs(&self) -> &[(String, String)] {
        &self.batches.shapes.pairs
    }

    /// Returns sentences about settings of shapes in the address whose values are not possible.
    pub fn refused_shapes(&self) -> Option<String> {
        let pairs = self.shapes_pairs().iter();
        let refused = pairs.filter_map(|(id, value)| {
            let (name, expected) = fields::refused(VALUES, id, value)?;
            Some((id.as_str(), value.as_str(), name, expected))
        });
        no_values(&refused.collect::<Vec<_>>(), 0)
    }

    /// Returns the slots of a batch: as set, else as many as a padded batch has.
    pub fn shape_slots(&self) -> u64 {
        let settings = &self.sequences.settings;
        self.shapes()
            .tokens
            .unwrap_or(u64::from(settings.batch) * u64::from(settings.limit))
    }

    /// Returns the queries that the present settings need: for the shapes of all methods, which for data of few sizes
    /// has all positions of the slider, and for the given lengths, if there are any.
    pub fn shapes_queries(&self) -> Vec<Query> {
        [Some(self.methods_query()), self.given_query()]
            .into_iter()
            .flatten()
            .collect()
    }

    fn methods_query(&self) -> Query {
        let (settings, data) = (self.shapes(), self.sequences.data.as_ref());
        let few = data.is_some_and(|data| data.histogram.distinct() <= DISTINCT);
        let most = settings
            .shapes
            // Rounded up, so that few steps of the slider ask anew.
            .next_power_of_two()
            .max(if few { SHOWN } else { FEWEST });
        let sequences = &self.sequences.settings;
        Query::Shapes(ShapesQuery {
            limit: sequences.limit,
            overlong: sequences.overlong,
            most,
            multiple: settings.multiple,
        })
    }

    fn given_query(&self) -> Option<Query> {
        let (given, sequences) = (self.shapes().given, &self.sequences.settings);
        let query = GivenShapesQuery {
            limit: sequences.limit,
            overlong: sequences.overlong,
            given,
        };
        (!query.given.is_empty()).then_some(Query::GivenShapes(query))
    }

    /// Whether shapes are asked about at all: they have been in view.
    pub fn are_shapes_asked(&self) -> bool {
        !self.batches.shapes.asked.is_empty()
    }

    /// Returns the queries about shapes that have no answer yet.
    pub fn shapes_wanted(&self) -> Vec<Query> {
        let version = self.sequences.version();
        // They stay noted while another view is on screen, and are asked about when it is this one
        // again.
        let shown = self.view == View::Batches;
        let all = self.batches.shapes.asked.iter().filter(|_| shown);
        all.filter(|query| self.answers.get(version, query).is_none())
            .cloned()
            .collect()
    }

    /// Returns the answer about all methods, or why there is none, and whether it is about the present settings; the
    /// newest about these data until it is.
    pub fn found_shapes(&self) -> Option<(Result<&Rc<Methods>, &str>, bool)> {
        let version = self.sequences.version();
        let now = self.answers.get(version, &self.methods_query());
        let is_older = |known: &&CachedAnswer| {
            known.ticket.data == version && matches!(known.query, Query::Shapes(_))
        };
        let known = now.or_else(|| self.answers.newest().find(is_older))?;
        let methods = match &known.answered.outcome {
            Ok(Answer::Shapes(methods)) => Ok(methods),
            Ok(_) => return None,
            Err(why) => Err(why.as_str()),
        };
        Some((methods, now.is_some()))
    }

    /// Returns the answer about the given lengths, or why there is none.
    pub fn given_shapes(&self) -> Option<Result<&Rc<GivenShapes>, &str>> {
        let known = self
            .answers
            .get(self.sequences.version(), &self.given_query()?)?;
        match &known.answered.outcome {
            Ok(Answer::GivenShapes(given)) => Some(Ok(given)),
            Ok(_) => None,
            Err(why) => Some(Err(why)),
        }
    }
}

/// Returns the shapes of a method at this number, or at the largest that is known.
pub fn of_method(methods: &Methods, method: ShapeMethod, shapes: u32) -> &[Shape] {
    let at = ShapeMethod::ALL
        .iter()
        .position(|other| *other == method)
        .unwrap_or_default();
    let all = methods.get(at).map_or(&[][..], Vec::as_slice);
    // The first list has one shape, and settings have at least one.
    let known = all.get(shapes as usize - 1).or(all.last());
    known.map_or(&[], Vec::as_slice)
}

pub fn chosen<'a>(
    methods: &'a Methods,
    given: Option<&'a GivenShapes>,
    settings: &Settings,
) -> &'a [Shape] {
    match (settings.method, given) {
        (Some(method), _) => of_method(methods, method, settings.shapes),
        (None, Some(given)) => &given.shapes,
        (None, None) => of_method(methods, ShapeMethod::Best, settings.shapes),
    }
}

/// Returns the title: the padding of the chosen shapes, beside that of powers of two, or of the best shapes of the same number.
pub fn title(methods: &Methods, given: Option<&GivenShapes>, settings: &Settings) -> String {
    let shapes = chosen(methods, given, settings);
    let share = percent(padding_share(shapes));
    let many = shapes.len() as u64;
    let of = |method, shapes| percent(padding_share(of_method(methods, method, shapes)));
    match settings
        .method
        .or((given.is_none()).then_some(ShapeMethod::Best))
    {
        Some(ShapeMethod::Best) => format!(
            "{}: {share} is padding; powers of two leave {}",
            plural(many, "shape"),
            of(ShapeMethod::PowersOfTwo, settings.shapes)
        ),
        Some(method) => format!(
            "{}, {}: {share} is padding; the best leave {}",
            plural(many, "shape"),
            method.long_name().to_lowercase(),
            of(ShapeMethod::Best, settings.shapes)
        ),
        None => format!(
            "Your {0}: {share} is padding; with the best {0}, {1}",
            plural(many, "length"),
            of(ShapeMethod::Best, (many as u32).max(1))
        ),
    }
}
