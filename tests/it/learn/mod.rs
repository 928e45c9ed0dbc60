//! Lessons: properties of every chapter, and the exercise of each, solved as a reader does.

mod accelerators;
mod apart;
mod bounds;
mod buckets;
mod by_hand;
mod course;
mod data;
mod equal_work;
mod few_shapes;
mod graphs;
mod guesses;
mod histograms;
mod limits;
mod mixes;
mod optimiser;
mod prose;
mod quality;
mod quoted;
mod rectangle;
mod screens;
mod skew;
mod sorting;
mod sources;
mod tables;
mod tool;
mod trainer;
mod watch;
mod weights;
mod which_train;

use crate::heard;
use packscope::histogram::{Histogram, Preset};
use packscope::rng::Random;
use packscope_chart::{Frame, Theme};
use packscope_page::learn::glossary::{TERMS, Term};
use packscope_page::learn::prose::{ProsePiece, pieces, words};
use packscope_page::learn::{
    CHAPTERS, Chapter, ChapterPart, ChapterView, Guess, KnobKind, PREDICTIONS,
};
use packscope_page::query::{Request, TimedAnswer};
use packscope_page::state::learn::{Action as Learn, LessonAnswer, Prediction};
use packscope_page::state::{Action, AppState, Source, View};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Someone who reads a chapter.
pub struct Reader {
    pub chapter: &'static Chapter,
    pub state: AppState,
}

impl Reader {
    /// Opens a chapter by its address, and waits for the engine.
    pub fn opens(address: &str) -> Self {
        let state =
            AppState::default().reduce(Action::Navigate(format!("view=learn&chapter={address}")));
        let chapter = Chapter::named(&state.learn.chapter);
        let mut reader = Self { chapter, state };
        reader.wait();
        reader
    }

    /// Moves a knob, and waits for the engine.
    pub fn moves(&mut self, knob: &'static str, numbers: &[u32]) {
        assert!(
            self.chapter.knob(knob).is_some(),
            "{} has no {knob}",
            self.chapter.id
        );
        self.state = self
            .state
            .reduce(Action::Learn(Learn::Set(knob, numbers.to_vec())));
        self.wait();
    }

    /// What the page shows.
    pub fn sees(&self) -> ChapterView {
        (self.chapter.show)(&self.chapter.context(&self.state.learn))
    }

    /// Answers a question, has its answer shown, or takes that back.
    pub fn predicts(&mut self, question: &'static str, prediction: Option<Prediction>) {
        assert!(
            self.questions().iter().any(|guess| guess.id == question),
            "{question}"
        );
        self.state = self
            .state
            .reduce(Action::Learn(Learn::Predict(question, prediction)));
    }

    /// The questions on the page.
    pub fn questions(&self) -> Vec<Guess> {
        let guess = |part: &ChapterPart| {
            if let ChapterPart::Guess(guess) = part {
                Some(guess.clone())
            } else {
                None
            }
        };
        flat(&self.sees().parts)
            .into_iter()
            .filter_map(guess)
            .collect()
    }

    /// Loads what the page fetches.
    fn fetch(&mut self) {
        for set in self.chapter.missing(&self.state.learn) {
            let lengths = Rc::new(fetched(set).lengths());
            self.state = self
                .state
                .reduce(Action::Learn(Learn::Loaded(set, Some(lengths))));
        }
    }

    fn wait(&mut self) {
        self.fetch();
        let asked = self
            .chapter
            .unanswered(&self.chapter.context(&self.state.learn));
        let answer = |(name, request): (&str, Request)| {
            let outcome = heard::answer(&request).map_err(|e| e.to_string());
            assert!(outcome.is_ok(), "{}: {name}: {outcome:?}", self.chapter.id);
            let answered = TimedAnswer {
                outcome,
                seconds: 0.001,
            };
            (name.to_owned(), LessonAnswer { request, answered })
        };
        let answers = asked.into_iter().map(answer).collect();
        self.state = self.state.reduce(Action::Learn(Learn::Answered(answers)));
        let here = self.chapter.context(&self.state.learn);
        assert!(
            self.chapter.unanswered(&here).is_empty(),
            "{} asks on and on",
            self.chapter.id
        );
    }
}

