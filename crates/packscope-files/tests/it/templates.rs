//! Templates of texts to count, and their words.

use packscope_files::tokens::{Template, TemplatePiece};

#[test]
fn words_and_pieces_are_the_same() {
    let field = |name: &str| TemplatePiece::Field(name.to_owned());
    let literal = |text: &str| TemplatePiece::Literal(text.to_owned());
    let cases = [
        ("{}", vec![field("")]),
        ("{a} {b.c}", vec![field("a"), literal(" "), field("b.c")]),
        (
            "Q: {q}\\nA: {{{a}}}\\t\\\\",
            vec![
                literal("Q: "),
                field("q"),
                literal("\nA: {"),
                field("a"),
                literal("}\t\\"),
            ],
        ),
        (
            "{messages[].content}é",
            vec![field("messages[].content"), literal("é")],
        ),
    ];
    for (words, want) in cases {
        let template = Template::parse(words, None).unwrap();
        assert_eq!(template.text, want, "{words}");
        assert_eq!(template.words(), [words]);
    }
    let template = Template::parse("{a}", Some("{b}")).unwrap();
    assert_eq!(
        (template.words(), template.names().collect::<Vec<_>>()),
        (vec!["{a}".to_owned(), "{b}".to_owned()], vec!["a", "b"])
    );
    assert_eq!(Template::fields(&["a", "b"]).words(), ["{a}\\n{b}"]);
}

#[test]
fn what_is_no_template_is_told_with_its_place() {
    let cases = [
        ("é{a", "character 2: a brace that is never closed"),
        ("{a{b}}", "character 1: a brace that is never closed"),
        ("{a} }", "character 5: a closing brace without"),
        ("{a}\\q", "character 4: an unknown escape"),
        ("{{a}}", "character 6: no field"),
        ("", "character 1: no field"),
    ];
    for (words, want) in cases {
        let error = Template::parse(words, None).unwrap_err().to_string();
        assert!(error.contains(want), "{words}: {error}");
    }
}
