//! Marks on the map: the front, the best limits, the smallest, and the adopted ones.

use super::{Input, Layout};
use crate::{
    Area, OccupiedAreas, Pen, Plate, Point as Place, Rgb, Theme, both_short, nearest, viridis,
};
use packscope::words;

/// White and black are visible on viridis in every theme.
const WHITE: Rgb = Theme::LIGHT.background;
const BLACK: Rgb = Theme::LIGHT.ink;
/// Radius of rings and dots.
const RADIUS: f64 = 6.0;

/// Words keep clear of the dots of at most this many points.
const FEW: usize = 200;

/// Draws the Pareto front: a white line with dots.
pub(super) fn front(pen: &mut Pen, input: &Input, layout: &Layout) {
    let area = layout.field.area;
    let places: Vec<Place> = input
        .front
        .iter()
        .map(|limits| layout.field.point(*limits))
        .collect();
    let places: Vec<Place> = places
        .into_iter()
        .filter(|at| area.contains(at.0, at.1))
        .collect();
    if places.len() > 1 {
        // Black under white is seen on every colour of the map.
        pen.path(places.clone(), 3.5, BLACK);
        pen.path(places.clone(), 1.5, WHITE);
    }
    let radius = if places.len() > 24 { 1.5 } else { 3.0 };
    for at in places {
        pen.disc(at, radius + 1.0, BLACK);
        pen.disc(at, radius, WHITE);
    }
}

/// Draws the cell or the dot under the pointer.
pub(super) fn hover(pen: &mut Pen, input: &Input, layout: &Layout) {
    let Some(limits) = pen.frame.hover else {
        return;
    };
    if let Some(cell) = layout.field.cell(limits).filter(|_| input.grid) {
        pen.outline(cell.grown(2.0), 1.0, BLACK);
        pen.outline(cell.grown(1.0), 1.0, WHITE);
    } else if input.point(limits).is_some() {
        let at = layout.field.point(limits);
        pen.disc(at, RADIUS, pen.theme.ink);
        pen.disc(at, RADIUS - 2.0, pen.theme.background);
    }
}

/// Limits with their roles; limits with several roles have one mark.
struct NamedLimits {
    limits: [u32; 2],
    roles: Vec<&'static str>,
}

fn list(input: &Input) -> Vec<NamedLimits> {
    let mut named: Vec<NamedLimits> = vec![];
    // The last one is painted over the others.
    let roles = [
        (input.best, "best"),
        (input.smallest, "smallest"),
        (Some(input.adopted), "adopted"),
    ];
    for (limits, role) in roles
        .into_iter()
        .filter_map(|(limits, role)| Some((limits?, role)))
    {
        match named.iter_mut().find(|n| n.limits == limits) {
            Some(same) => same.roles.push(role),
            None => named.push(NamedLimits {
                limits,
                roles: vec![role],
            }),
        }
    }
    named
}

/// Draws rings and the dot with their words, which keep clear of each other and of the `taken` areas.
pub(super) fn named(pen: &mut Pen, input: &Input, layout: &Layout, mut taken: OccupiedAreas) {
    let area = layout.field.area;
    let within = area.grown(-4.0);
    let places = list(input)
        .into_iter()
        .map(|named| (layout.field.point(named.limits), named));
    let seen: Vec<(Place, NamedLimits)> = places
        .filter(|(at, _)| area.grown(0.5).contains(at.0, at.1))
        .collect();
    taken.0.extend(seen.iter().map(|(at, _)| around(*at)));
    // Each place that a plate tries is compared with all areas taken.
    if !input.grid && input.points.len() <= FEW {
        taken.0.extend(
            input
                .points
                .iter()
                .map(|point| around(layout.field.point(point.limits))),
        );
    }
    let mut plates = vec![];
    for (at, named) in &seen {
        let lines = lines(input, named);
        let place = Plate { lines: &lines }.place(*at, within, &taken);
        taken.0.push(place);
        plates.push((lines, place, *at));
    }
    // All leads are drawn first, so that none crosses a plate.
    for (_, place, at) in &plates {
        let end = nearest(*place, *at);
        pen.path(vec![*at, end], 3.0, BLACK);
        pen.path(vec![*at, end], 1.5, WHITE);
    }
    for (at, named) in &seen {
        let known = input.point(named.limits).zip(layout.range);
        let colour = known.map_or(BLACK, |(point, range)| viridis(range.share(point.harmonic)));
        let adopted = named.roles.contains(&"adopted");
        mark(pen, *at, if adopted { pen.theme.accent } else { colour });
    }
    for (lines, place, _) in &plates {
        Plate { lines }.draw(pen, *place);
    }
}

fn around(at: Place) -> Area {
    Area::around(at, RADIUS + 4.0, RADIUS + 4.0)
}

/// Draws a white ring round a colour: the accent for the adopted limits, else that of the map.
fn mark(pen: &mut Pen, at: Place, inside: Rgb) {
    pen.disc(at, RADIUS + 2.0, BLACK);
    pen.disc(at, RADIUS + 1.0, WHITE);
    pen.disc(at, RADIUS - 2.0, BLACK);
    pen.disc(at, RADIUS - 2.5, inside);
}

/// Returns `421 × 901: 99.05 %` and `1,943 packs, best`; without figures if these are unknown.
fn lines(input: &Input, named: &NamedLimits) -> Vec<String> {
    let (limits, roles) = (both_short(named.limits), named.roles.join(", "));
    match input.point(named.limits) {
        Some(point) => vec![
            format!("{limits}: {}", words::percent(point.harmonic)),
            format!("{}, {roles}", words::plural(point.packs, "pack")),
        ],
        None => vec![limits, roles],
    }
}
