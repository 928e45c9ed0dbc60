//! Every term of the field that the page uses, with a definition of one or two sentences.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// The term as written within a sentence: "packing factor". In prose `[packing factor]`.
    pub name: &'static str,
    /// Other forms with the same meaning on the page: "packs".
    pub forms: &'static [&'static str],
    pub meaning: &'static str,
    /// The name of the chapter that teaches it.
    pub chapter: &'static str,
}

pub const TERMS: &[Term] = &[
    Term {
        name: "item",
        forms: &["items"],
        meaning: "One sequence or one graph. Its size is a number of tokens, or of nodes and edges.",
        chapter: "rectangle",
    },
    Term {
        name: "sequence",
        forms: &["sequences"],
        meaning: "Tokens that belong together: a sentence, a document, an example.",
        chapter: "rectangle",
    },
    Term {
        name: "batch",
        forms: &["batches"],
        meaning: "The sequences or packs that an accelerator processes at once, as a rectangle of slots.",
        chapter: "rectangle",
    },
    Term {
        name: "limits",
        forms: &["limit", "maximum length", "maximum sequence length"],
        meaning: "The capacity of a pack: the maximum sequence length, or a number of nodes and a number of edges.",
        chapter: "limits",
    },
    Term {
        name: "depth",
        forms: &["maximum depth"],
        meaning: "The number of items in a pack; the maximum depth is its limit (thd_max_packed_sequences in Megatron-LM, max_segments_per_example in Levanter).",
        chapter: "watch",
    },
    Term {
        name: "pack",
        forms: &["packs", "packed", "packing"],
        meaning: "One row that items share, up to its capacity.",
        chapter: "by-hand",
    },
    Term {
        name: "strategy",
        forms: &["strategies"],
        meaning: "The shape of a pack: the sizes in it, sorted. Packs that hold the same sizes have the same strategy.",
        chapter: "histograms",
    },
    Term {
        name: "plan",
        forms: &["plans"],
        meaning: "The strategies, and how often each is used. A plan covers the data exactly: every item is in one pack.",
        chapter: "histograms",
    },
    Term {
        name: "histogram",
        forms: &["histograms"],
        meaning: "The number of items of each size.",
        chapter: "histograms",
    },
    Term {
        name: "padding",
        forms: &["padded"],
        meaning: "Slots of a pack or a batch that hold nothing but are computed all the same. Always drawn in grey.",
        chapter: "rectangle",
    },
    Term {
        name: "waste",
        forms: &["wasted"],
        meaning: "Tokens that are discarded when items are truncated or dropped. Never counted as padding.",
        chapter: "limits",
    },
    Term {
        name: "efficiency",
        forms: &[],
        meaning: "Real tokens divided by slots: the share of the slots that is used.",
        chapter: "rectangle",
    },
    Term {
        name: "packing factor",
        forms: &[],
        meaning: "Items divided by packs: the mean number of items in a row.",
        chapter: "by-hand",
    },
    Term {
        name: "overhead",
        forms: &[],
        meaning: "The cost of keeping packed items apart, as a share of the time of a step.",
        chapter: "apart",
    },
    Term {
        name: "realised speed-up",
        forms: &["speed-up"],
        meaning: "Packing factor divided by (1 + overhead): how many times as fast an epoch is.",
        chapter: "apart",
    },
    Term {
        name: "bound",
        forms: &["lower bound", "bounds"],
        meaning: "A number of packs that no plan can go below.",
        chapter: "bounds",
    },
    Term {
        name: "gap",
        forms: &[],
        meaning: "(packs − bound) / bound: the most by which a plan can exceed the best one.",
        chapter: "bounds",
    },
    Term {
        name: "certificate",
        forms: &["certificates"],
        meaning: "A proof of a bound that can be checked without trusting the program that found it.",
        chapter: "bounds",
    },
    Term {
        name: "heuristic",
        forms: &["heuristics"],
        meaning: "How the two numbers of a size become one priority: their product, sum, maximum or minimum, or one of them alone.",
        chapter: "graphs",
    },
    Term {
        name: "attention mask",
        forms: &["block-diagonal mask"],
        meaning: "Says which tokens may attend to which: in a pack, only those of the same sequence.",
        chapter: "apart",
    },
    Term {
        name: "contamination",
        forms: &["cross-contamination"],
        meaning: "Attention from a token to tokens of another sequence in its pack.",
        chapter: "apart",
    },
    Term {
        name: "position ids",
        forms: &["position id"],
        meaning: "The place of each token in its sequence. In a pack they restart with every sequence, which models with absolute positions need.",
        chapter: "apart",
    },
    Term {
        name: "cu_seqlens",
        forms: &[],
        meaning: "The offsets at which the sequences of a row begin, and the end of the last: kernels attend within each of them.",
        chapter: "apart",
    },
    Term {
        name: "gradient accumulation",
        forms: &["accumulation"],
        meaning: "Several batches whose gradients are added before the weights are updated.",
        chapter: "optimiser",
    },
    Term {
        name: "effective batch",
        forms: &["effective batch size"],
        meaning: "The number of sequences in one update of the weights.",
        chapter: "optimiser",
    },
    Term {
        name: "epoch",
        forms: &["epochs"],
        meaning: "One pass over all the data.",
        chapter: "sorting",
    },
    Term {
        name: "sampler",
        forms: &["samplers"],
        meaning: "Decides which sequences share a batch, and in which order batches come.",
        chapter: "buckets",
    },
    Term {
        name: "bucket",
        forms: &["buckets"],
        meaning: "Sequences of similar length, from which batches are drawn.",
        chapter: "buckets",
    },
    Term {
        name: "residual batch",
        forms: &["residual batches", "residual", "residuals"],
        meaning: "The smaller batch that is left of a bucket after its full batches.",
        chapter: "buckets",
    },
    Term {
        name: "HWCap",
        forms: &["hwcaps"],
        meaning: "The number of sequences of one length that fit into the accelerator's memory: the largest batch of a bucket.",
        chapter: "buckets",
    },
    Term {
        name: "BatchCap",
        forms: &["batch cap", "batchcaps"],
        meaning: "The largest batch of an epoch. It grows from epoch to epoch, so that early epochs have many updates.",
        chapter: "buckets",
    },
    Term {
        name: "RBM",
        forms: &["residual batch merging"],
        meaning: "Residual batch merging: residual batches of neighbouring buckets become one.",
        chapter: "buckets",
    },
    Term {
        name: "LRM",
        forms: &["learning rate modulation"],
        meaning: "Learning rate modulation: the rate for a batch of n sequences is base × √(n / base size).",
        chapter: "buckets",
    },
    Term {
        name: "TokenDrop",
        forms: &["token dropping"],
        meaning: "Drops stopwords from the longer sequences of a batch, down to the length of the shortest.",
        chapter: "buckets",
    },
    Term {
        name: "supervised tokens",
        forms: &["supervised token"],
        meaning: "Tokens that bear loss: in fine-tuning those of responses. Others are computed, and train nothing.",
        chapter: "which-train",
    },
    Term {
        name: "loss mask",
        forms: &[],
        meaning: "Says which tokens bear loss; often labels of −100 for all others.",
        chapter: "which-train",
    },
    Term {
        name: "Pareto front",
        forms: &["pareto"],
        meaning: "The choices that no other choice beats in every respect.",
        chapter: "limits",
    },
    Term {
        name: "waiting",
        forms: &[],
        meaning: "The time that accelerators which have finished their part of a step wait for the slowest.",
        chapter: "accelerators",
    },
];

