//! The view of lessons: the chapter, the arrangement of its scene, hidden parts, exercises done, and answers of
//! workers. Only the chapter knows the meaning of a scene's numbers.

use crate::query::{Request, TimedAnswer};
use packscope::advice::Case;
use packscope::order::{Map, Set};
use std::rc::Rc;

/// Maximum numbers of a knob, in an address.
const NUMBERS: usize = 200;
/// Maximum knobs of a scene, in an address.
const KNOBS: usize = 20;

/// Knobs that the reader has moved, by name; all others are in their initial positions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MovedKnobs(Map<String, Vec<u32>>);

impl MovedKnobs {
    /// Returns the numbers of a knob, if it was moved.
    pub fn get(&self, knob: &str) -> Option<&[u32]> {
        self.0.get(knob).map(Vec::as_slice)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Moves a knob; ignored beyond the limits of an address.
    pub fn set(&mut self, knob: &str, numbers: Vec<u32>) {
        // Addresses come from anywhere: what they can hold is limited.
        let known = self.0.contains_key(knob);
        if !knob.is_empty() && numbers.len() <= NUMBERS && (known || self.0.len() < KNOBS) {
            self.0.insert(knob.to_owned(), numbers);
        }
    }

    fn read(&mut self, knob: &str, value: &str) {
        let plain = |c: char| c.is_ascii_lowercase() || c == '-';
        // The numbers of a knob belong together: one that is none makes all of them invalid.
        let numbers = value
            .split('.')
            .map(|n| n.parse().ok())
            .collect::<Option<Vec<_>>>();
        // Names of knobs are short and plain: anything else in an address is none.
        if let Some(numbers) = numbers.filter(|_| knob.len() <= 20 && knob.chars().all(plain)) {
            self.set(knob, numbers);
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (String, String)> {
        let joined = |n: &Vec<u32>| n.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
        self.0
            .iter()
            .map(move |(knob, numbers)| (format!("scene.{knob}"), joined(numbers)))
    }
}

/// A worker's answer, with its request.
#[derive(Debug, Clone, PartialEq)]
pub struct LessonAnswer {
    pub request: Request,
    pub answered: TimedAnswer,
}

/// Answers, by the names that a chapter gives its questions.
pub type LessonAnswers = Map<String, LessonAnswer>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prediction {
    /// The choice of this index.
    Made(u32),
    /// No prediction: the reader had the answer shown.
    Skipped,
}

/// Predictions by the names of their questions.
pub type Predictions = Map<&'static str, Prediction>;

/// The name of the chapter about the visitor's own data.
pub const YOURS: &str = "your-data";

/// The data of the views of sequences, for the chapter about them.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnLengths {
    /// Their version: see [`Data::version`](crate::state::Data::version).
    pub version: u64,
    /// The title of a built-in set; `None` for data that the visitor has brought.
    pub title: Option<&'static str>,
    /// (length, sequences).
    pub lengths: BuiltInLengths,
    /// The training without a library that the tool weighs.
    pub case: Case,
}

/// (length, sequences) of a built-in set.
pub type BuiltInLengths = Rc<Vec<(u32, u64)>>;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct LearnState {
    /// The name of the chapter in the address; the first chapter if empty or unknown.
    pub chapter: String,
    pub moved: MovedKnobs,
    /// The chapter whose link opened the tool, by its name; empty if none did.
    pub from: String,
    /// Parts of the page that a teacher's link hides, on every view.
    pub hidden: Set<String>,
    /// Chapters with their exercise done, today or earlier.
    pub done: Set<String>,
    pub answers: Rc<LessonAnswers>,
    /// Predictions, until the page is closed.
    pub predicted: Predictions,
    /// Built-in sets that chapters have asked for; `None` for one that could not be loaded.
    pub data: Map<&'static str, Option<BuiltInLengths>>,
    /// The data of the views of sequences, while the chapter about them is open.
    pub yours: Option<OwnLengths>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// A knob was moved.
    Set(&'static str, Vec<u32>),
    /// The scene returns to its initial arrangement.
    Reset,
    /// The exercise of a chapter was done.
    Done(&'static str),
    /// Chapters done earlier.
    Remembered(Vec<String>),
    /// A part of the page was hidden (`true`), or shown again.
    Hide(String, bool),
    Answered(Vec<(String, LessonAnswer)>),
    /// A prediction was committed, or the answer shown without one, or the question is asked again (`None`).
    Predict(&'static str, Option<Prediction>),
    /// A built-in set was loaded, or could not be.
    Loaded(&'static str, Option<BuiltInLengths>),
}

impl LearnState {
    pub(super) fn apply(&mut self, action: Action) {
        match action {
            Action::Set(knob, numbers) => self.moved.set(knob, numbers),
            Action::Reset => self.moved = MovedKnobs::default(),
            Action::Done(chapter) => {
                self.done.insert(chapter.to_owned(), ());
            }
            Action::Remembered(done) => done.into_iter().for_each(|chapter| {
                self.done.insert(chapter, ());
            }),
            Action::Hide(part, true) => {
                self.hidden.insert(part, ());
            }
            Action::Hide(part, false) => {
                self.hidden.remove(&part);
            }
            Action::Answered(answers) => {
                let known = Rc::make_mut(&mut self.answers);
                for (name, answer) in answers {
                    known.insert(name, answer);
                }
            }
            Action::Predict(question, Some(prediction)) => {
                self.predicted.insert(question, prediction);
            }
            Action::Predict(question, None) => {
                self.predicted.remove(question);
            }
            Action::Loaded(set, lengths) => {
                self.data.insert(set, lengths);
            }
        }
    }

    /// Resets the chapter, the scene and the answers before an address is read. Predictions and data stay; data that
    /// could not be loaded are requested again.
    pub(super) fn leave(&mut self) {
        self.chapter.clear();
        self.moved = MovedKnobs::default();
        self.answers = Rc::default();
        // A set that could not be loaded is asked for again, since the connection may be back.
        self.data.retain(|_, lengths| lengths.is_some());
    }

    /// Applies a setting of the address.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        let plain = |c: char| c.is_ascii_lowercase() || c == '-';
        if name == "chapter" && value.len() <= 30 && value.chars().all(plain) {
            value.clone_into(&mut self.chapter);
        } else if let Some(knob) = name.strip_prefix("scene.") {
            self.moved.read(knob, value);
        }
    }

    /// Notes the chapter whose link opened the tool.
    pub(super) fn come_from(&mut self, chapter: &str) {
        let plain = |c: char| c.is_ascii_lowercase() || c == '-';
        if chapter.len() <= 30 && chapter.chars().all(plain) {
            chapter.clone_into(&mut self.from);
        }
    }

    /// Returns the address of the chapter whose link opened the tool, without `#`, with its scene if it is still known.
    pub fn back(&self) -> String {
        let mut address = format!("view=learn&chapter={}", self.from);
        if self.chapter == self.from {
            for (name, value) in self.moved.pairs() {
                address.push_str(&format!("&{name}={value}"));
            }
        }
        address
    }

    /// Replaces the hidden parts: names separated by commas.
    pub(super) fn hide(&mut self, parts: &str) {
        let plain = |part: &&str| {
            !part.is_empty()
                && part.len() <= 20
                && part.chars().all(|c| c.is_ascii_lowercase() || c == '-')
        };
        self.hidden.clear();
        // `collect` would compile a sort for this type.
        parts.split(',').filter(plain).take(KNOBS).for_each(|part| {
            self.hidden.insert(part.to_owned(), ());
        });
    }

    /// Returns the settings of the address, on this view.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (String, String)> {
        let chapter =
            (!self.chapter.is_empty()).then(|| ("chapter".to_owned(), self.chapter.clone()));
        chapter.into_iter().chain(self.moved.pairs())
    }

    /// Returns the hidden parts as a setting of the address.
    pub fn hiding(&self) -> Option<String> {
        let parts: Vec<&str> = self.hidden.keys().map(String::as_str).collect();
        (!parts.is_empty()).then(|| format!("hide={}", parts.join(",")))
    }
}
