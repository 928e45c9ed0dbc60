//! Advice on training libraries: at every value of their settings.

use crate::common::built_in;
use crate::trainer::{one, request, variants};
use packscope::api::Query;
use packscope::api::trainer::{Answer, Question, Report, Request};
use packscope::histogram::Histogram;
use packscope::packing::go_on;
use packscope::trainer::{LIBRARIES, Library, Order, Tally};
use packscope::words::percent;

/// Every answer that advice is asked for, over built-in sets: library, settings, answer.
fn advised(mut each: impl FnMut(&str, &Answer)) {
    for (name, limit) in [("sharegpt_8k_llama2", 4096), ("alpaca_5000", 512), ("gsm8k_train", 512)] {
        let data = built_in(name);
        for library in LIBRARIES.iter().filter(|library| library.id != "verl") {
            for chosen in variants(library, limit) {
                let question =
                    Question::One { library: library.id.to_owned(), settings: chosen.fields(), packs: false };
                let request = Request { seeds: 1, ..request(&data, limit, question) };
                let Report::One(answer) = request.run(&mut go_on).unwrap() else { panic!() };
                each(&format!("{name}: {} {:?}", library.id, chosen.fields()), &answer);
            }
        }
    }
}

/// Room in rows that are not padded is not computed: no change is worth it, and none is without a gain.
#[test]
fn advice_saves_what_is_computed_and_always_gains() {
    advised(|about, answer| {
        let (Some(advice), Some(now)) = (&answer.advice, answer.runs.first()) else { return };
        let sentence = &advice.sentence;
        assert!(!sentence.contains(": .") && !sentence.contains("  "), "{about}: {sentence}");
        let Some(setting) = &advice.setting else {
            assert!(sentence.ends_with("No change of one setting helps noticeably."), "{about}: {sentence}");
            return;
        };
        let mut other = Library::named(&answer.about.library)
            .unwrap()
            .with(answer.limit, &answer.about.settings)
            .unwrap();
        other.set(setting, advice.value.as_ref().unwrap()).unwrap();
        let data = built_in(about.split(':').next().unwrap());
        let recipe = other.recipe().unwrap();
        let then = recipe.run(&data, Order::Seed(0), &mut go_on).unwrap();
        let computed = |padded: bool, tally: &Tally| {
            if padded { tally.slots as f64 / tally.real_tokens as f64 } else { 1.0 }
        };
        let (before, after) = (computed(answer.padded, &now.tally), computed(recipe.padded, &then));
        let lost = |tally: &Tally| tally.lost_tokens() as f64 / tally.tokens() as f64;
        let regained = lost(&now.tally) - lost(&then);
        let fuller = now.tally.most == 1 && then.rows as f64 <= 0.9 * now.tally.rows as f64;
        assert!(regained >= 0.0005 || after <= 0.995 * before || fuller, "{about}: {sentence}");
        // What is said to be saved is saved.
        assert!((advice.saved_share - (1.0 - after / before)).abs() < 1e-9, "{about}: {advice:?}");
    });
}

#[test]
fn advice_on_rows_that_are_not_padded() {
    let chat = built_in("sharegpt_8k_llama2");
    let sentence = |library: &str, settings: &[(&str, &str)]| {
        let advice = one(&chat, 4096, library, settings).advice.unwrap();
        (advice.setting.unwrap_or_default(), advice.value.unwrap_or_default(), advice.sentence)
    };
    // Tokens come back; nothing is cut that need not be.
    let (setting, value, words) = sentence("trl", &[]);
    assert_eq!((setting.as_str(), value.as_str()), ("packing_strategy", "bfd_split"), "{words}");
    assert!(!words.contains("slots"), "{words}");
    // Nothing is lost, and nothing is computed in vain.
    let data = built_in("gsm8k_train");
    let advice = one(&data, 512, "trl", &[]).advice.unwrap();
    assert_eq!(
        (advice.setting, advice.sentence.as_str()),
        (
            None,
            "0.19 % more rows than the best plan, but their room is not computed. No change of one setting helps noticeably."
        )
    );
    let advice = one(&data, 512, "hf-flattening", &[]).advice.unwrap();
    assert_eq!(
        (advice.setting, advice.sentence.as_str()),
        (
            None,
            "Nothing is padded, and nothing is packed: each row is one sequence. No change of one setting helps noticeably."
        )
    );
    // Unpacked, packing is named: for fewer, fuller rows where nothing is padded, for fewer slots where it is.
    let alone = one(&data, 512, "unsloth", &[]);
    let advice = alone.advice.clone().unwrap();
    assert_eq!((advice.setting.as_deref(), advice.value.as_deref()), (Some("packing"), Some("true")));
    let packed = one(&data, 512, "unsloth", &[("packing", "true")]);
    let [packed, alone] = [packed, alone].map(|answer| answer.runs[0].tally.rows as f64);
    let fewer = percent(1.0 - packed / alone);
    assert_eq!(
        advice.sentence,
        format!(
            "Nothing is padded, and nothing is packed: each row is one sequence. Set `packing: true`: {fewer} fewer rows, \
             each nearly full: steps are fewer, and even."
        )
    );
    assert_eq!(advice.saved_share, 0.0);
    for (library, settings) in
        [("unsloth", &[("padding_free", "false")][..]), ("trl", &[("packing", "false")])]
    {
        let advice = one(&data, 512, library, settings).advice.unwrap();
        assert_eq!(
            (advice.setting.as_deref(), advice.value.as_deref()),
            (Some("packing"), Some("true")),
            "{advice:?}"
        );
        assert!(
            advice.sentence.contains(" fewer slots for each token") && advice.saved_share > 0.2,
            "{advice:?}"
        );
    }
    // Of rows that are all full, nothing is to be had.
    let full = Histogram::from_lengths([(512, 300)]).unwrap();
    let advice = one(&full, 512, "unsloth", &[]).advice.unwrap();
    assert_eq!(advice.setting, None, "{advice:?}");
}
