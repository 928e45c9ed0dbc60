//! Export: plans as files, items in their packs, tables, lines to paste.

use crate::common::{built_in, built_in_graphs, histograms};
use packscope::api::{self, batch, tuple};
use packscope::cost::Assumptions;
use packscope::export::snippet::{self, DataLocation, SnippetContext, SnippetSetting, Tool};
use packscope::export::{AssignedItem, Assigner, AssignmentWriter, Document, Form, over};
use packscope::histogram::{Histogram, Overlong};
use packscope::ingest::{File, Options, RecordVisitor, open_telling};
use packscope::packing::{Algorithm, Depth, go_on};
use packscope::ranks::{self, Dealing, RankUnit, Scheduler, Weight};
use packscope::rng::Random;
use packscope::sampler::Sampler;
use proptest::prelude::*;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;

const ALL: u32 = u32::MAX;

fn planned(h: &Histogram<1>, settings: &api::Settings) -> (Document<1>, api::Report) {
    let report = api::run_on(h, settings, ALL, &mut go_on).unwrap();
    (Document::of_sequences(&report, "data").unwrap(), report)
}

fn text(document: &Document<1>) -> String {
    let mut text = String::new();
    document.json(&mut |piece| text += piece);
    text
}

/// The same plan; shares may differ in their last digit, as a fraction read from decimals does.
fn same<const K: usize>(read: &Document<K>, written: &Document<K>) {
    let whole = |d: &Document<K>| {
        let f = &d.about.figures;
        (
            f.items,
            f.packs,
            f.slots.clone(),
            f.padding_tokens.clone(),
            f.lower_bound,
            d.about.settings.clone(),
        )
    };
    assert_eq!(read.strategies, written.strategies);
    assert_eq!(whole(read), whole(written));
    assert_eq!(
        (&read.about.data, &read.about.limits),
        (&written.about.data, &written.about.limits)
    );
}

/// Items in a random order.
fn shuffled(h: &Histogram<1>, seed: u64) -> Vec<u32> {
    let mut items: Vec<u32> = h
        .entries()
        .iter()
        .flat_map(|&([l], n)| std::iter::repeat_n(l, n as usize))
        .collect();
    let mut random = Random::seeded(seed);
    (1..items.len())
        .rev()
        .for_each(|i| items.swap(i, random.below(i as u64 + 1) as usize));
    items
}

/// Every piece of every item.
fn place(
    document: &Document<1>,
    items: &[u32],
    seed: Option<u64>,
) -> Vec<(usize, AssignedItem<1>)> {
    place_by(Assigner::new(document, seed).unwrap(), items)
}

/// The same with an assigner.
fn place_by(mut assigner: Assigner<1>, items: &[u32]) -> Vec<(usize, AssignedItem<1>)> {
    let mut placed = Vec::new();
    for (i, &length) in items.iter().enumerate() {
        assigner
            .place([length], &mut |piece| placed.push((i, piece)))
            .unwrap();
    }
    assigner.finish().unwrap();
    placed
}

