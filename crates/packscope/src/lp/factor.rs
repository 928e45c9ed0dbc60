//! A sparse LU factorisation of the basis, and its updates.
//!
//! Right-looking elimination in Markowitz order: rows and columns with a single entry first, then the
//! sparsest column, in it the sparsest row whose entry is not small (0.1 of the largest). Between two
//! factorisations the basis is updated in product form.
//!
//! Source: Suhl and Suhl 1990, *Computing Sparse LU Factorizations for Large-Scale Linear Programming
//! Bases*; product form: Dantzig and Orchard-Hays 1954. Where we differ: columns are searched, rows are not.

/// Entries smaller than this are taken for zero.
const TINY: f64 = 1e-11;
/// A pivot is at least this share of the largest entry of its column.
const THRESHOLD: f64 = 0.1;

/// Lists of (index, value), one after the other.
#[derive(Debug, Default, Clone)]
struct Lists {
    ends: Vec<u32>,
    entries: Vec<(u32, f64)>,
}

impl Lists {
    fn clear(&mut self) {
        self.ends.clear();
        self.entries.clear();
    }

    fn finish(&mut self) {
        self.ends.push(self.entries.len() as u32);
    }

    fn get(&self, i: usize) -> &[(u32, f64)] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.entries[start..self.ends[i] as usize]
    }
}

/// B = L·U with rows and slots permuted, followed by updates of single slots. Public for tests: a search starts again
/// where its numbers are bad.
///
/// A *slot* is a position in the basis; the matrix has rows and slots.
#[derive(Debug, Default)]
pub struct LuFactor {
    /// (row, slot, value) of the pivots, in their order.
    pivots: Vec<(u32, u32, f64)>,
    /// For pivots with other rows below them: the pivot's row, and the multiples to subtract from the others.
    lower_rows: Vec<u32>,
    lower: Lists,
    /// Per pivot: the rest of its row (slot, value).
    upper_rows: Lists,
    /// Per pivot: the rest of its column (row, value), rows of earlier pivots.
    upper_columns: Lists,
    /// (slot, value of the slot) and the rest of the column that entered there.
    updated: Vec<(u32, f64)>,
    updates: Lists,
    work: Vec<f64>,
}

impl LuFactor {
    /// Returns the number of replaced slots since the last factorisation.
    pub fn updates(&self) -> usize {
        self.updated.len()
    }

    /// Solves B·x = a: `a` by rows becomes `x` by slots.
    pub fn forward(&mut self, a: &mut Vec<f64>) {
        for (i, &row) in self.lower_rows.iter().enumerate() {
            let t = a[row as usize];
            if t != 0.0 {
                for &(below, factor) in self.lower.get(i) {
                    a[below as usize] -= factor * t;
                }
            }
        }
        self.work.clear();
        self.work.resize(a.len(), 0.0);
        for (k, &(row, slot, pivot)) in self.pivots.iter().enumerate().rev() {
            let t = a[row as usize];
            if t != 0.0 {
                let t = t / pivot;
                self.work[slot as usize] = t;
                for &(above, value) in self.upper_columns.get(k) {
                    a[above as usize] -= value * t;
                }
            }
        }
        std::mem::swap(a, &mut self.work);
        for (k, &(slot, pivot)) in self.updated.iter().enumerate() {
            let t = a[slot as usize];
            if t != 0.0 {
                let t = t / pivot;
                a[slot as usize] = t;
                for &(other, value) in self.updates.get(k) {
                    a[other as usize] -= value * t;
                }
            }
        }
    }

    /// Solves yᵀ·B = cᵀ: `c` by slots becomes `y` by rows.
    pub fn backward(&mut self, c: &mut Vec<f64>) {
        // Last in `forward`, and so first here, and in reverse.
        for (k, &(slot, pivot)) in self.updated.iter().enumerate().rev() {
            let rest: f64 = self
                .updates
                .get(k)
                .iter()
                .map(|&(i, value)| value * c[i as usize])
                .sum();
            c[slot as usize] = (c[slot as usize] - rest) / pivot;
        }
        self.work.clear();
        self.work.resize(c.len(), 0.0);
        for (k, &(row, slot, pivot)) in self.pivots.iter().enumerate() {
            let t = c[slot as usize];
            if t != 0.0 {
                let t = t / pivot;
                self.work[row as usize] = t;
                for &(later, value) in self.upper_rows.get(k) {
                    c[later as usize] -= value * t;
                }
            }
        }
        for (i, &row) in self.lower_rows.iter().enumerate().rev() {
            let rest: f64 = self
                .lower
                .get(i)
                .iter()
                .map(|&(below, factor)| factor * self.work[below as usize])
                .sum();
            self.work[row as usize] -= rest;
        }
        std::mem::swap(c, &mut self.work);
    }

