//! What a chapter can show, without saying how the page draws it.

use super::prose;
use crate::chart::{Frame, Scene};
use std::fmt::{self, Debug, Formatter};
use std::rc::Rc;

/// A knob and where it is moved.
pub type Move = (&'static str, Vec<u32>);

/// A part of a chapter.
#[derive(Debug, Clone)]
pub enum Part {
    /// A paragraph. Markup.
    Text(String),
    /// A title within the chapter: a finding. Markup.
    Title(String),
    /// Words of a knob to choose from, with its label.
    Words(&'static str),
    /// A drawing.
    Figure(Figure),
    /// Rows with an end to drag.
    Ends(Ends),
    /// Packs, and items to put into them.
    Packs(Packs),
    /// A table.
    Table(Table),
    /// Buttons that step a knob through its numbers, play, and go back: the knob, the last of its numbers that there is,
    /// and what a step is called.
    Player(&'static str, u32, &'static str),
    /// What is said on the left, what is shown on the right; one below the other where it is narrow.
    Beside(Vec<Part>, Vec<Part>),
}

/// What a press moves, at a place of a drawing in a frame.
pub type Press = Rc<dyn Fn(f64, f64, &Frame) -> Option<Move>>;
/// What an arrow key moves: steps to the right and upwards.
pub type Step = Rc<dyn Fn([i32; 2]) -> Option<Move>>;

/// A drawing.
#[derive(Clone)]
pub struct Figure {
    /// What is to be seen on it, for those who do not see it: with its numbers.
    pub label: String,
    /// CSS pixels of height at a width.
    pub tall: fn(f64) -> f64,
    /// Draws in a frame.
    pub draw: Rc<dyn Fn(&Frame) -> Scene>,
    /// What a press moves, if anything.
    pub press: Option<Press>,
    /// What the same press moves too: a place of a plane is two numbers.
    pub also: Option<Press>,
    /// What an arrow key moves. Without it the drawing cannot be focused.
    pub step: Option<Step>,
}

impl Figure {
    /// A drawing that is looked at.
    pub fn new(label: String, tall: fn(f64) -> f64, draw: impl Fn(&Frame) -> Scene + 'static) -> Self {
        Self { label, tall, draw: Rc::new(draw), press: None, also: None, step: None }
    }
}

impl Debug for Figure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Figure").field("label", &self.label).finish_non_exhaustive()
    }
}

/// Rows, each a sequence whose end can be dragged, with padding after it.
#[derive(Debug, Clone, PartialEq)]
pub struct Ends {
    /// What they are, for those who do not see them.
    pub label: String,
    /// The knob with a number for each sequence.
    pub knob: &'static str,
    /// Slots from edge to edge.
    pub slots: u32,
    /// The rows, from above.
    pub rows: Vec<End>,
}

/// A row of [`Ends`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct End {
    /// Which number of the knob it is.
    pub index: usize,
    /// Where its padding ends, slots.
    pub padded: u32,
    /// Whether a gap goes before it: here another batch begins.
    pub apart: bool,
}

/// Packs with items in them, to be moved from one to another if there is a knob.
#[derive(Debug, Clone, PartialEq)]
pub struct Packs {
    /// What they are, for those who do not see them.
    pub label: String,
    /// The knob with a number for each item: the pack that it is in, from 1, or 0. `None` for packs to be looked at.
    pub knob: Option<&'static str>,
    /// Where the items are.
    pub places: Vec<u32>,
    /// The items.
    pub items: Vec<Item>,
    /// Slots of a pack: one number for sequences, two for graphs.
    pub limits: Vec<u32>,
    /// What the slots hold: `["tokens"]`, `["nodes", "edges"]`.
    pub units: &'static [&'static str],
    /// How many packs there are to see.
    pub packs: u32,
    /// Items in a pack at most.
    pub depth: Option<u32>,
}

/// An item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// As many numbers as there are limits.
    pub size: Vec<u32>,
    /// A letter or a word.
    pub name: String,
}

impl Item {
    /// What it is called where a sentence begins: "B", "The 9".
    pub fn called(&self) -> String {
        if self.name.parse::<u32>().is_ok() { format!("The {}", self.name) } else { self.name.clone() }
    }
}

impl Packs {
    /// What is in a pack, by its number, in the order of the items.
    pub fn inside(&self, pack: u32) -> impl Iterator<Item = (usize, &Item)> {
        let placed = self.places.iter().zip(&self.items).enumerate();
        placed.filter(move |(_, (place, _))| **place == pack).map(|(i, (_, item))| (i, item))
    }

    /// The packs with every item put where an address may say; what has no room there stays where it is.
    #[must_use]
    pub(super) fn filled_with(mut self, places: &[u32]) -> Self {
        for (item, pack) in places.iter().enumerate() {
            if let Ok(places) = self.put(item, *pack) {
                self.places = places;
            }
        }
        self
    }

    /// Slots of a pack that are used, of one kind.
    pub fn used(&self, pack: u32, component: usize) -> u64 {
        self.inside(pack).filter_map(|(_, item)| item.size.get(component)).map(|s| u64::from(*s)).sum()
    }

    /// Packs with something in them.
    pub fn filled(&self) -> usize {
        (1..=self.packs).filter(|pack| self.places.contains(pack)).count()
    }

    /// Whether every item is in a pack.
    pub fn is_complete(&self) -> bool {
        self.places.iter().all(|place| *place > 0)
    }

    /// The places with an item moved to a pack, or taken out of its pack (0).
    ///
    /// # Errors
    /// Says why it does not fit.
    pub fn put(&self, item: usize, pack: u32) -> Result<Vec<u32>, String> {
        let mut places = self.places.clone();
        let (Some(place), Some(moved)) = (places.get_mut(item), self.items.get(item)) else {
            return Err("there is no such item".to_owned());
        };
        if pack > self.packs {
            return Err(format!("there are {} packs", self.packs));
        }
        if pack > 0 && *place != pack {
            for (k, (size, limit)) in moved.size.iter().zip(&self.limits).enumerate() {
                let left = u64::from(*limit).saturating_sub(self.used(pack, k));
                if u64::from(*size) > left {
                    let unit = self.units.get(k).copied().unwrap_or("slots");
                    return Err(format!(
                        "{} needs {size} {unit}, and pack {pack} has room for {left}",
                        moved.called()
                    ));
                }
            }
            if self.depth.is_some_and(|depth| self.inside(pack).count() as u32 >= depth) {
                return Err(format!("pack {pack} already holds as many as it may"));
            }
        }
        *place = pack;
        Ok(places)
    }
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What it is.
    pub label: String,
    /// Names of the columns. Markup, as all that follows.
    pub head: Vec<String>,
    /// The rows; the first cell of each is its name.
    pub rows: Vec<Vec<String>>,
    /// The row that stands out.
    pub chosen: Option<usize>,
}

impl Part {
    /// How many words there are to read.
    pub(super) fn words(&self) -> usize {
        match self {
            Self::Text(text) | Self::Title(text) => prose::words(text),
            Self::Beside(left, right) => left.iter().chain(right).map(Self::words).sum(),
            _ => 0,
        }
    }
}
