//! See `packscope_fuzz::dialects`. Not under a fuzzer it takes files, and tells what it makes of each.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| packscope_fuzz::dialects(bytes));

#[cfg(not(fuzzing))]
fn main() {
    packscope_fuzz::replay_arguments(packscope_fuzz::dialects);
}
