//! HWCap: the largest batch by length, from a table or from memory.

use crate::components::exact::{Exact, text, use_typed};
use crate::components::filtered;
use crate::components::settings::{ChoiceOption, choices};
use packscope::accepts::number;
use packscope::error::Error;
use packscope::sampler::{HwCap, MemoryModel};
use packscope::words::{capital, count};
use yew::prelude::*;

/// A memory model fitted to the first and last rows of the table in the paper's code, measured with
/// 11 GB: 2,525 sequences of 5 tokens, 50 of 128. In between it exceeds the table by at most half.
const FITTED: MemoryModel = MemoryModel {
    // 2,525 · (5 a + 25 b) and 50 · (128 a + 16,384 b) are both just within 11 GiB.
    linear: 898_300.0,
    quadratic: 7_380.0,
    bytes: 11.0 * GIB,
};
const GIB: f64 = 1_073_741_824.0;

/// The source of the largest batches.
#[derive(Debug, Clone, Copy, PartialEq)]
enum CapSource {
    Paper,
    Own,
    Memory,
}

/// The last table and memory model, restored when the visitor returns to that kind.
#[derive(Debug, Clone, PartialEq)]
struct LastCaps {
    table: HwCap,
    memory: MemoryModel,
    /// Whether the table is the visitor's own, even if it still equals the published one.
    own: bool,
}

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub now: HwCap,
    /// The length whose largest batch is shown, in tokens.
    pub limit: u32,
    pub set: Callback<HwCap>,
}

/// The choice of HWCap, with the fields of the chosen kind.
#[component]
pub fn Cap(props: &Props) -> Html {
    let kept = use_state_eq(|| LastCaps {
        table: HwCap::default(),
        memory: FITTED,
        own: false,
    });
    let now = &props.now;
    let kind = match now {
        HwCap::Memory(_) => CapSource::Memory,
        HwCap::Table(_) if kept.own || *now != HwCap::default() => CapSource::Own,
        HwCap::Table(_) => CapSource::Paper,
    };
    let own = if kind == CapSource::Own {
        now.clone()
    } else {
        kept.table.clone()
    };
    let memory = if let HwCap::Memory(memory) = now {
        *memory
    } else {
        kept.memory
    };
    let way = |to: CapSource| {
        let (value, name, about, cap) = match to {
            CapSource::Paper => {
                let about = "RoBERTa base, RTX 2080 Ti, 11 GB; the paper’s own table ends with 64";
                (
                    "paper",
                    "Table of the paper’s code",
                    about,
                    HwCap::default(),
                )
            }
            CapSource::Own => ("own", "Own table", "", own.clone()),
            CapSource::Memory => (
                "memory",
                "Memory model",
                "Bytes of a row: a · L + b · L²",
                HwCap::Memory(memory),
            ),
        };
        let more = match to {
            _ if to != kind => Html::default(),
            CapSource::Paper => Html::default(),
            CapSource::Own => html! { <Rows now={now.clone()} set={props.set.clone()} /> },
            CapSource::Memory => fields(memory, &props.set),
        };
        let choose = {
            let (set, kept, cap) = (props.set.clone(), kept.clone(), cap.clone());
            let keep = LastCaps {
                table: own.clone(),
                memory,
                own: to == CapSource::Own,
            };
            Callback::from(move |_: Event| {
                // The choice that is left is kept, for the return to it.
                kept.set(keep.clone());
                set.emit(cap.clone());
            })
        };
        let (value, name, about) = (value.to_owned(), name.to_owned(), about.to_owned());
        let figure = count(cap.batch_at(props.limit).into());
        ChoiceOption {
            value,
            name,
            figure,
            about,
            more,
            chosen: to == kind,
            choose,
        }
    };
    let at = format!("at a length of {}", count(props.limit.into()));
    choices(
        "hwcap",
        "HWCap: largest batch",
        &at,
        [CapSource::Paper, CapSource::Own, CapSource::Memory].map(way),
    )
}

/// A text area for the rows of a table; text that is not a valid table changes nothing and shows an
/// error.
#[component]
fn Rows(props: &RowsProps) -> Html {
    let table = |text: &str| {
        text.parse::<HwCap>()
            .ok()
            .filter(|cap| matches!(cap, HwCap::Table(_)))
    };
    // A table is written `length:sequences,…`; here it has a row for each length. Commas are
    // replaced first, or those that stand for colons would become line ends too.
    let lines = props.now.to_string().replace(',', "\n").replace(':', ",");
    let (typed, take) = use_typed(&lines, |a, b| table(a).is_some() && table(a) == table(b));
    let wrong = match typed.parse::<HwCap>() {
        Ok(HwCap::Table(_)) => None,
        Ok(HwCap::Memory(_)) => Some("This is a memory model, not a table.".to_owned()),
        Err(Error::HwCap { wrong }) => Some(format!("{}.", capital(wrong))),
        Err(error) => Some(error.to_string()),
    };
    let oninput = {
        let set = props.set.clone();
        Callback::from(move |e: InputEvent| {
            let Some(text) = text(&e) else { return };
            if let Some(table) = table(&text) {
                set.emit(table);
            }
            take.emit(Some(text));
        })
    };
    html! {
        <div class="own">
            <label for="hwcap-rows">{ "Longest length, sequences" }</label>
            <textarea
                id="hwcap-rows"
                class="field lines"
                rows="8"
                spellcheck="false"
                aria-invalid={wrong.is_some().to_string()}
                aria-describedby="hwcap-wrong"
                value={typed}
                {oninput}
            />
            <small id="hwcap-wrong" role="status">
                if let Some(wrong) = wrong {
                    <span class="needle">{ wrong }</span>
                    { " What was in force stays." }
                } else {
                    { "A row for each bucket; longer ones in proportion." }
                }
            </small>
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct RowsProps {
    now: HwCap,
    set: Callback<HwCap>,
}

fn fields(now: MemoryModel, set: &Callback<HwCap>) -> Html {
    let field = |id: &'static str,
                 label: &'static str,
                 value: f64,
                 change: fn(MemoryModel, f64) -> MemoryModel| {
        let typed = filtered(set, move |text: String| {
            Some(HwCap::Memory(change(now, number(text)?))).filter(|cap| cap.check().is_ok())
        });
        html! {
            <div class="line">
                <label for={id}>{ label }</label>
                // No step, since these numbers have any size.
                <Exact {id} name={label} min=0.0 step="any" value={value.to_string()} {typed} />
            </div>
        }
    };
    html! {
        <div class="own">
            { field(
                "memory-linear",
                "a, bytes per token",
                now.linear,
                |m, linear| MemoryModel { linear, ..m },
            ) }
            { field(
                "memory-quadratic",
                "b, bytes per token²",
                now.quadratic,
                |m, quadratic| MemoryModel { quadratic, ..m },
            ) }
            { field("memory-bytes", "Memory, GiB", now.bytes / GIB, |m, gib| MemoryModel {
                bytes: gib * GIB,
                ..m
            }) }
            if now == FITTED {
                <small>
                    { "An assumption: a and b fitted to the ends of the table of the paper’s code, 2,525 at 5 tokens and 50 at 128." }
                </small>
            } else {
                <small>{ "L is the longest sequence of a batch." }</small>
            }
        </div>
    }
}
