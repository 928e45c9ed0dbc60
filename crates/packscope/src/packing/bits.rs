//! A bit set with summaries: above the bits, further bits mark the words that are not empty, so that the next set bit
//! is found among a million as fast as among a hundred.

/// A bit set. Public for tests alone: no plan shows what it finds.
#[derive(Debug, Clone)]
pub struct Bits {
    /// The bits, then per level one bit for each word of the level below that is not 0.
    levels: Vec<Vec<u64>>,
}

impl Bits {
    /// Creates `n` bits, all set.
    pub fn ones(n: usize) -> Self {
        let mut levels = Vec::new();
        let mut bits = n.max(1);
        loop {
            let mut words = vec![u64::MAX; bits.div_ceil(64)];
            if let (Some(last), rest @ 1..) = (words.last_mut(), bits % 64) {
                *last = (1 << rest) - 1;
            }
            bits = words.len();
            levels.push(words);
            if bits == 1 {
                break;
            }
        }
        // A level has at least one word, and this one must not claim a bit.
        if n == 0 {
            levels[0][0] = 0;
        }
        Self { levels }
    }

    /// Sets or clears a bit.
    pub fn set(&mut self, at: usize, there: bool) {
        let mut at = at;
        for level in &mut self.levels {
            let (word, bit) = (&mut level[at / 64], 1 << (at % 64));
            let before = *word;
            *word = if there { before | bit } else { before & !bit };
            // Levels above say only whether a word is empty: if that is unchanged, so are they.
            if (before == 0) == (*word == 0) {
                break;
            }
            at /= 64;
        }
    }

    /// Returns the last set bit before `end`.
    pub fn last_before(&self, end: usize) -> Option<usize> {
        let (mut level, mut end) = (0, end.min(self.levels[0].len() * 64));
        loop {
            let last = end.checked_sub(1)?;
            let word = self.levels.get(level)?[last / 64] & (u64::MAX >> (63 - last % 64));
            if word != 0 {
                return Some(self.descend(
                    level,
                    last / 64 * 64 + word.ilog2() as usize,
                    u64::ilog2,
                ));
            }
            // The word has nothing up to here: go on with the words before it, which are bits of
            // the level above.
            (level, end) = (level + 1, last / 64);
        }
    }

    /// Returns the first set bit from `from` on.
    pub fn first_from(&self, from: usize) -> Option<usize> {
        let (mut level, mut from) = (0, from);
        loop {
            let word = self.levels.get(level)?.get(from / 64)? & (u64::MAX << (from % 64));
            if word != 0 {
                let found = from / 64 * 64 + word.trailing_zeros() as usize;
                return Some(self.descend(level, found, u64::trailing_zeros));
            }
            (level, from) = (level + 1, from / 64 + 1);
        }
    }

    /// Descends from a non-empty word to the bit that `choose` selects in each.
    fn descend(&self, level: usize, found: usize, choose: fn(u64) -> u32) -> usize {
        (0..level).rev().fold(found, |at, level| {
            at * 64 + choose(self.levels[level][at]) as usize
        })
    }
}
