//! Which columns are sizes, and which is the count: one rule for tables, JSON, NumPy, Parquet and Arrow.
//!
//! A column is what its name says, if its values can be that. A length has a known name, and so has a count, which is whole,
//! does not add up the rows before, and stands beside sizes that come once, or nearly so. All else is a question, if
//! it may be a length or a count: an error, or a note if [`Options::guess`] is set.

use super::kinds;
use super::names;
use super::note::Note;
use super::options::Options;
use super::problem::shorten;
use super::seen::{self, Holds, Seen};

/// Fields measured by their contents.
pub(super) const CONTENTS: [&str; 10] =
    ["input_ids", "token_ids", "ids", "tokens", "text", "content", "prompt", "sequence", "sentence", "body"];

/// The columns to read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chosen {
    pub sizes: Vec<usize>,
    pub count: Option<usize>,
    /// Whether the count was taken for one because no size comes twice: to be checked at the end.
    pub if_distinct: bool,
    pub notes: Vec<Note>,
}

/// The reason why columns cannot be chosen.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Unclear {
    /// No column can be the sizes.
    NoSizes,
    /// There are two readings: the words of the question.
    Question(String),
    /// There are no lengths: the words say what there is, and the way out.
    Refused(String),
}

/// Chooses the columns of so many sizes and of the count; `given` are the columns of the sizes where they were named, and
/// `count` is that of the count where it was. If `likely`, a column that may be a length is one where the visitor can answer.
pub(super) fn choose(
    columns: &[Seen],
    given: Option<Vec<usize>>,
    count: Option<usize>,
    options: &Options,
    (components, likely): (usize, bool),
) -> Result<Chosen, Unclear> {
    let (free, given_is) = (options.count.is_none(), given.is_some());
    let rule = Rule { columns, guess: options.guess, free, given: given_is, likely };
    let mut notes = Vec::new();
    let sizes = match given {
        Some(sizes) => sizes,
        None if components > 1 => together(columns, components).ok_or(Unclear::NoSizes)?,
        None => vec![rule.length(count, &mut notes)?],
    };
    let mut count = count.filter(|count| !sizes.contains(count));
    let mut if_distinct = false;
    if rule.free {
        (count, if_distinct) = rule.count(&sizes, &mut notes)?;
    }
    let read = || sizes.iter().chain(&count).filter(|_| !rule.given);
    if let Some(twice) = read().find(|i| columns.iter().filter(|c| c.name == columns[**i].name).count() > 1) {
        let name = rule.listed(&[*twice]);
        let question = format!("two columns are called {name}; say which by its number, --length-column 1");
        if !columns[*twice].name.is_empty() {
            return Err(Unclear::Refused(question));
        }
    }
    Ok(Chosen { sizes, count, if_distinct, notes })
}

struct Rule<'a> {
    columns: &'a [Seen],
    guess: bool,
    /// Whether nobody has said what the count is.
    free: bool,
    /// Whether the visitor has named the columns of the sizes.
    given: bool,
    /// Whether what may be a length by what it holds is taken for one, with a question.
    likely: bool,
}

