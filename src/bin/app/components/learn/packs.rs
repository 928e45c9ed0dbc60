//! Packs, and items to put into them by dragging or with the arrow keys.

use super::pack::{self, Drag, Hands, KeyMove};
use crate::due::{self, PendingKind};
use packscope::words::capital;
use packscope_page::learn::{Move, Packs};
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub packs: Packs,
    pub moves: Callback<Move>,
}

/// The interaction of the visitor with the packs.
#[derive(Clone)]
struct PackTable {
    packs: Packs,
    moves: Callback<Move>,
    drag: UseStateHandle<Option<Drag>>,
    taken: UseStateHandle<Option<usize>>,
    said: UseStateSetter<String>,
    /// The item to focus after its move.
    focus: Rc<RefCell<Option<usize>>>,
}

impl PackTable {
    fn put(&self, item: usize, pack: u32) {
        let Some(knob) = self.packs.knob else { return };
        match self.packs.put(item, pack) {
            Ok(places) => {
                self.said
                    .set(pack::spoken(&self.packs, &places, item, pack));
                self.moves.emit((knob, places));
            }
            Err(why) => self.said.set(format!("{}.", capital(&why))),
        }
    }

    /// Selects an item to be moved to the pack pressed next, or deselects it: an alternative to
    /// dragging.
    fn take(&self, item: usize) {
        let again = *self.taken == Some(item);
        self.taken.set((!again).then_some(item));
        let words = format!(
            "{} is in your hand: press a pack.",
            self.packs.items[item].called()
        );
        self.said.set(if again { String::new() } else { words });
    }

    fn let_go(&self, over: Option<u32>) {
        let held = *self.drag;
        self.drag.set(None);
        match (held, over) {
            (Some(held), _) if held.is_press() => self.take(held.item),
            (Some(held), Some(pack)) => self.put(held.item, pack),
            _ => {}
        }
    }

    fn press(&self, pack: u32) {
        if let Some(item) = *self.taken {
            self.taken.set(None);
            self.put(item, pack);
        }
    }

    fn key(&self, item: usize, way: KeyMove) {
        if way == KeyMove::Hand {
            return self.take(item);
        }
        let Some(to) = pack::towards(&self.packs, item, way) else {
            let name = self.packs.items[item].called();
            return self
                .said
                .set(format!("{name} fits in no pack {}.", way.words()));
        };
        *self.focus.borrow_mut() = Some(item);
        self.taken.set(None);
        self.put(item, to);
    }

    fn hands(&self) -> Hands {
        let hold = |by, over, held: Drag| Some(Drag { by, over, ..held });
        let table = || self.clone();
        Hands {
            down: {
                let drag = self.drag.setter();
                Callback::from(move |(item, x, y)| {
                    drag.set(Some(Drag {
                        item,
                        from: (x, y),
                        by: (0.0, 0.0),
                        over: None,
                    }));
                })
            },
            moved: {
                let drag = self.drag.clone();
                Callback::from(move |(x, y, over)| {
                    if let Some(held) = *drag {
                        drag.set(hold((x - held.from.0, y - held.from.1), over, held));
                    }
                })
            },
            up: {
                let table = table();
                Callback::from(move |over| table.let_go(over))
            },
            key: {
                let table = table();
                Callback::from(move |(item, way)| table.key(item, way))
            },
            press: {
                let table = table();
                Callback::from(move |pack| table.press(pack))
            },
            taken: *self.taken,
        }
    }
}

/// The packs, below the unpacked items.
#[component]
pub fn PackRows(props: &Props) -> Html {
    let packs = &props.packs;
    let drag = use_state_eq(|| None::<Drag>);
    let said = use_state_eq(String::new);
    let taken = use_state_eq(|| None::<usize>);
    let focus = use_mut_ref(|| None::<usize>);
    let place = use_follow(&packs.places, Rc::clone(&focus));
    let table = PackTable {
        packs: packs.clone(),
        moves: props.moves.clone(),
        drag: drag.clone(),
        taken,
        said: said.setter(),
        focus,
    };
    let hands = packs.knob.map(|_| table.hands());
    let graphs = packs.limits.len() > 1;
    // Also while it is empty, if items can be taken out again.
    let tray = packs.knob.is_some() || !packs.is_complete();
    html! {
        <div
            class={classes!("packing", graphs.then_some("of-two"))}
            ref={place}
            role="group"
            aria-label={packs.label.clone()}
        >
            if tray {
                { pack::pack(packs, 0, *drag, hands.as_ref()) }
            }
            if packs.knob.is_some() {
                <p class="hint said" role="status">{ (*said).clone() }</p>
            }
            { for (1..=packs.packs).map(|k| pack::pack(packs, k, *drag, hands.as_ref())) }
        </div>
    }
}

/// Moves the focus to a piece moved by key, which is a new element in its new pack.
#[hook]
fn use_follow(places: &[u32], focus: Rc<RefCell<Option<usize>>>) -> NodeRef {
    let place = use_node_ref();
    let within = place.clone();
    use_effect_with(places.to_vec(), move |_| {
        let Some(item) = focus.borrow_mut().take() else {
            return;
        };
        let selector = format!("[data-item='{item}']");
        let within = within.cast::<Element>();
        if let Some(piece) = within.and_then(|p| p.query_selector(&selector).ok().flatten()) {
            // Runs after layout. The piece may be an SVG element, which has the same `focus`
            // method.
            due::after(PendingKind::Pausing, 0, move || {
                let _ = wasm_bindgen::JsCast::unchecked_into::<HtmlElement>(piece).focus();
            })
            .forget();
        }
    });
    place
}
