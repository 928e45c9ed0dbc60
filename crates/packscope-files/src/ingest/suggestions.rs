//! How many components an input offers, from its beginning.

use super::formats::Format;
use super::options::{Column, Options};
use super::{HEAD, Ingested, Note, Reader, component_names, detect};

/// Returns the number of components that an input offers, from its beginning (of which 64 KiB are examined; `complete`
/// if that is all): 2 when names of columns or fields belong together, such as nodes and edges, and hold numbers;
/// otherwise 1. Chosen columns take precedence. Unnamed numbers are lengths; so are the words of a text, whose
/// stopwords are read only on request (see [`is_text`]).
pub fn components(head: &[u8], complete: bool, options: &Options) -> usize {
    offered(head, complete, options, |_| false)
}

/// As [`components`], for a caller that expects pairs: unnamed numbers are sizes of two components if a record has two
/// of them, or three, the last of which is a count.
pub fn components_among_pairs(head: &[u8], complete: bool, options: &Options) -> usize {
    offered(head, complete, options, |note| {
        matches!(
            note,
            Note::Columns { columns: 2..=3, .. }
                | Note::Arrays {
                    elements: 2..=3,
                    ..
                }
        )
    })
}

/// Whether an input is read as text, judged by its beginning (of which 64 KiB are examined; `complete` if that is all):
/// two components are then words and stopwords.
pub fn is_text(head: &[u8], complete: bool, options: &Options) -> bool {
    // Of more than HEAD bytes only a part is examined, which is then not complete.
    let (complete, head) = (complete && head.len() < HEAD, &head[..head.len().min(HEAD)]);
    detect::dialect(head, complete, options, 1).is_ok_and(|dialect| dialect.format == Format::Text)
}

/// Returns a beginning without the record that its end cuts: of `12,26` a `1` may be left, which is no row of two columns.
/// A single record stays as it is, and so does an encoding of two bytes a character.
fn whole(head: &[u8]) -> &[u8] {
    match head.iter().rposition(|byte| *byte == b'\n') {
        Some(last) if head[..last].contains(&b'\n') && !head.contains(&0) => &head[..=last],
        _ => head,
    }
}

fn offered(
    head: &[u8],
    complete: bool,
    options: &Options,
    are_pairs: impl Fn(&Note) -> bool,
) -> usize {
    // Words and stopwords are two components only on request.
    if is_text(head, complete, options) {
        return 1;
    }
    if !options.sizes.is_empty() {
        return options.sizes.len();
    }
    let complete = complete && head.len() < HEAD;
    let head = &head[..head.len().min(HEAD)];
    let head = if complete { head } else { whole(head) };
    let mut reader = Reader::<2>::new(options.clone());
    let pushed = reader.push(head);
    reader.begin(complete);
    // The first record is described even without a terminator.
    let pushed = pushed.and_then(|()| reader.push(b"\n"));
    let first = reader.tally.description.clone();
    if pushed.is_err() {
        return 1;
    }
    let Ok(Ingested { description: d, .. }) = reader.finish() else {
        // Nodes and edges belong to graphs even if all records are damaged; likewise for pairs.
        let two = first.components == ["nodes", "edges"] || first.notes.iter().any(are_pairs);
        return 1 + usize::from(two);
    };
    let measured = d
        .notes
        .iter()
        .any(|n| matches!(n, Note::Elements | Note::Words));
    let has_edges = d
        .sizes
        .iter()
        .any(|c| matches!(c, Column::Name(name) if component_names::is_edge_index(name)));
    // Lists and texts in two columns are measured on request; an edge index is always a pair.
    let two =
        (!d.components.is_empty() && (!measured || has_edges)) || d.notes.iter().any(are_pairs);
    1 + usize::from(two)
}