    /// Replaces the column of `slot` by the one that `forward` turned into `entering`.
    pub fn update(&mut self, slot: usize, entering: &[f64]) {
        // Product form: the column as `forward` left it, to be applied after L and U.
        self.updated.push((slot as u32, entering[slot]));
        let rest = entering
            .iter()
            .enumerate()
            .filter(|&(i, v)| i != slot && v.abs() > TINY);
        self.updates
            .entries
            .extend(rest.map(|(i, v)| (i as u32, *v)));
        self.updates.finish();
    }

    fn clear(&mut self) {
        self.pivots.clear();
        self.lower_rows.clear();
        self.lower.clear();
        self.upper_rows.clear();
        self.upper_columns.clear();
        self.updated.clear();
        self.updates.clear();
    }
}

/// The part of the matrix not eliminated yet; kept between factorisations for its memory. Public as
/// [`LuFactor`] is.
#[derive(Debug, Default)]
pub struct Elimination {
    rows: Vec<Vec<(u32, f64)>>,
    columns: Vec<Vec<u32>>,
    /// Slots by the length of their column; entries may be out of date.
    by_length: Vec<Vec<u32>>,
    single_rows: Vec<u32>,
    row_done: Vec<bool>,
    slot_done: Vec<bool>,
    /// 1 + index in the pivot row, for slots that it contains.
    mark: Vec<u32>,
}

/// The length from which on columns share a list.
const LONGEST: usize = 64;

