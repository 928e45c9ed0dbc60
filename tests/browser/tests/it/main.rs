//! The page in a real browser, used as people use it, and kept from working as their world does.

mod background;
mod batches;
mod claims;
mod everyone;
mod faults;
mod faults_page;
mod faults_plots;
mod formats;
mod graphs;
mod learn;
mod long;
mod offline;
mod opening;
mod optimum;
mod page;
mod pin;
mod plots;
mod security;
mod share;
mod speedup;
mod stopwords;
mod sweep;
mod take;
mod terms;
mod timings;
mod tokens;
