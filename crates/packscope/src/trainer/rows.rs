//! The setting of a library for the rows of a batch, and as many of them as the memory holds.

use super::{Block, DeviceStep, LibrarySettings, Recipe};

/// The setting for the rows of a batch of one accelerator.
#[derive(Debug, Clone, Copy)]
pub struct RowsSetting {
    /// Its name.
    pub name: &'static str,
    /// Its value now.
    pub rows: u32,
    /// Whether it changes nothing else: not how rows are packed.
    pub alone: bool,
}

/// Returns the rows of a batch of a recipe; `None` where they are not its own setting.
fn rows_of(recipe: &Recipe) -> Option<u32> {
    match (recipe.block, recipe.step) {
        (Block::Alone { batch, .. }, _) => Some(batch),
        (_, DeviceStep::Rows(rows)) => Some(rows),
        _ => None,
    }
}

impl LibrarySettings {
    /// Returns the setting with which the rows of a batch grow in proportion; `None` if there is none. MaxText multiplies
    /// it by its devices.
    pub fn rows_setting(&self) -> Option<RowsSetting> {
        let recipe = self.recipe().ok()?;
        let all = rows_of(&recipe)?;
        let sets = |name: &'static str| {
            let rows: u32 = self.get(name).parse().ok().filter(|rows| *rows > 0)?;
            let other = if rows == 1 { 2 } else { 1 };
            let then = self.with_number(name, other)?.recipe().ok()?;
            let alone = Recipe {
                step: recipe.step,
                ..then.clone()
            } == recipe;
            let grows =
                u64::from(rows_of(&then)?) * u64::from(rows) == u64::from(all) * u64::from(other);
            grows.then_some(RowsSetting { name, rows, alone })
        };
        let settings = self.library.settings.iter();
        settings.filter_map(|setting| sets(setting.name)).next()
    }

    /// Returns the setting by which one packed row has the slots of several of the limit, as Axolotl's `micro_batch_size`; `None`
    /// if there is none.
    pub fn row_setting(&self) -> Option<RowsSetting> {
        let recipe = self.recipe().ok()?;
        let is_of = |recipe: &Recipe, rows: u32| {
            recipe.block.packs()
                && u64::from(recipe.capacity) == u64::from(self.limit) * u64::from(rows)
        };
        let sets = |name: &'static str| {
            let rows: u32 = self.get(name).parse().ok().filter(|rows| *rows > 1)?;
            let then = self.with_number(name, 1)?.recipe().ok()?;
            let grows = is_of(&recipe, rows) && is_of(&then, 1);
            grows.then_some(RowsSetting {
                name,
                rows,
                alone: false,
            })
        };
        let settings = self.library.settings.iter();
        settings.filter_map(|setting| sets(setting.name)).next()
    }

    /// Returns the settings with another whole number; `None` where the library refuses it.
    pub fn with_number(&self, name: &str, number: u32) -> Option<Self> {
        let mut other = self.clone();
        other.set(name, &number.to_string()).ok()?;
        Some(other)
    }

    /// Returns the rows of a batch that have at most `slots` slots, where the longest sequence has `longest` tokens; `None`
    /// where the library refuses its settings.
    pub fn rows_within(&self, longest: u32, slots: f64) -> Option<u32> {
        let recipe = self.recipe().ok()?;
        let row = match recipe.block {
            Block::Alone { multiple, .. } => {
                let longest = longest.min(recipe.capacity);
                longest
                    .checked_next_multiple_of(multiple)
                    .unwrap_or(longest)
            }
            _ => recipe.capacity,
        };
        Some((slots / f64::from(row.max(1))) as u32)
    }

    /// Returns the settings with the most rows that have at most `slots` slots, a power of two, where the batch has more
    /// and cannot be split without another setting; one row even where that has more.
    #[must_use]
    pub fn within_memory(self, longest: u32, slots: f64) -> Self {
        let lowered = || {
            let (set, fit) = match self.row_setting() {
                Some(set) => (set, (slots / f64::from(self.limit.max(1))) as u32),
                None => {
                    let set = self.rows_setting().filter(|set| !set.alone)?;
                    (set, self.rows_within(longest, slots)?)
                }
            };
            let power = 1 << fit.max(1).ilog2();
            (set.rows > power)
                .then(|| self.with_number(set.name, power))
                .flatten()
        };
        lowered().unwrap_or(self)
    }
}
