//! Lengths estimated from characters.

use packscope_files::ingest::{Ingested, Note};
use packscope_files::tokens::{self, CountOptions, Template};
use std::ops::ControlFlow;

fn estimated(text: &str, options: &CountOptions) -> (Ingested, Vec<u32>) {
    let mut all = Vec::new();
    let read = tokens::estimate(
        &text.as_bytes(),
        options,
        &mut |_, _, _| ControlFlow::Continue(()),
        &mut |length| all.push(length),
    );
    (
        read.unwrap_or_else(|error| panic!("{text:?}: {error}")),
        all,
    )
}

fn band(read: &Ingested) -> [u64; 2] {
    let found = read.description.notes.iter().find_map(|note| match note {
        Note::Estimated { least, most, .. } => Some([*least, *most]),
        _ => None,
    });
    found.unwrap()
}

/// Texts with their numbers of tokens by GPT-4, Llama 2 and Llama 3, counted by those tokenizers.
const COUNTED: [(&str, [u64; 3]); 6] = [
    (
        "The committee met on Tuesday to discuss the budget for the coming year, and agreed to postpone the decision until all figures were known.",
        [26, 30, 26],
    ),
    (
        "fn main() {\n    let total: u64 = items.iter().map(|item| item.len() as u64).sum();\n    println!(\"{total} tokens\");\n}\n",
        [35, 44, 35],
    ),
    (
        "Der Ausschuss trat am Dienstag zusammen, um über den Haushalt des kommenden Jahres zu beraten, und verschob die Entscheidung.",
        [32, 30, 32],
    ),
    (
        "Комитет собрался во вторник, чтобы обсудить бюджет на следующий год, и отложил решение.",
        [40, 32, 25],
    ),
    (
        "委员会星期二开会讨论明年的预算，并决定推迟到所有数字都清楚之后再作决定。",
        [39, 55, 26],
    ),
    (
        "1. Open the *settings* page.\n2. Set `max_length` to 4096.\n3. Press **Save**, then wait 30 seconds.\n",
        [33, 42, 33],
    ),
];

#[test]
fn the_band_holds_what_tokenizers_count() {
    let line = |text: &str| serde_json::json!({ "text": text }).to_string() + "\n";
    // A sentence may be further off than a file.
    for (text, counts) in COUNTED {
        let (read, _) = estimated(&line(text), &CountOptions::default());
        let [least, most] = band(&read).map(|tokens| tokens as f64);
        for count in counts.map(|count| count as f64) {
            assert!(
                0.85 * least <= count && count <= 1.15 * most,
                "{least} {count} {most}: {text}"
            );
        }
        let total = f64::from(read.histogram.max()[0]);
        assert!(least <= total && total <= most, "{text}");
    }
    let all: String = COUNTED.iter().map(|(text, _)| line(text)).collect();
    let (read, _) = estimated(&all, &CountOptions::default());
    let [least, most] = band(&read);
    for of in 0..3 {
        let total: u64 = COUNTED.iter().map(|(_, counts)| counts[of]).sum();
        assert!(least <= total && total <= most, "{least} {total} {most}");
    }
}

#[test]
fn conversations_are_estimated_with_what_stands_around_messages() {
    let chat = "{\"messages\":[{\"role\":\"user\",\"content\":\"hello there\"},{\"role\":\"assistant\",\"content\":\"good day to you\"}]}\n";
    let (read, all) = estimated(&chat.repeat(3), &CountOptions::default());
    let plain = CountOptions {
        template: Some(Template::parse("{messages[].content}", None).unwrap()),
        ..CountOptions::default()
    };
    let (texts, bare) = estimated(&chat.repeat(3), &plain);
    assert_eq!((read.histogram.items(), all.len()), (3, 3));
    assert_eq!(all[0], bare[0] + 10);
    assert_eq!(
        band(&read)[0],
        (band(&texts)[0] as f64 + 30.0 * 0.92).round() as u64
    );
    let sentence = read.description.sentence();
    assert!(sentence.contains("estimated"), "{sentence}");
    let last = read.description.notes.last().map(ToString::to_string);
    assert!(last.is_some_and(|note| note.contains("5 around each message")));
    let pairs = "instruction,output\nsay it,it\nsay more,more of it\n";
    let (read, all) = estimated(pairs, &CountOptions::default());
    assert!(
        all.iter().all(|length| *length > 10),
        "{all:?} {}",
        read.description.sentence()
    );
}

#[test]
fn what_has_no_texts_is_not_estimated() {
    for input in ["3\n5\n8\n", "length,count\n3,5\n8,9\n", ""] {
        let refused = tokens::estimate(
            &input.as_bytes(),
            &CountOptions::default(),
            &mut |_, _, _| ControlFlow::Continue(()),
            &mut |_| {},
        );
        assert!(refused.is_err(), "{input:?}");
    }
    // A record without text keeps its place.
    let (read, all) = estimated(
        "{\"text\":\"a few words\"}\n{\"text\":\"\"}\n{\"text\":\"x\"}\n",
        &CountOptions::default(),
    );
    assert_eq!((all[1], all[2], read.description.skipped), (0, 1, 1));
}
