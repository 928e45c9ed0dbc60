//! The help of options, from the tables of settings and of names.

use packscope::api::fields::{Accepts, Field, graphs, sequences};
use packscope::ingest::Format;
use packscope::packing::{Algorithm, tuple};
use packscope::state::graphs::Words;

/// Returns a setting's description and the values that it accepts.
pub fn of<S>(field: &Field<S>) -> String {
    let about = Words::default().say(field.about.trim_end_matches('.'));
    match field.value.accepts {
        // Their values are listed anyway.
        Accepts::Switch(_) => about,
        accepts => format!("{about} [{accepts}]"),
    }
}

/// Returns the same for a setting of graphs that sequences have differently or not at all.
pub fn of_graphs<S: Default>(field: &Field<S>) -> String {
    format!("{} [default: {}, with --limits]", of(field), usual(field))
}

/// Returns the description, accepted values and default of a setting that sequences and graphs share.
pub fn both<S: Default, G: Default>(sequences: &Field<S>, graphs: &Field<G>) -> String {
    let about = sequences.about.trim_end_matches('.').replace("sequences", "items");
    let (mut accepts, with_limits) = (sequences.value.accepts.to_string(), graphs.value.accepts.to_string());
    if accepts != with_limits {
        accepts += &format!("; with --limits: {with_limits}");
    }
    format!("{about} [{accepts}] [default: {}; {} with --limits]", sequences.value.usual(), usual(graphs))
}

/// Returns the command line's default for graphs: the quick algorithm, else the default everywhere.
fn usual<G: Default>(field: &Field<G>) -> String {
    match field.option {
        "algorithm" => graphs::QUICK.name().to_owned(),
        _ => field.value.usual(),
    }
}

/// Returns the text formats that can be chosen.
pub fn formats() -> String {
    let text = Format::ALL.into_iter().filter(|format| format.is_text()).map(Format::name);
    let text = text.collect::<Vec<_>>().join(", ");
    format!("How text is laid out: {text} (table: CSV, TSV …); detected when left out")
}

/// Returns a list of names with their meanings, for long help.
pub fn listed<const N: usize>(names: [(&str, String); N]) -> String {
    names.map(|(name, about)| format!("\n  {name}: {about}")).concat()
}

/// Returns the help of [`both`] on algorithms, then a description and publication of each.
pub fn algorithms() -> String {
    let (both, words) = (both(&sequences::ALGORITHM, &graphs::ALGORITHM), Words::default());
    let lengths = Algorithm::ALL.map(|a| (a.name(), format!("{} ({})", a.about(), a.source())));
    let sizes =
        tuple::Algorithm::ALL.map(|a| (a.name(), format!("{} ({})", words.say(a.about()), a.source())));
    format!("{both}\n\nWith --limit:{}\nWith --limits:{}", listed(lengths), listed(sizes))
}
