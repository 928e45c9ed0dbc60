//! Links: settings and small data, and how they are told from mangled ones.

use crate::common::{built_in, built_in_graphs, histograms, sizes};
use packscope::histogram::{Histogram, Sizes};
use packscope::ingest::{self, Options};
use packscope::packing::{Algorithm, Depth};
use packscope::sampler::Sampler;
use packscope_page::state::beside;
use packscope_page::state::custom::{Custom, Damage, LINK, is_carried, is_stored};
use packscope_page::state::{Action, AppState, DataName, Source, View, data_of, graphs};
use proptest::prelude::*;
use std::rc::Rc;

fn lengths(histogram: Histogram<1>) -> Custom {
    let name = "mine, Jan–März.csv".to_owned();
    Custom {
        name,
        components: Vec::new(),
        sizes: Sizes::Lengths(Rc::new(histogram)),
    }
}

fn pairs(histogram: Histogram<2>) -> Custom {
    let components = ["nodes", "edges"].map(str::to_owned).to_vec();
    Custom {
        name: "molecules".to_owned(),
        components,
        sizes: Sizes::Graphs(Rc::new(histogram)),
    }
}

fn value(custom: &Custom) -> String {
    custom.carried().value.unwrap().to_string()
}

/// Whether a changed link is refused. A few bits after the end of what is deflated mean nothing: without them the data
/// are still the same.
fn is_told(changed: &str, whole: &str) -> bool {
    match Custom::read(changed) {
        Err(damage) => damage == Damage::Damaged,
        Ok(read) => Ok(read) == Custom::read(whole),
    }
}

/// Loads data without their file, as the shell does.
fn loaded(custom: Custom) -> Action {
    let source = Source::Kept {
        name: custom.name,
        components: custom.components,
    };
    Action::loaded(source, custom.sizes, None, [false; 2])
}

/// The page after a link was opened.
fn opened(custom: Custom) -> AppState {
    AppState::default().reduce(loaded(custom))
}

proptest! {
    #[test]
    fn data_come_back_as_they_were(
        one in histograms(100_000, 60, u64::MAX >> 30),
        two in sizes::<2>(70_000, 60, u64::MAX >> 30),
        name in "\\PC{0,40}",
    ) {
        let text = Custom { sizes: Sizes::Texts(Rc::new(two.clone())), ..lengths(one.clone()) };
        for mut custom in [lengths(one), pairs(two), text] {
            let read = Custom::read(&value(&custom)).unwrap();
            prop_assert_eq!(&read, &custom);
            // Whatever a file is called, its name is short and has nothing hidden in it.
            custom.name.clone_from(&name);
            let read = Custom::read(&value(&custom)).unwrap();
            let hidden = read.name.contains('\u{202e}');
            prop_assert!(read.name.chars().count() <= 60 && !hidden);
            prop_assert_eq!(Custom::read(&value(&read)).unwrap(), read);
        }
    }

    #[test]
    fn a_changed_link_is_told(histogram in histograms(5_000, 80, 1_000_000), at in 0usize..10_000, by in 1u8..64) {
        let whole = value(&lengths(histogram));
        let place = 5 + at % (whole.len() - 5);
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let mut changed = whole.clone().into_bytes();
        let old = alphabet.iter().position(|c| *c == changed[place]).unwrap();
        changed[place] = alphabet[old ^ usize::from(by)];
        prop_assert!(is_told(std::str::from_utf8(&changed).unwrap(), &whole));
    }

    #[test]
    fn nothing_that_is_made_up_is_taken_for_data(text in "own1\\.[A-Za-z0-9_-]{0,200}") {
        prop_assert_eq!(Custom::read(&text), Err(Damage::Damaged));
    }
}

#[test]
fn every_beginning_of_a_link_and_every_flipped_bit_is_told() {
    for whole in [
        value(&lengths(built_in("glue_cola"))),
        value(&pairs(built_in_graphs("tu_mutag"))),
    ] {
        for end in 0..whole.len() {
            assert_eq!(
                Custom::read(&whole[..end]),
                Err(Damage::Damaged),
                "the first {end} characters"
            );
        }
        assert_eq!(Custom::read(&format!("{whole}A")), Err(Damage::Damaged));
        assert_eq!(Custom::read(&format!("{whole}AAAA")), Err(Damage::Damaged));
        for (place, bit) in (5..whole.len()).flat_map(|place| (0..7).map(move |bit| (place, bit))) {
            let mut bytes = whole.clone().into_bytes();
            bytes[place] ^= 1 << bit;
            let changed = String::from_utf8(bytes).unwrap();
            assert!(is_told(&changed, &whole), "bit {bit} of character {place}");
        }
    }
    assert_eq!(Custom::read("own2.AAAA"), Err(Damage::Newer));
    assert_eq!(
        Custom::read(&format!("own1.{}", "A".repeat(LINK))),
        Err(Damage::TooLong)
    );
    assert!(
        is_carried("own1.") && is_carried("own27.x") && !is_carried("own") && !is_carried("own.x")
    );
}

