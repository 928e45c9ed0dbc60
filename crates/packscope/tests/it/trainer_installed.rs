//! Libraries as they are installed, what they cost first, and what costs nothing.

use crate::common::built_in;
use crate::trainer::{fields, one, request, variants};
use packscope::api::Query;
use packscope::api::trainer::{
    Basis, LibrariesQuestion, LibrariesRequest, LibraryAnswer, LibraryKind, LibraryQuery, Report,
};
use packscope::export::libraries::{self, Sheet, headline, in_one_look, sheets};
use packscope::histogram::Histogram;
use packscope::packing::go_on;
use packscope::trainer::batches::LibraryLimits;
use packscope::trainer::graphs::GraphLibraries;
use packscope::trainer::{LIBRARIES, Library, PackingLibraries, SettingValue};

fn room(limit: u32) -> LibraryLimits {
    LibraryLimits { limit, batch: 8 }
}

/// A library as nobody has set it, but for these.
fn installed(
    data: &Histogram<1>,
    limit: u32,
    library: &str,
    settings: &[(&str, &str)],
) -> (LibraryAnswer, Sheet) {
    let question = LibrariesQuestion::One {
        library: library.to_owned(),
        settings: fields(settings),
        packs: false,
    };
    let report = request(data, limit, question).run(&mut go_on).unwrap();
    let sheet = sheets(&report, room(limit)).remove(0);
    ({ report }.answers.remove(0), sheet)
}

fn all(data: &Histogram<1>, limit: u32) -> (Report, Vec<Sheet>) {
    let report = LibrariesRequest {
        seeds: 1,
        ..request(data, limit, LibrariesQuestion::All)
    }
    .run(&mut go_on)
    .unwrap();
    let sheets = sheets(&report, room(limit));
    (report, sheets)
}

/// One library begins at the values that its release has where nobody sets them; all of them together, where packing is on.
#[test]
fn one_library_begins_at_its_defaults() {
    for library in LIBRARIES {
        let chosen = library.installed(512);
        for (setting, SettingValue { value, .. }) in library.settings.iter().zip(chosen.fields()) {
            let wanted = if setting.required {
                setting.start
            } else {
                setting.usual
            };
            assert_eq!(value, wanted, "{}: {}", library.id, setting.name);
        }
        let on = library.with(512, &library.packing()).unwrap().fields();
        assert_eq!(on, library.start(512).fields(), "{}", library.id);
        assert!(
            chosen.recipe().is_ok(),
            "{}: its defaults cannot be had",
            library.id
        );
    }
    let data = built_in("gsm8k_train");
    let (answer, sheet) = installed(&data, 512, "trl", &[]);
    assert_eq!(
        (answer.about.basis, answer.own.padded),
        (Basis::Defaults, true)
    );
    assert_eq!(
        answer.about.settings[0],
        SettingValue {
            name: "packing".to_owned(),
            value: "false".to_owned()
        }
    );
    assert_eq!(one(&data, 512, "trl", &[]).about.basis, Basis::Packing);
    assert_eq!(
        one(&data, 512, "trl", &[("map_batch_size", "7")])
            .about
            .basis,
        Basis::Own
    );
    assert!(
        sheet.title.starts_with("TRL as installed fills "),
        "{}",
        sheet.title
    );
}

/// Where a library pads because it does not pack, packing is what is advised, and its lines are those that are copied.
#[test]
fn what_is_off_is_advised_and_copied() {
    let data = built_in("gsm8k_train");
    for (library, setting, value, line) in [
        ("trl", "packing", "true", "packing=True"),
        ("llama-factory", "packing", "true", "packing: true"),
        (
            "hf-flattening",
            "data_collator",
            "DataCollatorWithFlattening",
            "import DataCollatorWithFlattening",
        ),
        ("oumi", "data.train.pack", "true", "pack: true"),
        ("open-instruct", "packing", "true", "--packing true"),
    ] {
        let (answer, sheet) = installed(&data, 512, library, &[]);
        let wanted = SettingValue {
            name: setting.to_owned(),
            value: value.to_owned(),
        };
        assert_eq!(sheet.change, Some(wanted), "{library}: {}", sheet.advice);
        assert!(sheet.changed.contains(line), "{library}: {}", sheet.changed);
        assert!(
            !answer.about.lines.contains(line),
            "{library}: {}",
            answer.about.lines
        );
        assert!(answer.figures.unwrap().padding_share > 0.1, "{library}");
    }
}

