//! The page: a Yew application round [`packscope::state`]. All packing happens in workers.

mod address;
mod app;
mod browser;
mod components;
mod engine;
mod hooks;
mod lane;
mod lazy;
mod plot;

fn main() {
    yew::Renderer::<app::App>::new().render();
}
