//! Formulae over the fields of a record.

use packscope_files::formula::{Formula, Operand, quoted, split};

fn of(text: &str) -> Result<f64, String> {
    let formula = Formula::parse(text)?;
    let value = |field: &Operand| match field {
        Operand::Name(name) => name
            .chars()
            .map(|c| f64::from(u32::from(c) - u32::from('a') + 1))
            .sum(),
        Operand::Number(number) => f64::from(100 * number),
    };
    Ok(formula.value(&formula.fields().iter().map(value).collect::<Vec<_>>()))
}

#[test]
fn formulae_are_computed_as_they_are_written() {
    let cases = [
        ("a", 1.0),
        ("a + b", 3.0),
        ("c - a - a", 1.0),
        ("a+b*c", 7.0),
        ("(a+b)*c", 9.0),
        ("j/c", 10.0 / 3.0),
        ("j//c*b", 6.0),
        ("j / b / e", 1.0),
        ("-a + b", 1.0),
        ("a - -b", 3.0),
        ("ceil(j / c) * floor(j / c)", 12.0),
        ("round(a * 2.5)", 3.0),
        ("round(-a * .5)", -1.0),
        ("max(a, b, min(c, 2.25))", 2.25),
        ("abs(a - c)", 2.0),
        ("$2 * 50 + $1", 10_100.0),
        ("`ab` + ab", 6.0),
    ];
    for (text, want) in cases {
        assert_eq!(of(text), Ok(want), "{text}");
    }
    // Words without a sign between them are one name.
    let words = Formula::parse("max(Request tokens, 2) + Response  tokens_2 ").unwrap();
    let name = |name: &str| Operand::Name(name.to_owned());
    assert_eq!(
        words.fields(),
        [name("Request tokens"), name("Response  tokens_2")]
    );
    let formula = Formula::parse(" a.b + `c d` + a.b + $3 ").unwrap();
    assert_eq!(
        formula.fields(),
        [name("a.b"), name("c d"), Operand::Number(3)]
    );
    assert_eq!(formula.text(), "a.b + `c d` + a.b + $3");
}

#[test]
fn what_is_no_formula_is_told_with_its_place() {
    let deep = format!("{}a{}", "(".repeat(70), ")".repeat(70));
    let cases = [
        ("", "its end"),
        ("a +", "its end"),
        ("(a", "its end"),
        ("a `b`", "\"`\" at character 3"),
        ("é + 1..5", "\"1\" at character 5"),
        ("a % 2", "\"%\" at character 3"),
        ("$0", "its end"),
        ("``", "\"`\" at character 2"),
        ("2 * 3", "names no field"),
        ("sqrt(a)", "there is no function sqrt of 1"),
        ("ceil(a, b)", "there is no function ceil of 2"),
        (&deep, "at character 65"),
    ];
    for (text, want) in cases {
        let error = Formula::parse(text).unwrap_err();
        assert!(error.contains(want), "{text}: {error}");
    }
}

#[test]
fn lists_are_split_outside_of_parentheses_and_quotes() {
    assert_eq!(split("max(a, b), c,`d,(e`"), ["max(a, b)", "c", "`d,(e`"]);
    assert_eq!(
        (quoted("a.b"), quoted("a b"), quoted("2a")),
        ("a.b".into(), "`a b`".into(), "`2a`".into())
    );
}
