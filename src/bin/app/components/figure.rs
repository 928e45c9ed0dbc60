//! A drawing on the page, with the features of all drawings: pointer, keys, saving, and a table for
//! screen readers.

use super::unseen::hidden;
use crate::plot::{CanvasSize, DrawPlot, Plot, use_height};
use crate::pointer::{At, PointerGuard};
use crate::shared::Same;
use packscope_chart::{Chart, Frame, Grip, Spot};
use packscope_page::state::Theme;
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

/// The size assumed until the drawing is measured.
pub const ROOM: CanvasSize = CanvasSize {
    width: 660.0,
    height: 300.0,
    scale: 1.0,
    dark: false,
};

/// The effect of arrow keys on the focused drawing.
#[derive(Clone, Default, PartialEq)]
pub enum Keys {
    /// Nothing; the drawing cannot be focused.
    #[default]
    None,
    /// They point at another spot; Enter picks it.
    Point,
    /// They pick another spot.
    Pick,
    /// They do something else, in steps to the right and upwards.
    Act(Callback<[i32; 2]>),
}

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub chart: Same<dyn Chart>,
    /// The kind of drawing, used in the name of a saved file.
    pub name: &'static str,
    /// The title of a saved file.
    pub title: AttrValue,
    /// The CSS class that gives the canvas its height.
    #[prop_or("tall")]
    pub class: &'static str,
    /// Whether the surrounding component shows the table instead.
    #[prop_or_default]
    pub bare: bool,
    pub theme: Theme,
    /// The text alternative; the summary of the drawing if none is given.
    #[prop_or_default]
    pub label: Option<String>,
    #[prop_or_default]
    pub hover: Option<Spot>,
    #[prop_or_default]
    pub onhover: Option<Callback<Option<Spot>>>,
    /// Receives the position of the pointer unless it drags, for readouts that need more than a
    /// spot.
    #[prop_or_default]
    pub onpoint: Option<Callback<Option<At<CanvasSize>>>>,
    #[prop_or_default]
    pub onpick: Option<Callback<Spot>>,
    /// Receives the grip that is dragged, and its new spot.
    #[prop_or_default]
    pub ondrag: Option<Callback<(Grip, Spot)>>,
    /// Receives whether a grip is held. With it, a finger can drag in both directions.
    #[prop_or_default]
    pub onhold: Option<Callback<bool>>,
    #[prop_or_default]
    pub keys: Keys,
    /// Receives the size once it is known, and whenever it changes.
    #[prop_or_default]
    pub onroom: Callback<CanvasSize>,
    /// Content between the drawing and its table.
    #[prop_or_default]
    pub children: Html,
}

/// Returns a shared drawing as one of any kind.
pub fn drawn<T: Chart + 'static>(chart: &Rc<T>) -> Same<dyn Chart> {
    Same(Rc::clone(chart) as Rc<dyn Chart>)
}

#[hook]
pub fn use_hover() -> (Option<Spot>, Callback<Option<Spot>>) {
    let hover = use_state_eq(|| None::<Spot>);
    let set = hover.setter();
    (*hover, Callback::from(move |at| set.set(at)))
}

