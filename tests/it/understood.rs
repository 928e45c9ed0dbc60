//! What the page says of a file that was read, and what it asks of one that was not.

use packscope::error::Error;
use packscope::histogram::Sizes;
use packscope::ingest::{Column, Counts, File, OpenResult, Options, PairReading, Read, open};
use packscope_page::state::{prompts, question, understood};
use std::ops::ControlFlow;

fn read(name: &str, text: &str, options: &Options) -> Result<Box<Read>, Error> {
    let source = text.as_bytes();
    let files = [File {
        name,
        source: &source,
    }];
    let opened = open(
        &files,
        options,
        false,
        &mut |_, _| ControlFlow::Continue(()),
    )?;
    match opened {
        OpenResult::Read(read) => Ok(read),
        OpenResult::Needs => panic!("{name} is text"),
    }
}

/// The line of a file that is read with a column, if one is given.
fn line(name: &str, text: &str, column: Option<&str>) -> String {
    let options = Options {
        sizes: column.map(Column::from).into_iter().collect(),
        ..Options::default()
    };
    understood(name, &read(name, text, &options).unwrap().description)
}

#[test]
fn a_line_says_how_a_file_was_understood() {
    let lengths = "id,num_tokens,source\na,30,x\nb,40,y\n";
    assert_eq!(
        line("sft.csv", lengths, None),
        "num_tokens of sft.csv, 2 rows; not read: id, source"
    );
    let speech = "path,duration\na.wav,1.5\nb.wav,2.25\n";
    assert_eq!(
        line("speech.csv", speech, Some("round(duration * 50)")),
        "frames of 20 ms of speech.csv, 2 rows; not read: path"
    );
    assert_eq!(line("plain.txt", "12\n40\n", None), "plain.txt, 2 numbers");
    let wide = "length,a,b,c,d,e\n3,x,x,x,x,x\n5,y,y,y,y,y\n";
    assert_eq!(
        line("wide.csv", wide, None),
        "length of wide.csv, 2 rows; not read: a, b, c and 2 more"
    );
}

#[test]
fn a_count_is_named() {
    let text = "length,times\n12,2\n40,3\n";
    let options = Options {
        count: Some(Counts::Column("times".into())),
        ..Options::default()
    };
    let read = read("bins.csv", text, &options).unwrap();
    assert_eq!(
        understood("bins.csv", &read.description),
        "length of bins.csv, 2 rows, times times each"
    );
}

#[test]
fn a_prompt_and_its_response_are_one_sequence_until_somebody_says_otherwise() {
    let text = "prompt_id,prompt_tokens,response_tokens\np1,12,3\np1,12,50\n";
    let two = read("rl.csv", text, &Options::default()).unwrap();
    assert!(matches!(two.counted, Sizes::Graphs(_)));
    let (both, reading) = prompts::found(&two.description).unwrap();
    assert_eq!(reading, PairReading::TwoBudgets);
    let guess = prompts::guess(&two, &Options::default()).unwrap();
    let one = read("rl.csv", text, &guess).unwrap();
    let Sizes::Lengths(lengths) = &one.counted else {
        panic!("a sum is a length")
    };
    assert_eq!(lengths.entries(), [([15], 1), ([62], 1)]);
    assert_eq!(
        prompts::found(&one.description),
        Some((both.clone(), PairReading::OneSequence))
    );
    // Two limits that were asked for stay two.
    let chosen = Options {
        sizes: both.columns(PairReading::TwoBudgets),
        ..Options::default()
    };
    let read = read("rl.csv", text, &chosen).unwrap();
    assert_eq!(prompts::guess(&read, &chosen), None);
}

/// The problem with a file, as the page has it.
fn problem(name: &str, text: &str) -> String {
    let error = read(name, text, &Options::default()).unwrap_err();
    question::on_page(&format!("{name}: {error}"))
}

#[test]
fn a_question_on_the_page_has_no_flags() {
    let speech = problem("speech.csv", "path,duration\na.wav,1.5\nb.wav,2.25\n");
    assert_eq!(
        speech,
        "speech.csv: no name is known to be that of a length; \"duration\" may be seconds."
    );
    let chat = "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}\n";
    let chat = problem("chat.jsonl", &chat.repeat(3));
    assert!(chat.ends_with("whose number is no length."), "{chat}");
    for asked in [speech, chat] {
        assert!(!asked.contains(" --"), "{asked}");
    }
    // Of a clause that is the only one, nothing is left out.
    assert_eq!(question::on_page("a.csv: use --x"), "a.csv: use --x.");
}
