//! Runs a recipe over items.

use super::block::{self, RowPacker};
use super::counts;
use super::order::{Order, bounded, lengths, tell};
use super::recipe::{Block, DeviceStep, Recipe, Window};
use super::tally::{RowBuilder, RowTally};
use crate::error::{Error, Result};
use crate::histogram::{Histogram, Overlong};
use crate::packing::Progress;

impl Recipe {
    /// Packs the data in this order. `data` are the counts of all items, even if the order is given. O(items · log open
    /// rows) at most, except [`Block::Mffd`] and [`Block::KarmarkarKarp`], which are quadratic in their window; O(distinct²)
    /// where the order does not matter. Memory: a window, the open rows, and the listed rows.
    ///
    /// # Errors
    /// [`Error::Overlong`] where the library refuses longer sequences; [`Error::TooManyItems`] from 10⁹ on where items
    /// are drawn one by one; [`Error::ZeroLimit`] for a row without slots; [`Error::TooLarge`]; [`Error::Cancelled`].
    pub fn run(
        &self,
        data: &Histogram<1>,
        order: Order,
        progress: &mut Progress,
    ) -> Result<RowTally> {
        Ok(self.rows(data, order, false, progress)?.0)
    }

    /// Packs as [`run`](Self::run) does, and also returns all rows as lists of lengths: for small data.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn list(
        &self,
        data: &Histogram<1>,
        order: Order,
        progress: &mut Progress,
    ) -> Result<(RowTally, Vec<Vec<u32>>)> {
        let (tally, listed) = self.rows(data, order, true, progress)?;
        Ok((tally, listed.unwrap_or_default()))
    }

    fn rows(
        &self,
        data: &Histogram<1>,
        order: Order,
        list: bool,
        progress: &mut Progress,
    ) -> Result<(RowTally, Option<Vec<Vec<u32>>>)> {
        if self.capacity == 0 || self.longest == 0 {
            return Err(Error::ZeroLimit);
        }
        if self.align == 0 {
            return Err(Error::ZeroAlign);
        }
        // From the counts, so that a refusal takes no packing.
        self.refuse(data)?;
        // Before anything is packed, as listing rows depends on it.
        let kept = self.most_trained_rows(data, order, progress)?;
        let batch = match self.step {
            DeviceStep::Rows(batch) if self.whole_steps => Some(u64::from(batch.max(1))),
            _ => None,
        };
        // Rows that are not trained are taken back at the end, for which their lengths must be
        // known.
        let listed = list || kept.is_some() || batch.is_some();
        let mut rows = RowBuilder {
            listed: listed.then(Vec::new),
            ..RowBuilder::default()
        };
        // Counting has no rows to list.
        if rows.lists() || !counts::run(self, data, &mut rows)? {
            self.one_by_one(data, order, &mut rows, progress)?;
        }
        let kept = kept.or(batch.map(|batch| rows.tally.rows / batch * batch));
        if let Some(kept) = kept {
            rows.keep(kept);
        }
        // After `keep`: the slots are those of the rows that are trained.
        if !rows.tally.slots_known() {
            let slots = rows
                .tally
                .rows
                .checked_mul(u64::from(self.capacity) + u64::from(self.spare));
            let slots = slots.and_then(|slots| slots.checked_add(rows.excess));
            rows.tally.slots = slots.ok_or(Error::TooLarge {
                what: "the number of slots",
            })?;
        }
        Ok((rows.tally, rows.listed.filter(|_| list)))
    }

    /// Returns the maximum number of trained rows: the fewest of the trials, each in an order of its own. `None`
    /// without trials, and for a given order, in which all trials would be alike.
    fn most_trained_rows(
        &self,
        data: &Histogram<1>,
        order: Order,
        progress: &mut Progress,
    ) -> Result<Option<u64>> {
        let Order::Seed(seed) = order else {
            return Ok(None);
        };
        let mut trial = |trial: u32| {
            let (mut rows, other) = (
                RowBuilder::default(),
                // In the upper half of the seed: callers count seeds up by one, and no trial may be
                // the order of another of theirs.
                seed.wrapping_add(u64::from(trial) << 32),
            );
            self.one_by_one(data, Order::Seed(other), &mut rows, progress)?;
            Ok(rows.tally.rows)
        };
        Ok((1..=self.trials)
            .map(&mut trial)
            .collect::<Result<Vec<u64>>>()?
            .into_iter()
            .min())
    }

    /// Refuses data that the library refuses.
    ///
    /// # Errors
    /// [`Error::Overlong`].
    pub fn refuse(&self, data: &Histogram<1>) -> Result<()> {
        let longest = data.max()[0].saturating_sub(self.shift);
        if self.overlong != Overlong::Reject || longest <= self.longest {
            return Ok(());
        }
        let longer = data
            .entries()
            .iter()
            .filter(|([l], _)| l.saturating_sub(self.shift) > self.longest);
        Err(Error::Overlong {
            items: longer.map(|(_, n)| n).sum(),
            largest: longest,
            limit: self.longest,
            component: 0,
            components: 1,
        })
    }

    fn one_by_one(
        &self,
        data: &Histogram<1>,
        order: Order,
        rows: &mut RowBuilder,
        progress: &mut Progress,
    ) -> Result<()> {
        let of = data.items();
        bounded(of, "packing as trainers do")?;
        let window = match self.window {
            Window::Whole => u64::MAX,
            Window::Items(items) | Window::Arrivals(items) | Window::Pieces(items) => items.max(1),
        };
        let mut packer = block::packer(&self.resolved(data, order), data);
        let arrivals = matches!(self.window, Window::Arrivals(_));
        // ms-swift splits before it cuts windows, so that a window can end within a document. It is
        // the only library with such windows, and shifts nothing.
        let by_pieces =
            matches!(self.window, Window::Pieces(_)) && self.overlong == Overlong::Split;
        let trained = match self.step {
            DeviceStep::Items(items) if self.whole_steps => of - of % u64::from(items.max(1)),
            _ => of,
        };
        let mut waiting = 0;
        for (done, length) in (0..).zip(lengths(data, order)) {
            tell(done, of, progress)?;
            if done >= trained {
                rows.left_out(length.saturating_sub(self.shift), 1);
                continue;
            }
            let pieces = if by_pieces {
                length.div_ceil(self.longest).max(1)
            } else {
                1
            };
            // Counted once here: `take` finds no piece above the longest.
            if pieces > 1 {
                rows.cut(u64::from(pieces), u64::from(length - self.longest), 1);
            }
            for piece in 0..pieces {
                // A window ends when the next one begins: the last one ends with the data.
                if waiting == window {
                    packer.end(false, rows)?;
                    waiting = 0;
                }
                let left = length - piece * self.longest;
                let part = if pieces > 1 {
                    left.min(self.longest)
                } else {
                    left
                };
                let taken = self.take(part, packer.as_mut(), rows);
                waiting += u64::from(taken || arrivals);
            }
        }
        packer.end(true, rows)
    }

    /// Returns the recipe completed from the data: the ratio of [`Block::Ratio`] is estimated from the first sequences.
    fn resolved(&self, data: &Histogram<1>, order: Order) -> Self {
        let Block::Ratio {
            rows,
            items: None,
            leftover,
        } = self.block
        else {
            return self.clone();
        };
        // The library profiles batches of its own loader.
        let sample = lengths(data, order).take(block::auto_sample(self.capacity, rows));
        let sample: Vec<u32> = sample.map(|length| length.min(self.longest)).collect();
        let items = Some(block::auto_ratio(self.capacity, rows, &sample));
        Self {
            block: Block::Ratio {
                rows,
                items,
                leftover,
            },
            ..self.clone()
        }
    }

    /// Fits one item to the longest, and hands it to the packer; returns `false` if it was dropped.
    #[inline]
    fn take(&self, length: u32, packer: &mut dyn RowPacker, rows: &mut RowBuilder) -> bool {
        let length = length - length.min(self.shift);
        if length < self.least {
            rows.left_out(length, 1);
            return false;
        }
        if length <= self.longest {
            self.place(length, packer, rows);
            return true;
        }
        let (over, longest) = (length - self.longest, self.longest);
        match self.overlong {
            Overlong::Truncate => {
                rows.tally.truncated_tokens += u64::from(over);
                rows.tally.truncated_sequences += 1;
                self.place(longest, packer, rows);
            }
            Overlong::Split => {
                rows.cut(u64::from(length.div_ceil(longest)), u64::from(over), 1);
                (0..length / longest).for_each(|_| self.place(longest, packer, rows));
                if !length.is_multiple_of(longest) {
                    self.place(length % longest, packer, rows);
                }
            }
            Overlong::Drop | Overlong::Reject => {
                rows.tally.dropped_tokens += u64::from(length);
                rows.tally.dropped_sequences += 1;
                return false;
            }
        }
        true
    }

    fn place(&self, length: u32, packer: &mut dyn RowPacker, rows: &mut RowBuilder) {
        // A block that cuts counts its own pieces.
        if !self.block.cuts() {
            rows.trained(length, 1);
        }
        // Where a sequence is a row, its block does not know the capacity.
        if !self.block.packs() {
            rows.exceed(length, self.capacity, 1);
        }
        packer.item(self.aligned(length), rows);
    }

    /// Returns the slots that a sequence takes.
    pub(super) fn aligned(&self, length: u32) -> u32 {
        if self.align == 1 {
            return length;
        }
        length
            // A multiple never leaves the row: no padding follows a sequence that ends with it.
            .checked_next_multiple_of(self.align)
            .map_or(self.capacity, |slots| slots.min(self.capacity))
    }
}
