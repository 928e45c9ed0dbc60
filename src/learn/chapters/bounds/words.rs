//! The prose about bounds.

use super::{LENGTHS, LIMIT, PriceProof};
use crate::learn::data;
use crate::learn::prose::figure;
use crate::state::findings::number_in_words;
use packscope::bounds::BoundKind;
use packscope::metrics::Figures;
use packscope::words::{capital, count, percent, plural};

pub(super) const PRICES: &str = "Give every length a price: a sequence of 18 tokens costs {long}, one of 10 costs {middle}, one of 8 \
    costs {short}. They begin as their tokens, and then the proof is the one with water. But any prices will do.";

pub(super) const CERTIFICATE: &str = "Prices are a [certificate]. To check it, one need trust neither the search that found the plan nor \
    the choice of the prices: finding the dearest pack is a small knapsack problem, and the rest is a sum and one division, \
    all in whole numbers. For real data a linear programme finds the prices, and the engine of this page checks them so.";

pub(super) const NOTICE: &str = "Raise one price alone. As long as the dearest pack stays what it is, the sum grows and with it \
    the proof; once that pack itself gets dearer, everything else counts for less.";

pub(super) const FOUND: &str = "No plan can have fewer packs, and the plan with as many is there: it is optimal, however it was found. \
    These prices know what tokens do not: nothing fits beside an 18, and no third sequence beside two of 10.";

pub(super) fn wikipedia_title() -> String {
    let lengths = data::lengths("wikipedia_bert_512").len();
    format!("With a price for each of {lengths} lengths, nothing is left to gain")
}

/// Returns the title: the state of the proof.
pub(super) fn finding(proof: &PriceProof, packs: u64) -> String {
    let bound = number_in_words(proof.bound);
    if proof.most == 0 {
        "Without a price nothing is proven".to_owned()
    } else if proof.bound == packs && packs > 0 {
        format!("No plan has fewer than {bound} packs: proven")
    } else if packs == 0 {
        "How few packs can there be?".to_owned()
    } else {
        format!(
            "{} packs at least, {} in the plan",
            capital(&bound),
            number_in_words(packs)
        )
    }
}

pub(super) fn question(packs: u64) -> String {
    let items: u64 = LENGTHS.iter().map(|(_, n)| n).sum();
    let plan = match packs {
        0 => "A search finds a [plan], which is shown after your prediction.".to_owned(),
        _ => format!(
            "A search has found a [plan] of {} packs.",
            figure("packs", packs, &count(packs))
        ),
    };
    format!(
        "{} [sequences], four each of 18, 10 and 8 tokens, go into packs of {LIMIT}. {plan} Would one fewer do? Trying \
         everything answers that for twelve sequences, but not for millions. A [bound] does: a number of packs that no \
         plan can go below.",
        capital(&number_in_words(items)),
    )
}

fn tokens() -> u64 {
    LENGTHS
        .iter()
        .map(|(length, n)| u64::from(*length) * n)
        .sum()
}

pub(super) fn water_title() -> String {
    let packs = tokens().div_ceil(u64::from(LIMIT));
    format!(
        "Poured like water, they fill {} packs",
        number_in_words(packs)
    )
}

pub(super) fn water() -> String {
    let (tokens, packs) = (tokens(), tokens().div_ceil(u64::from(LIMIT)));
    format!(
        "All {} tokens, divided by the {LIMIT} slots of a pack and rounded up: {}. No plan has fewer, and this one would have no \
         [padding]. But sequences are not water.",
        figure("real_tokens", tokens, &count(tokens)),
        figure("token_bound", packs, &count(packs)),
    )
}

