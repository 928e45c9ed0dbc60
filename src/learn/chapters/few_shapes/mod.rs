//! A few shapes: where every length is compiled, sequences are padded to a few lengths, and these are to be chosen.

mod drawn;

use crate::learn::prose::figure;
use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterView, Citation, Condition, Guess, Knob, KnobKind,
    Notes, Opens, Paper, data,
};
use crate::state::View;
use packscope::histogram::{Histogram, Preset};
use packscope::shapes::{self, Shape, ShapeMethod, padding_share};
use packscope::words::{count, factor, percent, plural};

/// The set of the chapter.
const DATA: &str = "alpaca_5000";
const MOST: u32 = 64;
/// The number of shapes of the question and the exercise.
const ASKED: u32 = 16;
/// The index of powers of two among the methods.
const POWERS: u32 = 4;

const LHOTSE: Paper = Paper::Other("lhotse", "https://github.com/lhotse-speech/lhotse");
const GAUDI: Paper = Paper::Other(
    "vLLM on Gaudi, Bucketing Mechanism",
    "https://docs.vllm.ai/projects/gaudi/en/latest/features/bucketing_mechanism.html",
);

pub const CHAPTER: Chapter = Chapter {
    id: "few-shapes",
    title: "A few shapes",
    keep: "A few lengths chosen for the data waste less than many round ones.",
    notes: Notes {
        aim: "To choose static shapes from data instead of habit.",
        usual: "Most trust powers of two, and add more of them, which changes nothing.",
        exam: "90 sequences have 10 tokens, 10 have 100. Which two lengths waste nothing, and what do 64 and 128 waste? (10 and 100; 73.0 %: 1 − 1,900 ÷ 7,040.)",
    },
    minutes: 4,
    needs: &[],
    knobs: &[
        Knob {
            name: "by",
            label: "Lengths chosen by",
            kind: KnobKind::Words(&[
                ShapeMethod::ALL[0].long_name(),
                ShapeMethod::ALL[1].long_name(),
                ShapeMethod::ALL[2].long_name(),
                ShapeMethod::ALL[3].long_name(),
                ShapeMethod::ALL[4].long_name(),
            ]),
            start: &[POWERS],
        },
        Knob::number("shapes", "Number of shapes", [1, MOST], &[8]),
    ],
    show,
    asks: |_| Vec::new(),
    opens: |here| {
        let (shapes, method) = (here.number("shapes"), method(here));
        let settings = format!("data={DATA}&room=compare&shapes={shapes}&shapes-by={method}");
        // The view begins with its sampler, which this chapter is not about.
        Opens::built_in(View::Batches, &settings).opening_at("few-shapes")
    },
    sources: &[
        Citation {
            paper: LHOTSE,
            at: "estimate_duration_buckets in dataset/sampling/dynamic_bucketing.py",
            says: "buckets of equal total duration, which NeMo takes over as bucket_duration_bins",
        },
        Citation {
            paper: GAUDI,
            at: "the opening, and Bucketing Strategies",
            says: "other shapes than those compiled before are compiled while requests wait; lengths that grow by factors, \
                   in steps, or from a file",
        },
    ],
};

fn lengths(id: &str) -> Option<Histogram<1>> {
    // As the tool opens the set, so that both show the same padding.
    let limit = Preset::find(id).map_or(u32::MAX, Preset::limit);
    let lengths = Histogram::from_lengths(data::lengths(id)).ok()?;
    Some(
        lengths
            .fit([limit], packscope::histogram::Overlong::Truncate)
            .ok()?
            .histogram,
    )
}

/// Returns at most this number of shapes; none for a set that is not there.
fn chosen(lengths: &Histogram<1>, shapes: u32, method: ShapeMethod) -> Vec<Shape> {
    shapes::choose(lengths, shapes as usize, method, 1).unwrap_or_default()
}

