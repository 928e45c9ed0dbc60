//! The one setting of ranks to change.

use super::{Advice, WORTH};
use crate::api::ranks::{Report, Settings, WhatIf};
use crate::state::ranks::findings::{changed, idle};
use crate::state::{Action, AppState};
use crate::words::{factor, percent};

impl AppState {
    /// Returns the single change with which ranks wait least, or that nothing is to be changed: where no change saves
    /// 2 % of the time.
    pub fn ranks_advice(&self, settings: &Settings, report: &Report) -> Advice {
        let now = percent(report.idle);
        let worth = |what: &&WhatIf| report.factor / what.factor >= 1.0 + WORTH;
        let Some(best) = report.what_if.first().filter(worth) else {
            let reason = format!("Ranks wait {now} of the time, and no single change saves 2 %.");
            return Advice::new("These settings", reason, vec![]);
        };
        let (id, text) = best.change.setting();
        let reason = format!(
            "Ranks would wait {} of the time instead of {now}: {} as fast.",
            percent(idle(best.factor)),
            factor(report.factor / best.factor)
        );
        Advice::new(changed(self, settings, best.change), reason, vec![Action::Ranks(id, text)])
    }
}
