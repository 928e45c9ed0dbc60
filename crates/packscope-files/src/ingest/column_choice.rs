//! Chooses the columns of sizes and of the count, by one rule for tables, JSON, NumPy, Parquet and Arrow.
//!
//! A column is taken for what its name says if its values agree. A length has a known name. So has a count, which is
//! whole, is not cumulative, and has (nearly) distinct sizes beside it. Any other column that may be a length or a
//! count becomes a question.

use super::column_stats::{self, ColumnStats, Holds};
use super::component_names;
use super::names;
use super::nested::Inner;
use super::options::Options;
use super::problem::shorten;
use super::totals;

/// Names of fields that are measured by their contents, likeliest first.
pub(super) const CONTENTS: [&str; 10] = [
    "input_ids",
    "token_ids",
    "ids",
    "tokens",
    "text",
    "content",
    "prompt",
    "sequence",
    "sentence",
    "body",
];

#[derive(Debug, Clone, PartialEq)]
pub(super) struct ColumnChoice {
    pub sizes: Vec<usize>,
    pub count: Option<usize>,
    /// Whether the count was recognised by distinct sizes: to be checked at the end.
    pub if_distinct: bool,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Question {
    pub words: String,
    pub lengths: Vec<usize>,
    pub counts: Vec<usize>,
    /// Formulae that may be the length, likelier than the columns.
    pub formulae: Vec<String>,
}

impl Question {
    /// Returns what may be the length, given the choice of each column.
    pub fn lengths(&self, choice: impl Fn(&usize) -> String) -> Vec<String> {
        let columns = self.lengths.iter().map(choice);
        self.formulae.iter().cloned().chain(columns).collect()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Unclear {
    /// No column can be the sizes.
    NoSizes,
    /// Two interpretations are possible.
    Question(Question),
    /// There are no lengths: the words describe the contents and the remedy.
    Refused(String),
}

/// Chooses the columns of the sizes and of the count; `given` and `count` are those that were named in the options.
pub(super) fn choose(
    columns: &[ColumnStats],
    given: Option<Vec<usize>>,
    count: Option<usize>,
    options: &Options,
    components: usize,
) -> Result<ColumnChoice, Unclear> {
    let rule = Rule {
        columns,
        free: options.count.is_none(),
        given: given.is_some(),
    };
    if let Some(refusal) = totals::known(columns).filter(|_| !rule.given) {
        return Err(Unclear::Refused(refusal));
    }
    let sizes = match given {
        Some(sizes) => sizes,
        None if components > 1 => together(columns, components).ok_or(Unclear::NoSizes)?,
        None => vec![rule.length(count)?],
    };
    // Options that name both columns say what these hold, so nothing is refused.
    let is_open = rule.free || !rule.given;
    if let Some(refusal) = totals::refusal(columns, &sizes, rule.given).filter(|_| is_open) {
        return Err(Unclear::Refused(refusal));
    }
    let mut count = count.filter(|count| !sizes.contains(count));
    let mut if_distinct = false;
    if rule.free {
        (count, if_distinct) = rule.count(&sizes)?;
    }
    let read = || sizes.iter().chain(&count).filter(|_| !rule.given);
    // A name that stands twice finds only its first column, so that the other one would never be
    // read.
    if let Some(twice) = read().find(|i| {
        columns
            .iter()
            .filter(|c| c.name == columns[**i].name)
            .count()
            > 1
    }) {
        let name = rule.listed(&[*twice]);
        let question =
            format!("two columns are called {name}; say which by its number, --length-column 1");
        // Columns without a name are chosen by number already.
        if !columns[*twice].name.is_empty() {
            return Err(Unclear::Refused(question));
        }
    }
    Ok(ColumnChoice {
        sizes,
        count,
        if_distinct,
    })
}

struct Rule<'a> {
    columns: &'a [ColumnStats],
    /// Whether the options leave the count open.
    free: bool,
    /// Whether the options name the columns of the sizes.
    given: bool,
}

impl Rule<'_> {
    fn all<'s>(
        &'s self,
        is: impl Fn(&ColumnStats) -> bool + 's,
    ) -> impl Iterator<Item = usize> + 's {
        (0..self.columns.len()).filter(move |i| is(&self.columns[*i]))
    }

    fn name(&self, at: usize) -> &str {
        &self.columns[at].name
    }

    fn length(&self, count: Option<usize>) -> Result<usize, Unclear> {
        if self.free
            && count.is_none()
            && column_stats::index_of_fasta(self.columns)
            && names::is_length(self.name(1))
        {
            return Ok(1);
        }
        let is_count =
            |i: usize| Some(i) == count || (self.free && names::count_rank(self.name(i)).is_some());
        let is_length =
            |column: &ColumnStats| column.holds == Holds::Numbers && names::is_length(&column.name);
        let mut can: Vec<usize> = self.all(is_length).filter(|i| !is_count(*i)).collect();
        // Totals of a run stand beside the lengths that they add up.
        if self
            .all(|c| c.holds == Holds::Other(Inner::Lengths.words()))
            .next()
            .is_some()
        {
            can.retain(|i| !names::says_total(self.name(*i)));
        }
        let content = |holds: Holds| {
            // By the order of CONTENTS and not of the columns: tokens come before texts.
            CONTENTS.iter().find_map(|name| {
                self.all(|c| {
                    c.holds == holds && component_names::plain(names::last_name(&c.name)) == *name
                })
                .next()
            })
        };
        // A list of tokens is better evidence than a number of characters or bytes.
        let in_tokens = can.iter().any(|i| names::unit(self.name(*i)) == "tokens");
        match content(Holds::Lists).filter(|_| !in_tokens) {
            Some(list) => return Ok(list),
            None => self.narrow(&mut can),
        }
        match can[..] {
            [only] => {
                return match self.responses(only) {
                    None => self.alone(only),
                    Some(other) => ask(
                        format!("{} may be the length", self.listed(&[only, other])),
                        &[only, other],
                        &[],
                    ),
                };
            }
            [] => {}
            _ => {
                return ask(
                    format!("{} may be the length", self.listed(&can)),
                    &can,
                    &[],
                );
            }
        }
        let is_medium =
            |i: &usize| self.columns[*i].holds == Holds::Numbers && names::is_medium(self.name(*i));
        if let Some(text) = content(Holds::Texts) {
            // The words of a prompt are not those of the sequence.
            let others: Vec<usize> = self.all(|c| c.holds != Holds::Numbers).collect();
            if self
                .conversation(&others)
                .is_some_and(|both| both.contains(&text))
            {
                return Err(Unclear::NoSizes);
            }
            let Some(medium) = (0..self.columns.len()).find(is_medium) else {
                return Ok(text);
            };
            let [beside, of] = [medium, text].map(|at| self.listed(&[at]));
            return ask(
                format!("beside {beside} the words of {of} are hardly the length"),
                &[text, medium],
                &[],
            );
        }
        // Some tools leave the column of counted values unnamed, or have a name of their own for it.
        let has_count = (0..self.columns.len()).any(is_count);
        let is_counted = |column: &ColumnStats| {
            column.is_whole() && !column.is_row_number() && names::is_counted(&column.name)
        };
        // Of several such columns none is likelier, and none is guessed.
        match self
            .all(is_counted)
            .filter(|i| !is_count(*i))
            .collect::<Vec<_>>()[..]
        {
            [only] if has_count => Ok(only),
            _ => Err(Unclear::NoSizes),
        }
    }

    /// Returns a prompt and its response among these columns.
    fn conversation(&self, among: &[usize]) -> Option<[usize; 2]> {
        let names: Vec<&str> = among.iter().map(|i| self.name(*i)).collect();
        Some(component_names::prompt_and_response(&names)?.map(|at| among[at]))
    }

    /// Returns the lengths of several responses beside the length of their prompt.
    fn responses(&self, prompt: usize) -> Option<usize> {
        let are_lists = |column: &ColumnStats| column.holds == Holds::Other(Inner::Lengths.words());
        let among: Vec<usize> = (0..self.columns.len())
            .filter(|i| *i == prompt || are_lists(&self.columns[*i]))
            .collect();
        let both = self.conversation(&among)?;
        both.into_iter()
            .find(|i| *i != prompt)
            .filter(|_| both.contains(&prompt))
    }

    /// Reduces the columns that may be the length to the most likely: the one in tokens if the others have other units;
    /// any others rather than one called "size"; the first of identical ones.
    fn narrow(&self, can: &mut Vec<usize>) {
        // "size" may be bytes or a count, so that any other name is better.
        if can.iter().any(|i| !names::is_size(self.name(*i))) {
            can.retain(|i| !names::is_size(self.name(*i)));
        }
        let (tokens, others): (Vec<usize>, Vec<usize>) = can
            .iter()
            .partition(|i| names::is_in_tokens(self.name(**i)));
        let are_foreign = others
            .iter()
            .all(|i| names::unit(self.name(*i)) != "tokens");
        if tokens.len() == 1 && are_foreign {
            *can = tokens;
        }
        // Identical columns, as a length and its copy, need no question.
        let cells = |i: usize| &self.columns[i].cells;
        if can
            .iter()
            .all(|i| cells(*i).len() > 1 && cells(*i) == cells(can[0]))
        {
            can.truncate(1);
        }
    }

    /// Accepts the only column with a name for lengths if its values can be lengths: not if they are cumulative, nor if
    /// they may be the number of rows of each kind in the first column.
    fn alone(&self, only: usize) -> Result<usize, Unclear> {
        let column = &self.columns[only];
        if column_stats::are_offsets(&column.cells) {
            return Err(Unclear::Refused(format!(
                "{} {}",
                self.listed(&[only]),
                column_stats::OFFSETS
            )));
        }
        let is_index = |i: &usize| {
            let other = &self.columns[*i];
            *i != only && names::is_index(&other.name) && other.is_whole() && !other.is_row_number()
        };
        let index = (0..self.columns.len()).find(is_index);
        let may_be_counted =
            |i: usize| column_stats::is_distinct(&[&self.columns[i]]) == Some(true);
        if let Some(index) =
            index.filter(|i| self.columns.len() == 2 && self.free && may_be_counted(*i))
        {
            let of = match self.name(index) {
                "" => "the first column".to_owned(),
                _ => self.listed(&[index]),
            };
            let question = format!(
                "{} may be the length, or how often each number of {of} comes",
                self.listed(&[only])
            );
            return ask(question, &[only, index], &[only]);
        }
        Ok(only)
    }

    /// Returns the column of the count, and whether it is one only as long as no size comes twice.
    fn count(&self, sizes: &[usize]) -> Result<(Option<usize>, bool), Unclear> {
        // Beside a text, a column called "n" is hardly its number of copies.
        if sizes
            .iter()
            .any(|i| self.columns[*i].holds != Holds::Numbers)
        {
            return Ok((None, false));
        }
        let is_other = |i: &usize| !sizes.contains(i) && self.columns[*i].holds != Holds::PART;
        let others: Vec<usize> = (0..self.columns.len()).filter(is_other).collect();
        let called = |is: fn(&str) -> bool| {
            others
                .iter()
                .copied()
                .filter(|i| is(self.name(*i)))
                .collect::<Vec<_>>()
        };
        let sure = called(|name| names::count_rank(name).is_some());
        let numbers = |i: &usize| self.columns[*i].holds == Holds::Numbers;
        let weak: Vec<usize> = called(names::is_weak_count)
            .into_iter()
            .filter(numbers)
            .collect();
        match (&sure[..], &weak[..]) {
            ([one], _) => self.judge(*one, true, sizes),
            // Chosen sizes and several weak names: without a sure one there is no count.
            ([], _) if self.given && weak.len() != 1 => Ok((None, false)),
            ([], [one]) => match self.may_be_counts(&others) {
                unknown
                    if self.given
                        || unknown
                            .iter()
                            .all(|i| i == one || self.columns[*i].is_row_number()) =>
                {
                    self.judge(*one, false, sizes)
                }
                unknown => self.rivals(sizes, &unknown),
            },
            ([], []) => self.unknown(sizes, &others).map(|()| (None, false)),
            _ => self.rivals(sizes, if sure.is_empty() { &weak } else { &sure }),
        }
    }

    /// Decides whether a column with a name for counts holds them.
    fn judge(
        &self,
        at: usize,
        sure: bool,
        sizes: &[usize],
    ) -> Result<(Option<usize>, bool), Unclear> {
        let column = &self.columns[at];
        let name = shorten(column.name.as_bytes());
        // Counts that are all 1 say nothing, whether they are counts or not.
        let is_alike =
            !column.cells.is_empty() && column.cells.iter().all(|cell| cell.whole() == Some(1));
        let is_number = column.is_row_number() && !sure;
        let is_before = names::may_number_rows(&column.name) && sizes.iter().all(|size| at < *size);
        if is_alike || (is_number && is_before) {
            return Ok((None, false));
        }
        let (rows, distinct) = self.kinds(sizes);
        // A sure name outweighs few sizes that come twice; a weak one does not.
        let few = if sure {
            2 * distinct < rows
        } else {
            distinct < rows
        };
        let lengths = &self.columns[sizes[0]].cells;
        let what = match () {
            () if column.is_share() => {
                return Err(Unclear::Refused(format!(
                    "\"{name}\" holds {}",
                    column_stats::SHARES
                )));
            }
            () if !column.is_whole() && column.is_partial() => {
                "stands in some of the records only, and the others may be one item each or counted elsewhere"
            }
            () if !column.is_whole() => "holds no whole numbers, as counts are",
            () if is_number => "may be a count, or number the rows",
            () if few => "may be the count, but sizes come more than once beside it",
            () if self.has_names() => "may be the count, but each row has a name of its own",
            () if sizes.len() == 1 && column_stats::are_summed(lengths, &column.cells) => {
                "may be the count, but never falls: it may add up the rows before"
            }
            () => "",
        };
        if !what.is_empty() {
            return ask(format!("\"{name}\" {what}"), sizes, &[at]);
        }
        // No cells were kept, so the column is damaged.
        if !sure && column.cells.is_empty() {
            return Ok((None, false));
        }
        Ok((Some(at), !sure))
    }

    /// Counts the rows, and the distinct combinations of their sizes and of the columns that name a kind.
    fn kinds(&self, sizes: &[usize]) -> (usize, usize) {
        // Texts that all differ are names, and would make every row distinct.
        let is_kind = |column: &ColumnStats| match column.holds {
            Holds::Texts => !column_stats::are_apart(&[column]) || column.cells.len() < 4,
            Holds::Numbers => {
                let is_size = component_names::of_graph(&column.name).is_some()
                    || names::is_length(&column.name);
                is_size || (names::names_rows(&column.name) && !column.is_row_number())
            }
            _ => false,
        };
        // Rows of JSON may lack a field: a column with fewer cells cannot be compared by rows.
        let rows = self.columns[sizes[0]].cells.len();
        let is_kind = |column: &ColumnStats| column.cells.len() == rows && is_kind(column);
        let of = sizes
            .iter()
            .copied()
            .chain(self.all(is_kind))
            .map(|i| &self.columns[i])
            .collect::<Vec<_>>();
        column_stats::apart(&of)
    }

    /// Whether each row has a name of its own, so that it is an item.
    fn has_names(&self) -> bool {
        let is_name = |column: &ColumnStats| {
            let enough = column.cells.len() > 3 || names::names_items(&column.name);
            column.holds == Holds::Texts && enough && column_stats::are_apart(&[column])
        };
        self.columns.iter().any(is_name)
    }

    /// Asks about columns that may be counts although no name says so, if rows differ by sizes and kinds alone;
    /// otherwise rows are items. Shares of a whole are refused: the whole is unknown.
    fn unknown(&self, sizes: &[usize], others: &[usize]) -> Result<(), Unclear> {
        if sizes == [1] && column_stats::index_of_fasta(self.columns) {
            return Ok(());
        }
        let (rows, distinct) = self.kinds(sizes);
        // A column called "size" may be the count of a length in another column.
        if self.has_names() || (distinct < rows && !names::is_size(self.name(sizes[0]))) {
            return Ok(());
        }
        let is_part = |i: &&usize| {
            names::is_part(self.name(**i))
                || (self.columns[**i].is_share() && !names::is_score(self.name(**i)))
        };
        if let Some(part) = others.iter().find(is_part).filter(|_| rows > 1) {
            return Err(Unclear::Refused(format!(
                "{} holds {}",
                self.listed(&[*part]),
                column_stats::SHARES
            )));
        }
        let unknown = self.may_be_counts(others);
        // One row is weak evidence, but a count has few columns beside it.
        if unknown.is_empty() || (rows == 1 && unknown.len() > 4) {
            return Ok(());
        }
        self.rivals(sizes, &unknown)
    }

    /// Asks which of these columns is the count.
    fn rivals<T>(&self, sizes: &[usize], counts: &[usize]) -> Result<T, Unclear> {
        ask(
            format!("{} may be the count", self.listed(counts)),
            sizes,
            counts,
        )
    }

    /// Returns the columns that may be counts by their contents and whose names do not say otherwise.
    fn may_be_counts(&self, others: &[usize]) -> Vec<usize> {
        let can = |i: &&usize| {
            let column = &self.columns[**i];
            // A first column without a name is the index that pandas writes.
            let is_number = column.is_row_number()
                && if column.name.is_empty() {
                    **i == 0
                } else {
                    names::is_about_rows(&column.name)
                };
            let is_other = names::names_rows(&column.name)
                || names::is_length(&column.name)
                || component_names::of_graph(&column.name).is_some();
            let is_alike =
                column.cells.len() > 1 && column.cells.iter().all(|cell| cell.whole() == Some(1));
            column.is_whole() && !is_alike && !is_number && !is_other
        };
        others.iter().filter(can).copied().collect()
    }

    fn listed(&self, columns: &[usize]) -> String {
        let names = columns
            .iter()
            .take(5)
            .map(|i| format!("\"{}\"", shorten(self.name(*i).as_bytes())));
        names.collect::<Vec<_>>().join(" or ")
    }
}

