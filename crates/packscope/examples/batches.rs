//! Batches of like length instead of packs: `cargo run --example batches`.

use packscope::Error;
use packscope::api::batch::{BatchRequest, Settings};
use packscope::packing::go_on;
use packscope::run;
use packscope::sampler::Sampler;

/// One epoch by every sampler: its batches, and how much of them is padding.
///
/// # Errors
/// None with these data.
pub fn main() -> Result<(), Error> {
    // Sentences as short as those of SST-2, which rows of 128 tokens would mostly be padding for. No stopwords.
    let counts: Vec<([u32; 2], u64)> = (3..60u32)
        .map(|length| ([length, 0], u64::from(60 - length).pow(2)))
        .collect();
    for sampler in Sampler::ALL {
        let settings = Settings {
            limit: 128,
            sampler,
            epochs: 1,
            seed: 7,
            ..Settings::default()
        };
        let request = BatchRequest {
            counts: counts.clone(),
            stopwords_known: true,
            settings,
            drawn: false,
        };
        let epoch = &run(&request, &mut go_on)?.epochs[0];
        println!(
            "{:<16} {:>4} batches of {:>6.1} sequences, {:>5.2} % padding",
            sampler.name(),
            epoch.batches,
            epoch.sequences_per_step,
            100.0 * epoch.padding_share,
        );
    }
    Ok(())
}
