//! Sentences of README, CHANGELOG, docs and captions, each kind checked against its subject.

use packscope::error::Error;
use packscope::histogram::Histogram;
use packscope::packing::{Algorithm, tuple};
use packscope::sampler::Sampler;
use packscope_page::learn::CHAPTERS;
use packscope_page::state::findings::number_in_words;

const README: &str = include_str!("../../README.md");
const COMMANDS: &str = include_str!("../../docs/COMMANDS.md");
const CHANGELOG: &str = include_str!("../../CHANGELOG.md");
const FRONT: &str = include_str!("../../crates/packscope/src/lib.rs");

/// The words of a text, without its line breaks and marks of comments.
fn flat(text: &str) -> String {
    text.split_whitespace()
        .filter(|word| *word != "//!")
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn numbers_of_chapters_and_examples_are_those_there_are() {
    let chapters = format!("{} short chapters", number_in_words(CHAPTERS.len() as u64));
    for (name, text) in [("README.md", README), ("CHANGELOG.md", CHANGELOG)] {
        let said = flat(text);
        assert_eq!(said.matches("short chapters").count(), 1, "{name}");
        assert!(said.contains(&chapters), "{name} does not say {chapters}");
    }
    let files = std::fs::read_dir(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/crates/packscope/examples"
    ))
    .unwrap();
    let names: Vec<String> = files
        .map(|f| {
            f.unwrap()
                .path()
                .file_stem()
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    assert!(flat(CHANGELOG).contains(&format!(
        "; {} examples.",
        number_in_words(names.len() as u64)
    )));
    for name in names {
        assert!(
            FRONT.contains(&format!("`{name}`")) || FRONT.contains(&format!("--example {name}`")),
            "{name}"
        );
    }
}

/// A caption stands above every answer of an algorithm: what only some answers are is not for it to say.
#[test]
fn captions_of_algorithms_promise_no_proof() {
    let lines = Algorithm::ALL.map(Algorithm::about).to_vec();
    let lines = [
        lines,
        tuple::TupleAlgorithm::ALL.map(|a| a.about()).to_vec(),
        Sampler::ALL.map(|s| s.about()).to_vec(),
    ];
    for about in lines.concat() {
        let about = about.to_lowercase();
        for word in [
            "proven",
            "proof",
            "fewest",
            "best possible",
            "always optimal",
        ] {
            assert!(!about.contains(word), "{about}");
        }
    }
}

#[test]
fn what_is_refused_is_what_the_message_says() {
    let said =
        |size: [u32; 2]| Histogram::from_counts([(size, 1)]).map_err(|error| error.to_string());
    let words = "an item of size 0 was found; sizes start at 1, and of several components only the first has to";
    assert_eq!(said([0, 5]), Err(words.to_owned()));
    assert!(said([5, 0]).is_ok());
    assert_eq!(Histogram::from_lengths([(0, 1)]), Err(Error::ZeroSize));
}

/// CHANGELOG has the worst library of the table in docs/COMMANDS.md.
#[test]
fn the_worst_of_libraries_is_that_of_the_table() {
    let head = |line: &str| line.starts_with("    library ") && line.contains(" computes more ");
    let rows = COMMANDS
        .lines()
        .skip_while(|line| !head(line))
        .skip(1)
        .take_while(|line| line.starts_with("    "));
    let above = rows.filter_map(|line| {
        let cell = line
            .split("  ")
            .map(str::trim)
            .filter(|cell| !cell.is_empty())
            .nth(2)?;
        cell.strip_suffix(" %")?.parse::<f64>().ok()
    });
    let above: Vec<f64> = above.collect();
    assert!(above.len() >= 20, "{above:?}");
    let most = above.iter().copied().fold(0.0, f64::max);
    let words =
        format!("they compute up to {most:.0} % more slots than the best plan for the same tokens");
    assert!(
        flat(CHANGELOG).contains(&words),
        "CHANGELOG.md does not say {words}"
    );
}

/// The download until the answer, as CHANGELOG says, is the one that the budget of the page allows.
#[test]
fn downloads_are_those_of_the_budget() {
    let budget: serde_json::Value =
        serde_json::from_str(include_str!("../../xtask/budget.json")).unwrap();
    let [bytes, requests] =
        ["brotli", "requests"].map(|key| budget["until the answer"][key].as_u64().unwrap());
    let words = format!(
        "Until the answer come at most {} kB in {requests} requests",
        bytes.div_ceil(1000)
    );
    assert!(
        flat(CHANGELOG).contains(&words),
        "CHANGELOG.md does not say {words}"
    );
}
