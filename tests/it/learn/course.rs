//! The course as a whole: its order, its paths, its sentences, the code that it shows, and the way back from the tool.

use super::Reader;
use packscope::histogram::{Histogram, Sizes};
use packscope::ingest;
use packscope::packing::{Algorithm, Depth};
use packscope::supervision::weights::{Reduction, Steps, of_epoch};
use packscope::supervision::{SampledItem, Truncation};
use packscope_page::learn::{CHAPTERS, ChapterPart, PARTS, SHORT, TITLES, data};
use packscope_page::state::learn::{Action as Learn, Prediction, YOURS};
use packscope_page::state::{Action, AppState, Source, View};
use std::collections::BTreeSet;
use std::process::Command;
use std::rc::Rc;

#[test]
fn parts_hold_all_chapters_and_paths_take_the_time_that_is_promised() {
    let chapters: usize = PARTS.iter().map(|(_, n)| n).sum();
    assert_eq!(chapters, CHAPTERS.len());
    let minutes = |is_on: &dyn Fn(&str) -> bool| -> u32 {
        CHAPTERS
            .iter()
            .filter(|c| is_on(c.id))
            .map(|c| c.minutes)
            .sum()
    };
    assert!(minutes(&|id| SHORT.contains(&id)) <= 30, "half an hour");
    assert!(
        (60..=120).contains(&minutes(&|_| true)),
        "two hours at most"
    );
    // In order, and each of them once.
    let places: Vec<usize> = SHORT
        .iter()
        .map(|id| CHAPTERS.iter().position(|c| c.id == *id).unwrap())
        .collect();
    assert!(
        places.windows(2).all(|pair| pair[0] < pair[1]),
        "{places:?}"
    );
}

/// Addresses of chapters are in the world: none may go.
#[test]
fn every_address_of_a_chapter_still_opens_it() {
    let known = [
        "rectangle",
        "skew",
        "sorting",
        "by-hand",
        "watch",
        "histograms",
        "apart",
        "trainer",
        "optimiser",
        "quality",
        "graphs",
        "limits",
        "buckets",
        "few-shapes",
        "accelerators",
        "equal-work",
        "bounds",
        "your-data",
        "which-train",
        "weights",
        "mixes",
    ];
    for id in known {
        assert_eq!(Reader::opens(id).chapter.id, id);
    }
}

#[test]
fn each_chapter_has_a_sentence_and_notes_of_its_own() {
    let kept: BTreeSet<&str> = CHAPTERS.iter().map(|chapter| chapter.keep).collect();
    assert_eq!(kept.len(), CHAPTERS.len());
    for chapter in CHAPTERS {
        let notes = chapter.notes;
        assert!(
            chapter.keep.ends_with('.') && (40..160).contains(&chapter.keep.len()),
            "{}",
            chapter.keep
        );
        assert!(
            notes.aim.starts_with("To ") && notes.aim.ends_with('.'),
            "{}",
            notes.aim
        );
        assert!(
            notes.usual.len() > 40 && notes.exam.len() > 60,
            "{}",
            chapter.id
        );
    }
    // All of them stand at the end, to print.
    let shown = Reader::opens(YOURS).sees();
    let rows = shown.parts.iter().find_map(|part| match part {
        ChapterPart::Table(table) => Some(table.rows.clone()),
        _ => None,
    });
    let told: Vec<String> = rows
        .unwrap()
        .into_iter()
        .map(|row| row[2].clone())
        .collect();
    let all: Vec<&str> = CHAPTERS.iter().map(|chapter| chapter.keep).collect();
    assert_eq!(told, all);
}

/// Runs code that chapters show, with an expression after it whose value it prints.
fn python(id: &str, expression: &str) -> String {
    let shown = Reader::opens(id).sees();
    let code = shown.parts.iter().find_map(|part| match part {
        ChapterPart::Code(_, code, _) => Some(code.clone()),
        _ => None,
    });
    let program = format!("{}\nprint({expression})", code.unwrap());
    let run = Command::new("python3").args(["-c", &program]).output();
    let run = run.unwrap();
    assert!(
        run.status.success(),
        "{id}: {}",
        String::from_utf8_lossy(&run.stderr)
    );
    String::from_utf8(run.stdout).unwrap().trim().to_owned()
}