fn ask<T>(words: String, lengths: &[usize], counts: &[usize]) -> Result<T, Unclear> {
    Err(Unclear::Question(Question {
        words,
        lengths: lengths.to_vec(),
        counts: counts.to_vec(),
        formulae: Vec::new(),
    }))
}

/// Returns the columns whose names belong together: columns of numbers, or else of lists and texts.
pub(super) fn together(columns: &[ColumnStats], wanted: usize) -> Option<Vec<usize>> {
    let among = |can: fn(Holds) -> bool| {
        let places: Vec<usize> = (0..columns.len())
            .filter(|i| can(columns[*i].holds))
            .collect();
        let names: Vec<&str> = places.iter().map(|i| columns[*i].name.as_str()).collect();
        Some(
            component_names::find(&names, wanted)?
                .into_iter()
                .map(|i| places[i])
                .collect(),
        )
    };
    // First numbers alone: "prompt" and "completion" may be texts beside their lengths.
    among(|holds| holds == Holds::Numbers)
        .or_else(|| among(|holds| !matches!(holds, Holds::Other(_))))
}

/// Chooses among unnamed columns, of which one may be `given` as the count. For lengths, the only other column is the
/// length, and several are a question; for pairs, the first columns are the sizes, followed by their count if no size
/// comes twice.
pub(super) fn unnamed(
    columns: &[ColumnStats],
    components: usize,
    given: Option<usize>,
    options: &Options,
) -> Result<ColumnChoice, Unclear> {
    let of: Vec<&ColumnStats> = columns.iter().take(components).collect();
    let is_distinct = column_stats::is_distinct(&of);
    let sizes = match (components, given) {
        // Offsets are no lengths: these are their differences.
        (1, _) if columns.len() == 1 && column_stats::are_offsets(&of[0].cells) => {
            return Err(Unclear::Refused(format!(
                "the column {}",
                column_stats::OFFSETS
            )));
        }
        (1, _) if columns.len() == 1 => vec![0],
        (1, None) if column_stats::index_of_fasta(columns) => vec![1],
        (1, Some(count @ 0..2)) if columns.len() == 2 => vec![1 - count],
        (1, _) => {
            let is_named = matches!(columns, [names, sizes] if names.holds == Holds::Texts && sizes.is_whole());
            return ask(
                column_stats::without_names(columns),
                if is_named { &[1] } else { &[] },
                &[],
            );
        }
        _ => (0..components).collect(),
    };
    // `components > 1`: beside one length a second column without a name is a question.
    let is_next = options.count.is_none() && components > 1 && columns.len() == components + 1;
    let next = columns
        .get(components)
        .filter(|next| is_next && next.is_whole());
    if next.is_some() && is_distinct == Some(false) {
        let words = "sizes come twice, so that the last column is hardly their count";
        return ask(words.to_owned(), &sizes, &[components]);
    }
    Ok(ColumnChoice {
        sizes,
        count: given.or(next.map(|_| components)),
        if_distinct: next.is_some(),
    })
}
