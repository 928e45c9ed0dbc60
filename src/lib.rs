//! The page without its view: [`state`], [`learn`], and the messages between page and workers.
//!
//! The programs for the browser are in `bin`: `app` is a Yew application around [`state::AppState`], `worker` answers its
//! questions. Nothing here needs a browser but [`split`] and [`worker`], behind the feature `web`.

pub mod learn;
#[cfg(feature = "web")]
pub mod split;
pub mod state;
pub mod wire;
#[cfg(feature = "web")]
pub mod worker;
