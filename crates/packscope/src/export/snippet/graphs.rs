//! Snippets for packs of graphs.

use super::apply::{self, ItemTraits};
use super::{Snippet, SnippetContext, Tool, sequences};
use crate::api::tuple::Settings;
use crate::histogram::FREE;
use crate::metrics::Figures;
use crate::words::plural;

pub(super) fn graph_snippets(
    context: &SnippetContext,
    settings: &Settings,
    figures: &Figures,
) -> Vec<Snippet> {
    let &[nodes, edges] = settings.limits.as_slice() else {
        return Vec::new();
    };
    let limit = |limit: u32| {
        if limit == FREE {
            "any".to_owned()
        } else {
            limit.to_string()
        }
    };
    let words = format!(
        "{} nodes, {} edges, depth {}: {}",
        limit(nodes),
        limit(edges),
        settings.depth,
        plural(figures.packs, "pack")
    );
    let items = ItemTraits {
        columns: &["nodes", "edges"],
        limits: &[nodes, edges],
        overlong: settings.overlong,
        align: 1,
    };
    let mut all = apply::engine_snippets(context, &words, &items);
    all.push(sequences::optimiser(context, &words, figures));
    all.push(pyg(context, &words, &items));
    all.push(dgl(context, &words, &items));
    // jit compiles anew for each shape, so both limits must be fixed.
    if nodes != FREE && edges != FREE {
        all.push(jraph(context, &words, &items, figures));
    }
    all
}

fn pyg(context: &SnippetContext, words: &str, items: &ItemTraits) -> Snippet {
    let text = apply::head(context, words, "import numpy as np\nimport torch\n\n")
        + &apply::numpy(items)
        + include_str!("numpy.py")
        + "\n\n"
        + include_str!("plan_sampler.py")
        + include_str!("pyg.py");
    Snippet {
        tool: Tool::Pyg,
        language: "python",
        text,
        notes: vec![
            "A batch is a pack: within both budgets and the depth. PyG's own DynamicBatchSampler has one budget, nodes or \
             edges, and takes graphs as they come."
                .to_owned(),
            "PyG batches are as large as their graphs: pad them to the budgets where shapes must not change.".to_owned(),
            REDRAW_NOTE.to_owned(),
        ],
        executed: true,
    }
}

fn dgl(context: &SnippetContext, words: &str, items: &ItemTraits) -> Snippet {
    let text = apply::head(context, words, "import numpy as np\nimport torch\n\n")
        + &apply::numpy(items)
        + include_str!("numpy.py")
        + "\n\n"
        + include_str!("plan_sampler.py")
        + include_str!("dgl.py");
    Snippet {
        tool: Tool::Dgl,
        language: "python",
        text,
        notes: vec![
            "A batch is a pack, put together by dgl.batch. The tests run these lines with a stand-in for DGL, which they do not \
             install."
                .to_owned(),
            REDRAW_NOTE.to_owned(),
        ],
        executed: true,
    }
}

const REDRAW_NOTE: &str = "redraw=True puts other graphs of the same sizes together in each epoch; the authors of tuple packing saw no \
                       difference (§2.6). loss_per_graph counts each graph once.";

fn jraph(context: &SnippetContext, words: &str, items: &ItemTraits, figures: &Figures) -> Snippet {
    let (nodes, edges) = (items.limits.first().copied(), items.limits.get(1).copied());
    let own = format!(
        "# One node and one graph more than a pack holds: padding is a graph of its own.\nN_NODE, N_EDGE, N_GRAPH = {}, {}, {}\n",
        u64::from(nodes.unwrap_or(1)) + 1,
        edges.unwrap_or(1),
        figures.max_depth + 1
    );
    let text = apply::head(context, words, "import jraph\nimport numpy as np\n\n")
        + &own
        + &apply::numpy(items)
        + include_str!("numpy.py")
        + "\n\n"
        + include_str!("jraph.py");
    Snippet {
        tool: Tool::Jraph,
        language: "python",
        text,
        notes: vec![
            "packs(graphs) follows the plan; stream(graphs) is jraph.dynamically_batch with the same budgets: next fit, which \
             leaves more padding."
                .to_owned(),
        ],
        executed: true,
    }
}
