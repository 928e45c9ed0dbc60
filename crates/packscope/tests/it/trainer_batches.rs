//! Samplers of training libraries, each against a reference implementation, item by item.

use crate::common::{built_in, histograms};
use packscope::api::Query;
use packscope::api::trainer::{self, LibrariesQuestion, LibrariesRequest};
use packscope::histogram::Histogram;
use packscope::packing::{Step, go_on};
use packscope::sampler::Sampler;
use packscope::trainer::batches::{
    LibraryLimits, SAMPLERS, SamplerBlock, SamplerLibraries, SamplerRecipe,
};
use packscope::trainer::{Library, LibrarySettings, Order, SettingValue};
use proptest::prelude::*;
use std::ops::ControlFlow;

type Report = trainer::Report<SamplerLibraries>;
type Answer = trainer::LibraryAnswer<SamplerLibraries>;

fn report(data: &Histogram<1>, room: LibraryLimits, question: LibrariesQuestion) -> Report {
    let (counts, order) = (data.lengths(), Vec::new());
    let request = LibrariesRequest {
        counts,
        order,
        given: room,
        question,
        seed: 0,
        seeds: 2,
        optimum: false,
    };
    request.run(&mut go_on).unwrap()
}

fn one(
    data: &Histogram<1>,
    room: LibraryLimits,
    library: &str,
    settings: &[(&str, &str)],
) -> Answer {
    let field = |(name, value): &(&str, &str)| SettingValue {
        name: (*name).to_owned(),
        value: (*value).to_owned(),
    };
    let settings = settings.iter().map(field).collect();
    report(
        data,
        room,
        LibrariesQuestion::One {
            library: library.to_owned(),
            settings,
            packs: false,
        },
    )
    .answers
    .remove(0)
}

/// The settings to begin with, and others that matter.
fn variants(
    library: &'static Library<SamplerLibraries>,
    room: LibraryLimits,
) -> Vec<LibrarySettings<SamplerLibraries>> {
    let more: &[&[(&str, &str)]] = match library.id {
        "hf-group-by-length" => &[&[], &[("gradient_accumulation_steps", "3")]],
        "hf-batch-rebalance" => &[
            &[],
            &[("gradient_accumulation_steps", "3")],
            &[("gradient_accumulation_steps", "2"), ("WORLD_SIZE", "4")],
            &[("WORLD_SIZE", "3"), ("dataloader_drop_last", "true")],
        ],
        "fairseq" => &[
            &[],
            &[("required_batch_size_multiple", "1")],
            &[("required_batch_size_multiple", "3")],
        ],
        "lhotse" => &[
            &[("num_buckets", "2")],
            &[("num_buckets", "2"), ("buffer_size", "20")],
            &[
                ("num_buckets", "2"),
                ("quadratic_duration", "40"),
                ("drop_last", "true"),
            ],
        ],
        "nemo-speech" => &[
            &[("num_buckets", "2")],
            &[("max_duration", "30")],
            &[
                ("max_duration", "45.5"),
                ("bucket_buffer_size", "20"),
                ("drop_last", "true"),
            ],
        ],
        "espnet" => &[&[], &[("min_batch_size", "5")], &[("drop_last", "true")]],
        _ => &[&[], &[("drop_last", "true")], &[("max_batch_ex", "3")]],
    };
    let with = |changes: &&[(&str, &str)]| {
        let mut chosen = library.start(room);
        changes
            .iter()
            .for_each(|(name, value)| chosen.set(name, value).unwrap());
        chosen
    };
    more.iter().map(with).collect()
}

#[test]
fn samplers_are_complete() {
    for library in SAMPLERS {
        let room = LibraryLimits {
            limit: 512,
            batch: 8,
        };
        let read = &library.read;
        assert!(
            read.repository.contains('/')
                && read.address().starts_with("https://")
                && read.date.len() == 10
        );
        for setting in library.settings {
            for value in [setting.usual, setting.start]
                .iter()
                .chain(setting.alternatives())
            {
                library.start(room).set(setting.name, value).unwrap();
            }
            assert!(
                library.lines.contains(&format!("{{{}}}", setting.name)),
                "{}",
                setting.name
            );
            assert!(setting.about.ends_with('.'), "{}", setting.about);
        }
        let lines = library.start(room).lines();
        for word in ["{", "=slots", " slots", "=batch,"] {
            assert!(!lines.contains(word), "{lines}");
        }
        assert!(
            lines.contains("4096") || library.id.starts_with("hf-"),
            "{lines}"
        );
    }
}

