//! The column of controls: limit, ranks, what is dealt, how, by which weight, and when ranks wait. The scheduler of a
//! library is chosen in the table of `libraries.rs`; here it only stands at the end of the list while it is chosen.

use super::set;
use super::ways::Props;
use crate::components::exact::Exact;
use crate::components::explained::terms;
use crate::components::fold::{Column, Fold, use_room_fold};
use crate::components::settings::{limit_of, policy_of};
use crate::components::slider::{powers, whole};
use crate::components::{PENDING, list};
use packscope::api::fields::SettingField;
use packscope::api::fields::ranks::{
    ALGORITHM, CAP, CONTEXT, DEALING, LEAST, LIMIT, MICRO_BATCH, MULTIPLE, OVERLONG, RANKS, SEED,
    STEP, UNIT, WAITING, WEIGHT,
};
use packscope::api::ranks::{
    Dealing, ROW_PACKERS, RankUnit, Scheduler, Settings, SyncPoint, Weight,
};
use packscope::histogram::Overlong;
use packscope::words::{count, plural};
use packscope_page::state::Action;
use packscope_page::state::ranks::findings::{micro_batches, of_row, waits};
use yew::prelude::*;

#[component]
pub fn Controls(props: &Props) -> Html {
    // The same name as on the view of sequences: unfolded on one, it is unfolded on the other.
    let fold = use_room_fold("further");
    let settings = props.state.ranks_settings();
    let unit = props.state.sequences.unit();
    let summary = format!(
        "{} · {} {unit} · {}",
        plural(u64::from(settings.ranks), "rank"),
        count(u64::from(settings.limit)),
        settings
            .library
            .map_or(settings.dealing.long_name(), |library| library.long_name())
    );
    let each = if settings.unit == RankUnit::Rows {
        "Rows of a micro-batch"
    } else {
        "Micro-batch size"
    };
    html! {
        <Column {summary}>
            { limit(props) }
            { size(props, &RANKS, [RANKS.label, RANKS.unit], settings.ranks, 10) }
            { size(
                props,
                &MICRO_BATCH,
                [each, ""],
                settings.units_of_micro_batch(),
                6,
            ) }
            { size(props, &STEP, [STEP.label, ""], settings.micro_batches, 6) }
            { dealing(props, &settings) }
            { weight(props, &settings) }
            { waiting(props, &settings) }
            { further(props, &settings, fold) }
        </Column>
    }
}

fn limit(props: &Props) -> Html {
    let (value, max) = (
        props.state.sequences.settings.limit,
        props.state.sequences.largest_limit(),
    );
    let set = props.dispatch.reform(Action::Limit);
    limit_of(
        LIMIT.value.id,
        LIMIT.label,
        props.state.sequences.unit(),
        (value, max),
        &set,
    )
}

/// A slider over powers of two up to 2^`last`.
fn size(
    props: &Props,
    field: &SettingField<Settings>,
    names: [&str; 2],
    value: u32,
    last: u32,
) -> Html {
    let set = set(&props.dispatch, field.value.id).reform(|n: u32| n.to_string());
    let slider = powers(
        field.value.id,
        names,
        (value, field.largest_accepted()),
        last,
        &set,
    );
    html! { <section class="control">{ slider }</section> }
}

