//! The page: a Yew application around [`packscope_page::state`]. Whatever takes long is computed by workers.

mod address;
mod app;
mod arrows;
mod browser;
mod coming;
mod components;
mod due;
mod engine;
mod files;
mod flick;
mod hooks;
mod job_queue;
mod jump;
mod lazy;
mod lazy_style;
mod motion;
mod near_viewport;
mod paint;
mod parts;
mod pinned;
mod plot;
mod pointer;
mod shared;
mod storage;
mod store;
mod watchdog;
mod zip;

fn main() {
    // The panic message goes to the console; `boot.js` shows one to the visitor.
    std::panic::set_hook(Box::new(|panic| {
        wasm_bindgen::throw_str(&panic.to_string())
    }));
    // Before the first rendering, so that its events are counted too.
    due::listen();
    zip::before(&browser::hash(), |readable| {
        // If the page does not start, `boot.js` says so.
        if !readable {
            return;
        }
        match browser::element("app") {
            Some(host) => yew::Renderer::<app::App>::with_root(host).render(),
            None => yew::Renderer::<app::App>::new().render(),
        };
    });
}
