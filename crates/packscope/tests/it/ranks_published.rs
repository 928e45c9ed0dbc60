//! Published gains of balancing ranks and of packing, predicted with constants that are fitted to none of them. The data of
//! a source are its own where they are published, else what another measurement says of them, or sets that are like them.
//!
//! `cargo nextest run ranks_published --no-capture` prints the table of `benches/RESULTS.md`.

use crate::common::built_in;
use packscope::cost::Transformer;
use packscope::cost::presets::{TRANSFORMERS, named};
use packscope::histogram::{Histogram, Overlong};
use packscope::packing::{Algorithm, Depth};
use packscope::plan::Strategy;
use packscope::ranks::{
    Loads, Scheduler, SchedulerTask, Settings, SyncPoint, Weight, WorkCoefficients, run,
};
use packscope::rng::Random;
use std::fmt::Write as _;

/// A gain that was published, and predictions of it under a name each.
struct Row {
    source: &'static str,
    of: String,
    published: f64,
    predicted: Vec<(&'static str, f64)>,
}

/// NVIDIA/Megatron-LM@192cbc3554 examples/dynamic_context_parallel/README.md and benchmark_dcp.sh: GPUs, and the gain of
/// `default_dynamic_cp` by trimmed means. Its data are known to the last sequence: `MockSFTLowLevelDataset` draws them from
/// NumPy's seed 0, and ranks take them in turn.
const MEGATRON: [(u32, f64); 5] = [
    (4, 1.285),
    (8, 1.412),
    (16, 1.212),
    (32, 1.375),
    (64, 1.495),
];
const CONTEXT: u32 = 4;
const MOST: u64 = 2048;
const MICRO_BATCHES: usize = 8;

fn megatron_model() -> Transformer {
    Transformer {
        layers: 12.0,
        width: 2048.0,
        key_width: 2048.0,
        feed_forward: 8192.0,
        matrices: 2.0,
        vocabulary: 131_072.0,
        ..named(TRANSFORMERS, "gpt-2").unwrap().value
    }
}

fn mock_lengths() -> Vec<u32> {
    let text = include_str!("../../../../tests/data/ranks/megatron_mock_lengths.csv");
    text.lines()
        .skip(1)
        .map(|line| line.parse().unwrap())
        .collect()
}

/// The time of iterations 11 to 30 with `dp_balanced` ÷ with `default_dynamic_cp`, and the former ÷ the mean work of a rank.
fn megatron(gpus: u32, waiting: SyncPoint) -> [f64; 2] {
    let (ranks, all) = ((gpus / CONTEXT) as usize, mock_lengths());
    let cost = Weight::Model.cost(&megatron_model());
    let (mut times, mut mean) = ([0.0; 2], 0.0);
    for batch in all.chunks_exact(MICRO_BATCHES * ranks).take(30).skip(10) {
        // Rank after rank; one token is a label only.
        let order = (0..ranks).flat_map(|rank| (0..MICRO_BATCHES).map(move |at| at * ranks + rank));
        let lengths: Vec<u32> = order.map(|at| batch[at] - 1).collect();
        let time = |library: Scheduler, ranks: u32, cap: u64, multiple: u32| {
            let lengths: Vec<u32> = lengths
                .iter()
                .map(|n| n.next_multiple_of(multiple))
                .collect();
            let task = SchedulerTask {
                ranks,
                micro_batch: None,
                cap: Some(cap),
                model: megatron_model(),
                least: 1,
                multiple: 1,
            };
            let work: Vec<f64> = lengths.iter().map(|n| cost.work_of(*n)).collect();
            let loads = Loads::assigned(&library.assign(&lengths, &task).unwrap(), &work);
            [loads.time(waiting), loads.mean()]
        };
        let each = f64::from(CONTEXT);
        let [fixed, idle_free] = time(
            Scheduler::MegatronDpBalanced,
            ranks as u32,
            MOST * u64::from(CONTEXT),
            2 * CONTEXT,
        )
        .map(|time| time / each);
        let [own, _] = time(Scheduler::MegatronDynamicCp, gpus, MOST, 2 * gpus);
        times[0] += fixed;
        times[1] += own;
        mean += idle_free;
    }
    [times[0] / times[1], times[0] / mean]
}

/// foundation-model-stack/fms-acceleration, PR 71: sequences of a GPU, GPUs, seconds without and with its sampler
/// ("multipack"): Mistral 7B, FSDP, 6,000 sequences of FLAN, which are not published.
const FLAN: [(u32, u32, f64, f64); 5] = [
    (8, 2, 670.0, 594.0),
    (8, 4, 375.0, 285.0),
    (8, 8, 212.0, 138.0),
    (16, 2, 563.0, 522.0),
    (16, 4, 312.0, 255.0),
];

/// The spread of FLAN's lengths from another measurement of the same people, PR 66: padded batches of 4 on 2 GPUs take
/// 1,430 s, unpadded ones 774 s. Of lognormal lengths that is so at this σ; 774 s at 1,875 tokens a second of each GPU are
/// 484 tokens a sequence.
const FLAN_SIGMA: f64 = 0.635;
const FLAN_MEAN: f64 = 484.0;
const FLAN_PADDED: f64 = 1430.0 / 774.0;

/// Sequences of an epoch, and epochs that are simulated.
const EPOCH: usize = 6000;
const EPOCHS: usize = 8;

/// Lognormal lengths, Box and Muller 1958.
fn lognormal(mean: f64, sigma: f64, number: usize) -> Vec<u32> {
    let mut random = Random::seeded(66);
    let mut uniform = || ((random.bits() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
    let mut normal = || (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos();
    (0..number)
        .map(|_| {
            (mean.ln() - sigma * sigma / 2.0 + sigma * normal())
                .exp()
                .max(1.0) as u32
        })
        .collect()
}

fn mistral() -> WorkCoefficients {
    Weight::Model.cost(&named(TRANSFORMERS, "mistral-7b").unwrap().value)
}

/// Rows of a step, each the lengths in it.
type Step = Vec<Vec<u32>>;

/// As many sequences for each rank, in their order.
fn in_order(lengths: &[u32], each: usize, ranks: usize) -> Vec<Step> {
    lengths
        .chunks_exact(each * ranks)
        .map(|step| step.chunks(each).map(<[u32]>::to_vec).collect())
        .collect()
}

/// First-fit decreasing with rows of `each` mean sequences: of the sequences in order as many as make a row for each rank.
/// Sequences above a row are left out.
fn multipack(lengths: &[u32], each: u32, ranks: usize) -> Vec<Step> {
    let total: u64 = lengths.iter().map(|n| u64::from(*n)).sum();
    let row = (total * u64::from(each) / lengths.len() as u64) as u32;
    let kept: Vec<u32> = lengths.iter().copied().filter(|n| *n <= row).collect();
    let packed = |part: &[u32]| -> Step {
        let lengths = Histogram::from_lengths(part.iter().map(|n| (*n, 1))).unwrap();
        let plan = Algorithm::FirstFitDecreasing
            .pack(&lengths, row, Depth::Unlimited)
            .unwrap();
        let rows = |s: &Strategy<1>| {
            std::iter::repeat_n(s.sizes().map(|[n]| n).collect(), s.count as usize)
        };
        plan.strategies().iter().flat_map(rows).collect()
    };
    let (mut steps, mut rest) = (Vec::new(), &kept[..]);
    while !rest.is_empty() {
        let ends = rest.iter().scan(0, |end, n| {
            *end += u64::from(*n);
            Some(*end)
        });
        let within = ends
            .take_while(|end| *end <= u64::from(row) * ranks as u64)
            .count();
        let (mut fits, mut too_many) = (1, within + 1);
        while too_many - fits > 1 {
            let middle = usize::midpoint(fits, too_many);
            if packed(&rest[..middle]).len() <= ranks {
                fits = middle
            } else {
                too_many = middle
            }
        }
        let step = packed(&rest[..fits]);
        rest = &rest[fits..];
        if step.len() == ranks {
            steps.push(step);
        }
    }
    steps
}

/// The work of the slowest rank of each step, added up, for a token.
fn seconds(steps: &[Step], work: impl Fn(&[u32]) -> f64) -> f64 {
    let slowest = |step: &Step| step.iter().map(|row| work(row)).fold(0.0, f64::max);
    let tokens: u64 = steps
        .iter()
        .flatten()
        .flatten()
        .map(|n| u64::from(*n))
        .sum();
    steps.iter().map(slowest).sum::<f64>() / tokens as f64
}

fn unpadded(row: &[u32]) -> f64 {
    row.iter().map(|n| mistral().work_of(*n)).sum()
}

fn padded(row: &[u32]) -> f64 {
    row.len() as f64 * mistral().work_of(*row.iter().max().unwrap())
}

/// The gain of the sampler on these lengths, epoch by epoch.
fn balanced(lengths: &[u32], each: u32, ranks: usize) -> f64 {
    let (mut before, mut after) = (0.0, 0.0);
    for epoch in lengths.chunks(EPOCH) {
        before += seconds(&in_order(epoch, each as usize, ranks), unpadded);
        after += seconds(&multipack(epoch, each, ranks), unpadded);
    }
    before / after
}

/// A built-in set in random orders, as many sequences as simulated epochs have.
fn epochs_of(name: &str) -> Vec<u32> {
    let mut all: Vec<u32> = crate::common::expanded(&built_in(name));
    let mut random = Random::seeded(71);
    let mut epochs = Vec::new();
    for _ in 0..EPOCHS {
        (1..all.len())
            .rev()
            .for_each(|i| all.swap(i, random.below(i as u64 + 1) as usize));
        epochs.extend(all.iter().copied().cycle().take(EPOCH));
    }
    epochs
}

/// axolotl-ai-cloud/axolotl, PR 2631: efficiency on FineTome-100k by next fit, and by first-fit decreasing. Its lengths
/// are not published: other sets stand for it, each at the limit where next fit has the former.
const NEXT_FIT: f64 = 0.897_851_717_042_965_5;
const DECREASING: f64 = 0.998_372_646_041_506_6;

fn efficiency(lengths: &Histogram<1>, limit: u32, algorithm: Algorithm) -> f64 {
    let plan = algorithm.pack(lengths, limit, Depth::Unlimited).unwrap();
    lengths.total()[0] as f64 / (plan.packs() * u64::from(limit)) as f64
}

fn decreasing(name: &str) -> f64 {
    let lengths = built_in(name);
    let (mut low, mut high) = (lengths.max()[0], 100 * lengths.max()[0]);
    while high - low > low / 500 {
        let middle = u32::midpoint(low, high);
        if efficiency(&lengths, middle, Algorithm::Greedy) < NEXT_FIT {
            low = middle
        } else {
            high = middle
        }
    }
    efficiency(&lengths, high, Algorithm::FirstFitDecreasing)
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (gpus, published) in MEGATRON {
        let of = |waiting| megatron(gpus, waiting)[0];
        let predicted = vec![
            ("once a step", of(SyncPoint::Step)),
            ("each micro-batch", of(SyncPoint::MicroBatch)),
        ];
        rows.push(Row {
            source: "Megatron-LM",
            of: format!("{gpus} GPUs"),
            published,
            predicted,
        });
    }
    let (flan, t0) = (
        lognormal(FLAN_MEAN, FLAN_SIGMA, EPOCH * EPOCHS),
        epochs_of("t0_train_50k_2048"),
    );
    for (each, gpus, before, after) in FLAN {
        let of = |lengths: &[u32]| balanced(lengths, each, gpus as usize);
        let predicted = vec![("spread of PR 66", of(&flan)), ("T0", of(&t0))];
        let published = before / after;
        rows.push(Row {
            source: "fms-acceleration",
            of: format!("{gpus} GPUs, {each} each"),
            published,
            predicted,
        });
    }
    let alike = [
        ("ShareGPT", "sharegpt_8k_llama2"),
        ("T0", "t0_train_50k_2048"),
        ("Alpaca", "alpaca_5000"),
    ];
    let predicted = alike
        .map(|(name, id)| (name, decreasing(id) / NEXT_FIT))
        .to_vec();
    let published = DECREASING / NEXT_FIT;
    rows.push(Row {
        source: "axolotl",
        of: "FineTome-100k".to_owned(),
        published,
        predicted,
    });
    rows
}

/// The table of `benches/RESULTS.md`.
fn table(rows: &[Row]) -> String {
    let mut table =
        "| source | of | published | predicted, and its error |\n|---|---|---:|---|\n".to_owned();
    for Row {
        source,
        of,
        published,
        predicted,
    } in rows
    {
        let shown: Vec<String> = predicted
            .iter()
            .map(|(by, found)| {
                format!(
                    "{by} {found:.2} ({:+} %)",
                    ((found / published - 1.0) * 100.0).round() + 0.0
                )
            })
            .collect();
        writeln!(
            table,
            "| {source} | {of} | {published:.3} | {} |",
            shown.join(", ").replace("(-", "(−")
        )
        .unwrap();
    }
    table
}

#[test]
fn published_gains_are_predicted_as_the_table_says() {
    let table = table(&rows());
    println!("{table}");
    let results = include_str!("../../../../benches/RESULTS.md");
    assert!(
        results.contains(&table),
        "benches/RESULTS.md has another table"
    );
}

/// With one rank there is nobody to wait for, and yet a gain was measured: what it is of is not work.
#[test]
fn four_gpus_of_megatron_are_one_rank() {
    let [gain, factor] = megatron(4, SyncPoint::MicroBatch);
    assert!(
        (factor - 1.0).abs() < 1e-12 && gain < 1.0,
        "{gain} {factor}"
    );
    let [_, factor] = megatron(64, SyncPoint::Step);
    assert!(factor > 1.5, "{factor}");
}

/// The spread that stands for FLAN's is that of padded against unpadded batches, and the sampler's gain is that of a step
/// in which every rank is waited for, as the view has it.
#[test]
fn the_spread_of_flan_is_that_of_its_padding() {
    let lengths = lognormal(FLAN_MEAN, FLAN_SIGMA, EPOCH * EPOCHS);
    let steps = in_order(&lengths, 4, 2);
    let found = seconds(&steps, padded) / seconds(&steps, unpadded);
    assert!(
        (found / FLAN_PADDED - 1.0).abs() < 0.01,
        "{found} {FLAN_PADDED}"
    );
    let data = Histogram::from_lengths(lengths.iter().map(|n| (*n, 1))).unwrap();
    let settings = Settings {
        limit: data.max()[0],
        overlong: Overlong::Truncate,
        ranks: 8,
        micro_batch: Some(8),
        micro_batches: 1,
        waiting: SyncPoint::MicroBatch,
        model: named(TRANSFORMERS, "mistral-7b").unwrap().value,
        steps: 512,
        ..Settings::default()
    };
    let report = run(&data, &settings).unwrap();
    let total: f64 = lengths.iter().map(|n| mistral().work_of(*n)).sum();
    let tokens: u64 = lengths.iter().map(|n| u64::from(*n)).sum();
    let factor = seconds(&in_order(&lengths, 8, 8), unpadded) * 8.0 * tokens as f64 / total;
    assert!(
        (report.factor / factor - 1.0).abs() < 0.02 + 3.0 * report.error,
        "{} {factor}",
        report.factor
    );
}
