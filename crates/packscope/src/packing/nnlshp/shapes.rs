//! The strategies of the published method: up to three lengths that fill a row exactly.

/// Lengths of one pack; 0 means no item.
pub(super) type StrategyShape = [u32; 3];

/// Returns all multisets of at most `depth` (at most 3) lengths that sum to the limit, in the published order:
/// lexicographic, but a pair after the triples that begin with the same length. The order decides between columns of
/// equal gain. Public for tests, which count them.
pub fn shapes(limit: u32, depth: u32) -> Vec<StrategyShape> {
    let mut shapes = Vec::new();
    if depth >= 2 {
        for a in 1..=limit / 2 {
            if depth >= 3 {
                shapes.extend((a..=(limit - a) / 2).map(|b| [a, b, limit - a - b]));
            }
            shapes.push([0, a, limit - a]);
        }
    }
    shapes.push([0, 0, limit]);
    shapes
}

/// Returns the lengths in a pack one by one, as indices of vectors by length.
pub(super) fn lengths(shape: &StrategyShape) -> impl Iterator<Item = usize> {
    shape.iter().filter(|l| **l > 0).map(|l| *l as usize)
}
