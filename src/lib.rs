//! The page without its view: [`state`], [`learn`], what people look for ([`finder`]), the questions to workers ([`query`]), and the messages with them.
//!
//! The programs for the browser are in `bin`: `app` is a Yew application around [`state::AppState`], `worker` answers its
//! questions. Nothing here needs a browser but [`split`] and [`worker`], behind the feature `web`.

pub mod finder;
pub mod learn;
pub mod query;
#[cfg(feature = "web")]
pub mod split;
pub mod state;
pub mod wire;
#[cfg(feature = "web")]
pub mod worker;
