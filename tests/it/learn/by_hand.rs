//! Pack by hand.

use super::{Reader, figure, flat, texts};
use packscope_page::learn::prose::{ProsePiece, pieces};
use packscope_page::learn::{ChapterPart, ChapterView, Packs};

/// Places in the order 7, 12, 3, 14, 5, 8, 13, 3, 10, 7, 12, 5 that fill 14+3+3, 13+7, 12+8, 12+7, 10+5+5.
const OPTIMUM: [u32; 12] = [2, 3, 1, 1, 5, 3, 2, 1, 5, 4, 4, 5];

fn packs(shown: &ChapterView) -> Packs {
    let packs = flat(&shown.parts).into_iter().find_map(|p| match p {
        ChapterPart::Packs(packs) => Some(packs.clone()),
        _ => None,
    });
    packs.unwrap()
}

/// Every figure of that name in the table, from above.
fn column(shown: &ChapterView, name: &str) -> Vec<f64> {
    let texts = texts(shown);
    let figures = texts
        .iter()
        .flat_map(|text| pieces(text))
        .filter_map(|piece| match piece {
            ProsePiece::Figure { name: n, value, .. } if n == name => value.parse().ok(),
            _ => None,
        });
    figures.collect()
}

#[test]
fn each_does_better_than_the_one_before() {
    // Nothing of the others before an attempt or a prediction.
    assert!(column(&Reader::opens("by-hand").sees(), "packs").is_empty());
    let reader = Reader::opens("by-hand&hide=predictions");
    let shown = reader.sees();
    // 99 tokens: more than four rows of 20 hold.
    assert_eq!(column(&shown, "packs"), [7.0, 6.0, 5.0]);
    assert_eq!(column(&shown, "padding_tokens"), [41.0, 21.0, 1.0]);
    assert!(texts(&shown).iter().any(|t| t == "optimum, proven"));
    assert!(
        !flat(&shown.parts)
            .iter()
            .any(|p| matches!(p, ChapterPart::Words(_)))
    );
}

#[test]
fn the_optimum_is_reached_by_hand() {
    let mut reader = Reader::opens("by-hand");
    // One after the other, as they come: next fit.
    let mut packed = packs(&reader.sees());
    for item in 0..12 {
        let to = (1..=7)
            .find(|pack| packed.put(item, *pack).is_ok())
            .unwrap();
        let places = packed.put(item, to).unwrap();
        reader.moves("packs", &places);
        packed = packs(&reader.sees());
        assert_eq!(packed.places, places);
    }
    let first = reader.sees();
    assert!(
        packed.is_complete() && !first.is_done(),
        "{:?}",
        packed.places
    );
    assert!(first.finding.ends_with("one can do better"));
    reader.moves("packs", &OPTIMUM);
    let shown = reader.sees();
    assert!(shown.is_done());
    assert_eq!(shown.finding, "Five packs, and no plan needs fewer");
    assert_eq!(column(&shown, "packs"), [5.0, 7.0, 6.0, 5.0]);
    assert_eq!(figure(&shown, "padding_tokens"), Some(1.0));
    // What is not placed does not count as saved.
    let mut fewer = OPTIMUM;
    fewer[4] = 0;
    reader.moves("packs", &fewer);
    assert!(!reader.sees().is_done());
}

#[test]
fn packs_of_others_are_looked_at() {
    let mut reader = Reader::opens("by-hand");
    reader.moves("packs", &OPTIMUM);
    for (whose, n) in [(1, 7), (2, 6), (3, 5)] {
        reader.moves("whose", &[whose]);
        let packs = packs(&reader.sees());
        assert!(packs.knob.is_none() && packs.is_complete());
        assert_eq!((packs.packs, packs.filled()), (n, n as usize));
        assert!((1..=n).all(|pack| (1..=20).contains(&packs.used(pack, 0))));
        if whose == 2 {
            // What is told when the exercise is done: a 5 beside the 14, and a 3 alone.
            let inside = |pack| {
                packs
                    .inside(pack)
                    .map(|(_, item)| item.size[0])
                    .collect::<Vec<_>>()
            };
            let all: Vec<_> = (1..=n).map(inside).collect();
            assert!(
                all.contains(&vec![14, 5]) && all.contains(&vec![3]),
                "{all:?}"
            );
        }
    }
}

#[test]
fn what_an_address_packs_too_full_is_in_no_pack() {
    let reader = Reader::opens("by-hand&scene.packs=1.1.1.1.1.1.1.1.1.1.1.1");
    let packs = packs(&reader.sees());
    assert_eq!(packs.used(1, 0), 19);
    assert_eq!(packs.places.iter().filter(|p| **p == 0).count(), 10);
}