#[test]
#[ignore = "outer circle: it runs Python, which a machine with Rust alone has not"]
fn code_of_chapters_gives_what_the_chapters_say() {
    let number = |text: String| text.parse::<f64>().unwrap();
    let says = |id: &str, figure: &str| super::figure(&Reader::opens(id).sees(), figure).unwrap();
    let padding = number(python(
        "rectangle",
        "padding([14, 30, 9, 22, 48, 12, 17, 26, 11, 19, 8, 36])",
    ));
    assert!((padding - says("rectangle", "padding")).abs() < 1e-12);
    // On all of Wikipedia as many packs as the engine.
    let wikipedia = data::lengths("wikipedia_bert_512");
    let counts: Vec<String> = wikipedia.iter().map(|(l, n)| format!("{l}: {n}")).collect();
    let packs = python(
        "watch",
        &format!("sum(spfhp({{{}}}, 512).values())", counts.join(", ")),
    );
    let plan = Algorithm::Spfhp
        .pack(
            &Histogram::from_lengths(wikipedia).unwrap(),
            512,
            Depth::Unlimited,
        )
        .unwrap();
    assert_eq!(packs, plan.packs().to_string());
    let prices = |prices: &str| {
        python(
            "bounds",
            &format!("bound({{18: 4, 10: 4, 8: 4}}, {{{prices}}}, 24)"),
        )
    };
    assert_eq!(
        prices("18: 18, 10: 10, 8: 8"),
        says("bounds", "bound").to_string()
    );
    assert_eq!(prices("18: 24, 10: 12, 8: 8"), "8");
    let buckets = Reader::opens("buckets");
    let least = super::figure(&buckets.sees(), "learning_rate_least").unwrap();
    let settings = buckets
        .chapter
        .context(&buckets.state.learn)
        .batches("buckets")
        .unwrap()
        .clone();
    let size = settings.epochs[0].batch_sizes([0.0, 1.0])[0];
    let rate = number(python(
        "buckets",
        &format!(
            "rate({}, {size}, {})",
            settings.settings.learning_rate.base, settings.settings.batch
        ),
    ));
    assert!((rate - least).abs() < 1e-12, "{rate} {least}");
    let remedies = python("optimiser", "remedies(1500, 0.9, 2)");
    assert_eq!(
        remedies,
        format!(
            "({:?}, {:?})",
            says("optimiser", "rows_same_sequences"),
            0.9f64 * 0.9
        )
    );
}

#[test]
fn boundaries_in_python_are_those_of_the_picture() {
    let reader = Reader::opens("apart");
    let ends = python("apart", "' '.join(map(str, boundaries([7, 4, 2, 1])[0]))");
    let table = super::texts(&reader.sees());
    assert!(
        table.contains(&format!("no mask; cu_seqlens: {ends}")),
        "{table:?}"
    );
    let ids = python("apart", "' '.join(map(str, boundaries([7, 4, 2, 1])[1]))");
    assert!(table.contains(&format!("have to restart: {ids}")));
    let pairs = python("apart", "sum(map(sum, boundaries([7, 4, 2, 1])[2]))");
    assert_eq!(
        pairs,
        super::figure(&reader.sees(), "own_pairs")
            .unwrap()
            .to_string()
    );
}

#[test]
#[ignore = "outer circle: it runs Python, which a machine with Rust alone has not"]
fn code_about_tokens_that_train_gives_what_the_engine_does() {
    // Each way of cutting, at limits on all sides of prompt and response.
    let (pair, limits) = (
        [900u32, 250],
        [100, 400, 499, 501, 900, 1000, 1149, 1200, 1801],
    );
    let said = python(
        "which-train",
        &format!(
            "[kept({}, {}, limit) for limit in {limits:?}]",
            pair[0], pair[1]
        ),
    );
    let span = pair[0]..pair[0] + pair[1];
    let each = limits.map(|limit| {
        let [right, left, shared] = Truncation::ALL
            .map(|cut| cut.kept(pair[0] + pair[1], std::slice::from_ref(&span), limit));
        format!("({right}, {left}, {shared})")
    });
    assert_eq!(said, format!("[{}]", each.join(", ")));
    let weights = python("weights", "[w[0] / w[1] for w in weights([10, 90])]");
    let items = [10, 90].map(|supervised| SampledItem {
        tokens: 100,
        supervised,
    });
    let steps = Steps {
        rows: 1,
        accumulation: 2,
        seed: None,
        ..Steps::default()
    };
    let epoch = of_epoch(&items, &steps).unwrap();
    let of = |reduction| epoch.of(reduction).within_step.most;
    assert_eq!(
        weights,
        format!(
            "[{:?}, {:?}]",
            of(Reduction::MicroBatch),
            of(Reduction::Step)
        )
    );
    let mut reader = Reader::opens("mixes");
    reader.predicts("lima-tokens", Some(Prediction::Skipped));
    let says = |name: &str| super::figure(&reader.sees(), name).unwrap();
    let [alpaca, gsm, lima] = ["mean_alpaca", "mean_gsm", "mean_lima"].map(says);
    let share = python(
        "mixes",
        &format!("tokens([1, 1, 1], [{alpaca}, {gsm}, {lima}])[2]"),
    );
    assert!((share.parse::<f64>().unwrap() - says("tokens_lima")).abs() < 1e-12);
    let back = python(
        "mixes",
        "documents(tokens([6, 4, 1], [100, 160, 620]), [100, 160, 620])[2]",
    );
    assert!((back.parse::<f64>().unwrap() - 1.0 / 11.0).abs() < 1e-12);
}

