//! Libraries that pack side by side: as each is installed, and as the judge advises.

use super::Cell;
use crate::advice::{Outcome, Verdict, duration, money};
use crate::export::Table;
use crate::words::{about_factor, count, percent};

/// A library with the judge's verdict on it, or the reason why there is none.
#[derive(Debug, Clone, Copy)]
pub struct JudgedLibrary<'a> {
    /// Its name on the command line.
    pub id: &'a str,
    /// The verdict.
    pub verdict: Result<&'a Verdict, &'a str>,
}

impl<'a> JudgedLibrary<'a> {
    fn now(&self) -> Option<&'a Outcome> {
        self.verdict.ok()?.now.as_ref()
    }

    /// Returns the advice; where nothing is to be changed, what is set.
    pub fn plan(&self) -> Option<&'a Outcome> {
        self.verdict.ok()?.then.as_ref().or(self.now())
    }

    /// Returns the place of a library in a plot of all: the share of the tokens that is lost, where half a token counts for
    /// each that is trained without its beginning, as the judge charges them; and the slots that are computed above those
    /// that carry a token, as a share.
    pub fn place(outcome: &Outcome) -> Option<(f64, f64)> {
        let lost = outcome.lost_share + outcome.cut_share / 2.0;
        outcome
            .fits
            .then(|| (lost, outcome.slots / outcome.trained_tokens.max(1.0) - 1.0))
    }
}

/// A column: its name in files, its head, and its cell.
type JudgedColumn = (&'static str, &'static str, fn(&JudgedLibrary) -> Cell);

fn empty() -> Cell {
    Cell::new("", "–")
}

fn share(outcome: Option<&Outcome>, of: fn(&Outcome) -> f64) -> Cell {
    outcome.map_or_else(empty, |outcome| {
        Cell::new(of(outcome), percent(of(outcome)))
    })
}

/// Returns rows and accumulated batches: "2 × 8".
fn batch(outcome: Option<&Outcome>) -> Cell {
    outcome.map_or_else(empty, |of| {
        let words = format!(
            "{} × {}",
            count(u64::from(of.rows)),
            count(u64::from(of.accumulation))
        );
        Cell::new(format!("{} x {}", of.rows, of.accumulation), words)
    })
}

fn hours(outcome: Option<&Outcome>) -> Cell {
    outcome.map_or_else(empty, |of| match of.fits {
        true => Cell::new(of.hours, duration(of.hours * 3600.0)),
        false => Cell::new("", "does not fit"),
    })
}

/// Returns the share that is trained without its beginning, and whether documents see one another.
fn torn(of: &JudgedLibrary) -> Cell {
    let Some(plan) = of.plan() else {
        return empty();
    };
    let mixed = if plan.apart { "" } else { ", see one another" };
    Cell::new(
        plan.cut_share,
        format!("{}{mixed}", percent(plan.cut_share)),
    )
}

fn change(of: &JudgedLibrary) -> Cell {
    match of.verdict {
        Err(why) => Cell::words(why),
        Ok(verdict) => match (&verdict.then, &verdict.now) {
            (Some(then), _) => Cell::words(then.change.words.replace('`', "")),
            (None, Some(now)) if now.fits => Cell::words("nothing"),
            (None, Some(_)) => Cell::words("no limit and no setting fits the memory"),
            (None, None) => Cell::words("refuses the data, with all that was tried"),
        },
    }
}

const COLUMNS: [JudgedColumn; 13] = [
    ("library", "library", |of| Cell::words(of.id)),
    ("padding_now", "padding", |of| match of.verdict {
        Ok(Verdict { now: None, .. }) => Cell::new("", "refuses"),
        _ => share(of.now(), |now| now.padding_share),
    }),
    ("lost_now", "loses", |of| {
        share(of.now(), |now| now.lost_share)
    }),
    ("hours_now", "an epoch", |of| hours(of.now())),
    ("batch_now", "batch", |of| batch(of.now())),
    ("change", "change", change),
    ("computed", "slots a token", |of| {
        of.plan().map_or_else(empty, |plan| {
            let slots = plan.slots / plan.trained_tokens.max(1.0);
            Cell::new(slots, format!("{slots:.2}"))
        })
    }),
    ("lost_share", "loses", |of| {
        share(of.plan(), |plan| plan.lost_share)
    }),
    ("cut_share", "cut apart", torn),
    ("batch", "batch", |of| batch(of.plan())),
    ("hours", "an epoch", |of| hours(of.plan())),
    ("money", "costs", |of| {
        of.plan()
            .filter(|plan| plan.fits)
            .map_or_else(empty, |plan| Cell::new(plan.money, money(plan.money)))
    }),
    ("speedup", "gain", |of| {
        let then = of.verdict.ok().and_then(|verdict| verdict.then.as_ref());
        let speedup = then.filter(|_| of.now().is_some_and(|now| now.fits));
        speedup.map_or_else(empty, |then| {
            Cell::new(then.speedup, about_factor(then.speedup))
        })
    }),
];

/// Returns a row for each library in the given order: what it does as it is set, the advised change, and what it does then.
pub fn judged_table(libraries: &[JudgedLibrary]) -> Table {
    let mut table = Table::of("", libraries);
    for (name, head, cell) in COLUMNS {
        table = table.column((name, head), cell);
    }
    table.table
}
