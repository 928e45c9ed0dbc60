//! Sorting: less padding, the price of it, and a compromise.

mod by_eye;
mod groups;

use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterView, Citation, Notes, Opens, Paper,
};
use crate::state::View;
use by_eye::{ArrangedBatches, LENGTHS, ORDER, WIDTH};
use packscope::words::percent;

pub const CHAPTER: Chapter = Chapter {
    id: "sorting",
    title: "Sorting, and why it is not free",
    keep: "Sorting a few batches at a time removes most of the padding and leaves most of the chance.",
    notes: Notes {
        aim: "To weigh less padding against shapes, chance and waiting.",
        usual: "Most expect that much more has to be sorted before half of the padding is gone.",
        exam: "Why does a trainer that pads every row to one length gain nothing from sorting? (Every row is as long as that length, in any order.)",
    },
    minutes: 5,
    needs: &[],
    knobs: &[ORDER, WIDTH, LENGTHS, groups::GROUP],
    show,
    asks: groups::asks,
    opens: |here| Opens::built_in(View::Batches, &groups::settings(here)),
    sources: &[
        Citation {
            paper: Paper::Packing,
            at: "§1 and Table 1 (SORT)",
            says: "sorted batches of Wikipedia are 99.9 % efficient; for the accelerator of that paper the table has no \
                   measured time: an overhead of ≫ 100 % and a speed-up of ≪ 1",
        },
        Citation {
            paper: Paper::Packing,
            at: "§4.4",
            says: "where steps take different times, devices that are done early wait for the slowest",
        },
        Citation {
            paper: Paper::Buckets,
            at: "§4",
            says: "random batches are the usual choice and need much padding; length-grouped ones have less, in \
                   batches of a fixed size",
        },
        Citation {
            paper: Paper::Other(
                "Hugging Face Transformers, LengthGroupedSampler",
                "https://github.com/huggingface/transformers",
            ),
            at: "trainer_pt_utils.py",
            says: "shuffles, then sorts groups of at most 50 batches, fewer for small data",
        },
    ],
};

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let arranged = ArrangedBatches::new(here);
    let mut parts = vec![
        ChapterPart::Text(
            "Twelve [sequences], three to a [batch], and a batch is as wide as its longest. Sort them first, and like lies beside like: most of the grey is gone. **Sort them, then give all rows one length.**"
                .to_owned(),
        ),
        ChapterPart::Words(ORDER.name),
        ChapterPart::Words(WIDTH.name),
        arranged.rows(),
        arranged.table(),
        ChapterPart::Text(arranged.prices()),
        ChapterPart::Text(
            "Sorting has a price. **Shapes:** an accelerator that compiles its work does so for every new shape, and where only one is possible, the order makes no difference. Krell et al. have sorted batches of Wikipedia 99.9 % full. \
             On an IPU they were slower than padded ones (the paper gives no number)."
                .to_owned(),
        ),
        ChapterPart::Text(
            "**Chance:** colour is length, and a sorted batch has one colour. Questions meet questions, articles meet \
             articles, the same ones in every [epoch]. Training counts on batches that look like the data. \
             **Waiting:** steps take different times, and accelerators that are done early wait."
                .to_owned(),
        ),
        ChapterPart::Title(groups::title(here)),
        ChapterPart::Text(
            "There is a middle way: shuffle, then sort {group} batches at a time. Below is an epoch of GSM8K in \
             batches of 32, step by step: as high as the longest sequence of the step, coloured up to their mean."
                .to_owned(),
        ),
    ];
    parts.extend(groups::drawing(here));
    parts.push(ChapterPart::Text(groups::describe_groups(here)));
    parts.extend(groups::table(here));
    parts.push(ChapterPart::Guess(groups::guess(here)));
    ChapterView {
        finding: arranged.finding(),
        parts,
        notice: "Random steps all look like the data, and all are grey. In groups the picture becomes a saw: every \
                 tooth runs from the longest of a group to the shortest, and hugs its colour the better the larger \
                 the group is. Sorted, there is one tooth, and an epoch begins with nothing but long ones."
            .to_owned(),
        task: format!(
            "Find groups that remove {} of the padding of random batches, while two sequences that met have a chance \
             below {} to be drawn into one group again.",
            percent(groups::REMOVED),
            percent(groups::AGAIN),
        ),
        conditions: groups::conditions(here),
        found: "Padding falls like one over the size of the group, the chance to meet again grows like the size: on \
                these data a tenth of each can be had. That is why samplers sort groups and not everything. What no group takes \
                away is the many shapes, and steps of different length. <by-hand>Packing</> has one shape for all."
            .to_owned(),
    }
}
