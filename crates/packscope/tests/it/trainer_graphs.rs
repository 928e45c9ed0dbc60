//! Loaders of graphs, each against a reference implementation, item by item.

use crate::common::{built_in_graphs, sizes};
use packscope::api::Query;
use packscope::api::trainer::{self, LibrariesQuestion, LibrariesRequest};
use packscope::histogram::{FREE, Histogram};
use packscope::packing::{Step, go_on};
use packscope::trainer::graphs::{GraphLibraries, GraphPassOutcome, GraphRecipe, LOADERS, Rule};
use packscope::trainer::{Library, LibrarySettings, Order, SettingValue};
use proptest::prelude::*;
use std::ops::ControlFlow;

type Graph = [u32; 2];
type Answer = trainer::LibraryAnswer<GraphLibraries>;

fn answers(data: &Histogram<2>, given: Graph, question: LibrariesQuestion) -> Vec<Answer> {
    let (counts, order) = (data.entries().to_vec(), Vec::new());
    let request = LibrariesRequest {
        counts,
        order,
        given,
        question,
        seed: 0,
        seeds: 3,
        optimum: false,
    };
    request.run(&mut go_on).unwrap().answers
}

fn one(data: &Histogram<2>, limits: Graph, library: &str, settings: &[(&str, &str)]) -> Answer {
    let field = |(name, value): &(&str, &str)| SettingValue {
        name: (*name).to_owned(),
        value: (*value).to_owned(),
    };
    let settings = settings.iter().map(field).collect();
    let question = LibrariesQuestion::One {
        library: library.to_owned(),
        settings,
        packs: false,
    };
    answers(data, limits, question).remove(0)
}

/// The settings to begin with, and others that matter.
fn variants(
    library: &'static Library<GraphLibraries>,
    limits: Graph,
) -> Vec<LibrarySettings<GraphLibraries>> {
    let more: &[&[(&str, &str)]] = match library.id {
        "pyg" => &[
            &[],
            &[("mode", "edge")],
            &[("skip_too_big", "true")],
            &[("skip_too_big", "true"), ("mode", "edge")],
        ],
        "jraph" => &[&[], &[("n_graph", "3")]],
        "tf-gnn" => &[
            &[("fit_or_skip_sample_sample_size", "200")],
            &[
                ("fit_or_skip_sample_sample_size", "200"),
                ("global_batch_size", "4"),
                ("drop_remainder", "true"),
            ],
        ],
        "tf-gnn-tight" => &[
            &[],
            &[("global_batch_size", "3"), ("drop_remainder", "true")],
        ],
        _ => &[&[], &[("total_num_components", "2")]],
    };
    let with = |changes: &&[(&str, &str)]| {
        let mut chosen = library.start(limits);
        changes
            .iter()
            .for_each(|(name, value)| chosen.set(name, value).unwrap());
        chosen
    };
    more.iter().map(with).collect()
}

#[test]
fn loaders_are_complete() {
    let mut ids: Vec<&str> = LOADERS.iter().map(|library| library.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), LOADERS.len());
    for library in LOADERS {
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
                library.start([222, 502]).set(setting.name, value).unwrap();
            }
            assert!(
                library.lines.contains(&format!("{{{}}}", setting.name)),
                "{}",
                setting.name
            );
            assert!(setting.about.ends_with('.'), "{}", setting.about);
        }
        assert!(library.lines.ends_with('\n') && library.note.ends_with('.'));
    }
    // Numbers stand in the lines, also those that are found from the data.
    for answer in answers(
        &built_in_graphs("mol_qm9_allatoms_graph"),
        [222, 502],
        LibrariesQuestion::All,
    ) {
        assert_eq!(answer.about.refused, None);
        for word in ["{nodes}", "{limit}", "{edges}", "=fits", "=limit", "=nodes"] {
            assert!(!answer.about.lines.contains(word), "{}", answer.about.lines);
        }
    }
    assert!(
        Library::<GraphLibraries>::find("dgl")
            .unwrap_err()
            .to_string()
            .contains("expected one of: pyg, jraph")
    );
}

/// The graphs in the order of a seed, as a library that keeps the order lists them.
fn drawn(data: &Histogram<2>, seed: u64) -> Vec<Graph> {
    let recipe = GraphRecipe::UpTo {
        component: 0,
        most: u32::MAX,
        skip: false,
    };
    recipe
        .run(data, Order::Seed(seed), 0, true, &mut go_on)
        .unwrap()
        .listed
        .concat()
}

