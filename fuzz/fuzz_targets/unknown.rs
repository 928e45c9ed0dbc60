//! See `packscope_fuzz::unknown`. Not under a fuzzer it takes files, and tells what it makes of each.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| packscope_fuzz::unknown(bytes));

#[cfg(not(fuzzing))]
fn main() {
    packscope_fuzz::replay_arguments(packscope_fuzz::unknown);
}