impl Elimination {
    /// Factorises the matrix whose column at a slot is `column(slot)`, as (row, value).
    ///
    /// Slots that depend on others, and rows that are left without a pivot, are returned in pairs: a unit
    /// column of that row would make the matrix regular. O(entries · fill).
    pub fn factorise<'c, C>(
        &mut self,
        n: usize,
        column: impl Fn(usize) -> C,
        factor: &mut LuFactor,
    ) -> Vec<(usize, usize)>
    where
        C: Iterator<Item = (u32, f64)> + 'c,
    {
        factor.clear();
        self.load(n, column);
        while let Some((row, slot)) = self.next_pivot() {
            self.eliminate(row, slot, factor);
        }
        let left = |done: &[bool]| (0..n).filter(|i| !done[*i]).collect::<Vec<_>>();
        let dependent = left(&self.slot_done)
            .into_iter()
            .zip(left(&self.row_done))
            .collect();
        columns_of_upper(n, factor);
        dependent
    }

    fn load<'c, C: Iterator<Item = (u32, f64)> + 'c>(
        &mut self,
        n: usize,
        column: impl Fn(usize) -> C,
    ) {
        self.rows.iter_mut().for_each(Vec::clear);
        self.columns.iter_mut().for_each(Vec::clear);
        self.by_length.iter_mut().for_each(Vec::clear);
        self.rows.resize_with(n, Vec::new);
        self.columns.resize_with(n, Vec::new);
        self.by_length.resize_with(LONGEST + 1, Vec::new);
        for done in [&mut self.row_done, &mut self.slot_done] {
            done.clear();
            done.resize(n, false);
        }
        self.mark.clear();
        self.mark.resize(n, 0);
        for slot in 0..n {
            for (row, value) in column(slot) {
                self.rows[row as usize].push((slot as u32, value));
                self.columns[slot].push(row);
            }
            self.file(slot);
        }
        self.single_rows.clear();
        self.single_rows
            .extend((0..n as u32).filter(|r| self.rows[*r as usize].len() == 1));
    }

    /// Files a slot under the length of its column.
    fn file(&mut self, slot: usize) {
        self.by_length[self.columns[slot].len().min(LONGEST)].push(slot as u32);
    }

    fn value(&self, row: u32, slot: usize) -> f64 {
        let entry = self.rows[row as usize]
            .iter()
            .find(|(s, _)| *s as usize == slot);
        entry.map_or(0.0, |(_, value)| *value)
    }

    fn next_pivot(&mut self) -> Option<(usize, usize)> {
        for length in 1..=LONGEST {
            // Rows with one entry cause no fill; only columns with one entry are as good.
            while length == 2
                && let Some(row) = self.single_rows.pop()
            {
                if let ([(slot, value)], false) =
                    (&self.rows[row as usize][..], self.row_done[row as usize])
                    && value.abs() > TINY
                {
                    return Some((row as usize, *slot as usize));
                }
            }
            while let Some(slot) = self.by_length[length].pop() {
                let slot = slot as usize;
                // Filed under another length since, or done: entries of these lists are never taken
                // out when a column changes.
                let is = self.columns[slot].len().min(LONGEST);
                if !self.slot_done[slot]
                    && is == length
                    && let Some(row) = self.pivot_row(slot)
                {
                    return Some((row, slot));
                }
            }
        }
        None
    }

    /// Returns the sparsest row of a column whose entry is large enough.
    fn pivot_row(&self, slot: usize) -> Option<usize> {
        let column = &self.columns[slot];
        let largest = column
            .iter()
            .map(|&r| self.value(r, slot).abs())
            .fold(0.0, f64::max);
        if largest <= TINY {
            return None;
        }
        let large = column
            .iter()
            .filter(|r| self.value(**r, slot).abs() >= THRESHOLD * largest);
        large
            .min_by_key(|r| self.rows[**r as usize].len())
            .map(|r| *r as usize)
    }

    fn eliminate(&mut self, row: usize, slot: usize, factor: &mut LuFactor) {
        let mut pivot_row = std::mem::take(&mut self.rows[row]);
        let at = pivot_row
            .iter()
            .position(|(s, _)| *s as usize == slot)
            // The slot is in this row: `next_pivot` found it there.
            .unwrap_or(0);
        let (_, pivot) = pivot_row.swap_remove(at);
        self.row_done[row] = true;
        self.slot_done[slot] = true;
        for (i, &(other, _)) in pivot_row.iter().enumerate() {
            self.mark[other as usize] = i as u32 + 1;
            let column = &mut self.columns[other as usize];
            if let Some(at) = column.iter().position(|r| *r as usize == row) {
                column.swap_remove(at);
            }
        }
        let below = std::mem::take(&mut self.columns[slot]);
        for &r in below.iter().filter(|r| **r as usize != row) {
            let multiple = self.subtract(r as usize, slot, &pivot_row, pivot);
            factor.lower.entries.push((r, multiple));
            if self.rows[r as usize].len() == 1 {
                self.single_rows.push(r);
            }
        }
        if below.len() > 1 {
            factor.lower_rows.push(row as u32);
            factor.lower.finish();
        }
        for &(other, _) in &pivot_row {
            self.mark[other as usize] = 0;
            self.file(other as usize);
        }
        factor.pivots.push((row as u32, slot as u32, pivot));
        factor.upper_rows.entries.extend_from_slice(&pivot_row);
        factor.upper_rows.finish();
        // Their memory is used again.
        pivot_row.clear();
        self.rows[row] = pivot_row;
        self.columns[slot] = below;
        self.columns[slot].clear();
    }

    /// Subtracts the multiple of the pivot row that cancels a row's entry at `slot`.
    fn subtract(&mut self, row: usize, slot: usize, pivot_row: &[(u32, f64)], pivot: f64) -> f64 {
        let entries = &mut self.rows[row];
        let at = entries
            .iter()
            .position(|(s, _)| *s as usize == slot)
            .unwrap_or(0);
        // Entries of a row are in no order, so that one can be taken out by a swap.
        let multiple = entries.swap_remove(at).1 / pivot;
        // A single pass over the row: marks say which of its slots the pivot row has, and where.
        let mut found = 0;
        for (other, value) in entries.iter_mut() {
            let mark = self.mark[*other as usize];
            if mark > 0 {
                found += 1;
                *value -= multiple * pivot_row[mark as usize - 1].1;
            }
        }
        if found < pivot_row.len() {
            // New entries: those of the pivot row that the row lacks.
            for &(other, _) in entries.iter() {
                let mark = &mut self.mark[other as usize];
                *mark = if *mark > 0 { *mark | SEEN } else { 0 };
            }
            for &(other, value) in pivot_row {
                if self.mark[other as usize] & SEEN == 0 {
                    entries.push((other, -multiple * value));
                    self.columns[other as usize].push(row as u32);
                }
                self.mark[other as usize] &= !SEEN;
            }
        }
        multiple
    }
}

/// Mark of a slot while a row is being changed.
const SEEN: u32 = 1 << 31;

/// Stores the rows of U by columns as well.
fn columns_of_upper(n: usize, factor: &mut LuFactor) {
    let mut order = vec![u32::MAX; n];
    for (k, &(_, slot, _)) in factor.pivots.iter().enumerate() {
        order[slot as usize] = k as u32;
    }
    let count = factor.pivots.len();
    let mut ends = vec![0u32; count + 1];
    // Slots of a singular basis that got no pivot have no column in U.
    let known = |slot: u32| Some(order[slot as usize] as usize).filter(|k| *k < count);
    for &(slot, _) in &factor.upper_rows.entries {
        if let Some(k) = known(slot) {
            ends[k + 1] += 1;
        }
    }
    for k in 0..count {
        ends[k + 1] += ends[k];
    }
    let mut next = ends.clone();
    let mut entries = vec![(0, 0.0); ends[count] as usize];
    for k in 0..count {
        let row = factor.pivots[k].0;
        for &(slot, value) in factor.upper_rows.get(k) {
            if let Some(k) = known(slot) {
                entries[next[k] as usize] = (row, value);
                next[k] += 1;
            }
        }
    }
    factor.upper_columns = Lists {
        ends: ends.split_off(1),
        entries,
    };
}
