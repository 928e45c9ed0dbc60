//! The linear relaxation of packing (Gilmore and Gomory 1961): patterns may be used in fractions.
//!
//! Its value, rounded up, is a bound that is nearly always the optimum itself, and its solution is nearly
//! a plan. Patterns are far too many to write down; *column generation* begins with a few and lets a
//! knapsack find those that are missing ([`crate::bounds`] owns the knapsack, because it proves the bound).

mod budget;
mod crash;
mod factor;
mod relaxation;
mod simplex;

pub(crate) use budget::Budget;
pub(crate) use relaxation::{Pattern, Relaxation, Solved};

#[cfg(test)]
mod tests {
    #[test]
    fn scratch() {
        let args = std::env::var("SETS").unwrap_or_default();
        for arg in args.split(' ').filter(|a| !a.is_empty()) {
            let mut parts = arg.split(':');
            let name = parts.next().unwrap();
            let limit: u32 = parts.next().unwrap().parse().unwrap();
            let depth: u32 = parts.next().unwrap().parse().unwrap();
            let text = std::fs::read_to_string(format!("static/datasets/{name}.csv")).unwrap();
            let mut rows: Vec<(u32, u64)> = text
                .lines()
                .skip(1)
                .map(|l| {
                    let (a, b) = l.split_once(',').unwrap();
                    (a.parse::<u32>().unwrap().min(limit), b.parse().unwrap())
                })
                .collect();
            rows.sort_by_key(|r| std::cmp::Reverse(r.0));
            rows.dedup_by(|b, a| {
                let same = a.0 == b.0;
                if same {
                    a.1 += b.1;
                }
                same
            });
            let lengths: Vec<u32> = rows.iter().map(|r| r.0).collect();
            let counts: Vec<u64> = rows.iter().map(|r| r.1).collect();
            let h = crate::histogram::Histogram::from_lengths(rows.iter().copied()).unwrap();
            let start = std::time::Instant::now();
            let seconds: f64 = std::env::var("SECONDS_").ok().and_then(|s| s.parse().ok()).unwrap_or(10.0);
            let task = crate::packing::Task::new(limit, crate::packing::Depth::AtMost(depth));
            let mut stop = |_| {
                if start.elapsed().as_secs_f64() > seconds {
                    std::ops::ControlFlow::Break(())
                } else {
                    std::ops::ControlFlow::Continue(())
                }
            };
            let p = crate::packing::Algorithm::Optimal.run(&h, &task, &mut stop).unwrap();
            let b = p.bound.unwrap();
            eprintln!(
                "{arg}: best {} bound {} gap {} strategies {} {:?} {:?}",
                p.listing.packs,
                b.packs,
                p.listing.packs - b.packs,
                p.listing.plan.strategies().len(),
                b.kind,
                start.elapsed()
            );
        }
    }
}
