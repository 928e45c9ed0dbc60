//! The large parts of the page that are loaded when first needed: views, and their lower parts. Smaller ones are
//! defined next to their only user.

use crate::components::{advice, batches, below, graphs, learn, ranks, side_by_side, speedup};
use crate::engine::{here, sweep};
use crate::lazy::{Draw, Loading, Part};
use crate::shared::{CompareProps, ViewProps};
use packscope_page::learn::Chapter;
use packscope_page::part;
use packscope_page::state::LearnState;
use yew::prelude::*;

pub static LEARN: Part<Lessons> = Part::new(|| Box::pin(load_learn()));
pub static GRAPHS: Part<Draw<ViewProps>> = Part::new(|| Box::pin(load_graphs()));
pub static BATCHES: Part<Draw<ViewProps>> = Part::new(|| Box::pin(load_batches()));
pub static RANKS: Part<Draw<ViewProps>> = Part::new(|| Box::pin(load_ranks()));
pub static BELOW: Part<Draw<below::Props>> = Part::new(|| Box::pin(load_below()));
/// The recommendation for sequences. It uses workers' replies, and so is loaded together with their decoder.
pub static ADVICE: Part<Draw<CompareProps>> = Part::new(|| Box::pin(load_advice()));
pub static SPEEDUP: Part<Draw<speedup::Props>> = Part::new(|| Box::pin(load_speedup()));
pub static FILES: Part<Draw<side_by_side::Props>> = Part::new(|| Box::pin(load_files()));

#[derive(Clone, Copy)]
pub struct Lessons {
    pub draw: Draw<learn::Props>,
    /// Whether all answers of the open chapter have arrived.
    pub current: fn(&LearnState) -> bool,
}

part! { learn:
    fn load_learn() -> Loading<Lessons> {
        Ok(Lessons {
            draw: |props| html! { <learn::Lessons ..props /> },
            current: |state| Chapter::named(&state.chapter).is_current(state),
        })
    }
}

part! { graphs:
    fn load_graphs() -> Loading<Draw<ViewProps>> {
        here::answer_graphs(here::graphs_simply);
        sweep::enable();
        Ok(|props| html! { <graphs::Graphs ..props /> })
    }
}

part! { batches:
    fn load_batches() -> Loading<Draw<ViewProps>> {
        Ok(|props| html! { <batches::Batches ..props /> })
    }
}

part! { ranks:
    fn load_ranks() -> Loading<Draw<ViewProps>> {
        Ok(|props| html! { <ranks::Ranks ..props /> })
    }
}

part! { lower:
    fn load_below() -> Loading<Draw<below::Props>> {
        Ok(|props| html! { <below::Below ..props /> })
    }
}

part! { replies:
    fn load_advice() -> Loading<Draw<CompareProps>> {
        Ok(|props| html! { <advice::OfPacking ..props /> })
    }
}

part! { speedup:
    fn load_speedup() -> Loading<Draw<speedup::Props>> {
        Ok(|props| html! { <speedup::SpeedUp ..props /> })
    }
}

part! { own:
    fn load_files() -> Loading<Draw<side_by_side::Props>> {
        Ok(|props| html! { <side_by_side::SideBySide ..props /> })
    }
}
