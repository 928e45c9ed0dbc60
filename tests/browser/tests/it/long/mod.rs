//! What takes long: `cargo xtask browser` leaves out all tests with `long::` in their names, also those of modules `long` beside
//! what they are about, and `cargo xtask browser --all` does not.

mod agreement;
mod load;
mod reopened;
mod tour;
