//! The chapter on the optimiser.

use super::{Reader, figure};

#[test]
fn figures_are_those_of_the_rule() {
    let mut reader = Reader::opens("optimiser");
    let shown = reader.sees();
    let is = |name: &str, value: f64| {
        let there = figure(&shown, name);
        assert!(
            there.is_some_and(|there| (there - value).abs() < 1e-6 * value.max(1.0)),
            "{name}: {there:?}"
        );
    };
    // 1,500 rows with two sequences each: Krell et al. 2022, caption of Figure 3.
    is("sequences_per_update", 3000.0);
    is("updates_before", (16_279_552_f64 / 1500.0).ceil());
    is("updates", (16_279_552_f64 / 3000.0).ceil());
    // β := β^p: the same, §3.3.
    is("beta1_same_rows", 0.81);
    is("beta2_same_rows", 0.998_001);
    is("rows_same_sequences", 750.0);
    is("left_before", 0.9_f64.powi(10));
    is("left", 0.9_f64.powi(5));
    assert_eq!(
        shown.finding,
        "3,000 sequences in an update, and momentum remembers 2.0× as far"
    );
    reader.moves("beta", &[810]);
    assert_eq!(
        reader.sees().finding,
        "3,000 sequences in an update, and momentum reaches as far back as before"
    );
    // Not "1.0 times as far".
    reader.moves("beta", &[820]);
    assert_eq!(
        reader.sees().finding,
        "3,000 sequences in an update, and momentum remembers 1.06× as far"
    );
    reader.moves("beta", &[810]);
    reader.moves("accumulation", &[3]);
    assert_eq!(
        reader.sees().finding,
        "1,500 sequences in an update, and momentum forgets 2.0× as fast"
    );
    reader.moves("beta", &[900]);
    assert_eq!(
        reader.sees().finding,
        "1,500 sequences in an update, and a momentum as before packing"
    );
}

#[test]
fn batches_that_do_not_divide_leave_a_rest_to_momentum() {
    let mut reader = Reader::opens("optimiser&scene.factor=25");
    reader.moves("accumulation", &[2]);
    assert!(!reader.sees().is_done());
    // 0.9^(1250 / 1500).
    reader.moves("beta", &[916]);
    let shown = reader.sees();
    assert!(shown.is_done() && (figure(&shown, "beta_needed").unwrap() - 0.915_95).abs() < 1e-5);
    // The power of the packing factor is for as many rows as before.
    reader.moves("beta", &[768]);
    assert!(!reader.sees().is_done());
    // Three batches are farther off.
    reader.moves("accumulation", &[3]);
    reader.moves("beta", &[877]);
    assert!(!reader.sees().is_done());
}
