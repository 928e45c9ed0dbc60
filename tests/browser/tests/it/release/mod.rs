//! Tests of properties that the released page alone has: parts that are loaded on demand and may not come, hashes of files,
//! a service worker, a budget, pictures. These tests need `dist/`; all others also run on the page as `cargo xtask serve`
//! builds it.

mod faults;
mod faults_page;
mod offline;
mod opening;
mod pictures;
mod security;