/// The sequences in the order of a seed, as a sampler that keeps the order lists them.
fn drawn(data: &Histogram<1>, seed: u64) -> Vec<u32> {
    let block = SamplerBlock::Warped {
        slots: u64::MAX / 2,
        buckets: 1,
        most: None,
        drop_last: false,
    };
    SamplerRecipe {
        block,
        limit: u32::MAX,
    }
    .run(data, Order::Seed(seed), 0, true, &mut go_on)
    .unwrap()
    .1
    .concat()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Nothing is lost that is not counted; batches keep to their size but where the library does not; the same seed
    /// gives the same.
    #[test]
    fn every_sampler_accounts_for_every_token(data in histograms(90, 12, 60), limit in 20..100u32, batch in 1..20u32) {
        let room = LibraryLimits { limit, batch };
        for library in SAMPLERS {
            for chosen in variants(library, room) {
                let about = format!("{} {:?}", library.id, chosen.fields());
                let run = || chosen.recipe().unwrap().run(&data, Order::Seed(7), 7, true, &mut go_on);
                let Ok((tally, listed)) = run() else { continue };
                prop_assert_eq!(&run().unwrap(), &(tally.clone(), listed.clone()), "{}", &about);
                prop_assert_eq!(tally.tokens(), data.total()[0], "{}", &about);
                prop_assert_eq!(tally.sequences + tally.dropped_sequences, data.items(), "{}", &about);
                prop_assert_eq!(tally.batches, listed.len() as u64, "{}", &about);
                let slots = |batch: &Vec<u32>| batch.len() as u64 * u64::from(*batch.iter().max().unwrap());
                prop_assert_eq!(tally.slots, listed.iter().map(slots).sum::<u64>(), "{}", &about);
                prop_assert_eq!(tally.real_tokens, listed.iter().flatten().map(|l| u64::from(*l)).sum::<u64>());
                let above = listed.iter().filter(|batch| slots(batch) > room.slots()).count() as u64;
                match library.id {
                    "hf-group-by-length" => prop_assert!(listed.iter().all(|b| b.len() as u64 <= u64::from(batch))),
                    // Only the cost of a batch is bounded.
                    "hf-batch-rebalance" => {}
                    "espnet" | "lhotse" | "nemo-speech" => prop_assert_eq!(tally.above, above, "{}", &about),
                    _ => prop_assert_eq!((tally.above, above), (0, 0), "{}", &about),
                }
                let drops = ["drop_last", "dataloader_drop_last"].iter().any(|name| chosen.get(name) == "true");
                let drops = drops || library.id == "fairseq";
                let drops = drops || library.id == "nemo-speech" && chosen.get("max_duration") != "inf";
                prop_assert!(drops || tally.dropped_sequences == 0, "{}", &about);
            }
        }
    }

    /// lhotse's loop, with every bucket a list that is looked through each time. Which bucket is drawn is ours.
    #[test]
    fn lhotse_takes_the_beginning_of_a_bucket(data in histograms(60, 10, 30), slots in 60..400u64, buckets in 2..5u32) {
        let order = drawn(&data, 5);
        prop_assume!(order.len() >= buckets as usize);
        let block = SamplerBlock::Buckets { slots, buckets, buffer: 1_000_000, sample: 1_000_000, evenly_to: None, quadratic: None, drop_last: false };
        let made = SamplerRecipe { block, limit: u32::MAX }.run(&data, Order::Given(&order), 1, true, &mut go_on).unwrap().1;
        let mut sorted = order.clone();
        sorted.sort_unstable();
        let each = sorted.iter().map(|l| f64::from(*l)).sum::<f64>() / f64::from(buckets);
        let (mut ends, mut total) = (Vec::new(), 0.0);
        for length in sorted {
            if total > each {
                ends.push(length);
                total = 0.0;
            }
            total += f64::from(length);
        }
        // All is in the buffer at once: a bucket is cut from its beginning, whichever is drawn.
        let mut wanted = Vec::new();
        for at in 0..=ends.len() {
            let mut batch: Vec<u32> = Vec::new();
            let of = |length: &&u32| ends.iter().filter(|end| *end < *length).count() == at;
            for length in order.iter().filter(of) {
                batch.push(*length);
                if (batch.len() as u64 + 1) * u64::from(*batch.iter().max().unwrap()) > slots {
                    wanted.push(std::mem::take(&mut batch));
                }
            }
            wanted.extend((!batch.is_empty()).then_some(batch));
        }
        let sorted = |mut batches: Vec<Vec<u32>>| { batches.sort(); batches };
        prop_assert_eq!(sorted(made), sorted(wanted));
    }

    /// All of a batch lie between the same two ends, and nothing is longer than the last.
    #[test]
    fn nemo_speech_spaces_buckets_evenly(data in histograms(90, 12, 60), most in 5..80u32, buckets in 2..9u32, batch in 1..9u32) {
        let (most, of) = (most.to_string(), buckets.to_string());
        let mut chosen = SAMPLERS.iter().find(|library| library.id == "nemo-speech").unwrap().start(LibraryLimits { limit: 90, batch });
        chosen.set("max_duration", &most).unwrap();
        chosen.set("num_buckets", &of).unwrap();
        let (tally, made) = chosen.recipe().unwrap().run(&data, Order::Seed(3), 3, true, &mut go_on).unwrap();
        let most: u32 = most.parse().unwrap();
        let longer: u64 = data.entries().iter().filter(|([length], _)| *length > most).map(|(_, n)| n).sum();
        prop_assert_eq!(tally.dropped_sequences, longer);
        for batch in made {
            // ceil(length · buckets / most), in whole numbers: lengths of an end are below it.
            let at = |length: &u32| (u64::from(*length) * u64::from(buckets)).div_ceil(u64::from(most));
            prop_assert!(batch.iter().all(|length| *length <= most && at(length) == at(&batch[0])), "{batch:?}");
        }
    }

    /// Without multiples, fairseq is the token budget that Batches has.
    #[test]
    fn fairseq_without_multiples_is_a_token_budget(data in histograms(90, 12, 60), batch in 1..20u32) {
        let room = LibraryLimits { limit: 90, batch };
        let answer = one(&data, room, "fairseq", &[("required_batch_size_multiple", "1")]);
        let all = report(&data, room, LibrariesQuestion::All);
        let (_, budget) = all.beside.iter().find(|(sampler, _)| *sampler == Sampler::TokenBudget).unwrap();
        prop_assert_eq!(answer.figures.unwrap().batches, budget.batches);
        prop_assert_eq!(answer.runs[0].tally.slots as f64, budget.slots);
    }
}

