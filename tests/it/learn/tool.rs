//! What a chapter opens in the tool shows the chapter's number there: the same data, limit, algorithm, depth, trainer.

use super::{Reader, fetched, figure};
use crate::heard;
use packscope::api::trainer;
use packscope::histogram::{Preset, Sizes};
use packscope::metrics::ExpectedPadding;
use packscope::packing::go_on;
use packscope::shapes::padding_share;
use packscope_page::learn::CHAPTERS;
use packscope_page::query::{Answer, Finding, Query, Question};
use packscope_page::state::{Action, AppState, Baseline, Lane, Source, View};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The tool after a chapter's link, with its data.
fn tool(reader: &Reader) -> AppState {
    let opens = reader
        .chapter
        .opened(&reader.chapter.context(&reader.state.learn));
    let there = opens
        .actions()
        .into_iter()
        .fold(reader.state.clone(), |state, action| state.reduce(action));
    let named = opens
        .settings
        .split('&')
        .find_map(|s| s.strip_prefix("data="));
    let Some(id) = named.filter(|_| opens.own.is_none()) else {
        return there;
    };
    // As the page loads a built-in set: the limit is that of the address, or the usual one.
    let (preset, sizes) = match Preset::find(id) {
        Some(preset) => (preset, Sizes::Lengths(Rc::new(fetched(id)))),
        None => (
            Preset::find_graphs(id).unwrap(),
            Sizes::Graphs(Rc::new(crate::common::built_in_graphs(id))),
        ),
    };
    let loaded = Action::loaded(Source::Preset(preset), sizes, None, [false; 2]);
    there.reduce(loaded)
}

/// The answer that the tool asks for on a lane.
fn answer(tool: &AppState, lane: Lane) -> Answer {
    let wanted = tool.wanted();
    let query = &wanted
        .iter()
        .find(|wanted| wanted.lane == lane)
        .unwrap_or_else(|| panic!("{lane:?}: {wanted:?}"))
        .queries[0];
    if let Query::Trainer(asked) = query {
        let lengths = &tool.sequences.data.as_ref().unwrap().histogram;
        let all = trainer::outcomes(std::slice::from_ref(asked), lengths, &mut go_on).unwrap();
        return Answer::Trainers(all);
    }
    if tool.view == View::Graphs {
        let graphs = &tool.graphs.data.as_ref().unwrap().histogram;
        let request = packscope_page::query::Request {
            data: packscope_page::query::QueryData::Graphs(graphs.entries().to_vec()),
            query: query.clone(),
        };
        return heard::answer(&request).unwrap();
    }
    heard::answer_on(tool, query).unwrap()
}

fn sequences(tool: &AppState) -> packscope::metrics::Figures {
    // With the settings as they stand: an optimum is asked for in steps, and shown when it is there.
    let settings = tool.sequences.settings.clone();
    let report = Query::Sequences(Question::Report {
        settings,
        listed: 1,
    });
    match heard::answer_on(tool, &report).unwrap() {
        Answer::Sequences(Finding::Report(report)) => report.figures,
        other => panic!("{other:?}"),
    }
}

fn graphs(tool: &AppState) -> packscope::metrics::Figures {
    match answer(tool, Lane::Live) {
        Answer::Graphs(Finding::Report(report)) => report.figures,
        other => panic!("{other:?}"),
    }
}

/// Padding of the epoch on screen.
fn batches(tool: &AppState) -> f64 {
    match answer(tool, Lane::Drawn) {
        Answer::Batches(report) => report.epochs[tool.shown_epoch() as usize].padding_share,
        other => panic!("{other:?}"),
    }
}

/// The number of a chapter, by its figure or otherwise, and that of the tool.
type Number = fn(&Reader, &AppState) -> [f64; 2];

fn said(reader: &Reader, name: &str) -> f64 {
    figure(&reader.sees(), name).unwrap_or_else(|| panic!("{}: {name}", reader.chapter.id))
}

