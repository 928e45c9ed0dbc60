//! Keeping packed sequences apart: attention mask, position ids, and the loss of each sequence.

mod draw;
mod pack;

use crate::learn::prose::figure;
use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterTable, ChapterView, Citation, Condition, End,
    Ends, Figure, Guess, Knob, KnobKind, Notes, Opens, Paper,
};
use crate::state::findings::{number_in_words, share_in_words};
use pack::{LossMean, Pack, SLOTS};
use packscope::words::{capital, count, percent, plural};
use std::rc::Rc;

pub const CHAPTER: Chapter = Chapter {
    id: "apart",
    title: "Keeping packed sequences apart",
    keep: "In a pack, attention stays within each sequence: by a block mask, or by kernels that are told where sequences begin.",
    notes: Notes {
        aim: "To know what each family of models needs to keep packed sequences apart.",
        usual: "Most say too little: each token would see seven other sequences for one of its own.",
        exam: "Sequences of 3, 2 and 1 tokens share a row. Write down cu_seqlens and the position ids. (0 3 5 6; 0 1 2 0 1 0.)",
    },
    minutes: 7,
    needs: &[],
    knobs: &[
        Knob {
            name: "lengths",
            label: "Length, tokens",
            kind: KnobKind::Numbers {
                least: 1,
                most: SLOTS,
            },
            // Unequal lengths with two slots to spare: blocks of different size, and room to drag
            // an end.
            start: &[7, 4, 2, 1],
        },
        Knob {
            name: "mask",
            label: "Attention mask",
            kind: KnobKind::Words(&["on", "off"]),
            start: &[0],
        },
        Knob {
            name: "sight",
            label: "Tokens look",
            kind: KnobKind::Words(&["both ways", "backwards only"]),
            // As in language models, which most readers train.
            start: &[1],
        },
        Knob {
            name: "positions",
            label: "Position ids",
            kind: KnobKind::Words(&["restart", "run on"]),
            start: &[0],
        },
        Knob {
            name: "loss",
            label: "Loss",
            kind: KnobKind::Words(&["per sequence", "per pack", "per token"]),
            start: &[0],
        },
        Knob::number(
            "token",
            "A token of the pack, by its slot",
            [1, SLOTS],
            &[9],
        ),
    ],
    show,
    asks: |_| Vec::new(),
    opens: |here| {
        let lengths = here
            .numbers("lengths")
            .into_iter()
            .map(|length| (length, 1));
        Opens::lengths("Four sequences", &format!("limit={SLOTS}&depth=4"), lengths)
    },
    sources: &[
        Citation {
            paper: Paper::Packing,
            at: "§3.2.1 to §3.2.3 and Figure 2",
            says: "position ids that restart, the block-diagonal mask before the softmax, the loss of each sequence by itself",
        },
        Citation {
            paper: Paper::Packing,
            at: "§4.2.1 and Figure 4",
            says: "training without these adjustments, and without that of the position ids alone",
        },
        Citation {
            paper: Paper::Packing,
            at: "Table 1",
            says: "overhead of 4.287 % at depth 3: 1.913 times as fast with a packing factor of 2.00",
        },
        Citation {
            paper: Paper::Packing,
            at: "§1",
            says: "what a separator token costs by itself, as the RoBERTa paper reports it; how BERT, T5, GPT-3 and RoBERTa join \
                   documents as they arrive",
        },
        Citation {
            paper: Paper::Packing,
            at: "§5",
            says: "future work: RoBERTa, GPT-3 and T5 without contamination between documents, BERT without it between its two \
                   segments, packed images",
        },
        Citation {
            paper: Paper::Other(
                "Su et al. 2021, RoFormer",
                "https://arxiv.org/abs/2104.09864",
            ),
            at: "§3",
            says: "rotary positions: attention depends on the distance of two tokens, not on where they stand",
        },
        Citation {
            paper: Paper::Other(
                "FlashAttention",
                "https://github.com/Dao-AILab/flash-attention",
            ),
            at: "flash_attn_varlen_func",
            says: "attention within each of many sequences in a row, whose ends are given as cu_seqlens",
        },
        Citation {
            paper: Paper::Other(
                "Hugging Face Transformers, DataCollatorWithFlattening",
                "https://github.com/huggingface/transformers",
            ),
            at: "data_collator.py and modeling_flash_attention_utils.py",
            says: "position ids that restart, from which the ends of sequences are found",
        },
    ],
};

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let pack = Pack::new(here);
    let token = here.number("token").saturating_sub(1);
    let mut left = vec![
        ChapterPart::Text(
            "**Drag the ends** to arrange the pack, and switch off what keeps it apart.".to_owned(),
        ),
        ChapterPart::Ends(Ends {
            label: format!("Four sequences for a pack of {SLOTS} slots"),
            knob: "lengths",
            slots: SLOTS,
            rows: pack
                .lengths
                .iter()
                .enumerate()
                .map(|(index, l)| End {
                    index,
                    padded: *l,
                    apart: false,
                })
                .collect(),
        }),
    ];
    left.extend(["mask", "positions", "sight"].map(ChapterPart::Words));
    left.extend([
        ChapterPart::Text(room_in_words(&pack)),
        ChapterPart::Text(token_in_words(&pack, token as usize)),
    ]);
    ChapterView {
        finding: finding(&pack),
        parts: vec![
            ChapterPart::Text(
                "A [pack] saves [padding], but the model must not learn from the company that a sequence happens to \
                 keep. An [attention mask] lets a token look only at its own sequence. [Position ids:position ids] \
                 start again with each, for models that read absolute positions. And the loss is taken of each by \
                 itself, where each is to count once."
                    .to_owned(),
            ),
            ChapterPart::Beside(left, vec![ChapterPart::Figure(matrix(&pack, token))]),
            ChapterPart::Text(pairs_in_words(&pack)),
            ChapterPart::Guess(guess()),
            ChapterPart::Text(MEASURED.to_owned()),
            ChapterPart::Text(NEEDED.to_owned()),
            ChapterPart::Table(families(&pack)),
            ChapterPart::Code("The boundaries of a pack in Python", include_str!("../../code/boundaries.py").to_owned(), false),
            ChapterPart::Text(JOINED_DOCUMENTS.to_owned()),
            ChapterPart::Title(weights_title(&pack)),
            ChapterPart::Text(loss_in_words(&pack)),
            ChapterPart::Words("loss"),
            ChapterPart::Figure(weights(&pack)),
            ChapterPart::Text(losses_in_words(&pack)),
        ],
        // A mask would make the question moot; without it, of all full packs of four the one with a
        // long sequence mixes least.
        conditions: vec![
            Condition::new(!pack.kept.masked, "no mask"),
            Condition::new(pack.is_full(), format!("all four sequences, in all {SLOTS} slots")),
            Condition::new(pack.is_least_mixed(), "no other lengths mix less")
                .almost("A full pack of four, but other lengths mix less: which block covers most of the square?"),
        ],
        notice: "Let the position ids run on: the first sequence of the pack stands as before, and all that follow \
                 are shifted. To BERT, what a sequence means would then depend on where in a pack it lies. The \
                 distances within a sequence stay, and rotary positions see nothing else."
            .to_owned(),
        task: format!(
            "Suppose that you cannot have a mask. Switch it off, keep all four sequences in the pack and all {SLOTS} \
             slots in use: which lengths mix the sequences least?"
        ),
        found: conclusion(&pack),
    }
}

