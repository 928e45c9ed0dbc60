//! The chapter on trainers.

use super::{Reader, fetched, figure, flat, texts};
use packscope::api;
use packscope::api::trainer::{LibraryQuery, RowsQuery, outcomes};
use packscope::packing::go_on;
use packscope::trainer::batches::LibraryLimits;
use packscope::trainer::{LIBRARIES, Library, Order, PackingLibraries};
use packscope_chart::{Frame, Mark, Theme};
use packscope_page::learn::prose::{ProsePiece, pieces};
use packscope_page::learn::{ChapterPart, ChapterTable, ChapterView};
use packscope_page::state::learn::{Action as Learn, Prediction};
use packscope_page::state::{Action, AppState};

const MADE: Option<Prediction> = Some(Prediction::Made(0));

fn tables(shown: &ChapterView) -> Vec<ChapterTable> {
    let table = |part: &ChapterPart| {
        if let ChapterPart::Table(table) = part {
            Some(table.clone())
        } else {
            None
        }
    };
    flat(&shown.parts).into_iter().filter_map(table).collect()
}

/// Marks of each drawing.
fn marks(shown: &ChapterView) -> Vec<usize> {
    let frame = Frame::canvas(700.0, 300.0, 1.0, Theme::LIGHT);
    let marks = |part: &ChapterPart| {
        if let ChapterPart::Figure(f) = part {
            Some((f.draw)(&frame).marks.len())
        } else {
            None
        }
    };
    flat(&shown.parts).into_iter().filter_map(marks).collect()
}

/// Rows and lost tokens of a library, as the engine's recipe runs for one order of arrival; of axolotl on four ranks, as the
/// chapter has it: on fewer it leaves rows out.
fn run(library: &str, settings: &[(&str, &str)]) -> (u64, u64) {
    let mut chosen = Library::named(library).unwrap().start(4096);
    if library == "axolotl" {
        chosen.set("WORLD_SIZE", "4").unwrap();
    }
    settings
        .iter()
        .for_each(|(name, value)| chosen.set(name, value).unwrap());
    let data = fetched("sharegpt_8k_llama2");
    let tally = chosen
        .recipe()
        .unwrap()
        .run(&data, Order::Seed(0), &mut go_on)
        .unwrap();
    (tally.rows, tally.lost_tokens())
}

#[test]
fn twelve_sequences_fill_rows_in_four_ways() {
    let mut reader = Reader::opens("trainer");
    // Counted by hand: 11|10|15|13|10+6|7+8+5|13|9+9; then 11+6, 10+10, 15+5, 13+7, 8+9, 13, 9; then six rows. Of five cuts one, at 80, is where a
    // sequence ends.
    for (way, rows, pieces) in [(0, 8, 12), (1, 7, 12), (2, 6, 12), (3, 6, 16)] {
        reader.moves("way", &[way]);
        let shown = reader.sees();
        assert_eq!(figure(&shown, "small_rows"), Some(f64::from(rows)), "{way}");
        let packs = flat(&shown.parts).into_iter().find_map(|p| {
            if let ChapterPart::Packs(p) = p {
                Some(p.clone())
            } else {
                None
            }
        });
        let packs = packs.unwrap();
        assert_eq!((packs.packs, packs.items.len()), (rows, pieces), "{way}");
        assert!(
            (1..=packs.packs)
                .all(|pack| packs.used(pack, 0) <= 20 && packs.inside(pack).count() > 0)
        );
        let tokens: u64 = (1..=packs.packs).map(|pack| packs.used(pack, 0)).sum();
        assert_eq!(tokens, 116);
    }
    assert!(
        texts(&reader.sees())
            .iter()
            .any(|text| text.contains("but four of the sequences are in two pieces"))
    );
}

