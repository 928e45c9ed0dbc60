//! The address of the page.

use packscope_page::state::custom::Custom;
use packscope_page::state::{Action, AppState, DataName, Source, View, data_of, has, view_of};

/// Any address: what the page makes of it is what it makes of the address that it then has, with the data that came
/// in it and without.
pub fn address(bytes: &[u8]) {
    let hash = String::from_utf8_lossy(bytes);
    settles(&AppState::default(), &hash);
    let view = view_of(&hash);
    for view in View::ALL {
        has(&hash, view, "limit");
        if let DataName::Carried(value) = data_of(&hash, view)
            && let Ok(custom) = Custom::read(value)
        {
            settles(&opened(custom), &hash);
        }
    }
    assert!(View::ALL.contains(&view));
}

fn settles(page: &AppState, hash: &str) {
    let open = |hash: String| page.reduce(Action::Navigate(hash));
    // What is not possible is said once, and is no part of what the address holds.
    let first = open(hash.to_owned()).reduce(Action::Dismiss);
    let written = first.hash();
    let second = open(written.clone());
    assert_eq!(second.hash(), written, "the address of an address");
    assert_eq!(second, first, "the page of an address");
    // What is handed on opens the same settings.
    let linked = open(first.link());
    assert_eq!(
        (&linked.sequences.settings, &linked.graphs.settings),
        (&first.sequences.settings, &first.graphs.settings)
    );
    assert_eq!(linked.batches, first.batches);
    assert!(open(first.embedding()).embed);
    let _ = (
        first.against(),
        first.graphs.against(),
        first.sequences.depths(),
        first.sequences.largest_limit(),
    );
}

/// The page with data that came in a link, as the shell loads them.
pub fn opened(custom: Custom) -> AppState {
    let source = Source::Kept {
        name: custom.name,
        components: custom.components,
    };
    AppState::default().reduce(Action::loaded(source, custom.sizes, None, [false; 2]))
}
