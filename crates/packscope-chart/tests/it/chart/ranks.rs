//! The work of each rank in one step.

use super::{extent, rects, texts};
use packscope::api::ranks::SyncPoint;
use packscope_chart::ranks::Input;
use packscope_chart::{Area, Chart, Frame, Theme, ranks};

fn input(waiting: SyncPoint) -> Input {
    let works = vec![vec![0.5, 0.5], vec![0.25, 1.0], vec![0.25, 0.5]];
    let (longest, tokens) = (vec![vec![5; 2]; 3], vec![10; 3]);
    Input {
        works,
        longest,
        tokens,
        waiting,
        hues: 8.into(),
        unit: "tokens".to_owned(),
    }
}

/// The micro-batches as they are drawn, rank by rank.
fn drawn(input: &Input, frame: &Frame) -> Vec<Area> {
    rects(
        &input.scene(frame),
        frame.theme.length_colour(5, input.hues),
    )
}

#[test]
fn a_step_ends_with_the_slowest_rank_or_with_the_slowest_of_each_micro_batch() {
    let frame = Frame::canvas(300.0, 200.0, 1.0, Theme::LIGHT);
    for (waiting, end) in [
        (SyncPoint::MicroBatch, "step 1.50×"),
        (SyncPoint::Step, "slowest 1.25×"),
    ] {
        assert!(texts(&input(waiting).scene(&frame)).contains(&end));
    }
    // Micro-batches begin at 0 and 0.5 and end at 1.5: a fiftieth more is on the axis.
    let all = input(SyncPoint::MicroBatch);
    let (plot, areas) = (ranks::layout(&all, &frame).plot, drawn(&all, &frame));
    let work = |y: f64| (plot.bottom - y) / plot.height() * 1.5 * 1.02;
    let wanted = [
        (0.0, 0.5),
        (0.5, 1.0),
        (0.0, 0.25),
        (0.5, 1.5),
        (0.0, 0.25),
        (0.5, 1.0),
    ];
    assert_eq!(areas.len(), wanted.len());
    for (area, (from, to)) in areas.iter().zip(wanted) {
        assert!(
            (work(area.bottom) - from).abs() < 1e-9 && (work(area.top) - to).abs() < 1e-9,
            "{area:?}"
        );
    }
    let reading = |waiting, rank| input(waiting).reading([rank, 0]).unwrap_or_default();
    assert!(
        reading(SyncPoint::Step, 1).ends_with("the others wait for it."),
        "{}",
        reading(SyncPoint::Step, 1)
    );
    assert!(
        reading(SyncPoint::Step, 2).ends_with("idle 40.0 % of the step."),
        "{}",
        reading(SyncPoint::Step, 2)
    );
    assert!(reading(SyncPoint::Never, 2).ends_with("waits for nobody."));
}

/// The middle of the column that is outlined for a rank.
fn outlined(input: &Input, rank: u32, frame: &Frame) -> f64 {
    let before = input.scene(frame).marks.len();
    let outline = input
        .scene(&frame.pointing([rank, 0]))
        .marks
        .split_off(before);
    let sides = outline
        .iter()
        .map(extent)
        .map(|area| [area.left, area.right]);
    let [left, right] = sides.fold([f64::MAX, f64::MIN], |all, [l, r]| {
        [all[0].min(l), all[1].max(r)]
    });
    f64::midpoint(left, right)
}

#[test]
fn every_rank_has_a_column_and_many_share_them() {
    let frame = Frame::canvas(300.0, 200.0, 1.0, Theme::LIGHT);
    let few = input(SyncPoint::Step);
    for rank in 0..3 {
        let column = drawn(&few, &frame)[2 * rank as usize];
        assert_eq!(few.hit(column.middle(), &frame), Some([rank, 0]));
        assert!((outlined(&few, rank, &frame) - column.middle().0).abs() < 1e-9);
    }
    let mut many = few.clone();
    many.works = vec![few.works[0].clone(); 1024];
    many.works[700] = few.works[1].clone();
    many.longest = vec![vec![5; 2]; 1024];
    let layout = ranks::layout(&many, &frame);
    assert!(layout.columns < 200);
    // The slowest of those that share a column.
    let slowest = drawn(&many, &frame)
        .into_iter()
        .max_by(|a, b| a.height().total_cmp(&b.height()))
        .unwrap();
    assert_eq!(many.hit(slowest.middle(), &frame), Some([700, 0]));
    assert!((outlined(&many, 700, &frame) - slowest.middle().0).abs() < 1e-9);
    assert!(many.scene(&frame).marks.len() > 2 * layout.columns);
}

#[test]
fn nothing_is_drawn_of_no_ranks() {
    let none = Input {
        works: Vec::new(),
        ..input(SyncPoint::MicroBatch)
    };
    let frame = Frame::canvas(300.0, 200.0, 1.0, Theme::LIGHT);
    assert!(!none.scene(&frame).marks.is_empty());
    assert_eq!(
        (
            none.hit((100.0, 100.0), &frame),
            none.step(None, [1, 0], &frame)
        ),
        (None, None)
    );
}
