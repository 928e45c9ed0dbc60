//! Ranks: a million sequences dealt to 1,024, and the report and the table that a slider asks for.

use crate::{median_of, timed_once};
use packscope::histogram::Draw;
use packscope::ranks::{Dealing, Settings, UnitCount, Weight, deal, run, table};

const SET: &str = "mooncake_conversation";
const SEQUENCES: usize = 1_000_000;

/// One line per case: `RANKS what ranks median`, times in milliseconds; of a million sequences those of one run.
pub fn report(now: &dyn Fn() -> f64) -> String {
    let lengths = crate::set(SET);
    let cost = Weight::Model.cost(&Settings::default().model);
    let entries = lengths.entries();
    let drawn = (0..)
        .flat_map(|seed| Draw::new(&lengths, seed))
        .take(SEQUENCES);
    let weights: Vec<f64> = drawn.map(|kind| cost.work_of(entries[kind].0[0])).collect();
    let mut lines = String::new();
    for dealing in Dealing::ALL {
        let (ms, dealt) = timed_once(now, &|| deal(dealing, &weights, 1024, UnitCount::Any(1)));
        assert_eq!(dealt.rank.len(), SEQUENCES);
        lines += &format!("RANKS {dealing}~of~a~million 1024 {ms:.1}\n");
    }
    for ranks in [8, 64, 1024] {
        let settings = Settings {
            ranks,
            limit: 131_072,
            dealing: Dealing::Greedy,
            ..Settings::default()
        }
        .swift();
        let median = median_of(now, &|| {
            assert!(run(&lengths, &settings).unwrap().factor >= 1.0)
        });
        lines += &format!("RANKS report {ranks} {median:.3}\n");
    }
    let settings = Settings {
        limit: 131_072,
        ..Settings::default()
    }
    .swift();
    let median = median_of(now, &|| {
        assert!(!table(&lengths, &settings).unwrap().rows.is_empty())
    });
    lines + &format!("RANKS table 8 {median:.3}\n")
}
