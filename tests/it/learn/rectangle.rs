//! A batch is a rectangle.

use super::{Reader, figure};

#[test]
fn grey_is_what_the_longest_makes_of_the_others() {
    let mut reader = Reader::opens("rectangle");
    let before = reader.sees();
    assert_eq!(figure(&before, "slots"), Some(12.0 * 48.0));
    assert_eq!(figure(&before, "real_tokens"), Some(252.0));
    assert_eq!(figure(&before, "padding"), Some(1.0 - 252.0 / 576.0));
    // The task says what the batch began with, whatever is moved since: 324 of 576 slots.
    assert!(
        before.task.contains(" began with 56.3 % of padding") && before.task.contains(" 48 tokens")
    );
    reader.moves("lengths", &[46; 12]);
    assert!(reader.sees().task.contains(" began with 56.3 % of padding"));
    let after = reader.sees();
    assert!(after.is_done() && figure(&after, "padding") == Some(0.0));
    // Not by making the rectangle larger.
    reader.moves("lengths", &[60; 12]);
    assert!(!reader.sees().is_done());
}
