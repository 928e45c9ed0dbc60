//! Words in drawings are legible on anything painted under them.

use super::extent;
use packscope_chart::{Frame, Mark, Point, Rgb, Scene, contrast};

/// A colour as the style sheet writes it: `#ecc94f`.
fn hex([r, g, b]: Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Whether a polygon covers a place.
fn is_inside(points: &[Point], (x, y): Point) -> bool {
    let edges = points.iter().zip(points.iter().cycle().skip(1));
    let crossed = |((ax, ay), (bx, by)): &(&Point, &Point)| {
        (*ay > y) != (*by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax
    };
    edges
        .map(|(a, b)| (*a, *b))
        .filter(|(a, b)| crossed(&(a, b)))
        .count()
        % 2
        == 1
}

/// The colour with which a mark covers a place; lines cover none.
fn covers(mark: &Mark, at: Point) -> Option<Rgb> {
    match mark {
        Mark::Rect(area, colour) => area.contains(at.0, at.1).then_some(*colour),
        Mark::Polygon(points, colour) => is_inside(points, at).then_some(*colour),
        Mark::Disc(middle, radius, colour) => {
            ((middle.0 - at.0).hypot(middle.1 - at.1) <= *radius).then_some(*colour)
        }
        _ => None,
    }
}

/// The words of a drawing have 4.5 : 1 on what is painted under them, from their first letter to their last.
pub fn assert_legible(name: &str, scene: &Scene, frame: &Frame) {
    for (i, mark) in scene.marks.iter().enumerate() {
        let Mark::Text { text, colour, .. } = mark else {
            continue;
        };
        let area = extent(mark);
        for share in [0.1, 0.5, 0.9] {
            let at = (
                area.left + share * area.width(),
                f64::midpoint(area.top, area.bottom),
            );
            let under = scene.marks[..i]
                .iter()
                .rev()
                .find_map(|below| covers(below, at));
            let ground = under.unwrap_or(frame.theme.background);
            let ratio = contrast(*colour, ground);
            assert!(
                ratio >= 4.5,
                "{name}: {text:?} in {} on {} is {ratio:.2}",
                hex(*colour),
                hex(ground)
            );
        }
    }
}

#[test]
fn components_know_a_phone_by_the_condition_of_the_style() {
    let style = include_str!("../../../../../static/style/style.css");
    let phone = style.lines().find_map(|line| {
        line.strip_prefix("@custom-media --phone ")?
            .strip_suffix(';')
    });
    let contents = include_str!("../../../../../src/bin/app/components/learn/contents.rs");
    assert!(contents.contains(&format!("media(\"{}\")", phone.expect("a phone"))));
}
