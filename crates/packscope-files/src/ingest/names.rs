//! Column names, and what they imply.

use super::component_names::plain;

/// Names of lengths, without those that [`is_length`] recognises by their words.
const LENGTHS: &str = "seqlen seqlens contexttokens n_atoms num_atoms num_nodes länge laenge longueur natoms size sizes";

/// Names of counts, without those that [`is_count`] recognises by their form.
const COUNTS: &str = "count counts freq frequency frequencies cnt cnts count_star() count_star count_all f0_ _count occurrences \
                     multiplicity copies anzahl häufigkeit haeufigkeit effectif nombre frecuencia";

/// Names that may denote counts, and much else: a count only with distinct sizes beside it.
const WEAK: &str = "n num nb nr number items size sizes samples num_samples n_samples 0";

/// Names of counted things, in `num_docs` or `doc_count`; other nouns may be parts of one text.
const COUNTED: &str = "doc document seq sequence example graph molecule";

/// Names of columns that number rows, name them, or name their kind.
const ABOUT_ROWS: &str = "id ids idx index i row row_id row_number rownum rowid row_names rownames row_nr no level_0 rank \
                     label labels class target_class category split fold y year epoch seed cluster group user timestamp \
                     date time when datetime score";

/// Returns a rank if a name surely denotes a count; lower is surer.
pub(super) fn count_rank(name: &str) -> Option<usize> {
    let name = plain(name);
    let known = COUNTS.split(' ').position(|known| known == name);
    // Below all listed names.
    known.or_else(|| is_count(&name).then_some(99))
}

/// Whether a name has the form of a count: `count(*)`, `COUNT(length)`, `count_1`, `num_docs`, `doc_count`.
fn is_count(name: &str) -> bool {
    let of_items = |rest: &str| {
        let rest = rest.trim_matches('_');
        is_one(rest, COUNTED)
            || rest
                .strip_suffix('s')
                .is_some_and(|one| is_one(one, COUNTED))
    };
    // "count_1" and "count(length)" are as databases and pandas name counted columns.
    let called = name
        .strip_prefix("count(")
        .is_some_and(|rest| rest.ends_with(')'));
    let numbered = name
        .strip_prefix("count_")
        .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
    let before = ["number_of_", "num_", "n_", "nb_", "nr_", "#"];
    let after = ["_count", "_counts", "_freq", "_frequency"];
    called
        || numbered
        || before
            .iter()
            .any(|b| name.strip_prefix(b).is_some_and(of_items))
        || after
            .iter()
            .any(|a| name.strip_suffix(a).is_some_and(of_items))
}

pub(super) fn is_weak_count(name: &str) -> bool {
    is_one(&plain(name), WEAK)
}

/// Things of which a row may hold many, as packs, shards and steps do.
const ITEMS: &str = "docs documents seqs sequences examples samples graphs molecules items records rows conversations \
                     prompts requests texts trajectories episodes rollouts instances";

/// Whether a name says that the column has a number of things for each row: `num_docs`, `sequences`, `n_samples`.
pub(super) fn is_number_of_items(name: &str) -> bool {
    // A column called "count" counts rows of a table, not items of a row.
    let of_items = is_count(&plain(name)) && !plain(name).starts_with("count");
    (of_items || has_word(name, ITEMS))
        && !is_part(name)
        && !has_word(name, BOUNDS)
        && !is_length(name)
}

/// Groups of which each has many items.
const GROUPS: &str = "bin bins pack packs packed shard shards file files batch batches microbatch minibatch step steps rank \
                      ranks worker workers device gpu node chunk chunks part partition bucket group domain source dataset \
                      subset iteration iter epoch";

pub(super) fn names_groups(name: &str) -> bool {
    has_word(name, GROUPS)
}

/// Whether a name says that the column holds sums.
pub(super) fn says_total(name: &str) -> bool {
    has_word(name, "total totals sum sums overall")
}

/// Whether a column of this name may hold sums: a number of tokens, not a length, unless it is the total length.
pub(super) fn may_be_total(name: &str) -> bool {
    let is_length =
        has_word(name, MEASURED) || is_one(&plain(name), "seqlen seqlens länge laenge longueur");
    says_total(name) || !is_length
}

