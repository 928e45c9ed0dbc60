//! Which columns are sizes, and which is the count: one rule for tables, JSON, NumPy, Parquet and Arrow.
//!
//! Known names decide first. A column that may be a count, by its name or because it is the only other one, is one only
//! where no size comes twice: a table of counts has a row for each size. Columns that number rows are neither. Where
//! two readings are plausible, the visitor is asked: that is an error, or a note if [`Options::guess`] is set.

use super::kinds;
use super::names::{self, LENGTHS};
use super::note::Note;
use super::options::Options;
use super::problem::shorten;
use super::seen::{Holds, Seen, are_apart, are_distinct, bins_among};

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
/// `count` is that of the count where it was. If `strict`, lengths have known names, unless counts have.
pub(super) fn choose(
    columns: &[Seen],
    given: Option<Vec<usize>>,
    count: Option<usize>,
    options: &Options,
    (components, strict): (usize, bool),
) -> Result<Chosen, Unclear> {
    let free = options.count.is_none();
    let rule = Rule { columns, guess: options.guess, given: given.is_some(), strict };
    let mut notes = Vec::new();
    let sizes = match given {
        Some(sizes) => sizes,
        None => rule.sizes(components, count, free, &mut notes)?,
    };
    let count = count.filter(|count| !sizes.contains(count));
    if !free {
        return Ok(Chosen { sizes, count, if_distinct: false, notes });
    }
    let (count, if_distinct) = rule.count(&sizes, &mut notes)?;
    Ok(Chosen { sizes, count, if_distinct, notes })
}

struct Rule<'a> {
    columns: &'a [Seen],
    guess: bool,
    /// Whether the visitor has named the columns of the sizes.
    given: bool,
    /// Whether a column of an unknown name is no length: fields of JSON may be anything.
    strict: bool,
}