#[test]
fn figures_lie_where_they_should() {
    let data = built_in("gsm8k_train");
    let room = LibraryLimits {
        limit: 512,
        batch: 16,
    };
    let all = report(&data, room, LibrariesQuestion::All);
    assert_eq!(all.answers.len(), SAMPLERS.len());
    let padding = |id: &str| {
        let answer = all
            .answers
            .iter()
            .find(|answer| answer.about.library == id)
            .unwrap();
        answer.figures.as_ref().unwrap().padding_share
    };
    let beside = |sampler| {
        all.beside
            .iter()
            .find(|(other, _)| *other == sampler)
            .unwrap()
            .1
            .padding_share
    };
    // SpeechBrain's buckets do not look at the data: they may pad as much as random batches do.
    for id in ["hf-group-by-length", "fairseq", "lhotse", "espnet"] {
        assert!(padding(id) < beside(Sampler::Random), "{id}");
    }
    assert!(padding("fairseq") < padding("hf-group-by-length"));
    // ESPnet's batches are closed too late.
    let espnet = one(&data, room, "espnet", &[]).runs[0].tally.clone();
    assert!(espnet.above + 1 >= espnet.batches, "{espnet:?}");
    // The longest come last; a multiple of 8 leaves the rest out.
    let fairseq = one(&data, room, "fairseq", &[]).runs[0].tally.clone();
    assert!(fairseq.dropped_sequences > 0 || fairseq.sequences == data.items());
    let refused = one(&data, room, "fairseq", &[("max_tokens", "100")])
        .about
        .refused
        .unwrap();
    assert!(refused.contains("100"), "{refused}");
    let few = Histogram::from_lengths([(5, 3)]).unwrap();
    assert!(
        one(&few, room, "lhotse", &[])
            .about
            .refused
            .unwrap()
            .contains("fewer num_buckets")
    );
}

