//! Skew: the same mean in other shapes, and maximum / mean on real data.

mod reasons;
mod rectangle;
mod sets;
mod shapes;

use crate::learn::prose::figure;
use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterView, Citation, Condition, Guess, Knob, KnobKind,
    Notes, Opens, Paper,
};
use crate::query::Request;
use crate::state::findings::{number_in_words, share_in_words};
use packscope::api::{self, Settings};
use packscope::words::{count, factor, percent};
use shapes::{MEAN, SEQUENCES};

const KNOB: &str = "longest";
/// The exercise: at least this share of padding …
const MUCH: f64 = 0.45;
/// … although no plan has a higher packing factor.
const LITTLE: f64 = 1.1;

pub const CHAPTER: Chapter = Chapter {
    id: "skew",
    title: "How unequal lengths are",
    keep: "What can be won is longest ÷ mean; whether it can be reached is another question.",
    notes: Notes {
        aim: "To tell what padding costs from what packing can win back.",
        usual: "Many take the mean for the measure. Two sets with one mean and one longest sequence may pack perfectly or not at all.",
        exam: "100 sequences have 300 tokens each, and rows have 512 slots. How much is padding, and what does packing win? (41.4 %; nothing, since no two fit.)",
    },
    minutes: 5,
    needs: &[],
    knobs: &[
        Knob {
            name: "shape",
            label: "Shape of the lengths",
            kind: KnobKind::Words(&shapes::SHAPES),
            start: &[0],
        },
        Knob {
            name: KNOB,
            label: "Longest sequence, tokens",
            kind: KnobKind::Number {
                least: MEAN as u32,
                most: rectangle::END,
                step: rectangle::STEP,
                shown: |n| count(u64::from(n)),
            },
            start: &[BEGINS],
        },
        Knob {
            name: "padded",
            label: "Rows as long as",
            kind: KnobKind::Words(&["the limit", "the longest there is"]),
            start: &[0],
        },
    ],
    show,
    asks: |here| vec![("packed", request(here))],
    opens: |here| {
        let settings = format!("limit={}", here.number(KNOB));
        Opens::lengths(
            "A thousand sequences, 128 on average",
            &settings,
            shapes::counts(&lengths(here)),
        )
    },
    sources: &[
        Citation {
            paper: Paper::Packing,
            at: "§2 and Figure 1",
            says: "histograms of many datasets with their theoretical speed-ups: 1.2 and 1.7 for Wikipedia at \
                   128 and 384, of which no counts are published, 2.0 for Wikipedia at 512, 2.2 for \
                   SQuAD, 1.6 for QM9; 1.6 for LibriSpeech audio, of which 1.3 were reached because it is skewed to \
                   long sequences",
        },
        Citation {
            paper: Paper::Article,
            at: "Computational Waste in NLP due to sequence padding",
            says: "lengths vary since documents do, and since the preparation shortens some at random",
        },
        Citation {
            paper: Paper::Packing,
            at: "§2 and the abstract",
            says: "up to 89 % of CoLA; sequences made of whole sentences, 10 % of them cut short",
        },
        Citation {
            paper: Paper::Packing,
            at: "§4.1 and §4.4",
            says: "the theoretical bound for Wikipedia is given as 2.001 and, beside un-padding, as 2.013; the \
                   published histogram has a mean of 255.8, which makes 2.001",
        },
    ],
};

fn lengths(here: &ChapterContext<'_>) -> Vec<u32> {
    shapes::lengths(here.number("shape"), here.number(KNOB))
}

fn request(here: &ChapterContext<'_>) -> Request {
    let settings = Settings {
        limit: here.number(KNOB),
        ..Settings::default()
    };
    Request::from(api::Request {
        counts: shapes::counts(&lengths(here)),
        settings,
        listed: 0,
    })
}

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let longest = here.number(KNOB);
    // The mean is exact for every shape, so it need not be counted.
    let bound = f64::from(longest) / MEAN as f64;
    let padding = 1.0 - 1.0 / bound;
    let to_limit = here.number("padded") == 0;
    let sets = sets::sets_by_gain(to_limit);
    ChapterView {
        finding: finding(longest, bound, padding),
        parts: vec![
            ChapterPart::Text(
                "A row is as long as the longest sequence, so the work is decided by how unequal lengths are, not by \
                 how many tokens there are. Here are 1,000 [sequences] that always hold 128,000 tokens: **128 on \
                 average, in every shape.**"
                    .to_owned(),
            ),
            ChapterPart::Words("shape"),
            ChapterPart::Text("The longest of them has {longest} tokens. The coloured area stays, whatever you drag.".to_owned()),
            ChapterPart::Figure(rectangle::figure(lengths(here))),
            ChapterPart::Text(what_can_be_won(longest, bound, padding)),
            ChapterPart::Text(what_is_won(here)),
            ChapterPart::Guess(guess()),
            ChapterPart::Title(sets_title(&sets)),
            ChapterPart::Text(
                "Limits and lengths as they are used: the coloured part of a bar is the mean, the grey what fills the \
                 row up, and the number is the most that can be won. Each bar is drawn in multiples of its own mean. \
                 Wikipedia, SQuAD and RTE were cut at their limit before they were counted."
                    .to_owned(),
            ),
            ChapterPart::Words("padded"),
            ChapterPart::Figure(sets::figure(sets)),
            ChapterPart::Title("Why BERT's rows are not full".to_owned()),
            ChapterPart::Text(REASONS.to_owned()),
            ChapterPart::Figure(reasons::figure()),
        ],
        notice: "The longest alone decides. Choose “all alike but one” and drag: 999 sequences hardly change, and \
                 every one of their rows grows with the one that does. And on SST-2 half of the factor comes from the \
                 limit, not from the data: its longest sequence has 66 tokens, and the usual limit is 128."
            .to_owned(),
        task: format!(
            "Maximum / mean is the most that can be won, not a promise. Find lengths of which at least {} is padding \
             although no plan, however clever, wins more than {}.",
            percent(MUCH),
            factor(LITTLE),
        ),
        conditions: vec![
            Condition::new(padding >= MUCH, format!("at least {} padding", percent(MUCH)))
                .almost("Packing is stuck, but there is too little grey: make the longest longer."),
            Condition::new(is_stuck(here), format!("no plan wins more than {}", factor(LITTLE)))
                .almost("There is enough grey, but packing fills it: too many of these sequences still fit two to a row."),
        ],
        found: "Two sequences of just over half a row cannot share it: the grey is there, in pieces that are too \
                small for anyone. Short sequences fill such gaps, so skew towards short ones packs well. On speech, \
                skewed towards long ones, Krell et al. reached 1.3 of a possible 1.6; the part of LibriSpeech that is \
                built in here has mostly short ones, and packs well. What is possible for given lengths, \
                <bounds>bounds</> say exactly."
            .to_owned(),
    }
}