/// Every change that is advised has its lines, which are not those of before.
#[test]
fn the_lines_that_are_copied_have_the_change() {
    let data = built_in("sharegpt_8k_llama2");
    for sheet in all(&data, 4096).1 {
        assert_eq!(
            sheet.change.is_some(),
            !sheet.changed.is_empty(),
            "{}",
            sheet.title
        );
        assert_ne!(sheet.changed, sheet.about.lines, "{}", sheet.title);
    }
}

/// The headline names what costs most, and what else costs much: padding as well as tokens.
#[test]
fn the_headline_names_the_largest_cost_first() {
    let chat = built_in("sharegpt_8k_llama2");
    let title = |library: &str, settings: &[(&str, &str)], limit| {
        installed(&chat, limit, library, settings).1.title
    };
    assert_eq!(
        title("trl", &[], 4096),
        "TRL as installed fills 42.2 % of the slots with padding and cuts off 16.1 % of the tokens at a limit of 4,096"
    );
    assert_eq!(
        title("trl", &[("packing", "true")], 4096),
        "TRL cuts off 16.1 % of the tokens at a limit of 4,096"
    );
    // At a smaller limit the tokens are more.
    assert!(
        title("trl", &[], 512).starts_with("TRL as installed cuts off "),
        "{}",
        title("trl", &[], 512)
    );
    assert_eq!(
        title("slime", &[], 2048),
        "slime as installed makes 52.6 % of its rows longer than the limit (up to 3.98×) at a limit of 2,048"
    );
}

/// Rows above the limit are a figure, in the text and in the table, and such a row is not the best of them.
#[test]
fn rows_above_the_limit_are_counted() {
    let chat = built_in("sharegpt_8k_llama2");
    for library in ["slime", "openrlhf"] {
        let answer = one(&chat, 2048, library, &[]);
        let tally = &answer.runs[0].tally;
        let figures = answer.figures.as_ref().unwrap();
        assert_eq!(tally.longest_row, 8149, "{library}");
        assert!(tally.exceeding_rows >= 16_000, "{library}: {tally:?}");
        // The mean over orders, of which this is one.
        let share = tally.exceeding_rows as f64 / tally.rows as f64;
        assert!(
            (figures.exceeding_share - share).abs() < 0.001,
            "{library}: {figures:?}"
        );
        let advice = &answer.advice.as_ref().unwrap().sentence;
        assert!(
            advice.contains(" of the rows are longer than the limit, the longest 3.98×"),
            "{advice}"
        );
        assert!(!advice.contains("in vain"), "{advice}");
        assert_eq!(answer.own.least, Some(8149));
    }
    let (report, sheets) = all(&chat, 2048);
    let table = in_one_look(libraries::table(
        LibraryKind::Sequences(room(2048)).words(),
        &sheets,
    ));
    for (answer, sheet) in report.answers.iter().zip(&sheets) {
        let exceeds = answer
            .figures
            .as_ref()
            .is_some_and(|figures| figures.exceeding_share > 0.0);
        assert_eq!(
            exceeds,
            ["slime", "openrlhf"].contains(&&*answer.about.library),
            "{}",
            answer.about.library
        );
        if exceeds {
            assert_eq!(sheet.place, None, "it would be drawn as the best");
            let row = table
                .rows
                .iter()
                .find(|row| row[0].exact == answer.about.library)
                .unwrap();
            let cell = |name: &str| {
                &row[table.columns.iter().position(|(id, _)| id == name).unwrap()].shown
            };
            assert_eq!(cell("change"), "limit 8,149");
            assert!(
                cell("gain").contains(" of the rows exceed this one, up to 3.98×"),
                "{}",
                cell("gain")
            );
        }
    }
    // Without dynamic batches a sequence is a row, whatever the limit is.
    let (answer, _) = installed(&chat, 2048, "slime", &[]);
    assert_eq!(answer.runs[0].tally.exceeding_rows, 16_163);
}

/// A library that refuses the data says at which limit it takes them, and there it does.
#[test]
fn a_library_that_refuses_names_a_limit_that_it_takes() {
    let chat = built_in("sharegpt_8k_llama2");
    let mut refused = 0;
    for library in LIBRARIES {
        for (limit, settings) in [(4096, Vec::new()), (3000, Vec::new())] {
            let (answer, sheet) = installed(&chat, limit, library.id, &settings);
            let Some(least) = answer.own.least.filter(|_| answer.about.refused.is_some()) else {
                continue;
            };
            refused += 1;
            assert!(least > limit && sheet.lost.is_none(), "{}", sheet.title);
            assert_eq!(
                sheet.least.map(
                    |given| matches!(given, LibraryKind::Sequences(room) if room.limit == least)
                ),
                Some(true)
            );
            let (then, _) = installed(&chat, least, library.id, &settings);
            assert_eq!(then.about.refused, None, "{} at {least}", library.id);
        }
    }
    assert!(refused >= 3, "{refused}");
    let (answer, sheet) = installed(&chat, 4096, "verl", &[]);
    assert_eq!(answer.own.least, Some(8149));
    assert!(
        sheet.changed.is_empty() && sheet.advice.contains("8,149"),
        "{}",
        sheet.advice
    );
    // A power of two is wanted.
    assert_eq!(
        installed(&chat, 3000, "olmo-packed", &[]).0.own.least,
        Some(4096)
    );
}

