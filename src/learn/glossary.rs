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
        meaning: "A row of tokens that belong together: a sentence, a document, an example.",
        chapter: "rectangle",
    },
    Term {
        name: "batch",
        forms: &["batches"],
        meaning: "Sequences or packs that an accelerator works on at once: a rectangle.",
        chapter: "rectangle",
    },
    Term {
        name: "limits",
        forms: &["limit", "maximum length", "maximum sequence length"],
        meaning: "The capacity of a pack in each component: the maximum sequence length, or a number of nodes and one of edges.",
        chapter: "limits",
    },
    Term {
        name: "depth",
        forms: &["maximum depth"],
        meaning: "The number of items in a pack; the maximum depth is its limit: thd_max_packed_sequences of Megatron-LM, max_segments_per_example of Levanter.",
        chapter: "watch",
    },
    Term {
        name: "pack",
        forms: &["packs", "packed", "packing"],
        meaning: "One filled row: items that share one capacity.",
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
        meaning: "Strategies with how often each is used. A plan covers the data exactly: every item is in one pack.",
        chapter: "histograms",
    },
    Term {
        name: "histogram",
        forms: &["histograms"],
        meaning: "How many items there are of each size.",
        chapter: "histograms",
    },
    Term {
        name: "padding",
        forms: &["padded"],
        meaning: "Slots of a pack or a batch that carry nothing, and are computed all the same. Drawn in grey, here and everywhere.",
        chapter: "rectangle",
    },
    Term {
        name: "waste",
        forms: &["wasted"],
        meaning: "Tokens that are thrown away by truncating or dropping items. Never mixed with padding.",
        chapter: "limits",
    },
    Term {
        name: "efficiency",
        forms: &[],
        meaning: "Real tokens divided by slots: the share of the slots that carries something.",
        chapter: "rectangle",
    },
    Term {
        name: "packing factor",
        forms: &[],
        meaning: "Items divided by packs: how many items share a row on average.",
        chapter: "by-hand",
    },
    Term {
        name: "overhead",
        forms: &[],
        meaning: "What it costs to keep packed items apart, as a share of the time of a step.",
        chapter: "apart",
    },
    Term {
        name: "realised speed-up",
        forms: &["speed-up"],
        meaning: "Packing factor divided by (1 + overhead): how much faster an epoch is.",
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
        meaning: "(packs − bound) / bound: how far a plan can be from the best one at most.",
        chapter: "bounds",
    },
    Term {
        name: "certificate",
        forms: &["certificates"],
        meaning: "What proves a bound and can be checked by itself, without trusting whoever found it.",
        chapter: "bounds",
    },
    Term {
        name: "heuristic",
        forms: &["heuristics"],
        meaning: "How a size of two numbers is turned into one for priority: product, sum, maximum, minimum, one component.",
        chapter: "graphs",
    },
    Term {
        name: "attention mask",
        forms: &["block-diagonal mask"],
        meaning: "Says which tokens may look at which: in a pack only those of the same sequence.",
        chapter: "apart",
    },
    Term {
        name: "contamination",
        forms: &["cross-contamination"],
        meaning: "A token that looks at tokens of another sequence in its pack.",
        chapter: "apart",
    },
    Term {
        name: "position ids",
        forms: &["position id"],
        meaning: "Where a token stands. In a pack they start again with every sequence, which models with absolute positions need.",
        chapter: "apart",
    },
    Term {
        name: "cu_seqlens",
        forms: &[],
        meaning: "Where each sequence of a row begins and where the last one ends, for kernels that attend within each of them.",
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
        meaning: "Sequences that go into one update of the weights.",
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
        meaning: "What decides which sequences share a batch, and in which order batches come.",
        chapter: "buckets",
    },
    Term {
        name: "bucket",
        forms: &["buckets"],
        meaning: "Sequences of similar length, from which batches are made.",
        chapter: "buckets",
    },
    Term {
        name: "residual batch",
        forms: &["residual batches", "residual", "residuals"],
        meaning: "What is left of a bucket when its full batches are taken: a smaller batch.",
        chapter: "buckets",
    },
    Term {
        name: "HWCap",
        forms: &["hwcaps"],
        meaning: "Sequences of a length that fit into the accelerator's memory at once: the largest batch of a bucket.",
        chapter: "buckets",
    },
    Term {
        name: "BatchCap",
        forms: &["batch cap", "batchcaps"],
        meaning: "The largest batch of an epoch; it grows with every epoch, so that early ones have many updates.",
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
        meaning: "Learning rate modulation: a batch of n sequences is learnt from at base × √(n / base size).",
        chapter: "buckets",
    },
    Term {
        name: "TokenDrop",
        forms: &["token dropping"],
        meaning: "Dropping stopwords from the longer sequences of a batch, down to the shortest.",
        chapter: "buckets",
    },
    Term {
        name: "Pareto front",
        forms: &["pareto"],
        meaning: "Choices that no other beats in everything at once.",
        chapter: "limits",
    },
    Term {
        name: "waiting",
        forms: &[],
        meaning: "An accelerator that has finished its part of a step waits for the slowest.",
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
