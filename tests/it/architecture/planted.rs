//! Each check finds planted violations of its kind.

use super::{FILE, SCREEN, circles, edges, foreign, imports, impure, long, source, tests, unsaid};
use std::collections::BTreeSet;

/// Asserts that a check says something about each text, and nothing about the others.
#[track_caller]
fn assert_finds(
    check: impl Fn(&super::Source) -> Vec<String>,
    file: &str,
    wrong: &[&str],
    right: &[&str],
) {
    for text in wrong {
        assert!(
            !check(&source(file, text)).is_empty(),
            "{file}: passes, and should not: {text}"
        );
    }
    for text in right {
        assert_eq!(check(&source(file, text)), [""; 0], "{file}: {text}");
    }
}

#[test]
fn imports_are_found_however_they_are_written() {
    // `plan` may name `histogram`, and not `packing`.
    let wrong = [
        "use crate::packing;",
        "use crate::packing::Algorithm;",
        "pub use crate::packing::*;",
        "use crate::{histogram::Size, packing::Task};",
        "use crate::{histogram::{self, Size}, packing::{self, Task}};",
        "use crate::{\n    histogram::{\n        Size,\n    },\n    packing::{\n        tuple::{self, Task},\n    },\n};",
        "use {crate::packing::Task, std::fmt};",
        "use super::super::packing::Task;",
        "use super::super::{histogram::Size, packing};",
        "use super::{super::packing::Task, Plan};",
        "use self::super::super::packing::Task;",
        "mod tests { use super::super::super::packing::Task; }",
        "mod tests { mod more { use super::super::super::super::packing; } }",
        "fn f() { crate::packing::go_on(); }",
        "fn f() -> u32 { super::super::packing::STEPS }",
        "fn f(task: &crate::packing::Task) {}",
        "fn f() { Vec::<crate::packing::Task>::new(); }",
        "fn f() { <crate::packing::Task as Clone>::clone; }",
        "impl From<crate::packing::Task> for u32 {}",
        "macro_rules! m { () => { $crate::packing::go_on() } }",
        "macro_rules! m { ($name:ident) => { $crate::$name::go_on() } }",
        "fn f() { html! { <p>{ crate::packing::NAME }</p> } }",
        "fn f() { println!(\"{}\", crate::packing::STEPS); }",
        "#[cfg(test)] use crate::packing::Task;",
        "#[serde(with = \"crate::packing::tuple\")] struct S;",
        "pub(in crate::packing) fn f() {}",
        "#[path = \"../packing/lpfhp.rs\"] mod lpfhp;",
        // Other names for the root, under which anything could be had.
        "use crate as all;",
        "use crate::{self as all};",
        "use super::super as all;",
        "use crate::*;",
        "use super::super::*;",
        "extern crate self as packscope;",
        // What the root re-exports has a module.
        "use crate::Histogram;",
        "use crate::{Histogram, error::Error};",
        "use super::super::super::packing;",
    ];
    let right = [
        "use crate::histogram::{Histogram, Size};",
        "use crate::{error::{Error, Result}, histogram::Size, words};",
        "use super::super::histogram::Size;",
        "use super::{Plan, listing};",
        "use crate::plan::{self, Plan};",
        "use self::inner::packing::Task;",
        "pub(crate) fn f(at: usize) -> u64 { self as u64 }",
        "// use crate::packing::Task;\n/* crate::packing */\n/// [`crate::packing`]\n//! crate::packing\nfn f() {}",
        "fn f() -> &'static str { \"as crate::packing says\" }",
    ];
    assert_finds(
        imports,
        "crates/packscope/src/plan/listing.rs",
        &wrong,
        &right[..8],
    );
    assert_finds(
        imports,
        "crates/packscope/src/plan/listing.rs",
        &[],
        &right[8..],
    );
    let at_the_top = [
        "use super::packing;",
        "use super::{packing::Task};",
        "use super as all;",
    ];
    assert_finds(
        imports,
        "crates/packscope/src/plan.rs",
        &at_the_top,
        &["use super::histogram;"],
    );
    assert_finds(
        imports,
        "crates/packscope/src/plan/mod.rs",
        &at_the_top,
        &["use super::histogram;", "use listing::Listing;"],
    );
    assert_finds(imports, "crates/packscope/src/new.rs", &["fn f() {}"], &[]);
    assert_finds(
        imports,
        "crates/packscope/src/lib.rs",
        &[],
        &[
            "pub use packing::Algorithm;",
            "pub use crate::packing::Task;",
        ],
    );
}

