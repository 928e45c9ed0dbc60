//! Names that columns have, and what they say.

use super::kinds::plain;

/// Names of lengths, the surest first.
pub(super) const LENGTHS: [&str; 28] = [
    "length",
    "len",
    "lengths",
    "lens",
    "n_tokens",
    "num_tokens",
    "tokens",
    "token_count",
    "total_tokens",
    "seq_len",
    "seq_length",
    "seqlen",
    "sequence_length",
    "sequence_len",
    "input_length",
    "input_len",
    "input_tokens",
    "context_length",
    "contexttokens",
    "n_atoms",
    "num_atoms",
    "num_nodes",
    "nodes",
    "länge",
    "laenge",
    "longueur",
    "size",
    "sizes",
];

/// Names of counts, the surest first, without what [`is_count`] knows by their form.
const COUNTS: [&str; 20] = [
    "count",
    "counts",
    "freq",
    "frequency",
    "frequencies",
    "cnt",
    "cnts",
    "count_star()",
    "count_star",
    "f0_",
    "_count",
    "occurrences",
    "multiplicity",
    "copies",
    "anzahl",
    "häufigkeit",
    "haeufigkeit",
    "effectif",
    "nombre",
    "frecuencia",
];

/// Names that may be those of counts, and of much else.
const WEAK: [&str; 22] = [
    "n",
    "num",
    "nb",
    "nr",
    "number",
    "items",
    "total",
    "totals",
    "size",
    "sizes",
    "amount",
    "quantity",
    "rows",
    "records",
    "samples",
    "num_samples",
    "n_samples",
    "sum",
    "value",
    "values",
    "weight",
    "weights",
];

/// Names of what is counted, in `num_docs` or `doc_count`.
const COUNTED: [&str; 14] = [
    "doc",
    "document",
    "seq",
    "sequence",
    "example",
    "record",
    "row",
    "item",
    "graph",
    "molecule",
    "text",
    "sentence",
    "observation",
    "obs",
];

/// Names of columns that number rows, name them, or say of which kind they are.
const ABOUT_ROWS: [&str; 37] = [
    "",
    "id",
    "ids",
    "idx",
    "index",
    "i",
    "row",
    "row_id",
    "row_number",
    "rownum",
    "rowid",
    "row_names",
    "rownames",
    "row_nr",
    "no",
    "level_0",
    "rank",
    "label",
    "labels",
    "class",
    "target_class",
    "category",
    "split",
    "fold",
    "y",
    "year",
    "epoch",
    "seed",
    "cluster",
    "group",
    "user",
    "timestamp",
    "date",
    "time",
    "when",
    "datetime",
    "score",
];

/// Whether a name is sure to be that of a count; the smaller the number, the surer.
pub(super) fn count_rank(name: &str) -> Option<usize> {
    let name = plain(name);
    let known = COUNTS.iter().position(|known| *known == name);
    known.or_else(|| is_count(&name).then_some(COUNTS.len()))
}

/// Whether a name is one of a count by its form: `count(*)`, `COUNT(length)`, `count_1`, `num_docs`, `doc_count`.
fn is_count(name: &str) -> bool {
    let of_items = |rest: &str| {
        let rest = rest.trim_matches('_');
        COUNTED.contains(&rest) || rest.strip_suffix('s').is_some_and(|one| COUNTED.contains(&one))
    };
    let called = name.strip_prefix("count(").is_some_and(|rest| rest.ends_with(')'));
    let numbered = name.strip_prefix("count_").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
    let before = ["number_of_", "num_", "n_", "nb_", "nr_", "#"];
    let after = ["_count", "_counts", "_freq", "_frequency"];
    called
        || numbered
        || before.iter().any(|b| name.strip_prefix(b).is_some_and(of_items))
        || after.iter().any(|a| name.strip_suffix(a).is_some_and(of_items))
}

/// Whether a name may be that of a count.
pub(super) fn is_weak_count(name: &str) -> bool {
    WEAK.contains(&plain(name).as_str())
}