#[test]
fn a_link_cannot_be_inflated_beyond_what_travels() {
    use base64::Engine as _;
    use std::io::Write as _;
    let mut bomb =
        flate2::write::DeflateEncoder::new(vec![0x80, 0, 0, 0, 0], flate2::Compression::best());
    bomb.write_all(&vec![0; 16 << 20]).unwrap();
    let text = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bomb.finish().unwrap());
    assert!(text.len() < LINK, "{}", text.len());
    assert_eq!(Custom::read(&format!("own1.{text}")), Err(Damage::Damaged));
}

#[test]
fn usual_data_are_small_and_large_ones_say_how_large() {
    let squad = value(&lengths(built_in("squad_1_1_bert_384")));
    assert!(squad.len() < 2_000, "{}", squad.len());
    let wild = Histogram::from_lengths(
        (1..60_000).map(|l| (l * 7 % 65_537 + l / 9, u64::from(l) * 7919 % 104_729)),
    );
    let carried = lengths(wild.unwrap()).carried();
    assert_eq!(carried.value.as_deref(), None);
    assert!(carried.stored_as().is_some_and(|key| is_stored(&key)));
    assert!(carried.bytes > LINK * 3 / 4, "{}", carried.bytes);
}

#[test]
fn a_link_of_own_data_opens_with_the_same_data() {
    let custom = lengths(built_in("glue_cola"));
    let state = opened(custom.clone()).reduce(Action::Limit(64));
    let hash = state.hash();
    assert!(
        hash.starts_with("data=own1.") && hash.contains("&limit=64&"),
        "{hash}"
    );
    let DataName::Carried(data) = data_of(&hash, View::Sequences) else {
        unreachable!("{hash}")
    };
    assert_eq!(Custom::read(data).unwrap(), custom);
    // On another view they stand behind the name of theirs.
    let graphs = state.reduce(Action::View(View::Graphs)).hash();
    assert!(graphs.contains("&sequences.data=own1."), "{graphs}");
    assert_eq!(data_of(&graphs, View::Sequences), DataName::Carried(data));
    assert_eq!(state.reduce(Action::Navigate(hash.clone())), state);
    assert_eq!(state.embedding(), format!("{hash}&embed=1"));
}

#[test]
fn graphs_of_ones_own_travel_and_open_no_view_by_themselves() {
    let state = opened(pairs(built_in_graphs("tu_mutag")));
    assert_eq!(state.view, View::Sequences);
    assert_eq!(state.graphs.words().names(), ["nodes", "edges"]);
    let hash = state.hash();
    let DataName::Carried(data) = data_of(&hash, View::Graphs) else {
        unreachable!("{hash}")
    };
    assert_eq!(
        Custom::read(data).unwrap(),
        pairs(built_in_graphs("tu_mutag"))
    );
}

#[test]
fn texts_travel_with_their_stopwords() {
    let texts = Histogram::from_counts([([4, 1], 3), ([9, 4], 2), ([9, 5], 1)]).unwrap();
    let sizes = Sizes::Texts(Rc::new(texts.clone()));
    let custom = Custom {
        name: "a.txt".to_owned(),
        components: vec!["words".to_owned()],
        sizes,
    };
    let state = opened(custom.clone());
    assert_eq!(
        state.sequences.data.as_ref().unwrap().texts.as_deref(),
        Some(&texts)
    );
    let hash = state.hash();
    let DataName::Carried(data) = data_of(&hash, View::Sequences) else {
        unreachable!("{hash}")
    };
    assert_eq!(Custom::read(data).unwrap(), custom);
}

fn own(histogram: &Rc<Histogram<1>>) -> Action {
    let description = ingest::read::<1>(b"1\n2\n", Options::default())
        .unwrap()
        .description;
    let source = Source::Own {
        name: "mine.csv".to_owned(),
        description: Rc::new(description),
    };
    Action::Loaded(source, Rc::clone(histogram), Some(512))
}