#[test]
fn foreign_crates_are_found_however_they_are_named() {
    let wrong = [
        "use yew::html;",
        "use yew as y;",
        "extern crate yew as y;",
        "use ::web_sys::Window;",
        "use {std::fmt, js_sys::Array};",
        "fn f() { gloo_timers::callback::Timeout::new(1, || ()); }",
        "#[wasm_bindgen::prelude::wasm_bindgen] fn f() {}",
        "fn f() { html! { { web_sys::window() } } }",
        "fn f(style: plotters::style::TextStyle) {}",
        "use plotters_canvas::CanvasBackend;",
        "#[derive(clap::Parser)] struct S;",
    ];
    assert_finds(
        foreign,
        "src/state/mod.rs",
        &wrong,
        &["/// As yew does it.\nfn f() {}", "use crate::chart::Scene;"],
    );
    assert_finds(
        foreign,
        "crates/packscope-cli/src/main.rs",
        &["use yew::html;"],
        &["use clap::Parser;"],
    );
    assert_finds(
        foreign,
        "crates/packscope-chart/src/svg.rs",
        &["use plotters_canvas::CanvasBackend;"],
        &["use plotters_svg::SVGBackend;"],
    );
}

#[test]
fn what_differs_each_time_is_found_however_it_is_named() {
    let wrong = [
        "use std::time::Instant;",
        "use std::{fmt, time::Instant};",
        "use std::{\n    collections::{\n        BTreeMap,\n        HashMap as Map,\n    },\n};",
        "use {std::fs, crate::error::Error};",
        "use ::std::env;",
        "use std as s;",
        "use std::{self as s};",
        "use std::*;",
        "extern crate std as s;",
        "fn f() { std::thread::spawn(|| ()); }",
        "fn f() { let _ = format!(\"{:?}\", std::env::args()); }",
        "fn f() -> std::collections::HashSet<u32> { todo!() }",
        "use std::collections::hash_map::Entry;",
        "use std::process::{self, Command};",
    ];
    let right = [
        "use std::{collections::BTreeMap, fmt};",
        "use core::fmt;",
        "use std::io::{Read, Write};",
    ];
    assert_finds(
        impure,
        "crates/packscope/src/packing/lpfhp.rs",
        &wrong,
        &right,
    );
    assert_finds(
        impure,
        "crates/packscope-cli/src/main.rs",
        &[],
        &["use std::fs;"],
    );
}

#[test]
fn long_functions_are_found_whatever_their_signature() {
    let signatures = [
        "fn f()",
        "pub fn f()",
        "pub(crate) fn f()",
        "pub(in crate::plan) fn f()",
        "const fn f()",
        "async fn f()",
        "unsafe fn f()",
        "pub(super) const unsafe extern \"C\" fn f()",
        "fn f(\n    a: u32,\n    b: u32,\n) -> u32\n",
        "fn f<T>(t: T) -> Vec<T>\nwhere\n    T: Clone,\n",
        "fn f<const N: usize>(of: impl Fn() -> Row<{ N }>) -> [u32; { 1 + 1 }]",
        "fn f(_: Row<{ 1 }>) -> Option<Row<{ 2 }>>",
        "fn r#loop()",
    ];
    let around = [
        "@",
        "impl S { @ }",
        "trait T { fn g(); @ }",
        "mod m { mod n { @ } }",
        "fn g() { @ }",
        "m! { @ }",
    ];
    for signature in signatures {
        for around in around {
            let own = signature.matches('\n').count() + 2;
            let text =
                |lines: usize| format!("{signature} {{\n{}}}", "    a();\n".repeat(lines - own));
            // What is around begins and ends on the same lines, so that the one within `g` makes `g` as long.
            assert_finds(
                long,
                "crates/packscope/src/plan/mod.rs",
                &[&around.replace('@', &text(SCREEN + 1))],
                &[&around.replace('@', &text(SCREEN))],
            );
        }
    }
    let short = [
        "type F = fn(u32) -> u32;",
        "trait T {\n    fn f();\n}",
        "const F: fn() = {\n    f\n};",
    ];
    assert_finds(
        long,
        "crates/packscope/src/plan/mod.rs",
        &[&"//\n".repeat(FILE + 1)],
        &short,
    );
    assert_finds(
        long,
        "crates/packscope/src/plan/mod.rs",
        &[],
        &[&"//\n".repeat(FILE)],
    );
}

/// What is on circles among these files of a program.
fn round(files: &[(&str, &str)]) -> BTreeSet<(String, String)> {
    let files: Vec<_> = files
        .iter()
        .map(|(file, text)| source(&format!("src/bin/app/{file}"), text))
        .collect();
    circles(&edges(&files)).into_iter().cloned().collect()
}