/// `DynamicBatchSampler.__iter__`, with the list of all graphs at hand.
fn pyg(graphs: &[Graph], component: usize, most: u64, skip: bool) -> Vec<Vec<usize>> {
    let (mut batches, mut processed) = (Vec::new(), 0);
    while processed < graphs.len() && batches.len() < graphs.len() {
        let (mut batch, mut current) = (Vec::new(), 0);
        for (i, graph) in graphs.iter().enumerate().skip(processed) {
            let size = u64::from(graph[component]);
            if current + size > most {
                if current > 0 {
                    break;
                } else if skip {
                    continue;
                }
            }
            batch.push(i);
            processed += 1;
            current += size;
        }
        batches.push(batch);
    }
    batches
}

/// Next fit by a rule; `None` where a graph fits no batch.
fn dynamic(graphs: &[Graph], fits: impl Fn(&[Graph]) -> bool) -> Option<Vec<Vec<Graph>>> {
    let mut batches: Vec<Vec<Graph>> = vec![Vec::new()];
    for &graph in graphs {
        let open = batches.last_mut()?;
        open.push(graph);
        if !fits(open) {
            open.pop();
            batches.push(vec![graph]);
            if !fits(&[graph]) {
                return None;
            }
        }
    }
    Some(batches)
}

fn sums(batch: &[Graph]) -> [u64; 2] {
    [0, 1].map(|k| batch.iter().map(|graph| u64::from(graph[k])).sum())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Nothing is lost that is not counted, nothing comes twice that is not, batches keep to their size, and the same
    /// seed gives the same.
    #[test]
    fn every_loader_accounts_for_every_graph(data in sizes::<2>(40, 10, 30), limits in (45..120u32, 45..120u32)) {
        let limits = [limits.0, limits.1];
        for library in LOADERS {
            for chosen in variants(library, limits) {
                let about = format!("{} {:?}", library.id, chosen.fields());
                let run = || chosen.recipe().unwrap().run(&data, Order::Seed(7), 7, true, &mut go_on);
                let Ok(GraphPassOutcome { tally, shape, listed }) = run() else { continue };
                prop_assert_eq!(&run().unwrap().listed, &listed, "{}", &about);
                prop_assert_eq!(tally.graphs + tally.skipped_graphs, data.items(), "{}", &about);
                prop_assert_eq!(tally.all(), data.total(), "{}", &about);
                prop_assert_eq!(tally.batches, listed.len() as u64, "{}", &about);
                prop_assert_eq!(tally.graphs + tally.repeated_graphs, listed.iter().map(Vec::len).sum::<usize>() as u64);
                prop_assert_eq!(tally.real, sums(&listed.concat()), "{}", &about);
                let mut above = 0;
                for batch in &listed {
                    let sums = sums(batch);
                    let large = (0..2).any(|k| shape.room[k].is_some_and(|room| sums[k] > room));
                    above += u64::from(large);
                    prop_assert!(!large || (library.id == "pyg" && batch.len() == 1), "{}", &about);
                    prop_assert!(shape.graphs.is_none_or(|most| batch.len() as u64 <= most), "{}", &about);
                }
                prop_assert_eq!(tally.above, above, "{}", &about);
                for k in 0..2 {
                    prop_assert!(tally.slots[k] >= tally.real[k], "{}", &about);
                    if let (Some(slots), 0) = (shape.slots[k], tally.above) {
                        prop_assert_eq!(tally.slots[k], slots * tally.batches, "{}", &about);
                    }
                }
                if chosen.get("global_batch_size") == "fits" {
                    prop_assert!((0..2).all(|k| shape.slots[k].unwrap() <= u64::from(limits[k])), "{}", &about);
                }
            }
        }
    }

    /// PyTorch Geometric's sampler, also where it skips and repeats.
    #[test]
    fn pyg_is_its_own_loop(data in sizes::<2>(30, 8, 12), most in 1..40u32, component in 0..2usize, skip in any::<bool>()) {
        let graphs = drawn(&data, 3);
        let wanted = pyg(&graphs, component, u64::from(most), skip);
        let made = GraphRecipe::UpTo { component, most, skip }.run(&data, Order::Given(&graphs), 0, true, &mut go_on).unwrap();
        let filled: Vec<Vec<Graph>> = wanted.iter().filter(|batch| !batch.is_empty())
            .map(|batch| batch.iter().map(|i| graphs[*i]).collect()).collect();
        prop_assert_eq!(&made.listed, &filled);
        prop_assert_eq!(made.tally.empty, (wanted.len() - filled.len()) as u64);
        let mut seen: Vec<usize> = wanted.concat();
        let all = seen.len();
        seen.sort_unstable();
        seen.dedup();
        prop_assert_eq!(made.tally.graphs, seen.len() as u64);
        prop_assert_eq!(made.tally.repeated_graphs, (all - seen.len()) as u64);
    }

    /// jraph and TF-GNN: a batch ends with the graph that does not fit with what padding needs.
    #[test]
    fn dynamic_batches_are_next_fit(data in sizes::<2>(20, 8, 12), nodes in 10..60u32, edges in 0..60u32, most in 2..9u32) {
        let graphs = drawn(&data, 4);
        let (n, e, g) = (u64::from(nodes), u64::from(edges), most as usize);
        let jraph = |batch: &[Graph]| {
            let [a, b] = sums(batch);
            a < n && b <= e && batch.len() < g
        };
        let tf_gnn = |batch: &[Graph]| {
            let [a, b] = sums(batch);
            let (full_nodes, full_edges) = (a == n, b == e);
            // What is added needs a graph, and edges that are added a node.
            let pads_nodes = !full_nodes || full_edges;
            let pads_graphs = batch.len() < g || (full_nodes && full_edges);
            a <= n && b <= e && batch.len() <= g && pads_nodes && pads_graphs
        };
        for (rule, wanted) in [(Rule::Jraph, dynamic(&graphs, jraph)), (Rule::TfGnn, dynamic(&graphs, tf_gnn))] {
            let recipe = GraphRecipe::Dynamic { slots: [nodes, edges], graphs: most, rule };
            let made = recipe.run(&data, Order::Given(&graphs), 0, true, &mut go_on);
            prop_assert_eq!(made.ok().map(|made| made.listed), wanted);
        }
    }
}

