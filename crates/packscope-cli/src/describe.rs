//! `packscope describe`: statistics of lengths, or of the sizes of several components.

use crate::args::FigureFormat;
use crate::input::Input;
use crate::limits::{Limits, by_components};
use crate::shell::pretty;
use crate::sizes::{ComputedComponents, items_above, read_sizes};
use crate::supervise;
use clap::Args;
use packscope::error::{Error, Result};
use packscope::export::Table;
use packscope::histogram::{Attention, Band, Bins, FREE, Histogram, Size, Work};
use packscope::supervision::Truncation;
use packscope::words::{band, count, factor, mean, percent, plural};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Multiples to which trainers round each sequence: 2 · context parallelism, tiles of 8-bit floats (16, 32, 128).
const ALIGNMENTS: [u32; 5] = [8, 16, 32, 64, 128];

#[derive(Args)]
pub struct Describe {
    #[command(flatten)]
    input: Input,
    /// Maximum sequence length for the padding share; the longest item when left out.
    #[arg(long, value_parser = crate::limits::parse_limit)]
    limit: Option<u32>,
    /// Components of a size: 2 for nodes and edges; as many as there are size columns or limits when left out.
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=3))]
    components: Option<u8>,
    /// One limit for each component, for the padding share; the largest sizes when left out.
    #[arg(long, conflicts_with = "limit")]
    limits: Option<Limits>,
    #[arg(long, default_value = "text")]
    format: FigureFormat,
}

#[derive(Serialize)]
struct Component {
    name: String,
    total: u64,
    min: u32,
    max: u32,
    mean: f64,
    distinct: u64,
    /// The limit for overlong items and the padding share.
    limit: u32,
    overlong_items: u64,
    /// Share of slots that are empty with one item a pack, if items above the limit are truncated; `None` of attention,
    /// which has no slots.
    padding_share: Option<f64>,
    /// Slots over what fills them with one item a pack: the most that packing can win in this component.
    potential: Option<f64>,
}

/// The smallest and the largest values of figures of binned data.
#[derive(Serialize)]
struct Bands {
    total_tokens: Band,
    mean: Band,
    padding_share: Band,
}

impl Bands {
    fn new(bins: &Bins, limit: u32) -> Self {
        // Not `thorough`: that is for the padding of random batches, which is not shown here.
        let [total_tokens, mean, padding_share] = bins.bands(limit, false, |lengths| {
            let s = lengths.summary(limit);
            Some([s.total_tokens as f64, s.mean, s.padding_share])
        });
        Self {
            total_tokens,
            mean,
            padding_share,
        }
    }
}

pub fn run(command: &Describe) -> Result<String> {
    let columns = command.input.sizes().len();
    let computed = command.input.compute.is_some();
    let given = command
        .components
        .map(usize::from)
        .or(computed.then_some(2));
    let given = given.or((columns > 0).then_some(columns));
    match given.or(command.limits.as_ref().map(|limits| limits.0.len())) {
        // Options that only sizes have mean sizes, even of one component.
        Some(components) if components > 1 || columns > 0 || command.limits.is_some() => {
            by_components!(components, sizes(command))
        }
        _ => lengths(command),
    }
}

