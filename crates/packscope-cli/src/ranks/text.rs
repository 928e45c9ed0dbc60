//! The report on ranks as text.

use packscope::advice::{RanksCase, advise_ranks};
use packscope::api::fields::ranks::ALL;
use packscope::api::ranks::words::{idly, micro_batches, note, of_compared, repeated, untrained};
use packscope::export::Table;
use packscope::ranks::{
    self, Binds, CappedMicroBatches, Change, ContextReport, RankUnit, Report, Scheduler, Settings,
    SyncPoint,
};
use packscope::words::{about_percent, count, factor, percent, plural};

/// Returns the schedulers of libraries: names, own names of options, sources.
pub fn list() -> String {
    let entry = |library: Scheduler| {
        let names = library
            .own_names()
            .iter()
            .map(|(own, option)| format!("--{option} is {own}"));
        let names = names.collect::<Vec<_>>().join(", ");
        let name = format!("{:<24}", library.name());
        format!(
            "{name}{}\n{:24}{names}\n{:24}{}",
            library.about(),
            "",
            "",
            library.source()
        )
    };
    Scheduler::ALL.map(entry).join("\n")
}

pub fn print(
    settings: &Settings,
    model: &str,
    report: &Report,
    table: Option<&ranks::DealingTable>,
) -> String {
    let mut parts = vec![head(settings, model, report, table), weights(report)];
    parts.extend(report.cap.as_ref().map(cap));
    parts.extend(report.context.as_ref().map(context));
    parts.extend(table.map(|table| ways(settings, table)));
    parts.join("\n\n")
}

fn head(
    settings: &Settings,
    model: &str,
    report: &Report,
    table: Option<&ranks::DealingTable>,
) -> String {
    let unit = match settings.unit {
        RankUnit::Sequences => "sequence",
        RankUnit::Rows => "row",
    };
    let dealt = match (settings.scheduler(), settings.dealing.is_blind()) {
        (Some(library), _) => format!("as {} assigns", library.long_name()),
        (None, true) => settings.dealing.short_name().to_owned(),
        (None, false) => format!("{}, by {}", settings.dealing.short_name(), settings.weight),
    };
    let [least, _, most] = report.quantiles.map(factor);
    let mut lines = vec![
        format!(
            "data         {}, limit {}",
            plural(report.population, unit),
            count(u64::from(settings.limit))
        ),
        format!(
            "ranks        {} × {} of {}, {dealt}; they {}",
            count(u64::from(settings.ranks)),
            micro_batches(settings.micro_batches),
            plural(u64::from(settings.units_of_micro_batch()), unit),
            match settings.waiting {
                SyncPoint::Never => "never synchronise".to_owned(),
                waiting => format!("synchronise {}", waiting.long_name().to_lowercase()),
            },
        ),
        format!("work         that of {model}"),
        format!(
            "step         {} of the mean rank's work, {least} to {most} in nine steps of ten: {} {}",
            factor(report.factor),
            percent(report.idle),
            idly(report.padding)
        ),
        format!(
            "bound        {}; the heaviest {unit} has {} of the mean rank's work{}",
            factor(report.bound),
            factor(report.longest),
            if settings.library.is_some_and(Scheduler::shares) {
                ", and ranks may share it"
            } else {
                ""
            }
        ),
        format!("bottleneck   {}", report.binds.long_name()),
    ];
    let data = repeated(settings, report).map(|words| ("data", words));
    let lost = untrained(&report.untrained).map(|words| ("not trained", words));
    let padding = (report.padding > 0.0).then(|| {
        (
            "padding",
            format!(
                "{} of the work, since micro-batches are padded to their longest",
                percent(report.padding)
            ),
        )
    });
    // The first line is about the data; what becomes of them follows it.
    let more = data.into_iter().chain(lost).chain(padding);
    let rest = lines.split_off(1);
    lines.extend(more.map(|(name, words)| format!("{name:13}{words}")));
    lines.extend(rest);
    let changes = report.what_if.iter().enumerate();
    lines.extend(changes.map(|(at, what_if)| {
        let name = if at == 0 {
            "change       "
        } else {
            "or           "
        };
        format!(
            "{name}{}: {}",
            option(what_if.change),
            factor(what_if.factor)
        )
    }));
    // Without a line, this would look like an omission.
    if report.binds != Binds::Nothing && report.what_if.is_empty() {
        lines.push("change       none of a single setting helps".to_owned());
    }
    let verdict = advise_ranks(&RanksCase {
        settings,
        report,
        table,
        working: None,
        model,
    });
    let words = std::iter::once(verdict.sentence).chain(verdict.notes);
    let advice: Vec<String> = words.collect();
    lines.push(format!("advice       {}", advice.join(" ")));
    lines.join("\n")
}

