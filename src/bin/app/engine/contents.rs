//! The contents of files that were read, turned into actions on the state.

use super::OpenedFiles;
use packscope::histogram::Sizes;
use packscope::ingest::Read;
use packscope_page::state::{Action, FileGroup, Source};
use std::cell::RefCell;
use std::rc::Rc;
use yew::Callback;

/// Dispatches the data of files that were read.
pub(super) fn show(contents: Read, files: &RefCell<OpenedFiles>, dispatch: &Callback<Action>) {
    let Read {
        counted,
        description,
        each,
    } = contents;
    let opened = files.borrow().read.clone();
    let name = opened.as_ref().map_or_else(String::new, |o| o.name.clone());
    let source = Source::Own {
        name: name.clone(),
        description: Rc::new(description),
    };
    let are_graphs = matches!(counted, Sizes::Graphs(_));
    // Before the action: rendering asks the engine whether it has the files on screen, to offer
    // assigning their items.
    files.borrow_mut().shown[usize::from(are_graphs)] = opened;
    let all = Action::read(source, counted);
    dispatch.emit(all.clone());
    if !are_graphs {
        let each: Vec<_> = each
            .into_iter()
            .filter_map(|(name, sizes)| Some((name, sizes.lengths()?)))
            .collect();
        // A single file has no group.
        let group = (each.len() > 1).then(|| {
            Rc::new(FileGroup {
                name,
                each,
                all: Box::new(all),
            })
        });
        dispatch.emit(Action::Files(group));
    }
}
