//! Tables whose rows are no sequences: totals of packs, shards and steps beside their numbers of documents, records of a
//! training log, the total of a run. Their names are those of lengths, and reading them as lengths is silently wrong.

use super::beside::TokenizerFile;
use super::column_stats::{self, Cell, ColumnStats, Holds};
use super::component_names;
use super::names;
use super::problem::shorten;
use crate::formula;
use packscope_core::words::{count, shell_word};

/// More tokens than any model reads at once.
const LONGEST: u64 = 10_000_000;

/// Returns the reason why the column of the sizes holds totals; `given` is whether it was named in the options.
pub(super) fn refusal(columns: &[ColumnStats], sizes: &[usize], given: bool) -> Option<String> {
    let is_size = |name: &str| names::is_length(name) || component_names::of_graph(name).is_some();
    let may_be =
        |at: &usize| names::may_be_total(&columns[*at].name) && is_size(&columns[*at].name);
    let size = *sizes
        .first()
        .filter(|at| columns[**at].holds == Holds::Numbers && may_be(at))?;
    let of_rows = || total_beside_count(columns, sizes, size);
    let alone = || of_log(columns, size).or_else(|| of_run(&columns[size]));
    // A chosen column says what it holds, but the count beside it may have been found by its name.
    if given {
        of_rows()
    } else {
        alone().or_else(of_rows)
    }
}

/// The message for the `trainer_state.json` of `transformers`.
const STATE: &str = "this is the state of a training, as transformers saves it in trainer_state.json: its numbers of tokens are \
                                totals so far, and no lengths; expected the lengths of the data that were trained on";

/// Returns the message for a file that is known by its fields and has no lengths of items.
pub(super) fn known(columns: &[ColumnStats]) -> Option<String> {
    let keys: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let has = |key: &str| keys.contains(&key);
    let are_infos = has("builder_name") || (has("splits") && has("download_size"));
    match () {
        () if has("log_history") => Some(STATE.to_owned()),
        () if are_infos => Some(INFO.to_owned()),
        () if has("utts") => Some(UTTERANCES.to_owned()),
        () if has("zero_optimization") || has("train_micro_batch_size_per_gpu") => {
            Some(DEEPSPEED.to_owned())
        }
        () if are_means_of_steps(&keys) => Some(MEANS.to_owned()),
        // Of a table these would be columns, which have cells.
        () if columns.iter().all(|column| column.cells.len() < 2) => {
            TokenizerFile::of_keys(&keys).map(|file| format!("this is {}; {BESIDE}", file.words()))
        }
        () => None,
    }
}

/// The message for the configuration of DeepSpeed, which is no training by itself.
const DEEPSPEED: &str = "this is a configuration of DeepSpeed, which has no lengths; expected the lengths of the data that are trained on";
/// The message for what trainings log of the lengths in a step.
const MEANS: &str = "these are figures of the steps of a training: means and limits of the lengths in each, and no lengths; expected the \
                     lengths of the data, or of the responses";

/// Whether there are means or limits of lengths beside steps, and no lengths.
fn are_means_of_steps(keys: &[&str]) -> bool {
    keys.iter().any(|key| names::is_step(key))
        && keys.iter().any(|key| names::is_figure_of_lengths(key))
        && !keys.iter().any(|key| names::is_length(key))
}

/// The message for the `dataset_info.json` of `datasets`.
const INFO: &str = "this is what datasets saves of a data set in dataset_info.json: numbers of examples and bytes, and no lengths; \
                    expected the data, such as the Parquet files beside it";
/// The message for the `data.json` of ESPnet, which nests the shapes of features.
const UTTERANCES: &str = "these are utterances, as ESPnet saves them in data.json; write the numbers of their frames: jq \
                          '.utts[].input[0].shape[0]' FILE > lengths.txt";
const BESIDE: &str = "it has no lengths; bring conversations or texts, and count them: packscope tokens FILE --tokenizer \
                      tokenizer.json --format csv > lengths.csv";

