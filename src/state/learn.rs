//! The view of lessons: the chapter, how its scene is arranged, what is hidden, what was done, and what workers have
//! answered. What a scene's numbers mean, only the chapter knows.

use crate::api::any::{Report, Request};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Numbers of one knob at most, in an address.
const NUMBERS: usize = 200;
/// Knobs of a scene at most, in an address.
const KNOBS: usize = 20;

/// What the reader has moved, by the name of the knob; what was not moved is as the chapter begins.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Moved(BTreeMap<String, Vec<u32>>);

impl Moved {
    /// The numbers of a knob, if it was moved.
    pub fn get(&self, knob: &str) -> Option<&[u32]> {
        self.0.get(knob).map(Vec::as_slice)
    }

    /// Moves a knob.
    pub fn set(&mut self, knob: &str, numbers: Vec<u32>) {
        let known = self.0.contains_key(knob);
        if !knob.is_empty() && numbers.len() <= NUMBERS && (known || self.0.len() < KNOBS) {
            self.0.insert(knob.to_owned(), numbers);
        }
    }

    fn read(&mut self, knob: &str, value: &str) {
        let plain = |c: char| c.is_ascii_lowercase() || c == '-';
        let numbers = value.split('.').map(|n| n.parse().ok()).collect::<Option<Vec<_>>>();
        if let Some(numbers) = numbers.filter(|_| knob.len() <= 20 && knob.chars().all(plain)) {
            self.set(knob, numbers);
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (String, String)> {
        let joined = |n: &Vec<u32>| n.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
        self.0.iter().map(move |(knob, numbers)| (format!("scene.{knob}"), joined(numbers)))
    }
}

/// What a worker has answered, and to which request.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// The request.
    pub request: Request,
    /// The report, or the engine's words.
    pub outcome: Result<Report, String>,
    /// Time it took, measured by the worker.
    pub seconds: f64,
}

/// Answers by the names that a chapter gives its questions.
pub type Answers = BTreeMap<String, Answered>;

/// The view of lessons.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LearnState {
    /// The name of the chapter in the address; nothing, or a name that there is not, is the first.
    pub chapter: String,
    /// How its scene is arranged.
    pub moved: Moved,
    /// Parts of the page that a teacher's link hides, on every view.
    pub hidden: BTreeSet<String>,
    /// Chapters whose exercise was done, now or on another day.
    pub done: BTreeSet<String>,
    /// The newest answers.
    pub answers: Rc<Answers>,
}

/// What happens in lessons.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// A knob is moved.
    Set(&'static str, Vec<u32>),
    /// The scene is as the chapter begins.
    Reset,
    /// The exercise of a chapter was done.
    Done(&'static str),
    /// What was done on another day.
    Remembered(Vec<String>),
    /// A part of the page is hidden, or shown again.
    Hide(String, bool),
    /// Workers have answered.
    Answered(Vec<(String, Answered)>),
}

impl LearnState {
    pub(super) fn apply(&mut self, action: Action) {
        match action {
            Action::Set(knob, numbers) => self.moved.set(knob, numbers),
            Action::Reset => self.moved = Moved::default(),
            Action::Done(chapter) => {
                self.done.insert(chapter.to_owned());
            }
            Action::Remembered(done) => self.done.extend(done),
            Action::Hide(part, true) => {
                self.hidden.insert(part);
            }
            Action::Hide(part, false) => {
                self.hidden.remove(&part);
            }
            Action::Answered(answers) => Rc::make_mut(&mut self.answers).extend(answers),
        }
    }

    /// Before an address is read: what it does not name is as it begins.
    pub(super) fn leave(&mut self) {
        self.chapter.clear();
        self.moved = Moved::default();
        self.answers = Rc::default();
    }

    /// Takes a setting of the address.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        let plain = |c: char| c.is_ascii_lowercase() || c == '-';
        if name == "chapter" && value.len() <= 30 && value.chars().all(plain) {
            value.clone_into(&mut self.chapter);
        } else if let Some(knob) = name.strip_prefix("scene.") {
            self.moved.read(knob, value);
        }
    }

    /// Takes what is hidden: names with commas between them.
    pub(super) fn hide(&mut self, parts: &str) {
        let plain = |part: &&str| {
            !part.is_empty() && part.len() <= 20 && part.chars().all(|c| c.is_ascii_lowercase() || c == '-')
        };
        self.hidden = parts.split(',').filter(plain).take(KNOBS).map(str::to_owned).collect();
    }

    /// Settings of the address, on this view.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (String, String)> {
        let chapter = (!self.chapter.is_empty()).then(|| ("chapter".to_owned(), self.chapter.clone()));
        chapter.into_iter().chain(self.moved.pairs())
    }

    /// What is hidden, as the address has it.
    pub fn hiding(&self) -> Option<String> {
        let parts: Vec<&str> = self.hidden.iter().map(String::as_str).collect();
        (!parts.is_empty()).then(|| format!("hide={}", parts.join(",")))
    }
}
