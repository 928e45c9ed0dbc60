//! The output of `packscope batch` as text. Every estimate and every assumption is marked as such.

use super::TimedReport;
use packscope::api::batch::{Mode, Report, SERVER_MEASUREMENTS, Settings};
use packscope::export::Table;
use packscope::metrics::{EpochFigures, SameSize};
use packscope::sampler::{HwCap, Sampler, TokenDrop, mega_of};
use packscope::words::{about_factor, count, mean, percent, plural, seconds};

pub fn head_of_sampler((report, taken): &TimedReport) -> String {
    let s = &report.settings;
    let total = Total::new(report);
    let every = match report.epochs.len() {
        1 => "in all",
        _ => "all epochs",
    };
    [
        format!("sampler      {}, {}", name(s), batches(report)),
        data(report),
        format!(
            "{every:<12} {} padding in {}, estimated speed-up {}",
            percent(total.padding_share()),
            number(total.batches, s),
            about_factor(total.speedup())
        ),
        format!("time         {}", seconds(*taken)),
    ]
    .join("\n")
}

/// Describes the data, the padding of random batches, and P3's estimate of that padding.
pub fn data(report: &Report) -> String {
    let s = &report.settings;
    // Epochs drop other tokens, but tokens and dropped ones add up to those of the data.
    let tokens = report
        .epochs
        .first()
        .map_or(0, |e| e.real_tokens + e.dropped_tokens);
    let items = report.epochs.first().map_or(0, |e| e.items);
    let stopwords = (s.token_drop != TokenDrop::Off).then(|| {
        let source = if report.stopwords_known {
            "counted in the data"
        } else {
            "assumed"
        };
        format!(
            "stopwords    {}, {source}; token dropping: {}",
            count(report.stopwords),
            s.token_drop
        )
    });
    let lines = [
        format!(
            "settings     limit {}, {}, seed {}",
            s.limit,
            purpose(s),
            s.seed
        ),
        format!(
            "sequences    {} with {} tokens",
            count(items),
            count(tokens)
        ),
        format!(
            "waste        {} tokens of {} overlong sequences",
            count(report.waste_tokens),
            count(report.overlong_items)
        ),
    ];
    // Queries one by one have no random batches.
    let of_random = if s.mode == Mode::RealTime {
        Vec::new()
    } else {
        random(report)
    };
    lines
        .into_iter()
        .chain(of_random)
        .chain(stopwords)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Describes random batches, with P3's estimate beside the true padding.
fn random(report: &Report) -> Vec<String> {
    let (s, random, estimate) = (&report.settings, &report.random, &report.estimate);
    vec![
        format!(
            "random       {} padding in {} of {} each, on average over all orders",
            percent(random.padding_share),
            number(random.batches, s),
            plural(u64::from(s.batch), "sequence")
        ),
        format!(
            "estimate     {} padding estimated for random batches as (L − mean) / L: 87.5 % no longer than L = {}, \
             mean {}; in truth {}",
            percent(estimate.padding_fraction_est),
            estimate.length_87_5,
            mean(estimate.mean_length),
            percent(estimate.padding_fraction)
        ),
    ]
}

pub fn named(all: &[TimedReport]) -> Vec<(String, &Report)> {
    all.iter()
        .map(|(report, _)| (name(&report.settings), report))
        .collect()
}

/// Lists the assumptions of the estimates; `priced` is their model and accelerators in words.
pub fn notes(report: &Report, priced: &str) -> String {
    let s = &report.settings;
    let how = match s.mode {
        Mode::RealTime => "if time goes with the tokens of a query. The paper (TokenDrop + BucketSampler) measured 1.5× without loss of accuracy, \
             and 2.2× with less than 1 % of loss, for models that were trained with dropping".to_owned(),
        _ => format!(
            "by the model of `packscope speedup`, waiting for the slowest accelerator included. Random and sorted \
             as large: batches of a fixed size with as many sequences per {0} on average, to compare at equal size",
            step(s)
        ),
    };
    let against = match s.mode {
        Mode::RealTime => "the same queries one at a time".to_owned(),
        _ => format!("random batches of {}", count(u64::from(s.batch))),
    };
    let cost =
        format!("Estimated speed-up: against {against} without dropping tokens, {priced}, {how}.");
    // Only the default table is described below; another one is the visitor's own.
    let capped = s.mode != Mode::RealTime && s.hwcap == HwCap::default();
    let caps = capped.then(|| {
        "Caps of bucket and bucket-by-length: the table of the code of TokenDrop + BucketSampler, for RoBERTa base on one \
         RTX 2080 Ti with 11 GB; the paper's own table ends with 64 instead of 50."
            .to_owned()
    });
    let share = (s.token_drop != TokenDrop::Off && !report.stopwords_known).then(|| {
        format!(
            "Assumed: {} of each sequence is stopwords; the data do not say.",
            percent(s.stopword_share)
        )
    });
    std::iter::once(cost)
        .chain((s.mode == Mode::Server).then(server_measurements))
        .chain(caps)
        .chain(share)
        .collect::<Vec<_>>()
        .join("\n")
}

/// States what the authors of BucketSampler measured of queries in batches.
fn server_measurements() -> String {
    let ways = SERVER_MEASUREMENTS.map(|way| {
        let [without, with] = way.scores;
        format!(
            // As many digits as are published.
            "{} {:.1}× with {:.1} % padding (scores {without:.2} and {with:.2})",
            way.name.to_lowercase(),
            way.times,
            100.0 * way.padding
        )
    });
    format!(
        "The paper (TokenDrop + BucketSampler, Table 3, Roberta-base on one RTX 2080 Ti) measured: {}. Scores are means over \
         nine tasks of GLUE and SQuAD, of models that were trained on all words and with dropped ones.",
        ways.join("; ")
    )
}

/// Returns one row per epoch; columns without information are left out.
pub fn epochs(report: &Report) -> Table {
    let s = &report.settings;
    let (capped, dropped) = (s.cap_of(0).is_some(), s.token_drop != TokenDrop::Off);
    let trains = s.mode == Mode::Training;
    // If batches are as large as random ones, the speed-up is entirely due to the sampler.
    let grows = report.epochs.iter().any(|e| {
        e.same_size
            .is_some_and(|same| same.sequences != u64::from(usual(s)))
    });
    let alike = |e: &EpochFigures, of: fn(&SameSize) -> f64| {
        e.same_size
            .as_ref()
            .map_or_else(String::new, |same| about_factor(of(same)))
    };
    Table::of("", &report.epochs)
        .words(if trains { "epoch" } else { "pass" }, |e| {
            (e.epoch + 1).to_string()
        })
        .words_if(capped, "batch cap", |e| {
            e.batch_cap.map_or_else(String::new, count)
        })
        .words(steps(s), |e| count(e.batches))
        .words(
            &format!("sequences per {} (least, median, most)", step(s)),
            sizes,
        )
        .words("padding", |e| percent(e.padding_share))
        .words(&format!("real tokens per {}", step(s)), |e| {
            mean(e.tokens_per_step)
        })
        .words_if(dropped, "dropped", |e| count(e.dropped_tokens))
        .words_if(trains, "learning rate", |e| {
            e.learning_rate.map_or_else(String::new, rates)
        })
        .words("estimated speed-up", |e| about_factor(e.estimated_speedup))
        .words_if(grows, "random as large", |e| {
            alike(e, |same| same.random_speedup)
        })
        .words_if(grows, "sorted as large", |e| {
            alike(e, |same| same.sorted_speedup)
        })
        .table
}

/// Returns one row per sampler, over all its epochs.
pub fn samplers(all: &[TimedReport]) -> Table {
    let dropped = all
        .iter()
        .any(|(report, _)| report.settings.token_drop != TokenDrop::Off);
    let (unit, units) = all.first().map_or(("step", "steps"), |(report, _)| {
        (step(&report.settings), steps(&report.settings))
    });
    let rows: Vec<_> = all
        .iter()
        .map(|(report, taken)| (&report.settings, Total::new(report), taken))
        .collect();
    Table::of("", &rows)
        .words("sampler", |(s, ..)| name(s))
        .words("padding", |(_, total, _)| percent(total.padding_share()))
        .words(units, |(_, total, _)| count(total.batches))
        .words(
            &format!("sequences per {unit} (least to most)"),
            |(_, total, _)| {
                format!(
                    "{} ({} to {})",
                    total.per_batch(total.items),
                    count(total.least),
                    count(total.most)
                )
            },
        )
        .words(&format!("real tokens per {unit}"), |(_, total, _)| {
            total.per_batch(total.real_tokens)
        })
        .words_if(dropped, "dropped", |(_, total, _)| {
            count(total.dropped_tokens)
        })
        .words("estimated speed-up", |(_, total, _)| {
            about_factor(total.speedup())
        })
        .words("random as large", |(_, total, _)| {
            about_factor(total.random / total.random_as_large)
        })
        .words("sorted as large", |(_, total, _)| {
            about_factor(total.random / total.sorted_as_large)
        })
        .words("time", |(.., taken)| seconds(**taken))
        .table
}

/// Sums over the epochs. Every epoch is compared with the same random batches.
#[derive(Default)]
struct Total {
    batches: u64,
    items: u64,
    real_tokens: u64,
    slots: f64,
    padding_tokens: f64,
    dropped_tokens: u64,
    least: u64,
    most: u64,
    /// Estimated seconds: of the epochs; of random batches of the usual size; and of random and sorted batches that are
    /// as large as those of the epochs.
    seconds: f64,
    random: f64,
    random_as_large: f64,
    sorted_as_large: f64,
}

impl Total {
    fn new(report: &Report) -> Self {
        let mut total = Self {
            least: u64::MAX,
            ..Self::default()
        };
        for e in &report.epochs {
            let [least, most] = e.batch_sizes([0.0, 1.0]);
            total.batches += e.batches;
            total.items += e.items;
            total.real_tokens = total.real_tokens.saturating_add(e.real_tokens);
            // As floats, which do not overflow: slots of all epochs may exceed 64 bits.
            total.slots += e.slots as f64;
            total.padding_tokens += e.padding_tokens as f64;
            total.dropped_tokens = total.dropped_tokens.saturating_add(e.dropped_tokens);
            total.least = total.least.min(least);
            total.most = total.most.max(most);
            // The engine has the ratio and the time of the epochs; their product is the time of
            // random batches.
            let random = e.estimated_speedup * e.estimated_seconds;
            total.seconds += e.estimated_seconds;
            total.random += random;
            // Batches of the usual size have no comparison at equal size: the factor is 1.
            total.random_as_large += random / e.same_size.map_or(1.0, |same| same.random_speedup);
            total.sorted_as_large += random / e.same_size.map_or(1.0, |same| same.sorted_speedup);
        }
        total
    }

    fn padding_share(&self) -> f64 {
        self.padding_tokens / self.slots
    }

    fn per_batch(&self, n: u64) -> String {
        mean(n as f64 / self.batches as f64)
    }

    fn speedup(&self) -> f64 {
        self.random / self.seconds
    }
}

/// Returns the word for a batch, which makes a step only in training.
fn step(s: &Settings) -> &'static str {
    if s.mode == Mode::Training {
        "step"
    } else {
        "batch"
    }
}