/// Returns the message for a total beside the number of sequences in it.
// A number of documents beside the total of their tokens was once multiplied: 12 shards became
// 62,231 sequences.
fn total_beside_count(columns: &[ColumnStats], sizes: &[usize], size: usize) -> Option<String> {
    let total = &columns[size];
    let others = || (0..columns.len()).filter(|at| !sizes.contains(at) && columns[*at].is_whole());
    let is_of_items = |at: &usize| names::is_number_of_items(&columns[*at].name);
    let is_count = |at: &usize| names::count_rank(&columns[*at].name).is_some();
    let at = others()
        .find(is_of_items)
        .or_else(|| others().find(is_count))?;
    let number = &columns[at];
    let rows = || {
        total
            .cells
            .iter()
            .zip(&number.cells)
            .filter_map(|(a, b)| Some((a.whole()?, b.whole()?)))
    };
    // A sequence has one token at least, and counts of lengths soon exceed the shortest.
    if !rows().all(|(total, number)| total >= number) || !rows().any(|(_, number)| number > 1) {
        return None;
    }
    let is_row = |i: &usize| *i != at && !sizes.contains(i) && is_apart(&columns[*i]);
    // Names of rows, or numbers under a name such as "pack": each row is something of its own.
    let names_rows = |i: usize| {
        let column = &columns[i];
        names::names_groups(&column.name)
            || column.holds == Holds::Texts
            || (column.is_row_number() && !names::is_about_rows(&column.name))
    };
    let mut keys = (0..columns.len()).filter(is_row);
    let is_said = is_of_items(&at)
        || names::says_total(&total.name)
        || (0..columns.len()).any(|i| is_row(&i) && numbers(&columns[i]));
    let is_told = keys.any(names_rows) || (is_said && !is_in_order(total, number));
    // The example in the message needs more than one sequence in the row.
    let (first, of) = rows().find(|(_, number)| *number > 1)?;
    is_told.then(|| {
        let [a, b] = [total, number].map(|column| shorten(column.name.as_bytes()));
        let mean = format!("round({} / {})", formula::quoted(&total.name), formula::quoted(&number.name));
        format!(
            "\"{a}\" seems to be the total of all that \"{b}\" counts in a row, such as {} in {}, and a total is no length; \
             expected a row for each sequence, or for each length with its count; to take the mean of its row for each \
             sequence: --length {} --count-column {}",
            count(first),
            count(of),
            shell_word(&mean),
            shell_word(&number.name),
        )
    })
}

fn numbers(column: &ColumnStats) -> bool {
    column.is_row_number() && names::names_rows(&column.name)
}

/// Whether no two rows have the same in this column; a single text is apart, too.
fn is_apart(column: &ColumnStats) -> bool {
    !column.name.is_empty() && (column_stats::are_apart(&[column]) || column.cells.len() == 1)
}

/// Whether rows are in the order of a table of counts: by size, or by falling count.
fn is_in_order(sizes: &ColumnStats, counts: &ColumnStats) -> bool {
    let whole = |column: &ColumnStats| {
        column
            .cells
            .iter()
            .map(|cell| cell.whole().unwrap_or(0))
            .collect::<Vec<_>>()
    };
    let (sizes, counts) = (whole(sizes), whole(counts));
    sizes.is_sorted_by(|a, b| a < b)
        || sizes.is_sorted_by(|a, b| a > b)
        || (counts.len() > 2 && counts.is_sorted_by(|a, b| a >= b))
}

/// Returns the message for tokens of steps, or so far, beside what trainings log.
fn of_log(columns: &[ColumnStats], size: usize) -> Option<String> {
    let total = &columns[size];
    let numbers = |i: &usize| *i != size && columns[*i].holds == Holds::Numbers;
    let find = |is: fn(&str) -> bool| {
        (0..columns.len())
            .filter(numbers)
            .find(|i| is(&columns[*i].name))
    };
    let name = |at: usize| format!("\"{}\"", shorten(columns[at].name.as_bytes()));
    let (tokens, step) = (name(size), find(names::is_step)?);
    let grows = |column: &ColumnStats| {
        let real = |cell: &Cell| match cell {
            Cell::Whole(n) => Some(*n as f64),
            Cell::Real(x) => Some(*x),
            Cell::Text(_) | Cell::Else => None,
        };
        let all: Option<Vec<f64>> = column.cells.iter().map(real).collect();
        all.is_some_and(|all| all.len() > 2 && all.is_sorted_by(|a, b| a < b))
    };
    let steps = (0..columns.len())
        .filter(numbers)
        .filter(|i| names::is_step(&columns[*i].name));
    let wanted = "expected the lengths of the data that were trained on";
    if let Some(step) = steps
        .into_iter()
        .find(|i| grows(&columns[*i]))
        .filter(|_| grows(total))
    {
        return Some(format!(
            "{tokens} grows in every row, as {} does: it seems to be the total so far, and no length; {wanted}",
            name(step)
        ));
    }
    let loss = find(names::is_of_training)?;
    Some(format!(
        "{tokens} beside {} and {} is of a training log: the tokens of a step or of all so far, and no length; {wanted}",
        name(step),
        name(loss)
    ))
}

/// Returns the message for the total of a run: in a single record, or larger than any sequence.
fn of_run(total: &ColumnStats) -> Option<String> {
    let name = shorten(total.name.as_bytes());
    let wanted = "expected a length for each sequence";
    // One value suffices: a model cannot have read it.
    let longest = total.cells.iter().filter_map(|cell| cell.whole()).max()?;
    match total.cells.len() {
        1 if names::says_total(&total.name) => Some(format!(
            "the only record has {} in \"{name}\", which seems to be a total; {wanted}",
            count(longest)
        )),
        _ if names::is_in_tokens(&total.name) && longest > LONGEST => Some(format!(
            "\"{name}\" has {} in a row, more tokens than any model reads at once: it seems to be a total; {wanted}",
            count(longest)
        )),
        _ => None,
    }
}
