//! Buttons that step a knob through its numbers: back, forward, play.

use crate::due::{self, PendingKind};
use packscope_page::learn::Move;
use yew::prelude::*;

/// Milliseconds between steps while playing.
const PACE: u32 = 900;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub knob: &'static str,
    pub at: u32,
    pub last: u32,
    /// The word for a step.
    pub step: &'static str,
    /// The name of number 0.
    pub first: u32,
    pub moves: Callback<Move>,
}

#[component]
pub fn Player(props: &Props) -> Html {
    let Props {
        knob,
        at,
        last,
        step,
        first: named,
        moves,
    } = props.clone();
    let playing = use_state_eq(|| false);
    {
        let (moves, playing) = (moves.clone(), playing.clone());
        use_effect_with((*playing, at, last), move |(on, at, last)| {
            let (on, at, last) = (*on, *at, *last);
            // One step per timer: the step is rendered, and starts the next timer.
            let timer = on.then(|| {
                due::after(PendingKind::Pausing, PACE, move || {
                    if at < last {
                        moves.emit((knob, vec![at + 1]))
                    } else {
                        playing.set(false)
                    }
                })
            });
            move || drop(timer)
        });
    }
    let to = |number: u32| {
        let (moves, playing) = (moves.clone(), playing.setter());
        Callback::from(move |_: MouseEvent| {
            // A press on any other button stops playing.
            playing.set(false);
            moves.emit((knob, vec![number]));
        })
    };
    let play = {
        let (moves, playing) = (moves.clone(), playing.clone());
        Callback::from(move |_: MouseEvent| {
            // At the end, playing begins from the start.
            if !*playing && at >= last {
                moves.emit((knob, vec![0]));
            }
            playing.set(!*playing);
        })
    };
    let (first, end) = (at == 0, at >= last);
    html! {
        <div
            class="player"
            role="group"
            aria-label={step}
            data-at={at.to_string()}
            data-last={last.to_string()}
        >
            <button type="button" class="word" disabled={first} onclick={to(0)}>
                { "To the start" }
            </button>
            <button type="button" class="word" disabled={first} onclick={to(at.saturating_sub(1))}>
                { "Back" }
            </button>
            <button type="button" class="solid" disabled={end} onclick={to((at + 1).min(last))}>
                { "Step" }
            </button>
            <button type="button" class="word" onclick={play}>
                { if *playing { "Pause" } else { "Play" } }
            </button>
            <button type="button" class="word" disabled={end} onclick={to(last)}>
                { "To the end" }
            </button>
            <span class="hint">{ format!("{step} {} of {}", at + named, last + named) }</span>
        </div>
    }
}
