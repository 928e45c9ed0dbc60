//! README and the page on the command line, executed: the program accepts every command, and every block of output is
//! current. `PACKSCOPE_README=write` updates the blocks.

use crate::cli::packscope;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const README: &str = include_str!("../../../../README.md");
const COMMANDS: &str = include_str!("../../../../docs/COMMANDS.md");
const SKILL: &str = include_str!("../../../../docs/SKILL.md");

/// Beginnings of blocks that are no commands of the program: they need cargo or the network, or are no commands at all.
const OTHERS: [&str; 9] = [
    "cargo xtask serve",
    "cargo xtask dist",
    "cargo install --path crates/packscope-cli",
    "cargo add packscope --path ../packscope/crates/packscope",
    "cargo run --package packscope --example pack",
    // Blocks that the program prints.
    "settings     ",
    "data         ",
    "With ",
    "TRL as installed",
];

/// Indented blocks with the text before each: (text, lines without their indent).
fn blocks(text: &str) -> Vec<(String, Vec<&str>)> {
    let (mut all, mut before, mut block): (Vec<_>, String, Vec<&str>) = Default::default();
    let mut fenced = false;
    for line in text.lines().chain(["end"]) {
        fenced ^= line.starts_with("```");
        match line.strip_prefix("    ").filter(|_| !fenced) {
            Some(code) => block.push(code),
            None if line.is_empty() && !block.is_empty() => block.push(""),
            None => {
                if !block.is_empty() {
                    let end = block.iter().rposition(|line| !line.is_empty()).unwrap();
                    block.truncate(end + 1);
                    all.push((std::mem::take(&mut before), std::mem::take(&mut block)));
                }
                before = before + line + "\n";
            }
        }
    }
    all
}

/// The command of this program within a text that ends with a colon, in code: what the block below it is printed by.
fn printed_by(before: &str) -> Option<&str> {
    let (_, last) = before
        .trim_end()
        .rsplit_once("\n\n")
        .unwrap_or(("", before.trim_end()));
    let (_, command) = last.rsplit_once("`packscope ")?;
    last.ends_with(':')
        .then(|| command.split_once('`').unwrap().0)
}

