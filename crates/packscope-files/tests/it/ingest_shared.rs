//! Tables that several hands read are those that one hand reads: counts, places of faults, notes, errors.

use packscope_core::rng::Random;
use packscope_files::ingest::{self, Crew, File, Ingested, Options, parquet};
use std::cell::Cell;
use std::ops::ControlFlow;

/// Threads that get little at once, so that small files have many borders.
struct Threads {
    hands: usize,
    share: usize,
    jobs: Cell<usize>,
}

impl Crew for Threads {
    fn hands(&self) -> usize {
        self.hands
    }

    fn share(&self) -> usize {
        self.share
    }

    fn work<'a>(&self, mine: &mut dyn FnMut(), others: Vec<Box<dyn FnOnce() + Send + 'a>>) {
        self.jobs.set(self.jobs.get() + others.len());
        std::thread::scope(|scope| {
            for other in others {
                scope.spawn(other);
            }
            mine();
        });
    }
}

fn read<const K: usize>(
    bytes: &[u8],
    options: &Options,
    crew: Option<&Threads>,
) -> Result<Ingested<K>, String> {
    let (name, source) = ("table.csv", &bytes as &dyn ingest::Source);
    let (files, go_on) = ([File { name, source }], &mut |_, _| {
        ControlFlow::Continue(())
    });
    match crew {
        Some(crew) => parquet::open_shared_as(&files, options, crew, go_on),
        None => parquet::open_as(&files, options, go_on),
    }
    .map_err(|error| error.to_string())
}

/// Reads a table by one hand and by several, which must make no difference; returns the result and whether there were jobs.
fn is_alike<const K: usize>(input: &str, options: &Options) -> (Result<Ingested<K>, String>, bool) {
    let alone = read::<K>(input.as_bytes(), options, None);
    let mut has_jobs = false;
    for (hands, share) in [(2, 3000), (3, 700), (5, 20_000)] {
        let jobs = Cell::new(0);
        let crew = Threads { hands, share, jobs };
        let shared = read(input.as_bytes(), options, Some(&crew));
        let begins = input.get(..200).unwrap_or(input);
        assert_eq!(shared, alone, "{hands} hands, {share} bytes each: {begins}");
        has_jobs |= crew.jobs.get() > 0;
    }
    (alone, has_jobs)
}

/// What may stand in a cell beside the length.
const TEXTS: [&str; 14] = [
    "word",
    "\"two, words\"",
    "\"a line\nand another, 7,8\n9,10,11\"",
    "\"with \"\"quotes\"\"\"",
    "5\" pipe",
    "",
    "meander",
    "average",
    "mean",
    "all",
    "total",
    "\"\n\n# no comment\n\"",
    "é漢",
    "\u{feff}mark",
];

/// What stands in place of the length now and then.
const FAULTS: [&str; 6] = ["abc", "0", "", "-3", "1.5", "4294967296"];

/// A table with such cells: how many in a thousand are texts and faults beyond the first, and the line end.
fn table(draw: &mut Random, (texts, faults): (u32, u32), end: &str) -> String {
    let mut all = format!("text,length,count{end}");
    let rows = 4000 + draw.below(4000);
    for _ in 0..rows {
        let is_text = draw.below_u32(1000) < texts;
        let text = TEXTS[if is_text { draw.below(14) as usize } else { 0 }];
        let is_fault = draw.below_u32(1000) < faults;
        let length = match is_fault {
            true => FAULTS[draw.below(6) as usize].to_owned(),
            false => (1 + draw.below(5000)).to_string(),
        };
        all += &format!("{text},{length},{}{end}", 1 + draw.below(90));
        if draw.below(2000) == 0 {
            all += ["# a comment", "", "  ", "\"\""][draw.below(2) as usize];
            all += end;
        }
    }
    all
}

#[test]
fn tables_by_chance_are_read_alike_by_all_hands() {
    let mut draw = Random::seeded(63);
    let (mut read, mut refused, mut skipped, mut shared) = (0, 0, 0, 0);
    for round in 0..60 {
        let end = ["\n", "\r\n", "\r"][round % 3];
        let shares = [(0, 0), (0, 3), (2, 0), (300, 3), (1000, 0)][round % 5];
        let input = table(&mut draw, shares, end);
        let (result, has_jobs) = is_alike::<1>(&input, &Options::default());
        shared += usize::from(has_jobs);
        match result {
            Ok(one) => {
                read += 1;
                skipped += one.description.skipped;
            }
            Err(_) => refused += 1,
        }
        let pairs = Options {
            sizes: vec!["length".into(), "count".into()],
            ..Options::default()
        };
        let _ = is_alike::<2>(&input, &pairs);
    }
    assert!(
        read > 20 && refused > 5 && skipped > 300 && shared > 30,
        "{read} read, {refused} refused, {skipped} skipped, {shared} by several hands"
    );
}

/// Cells without quotes around them, beside the length.
const BARE: [&str; 16] = [
    "7",
    "word",
    "two words",
    "x-mean",
    "mean",
    "average",
    "zmall",
    "total",
    "Sum",
    "",
    "12.5",
    "#3",
    "-",
    "é",
    "(7)",
    "total 3",
];

