//! How good can it get?

use super::{Reader, figure, texts};
use packscope::histogram::Histogram;
use packscope_page::learn::ChapterPart;

/// The same proof in other words: every pack that can be made, one by one.
fn proven([long, middle, short]: [u32; 3]) -> u32 {
    let mut most = 0;
    for (a, b, c) in
        (0..=1).flat_map(|a| (0..=2).flat_map(move |b| (0..=3).map(move |c| (a, b, c))))
    {
        if 18 * a + 10 * b + 8 * c <= 24 {
            most = most.max(a * long + b * middle + c * short);
        }
    }
    if most == 0 {
        0
    } else {
        (4 * (long + middle + short)).div_ceil(most)
    }
}

fn set(reader: &mut Reader, prices: [u32; 3]) {
    for (knob, price) in ["long", "middle", "short"].into_iter().zip(prices) {
        reader.moves(knob, &[price]);
    }
}

#[test]
fn water_says_six_long_ones_seven_and_prices_eight() {
    assert_eq!(figure(&Reader::opens("bounds").sees(), "packs"), None);
    let mut reader = Reader::opens("bounds&hide=predictions");
    let before = reader.sees();
    assert_eq!(
        ["packs", "token_bound", "martello_toth", "bound"].map(|f| figure(&before, f).unwrap()),
        [8.0, 6.0, 7.0, 6.0]
    );
    assert_eq!(before.finding, "Six packs at least, eight in the plan");
    assert!(before.parts.iter().any(
        |p| matches!(p, ChapterPart::Packs(packs) if packs.filled() == 8 && packs.is_complete())
    ));
    // Nothing fits beside an 18: it may cost a whole pack. Two of 10 fill one: half a pack each.
    set(&mut reader, [24, 10, 8]);
    assert!(figure(&reader.sees(), "bound") == Some(7.0) && !reader.sees().is_done());
    set(&mut reader, [24, 12, 8]);
    let after = reader.sees();
    assert!(
        after.is_done() && after.finding == "No plan has fewer than eight packs: proven",
        "{}",
        after.finding
    );
    // Too much for the shortest makes three of them the dearest pack, and all else cheap.
    set(&mut reader, [24, 12, 10]);
    assert!(!reader.sees().is_done());
}

#[test]
fn every_price_proves_what_counting_all_packs_proves() {
    let mut reader = Reader::opens("bounds");
    let mut proofs = 0;
    for prices in (0..27).map(|i| [i / 9, i / 3 % 3, i % 3].map(|p| [0, 8, 24][p as usize])) {
        set(&mut reader, prices);
        assert_eq!(
            figure(&reader.sees(), "bound"),
            Some(f64::from(proven(prices))),
            "{prices:?}"
        );
        proofs += u32::from(reader.sees().is_done());
    }
    for prices in [
        [6, 3, 2],
        [9, 4, 3],
        [24, 11, 8],
        [18, 12, 8],
        [1, 24, 24],
        [3, 1, 1],
    ] {
        set(&mut reader, prices);
        let bound = proven(prices);
        assert!(bound <= 8, "no proof goes beyond a plan that there is");
        assert_eq!(
            figure(&reader.sees(), "bound"),
            Some(f64::from(bound)),
            "{prices:?}"
        );
        assert_eq!(reader.sees().is_done(), bound == 8, "{prices:?}");
        proofs += u32::from(bound == 8);
    }
    assert!(proofs >= 3);
}

/// Prices of zero divide by zero: nothing is said to be proven by them, and no fraction is written.
#[test]
fn prices_of_zero_prove_nothing() {
    let mut reader = Reader::opens("bounds");
    set(&mut reader, [0, 0, 0]);
    let shown = reader.sees();
    assert_eq!(shown.finding, "Without a price nothing is proven");
    let all = texts(&shown);
    assert!(
        all.iter()
            .any(|text| text == "Prices of zero prove nothing")
    );
    assert!(
        all.iter()
            .all(|text| !text.contains("/\u{a0}0") && !text.contains("at least 0")),
        "{all:?}"
    );
}

/// LPFHP on Wikipedia at depth 3 needs 9,090,154 packs, as the published code has it; 16,279,552 sequences.
#[test]
fn wikipedia_is_judged_by_the_engine() {
    let mut reader = Reader::opens("bounds");
    assert_eq!(figure(&reader.sees(), "wikipedia_packs"), Some(9_090_154.0));
    let wikipedia =
        Histogram::from_lengths(packscope_page::learn::data::lengths("wikipedia_bert_512"))
            .unwrap();
    let tokens = wikipedia.total()[0].div_ceil(512);
    let bound = figure(&reader.sees(), "lower_bound").unwrap();
    assert!(bound >= tokens as f64 && bound <= 8_143_829.0);
    reader.moves("depth", &[1]);
    assert_eq!(figure(&reader.sees(), "lower_bound"), Some(16_279_552.0));
    assert_eq!(figure(&reader.sees(), "gap"), Some(0.0));
}