#[test]
fn figures_are_shown_once_they_were_predicted() {
    let mut reader = Reader::opens("trainer");
    let before = reader.sees();
    let shape = |table: &ChapterTable| (table.rows.len(), table.head.len());
    let shapes: Vec<_> = tables(&before).iter().map(shape).collect();
    for table in tables(&before) {
        assert!(
            table
                .rows
                .iter()
                .all(|row| row[1..].iter().all(String::is_empty)),
            "{table:?}"
        );
    }
    reader.predicts("first-fit", MADE);
    let between = reader.sees();
    let asked: Vec<bool> = tables(&between)
        .iter()
        .map(|table| table.rows[0][1].is_empty())
        .collect();
    assert_eq!(
        asked,
        [false, true],
        "what libraries lose is the other question"
    );
    assert!(
        marks(&between)[1] > marks(&before)[1],
        "rows against the window are drawn"
    );
    reader.predicts("lost-by-default", Some(Prediction::Skipped));
    let after = reader.sees();
    // Nothing but text comes: tables keep their size, drawings their place.
    assert_eq!(tables(&after).iter().map(shape).collect::<Vec<_>>(), shapes);
    assert_eq!(marks(&after).len(), marks(&before).len());
    assert!(
        marks(&after)[0] >= marks(&before)[0] + 20,
        "a dot for each library that takes the data"
    );
    assert!(
        tables(&after)
            .iter()
            .all(|table| table.rows.iter().flatten().all(|cell| !cell.is_empty()))
    );
}

/// An empty figure says what it waits for, and so does the exercise.
#[test]
fn empty_figures_say_what_fills_them() {
    let waiting = |reader: &Reader| {
        let shown = reader.sees();
        let figures = flat(&shown.parts)
            .into_iter()
            .filter_map(|part| match part {
                ChapterPart::Figure(figure) => Some((figure.draw)(&Frame::canvas(
                    760.0,
                    300.0,
                    1.0,
                    Theme::LIGHT,
                ))),
                _ => None,
            });
        let says = |mark: &Mark| matches!(mark, Mark::Text { text, .. } if text.starts_with("Predict above"));
        let drawn = figures.filter(|scene| scene.marks.iter().any(says)).count();
        let told = texts(&shown)
            .iter()
            .filter(|text| text.starts_with("Predict above"))
            .count();
        (drawn, told, shown.task.starts_with("Answer both questions"))
    };
    let mut reader = Reader::opens("trainer");
    assert_eq!(waiting(&reader), (2, 2, true));
    reader.predicts("first-fit", MADE);
    assert_eq!(waiting(&reader), (1, 1, true));
    reader.predicts("lost-by-default", MADE);
    assert_eq!(waiting(&reader), (0, 0, false));
}