/// Returns a change as it is given on the command line.
fn option(change: Change) -> String {
    let (id, value) = change.setting();
    let option = ALL
        .iter()
        .find(|field| field.value.id == id)
        .map_or(id, |field| field.option);
    format!("--{option} {value}")
}

fn weights(report: &Report) -> String {
    let rows = report.weights.iter().map(|row| {
        let name = format!("{} ({})", row.weight, row.weight.about());
        vec![
            name,
            about_percent(row.misplaced),
            factor(row.longest),
            factor(row.factor),
        ]
    });
    Table::of_words(
        ["weight", "misplaced", "the longest", "assigned by it"],
        rows,
    )
    .text()
}

fn cap(capped: &CappedMicroBatches) -> String {
    let of = [
        ("as tokens ÷ cap, balanced", &capped.balanced),
        ("as many as the cap needs, balanced", &capped.raised),
        ("first-fit", &capped.first_fit),
    ];
    let rows = of.map(|(name, made)| {
        let counts = [made.micro_batches, made.over, made.empty, made.most].map(count);
        [
            vec![name.to_owned()],
            counts.to_vec(),
            vec![percent(made.padding), factor(made.factor)],
        ]
        .concat()
    });
    let head = [
        "under the cap",
        "micro-batches",
        "over it",
        "empty",
        "tokens at most",
        "padding to it",
        "step",
    ];
    Table::of_words(head, rows).text()
}

fn context(context: &ContextReport) -> String {
    let of = [
        ("one size for all", context.fixed),
        ("a power of two for each", context.each),
        ("any size for each", context.exact),
    ];
    let rows = of.map(|(name, shared)| {
        let [fast, slow] = shared.communication.map(about_percent);
        vec![
            name.to_owned(),
            count(u64::from(shared.ranks)),
            factor(shared.factor),
            format!("{fast} to {slow}"),
        ]
    });
    let sizes = context.sizes.iter().map(|(ranks, items, work)| {
        vec![
            plural(u64::from(*ranks), "rank"),
            percent(*items),
            percent(*work),
        ]
    });
    let table = Table::of_words(
        [
            "context parallelism",
            "ranks at most",
            "step",
            "communication at most",
        ],
        rows,
    );
    let sizes = Table::of_words(["a power of two for each", "sequences", "work"], sizes);
    format!("{}\n\n{}", table.text(), sizes.text())
}

fn ways(settings: &Settings, table: &ranks::DealingTable) -> String {
    let own = table.rows.iter().map(|row| {
        let by = if row.dealing.is_blind() {
            String::new()
        } else {
            row.weight.to_string()
        };
        let [micro_batch, step] = [row.micro_batch, row.step].map(factor);
        [
            row.dealing.long_name().to_owned(),
            by,
            micro_batch,
            step,
            String::new(),
        ]
    });
    let libraries = table.libraries.iter().map(|row| {
        // A library that refuses the data stays in the table, with its reason in the last column.
        let [micro_batch, step] = row
            .factors
            .as_ref()
            .map_or_else(|_| [(); 2].map(|()| "–".to_owned()), |f| f.map(factor));
        let note = row.refusal().map_or_else(|| note(row), str::to_owned);
        let by = row
            .library
            .weight()
            .map_or_else(String::new, |weight| weight.to_string());
        [
            row.library.long_name().to_owned(),
            by,
            micro_batch,
            step,
            note,
        ]
    });
    let [micro_batch, step] = table.bound.map(factor);
    let beats = match settings.unit {
        RankUnit::Sequences => "Best possible with whole sequences",
        RankUnit::Rows => "Best possible",
    };
    let bound = [
        beats.to_owned(),
        String::new(),
        micro_batch,
        step,
        String::new(),
    ];
    let rows = own.chain(libraries).chain([bound]).map(Vec::from);
    let text = Table::of_words(
        [
            "assigned",
            "by",
            "step, synchronised each micro-batch",
            "once a step",
            "",
        ],
        rows,
    )
    .text();
    // The last column is mostly empty, and padded with spaces.
    let text = text
        .lines()
        .map(str::trim_end)
        .collect::<Vec<_>>()
        .join("\n");
    // Of fewer steps than the report, since every row has to be simulated.
    match table.steps < settings.steps {
        true => format!("{text}\nThe table is of {}.", of_compared(settings, table)),
        false => text,
    }
}
