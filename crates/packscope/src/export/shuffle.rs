//! A permutation of many numbers without a table of them.

use crate::rng::Random;

/// Rounds of the Feistel network: four make it as good as random, except against an attacker (Luby, Rackoff 1988).
const ROUNDS: usize = 4;

/// A permutation of the numbers below `n`: a Feistel network over the next power of four, walked along its cycle until
/// the number is below `n`. O(1) memory; at most four steps on average.
#[derive(Debug, Clone)]
pub(super) struct Permutation {
    n: u64,
    half: u32,
    keys: [u64; ROUNDS],
}

impl Permutation {
    pub fn new(n: u64, seed: u64) -> Self {
        let mut random = Random::seeded(seed);
        // Two halves of as many bits: at most four times n numbers, so that few steps fall outside.
        let bits = u64::BITS - n.saturating_sub(1).leading_zeros();
        Self {
            n,
            half: bits.div_ceil(2).max(1),
            keys: std::array::from_fn(|_| random.bits()),
        }
    }

    /// Returns the image of a number below `n`; larger numbers are returned unchanged.
    pub fn image(&self, number: u64) -> u64 {
        if number >= self.n {
            return number;
        }
        let mut at = self.step(number);
        // Ends, as the cycle of `number` leads back to it, and `number` is below n.
        while at >= self.n {
            at = self.step(at);
        }
        at
    }

    fn step(&self, number: u64) -> u64 {
        let mask = (1 << self.half) - 1;
        let (left, right) = self
            .keys
            .iter()
            .fold((number >> self.half, number & mask), |(l, r), key| {
                (r, l ^ (mixed(r ^ key) & mask))
            });
        left << self.half | right
    }
}

/// Applies the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}
