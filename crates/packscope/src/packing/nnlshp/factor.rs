//! The triangular factor of the least squares of the columns in use, kept up to date.
//!
//! RᵀR is the Gram matrix of the columns. A column is added or removed in O(p²), p columns in use, where a fresh factor
//! would take O(p³).

/// A new column is refused if this little of its square is outside the span of the others: it would be determined by
/// rounding alone.
const DEPENDENT: f64 = 1e-10;

/// R, row by row, each from its diagonal on.
#[derive(Debug, Default)]
pub(super) struct QrFactor {
    rows: Vec<Vec<f64>>,
}

impl QrFactor {
    /// Appends a column, given its products with the present columns and with itself. Returns whether it is independent
    /// of them; if not, nothing is changed.
    pub fn append(&mut self, mut products: Vec<f64>, own: f64) -> bool {
        self.forward(&mut products);
        // The square of the part outside the span of the present columns, by Pythagoras.
        let rest = own - products.iter().map(|y| y * y).sum::<f64>();
        if rest <= own * DEPENDENT {
            return false;
        }
        for (row, y) in self.rows.iter_mut().zip(products) {
            row.push(y);
        }
        self.rows.push(vec![rest.sqrt()]);
        true
    }

    /// Removes a column: the rows after it are made triangular again, as in an update of rank one by the removed row.
    pub fn remove(&mut self, at: usize) {
        for (i, row) in self.rows[..at].iter_mut().enumerate() {
            row.remove(at - i);
        }
        let mut carry = self.rows.remove(at);
        let mut carry = &mut carry[1..];
        for row in &mut self.rows[at..] {
            let (a, b) = (row[0], carry[0]);
            if b != 0.0 {
                // A Givens rotation: it turns the carried row's first number to 0, and the row
                // keeps its triangle.
                let norm = (a * a + b * b).sqrt();
                let (cos, sin) = (a / norm, b / norm);
                for (r, c) in row.iter_mut().zip(carry.iter_mut()) {
                    (*r, *c) = (cos * *r + sin * *c, cos * *c - sin * *r);
                }
            }
            carry = &mut carry[1..];
        }
    }

    /// Solves RᵀR z = g in place.
    pub fn solve(&self, g: &mut [f64]) {
        self.forward(g);
        for (i, row) in self.rows.iter().enumerate().rev() {
            let (head, tail) = g.split_at_mut(i + 1);
            head[i] = (head[i] - dot(&row[1..], tail)) / row[0];
        }
    }

    /// Solves Rᵀ y = g in place. Zeros cost nothing, and most right-hand sides begin with them.
    fn forward(&self, g: &mut [f64]) {
        for (i, row) in self.rows.iter().enumerate() {
            if g[i] != 0.0 {
                let y = g[i] / row[0];
                g[i] = y;
                for (t, r) in g[i + 1..].iter_mut().zip(&row[1..]) {
                    *t -= y * r;
                }
            }
        }
    }
}

/// Sums products in four lanes, in an order that is the same on every machine.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a4, a_rest) = a.as_chunks::<4>();
    let (b4, b_rest) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (x, y) in a4.iter().zip(b4) {
        for (s, (x, y)) in sums.iter_mut().zip(x.iter().zip(y)) {
            *s += x * y;
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}
