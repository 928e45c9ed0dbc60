//! A chapter on a full screen: its pictures one at a time, each under the sentence that it shows, with its knobs.

use super::prose::{ProsePiece, pieces};
use super::{Chapter, ChapterPart, ChapterView, KnobKind};

/// A picture of a chapter, to fill a screen.
#[derive(Debug, Clone)]
pub struct Screen {
    /// The finding that the picture shows. Markup.
    pub heading: String,
    /// The picture, below the choices and the buttons that belong to it.
    pub parts: Vec<ChapterPart>,
    /// The knobs that are numbers within the text of the page, by name.
    pub numbers: Vec<&'static str>,
    /// The knob that arrow keys move.
    pub stepped: Option<Stepped>,
}

/// A knob that arrow keys move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stepped {
    pub knob: &'static str,
    /// The least and the greatest number in use.
    pub range: [u32; 2],
    pub step: u32,
}

impl Stepped {
    /// Returns the number after so many steps upwards from another.
    pub fn moved(self, from: u32, steps: i32) -> u32 {
        let way = self.step.saturating_mul(steps.unsigned_abs());
        let to = match steps < 0 {
            true => from.saturating_sub(way),
            false => from.saturating_add(way),
        };
        to.clamp(self.range[0], self.range[1])
    }
}

/// The part of a chapter between two headings.
#[derive(Default)]
struct Section {
    heading: String,
    knobs: Vec<ChapterPart>,
    numbers: Vec<&'static str>,
    pictures: Vec<ChapterPart>,
}

/// Returns the pictures of a chapter as its knobs stand, in their order. Knobs in `hidden` are left out.
pub fn screens(
    chapter: &Chapter,
    view: &ChapterView,
    hidden: impl Fn(&str) -> bool,
) -> Vec<Screen> {
    let mut screens = Vec::new();
    // A picture without knobs of its own is moved by those that stand last before it.
    let mut last = Section::default();
    for section in sections(chapter, view, &hidden) {
        let moved = !(section.knobs.is_empty() && section.numbers.is_empty());
        let by = if moved { &section } else { &last };
        for picture in &section.pictures {
            let mut numbers = by.numbers.clone();
            let mut parts = by.knobs.clone();
            parts.push(picture.clone());
            // What stands beside a picture comes with it.
            let inner = inside(chapter, picture, &hidden);
            numbers.retain(|name| !inner.contains(name));
            let stepped = stepped(chapter, &parts, &[&numbers[..], &inner[..]].concat());
            screens.push(Screen {
                heading: section.heading.clone(),
                parts,
                numbers,
                stepped,
            });
        }
        if moved {
            last = section;
        }
    }
    screens
}

fn sections(chapter: &Chapter, view: &ChapterView, hidden: &impl Fn(&str) -> bool) -> Vec<Section> {
    let mut all = vec![Section {
        heading: view.finding.clone(),
        ..Section::default()
    }];
    for part in &view.parts {
        if let ChapterPart::Title(title) = part {
            all.push(Section {
                heading: title.clone(),
                ..Section::default()
            });
            continue;
        }
        let Some(section) = all.last_mut() else {
            continue;
        };
        match part {
            ChapterPart::Words(knob) | ChapterPart::Player(knob, ..) if !hidden(knob) => {
                section.knobs.push(part.clone());
            }
            ChapterPart::Text(text) => {
                for name in numbers(chapter, text, hidden) {
                    if !section.numbers.contains(&name) {
                        section.numbers.push(name);
                    }
                }
            }
            ChapterPart::Figure(_)
            | ChapterPart::Ends(_)
            | ChapterPart::Packs(_)
            | ChapterPart::Table(_)
            | ChapterPart::Beside(..) => section.pictures.push(part.clone()),
            _ => {}
        }
    }
    all
}

/// Returns the knobs that are numbers within a text.
fn numbers(chapter: &Chapter, text: &str, hidden: &impl Fn(&str) -> bool) -> Vec<&'static str> {
    let known = |piece| match piece {
        ProsePiece::Knob(name) => chapter.knob(name).map(|knob| knob.name),
        _ => None,
    };
    let all = pieces(text).into_iter().filter_map(known);
    all.filter(|name| !hidden(name)).collect()
}

/// Returns the knobs within what stands beside a picture.
fn inside(
    chapter: &Chapter,
    part: &ChapterPart,
    hidden: &impl Fn(&str) -> bool,
) -> Vec<&'static str> {
    let ChapterPart::Beside(left, right) = part else {
        return Vec::new();
    };
    let of = |part: &ChapterPart| match part {
        ChapterPart::Text(text) => numbers(chapter, text, hidden),
        ChapterPart::Words(knob) if !hidden(knob) => vec![*knob],
        _ => Vec::new(),
    };
    left.iter().chain(right).flat_map(of).collect()
}

/// Returns the knob that arrow keys move: the steps of a player, else the first number, else the first choice.
fn stepped(chapter: &Chapter, parts: &[ChapterPart], numbers: &[&'static str]) -> Option<Stepped> {
    let player = parts.iter().find_map(|part| match part {
        ChapterPart::Player(knob, last, ..) => Some(Stepped {
            knob,
            range: [0, *last],
            step: 1,
        }),
        _ => None,
    });
    let of = |name: &&'static str| {
        let knob = chapter.knob(name)?;
        let step = match knob.kind {
            KnobKind::Number { step, .. } => step.max(1),
            KnobKind::Words(_) => 1,
            KnobKind::Numbers { .. } => return None,
        };
        Some(Stepped {
            knob: knob.name,
            range: knob.range(),
            step,
        })
    };
    let words = || {
        parts.iter().find_map(|part| match part {
            ChapterPart::Words(knob) => of(knob),
            _ => None,
        })
    };
    player
        .or_else(|| numbers.iter().find_map(of))
        .or_else(words)
}
