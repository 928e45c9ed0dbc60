//! Writes the first inputs of the corpora to a folder: `cargo run -p packscope-fuzz --example seeds -- FOLDER`.
#![allow(clippy::unwrap_used, reason = "a tool for those who write tests")]

use packscope::api::{self, batch, speedup, tuple};
use packscope::cost::{Assumptions, Method, waiting};
use packscope::export::Document;
use packscope::histogram::{Histogram, Sizes};
use packscope::packing::go_on;
use packscope_fuzz::input;
use packscope_page::query::{Answer, Finding, Query, QueryData, Question, Request, TimedAnswer};
use packscope_page::state::custom::Custom;
use packscope_page::wire::{Answers, WorkerRequest, WorkerResponse, encode};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Longer files say nothing that shorter ones do not.
const LONGEST: usize = 6_000;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn listed(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(root().join(folder))
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    files.sort();
    files
}

struct Seeds(PathBuf);

impl Seeds {
    fn write(&self, target: &str, name: &str, bytes: &[u8]) {
        let folder = self.0.join(target);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), bytes).unwrap();
    }

    /// A file: for the readers of text, of files, of texts in tokens.
    fn file(&self, path: &Path) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let mut bytes = fs::read(path).unwrap();
        let is_text = std::str::from_utf8(&bytes).is_ok();
        if bytes.len() > LONGEST && !is_text {
            return;
        }
        bytes.truncate(LONGEST);
        self.write("files", name, &input(&[(0, &bytes)]));
        if is_text {
            let headed = [&[0; 16][..], &bytes].concat();
            self.write("text", name, &headed);
            if ["text", "json", "csv-pairs-texts", "csv-quot"]
                .iter()
                .any(|of| name.starts_with(of))
            {
                self.write("tokens", name, &headed);
            }
        }
    }

    /// A folder whose files are opened together.
    fn folder(&self, path: &Path) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let files: Vec<PathBuf> = listed(&format!("tests/data/odd/{name}"));
        let as_known = |path: &PathBuf| {
            let file = path.to_str().unwrap();
            let known = [
                ("_A.txt.gz", 8),
                ("_indicator.txt.gz", 9),
                ("_A.txt", 5),
                ("_indicator.txt", 6),
            ];
            let lists = [("num-node-list.csv", 10), ("num-edge-list.csv", 11)];
            known
                .iter()
                .chain(&lists)
                .find(|(end, _)| file.ends_with(end))
                .map_or(1, |(_, name)| *name)
        };
        let parts: Vec<(u8, Vec<u8>)> = files
            .iter()
            .map(|p| (as_known(p), fs::read(p).unwrap()))
            .collect();
        let parts: Vec<(u8, &[u8])> = parts
            .iter()
            .take(4)
            .map(|(name, bytes)| (*name, &bytes[..]))
            .collect();
        self.write("files", name, &input(&parts));
    }
}

fn main() {
    let folder = std::env::args_os().nth(1).unwrap();
    let seeds = Seeds(folder.into());
    for path in listed("tests/data/odd") {
        if path.is_dir() {
            seeds.folder(&path)
        } else {
            seeds.file(&path)
        }
    }
    for name in ["glue_cola", "ogbg_molhiv"] {
        let path = root().join(format!("static/datasets/{name}.csv"));
        if path.exists() {
            seeds.file(&path);
        }
    }
    for name in ["odd.jsonl", "jargon.csv", "verses.txt"] {
        let bytes = fs::read(root().join("tests/data/tokens").join(name)).unwrap();
        seeds.write("tokens", name, &[&[0; 16][..], &bytes[..2_000]].concat());
    }
    addresses(&seeds);
    plans_and_messages(&seeds);
    // Structures are found from nothing: these are shorter and longer beginnings.
    for target in ["sequences", "graphs", "batches", "estimates"] {
        for kind in 0..10u8 {
            let bytes: Vec<u8> = (0..40 + kind)
                .map(|i| i.wrapping_mul(37 + kind).wrapping_add(kind))
                .collect();
            seeds.write(target, &format!("{kind}"), &[&[kind][..], &bytes].concat());
        }
    }
}

fn addresses(seeds: &Seeds) {
    let addresses = [
        "data=glue_cola&limit=128&depth=3&algorithm=optimal&overlong=split&align=8&seed=7&batch=32&overhead=0.05",
        "view=graphs&data=ogbg_molhiv&nodes=222&edges=502&heuristic=weighted:1:2&method=search&target=0.9&sweep-nodes=2:40:2&sweep-edges=7",
        "view=batches&sampler=bucket&for=server&epochs=3&epoch=2&group=4&tokens=512&width=5&hwcap=5:100,10:50&merging=off&cap=64,2&drop=0.5&stopwords=0.3&rate=0.001&rates=constant&drawn=first",
        "view=learn&chapter=rectangle&scene.order=3.1.2&scene.row=4&hide=controls,pin&theme=dark&embed=1",
        "counts=log&padding=linear&pin.data=glue_sst2&pin.limit=64&pin.depth=4&graphs.pin.data=ogbg_ppa&graphs.pin.nodes=9",
        "cost.accelerator=h100&cost.accelerators=64&cost.utilisation=0.42&cost.model=llama-3.1-8b&cost.gnn=gin&cost.peak=1e15",
        "hwcap=memory:1,2,3e9&view=batches&sequences.limit=9&graphs.data=own&batches.cap=off&data=own",
    ];
    for (i, address) in addresses.iter().enumerate() {
        seeds.write("address", &i.to_string(), address.as_bytes());
    }
    let lengths =
        Rc::new(Histogram::from_lengths([(5, 1), (9, 300), (70_000, 1_000_000)]).unwrap());
    let graphs = Rc::new(Histogram::from_counts([([2, 5], 1), ([2, 9], 3), ([4, 0], 7)]).unwrap());
    let all = [
        Sizes::Lengths(lengths),
        Sizes::Texts(Rc::clone(&graphs)),
        Sizes::Graphs(graphs),
    ];
    for (i, sizes) in all.into_iter().enumerate() {
        let custom = Custom {
            name: "mine".to_owned(),
            components: vec!["nodes".to_owned()],
            sizes,
        };
        let value = custom.carried().value.unwrap();
        seeds.write(
            "address",
            &format!("carried-{i}"),
            format!("view=graphs&data={value}").as_bytes(),
        );
    }
    for kind in [0u8, 1, 2, 0x80, 0x81, 0x82] {
        let plain = b"\x04mine\x01\x05nodes\x02\x05\x04\x01\x03\x01\x02";
        seeds.write("carried", &kind.to_string(), &[&[kind][..], plain].concat());
        let one = b"\x00\x00\x02\x05\x04\x01\x02";
        seeds.write(
            "carried",
            &format!("{kind}-lengths"),
            &[&[kind][..], one].concat(),
        );
    }
}

