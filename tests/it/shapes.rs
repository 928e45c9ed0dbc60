//! Few static shapes: the programme against every choice, published ways to choose, lists as people have them, the
//! page's part of it, and what is written for libraries.

use crate::common::{built_in, histograms};
use packscope::api::shapes::{GivenShapes, Methods, Settings, ShapesQuery, batch};
use packscope::error::Error;
use packscope::export::shapes::{For, lines};
use packscope::histogram::{Histogram, Overlong, Preset};
use packscope::shapes::{self, Shape, ShapeMethod};
use packscope_page::query::{Answer, Query, TimedAnswer};
use packscope_page::state::batches::{Action as Batches, shapes as words};
use packscope_page::state::{Action, AppState, CachedAnswer, Source, Ticket, View};
use proptest::prelude::*;
use std::rc::Rc;

fn lengths_of(shapes: &[Shape]) -> Vec<u32> {
    shapes.iter().map(|shape| shape.length).collect()
}

/// The least padding of any lengths, by trying all of them.
fn least(lengths: &[(u32, u64)], shapes: usize) -> u128 {
    let longest = lengths[lengths.len() - 1].0;
    let cost = |chosen: &[u32]| -> u128 {
        let to = |length: u32| *chosen.iter().find(|shape| **shape >= length).unwrap();
        lengths
            .iter()
            .map(|(l, n)| u128::from(to(*l) - l) * u128::from(*n))
            .sum()
    };
    let all = 0..1u32 << (lengths.len() - 1);
    let chosen = all
        .filter(|set| (set.count_ones() as usize) < shapes)
        .map(|set| {
            let of = |i: &usize| set & (1 << i) != 0;
            (0..lengths.len() - 1)
                .filter(of)
                .map(|i| lengths[i].0)
                .chain([longest])
                .collect::<Vec<_>>()
        });
    chosen.map(|chosen| cost(&chosen)).min().unwrap()
}

/// The lengths of least padding by the recurrence itself: every start of the last shape is tried, the earliest first.
fn tried(lengths: &[(u32, u64)], shapes: usize) -> Vec<u32> {
    let n = lengths.len();
    let slots = |i: usize, j: usize| {
        let items: u128 = lengths[i..j].iter().map(|(_, n)| u128::from(*n)).sum();
        if j == 0 {
            0
        } else {
            u128::from(lengths[j - 1].0) * items
        }
    };
    let mut least: Vec<u128> = (0..=n).map(|j| slots(0, j)).collect();
    let mut starts = Vec::new();
    for _ in 1..shapes.min(n) {
        let cost = |i: usize, j: usize| least[i] + slots(i, j);
        let row: Vec<usize> = (0..=n)
            .map(|j| (0..j).min_by_key(|i| cost(*i, j)).unwrap_or(0))
            .collect();
        least = (0..=n)
            .map(|j| if j == 0 { 0 } else { cost(row[j], j) })
            .collect();
        starts.push(row);
    }
    let (mut chosen, mut end) = (Vec::new(), n);
    for row in starts.iter().rev() {
        if end > 0 {
            chosen.push(lengths[end - 1].0);
            end = row[end];
        }
    }
    chosen.extend((end > 0).then(|| lengths[end.max(1) - 1].0));
    chosen.reverse();
    chosen
}

/// lhotse's `estimate_duration_buckets`, sequence by sequence, and after its boundaries the longest sequence.
fn buckets(lengths: &Histogram<1>, shapes: usize) -> Vec<u32> {
    let all: Vec<u32> = lengths
        .lengths()
        .iter()
        .flat_map(|(l, n)| std::iter::repeat_n(*l, *n as usize))
        .collect();
    let share = all.iter().map(|l| f64::from(*l)).sum::<f64>() / shapes as f64;
    let (mut bins, mut sum) = (Vec::new(), 0.0);
    for size in &all {
        if sum > share {
            bins.push(*size);
            sum = 0.0;
        }
        sum += f64::from(*size);
    }
    bins.extend(all.last());
    bins.dedup();
    bins
}