/// A list of the values of a setting, each with its name and a figure, and a description of the
/// chosen one.
fn listed<T: Copy + PartialEq + ToString>(
    props: &Props,
    field: &SettingField<Settings>,
    now: T,
    all: impl IntoIterator<Item = (T, &'static str, String)>,
    about: &str,
) -> Html {
    let id = field.value.id;
    let option = |(value, name, figure): (T, &'static str, String)| {
        let words = if figure.is_empty() {
            name.to_owned()
        } else {
            format!("{name} · {figure}")
        };
        (value.to_string().into(), words.into(), value == now)
    };
    html! {
        <section class="control">
            <label for={id}>{ terms(field.label) }</label>
            { list(id, all.into_iter().map(option), &set(&props.dispatch, id)) }
            <p class="hint">{ terms(about) }</p>
        </section>
    }
}

fn known_factor(props: &Props, dealing: Dealing, weight: Weight, waiting: SyncPoint) -> String {
    let Some(table) = &props.table else {
        return PENDING.to_owned();
    };
    let is_it = |row: &&packscope::api::ranks::DealingRow| {
        // A way that looks at no weight has one row for all weights.
        row.dealing == dealing && (dealing.is_blind() || row.weight == weight)
    };
    table
        .rows
        .iter()
        .find(is_it)
        .map_or_else(String::new, |row| waits(of_row(row, waiting)))
}

fn dealing(props: &Props, s: &Settings) -> Html {
    // A library deals in a way of its own, which stands behind the general ones while it is chosen.
    let own = Dealing::ALL.map(|d| {
        (
            d.name(),
            d.long_name(),
            known_factor(props, d, s.weight, s.waiting),
        )
    });
    let library = s.library.map(|l| (l.name(), l.long_name(), String::new()));
    let (now, about) = s
        .library
        .map_or((s.dealing.name(), s.dealing.about()), |l| {
            (l.name(), l.about())
        });
    listed(props, &DEALING, now, own.into_iter().chain(library), about)
}

fn weight(props: &Props, s: &Settings) -> Html {
    if s.dealing.is_blind() || s.library.is_some() {
        return Html::default();
    }
    let all = Weight::ALL.map(|w| {
        (
            w,
            w.long_name(),
            known_factor(props, s.dealing, w, s.waiting),
        )
    });
    listed(props, &WEIGHT, s.weight, all, s.weight.about())
}

fn waiting(props: &Props, s: &Settings) -> Html {
    let figure = |waiting| match waiting {
        // Without waiting a step takes the mean rank’s work.
        SyncPoint::Never => waits(1.0),
        _ if s.library.is_some() => String::new(),
        _ => known_factor(props, s.dealing, s.weight, waiting),
    };
    let all = SyncPoint::ALL.map(|w| (w, w.long_name(), figure(w)));
    listed(props, &WAITING, s.waiting, all, s.waiting.about())
}

fn unit_of(props: &Props, s: &Settings) -> Html {
    let all = RankUnit::ALL.map(|u| (u, u.long_name(), String::new()));
    listed(props, &UNIT, s.unit, all, s.unit.about())
}

/// The algorithms that pack rows, where rows are dealt.
fn packer(props: &Props, s: &Settings) -> Html {
    if s.unit != RankUnit::Rows {
        return Html::default();
    }
    let all = ROW_PACKERS.map(|a| (a, a.long_name(), String::new()));
    listed(props, &ALGORITHM, s.algorithm, all, s.algorithm.about())
}

/// The settings that few change, folded unless one is changed or all of the page is on screen.
fn further(props: &Props, s: &Settings, Fold { open, ontoggle }: Fold) -> Html {
    // What differs from the defaults must be in sight.
    let open = open || s.unit != RankUnit::Sequences || s.cap.is_some() || s.context.is_some();
    let policy = props
        .dispatch
        .reform(|text| Action::Set(OVERLONG.value.id, text));
    let seed = props
        .dispatch
        .reform(|text| Action::Set(SEED.value.id, text));
    let next = s.seed.wrapping_add(1);
    let another = seed.reform(move |_: MouseEvent| next.to_string());
    html! {
        <details class="further" {open} {ontoggle}>
            <summary>{ "More settings" }</summary>
            { unit_of(props, s) }
            { packer(props, s) }
            <section class="control">
                { number(props, &CAP, s.cap.map(|cap| cap.to_string())) }
                { number(props, &CONTEXT, s.context.map(|most| most.to_string())) }
                // Only settings that the chosen way reads.
                if s.context.is_some() || s.library == Some(Scheduler::MegatronDynamicCp) {
                    { number(props, &LEAST, Some(s.least.to_string())) }
                }
                if s.library.is_some_and(Scheduler::pads) {
                    { number(props, &MULTIPLE, Some(s.multiple.to_string())) }
                }
            </section>
            <section class="control">
                { policy_of(OVERLONG.label.to_owned(), Overlong::ALL, s.overlong, policy) }
            </section>
            <section class="control">
                <div class="line">
                    <label for={SEED.value.id}>{ SEED.label }</label>
                    <Exact
                        id={SEED.value.id}
                        name={SEED.label}
                        min=0.0
                        value={s.seed.to_string()}
                        typed={seed}
                    />
                </div>
                <p class="hint">
                    { format!(
                        "Order of the sequences, {} a rank · ",
                        micro_batches(s.micro_batches)
                    ) }
                    <button type="button" class="word" onclick={another}>{ "draw again" }</button>
                </p>
            </section>
        </details>
    }
}

/// A field for a number that may be left out.
fn number(props: &Props, field: &SettingField<Settings>, now: Option<String>) -> Html {
    let set = set(&props.dispatch, field.value.id);
    let some = whole::<u64>(&set.reform(|n: u64| n.to_string()));
    let typed = Callback::from(move |text: String| {
        // Empty text is passed on, as it removes the setting; an unfinished number is not.
        if text.is_empty() {
            set.emit(text)
        } else {
            some.emit(text)
        }
    });
    html! {
        <div class="line">
            <label for={field.value.id}>{ terms(field.label) }</label>
            <Exact
                id={field.value.id}
                name={format!("{}, {}", field.label, field.unit)}
                value={now.unwrap_or_default()}
                placeholder="none"
                {typed}
            />
        </div>
    }
}
