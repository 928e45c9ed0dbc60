//! Watch an algorithm: the two published ones, decision by decision.

mod draw;
mod words;

use crate::learn::prose::figure;
use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterView, Citation, Condition, Guess, Knob, KnobKind,
    Notes, Opens, Paper,
};
use crate::state::findings::number_in_words;
use packscope::bounds;
use packscope::histogram::Histogram;
use packscope::packing::watch::{WatchedStep, watch};
use packscope::packing::{Algorithm, Depth};
use packscope::words::{count, percent, plural};

/// Slots of a pack.
const LIMIT: u32 = 20;
/// Each length, longest first, with the knob for the number of its sequences.
const LENGTHS: [(u32, &str); 5] = [
    (12, "twelves"),
    (9, "nines"),
    (8, "eights"),
    (5, "fives"),
    (3, "threes"),
];
// 110 tokens, 5.5 rows: SPFHP pairs each 9 with an 8 and each 12 with a 5, which leaves gaps that
// only LPFHP fills.
/// Number of sequences at the start, and the most that the exercise allows.
const SEQUENCES: u64 = 17;
/// More steps than any setting needs.
const STEPS: u32 = 60;
const DEPTHS: [Depth; 4] = [
    Depth::AtMost(2),
    Depth::AtMost(3),
    Depth::AtMost(4),
    Depth::Unlimited,
];

const ALGORITHMS: [Algorithm; 2] = [Algorithm::Spfhp, Algorithm::Lpfhp];
const NAMES: [&str; 3] = [
    ALGORITHMS[0].long_name(),
    ALGORITHMS[1].long_name(),
    "both, side by side",
];

pub const CHAPTER: Chapter = Chapter {
    id: "watch",
    title: "Watch an algorithm",
    keep: "SPFHP spreads what is left over all packs, LPFHP finishes one after the other; on Wikipedia both come within half a percent of the best.",
    notes: Notes {
        aim: "To follow two published algorithms decision by decision.",
        usual: "Many expect the emptiest pack to be the best place, since most fits there later.",
        exam: "Three packs have 3, 5 and 9 free slots. Where does a sequence of 4 go by SPFHP, and where by LPFHP? (Into the 9; into the 5.)",
    },
    minutes: 4,
    needs: &[],
    knobs: &[
        Knob {
            name: "algorithm",
            label: "Algorithm",
            kind: KnobKind::Words(&NAMES),
            start: &[0],
        },
        Knob {
            name: "depth",
            label: "Sequences in a pack at most",
            kind: KnobKind::Words(&["2", "3", "4", "unlimited"]),
            start: &[3],
        },
        Knob::number("step", "Decision", [0, STEPS], &[0]),
        Knob::number("twelves", "Sequences of 12 tokens", [0, 9], &[2]),
        Knob::number("nines", "Sequences of 9 tokens", [0, 9], &[3]),
        Knob::number("eights", "Sequences of 8 tokens", [0, 9], &[3]),
        Knob::number("fives", "Sequences of 5 tokens", [0, 9], &[4]),
        // One at least, so that there is always something to pack.
        Knob::number("threes", "Sequences of 3 tokens", [1, 9], &[5]),
    ],
    show,
    asks: |_| Vec::new(),
    opens: |here| {
        let settings = format!(
            "limit={LIMIT}&algorithm={}&depth={}",
            algorithm(here).name(),
            depth(here)
        );
        Opens::lengths("A small histogram", &settings, counts(here))
    },
    sources: &[
        Citation {
            paper: Paper::Packing,
            at: "§3.1.1 and Listing 3",
            says: "shortest-pack-first on the histogram, and a limit on the depth",
        },
        Citation {
            paper: Paper::Packing,
            at: "§4.1, Table 1",
            says: "what it does to Wikipedia at each depth, in about 0.03 s",
        },
        Citation {
            paper: Paper::Other(
                "graphcore/examples, the authors' code",
                "https://github.com/graphcore/examples",
            ),
            at: "spfhp.py and lpfhp.py",
            says: "both algorithms as they are run here; on Wikipedia at 512 tokens they make 8,166,708 and 8,138,483 packs",
        },
    ],
};

/// Returns the chosen algorithm; the first where both are.
fn algorithm(here: &ChapterContext<'_>) -> Algorithm {
    let chosen = ALGORITHMS.get(here.number("algorithm") as usize);
    *chosen.unwrap_or(&ALGORITHMS[0])
}

fn is_both(here: &ChapterContext<'_>) -> bool {
    here.number("algorithm") as usize >= ALGORITHMS.len()
}

fn depth(here: &ChapterContext<'_>) -> Depth {
    DEPTHS
        .get(here.number("depth") as usize)
        .copied()
        .unwrap_or(Depth::Unlimited)
}

/// Returns (length, sequences), longest first, including lengths without sequences.
fn counts(here: &ChapterContext<'_>) -> [(u32, u64); 5] {
    LENGTHS.map(|(length, knob)| (length, u64::from(here.number(knob))))
}

