//! The large parts of the page that are loaded when first needed: views, and their lower parts. Smaller ones are
//! defined next to their only user.

use crate::components::{advice, batches, below, graphs, learn, ranks, side_by_side, speedup};
use crate::engine::{inline, sweep};
use crate::lazy::{DrawPart, LazyPart, PartLoad};
use crate::shared::{Props, ViewProps};
use packscope_page::learn::Chapter;
use packscope_page::part;
use packscope_page::state::LearnState;
use yew::prelude::*;

pub static LEARN: LazyPart<Lessons> = LazyPart::new(|| Box::pin(load_learn()));
pub static GRAPHS: LazyPart<DrawPart<ViewProps>> = LazyPart::new(|| Box::pin(load_graphs()));
pub static BATCHES: LazyPart<DrawPart<ViewProps>> = LazyPart::new(|| Box::pin(load_batches()));
pub static RANKS: LazyPart<DrawPart<ViewProps>> = LazyPart::new(|| Box::pin(load_ranks()));
pub static BELOW: LazyPart<DrawPart<below::Props>> = LazyPart::new(|| Box::pin(load_below()));
/// The verdict on training without a library. It uses workers' replies, and so is loaded together with their decoder.
pub static ADVICE: LazyPart<DrawPart<Props>> = LazyPart::new(|| Box::pin(load_advice()));
pub static SPEEDUP: LazyPart<DrawPart<speedup::Props>> = LazyPart::new(|| Box::pin(load_speedup()));
pub static FILES: LazyPart<DrawPart<side_by_side::Props>> =
    LazyPart::new(|| Box::pin(load_files()));

#[derive(Clone, Copy)]
pub struct Lessons {
    pub draw: DrawPart<learn::Props>,
    /// Whether all answers of the open chapter have arrived.
    pub current: fn(&LearnState) -> bool,
}

part! { learn:
    fn load_learn() -> PartLoad<Lessons> {
        learn::adopt_style();
        Ok(Lessons {
            draw: |props| html! { <learn::Lessons ..props /> },
            current: |state| Chapter::named(&state.chapter).is_current(state),
        })
    }
}

part! { graphs:
    fn load_graphs() -> PartLoad<DrawPart<ViewProps>> {
        // Hands over what the page itself needs of this part: named elsewhere, this code would be
        // loaded with the page.
        inline::answer_graphs(inline::graphs_simply);
        sweep::enable();
        Ok(|props| html! { <graphs::Graphs ..props /> })
    }
}

part! { batches:
    fn load_batches() -> PartLoad<DrawPart<ViewProps>> {
        Ok(|props| html! { <batches::Batches ..props /> })
    }
}

part! { ranks:
    fn load_ranks() -> PartLoad<DrawPart<ViewProps>> {
        Ok(|props| html! { <ranks::Ranks ..props /> })
    }
}

part! { lower:
    fn load_below() -> PartLoad<DrawPart<below::Props>> {
        Ok(|props| html! { <below::Below ..props /> })
    }
}

part! { replies:
    fn load_advice() -> PartLoad<DrawPart<Props>> {
        Ok(|props| html! { <advice::OfTraining ..props /> })
    }
}

part! { speedup:
    fn load_speedup() -> PartLoad<DrawPart<speedup::Props>> {
        Ok(|props| html! { <speedup::SpeedUp ..props /> })
    }
}

part! { own:
    fn load_files() -> PartLoad<DrawPart<side_by_side::Props>> {
        Ok(|props| html! { <side_by_side::SideBySide ..props /> })
    }
}