fn method(here: &ChapterContext<'_>) -> ShapeMethod {
    ShapeMethod::ALL
        .get(here.number("by") as usize)
        .copied()
        .unwrap_or(ShapeMethod::Best)
}

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let Some(lengths) = lengths(DATA) else {
        return nothing();
    };
    let (shapes, method) = (here.number("shapes"), method(here));
    let now = chosen(&lengths, shapes, method);
    let share = padding_share(&now);
    // Up to the longest sequence there are fewer powers of two than asked for, so this is all that
    // they can do.
    let powers = padding_share(&chosen(&lengths, ASKED, ShapeMethod::PowersOfTwo));
    let best = |shapes| padding_share(&chosen(&lengths, shapes, ShapeMethod::Best));
    let enough = method == ShapeMethod::Best && share <= powers;
    // More shapes never waste more, so one less is all that has to be looked at.
    let fewest = enough && (shapes == 1 || best(shapes - 1) > powers);
    ChapterView {
        finding: finding(&now, shapes, share),
        parts: vec![
            ChapterPart::Text(OPENING.to_owned()),
            ChapterPart::Words("by"),
            ChapterPart::Text("At most {shapes} lengths.".to_owned()),
            ChapterPart::Figure(drawn::steps(&lengths, &now)),
            ChapterPart::Text(describe_shapes(&lengths, &now)),
            ChapterPart::Title("The first few save most, if they fit the data".to_owned()),
            ChapterPart::Guess(guess(&lengths, powers)),
            ChapterPart::Figure(drawn::curves(&lengths, here.number("by") as usize, shapes, here.is_revealed(BEST))),
            ChapterPart::Text(FITTING.to_owned()),
        ],
        conditions: vec![
            Condition::new(method == ShapeMethod::Best, "lengths chosen to waste least"),
            Condition::new(enough, format!("no more than {} padding", percent(powers)))
                .almost(format!("{} shapes leave {}: more are needed.", count(u64::from(shapes)), percent(share))),
            Condition::new(fewest, "no fewer shapes do")
                .almost(format!("{} shapes are enough, and fewer would be as well.", count(u64::from(shapes)))),
        ],
        notice: "Powers of two soon stop helping. Each is half of the next, so that all sequences longer than half of the longest \
                 shape are padded to that one, however many shorter powers are added."
            .to_owned(),
        task: format!(
            "Powers of two, however many, leave {} of padding here. Find the smallest number of shapes that wastes no more, if each is \
             chosen to waste least.",
            percent(powers)
        ),
        found: "A handful of lengths that fit the data do what many round ones do, and each one less is one graph less to \
                compile, to keep in memory, and to warm up. Look at your own data before you take powers of two: the lengths \
                are in the tool, ready to paste."
            .to_owned(),
    }
}

const OPENING: &str = "Some accelerators and compilers want to know the size of a batch before it comes: TPUs, Gaudi, CUDA graphs, \
    a compiled model. Every new length is compiled anew, for seconds or minutes. So only a few lengths are allowed, and each \
    [sequence] is [padded:padding] to the next of them. **Which ones?** Here are the sequences of Alpaca, from the shortest to \
    the longest; steps are the lengths that are allowed.";

const FITTING: &str = "Equal steps spend shapes on lengths that few sequences have, equal numbers of sequences leave the few \
    long ones to one shape, and equal tokens come nearest to the best, though not to it. The best are found by looking at \
    every length where a step can be, from the shortest to the longest: provably, no other choice of as many lengths wastes \
    less.";

fn finding(shapes: &[Shape], allowed: u32, share: f64) -> String {
    let many = shapes.len() as u64;
    let of = if many < u64::from(allowed) {
        format!(" of {allowed} allowed")
    } else {
        String::new()
    };
    format!(
        "{}{of}: ~{}~ is padding",
        plural(many, "length"),
        percent(share)
    )
}

fn describe_shapes(lengths: &Histogram<1>, shapes: &[Shape]) -> String {
    let (share, padding) = (padding_share(shapes), shapes::padding(shapes));
    let one = padding_share(&chosen(lengths, 1, ShapeMethod::Best));
    let saved = (1.0 - share) / (1.0 - one);
    format!(
        "{} of the slots are grey: {} tokens of padding. With a single shape, the longest, padding would be {}, and {} as \
         many slots would be computed for the same sequences.",
        figure("padding_share", share, &percent(share)),
        figure(
            "padding_tokens",
            padding,
            &count(u64::try_from(padding).unwrap_or(u64::MAX))
        ),
        figure("one_shape", one, &percent(one)),
        figure("times_fewer", saved, &factor(saved)),
    )
}

/// The question, by name.
const BEST: &str = "best-shapes";

/// Asks for the padding of the best lengths.
fn guess(lengths: &Histogram<1>, powers: f64) -> Guess {
    let best = padding_share(&chosen(lengths, ASKED, ShapeMethod::Best));
    Guess {
        id: BEST,
        question: format!(
            "Powers of two leave {} of padding here, however many. How much do {} lengths leave that are chosen to waste least?",
            percent(powers),
            count(u64::from(ASKED)),
        ),
        choices: &[0.01, 0.06, 0.12, 0.2],
        answer: Some(best),
        reveal: format!(
            "{} is padding: where sequences are dense the steps are, and where few are, one long step costs little.",
            Guess::figure(best)
        ),
    }
}

/// The chapter without its data, which is part of the program.
fn nothing() -> ChapterView {
    let silent = String::new;
    let parts = Vec::new();
    ChapterView {
        finding: silent(),
        parts,
        notice: silent(),
        task: silent(),
        conditions: Vec::new(),
        found: silent(),
    }
}