#[test]
fn a_pass_can_be_cancelled() {
    let data = built_in("gsm8k_train");
    for library in SAMPLERS {
        let recipe = library
            .start(LibraryLimits {
                limit: 512,
                batch: 8,
            })
            .recipe()
            .unwrap();
        let mut stop = |_: Step| ControlFlow::Break(());
        let ended = recipe.run(&data, Order::Seed(0), 0, false, &mut stop);
        assert_eq!(
            ended.unwrap_err(),
            packscope::Error::Cancelled,
            "{}",
            library.id
        );
    }
}

/// Whether a bucket of SpeechBrain ends at a length, of as many buckets as have these quantiles: the next longer sequence
/// is not in its batch.
fn ends_at(length: u32, slots: u64, buckets: u32) -> bool {
    let two = Histogram::from_lengths([(length, 1), (length + 1, 1)]).unwrap();
    let block = SamplerBlock::Warped {
        slots,
        buckets,
        most: None,
        drop_last: false,
    };
    let recipe = SamplerRecipe {
        block,
        limit: u32::MAX,
    };
    recipe
        .run(&two, Order::Seed(0), 0, false, &mut go_on)
        .unwrap()
        .0
        .batches
        == 2
}

/// Quantiles of the standard normal distribution, from tables, at 1 to 999 thousandths: the last bucket ends at the
/// slots of a batch, and the others before it as the exponentials of their quantiles do, to the last token.
#[test]
fn quantiles_are_those_of_the_tables() {
    let last = 3.090_232_306_167_813;
    for quantile in [0.0f64, 1.959_963_984_540_054, -2.326_347_874_040_841] {
        let slots = (3e9 * (last - quantile).exp()) as u64;
        let end = slots as f64 / (last - quantile).exp();
        assert!(ends_at(end as u32, slots, 999), "{quantile}: {end}");
        assert!(
            !ends_at(end as u32 - 2, slots, 999) && !ends_at(end as u32 + 2, slots, 999),
            "{quantile}"
        );
    }
}

/// Of very many sequences a sample is batched where they are taken one by one, and its account is that of all.
#[test]
fn a_sample_of_very_many_sequences_stands_for_all_and_is_mentioned() {
    let room = LibraryLimits {
        limit: 128,
        batch: 16,
    };
    let of = |times: u64| {
        let data =
            Histogram::from_lengths((1..=100).map(|l| (l, times * u64::from(1 + l % 7)))).unwrap();
        let mut asked = 0u64;
        let mut progress = |_| {
            asked += 1;
            ControlFlow::Continue(())
        };
        let request = LibrariesRequest {
            counts: data.lengths(),
            order: Vec::new(),
            given: room,
            question: LibrariesQuestion::One {
                library: "hf-group-by-length".to_owned(),
                settings: Vec::new(),
                packs: false,
            },
            seed: 0,
            seeds: 3,
            optimum: false,
        };
        let report: Report = request.run(&mut progress).unwrap();
        (data.items(), report, asked)
    };
    let (items, many, asked) = of(1_000_000);
    assert!(
        items > 300_000_000 && asked < 400,
        "{asked} times 65,536 sequences"
    );
    let answer = &many.answers[0];
    assert_eq!(answer.own.sample, Some(131_072));
    let tally = &answer.runs[0].tally;
    assert!(tally.sequences.abs_diff(items) < 3_000 && answer.runs.len() == 3);
    let json = serde_json::to_value(&many).unwrap();
    assert_eq!(json["answers"][0]["sample"], 131_072);
    let (_, few, _) = of(1_000);
    assert!(few.answers[0].own.sample.is_none());
    assert!(
        serde_json::to_value(&few).unwrap()["answers"][0]
            .get("sample")
            .is_none()
    );
    let padding = |report: &Report| report.answers[0].figures.as_ref().unwrap().padding_share;
    assert!(
        (padding(&many) / padding(&few) - 1.0).abs() < 0.1,
        "{} {}",
        padding(&many),
        padding(&few)
    );
}