#[test]
fn figures_are_those_of_the_engine() {
    let mut reader = Reader::opens("trainer");
    for question in ["first-fit", "lost-by-default"] {
        reader.predicts(question, MADE);
    }
    let shown = reader.sees();
    let near = |name: &str, expected: f64, close: f64| {
        let value = figure(&shown, name).unwrap_or_else(|| panic!("no {name}"));
        assert!(
            (value - expected).abs() <= close,
            "{name}: {value}, not {expected}"
        );
    };
    // Means over three orders of arrival, of which this is the first.
    let (dropped, lost) = run("axolotl", &[]);
    near("axolotl_rows", dropped as f64, 3.0);
    near("rows_now", dropped as f64, 3.0);
    let tokens = fetched("sharegpt_8k_llama2").total()[0] as f64;
    near("lost_now", lost as f64 / tokens, 1e-12);
    near("trl_rows", run("trl", &[]).0 as f64, 5.0);
    // Best-fit decreasing over all is the best plan that is known: all others are compared with it.
    let best = run("trl", &[("map_batch_size", "100000")]).0 as f64;
    let truncate = ("excess_length_strategy", "truncate");
    let next = run(
        "axolotl",
        &[truncate, ("sample_packing_sequentially", "true")],
    )
    .0 as f64;
    near("next_fit_above", next / best - 1.0, 0.005);
    near("best_rows", best, 0.5);
    // The last row of the table lets a reader check the others.
    let plain = |cell: &str| match &pieces(cell)[0] {
        ProsePiece::Figure { value, .. } => value.parse::<f64>().unwrap(),
        other => panic!("{other:?}"),
    };
    let ways = &tables(&shown)[0].rows;
    let best_row = ways.iter().find(|row| row[0] == "Best plan").unwrap();
    for way in &ways[..3] {
        let checked = plain(&way[1]) / plain(&best_row[1]) - 1.0;
        assert!(
            (checked - plain(&way[2])).abs() < 0.001,
            "{way:?} {best_row:?}"
        );
    }
    near(
        "first_fit_above",
        run("axolotl", &[truncate]).0 as f64 / best - 1.0,
        0.001,
    );
    let many = LIBRARIES.iter().filter(|library| {
        let recipe = library.start(4096).recipe().unwrap();
        let tally = recipe.run(&fetched("sharegpt_8k_llama2"), Order::Seed(0), &mut go_on);
        tally.is_ok_and(|tally| tally.lost_tokens() as f64 > 0.1 * tokens)
    });
    let title = format!(
        "{} of {} libraries lose more than a tenth",
        many.count(),
        LIBRARIES.len()
    );
    assert!(
        texts(&shown).iter().any(|text| text.starts_with(&title)),
        "{title}"
    );
    // Every library is in the table once.
    let fates = &tables(&shown)[1];
    for library in LIBRARIES {
        let rows = fates.rows.iter().filter(|row| {
            row[3]
                .split(": ")
                .nth(1)
                .is_some_and(|names| names.split("; ").any(|name| name == library.title))
        });
        assert_eq!(rows.count(), 1, "{}", library.title);
    }
    assert!(
        texts(&shown)
            .iter()
            .any(|text| text.contains("**excess_length_strategy: truncate**"))
    );
}

#[test]
fn the_exercise_takes_a_setting_and_the_smallest_window() {
    let mut reader = Reader::opens("trainer");
    reader.predicts("lost-by-default", MADE);
    assert!(
        reader.sees().finding == "At its defaults a library may drop 54.3 % of the tokens",
        "{}",
        reader.sees().finding
    );
    reader.moves("excess", &[1]);
    assert!(
        reader
            .sees()
            .finding
            .starts_with("One setting brings 38.2 % of the tokens back")
    );
    // Packed anew in windows of each size: the smallest with at most 3 % more rows than the best plan.
    let best = run("trl", &[("map_batch_size", "100000")]).0 as f64;
    let more = |place: u32| {
        let window = (16u32 << place).to_string();
        let settings = [
            ("excess_length_strategy", "truncate"),
            ("sample_packing_group_size", &*window),
        ];
        run("axolotl", &settings).0 as f64 / best - 1.0
    };
    let smallest = (0..=11).find(|place| more(*place) <= 0.03).unwrap();
    for place in 0..=11 {
        reader.moves("window", &[place]);
        assert!(!reader.sees().is_done(), "one answer is not told yet");
    }
    reader.predicts("first-fit", MADE);
    for place in 0..=11 {
        reader.moves("window", &[place]);
        let shown = reader.sees();
        assert_eq!(shown.is_done(), place == smallest, "{place}");
        assert!(
            (figure(&shown, "window_arrival").unwrap() - more(place)).abs() < 1e-9,
            "{place}"
        );
    }
    reader.moves("window", &[smallest]);
    assert!(
        reader
            .sees()
            .found
            .starts_with("A window of 512 is enough, of 30,731 sequences")
    );
    reader.moves("excess", &[0]);
    assert!(
        !reader.sees().is_done(),
        "more than half of the tokens are lost"
    );
}

