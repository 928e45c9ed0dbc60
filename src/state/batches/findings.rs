//! What is to be seen of batches, in words computed from the data.

use super::Row;
use crate::sampler::Sampler;

/// The name people read.
pub fn name_of(row: Row) -> &'static str {
    match (row.sampler, row.merging) {
        (Sampler::Random, _) => "Random",
        (Sampler::Sorted, _) => "Sorted",
        (Sampler::LengthGrouped, _) => "Length-grouped",
        (Sampler::BucketByLength, _) => "Bucket by length",
        (Sampler::TokenBudget, _) => "Token budget",
        (Sampler::Bucket, Some(false)) => "BucketSampler, residuals kept",
        (Sampler::Bucket, _) => "BucketSampler",
        (Sampler::Packed, _) => "Packed rows",
    }
}

use crate::state::AppState;
/// Title of the picture.
pub fn of_picture(_: &AppState) -> Option<String> {
    None
}
/// Title of the sizes.
pub fn of_along(_: &AppState) -> Option<String> {
    None
}
/// Title of the caps.
pub fn of_caps(_: &AppState) -> Option<String> {
    None
}
