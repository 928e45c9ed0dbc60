//! Drawings as files: every kind is saved completely, with its title, its data and its settings.

use super::{entries, extent, texts};
use packscope_chart::svg::{Words, sheet, svg};
use packscope_chart::{Area, Chart, Frame, Scale, Scene, Theme, histogram};

fn words() -> Words {
    Words {
        title: "Half of the sequences have <4 & more> tokens".to_owned(),
        about:
            "\"R&D\" <b>mine</b>.csv, 8,551 sequences · Maximum length 512 tokens · Algorithm LPFHP"
                .to_owned(),
        source: "Packscope · https://example.org/packscope/".to_owned(),
    }
}

/// Elements and texts of a document whose tags are closed in order; panics where they are not.
fn parsed(xml: &str) -> Vec<(String, String)> {
    let (mut open, mut found, mut rest) = (Vec::<String>::new(), Vec::new(), xml);
    while let Some((text, tail)) = rest.split_once('<') {
        assert!(!text.contains('>'), "a bare > in {text:?}");
        for entity in text.split('&').skip(1) {
            let known = ["amp;", "lt;", "gt;", "quot;", "apos;", "#"]
                .iter()
                .any(|e| entity.starts_with(e));
            assert!(known, "a bare & before {entity:?}");
        }
        if let (Some(name), false) = (open.last(), text.trim().is_empty()) {
            found.push((name.clone(), text.trim().to_owned()));
        }
        let (tag, tail) = tail.split_once('>').unwrap();
        assert!(tag.matches('"').count() % 2 == 0, "quotes in {tag:?}");
        let name: String = tag
            .trim_start_matches('/')
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) => assert_eq!(open.pop(), Some(name)),
            (_, true) => {}
            _ => open.push(name),
        }
        rest = tail;
    }
    assert!(
        open.is_empty() && rest.trim().is_empty(),
        "{open:?} is not closed"
    );
    found
}

/// Any drawing: the file is well-formed, and has the words and all the drawing.
pub fn assert_saved(name: &str, scene: &Scene, frame: &Frame) {
    let words = words();
    let text = svg(|_| scene.clone(), [frame.width, frame.height], &words);
    let found = parsed(&text);
    let one = |element: &str| {
        found
            .iter()
            .find(|(e, _)| e == element)
            .map(|(_, text)| text.as_str())
    };
    assert_eq!(
        one("title"),
        Some("Half of the sequences have &lt;4 &amp; more&gt; tokens"),
        "{name}"
    );
    assert!(
        one("desc")
            .is_some_and(|d| d.contains("R&amp;D") && d.contains("&lt;b&gt;mine&lt;/b&gt;.csv")),
        "{name}"
    );
    for drawn in texts(scene)
        .into_iter()
        .filter(|words| !words.trim().is_empty())
    {
        let plain = drawn
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        assert!(
            found.iter().any(|(e, t)| e == "text" && *t == plain.trim()),
            "{name}: {drawn:?} is not there"
        );
    }
    let (sheet, around) = sheet(scene.clone(), frame, &words);
    let lines = sheet.marks.len() - scene.marks.len();
    assert!(lines >= 3, "{name}: title, data, source");
    let (before, rest) = sheet.marks.split_at(lines - source_lines(&sheet, &words));
    let (drawing, after) = rest.split_at(scene.marks.len());
    // What has no points is nowhere, and what is beyond all screens is not told apart from its neighbours.
    let near = |area: &Area| area.left.abs() < 1e6 && area.top.abs() < 1e6;
    let areas = scene
        .marks
        .iter()
        .zip(drawing)
        .map(|(one, other)| (extent(one), extent(other)));
    let moves: Vec<(f64, f64)> = areas
        .filter(|(a, _)| near(a))
        .map(|(a, b)| (b.left - a.left, b.top - a.top))
        .collect();
    let mut known = moves.iter();
    let first = known.next().copied().unwrap_or_default();
    let same = |(x, y): &(f64, f64)| (x - first.0).abs() < 1e-6 && (y - first.1).abs() < 1e-6;
    assert!(known.all(same), "{name}: all of it is moved by as much");
    // A word of its own is never broken, however little room there is.
    for mark in before
        .iter()
        .chain(after)
        .take_while(|_| frame.width >= 300.0)
    {
        let Area {
            left,
            right,
            bottom,
            ..
        } = extent(mark);
        let inside = left >= -0.5 && right <= around.width + 1.0 && bottom <= around.height + 1.0;
        assert!(
            inside,
            "{name}: {mark:?} is outside {} × {}",
            around.width, around.height
        );
    }
}

/// Lines of the source.
fn source_lines(sheet: &Scene, words: &Words) -> usize {
    let texts = texts(sheet);
    let is_source = |n: &usize| texts[texts.len() - n..].join(" ") == words.source;
    (1..=texts.len()).find(is_source).unwrap()
}

#[test]
fn a_saved_histogram_says_what_it_is_and_is_light() {
    let data = entries("squad_1_1_bert_384");
    let draw = |frame: &Frame| {
        let input = histogram::Input {
            entries: data.clone(),
            limit: 384,
            end: None,
            scale: Scale::Linear,
            across: histogram::Across::Linear,
            hues: 384.into(),
            lit: vec![],
            items: "sequences",
            unit: "tokens".to_owned(),
        };
        assert_eq!(frame.theme, Theme::LIGHT);
        input.scene(frame)
    };
    let text = svg(draw, [660.0, 300.0], &words());
    assert!(
        text.starts_with("<svg ") && text.contains(" role=\"img\">"),
        "{}",
        &text[..200]
    );
    let found = parsed(&text);
    let drawn: Vec<&str> = found
        .iter()
        .filter(|(e, _)| e == "text")
        .map(|(_, t)| t.as_str())
        .collect();
    assert_eq!(
        drawn[0],
        "Half of the sequences have &lt;4 &amp; more&gt; tokens"
    );
    assert!(
        drawn[1].starts_with("\"R&amp;D\" &lt;b&gt;mine") || drawn[1].starts_with("&quot;R&amp;D"),
        "{}",
        drawn[1]
    );
    assert_eq!(
        drawn.last(),
        Some(&"Packscope · https://example.org/packscope/")
    );
    assert_eq!(text, svg(draw, [660.0, 300.0], &words()));
}

#[test]
fn words_too_long_for_a_line_go_on_in_the_next() {
    let long = Words {
        title: "padding ".repeat(40),
        ..words()
    };
    let frame = Frame::svg(330.0, 100.0, Theme::LIGHT);
    let (narrow, around) = sheet(Scene::default(), &frame, &long);
    let wide = Frame::svg(3300.0, 100.0, Theme::LIGHT);
    assert!(narrow.marks.len() > 8 && sheet(Scene::default(), &wide, &long).0.marks.len() == 3);
    assert!(around.height > 250.0, "{}", around.height);
    let empty = sheet(Scene::default(), &frame, &Words::default());
    assert!(empty.0.marks.is_empty() && empty.1.height > frame.height);
}
