//! The one setting of ranks to change.

use super::{Advice, WORTH};
use crate::state::ranks::findings::{best, changed, factor_of, waiting, waits};
use crate::state::{Action, AppState};
use packscope::api::ranks::{Report, Settings, WhatIf};
use packscope::words::factor;

impl AppState {
    /// Returns the single change with which ranks wait least, or that nothing is to be changed: where no change saves
    /// 2 % of the time.
    pub fn ranks_advice(&self, settings: &Settings, report: &Report) -> Advice {
        let at = factor_of(report);
        let (now, wait) = (waits(at), waiting(report));
        let worth = |what: &&WhatIf| at / what.factor >= 1.0 + WORTH;
        let Some(best) = best(report).filter(worth) else {
            let reason = format!("Ranks {wait} {now} of the time, and no single change saves 2 %.");
            return Advice::new("These settings", reason, vec![]);
        };
        let (id, text) = best.change.setting();
        let reason = format!(
            "Ranks would {wait} {} of the time instead of {now}: {} as fast.",
            waits(best.factor),
            factor(at / best.factor)
        );
        Advice::new(
            changed(self, settings, best.change),
            reason,
            vec![Action::Ranks(id, text)],
        )
    }
}
