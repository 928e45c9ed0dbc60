//! The data: thirty-six sequences, and any number of sequences with Wikipedia's lengths.

use crate::learn::data::lengths;
use crate::query::Request;
use packscope::api::{self, Settings};
use packscope::packing::Algorithm;

/// Slots of a row of the small example.
pub const SLOTS: u32 = 12;
// 36 sequences with 223 tokens, and few lengths: counting them is the point.
/// The small example: (length, sequences).
pub const SMALL: [(u32, u64); 8] = [
    (2, 3),
    (3, 7),
    (4, 5),
    (5, 5),
    (7, 4),
    (8, 3),
    (9, 3),
    (12, 6),
];
/// Sequences of Wikipedia, as packed in the paper.
pub const WIKIPEDIA: u64 = 16_279_552;
/// Number of sequences packed one by one, for a timing.
pub const PILOT: u64 = 500_000;
/// The largest number of strategies listed, enough for all.
const LISTED: u32 = 4096;

/// The numbers of sequences to choose from; Wikipedia is between ten and twenty million.
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

/// Numbers of sequences along the axis, with the names of their requests.
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

/// Returns the number of sequences at a position of the knob.
pub fn sequences(place: u32) -> u64 {
    SIZES.get(place as usize).copied().unwrap_or(WIKIPEDIA)
}

/// Returns the granularity of lengths at a position of the knob, tokens.
pub fn tokens(place: u32) -> u32 {
    // Powers of two up to 128, a quarter of a row.
    1 << place.min(7)
}

/// Returns `n` sequences with Wikipedia's lengths: proportional counts, rounded so that their sum is exact.
/// O(distinct).
pub fn like_wikipedia(n: u64) -> Vec<(u32, u64)> {
    let counts = lengths("wikipedia_bert_512");
    let all: u64 = counts.iter().map(|(_, n)| n).sum();
    // Differences of rounded cumulative counts: their sum is exactly `n`. In 128 bits, since 16
    // million times 10¹² nearly fills 64.
    let up_to = |below: u64| (u128::from(below) * u128::from(n) / u128::from(all.max(1))) as u64;
    let mut below = 0;
    let scaled = counts.into_iter().map(|(length, count)| {
        let before = up_to(below);
        below += count;
        (length, up_to(below) - before)
    });
    scaled.filter(|(_, n)| *n > 0).collect()
}

/// Returns the request to pack `n` sequences with Wikipedia's lengths, rounded up to multiples of `align`.
pub fn request(n: u64, align: u32) -> Request {
    let settings = Settings {
        align,
        ..Settings::default()
    };
    Request::from(api::Request {
        counts: like_wikipedia(n),
        settings,
        listed: LISTED,
    })
}

/// Returns the request to pack [`PILOT`] sequences one by one, for a timing.
pub fn one_by_one() -> Request {
    let settings = Settings {
        algorithm: Algorithm::Greedy,
        ..Settings::default()
    };
    Request::from(api::Request {
        counts: like_wikipedia(PILOT),
        settings,
        listed: 1,
    })
}

pub fn small_request() -> Request {
    let settings = Settings {
        limit: SLOTS,
        ..Settings::default()
    };
    Request::from(api::Request {
        counts: SMALL.to_vec(),
        settings,
        listed: 40,
    })
}
