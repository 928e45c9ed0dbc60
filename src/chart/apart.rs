//! Labels along a line, moved apart where they would touch.

/// Where things begin that want to begin somewhere and have a size, in ascending order of what they want: as near to
/// that as they can be without touching, from `low` to `high`. Those that touch are joined and centred on the mean of
/// what they want.
pub(super) fn moved(wants: &[(f64, f64)], low: f64, high: f64) -> Vec<f64> {
    // A block: how many things, its size, and where it wants to begin.
    let mut blocks: Vec<(usize, f64, f64)> = vec![];
    let fit = |want: f64, size: f64| want.min(high - size).max(low);
    for &(want, size) in wants {
        let mut block = (1, size, want);
        while let Some(&(n, size, want)) = blocks.last() {
            if fit(want, size) + size <= fit(block.2, block.1) {
                break;
            }
            blocks.pop();
            // Each thing of the second block wants to be `size` further than the begin of the first.
            let mean = (want * n as f64 + (block.2 - size) * block.0 as f64) / (n + block.0) as f64;
            block = (n + block.0, size + block.1, mean);
        }
        blocks.push(block);
    }
    let mut sizes = wants.iter().map(|(_, size)| size);
    let mut begins = vec![];
    for (n, size, want) in blocks {
        let mut at = fit(want, size);
        for size in sizes.by_ref().take(n) {
            begins.push(at);
            at += size;
        }
    }
    begins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_room_stays_and_what_touches_shares_the_way() {
        assert_eq!(moved(&[(5.0, 10.0), (40.0, 10.0)], 0.0, 100.0), [5.0, 40.0]);
        assert_eq!(moved(&[(40.0, 10.0), (44.0, 10.0)], 0.0, 100.0), [37.0, 47.0]);
        assert_eq!(moved(&[(95.0, 10.0), (96.0, 10.0)], 0.0, 100.0), [80.0, 90.0]);
        assert_eq!(moved(&[(-5.0, 10.0), (3.0, 10.0)], 0.0, 100.0), [0.0, 10.0]);
        assert_eq!(moved(&[], 0.0, 1.0), [0.0; 0]);
    }
}
