//! Inputs by chance, the same ones each time, through every target: kept ones with changes, and bytes without a sense. A fuzzer
//! finds more, since it sees which branches are taken: `cargo xtask fuzz`.
#![allow(clippy::unwrap_used, reason = "a test may panic: that is how it fails")]

use packscope_fuzz::{TARGETS, kept};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use std::path::Path;

/// Where a change is, where it ends, its kind, and its byte.
type Change = (Index, Index, u8, u8);

/// An input with changes, some of which take a piece of another one.
fn changed((mut input, other, changes): (Vec<u8>, Vec<u8>, Vec<Change>)) -> Vec<u8> {
    for (at, to, kind, byte) in changes {
        let within = |index: Index, bytes: &[u8]| index.index(bytes.len() + 1);
        let (a, b) = (within(at, &input), within(to, &input));
        let piece = a.min(b)..a.max(b);
        match kind {
            0 => input.insert(a, byte),
            1 => drop(input.drain(piece)),
            2 => drop(input.splice(a..a, input[piece].to_vec())),
            3 => drop(input.splice(a..a, other[within(to, &other)..].iter().copied())),
            _ if a < input.len() => input[a] = byte,
            _ => {}
        }
    }
    input
}

fn inputs(target: &str) -> impl Strategy<Value = Vec<u8>> {
    let kept: Vec<Vec<u8>> = kept(target)
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect();
    let changes = vec((any::<Index>(), any::<Index>(), 0..8_u8, any::<u8>()), 1..8);
    let near = (select(kept.clone()), select(kept), changes).prop_map(changed);
    prop_oneof![3 => near, 1 => vec(any::<u8>(), 64..256)]
}

fn try_inputs(target: &str) {
    let (_, body) = TARGETS.iter().find(|(name, _)| *name == target).unwrap();
    let cases = match target {
        "address" | "carried" | "dialects" | "messages" | "plan" | "unknown" => 20_000,
        "estimates" => 150,
        _ => 1_000,
    };
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 500,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[1; 32]);
    let tried = TestRunner::new_with_rng(config, rng).run(&inputs(target), |bytes| {
        body(&bytes);
        Ok(())
    });
    if let Err(TestError::Fail(why, bytes)) = &tried {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("artifacts")
            .join(target);
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("by-chance");
        std::fs::write(&file, bytes).unwrap();
        panic!("{why}; the input is in {}", file.display());
    }
    tried.unwrap();
}

macro_rules! chance {
    ($($target:ident)*) => {
        $(
            #[test]
            #[ignore = "takes a minute: cargo xtask test --all"]
            fn $target() {
                try_inputs(stringify!($target));
            }
        )*

        #[test]
        fn every_target_is_tried() {
            assert_eq!(TARGETS.map(|(name, _)| name), [$(stringify!($target)),*]);
        }
    };
}

chance! { text files dialects unknown tokens address carried plan messages sequences graphs batches estimates }