#[test]
fn the_tool_leads_back_to_the_chapter_and_its_scene() {
    for chapter in CHAPTERS {
        let reader = Reader::opens(chapter.id);
        let opens = chapter.opened(&chapter.context(&reader.state.learn));
        let there = opens
            .actions()
            .into_iter()
            .fold(reader.state.clone(), |state, action| state.reduce(action));
        assert_ne!(there.view, View::Learn);
        assert_eq!(there.learn.from, chapter.id);
        assert!(there.hash().contains(&format!("from={}", chapter.id)));
        let back = there.reduce(Action::Navigate(there.learn.back()));
        assert_eq!(
            (back.view, back.learn.chapter.as_str()),
            (View::Learn, chapter.id)
        );
        assert!(!back.hash().contains("from="));
    }
    // With what was moved.
    let mut reader = Reader::opens("rectangle");
    reader.moves("lengths", &[48; 12]);
    let opens = reader
        .chapter
        .opened(&reader.chapter.context(&reader.state.learn));
    let there = opens
        .actions()
        .into_iter()
        .fold(reader.state.clone(), |state, action| state.reduce(action));
    let back = there.reduce(Action::Navigate(there.learn.back()));
    assert_eq!(back.learn.moved, reader.state.learn.moved);
    // From an address that someone has kept, without a scene; other data are not those of the chapter.
    let kept = AppState::default().reduce(Action::Navigate(there.hash()));
    assert_eq!(kept.learn.back(), "view=learn&chapter=rectangle");
    let other = kept.reduce(own());
    assert_eq!(other.learn.from, "");
    assert!(TITLES.iter().any(|(id, _)| *id == "rectangle"));
}

/// Three sequences of a visitor's file.
fn own() -> Action {
    let lengths = Histogram::from_lengths([(10, 40), (50, 40), (120, 20)]).unwrap();
    let read = ingest::read::<1>(b"10\n50\n120\n", ingest::Options::default()).unwrap();
    let source = Source::Own {
        name: "mine.txt".to_owned(),
        description: Rc::new(read.description),
    };
    Action::loaded(
        source,
        Sizes::Lengths(Rc::new(lengths)),
        Some(120),
        [false; 2],
    )
}

#[test]
fn a_file_that_is_dropped_on_its_chapter_is_judged_there() {
    let mut reader = Reader::opens(YOURS);
    let met =
        |reader: &Reader| -> Vec<bool> { reader.sees().conditions.iter().map(|c| c.met).collect() };
    assert_eq!(met(&reader), [false, false]);
    reader.predicts("your-padding", Some(Prediction::Made(2)));
    reader.wait();
    assert!(!reader.sees().is_done() && reader.sees().almost().contains("a file of yours"));
    reader.state = reader.state.reduce(own());
    assert_eq!(reader.state.view, View::Learn, "the chapter stays");
    reader.wait();
    assert!(reader.sees().is_done());
    // 100 sequences with 4,800 tokens, in batches as the tool has them.
    let said = super::texts(&reader.sees());
    assert!(
        said.iter()
            .any(|t| t.starts_with("These are your data: 100 sequences of 48.0 tokens"))
    );
    let share = super::figure(&reader.sees(), "now_padding").unwrap();
    let packed = super::figure(&reader.sees(), "packed_padding").unwrap();
    // 120 fills a row of its own; 50 + 50 + 10 + 10 leave nothing.
    assert!(
        (packed - 0.0).abs() < 1e-9 && share > 0.4,
        "{packed} {share}"
    );
    // With a library there are lines to paste.
    reader.moves("library", &[1]);
    let lines = |reader: &Reader| {
        reader.sees().parts.iter().any(|part| {
            matches!(part, ChapterPart::Code(about, code, true) if *about == "The lines to paste" && code.contains("packing"))
        })
    };
    assert!(lines(&reader), "{:?}", super::texts(&reader.sees()));
    // On other chapters the file opens the tool, as before.
    let elsewhere =
        AppState::default().reduce(Action::Navigate("view=learn&chapter=skew".to_owned()));
    assert_eq!(elsewhere.reduce(own()).view, View::Sequences);
    let told = elsewhere.reduce(Action::Learn(Learn::Reset));
    assert!(told.learn.yours.is_none());
}