fn packs(steps: &[WatchedStep]) -> u64 {
    steps
        .last()
        .map_or(0, |step| step.groups.iter().map(|group| group.count).sum())
}

/// The decisions of an algorithm, the results of both, and the reader's place.
struct WatchScene {
    algorithm: Algorithm,
    counts: [(u32, u64); 5],
    steps: Vec<WatchedStep>,
    at: usize,
    /// Final packs of SPFHP and of LPFHP.
    ends: [u64; 2],
    /// Lower bound on the packs of any plan.
    bound: u64,
}

impl WatchScene {
    fn new(here: &ChapterContext<'_>, algorithm: Algorithm) -> Self {
        let (depth, counts) = (depth(here), counts(here));
        let data = Histogram::from_lengths(counts);
        let run = |a| {
            data.as_ref()
                .ok()
                // The decisions come from the packing code itself, so that the chapter cannot tell
                // another story than the tool.
                .and_then(|h| watch(a, h, LIMIT, depth).ok())
                .unwrap_or_default()
        };
        let both = [run(Algorithm::Spfhp), run(Algorithm::Lpfhp)];
        let ends = [packs(&both[0]), packs(&both[1])];
        let bound = data
            .as_ref()
            .map_or(0, |h| bounds::best(h, LIMIT, depth.get()).packs);
        let [spfhp, lpfhp] = both;
        let steps = if algorithm == Algorithm::Spfhp {
            spfhp
        } else {
            lpfhp
        };
        // The knob keeps its number when other sequences need fewer decisions.
        let at = (here.number("step") as usize).min(steps.len());
        Self {
            algorithm,
            counts,
            steps,
            at,
            ends,
            bound,
        }
    }

    /// Returns the last decision made.
    fn step(&self) -> Option<&WatchedStep> {
        // 0 is the state before the first decision.
        self.steps.get(self.at.checked_sub(1)?)
    }

    fn is_over(&self) -> bool {
        self.at == self.steps.len()
    }

    fn is_changed(&self) -> bool {
        let begins = |knob: &str| {
            CHAPTER
                .knob(knob)
                .and_then(|knob| knob.start.first())
                .copied()
        };
        LENGTHS
            .iter()
            .zip(self.counts)
            // Once the reader has changed the sequences, both results are shown at once: the
            // exercise is to be tried, not watched.
            .any(|((_, knob), (_, n))| begins(knob).map(u64::from) != Some(n))
    }

    fn sequences(&self) -> u64 {
        self.counts.iter().map(|(_, n)| n).sum()
    }

    fn tokens(&self) -> u64 {
        self.counts
            .iter()
            .map(|(length, n)| u64::from(*length) * n)
            .sum()
    }

    /// Counts the sequences of each length that have no pack yet.
    fn unpacked_counts(&self) -> [u64; 5] {
        let done = self.steps.get(..self.at).unwrap_or_default();
        let placed = |length| {
            done.iter()
                .map(|s| s.decision)
                .filter(move |d| d.length == length)
        };
        self.counts
            .map(|(length, n)| n - placed(length).map(|d| d.placed_sequences()).sum::<u64>())
    }
}

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let scene = WatchScene::new(here, algorithm(here));
    let other = is_both(here).then(|| WatchScene::new(here, ALGORITHMS[1]));
    let all = || std::iter::once(&scene).chain(&other);
    let last = all().map(|scene| scene.steps.len() as u32).max();
    let last = last.unwrap_or_default().min(STEPS);
    let is_over = all().all(WatchScene::is_over);
    ChapterView {
        finding: other.as_ref().map_or_else(
            || words::finding(&scene),
            |other| words::finding_of_both([&scene, other]),
        ),
        parts: vec![
            ChapterPart::Text(INTRODUCTION.to_owned()),
            ChapterPart::Text(DATA.to_owned()),
            ChapterPart::Words("algorithm"),
            ChapterPart::Words("depth"),
            ChapterPart::Player("step", last, "Decision", 0),
            other.as_ref().map_or_else(
                || {
                    ChapterPart::Beside(
                        vec![ChapterPart::Figure(draw::lengths(&scene)), ChapterPart::Text(words::decision(&scene))],
                        vec![ChapterPart::Figure(draw::packs(&scene))],
                    )
                },
                |other| ChapterPart::Beside(half(&scene), half(other)),
            ),
            ChapterPart::Text(if is_over || scene.is_changed() { outcome(&scene) } else { UNDECIDED.to_owned() }),
            ChapterPart::Guess(guess()),
            ChapterPart::Code("SPFHP in ten lines of Python", include_str!("../../code/spfhp.py").to_owned(), false),
        ],
        conditions: conditions(&scene),
        notice: "Stop both half way, side by side, and look at the grey. SPFHP keeps all packs about equally full, and so \
                 spreads what is left over many of them; LPFHP finishes one pack after the other."
            .to_owned(),
        task: format!(
            "SPFHP can do far worse than here. Find numbers for which it needs at least twice as many packs as \
             LPFHP, with no more than {SEQUENCES} sequences in all and at least one of each length."
        ),
        found: "A length that fits in no open pack opens a pack for each sequence of it, even where several would \
                share one; LPFHP fills the new packs first. Real data have short sequences for every gap, and there \
                it costs little: on BERT's Wikipedia 8,166,708 packs instead of 8,138,483. <bounds>Bounds</> tell what no algorithm can go below, and <histograms>histograms</> why the time hardly grows with the data."
            .to_owned(),
    }
}