#[test]
fn the_window_is_chosen_on_the_drawing() {
    let mut reader = Reader::opens("trainer");
    reader.predicts("first-fit", MADE);
    let shown = reader.sees();
    let drawing = |part: &&ChapterPart| {
        if let ChapterPart::Figure(figure) = part {
            Some(figure.clone())
        } else {
            None
        }
    };
    let drawing = flat(&shown.parts).iter().rev().find_map(drawing).unwrap();
    let frame = Frame::canvas(700.0, 300.0, 1.0, Theme::LIGHT);
    let press = drawing.press.clone().unwrap();
    let places: Vec<u32> = (0..=700)
        .step_by(10)
        .filter_map(|x| Some(press(f64::from(x), 100.0, &frame)?.1[0]))
        .collect();
    assert!(
        places.is_sorted() && places.first() == Some(&0) && places.last() == Some(&11),
        "{places:?}"
    );
    let step = drawing.step.clone().unwrap();
    assert_eq!(step([-1, 0]), Some(("window", vec![10])));
    assert_eq!(step([1, 0]), Some(("window", vec![11])));
}

/// While the engine works, a sentence says at what; no headings stand over nothing.
#[test]
fn what_is_computed_is_told_until_it_is_there() {
    let state =
        AppState::default().reduce(Action::Navigate("view=learn&chapter=trainer".to_owned()));
    let chapter = packscope_page::learn::Chapter::named("trainer");
    let lengths = std::rc::Rc::new(fetched("sharegpt_8k_llama2").lengths());
    let loaded = state.reduce(Action::Learn(Learn::Loaded(
        "sharegpt_8k_llama2",
        Some(lengths),
    )));
    for state in [state, loaded] {
        let shown = (chapter.show)(&chapter.context(&state.learn));
        let last = shown.parts.last().unwrap();
        let told = |part: &ChapterPart| match part {
            ChapterPart::Text(text) => [
                "in these four ways",
                "as each library does",
                "in windows of every size",
            ]
            .iter()
            .all(|task| text.contains(task)),
            _ => false,
        };
        assert!(told(last), "{last:?}");
        assert!(
            !shown
                .parts
                .iter()
                .any(|part| matches!(part, ChapterPart::Title(_)))
        );
    }
}

/// Every dot has a name, or is counted beside one.
#[test]
fn dots_without_a_name_are_counted() {
    let mut reader = Reader::opens("trainer");
    for question in ["first-fit", "lost-by-default"] {
        reader.predicts(question, MADE);
    }
    let shown = reader.sees();
    let frame = Frame::canvas(940.0, 380.0, 1.0, Theme::LIGHT);
    let scene = flat(&shown.parts).into_iter().find_map(|part| match part {
        ChapterPart::Figure(figure) if figure.label.starts_with("Tokens lost") => {
            Some((figure.draw)(&frame))
        }
        _ => None,
    });
    let scene = scene.unwrap();
    let texts = || {
        scene.marks.iter().filter_map(|m| {
            if let Mark::Text { text, .. } = m {
                Some(text)
            } else {
                None
            }
        })
    };
    // "TRL, Axolotl +3": names that fit, and the number of others at the same place.
    let names = |text: &String| {
        let (names, more) = text.rsplit_once(" +").unwrap_or((text, "0"));
        let is_title = |name: &str| LIBRARIES.iter().any(|l| l.title == name);
        let parts = names.split(", ").collect::<Vec<_>>();
        // Titles have commas, too, and one begins with another: the longest counts.
        let (mut named, mut from) = (0, 0);
        while from < parts.len() {
            let end = (from + 1..=parts.len())
                .rev()
                .find(|end| is_title(&parts[from..*end].join(", ")));
            named += usize::from(end.is_some());
            from = end.unwrap_or(from + 1);
        }
        (named > 0).then(|| (named, more.parse::<usize>().unwrap()))
    };
    let (named, counted) = texts()
        .filter_map(names)
        .fold((0, 0), |(a, b), (named, more)| (a + named, b + more));
    let dots = LIBRARIES
        .iter()
        .filter(|l| figure_of(&shown, l.title))
        .count();
    assert!(
        named > dots / 2 && named + counted == dots,
        "{named} + {counted} of {dots}"
    );
}