/// Whether a name denotes the progress of a training.
pub(super) fn is_step(name: &str) -> bool {
    has_word(
        name,
        "step steps iteration iterations iter iters epoch update updates timestamp elapsed",
    )
}

/// Whether a name is one of figures that trainings log.
pub(super) fn is_of_training(name: &str) -> bool {
    has_word(name, "loss lr grad throughput mfu tflops") || plain(name).contains("learning_rate")
}

/// Whether a name denotes a number of bytes or of items.
pub(super) fn is_size(name: &str) -> bool {
    is_one(&plain(name), "size sizes")
}

/// Whether tools give this name, or none, to the values that they count.
pub(super) fn is_counted(name: &str) -> bool {
    is_index(name)
        || ["bin", "value", "var1", "input_ids", "token_ids", "text"]
            .contains(&plain(name).as_str())
}

/// Whether a name is one that pandas gives to row numbers.
pub(super) fn is_index(name: &str) -> bool {
    let name = plain(name);
    ["", "index", "level_0"].contains(&name.as_str()) || name.starts_with("unnamed:")
}

/// Whether a name says that each row is an item.
pub(super) fn names_items(name: &str) -> bool {
    has_word(
        name,
        "id doc document file path filename name title text url entry accession",
    )
}

/// Words in names of shares, of weights, and of cumulative counts.
const PARTS: &str = "share shares fraction frac proportion prob probability percent percentage pct permille ppm density \
                     pmf pdf cdf ecdf cum cumulative cumsum cumprob weight weights ratio relative percentile quantile";

pub(super) fn is_part(name: &str) -> bool {
    name.contains('%') || has_word(name, PARTS)
}

/// Whether a name denotes what a model or a person thinks of a row.
pub(super) fn is_score(name: &str) -> bool {
    has_word(name, "score scores confidence")
}

/// Whether a name denotes sound or pictures, beside which a text is only a description.
pub(super) fn is_medium(name: &str) -> bool {
    has_word(
        name,
        "duration seconds frames width height fps hours samples pixels",
    )
}

/// Whether a name denotes what records with one prompt have in common.
pub(super) fn names_prompts(name: &str) -> bool {
    let is_group =
        has_word(name, "prompt group question") && has_word(name, "id ids uid idx index hash");
    is_group || is_one(&plain(name), "uid group prompt_uid")
}

/// Whether a name denotes a number of frames.
pub(super) fn are_frames(name: &str) -> bool {
    has_word(name, "frames nframes") && !has_word(name, BOUNDS) && !is_part(name)
}

/// Whether a name denotes a duration.
pub(super) fn is_duration(name: &str) -> bool {
    has_word(name, "duration durations dur seconds secs sec") && !has_word(name, BOUNDS)
}

pub(super) fn is_in_milliseconds(name: &str) -> bool {
    has_word(name, "ms msec msecs millis millisecond milliseconds")
}

