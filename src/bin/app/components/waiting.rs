//! Work that the visitor waits for: what it is, how far it is, and how long it still takes. It lies
//! over the results, so that it moves nothing.

use super::button;
use super::unseen::Announce;
use crate::browser;
use crate::engine::{WaitProgress, Work};
use crate::shared::SharedState;
use packscope::api::PackingSettings;
use packscope::metrics::Figures;
use packscope::words::{count, plural};
use packscope_page::state::pace::Pace;
use packscope_page::state::{AppState, Study, View};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: SharedState,
    pub waiting: WaitProgress,
    /// Cancels the work, or closes the message that it is cancelled.
    pub cancel: Callback<()>,
    /// Lets cancelled work go on.
    pub go_on: Callback<()>,
}

/// Returns a function that says how long work still takes, of which this share is done. `name`
/// tells one piece of work from another.
#[hook]
pub fn use_left(name: &str, share: f64) -> impl Fn(f64) -> Option<String> + use<> {
    // No state, as it changes while rendering.
    let kept = use_mut_ref(|| None::<(String, f64, Pace)>);
    let now = browser::milliseconds() / 1e3;
    let mut kept = kept.borrow_mut();
    if kept
        .as_ref()
        // Less done than before under the same name is work that was begun again.
        .is_none_or(|(before, last, _)| before != name || share < *last)
    {
        *kept = Some((name.to_owned(), share, Pace::new(now, share)));
    }
    let pace = kept.as_mut().map(|(_, last, pace)| {
        *last = share;
        *pace
    });
    move |most| {
        pace.and_then(|pace| {
            pace.time_left(now, share)
                .or_else(|| pace.at_most(now, most))
        })
    }
}

/// The message: progress that can be cancelled, or that it is cancelled and can go on.
#[component]
pub fn Bar(props: &Props) -> Html {
    let WaitProgress {
        what,
        share,
        most,
        work,
        number,
        stopped,
    } = &props.waiting;
    // What stands behind the colon changes with the progress.
    let name = what.split(':').next().unwrap_or_default();
    let left = use_left(&format!("{number} {stopped}"), share.unwrap_or(0.0));
    let cancel = props.cancel.reform(|_| ());
    let content = if *stopped {
        // A search leaves a plan and a bound; other work leaves nothing.
        let words = match work {
            Work::Search => of_search(&props.state),
            _ => format!("{name}: cancelled."),
        };
        html! {
            <>
                <p role="status">{ words }</p>
                <span class="line">
                    if *work != Work::Saving {
                        { button("Start again", props.go_on.reform(|_| ())) }
                    }
                    { button("Close", cancel) }
                </span>
            </>
        }
    } else {
        html! {
            <>
                // The progress changes often, so only the start is announced.
                <Announce words={name.to_owned()} />
                <p>{ what }</p>
                <progress
                    max="1"
                    value={share.map(|s| format!("{s:.3}"))}
                    aria-label={what.clone()}
                />
                <small class="left">{ left(*most) }</small>
                { button("Cancel (Esc)", cancel) }
            </>
        }
    };
    html! {
        <div class="over">
            <div class="notice" data-notice={if *stopped { "stopped" } else { "waiting" }}>
                { content }
            </div>
        </div>
    }
}

/// Describes what a cancelled search for the optimum leaves.
fn of_search(state: &AppState) -> String {
    let (figures, unit) = match state.view {
        View::Graphs => (figures(&state.graphs), "pack"),
        _ => (figures(&state.sequences), "row"),
    };
    let kept = figures.and_then(|f| Some((f.packs, f.lower_bound?)));
    let kept = kept.map_or_else(String::new, |(packs, bound)| {
        format!(
            ": {} so far, and no plan has fewer than {}",
            plural(packs, unit),
            count(bound)
        )
    });
    format!("The search for the optimum is cancelled{kept}.")
}

fn figures<S: PackingSettings, const K: usize>(study: &Study<S, K>) -> Option<&Figures> {
    study.answer.as_ref().map(|answer| &answer.report.figures)
}
