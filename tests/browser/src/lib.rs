//! A page in a real browser, as tests use it: found by names that people read, never by CSS class.
//! `cargo xtask browser` starts what is needed.
