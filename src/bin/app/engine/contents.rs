//! The contents of files that were read, turned into actions on the state.

use super::Files;
use crate::due;
use crate::lazy::Loading;
use packscope::api::limits::practical;
use packscope::histogram::Histogram;
use packscope::part;
use packscope::state::{Action, FileGroup, Source, graphs};
use packscope::wire::{Counts, Read};
use std::cell::RefCell;
use std::rc::Rc;
use yew::Callback;

type Show = fn(Read, &RefCell<Files>, &Callback<Action>);

part! { further:
    fn load_show() -> Loading<Show> {
        Ok(show_now)
    }
}

/// Dispatches the data of files that were read.
pub(super) fn show(contents: Read, files: &Rc<RefCell<Files>>, dispatch: &Callback<Action>) {
    let (files, dispatch) = (Rc::clone(files), dispatch.clone());
    due::load(async move {
        // The decoder of the reply is in the same part, so this one is there.
        if let Ok(show) = load_show().await {
            show(contents, &files, &dispatch);
        }
    });
}

fn show_now(contents: Read, files: &RefCell<Files>, dispatch: &Callback<Action>) {
    let Read { counts, description, each } = contents;
    let opened = files.borrow().read.clone();
    let name = opened.as_ref().map_or_else(String::new, |o| o.name.clone());
    let source = Source::Own { name: name.clone(), description: Rc::new(description) };
    let are_graphs = matches!(counts, Counts::Graphs(_));
    let loaded = match counts {
        Counts::Lengths(counts) => Histogram::from_lengths(counts).map(|h| {
            let limit = practical(&h);
            Action::Loaded(source, Rc::new(h), Some(limit))
        }),
        Counts::Texts(counts) => Histogram::from_counts(counts).map(|h| {
            let limit = h.marginal(0).map(|lengths| practical(&lengths));
            Action::LoadedTexts(source, Rc::new(h), limit)
        }),
        Counts::Graphs(counts) => Histogram::from_counts(counts)
            .map(|h| Action::Graphs(graphs::Action::Loaded(source, Rc::new(h), [true; 2]))),
    };
    match loaded {
        Ok(loaded) => {
            files.borrow_mut().shown[usize::from(are_graphs)] = opened;
            dispatch.emit(loaded.clone());
            if !are_graphs {
                dispatch.emit(Action::Files(group(name, each, loaded)));
            }
        }
        Err(error) => dispatch.emit(Action::Unreadable(error.to_string())),
    }
}

/// Groups the data of several files; `None` for a single one.
fn group(name: String, each: Vec<(String, Counts)>, all: Action) -> Option<Rc<FileGroup>> {
    let lengths = |counts| match counts {
        Counts::Lengths(counts) => Histogram::from_lengths(counts).ok(),
        Counts::Texts(counts) => {
            Histogram::from_counts(counts).ok().and_then(|h: Histogram<2>| h.marginal(0))
        }
        Counts::Graphs(_) => None,
    };
    let each: Vec<_> =
        each.into_iter().filter_map(|(name, counts)| Some((name, Rc::new(lengths(counts)?)))).collect();
    (each.len() > 1).then(|| Rc::new(FileGroup { name, each, all: Box::new(all) }))
}