const MEASURED: &str = "For BERT, mask and position ids both count: it has a vector for each absolute position. Packed BERT without these adjustments trained drastically worse, and longer training \
     did not mend it. With the mask, but with position ids that run on, it came close, stalled at 71.8 % accuracy and \
     missed the 72.1 % it has to reach. A separator token between sequences is not enough either: F1 fell by 0.35 % \
     on average. Keeping apart is not free: BERT's [overhead] of 4.3 %, measured on an IPU, makes a [packing factor] of 2.00 a \
     [realised speed-up] of 1.91×. (The paper's table divides factors that are rounded before: at depth 2, 1.61 by 1.04283 \
     makes 1.544, and the packs that it counts, 1.6116 sequences each, make 1.545.)";

const NEEDED: &str = "**Models with rotary or other relative positions**, such as Llama, Qwen and Mistral, need only the mask: a \
     shift of all positions of a sequence leaves its attention as it is. Kernels for many lengths (FlashAttention's \
     varlen, with [cu_seqlens]) do without the mask as well: they are told where sequences begin. Position ids that \
     restart still serve there: libraries find these boundaries by them, and none exceeds the trained length.";

/// Tabulates what families of models need, for the pack on screen.
fn families(pack: &Pack) -> ChapterTable {
    let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
    let ends = pack.inside.iter().scan(0, |end, sequence| {
        *end += pack.lengths[*sequence];
        Some(*end)
    });
    let join = |numbers: Vec<u32>| {
        let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
        words.join(" ")
    };
    let bounds = join(std::iter::once(0).chain(ends).collect());
    let restart = pack.with_measures(|kept| kept.restarts = true);
    let ids = join(
        (0..SLOTS as usize)
            .filter_map(|slot| restart.position(slot))
            .map(|(id, _)| id)
            .collect(),
    );
    ChapterTable {
        label: "What families of models need to keep the sequences of this pack apart".to_owned(),
        head: ["", "attention", "position ids", "loss"]
            .map(str::to_owned)
            .to_vec(),
        rows: vec![
            row([
                "BERT: absolute positions",
                "a block for each sequence, both ways",
                &format!("have to restart: {ids}"),
                "per sequence, where each is one example",
            ]),
            row([
                "Llama, Qwen, Mistral: rotary positions",
                "a block for each sequence, backwards only",
                "may run on; only distances count",
                "usually the mean over tokens",
            ]),
            row([
                "the same, with variable-length kernels",
                &format!("no mask; cu_seqlens: {bounds}"),
                "restart where a library finds cu_seqlens by them",
                "usually the mean over tokens",
            ]),
            row([
                "T5, GPT-3, RoBERTa, as they were trained",
                "none: tokens see other documents",
                "run on",
                "over all tokens or those that are masked",
            ]),
        ],
        chosen: None,
    }
}

