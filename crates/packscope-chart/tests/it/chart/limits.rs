//! What limits cost: three quantities over one axis.

use super::{WIDTHS, assert_placed, drawn, texts};
use packscope_chart::limits::{Input, LimitQuantity, Measure};
use packscope_chart::{Chart, Frame, Theme};

const LIMITS: [u32; 9] = [32, 64, 128, 256, 300, 512, 700, 1024, 1500];

fn quantity(name: &'static str, measure: Measure, value: impl Fn(f64) -> f64) -> LimitQuantity {
    let values = LIMITS
        .iter()
        .map(|limit| Some(value(f64::from(*limit))))
        .collect();
    LimitQuantity {
        name: name.into(),
        values,
        measure,
    }
}

fn input(present: u32, better: Option<u32>) -> Input {
    Input {
        limits: LIMITS.to_vec(),
        quantities: vec![
            quantity("tokens lost", Measure::Share, |limit| {
                (8.0 / limit).min(0.2)
            }),
            quantity("epoch, estimated, h", Measure::About, |limit| {
                2.0 + limit / 900.0
            }),
            quantity("memory of an accelerator", Measure::AboutShare, |limit| {
                0.2 + limit / 1100.0
            }),
        ],
        present,
        better,
        marks: vec![("95 %", 300), ("99 %", 700), ("100 %", 1500)],
        unit: "tokens".to_owned(),
    }
}

#[test]
fn present_and_recommended_limit_stand_with_their_values() {
    for (present, better) in [
        (256, Some(1024)),
        (32, None),
        (1500, Some(700)),
        (512, Some(700)),
    ] {
        let chart = input(present, better);
        let sizes = WIDTHS.map(|width| (width, 420.0));
        for (name, scene, frame) in drawn(&format!("limits-{present}"), &chart, &sizes) {
            let words = texts(&scene);
            let now = format!("now {}", packscope::words::count(u64::from(present)));
            for said in [
                "tokens lost",
                "epoch, estimated, h",
                "memory of an accelerator",
                "limit, tokens",
                now.as_str(),
            ] {
                assert!(
                    words.contains(&said),
                    "{name}: {said} is missing in {words:?}"
                );
            }
            let recommended = words
                .iter()
                .filter(|words| words.starts_with("recommended "))
                .count();
            assert_eq!(
                recommended,
                usize::from(better.is_some()),
                "{name}: {words:?}"
            );
            assert!(
                present != 256 || words.contains(&"3.1 %") && words.contains(&"2.3"),
                "{name}: {words:?}"
            );
            // Powers of two are ticks.
            assert!(
                frame.width < 600.0 || words.contains(&"64") && words.contains(&"512"),
                "{name}: {words:?}"
            );
        }
    }
}

#[test]
fn a_press_and_a_key_find_limits_and_the_table_has_them_all() {
    let (chart, frame) = (
        input(256, Some(1024)),
        Frame::canvas(700.0, 420.0, 1.0, Theme::LIGHT),
    );
    assert_eq!(chart.hit((-9.0, 0.0), &frame), Some([0, 0]));
    assert_eq!(chart.hit((900.0, 300.0), &frame), Some([8, 0]));
    let spots: Vec<u32> = (0..700)
        .filter_map(|x| Some(chart.hit((f64::from(x), 50.0), &frame)?[0]))
        .collect();
    assert!(
        spots.is_sorted() && (0..9).all(|at| spots.contains(&at)),
        "each limit has a place"
    );
    let steps = [[1, 0], [0, -1], [9, 9], [-9, 0]].map(|by| chart.step(None, by, &frame));
    assert_eq!(
        steps,
        [4, 2, 8, 0].map(|at| Some([at, 0])),
        "from the present limit"
    );
    let table = chart.table().unwrap();
    assert_eq!((table.rows.len(), table.head.len()), (9, 4));
    assert_eq!(table.rows[3], ["256", "3.1 %", "2.3", "43 %"]);
}

#[test]
fn nothing_breaks_without_limits_or_room() {
    let none = Input {
        limits: vec![],
        quantities: vec![],
        marks: vec![],
        ..input(256, None)
    };
    let empty = Input {
        limits: vec![],
        ..input(256, Some(9))
    };
    let one = Input {
        limits: vec![u32::MAX],
        ..input(u32::MAX, Some(u32::MAX))
    };
    assert_placed("small-limits", &[&none, &empty, &one], [0, 0]);
    let frame = Frame::svg(60.0, 40.0, Theme::LIGHT);
    let found = [&none, &empty, &one].map(|input| input.hit((1.0, 1.0), &frame));
    assert_eq!(found, [None, None, Some([0, 0])]);
}
