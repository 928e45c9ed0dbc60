//! Loaders of graphs as data.

use super::{GraphBatchSize, GraphLibraries, GraphPadding, GraphRecipe, Rule, both_limits};
use crate::accepts::number;
use crate::error::Result;
use crate::trainer::libraries::{commit, release};
use crate::trainer::library::{Language, Library, LibrarySettings};
use crate::trainer::setting::Setting;

/// Every loader of graphs.
pub const LOADERS: &[&Library<GraphLibraries>] =
    &[&PYG, &JRAPH, &TF_GNN, &TF_GNN_TIGHT, &TF_GNN_DYNAMIC];

/// Numbers of graphs, nodes or edges.
const SOME: (u64, u64) = (1, 4_000_000_000);

const PYG: Library<GraphLibraries> = Library {
    id: "pyg",
    title: "PyTorch Geometric, DynamicBatchSampler",
    read: release(
        "pyg-team/pytorch_geometric",
        "torch_geometric/loader/dynamic_batch_sampler.py: DynamicBatchSampler",
        "torch_geometric",
        "2.8.1",
    ),
    settings: &[
        Setting::names(
            "mode",
            &["node", "edge"],
            "node",
            "Whether nodes or edges are counted; the other is not limited.",
        ),
        Setting::whole_or(
            "max_num",
            SOME,
            &["limit"],
            "limit",
            "The most nodes, or edges, of a batch: the limit of that component, or a number. It has no default.",
        ),
        Setting::switch(
            "skip_too_big",
            "false",
            "Skips graphs above max_num, instead of giving them a batch of their own.",
        ),
    ],
    recipe: |chosen| {
        let component = usize::from(chosen.get("mode") == "edge");
        // `limit` is no number: that of the component that is counted.
        let most = chosen.whole("max_num").unwrap_or(chosen.limit[component]);
        Ok(GraphRecipe::UpTo {
            component,
            most,
            skip: chosen.on("skip_too_big"),
        })
    },
    language: Language::Python,
    lines: "from torch_geometric.loader import DataLoader, DynamicBatchSampler\n\nsampler = DynamicBatchSampler(\n    dataset,\n    max_num={max_num},\n    mode=\"{mode}\",\n    shuffle=True,\n    skip_too_big={skip_too_big},\n)\nloader = DataLoader(dataset, batch_sampler=sampler)\n",
    note: "A graph above max_num is a batch by itself. With skip_too_big, graphs that follow a skipped one come again in the next batch, as those that are skipped are not counted (pull request 10467 would mend that), and where only such graphs are left, empty batches follow, on which PyG's collate fails. Nothing is padded: what counts is the largest batch. num_steps stops early, and is not simulated.",
};

const JRAPH: Library<GraphLibraries> = Library {
    id: "jraph",
    title: "jraph, dynamically_batch",
    read: release(
        "google-deepmind/jraph",
        "jraph/_src/utils.py: dynamically_batch",
        "jraph",
        "0.0.6.dev0",
    ),
    settings: &[Setting::whole_or(
        "n_graph",
        (2, SOME.1),
        &["nodes"],
        "nodes",
        "Graphs of a batch with the one that is padding: as many as nodes, which never binds, or a number. It has no default.",
    )],
    recipe: |chosen| {
        let slots = both_limits(chosen.limit)?;
        // Every graph has a node, so that as many graphs as nodes never bind; one of them is
        // padding.
        let graphs = chosen.whole("n_graph").unwrap_or(slots[0].max(2));
        Ok(GraphRecipe::Dynamic {
            slots,
            graphs,
            rule: Rule::Jraph,
        })
    },
    language: Language::Python,
    lines: "import jraph\n\nbatches = jraph.dynamically_batch(graphs, n_node={nodes}, n_edge={edges}, n_graph={n_graph})\n",
    note: "One node and one graph of every batch are padding. A larger graph raises, after the batch before it.",
};

const TF_GNN_READ: &str = "tensorflow/gnn";
const TF_GNN_COMMIT: &str = "0192e90";

const BATCH_SIZE: Setting = Setting::whole_or(
    "global_batch_size",
    (1, 1_000_000),
    &["fits"],
    "fits",
    "Graphs of a batch, on one replica: as many as are padded to the limits, or a number. It has no default.",
);
const DROP_REMAINDER: Setting = Setting::switch(
    "drop_remainder",
    "false",
    "Leaves the last batch out where it is smaller.",
);