/// Rows of digits, which need no cutting, amid all others: read as a table that has each cell in quotes.
#[test]
fn plain_rows_are_read_as_rows_that_are_cut() {
    let mut draw = Random::seeded(2026);
    let (mut read_ones, mut refused, mut skipped) = (0, 0, 0);
    for round in 0..128 {
        let end = ["\n", "\r\n", "\r", "\n"][round % 4];
        let by = [",", "\t", ";", "|"][round / 4 % 4];
        let at = draw.below(3) as usize;
        let odd = [0, 5, 60, 600][round / 16 % 4];
        let [mut plain, mut quoted] = [String::new(), String::new()];
        for row in 0..=1 + draw.below(300) {
            let cell = |column: usize| match (row, column == at) {
                (0, true) => "length".to_owned(),
                (0, false) => ["name", "split", "note"][column].to_owned(),
                (_, true) if draw.below_u32(1000) < odd / 20 => {
                    FAULTS[draw.below(6) as usize].to_owned()
                }
                (_, true) => (1 + draw.below(5000)).to_string(),
                (_, false) if draw.below_u32(1000) < odd => {
                    BARE[draw.below(16) as usize].to_owned()
                }
                (_, false) => draw.below(70_000).to_string(),
            };
            let cells: Vec<String> = (0..3).map(cell).collect();
            plain += &(cells.join(by) + end);
            let in_quotes: Vec<String> = cells.iter().map(|cell| format!("\"{cell}\"")).collect();
            quoted += &(in_quotes.join(by) + end);
        }
        let options = Options {
            allow_skipped: true,
            ..Options::default()
        };
        let plain = is_alike::<1>(&plain, &options).0;
        let quoted = self::read::<1>(quoted.as_bytes(), &options, None);
        let [plain, quoted] =
            [plain, quoted].map(|result| result.map(|all| (all.histogram, all.description)));
        match (&plain, &quoted) {
            (Ok((one, of_one)), Ok((other, of_other))) => {
                assert_eq!(one, other, "round {round}");
                assert_eq!(
                    (
                        of_one.records,
                        of_one.skipped,
                        &of_one.problems,
                        &of_one.notes
                    ),
                    (
                        of_other.records,
                        of_other.skipped,
                        &of_other.problems,
                        &of_other.notes
                    ),
                    "round {round}"
                );
                read_ones += 1;
                skipped += of_one.skipped;
            }
            _ => {
                assert_eq!(plain.as_ref().err(), quoted.as_ref().err(), "round {round}");
                refused += 1;
            }
        }
    }
    assert!(
        read_ones > 50 && refused > 10 && skipped > 30,
        "{read_ones} read, {refused} refused, {skipped} skipped"
    );
}

#[test]
fn what_ends_a_reading_ends_it_in_the_same_line() {
    let row = |i: u32| format!("{i},{},x\n", 1 + i % 700);
    let many = |n: u32| "row,length,split\n".to_owned() + &(0..n).map(row).collect::<String>();
    let sum: u32 = (0..9000).map(|i| 1 + i % 700).sum();
    let mean = sum / 9000;
    let cases = [
        (many(9000) + "total,5\n", "line 9,002"),
        (many(9000) + "7,\"open,x\n" + &many(4000), "never closed"),
        (many(9000) + "7,\"a\"b,x\n" + &many(4000), "line 9002"),
        (many(9000) + "row,tokens,split\n" + &many(40), "line 9002"),
        (
            many(9000) + &format!("total,{sum},\n") + &many(4000),
            "line 9002",
        ),
        (many(9000) + &format!(",{sum},\n"), "line 9002"),
        (
            many(9000) + &format!("mean,{mean},\n") + &many(400),
            "line 9002",
        ),
    ];
    for (input, place) in cases {
        let (result, has_jobs) = is_alike::<1>(&input, &Options::default());
        let error = result.unwrap_err().replace("9,002", "9002");
        let place = place.replace("9,002", "9002");
        assert!(
            has_jobs && error.contains(&place),
            "{place}, {has_jobs}: {error}"
        );
    }
    // The same names where they are no totals.
    let input = many(9000) + "total,8,\nmean,1,\n" + &many(4000)["row,length,split\n".len()..];
    assert_eq!(
        is_alike::<1>(&input, &Options::default())
            .0
            .unwrap()
            .description
            .records,
        13_002
    );
}

#[test]
fn computed_lengths_and_samples_are_alike_too() {
    let mut draw = Random::seeded(7);
    let row = |_| format!("{} {}\n", draw.below(900), 900 + draw.below(900));
    let input = "start end\n".to_owned() + &(0..9000).map(row).collect::<String>();
    for (length, sample) in [
        (Some("end - start"), None),
        (Some("end"), Some(8000)),
        (None, None),
    ] {
        let options = Options {
            sizes: length.map(Into::into).into_iter().collect(),
            sample,
            ..Options::default()
        };
        let _ = is_alike::<1>(&input, &options);
    }
}