fn steps(s: &Settings) -> &'static str {
    if s.mode == Mode::Training {
        "steps"
    } else {
        "batches"
    }
}

fn number(n: u64, s: &Settings) -> String {
    format!("{} {}", count(n), if n == 1 { step(s) } else { steps(s) })
}

fn purpose(s: &Settings) -> String {
    match s.mode {
        Mode::Training => format!("{} of training", plural(u64::from(s.epochs), "epoch")),
        Mode::Server => "inference of many queries at once".to_owned(),
        Mode::RealTime => "inference of one query at a time".to_owned(),
    }
}

/// Returns the sequences in a random batch.
fn usual(s: &Settings) -> u32 {
    if s.mode == Mode::RealTime { 1 } else { s.batch }
}

fn name(s: &Settings) -> String {
    match s.sampler {
        _ if s.mode == Mode::RealTime => "one by one".to_owned(),
        Sampler::Bucket if !s.merging => "bucket, not merged".to_owned(),
        sampler => sampler.to_string(),
    }
}

fn batches(report: &Report) -> String {
    let s = &report.settings;
    if s.mode == Mode::RealTime {
        return "whatever the sampler".to_owned();
    }
    let fixed = plural(u64::from(s.batch), "sequence");
    match s.sampler {
        Sampler::Random | Sampler::Sorted => format!("{fixed} in a batch"),
        Sampler::LengthGrouped => {
            let items = report.epochs.first().map_or(0, |e| e.items);
            // As the sampler itself does where it is not set.
            let group = s.mega.unwrap_or_else(|| mega_of(items, s.batch));
            format!(
                "{fixed} in a batch, {} batches in a sorted group",
                count(u64::from(group))
            )
        }
        Sampler::TokenBudget => {
            // As the sampler itself does where it is not set.
            let slots = s.tokens.unwrap_or(u64::from(s.batch) * u64::from(s.limit));
            format!("{} in a batch at most", plural(slots, "slot"))
        }
        Sampler::Packed => format!(
            "{} of {} slots in a batch",
            plural(u64::from(s.batch), "row"),
            s.limit
        ),
        Sampler::BucketByLength => caps(s),
        Sampler::Bucket => match s.batch_cap.filter(|_| s.cap_of(0).is_some()) {
            None => format!("{}, no BatchCap", caps(s)),
            Some(cap) => {
                let base = u64::from(cap.base.unwrap_or(s.batch));
                format!(
                    "{}, BatchCap {} × {} each epoch",
                    caps(s),
                    count(base),
                    cap.scaling
                )
            }
        },
    }
}

/// Describes HWCap and buckets.
fn caps(s: &Settings) -> String {
    let caps = match &s.hwcap {
        HwCap::Table(rows) => {
            let end = |row: Option<&(u32, u32)>| row.copied().unwrap_or_default();
            let ((short, many), (long, few)) = (end(rows.first()), end(rows.last()));
            format!(
                "HWCap {} of {short} tokens to {few} of {long}",
                plural(u64::from(many), "sequence")
            )
        }
        HwCap::Memory(m) => {
            format!(
                "HWCap by a memory model, {} bytes a token and {} a pair of tokens, {} free",
                m.linear, m.quadratic, m.bytes
            )
        }
    };
    match s.width() {
        Some(width) => format!("{caps}, buckets of {}", plural(u64::from(width), "length")),
        None => caps,
    }
}

/// Returns the sequences in the smallest, the median and the largest batch.
fn sizes(e: &EpochFigures) -> String {
    e.batch_sizes([0.0, 0.5, 1.0]).map(count).join(", ")
}

/// Returns the smallest and largest learning rate; one number if they are equal.
fn rates([least, most]: [f64; 2]) -> String {
    if least == most {
        format!("{least:.1e}")
    } else {
        format!("{least:.1e} to {most:.1e}")
    }
}
