//! A few static shapes: what is asked about the sequences on screen, and what was found, in words.

use crate::api::held::{Answer, Request};
use crate::api::shapes::{Asked, Given, Of, SHOWN, Settings};
use crate::shapes::{Method, Shape, padding_share};
use crate::state::trainer::Sealed;
use crate::state::{AppState, DISTINCT, Known, View};
use crate::words::{percent, plural};

/// The fewest numbers of shapes that are asked about at once in data of very many sizes.
const FEWEST: u32 = 16;

/// For every method, the shapes of every number from 1.
pub type Methods = Vec<Vec<Vec<Shape>>>;

impl AppState {
    /// Returns the settings of shapes.
    pub fn shapes(&self) -> &Settings {
        &self.batches.shapes
    }

    /// Returns the slots of a batch: as set, else as many as a padded batch has.
    pub fn shape_slots(&self) -> u64 {
        let settings = &self.sequences.settings;
        self.shapes().tokens.unwrap_or(u64::from(settings.batch) * u64::from(settings.limit))
    }

    fn shapes_request(&self, of: Of) -> Request {
        let settings = &self.sequences.settings;
        Request::Shapes(Asked { limit: settings.limit, overlong: settings.overlong, of })
    }

    /// Returns the request for the shapes of all methods. Data of few sizes are asked about once for all positions of the
    /// slider.
    fn methods_request(&self) -> Request {
        let data = self.sequences.data.as_ref();
        let few = data.is_some_and(|data| data.histogram.distinct() <= DISTINCT);
        let most = self.shapes().shapes.next_power_of_two().max(if few { SHOWN } else { FEWEST });
        self.shapes_request(Of::Methods(most, self.shapes().multiple))
    }

    /// Returns the request for the given lengths, if there are any.
    fn given_request(&self) -> Option<Request> {
        let given = &self.shapes().given;
        (!given.is_empty()).then(|| self.shapes_request(Of::Given(given.clone())))
    }

    /// Returns the requests about shapes that have no answer yet; none before they have been in view.
    pub fn shapes_wanted(&self) -> Vec<Request> {
        if self.view != View::Batches || !self.batches.shapes_seen {
            return Vec::new();
        }
        let version = self.sequences.version();
        let all = [Some(self.methods_request()), self.given_request()].into_iter().flatten();
        all.filter(|request| self.answers.get(version, request).is_none()).collect()
    }

    /// Returns the answer about all methods, or why there is none, and whether it is about the present settings; the
    /// newest about these data until it is.
    pub fn found_shapes(&self) -> Option<(Result<&Sealed, &str>, bool)> {
        let version = self.sequences.version();
        if let Some(known) = self.answers.get(version, &self.methods_request()) {
            return Some((sealed(known)?, true));
        }
        let is_older = |known: &&Known| {
            let of = if let Request::Shapes(asked) = &known.request { Some(&asked.of) } else { None };
            known.ticket.data == version && matches!(of, Some(Of::Methods(..)))
        };
        let older = self.answers.newest().find(is_older)?;
        Some((sealed(older)?, false))
    }

    /// Returns the answer about the given lengths, or why there is none.
    pub fn given_shapes(&self) -> Option<Result<&Sealed, &str>> {
        sealed(self.answers.get(self.sequences.version(), &self.given_request()?)?)
    }
}

fn sealed(known: &Known) -> Option<Result<&Sealed, &str>> {
    match &known.answered.outcome {
        Ok(Answer::Shapes(sealed)) => Some(Ok(sealed)),
        Ok(_) => None,
        Err(why) => Some(Err(why)),
    }
}

/// Returns the shapes of a method at this number, or at the largest that is known.
pub fn of_method(methods: &Methods, method: Method, shapes: u32) -> &[Shape] {
    let at = Method::ALL.iter().position(|other| *other == method).unwrap_or_default();
    let all = methods.get(at).map_or(&[][..], Vec::as_slice);
    let known = all.get(shapes as usize - 1).or(all.last());
    known.map_or(&[], Vec::as_slice)
}

/// Returns the chosen shapes.
pub fn chosen<'a>(methods: &'a Methods, given: Option<&'a Given>, settings: &Settings) -> &'a [Shape] {
    match (settings.method, given) {
        (Some(method), _) => of_method(methods, method, settings.shapes),
        (None, Some(given)) => &given.shapes,
        (None, None) => of_method(methods, Method::Best, settings.shapes),
    }
}

/// Returns the title: the padding of the chosen shapes, beside that of powers of two, or of as many of the best.
pub fn title(methods: &Methods, given: Option<&Given>, settings: &Settings) -> String {
    let shapes = chosen(methods, given, settings);
    let share = percent(padding_share(shapes));
    let many = shapes.len() as u64;
    let of = |method, shapes| percent(padding_share(of_method(methods, method, shapes)));
    match settings.method.or((given.is_none()).then_some(Method::Best)) {
        Some(Method::Best) => format!(
            "{}: {share} is padding; powers of two leave {}",
            plural(many, "shape"),
            of(Method::PowersOfTwo, settings.shapes)
        ),
        Some(method) => format!(
            "{}, {}: {share} is padding; the best leave {}",
            plural(many, "shape"),
            method.long_name().to_lowercase(),
            of(Method::Best, settings.shapes)
        ),
        None => format!(
            "Your {}: {share} is padding; as many of the best leave {}",
            plural(many, "length"),
            of(Method::Best, (many as u32).max(1))
        ),
    }
}
