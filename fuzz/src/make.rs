//! Values of ours from the bytes of a fuzzer. Zeros make what is usual.

use arbitrary::Unstructured;
use packscope::api::fields::{Accepts, SettingAccess};
use packscope::cost::Overhead;
use packscope::histogram::Overlong;
use packscope::packing::Depth;

/// The bytes before an input that decide what is done with it.
const HEAD: usize = 16;

/// Splits bytes into those that decide, and the input.
pub fn split(bytes: &[u8]) -> (Unstructured<'_>, &[u8]) {
    let (head, rest) = bytes.split_at(bytes.len().min(HEAD));
    (Unstructured::new(head), rest)
}

/// The next byte; 0 where there is none.
pub fn byte(u: &mut Unstructured<'_>) -> u8 {
    u.arbitrary().unwrap_or_default()
}

/// The next number; 0 where there is none.
pub fn number(u: &mut Unstructured<'_>) -> u32 {
    u.arbitrary().unwrap_or_default()
}

/// One of several.
pub fn pick<T: Copy>(u: &mut Unstructured<'_>, all: &[T]) -> T {
    all[usize::from(byte(u)) % all.len()]
}

/// None, or one of several.
pub fn maybe<T: Copy>(u: &mut Unstructured<'_>, all: &[T]) -> Option<T> {
    (usize::from(byte(u)) % (all.len() + 1))
        .checked_sub(1)
        .map(|i| all[i])
}

/// Default settings, but for those that are not made by hand: these have a value of their range. So a new setting is
/// tried without a word here.
pub fn others<S: Default>(
    u: &mut Unstructured<'_>,
    values: &[SettingAccess<S>],
    by_hand: &[&str],
) -> S {
    let mut settings = S::default();
    for value in values.iter().filter(|value| !by_hand.contains(&value.id)) {
        let text = match value.accepts {
            Accepts::Whole(least, most) | Accepts::WholeOr(least, most, _) => {
                u64::from(size(u)).clamp(least, most).to_string()
            }
            Accepts::NumberOr(least, most, _) => pick(u, &[least, most]).to_string(),
            Accepts::Other(_) => continue,
            named => pick(u, named.names()).to_owned(),
        };
        assert!(
            value.set(&mut settings, &text),
            "{}={text} is accepted, and is not",
            value.id
        );
    }
    settings
}

/// A size, most often a small one.
pub fn size(u: &mut Unstructured<'_>) -> u32 {
    match byte(u) % 8 {
        0..=2 => u32::from(byte(u)) % 20 + 1,
        3 | 4 => u32::from(byte(u)) * 4 + 1,
        5 => number(u) % 70_000,
        6 => u32::MAX - u32::from(byte(u)),
        _ => number(u),
    }
}

/// How many items: a few, or up to 10^12.
fn count(u: &mut Unstructured<'_>, most: u64) -> u64 {
    let count = match byte(u) % 4 {
        0 => u64::from(byte(u) % 4),
        1 => u64::from(byte(u)),
        2 => u64::from(number(u) % 100_000),
        _ => (u64::from(number(u)) << 8) + u64::from(byte(u)),
    };
    count.min(most)
}

/// Items by size, at most so many of each; at times of very many sizes.
pub fn counts<const K: usize>(u: &mut Unstructured<'_>, most: u64) -> Vec<([u32; K], u64)> {
    let mut counts = Vec::new();
    if byte(u) == 255 {
        let (first, step, sizes) = (size(u), u32::from(byte(u)), u32::from(byte(u)) * 8);
        let of =
            |i: u32| std::array::from_fn(|k| first.saturating_add(i.wrapping_mul(step + k as u32)));
        let many = count(u, most.min(1_000));
        counts.extend((0..sizes).map(|i| (of(i), (u64::from(i) * 7919) % (many + 1))));
    }
    while !u.is_empty() && counts.len() < 2_500 {
        counts.push((std::array::from_fn(|_| size(u)), count(u, most)));
    }
    counts
}

/// Items in a pack at most.
pub fn depth(u: &mut Unstructured<'_>) -> Depth {
    match byte(u) {
        0 => Depth::Unlimited,
        255 => Depth::AtMost(number(u)),
        depth => Depth::AtMost(u32::from(depth % 12)),
    }
}

/// A policy for items that are too long.
pub fn overlong(u: &mut Unstructured<'_>) -> Overlong {
    pick(u, &Overlong::ALL)
}

/// A price of keeping items apart.
pub fn overhead(u: &mut Unstructured<'_>) -> Overhead {
    pick(
        u,
        &[
            Overhead::Ipu,
            Overhead::Free,
            Overhead::Own(0.05),
            Overhead::Own(1e300),
        ],
    )
}