const JOINED_DOCUMENTS: &str = "**Models trained on joined documents**, such as T5, GPT-3 and RoBERTa, had a separator token between \
     documents and no mask, by the paper, and none of their papers says how full the rows were. The authors of packing propose to \
     keep them apart, and say that BERT itself might benefit: its sequences are two segments, one after the other, which see each \
     other. That is future work there, and is measured nowhere on this page. <trainer>Libraries of today</> differ in it.";

/// Returns the title: the worst fault of the pack, if any.
fn finding(pack: &Pack) -> String {
    let ([own, others], n) = (pack.pairs(), pack.inside.len());
    if n < 2 {
        return "A sequence alone in its pack needs no keeping apart".to_owned();
    }
    let parts = pack.parts();
    let least = parts.iter().min_by(|a, b| a.weight.total_cmp(&b.weight));
    match (others, pack.misplaced(), least) {
        (1.., ..) => {
            let share = share_in_words(others as f64 / (own + others) as f64);
            format!("{share} of what tokens attend to is another sequence")
        }
        (0, misplaced @ 1.., _) => {
            format!(
                "{misplaced} of {} tokens have a different position than they would alone",
                pack.used()
            )
        }
        (_, _, Some(least)) if pack.kept.mean != LossMean::Sequences => {
            let fair = percent(1.0 / parts.len() as f64);
            format!(
                "One sequence counts for {} of the loss instead of {fair}",
                percent(least.weight)
            )
        }
        _ => format!(
            "{} sequences share a row, and none of them knows",
            capital(&number_in_words(n as u64))
        ),
    }
}

/// Names the sequences that do not fit, and the padding.
fn room_in_words(pack: &Pack) -> String {
    let out: Vec<String> = (0..pack.lengths.len())
        .filter(|i| !pack.inside.contains(i))
        .map(|i| (i + 1).to_string())
        .collect();
    let padding = SLOTS - pack.used();
    let left = if padding == 0 {
        "No slot is left".to_owned()
    } else {
        format!("{} padding", are(padding))
    };
    match out.as_slice() {
        [] => format!("All four are in. {left}."),
        [one] => format!("Sequence {one} has no room and goes to another pack. {left}."),
        more => format!(
            "Sequences {} have no room and go to other packs. {left}.",
            more.join(" and ")
        ),
    }
}