fn lengths(command: &Describe) -> Result<String> {
    let read = command.input.read()?;
    if command.limit == Some(0) {
        return Err(Error::ZeroLimit);
    }
    // The longest items of a bin may be at its end, where none of the spread ones is.
    let ends = read.description.bins.iter().map(|bin| bin.high);
    let longest = ends.fold(read.histogram.max()[0], u32::max);
    let s = read.histogram.summary(command.limit.unwrap_or(longest));
    let added = |align| read.histogram.added_by_alignment(align, s.limit);
    let bands =
        Bins::new(&read.histogram, &read.description.bins).map(|bins| Bands::new(&bins, s.limit));
    let supervision = supervise::of_input(&command.input, &read.histogram, Truncation::Right);
    if let FigureFormat::Json = command.format {
        let added = ALIGNMENTS.map(|align| json!({ "align": align, "added_share": added(align) }));
        let mut all =
            json!({ "summary": s, "alignment": added, "read": read.description.account() });
        bands.iter().for_each(|bands| all["bands"] = json!(bands));
        if let Some(found) = &supervision {
            all["supervision"] = found.json(s.limit);
        }
        return Ok(pretty(&all));
    }
    let band = bands.as_ref().map_or_else(String::new, |bands| {
        format!(" {}", band(bands.padding_share))
    });
    let tokens = bands.map_or_else(String::new, |bands| {
        let [least, most] = bands.total_tokens.map(|tokens| count(tokens as u64));
        format!(" ({least} to {most})")
    });
    let quantile = |(share, length): &(f64, u32)| {
        format!("{:.0} % ≤ {}", share * 100.0, count(u64::from(*length)))
    };
    let quantiles: Vec<String> = s.quantiles.iter().map(quantile).collect();
    let lines = [
        format!("read as      {}", read.description.format.name()),
        format!("holds        {}", read.description.sentence()),
        format!("sequences    {}", count(s.items)),
        format!(
            "{:<12} {}{tokens}",
            read.description.unit(),
            count(s.total_tokens)
        ),
        format!(
            "lengths      {} to {}, {} distinct, mean {:.1}",
            s.min,
            s.max,
            count(s.distinct),
            s.mean
        ),
        format!("quantiles    {}", quantiles.join(", ")),
        format!(
            "at {:<9} {}{band} padding with one sequence a row; packing wins at most {} (limit / mean)",
            s.limit,
            percent(s.padding_share),
            factor(1.0 / (1.0 - s.padding_share))
        ),
        format!(
            "over         {} {} longer than {}",
            plural(s.overlong_items, "sequence"),
            if s.overlong_items == 1 { "is" } else { "are" },
            s.limit
        ),
        format!(
            "aligned      to {}",
            ALIGNMENTS
                .map(|align| format!("{align} +{}", percent(added(align))))
                .join(", ")
        ),
    ];
    let trains = supervision.map(|found| supervise::of_description(&found, s.limit));
    Ok(lines
        .into_iter()
        .chain(trains)
        .collect::<Vec<_>>()
        .join("\n"))
}

fn sizes<const K: usize>(command: &Describe) -> Result<String> {
    let given: Size<K> = match &command.limits {
        None if command.limit.is_some() => {
            return Err(Error::Components {
                limits: 1,
                components: K,
            });
        }
        None => [FREE; K],
        Some(Limits(given)) => given.as_slice().try_into().map_err(|_| Error::Components {
            limits: given.len(),
            components: K,
        })?,
    };
    let sizes = read_sizes::<K>(&command.input)?;
    // A component without a limit takes as many slots as its largest size.
    let max = sizes.histogram.max();
    let limits = std::array::from_fn(|k| if given[k] == FREE { max[k] } else { given[k] });
    let components: Vec<Component> = (0..K)
        .map(|k| component(&sizes.histogram, k, limits[k], &sizes.names[k]))
        .collect();
    let (items, distinct) = (sizes.histogram.items(), sizes.histogram.distinct() as u64);
    let overlong = items_above(&sizes.histogram, &limits);
    let slotless = if sizes.computed.is_some() {
        " Attention has no slots."
    } else {
        ""
    };
    let made = sizes
        .computed
        .as_ref()
        .map(|made| ComputedSummary::new(made, limits[0]));
    if let FigureFormat::Json = command.format {
        let mut all = json!({
            "items": items, "distinct": distinct, "overlong_items": overlong, "components": components, "read": sizes.read,
        });
        made.iter().for_each(|made| all["computed"] = made.json());
        return Ok(pretty(&all));
    }
    let table = Table::of("", &components)
        .words("", |c| c.name.clone())
        .words("total", |c| count(c.total))
        .words("min", |c| count(u64::from(c.min)))
        .words("mean", |c| mean(c.mean))
        .words("max", |c| count(u64::from(c.max)))
        .words("distinct", |c| count(c.distinct))
        .words("limit", |c| count(u64::from(c.limit)))
        .words("over", |c| count(c.overlong_items))
        .words("padding", |c| {
            c.padding_share.map_or_else(|| "–".to_owned(), percent)
        })
        .words("at most", |c| {
            c.potential.map_or_else(|| "–".to_owned(), factor)
        });
    let lines = [
        format!(
            "items        {}, {} in all components",
            count(items),
            plural(distinct, "distinct size")
        ),
        format!("over         {} above a limit", plural(overlong, "item")),
        String::new(),
        table.table.text(),
        String::new(),
        format!(
            "Padding is the share of slots that carry nothing with one item a pack; \"at most\" is what packing can win in a \
             component: limit / mean.{slotless}"
        ),
    ];
    let more = made.map_or_else(String::new, |made| format!("\n\n{}", made.text()));
    Ok(lines.join("\n") + &more)
}