/// Returns the words of the names that denote the end of what begins at a name.
pub(super) fn ends_of(name: &str) -> Vec<Vec<String>> {
    let begins = [
        ("start", ["end", "stop"]),
        ("begin", ["end", "stop"]),
        ("onset", ["offset", "end"]),
    ];
    let words = words(name);
    let ends = |(begin, ends): (&str, [&'static str; 2])| {
        let at = words.iter().position(|word| word == begin)?;
        Some(ends.map(|end| {
            let mut words = words.clone();
            words[at] = end.to_owned();
            words
        }))
    };
    begins.into_iter().filter_map(ends).flatten().collect()
}

/// Whether a name says that the column numbers rows, names them, or names their kind.
pub(super) fn is_about_rows(name: &str) -> bool {
    let name = plain(name);
    let ends = ["_id", "_idx", "_index", "_label", "_class", "_rank"];
    name.is_empty()
        || is_one(&name, ABOUT_ROWS)
        || name.starts_with("unnamed:")
        || name.starts_with("__index")
        || name.starts_with("__hive_")
        || ends.iter().any(|end| name.ends_with(end))
}

/// Whether a column of this name numbers rows, if it holds 1, 2, 3 …
pub(super) fn may_number_rows(name: &str) -> bool {
    is_about_rows(name) || is_one(&plain(name), "n num nb nr number")
}

/// As [`is_about_rows`], except for columns without a name.
pub(super) fn names_rows(name: &str) -> bool {
    !plain(name).is_empty() && is_about_rows(name)
}

/// Whether a name is known for a length or a count.
// A sentence with such words is no header.
pub(super) fn is_known(name: &str) -> bool {
    name.split_whitespace().count() < 4 && is_length(name)
        || ["n", "num", "items"].contains(&plain(name).as_str())
        || count_rank(name).is_some()
}

/// Whether a name denotes a length: a known one, or one with a word that means a length, such as `nchar`, `prompt_len`
/// or `token_count`, and none that means a limit, a mean, or a part.
pub(super) fn is_length(name: &str) -> bool {
    let is_token_length = has_word(name, "token tok toks seq sequence")
        // "n" and "size" mean a length only beside a token.
        && (has_word(name, MEASURED) || has_word(name, BESIDE_TOKEN));
    let is_other = has_word(name, BOUNDS)
        || is_part(name)
        || count_rank(name).is_some()
        || is_about_rows(name);
    let is_measure = || has_word(name, MEASURED) || has_word(name, UNITS);
    !is_other && (is_one(&plain(name), LENGTHS) || is_token_length || is_measure())
}

/// Whether a name denotes the mean, or a limit, of lengths.
pub(super) fn is_figure_of_lengths(name: &str) -> bool {
    has_word(name, MEASURED) && has_word(name, "max min mean avg average median std")
}

/// Whether a name denotes a length in tokens, by its words.
pub(super) fn is_in_tokens(name: &str) -> bool {
    has_word(name, "token tokens tok toks contexttokens")
}

/// Words that mean a length: surely, beside "token", and by what they count.
const MEASURED: &str = "length len lengths lens";
const BESIDE_TOKEN: &str = "count num n size";
const UNITS: &str =
    "nchar nchars chars characters words tokens toks residues atoms nodes patches bp";

/// Words that rule out a length: limits, means, rates, other scales, parts.
const BOUNDS: &str = "max min maximum minimum limit mean avg average median std var sum price cost per rate log log2 log10 \
                     ln sqrt norm normalized normalised scaled seen consumed processed trained cumulative k thousand thousands millions unique distinct special pad \
                     padding histogram cu offset offsets budget diff delta error loss stride capacity";

/// Whether each number in a list of this name is the length of an item.
pub(super) fn are_each(name: &str) -> bool {
    are_lengths(name) && has_word(name, "length lengths len lens seqlen seqlens")
}

/// Whether a name says that a list of this name holds lengths or counts, such as `seq_lengths`; not `tokens`.
pub(super) fn are_lengths(name: &str) -> bool {
    let has = |some| has_word(name, some);
    !has(BOUNDS)
        && !has("shard shards")
        && (has(MEASURED) || has(BESIDE_TOKEN) || has("sizes counts seqlen seqlens"))
}

pub(super) fn last_name(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or_default()
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

/// Returns the unit of lengths in a column of this name, in the plural: tokens, unless the name says otherwise.
pub(super) fn unit(name: &str) -> &'static str {
    // The order decides for names with two units, such as characters of words.
    match () {
        () if has_word(name, "char chars character characters nchar nchars") => "characters",
        () if has_word(name, "word words") => "words",
        () if has_word(name, "byte bytes") => "bytes",
        () if has_word(name, "residue residues") => "residues",
        () if has_word(name, "atom atoms") => "atoms",
        () if has_word(name, "node nodes") => "nodes",
        () if has_word(name, "frame frames") => "frames",
        () if has_word(name, "patch patches") => "patches",
        () if has_word(name, "base bases bp") => "bases",
        () => "tokens",
    }
}

/// Whether a name is one of `some`, which are separated by spaces.
fn is_one(name: &str, some: &str) -> bool {
    some.split(' ').any(|known| known == name)
}

/// Whether a name contains one of the words `some`.
fn has_word(name: &str, some: &str) -> bool {
    words(name).iter().any(|word| is_one(word, some))
}