/// Describes the bound of Martello and Toth.
pub(super) fn long_ones(packs: u64) -> String {
    let half = LIMIT / 2;
    let long: u64 = LENGTHS
        .iter()
        .filter(|(length, _)| *length > half)
        .map(|(_, n)| n)
        .sum();
    format!(
        "No two sequences longer than half a pack fit together: the {} of 18 tokens need a pack each. Nothing fits into \
         their last 6 slots, so the others need three packs more, even as water: {} in all. This is Martello and Toth's bound.",
        number_in_words(long),
        figure("martello_toth", packs, &count(packs)),
    )
}

pub(super) fn prices_title(proof: &PriceProof) -> String {
    if proof.most == 0 {
        return "Prices of zero prove nothing".to_owned();
    }
    format!("These prices prove {}", plural(proof.bound, "pack"))
}

/// Describes the way from prices to a bound.
pub(super) fn dearest(proof: &PriceProof) -> String {
    let PriceProof {
        most, sum, bound, ..
    } = *proof;
    if most == 0 {
        return format!(
            "Whatever pack is made costs nothing, and one cannot divide by that: {} packs are proven. Give one length a \
             price.",
            figure("bound", bound, &count(bound)),
        );
    }
    format!(
        "Of all packs that could be made, the dearest costs {}. All twelve sequences cost {}. Every pack of a plan carries \
         away {most} of that at most, so there are at least {sum}\u{a0}/\u{a0}{most} packs, rounded up: {}.",
        figure("most", most, &count(most)),
        figure("sum", sum, &count(sum)),
        figure("bound", bound, &count(bound)),
    )
}

/// Names the basis of a bound.
fn known_from(kind: Option<BoundKind>) -> &'static str {
    match kind {
        Some(BoundKind::Items) => "sequences divided by depth",
        Some(BoundKind::MartelloToth | BoundKind::Surrogate) => "its long sequences",
        Some(BoundKind::Pairs) => "pairs that fit",
        Some(BoundKind::LinearProgram) => "prices",
        Some(BoundKind::Exhaustion) => "a trial of everything",
        Some(BoundKind::Tokens) | None => "tokens divided by the limit",
    }
}

pub(super) fn wikipedia(figures: &Figures) -> String {
    let (Some(bound), Some(gap)) = (figures.lower_bound, figures.gap) else {
        return String::new();
    };
    let between = if bound == figures.packs {
        format!(
            "The [gap] is {}, so this plan is optimal. Elsewhere prices decide.",
            figure("gap", gap, "0")
        )
    } else {
        let gap = figure("gap", gap, &percent(gap));
        format!("The [gap] is {gap}: is the plan that poor, or the proof? Prices decide.")
    };
    let proven = |name, packs: u64| figure(name, packs, &count(packs));
    format!(
        "Wikipedia with at most {{depth}} sequences in a pack: LPFHP, a fast algorithm, needs {} packs. Cheap bounds \
         prove {}, from {}. {between} At depth 3 they prove {}, and the optimal algorithm of this page has a plan of \
         exactly so many packs. With no limit on depth it has one of {}, which long sequences alone prove.",
        proven("wikipedia_packs", figures.packs),
        proven("lower_bound", bound),
        known_from(figures.bound_kind),
        // Constants, as the chapter does not ask for these optima; a browser test finds the first
        // one again.
        proven("optimum_depth_3", 8_143_829),
        proven("optimum", 8_135_727),
    )
}

/// Names the bound of prices that prove too little, by how far it is above that of water.
pub(super) fn almost(proof: &PriceProof) -> String {
    if proof.bound > tokens().div_ceil(u64::from(LIMIT)) {
        format!(
            "{} already: better than water. Which packs can hold nothing more, though they are not full?",
            capital(&plural(proof.bound, "pack"))
        )
    } else {
        String::new()
    }
}

pub(super) fn task(packs: u64) -> String {
    let bound = match packs {
        0 => "as many packs as it has".to_owned(),
        _ => format!(
            "a bound of {}",
            figure("plan_packs", packs, &plural(packs, "pack"))
        ),
    };
    format!("Find prices that prove the plan optimal: {bound}.")
}