/// Whether the label of the drawing has a library.
fn figure_of(shown: &ChapterView, title: &str) -> bool {
    flat(&shown.parts).into_iter().any(|part| match part {
        ChapterPart::Figure(figure) => figure.label.contains(&format!("{title} ")),
        _ => false,
    })
}

#[test]
fn without_its_data_the_chapter_says_so_and_asks_again() {
    let state =
        AppState::default().reduce(Action::Navigate("view=learn&chapter=trainer".to_owned()));
    let chapter = packscope_page::learn::Chapter::named("trainer");
    assert_eq!(chapter.missing(&state.learn), ["sharegpt_8k_llama2"]);
    assert!(!chapter.is_current(&state.learn));
    let absent = state.reduce(Action::Learn(Learn::Loaded("sharegpt_8k_llama2", None)));
    let here = chapter.context(&absent.learn);
    assert!(
        texts(&(chapter.show)(&here))
            .iter()
            .any(|text| text.contains("could not be loaded"))
    );
    assert!(chapter.missing(&absent.learn).is_empty());
    let again = absent.reduce(Action::Navigate("view=learn&chapter=trainer".to_owned()));
    assert_eq!(chapter.missing(&again.learn), ["sharegpt_8k_llama2"]);
}

#[test]
fn the_tool_is_told_the_same_settings() {
    let mut reader = Reader::opens("trainer");
    reader.moves("excess", &[1]);
    let opens = reader
        .chapter
        .opened(&reader.chapter.context(&reader.state.learn));
    let there = AppState::default().reduce(Action::Navigate(format!(
        "view=sequences&{}",
        opens.settings
    )));
    assert_eq!(there.trainer.choice.library.as_deref(), Some("axolotl"));
    let settings: Vec<(&str, &str)> = there
        .trainer
        .choice
        .settings
        .iter()
        .map(|field| (field.name.as_str(), field.value.as_str()))
        .collect();
    assert_eq!(
        settings,
        [
            ("sample_packing", "true"),
            ("excess_length_strategy", "truncate"),
            ("WORLD_SIZE", "4")
        ]
    );
}

#[test]
fn several_libraries_answer_in_order() {
    let counts = vec![(10, 40), (30, 25), (70, 9)];
    let data = packscope::histogram::Histogram::from_lengths(counts).unwrap();
    let answer = |asked: Vec<LibraryQuery>| outcomes(&asked, &data, &mut go_on).unwrap();
    let asked = |library: &str| LibraryQuery::about(library, &[], 64, 2);
    let all = answer(LIBRARIES.iter().map(|library| asked(library.id)).collect());
    let titles: Vec<&str> = all.iter().map(|(title, _)| title.as_str()).collect();
    assert_eq!(
        titles,
        LIBRARIES
            .iter()
            .map(|library| library.title)
            .collect::<Vec<_>>()
    );
    let some = answer(vec![
        asked("trl"),
        asked("none"),
        asked("axolotl").thoroughly(),
    ]);
    assert_eq!(
        some.iter()
            .map(|(title, _)| title.as_str())
            .collect::<Vec<_>>(),
        ["TRL", "", "Axolotl"]
    );
    assert_eq!(some[0].1, all[0].1);
    assert!(
        some[1]
            .1
            .refused
            .as_ref()
            .is_some_and(|why| why.contains("none")),
        "{:?}",
        some[1].1.refused
    );
    assert_eq!(some[2].1.figures, all[1].1.figures);
    assert!(some[2].1.curve.is_some() && all[1].1.curve.is_none());
    // The same as the question of the tool.
    let same = asked("trl")
        .request::<PackingLibraries>(LibraryLimits {
            limit: 64,
            batch: 1,
        })
        .on(&data, &mut go_on)
        .unwrap();
    assert_eq!(same.answers[0].figures, some[0].1.figures);
    let none = RowsQuery {
        order: vec![1],
        asked: vec![asked("none")],
    };
    assert!(
        api::run(&none, &mut go_on)
            .unwrap_err()
            .to_string()
            .contains("none")
    );
}
