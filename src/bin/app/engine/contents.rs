//! The contents of files that were read, turned into actions on the state.

use super::OpenedFiles;
use crate::due;
use crate::lazy::PartLoad;
use packscope::histogram::Sizes;
use packscope::ingest::Read;
use packscope_page::part;
use packscope_page::state::{Action, FileGroup, Source};
use std::cell::RefCell;
use std::rc::Rc;
use yew::Callback;

type Show = fn(Read, &RefCell<OpenedFiles>, &Callback<Action>);

part! { further:
    fn load_show() -> PartLoad<Show> {
        Ok(show_now)
    }
}

/// Dispatches the data of files that were read.
pub(super) fn show(contents: Read, files: &Rc<RefCell<OpenedFiles>>, dispatch: &Callback<Action>) {
    let (files, dispatch) = (Rc::clone(files), dispatch.clone());
    due::load(async move {
        // The decoder of the reply is in the same part, so this one is there.
        if let Ok(show) = load_show().await {
            show(contents, &files, &dispatch);
        }
    });
}

fn show_now(contents: Read, files: &RefCell<OpenedFiles>, dispatch: &Callback<Action>) {
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