#[test]
fn the_address_bar_has_as_much_data_as_a_link() {
    let rows = (1..4_000u32).map(|l| (l * 3 + l % 2, u64::from(l) * 7919 % 1_009 + 1));
    let histogram = Rc::new(Histogram::from_lengths(rows).unwrap());
    let state = AppState::default().reduce(own(&histogram));
    assert_eq!(state.hash(), state.link());
    let hash = state.hash();
    let DataName::Carried(data) = data_of(&hash, View::Sequences) else {
        unreachable!("{hash}")
    };
    assert!((2_000..=LINK).contains(&data.len()), "{}", data.len());
    assert_eq!(Custom::read(data).unwrap().sizes, Sizes::Lengths(histogram));
}

#[test]
fn data_too_large_for_an_address_are_named_by_what_they_are_and_read_back() {
    let rows = |n: u32| (1..n).map(|l| (l * 7 % 1_000_003 + l, u64::from(l) * 7919 % 104_729 + 1));
    let histogram = Rc::new(Histogram::from_lengths(rows(100_000)).unwrap());
    let state = AppState::default().reduce(own(&histogram));
    let hash = state.hash();
    let DataName::Stored(key) = data_of(&hash, View::Sequences) else {
        unreachable!("{hash}")
    };
    let (stored_as, custom) = state.sequences.data.as_ref().unwrap().to_store().unwrap();
    assert_eq!(stored_as, key);
    let bytes = custom.stored();
    assert_eq!(Custom::from_stored(&bytes).unwrap(), custom);
    assert_eq!(
        Custom::from_stored(&bytes[..bytes.len() - 1]),
        Err(Damage::Damaged)
    );
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 1;
    assert_eq!(Custom::from_stored(&changed), Err(Damage::Damaged));
    // Found again, they are the same data: file, answers and version stay.
    let again = state.reduce(loaded(custom.clone()));
    assert_eq!(again, state);
    // Others have another name.
    let other = Rc::new(Histogram::from_lengths(rows(99_999)).unwrap());
    assert!(!AppState::default().reduce(own(&other)).hash().contains(key));
}

#[test]
fn the_history_has_entries_for_landmarks_and_none_for_sliders() {
    let state = AppState::default().reduce(own(&Rc::new(built_in("glue_cola"))));
    let same = |action| state.reduce(action).landmark() == state.landmark();
    assert!(
        same(Action::Limit(7))
            && same(Action::Depth(Depth::AtMost(2)))
            && same(Action::Set("seed", "3".to_owned()))
    );
    assert!(!same(Action::Algorithm(Algorithm::Optimal)));
    assert!(!same(Action::View(View::Learn)) && !same(Action::View(View::Graphs)));
    assert!(!same(own(&Rc::new(built_in("glue_rte")))));
    let graphs = state.reduce(Action::View(View::Graphs));
    let act = |action| graphs.reduce(Action::Graphs(action)).landmark() == graphs.landmark();
    assert!(act(graphs::Action::Limit(0, 9)) && act(graphs::Action::Step([1, 1])));
    assert!(!act(graphs::Action::Limits([230, 510])));
}

#[test]
fn frames_of_the_docs_are_addresses_of_the_page() {
    let frames = include_str!("../../docs/EMBED.md").split("HOST/#").skip(1);
    let hashes: Vec<&str> = frames.map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(hashes.len() >= 5, "{hashes:?}");
    for hash in hashes {
        let state = AppState::default().reduce(Action::Navigate(hash.to_owned()));
        assert!(
            state.embed && state.ignored.is_none(),
            "{hash}: {:?}",
            state.ignored
        );
        // All but the data, which are not loaded yet, and what is as usual is in the address of the page.
        let again = state.hash();
        for pair in hash
            .split('&')
            .filter(|pair| !pair.starts_with("data=") && *pair != "limit=128")
        {
            assert!(
                again.split('&').any(|now| now == pair),
                "{pair} of {hash} is not in {again}"
            );
        }
    }
}

#[test]
fn a_page_within_another_stays_that() {
    let state = AppState::default().reduce(Action::Navigate("embed=1&hide=controls".to_owned()));
    assert!(
        state.embed && state.hash().ends_with("hide=controls&embed=1"),
        "{}",
        state.hash()
    );
    assert!(state.reduce(Action::Navigate("limit=7".to_owned())).embed);
    assert!(!state.link().contains("embed"));
    assert!(!state.reduce(Action::Navigate("embed=0".to_owned())).embed);
}