proptest! {
    #[test]
    fn no_lengths_waste_less(h in histograms(40, 9, 30), shapes in 1..6usize, multiple in 1..9u32) {
        let best = shapes::choose(&h, shapes, ShapeMethod::Best, multiple).unwrap();
        prop_assert!(best.len() <= shapes);
        // All choices have the same tokens: slots of multiples are those of lengths that were rounded up before.
        let rounded = h.aligned(multiple).unwrap();
        let added = u128::from(rounded.total()[0] - h.total()[0]);
        prop_assert_eq!(shapes::padding(&best), least(&rounded.lengths(), shapes) + added);
        for method in ShapeMethod::ALL {
            let chosen = shapes::choose(&h, shapes, method, multiple).unwrap();
            prop_assert!(chosen.len() <= shapes, "{}", method);
            prop_assert!(chosen.windows(2).all(|pair| pair[0].length < pair[1].length), "{}", method);
            prop_assert!(chosen.iter().all(|shape| shape.items > 0 && shape.length % multiple == 0), "{}", method);
            prop_assert!(shapes::padding(&chosen) >= shapes::padding(&best));
            prop_assert_eq!(&shapes::judge(&h, &lengths_of(&chosen)).unwrap(), &chosen);
            prop_assert_eq!(chosen.iter().map(|shape| shape.items).sum::<u64>(), h.items());
        }
    }

    #[test]
    fn of_equally_good_lengths_the_earliest_are_chosen(
        h in prop_oneof![histograms(60, 40, 4), histograms(3_000_000, 40, u64::MAX >> 28)], shapes in 1..12usize
    ) {
        let best = shapes::choose(&h, shapes, ShapeMethod::Best, 1).unwrap();
        prop_assert_eq!(lengths_of(&best), tried(&h.lengths(), shapes));
    }

    #[test]
    fn all_numbers_at_once_are_each_alone(h in histograms(60, 20, 40), multiple in 1..4u32) {
        for method in ShapeMethod::ALL {
            let each = shapes::choose_each(&h, 7, method, multiple).unwrap();
            let alone = (1..8).map(|shapes| shapes::choose(&h, shapes, method, multiple).unwrap());
            prop_assert_eq!(each, alone.collect::<Vec<_>>(), "{}", method);
        }
    }

    #[test]
    fn tokens_are_shared_as_lhotse_shares_them(h in histograms(60, 20, 40), shapes in 2..9usize) {
        let chosen = shapes::choose(&h, shapes, ShapeMethod::EqualTotal, 1).unwrap();
        prop_assert_eq!(lengths_of(&chosen), buckets(&h, shapes));
    }

    #[test]
    fn more_shapes_never_waste_more(h in histograms(3_000_000, 200, 1_000_000_000), shapes in 1..40usize) {
        let of = |shapes| shapes::padding(&shapes::choose(&h, shapes, ShapeMethod::Best, 1).unwrap());
        prop_assert!(of(shapes + 1) <= of(shapes));
    }

    #[test]
    fn no_text_breaks_the_reader_of_lists(text in "[-0-9a-z_=:,.\\[\\] \n\"]{0,60}") {
        if let Ok(lengths) = shapes::parse(&text) {
            prop_assert!(!lengths.is_empty() && lengths[0] > 0 && lengths.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }
}

#[test]
fn sums_beyond_64_bits_are_exact() {
    let many = u64::MAX / 8_000_000_000;
    let h = Histogram::from_lengths([(1, many), (2_000_000_000, many), (u32::MAX, 3)]).unwrap();
    let best = shapes::choose(&h, 2, ShapeMethod::Best, 1).unwrap();
    // All slots exceed 64 bits, the padding does not.
    assert_eq!(lengths_of(&best), [2_000_000_000, u32::MAX]);
    assert_eq!(shapes::padding(&best), u128::from(many) * 1_999_999_999);
    // No multiple of 1,000 above fits 32 bits: that length stays.
    let round = shapes::choose(&h, 2, ShapeMethod::Best, 1000).unwrap();
    assert_eq!(lengths_of(&round), [2_000_000_000, u32::MAX]);
}

#[test]
fn every_method_takes_every_number_of_shapes() {
    // Few lengths, long and short, more shapes than any of them has bits.
    for lengths in [
        vec![(1, 1)],
        vec![(5, 3), (8192, 2)],
        vec![(1, 1), (300, 9), (u32::MAX, 1)],
    ] {
        let h = Histogram::from_lengths(lengths).unwrap();
        for method in ShapeMethod::ALL {
            for shapes in 1..=shapes::MOST {
                let chosen = shapes::choose(&h, shapes, method, 1).unwrap();
                assert!(chosen.len() <= shapes, "{method} {shapes}");
                assert_eq!(
                    chosen.iter().map(|shape| shape.items).sum::<u64>(),
                    h.items(),
                    "{method} {shapes}"
                );
            }
        }
    }
}

/// Sums that floating point cannot hold grow by every sequence: with rounding, they stayed as they were for ever.
#[test]
fn equal_shares_of_very_many_tokens_are_exact() {
    let of = |lengths: [(u32, u64); 2], shapes| {
        let h = Histogram::from_lengths(lengths).unwrap();
        lengths_of(&shapes::choose(&h, shapes, ShapeMethod::EqualTotal, 1).unwrap())
    };
    for count in [100_000_000_000_000_000, u64::MAX / 4] {
        assert_eq!(of([(1, count), (2, count)], 4), [1, 2], "{count}");
        assert_eq!(of([(1, count), (2, count)], 256), [1, 2], "{count}");
    }
    // Half of the tokens are reached one sequence before the shorter ones end, or with the last of them.
    let many = 1 << 60;
    assert_eq!(of([(1, many + 3), (2, many / 2)], 2), [1, 2]);
    assert_eq!(of([(1, many + 2), (2, many / 2)], 2), [2]);
}

/// Shares of padding at 16 shapes of real sets: powers of two, equal tokens, the best.
#[test]
fn the_best_lengths_of_real_sets_waste_a_fraction_of_powers_of_two() {
    for (name, wanted) in [
        ("gsm8k_train", [0.29, 0.062, 0.045]),
        ("alpaca_5000", [0.30, 0.10, 0.064]),
        ("azure_llm_trace_conv", [0.35, 0.18, 0.060]),
    ] {
        let h = built_in(name);
        let share = |method| shapes::padding_share(&shapes::choose(&h, 16, method, 1).unwrap());
        let found = [
            ShapeMethod::PowersOfTwo,
            ShapeMethod::EqualTotal,
            ShapeMethod::Best,
        ]
        .map(share);
        assert!(
            found
                .iter()
                .zip(wanted)
                .all(|(found, wanted)| (found / wanted - 1.0).abs() < 0.05),
            "{name}: {found:?}"
        );
    }
}

#[test]
fn lists_that_hold_not_all_sequences_are_refused() {
    let h = Histogram::from_lengths([(5, 1), (9, 2)]).unwrap();
    assert!(matches!(
        shapes::judge(&h, &[5]),
        Err(Error::Overlong {
            items: 2,
            largest: 9,
            limit: 5,
            ..
        })
    ));
    for wrong in [&[][..], &[0, 9], &[9, 9], &[9, 5]] {
        assert!(
            matches!(shapes::judge(&h, wrong), Err(Error::Setting { .. })),
            "{wrong:?}"
        );
    }
    assert!(
        [0, 257]
            .iter()
            .all(|shapes| shapes::choose(&h, *shapes, ShapeMethod::Best, 1).is_err())
    );
    assert_eq!(
        shapes::judge(&h, &[9]),
        Ok(vec![Shape {
            length: 9,
            items: 3,
            tokens: 23
        }])
    );
}

#[test]
fn lists_are_read_as_they_are_pasted() {
    let lengths = [128, 256, 512];
    for text in [
        "128,256,512",
        "512 128\t256\n128",
        "bucket_duration_bins=[128,256,512]",
        "++model.train_ds.bucket_duration_bins=[128, 256, 512] ++model.train_ds.num_buckets=3",
        "bucket_duration_bins: [128.0, 256.0, 512.0]",
        "num_buckets: 30\nbucket_duration_bins:\n  - 128\n  - 256\n  - 512\nshuffle: true",
        "{\"bins\": [128, 256, 512], \"seed\": 7}",
        "duration_bins: 128 256 512",
        "[128;256;512",
    ] {
        assert_eq!(shapes::parse(text).unwrap(), lengths, "{text}");
    }
    for text in [
        "",
        " ",
        "[]",
        "128,x",
        "0,5",
        "[[128, 4], [256, 8]]",
        "12.5",
        "-1",
        "5000000000",
    ] {
        assert!(
            matches!(shapes::parse(text), Err(Error::Setting { .. })),
            "{text}"
        );
    }
}

#[test]
fn a_list_gets_the_longest_sequence_where_none_holds_it() {
    let h = Histogram::from_lengths([(5, 1), (9, 2), (30, 1)]).unwrap();
    let given = GivenShapes::new(&h, &[8, 9]).unwrap();
    assert_eq!(
        (lengths_of(&given.shapes), given.added),
        (vec![8, 9, 30], 1)
    );
    let given = GivenShapes::new(&h, &[8, 64]).unwrap();
    assert_eq!((lengths_of(&given.shapes), given.added), (vec![8, 64], 0));
    assert_eq!(batch(&given.shapes[1], 200), 3);
    assert_eq!(batch(&given.shapes[1], 10), 1);
}

/// The state with these data in view.
fn shown() -> AppState {
    let preset = Preset::find("gsm8k_train").unwrap();
    let data = Action::Loaded(
        Source::Preset(preset),
        Rc::new(built_in(preset.id)),
        Some(preset.limit()),
    );
    let state = AppState::default()
        .reduce(Action::View(View::Batches))
        .reduce(data);
    assert!(
        state.shapes_wanted().is_empty() && !state.are_shapes_asked(),
        "nobody looks"
    );
    looked_at(&state)
}

/// The state after the page has asked what it needs.
fn looked_at(state: &AppState) -> AppState {
    state.reduce(Action::Batches(Batches::AskShapes(Rc::new(
        state.shapes_queries(),
    ))))
}

/// The state after a worker has answered.
fn told(state: &AppState) -> AppState {
    let lengths = &state.sequences.data.as_ref().unwrap().histogram;
    let known = state.shapes_wanted().into_iter().map(|query| {
        let outcome = match &query {
            Query::Shapes(asked) => asked
                .answer(lengths)
                .map(|methods| Answer::Shapes(Rc::new(methods))),
            Query::GivenShapes(asked) => asked
                .answer(lengths)
                .map(|given| Answer::GivenShapes(Rc::new(given))),
            query => panic!("{query:?}"),
        };
        let outcome = outcome.map_err(|error| error.to_string());
        let ticket = Ticket {
            data: state.sequences.version(),
            number: 1,
        };
        CachedAnswer {
            ticket,
            query,
            answered: TimedAnswer {
                outcome,
                seconds: 0.0,
            },
        }
    });
    state.reduce(Action::Answered(known.collect()))
}

fn set(state: &AppState, settings: Settings) -> AppState {
    looked_at(&state.reduce(Action::Batches(Batches::Shapes(words::pairs(&settings)))))
}

fn opened(state: &AppState) -> Rc<Methods> {
    let (methods, current) = state.found_shapes().unwrap();
    assert!(current);
    Rc::clone(methods.unwrap())
}

#[test]
fn the_slider_moves_without_another_question() {
    let state = shown();
    assert_eq!(state.shapes_wanted().len(), 1);
    let state = told(&state);
    assert!(state.shapes_wanted().is_empty());
    let methods = opened(&state);
    let moved = set(
        &state,
        Settings {
            shapes: 40,
            ..Settings::default()
        },
    );
    assert!(moved.shapes_wanted().is_empty() && moved.found_shapes().unwrap().1);
    let alone = shapes::choose(&built_in("gsm8k_train"), 40, ShapeMethod::Best, 1).unwrap();
    assert_eq!(words::chosen(&methods, None, &moved.shapes()), alone);
    assert_eq!(
        words::title(&methods, None, &state.shapes()),
        "16 shapes: 4.5 % is padding; powers of two leave 30.3 %"
    );
    // Other settings need another answer; meanwhile the last one is shown as what it is.
    for other in [
        Settings {
            shapes: 100,
            ..Settings::default()
        },
        Settings {
            multiple: 8,
            ..Settings::default()
        },
    ] {
        let other = set(&state, other);
        assert!(other.shapes_wanted().len() == 1 && !other.found_shapes().unwrap().1);
    }
    let limit = looked_at(&state.reduce(Action::Limit(100)));
    let cut = told(&limit);
    assert!(
        opened(&cut)
            .iter()
            .flatten()
            .all(|shapes| shapes.last().unwrap().length <= 128)
    );
    let other = state.reduce(Action::View(View::Sequences));
    assert!(other.shapes_wanted().is_empty());
}

#[test]
fn a_pasted_list_is_judged_beside_the_others() {
    let settings = Settings {
        given: vec![64, 128],
        method: None,
        ..Settings::default()
    };
    let state = told(&set(&shown(), settings));
    let Some(Ok(given)) = state.given_shapes() else {
        panic!("nothing is given")
    };
    let longest = built_in("gsm8k_train").max()[0];
    assert_eq!(lengths_of(&given.shapes), [64, 128, longest]);
    let methods = opened(&state);
    let title = words::title(&methods, Some(given), &state.shapes());
    assert!(
        title.starts_with("Your 3 lengths: ") && title.contains("with the best 3 lengths, "),
        "{title}"
    );
    assert_eq!(
        words::chosen(&methods, Some(given), &state.shapes()),
        given.shapes
    );
    // Until it is answered, the best are shown.
    assert_eq!(
        words::chosen(&methods, None, &state.shapes()),
        words::of_method(&methods, ShapeMethod::Best, 16)
    );
}

#[test]
fn shapes_travel_in_addresses_and_back() {
    let address = "view=batches&data=gsm8k_train&shapes=8&shapes-by=given&shapes-multiple=16&\
                   shapes-given=64,128&shapes-tokens=65536";
    let state = AppState::default().reduce(Action::Navigate(address.to_owned()));
    let wanted = Settings {
        shapes: 8,
        method: None,
        multiple: 16,
        given: vec![64, 128],
        tokens: Some(65_536),
    };
    assert_eq!(state.shapes(), wanted);
    let hash = state.hash();
    let again = AppState::default().reduce(Action::Navigate(hash.clone()));
    assert_eq!((again.shapes(), again.hash()), (wanted.clone(), hash));
    assert_eq!(again.shape_slots(), 65_536);
    // On another view they are kept under the name of theirs.
    let elsewhere = state.reduce(Action::View(View::Sequences));
    assert!(
        elsewhere.hash().contains("&batches.shapes=8&"),
        "{}",
        elsewhere.hash()
    );
    let there = AppState::default().reduce(Action::Navigate(elsewhere.hash()));
    assert_eq!(there.shapes(), wanted);
    let back = looked_at(&state).reduce(Action::Restore("view=batches".to_owned()));
    assert_eq!(back.shapes(), Settings::default());
    assert!(back.are_shapes_asked(), "they are still in view");
    // The defaults are left out, and what is not possible is the default.
    assert!(words::pairs(&Settings::default()).is_empty());
    let wrong = "view=batches&shapes=999&shapes-given=x&shapes-by=me&shapes-tokens=-1&shapesx=1";
    let wrong = AppState::default().reduce(Action::Navigate(wrong.to_owned()));
    assert_eq!(wrong.shapes(), Settings::default());
}

#[test]
fn very_many_sizes_are_asked_about_as_far_as_they_are_shown() {
    let h = Histogram::from_lengths((1..=20_000).map(|length| (length, 1))).unwrap();
    let source = Source::Preset(Preset::find("gsm8k_train").unwrap());
    let state = looked_at(&shown().reduce(Action::Loaded(source, Rc::new(h), Some(20_000))));
    let asked = |state: &AppState| match &state.shapes_wanted()[..] {
        [
            Query::Shapes(ShapesQuery {
                most,
                multiple: 1,
                overlong: Overlong::Truncate,
                ..
            }),
        ] => *most,
        other => panic!("{other:?}"),
    };
    assert_eq!(asked(&state), 16);
    assert_eq!(
        asked(&set(
            &state,
            Settings {
                shapes: 40,
                ..Settings::default()
            }
        )),
        64
    );
}

#[test]
fn shapes_are_written_for_libraries() {
    let shapes = shapes::choose(&built_in("gsm8k_train"), 3, ShapeMethod::Best, 1).unwrap();
    let lengths = lengths_of(&shapes);
    let batches: Vec<u64> = shapes.iter().map(|shape| batch(shape, 65_536)).collect();
    let written = |of| lines(of, "GSM8K\n evil", &shapes, &batches).text;
    assert_eq!(shapes::parse(&written(For::List)).unwrap(), lengths);
    assert_eq!(shapes::parse(&written(For::Nemo)).unwrap(), lengths);
    for of in [For::Xla, For::Lhotse] {
        let text = written(of);
        assert!(text.starts_with("# GSM8K  evil: 3 shapes, "), "{text}");
        assert!(
            text.contains(&format!("SHAPES = {lengths:?}\nBATCH = {batches:?}  #")),
            "{text}"
        );
    }
    let last = format!("({}, {}, 0)\n", batches[2], lengths[2]);
    assert!(written(For::VllmGaudi).ends_with(&last));
}

#[test]
fn settings_in_an_address_that_are_no_values_are_named() {
    let at = |address: &str| AppState::default().reduce(Action::Navigate(address.to_owned()));
    let state = at("view=batches&shapes=0&shapes-multiple=128&shapes-by=magic&shapes-given=9,x");
    let said = state.refused_shapes().unwrap();
    for part in [
        "shapes=0, which is no value for “Shapes”: expected a whole number from 1 to 256",
        "shapes-by=magic, which is no value for “Shapes by”: expected ",
        "shapes-given=9,x, which is no value for “Given lengths”: expected lengths such as 128,256,512",
        "The usual values stand.",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(
        (state.shapes().shapes, state.shapes().multiple),
        (Settings::default().shapes, 128)
    );
    assert_eq!(at("view=batches&shapes=3").refused_shapes(), None);
}