fn are(slots: u32) -> String {
    if slots == 1 {
        "1 slot is".to_owned()
    } else {
        format!("{slots} slots are")
    }
}

fn token_in_words(pack: &Pack, slot: usize) -> String {
    let Some(token) = pack.token(slot) else {
        return "Slot {token} is padding: nobody looks at it, and it looks at nobody.".to_owned();
    };
    let seen = pack.sees_own_sequence(slot);
    let own = seen.iter().filter(|together| **together).count();
    let others = match seen.len() - own {
        0 => "of no other".to_owned(),
        n => figure("token_others", n, &format!("{n} of others")),
    };
    format!(
        "Slot {{token}} holds token {} of sequence {}. It looks at {} of its own sequence, itself among them, and {others}.",
        token.place + 1,
        token.sequence + 1,
        figure("token_own", own, &plural(own as u64, "token")),
    )
}

fn pairs_in_words(pack: &Pack) -> String {
    let [own, others] = pack.pairs();
    // The mask decides what is seen, not which pairs there are: these are counted without it.
    let [all_own, all_others] = pack.with_measures(|kept| kept.masked = false).pairs();
    let all = all_own + all_others;
    if others == 0 && !pack.kept.masked {
        return format!("All {} pairs of tokens are of one sequence.", count(all));
    }
    let own = figure("own_pairs", own, &count(own));
    if pack.kept.masked {
        return format!(
            "Of {} pairs of tokens, {own} are of one sequence: the coloured {}. The mask takes the other {} away before \
             the softmax, so that they weigh nothing.",
            figure("pairs", all, &count(all)),
            if pack.kept.causal {
                "steps, the lower half of a block for each sequence"
            } else {
                "blocks, as long and as wide as their sequences"
            },
            figure("masked_pairs", all_others, &count(all_others)),
        );
    }
    format!(
        "{} of {} pairs look at another sequence, each of them a dot: {} of what the tokens see. That is \
         [contamination]. {own} are as they should be.",
        figure("contamination", others, &count(others)),
        figure("pairs", all, &count(all)),
        figure(
            "contamination_share",
            others as f64 / all as f64,
            &percent(others as f64 / all as f64)
        ),
    )
}

/// Returns the title of the weights: their range if the loss is averaged per pack.
fn weights_title(pack: &Pack) -> String {
    // Whatever the knob says: the title is about averaging per pack, the fault that the part
    // explains.
    let parts = pack
        .with_measures(|kept| kept.mean = LossMean::Packs)
        .parts();
    let weights =
        |pick: fn(f64, f64) -> f64, from| parts.iter().map(|part| part.weight).fold(from, pick);
    format!(
        "Averaged per pack, one sequence counts for {}, another for {}",
        percent(weights(f64::max, 0.0)),
        percent(weights(f64::min, 1.0)),
    )
}

fn loss_in_words(pack: &Pack) -> String {
    let by_token = pack
        .with_measures(|kept| kept.mean = LossMean::Tokens)
        .parts();
    let here_by_token: f64 = by_token
        .iter()
        .filter(|part| part.sequence.is_some())
        .map(|part| part.weight)
        .sum();
    let halves = match pack.inside.len() {
        1 => "gives each half of the say, as it should".to_owned(),
        n => format!(
            "gives the single one half of the say, and {} that share a pack the other half, the shorter the less",
            number_in_words(n as u64)
        ),
    };
    format!(
        "Where a sequence is one example, as when a model says whether one sentence follows another, each should \
         count once. Take a [batch] of two packs: this one, and one that a single sequence fills. A loss that \
         averages each pack and then the packs {halves}. Language models usually take the mean over all tokens of \
         the batch instead. Packing changes nothing of that, as long as the mean is over all packs of an update at once; but short \
         sequences hardly count, packed or not: the {} of this pack together for {}. Where each answer should count once, \
         each token is given a weight of one divided by the length of its sequence.",
        number_in_words(pack.inside.len() as u64),
        figure("weight_by_token", here_by_token, &percent(here_by_token)),
    )
}