const TF_GNN: Library<GraphLibraries> = Library {
    id: "tf-gnn",
    title: "TF-GNN, FitOrSkipPadding",
    read: commit(
        TF_GNN_READ,
        "tensorflow_gnn/graph/batching_utils.py: learn_fit_or_skip_size_constraints; runner/utils/padding.py: FitOrSkipPadding",
        TF_GNN_COMMIT,
    ),
    settings: &[
        BATCH_SIZE,
        Setting::whole(
            "fit_or_skip_sample_sample_size",
            (1, 1_000_000),
            "10000",
            "Graphs from which the size is learned, and batches drawn for that.",
        ),
        Setting::number(
            "fit_or_skip_success_ratio",
            (0.0, 1.0),
            &[],
            "0.99",
            "The share of random batches that are to fit.",
        )
        .tried(&["0.9", "0.95", "0.999"]),
        DROP_REMAINDER,
    ],
    recipe: |chosen| {
        let ratio = number(chosen.get("fit_or_skip_success_ratio")).unwrap_or(0.99);
        fixed(
            chosen,
            GraphPadding::FitOrSkip {
                sample: chosen.number("fit_or_skip_sample_sample_size"),
                ratio,
            },
        )
    },
    language: Language::Python,
    lines: "from tensorflow_gnn import runner\n\npadding = runner.FitOrSkipPadding(\n    gtspec,\n    train_ds_provider,\n    fit_or_skip_sample_sample_size={fit_or_skip_sample_sample_size},\n    fit_or_skip_success_ratio={fit_or_skip_success_ratio},\n)\nrunner.run(\n    ...,\n    global_batch_size={global_batch_size},\n    train_padding=padding,\n    drop_remainder={drop_remainder},\n)\n",
    note: "Batches that do not fit are skipped; its data are repeated, so that their graphs come again in other batches. The sample is random, in its generator and in ours: sizes differ a little from run to run.",
};

const TF_GNN_TIGHT: Library<GraphLibraries> = Library {
    id: "tf-gnn-tight",
    title: "TF-GNN, TightPadding",
    read: commit(
        TF_GNN_READ,
        "tensorflow_gnn/graph/batching_utils.py: find_tight_size_constraints; runner/utils/padding.py: TightPadding",
        TF_GNN_COMMIT,
    ),
    settings: &[BATCH_SIZE, DROP_REMAINDER],
    recipe: |chosen| fixed(chosen, GraphPadding::Tight),
    language: Language::Python,
    lines: "from tensorflow_gnn import runner\n\nrunner.run(\n    ...,\n    global_batch_size={global_batch_size},\n    train_padding=runner.TightPadding(gtspec, train_ds_provider),\n    drop_remainder={drop_remainder},\n)\n",
    note: "Every batch has room for global_batch_size graphs as large as the largest; nothing is skipped.",
};

const TF_GNN_DYNAMIC: Library<GraphLibraries> = Library {
    id: "tf-gnn-dynamic",
    title: "TF-GNN, dynamic_batch",
    read: commit(
        TF_GNN_READ,
        "tensorflow_gnn/graph/batching_utils.py: dynamic_batch; padding_ops.py: satisfies_size_constraints",
        TF_GNN_COMMIT,
    ),
    settings: &[Setting::whole_or(
        "total_num_components",
        (1, SOME.1),
        &["nodes"],
        "nodes",
        "Graphs of a batch: as many as nodes, or a number. It has no default.",
    )],
    recipe: |chosen| {
        let slots = both_limits(chosen.limit)?;
        let graphs = chosen.whole("total_num_components").unwrap_or(slots[0]);
        Ok(GraphRecipe::Dynamic {
            slots,
            graphs,
            rule: Rule::TfGnn,
        })
    },
    language: Language::Python,
    lines: "import tensorflow_gnn as tfgnn\n\nsizes = tfgnn.SizeConstraints(\n    total_num_components={total_num_components},\n    total_num_nodes={\"nodes\": {nodes}},\n    total_num_edges={\"edges\": {edges}},\n)\nbatches = tfgnn.dynamic_batch(dataset, sizes).map(lambda graph: graph.merge_batch_to_components())\nbatches = batches.map(lambda graph: tfgnn.pad_to_total_sizes(graph, sizes))\n",
    note: "A batch keeps a node for edges that are padding, unless its edges are full. A larger graph raises.",
};

fn fixed(chosen: &LibrarySettings<GraphLibraries>, padding: GraphPadding) -> Result<GraphRecipe> {
    let graphs = chosen
        .whole("global_batch_size")
        .map_or(GraphBatchSize::Fits, GraphBatchSize::Of);
    let limits = both_limits(chosen.limit)?;
    Ok(GraphRecipe::Fixed {
        graphs,
        padding,
        limits,
        drop_last: chosen.on("drop_remainder"),
    })
}
