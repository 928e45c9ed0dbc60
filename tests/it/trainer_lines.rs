//! Lines to paste of training libraries: at every value of their settings.

use crate::common::built_in;
use crate::trainer::one;

/// What `swift sft` raises on is refused, and never advised; `swift pt` takes it.
#[test]
fn what_a_command_raises_on_is_refused() {
    let chat = built_in("sharegpt_8k_llama2");
    let split = ("truncation_strategy", "split");
    let advice = one(&chat, 4096, "ms-swift", &[]).advice.unwrap();
    assert_eq!(
        (advice.setting.as_deref(), advice.value.as_deref()),
        (Some("truncation_strategy"), Some("right"))
    );
    assert!(!advice.tried.iter().any(|tried| tried.value == "split"), "{advice:?}");
    let refused = one(&chat, 4096, "ms-swift", &[split]);
    let why = refused.about.refused.unwrap();
    assert!(why.contains("only `swift pt` splits") && refused.figures.is_none(), "{why}");
    assert_eq!(refused.advice.unwrap().value.as_deref(), Some("right"));
    let pretraining = one(&chat, 4096, "ms-swift", &[("command", "pt"), split]);
    assert!(pretraining.figures.unwrap().truncated_share == 0.0);
    assert!(pretraining.about.lines.starts_with("swift pt \\\n"), "{}", pretraining.about.lines);
}
