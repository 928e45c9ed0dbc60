//! The cost against the window, or against open rows.

use super::pass::PassTask;
use crate::error::Result;
use crate::packing::Progress;
use crate::trainer::{Block, LibrarySettings, PackingLibraries, Recipe, Window};
use crate::words::count;
use serde::{Deserialize, Serialize};

/// The cost at several sizes of the window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WindowCurve {
    /// The quantity that grows: the sequences packed together, or the open rows.
    pub of: String,
    /// Powers of two, the size at hand and the largest one, ascending.
    pub points: Vec<CurvePoint>,
    /// The size at the present settings.
    pub now: u64,
    /// Whether computed slots are compared; otherwise rows, whose unused room is not computed.
    pub padded: bool,
    /// The fewest rows known.
    pub best: u64,
    /// The smallest size among the points within 1 % of the best plan; `None` if there is none.
    pub enough: Option<u64>,
}

/// The cost at one size, all other settings unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// Sequences packed together, or open rows.
    pub size: u64,
    /// Rows, with the first seed.
    pub rows: u64,
    /// Tokens that are not trained.
    pub lost_tokens: u64,
    /// Share of slots per trained token beyond the best plan known; without padding, of rows beyond the fewest known.
    pub above_best: f64,
}

impl WindowCurve {
    /// Returns the quantity compared, in words.
    pub fn compared(&self) -> &'static str {
        if self.padded {
            "slots computed for each token"
        } else {
            "rows, of which no room is computed"
        }
    }

    /// Returns a sentence, without its end, on the size that is enough.
    pub fn sentence(&self) -> String {
        let (of, now) = (&self.of, count(self.now));
        let best = if self.padded {
            "of what the best plan computes"
        } else {
            "of the fewest rows"
        };
        match self
            .enough
            .map(|enough| (enough <= self.now, count(enough)))
        {
            Some((true, enough)) => format!("{enough} {of} are enough: within 1 % {best}"),
            Some((false, enough)) => {
                format!("{enough} {of} instead of {now} come within 1 % {best}")
            }
            None => format!("No number of {of} comes within 1 % {best}"),
        }
    }
}

/// The maximum number of points.
const POINTS: u32 = 24;
/// The maximum number of open rows: each is considered for each item.
const OPEN: u64 = 4096;
/// The maximum number of sequences in a window where packing takes a time quadratic in it: verl on
/// 16 million sequences took more than 100 s without it, and 0.8 s with it.
const QUADRATIC: u64 = 1024;

/// Returns the recipe with another size of its window; `None` if it has no window.
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
            return Some(Recipe {
                window,
                ..recipe.clone()
            });
        }
    };
    Some(Recipe {
        block,
        ..recipe.clone()
    })
}

/// Returns the curve at powers of two, and at the size of the settings.
pub(super) fn curve(
    task: &PassTask<PackingLibraries>,
    chosen: &LibrarySettings,
    progress: &mut Progress,
) -> Result<Option<WindowCurve>> {
    let recipe = chosen.recipe()?;
    let (of, now, from, most) = match (recipe.block, recipe.window) {
        (Block::OpenRows { rows, .. }, _) => ("open rows", u64::from(rows), 1, OPEN),
        (_, Window::Items(items) | Window::Arrivals(items) | Window::Pieces(items)) => {
            // A window larger than the sample is all of it.
            let all = if task.samples(&recipe) {
                task.few.items()
            } else {
                task.data.items()
            };
            (
                "sequences in a window",
                items,
                16,
                if recipe.block.is_quadratic() {
                    all.min(QUADRATIC)
                } else {
                    all
                },
            )
        }
        _ => return Ok(None),
    };
    let powers = (0..POINTS)
        .map(|power| from << power)
        .take_while(|size| *size < most);
    let mut sizes: Vec<u64> = powers.chain([now.min(most), most]).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let run =
        |recipe: &Recipe, progress: &mut Progress| task.run(recipe, task.request.seed, progress);
    let tally = run(&recipe, progress)?.tally;
    let known = task.references.of(
        task.data,
        &recipe,
        Some(&tally),
        task.request.optimum,
        progress,
    );
    let mut points = Vec::with_capacity(sizes.len());
    for size in sizes {
        let Some(recipe) = resized(&recipe, size) else {
            continue;
        };
        let tally = run(&recipe, progress)?.tally;
        // Until the best of them is known, this is the quantity itself.
        let (cost, lost_tokens) = (task.cost(&tally, &recipe), tally.lost_tokens());
        let above_best = if recipe.padded {
            cost.slots
        } else {
            cost.rows as f64
        };
        points.push(CurvePoint {
            size,
            rows: tally.rows,
            lost_tokens,
            above_best,
        });
    }
    let fewest = points
        .iter()
        .map(|point| point.rows)
        .chain(known.iter().map(|known| known.rows))
        .min();
    let least = known.map(|known| {
        if recipe.padded {
            known.slots(&recipe)
        } else {
            known.rows as f64
        }
    });
    let least = points
        .iter()
        .map(|point| point.above_best)
        .chain(least)
        .fold(f64::INFINITY, f64::min);
    points
        .iter_mut()
        .for_each(|point| point.above_best = point.above_best / least.max(f64::MIN_POSITIVE) - 1.0);
    let enough = points
        .iter()
        .find(|point| point.above_best <= 0.01)
        .map(|point| point.size);
    let (of, padded, best) = (of.to_owned(), recipe.padded, fewest.unwrap_or(0));
    Ok(Some(WindowCurve {
        of,
        points,
        now,
        padded,
        best,
        enough,
    }))
}
