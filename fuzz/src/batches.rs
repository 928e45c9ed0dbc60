//! Batches of sequences.

use crate::make::{byte, counts, maybe, number, others, overlong, pick, size};
use crate::sequences::refused;
use arbitrary::Unstructured;
use packscope::api::batch::{
    BatchCap, BatchRequest, LearningRate, Mode, Pricing, Report, Settings,
};
use packscope::api::fields::batches;
use packscope::api::run;
use packscope::cost::Assumptions;
use packscope::error::{Error, Result};
use packscope::histogram::Overlong;
use packscope::packing::go_on;
use packscope::sampler::{HwCap, MemoryModel, Sampler, TokenDrop};

/// Items where a sampler goes item by item.
const FEW: u64 = 500;

/// A request: every item is in one batch of every epoch, the figures add up, and it is answered in the same way twice.
pub fn batches(bytes: &[u8]) {
    let request = request(&mut Unstructured::new(bytes));
    let report = run(&request, &mut go_on);
    let digest =
        |report: &Result<Report>| report.as_ref().map(Report::digest).map_err(Error::clone);
    assert_eq!(
        digest(&report),
        digest(&run(&request, &mut go_on)),
        "the same request twice"
    );
    match report {
        Ok(report) => judge(&request, &report),
        Err(error) => refused(&error),
    }
}

fn hwcap(u: &mut Unstructured<'_>) -> HwCap {
    match byte(u) % 4 {
        0 => HwCap::default(),
        1 => HwCap::Table((0..byte(u) % 4).map(|_| (size(u), size(u))).collect()),
        2 => HwCap::Table(vec![(size(u), u32::MAX)]),
        _ => HwCap::Memory(MemoryModel {
            linear: number(u).into(),
            quadratic: byte(u).into(),
            bytes: pick(u, &[1e9, 1.0, 0.0, 1e300, f64::NAN]),
        }),
    }
}

/// The settings that are made by hand.
const BY_HAND: [&str; 17] = [
    "limit",
    "sampler",
    "batch",
    "for",
    "epochs",
    "seed",
    "overlong",
    "group",
    "tokens",
    "width",
    "hwcap",
    "merging",
    "cap",
    "drop",
    "stopwords",
    "rate",
    "rates",
];

#[allow(clippy::needless_update, reason = "there are no others yet")]
fn settings(u: &mut Unstructured<'_>) -> Settings {
    Settings {
        sampler: pick(u, &Sampler::ALL),
        limit: if byte(u) == 255 { 0 } else { size(u) },
        overlong: overlong(u),
        batch: if byte(u) == 255 { 0 } else { size(u) },
        epochs: pick(u, &[1, 2, 3, 0, 101]),
        seed: number(u).into(),
        mode: pick(u, &Mode::ALL),
        mega: maybe(u, &[1, 50, 0, u32::MAX]),
        tokens: maybe(u, &[512, 8192, 0, u64::MAX]),
        bucket_width: maybe(u, &[5, 1, 0, u32::MAX]),
        hwcap: hwcap(u),
        merging: byte(u).is_multiple_of(2),
        batch_cap: match byte(u) % 4 {
            0 => Some(BatchCap::default()),
            1 => None,
            _ => Some(BatchCap {
                base: maybe(u, &[64, 0, u32::MAX]),
                scaling: pick(u, &[2.0, 1.0, 100.0, 0.5]),
            }),
        },
        token_drop: pick(
            u,
            &[
                TokenDrop::Off,
                TokenDrop::Equalise,
                TokenDrop::Rate(0.5),
                TokenDrop::Rate(1.0),
            ],
        ),
        stopword_share: pick(u, &[0.4, 0.0, 1.0, f64::NAN]),
        learning_rate: LearningRate {
            base: pick(u, &[3e-5, 0.0, 1e308]),
            modulated: byte(u).is_multiple_of(2),
        },
        cost: Box::new(Pricing {
            assumptions: Assumptions {
                accelerators: pick(u, &[8, 1, 4096]),
                ..Assumptions::default()
            },
            ..Pricing::default()
        }),
        ..others(u, batches::VALUES, &BY_HAND)
    }
}

fn request(u: &mut Unstructured<'_>) -> BatchRequest {
    let mut settings = settings(u);
    let (stopwords_known, drawn) = (byte(u) % 2 == 1, byte(u) % 2 == 1);
    let by_order = !matches!(settings.sampler, Sampler::Sorted | Sampler::TokenBudget);
    let counts = counts::<2>(u, if by_order { FEW } else { u64::MAX });
    if by_order && settings.overlong == Overlong::Split {
        // A split item is many.
        settings.overlong = Overlong::Drop;
    }
    BatchRequest {
        counts,
        stopwords_known,
        settings,
        drawn,
    }
}

fn judge(request: &BatchRequest, report: &Report) {
    let s = &report.settings;
    let mut items = 0u128;
    for (size, n) in &request.counts {
        items += match s.overlong {
            _ if size[0] <= s.limit => u128::from(*n),
            Overlong::Truncate => u128::from(*n),
            Overlong::Split => u128::from(*n) * u128::from(size[0].div_ceil(s.limit)),
            Overlong::Drop | Overlong::Reject => 0,
        };
    }
    let share = |x: f64| (0.0..=1.0).contains(&x);
    assert!(share(report.random.padding_share), "{:?}", report.random);
    assert_eq!(report.epochs.len(), s.runs() as usize);
    for f in &report.epochs {
        assert_eq!(u128::from(f.items), items, "{f:?}");
        assert_eq!(f.slots - f.real_tokens, f.padding_tokens);
        assert!(share(f.padding_share) && f.batches >= 1, "{f:?}");
        let batches: u128 = f.shapes.iter().map(|shape| u128::from(shape.batches)).sum();
        let slots: u128 = f
            .shapes
            .iter()
            .map(|s| u128::from(s.batches) * u128::from(s.slots))
            .sum();
        assert_eq!(
            (batches, slots),
            (u128::from(f.batches), u128::from(f.slots))
        );
        assert_eq!(
            f.shapes.iter().map(|shape| shape.slots).max(),
            Some(f.largest_slots)
        );
    }
}
