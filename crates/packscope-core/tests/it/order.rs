//! The sort for short lists.

use packscope_core::order::sort_by_key;

#[test]
fn sorts_stably_as_the_standard_library_does() {
    let mut ours: Vec<(u32, u32)> = (0..500).map(|i| (i * 7919 % 13, i)).collect();
    let mut theirs = ours.clone();
    sort_by_key(&mut ours, |(key, _)| *key);
    theirs.sort_by_key(|(key, _)| *key);
    assert_eq!(ours, theirs);
}
