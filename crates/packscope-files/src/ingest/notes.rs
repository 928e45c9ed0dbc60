//! Assumptions made while an input was read.

use packscope_core::histogram::{Bin, Bins, Histogram};
use packscope_core::words::{count, percent, plural};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How templates name the texts of conversations: as fields of lists of messages. Such texts lack
/// what a chat template adds.
pub(crate) const MESSAGES: [&str; 4] = ["messages[].", "conversations[].", "prompt[].", "[]."];

/// An assumption that a visitor may want to correct.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Note {
    /// Several numbers on a line, without a header, were each taken for a length.
    EachNumber,
    /// A column taken for the count, because no size comes twice.
    Counted {
        /// The name of that column.
        name: String,
    },
    /// A line above the header was left out.
    Title {
        /// The line.
        text: String,
    },
    /// The lines have the form of `uniq -c`: the count, then the length.
    Uniq,
    /// Sequences of letters are measured in letters.
    Letters,
    /// The field of JSON records taken for the length.
    Field {
        /// The name of the field.
        name: String,
    },
    /// Columns without a header, read as sizes of several components.
    Columns {
        /// The number of columns.
        columns: u32,
        /// The number of columns that are sizes.
        sizes: u32,
        /// Whether the column after them is the count.
        count: bool,
    },
    /// The fields of JSON records taken for the sizes.
    Fields {
        /// The names of the fields.
        names: Vec<String>,
    },
    /// JSON arrays, read as sizes of several components.
    Arrays {
        /// The number of elements in the first array.
        elements: u64,
        /// The number of elements that are sizes.
        sizes: u32,
        /// Whether the element after them is the count.
        count: bool,
    },
    /// An object with lengths as keys and counts as values.
    Map,
    /// Arrays are measured by their elements.
    Elements,
    /// Texts are measured by their words.
    Words,
    /// Texts are measured by their tokens.
    Tokens {
        /// The tokenizer: name, kind and size of the vocabulary.
        tokenizer: String,
        /// The templates of the counted texts: one, or two for a pair.
        texts: Vec<String>,
        /// Whether special tokens were counted.
        special: bool,
    },
    /// Settings in the tokenizer's file that would have changed lengths and were switched off.
    SwitchedOff {
        /// The settings, such as "truncation to 512 tokens".
        what: Vec<String>,
    },
    /// Tokens are estimated from the characters of texts.
    Estimated {
        /// The least tokens of all texts that a usual tokenizer would give.
        least: u64,
        /// The most.
        most: u64,
        /// Tokens added for each message of a conversation; 0 for other texts.
        per_message: u64,
    },
    /// Sizes are computed.
    Computed {
        /// The sizes of the first records.
        first: Vec<Vec<u32>>,
    },
    /// The edges of a TU folder were counted as listed.
    Directed,
    /// The nodes of graphs are the distinct ends of edges.
    Ends,
    /// A histogram in bins, or a printed one, with a remark on it.
    Histogram {
        /// The sentence.
        words: String,
    },
    /// Several files became one histogram.
    Files {
        /// The number of files.
        files: u64,
    },
    /// The reading ended before the end of the input.
    Sample {
        /// Bytes read.
        read: u64,
        /// Bytes of the input.
        of: u64,
    },
    /// Only the first records were read.
    First {
        /// The number of records.
        records: u64,
    },
}

impl Note {
    /// Describes the part of the input that was read, if not all.
    pub(super) fn sample(&self) -> Option<String> {
        match self {
            // Of the bytes of all files, as they are on disk.
            Self::Sample { read, of } => Some(format!(
                "the first {} of the input",
                percent(*read as f64 / *of as f64)
            )),
            Self::First { records } => Some(format!("the first {}", plural(*records, "record"))),
            _ => None,
        }
    }

    /// Describes the band of lengths that are estimated; nothing of other notes.
    fn estimate(&self) -> String {
        let Self::Estimated {
            least,
            most,
            per_message,
        } = self
        else {
            return String::new();
        };
        let around = match per_message {
            0 => String::new(),
            tokens => format!(", with {tokens} around each message"),
        };
        format!(
            "tokens are estimated from the characters of texts{around}: six usual tokenizers would count from {} to {}; the \
             tokenizer.json of the model counts them",
            count(*least),
            count(*most)
        )
    }

    /// Returns the note on unnamed columns, of which `sizes` are sizes.
    pub(super) fn columns(columns: usize, sizes: usize, count: bool) -> Self {
        Self::Columns {
            columns: u32::try_from(columns).unwrap_or(u32::MAX),
            sizes: sizes as u32,
            count,
        }
    }

    /// Returns the note on the fields taken for the sizes.
    pub(super) fn fields(mut names: Vec<String>) -> Self {
        match names.pop() {
            Some(name) if names.is_empty() => Self::Field { name },
            last => Self::Fields {
                names: names.into_iter().chain(last).collect(),
            },
        }
    }
}

/// Returns the remark on a template of the texts of messages; empty for any other template.
fn without_chat(template: &str) -> &'static str {
    let is_chat = MESSAGES
        .iter()
        .any(|list| template.contains(&format!("{{{list}")));
    if is_chat {
        " and without the chat template of the model"
    } else {
        ""
    }
}