impl Rule<'_> {
    fn all<'s>(&'s self, is: impl Fn(&Seen) -> bool + 's) -> impl Iterator<Item = usize> + 's {
        (0..self.columns.len()).filter(move |i| is(&self.columns[*i]))
    }

    fn name(&self, at: usize) -> &str {
        &self.columns[at].name
    }

    /// Returns the column of the length.
    fn length(&self, count: Option<usize>, notes: &mut Vec<Note>) -> Result<usize, Unclear> {
        let is_count =
            |i: usize| Some(i) == count || (self.free && names::count_rank(self.name(i)).is_some());
        let is_length = |column: &Seen| column.holds == Holds::Numbers && names::is_length(&column.name);
        let mut can: Vec<usize> = self.all(is_length).filter(|i| !is_count(*i)).collect();
        let content = |holds: Holds| {
            CONTENTS.iter().find_map(|name| {
                self.all(|c| c.holds == holds && kinds::plain(names::last(&c.name)) == *name).next()
            })
        };
        // A list of tokens is surer than a number of characters or of bytes.
        let in_tokens = can.iter().any(|i| names::unit(self.name(*i)) == "tokens");
        match content(Holds::Lists).filter(|_| !in_tokens) {
            Some(list) => return Ok(list),
            None => self.narrow(&mut can),
        }
        match can[..] {
            [only] => return self.alone(only, notes),
            [first, ..] => {
                let question = format!("{} may be the length", self.listed(&can));
                return self.ask(question, notes).map(|()| first);
            }
            [] => {}
        }
        let is_medium =
            |i: &usize| self.columns[*i].holds == Holds::Numbers && names::is_medium(self.name(*i));
        if let Some(text) = content(Holds::Texts) {
            let Some(medium) = (0..self.columns.len()).find(is_medium) else { return Ok(text) };
            let question = format!(
                "beside {} the words of {} are hardly the length",
                self.listed(&[medium]),
                self.listed(&[text])
            );
            return self.ask(question, notes).map(|()| text);
        }
        // Tools have no name for what they count, or one of their own.
        let has_count = (0..self.columns.len()).any(is_count);
        let is_counted =
            |column: &Seen| column.is_whole() && !column.is_row_number() && names::is_counted(&column.name);
        match self.all(is_counted).filter(|i| !is_count(*i)).collect::<Vec<_>>()[..] {
            [only] if has_count => Ok(only),
            _ => self.likely(is_count, notes),
        }
    }

    /// Leaves of several columns that may be the length those that are surer than the others: one in tokens beside others
    /// that say what else they count; any beside one called "size"; the first of equal ones.
    fn narrow(&self, can: &mut Vec<usize>) {
        if can.iter().any(|i| !names::is_size(self.name(*i))) {
            can.retain(|i| !names::is_size(self.name(*i)));
        }
        let (tokens, others): (Vec<usize>, Vec<usize>) =
            can.iter().partition(|i| names::is_in_tokens(self.name(**i)));
        let are_foreign = others.iter().all(|i| names::unit(self.name(*i)) != "tokens");
        if tokens.len() == 1 && are_foreign {
            *can = tokens;
        }
        let cells = |i: usize| &self.columns[i].cells;
        if can.iter().all(|i| cells(*i).len() > 1 && cells(*i) == cells(can[0])) {
            can.truncate(1);
        }
    }

    /// Takes the only column with a name of lengths for them, if its values can be: not where they add up, nor where
    /// it may be the number of rows of each kind that stands in the first column.
    fn alone(&self, only: usize, notes: &mut Vec<Note>) -> Result<usize, Unclear> {
        let column = &self.columns[only];
        if seen::are_offsets(&column.cells) {
            return Err(Unclear::Refused(format!("{} {}", self.listed(&[only]), seen::OFFSETS)));
        }
        let is_index = |i: &usize| {
            let other = &self.columns[*i];
            *i != only && names::is_index(&other.name) && other.is_whole() && !other.is_row_number()
        };
        let index = (0..self.columns.len()).find(is_index);
        let may_be_counted = |i: usize| seen::is_distinct(&[&self.columns[i]]) == Some(true);
        if let Some(index) = index.filter(|i| self.columns.len() == 2 && self.free && may_be_counted(*i)) {
            let question = format!(
                "{} may be the length, or how often each number of {} comes",
                self.listed(&[only]),
                if self.name(index).is_empty() {
                    "the first column".to_owned()
                } else {
                    self.listed(&[index])
                }
            );
            self.ask(question, notes)?;
        }
        Ok(only)
    }

    /// Takes what may be a length by what it holds, with a question, where the visitor can answer it.
    fn likely(&self, is_count: impl Fn(usize) -> bool, notes: &mut Vec<Note>) -> Result<usize, Unclear> {
        let can = |column: &Seen| match column.holds {
            Holds::Numbers => {
                column.is_whole() && !column.is_row_number() && !names::names_rows(&column.name)
            }
            holds => holds == Holds::Lists || (holds == Holds::Texts && self.columns.len() > 1),
        };
        let likely =
            self.all(can).find(|i| !is_count(*i) && self.guess && self.likely).ok_or(Unclear::NoSizes)?;
        self.ask(
            format!("no column is known to be a length, and {} is read", self.listed(&[likely])),
            notes,
        )?;
        Ok(likely)
    }

    /// Returns the column of the count, and whether it is one only as long as no size comes twice.
    fn count(&self, sizes: &[usize], notes: &mut Vec<Note>) -> Result<(Option<usize>, bool), Unclear> {
        // Beside a text, a column called "n" is hardly its number of copies.
        if sizes.iter().any(|i| self.columns[*i].holds != Holds::Numbers) {
            return Ok((None, false));
        }
        let is_other = |i: &usize| !sizes.contains(i) && self.columns[*i].holds != Holds::PART;
        let others: Vec<usize> = (0..self.columns.len()).filter(is_other).collect();
        let called =
            |is: fn(&str) -> bool| others.iter().copied().filter(|i| is(self.name(*i))).collect::<Vec<_>>();
        let sure = called(|name| names::count_rank(name).is_some());
        let numbers = |i: &usize| self.columns[*i].holds == Holds::Numbers;
        let weak: Vec<usize> = called(names::is_weak_count).into_iter().filter(numbers).collect();
        match (&sure[..], &weak[..]) {
            ([one], _) => self.judge(*one, true, sizes, notes),
            ([], _) if self.given && weak.len() != 1 => Ok((None, false)),
            ([], [one]) => match self.may_be_counts(&others) {
                unknown
                    if self.given || unknown.iter().all(|i| i == one || self.columns[*i].is_row_number()) =>
                {
                    self.judge(*one, false, sizes, notes)
                }
                unknown => {
                    let question = format!("{} may be the count", self.listed(&unknown));
                    self.ask(question, notes).map(|()| (None, false))
                }
            },
            ([], []) => self.unknown(sizes, &others, notes).map(|()| (None, false)),
            ([first, ..], _) | ([], [first, ..]) => {
                let all = if sure.is_empty() { &weak } else { &sure };
                let question = format!("{} may be the count", self.listed(all));
                self.ask(question, notes).map(|()| (Some(*first), true))
            }
        }
    }

    /// Decides whether a column with a name of counts holds them.
    fn judge(
        &self,
        at: usize,
        sure: bool,
        sizes: &[usize],
        notes: &mut Vec<Note>,
    ) -> Result<(Option<usize>, bool), Unclear> {
        let column = &self.columns[at];
        let name = shorten(column.name.as_bytes());
        let is_alike = !column.cells.is_empty() && column.cells.iter().all(|cell| cell.whole() == Some(1));
        let is_number = column.is_row_number() && !sure;
        let is_before = names::may_number_rows(&column.name) && sizes.iter().all(|size| at < *size);
        if is_alike || (is_number && is_before) {
            return Ok((None, false));
        }
        let (rows, distinct) = self.kinds(sizes);
        let few = if sure { 2 * distinct < rows } else { distinct < rows };
        let lengths = &self.columns[sizes[0]].cells;
        let what = match () {
            () if column.is_share() => {
                return Err(Unclear::Refused(format!("\"{name}\" holds {}", seen::SHARES)));
            }
            () if !column.is_whole() => "holds no whole numbers, as counts are",
            () if is_number => "may be a count, or number the rows",
            () if few => "may be the count, but sizes come more than once beside it",
            () if self.has_names() => "may be the count, but each row has a name of its own",
            () if sizes.len() == 1 && seen::are_summed(lengths, &column.cells) => {
                "may be the count, but never falls: it may add up the rows before"
            }
            () => "",
        };
        if !what.is_empty() {
            return self.ask(format!("\"{name}\" {what}"), notes).map(|()| (None, false));
        }
        // Where nothing was looked at, what is there is damaged.
        if !sure && column.cells.is_empty() {
            return Ok((None, false));
        }
        if !sure {
            notes.push(Note::Counted { name });
        }
        Ok((Some(at), !sure))
    }

    /// Counts the rows, and those that differ in their sizes and in what says of which kind they are.
    fn kinds(&self, sizes: &[usize]) -> (usize, usize) {
        let is_kind = |column: &Seen| match column.holds {
            Holds::Texts => !seen::are_apart(&[column]) || column.cells.len() < 4,
            Holds::Numbers => {
                let is_size = kinds::of_graph(&column.name).is_some() || names::is_length(&column.name);
                is_size || (names::names_rows(&column.name) && !column.is_row_number())
            }
            _ => false,
        };
        let rows = self.columns[sizes[0]].cells.len();
        let is_kind = |column: &Seen| column.cells.len() == rows && is_kind(column);
        let of = sizes.iter().copied().chain(self.all(is_kind)).map(|i| &self.columns[i]).collect::<Vec<_>>();
        seen::apart(&of)
    }

    /// Whether rows have names of their own, so that each is an item.
    fn has_names(&self) -> bool {
        let is_name = |column: &Seen| {
            let enough = column.cells.len() > 3 || names::names_items(&column.name);
            column.holds == Holds::Texts && enough && seen::are_apart(&[column])
        };
        self.columns.iter().any(is_name)
    }

    /// Asks about columns that may be counts where no name says so, if rows are told apart by sizes and kinds alone; else
    /// rows are items. Shares of the whole are no counts, and what they are shares of is not there.
    fn unknown(&self, sizes: &[usize], others: &[usize], notes: &mut Vec<Note>) -> Result<(), Unclear> {
        let (rows, distinct) = self.kinds(sizes);
        // What is called "size" may be the count of what another column measures.
        if self.has_names() || (distinct < rows && !names::is_size(self.name(sizes[0]))) {
            return Ok(());
        }
        let is_part = |i: &&usize| names::is_part(self.name(**i)) || self.columns[**i].is_share();
        if let Some(part) = others.iter().find(is_part).filter(|_| rows > 1) {
            return Err(Unclear::Refused(format!("{} holds {}", self.listed(&[*part]), seen::SHARES)));
        }
        let unknown = self.may_be_counts(others);
        // One row does not tell; but counts stand beside few others.
        if unknown.is_empty() || (rows == 1 && unknown.len() > 4) {
            return Ok(());
        }
        self.ask(format!("{} may be the count", self.listed(&unknown)), notes)
    }

    /// Returns the columns that may be counts by what they hold, and whose names do not say that they are something else.
    fn may_be_counts(&self, others: &[usize]) -> Vec<usize> {
        let can = |i: &&usize| {
            let column = &self.columns[**i];
            let is_number = column.is_row_number()
                && if column.name.is_empty() { **i == 0 } else { names::is_about_rows(&column.name) };
            let is_other = names::names_rows(&column.name)
                || names::is_length(&column.name)
                || kinds::of_graph(&column.name).is_some();
            let is_alike = column.cells.len() > 1 && column.cells.iter().all(|cell| cell.whole() == Some(1));
            column.is_whole() && !is_alike && !is_number && !is_other
        };
        others.iter().filter(can).copied().collect()
    }

    fn ask(&self, question: String, notes: &mut Vec<Note>) -> Result<(), Unclear> {
        if !self.guess {
            return Err(Unclear::Question(question));
        }
        notes.push(Note::Question { words: question });
        Ok(())
    }

    fn listed(&self, columns: &[usize]) -> String {
        let names = columns.iter().take(5).map(|i| format!("\"{}\"", shorten(self.name(*i).as_bytes())));
        names.collect::<Vec<_>>().join(" or ")
    }
}

