//! Column names that belong together: nodes and edges of a graph, source and target of a pair.

/// The names of the components of text, by which sequences with stopwords are told from pairs.
pub(super) const OF_TEXT: [&str; 2] = ["words", "stopwords"];

/// Synonyms for one component, without prefixes and suffixes that mean a number or a length.
type Synonyms = &'static [&'static str];

/// The edges of a graph as PyTorch Geometric has them: two rows, of their ends.
const EDGE_INDEX: &str = "edge_index";

/// The synonyms for the components of a graph, and their names.
const GRAPH: [(Synonyms, &str); 3] = [
    (&["node", "atom", "vertex", "vertice"], "nodes"),
    (&["edge", "bond", EDGE_INDEX], "edges"),
    (&["triplet", "angle"], "triplets"),
];

/// The synonyms for the components of pairs.
const PAIRS: [[Synonyms; 2]; 4] = [
    [&["source", "src"], &["target", "tgt"]],
    [&["encoder", "enc"], &["decoder", "dec"]],
    [
        &["input", "prompt", "context", "prefill", "question"],
        &[
            "output",
            "completion",
            "response",
            "generated",
            "generation",
            "decode",
            "answer",
        ],
    ],
    [&["article", "document"], &["summary", "abstract"]],
];

/// Examples of recognised names, for messages.
pub(super) const KNOWN: &str = "nodes and edges, source and target, encoder and decoder, input and output, or prompt and completion";

/// Returns the indices of `wanted` names that belong together, in the order of the components.
pub(super) fn find(names: &[&str], wanted: usize) -> Option<Vec<usize>> {
    let all = |words: &mut dyn Iterator<Item = Synonyms>| -> Option<Vec<usize>> {
        words
            .take(wanted)
            .map(|words| place(names, words))
            .collect()
    };
    let graph = all(&mut GRAPH.iter().map(|(words, _)| *words));
    let mut kinds = graph.into_iter().chain(
        PAIRS
            .iter()
            .filter_map(|pair| all(&mut pair.iter().copied())),
    );
    // Pairs have two names, so `take` gives too few where three are wanted.
    kinds.find(|places| places.len() == wanted)
}

/// Whether a field, by its name or the path to it, holds the ends of edges in two rows.
pub(super) fn is_edge_index(name: &str) -> bool {
    name.rsplit('.').next() == Some(EDGE_INDEX)
}

/// Whether a field has an element for each part of a graph, by a word in its name: `nodes`, `node_feat`, `edge_attr`.
pub(super) fn is_part_of_graph(name: &str) -> bool {
    let name = plain(name);
    let is_part = |word: &str| {
        GRAPH
            .iter()
            .any(|(words, _)| words.contains(&word.trim_end_matches('s')))
    };
    name.split('_').any(is_part)
}

/// Returns the component of a graph that a name denotes.
pub(super) fn of_graph(name: &str) -> Option<&'static str> {
    GRAPH
        .iter()
        .find(|(words, _)| words.contains(&stem(name).0.as_str()))
        .map(|(_, called)| *called)
}

/// Returns the first component of a graph that no name denotes, if another one is present.
pub(super) fn missing(names: &[&str], wanted: usize) -> Option<&'static str> {
    let components = &GRAPH[..wanted.min(GRAPH.len())];
    let is_there = |words: Synonyms| place(names, words).is_some();
    let some = components.iter().any(|(words, _)| is_there(words));
    components
        .iter()
        .find(|(words, _)| some && !is_there(words))
        .map(|(_, called)| *called)
}

/// Words for a prompt and its response that no training of encoders with decoders has: only the sum is offered.
const PROMPT: Synonyms = &["request", "query", "instruction", "user"];
const RESPONSE: Synonyms = &["assistant", "reply", "generate", "chosen", "rejected"];

/// Returns the indices of a prompt and its response, which a decoder reads as one sequence.
pub(super) fn prompt_and_response(names: &[&str]) -> Option<[usize; 2]> {
    let [prompts, responses] = PAIRS[2];
    let find = |of: [Synonyms; 2]| of.into_iter().find_map(|words| place(names, words));
    Some([find([prompts, PROMPT])?, find([responses, RESPONSE])?])
}

/// Returns the index of a name that matches, preferring `source_length` to `source`, which may be a text.
fn place(names: &[&str], words: Synonyms) -> Option<usize> {
    let has = |name: &str| Some(stem(name)).filter(|(stem, _)| words.contains(&stem.as_str()));
    let measured = names
        .iter()
        .position(|name| has(name).is_some_and(|(_, measured)| measured));
    measured.or_else(|| names.iter().position(|name| has(name).is_some()))
}

// Longer ones stand before shorter ones that they contain: the first that fits is cut off.
const BEFORE: [&str; 6] = ["number_of_", "num_", "n_", "len_", "num", "#"];
const AFTER: [&str; 13] = [
    "_token_count",
    "_tokens",
    "_token",
    "_count",
    "_lengths",
    "_length",
    "_lens",
    "_len",
    "_size",
    "tokens",
    "count",
    "length",
    "len",
];

/// Returns the word in a name, in the singular, and whether the name denotes a number.
fn stem(name: &str) -> (String, bool) {
    let plain = plain(name);
    let before = BEFORE
        .iter()
        .find_map(|b| plain.strip_prefix(b))
        .unwrap_or(&plain);
    let word = AFTER
        .iter()
        .find_map(|a| before.strip_suffix(a))
        .unwrap_or(before);
    (
        // "s" is no sure plural, but the synonyms are written without it too ("vertice").
        word.trim_end_matches('s').to_owned(),
        word.len() < plain.len(),
    )
}

/// Returns the name in lower case, with underscores for spaces, hyphens and points.
pub(super) fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-', '.'], "_")
}