#[test]
fn going_back_restores_settings_that_the_address_leaves_out() {
    let first = AppState::default()
        .reduce(own(&Rc::new(built_in("glue_cola"))))
        .reduce(Action::Limit(40));
    let moved = first
        .reduce(Action::Set("overlong", "drop".to_owned()))
        .reduce(Action::Algorithm(Algorithm::Optimal))
        .reduce(Action::LogCounts(true))
        .reduce(Action::Set("align", "8".to_owned()))
        .reduce(Action::Graphs(graphs::Action::Depth(Depth::AtMost(3))));
    let back = moved.reduce(Action::Restore(first.hash()));
    assert_eq!(back.hash(), first.hash());
    assert_eq!(back.sequences.settings, first.sequences.settings);
    assert_eq!(back.graphs.settings, first.graphs.settings);
    assert_eq!(
        back.reduce(Action::Restore(moved.hash())).hash(),
        moved.hash()
    );
    // A link leaves alone what it does not name.
    assert_eq!(
        moved
            .reduce(Action::Navigate("limit=7".to_owned()))
            .sequences
            .settings
            .align,
        8
    );
}

/// The sampler that the view opens with is left out of its address; addresses that name it, as older ones do, still open it.
#[test]
fn an_address_has_the_sampler_unless_it_is_the_default() {
    let at = |hash: &str| AppState::default().reduce(Action::Restore(hash.to_owned()));
    for old in [
        "view=batches&sampler=length-grouped&data=glue_rte",
        "view=batches&data=glue_rte",
    ] {
        let state = at(old);
        assert_eq!(
            state.batch_settings().sampler,
            Sampler::LengthGrouped,
            "{old}"
        );
        assert!(!state.hash().contains("sampler"), "{}", state.hash());
    }
    for sampler in Sampler::ALL
        .into_iter()
        .filter(|sampler| *sampler != Sampler::LengthGrouped)
    {
        let state = at(&format!("view=batches&sampler={sampler}"));
        assert!(
            state.hash().contains(&format!("sampler={sampler}")),
            "{}",
            state.hash()
        );
        let again = at(&state.hash());
        assert_eq!(again.batch_settings().sampler, sampler);
        // Going back to an address without it is going back to the default.
        let back = again.reduce(Action::Restore("view=batches".to_owned()));
        assert_eq!(back.batch_settings().sampler, Sampler::LengthGrouped);
    }
}

