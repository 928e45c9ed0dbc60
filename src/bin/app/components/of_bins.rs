//! The error bands of the headline's figures, for data whose lengths are known only by bins.

use crate::lazy::{DrawPart, LazyPart, PartLoad, missing, use_part};
use crate::shared::{AnswerProps, Same};
use packscope::api::Bands;
use packscope::histogram::{Band, Bins};
use packscope::metrics::ExpectedPadding;
use packscope::words::{band, plural};
use packscope_page::part;
use packscope_page::state::{AppState, Baseline, Source};
use yew::prelude::*;

/// The part that computes and draws the bands, loaded with binned data.
static BANDS: LazyPart<DrawPart<AnswerProps>> = LazyPart::new(|| Box::pin(load_bands()));

part! { own:
    fn load_bands() -> PartLoad<DrawPart<AnswerProps>> {
        Ok(|props| html! { <Within ..props /> })
    }
}

/// The bands of the headline; nothing if the exact lengths are known.
#[component]
pub fn OfBins(props: &AnswerProps) -> Html {
    let is_binned = matches!(
        props.state.sequences.data.as_ref().map(|data| &data.source),
        Some(Source::Own { description, .. }) if !description.bins.is_empty()
    );
    // The hook runs in every rendering; the part is loaded only for bins.
    match use_part(&BANDS, is_binned) {
        _ if !is_binned => Html::default(),
        Ok(draw) => draw(props.clone()),
        Err(absent) => missing(absent),
    }
}

#[component]
fn Within(props: &AnswerProps) -> Html {
    let (state, answer) = (
        props.state.clone(),
        props.state.sequences.answer.clone().map(Same),
    );
    // By the address of the answer: comparing its packs would take longer than the bands.
    let found = use_memo((answer, state.baseline, state.sequences.version()), |_| {
        bands(&state)
    });
    let Some((bins, before, after)) = *found else {
        return Html::default();
    };
    html! {
        <p class="hint" data-bands="">
            { format!("Known by {} alone: padding ", plural(bins, "bin")) }
            <span data-band="before">{ band(before) }</span>
            { ", packed " }
            <span data-band="after">{ band(after) }</span>
            { ": with sequences spread over their bins, at the edges, or just above a half, a third … of the limit." }
        </p>
    }
}

/// Returns the number of bins, and the bands of the padding before and after packing.
fn bands(state: &AppState) -> Option<(u64, Band, Band)> {
    let (data, answer) = (
        state.sequences.data.as_ref()?,
        state.sequences.answer.as_ref()?,
    );
    let Source::Own { description, .. } = &data.source else {
        return None;
    };
    let (settings, bins) = (
        &answer.report.settings,
        Bins::new(&data.histogram, &description.bins)?,
    );
    let bands = Bands::new(&bins, settings, &answer.report.figures);
    let batch = state.sequences.settings.batch;
    // Computed only where this baseline is chosen: it takes the padding of random batches at every
    // arrangement of the bins.
    let in_batches = || {
        let [band] = bins.bands(settings.limit, true, |lengths| {
            let fitted = lengths.fit([settings.limit], settings.overlong).ok()?;
            Some([ExpectedPadding::random(&fitted.histogram, batch).padding_share])
        });
        band
    };
    let before = match state.baseline {
        Baseline::Limit => bands.baseline_padding_share,
        Baseline::Batches => in_batches(),
    };
    Some((description.bins.len() as u64, before, bands.padding_share))
}
