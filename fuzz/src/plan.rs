//! Plans as files.

use packscope::error::Result;
use packscope::export::{Assigner, Document, Form, assign, components};
use packscope::histogram::{FREE, Size};
use packscope::ingest::RecordVisitor;
use serde_json::Value;

/// Items that are assigned at most.
const ITEMS: u64 = 5_000;

/// A file that may be a plan: what is accepted recounts to what it says, is written and read again as the same, and
/// takes the items that it lists.
pub fn plan(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = components(&text);
    read::<1>(&text);
    read::<2>(&text);
    read::<3>(&text);
    for (form, seed) in [(Form::Csv, None), (Form::Npy, Some(7))] {
        // Other items than those of the plan are refused, or there are none.
        let mut written = 0;
        let _ = assign(&text, (form, seed, 9), &mut others, |bytes| {
            written += bytes.len()
        });
    }
}

fn others(each: &mut RecordVisitor<'_>) -> Result<()> {
    [[1, 1], [300, 0], [u32::MAX, 9]]
        .iter()
        .for_each(|size| each(size, 3));
    Ok(())
}

fn read<const K: usize>(text: &str) {
    let Ok(document) = Document::<K>::parse(text) else {
        return;
    };
    recounts(&document);
    let mut written = String::new();
    document.json(&mut |piece| written += piece);
    match Document::<K>::parse(&written) {
        Ok(again) => same(&again, &document),
        Err(error) => panic!("{error}: {written}"),
    }
    let mut lines = 0;
    document.csv(&mut |piece| lines += piece.lines().count());
    assert_eq!(lines, document.strategies.len() + 1);
    takes_its_items(&document);
}

/// The packs hold no more than they may, and are as many as the figures say.
pub fn recounts<const K: usize>(document: &Document<K>) {
    let limits = document.limits().unwrap_or_else(|error| panic!("{error}"));
    let mut packs = 0u128;
    for strategy in &document.strategies {
        for (k, limit) in limits.iter().enumerate() {
            let runs = strategy.runs.iter();
            let used: u128 = runs
                .map(|(size, times)| u128::from(size[k]) * u128::from(*times))
                .sum();
            assert!(
                used <= u128::from(*limit) || (*limit == FREE && K > 1),
                "{used} in {limit}"
            );
        }
        packs += u128::from(strategy.count);
    }
    assert_eq!(packs, u128::from(document.about.figures.packs));
    assert_eq!(packs, u128::from(document.packs()));
}

/// Shares may differ in their last digit, as a fraction read from decimals does.
fn same<const K: usize>(a: &Document<K>, b: &Document<K>) {
    assert_eq!(a.strategies, b.strategies);
    let [a, b] = [a, b].map(|d| serde_json::to_value(&d.about).unwrap_or_default());
    assert!(alike(&a, &b), "{a} and {b}");
}

/// The same but for the last digit of fractions.
pub fn alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(name, a)| b.get(name).is_some_and(|b| alike(a, b)))
        }
        (Value::Number(a), Value::Number(b)) if a != b => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() <= f64::EPSILON * a.abs().max(b.abs()) || a == b,
            _ => false,
        },
        (a, b) => a == b,
    }
}

fn takes_its_items<const K: usize>(document: &Document<K>) {
    let strategies = document.strategies.iter();
    let items: u128 = strategies
        .map(|s| u128::from(s.depth()) * u128::from(s.count))
        .sum();
    let Ok(mut assigner) = Assigner::new(document, None) else {
        return;
    };
    if items > u128::from(ITEMS) {
        // Too many to place: what is missing is told.
        assert!(assigner.finish().is_err());
        return;
    }
    let packs = usize::try_from(document.packs()).unwrap_or_default();
    if packs > ITEMS as usize {
        return;
    }
    let mut filled: Vec<u64> = vec![0; packs];
    for strategy in &document.strategies {
        for _ in 0..strategy.count {
            for size in strategy.sizes() {
                place(&mut assigner, size, &mut filled);
            }
        }
    }
    if let Err(error) = assigner.finish() {
        panic!("{error}");
    }
    let depths = document
        .strategies
        .iter()
        .flat_map(|s| (0..s.count).map(|_| s.depth()));
    assert!(depths.eq(filled), "every pack is as deep as planned");
}

fn place<const K: usize>(assigner: &mut Assigner<K>, size: Size<K>, filled: &mut [u64]) {
    let placed = assigner.place(size, &mut |piece| filled[piece.pack as usize] += 1);
    if let Err(error) = placed {
        panic!("{error}");
    }
}
