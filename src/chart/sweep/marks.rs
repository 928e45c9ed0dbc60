//! What is pointed out on the map: the front, the best, the smallest, the adopted limits.

use super::{Input, Layout, Place};
use crate::chart::plate::{Plate, nearest};
use crate::chart::{Area, Frame, Rgb, Scene, Theme, both_short, viridis};
use crate::words;

/// Over the colours of viridis white and black are seen in every theme.
const WHITE: Rgb = Theme::LIGHT.background;
const BLACK: Rgb = Theme::LIGHT.ink;
/// Radius of rings and dots.
const RADIUS: f64 = 6.0;

/// Words keep off the dots of this many points at most.
const FEW: usize = 200;

/// The Pareto front: a white line with dots.
pub(super) fn front(scene: &mut Scene, input: &Input, layout: &Layout, _frame: &Frame) {
    let area = layout.field.area;
    let places: Vec<Place> = input.front.iter().map(|limits| layout.field.point(*limits)).collect();
    let places: Vec<Place> = places.into_iter().filter(|at| area.contains(at.0, at.1)).collect();
    if places.len() > 1 {
        scene.path(places.clone(), 3.5, BLACK);
        scene.path(places.clone(), 1.5, WHITE);
    }
    let radius = if places.len() > 24 { 1.5 } else { 3.0 };
    for at in places {
        scene.disc(at, radius + 1.0, BLACK);
        scene.disc(at, radius, WHITE);
    }
}

/// The cell or the dot under the pointer.
pub(super) fn hover(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let Some(limits) = input.hover else { return };
    if let Some(cell) = layout.field.cell(limits).filter(|_| input.grid) {
        scene.outline(cell.grown(2.0), 1.0, BLACK);
        scene.outline(cell.grown(1.0), 1.0, WHITE);
    } else if input.point(limits).is_some() {
        let at = layout.field.point(limits);
        scene.disc(at, RADIUS, frame.theme.ink);
        scene.disc(at, RADIUS - 2.0, frame.theme.background);
    }
}

/// Limits with what they are; one mark for limits that are several things.
struct Named {
    limits: [u32; 2],
    roles: Vec<&'static str>,
}

fn list(input: &Input) -> Vec<Named> {
    let mut named: Vec<Named> = vec![];
    // The one that is last is painted over the others.
    let roles = [(input.best, "best"), (input.smallest, "smallest"), (input.adopted, "adopted")];
    for (limits, role) in roles.into_iter().filter_map(|(limits, role)| Some((limits?, role))) {
        match named.iter_mut().find(|n| n.limits == limits) {
            Some(same) => same.roles.push(role),
            None => named.push(Named { limits, roles: vec![role] }),
        }
    }
    named
}

/// Rings and the dot with their words, which keep off each other and off what is `taken`.
pub(super) fn named(scene: &mut Scene, input: &Input, layout: &Layout, taken: &[Area], frame: &Frame) {
    let area = layout.field.area;
    let within = area.grown(-4.0);
    let seen: Vec<(Named, Place)> = list(input)
        .into_iter()
        .map(|named| (layout.field.point(named.limits), named))
        .filter(|(at, _)| area.grown(0.5).contains(at.0, at.1))
        .map(|(at, named)| (named, at))
        .collect();
    let mut taken = taken.to_vec();
    taken.extend(seen.iter().map(|(_, at)| around(*at)));
    if !input.grid && input.points.len() <= FEW {
        taken.extend(input.points.iter().map(|point| around(layout.field.point(point.limits))));
    }
    let mut plates = vec![];
    for (named, at) in &seen {
        let lines = lines(input, named);
        let place = Plate { lines: &lines }.place(*at, within, &taken);
        taken.push(place);
        plates.push((lines, place, *at));
    }
    // All leads first: none crosses a plate.
    for (_, place, at) in &plates {
        let end = nearest(*place, *at);
        scene.path(vec![*at, end], 3.0, BLACK);
        scene.path(vec![*at, end], 1.5, WHITE);
    }
    for (named, at) in &seen {
        let known = input.point(named.limits).zip(layout.range);
        let colour = known.map_or(BLACK, |(point, range)| viridis(range.share(point.harmonic)));
        let adopted = named.roles.contains(&"adopted");
        mark(scene, *at, if adopted { frame.theme.accent } else { colour });
    }
    for (lines, place, _) in &plates {
        Plate { lines }.draw(scene, *place, frame);
    }
}

fn around(at: Place) -> Area {
    Area { left: at.0, top: at.1, right: at.0, bottom: at.1 }.grown(RADIUS + 4.0)
}

/// A white ring round a colour: the accent for the adopted limits, else that of the map.
fn mark(scene: &mut Scene, at: Place, inside: Rgb) {
    scene.disc(at, RADIUS + 2.0, BLACK);
    scene.disc(at, RADIUS + 1.0, WHITE);
    scene.disc(at, RADIUS - 2.0, BLACK);
    scene.disc(at, RADIUS - 2.5, inside);
}

/// `421 × 901: 99.05 %` and `1,943 packs, best`; without figures where they are not known.
fn lines(input: &Input, named: &Named) -> Vec<String> {
    let (limits, roles) = (both_short(named.limits), named.roles.join(", "));
    match input.point(named.limits) {
        Some(point) => vec![
            format!("{limits}: {}", words::percent(point.harmonic)),
            format!("{}, {roles}", words::plural(point.packs, "pack")),
        ],
        None => vec![limits, roles],
    }
}