/// Room that is not computed is no padding: not in a figure, not in a name, at no setting.
#[test]
fn what_is_not_computed_is_not_called_padding() {
    let data = built_in("alpaca_5000");
    let mut unfilled = 0;
    for library in LIBRARIES {
        for chosen in variants(library, 512) {
            let settings: Vec<SettingValue> = chosen.fields();
            let question = LibrariesQuestion::One {
                library: library.id.to_owned(),
                settings,
                packs: false,
            };
            let report = LibrariesRequest {
                seeds: 1,
                ..request(&data, 512, question)
            }
            .run(&mut go_on)
            .unwrap();
            let sheet = sheets(&report, room(512)).remove(0);
            let Some(figures) = &report.answers[0].figures else {
                continue;
            };
            let names: Vec<&str> = sheet
                .figures
                .iter()
                .map(|figure| figure.name.as_str())
                .collect();
            if report.answers[0].own.padded {
                assert!(names.contains(&"Padding"), "{}: {names:?}", sheet.title);
                assert_eq!(figures.padding_share, figures.unfilled_share);
                continue;
            }
            unfilled += u32::from(figures.unfilled_share > 0.01);
            assert_eq!(figures.padding_share, 0.0, "{}", sheet.title);
            assert!(
                !names.contains(&"Padding") && names.contains(&"Unfilled room"),
                "{}: {names:?}",
                sheet.title
            );
        }
    }
    assert!(unfilled > 3, "{unfilled}");
    let graphs = packscope::api::trainer::LibrariesRequest::<GraphLibraries> {
        counts: vec![([3, 4], 50), ([9, 8], 20)],
        order: Vec::new(),
        given: [40, 40],
        question: LibrariesQuestion::All,
        seed: 0,
        seeds: 1,
        optimum: false,
    };
    for sheet in sheets(&graphs.run(&mut go_on).unwrap(), [40, 40]) {
        let names: Vec<&str> = sheet
            .figures
            .iter()
            .map(|figure| figure.name.as_str())
            .collect();
        assert_eq!(
            names.contains(&"Node padding"),
            sheet.about.library != "pyg",
            "{names:?}"
        );
    }
}

/// Where the row of the most used library shows a loss, the sentence above it does not say that nothing is lost.
#[test]
fn the_sentence_says_what_its_row_shows() {
    let given = |limit| LibraryKind::Sequences(room(limit));
    for (name, limit) in [
        ("gsm8k_train", 512),
        ("alpaca_5000", 512),
        ("alpaca_5000", 1024),
        ("glue_cola", 40),
    ] {
        let data = built_in(name);
        let sheets = all(&data, limit).1;
        let trl = sheets
            .iter()
            .find(|sheet| sheet.about.library == "trl")
            .unwrap();
        let words = headline(given(limit), &sheets);
        assert_eq!(
            trl.lost.unwrap() > 0.0,
            words.contains(" of the tokens are lost"),
            "{name}: {words}"
        );
        assert_eq!(
            trl.lost.unwrap() == 0.0 && trl.above == Some(0.0),
            words.contains("nothing is lost"),
            "{words}"
        );
        assert!(
            words.starts_with("With TRL’s defaults and packing, "),
            "{words}"
        );
    }
    // At settings of its own, or as installed, it is not at its defaults with packing.
    let data = built_in("gsm8k_train");
    let sheet = |settings: &[(&str, &str)]| {
        headline(given(512), &[installed(&data, 512, "trl", settings).1])
    };
    assert!(
        sheet(&[]).starts_with("With TRL’s defaults, "),
        "{}",
        sheet(&[])
    );
    let own = sheet(&[("packing", "true"), ("map_batch_size", "7")]);
    assert!(own.starts_with("With TRL as set here, "), "{own}");
}

