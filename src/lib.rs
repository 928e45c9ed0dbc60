//! How much of a model's training is padding, and the packing that cures it.
//!
//! Sequences and graphs come in many sizes; accelerators want rectangles. The difference is padding.
//! Everything here works on a [`Histogram`](histogram::Histogram), never on the items: sixteen
//! million sequences are 512 numbers.
//!
//! ```
//! use packscope::{histogram::Histogram, packing::{Algorithm, Depth}};
//! let h = Histogram::<1>::from_counts([([300], 2), ([200], 2), ([12], 1)])?;
//! let plan = Algorithm::Lpfhp.pack(&h, 512, Depth::Unlimited)?;
//! assert_eq!(plan.packs(), 2);
//! # Ok::<(), packscope::error::Error>(())
//! ```

pub mod api;
pub mod bounds;
#[cfg(feature = "plot")]
pub mod chart;
pub mod cost;
pub mod error;
pub mod export;
pub mod histogram;
pub mod ingest;
#[cfg(feature = "plot")]
pub mod learn;
pub(crate) mod lp;
pub mod metrics;
pub mod order;
pub mod packing;
pub mod plan;
pub mod rng;
pub mod sampler;
#[cfg(feature = "web")]
pub mod split;
pub mod state;
pub mod sweep;
pub mod tokens;
#[cfg(feature = "wire")]
pub mod wire;
pub mod words;