#[test]
fn circles_are_found_however_long_they_are() {
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    let two = round(&[
        ("a.rs", "use crate::b::B;"),
        ("b.rs", "use crate::{a::A, c};"),
        ("c.rs", ""),
    ]);
    assert_eq!(two, BTreeSet::from([pair("a", "b"), pair("b", "a")]));
    let three = [
        ("a/mod.rs", "mod x;"),
        ("a/x.rs", "use super::super::b;"),
        ("b.rs", "fn f() { html! { { super::c::NAME } } }"),
        ("c/mod.rs", "mod deep;"),
        (
            "c/deep/mod.rs",
            "mod more { use crate::{\n    d,\n    a::{self, A},\n}; }",
        ),
        ("d.rs", "use crate::e;"),
    ];
    assert_eq!(
        round(&three),
        BTreeSet::from([pair("a", "b"), pair("b", "c"), pair("c", "a")])
    );
    // Parts of a folder stand for themselves.
    let shelf = [
        ("components/a.rs", "use super::b::B;"),
        ("components/b/mod.rs", "use crate::components::a;"),
    ];
    let both = [
        pair("components::a", "components::b"),
        pair("components::b", "components::a"),
    ];
    assert_eq!(round(&shelf), BTreeSet::from(both));
    // A module and its parts, the root and its modules, and one way alone.
    let fine = [
        ("main.rs", "mod a; mod b; use a::A; use crate::b;"),
        (
            "a/mod.rs",
            "mod x; use x::X; use crate::b::B; use super::SIZE;",
        ),
        ("a/x.rs", "use super::A; use crate::a::y;"),
        ("b.rs", "use super::SIZE;"),
        ("components/mod.rs", "pub use c::C;"),
        ("components/c.rs", "use super::Props; use crate::b;"),
    ];
    assert_eq!(round(&fine), BTreeSet::new());
}

#[test]
fn circles_are_found_at_any_depth() {
    let round = |files: &[(&str, &str)]| -> usize {
        let files: Vec<_> = files
            .iter()
            .map(|(file, text)| source(file, text))
            .collect();
        circles(&edges(&files)).len()
    };
    let two = [
        ("crates/packscope/src/plan/a.rs", "use super::b::B;"),
        (
            "crates/packscope/src/plan/b/mod.rs",
            "use crate::plan::{a::A, c};",
        ),
    ];
    assert_eq!(round(&two), 2);
    let three = [
        ("crates/packscope/src/plan/a.rs", "use super::b;"),
        (
            "crates/packscope/src/plan/b/deep.rs",
            "use super::super::c::C;",
        ),
        (
            "crates/packscope/src/plan/c.rs",
            "fn f() -> u32 { crate::plan::a::ONE }",
        ),
    ];
    assert_eq!(round(&three), 3);
    let deep = [
        ("plan/a/b/c.rs", "use super::d::D;"),
        ("plan/a/b/d.rs", "use crate::plan::a::b::c::C;"),
    ];
    assert_eq!(
        round(&deep.map(|(file, text)| (&*format!("crates/packscope/src/{file}").leak(), text))),
        2
    );
    // Its root, a part with its own parts, and other modules.
    let fine = [
        (
            "crates/packscope/src/plan/mod.rs",
            "mod a; mod b; use a::A;",
        ),
        ("crates/packscope/src/plan/a.rs", "use super::{b, Plan};"),
        (
            "crates/packscope/src/plan/b/mod.rs",
            "mod deep; use deep::Deep;",
        ),
        (
            "crates/packscope/src/plan/b/deep.rs",
            "use super::SIZE; use crate::packing::a;",
        ),
        ("crates/packscope/src/packing/b.rs", "use super::a;"),
    ];
    assert_eq!(round(&fine), 0);
}

#[test]
fn tests_that_would_not_run_are_found() {
    let wrong = [
        "#[cfg(test)] mod tests { fn f() {} }",
        "#[test] fn f() {}",
        "mod a { #[cfg(test)] mod b; }",
        "#[cfg(any(test, unix))] fn f() {}",
    ];
    assert_finds(
        tests,
        "crates/packscope/src/plan/mod.rs",
        &wrong,
        &["/// Not a test.\nfn f(tested: bool) -> bool { tested }"],
    );
}

#[test]
fn timers_and_futures_that_are_not_due_are_found() {
    let wrong = [
        "fn f() { Timeout::new(5, || ()).forget(); }",
        "use wasm_bindgen_futures::spawn_local;",
        "fn f() { yew::platform::spawn_local(async {}); }",
    ];
    assert_finds(
        unsaid,
        "src/bin/app/plot.rs",
        &wrong,
        &["fn f() -> Timeout { due::after(Due::Pausing, 5, || ()) }"],
    );
    assert_finds(unsaid, "src/bin/app/due.rs", &[], &wrong);
}