/// Recounts an assignment from nothing but its pieces, the items and the settings.
fn recount(items: &[u32], placed: &[(usize, AssignedItem<1>)], report: &api::Report) {
    let (s, f) = (&report.settings, &report.figures);
    let mut packs: Vec<Vec<AssignedItem<1>>> = vec![Vec::new(); f.packs as usize];
    let mut tokens = vec![0u64; items.len()];
    for (item, piece) in placed {
        tokens[*item] += u64::from(piece.size[0]);
        packs[piece.pack as usize].push(*piece);
    }
    for (&length, found) in items.iter().zip(&tokens) {
        let wanted = match s.overlong {
            _ if length <= s.limit => length,
            Overlong::Truncate => s.limit,
            Overlong::Drop => 0,
            _ => length,
        };
        assert_eq!(u64::from(wanted), *found);
    }
    for pack in &mut packs {
        pack.sort_by_key(|piece| piece.place);
        assert!(!pack.is_empty() && pack.len() as u64 <= u64::from(s.depth.get()));
        let mut next = 0;
        for (i, piece) in pack.iter().enumerate() {
            assert_eq!((piece.place, piece.offset[0]), (i as u64, next));
            next += u64::from(piece.size[0].next_multiple_of(s.align).min(s.limit));
        }
        assert!(next <= u64::from(s.limit));
    }
    assert_eq!(placed.len() as u64, f.items);
    assert_eq!(tokens.iter().sum::<u64>(), f.real_tokens[0]);
    assert_eq!(
        f.packs * u64::from(s.limit) - f.real_tokens[0],
        f.padding_tokens[0]
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_item_is_in_its_pack(
        h in histograms(40, 12, 30),
        limit in 8..50u32,
        depth in prop_oneof![Just(Depth::Unlimited), (1..5u32).prop_map(Depth::AtMost)],
        overlong in prop::sample::select(&Overlong::ALL[..]),
        align in prop::sample::select(&[1u32, 3, 8][..]),
        algorithm in prop::sample::select(&[Algorithm::Lpfhp, Algorithm::Greedy, Algorithm::Optimal][..]),
        seed in any::<u64>(),
    ) {
        let settings = api::Settings { limit, depth, overlong, align, algorithm, ..api::Settings::default() };
        // Everything may be above the limit: then there is nothing to pack.
        if let Ok(report) = api::run_on(&h, &settings, ALL, &mut go_on) {
            let document = Document::of_sequences(&report, "data").unwrap();
            let items = shuffled(&h, seed);
            recount(&items, &place(&document, &items, None), &report);
            recount(&items, &place(&document, &items, Some(seed)), &report);
            // The file brings the same plan.
            same(&Document::<1>::parse(&text(&document)).unwrap(), &document);
        }
    }
}

/// Krell et al. 2022, *Tuple Packing*, §2.6: the sizes of a pack stay, and other items of these sizes are in it.
#[test]
fn redrawn_packs_keep_their_sizes_and_hold_other_items() {
    let h = built_in("glue_rte");
    let settings = api::Settings {
        limit: 128,
        ..api::Settings::default()
    };
    let (document, report) = planned(&h, &settings);
    let items = shuffled(&h, 1);
    let redrawn = |seed: u64| {
        let assigner = Assigner::new(&document, None).unwrap();
        place_by(assigner.with_redraw(seed), &items)
    };
    // The sizes of each pack, or its items.
    let of_packs = |placed: &[(usize, AssignedItem<1>)],
                    of: fn(&(usize, AssignedItem<1>)) -> u64| {
        let mut packs = vec![Vec::new(); report.figures.packs as usize];
        placed
            .iter()
            .for_each(|piece| packs[piece.1.pack as usize].push(of(piece)));
        packs.iter_mut().for_each(|pack| pack.sort_unstable());
        packs
    };
    let size = |piece: &(usize, AssignedItem<1>)| u64::from(piece.1.size[0]);
    let item = |piece: &(usize, AssignedItem<1>)| piece.0 as u64;
    let plain = place(&document, &items, None);
    let [one, other] = [3, 4].map(redrawn);
    for drawn in [&one, &other] {
        recount(&items, drawn, &report);
        assert_eq!(of_packs(drawn, size), of_packs(&plain, size));
    }
    let [plain, drawn, other] = [&plain, &one, &other].map(|placed| of_packs(placed, item));
    let alike = |a: &[Vec<u64>], b: &[Vec<u64>]| a.iter().zip(b).filter(|(a, b)| a == b).count();
    let all = plain.len();
    assert!(alike(&plain, &drawn) < all / 4 && alike(&drawn, &other) < all / 4);
    assert_eq!(one, redrawn(3));
}

#[test]
fn other_items_are_refused_with_their_number() {
    let h = Histogram::from_lengths([(300, 2), (200, 2)]).unwrap();
    let (document, _) = planned(&h, &api::Settings::default());
    let mut assigner = Assigner::new(&document, None).unwrap();
    let mut put = |length: u32| {
        assigner
            .place([length], &mut |_| ())
            .map_err(|e| e.to_string())
    };
    assert!(put(300).is_ok() && put(300).is_ok() && put(200).is_ok());
    let refused = put(300).unwrap_err();
    assert_eq!(
        refused,
        "item 3: no slot is left for a size of 300; expected the items that the plan was made for, each once"
    );
    assert!(
        put(7)
            .unwrap_err()
            .starts_with("item 3: no slot is left for a size of 7;")
    );
    assert!(put(99_999).unwrap_err().starts_with("item 3: no slot"));
    let early = assigner.finish().unwrap_err().to_string();
    assert!(early.starts_with(
        "the end, after 3 items: 1 slot of the plan stay empty, 1 of them for a size of 200"
    ));
}

#[test]
fn graphs_are_placed_by_both_components() {
    let h = built_in_graphs("ogbg_molhiv");
    let settings = tuple::Settings {
        algorithm: packscope::packing::tuple::TupleAlgorithm::BestFit,
        ..Default::default()
    };
    let report = tuple::run_on(&h, &settings, ALL, &mut go_on).unwrap();
    let names = ["nodes", "edges"].map(str::to_owned);
    let document = Document::<2>::of_graphs(&report, &names, "molhiv").unwrap();
    let mut assigner = Assigner::new(&document, Some(1)).unwrap();
    let mut used = vec![[0u64; 2]; report.figures.packs as usize];
    for &(size, n) in h.entries() {
        for _ in 0..n {
            let each = &mut |piece: AssignedItem<2>| {
                (0..2).for_each(|k| used[piece.pack as usize][k] += u64::from(piece.size[k]));
            };
            assigner.place(size, each).unwrap();
        }
    }
    assigner.finish().unwrap();
    assert!(
        used.iter()
            .all(|[nodes, edges]| *nodes > 0 && *nodes <= 222 && *edges <= 502)
    );
    let sum = |k: usize| used.iter().map(|u| u[k]).sum::<u64>();
    assert_eq!(vec![sum(0), sum(1)], report.figures.real_tokens);
    assert_eq!(assigner.dropped(), report.overlong_items);
    let mut json = String::new();
    document.json(&mut |piece| json += piece);
    same(&Document::<2>::parse(&json).unwrap(), &document);
}

/// Sixteen million items in the memory of a few hundred strategies: what is written is counted, never kept.
#[test]
fn sixteen_million_items_stream_by() {
    let h = built_in("wikipedia_bert_512");
    let (document, report) = planned(
        &h,
        &api::Settings {
            depth: Depth::AtMost(3),
            ..Default::default()
        },
    );
    let written = Rc::new(RefCell::new((0u64, 0usize)));
    let to = Rc::clone(&written);
    let count = move |bytes: &[u8]| {
        let mut written = to.borrow_mut();
        *written = (written.0 + bytes.len() as u64, written.1.max(bytes.len()));
    };
    let mut writing =
        AssignmentWriter::new(&document, Form::Npy, Some(3), h.items(), count).unwrap();
    h.entries()
        .iter()
        .rev()
        .for_each(|(size, n)| writing.take(size, *n));
    let assigned = writing.finish().unwrap();
    assert_eq!(
        (assigned.items, assigned.pieces, assigned.dropped),
        (16_279_552, 16_279_552, 0)
    );
    assert_eq!(assigned.packs, report.figures.packs);
    let (bytes, largest) = *written.borrow();
    assert_eq!(bytes, 128 + 4 * 16_279_552);
    assert!(largest < 70_000, "{largest}");
}

fn assigned(input: &str, document: &Document<1>, form: Form) -> Result<Vec<u8>, String> {
    let out = Rc::new(RefCell::new(Vec::new()));
    let to = Rc::clone(&out);
    let write = move |bytes: &[u8]| to.borrow_mut().extend_from_slice(bytes);
    let writing =
        AssignmentWriter::new(document, form, None, 4, write).map_err(|e| e.to_string())?;
    let file = File {
        name: "items.csv",
        source: &input.as_bytes(),
    };
    let mut read = |each: &mut RecordVisitor<'_>| {
        open_telling(
            &[file],
            &Options::default(),
            false,
            &mut |_, _| ControlFlow::Continue(()),
            each,
        )
        .map(drop)
    };
    over(writing, &mut read).map_err(|e| e.to_string())?;
    Ok(out.take())
}

