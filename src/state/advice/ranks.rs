//! The judge's verdict on ranks.

use super::Press;
use crate::state::speedup::findings::model_name;
use crate::state::{Action, AppState};
use packscope::advice::{Outcome, RanksCase, Verdict, advise_ranks};
use packscope::api::fields::ranks;

impl AppState {
    /// Returns the verdict on the ranks on screen; `None` while their report is not known. Without the table of all ways
    /// single changes alone are weighed.
    pub fn ranks_verdict(&self) -> Option<Verdict> {
        let ranked = self.ranked().filter(|_| self.is_ranked())?;
        let factor = ranked.report.figures().factor;
        let cost = self.ranks_cost(ranked.settings, ranked.report);
        Some(advise_ranks(&RanksCase {
            settings: ranked.settings,
            report: ranked.report,
            table: self
                .dealings()
                .filter(|_| self.is_dealt())
                .map(|table| &**table),
            working: cost.map(|cost| {
                let hours = cost.seconds / 3600.0;
                [hours / factor, cost.money / hours.max(f64::MIN_POSITIVE)]
            }),
            model: model_name(self),
        }))
    }

    /// Returns the buttons under the verdict on ranks, the advice first.
    pub fn ranks_presses(&self, verdict: &Verdict) -> Vec<Press> {
        let press = |(then, label): (&Outcome, &str)| Press {
            label: label.to_owned(),
            actions: ranks_set(then),
        };
        let then = verdict.then.iter().map(|then| (then, "Use it"));
        let lighter = verdict.lighter.iter();
        let lighter = lighter.map(|lighter| (lighter, "Use the smaller change"));
        then.chain(lighter).map(press).collect()
    }
}

/// Returns the actions that set what an outcome changes.
fn ranks_set(then: &Outcome) -> Vec<Action> {
    let set = then.change.settings.iter().filter_map(|set| {
        let mut fields = ranks::ALL.iter();
        let field = fields.find(|field| field.value.id == set.name)?;
        Some(Action::Ranks(field.value.id, set.value.clone()))
    });
    set.collect()
}
