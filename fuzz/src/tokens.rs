//! Texts counted in tokens, and templates.

use crate::make::{byte, maybe, pick, split};
use crate::text::{is_told, pieces};
use packscope::ingest::{Delimiter, Format};
use packscope::tokens::{CountOptions, Counter, Template, Tokenizer, look};
use std::cell::RefCell;

/// Templates, and the second ones of pairs.
const TEMPLATES: [(&str, Option<&str>); 8] = [
    ("{}", None),
    ("{text}", None),
    ("{term}: {definition}", None),
    ("{a.b}\\n{1}", None),
    ("{term}", Some("{definition}")),
    ("{{}}", None),
    ("", None),
    ("{text}", Some("")),
];

thread_local! {
    /// The tokenizers, which take longer to read than texts to count.
    static TOKENIZERS: RefCell<Vec<Tokenizer>> = RefCell::default();
}

const FILES: [&[u8]; 2] = [
    include_bytes!("../../tests/data/tokens/wordpiece.json"),
    include_bytes!("../../tests/data/tokens/byte-bpe.json"),
];

/// A text in any layout, whole and in pieces: the same comes out, and it adds up.
pub fn tokens(bytes: &[u8]) {
    let (mut u, input) = split(bytes);
    let of = usize::from(byte(&mut u)) % FILES.len();
    let (text, pair) = pick(&mut u, &TEMPLATES);
    let options = CountOptions {
        template: match byte(&mut u) % 4 {
            0 => None,
            // Any text may be typed as a template.
            1 => Template::parse(
                &String::from_utf8_lossy(&input[..input.len().min(40)]),
                None,
            )
            .ok(),
            _ => Template::parse(text, pair).ok(),
        },
        special: byte(&mut u).is_multiple_of(2),
        format: maybe(&mut u, &Format::ALL),
        delimiter: maybe(&mut u, &Delimiter::ALL),
        header: maybe(&mut u, &[false, true]),
        sample: maybe(&mut u, &[0, 1, 2]),
    };
    let pieces = pieces(&mut u);
    TOKENIZERS.with_borrow_mut(|tokenizers| {
        if tokenizers.is_empty() {
            tokenizers.extend(FILES.iter().filter_map(|file| Tokenizer::load(file).ok()));
        }
        counted(&tokenizers[of], input, &options, pieces);
    });
}

fn counted(tokenizer: &Tokenizer, input: &[u8], options: &CountOptions, pieces: [usize; 2]) {
    let in_pieces = |pieces: [usize; 2]| {
        let (mut counter, mut rest) = (Counter::new(tokenizer, "t", options), input);
        for length in pieces.into_iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (piece, more) = rest.split_at(length.min(rest.len()));
            counter.push(piece)?;
            rest = more;
        }
        let (_, tokens) = counter.counted();
        Ok::<_, packscope::error::Error>((tokens, counter.finish()?))
    };
    let whole = in_pieces([usize::MAX; 2]).map(|(_, read)| read);
    let cut = in_pieces(pieces);
    assert_eq!(whole, cut.map(|(_, read)| read), "whole and in pieces");
    if let Ok(read) = whole {
        let (histogram, described) = (&read.histogram, &read.description);
        assert_eq!(
            (histogram.items(), histogram.total()[0]),
            (described.items, described.total[0])
        );
        assert_eq!(
            described.items + described.skipped,
            described.records,
            "every record is counted or skipped"
        );
        is_told(described);
    }
    if let Ok(looked) = look(&input, tokenizer, (options, None)) {
        assert_eq!(
            looked.is_text(),
            looked.format != Format::Numbers && !looked.fields.is_empty()
        );
    }
}