/// Splits a text at glossary terms: each piece with its term, if it is one. Only the first occurrence of each term
/// counts; of terms that begin at the same place, the longest. O(length × terms).
pub fn cut(text: &str) -> Vec<(&str, Option<&'static Term>)> {
    let (mut pieces, mut found) = (Vec::new(), Vec::<&str>::new());
    let (mut from, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        let term = begins(rest).filter(|(term, _)| !found.contains(&term.name));
        if let Some((term, length)) = term {
            if from < at {
                pieces.push((&text[from..at], None));
            }
            pieces.push((&rest[..length], Some(term)));
            found.push(term.name);
            // The next term may begin only after this one, and not within it: "packing factor"
            // holds "packing".
            at += length;
            from = at;
        } else {
            // Skip to the next word.
            // Terms begin where words do, so "unpacked" is not cut at "packed". `find` gives the
            // start of a character, which keeps `at` on a boundary.
            let inside = rest.find(|c: char| !is_of_word(c)).unwrap_or(rest.len());
            let after = rest[inside..]
                .find(is_of_word)
                .unwrap_or(rest.len() - inside);
            at += (inside + after).max(1);
        }
    }
    if from < text.len() {
        pieces.push((&text[from..], None));
    }
    pieces
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_')
}

/// Returns the longest term that a text begins with, and its length in bytes.
fn begins(text: &str) -> Option<(&'static Term, usize)> {
    let fits = |form: &str| {
        let head = text
            // `get` and not an index: the length of a form may fall inside a character of the text.
            .get(..form.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(form));
        head && !text[form.len()..].starts_with(is_of_word)
    };
    let forms = |term: &'static Term| {
        let forms = std::iter::once(term.name).chain(term.forms.iter().copied());
        forms
            .filter(|form| fits(form))
            .map(move |form| (term, form.len()))
    };
    TERMS
        .iter()
        .flat_map(forms)
        .max_by_key(|(_, length)| *length)
}

impl Term {
    /// Returns the term with this name or form, ignoring ASCII case.
    pub fn named(words: &str) -> Option<&'static Self> {
        let is = |form: &str| form.eq_ignore_ascii_case(words);
        TERMS
            .iter()
            .find(|t| is(t.name) || t.forms.iter().any(|form| is(form)))
    }
}
