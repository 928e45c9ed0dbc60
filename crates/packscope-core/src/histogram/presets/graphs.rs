//! The built-in sets of two components: graphs, and pairs for encoders and decoders.

use super::{Generated, Preset};

const GRAPH: Preset = Preset {
    components: &["nodes", "edges"],
    ..Preset::BLANK
};

pub(super) const ALL: &[Preset] = &[
    Preset {
        id: "ogbg_molhiv",
        title: "ogbg-molhiv, training split",
        group: "Molecules",
        limits: &[222, 502],
        about: "Molecules tested against HIV, as in Krell et al. 2022: heavy atoms, bonds both ways.",
        source: "graphcore/examples@3cc8f81, gnns/README.md. MIT.",
        ..GRAPH
    },
    Preset {
        id: "mol_muv",
        title: "MUV",
        group: "Molecules",
        limits: &[46, 104],
        about: "93,127 molecules of a screening benchmark: heavy atoms, bonds both ways.",
        source: "deepchem/deepchem@fbe3b911a9, datasets/muv.csv.gz. MIT.",
        ..GRAPH
    },
    Preset {
        id: "mol_zinc250k",
        title: "ZINC, 250,000",
        group: "Molecules",
        limits: &[38, 90],
        about: "Drug-like molecules: heavy atoms, bonds both ways.",
        source: "insilicomedicine/DD-VAE@13498d098b. Terms of ZINC.",
        ..GRAPH
    },
    Preset {
        id: "mol_qm9",
        title: "QM9, heavy atoms",
        group: "Molecules",
        limits: &[9, 28],
        about: "Small molecules without hydrogen: atoms, bonds both ways. Three have no bond.",
        source: "the16thpythonist/graph_hdc_public@f73f19e692; QM9 (figshare).",
        ..GRAPH
    },
    Preset {
        id: "mol_qm9_allatoms_graph",
        title: "QM9, all atoms",
        group: "Molecules",
        limits: &[29, 56],
        about: "Small molecules, hydrogen included: atoms, bonds both ways.",
        source: "the16thpythonist/graph_hdc_public@f73f19e692; QM9 (figshare).",
        ..GRAPH
    },
    Preset {
        id: "tu_mutag",
        title: "MUTAG",
        group: "Molecules",
        limits: &[28, 66],
        about: "188 compounds: atoms, bonds both ways.",
        source: "TU collection, through yeweiysh/IHGNN@b17214636d. No explicit licence.",
        ..GRAPH
    },
    Preset {
        id: "tu_proteins",
        title: "PROTEINS",
        group: "Proteins",
        limits: &[620, 2098],
        about: "1,113 proteins: pieces of secondary structure, neighbours both ways.",
        source: "TU collection, through yeweiysh/IHGNN@b17214636d. No explicit licence.",
        ..GRAPH
    },
    Preset {
        id: "tu_dd",
        title: "D&D",
        group: "Proteins",
        limits: &[5748, 28_534],
        about: "1,178 proteins: residues, neighbours both ways.",
        source: "TU collection, through yeweiysh/IHGNN@b17214636d. No explicit licence.",
        ..GRAPH
    },
    Preset {
        id: "like_ogbg_ppa",
        title: "Like ogbg-ppa (generated)",
        group: "Proteins",
        limits: &[300, 36_138],
        about: "Generated, no real data: graphs as many and as large as those of ogbg-ppa, 54 % with 300 nodes.",
        source: "Generated here; numbers after the OGB and Krell et al. 2022 (tuple packing).",
        generated: Some(Generated::Ppa),
        ..GRAPH
    },
    Preset {
        id: "tu_collab",
        title: "COLLAB",
        group: "Social networks",
        limits: &[492, 80_239],
        about: "5,000 circles of researchers: people, joint papers both ways.",
        source: "TU collection, through yeweiysh/IHGNN@b17214636d. No explicit licence.",
        ..GRAPH
    },
    Preset {
        id: "tu_reddit_binary",
        title: "REDDIT-BINARY",
        group: "Social networks",
        limits: &[3782, 8142],
        about: "2,000 discussions: people, answers both ways.",
        source: "TU collection, through yeweiysh/IHGNN@b17214636d. No explicit licence.",
        ..GRAPH
    },
    Preset {
        id: "cpython311_function_ast",
        title: "CPython functions",
        group: "Source code",
        limits: &[2511, 2510],
        about: "16,539 functions of the standard library as syntax trees, edges in one direction.",
        source: "CPython 3.11.7, Lib/**/*.py without tests. PSF 2.0.",
        ..GRAPH
    },
    Preset {
        id: "like_ogbg_code2",
        title: "Like ogbg-code2 (generated)",
        group: "Source code",
        limits: &[36_123, 36_122],
        about: "Generated, no real data: trees as many and as large as those of ogbg-code2, edges = nodes − 1.",
        source: "Generated here; numbers after the OGB and Krell et al. 2022 (tuple packing).",
        generated: Some(Generated::Code),
        ..GRAPH
    },
    Preset {
        id: "like_summaries",
        title: "Texts and summaries (generated)",
        group: "Encoder and decoder",
        components: &["source tokens", "target tokens"],
        limits: &[512, 128],
        about: "Generated, no real data: 20,000 pairs for encoder and decoder, cut at 512 and 128 tokens.",
        source: "Generated here.",
        generated: Some(Generated::Summaries),
    },
];
