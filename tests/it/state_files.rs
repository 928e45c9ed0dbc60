//! Files that are compared side by side.

use packscope::histogram::{Histogram, Preset};
use packscope_page::state::{Action, AppState, FileGroup, Source};
use std::rc::Rc;

#[test]
fn files_stand_side_by_side_while_one_of_them_is_shown() {
    let histogram =
        |lengths: &[(u32, u64)]| Rc::new(Histogram::from_lengths(lengths.iter().copied()).unwrap());
    let [a, b] = [histogram(&[(8, 2)]), histogram(&[(4, 1), (8, 1)])];
    let kept = |name: &str| Source::Kept {
        name: name.to_owned(),
        components: Vec::new(),
    };
    let both = histogram(&[(4, 1), (8, 3)]);
    let all = Action::Loaded(kept("a and 1 more"), both, Some(8));
    let each = vec![("a".to_owned(), a), ("b".to_owned(), b)];
    let group = FileGroup {
        name: "a and 1 more".to_owned(),
        each,
        all: Box::new(all.clone()),
    };
    let state = AppState::default()
        .reduce(all)
        .reduce(Action::Files(Some(Rc::new(group))));
    let rows = state.side_by_side();
    assert_eq!(
        rows.iter().map(|r| r.summary.items).collect::<Vec<_>>(),
        [4, 2, 2]
    );
    assert_eq!(
        rows.iter()
            .map(|r| r.summary.padding_share)
            .collect::<Vec<_>>(),
        [0.125, 0.0, 0.25]
    );
    let second = state.reduce(rows[2].show.clone());
    assert_eq!(second.side_by_side().iter().position(|r| r.shown), Some(2));
    let other = Histogram::from_lengths([(3, 1)]).unwrap();
    let other = second.reduce(Action::Loaded(
        Source::Preset(Preset::FIRST),
        Rc::new(other),
        None,
    ));
    assert!(other.side_by_side().is_empty());
}