/// Returns the columns whose names belong together: numbers, or else lists and texts.
pub(super) fn together(columns: &[Seen], wanted: usize) -> Option<Vec<usize>> {
    let among = |can: fn(Holds) -> bool| {
        let places: Vec<usize> = (0..columns.len()).filter(|i| can(columns[*i].holds)).collect();
        let names: Vec<&str> = places.iter().map(|i| columns[*i].name.as_str()).collect();
        Some(kinds::find(&names, wanted)?.into_iter().map(|i| places[i]).collect())
    };
    among(|holds| holds == Holds::Numbers).or_else(|| among(|holds| !matches!(holds, Holds::Other(_))))
}

/// Returns the columns of a table without names: one is the length, and of pairs the first are the sizes, with their count
/// behind them where no size comes twice. Which of several is the length is a question.
pub(super) fn unnamed(columns: &[Seen], components: usize, options: &Options) -> Result<Chosen, Unclear> {
    let sizes: Vec<usize> = (0..components).collect();
    let of: Vec<&Seen> = columns.iter().take(components).collect();
    let next = columns.get(components).filter(|_| options.count.is_none() && columns.len() == components + 1);
    let is_distinct = seen::is_distinct(&of);
    let question = match components {
        1 if columns.len() == 1 && seen::are_offsets(&of[0].cells) => {
            return Err(Unclear::Refused(format!("the column {}", seen::OFFSETS)));
        }
        1 if columns.len() == 1 => None,
        1 => match seen::index_of_fasta(columns) {
            true => return Ok(Chosen { sizes: vec![1], count: None, if_distinct: false, notes: Vec::new() }),
            false => Some(seen::without_names(columns)),
        },
        _ if next.is_none_or(|next| !next.is_whole()) || is_distinct != Some(false) => None,
        _ => Some("sizes come twice, so that the last column is hardly their count".to_owned()),
    };
    let count = next.filter(|next| next.is_whole() && is_distinct != Some(false)).map(|_| components);
    let words = question.filter(|_| components > 1 || options.count.is_none() || columns.len() > 2);
    if words.is_some() && !options.guess {
        return Err(Unclear::Question(words.unwrap_or_default()));
    }
    let if_distinct = count.is_some() && words.is_none();
    let notes = words.into_iter().map(|words| Note::Question { words }).collect();
    Ok(Chosen { sizes, count, if_distinct, notes })
}