fn losses_in_words(pack: &Pack) -> String {
    let [by_sequence, by_pack, by_token] =
        LossMean::ALL.map(|mean| pack.with_measures(|kept| kept.mean = mean).loss());
    let drawn = if pack.inside.len() < 2 {
        "With one sequence in each pack, that is the same."
    } else {
        "The model is drawn to another optimum, although nothing about the data has changed."
    };
    format!(
        "With these losses, made up for the example, the batch loses {} per sequence, {} per pack and {} per token. {drawn}",
        figure(
            "loss_by_sequence",
            by_sequence,
            &format!("{by_sequence:.2}")
        ),
        figure("loss_by_pack", by_pack, &format!("{by_pack:.2}")),
        figure("loss_by_token", by_token, &format!("{by_token:.2}")),
    )
}

fn matrix(pack: &Pack, token: u32) -> Figure {
    let [own, others] = pack.pairs();
    let ids: Vec<String> = (0..SLOTS as usize)
        .filter_map(|slot| pack.position(slot))
        .map(|(id, _)| id.to_string())
        .collect();
    let label = format!(
        "Which of {} tokens looks at which: {own} pairs of the same sequence, {others} of different ones. Position \
         ids: {}. Row of slot {} outlined",
        pack.used(),
        ids.join(" "),
        token + 1,
    );
    let drawn = pack.clone();
    let figure = Figure::new(label, draw::matrix_tall, move |frame| {
        draw::matrix(&drawn, token, frame)
    });
    let step = move |[_, up]: [i32; 2]| {
        // `token` counts from 0, the knob from 1; rows count downwards, so that a step up is one
        // less.
        let to = i64::from(token) + 1 - i64::from(up);
        Some(("token", vec![to.clamp(1, i64::from(SLOTS)) as u32]))
    };
    Figure {
        press: Some(Rc::new(|_, y, frame| {
            draw::row_at(y, frame).map(|row| ("token", vec![row + 1]))
        })),
        step: Some(Rc::new(step)),
        ..figure
    }
}

fn weights(pack: &Pack) -> Figure {
    let parts = pack.parts();
    let each: Vec<String> = parts
        .iter()
        .map(|part| {
            format!(
                "{} of {} {}",
                draw::name(part),
                plural(u64::from(part.length), "token"),
                percent(part.weight)
            )
        })
        .collect();
    let label = format!(
        "How much each sequence counts in the loss of the batch: {}",
        each.join(", ")
    );
    Figure::new(label, draw::weights_tall, move |frame| {
        draw::weights(&parts, frame)
    })
}

fn conclusion(pack: &Pack) -> String {
    let [own, others] = pack.pairs();
    format!(
        "One long sequence, and three of a single token: {others} of {} pairs are still contamination. A block grows \
         with the square of its sequence's length, so one large block covers most; four equal lengths cover least. No \
         choice of lengths makes the dots go away. The mask does, whatever the lengths, and leaves them to \
         <by-hand>packing</>.",
        own + others,
    )
}

/// Sequences of equal length that fill a row, and the tokens of each, in the question.
const EQUAL: [u64; 2] = [8, 64];

/// Asks for the share of other sequences in the attention of tokens without a mask.
fn guess() -> Guess {
    let [sequences, tokens] = EQUAL;
    // Tokens look both ways in the question, so pairs are ordered and a token sees itself: squares.
    let (own, all) = (sequences * tokens * tokens, (sequences * tokens).pow(2));
    let share = 1.0 - own as f64 / all as f64;
    Guess {
        id: "equal",
        question: format!(
            "{} sequences of {tokens} tokens fill a row of {} slots, and there is no mask. Tokens look both ways. Which \
             share of all pairs of tokens is of two different sequences?",
            capital(&number_in_words(sequences)),
            sequences * tokens,
        ),
        choices: &[0.13, 0.5, 0.7, 0.88, 0.97],
        answer: Some(share),
        reveal: format!(
            "{}: {} of {} pairs. Each token sees its own sequence and {} others. The more sequences share a row, the \
             less of what they see is their own.",
            Guess::figure(share),
            count(all - own),
            count(all),
            number_in_words(sequences - 1),
        ),
    }
}
