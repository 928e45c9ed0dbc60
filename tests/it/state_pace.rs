//! How long work still takes.

use packscope_page::state::pace::Pace;

#[test]
fn the_time_left_follows_the_pace_so_far() {
    let pace = Pace::new(100.0, 0.2);
    assert_eq!(pace.time_left(100.5, 0.3), None);
    assert_eq!(pace.time_left(104.0, 0.2), None);
    assert_eq!(
        pace.time_left(110.0, 0.4).as_deref(),
        Some("about 30 s left")
    );
    assert_eq!(
        pace.time_left(110.0, 0.99).as_deref(),
        Some("less than a second left")
    );
    assert_eq!(
        pace.at_most(102.0, 10.5).as_deref(),
        Some("at most 8.5 s left")
    );
    assert_eq!(pace.at_most(102.0, f64::INFINITY), None);
}
