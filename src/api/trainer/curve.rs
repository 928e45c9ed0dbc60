//! Rows against the window, or against open rows.

use super::{Task, reference};
use crate::error::Result;
use crate::packing::Progress;
use crate::trainer::{Block, Chosen, Recipe, Window};
use serde::{Deserialize, Serialize};

/// Rows at several sizes of the window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// The quantity that grows: sequences that are packed together, or rows that are open.
    pub of: String,
    /// Ascending by size.
    pub points: Vec<Point>,
    /// The size that the settings have.
    pub now: u64,
    /// The fewest rows that are known.
    pub best: u64,
    /// The smallest size of the points within 1 % of them; `None` where none is.
    pub enough: Option<u64>,
}

/// Rows at one size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The size.
    pub size: u64,
    /// Rows, with the first seed.
    pub rows: u64,
    /// Tokens that are not trained.
    pub lost_tokens: u64,
}

/// The most points.
const POINTS: u32 = 24;
/// The most open rows: each is looked at for each item.
const OPEN: u64 = 4096;

/// Returns the recipe with another size of its window; `None` where it has none.
fn resized(recipe: &Recipe, size: u64) -> Option<Recipe> {
    let rows = u32::try_from(size).ok()?;
    let block = match recipe.block {
        Block::OpenRows { fit, .. } => Block::OpenRows { rows, fit },
        _ => {
            let window = match recipe.window {
                Window::Whole => return None,
                Window::Items(_) => Window::Items(size),
                Window::Arrivals(_) => Window::Arrivals(size),
                Window::Pieces(_) => Window::Pieces(size),
            };
            return Some(Recipe { window, ..recipe.clone() });
        }
    };
    Some(Recipe { block, ..recipe.clone() })
}

/// Returns the curve at powers of two, and at the size of the settings.
pub(super) fn curve(task: &Task, chosen: &Chosen, progress: &mut Progress) -> Result<Option<Curve>> {
    let recipe = chosen.recipe()?;
    let (of, now, from, most) = match (recipe.block, recipe.window) {
        (Block::OpenRows { rows, .. }, _) => ("open rows", u64::from(rows), 1, OPEN),
        (_, Window::Items(items) | Window::Arrivals(items) | Window::Pieces(items)) => {
            ("sequences in a window", items, 16, task.data.items())
        }
        _ => return Ok(None),
    };
    let powers = (0..POINTS).map(|power| from << power).take_while(|size| *size < most);
    let mut sizes: Vec<u64> = powers.chain([now.min(most), most]).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut points = Vec::with_capacity(sizes.len());
    for size in sizes {
        let Some(recipe) = resized(&recipe, size) else { continue };
        let run = task.run(&recipe, task.request.seed, progress)?;
        points.push(Point { size, rows: run.tally.rows, lost_tokens: run.tally.lost_tokens() });
    }
    let tally = task.run(&recipe, task.request.seed, progress)?.tally;
    let known = reference(task.data, &recipe, Some(&tally), task.request.optimum, progress);
    let fewest = points.iter().map(|point| point.rows).min();
    let best = known.map(|known| known.rows).into_iter().chain(fewest).min().unwrap_or(0);
    let enough = points.iter().find(|point| point.rows as f64 <= 1.01 * best as f64);
    Ok(Some(Curve { of: of.to_owned(), enough: enough.map(|point| point.size), points, now, best }))
}
