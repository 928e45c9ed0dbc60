//! The one place that names a random generator: seeded, portable, the same on every machine.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

/// Random numbers of a seed. Values are stable: a change of them is a change of results.
#[derive(Debug, Clone)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The generator of a seed (SplitMix64 expansion, as its authors recommend).
    pub fn seeded(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `n`, each equally likely (Lemire 2019, with rejection); 0 when `n` is 0.
    ///
    /// Written here rather than taken from a library, whose values may change between versions.
    pub fn below(&mut self, n: u64) -> u64 {
        let mut wide = u128::from(self.bits()) * u128::from(n);
        if (wide as u64) < n {
            let reject = n.wrapping_neg() % n;
            while (wide as u64) < reject {
                wide = u128::from(self.bits()) * u128::from(n);
            }
        }
        (wide >> 64) as u64
    }
}
