//! Records by the names of items in one object, as manifests of SpeechBrain have them: `{"utt1": {"duration": 3.5, …}, …}`.

use super::component_names;
use super::names;
use super::split::{Element, Fate, JsonShape, Splitter};
use super::value::{self, ObjectField};

/// Names of splits and of sums, whose members tell of many items each.
const OF_MANY: [&str; 13] = [
    "train",
    "training",
    "test",
    "validation",
    "valid",
    "val",
    "dev",
    "eval",
    "default",
    "all",
    "total",
    "usage",
    "summary",
];

/// Whether the first two members of the object at the beginning of this text are records of items: objects with the same
/// fields, some of them numbers, under names that are no columns.
pub(super) fn are_named(text: &[u8]) -> bool {
    let mut members: Vec<(String, Vec<ObjectField>)> = Vec::new();
    let mut is_open = true;
    let mut each = |element: Element<'_>| {
        if members.len() < 2 && is_open {
            let member = value::member(element.text).filter(|_| element.fate == Fate::Whole);
            let found = member.and_then(|(name, text)| {
                let is_object = text.starts_with(b"{");
                Some((name, value::fields(text).ok().filter(|_| is_object)?))
            });
            is_open = found.is_some();
            members.extend(found);
        }
    };
    let mut splitter = Splitter::new(JsonShape::Map);
    splitter.push(text, &mut each);
    let [(first, fields), (second, others)] = &members[..] else {
        return false;
    };
    let names = [first.as_str(), second.as_str()];
    let is_other = |name: &&str| {
        names::is_known(name) || OF_MANY.contains(&component_names::plain(name).as_str())
    };
    let has = |fields: &[ObjectField], name: &str| fields.iter().any(|(field, _)| field == name);
    // Rows by their numbers are those of a column, as pandas writes it.
    let is_row = |name: &str| name.bytes().all(|b| b.is_ascii_digit());
    let are_alike = fields.len() == others.len()
        && fields
            .iter()
            .all(|(name, _)| has(others, name) && !is_row(name));
    are_alike
        && fields.iter().any(|(_, value)| value.is_number())
        && !names.iter().any(is_other)
        && component_names::prompt_and_response(&names).is_none()
        && component_names::find(&names, 2).is_none()
}