impl Rule<'_> {
    fn sizes(
        &self,
        components: usize,
        count: Option<usize>,
        free: bool,
        notes: &mut Vec<Note>,
    ) -> Result<Vec<usize>, Unclear> {
        match components {
            1 => self.length(count, free, notes).map(|length| vec![length]),
            _ => together(self.columns, components).ok_or(Unclear::NoSizes),
        }
    }

    fn all<'s>(&'s self, is: impl Fn(&Seen) -> bool + 's) -> impl Iterator<Item = usize> + 's {
        (0..self.columns.len()).filter(move |i| is(&self.columns[*i]))
    }

    fn called(&self, name: &str, holds: Holds) -> Option<usize> {
        self.all(|column| column.holds == holds && kinds::plain(&column.name) == name).next()
    }

    /// Returns the column of the length.
    fn length(&self, count: Option<usize>, free: bool, notes: &mut Vec<Note>) -> Result<usize, Unclear> {
        let known = |names: &[&str]| {
            names.iter().find_map(|name| self.called(name, Holds::Numbers).filter(|i| Some(*i) != count))
        };
        // "size" may be the number of items of each length.
        let (sure, last) = LENGTHS.split_at(LENGTHS.len() - 2);
        bins_among(self.columns, true).map_err(Unclear::Refused)?;
        let content = |holds| CONTENTS.iter().find_map(move |name| self.called(name, holds));
        let numbers = |is: fn(&str) -> bool| {
            let is_count = |name: &str| free && names::count_rank(name).is_some();
            let is = move |column: &Seen| {
                column.holds == Holds::Numbers && is(&column.name) && !is_count(&column.name)
            };
            self.all(is).filter(|i| Some(*i) != count).collect::<Vec<_>>()
        };
        if let Some(length) = known(sure) {
            return Ok(length);
        }
        let by_tokens = numbers(names::is_token_length);
        if let [only] = by_tokens[..] {
            return Ok(only);
        }
        if let Some(found) = content(Holds::Lists).or_else(|| content(Holds::Texts)) {
            return Ok(found);
        }
        bins_among(self.columns, false).map_err(Unclear::Refused)?;
        let measured = if by_tokens.is_empty() { numbers(names::is_measure) } else { by_tokens };
        if let [only] = measured[..] {
            return Ok(only);
        }
        if let Some(length) =
            known(last).or_else(|| LENGTHS.iter().find_map(|name| self.called(name, Holds::Lists)))
        {
            return Ok(length);
        }
        if let [first, ..] = measured[..] {
            let question = format!("{} may be the length", self.listed(&measured));
            return self.ask(question, notes).map(|()| first);
        }
        self.only(count, free, notes)
    }

    /// Returns the only column that can be a length by what it holds.
    fn only(&self, count: Option<usize>, free: bool, notes: &mut Vec<Note>) -> Result<usize, Unclear> {
        let is_count =
            |i: usize| Some(i) == count || (free && names::count_rank(&self.columns[i].name).is_some());
        if self.strict && !(0..self.columns.len()).any(is_count) {
            return Err(Unclear::NoSizes);
        }
        let can = |column: &Seen| match column.holds {
            Holds::Numbers => {
                column.is_whole() && !column.is_row_number() && !names::names_rows(&column.name)
            }
            Holds::Lists => true,
            Holds::Texts | Holds::Other(_) => false,
        };
        let can: Vec<usize> = self.all(can).filter(|i| !is_count(*i)).collect();
        // A text called "length" is a number in quotes, not words.
        let is_text = |column: &Seen| column.holds == Holds::Texts && !names::is_known(&column.name);
        let texts: Vec<usize> = self.all(is_text).collect();
        let named = |i: usize| shorten(self.columns[i].name.as_bytes());
        match (&can[..], &texts[..]) {
            ([only], _) => {
                notes.push(Note::Guessed { name: named(*only) });
                Ok(*only)
            }
            // The header of a single column of texts is not to be told from them.
            ([], [only]) if self.columns.len() > 1 => {
                notes.push(Note::Guessed { name: named(*only) });
                Ok(*only)
            }
            ([], _) => Err(Unclear::NoSizes),
            ([first, ..], _) => {
                let question = "no column is known to be a length, and several can be one".to_owned();
                self.ask(question, notes).map(|()| *first).map_err(|_| Unclear::NoSizes)
            }
        }
    }

    /// Returns the column of the count, and whether it is one only as long as no size comes twice.
    fn count(&self, sizes: &[usize], notes: &mut Vec<Note>) -> Result<(Option<usize>, bool), Unclear> {
        let of: Vec<&Seen> = sizes.iter().map(|i| &self.columns[*i]).collect();
        // Beside a text, a column called "n" is hardly its number of copies.
        if of.iter().any(|size| size.holds != Holds::Numbers) {
            return Ok((None, false));
        }
        let others: Vec<usize> =
            self.all(|column| column.holds == Holds::Numbers).filter(|i| !sizes.contains(i)).collect();
        let rank = |i: &usize| Some((names::count_rank(&self.columns[*i].name)?, *i));
        if let Some((_, count)) = others.iter().filter_map(rank).min() {
            self.refuse_shares(count)?;
            return Ok((Some(count), false));
        }
        let weak: Vec<usize> =
            others.iter().copied().filter(|i| names::is_weak_count(&self.columns[*i].name)).collect();
        let distinct = are_distinct(&of);
        if let (true, Some(other)) = (weak.is_empty() && !self.given, self.rival(sizes, &others)) {
            let question = format!("{} may be the length", self.listed(&[sizes[0], other]));
            self.ask(question, notes)?;
            return Ok((Some(other).filter(|_| distinct == Some(true)), true));
        }
        let candidate = match weak[..] {
            // One guess does not rest on another.
            [] if self.given || notes.iter().any(|note| matches!(note, Note::Question { .. })) => None,
            [] => match self.lone(sizes, &others) {
                Some(lone) => Some(lone),
                None => return self.unknown(sizes, &others, distinct, notes),
            },
            [one] => Some(one),
            _ if distinct == Some(false) => weak.iter().copied().find(|i| !self.columns[*i].is_row_number()),
            _ => {
                let question = format!("{} may be the count", self.listed(&weak));
                return self.ask(question, notes).map(|()| (Some(weak[0]), true));
            }
        };
        let Some(candidate) = candidate else { return Ok((None, false)) };
        self.judge(candidate, !weak.is_empty(), sizes, distinct, notes)
    }

    /// Returns a column that may be the length where that is called "size", which may be the count.
    fn rival(&self, sizes: &[usize], others: &[usize]) -> Option<usize> {
        let [size] = sizes else { return None };
        let name = kinds::plain(&self.columns[*size].name);
        // Lengths come once, or once for each kind.
        let is_kind = |i: &usize| self.columns[*i].holds == Holds::Texts && !are_apart(&[&self.columns[*i]]);
        let kinds: Vec<usize> = (0..self.columns.len()).filter(is_kind).collect();
        let can = |i: &&usize| {
            let of: Vec<&Seen> = kinds.iter().chain([*i]).map(|at| &self.columns[*at]).collect();
            // One row does not tell.
            let is_apart = are_apart(&of) || self.columns[**i].cells.len() == 1;
            self.may_count(**i) && !self.columns[**i].name.is_empty() && is_apart
        };
        others.iter().find(can).copied().filter(|_| LENGTHS[LENGTHS.len() - 2..].contains(&name.as_str()))
    }

    /// Whether a column of an unknown name may be a count by what it holds.
    fn may_count(&self, at: usize) -> bool {
        let column = &self.columns[at];
        // What numbers rows has no name in front of all, or a name that says so.
        let is_number = column.is_row_number()
            && if column.name.is_empty() { at == 0 } else { names::is_about_rows(&column.name) };
        column.is_whole() && !column.cells.is_empty() && !is_number && !self.is_other(at)
    }

    /// Returns the only other column of a table, numbers of rows aside.
    fn lone(&self, sizes: &[usize], others: &[usize]) -> Option<usize> {
        let rest: Vec<usize> = self
            .all(|column| !(column.is_row_number() && names::is_about_rows(&column.name)))
            .filter(|i| !sizes.contains(i))
            .collect();
        match rest[..] {
            [one] if others.contains(&one) && !self.is_other(one) => Some(one),
            _ => None,
        }
    }

    /// Asks about columns of unknown names that may be counts, where rows are told apart by sizes and kinds alone; else
    /// rows are items.
    fn unknown(
        &self,
        sizes: &[usize],
        others: &[usize],
        distinct: Option<bool>,
        notes: &mut Vec<Note>,
    ) -> Result<(Option<usize>, bool), Unclear> {
        let unknown: Vec<usize> = others.iter().filter(|i| self.may_count(**i)).copied().collect();
        let is_kept = |i: &usize| !unknown.contains(i) && !self.columns[*i].is_share();
        // Any table may be numbered.
        let is_number = |i: &usize| self.columns[*i].is_row_number() && !sizes.contains(i);
        let kept: Vec<usize> = (0..self.columns.len()).filter(|i| is_kept(i) && !is_number(i)).collect();
        let of = |columns: &[usize]| columns.iter().map(|i| &self.columns[*i]).collect::<Vec<&Seen>>();
        // A few rows may be those of as many kinds.
        let names_rows =
            |i: &usize| !sizes.contains(i) && self.columns[*i].cells.len() > 3 && are_apart(&of(&[*i]));
        let may_be = match distinct {
            Some(true) => true,
            Some(false) => !kept.iter().any(names_rows) && are_apart(&of(&kept)),
            // One row does not tell; but counts stand beside few others.
            None => self.columns[sizes[0]].cells.len() == 1 && unknown.len() < 5,
        };
        if unknown.is_empty() || !may_be {
            return Ok((None, false));
        }
        let question = format!("{} may be the count", self.listed(&unknown));
        self.ask(question, notes).map(|()| (None, false))
    }

    /// Whether a name says that a column is neither size nor count.
    fn is_other(&self, column: usize) -> bool {
        let name = &self.columns[column].name;
        let is_size =
            names::is_measure(name) || names::is_token_length(name) || kinds::of_graph(name).is_some();
        is_size || names::names_rows(name)
    }

    /// Decides whether a column that may be a count is one.
    fn judge(
        &self,
        candidate: usize,
        weak: bool,
        sizes: &[usize],
        distinct: Option<bool>,
        notes: &mut Vec<Note>,
    ) -> Result<(Option<usize>, bool), Unclear> {
        let column = &self.columns[candidate];
        let name = shorten(column.name.as_bytes());
        if !column.cells.is_empty() && column.cells.iter().all(|cell| cell.whole() == Some(1)) {
            return Ok((None, false));
        }
        if column.is_row_number() {
            let is_before =
                names::may_number_rows(&column.name) && sizes.iter().all(|size| candidate < *size);
            if is_before || distinct != Some(true) {
                return Ok((None, false));
            }
            let question = format!("\"{name}\" may be a count, or number the rows");
            return self.ask(question, notes).map(|()| (None, false));
        }
        match distinct {
            Some(true) => {
                self.refuse_shares(candidate)?;
                if !column.is_whole() {
                    return Ok((None, false));
                }
                notes.push(Note::Counted { name });
                Ok((Some(candidate), true))
            }
            Some(false) if !weak => Ok((None, false)),
            _ if !column.is_whole() => Ok((None, false)),
            Some(false) => {
                let question =
                    format!("sizes come more than once, and \"{name}\" may be a count all the same");
                self.ask(question, notes).map(|()| (None, false))
            }
            // A table of one row holds one length; a data set of one item is none.
            // Nothing was looked at, as what is there is damaged.
            None if !weak && column.cells.is_empty() => Ok((None, false)),
            None if weak => {
                notes.push(Note::Counted { name });
                Ok((Some(candidate), true))
            }
            None => {
                let question = format!("\"{name}\" may be a count: one row does not tell");
                self.ask(question, notes).map(|()| (Some(candidate), true))
            }
        }
    }

    /// Refuses shares of the whole where counts are expected.
    fn refuse_shares(&self, column: usize) -> Result<(), Unclear> {
        let column = &self.columns[column];
        if !column.is_share() {
            return Ok(());
        }
        let name = shorten(column.name.as_bytes());
        Err(Unclear::Question(format!(
            "\"{name}\" holds shares, which are no counts; write the counts themselves"
        )))
    }

    fn ask(&self, question: String, notes: &mut Vec<Note>) -> Result<(), Unclear> {
        if !self.guess {
            return Err(Unclear::Question(question));
        }
        notes.push(Note::Question { words: question });
        Ok(())
    }

    fn listed(&self, columns: &[usize]) -> String {
        let names =
            columns.iter().take(5).map(|i| format!("\"{}\"", shorten(self.columns[*i].name.as_bytes())));
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

/// Returns the columns of a table without names: the first ones are sizes, and one more is the count where no size
/// comes twice.
pub(super) fn unnamed(columns: &[Seen], components: usize, options: &Options) -> Result<Chosen, Unclear> {
    let rule = Rule { columns, guess: options.guess, given: false, strict: false };
    let mut notes = Vec::new();
    bins_among(columns, false).map_err(Unclear::Refused)?;
    let sizes: Vec<usize> = (0..components).collect();
    let next = columns.get(components).filter(|_| options.count.is_none() && columns.len() == components + 1);
    let Some(next) = next else {
        return Ok(Chosen { sizes, count: None, if_distinct: false, notes });
    };
    let of: Vec<&Seen> = columns[..components].iter().collect();
    let what = match are_distinct(&of) {
        _ if !next.is_whole() => return Ok(Chosen { sizes, count: None, if_distinct: false, notes }),
        Some(false) => "the first column has values that come twice, so the other is hardly their count",
        Some(true) if of[0].is_row_number() => "the first column may be lengths, or number the rows",
        Some(true) if of.len() == 1 && may_be_counts(of[0], next) => {
            "the first column may be lengths, or counts as `uniq -c` prints them"
        }
        _ => "",
    };
    if !what.is_empty() {
        // The question stands for the note on pairs.
        rule.ask(what.to_owned(), &mut notes)?;
        return Ok(Chosen { sizes, count: Some(components), if_distinct: false, notes });
    }
    Ok(Chosen { sizes, count: Some(components), if_distinct: true, notes })
}

/// Whether two columns may be what `uniq -c` prints, of numbers so large that no space stands before them: of a million
/// or, on some systems, of a thousand with lengths in their order behind them.
fn may_be_counts(first: &Seen, next: &Seen) -> bool {
    let whole = |column: &Seen| column.cells.iter().map(|cell| cell.whole().unwrap_or(0)).collect::<Vec<_>>();
    let (first, next) = (whole(first), whole(next));
    let least = first.iter().copied().min().unwrap_or(0);
    let is_sorted = |cells: &[u64]| cells.windows(2).all(|two| two[0] < two[1]);
    least >= 1_000_000 || (least >= 1000 && is_sorted(&next) && !is_sorted(&first))
}
