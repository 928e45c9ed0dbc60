//! A drawing of a chapter.

use crate::plot::{CanvasSize, DrawPlot, Plot, use_height};
use crate::pointer::PointerGuard;
use crate::shared::Same;
use packscope_page::learn::{Figure, Move};
use packscope_page::state::Theme;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub figure: Same<Figure>,
    pub theme: Theme,
    pub moves: Callback<Move>,
}

#[component]
pub fn Drawing(props: &Props) -> Html {
    let place = use_node_ref();
    let Figure {
        label,
        tall,
        press,
        also,
        step,
        ..
    } = &*props.figure;
    use_height(&place, *tall as usize, *tall);
    let draw: DrawPlot = Rc::clone(&props.figure.draw);
    // Whether the pointer is down: a drag counts as a sequence of presses.
    let held = use_mut_ref(|| false);
    let pressed = {
        // One press may move two knobs.
        let (presses, moves) = ([press.clone(), also.clone()], props.moves.clone());
        move |(x, y, room): (f64, f64, CanvasSize)| {
            for press in presses.iter().flatten() {
                if let Some(moved) = press(x, y, &room.measure()) {
                    moves.emit(moved);
                }
            }
        }
    };
    let onpress = {
        let (held, pressed) = (held.clone(), pressed.clone());
        Callback::from(move |at| {
            *held.borrow_mut() = true;
            pressed(at);
        })
    };
    let onpoint = {
        let held = held.clone();
        Callback::from(move |at: Option<_>| {
            if let Some(at) = at.filter(|_| *held.borrow()) {
                pressed(at);
            }
        })
    };
    let onrelease = {
        let held = held.clone();
        Callback::from(move |()| *held.borrow_mut() = false)
    };
    let steps = use_steps(&props.figure, &props.moves);
    let onstep = step.is_some().then_some(steps);
    // If the press moves in both directions, a finger that drags vertically must not scroll the
    // page.
    let held = also.as_ref().map(|_| Rc::new(|| true) as PointerGuard);
    html! {
        <div ref={place} class={classes!("drawing", press.is_some().then_some("pressable"))}>
            <Plot
                name="drawing"
                title={label.clone()}
                theme={props.theme}
                class="filled"
                label={label.clone()}
                {draw}
                {onpress}
                {onpoint}
                {onrelease}
                {onstep}
                {held}
            />
        </div>
    }
}

/// The figure of the last step, and the sum of the steps since, which are made from the next
/// figure.
#[derive(Default)]
struct SteppedFigure {
    from: Option<Same<Figure>>,
    more: [i32; 2],
}

/// Returns a callback for steps by key. Keys may come faster than renderings: steps before the next
/// figure is drawn are added up and made from there.
#[hook]
fn use_steps(figure: &Same<Figure>, moves: &Callback<Move>) -> Callback<[i32; 2]> {
    let stepped = use_mut_ref(SteppedFigure::default);
    let go = {
        let (figure, moves, stepped) = (figure.clone(), moves.clone(), stepped.clone());
        Callback::from(move |[right, up]: [i32; 2]| {
            if stepped.borrow().from.as_ref() == Some(&figure) {
                let more = &mut stepped.borrow_mut().more;
                *more = [more[0] + right, more[1] + up];
            } else if let Some(moved) = figure.step.as_ref().and_then(|step| step([right, up])) {
                stepped.borrow_mut().from = Some(figure.clone());
                moves.emit(moved);
            }
        })
    };
    let rest = go.clone();
    use_effect_with(figure.clone(), move |_| {
        let more = std::mem::take(&mut stepped.borrow_mut().more);
        if more != [0, 0] {
            rest.emit(more);
        }
    });
    go
}
