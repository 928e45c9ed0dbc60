//! Every input that is kept, through the body that it was found with.
#![allow(clippy::unwrap_used, reason = "a test may panic: that is how it fails")]

use packscope_fuzz::{TARGETS, kept};
use std::path::Path;

fn replay(target: &str) {
    let (_, body) = TARGETS.iter().find(|(name, _)| *name == target).unwrap();
    let inputs = kept(target);
    assert!(inputs.len() >= 5, "{target} has {} inputs", inputs.len());
    for path in inputs {
        // Shown when it panics.
        println!("{}", path.display());
        body(&std::fs::read(&path).unwrap());
    }
}

macro_rules! replay {
    ($($target:ident)*) => {
        $(
            #[test]
            fn $target() {
                replay(stringify!($target));
            }
        )*

        #[test]
        fn every_target_is_replayed_and_every_folder_is_of_a_target() {
            assert_eq!(TARGETS.map(|(name, _)| name), [$(stringify!($target)),*]);
            for kind in ["corpus", "regressions"] {
                let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(kind);
                for entry in std::fs::read_dir(folder).unwrap() {
                    let name = entry.unwrap().file_name();
                    assert!(TARGETS.iter().any(|(target, _)| *target == name), "{kind}/{}", name.display());
                }
            }
        }
    };
}

replay! { text files dialects unknown tokens address carried plan messages sequences graphs batches estimates }