/// Components that were computed: their unit, limits for packs, and the saving of what is shared.
struct ComputedSummary<'m> {
    made: &'m ComputedComponents,
    /// Limits of tokens and attention that fill packs and even them out.
    limits: [u32; 2],
}

impl<'m> ComputedSummary<'m> {
    fn new(made: &'m ComputedComponents, tokens: u32) -> Self {
        Self {
            made,
            limits: [tokens, made.computed.limit(tokens)],
        }
    }

    fn json(&self) -> Value {
        // Sums above 64 bits are rounded.
        let number = |n: u128| u64::try_from(n).map_or_else(|_| json!(n as f64), |n| json!(n));
        let work = |of: Work| json!({ "tokens": number(of.tokens), "pairs": number(of.pairs) });
        let (computed, [shared, apart]) = (&self.made.computed, self.made.shared_and_apart);
        json!({
            "computation": computed.computation.to_string(), "unit": computed.unit, "limits": self.limits,
            "largest_to_full": computed.bound(self.limits[0]),
            "shared": work(shared), "apart": work(apart),
        })
    }

    fn text(&self) -> String {
        let [tokens, attention] = self.limits;
        let mut lines = vec![
            format!(
                "unit         1 of attention is {} of tokens, of L² for L tokens, rounded up for each item",
                plural(self.made.computed.unit, "pair")
            ),
            format!(
                "limits       --limits {tokens},{attention}: attention a tenth above a full pack's mean, or the largest item's"
            ),
        ];
        let bound = self.made.computed.bound(tokens);
        if bound > 1.0 {
            let line = "bound        one item has {} the attention of a full pack: packs are no more even than that";
            lines.push(line.replace("{}", &factor(bound)));
        }
        let [shared, apart] = self.made.shared_and_apart;
        if shared != apart {
            let of = |shared: u128, apart: u128, what: &str| {
                let [less, more] =
                    // Sums beyond 64 bits are shown as the largest number; the share below is exact
                    // enough.
                    [shared, apart].map(|n| count(u64::try_from(n).unwrap_or(u64::MAX)));
                let saved = percent(1.0 - shared as f64 / (apart as f64).max(1.0));
                format!("shared       {less} {what} instead of {more}: {saved} saved")
            };
            lines.push(of(shared.tokens, apart.tokens, "tokens"));
            lines.push(of(shared.pairs, apart.pairs, "pairs"));
            lines.push(
                "             where all responses of a group are as long as the pair's".to_owned(),
            );
        }
        lines.join("\n")
    }
}

fn component<const K: usize>(
    histogram: &Histogram<K>,
    k: usize,
    limit: u32,
    name: &str,
) -> Component {
    let sizes = || histogram.entries().iter().map(|(size, n)| (size[k], *n));
    let held: u128 = sizes()
        .map(|(size, n)| u128::from(size.min(limit)) * u128::from(n))
        .sum();
    let slots = histogram.items() as f64 * f64::from(limit);
    // Attention is a sum under a limit, and has no slots.
    let has_slots = Attention::named(name).is_none();
    Component {
        potential: (has_slots && held > 0).then(|| slots / held as f64),
        name: name.to_owned(),
        total: histogram.total()[k],
        min: sizes().map(|(size, _)| size).min().unwrap_or(0),
        max: histogram.max()[k],
        mean: histogram.mean_size()[k],
        // Distinct as tuples, sizes may repeat in one component.
        distinct: sizes().map(|(size, _)| size).collect::<BTreeSet<_>>().len() as u64,
        limit,
        overlong_items: sizes()
            .filter(|(size, _)| *size > limit)
            .map(|(_, n)| n)
            .sum(),
        padding_share: has_slots.then(|| {
            // A limit may be 0 where no item has any of a component, as edges.
            if slots > 0.0 {
                1.0 - held as f64 / slots
            } else {
                0.0
            }
        }),
    }
}
