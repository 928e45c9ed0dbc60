//! Files in the shapes of public reports: each is read right, or refused with a way out. The ways out are followed, by the
//! flag or in a shell, and what they give is read right; what has no lengths is refused by what it is, whatever flag it names.

use crate::cli::packscope;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Files of one test, in a folder of their own.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("packscope-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// Returns the number of items and their total in a file, or the message of its refusal.
    fn described(&self, name: &str, flags: &[&str]) -> Result<(u64, u64), String> {
        let path = self.0.join(name);
        let args = [
            &["describe", path.to_str().unwrap(), "--format", "json"],
            flags,
        ]
        .concat();
        let out = packscope(&args, "");
        if !out.status.success() {
            return Err(String::from_utf8(out.stderr).unwrap());
        }
        let value: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        let summary = &value["summary"];
        Ok((
            summary["items"].as_u64().unwrap(),
            summary["total_tokens"].as_u64().unwrap(),
        ))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns the line for a shell that a message suggests, with the name of the file that it writes.
fn line_of(message: &str) -> Option<(String, &'static str)> {
    let of = |name: &'static str| {
        let end = message.find(&format!("> {name}"))?;
        let programs = ["awk ", "sed ", "cut ", "(echo ", "jq ", "tr ", "grep "];
        let begins = programs
            .iter()
            .filter_map(|program| message[..end].find(program));
        Some((message[begins.min()?..end].to_owned() + "> " + name, name))
    };
    of("lengths.txt").or_else(|| of("lengths.csv"))
}

/// Returns the flags that a message suggests, the first of each; flags that are only named have no value.
fn flags_of(message: &str) -> Vec<String> {
    let value = |flag: &str| {
        let rest = message.split_once(&format!("{flag} "))?.1;
        let value = match rest.strip_prefix('\'') {
            Some(quoted) => quoted.split('\'').next()?,
            None => rest.split([' ', ';', ',', ')']).next()?,
        };
        Some((value != "or").then(|| [flag.to_owned(), value.to_owned()]))
    };
    let length = value("--length")
        .or_else(|| value("--length-column"))
        .flatten();
    // A count is of use beside the length that it is named with.
    let count = length
        .as_ref()
        .and_then(|_| value("--count-column").flatten());
    let count = count.filter(|[_, column]| column != "which");
    length.into_iter().chain(count).flatten().collect()
}

/// The result of following the message of a file.
enum End<'w> {
    /// These items and their total, at once or by the way out.
    Items(u64, u64),
    /// Nothing, as there are no lengths: the refusal has these words.
    None(&'w str),
    /// A question in these words, whose answer only the owner knows.
    Asked(&'w str),
}

fn follow(cases: &[(&str, &str, End<'_>)]) {
    // Tests run beside each other.
    let folder = Folder::new(&format!("ways-out-{}", cases[0].0));
    let mut wrong = Vec::new();
    for (name, text, end) in cases {
        fs::write(folder.0.join(name), text).unwrap();
        let first = folder.described(name, &[]);
        match (end, &first) {
            (End::Items(items, total), Ok(found)) if (*items, *total) == *found => {}
            (End::Items(items, total), Err(message)) => {
                let flags = flags_of(message);
                let found = match line_of(message) {
                    _ if !flags.is_empty() => {
                        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
                        folder.described(name, &flags)
                    }
                    Some((line, made)) => {
                        let line = line.replace("FILE", name);
                        let mut shell = Command::new("sh");
                        let shell = shell.args(["-c", &line]).current_dir(&folder.0);
                        let out = shell.stdin(Stdio::null()).output().unwrap();
                        let errors = String::from_utf8_lossy(&out.stderr);
                        if !out.status.success() || !errors.is_empty() {
                            wrong.push(format!("{name}: {line}: {errors}"));
                        }
                        folder.described(made, &[])
                    }
                    None => Err("there is no way out".to_owned()),
                };
                if found.as_ref() != Ok(&(*items, *total)) {
                    wrong.push(format!("{name}: {found:?} by the way out of: {message}"));
                }
            }
            (End::None(words), Err(message)) if message.contains(words) => {
                // A flag that is named must not lead to an answer.
                let flags = flags_of(message);
                let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
                if !flags.is_empty() && folder.described(name, &flags).is_ok() {
                    wrong.push(format!("{name} is read by {flags:?}, from: {message}"));
                }
                if folder.described(name, &["--count-column", ""]).is_ok() {
                    wrong.push(format!("{name} is read where each record is one item"));
                }
            }
            (End::Asked(words), Err(message)) if message.contains(words) => {}
            (_, found) => wrong.push(format!("{name}: {found:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const LOG: &str = "\
[2025-09-11 10:38:27,267] [INFO] [axolotl.utils.samplers.multipack.calc_min_len:434] [PID:428] gather_len_batches: [230, 232, 231]
[2025-09-11 10:38:27,279] [INFO] [axolotl.utils.trainer.calculate_total_num_steps:404] [PID:428] total_num_tokens: 8_407_290
[2025-09-11 10:38:27,519] [INFO] [axolotl.utils.trainer.calculate_total_num_steps:422] [PID:428] total_supervised_tokens: 7_000_000
";
const BUCKETS: &str = "\
[2025-03-04 09:28:15,294] [WARNING] [dataset.py:174:_make_divisible_by] size bucket (1024, 1024, 17) is being dropped
[2025-03-04 09:28:15,295] [WARNING] [dataset.py:174:_make_divisible_by] size bucket (1024, 1024, 49) is being dropped
";
const TRAINER_LOG: &str = "\
{\"current_steps\": 3, \"total_steps\": 1000, \"loss\": 1.598, \"lr\": 0.0001, \"epoch\": 0.003, \"throughput\": 1200.5, \"total_tokens\": 48960}
{\"current_steps\": 6, \"total_steps\": 1000, \"loss\": 1.596, \"lr\": 0.0001, \"epoch\": 0.006, \"throughput\": 1200.5, \"total_tokens\": 97920}
{\"current_steps\": 9, \"total_steps\": 1000, \"loss\": 1.594, \"lr\": 0.0001, \"epoch\": 0.009, \"throughput\": 1200.5, \"total_tokens\": 146880}
";
const STATE: &str = "\
{
 \"best_metric\": null,
 \"epoch\": 1.0,
 \"global_step\": 400,
 \"log_history\": [
  {\"epoch\": 0.025, \"loss\": 1.38, \"num_tokens\": 81920.0, \"step\": 10},
  {\"epoch\": 0.05, \"loss\": 1.37, \"num_tokens\": 163840.0, \"step\": 20}
 ],
 \"num_input_tokens_seen\": 3276800
}
";
const PRINTED_LOG: &str = "\
{'loss': 1.3889, 'grad_norm': 0.91, 'learning_rate': 2e-05, 'num_tokens': 81920.0, 'epoch': 0.025}
{'loss': 1.3778, 'grad_norm': 0.91, 'learning_rate': 2e-05, 'num_tokens': 163840.0, 'epoch': 0.05}
";
const INFO: &str = "{\"builder_name\": \"parquet\", \"download_size\": 12345678, \"splits\": {\"train\": {\"num_bytes\": 20000000, \
                    \"num_examples\": 18000, \"shard_lengths\": [9000, 9000]}}}";
const METRIC: &str = "1690000000000 812.0 0\n1690000001000 813.0 10\n1690000002000 814.0 20\n1690000003000 815.0 30\n";

#[test]
fn logs_and_totals_of_trainings_are_refused_by_what_they_are() {
    follow(&[
        ("axolotl.log", LOG, End::None("lines of a log")),
        ("buckets.log", BUCKETS, End::None("lines of a log")),
        (
            "trainer_log.jsonl",
            TRAINER_LOG,
            End::None("the total so far"),
        ),
        ("trainer_state.json", STATE, End::None("trainer_state.json")),
        (
            "trl_log.txt",
            PRINTED_LOG,
            End::None("dictionaries as Python prints them"),
        ),
        (
            "trl_log.jsonl",
            &PRINTED_LOG.replace('\'', "\""),
            End::None("and no length"),
        ),
        ("dataset_info.json", INFO, End::None("dataset_info.json")),
        (
            "run.json",
            "{\"total_tokens\": 51279835, \"model\": \"m\"}",
            End::None("seems to be a total"),
        ),
        ("num_tokens", METRIC, End::None("as MLflow keeps it")),
        (
            "cdf.txt",
            "2789 (55.78%) samples have length < 1000.\n4090 (81.80%) samples have length < 2000.\n5000 (100.00%) samples have length < 3000.\n",
            End::None("which add up those before"),
        ),
    ]);
}

#[test]
fn totals_beside_a_number_of_items_lead_to_their_means() {
    follow(&[
        (
            "packs.csv",
            "bin,num_docs,tokens\n0,1,2000\n1,9,1830\n2,4,1960\n",
            End::Items(14, 2000 + 9 * 203 + 4 * 490),
        ),
        (
            "steps.csv",
            "step,num_sequences,num_tokens\n0,1,2000\n1,9,1830\n2,4,1960\n",
            End::Items(14, 2000 + 9 * 203 + 4 * 490),
        ),
        (
            "totals.csv",
            "pack,count,total_length\n0,1,2000\n1,9,1830\n2,4,1960\n",
            End::Items(14, 2000 + 9 * 203 + 4 * 490),
        ),
        (
            "shards.csv",
            "shard,num_docs,num_tokens\n0,5000,5000000\n1,6000,3000000\n",
            End::Items(11_000, 8_000_000),
        ),
    ]);
}

#[test]
fn lines_with_a_number_lead_to_their_lengths() {
    follow(&[
        (
            "frames.txt",
            "0.mp4: 189 frames\n1.mp4: 194 frames\n2.mp4: 60 frames\n",
            End::Items(3, 443),
        ),
        (
            "seqlens.txt",
            "seqlens=[449280, 334080, 448768]\n",
            End::Items(3, 1_232_128),
        ),
        (
            "len.txt",
            "len(batch[\"input_ids\"][0])=449280\nlen(batch[\"input_ids\"][0])=334080\nlen(batch[\"input_ids\"][0])=448768\n",
            End::Items(3, 1_232_128),
        ),
        (
            "wc.txt",
            "     120 docs/000.txt\n     340 docs/001.txt\n      88 docs/002.txt\n     548 total\n",
            End::Items(3, 548),
        ),
        (
            "values.txt",
            "step=1 length=120\nstep=2 length=340\n",
            End::Items(2, 460),
        ),
        (
            "thousands.txt",
            "619\n24\n1,519\n173\n",
            End::Items(4, 2335),
        ),
        ("spaces.txt", "619 24 1,519 173\n", End::Items(4, 2335)),
        ("semicolons.txt", "619;24;1,519;173\n", End::Items(4, 2335)),
    ]);
}

const STATS: &str = "\
# This file was produced by samtools stats (1.17+htslib-1.17) and can be plotted using plot-bamstats
CHK\t1bd20fd8\t58ad2167\t29883386
SN\traw total sequences:\t3\t# excluding supplementary and secondary reads
RL\t45\t1
RL\t51\t2
";
const QM9: &str = "\
3
gdb 0\t157.7118\t157.70997\t157.70699
O\t0.13\t-0.39\t 0.33\t-0.40
H\t-8.4813*^-6\t-1.83\t -2.07\t-0.37
H\t-2.40\t0.87\t -1.96\t-0.11
2636.1739\t531.3558
O\tO
InChI=1S/H2O/h1H2\tInChI=1S/H2O/h1H2
2
gdb 1\t157.7118\t157.70997\t157.70699
C\t0.13\t-0.39\t 0.33\t-0.40
O\t-8.48\t-1.83\t -2.07\t-0.37
2636.1739\t531.3558
[C-]#[O+]\t[C-]#[O+]
InChI=1S/CO/c1-2\tInChI=1S/CO/c1-2
";

#[test]
fn formats_of_biology_and_chemistry_lead_to_their_lengths() {
    let row = |name: &str, flag: u32, bases: &str| {
        format!(
            "{name}\t{flag}\tchr1\t1\t60\t{}M\t*\t0\t0\t{bases}\t{}\n",
            bases.len(),
            "I".repeat(bases.len())
        )
    };
    let sam = format!(
        "@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:chr1\tLN:248956422\n{}{}{}",
        row("a", 0, "ACGTAC"),
        row("b", 16, "ACGTACGTAC"),
        // The same read once more, elsewhere.
        row("a", 256, "ACGTAC"),
    );
    let paf = "r0\t4047\t10\t480\t+\tchr1\t248956422\t0\t470\t450\t480\t60\n\
               r1\t841\t10\t480\t+\tchr1\t248956422\t1000\t1470\t450\t480\t60\n\
               r1\t841\t500\t800\t-\tchr2\t248956422\t1000\t1300\t250\t300\t60\n";
    follow(&[
        ("stats.txt", STATS, End::Items(3, 147)),
        ("qm9.xyz", QM9, End::Items(2, 5)),
        ("reads.sam", &sam, End::Items(2, 16)),
        ("reads.paf", paf, End::Items(2, 4888)),
    ]);
}

const NEMO: &str = "\
{\"audio_filepath\": \"/d/a.wav\", \"duration\": 3.25, \"text\": \"hello world\"}
{\"audio_filepath\": \"/d/b.wav\", \"duration\": 12.5, \"text\": \"again\", \"offset\": 1.5}
";
const CUTS: &str = "\
{\"id\": \"c1\", \"start\": 0.0, \"duration\": 3.25, \"channel\": 0, \"supervisions\": [{\"id\": \"s1\", \"start\": 0.0, \"duration\": 3.1, \"text\": \"a\"}], \"recording\": {\"id\": \"r1\", \"sampling_rate\": 16000, \"num_samples\": 52000, \"duration\": 3.25}, \"type\": \"MonoCut\"}
{\"id\": \"c2\", \"start\": 0.0, \"duration\": 12.5, \"channel\": 0, \"supervisions\": [{\"id\": \"s2\", \"start\": 0.0, \"duration\": 4.1, \"text\": \"a\"}], \"recording\": {\"id\": \"r2\", \"sampling_rate\": 16000, \"num_samples\": 200000, \"duration\": 12.5}, \"type\": \"MonoCut\"}
";
const SUPERVISIONS: &str = "\
{\"id\": \"s1\", \"recording_id\": \"r1\", \"start\": 0.0, \"duration\": 3.25, \"channel\": 0, \"text\": \"hello you\", \"speaker\": \"a\"}
{\"id\": \"s2\", \"recording_id\": \"r1\", \"start\": 3.5, \"duration\": 12.5, \"channel\": 0, \"text\": \"hello\", \"speaker\": \"b\"}
";
const RECORDINGS: &str = "\
{\"id\": \"r1\", \"sources\": [{\"type\": \"file\", \"channels\": [0], \"source\": \"a.wav\"}], \"sampling_rate\": 16000, \"num_samples\": 52000, \"duration\": 3.25, \"channel_ids\": [0]}
{\"id\": \"r2\", \"sources\": [{\"type\": \"file\", \"channels\": [0], \"source\": \"b.wav\"}], \"sampling_rate\": 16000, \"num_samples\": 200000, \"duration\": 12.5, \"channel_ids\": [0]}
";
const BRAIN: &str = "{\"a-1\": {\"wav\": \"{data_root}/a.wav\", \"length\": 3.25, \"words\": \"HELLO YOU\", \"spk_id\": \"a\"}, \
                     \"a-2\": {\"wav\": \"{data_root}/b.wav\", \"length\": 12.5, \"words\": \"AND\", \"spk_id\": \"b\"}}";
const ESPNET: &str = "{\"utts\": {\"utt1\": {\"input\": [{\"name\": \"input1\", \"shape\": [325, 83]}], \"output\": [{\"shape\": [12, 52], \
                      \"text\": \"HELLO\"}]}, \"utt2\": {\"input\": [{\"name\": \"input1\", \"shape\": [1250, 83]}], \"output\": \
                      [{\"shape\": [9, 52], \"text\": \"HI\"}]}}}";

#[test]
fn manifests_of_speech_lead_to_frames() {
    // Frames of 10 ms, of 3.25 and 12.5 seconds.
    let frames = || End::Items(2, 325 + 1250);
    follow(&[
        ("nemo.json", NEMO, frames()),
        ("cuts.jsonl", CUTS, frames()),
        ("supervisions.jsonl", SUPERVISIONS, frames()),
        ("recordings.jsonl", RECORDINGS, frames()),
        ("utt2dur", "utt1 3.25\nutt2 12.5\n", frames()),
        (
            "segments",
            "utt1 rec1 0.00 3.25\nutt2 rec1 3.25 15.75\n",
            frames(),
        ),
        ("utt2num_frames", "utt1 325\nutt2 1250\n", frames()),
        ("feats_shape", "utt1 325,80\nutt2 1250,80\n", frames()),
        ("data.json", ESPNET, frames()),
        (
            "brain.csv",
            "ID,duration,wav,spk_id,wrd\na-1,3.25,/d/a.wav,a,HELLO YOU\na-2,12.5,/d/b.wav,a,AND\n",
            frames(),
        ),
        ("brain.json", BRAIN, frames()),
        (
            "frames.csv",
            "path,frames\na.wav,325\nb.wav,1250\n",
            frames(),
        ),
        (
            "clips.tsv",
            "clip\tduration[ms]\nx.mp3\t3250\ny.mp3\t12500\n",
            frames(),
        ),
        (
            "list.lst",
            "train0 /data/0.flac 3250 olive jade\ntrain1 /data/1.flac 12500 willow\n",
            frames(),
        ),
        (
            "fairseq.tsv",
            "/data/root\na.wav\t52000\nb.wav\t200000\n",
            End::Items(2, 252_000),
        ),
        (
            "funasr.jsonl",
            "{\"source\": \"a.wav\", \"source_len\": 325, \"target\": \"hello\", \"target_len\": 5}\n{\"source\": \"b.wav\", \"source_len\": 1250, \"target\": \"hi\", \"target_len\": 2}\n",
            End::Asked("\"source_len\" or \"target_len\" may be the length"),
        ),
        (
            "wav.scp",
            "utt1 /d/a.wav\nutt2 /d/b.wav\n",
            End::Asked("its words are counted"),
        ),
    ]);
}

#[derive(serde::Deserialize)]
struct Form {
    name: String,
    text: String,
    items: Option<u64>,
    total: Option<u64>,
    none: Option<String>,
    asked: Option<String>,
}

/// Files in the forms in which tools write lengths, and what is near them: manifests, logs, traces, printed tables, configurations.
/// The lengths are counted without Packscope.
#[test]
fn forms_of_many_tools_lead_to_their_lengths() {
    let forms: Vec<Form> =
        serde_json::from_str(include_str!("../../../../tests/data/forms.json")).unwrap();
    assert!(forms.len() > 50, "{}", forms.len());
    let folder = Folder::new("ways-bins");
    let mut cases = Vec::new();
    for form in &forms {
        let end = match (form.items, form.total, &form.none, &form.asked) {
            (Some(items), Some(total), ..) => End::Items(items, total),
            (_, _, Some(words), _) => End::None(words),
            (_, _, _, Some(words)) => End::Asked(words),
            // Of bins the total is not known.
            (items, ..) => {
                fs::write(folder.0.join(&form.name), &form.text).unwrap();
                let found = folder.described(&form.name, &[]).unwrap();
                assert_eq!(Some(found.0), items, "{}", form.name);
                continue;
            }
        };
        cases.push((form.name.as_str(), form.text.as_str(), end));
    }
    follow(&cases);
}

#[test]
fn unread_rows_keys_and_columns_are_asked_for() {
    let late = |more: &str| {
        let plain: String = (0..300)
            .map(|at| format!("{{\"id\":\"{at}\",\"length\":{}}}\n", 5 + at % 7))
            .collect();
        plain + more
    };
    follow(&[
        (
            "total.csv",
            "split,length\na,619\nb,24\nc,173\ntotal,816\n",
            End::None("total"),
        ),
        (
            "ids.json",
            "{\"100000\": 100, \"100007\": 100, \"100014\": 12}",
            End::Asked("the names of items"),
        ),
        (
            "columns.json",
            "{\"data\": {\"length\": [12, 16], \"count\": [5, 2]}}",
            End::Items(7, 92),
        ),
        (
            "late.jsonl",
            &late("{\"id\":\"x\",\"length\":5,\"count\":4}\n"),
            End::Asked("stands in some of the records"),
        ),
        (
            "renamed.jsonl",
            &late("{\"id\":\"x\",\"n_tokens\":4}\n"),
            End::Asked("may be the length"),
        ),
    ]);
    let folder = Folder::new("ways-chosen");
    for (name, text, asks, flags, want) in [
        (
            "pairs.json",
            "[[\"12\", 5], [\"16\", 2]]",
            "by the places of the numbers from 1",
            vec!["--length-column", "1", "--count-column", "2"],
            (7, 92),
        ),
        (
            "repeat.csv",
            "length,repeat\n12,3\n",
            "\"repeat\" may be the count",
            vec!["--count-column", "repeat"],
            (3, 36),
        ),
        (
            "times.csv",
            "length,times\n12,3\n",
            "\"times\" may be the count",
            vec!["--count-column", "times"],
            (3, 36),
        ),
    ] {
        fs::write(folder.0.join(name), text).unwrap();
        let message = folder.described(name, &[]).unwrap_err();
        assert!(message.contains(asks), "{name}: {message}");
        assert_eq!(folder.described(name, &flags), Ok(want), "{name}");
    }
    fs::write(
        folder.0.join("histogram.json"),
        "[[5, 2, 1], [0, 13, 17, 64]]",
    )
    .unwrap();
    let message = folder.described("histogram.json", &[]).unwrap_err();
    assert!(message.contains("--input-format histogram"), "{message}");
    let (items, _) = folder
        .described("histogram.json", &["--input-format", "histogram"])
        .unwrap();
    assert_eq!(items, 8);
}
