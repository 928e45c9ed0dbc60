//! Inputs by chance, the same each time, where no fuzzer is at hand: `cargo run --release -p packscope-fuzz --example
//! chance -- TARGET INPUTS [SEED]`.

use packscope_fuzz::TARGETS;
use std::sync::{Mutex, PoisonError};

/// The input that is tried.
static TRIED: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// SplitMix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Writes an input that is a finding where those of the fuzzer are.
fn keep_what_panics(target: &str) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("artifacts")
        .join(target);
    let says = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        says(panic);
        let bytes = TRIED.lock().unwrap_or_else(PoisonError::into_inner);
        let file = folder.join("by-chance");
        match std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, &*bytes)) {
            Ok(()) => eprintln!("the input is in {}", file.display()),
            Err(error) => eprintln!("{}: {error}", file.display()),
        }
    }));
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: u64| {
        arguments
            .get(at)
            .and_then(|text| text.parse().ok())
            .unwrap_or(usual)
    };
    let wanted = arguments.first().map_or("dialects", String::as_str);
    let Some((_, body)) = TARGETS.iter().find(|(name, _)| *name == wanted) else {
        return eprintln!("there is no target {wanted}");
    };
    let (inputs, mut state) = (number(1, 1_000_000), number(2, 0));
    keep_what_panics(wanted);
    for _ in 0..inputs {
        let words = 8 + next(&mut state) % 24;
        let bytes: Vec<u8> = (0..words)
            .flat_map(|_| next(&mut state).to_le_bytes())
            .collect();
        TRIED
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone_from(&bytes);
        body(&bytes);
    }
    println!("{wanted}: {inputs} inputs, all as promised");
}
