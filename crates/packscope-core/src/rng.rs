//! The one place that names a random generator: seeded, portable, the same on every machine.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

/// Random numbers of a seed. Values are stable: a change of them is a change of results.
#[derive(Debug, Clone)]
pub struct Random {
    generator: Xoshiro256PlusPlus,
    /// The upper 32 bits of the last 64, if [`Random::below_u32`] has used only the lower ones.
    half: Option<u32>,
}

impl Random {
    /// The generator of a seed (SplitMix64 expansion, as its authors recommend).
    pub fn seeded(seed: u64) -> Self {
        Self {
            generator: Xoshiro256PlusPlus::seed_from_u64(seed),
            half: None,
        }
    }

    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// Returns a number below `n`, each equally likely (Lemire 2019, *Fast Random Integer
    /// Generation in an Interval*, with rejection); 0 when `n` is 0.
    ///
    /// Written here rather than taken from a library, whose values may change between versions.
    pub fn below(&mut self, n: u64) -> u64 {
        let mut wide = u128::from(self.bits()) * u128::from(n);
        // Only here can the draw be biased, so the division is rare. `reject` is 2^64 mod n.
        if (wide as u64) < n {
            let reject = n.wrapping_neg() % n;
            while (wide as u64) < reject {
                wide = u128::from(self.bits()) * u128::from(n);
            }
        }
        (wide >> 64) as u64
    }

    /// As [`below`](Self::below), from 32 bits each: faster, most of all on targets that do not multiply 64 by 64 bits to
    /// 128, such as WebAssembly.
    #[inline]
    pub fn below_u32(&mut self, n: u32) -> u32 {
        let mut wide = u64::from(self.bits_u32()) * u64::from(n);
        if (wide as u32) < n {
            let reject = n.wrapping_neg() % n;
            while (wide as u32) < reject {
                wide = u64::from(self.bits_u32()) * u64::from(n);
            }
        }
        (wide >> 32) as u32
    }

    #[inline]
    fn bits_u32(&mut self) -> u32 {
        if let Some(half) = self.half.take() {
            return half;
        }
        let bits = self.bits();
        self.half = Some((bits >> 32) as u32);
        bits as u32
    }
}
