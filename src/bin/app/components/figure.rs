//! A drawing on the page, with what all of them share: the pointer and the keys on it, saving it, the table behind it.

use super::behind::hidden;
use crate::plot::{Draw, Plot, Room, use_height};
use crate::pointer::{At, Held};
use crate::shared::Same;
use packscope::chart::{Chart, Frame, Grip, Spot};
use packscope::state::Theme;
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

/// The size assumed until it is known.
pub const ROOM: Room = Room { width: 660.0, height: 300.0, scale: 1.0, dark: false };

/// What arrow keys on the focused drawing do.
#[derive(Clone, Default, PartialEq)]
pub enum Keys {
    /// Nothing: it cannot be focused.
    #[default]
    None,
    /// Point at another spot. Enter picks it.
    Point,
    /// Pick another spot.
    Pick,
    /// Something else, by steps to the right and upwards.
    Act(Callback<[i32; 2]>),
}

/// Properties of [`Figure`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The drawing.
    pub chart: Same<dyn Chart>,
    /// Its kind, used in the name of a saved one.
    pub name: &'static str,
    /// The title of a saved one.
    pub title: AttrValue,
    /// Class that gives the canvas its height.
    pub class: &'static str,
    /// Whether its table is shown by whom it is in.
    #[prop_or_default]
    pub bare: bool,
    /// The colours.
    pub theme: Theme,
    /// The text alternative; its summary where none is given.
    #[prop_or_default]
    pub label: Option<String>,
    /// What is pointed at.
    #[prop_or_default]
    pub hover: Option<Spot>,
    /// Receives what is pointed at, or `None`.
    #[prop_or_default]
    pub onhover: Option<Callback<Option<Spot>>>,
    /// Receives where the pointer is, unless it drags: for what the drawing alone does not tell.
    #[prop_or_default]
    pub onpoint: Option<Callback<Option<At<Room>>>>,
    /// Receives what is pressed.
    #[prop_or_default]
    pub onpick: Option<Callback<Spot>>,
    /// Receives where what is held is dragged.
    #[prop_or_default]
    pub ondrag: Option<Callback<(Grip, Spot)>>,
    /// Receives whether anything is held. With it, a finger drags in both directions.
    #[prop_or_default]
    pub onhold: Option<Callback<bool>>,
    /// What arrow keys do.
    #[prop_or_default]
    pub keys: Keys,
    /// Receives the size, once it is known and when it changes.
    #[prop_or_default]
    pub onroom: Callback<Room>,
    /// What stands between the drawing and its table.
    #[prop_or_default]
    pub children: Html,
}

/// Returns a drawing of any kind.
pub fn drawn<T: Chart + 'static>(chart: &Rc<T>) -> Same<dyn Chart> {
    Same(Rc::clone(chart) as Rc<dyn Chart>)
}

/// Returns what is pointed at, and what changes it.
#[hook]
pub fn use_hover() -> (Option<Spot>, Callback<Option<Spot>>) {
    let hover = use_state_eq(|| None::<Spot>);
    let set = hover.setter();
    (*hover, Callback::from(move |at| set.set(at)))
}

