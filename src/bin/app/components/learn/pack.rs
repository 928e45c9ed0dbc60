//! One pack with its items, to scale: a row for sequences; for graphs a rectangle in which items
//! lie corner to corner.

use packscope::words::{count, singular};
use packscope_chart::Hues;
use packscope_page::learn::{Item, Packs};
use web_sys::{Element, SvgElement};
use yew::prelude::*;

/// The height of a row in CSS pixels.
const TALL: f64 = 30.0;
/// The width and height of a pack of graphs in CSS pixels.
const SIDE: f64 = 148.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drag {
    pub item: usize,
    /// The pointer's position when the drag began, in CSS pixels.
    pub from: (f64, f64),
    /// The distance dragged, in CSS pixels.
    pub by: (f64, f64),
    pub over: Option<u32>,
}

impl Drag {
    /// Whether the piece has hardly moved, which makes the drag a press.
    pub fn is_press(&self) -> bool {
        self.by.0.hypot(self.by.1) < 5.0
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum KeyMove {
    /// To the next pack in which it fits.
    Down,
    /// To the previous pack in which it fits.
    Up,
    /// To the pack of this number; 0 for no pack.
    To(u32),
    /// Selects the piece to be placed by the next press, or deselects it.
    Hand,
}

impl KeyMove {
    fn from_key(key: &str) -> Option<Self> {
        match key {
            "ArrowDown" | "ArrowRight" => Some(Self::Down),
            "ArrowUp" | "ArrowLeft" => Some(Self::Up),
            "Delete" | "Backspace" => Some(Self::To(0)),
            "Enter" | " " => Some(Self::Hand),
            // One key is one digit; packs beyond the ninth are reached by arrow keys.
            digit => digit.parse().ok().filter(|n| *n <= 9).map(Self::To),
        }
    }

    pub fn words(self) -> &'static str {
        if self == Self::Down {
            "further down"
        } else {
            "further up"
        }
    }
}

/// The callbacks of pieces and packs.
#[derive(Clone)]
pub struct Hands {
    /// Called when a pointer grabs an item, with its index and the position in CSS pixels.
    pub down: Callback<(usize, f64, f64)>,
    /// Called when the pointer moves, with its position and the pack under it.
    pub moved: Callback<(f64, f64, Option<u32>)>,
    /// Called when the pointer is released, with the pack under it.
    pub up: Callback<Option<u32>>,
    pub key: Callback<(usize, KeyMove)>,
    pub press: Callback<u32>,
    /// The selected item, which the next press on a pack moves there.
    pub taken: Option<usize>,
}

/// Returns the pack to which a key moves an item: the nearest in which it fits, or 0 (no pack)
/// above the first.
pub fn towards(packs: &Packs, item: usize, way: KeyMove) -> Option<u32> {
    let at = *packs.places.get(item)?;
    let fits = |pack: &u32| packs.put(item, *pack).is_ok();
    match way {
        KeyMove::Down => (at + 1..=packs.packs).find(fits),
        KeyMove::Up => (0..at).rev().find(fits),
        KeyMove::To(pack) => Some(pack),
        KeyMove::Hand => None,
    }
}

/// Describes the position of an item after a move.
pub fn spoken(packs: &Packs, places: &[u32], item: usize, pack: u32) -> String {
    let name = packs.items[item].called();
    if pack == 0 {
        return format!("{name} is in no pack.");
    }
    let after = Packs {
        places: places.to_vec(),
        ..packs.clone()
    };
    if (0..packs.limits.len()).all(|k| after.used(pack, k) == u64::from(packs.limits[k])) {
        return format!("{name} is in pack {pack}, which is full.");
    }
    format!(
        "{name} is in pack {pack}, which has room for {}.",
        room(&after, pack)
    )
}

/// Describes the free space in a pack: "3 tokens", "4 nodes and 9 edges".
fn room(packs: &Packs, pack: u32) -> String {
    let left = |(k, limit): (usize, &u32)| {
        let left = u64::from(*limit).saturating_sub(packs.used(pack, k));
        let unit = packs.units.get(k).copied().unwrap_or("slots");
        format!(
            "{} {}",
            count(left),
            if left == 1 { singular(unit) } else { unit }
        )
    };
    packs
        .limits
        .iter()
        .enumerate()
        .map(left)
        .collect::<Vec<_>>()
        .join(" and ")
}

/// Draws a pack with its items and its padding in grey; pack 0 is the tray of unpacked items.
pub fn pack(packs: &Packs, number: u32, drag: Option<Drag>, hands: Option<&Hands>) -> Html {
    let holds = |drag: &Drag| packs.places.get(drag.item) == Some(&number);
    // Neither its own pack nor a press lights up as a place to put it.
    let over = drag.filter(|d| d.over == Some(number) && !holds(d) && !d.is_press());
    let refused = over.is_some_and(|d| packs.put(d.item, number).is_err());
    let class = classes!(
        "pack-row",
        drag.is_some_and(|d| holds(&d)).then_some("holds"),
        (number == 0).then_some("tray"),
        over.map(|_| if refused { "refuses" } else { "takes" }),
        hands.and_then(|h| h.taken).map(|_| "waits"),
    );
    let used = packs.used(number, 0).to_string();
    let onclick = hands.map(|h| h.press.reform(move |_: MouseEvent| number));
    // Items in no pack are in no pack’s order: the tray keeps a place for each.
    if number == 0 {
        return html! {
            <div {class} data-pack="0" data-used={used} {onclick}>
                <span class="pack-name">{ "In no pack yet" }</span>
                { tray(packs, drag, hands) }
            </div>
        };
    }
    let left = match (packs.inside(number).count(), refused) {
        (_, true) => "no room".to_owned(),
        (0, _) => "empty".to_owned(),
        _ if (0..packs.limits.len())
            .all(|k| packs.used(number, k) == u64::from(packs.limits[k])) =>
        {
            "full".to_owned()
        }
        _ => format!("room for {}", room(packs, number)),
    };
    let drawn = if packs.limits.len() > 1 {
        square(packs, number, drag, hands)
    } else {
        row(packs, number, drag, hands)
    };
    html! {
        <div {class} data-pack={number.to_string()} data-used={used} {onclick}>
            <span class="pack-name">{ format!("Pack {number}") }</span>
            { drawn }
            <span class="pack-left">{ left }</span>
        </div>
    }
}

/// Draws the unpacked items in lines. Every item keeps its place there, so that taking one out
/// moves nothing else.
fn tray(packs: &Packs, drag: Option<Drag>, hands: Option<&Hands>) -> Html {
    let two = packs.limits.len() > 1;
    let loose = |(i, item): (usize, &Item)| {
        let [width, height] = if two {
            let scale =
                |k: usize| SIDE / f64::from(packs.limits[k].max(1)) * f64::from(item.size[k]);
            [format!("{:.2}", scale(0)), format!("{:.2}", scale(1))]
        } else {
            // A line of the tray holds somewhat more than a pack.
            let share = f64::from(item.size[0]) / f64::from(packs.limits[0].max(1)) * 68.0;
            [format!("{share:.3}%"), TALL.to_string()]
        };
        let is_here = packs.places[i] == 0;
        let holds = drag.is_some_and(|d| d.item == i);
        let shape = if two {
            graph(i, item, [0.0, 0.0], packs)
        } else {
            sequence(item, packs.limits[0], 0.0, 100.0)
        };
        let drawn = html! {
            <svg
                key={i}
                class={classes!("pack", "loose", holds.then_some("holds"))}
                {width}
                {height}
            >
                if is_here {
                    { piece(i, item, packs, shape, drag, hands) }
                } else {
                    <rect class="gone" width="100%" height="100%" />
                }
            </svg>
        };
        if !two {
            return drawn;
        }
        let sizes = item
            .size
            .iter()
            .map(u32::to_string)
            .collect::<Vec<_>>()
            .join(" × ");
        html! {
            <figure key={i}>
                { drawn }
                <figcaption aria-hidden="true">{ sizes }</figcaption>
            </figure>
        }
    };
    html! { <div class="loosely">{ for packs.items.iter().enumerate().map(loose) }</div> }
}

fn row(packs: &Packs, number: u32, drag: Option<Drag>, hands: Option<&Hands>) -> Html {
    let limit = packs.limits[0];
    let part = |n: u64| n as f64 / f64::from(limit.max(1)) * 100.0;
    let mut used = 0;
    let mut pieces = Vec::new();
    for (i, item) in packs.inside(number) {
        let size = u64::from(item.size[0]);
        let shape = sequence(item, limit, part(used), part(size));
        used += size;
        pieces.push(piece(i, item, packs, shape, drag, hands));
    }
    // An empty pack is not padding.
    let ground = if pieces.is_empty() { "vacant" } else { "pad" };
    html! {
        <svg class="pack" width="100%" height={TALL.to_string()}>
            <rect class={ground} width="100%" height={TALL.to_string()} />
            { for pieces }
        </svg>
    }
}

/// Draws a sequence; position and width are percentages of its container.
fn sequence(item: &Item, limit: u32, x: f64, width: f64) -> Html {
    let step = Hues::equal(limit).step(item.size[0]);
    html! {
        <svg x={format!("{x:.3}%")} width={format!("{width:.3}%")} height={TALL.to_string()}>
            <rect class={format!("l{step}")} width="100%" height={TALL.to_string()} />
            <rect class="gap" x="3.5" y="3.5" height={(TALL - 7.0).to_string()} />
            <rect class="ring" x="1.5" y="1.5" height={(TALL - 3.0).to_string()} />
            <text class={format!("t{step}")} x="50%" y="20" text-anchor="middle">
                { &item.name }
            </text>
        </svg>
    }
}

/// Draws graphs corner to corner from the lower left: nodes to the right, edges upwards.
fn square(packs: &Packs, number: u32, drag: Option<Drag>, hands: Option<&Hands>) -> Html {
    let scale = [0, 1].map(|k| SIDE / f64::from(packs.limits[k].max(1)));
    let mut at = [0.0, 0.0];
    let mut pieces = Vec::new();
    for (i, item) in packs.inside(number) {
        let [width, height] = [0, 1].map(|k| f64::from(item.size[k]) * scale[k]);
        let shape = graph(i, item, [at[0], SIDE - at[1] - height], packs);
        at = [at[0] + width, at[1] + height];
        pieces.push(piece(i, item, packs, shape, drag, hands));
    }
    let grey = !pieces.is_empty();
    let (right, top) = (
        format!("{:.2}", at[0].min(SIDE)),
        format!("{:.2}", (SIDE - at[1]).max(0.0)),
    );
    html! {
        <svg class="pack" width={SIDE.to_string()} height={SIDE.to_string()}>
            <rect class="budget" width={SIDE.to_string()} height={SIDE.to_string()} />
            if grey {
                <rect
                    class="pad"
                    x={right}
                    width={format!("{:.2}", (SIDE - at[0]).max(0.0))}
                    height={SIDE.to_string()}
                />
                <rect class="pad" width={SIDE.to_string()} height={top} />
            }
            { for pieces }
        </svg>
    }
}

/// Draws a graph with its upper left corner at `[x, y]`.
fn graph(i: usize, item: &Item, [x, y]: [f64; 2], packs: &Packs) -> Html {
    let [width, height] =
        [0, 1].map(|k| f64::from(item.size[k]) * SIDE / f64::from(packs.limits[k].max(1)));
    html! {
        <svg
            x={format!("{x:.2}")}
            y={format!("{y:.2}")}
            width={format!("{width:.2}")}
            height={format!("{height:.2}")}
        >
            <rect
                // Graphs have no length to be coloured by: neighbours differ.
                class={if i.is_multiple_of(2) { "full" } else { "second-full" }}
                width="100%"
                height="100%"
            />
            <rect class="gap" x="3.5" y="3.5" height={format!("{:.2}", (height - 7.0).max(0.0))} />
            <rect class="ring" x="1.5" y="1.5" height={format!("{:.2}", (height - 3.0).max(0.0))} />
            <text class="on-full" x="4" y={format!("{:.2}", height.min(16.0) - 3.0)}>
                { &item.name }
            </text>
        </svg>
    }
}

/// Draws an item, which can be moved if `hands` is given.
fn piece(
    i: usize,
    item: &Item,
    packs: &Packs,
    shape: Html,
    drag: Option<Drag>,
    hands: Option<&Hands>,
) -> Html {
    let label = packs.spoken(i);
    let Some(hands) = hands.cloned() else {
        let sizes = item
            .size
            .iter()
            .zip(packs.units)
            .map(|(n, unit)| format!("{n} {unit}"));
        let title = sizes.collect::<Vec<_>>().join(", ");
        return html! {
            <g role="img" aria-label={label}>
                <title>{ title }</title>
                { shape }
            </g>
        };
    };
    let held = drag.filter(|d| d.item == i);
    let taken = hands.taken == Some(i);
    let transform = held.map(|d| format!("translate({:.1} {:.1})", d.by.0, d.by.1));
    let at = |e: &PointerEvent| (f64::from(e.client_x()), f64::from(e.client_y()));
    let onpointerdown = hands.down.reform(move |e: PointerEvent| {
        if let Some(shape) = e.target_dyn_into::<Element>() {
            let _ = shape.set_pointer_capture(e.pointer_id());
        }
        (i, at(&e).0, at(&e).1)
    });
    let onpointermove = hands
        .moved
        .reform(move |e: PointerEvent| (at(&e).0, at(&e).1, under(&e)));
    let onpointerup = hands.up.reform(|e: PointerEvent| under(&e));
    let onpointercancel = hands.up.reform(|_: PointerEvent| None);
    // A press selects the item, and must not count as a press of its pack.
    let onclick = Callback::from(|e: MouseEvent| e.stop_propagation());
    let onkeydown = Callback::from(move |e: KeyboardEvent| {
        if let Some(way) = KeyMove::from_key(&e.key()) {
            e.prevent_default();
            // Here a digit names a pack, not a view of the page.
            e.stop_propagation();
            hands.key.emit((i, way));
        }
    });
    html! {
        <g
            class={classes!("piece", held.map(|_| "held"), taken.then_some("taken"))}
            data-item={i.to_string()}
            tabindex="0"
            role="button"
            aria-label={label}
            aria-pressed={taken.to_string()}
            aria-roledescription="piece, moved with the arrow keys"
            {transform}
            {onpointerdown}
            {onpointermove}
            {onpointerup}
            {onpointercancel}
            {onclick}
            {onkeydown}
        >
            { shape }
        </g>
    }
}

fn under(e: &PointerEvent) -> Option<u32> {
    let shape = e.target_dyn_into::<SvgElement>()?;
    let (x, y) = (f64::from(e.client_x()), f64::from(e.client_y()));
    // The piece has captured the pointer and gets all of its events, so the pack is looked up by
    // place.
    let all = shape.closest(".packing").ok()??.children();
    (0..all.length())
        .filter_map(|i| all.item(i))
        .find_map(|row| {
            let place = row.get_bounding_client_rect();
            let inside = (place.left()..=place.right()).contains(&x)
                && (place.top()..=place.bottom()).contains(&y);
            row.get_attribute("data-pack")
                .filter(|_| inside)?
                .parse()
                .ok()
        })
}
