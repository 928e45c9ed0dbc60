//! The linear relaxation of packing (Gilmore and Gomory 1961): patterns may be used in fractions.
//!
//! Its value, rounded up, is a bound that is nearly always the optimum itself, and its solution is nearly a plan.
//! Patterns are far too many to enumerate; *column generation* begins with a few and lets a knapsack find missing ones
//! ([`crate::bounds`] owns the knapsack, because it proves the bound).
//!
//! # Why a simplex of our own
//!
//! Maintained solvers were tried first, November 2026: the same column generation on Wikipedia (508 lengths) and SQuAD
//! (348) at depth 3, patterns priced by a knapsack, at most 100 a round. Milliseconds natively / in wasm (Node 20), and
//! the addition to a download (brotli):
//!
//! | master | Wikipedia | SQuAD | columns, warm | download |
//! |---|---:|---:|---|---:|
//! | microlp 0.7, on the dual, rows added | 2,900 / 4,750 | 549 / 1,076 | yes | 115 kB |
//! | clarabel 0.11, interior point | 400 / 610 | 151 / 310 | no | 73 kB |
//! | plain simplex on faer 0.24's simplicial LU | 330 / 940 | 48 / 171 | yes | 15 kB |
//! | plain simplex on faer 0.24's dense LU | 2,250 / 6,980 | 369 / 1,048 | yes | 32 kB |
//! | this one | 73 | 7 | yes | 10 kB |
//! | this one, and the whole plan with its proof | 146 / 240 | 10 / 14 | | |
//!
//! All reach the same objective. microlp gives no duals and copies its matrix with every row; clarabel ends between
//! vertices, which says little about whole packs. The gain comes less from the arithmetic than from its use: exchange
//! columns, a first basis from a heuristic, few pivots between two searches for patterns.
//!
//! faer's simplicial LU in the place of [`factor`], all else equal, takes 2.8 to 5.1 times as long to factorise and
//! makes whole solves 1.4 to 1.5 times slower: these bases are nearly triangular, and Markowitz order with singletons
//! leaves 2,200 entries of L and U where COLAMD leaves 10,600. It adds 32 crates and 10 kB, and takes singular
//! bases for granted; the 360 lines stay.

mod budget;
mod coarse;
mod crash;
pub mod factor;
mod problem;
mod relaxation;
mod simplex;

pub(crate) use budget::{ASKED, Budget};
pub(crate) use coarse::MANY;
pub(crate) use problem::LpProblem;
pub(crate) use relaxation::{GenerationOutcome, Pattern, Relaxation};