/// Whether a name says that the column numbers rows, names them, or says of which kind they are.
pub(super) fn is_about_rows(name: &str) -> bool {
    let name = plain(name);
    let ends = ["_id", "_idx", "_index", "_label", "_class", "_rank"];
    ABOUT_ROWS.contains(&name.as_str())
        || name.starts_with("unnamed:")
        || name.starts_with("__index")
        || name.starts_with("__hive_")
        || ends.iter().any(|end| name.ends_with(end))
}

/// Whether a column of this name numbers rows, if it holds 1, 2, 3 …
pub(super) fn may_number_rows(name: &str) -> bool {
    is_about_rows(name) || WEAK[..5].contains(&plain(name).as_str())
}

/// As [`is_about_rows`], without columns that have no name.
pub(super) fn names_rows(name: &str) -> bool {
    !plain(name).is_empty() && is_about_rows(name)
}

/// Whether a name is a known one for a length or a count.
pub(super) fn is_known(name: &str) -> bool {
    let plain = plain(name);
    LENGTHS.contains(&plain.as_str())
        || ["n", "num", "items"].contains(&plain.as_str())
        || count_rank(name).is_some()
}

/// Whether a name is made of words that mean a length in tokens, such as `token_length`: as sure as a text beside it.
pub(super) fn is_token_length(name: &str) -> bool {
    let words = words(name);
    let has = |some: &[&str]| words.iter().any(|word| some.contains(&word.as_str()));
    !is_bound(&words) && has(&["token", "tokens", "tok", "toks", "seq", "sequence"]) && has(&MEASURED[..8])
}

/// Words that mean a length, those that do so beside "token" first.
const MEASURED: [&str; 18] = [
    "length",
    "len",
    "lengths",
    "lens",
    "count",
    "num",
    "n",
    "size",
    "nchar",
    "nchars",
    "chars",
    "characters",
    "words",
    "tokens",
    "token",
    "residues",
    "atoms",
    "nodes",
];

/// Whether a name has a word in it that means a length, such as `nchar` or `prompt_len`.
pub(super) fn is_measure(name: &str) -> bool {
    let words = words(name);
    let surely: Vec<&str> = MEASURED[..4].iter().chain(&MEASURED[8..]).copied().collect();
    !is_bound(&words) && words.iter().any(|word| surely.contains(&word.as_str()))
}

/// Whether a name says that a list of this name holds lengths or counts, such as `seq_lengths`; not `tokens`.
pub(super) fn are_lengths(name: &str) -> bool {
    let more = ["sizes", "counts", "seqlen", "seqlens"];
    words(name).iter().any(|word| MEASURED[..8].contains(&word.as_str()) || more.contains(&word.as_str()))
}

/// Whether a name is that of a limit or of a mean, not of a length.
fn is_bound(words: &[String]) -> bool {
    let bounds =
        ["max", "min", "maximum", "minimum", "limit", "mean", "avg", "average", "median", "std", "price"];
    words.iter().any(|word| bounds.contains(&word.as_str()))
}

/// Splits a name into words: at underscores, spaces and the like, and where a capital follows a small letter.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before_small = false;
    for c in name.chars() {
        let begins = !c.is_alphanumeric() || (c.is_uppercase() && before_small);
        if begins && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        before_small = c.is_lowercase();
    }
    words
}

/// Returns the unit of lengths in a column of this name, in the plural: tokens, unless it says otherwise.
pub(super) fn unit(name: &str) -> &'static str {
    let words = words(name);
    let has = |some: &[&str]| words.iter().any(|word| some.contains(&word.as_str()));
    match () {
        () if has(&["char", "chars", "character", "characters", "nchar", "nchars"]) => "characters",
        () if has(&["word", "words"]) => "words",
        () if has(&["byte", "bytes"]) => "bytes",
        () if has(&["residue", "residues"]) => "residues",
        () if has(&["atom", "atoms"]) => "atoms",
        () if has(&["node", "nodes"]) => "nodes",
        () if has(&["frame", "frames"]) => "frames",
        () => "tokens",
    }
}
