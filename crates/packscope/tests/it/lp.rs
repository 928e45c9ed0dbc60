//! The arithmetic of the linear relaxation on its own: solves against their residuals.

use packscope::lp::factor::{Elimination, LuFactor};
use packscope::rng::Random;

/// Columns as (row, value), each with an entry on the diagonal: regular as good as always.
fn matrix(random: &mut Random, n: usize) -> Vec<Vec<(u32, f64)>> {
    let value =
        |random: &mut Random| (1 + random.below(5)) as f64 * [-1.0, 1.0][random.below(2) as usize];
    let column = |i: usize, random: &mut Random| {
        let mut column = vec![(i as u32, value(random) + 7.0)];
        for _ in 0..random.below(4) {
            let row = random.below(n as u64) as u32;
            if column.iter().all(|(r, _)| *r != row) {
                column.push((row, value(random)));
            }
        }
        column
    };
    (0..n).map(|i| column(i, random)).collect()
}

/// The largest miss of B·x = a and of yᵀ·B = cᵀ, for random right sides.
fn residual(columns: &[Vec<(u32, f64)>], factor: &mut LuFactor, random: &mut Random) -> f64 {
    let n = columns.len();
    let right: Vec<f64> = (0..n).map(|_| random.below(100) as f64).collect();
    let (mut x, mut y) = (right.clone(), right.clone());
    factor.forward(&mut x);
    factor.backward(&mut y);
    let mut product = vec![0.0; n];
    for (column, x) in columns.iter().zip(&x) {
        column
            .iter()
            .for_each(|&(row, v)| product[row as usize] += v * x);
    }
    let forward = product.iter().zip(&right).map(|(p, r)| (p - r).abs());
    let dot = |column: &Vec<(u32, f64)>| {
        column
            .iter()
            .map(|&(row, v)| v * y[row as usize])
            .sum::<f64>()
    };
    let backward = columns
        .iter()
        .zip(&right)
        .map(|(column, r)| (dot(column) - r).abs());
    forward.chain(backward).fold(0.0, f64::max)
}

#[test]
fn systems_are_solved_also_after_columns_were_replaced() {
    let mut random = Random::seeded(1);
    let (mut elimination, mut factor) = (Elimination::default(), LuFactor::default());
    for round in 0..60 {
        let n = 2 + round * 2;
        let mut columns = matrix(&mut random, n);
        let dependent =
            elimination.factorise(n, |slot| columns[slot].clone().into_iter(), &mut factor);
        assert!(dependent.is_empty() && residual(&columns, &mut factor, &mut random) < 1e-7);
        for new in matrix(&mut random, n).into_iter().take(20) {
            let slot = new[0].0 as usize;
            let mut entering = vec![0.0; n];
            new.iter().for_each(|&(row, v)| entering[row as usize] = v);
            factor.forward(&mut entering);
            if entering[slot].abs() > 0.1 {
                factor.update(slot, &entering);
                columns[slot] = new;
            }
        }
        assert!(residual(&columns, &mut factor, &mut random) < 1e-6);
    }
}

#[test]
fn columns_that_depend_on_others_are_named_with_rows_that_cure_it() {
    let mut columns = vec![
        vec![(0, 2.0), (1, 1.0)],
        vec![(1, 3.0)],
        vec![(0, 4.0), (1, 2.0)],
        vec![(3, 1.0)],
    ];
    let (mut elimination, mut factor) = (Elimination::default(), LuFactor::default());
    let dependent = elimination.factorise(4, |slot| columns[slot].clone().into_iter(), &mut factor);
    let [(slot, row)] = dependent[..] else {
        panic!("{dependent:?}")
    };
    columns[slot] = vec![(row as u32, 1.0)];
    assert!(
        elimination
            .factorise(4, |slot| columns[slot].clone().into_iter(), &mut factor)
            .is_empty()
    );
    assert!(residual(&columns, &mut factor, &mut Random::seeded(2)) < 1e-9);
}
