//! A cap on the tokens of a micro-batch: how many micro-batches there are, and how many exceed it.

use serde::{Deserialize, Serialize};

/// Micro-batches under a cap, summed over all simulated steps and ranks, by two ways to make them from the sequences
/// that a rank was dealt.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Capped {
    /// As many as tokens ÷ cap, rounded up, balanced by Karmarkar–Karp (verl before PR 7553): some may exceed the cap.
    pub balanced: Made,
    /// First-fit decreasing: none exceeds the cap but those of one sequence that does.
    pub first_fit: Made,
}

/// Micro-batches that were made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Made {
    /// Micro-batches, with empty ones on ranks that need fewer than others: all ranks have as many.
    pub micro_batches: u64,
    /// Of these, micro-batches with more tokens than the cap.
    pub over: u64,
    /// Of these, empty ones.
    pub empty: u64,
    /// Tokens of the fullest one.
    pub most: u64,
    /// Share of the slots under the cap that are empty: what padding every micro-batch to the cap would cost.
    pub padding: f64,
    /// The factor where ranks wait after every micro-batch.
    pub factor: f64,
}
