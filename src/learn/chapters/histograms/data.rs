//! Thirty-six sequences, and any number of sequences with Wikipedia's lengths.

use crate::api::any::Request;
use crate::api::{self, Settings};
use crate::learn::data::lengths;
use crate::packing::Algorithm;

/// Slots of a row of the small example.
pub const SLOTS: u32 = 12;
/// The small example: (length, sequences).
pub const SMALL: [(u32, u64); 8] = [(2, 3), (3, 7), (4, 5), (5, 5), (7, 4), (8, 3), (9, 3), (12, 6)];
/// Sequences of Wikipedia, as packed in the paper.
pub const WIKIPEDIA: u64 = 16_279_552;
/// Sequences that are packed one by one, to see how long that takes.
pub const PILOT: u64 = 500_000;
/// Strategies that are listed at most: all of them.
const LISTED: u32 = 4096;

/// Numbers of sequences to choose from; between ten and twenty millions is Wikipedia.
pub const SIZES: [u64; 32] = [
    100,
    200,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
    20_000,
    50_000,
    100_000,
    200_000,
    500_000,
    1_000_000,
    2_000_000,
    5_000_000,
    10_000_000,
    WIKIPEDIA,
    20_000_000,
    50_000_000,
    100_000_000,
    200_000_000,
    500_000_000,
    1_000_000_000,
    2_000_000_000,
    5_000_000_000,
    10_000_000_000,
    20_000_000_000,
    50_000_000_000,
    100_000_000_000,
    200_000_000_000,
    500_000_000_000,
    1_000_000_000_000,
];

/// Numbers of sequences along the axis, and what the questions about them are called.
pub const DECADES: [(&str, u64); 11] = [
    ("10^2", 100),
    ("10^3", 1_000),
    ("10^4", 10_000),
    ("10^5", 100_000),
    ("10^6", 1_000_000),
    ("10^7", 10_000_000),
    ("10^8", 100_000_000),
    ("10^9", 1_000_000_000),
    ("10^10", 10_000_000_000),
    ("10^11", 100_000_000_000),
    ("10^12", 1_000_000_000_000),
];

/// The number of sequences at a place of the knob.
pub fn sequences(place: u32) -> u64 {
    SIZES.get(place as usize).copied().unwrap_or(WIKIPEDIA)
}

/// How finely lengths are told apart, by the place of the knob.
pub fn tokens(place: u32) -> u32 {
    1 << place.min(7)
}

/// So many sequences with Wikipedia's lengths: each count is its share, rounded so that the sum is exact. O(distinct).
pub fn like_wikipedia(n: u64) -> Vec<(u32, u64)> {
    let counts = lengths("wikipedia_bert_512");
    let all: u64 = counts.iter().map(|(_, n)| n).sum();
    let up_to = |below: u64| (u128::from(below) * u128::from(n) / u128::from(all.max(1))) as u64;
    let mut below = 0;
    let scaled = counts.into_iter().map(|(length, count)| {
        let before = up_to(below);
        below += count;
        (length, up_to(below) - before)
    });
    scaled.filter(|(_, n)| *n > 0).collect()
}

/// So many sequences, packed.
pub fn request(n: u64, align: u32) -> Request {
    let settings = Settings { align, ..Settings::default() };
    Request::Sequences(api::Request { counts: like_wikipedia(n), settings, listed: LISTED })
}

/// Sequences one by one, to see how long that takes.
pub fn one_by_one() -> Request {
    let settings = Settings { algorithm: Algorithm::Greedy, ..Settings::default() };
    Request::Sequences(api::Request { counts: like_wikipedia(PILOT), settings, listed: 1 })
}

/// The small example, packed.
pub fn small_request() -> Request {
    let settings = Settings { limit: SLOTS, ..Settings::default() };
    Request::Sequences(api::Request { counts: SMALL.to_vec(), settings, listed: 40 })
}