/// The drawing, and its table.
#[component]
pub fn Figure(props: &Props) -> Html {
    let (held, room) = (use_mut_ref(|| None), use_mut_ref(|| ROOM));
    let draw = use_memo((props.chart.clone(), props.hover), |(chart, hover)| {
        let (chart, hover) = (chart.clone(), *hover);
        Rc::new(move |frame: &Frame| chart.scene(&frame.pointing(hover))) as Draw
    });
    let table = use_memo((props.chart.clone(), props.bare), |(chart, bare)| {
        chart.table().filter(|_| !bare).map(hidden)
    });
    let hand = Rc::new(Hand { props: props.clone(), held, room });
    let (onpoint, onpress, onroom) =
        (hand.calls(Hand::point), hand.calls(Hand::press), hand.calls(Hand::measure));
    let onrelease = props.ondrag.as_ref().map(|_| hand.calls(|hand, ()| hand.hold(None)));
    let onstep = match &props.keys {
        Keys::None => None,
        Keys::Act(act) => Some(act.clone()),
        Keys::Point | Keys::Pick => Some(hand.calls(Hand::step)),
    };
    let onenter = (props.keys == Keys::Point && props.onpick.is_some()).then(|| hand.calls(Hand::enter));
    let held = props.onhold.as_ref().map(|_| Rc::new(move || hand.held.borrow().is_some()) as Held);
    let label = props.label.clone().unwrap_or_else(|| props.chart.summary());
    html! { <>
        <Plot name={props.name} title={props.title.clone()} theme={props.theme} class={props.class} {label} draw={(*draw).clone()} {onpoint} {onpress} {onrelease} {onstep} {onenter} {held} {onroom} />
        { props.children.clone() }
        { (*table).clone() }
    </> }
}

/// What pointer and keys do.
struct Hand {
    props: Props,
    held: Rc<RefCell<Option<Grip>>>,
    room: Rc<RefCell<Room>>,
}

impl Hand {
    fn calls<E: 'static>(self: &Rc<Self>, act: fn(&Self, E)) -> Callback<E> {
        let hand = Rc::clone(self);
        Callback::from(move |event| act(&hand, event))
    }

    fn measure(&self, room: Room) {
        *self.room.borrow_mut() = room;
        self.props.onroom.emit(room);
    }

    fn hold(&self, grip: Option<Grip>) {
        *self.held.borrow_mut() = grip;
        if let Some(onhold) = &self.props.onhold {
            onhold.emit(grip.is_some());
        }
    }

    fn point(&self, at: Option<At<Room>>) {
        let Props { chart, onhover, onpoint, ondrag, .. } = &self.props;
        let held = *self.held.borrow();
        if let (Some((x, y, room)), Some(grip), Some(ondrag)) = (at, held, ondrag) {
            ondrag.emit((grip, chart.drag((x, y), &room.measure())));
        } else if let Some(onhover) = onhover {
            onhover.emit(at.and_then(|(x, y, room)| chart.hit((x, y), &room.measure())));
        } else if let Some(onpoint) = onpoint {
            onpoint.emit(at);
        }
    }

    fn press(&self, (x, y, room): At<Room>) {
        let Props { chart, onpick, ondrag, .. } = &self.props;
        let frame = room.measure();
        if ondrag.is_some() {
            self.hold(chart.grip((x, y), &frame));
        }
        if let Some(onpick) = onpick {
            chart.hit((x, y), &frame).into_iter().for_each(|spot| onpick.emit(spot));
        }
    }

    fn step(&self, by: [i32; 2]) {
        let Props { chart, hover, onhover, onpick, keys, .. } = &self.props;
        let frame = self.room.borrow().measure();
        match (keys, onhover, onpick) {
            (Keys::Point, Some(onhover), _) => onhover.emit(chart.step(*hover, by, &frame)),
            (_, _, Some(onpick)) => {
                chart.step(None, by, &frame).into_iter().for_each(|to| onpick.emit(to));
            }
            _ => {}
        }
    }

    fn enter(&self, (): ()) {
        if let (Some(onpick), Some(at)) = (&self.props.onpick, self.props.hover) {
            onpick.emit(at);
        }
    }
}

/// Properties of [`Fitted`].
#[derive(Clone, PartialEq, Properties)]
pub struct FittedProps {
    /// The class of the place.
    pub class: &'static str,
    /// The drawing.
    pub chart: Same<dyn Chart>,
    /// What shows it.
    pub children: Html,
}

/// A place as high as a drawing needs, for one that is `filled`.
#[component]
pub fn Fitted(props: &FittedProps) -> Html {
    let node = use_node_ref();
    let chart = props.chart.clone();
    use_height(&node, props.chart.clone(), move |width| chart.height(width));
    html! { <div ref={node} class={props.class}>{ props.children.clone() }</div> }
}