fn plans_and_messages(seeds: &Seeds) {
    let settings = api::Settings {
        limit: 16,
        ..api::Settings::default()
    };
    let request = api::Request {
        counts: vec![(5, 7), (9, 3), (16, 1)],
        settings,
        listed: 9,
    };
    let report = api::run(&request, &mut go_on).unwrap();
    let settings = tuple::Settings {
        limits: vec![9, u32::MAX],
        ..tuple::Settings::default()
    };
    let pairs = tuple::TupleRequest {
        counts: vec![(vec![2, 5], 4), (vec![4, 1], 3)],
        settings,
        listed: 9,
    };
    let graphs = packscope::api::run(&pairs, &mut go_on).unwrap();
    let mut text = String::new();
    Document::of_sequences(&report, "data")
        .unwrap()
        .json(&mut |piece| text += piece);
    seeds.write("plan", "sequences", text.as_bytes());
    text.clear();
    let names = ["nodes", "edges"].map(str::to_owned);
    Document::<2>::of_graphs(&graphs, &names, "data")
        .unwrap()
        .json(&mut |piece| text += piece);
    seeds.write("plan", "graphs", text.as_bytes());
    seeds.write(
        "plan",
        "no",
        b"{\"format\":\"packscope-plan\",\"version\":2,\"limits\":[1]}",
    );
    seeds.write("plan", "empty", b"");
    seeds.write("plan", "array", b"[]");
    let batches = batch::BatchRequest {
        counts: vec![([5, 2], 7), ([9, 1], 3)],
        stopwords_known: true,
        settings: batch::Settings::default(),
        drawn: true,
    };
    let question = waiting::WaitingQuestion {
        population: waiting::Population::new([([1.0, 2.0], 3.0)]),
        crew: waiting::Crew::Added(4),
        weights: [1.0, 0.5],
        accelerators: vec![1, 8],
        seed: 1,
    };
    let speedup = speedup::SpeedupRequest::Sequences(
        request.counts.clone(),
        speedup::Settings {
            packing: request.settings.clone(),
            batch: 4,
            assumptions: Assumptions::default(),
            accelerators: vec![1, 8],
        },
    );
    let waiting = Query::Waiting(Rc::new(vec![(Method::Packed, question)]));
    let json = |kind: u8, name: &str, bytes: Vec<u8>| {
        seeds.write("messages", name, &[&[kind][..], &bytes].concat())
    };
    json(
        2,
        "any",
        serde_json::to_vec(&Request::from(waiting)).unwrap(),
    );
    json(3, "sequences", serde_json::to_vec(&request).unwrap());
    json(4, "graphs", serde_json::to_vec(&pairs).unwrap());
    json(5, "batches", serde_json::to_vec(&batches).unwrap());
    json(6, "speedup", serde_json::to_vec(&speedup).unwrap());
    json(7, "report", serde_json::to_vec(&report).unwrap());
    json(8, "report-of-graphs", serde_json::to_vec(&graphs).unwrap());
    let lengths = Question::Prove {
        settings: request.settings.clone(),
        listed: 9,
        budget: 1.0,
    };
    let about_lengths = |query| Request {
        data: QueryData::Lengths(request.counts.clone()),
        query,
    };
    let prove = Request::from(Query::from(lengths));
    let batched = about_lengths(Query::Batches(Box::new(batches.settings), true));
    let ask = |requests| encode(&WorkerRequest::Queries(requests)).unwrap();
    json(0, "ask", ask(vec![prove.clone()]));
    json(0, "ask-each", ask(vec![prove, batched.clone()]));
    let answer = Answer::Sequences(Finding::Report(Box::new(report)));
    let answers = [Ok(answer.clone()), Err("no".to_owned())].map(|outcome| TimedAnswer {
        outcome,
        seconds: 1.0,
    });
    let reply = |response| encode(&response).unwrap();
    let answers = WorkerResponse::Answers(Answers {
        first: 0,
        answers: answers.into(),
        more: false,
    });
    json(1, "reply", reply(answers));
    json(
        1,
        "refused",
        reply(WorkerResponse::Refused("no".to_owned())),
    );
    json(9, "request", encode(&batched).unwrap());
    let graphs = Question::Report {
        settings: pairs.settings.clone(),
        listed: 9,
    };
    json(10, "question-of-graphs", encode(&graphs).unwrap());
    json(11, "answer", encode(&answer).unwrap());
}
