//! The chapters, in reading order.

mod accelerators;
mod apart;
mod bounds;
mod buckets;
mod by_hand;
mod graphs;
mod histograms;
mod limits;
mod optimiser;
mod rectangle;
mod skew;
mod sorting;
mod watch;

use super::Chapter;

/// Every chapter, in reading order.
pub const CHAPTERS: &[&Chapter] = &[
    &rectangle::CHAPTER,
    &skew::CHAPTER,
    &sorting::CHAPTER,
    &by_hand::CHAPTER,
    &watch::CHAPTER,
    &histograms::CHAPTER,
    &apart::CHAPTER,
    &optimiser::CHAPTER,
    &graphs::CHAPTER,
    &limits::CHAPTER,
    &buckets::CHAPTER,
    &accelerators::CHAPTER,
    &bounds::CHAPTER,
];