#[test]
fn a_file_is_assigned_in_its_order() {
    let h = Histogram::from_lengths([(300, 2), (212, 2)]).unwrap();
    let (document, _) = planned(&h, &api::Settings::default());
    let csv = assigned("length\n212\n300\n300\n212\n", &document, Form::Csv).unwrap();
    let wanted =
        "item,pack,place,offset,length\n0,0,1,300,212\n1,0,0,0,300\n2,1,0,0,300\n3,1,1,300,212\n";
    assert_eq!(String::from_utf8(csv).unwrap(), wanted);
    let npy = assigned("length,count\n212,1\n300,2\n212,1\n", &document, Form::Npy).unwrap();
    assert_eq!(npy.len(), 128 + 16);
    assert!(npy.starts_with(
        b"\x93NUMPY\x01\x00\x76\x00{'descr': '<i4', 'fortran_order': False, 'shape': (4,), }"
    ));
    assert_eq!(npy[128..], [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    assert!(
        assigned("length\n212\n", &document, Form::Csv)
            .unwrap_err()
            .starts_with("the end, after 1 item")
    );
    let split = Document {
        about: packscope::export::PlanHeader {
            overlong: Overlong::Split,
            ..document.about
        },
        ..document
    };
    assert!(
        assigned("length\n212\n", &split, Form::Npy)
            .unwrap_err()
            .contains("choose csv")
    );
}

#[test]
fn a_damaged_plan_is_refused_with_its_place() {
    let h = Histogram::from_lengths([(300, 2), (200, 2)]).unwrap();
    let good = text(&planned(&h, &api::Settings::default()).0);
    let refused = |from: &str, to: &str| {
        assert!(good.contains(from), "{good}");
        Document::<1>::parse(&good.replace(from, to))
            .unwrap_err()
            .to_string()
    };
    let line = good
        .lines()
        .position(|l| l.starts_with("{\"runs\""))
        .unwrap()
        + 1;
    assert!(refused("[300,1]", "[300,\"x\"]").starts_with(&format!("line {line}, column ")));
    assert!(refused("\"version\":1", "\"version\":2").contains("version 2; expected"));
    assert!(refused("packscope-plan", "plan").contains("expected format \"packscope-plan\""));
    assert!(refused("[300,1]", "[313,1]").starts_with("strategy 1: it holds [513]"));
    assert!(refused("\"count\":2", "\"count\":3").contains("3 packs"));
    assert!(refused("[300,1]", "[0,1]").starts_with("strategy 1:"));
    assert!(Document::<1>::parse(&good[..good.len() / 2]).is_err());
    assert!(
        Document::<2>::parse(&good)
            .unwrap_err()
            .to_string()
            .contains("expected one limit")
    );
}

/// A plan without a document places items as its document does.
#[test]
fn a_plan_places_items_without_a_document() {
    let h = built_in("squad_1_1_bert_384");
    let (document, _) = planned(
        &h,
        &api::Settings {
            limit: 200,
            ..Default::default()
        },
    );
    let plan = packscope::plan::Plan::new([200], document.strategies.clone());
    let mut assigner = Assigner::for_plan(&plan, Overlong::Truncate, None).unwrap();
    let mut spans = vec![Vec::new(); plan.packs() as usize];
    for length in shuffled(&h, 3) {
        let placed = assigner.place_whole([length]).unwrap().unwrap();
        assert_eq!(placed.size, [length.min(200)]);
        spans[placed.pack as usize].push((
            placed.offset[0],
            placed.offset[0] + u64::from(placed.size[0]),
        ));
    }
    assigner.finish().unwrap();
    for spans in &mut spans {
        spans.sort_unstable();
        assert!(spans.last().is_some_and(|last| last.1 <= 200), "{spans:?}");
        assert!(
            spans.windows(2).all(|pair| pair[0].1 == pair[1].0),
            "{spans:?}"
        );
    }
    // Dropped ones have no place, and those that would be split several.
    let place = |overlong| {
        Assigner::for_plan(&plan, overlong, None)
            .unwrap()
            .place_whole([201])
    };
    assert_eq!(place(Overlong::Drop).unwrap(), None);
    assert!(place(Overlong::Split).is_err() && place(Overlong::Reject).is_err());
}

#[test]
fn plans_that_are_not_whole_stay_here() {
    let h = built_in("squad_1_1_bert_384");
    let report = api::run_on(
        &h,
        &api::Settings {
            limit: 384,
            ..Default::default()
        },
        5,
        &mut go_on,
    )
    .unwrap();
    let error = Document::of_sequences(&report, "x")
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("or that the report does not list; choose to list all of them"),
        "{error}"
    );
    let sorted = api::Settings {
        algorithm: Algorithm::Sort,
        ..Default::default()
    };
    let report = api::run_on(&h, &sorted, ALL, &mut go_on).unwrap();
    assert!(Document::of_sequences(&report, "x").is_err());
}

/// Lines for every tool, for data and a plan with names that try to break out.
fn snippets(data: &str, plan: &str, column: &str) -> Vec<snippet::Snippet> {
    let h = Histogram::from_lengths([(300, 2), (200, 2)]).unwrap();
    let (document, report) = planned(&h, &api::Settings::default());
    let assumptions = Assumptions::default();
    let lives = DataLocation {
        path: plan.to_owned(),
        column: snippet::SizeColumn::Ids(column.to_owned()),
    };
    let setting = SnippetSetting::Sequences {
        settings: &report.settings,
        figures: &document.about.figures,
    };
    snippet::snippets(&SnippetContext {
        data,
        plan,
        setting,
        batch: 64,
        assumptions: &assumptions,
        lives: &lives,
    })
}

#[test]
fn no_name_breaks_out_of_its_literal() {
    let evil = "a\"b'c\\\n\r\u{2028}import os\u{0}#*/--{x}";
    let plain = snippets("data", "plan.json", "ids");
    for (snippet, plain) in snippets(evil, evil, evil).iter().zip(&plain) {
        // Not a line more than with harmless names.
        assert_eq!(
            snippet.text.lines().count(),
            plain.text.lines().count(),
            "{}",
            snippet.text
        );
        for line in snippet
            .text
            .lines()
            .filter(|l| l.contains("import os") && snippet.language != "sql")
        {
            let inside = line.starts_with("# ") || line.contains("\\\"b'c\\\\\\n");
            assert!(inside, "{}: {line}", snippet.tool.name());
        }
    }
}

/// Names as visitors might bring them: anything, and what breaks out of literals, comments, shells and lines.
fn names() -> impl Strategy<Value = String> {
    let odd = [
        "\"", "'", "\"\"\"", "\\", "\\\"", "\n", "\r", "\u{85}", "\u{2028}", "\u{202e}", "\u{0}",
        "#", "$(x)", "`x`",
    ];
    let odd = [
        &odd[..],
        &[
            "; rm -rf /",
            "{x}",
            "%s",
            "\u{feff}",
            "😀",
            "\u{e000}",
            "<img src=x>",
            "=1+1",
        ],
    ]
    .concat();
    prop_oneof![
        any::<String>(),
        prop::collection::vec(prop::sample::select(odd), 0..8).prop_map(|v| v.concat())
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The strings of JSON are those of Python, except that Python has no pairs of surrogates.
    #[test]
    fn any_name_is_a_value_in_python(name in names()) {
        for snippet in snippets(&name, &name, &name).iter().filter(|s| s.language == "python") {
            let line = |begin: &str| snippet.text.lines().find_map(|line| line.strip_prefix(begin));
            if let Some(literal) = line("PLAN = ") {
                prop_assert_eq!(&serde_json::from_str::<String>(literal).unwrap(), &name);
                prop_assert!(!literal.contains("\\ud"), "{}", literal);
            }
            if !snippet.tool.counts() {
                // The comment that begins with the name is one line, in every way of counting lines.
                let ends = ['\u{b}', '\u{c}', '\u{1c}', '\u{85}', '\u{2028}', '\u{2029}', '\r', '\0'];
                prop_assert!(!snippet.text.contains(ends), "{}", snippet.text);
                prop_assert!(snippet.text.starts_with("# "));
            }
        }
    }
}

#[test]
fn every_tool_has_lines_where_it_can() {
    let names: Vec<_> = snippets("d", "p", "c")
        .iter()
        .map(|s| s.tool.name())
        .collect();
    let wanted = [
        "pytorch",
        "trl",
        "nemo",
        "axolotl",
        "optimiser",
        "numpy",
        "polars",
        "duckdb",
        "spark",
        "count-duckdb",
        "count-polars",
        "count-spark",
        "count-datasets",
    ];
    assert_eq!(names, wanted);
    for tool in Tool::ALL {
        assert_eq!(tool.name().parse::<Tool>().unwrap(), tool);
    }
}

#[test]
fn every_sampler_that_a_loader_lacks_has_lines() {
    let (assumptions, lives) = (Assumptions::default(), DataLocation::default());
    for sampler in Sampler::ALL {
        let settings = batch::Settings {
            sampler,
            ..batch::Settings::default()
        };
        let setting = SnippetSetting::Batches {
            settings: &settings,
        };
        let context = SnippetContext {
            data: "data",
            plan: "plan.json",
            setting,
            batch: 64,
            assumptions: &assumptions,
            lives: &lives,
        };
        let all = snippet::snippets(&context);
        let own: Vec<_> = all
            .iter()
            .filter(|snippet| !snippet.tool.counts())
            .collect();
        if matches!(sampler, Sampler::Random | Sampler::Sorted) {
            assert!(own.is_empty(), "{sampler}");
        } else {
            assert_eq!(
                own.iter().map(|s| s.tool.sampler()).collect::<Vec<_>>(),
                [Some(sampler)]
            );
            assert!(
                own[0].executed && own[0].text.contains("LIMIT"),
                "{sampler}"
            );
        }
        // What is dropped in the view is dropped by the lines, or said.
        let settings = batch::Settings {
            overlong: Overlong::Drop,
            ..settings.clone()
        };
        let setting = SnippetSetting::Batches {
            settings: &settings,
        };
        for snippet in snippet::snippets(&SnippetContext { setting, ..context })
            .iter()
            .filter(|s| !s.tool.counts())
        {
            let drops = snippet
                .text
                .lines()
                .any(|line| line.starts_with("LIMIT, DROP_LONGER") && line.ends_with("True"));
            assert!(
                drops
                    || snippet
                        .notes
                        .iter()
                        .any(|note| note.contains("leave them out")),
                "{sampler}"
            );
        }
    }
}

#[test]
fn every_way_to_deal_has_lines() {
    let (assumptions, lives) = (Assumptions::default(), DataLocation::default());
    let lines = |settings: &ranks::Settings| {
        let setting = SnippetSetting::Ranks { settings };
        let context = SnippetContext {
            data: "a\nb",
            plan: "",
            setting,
            batch: 4,
            assumptions: &assumptions,
            lives: &lives,
        };
        snippet::snippet_for(&context, Tool::Ranks)
    };
    for unit in RankUnit::ALL {
        for dealing in Dealing::ALL {
            let settings = ranks::Settings {
                unit,
                dealing,
                weight: Weight::Model,
                ..Default::default()
            };
            let snippet = lines(&settings).unwrap();
            assert!(
                snippet.executed && snippet.text.starts_with("# a b: 8 ranks, "),
                "{}",
                snippet.text
            );
            assert!(!snippet.text.contains('{'), "{}", snippet.text);
            assert_eq!(snippet.text.contains("PAIR * length"), !dealing.is_blind());
        }
    }
    for library in Scheduler::ALL {
        for cap in [None, Some(4096)] {
            let settings = ranks::Settings {
                library: Some(library),
                cap,
                ..Default::default()
            };
            let Ok(snippet) = lines(&settings) else {
                assert!(
                    cap.is_none(),
                    "{library} stops without a cap, and has no lines"
                );
                continue;
            };
            assert!(!snippet.executed && snippet.language != "sql");
            // What is set is set by its own name, with dashes where it is an option.
            let of = |option: &str| {
                library
                    .own_names()
                    .iter()
                    .find(|(_, given)| *given == option)
            };
            let name = if cap.is_some() {
                of("cap").or(of("micro-batch"))
            } else {
                of("micro-batch")
            };
            let named = name.is_none_or(|(own, _)| {
                snippet.text.contains(own) || snippet.text.contains(&own.replace('_', "-"))
            });
            assert!(named, "{library}: {}", snippet.text);
        }
    }
}

/// What a fuzzer found: sums that left 64 bits, in the reader and in who assigns.
#[test]
fn a_plan_that_claims_more_than_there_can_be_is_refused() {
    let plan = |runs: &str, packs: u64, items: u64| {
        let h = Histogram::from_lengths([(300, 2)]).unwrap();
        let (document, _) = planned(
            &h,
            &api::Settings {
                limit: ALL,
                ..api::Settings::default()
            },
        );
        let text = text(&document);
        let (head, _) = text.rsplit_once("\"strategies\"").unwrap();
        let head = head.replace("\"packs\":1,", &format!("\"packs\":{packs},"));
        let head = head.replace("\"items\":2,", &format!("\"items\":{items},"));
        Document::<1>::parse(&format!(
            "{head}\"strategies\":[{{\"runs\":{runs},\"count\":{packs}}}]}}"
        ))
    };
    assert_eq!(plan("[[300,2]]", 1, 2).unwrap().packs(), 1);
    let refused = |runs: &str, packs, items| plan(runs, packs, items).unwrap_err().to_string();
    let many = format!("[[{ALL},{ALL}],[{},{ALL}]]", ALL - 1);
    let told = refused(&many, 1, 2);
    assert!(
        told.contains("strategy 1: it holds [18446744073709551615]; expected sizes"),
        "{told}"
    );
    let told = refused("[[1,4294967295]]", u64::MAX, 7);
    let wanted = "the plan: its strategies are of 79228162495817593515539431425 items; expected 7, as its figures say";
    assert_eq!(told, wanted);
    assert!(refused("[[300,2]]", 1, 3).contains("of 2 items; expected 3"));
}

/// What a fuzzer found: a plan whose own items had no slot in it.
#[test]
fn a_plan_whose_sizes_are_not_aligned_as_it_says_is_refused() {
    let h = Histogram::from_lengths([(5, 3), (12, 1)]).unwrap();
    let (document, _) = planned(
        &h,
        &api::Settings {
            limit: 12,
            align: 8,
            ..api::Settings::default()
        },
    );
    let written = text(&document);
    same(&Document::<1>::parse(&written).unwrap(), &document);
    let told = Document::<1>::parse(&written.replace("[8,1]", "[5,1]"))
        .unwrap_err()
        .to_string();
    assert_eq!(
        told,
        "strategy 1: it holds [5]; expected sizes from 1, in multiples of 8, that add up to [12] at most"
    );
}