/// Returns one side of both algorithms beside each other.
fn half(scene: &WatchScene) -> Vec<ChapterPart> {
    vec![
        ChapterPart::Text(format!("**{}**", scene.algorithm.long_name())),
        ChapterPart::Figure(draw::packs(scene)),
        ChapterPart::Text(words::decision(scene)),
    ]
}

/// Returns the conditions of the exercise. Every length is kept, since one short length alone is a solution without a thought.
fn conditions(scene: &WatchScene) -> Vec<Condition> {
    let [spfhp, lpfhp] = scene.ends;
    vec![
        Condition::new(
            // Both are zero without sequences; the knob of the 3s leaves at least one.
            spfhp >= 2 * lpfhp,
            "at least twice as many packs by SPFHP",
        )
        .almost(format!(
            "SPFHP needs {}, LPFHP {lpfhp}: not yet twice as many.",
            plural(spfhp, "pack")
        )),
        Condition::new(
            scene.sequences() <= SEQUENCES,
            format!("no more than {SEQUENCES} sequences"),
        )
        .almost("Twice as many packs, but with too many sequences: fewer do it as well."),
        Condition::new(
            scene.counts.iter().all(|(_, n)| *n > 0),
            "at least one of each length",
        )
        .almost("Twice as many packs, but a length is missing: it has to work with all five."),
    ]
}

const UNDECIDED: &str = "What both come to is told at the end, or when the sequences are changed.";

const INTRODUCTION: &str = "The published algorithms never look at a single sequence. They take the [histogram] from \
    the longest length down and decide for all sequences of a length at once: that is why Wikipedia's sixteen \
    million take about 0.03 s. SPFHP, shortest-pack-first histogram-packing, gives them to the open [packs] with the **most** space \
    left. LPFHP, longest-pack-first, gives them to those with the **least** space in which they still fit.";

const DATA: &str = "Here packs have 20 slots, and there are {twelves} sequences of 12 tokens, {nines} of 9, {eights} \
    of 8, {fives} of 5 and {threes} of 3. A limit on the [depth] closes packs before they are full.";

fn outcome(scene: &WatchScene) -> String {
    let ([spfhp, lpfhp], bound) = (scene.ends, scene.bound);
    let slots = packs(&scene.steps) * u64::from(LIMIT);
    let padding = 1.0 - scene.tokens() as f64 / slots.max(1) as f64;
    format!(
        "With all {} sequences packed, SPFHP needs {} packs and LPFHP {}; no plan can do with fewer than {} ([bound]). With \
         {} {} of the slots stay empty.",
        figure("items", scene.sequences(), &count(scene.sequences())),
        figure("spfhp_packs", spfhp, &count(spfhp)),
        figure("lpfhp_packs", lpfhp, &count(lpfhp)),
        figure("lower_bound", bound, &count(bound)),
        scene.algorithm.long_name(),
        figure("padding", padding, &percent(padding)),
    )
}

/// Asks for the empty slots of SPFHP on the sequences to begin with.
fn guess() -> Guess {
    let begins = LENGTHS.map(|(length, knob)| {
        let knob = CHAPTER.knob(knob).and_then(|knob| knob.start.first());
        (length, knob.map_or(0, |n| u64::from(*n)))
    });
    let packs = Histogram::from_lengths(begins)
        .ok()
        .and_then(|h| watch(Algorithm::Spfhp, &h, LIMIT, Depth::Unlimited).ok())
        .map(|steps| packs(&steps));
    let tokens: u64 = begins
        .iter()
        .map(|(length, n)| u64::from(*length) * n)
        .sum();
    let empty = packs.map(|packs| 1.0 - tokens as f64 / (packs * u64::from(LIMIT)) as f64);
    Guess {
        id: "spfhp-empty",
        question: format!(
            "Before you step: these {SEQUENCES} sequences have {tokens} tokens. Which share of the slots of SPFHP's packs will \
             stay empty?"
        ),
        choices: &[0.02, 0.08, 0.21, 0.35],
        answer: empty,
        reveal: format!(
            "{}: it needs {} packs, where six could do. It spreads what is left over many packs, until none has room for \
             what comes last.",
            Guess::figure(empty.unwrap_or_default()),
            number_in_words(packs.unwrap_or_default()),
        ),
    }
}
