//! Batches: every sampler, one epoch and three.

use crate::median_of;
use packscope::api::batch::{PreparedBatches, Settings};
use packscope::packing::go_on;
use packscope::sampler::Sampler;

/// Sets with their limits, and epochs.
const CASES: [(&str, u32, u32); 3] = [
    ("glue_sst2", 128, 3),
    ("wikipedia_bert_512", 512, 1),
    ("wikipedia_bert_512", 512, 3),
];

/// One line per case: `BATCHES set limit epochs sampler median batches`, times in milliseconds; batches are those of all
/// epochs.
pub fn report(now: &dyn Fn() -> f64) -> String {
    let mut lines = String::new();
    for (set, limit, epochs) in CASES {
        let data = crate::set(set).with_zero();
        for sampler in Sampler::ALL {
            let settings = Settings {
                limit,
                epochs,
                sampler,
                ..Settings::default()
            };
            // As on the page: the table draws nothing.
            let run = || -> u64 {
                let prepared = PreparedBatches::new(&data, false, &settings).unwrap();
                let report = prepared.report(&settings, false, &mut go_on).unwrap();
                report.epochs.iter().map(|f| f.batches).sum()
            };
            let median = median_of(now, &|| assert!(run() > 0));
            lines += &format!(
                "BATCHES {set} {limit} {epochs} {sampler} {median:.4} {}\n",
                run()
            );
        }
    }
    lines
}
