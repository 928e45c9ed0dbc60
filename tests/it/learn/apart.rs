//! Keeping packed sequences apart.

use super::{Reader, figure, texts};

/// Pairs of one sequence, and pairs across, told by hand: Σ l² and (Σ l)² − Σ l²; with l (l + 1) / 2 for l² if tokens
/// look backwards only.
fn by_hand(lengths: &[u64], causal: bool) -> [u64; 2] {
    let square = |l: u64| if causal { l * (l + 1) / 2 } else { l * l };
    let own = lengths.iter().map(|l| square(*l)).sum();
    [own, square(lengths.iter().sum()) - own]
}

#[test]
fn pairs_are_those_of_the_blocks_and_the_rest() {
    let mut reader = Reader::opens("apart");
    let shown = reader.sees();
    // Tokens look backwards at first, as in the language models that most readers train.
    assert_eq!(by_hand(&[7, 4, 2, 1], true), [42, 63]);
    assert_eq!(
        (figure(&shown, "own_pairs"), figure(&shown, "masked_pairs")),
        (Some(42.0), Some(63.0))
    );
    reader.moves("sight", &[0]);
    let shown = reader.sees();
    assert_eq!(by_hand(&[7, 4, 2, 1], false), [70, 126]);
    assert_eq!(
        (figure(&shown, "own_pairs"), figure(&shown, "masked_pairs")),
        (Some(70.0), Some(126.0))
    );
    assert_eq!(
        shown.finding,
        "Four sequences share a row, and none of them knows"
    );
    reader.moves("mask", &[1]);
    for causal in [false, true] {
        reader.moves("sight", &[u32::from(causal)]);
        let (shown, [own, others]) = (reader.sees(), by_hand(&[7, 4, 2, 1], causal));
        assert_eq!(figure(&shown, "own_pairs"), Some(own as f64));
        assert_eq!(figure(&shown, "contamination"), Some(others as f64));
        assert_eq!(
            figure(&shown, "contamination_share"),
            Some(others as f64 / (own + others) as f64)
        );
    }
    // A sequence without room is not in the pack.
    reader.moves("lengths", &[7, 4, 6, 1]);
    let [own, _] = by_hand(&[7, 4, 1], true);
    assert_eq!(figure(&reader.sees(), "own_pairs"), Some(own as f64));
}

#[test]
fn titles_say_what_is_wrong() {
    let mut reader = Reader::opens("apart&scene.loss=1");
    // One token of 14 in one of two packs.
    assert_eq!(
        reader.sees().finding,
        "One sequence counts for 3.6 % of the loss instead of 20.0 %"
    );
    reader.moves("positions", &[1]);
    // All but the first sequence.
    assert_eq!(
        reader.sees().finding,
        "7 of 14 tokens have a different position than they would alone"
    );
    reader.moves("mask", &[1]);
    assert_eq!(
        reader.sees().finding,
        "60.0 % of what tokens attend to is another sequence"
    );
    reader.moves("lengths", &[16, 1, 1, 1]);
    assert!(reader.sees().finding.starts_with("A sequence alone"));
}

#[test]
fn losses_are_means_over_sequences_or_over_packs() {
    let shown = Reader::opens("apart").sees();
    let sequences = (0.4 + 0.9 + 1.6 + 2.4 + 0.3) / 5.0;
    let packs = ((7.0 * 0.4 + 4.0 * 0.9 + 2.0 * 1.6 + 2.4) / 14.0 + 0.3) / 2.0;
    assert!((figure(&shown, "loss_by_sequence").unwrap() - sequences).abs() < 1e-12);
    assert!((figure(&shown, "loss_by_pack").unwrap() - packs).abs() < 1e-12);
}

/// What keeps sequences apart depends on the model: absolute positions, relative ones, and losses by token.
#[test]
fn needs_of_models_other_than_bert_are_told() {
    let mut reader = Reader::opens("apart");
    let all = |reader: &Reader| texts(&reader.sees()).join("\n");
    let said = all(&reader);
    for words in [
        "absolute position",
        "rotary",
        "cu_seqlens",
        "boundaries",
        "mean over all tokens",
    ] {
        assert!(said.contains(words), "nothing of {words}");
    }
    for words in [
        "Mask and position ids both count",
        "the wrong position",
        "Three things see to that",
    ] {
        assert!(!said.contains(words), "{words}");
    }
    // Nobody is drawn to another optimum where both averages are the same.
    reader.moves("lengths", &[16, 16, 16, 16]);
    let shown = reader.sees();
    let [each, pack] =
        ["loss_by_sequence", "loss_by_pack"].map(|name| figure(&shown, name).unwrap());
    assert!((each - pack).abs() < 1e-12 && !all(&reader).contains("another optimum"));
}

#[test]
fn the_least_mixed_pack_has_one_long_sequence() {
    // Of all full packs of four, by trying them.
    let mut all = Vec::new();
    for a in 1..=13 {
        for b in 1..=14 - a {
            for c in 1..=15 - a - b {
                all.push([a, b, c, 16 - a - b - c]);
            }
        }
    }
    let mixed = |lengths: &[u64; 4]| by_hand(lengths, false)[1];
    assert_eq!(all.iter().map(mixed).min(), Some(84));
    let mut reader = Reader::opens("apart");
    reader.moves("mask", &[1]);
    for lengths in &all {
        reader.moves("lengths", &lengths.map(|l| l as u32));
        assert_eq!(reader.sees().is_done(), mixed(lengths) == 84, "{lengths:?}");
    }
    reader.moves("sight", &[0]);
    reader.moves("lengths", &[13, 1, 1, 1]);
    assert!(reader.sees().is_done() && reader.sees().found.contains("84 of 256 pairs"));
    reader.moves("mask", &[0]);
    assert!(!reader.sees().is_done());
}