#[component]
pub fn Figure(props: &Props) -> Html {
    // Outlive renderings, of which a drag has many. Neither is drawn, so neither is a state.
    let (held, room) = (use_mut_ref(|| None), use_mut_ref(|| ROOM));
    // A new function is painted at once, so there is one only for another drawing or another spot.
    let draw = use_memo((props.chart.clone(), props.hover), |(chart, hover)| {
        let (chart, hover) = (chart.clone(), *hover);
        Rc::new(move |frame: &Frame| chart.scene(&frame.pointing(hover))) as DrawPlot
    });
    // Without the spot: a table need not be made again under a moving pointer.
    let table = use_memo((props.chart.clone(), props.bare), |(chart, bare)| {
        chart.table().filter(|_| !bare).map(hidden)
    });
    let hand = Rc::new(PointerHandler {
        props: props.clone(),
        held,
        room,
    });
    let (onpoint, onpress, onroom) = (
        hand.calls(PointerHandler::point),
        hand.calls(PointerHandler::press),
        hand.calls(PointerHandler::measure),
    );
    // Without this callback a finger that drags only scrolls the page.
    let onrelease = props
        .ondrag
        .as_ref()
        .map(|_| hand.calls(|hand, ()| hand.hold(None)));
    let onstep = match &props.keys {
        Keys::None => None,
        Keys::Act(act) => Some(act.clone()),
        Keys::Point | Keys::Pick => Some(hand.calls(PointerHandler::step)),
    };
    let onenter = (props.keys == Keys::Point && props.onpick.is_some())
        .then(|| hand.calls(PointerHandler::enter));
    let held = props
        .onhold
        .as_ref()
        .map(|_| Rc::new(move || hand.held.borrow().is_some()) as PointerGuard);
    let label = props.label.clone().unwrap_or_else(|| props.chart.summary());
    html! {
        <>
            <Plot
                name={props.name}
                title={props.title.clone()}
                theme={props.theme}
                class={props.class}
                {label}
                draw={(*draw).clone()}
                {onpoint}
                {onpress}
                {onrelease}
                {onstep}
                {onenter}
                {held}
                {onroom}
            />
            { props.children.clone() }
            { (*table).clone() }
        </>
    }
}

struct PointerHandler {
    props: Props,
    held: Rc<RefCell<Option<Grip>>>,
    room: Rc<RefCell<CanvasSize>>,
}

impl PointerHandler {
    // Functions and not closures, so that this is compiled once for each kind of event.
    fn calls<E: 'static>(self: &Rc<Self>, act: fn(&Self, E)) -> Callback<E> {
        let hand = Rc::clone(self);
        Callback::from(move |event| act(&hand, event))
    }

    fn measure(&self, room: CanvasSize) {
        *self.room.borrow_mut() = room;
        self.props.onroom.emit(room);
    }

    fn hold(&self, grip: Option<Grip>) {
        *self.held.borrow_mut() = grip;
        if let Some(onhold) = &self.props.onhold {
            onhold.emit(grip.is_some());
        }
    }

    fn point(&self, at: Option<At<CanvasSize>>) {
        let Props {
            chart,
            onhover,
            onpoint,
            ondrag,
            ..
        } = &self.props;
        // The borrow ends here: callbacks may render, and handle the next event.
        let held = *self.held.borrow();
        if let (Some((x, y, room)), Some(grip), Some(ondrag)) = (at, held, ondrag) {
            ondrag.emit((grip, chart.drag((x, y), &room.measure())));
        } else if let Some(onhover) = onhover {
            onhover.emit(at.and_then(|(x, y, room)| chart.hit((x, y), &room.measure())));
        } else if let Some(onpoint) = onpoint {
            onpoint.emit(at);
        }
    }

    fn press(&self, (x, y, room): At<CanvasSize>) {
        let Props {
            chart,
            onpick,
            ondrag,
            ..
        } = &self.props;
        let frame = room.measure();
        if ondrag.is_some() {
            self.hold(chart.grip((x, y), &frame));
        }
        if let Some(onpick) = onpick {
            chart
                .hit((x, y), &frame)
                .into_iter()
                .for_each(|spot| onpick.emit(spot));
        }
    }

    fn step(&self, by: [i32; 2]) {
        let Props {
            chart,
            hover,
            onhover,
            onpick,
            keys,
            ..
        } = &self.props;
        let frame = self.room.borrow().measure();
        match (keys, onhover, onpick) {
            (Keys::Point, Some(onhover), _) => onhover.emit(chart.step(*hover, by, &frame)),
            (_, _, Some(onpick)) => {
                chart
                    // From the chosen spot, which the chart knows.
                    .step(None, by, &frame)
                    .into_iter()
                    .for_each(|to| onpick.emit(to));
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

#[derive(Clone, PartialEq, Properties)]
pub struct FittedProps {
    pub class: &'static str,
    pub chart: Same<dyn Chart>,
    pub children: Html,
}

/// A container as high as its drawing needs, for drawings that fill it.
#[component]
pub fn Fitted(props: &FittedProps) -> Html {
    let node = use_node_ref();
    let chart = props.chart.clone();
    use_height(&node, props.chart.clone(), move |width| chart.height(width));
    html! { <div ref={node} class={props.class}>{ props.children.clone() }</div> }
}
