//! Every built-in set of sequences: its padding, unpacked and packed.

use super::{NO_NOTES, cited, shown};
use crate::learn::{Chapter, ChapterContext, ChapterPart, ChapterView, Opens};
use crate::query::Request;
use crate::state::View;
use packscope::api::{self, Settings};
use packscope::export::{Cell, Table};
use packscope::histogram::{Histogram, Preset};
use packscope::metrics::{Figures, PaddedBaseline};
use packscope::words::{count, factor, mean, percent};

/// Rows of the random batches.
const BATCH: u32 = 64;

const IDS: [&str; Preset::ALL.len()] = {
    let mut ids = [""; Preset::ALL.len()];
    let mut at = 0;
    while at < ids.len() {
        ids[at] = Preset::ALL[at].id;
        at += 1;
    }
    ids
};

pub const PAGE: Chapter = Chapter {
    id: "datasets",
    title: "Padding of the built-in data sets",
    keep: "",
    notes: NO_NOTES,
    minutes: 0,
    needs: &IDS,
    knobs: &[],
    show,
    asks,
    opens: |_| {
        Opens::built_in(View::Sequences, "").saying("any of these sets, and your own, in the tool")
    },
    sources: &[],
};

fn request(here: &ChapterContext<'_>, preset: &Preset) -> Option<Request> {
    let settings = Settings {
        limit: preset.limit(),
        ..Settings::default()
    };
    let request = api::Request {
        counts: here.set(preset.id)?.to_vec(),
        settings,
        listed: 1,
    };
    Some(request.into())
}

/// Asks for one set after the other, so that each row stands as soon as it is known.
fn asks(here: &ChapterContext<'_>) -> Vec<(&'static str, Request)> {
    let mut all = Vec::new();
    for preset in Preset::ALL {
        let Some(request) = request(here, preset) else {
            continue;
        };
        let known = here.is_answer_to(preset.id, &request);
        all.push((preset.id, request));
        if !known {
            break;
        }
    }
    all
}

/// A set with the figures of its packs, and its sequences in random batches.
struct Row<'a> {
    preset: &'static Preset,
    lengths: Histogram<1>,
    packed: &'a Figures,
    batches: PaddedBaseline,
}

impl<'a> Row<'a> {
    fn new(here: &ChapterContext<'a>, preset: &'static Preset) -> Option<Self> {
        let packed = &here.sequences(preset.id)?.figures;
        let lengths = here.set(preset.id)?.iter().copied();
        let lengths = Histogram::from_lengths(lengths).ok()?;
        let fitted = lengths.fit_roughly(preset.limit(), Settings::default().overlong);
        let batches = PaddedBaseline::in_batches(&fitted.ok()?, BATCH);
        Some(Self {
            preset,
            lengths,
            packed,
            batches,
        })
    }

    /// Returns the share of the tokens above the limit.
    fn cut(&self) -> f64 {
        let (cut, kept) = (self.packed.waste_tokens[0], self.packed.real_tokens[0]);
        cut as f64 / (cut + kept).max(1) as f64
    }

    /// Returns the share of padding that no plan can go below.
    fn least(&self) -> Option<f64> {
        let slots = self.packed.lower_bound? * u64::from(self.preset.limit());
        Some(1.0 - self.packed.real_tokens[0] as f64 / slots.max(1) as f64)
    }
}

fn table(rows: &[Row]) -> Table {
    let number = |n: u64| Cell::new(n, count(n));
    let share = |share: f64| Cell::new(share, percent(share));
    let each = |n: f64| Cell::new(n, format!("{n:.2}"));
    Table::of("", rows)
        .column(("name", "data"), |row| {
            Cell::new(row.preset.id, row.preset.title)
        })
        .column(("sequences", "sequences"), |row| {
            number(row.lengths.items())
        })
        .column(("mean_length", "mean length"), |row| {
            Cell::new(row.lengths.mean(), mean(row.lengths.mean()))
        })
        .column(("longest", "longest"), |row| {
            number(u64::from(row.lengths.max()[0]))
        })
        .column(("limit", "limit"), |row| {
            number(u64::from(row.preset.limit()))
        })
        .column(("cut_share", "cut off"), |row| share(row.cut()))
        .column(("limit_padding_share", "padded to the limit"), |row| {
            share(row.packed.baseline_padding_share())
        })
        .column(("batched_padding_share", "in random batches"), |row| {
            share(row.batches.padding_share)
        })
        .column(("padding_share", "packed"), |row| {
            share(row.packed.padding_share())
        })
        .column(("least_padding_share", "no plan below"), |row| {
            row.least().map_or_else(|| Cell::new("", "–"), share)
        })
        .column(("packing_factor", "sequences a row"), |row| {
            each(row.packed.packing_factor)
        })
        .column(("slots_over_batches", "times fewer slots"), |row| {
            let times = row.batches.factor(row.packed);
            Cell::new(times, factor(times))
        })
        .table
}

const SHOWN: [&str; 10] = [
    "name",
    "sequences",
    "mean_length",
    "limit",
    "limit_padding_share",
    "batched_padding_share",
    "padding_share",
    "least_padding_share",
    "packing_factor",
    "slots_over_batches",
];

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let all = Preset::ALL.len();
    let rows: Vec<Row> = Preset::ALL
        .iter()
        .filter_map(|preset| Row::new(here, preset))
        .collect();
    let table = table(&rows);
    let mut parts = vec![ChapterPart::Text(format!(
        "Each set at its usual limit: the share of the slots that is padding in rows of one sequence padded to the limit, in \
         random batches of {BATCH} padded to their longest, and packed by LPFHP without a limit on the depth. What is longer \
         than the limit is cut off.",
    ))];
    if rows.len() < all {
        let lost = IDS.iter().filter(|id| here.is_absent(id)).count();
        let lost = match lost {
            0 => String::new(),
            n => format!(" {n} could not be loaded."),
        };
        parts.push(ChapterPart::Text(format!(
            "{} of {all} are packed; the others follow.{lost}",
            rows.len()
        )));
    }
    parts.push(ChapterPart::Table(shown(
        &table,
        &SHOWN,
        "Padding of each data set, unpacked and packed",
    )));
    parts.push(ChapterPart::Text(
        "Sources and licences of the counts stand with each set in the tool. No plan below: the padding of the best plan is at \
         least this, by a proven bound. Times fewer slots: those of the random batches, divided by those of the packs."
            .to_owned(),
    ));
    parts.extend(cited(&PAGE, &table, rows.len() == all));
    ChapterView {
        finding: format!("{} data sets, padded and packed", count(all as u64)),
        parts,
        notice: String::new(),
        task: String::new(),
        conditions: Vec::new(),
        found: String::new(),
    }
}