/// The longest sequence of the question, and the one to begin with, tokens.
const TWICE: u32 = 2 * BEGINS;
const BEGINS: u32 = 512;

fn guess() -> Guess {
    let share = |longest: u32| 1.0 - MEAN as f64 / f64::from(longest);
    Guess {
        id: "twice-as-long",
        question: format!(
            "With a longest of {BEGINS} tokens, {} of the rectangle is padding. Let the longest have {} tokens and all {} \
             still {MEAN} on average. Which share is padding then?",
            percent(share(BEGINS)),
            count(u64::from(TWICE)),
            count(SEQUENCES),
        ),
        choices: &[0.75, 0.81, 0.88, 0.94],
        answer: Some(share(TWICE)),
        reveal: format!(
            "{}: the tokens fill an eighth of the slots. What is filled is mean / maximum, whatever the others look \
             like, and a maximum twice as long halves it.",
            Guess::figure(share(TWICE))
        ),
    }
}

const REASONS: &str = "Documents of Wikipedia differ much in length, and BERT's preparation adds to it. It fills a sequence with whole \
    sentences, in two segments, so that lengths cannot be chosen to the token, and it cuts one sequence in ten short on purpose. \
    That comes before lengths are counted: half of the slots of a row of 512 stay empty, a sixth or so at 128. Of CoLA the paper \
    says that up to 89 % is padding at 128; the sentences that are counted here make 91.2 %.";

fn finding(longest: u32, bound: f64, padding: f64) -> String {
    if u64::from(longest) <= MEAN {
        return "Where all are equally long, nothing is padding".to_owned();
    }
    let share = share_in_words(padding).to_ascii_lowercase();
    format!("The longest is {bound:.1} times the mean: ~{share}~ is padding")
}

fn what_can_be_won(longest: u32, bound: f64, padding: f64) -> String {
    let slots = SEQUENCES * u64::from(longest);
    format!(
        "The longest is {} times the mean. A row for each sequence makes {} slots, and {} of them are [padding]. If \
         every slot held a token, there would be {} times fewer: with all tokens kept, **no remedy can win more slots than \
         maximum / mean**.",
        figure("maximum_over_mean", bound, &format!("{bound:.2}")),
        figure("slots", slots, &count(slots)),
        figure("padding", padding, &percent(padding)),
        figure("packing_bound", bound, &format!("{bound:.2}")),
    )
}

/// Describes the result of packing; empty before the first answer.
fn what_is_won(here: &ChapterContext<'_>) -> String {
    let Some(figures) = here.sequences("packed").map(|r| &r.figures) else {
        return String::new();
    };
    let proven = match figures.lower_bound {
        None => String::new(),
        Some(bound) if bound == figures.packs => " No [plan] has fewer.".to_owned(),
        Some(bound) => format!(
            " No [plan] has fewer than {}.",
            figure("lower_bound", bound, &count(bound))
        ),
    };
    let packs = figure("packs", figures.packs, &count(figures.packs));
    let won = figure(
        "packing_factor",
        figures.packing_factor,
        &factor(figures.packing_factor),
    );
    if figures.packs == SEQUENCES {
        return format!("[Packing] wins nothing here: {packs} rows, a factor of {won}.{proven}");
    }
    format!(
        "[Packing] puts several into one row: {packs} rows instead of 1,000, a factor of {won}.{proven}"
    )
}

/// Whether packing provably gains almost nothing on these lengths; an older answer does not count.
fn is_stuck(here: &ChapterContext<'_>) -> bool {
    let proven = here.sequences("packed").and_then(|r| r.figures.lower_bound);
    here.is_answer_to("packed", &request(here))
        // By the bound and not by the plan: a poor algorithm must not solve the exercise.
        && proven.is_some_and(|packs| SEQUENCES as f64 <= LITTLE * packs as f64)
}

fn sets_title(sets: &[sets::SkewSet]) -> String {
    match (sets.first(), sets.last()) {
        (Some(most), Some(least)) => format!(
            "Of these {} sets, {} has the most to win, {}, and {} the least, {}",
            number_in_words(sets.len() as u64),
            most.name,
            figure("most_skewed", most.factor(), &factor(most.factor())),
            least.name,
            figure("least_skewed", least.factor(), &factor(least.factor())),
        ),
        _ => String::new(),
    }
}
