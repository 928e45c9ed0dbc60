//! The figures of libraries, each declared once: which stand where, and in which order.

use crate::common::{built_in, built_in_graphs};
use packscope::api::trainer::{AnswerContext, LibraryQuery, Pass, Report, ShownFigure};
use packscope::packing::go_on;
use packscope::trainer::batches::{LibraryLimits, SAMPLERS, SamplerLibraries};
use packscope::trainer::graphs::{GraphLibraries, LOADERS};
use packscope::trainer::{LIBRARIES, Library, PackingLibraries};

const ROOM: LibraryLimits = LibraryLimits {
    limit: 512,
    batch: 16,
};

/// Asserts that nothing stands twice in any list of a kind, and returns the text and the page of the first library.
fn lists<K: Pass>(
    given: K::RequestLimits,
    data: &K::Data,
    all: &[&'static Library<K>],
) -> [String; 2] {
    let columns = K::PRESENTATION.figures.iter();
    let columns: Vec<&str> = columns.filter_map(|f| Some(f.column()?.id)).collect();
    assert_each_once(&columns, "columns");
    let mut first = None;
    for library in all {
        let asked = LibraryQuery::about(library.id, &[], 1, 2);
        let report: Report<K> = asked.request(given).on(data, &mut go_on).unwrap();
        let Some(of) = AnswerContext::new(&report, &report.answers[0], given) else {
            continue;
        };
        let (text, page) = (of.in_text(), of.on_page());
        let names: Vec<&str> = text.iter().map(|figure| figure.name.as_str()).collect();
        let ids: Vec<&str> = page.iter().map(|figure| figure.id.as_str()).collect();
        assert_each_once(&names, library.id);
        assert_each_once(&ids, library.id);
        let says = |figure: &ShownFigure| !(figure.shown.clone() + &figure.note).is_empty();
        assert!(text.iter().chain(&page).all(says), "{text:?} {page:?}");
        first.get_or_insert([names.join(", "), ids.join(", ")]);
    }
    first.unwrap()
}

#[track_caller]
fn assert_each_once(names: &[&str], of: &str) {
    let mut sorted = names.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    assert!(
        sorted.len() == names.len() && !names.contains(&""),
        "{of}: {names:?}"
    );
}

#[test]
fn figures_of_packers_stand_in_their_order() {
    let of = lists::<PackingLibraries>(ROOM, &built_in("lima_train_chatml"), LIBRARIES);
    assert_eq!(
        of,
        [
            "rows, above best, computed, steps, unfilled, truncated, dropped, cut apart, context",
            "trainer_rows, trainer_unfilled, trainer_lost, trainer_cut"
        ]
    );
}

#[test]
fn figures_of_samplers_stand_in_their_order() {
    let of = lists::<SamplerLibraries>(ROOM, &built_in("lima_train_chatml"), SAMPLERS);
    assert_eq!(
        of,
        [
            "batches, sequences, padding, slots, largest, truncated, dropped",
            "padding_share, batches, largest_slots, lost_share"
        ]
    );
}

#[test]
fn figures_of_loaders_stand_in_their_order() {
    let of = lists::<GraphLibraries>(
        [222, 502],
        &built_in_graphs("mol_qm9_allatoms_graph"),
        LOADERS,
    );
    assert_eq!(
        of,
        [
            "batch, batches, above best, graphs, unfilled, largest, skipped",
            "batches, padding_share_nodes, largest_nodes, skipped_share"
        ]
    );
}
