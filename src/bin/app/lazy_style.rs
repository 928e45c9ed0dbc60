//! Style that is loaded with the part of the page that it is for: the page's policy allows no style within the document, but
//! sheets that its own code makes.

use crate::browser;
use js_sys::{Array, Function, Reflect};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

/// Adds a sheet to the page, once.
pub fn adopt(style: &'static str) {
    thread_local! {
        static ADOPTED: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
    }
    let address = style.as_ptr() as usize;
    let is_there = ADOPTED.with_borrow_mut(|adopted| {
        let is_there = adopted.contains(&address);
        if !is_there {
            adopted.push(address);
        }
        is_there
    });
    if !is_there {
        // A browser without such sheets shows the same, less well laid out.
        let _ = add(style);
    }
}

fn add(style: &str) -> Result<(), JsValue> {
    let sheets: Function = Reflect::get(&browser::window(), &"CSSStyleSheet".into())?.dyn_into()?;
    let sheet = Reflect::construct(&sheets, &Array::new())?;
    let replace: Function = Reflect::get(&sheet, &"replaceSync".into())?.dyn_into()?;
    replace.call1(&sheet, &style.into())?;
    let document = browser::document();
    let name = "adoptedStyleSheets".into();
    let all = Array::from(&Reflect::get(&document, &name)?);
    all.push(&sheet);
    Reflect::set(&document, &name, &all)?;
    Ok(())
}
