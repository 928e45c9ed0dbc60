//! The parts of a chapter, independent of how the page draws them.

use super::Guess;
use packscope_chart::{Frame, Scene};
use std::fmt::{self, Debug, Formatter};
use std::rc::Rc;

/// A knob and its new numbers.
pub type Move = (&'static str, Vec<u32>);

#[derive(Debug, Clone)]
pub enum ChapterPart {
    /// A paragraph. Markup.
    Text(String),
    /// A heading within the chapter that states a finding. Markup.
    Title(String),
    /// Choice between the words of a knob, with its label.
    Words(&'static str),
    /// A drawing.
    Figure(Figure),
    Ends(Ends),
    Packs(Packs),
    /// A table.
    Table(ChapterTable),
    /// Buttons that step a knob through its numbers, play, and reset: the knob, its last number in use, the word for a
    /// step, and what number 0 is called.
    Player(&'static str, u32, &'static str, u32),
    /// A question whose answer is revealed after a prediction.
    Guess(Guess),
    /// A remark for experts, folded: what it is about, and the text. Markup.
    Aside(&'static str, String),
    /// Code: what it is about, its text, and whether it is shown before a press.
    Code(&'static str, String, bool),
    /// Text on the left and a drawing on the right; one below the other on narrow screens.
    Beside(Vec<ChapterPart>, Vec<ChapterPart>),
}

/// Returns the move for a press at (x, y) of a drawing in a frame.
pub type Press = Rc<dyn Fn(f64, f64, &Frame) -> Option<Move>>;
/// Returns the move for an arrow key: steps to the right and upwards.
pub type ArrowStep = Rc<dyn Fn([i32; 2]) -> Option<Move>>;

/// A drawing.
#[derive(Clone)]
pub struct Figure {
    /// The accessible label: a summary with numbers.
    pub label: String,
    /// Returns the height at a width, in CSS pixels.
    pub tall: fn(f64) -> f64,
    pub draw: Rc<dyn Fn(&Frame) -> Scene>,
    /// The move of a press, if any.
    pub press: Option<Press>,
    /// A second move of the same press: a point of a plane is two numbers.
    pub also: Option<Press>,
    /// The move of an arrow key. Without it the drawing cannot be focused.
    pub step: Option<ArrowStep>,
}

impl Figure {
    /// Creates a drawing without interaction.
    pub fn new(
        label: String,
        tall: fn(f64) -> f64,
        draw: impl Fn(&Frame) -> Scene + 'static,
    ) -> Self {
        Self {
            label,
            tall,
            draw: Rc::new(draw),
            press: None,
            also: None,
            step: None,
        }
    }
}

impl Debug for Figure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Figure")
            .field("label", &self.label)
            .finish_non_exhaustive()
    }
}

/// Rows, each a sequence with a draggable end and padding after it.
#[derive(Debug, Clone, PartialEq)]
pub struct Ends {
    /// The accessible label.
    pub label: String,
    /// The knob with a number for each sequence.
    pub knob: &'static str,
    /// Slots of the full width.
    pub slots: u32,
    pub rows: Vec<End>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct End {
    /// The index into the numbers of the knob.
    pub index: usize,
    /// The end of the padding, slots.
    pub padded: u32,
    /// Whether a gap precedes the row, since another batch begins.
    pub apart: bool,
}

/// Packs with items, movable between packs if there is a knob.
#[derive(Debug, Clone, PartialEq)]
pub struct Packs {
    /// The accessible label.
    pub label: String,
    /// The knob with a number for each item: its pack, from 1, or 0. `None` for packs that cannot be changed.
    pub knob: Option<&'static str>,
    /// The pack of each item, from 1; 0 for none.
    pub places: Vec<u32>,
    pub items: Vec<Item>,
    /// Slots of a pack, per component: one number for sequences, two for graphs.
    pub limits: Vec<u32>,
    /// Unit of the slots, per component: `["tokens"]`, `["nodes", "edges"]`.
    pub units: &'static [&'static str],
    /// Number of packs shown.
    pub packs: u32,
    pub depth: Option<u32>,
}

/// A sequence or graph to pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Size, per component.
    pub size: Vec<u32>,
    pub name: String,
}

impl Item {
    /// Returns the name for the beginning of a sentence: "B", "The 9".
    pub fn called(&self) -> String {
        // A name that is a number is a size: "The 9 needs …", but "B needs …".
        if self.name.parse::<u32>().is_ok() {
            format!("The {}", self.name)
        } else {
            self.name.clone()
        }
    }
}

impl Packs {
    /// Returns the items of a pack with their indices, in the order of the items. Packs are numbered from 1.
    pub fn inside(&self, pack: u32) -> impl Iterator<Item = (usize, &Item)> {
        let placed = self.places.iter().zip(&self.items).enumerate();
        placed
            .filter(move |(_, (place, _))| **place == pack)
            .map(|(i, (_, item))| (i, item))
    }

    /// Returns the accessible name of an item: its name if it has one besides its size, its size, which of several alike
    /// it is, and its pack. Empty for an item that does not exist.
    pub fn spoken(&self, index: usize) -> String {
        let Some(item) = self.items.get(index) else {
            return String::new();
        };
        let sizes = item
            .size
            .iter()
            .zip(self.units)
            .map(|(n, unit)| format!("{n} {unit}"));
        let sizes = sizes.collect::<Vec<_>>().join(" and ");
        let name = if item.name.parse::<u32>().is_ok() {
            sizes
        } else {
            format!("{}, {sizes}", item.name)
        };
        let alike = || {
            self.items
                .iter()
                .enumerate()
                .filter(|(_, other)| *other == item)
        };
        // Two sequences of 7 tokens have the same name: "1 of 2" tells screen readers which one has
        // the focus.
        let which = match alike().count() {
            0 | 1 => String::new(),
            n => format!(
                ", {} of {n}",
                alike().filter(|(at, _)| *at <= index).count()
            ),
        };
        match self.places.get(index) {
            None | Some(0) => format!("{name}{which}, in no pack"),
            Some(pack) => format!("{name}{which}, in pack {pack}"),
        }
    }

    /// Moves the items to the given packs one by one; an item that does not fit stays where it is.
    #[must_use]
    pub(super) fn filled_with(mut self, places: &[u32]) -> Self {
        for (item, pack) in places.iter().enumerate() {
            // An address may say anything: a move that does not fit is left out, and the others are
            // made.
            if let Ok(places) = self.put(item, *pack) {
                self.places = places;
            }
        }
        self
    }

    /// Returns the used slots of a pack, for one component.
    pub fn used(&self, pack: u32, component: usize) -> u64 {
        self.inside(pack)
            .filter_map(|(_, item)| item.size.get(component))
            .map(|s| u64::from(*s))
            .sum()
    }

    pub fn filled(&self) -> usize {
        (1..=self.packs)
            .filter(|pack| self.places.contains(pack))
            .count()
    }

    pub fn is_complete(&self) -> bool {
        self.places.iter().all(|place| *place > 0)
    }

    /// Returns the places after moving an item to a pack, or out of its pack (0).
    ///
    /// # Errors
    /// Returns the reason if the item or the pack does not exist or the item does not fit.
    pub fn put(&self, item: usize, pack: u32) -> Result<Vec<u32>, String> {
        let mut places = self.places.clone();
        let (Some(place), Some(moved)) = (places.get_mut(item), self.items.get(item)) else {
            return Err("there is no such item".to_owned());
        };
        if pack > self.packs {
            return Err(format!("there are {} packs", self.packs));
        }
        // An item that stays in its pack needs no room: it is already counted there.
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
            if self
                .depth
                // The depth is asked last, so that the message names the want of room first.
                .is_some_and(|depth| self.inside(pack).count() as u32 >= depth)
            {
                return Err(format!("pack {pack} already holds as many as it may"));
            }
        }
        *place = pack;
        Ok(places)
    }
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChapterTable {
    /// The accessible label.
    pub label: String,
    /// Column headings. Markup, as are all cells.
    pub head: Vec<String>,
    /// The rows; the first cell of each is its heading.
    pub rows: Vec<Vec<String>>,
    /// The highlighted row.
    pub chosen: Option<usize>,
}
