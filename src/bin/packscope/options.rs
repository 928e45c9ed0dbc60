//! The help of options, as the tables of settings and of names have it.

use packscope::api::fields::{Accepts, Field, graphs, sequences};
use packscope::packing::{Algorithm, tuple};
use packscope::state::graphs::Words;

/// What a setting is, and what it takes.
pub fn of<S>(field: &Field<S>) -> String {
    let about = Words::default().say(field.about.trim_end_matches('.'));
    match field.value.accepts {
        // Their values are listed anyway.
        Accepts::Switch(_) => about,
        accepts => format!("{about} [{accepts}]"),
    }
}

/// The same of a setting of graphs that is another, or none, for sequences.
pub fn of_graphs<S: Default>(field: &Field<S>) -> String {
    format!("{} [default: {}, with --limits]", of(field), usual(field))
}

/// What a setting of sequences and graphs alike is, what it takes, and what it is when left out.
pub fn both<S: Default, G: Default>(sequences: &Field<S>, graphs: &Field<G>) -> String {
    let about = sequences.about.trim_end_matches('.').replace("sequences", "items");
    let (mut accepts, with_limits) = (sequences.value.accepts.to_string(), graphs.value.accepts.to_string());
    if accepts != with_limits {
        accepts += &format!("; with --limits: {with_limits}");
    }
    format!("{about} [{accepts}] [default: {}; {} with --limits]", sequences.value.usual(), usual(graphs))
}

/// What the command line does with graphs unless told: the quick algorithm, else as everywhere.
fn usual<G: Default>(field: &Field<G>) -> String {
    match field.option {
        "algorithm" => graphs::QUICK.name().to_owned(),
        _ => field.value.usual(),
    }
}

/// A list of names with what each means, for long help.
pub fn listed<const N: usize>(names: [(&str, String); N]) -> String {
    names.map(|(name, about)| format!("\n  {name}: {about}")).concat()
}

/// What [`both`] says of algorithms, then what each does and where it is published.
pub fn algorithms() -> String {
    let (both, words) = (both(&sequences::ALGORITHM, &graphs::ALGORITHM), Words::default());
    let lengths = Algorithm::ALL.map(|a| (a.name(), format!("{} ({})", a.about(), a.source())));
    let sizes =
        tuple::Algorithm::ALL.map(|a| (a.name(), format!("{} ({})", words.say(a.about()), a.source())));
    format!("{both}\n\nWith --limit:{}\nWith --limits:{}", listed(lengths), listed(sizes))
}
