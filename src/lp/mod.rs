//! The linear relaxation of packing (Gilmore and Gomory 1961): patterns may be used in fractions.
//!
//! Its value, rounded up, is a bound that is nearly always the optimum itself, and its solution is nearly
//! a plan. Patterns are far too many to write down; *column generation* begins with a few and lets a
//! knapsack find those that are missing ([`crate::bounds`] owns the knapsack, because it proves the bound).

mod budget;
mod crash;
mod factor;
mod relaxation;
mod simplex;

pub(crate) use budget::Budget;
pub(crate) use relaxation::{Pattern, Relaxation, Solved};
