//! What a mix is made of.

use super::{Reader, fetched, figure};

/// Mean lengths of Alpaca, GSM8K and LIMA.
fn means() -> [f64; 3] {
    ["alpaca_5000", "gsm8k_train", "lima_train_chatml"].map(|id| {
        let set = fetched(id);
        set.total()[0] as f64 / set.items() as f64
    })
}

#[test]
fn shares_go_with_mean_lengths() {
    let mut reader = Reader::opens("mixes");
    let weights = [3u32, 5, 2];
    for (knob, weight) in ["alpaca", "gsm", "lima"].into_iter().zip(weights) {
        reader.moves(knob, &[weight]);
    }
    for by in [0, 1] {
        reader.moves("by", &[by]);
        let parts: Vec<f64> = weights
            .iter()
            .zip(means())
            .map(|(w, mean)| {
                if by == 0 {
                    f64::from(*w) * mean
                } else {
                    f64::from(*w) / mean
                }
            })
            .collect();
        let all: f64 = parts.iter().sum();
        for (at, knob) in ["alpaca", "gsm", "lima"].into_iter().enumerate() {
            let (given, made) = if by == 0 {
                ("documents", "tokens")
            } else {
                ("tokens", "documents")
            };
            let is = |kind: &str, share: f64| {
                let there = figure(&reader.sees(), &format!("{kind}_{knob}")).unwrap();
                assert!(
                    (there - share).abs() < 1e-12,
                    "{by} {kind} {knob}: {there} {share}"
                );
            };
            is(given, f64::from(weights[at]) / 10.0);
            is(made, parts[at] / all);
        }
    }
    for knob in ["alpaca", "gsm", "lima"] {
        reader.moves(knob, &[0]);
    }
    assert!(
        super::texts(&reader.sees())
            .iter()
            .any(|text| text.contains("there is no mix"))
    );
}

#[test]
fn thirds_of_the_tokens_are_other_weights_of_documents() {
    let mut reader = Reader::opens("mixes&scene.by=1");
    assert!(!reader.sees().is_done());
    assert!(reader.sees().almost().contains("weights of tokens"));
    reader.moves("by", &[0]);
    assert!(reader.sees().almost().starts_with("Not yet"));
    for (knob, weight) in [("alpaca", 6), ("gsm", 4), ("lima", 1)] {
        reader.moves(knob, &[weight]);
    }
    assert!(reader.sees().is_done(), "{:?}", reader.sees().conditions);
}