/// Words of a shell: what is in double quotes is one.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('"').enumerate();
    let words = parts.flat_map(|(i, part)| match i % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

/// A folder with the files that README's commands name.
fn folder(of: &str) -> PathBuf {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let folder = std::env::temp_dir().join(format!("packscope-{of}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let lengths = std::fs::read_to_string(root.join("static/datasets/glue_wnli.csv")).unwrap();
    let json = |line: &str| format!("{{\"num_tokens\": {}}}\n", line.split(',').next().unwrap());
    let records: String = lengths.lines().skip(1).map(json).collect();
    let texts = "{\"question\": \"How long?\", \"context\": \"As long as it is.\"}\n";
    for (name, contents) in [
        ("lengths.csv", lengths.clone()),
        ("lengths.jsonl", records),
        ("reviews.jsonl", texts.to_owned()),
        (
            "rollouts.jsonl",
            "{\"prompt_length\": 88, \"response_length\": 2570}\n".to_owned(),
        ),
        (
            "manifest.jsonl",
            "{\"duration\": 14.482}\n{\"duration\": 0.954}\n".to_owned(),
        ),
        (
            "chats.jsonl",
            "{\"messages\": [{\"role\": \"user\", \"content\": \"How long?\"}]}\n".to_owned(),
        ),
        (
            "chat_template.jinja",
            "{% for message in messages %}{{ message.content }}{% endfor %}".to_owned(),
        ),
        (
            "axolotl.yaml",
            "base_model: Qwen/Qwen3-8B\nsequence_len: 4096\nsample_packing: true\n".to_owned(),
        ),
        (
            "tokenized.jsonl",
            "{\"input_ids\": [5, 6, 7], \"labels\": [-100, 6, 7], \"source\": \"web\"}\n\
             {\"input_ids\": [5, 6], \"labels\": [-100, 6], \"source\": \"code\"}\n"
                .to_owned(),
        ),
        ("lengths.txt", "300\n200\n200\n12\n".to_owned()),
    ] {
        std::fs::write(folder.join(name), contents).unwrap();
    }
    for (name, from) in [
        ("graphs.csv", "static/datasets/ogbg_molhiv.csv"),
        ("lengths.parquet", "tests/data/odd/parquet-v2.parquet"),
        ("tokenizer.json", "tests/data/tokens/byte-bpe.json"),
    ] {
        std::fs::copy(root.join(from), folder.join(name)).unwrap();
    }
    folder
}

fn run(command: &str, folder: &Path) -> Output {
    // What is piped into it comes from a file of the same name that is not compressed.
    let (input, command) = command
        .split_once(" | ")
        .map_or((None, command), |(a, b)| (Some(a), b));
    let words = words(command);
    assert_eq!(words[0], "packscope");
    let input =
        input.map(|from| folder.join(from.strip_prefix("zcat ").unwrap().trim_end_matches(".gz")));
    let stdin = input.map_or_else(Stdio::null, |file| {
        std::fs::File::open(file).unwrap().into()
    });
    let mut program = Command::new(env!("CARGO_BIN_EXE_packscope"));
    program
        .args(&words[1..])
        .current_dir(folder)
        .stdin(stdin)
        .output()
        .unwrap()
}

fn is_command(line: &str) -> bool {
    line.starts_with("packscope ") || line.contains(" | packscope ")
}

#[test]
fn every_command_of_readme_and_docs_runs() {
    let folder = folder("readme");
    let mut ran = 0;
    let all = || [README, COMMANDS, SKILL].into_iter().flat_map(blocks);
    for (before, block) in all() {
        let is_other = OTHERS.iter().any(|other| block[0].starts_with(other));
        for line in block.iter().filter(|line| is_command(line)) {
            let out = run(line, &folder);
            let error = String::from_utf8_lossy(&out.stderr);
            assert!(
                out.status.success() && !error.contains("error:"),
                "{line}\n{error}"
            );
            assert!(
                !out.stdout.is_empty() || line.contains(" --out "),
                "{line} prints nothing"
            );
            ran += 1;
        }
        let is_ours = block.iter().any(|line| is_command(line));
        assert!(
            is_ours || is_other,
            "neither a command nor known not to be one: {:?} after {before}",
            block[0]
        );
    }
    assert!(ran >= 20, "{ran} commands");
    // Every entry of the list is of use.
    for other in OTHERS {
        assert!(
            all().any(|(_, block)| block[0].starts_with(other)),
            "{other}"
        );
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn every_field_that_agents_are_told_to_read_is_in_the_answer() {
    let folder = folder("skill");
    let (mut answer, mut read) = (serde_json::Value::Null, 0);
    for paragraph in SKILL.split("\n\n") {
        if let Some(line) = paragraph
            .trim()
            .strip_prefix("packscope ")
            .filter(|line| line.ends_with(" json"))
        {
            let out = run(&format!("packscope {line}"), &folder);
            answer = serde_json::from_slice(&out.stdout).unwrap_or_default();
        }
        let Some(fields) = paragraph.strip_prefix("Read ") else {
            continue;
        };
        for field in fields.split('`').skip(1).step_by(2) {
            let pointer = format!("/{}", field.replace('.', "/"));
            assert!(
                answer.pointer(&pointer).is_some(),
                "{field} is not in {answer}"
            );
            read += 1;
        }
    }
    assert!(read >= 15, "{read} fields");
    std::fs::remove_dir_all(folder).unwrap();
}

/// A line without the widths of columns, and without the time at its end, which differs from run to run.
fn plain(line: &str) -> String {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    if let [.., _, "ms" | "s" | "min"] = words[..] {
        words.truncate(words.len() - 2);
        words.pop_if(|word| *word == "<");
    }
    words.join(" ")
}

/// Paragraphs: lines between empty ones.
fn paragraphs<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<Vec<&'a str>> {
    let mut all = vec![Vec::new()];
    for line in lines {
        if line.is_empty() {
            all.push(Vec::new());
        } else if let Some(last) = all.last_mut() {
            last.push(line);
        }
    }
    all.retain(|paragraph| !paragraph.is_empty());
    all
}

/// The paragraphs of an output that a block shows: in order, those that begin with the same words.
fn shown<'a>(block: &[&str], output: &'a str) -> Vec<Vec<&'a str>> {
    let mut rest = paragraphs(output.lines()).into_iter();
    let begins = |paragraph: &[&str]| -> Vec<String> {
        // Figures may have changed; the first words have not.
        let words = paragraph[0]
            .split_whitespace()
            .map(|word| word.trim_end_matches([',', ':']).to_owned());
        words
            .take_while(|word| !word.starts_with(|c: char| c.is_ascii_digit()))
            .take(4)
            .collect()
    };
    let found = paragraphs(block.iter().copied()).into_iter().map(|wanted| {
        let found = rest.find(|paragraph| begins(paragraph) == begins(&wanted));
        found.unwrap_or_else(|| panic!("nothing printed begins as {:?}", wanted[0]))
    });
    found.collect()
}

#[test]
fn every_block_of_the_docs_is_what_is_printed() {
    let mut compared = 0;
    let mut today = COMMANDS.to_owned();
    for (before, block) in blocks(COMMANDS) {
        let Some(command) = printed_by(&before) else {
            continue;
        };
        let args = words(command);
        let out = packscope(&args.iter().map(String::as_str).collect::<Vec<_>>(), "");
        let output = String::from_utf8(out.stdout).unwrap();
        assert!(
            out.status.success(),
            "{command}: {}",
            String::from_utf8_lossy(&out.stderr)
        );
        let now = shown(&block, &output);
        if std::env::var_os("PACKSCOPE_README").is_some_and(|way| way == "write") {
            let indented = |lines: &[&str]| -> String {
                lines
                    .iter()
                    .map(|l| {
                        if l.is_empty() {
                            "\n".to_owned()
                        } else {
                            format!("    {l}\n")
                        }
                    })
                    .collect()
            };
            let all: Vec<String> = now.iter().map(|paragraph| indented(paragraph)).collect();
            assert!(today.contains(&indented(&block)), "{command}");
            today = today.replace(&indented(&block), &all.join("\n"));
        } else {
            let lines = |all: &[Vec<&str>]| -> Vec<String> {
                all.concat().into_iter().map(plain).collect()
            };
            let (shown, printed) = (lines(&paragraphs(block.iter().copied())), lines(&now));
            let at = format!(
                "{command}: docs/COMMANDS.md is out of date; PACKSCOPE_README=write puts in\n{output}"
            );
            assert_eq!(shown, printed, "{at}");
        }
        compared += 1;
    }
    // One for each command that prints tables, and no block that looks like one is left out.
    let ours = ["settings  ", "data   ", "With ", "TRL as installed"];
    let looks = |block: &[&str]| ours.iter().any(|begin| block[0].starts_with(begin));
    assert_eq!(
        compared,
        blocks(COMMANDS)
            .iter()
            .filter(|(_, block)| looks(block))
            .count()
    );
    assert!(compared >= 2);
    if today != COMMANDS {
        std::fs::write(
            Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("docs/COMMANDS.md"),
            today,
        )
        .unwrap();
    }
}

/// Pack counts in README's text, computed.
#[test]
fn figures_in_the_text_of_the_readme_are_what_the_program_finds() {
    let wikipedia = [
        "static/datasets/wikipedia_bert_512.csv",
        "--limit",
        "512",
        "--depth",
        "3",
    ];
    let molhiv = ["static/datasets/ogbg_molhiv.csv", "--limits", "222,502"];
    let mut found = Vec::new();
    let mut pack = |data: &[&str], algorithm: &'static str, more: &[&str], field: &str| {
        let args = [
            &["pack"],
            data,
            &["--algorithm", algorithm, "--format", "json"],
            more,
        ]
        .concat();
        let report = crate::cli::json(&args, "");
        found.push((
            format!("{algorithm} {field} {}", more.join(" ")),
            report[field].as_u64().unwrap(),
        ));
    };
    pack(&wikipedia, "optimal", &[], "packs");
    pack(&wikipedia, "spfhp", &[], "packs");
    pack(&wikipedia, "nnlshp", &[], "packs");
    pack(&molhiv, "optimal", &[], "packs");
    for heuristic in ["nodes", "product"] {
        pack(
            &molhiv,
            "best-fit-published",
            &["--heuristic", heuristic],
            "packs",
        );
    }
    // Where they do not meet, plan and bound.
    let fourth = [
        "static/datasets/wikipedia_bert_512.csv",
        "--limit",
        "512",
        "--depth",
        "4",
    ];
    pack(&fourth, "optimal", &[], "packs");
    pack(&fourth, "optimal", &[], "lower_bound");
    assert_eq!(found.len(), 8);
    // By version of SciPy and machine the published code has 8,155,057 to 8,155,059.
    let nnlshp = [
        &["pack"],
        &wikipedia[..],
        &["--algorithm", "nnlshp", "--format", "json"],
    ]
    .concat();
    let published = crate::cli::json(&nnlshp, "")["published_packs"]
        .as_u64()
        .unwrap();
    assert!(
        README.contains("8,155,059") && published.abs_diff(8_155_059) <= 2,
        "{published}"
    );
    for (what, packs) in found {
        let packs = packscope::words::count(packs);
        assert!(
            README.contains(&packs),
            "README.md does not say {packs}, {what}"
        );
    }
}
