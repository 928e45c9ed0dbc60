//! The panel that counts tokens: choices become questions.

use packscope::ingest::Format;
use packscope::tokens::{FilePreview, Preview, Template, TextField, TokenizerDescription};
use packscope_page::state::tokens::{Action, LoadedTokenizer, Panel, Progress, Stage, TokensState};

fn after(actions: impl IntoIterator<Item = Action>) -> TokensState {
    actions
        .into_iter()
        .fold(TokensState::default(), |state, action| state.reduce(action))
}

fn kept(version: u64) -> LoadedTokenizer {
    let about = TokenizerDescription {
        model: "BPE".to_owned(),
        vocabulary: 50_257,
        added: 0,
        added_to_pair: 0,
        switched_off: Vec::new(),
    };
    LoadedTokenizer {
        version,
        name: "tokenizer.json".to_owned(),
        about,
    }
}

fn looked() -> Action {
    let field = |name: &str| TextField {
        name: name.to_owned(),
        example: String::new(),
    };
    Action::Looked(Box::new(FilePreview {
        format: Format::JsonLines,
        delimiter: None,
        header: None,
        fields: ["q", "a", "c"].map(field).to_vec(),
        template: Template::fields(&["q", "a", "c"]),
        preview: Ok(Preview {
            tokens: 3,
            pieces: Vec::new(),
        }),
    }))
}

fn panel(actions: impl IntoIterator<Item = Action>) -> Panel {
    let opened = [Action::Opened(1, "x.jsonl".to_owned()), looked()];
    after(opened.into_iter().chain(actions)).panel.unwrap()
}

#[test]
fn a_tokenizer_that_is_none_leaves_the_one_before() {
    let brought = |name: &str| Action::Brought(name.to_owned());
    let first = [brought("a"), Action::Known(Some(kept(1)))];
    let state = after(first.clone());
    assert_eq!(
        (state.tokenizer.as_ref(), state.reading.as_ref()),
        (Some(&kept(1)), None)
    );
    let state = after(first.into_iter().chain([brought("b"), Action::Known(None)]));
    assert_eq!((state.tokenizer, state.reading), (Some(kept(1)), None));
    assert_eq!(
        after([brought("a"), Action::Known(Some(kept(1))), Action::Removed]),
        TokensState::default()
    );
}

#[test]
fn fields_and_template_are_the_same_thing() {
    assert_eq!(panel([]).text, "{q}\\n{a}\\n{c}");
    let without = panel([Action::Field("a".to_owned(), false)]);
    assert_eq!(
        (without.text.as_str(), without.has("a"), without.has("c")),
        ("{q}\\n{c}", false, true)
    );
    let back = panel([
        Action::Field("q".to_owned(), false),
        Action::Field("q".to_owned(), true),
    ]);
    assert_eq!(back.text, "{q}\\n{a}\\n{c}");
    let typed = panel([
        Action::Text("Q: {q}".to_owned()),
        Action::Pair("{c}".to_owned()),
    ]);
    assert_eq!(
        (typed.has("q"), typed.has("a"), typed.has("c")),
        (true, false, true)
    );
    let options = typed.options().unwrap();
    assert_eq!(options.template.unwrap().words(), ["Q: {q}", "{c}"]);
    assert!(
        (options.special, options.sample, options.format) == (true, None, Some(Format::JsonLines))
    );
    // What is typed stays when the file was looked at again.
    assert_eq!(
        panel([Action::Text("{a}".to_owned()), looked()]).text,
        "{a}"
    );
    let wrong = panel([Action::Text("{a".to_owned())]);
    assert!(wrong.options().is_err() && wrong.problem().unwrap().contains("never closed"));
}

#[test]
fn switches_become_options() {
    let panel = panel([
        Action::Special(false),
        Action::Sampled(true),
        Action::Sample(0),
    ]);
    let options = panel.options().unwrap();
    assert_eq!((options.special, options.sample), (false, Some(1)));
    // Other names of columns are another template, so the file is looked at anew.
    let table = self::panel([Action::Header(false)]);
    assert_eq!(
        (table.looked.is_none(), table.options().unwrap().header),
        (true, Some(false))
    );
    assert_eq!(table.options().unwrap().template, None);
}

#[test]
fn progress_is_said_with_its_rate() {
    let progress = Progress {
        done: 1_500_000,
        of: 12_000_000,
        records: 3210,
        tokens: 400_000,
        seconds: 0.5,
    };
    let words =
        "1.5 of 12.0 MB, 3,210 records, 400,000 tokens; 3.0 MB/s, 0.80 million tokens a second";
    assert_eq!(progress.words(), words);
    assert!(
        !Progress {
            seconds: 0.1,
            ..progress
        }
        .words()
        .contains("MB/s")
    );
    let counting = panel([Action::Counting(progress)]);
    assert_eq!(counting.stage, Stage::Counting(progress));
    assert_eq!(
        panel([Action::Counting(progress), Action::Choosing]).stage,
        Stage::Choosing
    );
    assert_eq!(
        panel([Action::Counted(progress)]).stage,
        Stage::Counted(progress)
    );
}
