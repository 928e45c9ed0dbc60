//! The budget of downloads: bytes as brotli and requests of each opening, in `xtask/budget.json`. `cargo xtask test`
//! fails above it; `cargo xtask size --write` sets it to 0.4 % above the page in `dist/`: the same
//! source takes up to 0.1 % more in another folder, whose name is part of the symbols that order functions.

use crate::size::{self, Load, Sizes};
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use xshell::Shell;

const FILE: &str = "xtask/budget.json";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Limit {
    brotli: u64,
    requests: u64,
}

type Budget = BTreeMap<String, Limit>;

pub fn print(sh: &Shell) -> Result<(Sizes, Vec<Load>)> {
    let sizes = size::sizes(sh)?;
    let loads = size::loads(sh, &sizes)?;
    print!("{}", size::table(&sizes, &loads)?);
    Ok((sizes, loads))
}

/// Prints the tables and fails if a budget is exceeded; with `--write`, sets the budgets anew.
pub fn command(sh: &Shell, args: &[String]) -> Result<()> {
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => check(sh),
        ["--write"] => {
            let (_, loads) = print(sh)?;
            let budget: Budget = loads
                .iter()
                .map(|load| (load.name.clone(), allowed(load)))
                .collect();
            Ok(sh.write_file(FILE, serde_json::to_string_pretty(&budget)? + "\n")?)
        }
        _ => bail!("size takes --write, and nothing else"),
    }
}

/// Prints the tables and fails if a budget is exceeded.
pub fn check(sh: &Shell) -> Result<()> {
    let (sizes, loads) = print(sh)?;
    let budget =
        serde_json::from_str(&sh.read_file(FILE)?).with_context(|| format!("reading {FILE}"))?;
    let over = exceeded(&loads, &budget, &sizes);
    if !over.is_empty() {
        bail!(
            "{}\nmake it smaller, or say in the commit why it may be larger: {FILE}",
            over.join("\n")
        );
    }
    Ok(())
}

/// Returns the budget of a load: 0.4 % more bytes, in whole hundreds, and the same number of requests.
fn allowed(load: &Load) -> Limit {
    // 1/250 is the 0.4 % that the head of this file explains.
    let brotli = (load.size.brotli + load.size.brotli.div_ceil(250)).next_multiple_of(100);
    Limit {
        brotli,
        requests: load.files.len() as u64,
    }
}

/// Describes each load above its budget, with the excess and its largest file, and budgets without a load.
fn exceeded(loads: &[Load], budget: &Budget, sizes: &Sizes) -> Vec<String> {
    let mut over = Vec::new();
    for load in loads {
        let Some(limit) = budget.get(&load.name) else {
            over.push(format!("{:?} has no budget", load.name));
            continue;
        };
        let (brotli, requests) = (load.size.brotli, load.files.len() as u64);
        if brotli > limit.brotli {
            let of = |file: &&String| sizes.get(*file).map_or(0, |size| size.brotli);
            let largest = load.files.iter().max_by_key(of);
            let largest = largest
                .map(|file| format!("{file} with {}", of(&file)))
                .unwrap_or_default();
            over.push(format!(
                "{:?} takes {brotli} bytes as brotli; its budget is {}, and the largest file of it {largest}",
                load.name, limit.brotli
            ));
        }
        if requests > limit.requests {
            over.push(format!(
                "{:?} takes {requests} requests; its budget is {}",
                load.name, limit.requests
            ));
        }
    }
    let unknown = budget
        .keys()
        .filter(|name| !loads.iter().any(|load| load.name == **name));
    // A renamed part would otherwise keep its budget under the old name and have none under the new
    // one.
    over.extend(unknown.map(|name| format!("nothing is called {name:?}, which has a budget")));
    over
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::size::Size;

    fn page() -> (Vec<Load>, Sizes) {
        let sizes: Sizes = [("app/app_bg.wasm", 300), ("app/app.js", 20)]
            .map(|(name, brotli)| {
                (
                    name.to_owned(),
                    Size {
                        bytes: brotli * 3,
                        brotli,
                    },
                )
            })
            .into();
        let size = Size {
            bytes: 960,
            brotli: 320,
        };
        (
            vec![Load {
                name: "whole opening".to_owned(),
                files: sizes.keys().cloned().collect(),
                size,
            }],
            sizes,
        )
    }

    fn checked(json: &str) -> Vec<String> {
        let (loads, sizes) = page();
        exceeded(&loads, &serde_json::from_str(json).unwrap(), &sizes)
    }

    #[test]
    fn what_is_within_its_budget_passes() {
        assert_eq!(
            checked(r#"{"whole opening": {"brotli": 320, "requests": 2}}"#),
            Vec::<String>::new()
        );
        let (loads, sizes) = page();
        let written: Budget = loads
            .iter()
            .map(|load| (load.name.clone(), allowed(load)))
            .collect();
        assert_eq!(
            written["whole opening"],
            Limit {
                brotli: 400,
                requests: 2
            }
        );
        let read = serde_json::from_str(&serde_json::to_string(&written).unwrap()).unwrap();
        assert!(exceeded(&loads, &read, &sizes).is_empty());
    }

    #[test]
    fn what_is_over_is_named_with_its_budget_and_its_size() {
        let over = checked(r#"{"whole opening": {"brotli": 319, "requests": 1}}"#);
        assert_eq!(
            over,
            [
                "\"whole opening\" takes 320 bytes as brotli; its budget is 319, and the largest file of it app/app_bg.wasm with 300",
                "\"whole opening\" takes 2 requests; its budget is 1"
            ]
        );
    }

    #[test]
    fn new_parts_need_a_budget_and_old_ones_lose_it() {
        let over = checked(r#"{"gone": {"brotli": 1, "requests": 1}}"#);
        assert_eq!(
            over,
            [
                "\"whole opening\" has no budget",
                "nothing is called \"gone\", which has a budget"
            ]
        );
    }
}
