//! The judge's words, a table of what each idea saves, and the sentence to keep of each chapter.

use super::SHAPES;
use crate::learn::prose::figure;
use crate::learn::{CHAPTERS, ChapterContext, ChapterPart, ChapterTable};
use crate::query::Answer;
use packscope::advice::Verdict;
use packscope::shapes::padding_share;
use packscope::words::{capital, factor, percent};

/// Returns what stands below the prediction: advice, lines to paste, savings.
pub(super) fn parts(here: &ChapterContext<'_>) -> Vec<ChapterPart> {
    let mut parts = vec![
        ChapterPart::Title("What the judge would change".to_owned()),
        ChapterPart::Words("library"),
    ];
    match (here.answer("advice"), here.refusal("advice")) {
        (Some(Answer::Advice(verdict)), _) => parts.extend(advice(verdict)),
        (_, Some(why)) => parts.push(ChapterPart::Text(format!("{}.", plain(&capital(why))))),
        _ => parts.push(ChapterPart::Text("The judge is weighing it.".to_owned())),
    }
    parts.push(ChapterPart::Title("What each idea saves".to_owned()));
    parts.push(ChapterPart::Table(savings(here)));
    parts.push(ChapterPart::Text(beside(here)));
    parts
}

/// Removes the signs of markup: words about the visitor's data may hold names from them, and are never markup. Names of
/// settings are in bold.
fn plain(text: &str) -> String {
    text.replace(['{', '}', '[', ']', '<', '>', '*', '~'], "")
        .replace('`', "**")
}

/// Returns the verdict in words, and the lines to paste where there are any.
fn advice(verdict: &Verdict) -> Vec<ChapterPart> {
    let mut parts = vec![ChapterPart::Text(plain(&verdict.sentence))];
    if !verdict.notes.is_empty() {
        parts.push(ChapterPart::Text(plain(&verdict.notes.join(" "))));
    }
    let lines = verdict.then.as_ref().map(|then| &then.change.lines);
    if let Some(lines) = lines.filter(|lines| !lines.is_empty()) {
        parts.push(ChapterPart::Code("The lines to paste", lines.clone(), true));
    }
    parts
}

/// Tabulates the padding of each idea, and how many times fewer slots it takes than shuffled batches.
fn savings(here: &ChapterContext<'_>) -> ChapterTable {
    let epoch = |name: &str| {
        let report = here.batches(name)?;
        Some(report.epochs.first()?.padding_share)
    };
    let packed = here.sequences("packed").map(|report| &report.figures);
    let filled = packed.and_then(|f| f.efficiency.first().copied());
    let shapes = match here.answer("shapes") {
        Some(Answer::Shapes(methods)) => methods
            .first()
            .and_then(|best| best.last())
            .map(|shapes| padding_share(shapes)),
        _ => None,
    };
    let least = packed.and_then(|f| {
        let (bound, tokens) = (f.lower_bound?, f.real_tokens.first()?);
        let row = f.slots.first()? / f.packs.max(1);
        Some(1.0 - *tokens as f64 / (bound * row).max(1) as f64)
    });
    let now = here
        .batches("random")
        .map(|report| report.random.padding_share);
    let rows = [
        ("now", "<rectangle>Shuffled, as now</>", now),
        (
            "grouped",
            "<sorting>Sorted a few batches at a time</>",
            epoch("grouped"),
        ),
        (
            "buckets",
            "<buckets>Buckets of one length, merged</>",
            epoch("buckets"),
        ),
        (
            "shapes",
            "<few-shapes>Only a few lengths allowed</>",
            shapes,
        ),
        (
            "packed",
            "<watch>Packed, by LPFHP</>",
            filled.map(|e| 1.0 - e),
        ),
        ("least", "<bounds>No plan packs better than</>", least),
    ];
    let row = |(id, name, padding): (&str, &str, Option<f64>)| {
        let dots = || "…".to_owned();
        let times = now
            .zip(padding)
            .map(|(now, then)| (1.0 - then) / (1.0 - now).max(f64::EPSILON));
        vec![
            name.to_owned(),
            padding.map_or_else(dots, |share| {
                figure(&format!("{id}_padding"), share, &percent(share))
            }),
            times.map_or_else(dots, |times| {
                figure(&format!("{id}_times"), times, &factor(times))
            }),
        ]
    };
    ChapterTable {
        label: format!("Padding of these data by each idea; of few lengths, {SHAPES}"),
        head: ["", "[padding]", "times fewer slots"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.into_iter().map(row).collect(),
        chosen: None,
    }
}

/// Describes what slots do not tell.
fn beside(here: &ChapterContext<'_>) -> String {
    let packed = here.sequences("packed").map(|report| &report.figures);
    let each = packed.map_or_else(String::new, |f| {
        format!(
            "A pack holds {} of these sequences: <optimiser>divide the rows of an update</> by that. ",
            figure("packing_factor", f.packing_factor, &format!("{:.1}", f.packing_factor)),
        )
    });
    format!(
        "{each}Packed sequences have to be <apart>kept apart</>, which has its price; and where many accelerators work side by \
         side, look at what <equal-work>equal rows</> cost each. What is longer than a row is cut or dropped, and in none of \
         these shares: <trainer>your trainer</> decides that."
    )
}

/// Tabulates the sentence to keep of each chapter.
pub(super) fn sentences() -> ChapterTable {
    let row = |(number, chapter): (usize, &&'static crate::learn::Chapter)| {
        vec![
            format!("{}", number + 1),
            format!("<{}>{}</>", chapter.id, chapter.title),
            chapter.keep.to_owned(),
        ]
    };
    ChapterTable {
        label: "One sentence of each chapter".to_owned(),
        head: ["", "chapter", "keep"].map(str::to_owned).to_vec(),
        rows: CHAPTERS.iter().enumerate().map(row).collect(),
        chosen: None,
    }
}