const NUMBERS: [(&str, Number); 22] = [
    ("rectangle", |reader, tool| {
        [
            said(reader, "padding"),
            1.0 - sequences(tool).baseline_efficiency[0],
        ]
    }),
    ("skew&scene.shape=2&scene.longest=400", |reader, tool| {
        [
            said(reader, "packing_factor"),
            sequences(tool).packing_factor,
        ]
    }),
    ("sorting&scene.group=15", |reader, tool| {
        [said(reader, "padding_share"), batches(tool)]
    }),
    ("buckets&scene.width=3&scene.epoch=2", |reader, tool| {
        [said(reader, "padding_share"), batches(tool)]
    }),
    ("few-shapes&scene.by=2&scene.shapes=5", |reader, tool| {
        // Asked for once they are in view.
        let asked = heard::answer_on(tool, &tool.shapes_queries()[0]);
        let Answer::Shapes(methods) = asked.unwrap() else {
            panic!("no shapes");
        };
        [said(reader, "padding_share"), padding_share(&methods[2][4])]
    }),
    ("by-hand&hide=predictions", |reader, tool| {
        [said(reader, "answer"), 1.0 - sequences(tool).efficiency[0]]
    }),
    ("watch&scene.step=60&scene.depth=1", |reader, tool| {
        [said(reader, "spfhp_packs"), sequences(tool).packs as f64]
    }),
    ("watch&scene.step=60&scene.algorithm=1", |reader, tool| {
        [said(reader, "lpfhp_packs"), sequences(tool).packs as f64]
    }),
    ("bounds&hide=predictions", |reader, tool| {
        [said(reader, "packs"), sequences(tool).packs as f64]
    }),
    ("histograms&scene.grain=3", |reader, tool| {
        [said(reader, "padding"), 1.0 - sequences(tool).efficiency[0]]
    }),
    // Four sequences in one pack.
    ("apart", |_, tool| [1.0, sequences(tool).packs as f64]),
    // The chapter's packing factor is a whole number of tenths.
    ("optimiser", |reader, tool| {
        let rows = said(reader, "sequences_per_update") / 2.0;
        [
            2.0 * rows,
            (sequences(tool).packing_factor * 10.0).round() / 10.0 * rows,
        ]
    }),
    // Scores are measured elsewhere; the tool has the batches that they are of.
    ("quality", |_, tool| {
        let bucket = tool.batch_settings().sampler == packscope::sampler::Sampler::Bucket;
        [1.0, f64::from(u8::from(bucket))]
    }),
    ("accelerators", |reader, tool| {
        [
            said(reader, "packing_factor"),
            sequences(tool).packing_factor,
        ]
    }),
    ("equal-work&scene.longest=13", |reader, tool| {
        let Answer::Ranks(report) = answer(tool, Lane::Drawn) else {
            panic!("no ranks");
        };
        [said(reader, "waits_of_both"), report.idle]
    }),
    ("trainer&hide=predictions&scene.excess=1", |reader, tool| {
        let Answer::Trainers(all) = answer(tool, Lane::Trainer) else {
            panic!("no library");
        };
        [
            said(reader, "rows_now"),
            all[0].1.figures.as_ref().unwrap().rows,
        ]
    }),
    (
        "which-train&hide=predictions&scene.limit=1024",
        |reader, tool| {
            let (data, of) = (
                tool.sequences.data.as_ref().unwrap(),
                &tool.sequences.settings,
            );
            let kept = data.histogram.fit([of.limit], of.overlong).unwrap();
            let [kept, all] = [kept.histogram.total()[0], data.histogram.total()[0]];
            [said(reader, "tokens_lost"), 1.0 - kept as f64 / all as f64]
        },
    ),
    (
        "weights&scene.rows=2&scene.accumulation=1",
        |reader, tool| {
            let Answer::Ranks(report) = answer(tool, Lane::Drawn) else {
                panic!("no ranks");
            };
            [said(reader, "update"), report.units as f64]
        },
    ),
    ("mixes", |reader, tool| {
        let all = tool.sequences.data.as_ref().unwrap().histogram.total()[0];
        [said(reader, "tokens"), all as f64]
    }),
    ("your-data&hide=predictions", |reader, tool| {
        let (data, of) = (
            tool.sequences.data.as_ref().unwrap(),
            &tool.sequences.settings,
        );
        let fitted = data
            .histogram
            .fit([of.limit], of.overlong)
            .unwrap()
            .histogram;
        assert_eq!(tool.baseline, Baseline::Batches);
        [
            said(reader, "now_padding"),
            ExpectedPadding::random(&fitted, of.batch).padding_share,
        ]
    }),
    ("graphs&scene.rule=2", |reader, tool| {
        [said(reader, "rule_nodes"), graphs(tool).efficiency[0]]
    }),
    ("limits&scene.nodes=246&scene.edges=550", |reader, tool| {
        [said(reader, "packs"), graphs(tool).packs as f64]
    }),
];

#[test]
fn the_tool_shows_the_number_of_every_chapter() {
    let told: BTreeSet<&str> = NUMBERS
        .iter()
        .map(|(address, _)| address.split('&').next().unwrap())
        .collect();
    assert_eq!(told.len(), CHAPTERS.len());
    let differs = |(address, number): &(&str, Number)| {
        let reader = Reader::opens(address);
        let [chapter, there] = number(&reader, &tool(&reader));
        let is_same = (chapter - there).abs() < 1e-9 * chapter.abs().max(1.0);
        (!is_same).then(|| format!("{address}: {chapter}, and {there} in the tool"))
    };
    let differing: Vec<String> = NUMBERS.iter().filter_map(differs).collect();
    assert!(differing.is_empty(), "{differing:#?}");
}