/// A built-in set, from its file.
pub fn fetched(set: &str) -> Histogram<1> {
    let file = format!("{}/static/datasets/{set}.csv", env!("CARGO_MANIFEST_DIR"));
    Histogram::from_built_in(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// The value of a figure that the prose or a table states.
pub fn figure(shown: &ChapterView, name: &str) -> Option<f64> {
    let texts = texts(shown);
    texts
        .iter()
        .flat_map(|text| pieces(text))
        .find_map(|piece| match piece {
            ProsePiece::Figure { name: n, value, .. } if n == name => value.parse().ok(),
            _ => None,
        })
}

fn flat(parts: &[ChapterPart]) -> Vec<&ChapterPart> {
    let mut all = Vec::new();
    for part in parts {
        match part {
            ChapterPart::Beside(left, right) => all.extend([flat(left), flat(right)].concat()),
            part => all.push(part),
        }
    }
    all
}

/// Everything that is written in markup.
fn texts(shown: &ChapterView) -> Vec<String> {
    let ChapterView {
        finding,
        notice,
        task,
        found,
        parts,
        ..
    } = shown;
    let mut all: Vec<String> = [finding, notice, task, found].map(Clone::clone).to_vec();
    for condition in &shown.conditions {
        all.extend([condition.words.clone(), condition.almost.clone()]);
    }
    for part in flat(parts) {
        match part {
            ChapterPart::Text(text) | ChapterPart::Title(text) | ChapterPart::Aside(_, text) => {
                all.push(text.clone())
            }
            ChapterPart::Guess(guess) => all.extend([guess.question.clone(), guess.reveal.clone()]),
            ChapterPart::Table(t) => {
                all.extend(t.head.iter().chain(t.rows.iter().flatten()).cloned())
            }
            _ => {}
        }
    }
    all
}

fn check_markup(chapter: &Chapter, text: &str) {
    for piece in pieces(text) {
        let known = match piece {
            ProsePiece::Knob(name) => {
                matches!(
                    chapter.knob(name).map(|k| k.kind),
                    Some(KnobKind::Number { .. })
                )
            }
            ProsePiece::Term { term, .. } => Term::named(term).is_some(),
            ProsePiece::Chapter { id, .. } => CHAPTERS.iter().any(|c| c.id == id),
            ProsePiece::Words(words) => {
                !words.contains(['{', '}', '[', ']', '~']) && !words.contains("**")
            }
            ProsePiece::Figure { value, .. } => value.parse::<f64>().is_ok(),
            ProsePiece::Bold(_) | ProsePiece::Grey(_) => true,
        };
        assert!(known, "{}: {piece:?} in {text:?}", chapter.id);
    }
}

fn check_part(chapter: &Chapter, part: &ChapterPart) {
    let knob = |name: &str| {
        chapter
            .knob(name)
            .unwrap_or_else(|| panic!("{}: no {name}", chapter.id))
    };
    match part {
        ChapterPart::Words(name) => assert!(matches!(knob(name).kind, KnobKind::Words(_))),
        ChapterPart::Player(name, last, ..) => {
            let [least, most] = knob(name).range();
            assert!(
                least == 0 && *last <= most,
                "{}: {name}: {last}",
                chapter.id
            );
        }
        ChapterPart::Ends(ends) => {
            let n = knob(ends.knob).start.len();
            assert!(ends.rows.iter().all(|row| row.index < n) && !ends.label.is_empty());
        }
        ChapterPart::Packs(packs) => {
            assert!(packs.items.len() == packs.places.len() && !packs.label.is_empty());
            assert!(packs.limits.len() == packs.units.len());
            assert!(
                packs
                    .items
                    .iter()
                    .all(|item| item.size.len() == packs.limits.len())
            );
            if let Some(name) = packs.knob {
                assert_eq!(knob(name).start.len(), packs.items.len(), "{}", chapter.id);
            }
        }
        ChapterPart::Guess(guess) => {
            // A question that moves is no longer the one that was answered.
            assert!(
                !pieces(&guess.question)
                    .iter()
                    .any(|piece| matches!(piece, ProsePiece::Knob(_)))
            );
            assert!(
                guess.question.ends_with('?') && guess.reveal.len() > 20,
                "{}: {guess:?}",
                chapter.id
            );
        }
        ChapterPart::Figure(figure) => {
            assert!(
                figure.label.len() > 20,
                "{}: {:?}",
                chapter.id,
                figure.label
            );
            for width in [300.0, 620.0, 940.0] {
                let tall = (figure.tall)(width);
                assert!((40.0..=700.0).contains(&tall));
                for theme in [Theme::LIGHT, Theme::DARK] {
                    let scene = (figure.draw)(&Frame::canvas(width, tall, 1.0, theme));
                    assert!(
                        !scene.marks.is_empty(),
                        "{}: {:?}",
                        chapter.id,
                        figure.label
                    );
                }
            }
        }
        _ => {}
    }
}

fn check(reader: &Reader) {
    let shown = reader.sees();
    for text in texts(&shown) {
        check_markup(reader.chapter, &text);
    }
    for part in flat(&shown.parts) {
        check_part(reader.chapter, part);
    }
    let [finding, notice, task, found] =
        [&shown.finding, &shown.notice, &shown.task, &shown.found].map(|t| t.len());
    assert!(
        finding > 5 && notice > 20 && task > 20 && found > 20,
        "{} is silent",
        reader.chapter.id
    );
    // Every task tells its conditions, each once.
    let told: BTreeSet<&str> = shown.conditions.iter().map(|c| c.words.as_str()).collect();
    assert!(
        !told.is_empty() && told.len() == shown.conditions.len() && !told.contains(""),
        "{}: {told:?}",
        reader.chapter.id
    );
}

/// The minutes of each chapter: 200 words a minute, answers included, and two for the exercise.
#[test]
fn minutes_count_the_answers_of_the_engine() {
    let minutes = |chapter: &&'static Chapter| {
        let reader = Reader::opens(&format!("{}&hide={PREDICTIONS}", chapter.id));
        let ChapterView {
            finding,
            notice,
            task,
            found,
            parts,
            ..
        } = reader.sees();
        let part = |part: &ChapterPart| match part {
            ChapterPart::Text(text) | ChapterPart::Title(text) | ChapterPart::Aside(_, text) => {
                words(text)
            }
            ChapterPart::Guess(guess) => words(&guess.question) + words(&guess.reveal),
            _ => 0,
        };
        let all = [finding, notice, task, found]
            .iter()
            .map(|text| words(text))
            .sum::<usize>();
        let all = all + flat(&parts).into_iter().map(part).sum::<usize>();
        (chapter.id, 2 + (all as u32).div_ceil(200))
    };
    let counted: Vec<_> = CHAPTERS.iter().map(minutes).collect();
    let told: Vec<_> = CHAPTERS
        .iter()
        .map(|chapter| (chapter.id, chapter.minutes))
        .collect();
    assert_eq!(told, counted);
}

#[test]
fn conditions_tick_and_a_nearly_right_answer_hears_what_is_missing() {
    let mut reader = Reader::opens("rectangle");
    let met = |reader: &Reader| -> Vec<bool> {
        let shown = reader.sees();
        shown.conditions.iter().map(|c| c.met).collect()
    };
    assert_eq!(met(&reader), [false, true]);
    // Nothing is padding, but every row became longer than the longest was.
    reader.moves("lengths", &[64; 12]);
    assert_eq!(met(&reader), [true, false]);
    assert_eq!(
        reader.sees().almost(),
        "There is hardly any grey, but the rectangle has grown: 768 slots in place of 576."
    );
    reader.moves("lengths", &[48; 12]);
    assert!(reader.sees().is_done() && reader.sees().almost().is_empty());
    // Rounded up to 32 tokens, few steps do, but too many slots stay empty.
    let mut reader = Reader::opens("histograms");
    let grain = reader.chapter.knob("grain").unwrap().range()[1];
    reader.moves("grain", &[grain]);
    assert!(
        reader
            .sees()
            .almost()
            .contains("leaves too many slots empty"),
        "{:?}",
        reader.sees().conditions
    );
}

/// Answers that meet all that is asked for but are not the smallest: each is told so, and none of them is done.
#[test]
fn what_is_not_the_smallest_is_told_so() {
    let near = [
        (
            "limits&scene.nodes=288&scene.edges=610",
            "smaller ones do as well",
        ),
        (
            "few-shapes&scene.by=0&scene.shapes=16",
            "fewer would be as well",
        ),
        (
            "accelerators&scene.way=1&scene.crew=6&scene.rows=6",
            "half as many rows would do as well",
        ),
        (
            "equal-work&scene.longest=10",
            "twice as long would do as well",
        ),
        ("quality&scene.seeds=90", "with fewer as well"),
    ];
    for (address, told) in near {
        let shown = Reader::opens(address).sees();
        assert!(
            !shown.is_done() && shown.almost().contains(told),
            "{address}: {:?}",
            shown.conditions
        );
    }
}

#[test]
fn pieces_of_one_size_are_told_apart_by_ear() {
    let mut reader = Reader::opens("by-hand");
    let spoken = |reader: &Reader| {
        let shown = reader.sees();
        let packs = flat(&shown.parts).into_iter().find_map(|part| match part {
            ChapterPart::Packs(packs) => Some(packs.clone()),
            _ => None,
        });
        let packs = packs.unwrap();
        (0..packs.items.len())
            .map(|item| packs.spoken(item))
            .collect::<Vec<_>>()
    };
    let names = spoken(&reader);
    assert!(
        names
            .iter()
            .enumerate()
            .all(|(i, name)| !names[..i].contains(name)),
        "{names:?}"
    );
    assert_eq!(names[0], "7 tokens, 1 of 2, in no pack");
    let mut places = [0; 12];
    places[0] = 3;
    reader.moves("packs", &places);
    assert_eq!(spoken(&reader)[0], "7 tokens, 1 of 2, in pack 3");
    assert!(spoken(&Reader::opens("graphs"))[0].starts_with("A, 10 nodes and "));
}

/// Digits move pieces and are typed into numbers: in lessons they lead nowhere else.
#[test]
fn digits_do_not_leave_lessons() {
    for view in View::ALL {
        for (place, to) in View::ALL.into_iter().enumerate() {
            let opened = view.by_key(&(place + 1).to_string());
            assert_eq!(opened, (view != View::Learn).then_some(to));
        }
        assert!(
            ["0", "6", "512", "n", "", "-1"]
                .iter()
                .all(|key| view.by_key(key).is_none())
        );
    }
}

/// Numbers of an address are moved to the steps of their knob: what is written is what is computed with.
#[test]
fn numbers_of_addresses_are_on_the_steps_of_their_knobs() {
    let reader = Reader::opens("limits&scene.nodes=280&scene.edges=600");
    let here = reader.chapter.context(&reader.state.learn);
    assert_eq!([here.number("nodes"), here.number("edges")], [282, 598]);
    for chapter in CHAPTERS {
        for knob in chapter.knobs {
            let KnobKind::Number {
                least, most, step, ..
            } = knob.kind
            else {
                continue;
            };
            assert!(
                knob.start
                    .iter()
                    .all(|n| (least..=most).contains(n) && (n - least) % step == 0),
                "{knob:?}"
            );
        }
    }
}

/// A lesson's link opens the same numbers whatever was set in the tool before.
#[test]
fn links_of_lessons_pin_what_the_tool_had_set_otherwise() {
    let left = [
        "algorithm=spfhp&depth=3&align=8&trainer=axolotl&cost.accelerators=64",
        "view=graphs&depth=2&algorithm=none",
        "view=batches&sampler=sorted&batch=7&epochs=2",
        "view=ranks&ranks=2&accumulation=4",
    ];
    for chapter in CHAPTERS {
        let learn = Action::Navigate(format!("view=learn&chapter={}", chapter.id));
        let opened = |left: &[&str]| {
            let visited = left.iter().fold(AppState::default(), |state, address| {
                state.reduce(Action::Navigate((*address).to_owned()))
            });
            let reading = visited.reduce(learn.clone());
            let opens = chapter.opened(&chapter.context(&reading.learn));
            opens
                .actions()
                .into_iter()
                .fold(reading, |state, action| state.reduce(action))
                .hash()
        };
        assert_eq!(opened(&left), opened(&[]), "{}", chapter.id);
    }
}

#[test]
fn every_chapter_says_what_it_shows() {
    for chapter in CHAPTERS {
        let reader = Reader::opens(chapter.id);
        assert_eq!(reader.chapter.id, chapter.id);
        check(&reader);
        assert!(
            !reader.sees().is_done(),
            "{} is done before it is tried",
            chapter.id
        );
        assert!(!chapter.sources.is_empty() && chapter.sources.iter().all(|s| !s.at.is_empty()));
    }
}

#[test]
fn whatever_is_moved_the_page_stands() {
    let mut random = Random::seeded(7);
    for chapter in CHAPTERS {
        let mut reader = Reader::opens(chapter.id);
        for knob in chapter.knobs {
            let [least, most] = knob.range();
            for to in [most, least] {
                reader.moves(knob.name, &vec![to; knob.start.len()]);
                check(&reader);
            }
        }
        for _ in 0..12 {
            for knob in chapter.knobs {
                let [least, most] = knob.range();
                let any = |_: &u32| least + random.below(u64::from(most - least) + 1) as u32;
                let numbers: Vec<u32> = knob.start.iter().map(any).collect();
                reader.moves(knob.name, &numbers);
            }
            check(&reader);
        }
    }
}

#[test]
fn every_chapter_hands_data_to_the_tool() {
    for chapter in CHAPTERS {
        let reader = Reader::opens(chapter.id);
        let opens = chapter.opened(&chapter.context(&reader.state.learn));
        assert_ne!(opens.view, View::Learn);
        let there = opens
            .actions()
            .into_iter()
            .fold(AppState::default(), |state, action| state.reduce(action));
        let address = opens.address();
        assert_eq!(there.view, opens.view);
        // Limits are those of the chapter, not of the data.
        let limit = opens
            .settings
            .split('&')
            .find_map(|s| s.strip_prefix("limit="));
        assert!(
            limit.is_none_or(|limit| limit == there.sequences.settings.limit.to_string()),
            "{address}"
        );
        match &opens.own {
            Some((name, _)) => {
                let data = match opens.view {
                    View::Graphs => there
                        .graphs
                        .data
                        .as_ref()
                        .map(|data| (&data.source, data.histogram.items())),
                    _ => there
                        .sequences
                        .data
                        .as_ref()
                        .map(|data| (&data.source, data.histogram.items())),
                };
                let (source, items) = data.unwrap();
                let is_named = matches!(source, Source::Kept { name: own, .. } if own == name);
                assert!(is_named && !name.is_empty() && items > 1, "{address}");
            }
            None => {
                let id = opens
                    .settings
                    .split('&')
                    .find_map(|s| s.strip_prefix("data="));
                let id = id.unwrap_or_else(|| panic!("{}: no data in {address}", chapter.id));
                assert!(
                    Preset::find(id).or(Preset::find_graphs(id)).is_some(),
                    "{id}"
                );
            }
        }
    }
}

#[test]
#[ignore = "outer circle: every knob of every chapter with eight addresses"]
fn scenes_travel_in_addresses_and_bad_ones_do_no_harm() {
    for chapter in CHAPTERS {
        let mut reader = Reader::opens(chapter.id);
        for knob in chapter.knobs {
            let [_, most] = knob.range();
            reader.moves(knob.name, &vec![most; knob.start.len()]);
        }
        let hash = reader.state.hash();
        let there = AppState::default().reduce(Action::Navigate(hash.clone()));
        assert_eq!(there.learn.moved, reader.state.learn.moved, "{hash}");
        let knob = chapter.knobs.first().map_or("x", |k| k.name);
        for value in ["", "x", "1.2.3", "99999999999", "4294967295", "-1", "1..2"] {
            let reader = Reader::opens(&format!("{}&scene.{knob}={value}", chapter.id));
            check(&reader);
        }
    }
    assert_eq!(Reader::opens("no-such-chapter").chapter.id, CHAPTERS[0].id);
}

/// An address says everything: what it said of a chapter on another view was kept, and gone with the next address.
#[test]
fn chapters_are_named_on_their_own_view_alone() {
    let state = AppState::default().reduce(Action::Navigate(
        "learn.chapter=skew&learn.scene.x=3".to_owned(),
    ));
    assert_eq!(
        state,
        AppState::default().reduce(Action::Navigate(state.hash()))
    );
    assert_eq!(state.learn.chapter, "");
}

#[test]
fn teachers_links_hide_and_progress_is_kept_apart() {
    let hash = "view=learn&chapter=rectangle&hide=contents,lengths,<b>";
    let state = AppState::default().reduce(Action::Navigate(hash.to_owned()));
    let hidden: Vec<&str> = state.learn.hidden.keys().map(String::as_str).collect();
    assert_eq!(hidden, ["contents", "lengths"]);
    assert!(state.hash().contains("hide=contents,lengths"));
    let done = state.reduce(Action::Learn(Learn::Done("rectangle")));
    assert_eq!(done.hash(), state.hash());
    let elsewhere = done.reduce(Action::Navigate("view=learn&chapter=skew".to_owned()));
    assert!(elsewhere.learn.hidden.is_empty() && elsewhere.learn.done.contains_key("rectangle"));
}

#[test]
fn terms_are_told_once_and_lead_to_chapters() {
    for (i, term) in TERMS.iter().enumerate() {
        assert_eq!(
            Term::named(term.name).map(|t| t.name),
            Some(term.name),
            "two terms named {}",
            term.name
        );
        assert!(
            CHAPTERS.iter().any(|c| c.id == term.chapter),
            "{}",
            term.chapter
        );
        assert!(
            term.meaning.ends_with('.') && term.meaning.len() < 200,
            "{}",
            term.name
        );
        for form in term.forms {
            assert_eq!(Term::named(form), Some(&TERMS[i]), "{form} is told twice");
        }
    }
    // The table of terms that the architecture fixes.
    for name in [
        "item",
        "limits",
        "depth",
        "pack",
        "strategy",
        "plan",
        "padding",
        "waste",
        "efficiency",
        "packing factor",
        "realised speed-up",
        "bound",
        "gap",
        "heuristic",
        "bucket",
        "residual batch",
        "HWCap",
        "BatchCap",
        "RBM",
        "LRM",
    ] {
        assert!(Term::named(name).is_some(), "{name} is not explained");
    }
}