/// Returns notes on what bins leave unknown.
pub(super) fn on_bins(histogram: Option<&Histogram<1>>, bins: &[Bin]) -> Vec<Note> {
    let Some(all) = histogram.and_then(|histogram| Bins::new(histogram, bins)) else {
        return Vec::new();
    };
    let number = plural(bins.len() as u64, "bin");
    let spread = format!(
        "lengths are known by {number} alone: the items are spread evenly over each, and figures have a band"
    );
    // Near or above a half, figures are rough (see `Bins::coarseness`).
    let coarse = (all.coarseness() >= 0.5).then(|| {
        format!(
            "the bins are wide for what they hold ({} of the mean length): figures are rough, finer bins say more",
            percent(all.coarseness())
        )
    });
    let thin = all.thin().map(|(last, items, [from, to])| {
        let (last, items) = (plural(last, "bin"), plural(items, "item"));
        let [from, to] = [from, to].map(|length| count(length.into()));
        format!("the last bins are wide and thin ({last} from {from} to {to} with {items}), and the longest decide padding")
    });
    let words = [Some(spread), coarse, thin].into_iter().flatten();
    words.map(|words| Note::Histogram { words }).collect()
}

/// Describes which of the first numbers of a row are sizes, and the number after them.
fn describe_first_numbers(all: u64, sizes: u32, is_count: bool) -> String {
    let which = if all == u64::from(sizes) {
        "all".to_owned()
    } else {
        format!("the first {sizes}")
    };
    let rest = if is_count {
        "the next as the count"
    } else {
        "one item each time"
    };
    format!("{which} are read as sizes, {rest}")
}

fn listed(sizes: &[Vec<u32>]) -> String {
    let one = |size: &Vec<u32>| {
        size.iter()
            .map(|n| count((*n).into()))
            .collect::<Vec<_>>()
            .join(" × ")
    };
    sizes.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// Describes which tokens are counted, and by which tokenizer.
fn describe_tokens(tokenizer: &str, texts: &[String], special: bool) -> String {
    let texts = texts.join(" and, as its pair, ");
    let specials = if special { "with" } else { "without" };
    let chat = without_chat(&texts);
    format!("tokens of {texts}, {specials} special tokens{chat}, are counted by {tokenizer}")
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EachNumber => {
                write!(
                    f,
                    "several numbers on a line without a header: each is read as a length"
                )
            }
            Self::Counted { name } => {
                write!(f, "no size comes twice: \"{name}\" is read as the count")
            }
            Self::Title { text } => write!(f, "the line \"{text}\" above the table is left out"),
            Self::Uniq => write!(
                f,
                "lines as `uniq -c` prints them: read as count, then length"
            ),
            Self::Letters => write!(f, "the length of a sequence is the number of its letters"),
            Self::Field { name } => write!(f, "the field \"{name}\" is read as the length"),
            Self::Columns {
                columns,
                sizes,
                count: is_count,
            } => {
                let all = u64::from(*columns);
                write!(
                    f,
                    "{} columns without a header: {}",
                    count(all),
                    describe_first_numbers(all, *sizes, *is_count)
                )
            }
            Self::Fields { names } => {
                write!(
                    f,
                    "the fields \"{}\" are read as sizes",
                    names.join("\", \"")
                )
            }
            Self::Arrays {
                elements,
                sizes,
                count: is_count,
            } => {
                write!(
                    f,
                    "arrays of {} numbers: {}",
                    count(*elements),
                    describe_first_numbers(*elements, *sizes, *is_count)
                )
            }
            Self::Map => write!(f, "an object with numbers as keys: read as length: count"),
            Self::Words => write!(
                f,
                "lengths are counted in words and punctuation marks, not in the tokens of a model; a tokenizer would \
                 count more"
            ),
            Self::Tokens {
                tokenizer,
                texts,
                special,
            } => f.write_str(&describe_tokens(tokenizer, texts, *special)),
            Self::SwitchedOff { what } => {
                write!(
                    f,
                    "the tokenizer's file asks for {}, which lengths are counted without",
                    what.join(" and ")
                )
            }
            Self::Estimated { .. } => f.write_str(&self.estimate()),
            Self::Computed { first } => {
                write!(f, "computed for the first records: {}", listed(first))
            }
            Self::Directed => {
                write!(
                    f,
                    "edges are counted as they are listed: where both directions are, an edge is two"
                )
            }
            Self::Ends => write!(
                f,
                "the nodes of a graph are the distinct ends of its edges, and edges are counted as they are listed; \
                 a node without an edge is in no such list"
            ),
            Self::Histogram { words } => f.write_str(words),
            Self::Files { files } => write!(f, "{} were read as one", plural(*files, "file")),
            Self::Sample { .. } | Self::First { .. } => {
                let sample = self.sample().unwrap_or_default();
                let were = if matches!(self, Self::First { records: 2.. }) {
                    "were"
                } else {
                    "was"
                };
                write!(
                    f,
                    "only {sample} {were} read: all figures are those of a sample"
                )
            }
            Self::Elements => write!(f, "the length of an array is the number of its elements"),
        }
    }
}
