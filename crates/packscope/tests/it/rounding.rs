//! The cost of rounding up, against packs that are counted one by one.

use packscope::api::{self, PackShape, RoundingCost, rounding};
use packscope::histogram::Histogram;
use packscope::packing::{Algorithm, go_on};
use proptest::prelude::*;

/// Lengths with their counts, and a limit that holds them.
fn cases() -> impl Strategy<Value = (Vec<(u32, u64)>, u32)> {
    (1u32..600).prop_flat_map(|limit| {
        (
            prop::collection::vec((1..=limit, 1u64..30), 1..30),
            Just(limit),
        )
    })
}

fn packed(counts: &[(u32, u64)], limit: u32, align: u32) -> (api::Report, Vec<RoundingCost>) {
    let settings = api::Settings {
        limit,
        align,
        algorithm: Algorithm::Lpfhp,
        ..Default::default()
    };
    let lengths = Histogram::from_lengths(counts.iter().copied()).unwrap();
    let report = api::run_on(&lengths, &settings, u32::MAX, &mut go_on).unwrap();
    let rows = rounding(&report.strategies, limit, report.figures.real_tokens[0]);
    (report, rows)
}

/// The slots of a plan, pack by pack: `each` says whether sequences or packs are rounded up.
fn by_pack(packs: &[PackShape], limit: u64, multiple: u64, each: bool) -> u64 {
    let mut slots = 0;
    for pack in packs {
        for _ in 0..pack.count {
            let (mut end, mut own) = (0, 0);
            for &(length, times) in &pack.runs {
                for _ in 0..times {
                    end += u64::from(length);
                    own += (u64::from(length).div_ceil(multiple) * multiple).min(limit);
                }
            }
            slots += if each {
                own
            } else {
                (end.div_ceil(multiple) * multiple).min(limit)
            };
        }
    }
    slots
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn slots_are_those_of_packs_one_by_one((counts, limit) in cases()) {
        let (report, rows) = packed(&counts, limit, 1);
        let tokens = report.figures.real_tokens[0];
        for row in &rows {
            let of = |each| by_pack(&report.strategies, limit.into(), row.multiple.into(), each);
            prop_assert_eq!([row.sequence_slots, row.pack_slots], [of(true), of(false)]);
            prop_assert!(row.pack_slots >= tokens && row.pack_slots <= report.figures.slots[0]);
            // A pack is rounded once, its sequences each.
            prop_assert!(row.pack_slots <= row.sequence_slots.max(tokens));
            let padding = 1.0 - tokens as f64 / row.pack_slots as f64;
            prop_assert!((row.pack_padding - padding).abs() < 1e-12);
        }
        // Nothing is rounded to begin with; at the limit a pack is what the plan has, and a sequence has one to itself.
        let (first, last) = (rows[0], rows[rows.len() - 1]);
        prop_assert_eq!(first.pack_slots, if limit == 1 { report.figures.slots[0] } else { tokens });
        prop_assert_eq!(last.multiple, limit);
        prop_assert_eq!(last.pack_slots, report.figures.slots[0]);
        prop_assert_eq!(last.sequence_slots, report.figures.items * u64::from(limit));
    }

    /// Of each sequence it is what the list of alignments says.
    #[test]
    fn each_sequence_is_rounded_as_alignments_say((counts, limit) in cases()) {
        let lengths = Histogram::from_lengths(counts.iter().copied()).unwrap();
        for row in packed(&counts, limit, 1).1 {
            let said = lengths.added_by_alignment(row.multiple, limit);
            prop_assert!((row.sequence_added - said).abs() < 1e-9, "{}: {} {said}", row.multiple, row.sequence_added);
        }
    }

    /// Padding by an alignment is counted.
    #[test]
    fn an_alignment_is_padding((counts, limit) in cases()) {
        let (report, rows) = packed(&counts, limit, 8);
        let tokens = report.figures.real_tokens[0];
        let aligned = report.strategies.iter().map(|pack| {
            pack.count * pack.runs.iter().map(|&(length, n)| u64::from(length) * u64::from(n)).sum::<u64>()
        });
        let aligned: u64 = aligned.sum();
        prop_assert_eq!(rows[0].pack_slots, aligned);
        prop_assert!((rows[0].pack_added - (aligned - tokens) as f64 / tokens as f64).abs() < 1e-12);
    }
}

#[test]
fn an_example_by_hand() {
    // Packs of 9 + 4 and of 9 under a limit of 20: rounded to eights 16 + 16 slots, or 16 + 8 and 16 one by one.
    let packs = [
        PackShape {
            runs: vec![(9, 1), (4, 1)],
            count: 1,
        },
        PackShape {
            runs: vec![(9, 1)],
            count: 1,
        },
    ];
    let rows = rounding(&packs, 20, 22);
    let all: Vec<_> = rows
        .iter()
        .map(|r| (r.multiple, r.sequence_slots, r.pack_slots))
        .collect();
    assert_eq!(all, [(1, 22, 22), (8, 40, 32), (16, 48, 32), (20, 60, 40)]);
    assert_eq!(
        (rows[1].sequence_added, rows[1].pack_added),
        (18.0 / 22.0, 10.0 / 22.0)
    );
}