/// Data that do not fill a batch train nothing, and why is said.
#[test]
fn data_below_one_batch_are_told_why_they_are_lost() {
    let few = Histogram::from_lengths([(100, 300), (40, 300)]).unwrap();
    let answer = one(&few, 1024, "modernbert", &[]);
    let advice = answer.advice.unwrap().sentence;
    assert!(
        advice.starts_with(
            "100 % of the tokens are left over: they do not fill a last batch, of 16 rows of 32,768 tokens"
        ),
        "{advice}"
    );
    assert!(!advice.contains("in vain"), "{advice}");
    let sheet = all(&few, 1024)
        .1
        .into_iter()
        .find(|sheet| sheet.about.library == "modernbert")
        .unwrap();
    assert_eq!(
        sheet.title,
        "ModernBERT drops 100 % of the tokens at a limit of 1,024"
    );
}

/// What does not fill a last step is left out where the library does so, and all tokens are accounted for.
#[test]
fn a_last_step_that_is_not_full_is_left_out() {
    let data = Histogram::from_lengths([(100, 250), (40, 50)]).unwrap();
    let tally = |library: &str, settings: &[(&str, &str)]| {
        one(&data, 512, library, settings).runs.remove(0).tally
    };
    let rl = tally("openrlhf", &[]);
    assert_eq!(
        (rl.dropped_sequences, rl.tokens()),
        (300 % 128, data.total()[0])
    );
    let rows = |devices: &str| {
        tally(
            "maxtext",
            &[
                ("devices_per_host", devices),
                ("per_device_batch_size", "4"),
            ],
        )
        .rows
    };
    let all = tally(
        "maxtext",
        &[("devices_per_host", "1"), ("per_device_batch_size", "1")],
    );
    assert_eq!(all.lost_tokens(), 0);
    for devices in ["1", "4"] {
        let batch = 4 * devices.parse::<u64>().unwrap();
        assert_eq!(rows(devices), all.rows / batch * batch, "{devices}");
    }
    let some = tally("maxtext", &[]);
    // A token of each sequence is only a label.
    assert_eq!(some.tokens(), data.total()[0] - 300);
    assert_eq!(some.rows % 48, 0);
    // Of many sequences, those that stand for them leave nothing out that all of them would not.
    let many = built_in("geom_drugs_allatoms_len");
    assert_eq!(
        one(&many, 181, "maxtext", &[]).runs[0].tally.dropped_tokens,
        0
    );
}

/// The loader of nanochat goes over from one pass into the next: of few documents it crops more than in one pass alone.
#[test]
fn nanochat_never_ends() {
    let data = built_in("alpaca_5000");
    let chosen = Library::named("nanochat").unwrap().start(512);
    let alone = chosen
        .recipe()
        .unwrap()
        .run(&data, packscope::trainer::Order::Seed(0), &mut go_on)
        .unwrap();
    let tally = one(&data, 512, "nanochat", &[]).runs.remove(0).tally;
    assert_eq!(tally.tokens(), data.total()[0]);
    let lost =
        |tally: &packscope::trainer::RowTally| tally.lost_tokens() as f64 / tally.tokens() as f64;
    assert!(
        lost(&tally) > 1.1 * lost(&alone),
        "{} {}",
        lost(&tally),
        lost(&alone)
    );
}

/// Of windows whose packing takes a time quadratic in them, none is large, and none is larger than the sample of many.
#[test]
fn a_curve_keeps_to_what_can_be_packed() {
    let data = Histogram::from_lengths([(100, 900_000), (60, 900_000), (31, 300_000)]).unwrap();
    for (library, most) in [
        ("verl", 1024),
        ("nemo-rl", 1024),
        ("trl", 131_072),
        ("torchtitan-main", 4096),
    ] {
        let asked = LibraryQuery::about(library, &[], 256, 1);
        let request = asked.request::<PackingLibraries>(room(256));
        let curve = request.curve_on(&data, &mut go_on).unwrap().unwrap();
        assert_eq!(curve.points.last().unwrap().size, most, "{library}");
    }
}

/// Below the table stands in how many of them packing is off, by name.
#[test]
fn it_is_said_which_pack_nothing_as_installed() {
    let off = libraries::off::<PackingLibraries>();
    let names = LIBRARIES
        .iter()
        .filter(|library| !library.packing().is_empty())
        .map(|library| library.id);
    let names: Vec<&str> = names.collect();
    assert!(
        off.contains(&format!(
            "off in {} of these {}",
            names.len(),
            LIBRARIES.len()
        )),
        "{off}"
    );
    assert!(
        off.contains(&names.join(", ")) && names.contains(&"trl") && !names.contains(&"grain"),
        "{off}"
    );
    assert_eq!(libraries::off::<GraphLibraries>(), "");
}
