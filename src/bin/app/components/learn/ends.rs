//! Rows whose ends can be dragged or moved with the arrow keys; the rest of a row is padding.

use packscope_chart::Hues;
use packscope_page::learn::{End, Ends, Move};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// The height of a row in CSS pixels.
const TALL: &str = "24";

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub ends: Ends,
    /// The lengths, as set by the knob.
    pub lengths: Vec<u32>,
    pub range: [u32; 2],
    pub fixed: bool,
    pub moves: Callback<Move>,
}

#[component]
pub fn EndRows(props: &Props) -> Html {
    let held = use_mut_ref(|| None::<usize>);
    let (rows, typed) = (use_node_ref(), use_mut_ref(|| None::<usize>));
    use_follow(&rows, &typed);
    // Keys may come faster than renderings: each starts from the result of the last one.
    let latest = use_mut_ref(Vec::new);
    latest.borrow_mut().clone_from(&props.lengths);
    html! {
        <div ref={rows} class="ends" role="group" aria-label={props.ends.label.clone()}>
            { for props.ends.rows.iter().map(|end| row(end, props, &latest, [&held, &typed])) }
        </div>
    }
}

/// The index of the sequence that a pointer holds or a key has moved.
type HeldSequence = Rc<RefCell<Option<usize>>>;

/// Moves the focus along with a sequence that changes its row, as rows may be sorted.
#[hook]
fn use_follow(rows: &NodeRef, typed: &HeldSequence) {
    let (rows, typed) = (rows.clone(), typed.clone());
    use_effect(move || {
        if let (Some(index), Some(rows)) = (typed.take(), rows.cast::<Element>())
            && let Ok(Some(row)) = rows.query_selector(&format!("[data-row='{index}']"))
            && let Ok(row) = row.dyn_into::<HtmlElement>()
        {
            let _ = row.focus();
        }
    });
}

/// Returns the slot under a pointer, counted from the left edge of the row that captured it.
fn slot_at(e: &PointerEvent, slots: u32) -> Option<u32> {
    let row = e
        .target_dyn_into::<Element>()?
        .closest("[data-row]")
        .ok()??;
    // From the row, and not by `offset_x`, which counts from whichever child was pressed.
    let place = row.get_bounding_client_rect();
    let share = (f64::from(e.client_x()) - place.left()) / place.width().max(1.0);
    Some((share.clamp(0.0, 1.0) * f64::from(slots)).round() as u32)
}

/// Returns the length after a key; `None` for other keys.
fn pressed(key: &str, length: u32, [least, most]: [u32; 2]) -> Option<u32> {
    let moved = match key {
        "ArrowRight" | "ArrowUp" => length + 1,
        "ArrowLeft" | "ArrowDown" => length.saturating_sub(1),
        "PageUp" => length + 8,
        "PageDown" => length.saturating_sub(8),
        "Home" => least,
        "End" => most,
        _ => return None,
    };
    Some(moved.clamp(least, most))
}

fn row(
    end: &End,
    props: &Props,
    latest: &Rc<RefCell<Vec<u32>>>,
    [held, typed]: [&HeldSequence; 2],
) -> Html {
    let End {
        index,
        padded,
        apart,
    } = *end;
    let Some(length) = props.lengths.get(index).copied() else {
        return Html::default();
    };
    let (range, slots) = (props.range, props.ends.slots);
    let set = {
        let (moves, knob, latest) = (props.moves.clone(), props.ends.knob, Rc::clone(latest));
        move |index: usize, to: u32| {
            if let Some(length) = latest.borrow_mut().get_mut(index) {
                *length = to.clamp(range[0], range[1]);
            }
            let lengths = latest.borrow().clone();
            moves.emit((knob, lengths));
        }
    };
    let onpointerdown = {
        let (set, taken) = (set.clone(), held.clone());
        Callback::from(move |e: PointerEvent| {
            if let (Some(to), Some(element)) = (slot_at(&e, slots), e.target_dyn_into::<Element>())
            {
                // The drag goes on where the pointer leaves the row.
                let _ = element.set_pointer_capture(e.pointer_id());
                *taken.borrow_mut() = Some(index);
                set(index, to);
            }
        })
    };
    let onpointermove = {
        // If rows are sorted, this row may hold another sequence by now.
        let (set, taken) = (set.clone(), held.clone());
        Callback::from(move |e: PointerEvent| {
            let held = e
                .target_dyn_into::<Element>()
                .is_some_and(|t| t.has_pointer_capture(e.pointer_id()));
            if let Some(to) = slot_at(&e, slots).filter(|_| held) {
                let taken = taken.borrow().unwrap_or(index);
                set(taken, to);
            }
        })
    };
    let (typed, latest) = (typed.clone(), Rc::clone(latest));
    let onkeydown = Callback::from(move |e: KeyboardEvent| {
        let from = latest.borrow().get(index).copied().unwrap_or(length);
        if let Some(to) = pressed(&e.key(), from, range) {
            e.prevent_default();
            if to != from {
                *typed.borrow_mut() = Some(index);
                set(index, to);
            }
        }
    });
    let bar = bar(length, padded, slots);
    let class = classes!("end", apart.then_some("apart"));
    let name = format!("Sequence {}, tokens", index + 1);
    if props.fixed {
        return html! { <div {class} data-row={index.to_string()}>{ bar }</div> };
    }
    html! {
        <div
            {class}
            data-row={index.to_string()}
            role="slider"
            tabindex="0"
            aria-label={name}
            aria-valuemin={range[0].to_string()}
            aria-valuemax={range[1].to_string()}
            aria-valuenow={length.to_string()}
            aria-valuetext={format!("{length} tokens, {} padding", padded.saturating_sub(length))}
            {onpointerdown}
            {onpointermove}
            {onkeydown}
        >
            { bar }
        </div>
    }
}

/// Draws a sequence to scale, with its padding in grey.
fn bar(length: u32, padded: u32, slots: u32) -> Html {
    let part = |n: u32| format!("{:.3}%", f64::from(n) / f64::from(slots.max(1)) * 100.0);
    let step = Hues::equal(slots).step(length);
    html! {
        // SVG, since a bar of CSS would need a style attribute, which the content security policy
        // forbids.
        <svg class="pack" width="100%" height={TALL} aria-hidden="true">
            <rect class="pad" width={part(padded.max(length))} height={TALL} />
            <rect class={format!("l{step}")} width={part(length)} height={TALL} />
            <rect class="grip" x={part(length)} y="4" width="3" height="16" />
            <text class={format!("t{step}")} x="6" y="16">{ length }</text>
        </svg>
    }
}