#[test]
fn limits_are_refused_where_they_do_not_do() {
    let data = built_in_graphs("ogbg_molhiv");
    let refused = |limits, library, settings: &[_]| {
        one(&data, limits, library, settings)
            .about
            .refused
            .unwrap_or_default()
    };
    // The largest graph has 222 nodes: jraph keeps one for padding.
    assert!(refused([222, 502], "jraph", &[]).contains("a graph of 222 nodes"));
    assert_eq!(refused([223, 502], "jraph", &[]), "");
    assert!(refused([222, 502], "tf-gnn-tight", &[]).contains("padded to 223 nodes and 502 edges"));
    assert!(refused([222, FREE], "jraph", &[]).contains("expected a limit for each"));
    assert_eq!(refused([222, FREE], "pyg", &[]), "");
    assert!(!refused([0, 502], "pyg", &[]).is_empty());
}

/// What refuses the limits of the largest graph says at which ones it takes all graphs, and these are the smallest.
#[test]
fn a_refusal_names_the_smallest_limits_that_do() {
    let mut refused = 0;
    for id in ["ogbg_molhiv", "tu_mutag", "mol_qm9", "tu_proteins"] {
        let data = built_in_graphs(id);
        let maxima = data.max().map(|most| most.max(1));
        for library in LOADERS {
            let answer = one(&data, maxima, library.id, &[]);
            if answer.about.refused.is_none() {
                assert_eq!(answer.own.least, None, "{id} {}", library.id);
                continue;
            }
            let least = answer.own.least.expect(library.id);
            let there = one(&data, least, library.id, &[]);
            assert_eq!(there.about.refused, None, "{id} {} {least:?}", library.id);
            for smaller in [[least[0] - 1, least[1]], [least[0], least[1] - 1]] {
                let below = one(&data, smaller, library.id, &[]);
                assert!(
                    below.about.refused.is_some(),
                    "{id} {} {smaller:?}",
                    library.id
                );
            }
            refused += 1;
        }
    }
    assert!(refused >= 8, "{refused}");
}

#[test]
fn what_is_padded_more_has_more_batches() {
    let data = built_in_graphs("mol_qm9_allatoms_graph");
    let batches = |library| {
        one(&data, [222, 502], library, &[])
            .figures
            .unwrap()
            .batches
    };
    assert!(batches("jraph") < batches("tf-gnn") && batches("tf-gnn") < batches("tf-gnn-tight"));
    let answer = one(&data, [222, 502], "tf-gnn", &[("global_batch_size", "8")]);
    let figures = answer.figures.unwrap();
    // One in a hundred batches is skipped, by design and within what a sample can tell.
    assert!(
        (0.003..0.02).contains(&figures.skipped_share),
        "{}",
        figures.skipped_share
    );
    assert!(
        figures.above_best.unwrap() > 0.0
            && figures
                .padding_share
                .iter()
                .all(|share| share.unwrap() > 0.0)
    );
}

#[test]
fn a_pass_can_be_cancelled() {
    let data = built_in_graphs("ogbg_molhiv");
    for library in LOADERS {
        let recipe = library.start([300, 600]).recipe().unwrap();
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
