//! Settings of few static shapes.

use super::{Accepts, SettingAccess, SettingField, fields, optional_text, put, put_some};
use crate::api::shapes::Settings;
use crate::shapes::{self, MOST, ShapeMethod};
use Accepts::{Names, Other, Whole};

/// The name that stands for given lengths, beside the names of the methods.
const GIVEN_LENGTHS: &str = "given";

/// The names of all methods, and of given lengths.
const METHODS: [&str; ShapeMethod::NAMES.len() + 1] = {
    let mut names = [GIVEN_LENGTHS; ShapeMethod::NAMES.len() + 1];
    // A constant has neither `for` nor iterators.
    let mut at = 0;
    while at < ShapeMethod::NAMES.len() {
        names[at] = ShapeMethod::NAMES[at];
        at += 1;
    }
    names
};

fn list(s: &Settings) -> String {
    s.given
        .iter()
        .map(u32::to_string)
        .collect::<Vec<_>>()
        .join(",")
}

fn put_list(s: &mut Settings, text: &str) -> bool {
    shapes::parse(text).map(|given| s.given = given).is_ok()
}

fn put_method(s: &mut Settings, text: &str) -> bool {
    if text == GIVEN_LENGTHS {
        s.method = None;
        return true;
    }
    put_some(&mut s.method, text)
}

fields! { Settings;
    SHAPES {
        id: "shapes",
        option: "shapes",
        name: "Shapes",
        label: "Number of shapes",
        unit: "shapes",
        accepts: Whole(1, MOST as u64),
        always: false,
        about: "The most shapes, each of which is compiled.",
        place: [shapes],
    }
    METHOD {
        id: "shapes-by",
        option: "method",
        name: "Shapes by",
        label: "Chosen by",
        unit: "",
        accepts: Names(&METHODS),
        always: false,
        about: "Which shapes are shown one by one, and written by --for.",
        place: [get |s| s.method.map_or(GIVEN_LENGTHS, ShapeMethod::name).to_owned(), put put_method],
        words: |s| s.method.map_or("as given", ShapeMethod::long_name).to_owned(),
    }
    MULTIPLE {
        id: "shapes-multiple",
        option: "multiple",
        name: "Multiples of",
        label: "Multiples of",
        unit: "tokens",
        accepts: Whole(1, 65_536),
        always: false,
        about: "Lengths are multiples of this, as accelerators want them: 128 on Gaudi.",
        place: [multiple],
    }
    GIVEN {
        id: "shapes-given",
        option: "lengths",
        name: "Given lengths",
        label: "Lengths of your own",
        unit: "",
        accepts: Other("lengths such as 128,256,512"),
        always: false,
        about: "Lengths to judge beside those that are found; the longest sequence is added where none holds it.",
        place: [get list, put put_list],
    }
    TOKENS {
        id: "shapes-tokens",
        option: "tokens",
        name: "Slots of a batch",
        label: "Slots of a batch",
        unit: "tokens",
        accepts: Whole(1, u64::MAX),
        always: false,
        about: "Slots of a batch, for the sequences that a batch of each shape has room for.",
        place: [get |s| optional_text(&s.tokens), put |s, text| put_some(&mut s.tokens, text)],
    }
}
