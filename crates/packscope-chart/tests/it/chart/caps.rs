//! How large a batch may be, by length.

use super::{BATCH_WIDTHS, DOZEN, assert_placed, drawn, entries, svg, texts};
use packscope::sampler::{Buckets, HwCap, MemoryModel};
use packscope_chart::caps::{self, Input};
use packscope_chart::{Chart, Frame, Mark, Theme};

fn growing(base: u64, factor: u64, epochs: u64) -> Vec<(String, u64)> {
    (0..epochs)
        .map(|e| (format!("epoch {}", e + 1), base * factor.pow(e as u32)))
        .collect()
}

fn input(hwcap: &HwCap, published: Option<HwCap>, limit: u32) -> Input {
    Input {
        hwcap: hwcap.clone(),
        published,
        buckets: Buckets::new(hwcap.clone(), None, limit),
        limit,
        hues: limit.into(),
        caps: vec![],
        chosen: 0,
        lengths: vec![],
        batch: 64,
        unit: "tokens".to_owned(),
    }
}

fn path(scene: &packscope_chart::Scene, colour: [u8; 3]) -> Vec<(f64, f64)> {
    let of = |mark: &Mark| match mark {
        Mark::Path(points, _, c) if *c == colour => Some(points.clone()),
        _ => None,
    };
    scene.marks.iter().find_map(of).unwrap()
}

#[test]
fn caps_over_length_with_the_data_below() {
    let published = HwCap::default();
    let memory = HwCap::Memory(MemoryModel {
        linear: 2e6,
        quadratic: 4e3,
        bytes: 8e9,
    });
    let own: HwCap = "16:600,32:300,64:160,128:80".parse().unwrap();
    let sets = [
        (
            "sst2",
            entries("glue_sst2"),
            128,
            &published,
            growing(64, 2, 3),
            1,
        ),
        (
            "sst2-last",
            entries("glue_sst2"),
            128,
            &published,
            growing(64, 2, 3),
            2,
        ),
        (
            "sst2-ten",
            entries("glue_sst2"),
            128,
            &published,
            growing(8, 2, 10),
            4,
        ),
        ("sst2-off", entries("glue_sst2"), 128, &published, vec![], 0),
        (
            "sst2-own",
            entries("glue_sst2"),
            128,
            &own,
            growing(64, 2, 3),
            0,
        ),
        (
            "squad",
            entries("squad_1_1_bert_384"),
            384,
            &memory,
            growing(32, 2, 3),
            1,
        ),
        (
            "wikipedia",
            entries("wikipedia_bert_512"),
            512,
            &published,
            growing(64, 2, 3),
            0,
        ),
        (
            "dozen",
            DOZEN.to_vec(),
            128,
            &published,
            growing(64, 1, 3),
            0,
        ),
    ];
    for (set, lengths, limit, hwcap, caps, chosen) in sets {
        let other = (*hwcap != published).then_some(&published);
        let input = Input {
            caps: caps.clone(),
            chosen,
            lengths,
            ..input(hwcap, other.cloned(), limit)
        };
        for (name, scene, frame) in drawn(&format!("caps-{set}"), &input, &BATCH_WIDTHS) {
            let layout = caps::layout(&input, &frame);
            let texts = texts(&scene);
            assert!(texts.contains(&"HWCap"), "{name}: {texts:?}");
            assert!(texts.contains(&"batch 64"), "{name}: {texts:?}");
            assert_eq!(
                texts.contains(&"table of the paper"),
                other.is_some(),
                "{name}: {texts:?}"
            );
            if let Some((epoch, cap)) = caps.get(chosen) {
                // Where the lines fall at once there is room for the number alone.
                let [full, short] = [format!("{epoch}: {cap}"), cap.to_string()];
                let said = texts.contains(&full.as_str())
                    || limit > 128 && texts.contains(&short.as_str());
                assert!(said, "{name}: {texts:?}");
            }
            assert_eq!(
                [layout.length_at(0.0), layout.length_at(9999.0)],
                [1, limit]
            );
        }
    }
}

#[test]
fn the_line_in_force_is_the_lower_of_both() {
    let (hwcap, caps) = (HwCap::default(), growing(64, 2, 3));
    let frame = Frame::svg(700.0, 320.0, Theme::LIGHT).pointing([61, 0]);
    let lengths = vec![(20, 5), (128, 1)];
    let input = Input {
        caps,
        chosen: 1,
        lengths,
        ..input(&hwcap, None, 128)
    };
    let (scene, layout) = (input.scene(&frame), caps::layout(&input, &frame));
    svg("caps-hover", &scene, &frame);
    let [ink, accent] = [Theme::LIGHT.ink, Theme::LIGHT.accent].map(|colour| path(&scene, colour));
    let y_at = |line: &[(f64, f64)], length: f64| {
        let x = layout.plot.left + layout.plot.width() * length / 128.0;
        line.windows(2)
            .find(|pair| pair[0].0 < x && x <= pair[1].0)
            .map(|pair| pair[0].1)
            .unwrap()
    };
    // 150 sequences of 51 to 55 tokens, 125 of 56 to 70: the cap of 128 ends at 55.
    for length in [3.0, 20.0, 54.5] {
        assert!(y_at(&accent, length) > y_at(&ink, length) + 1.0, "{length}");
        assert!((y_at(&accent, length) - y_at(&accent, 1.0)).abs() < 1e-9);
    }
    for length in [56.0, 61.0, 99.0, 128.0] {
        assert!(
            (y_at(&accent, length) - y_at(&ink, length)).abs() < 1e-9,
            "{length}"
        );
    }
    for length in [1, 5, 6, 61, 65, 66, 128] {
        let x = layout.plot.left + layout.plot.width() * (f64::from(length) - 0.5) / 128.0;
        assert_eq!(layout.length_at(x), length);
    }
    assert_eq!(
        input.summary(),
        "The largest batch by length: 128 sequences of 32 tokens, 50 of 128; in epoch 2 at most 128."
    );
    let said = [61, 20].map(|length| input.reading([length, 0]).unwrap());
    assert_eq!(said[0], "The bucket up to 65 tokens: 125 sequences fit.");
    assert_eq!(
        said[1],
        "The bucket up to 20 tokens: 575 sequences fit, 128 in this epoch."
    );
    assert_eq!(input.table().unwrap().rows[0], ["16", "128"]);
    let steps = [None, Some([126, 0]), Some([2, 0])].map(|from| input.step(from, [10, -5], &frame));
    assert_eq!(steps, [Some([1, 0]), Some([128, 0]), Some([7, 0])]);
}

#[test]
fn nothing_breaks_in_no_space_or_without_data() {
    let odd = [("epoch 1".to_owned(), 0), ("epoch 2".to_owned(), u64::MAX)];
    let tables = [
        HwCap::Table(vec![]),
        HwCap::Table(vec![(5, 1)]),
        HwCap::default(),
    ];
    for (hwcap, caps) in tables
        .iter()
        .flat_map(|table| [(table, &[][..]), (table, &odd)])
    {
        let inputs = [0, 1, 512, u32::MAX].map(|limit| Input {
            caps: caps.to_vec(),
            chosen: 1,
            lengths: vec![(1, 1), (7, 3), (400, u64::MAX / 2)],
            batch: 0,
            ..input(hwcap, Some(hwcap.clone()), limit)
        });
        assert_placed("small-caps", &inputs.each_ref().map(|i| i as _), [400, 0]);
    }
}