#[test]
fn settings_of_an_address_that_are_not_possible_are_said() {
    let said = |hash: &str| {
        AppState::default()
            .reduce(Action::Navigate(hash.to_owned()))
            .ignored
    };
    for (hash, words) in [
        (
            "limit=0",
            "limit=0, which is no value for “Maximum length”: expected a whole number from 1 to 4,294,967,295",
        ),
        ("limit=abc", "limit=abc"),
        (
            "algorithm=bogus",
            "algorithm=bogus, which is no value for “Algorithm”: expected ",
        ),
        (
            "view=zzz",
            "view=zzz, which is no value for “View”: expected sequences, graphs, batches, ranks, learn",
        ),
        ("view=graphs&nodes=-5", "nodes=-5"),
        ("view=batches&sampler=x", "sampler=x"),
    ] {
        let ignored = said(hash).unwrap_or_default();
        assert!(ignored.contains(words), "{hash}: {ignored}");
    }
    assert_eq!(
        said("limit=7&depth=unlimited&algorithm=lpfhp&unheard=of"),
        None
    );
    // Settings of the whole page are told as those of a view.
    for (hash, words) in [
        (
            "room=<b>",
            "room=<b>, which is no value for “Room”: expected answer, compare, cost, all",
        ),
        (
            "budget=NaN",
            "budget=NaN, which is no value for “Search time”: expected 0.2, 1, 10, proven",
        ),
        (
            "theme=x",
            "theme=x, which is no value for “Theme”: expected system, light, dark",
        ),
        (
            "baseline=x",
            "baseline=x, which is no value for “Compared with”: expected batches, limit",
        ),
        (
            "cost.model=<b>",
            "cost.model=<b>, which is no value for “Model”: expected ",
        ),
        ("cost.peak=NaN", "cost.peak=NaN, which is no value for “"),
        (
            "view=graphs&cost.accelerators=-1",
            "”: expected a whole number from 1 to ",
        ),
    ] {
        let ignored = said(hash).unwrap_or_default();
        assert!(
            ignored.contains(words) && ignored.ends_with("The usual value stands."),
            "{hash}: {ignored}"
        );
    }
    let fine = "room=all&budget=proven&theme=dark&baseline=batches&background=0&embed=1&cost.accelerators=8&cost.x=1";
    assert_eq!(said(fine), None);
    // What is on screen is the possible value.
    let other = AppState::default().reduce(Action::Navigate("limit=0&limit=49999".to_owned()));
    assert_eq!(other.sequences.settings.limit, 49_999);
    assert!(
        other
            .ignored
            .is_some_and(|words| words.ends_with("The other value in the address stands."))
    );
    let mixed = said("limit=0&limit=x&limit=7&depth=x").unwrap_or_default();
    assert!(
        mixed.ends_with("The usual values stand where the address has no other."),
        "{mixed}"
    );
    // All of them are named, and of very many the first.
    let three = said("view=zzz&limit=abc&algorithm=bogus&depth=2").unwrap_or_default();
    let words = [
        "view=zzz",
        "; limit=abc, which",
        "; algorithm=bogus, which",
        "The usual values stand.",
    ];
    assert!(words.iter().all(|words| three.contains(words)), "{three}");
    assert!(!three.contains("depth"), "{three}");
    let many = said(&"limit=abc&".repeat(1000)).unwrap_or_default();
    assert!(
        many.contains("; and 996 settings like these. The usual values stand."),
        "{many}"
    );
    // Whatever stands in an address is shown as text of one line, and not much of it.
    assert!(said(&format!("limit={}", "9".repeat(4000))).is_some_and(|words| words.len() < 300));
}

#[test]
fn a_file_beside_the_page_is_told_from_names_and_from_files_elsewhere() {
    for file in [
        "./lengths.csv",
        "./opened/two%20words.csv",
        "./a..b",
        "./%C3%A4",
    ] {
        let hash = format!("limit=512&data={file}");
        assert_eq!(
            data_of(&hash, View::Sequences),
            DataName::Beside(file),
            "{file}"
        );
    }
    // A browser takes `%2e` for a dot, and goes to the folder above.
    for other in [
        "lengths.csv",
        "/lengths.csv",
        "./",
        "./../lengths.csv",
        "./a/../../lengths.csv",
        "./%2e%2E/lengths.csv",
        "./.%2e/lengths.csv",
        "./a%2f..%2fb",
        "./a%5c..%5cb",
        "./a//b",
        ".//packscope.example/lengths.csv",
        "./\\packscope.example",
        "./a?b",
        "https://packscope.example/lengths.csv",
    ] {
        let hash = format!("limit=512&data={other}");
        assert_eq!(
            data_of(&hash, View::Sequences),
            DataName::Named(other),
            "{other}"
        );
    }
}

#[test]
fn a_table_beside_the_page_has_sizes_counts_and_a_unit() {
    let read = |csv: &str, graphs| beside::read("mine".to_owned(), csv, graphs);
    let lengths = read("length,count\n5,2\n9,1\n", false).unwrap();
    assert_eq!(
        (lengths.name.as_str(), lengths.components.len()),
        ("mine", 0)
    );
    let expected = Histogram::from_lengths([(5, 2), (9, 1)]).unwrap();
    assert_eq!(lengths.sizes, Sizes::Lengths(Rc::new(expected)));
    let words = read("words,count\n5,2\n", false).unwrap();
    assert_eq!(words.components, ["words"]);
    let graphs = read("nodes,edges,count\n3,2,2\n", true).unwrap();
    assert_eq!(graphs.components, ["nodes", "edges"]);
    let expected = Histogram::from_counts([([3, 2], 2)]).unwrap();
    assert_eq!(graphs.sizes, Sizes::Graphs(Rc::new(expected)));
    // Cut short, of the other kind, or something else: no wrong data.
    for (csv, graphs) in [
        ("length,count\n5,2\n9,1", false),
        ("nodes,edges,count\n3,2,2\n", false),
        ("length,count\n5,2\n", true),
        ("<html>Sign in</html>\n", false),
        ("", false),
    ] {
        assert!(read(csv, graphs).is_none(), "{csv}");
    }
}
