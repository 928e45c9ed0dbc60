//! Watch an algorithm.

use super::{Reader, figure, flat, texts};
use packscope::packing::Algorithm;
use packscope_page::learn::{ChapterPart, ChapterView};

fn last(shown: &ChapterView) -> u32 {
    let player = flat(&shown.parts).into_iter().find_map(|p| match p {
        ChapterPart::Player(_, last, ..) => Some(*last),
        _ => None,
    });
    player.unwrap()
}

#[test]
fn both_are_followed_to_their_ends() {
    let mut reader = Reader::opens("watch");
    // What both come to is not told before the first decision.
    let begins = reader.sees();
    assert_eq!(
        [
            figure(&begins, "spfhp_packs"),
            figure(&begins, "lpfhp_packs")
        ],
        [None, None]
    );
    assert!(begins.finding.starts_with("17 sequences"));
    reader.moves("step", &[60]);
    let ends = reader.sees();
    // Counted by hand: 110 tokens in rows of 20 are 5.5 rows. SPFHP pairs every 9 with an 8 and every 12 with a 5,
    // which leaves 3 slots in five packs: all five are filled up with a 3 only by LPFHP.
    assert_eq!(figure(&ends, "items"), Some(17.0));
    assert_eq!(figure(&ends, "lower_bound"), Some(6.0));
    assert_eq!(figure(&ends, "spfhp_packs"), Some(7.0));
    assert_eq!(figure(&ends, "lpfhp_packs"), Some(6.0));
    for (algorithm, name) in [(0, "SPFHP"), (1, "LPFHP")] {
        reader.moves("algorithm", &[algorithm]);
        let steps = last(&reader.sees());
        assert!((8..=14).contains(&steps), "{steps}");
        for step in 1..steps {
            reader.moves("step", &[step]);
            assert!(reader.sees().finding.starts_with(name));
        }
        reader.moves("step", &[steps]);
        assert_eq!(
            reader.sees().finding,
            "SPFHP ends with 7 packs, LPFHP with 6"
        );
    }
}

#[test]
fn both_stand_side_by_side_after_as_many_decisions() {
    let mut reader = Reader::opens("watch");
    reader.moves("algorithm", &[2]);
    assert!(reader.sees().finding.starts_with("17 sequences"));
    reader.moves("step", &[3]);
    let shown = reader.sees();
    // By hand: both open two packs for the 12s and give each 9 a place; then SPFHP gives each 8 to a 9, and LPFHP has
    // filled the packs of the 12s, and one with two 9s.
    let heads = texts(&shown);
    let place = |name: &str| heads.iter().position(|text| *text == format!("**{name}**"));
    assert!(place("SPFHP").unwrap() < place("LPFHP").unwrap());
    assert!(
        shown
            .finding
            .starts_with("After 3 decisions SPFHP has 5 packs"),
        "{}",
        shown.finding
    );
    assert_eq!(last(&shown), 8.max(last(&one(&mut reader, 1))));
    reader.moves("algorithm", &[2]);
    reader.moves("step", &[60]);
    assert_eq!(
        reader.sees().finding,
        "SPFHP ends with 7 packs, LPFHP with 6"
    );
    // The tool opens with the first of them.
    let opens = reader
        .chapter
        .opened(&reader.chapter.context(&reader.state.learn));
    assert!(opens.settings.contains("algorithm=spfhp"));
}

/// What one of them shows.
fn one(reader: &mut Reader, algorithm: u32) -> ChapterView {
    reader.moves("algorithm", &[algorithm]);
    reader.sees()
}

#[test]
fn decisions_are_told_in_words() {
    let mut reader = Reader::opens("watch");
    let mut told = |algorithm, depth, step| {
        reader.moves("algorithm", &[algorithm]);
        reader.moves("depth", &[depth]);
        reader.moves("step", &[step]);
        texts(&reader.sees())
            .into_iter()
            .find(|t| t.starts_with("**Length"))
            .unwrap()
    };
    assert_eq!(
        told(0, 3, 4),
        "**Length 5.** 4 sequences wait. The emptiest open packs have 8 slots left; there are 2 of them. 2 go in, \
         one in each. 3 slots stay empty in each. 2 sequences are left over for the next step."
    );
    assert!(told(0, 3, 5).contains("each of them opens one of its own: 2 packs."));
    assert!(told(1, 3, 2).contains("1 new pack takes 2."));
    assert!(told(1, 0, 2).contains("the depth is reached"));
}

#[test]
fn twice_as_many_packs_are_found() {
    let mut reader = Reader::opens("watch");
    // One length alone would be no exercise.
    for knob in ["twelves", "nines", "eights", "fives"] {
        reader.moves(knob, &[0]);
    }
    assert!(!reader.sees().is_done(), "{:?}", reader.sees().conditions);
    for (knob, n) in [("twelves", 2), ("nines", 3), ("eights", 3)] {
        reader.moves(knob, &[n]);
    }
    // More of one length alone is not it: there are too many sequences then.
    reader.moves("fives", &[9]);
    assert!(!reader.sees().is_done());
    for knob in ["twelves", "nines", "eights"] {
        reader.moves(knob, &[0]);
    }
    let shown = reader.sees();
    // Nine 5s open nine packs, or three with room for four each; the 3s fit in. But other lengths are gone.
    assert_eq!(figure(&shown, "spfhp_packs"), Some(9.0));
    assert_eq!(figure(&shown, "lpfhp_packs"), Some(3.0));
    assert!(!shown.is_done() && shown.almost().contains("a length is missing"));
    for (knob, n) in [
        ("twelves", 1),
        ("nines", 1),
        ("eights", 1),
        ("fives", 5),
        ("threes", 1),
    ] {
        reader.moves(knob, &[n]);
    }
    // 12 + 8, which are full, and 9 in the second pack; one of the five 5s goes there, four to packs of their own, or all
    // four to one.
    let shown = reader.sees();
    assert_eq!(figure(&shown, "spfhp_packs"), Some(6.0));
    assert_eq!(figure(&shown, "lpfhp_packs"), Some(3.0));
    assert!(shown.is_done());
}

#[test]
fn the_tool_finds_the_same() {
    let reader = Reader::opens("watch");
    let opens = reader
        .chapter
        .opened(&reader.chapter.context(&reader.state.learn));
    assert!(opens.settings.contains("algorithm=spfhp"));
    let h =
        packscope::histogram::Histogram::from_lengths([(12, 2), (9, 3), (8, 3), (5, 4), (3, 5)])
            .unwrap();
    let packs = |a: Algorithm| {
        a.pack(&h, 20, packscope::packing::Depth::Unlimited)
            .unwrap()
            .packs()
    };
    assert_eq!(
        [
            packs(Algorithm::Spfhp),
            packs(Algorithm::Lpfhp),
            packs(Algorithm::Optimal)
        ],
        [7, 6, 6]
    );
}
