//! The markup of lessons, and the terms that are explained in them.

use packscope_page::learn::glossary::cut;
use packscope_page::learn::prose::{ProsePiece, figure, pieces, plain, words};

#[test]
fn pieces_are_what_was_written() {
    let text =
        "Rows of {limit} [slots:limits] hold {=efficiency=0.5=50.0 %}, **half**; <skew>more</>.";
    assert_eq!(
        pieces(text),
        [
            ProsePiece::Words("Rows of "),
            ProsePiece::Knob("limit"),
            ProsePiece::Words(" "),
            ProsePiece::Term {
                words: "slots",
                term: "limits"
            },
            ProsePiece::Words(" hold "),
            ProsePiece::Figure {
                name: "efficiency",
                value: "0.5",
                shown: "50.0 %"
            },
            ProsePiece::Words(", "),
            ProsePiece::Bold("half"),
            ProsePiece::Words("; "),
            ProsePiece::Chapter {
                words: "more",
                id: "skew"
            },
            ProsePiece::Words("."),
        ]
    );
    assert_eq!(plain(text), "Rows of  slots hold 50.0 %, half; more.");
    assert_eq!(words(text), 8);
}

#[test]
fn lone_signs_are_signs() {
    assert_eq!(plain("2 < 3, a * b, {"), "2 < 3, a * b, {");
    assert_eq!(figure("packs", 7, "7"), "{=packs=7=7}");
}

fn found(text: &str) -> Vec<(&str, &str)> {
    cut(text)
        .into_iter()
        .filter_map(|(words, term)| Some((words, term?.name)))
        .collect()
}

#[test]
fn the_longest_term_is_found_once_and_whole() {
    assert_eq!(
        found("Packing factor, of packs; a pack’s packs, and batches unpacked"),
        [
            ("Packing factor", "packing factor"),
            ("packs", "pack"),
            ("batches", "batch")
        ]
    );
    assert_eq!(
        found("HWCap of a residual batch"),
        [("HWCap", "HWCap"), ("residual batch", "residual batch")]
    );
    assert_eq!(found("num_buckets, batch_size and pack-size"), []);
    assert_eq!(found("nothing – here"), []);
}

#[test]
fn nothing_of_a_text_is_lost() {
    for text in [
        "",
        "packs",
        "é packs ü",
        "a–b gap",
        "gap",
        "×2 – packing factor",
        "[padding]",
    ] {
        assert_eq!(
            cut(text)
                .into_iter()
                .map(|(words, _)| words)
                .collect::<String>(),
            text
        );
    }
}
