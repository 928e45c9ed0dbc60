//! The literature behind the chapters.

/// A paper, or another published text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paper {
    /// Packing of sequences without cross-contamination.
    Packing,
    /// Packing of graphs under several limits.
    Tuples,
    /// Batches from buckets, and dropped tokens.
    Buckets,
    /// The first article on packing for BERT.
    Article,
    /// Another source: title and address.
    Other(&'static str, &'static str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Citation {
    pub paper: Paper,
    /// Section, table, figure: "§3.1, Table 1".
    pub at: &'static str,
    /// Summary of the passage, in our words.
    pub says: &'static str,
}

impl Paper {
    pub fn title(self) -> &'static str {
        match self {
            Self::Packing => {
                "Krell, Kosec, Perez, Fitzgibbon 2022, Efficient Sequence Packing without Cross-contamination"
            }
            Self::Tuples => "Krell, Lopez, Anand, Helal, Fitzgibbon 2022, Tuple Packing",
            Self::Buckets => "Nagarajan, Raghunathan 2023, TokenDrop + BucketSampler",
            Self::Article => "Krell, Kosec 2021, Introducing Packed BERT",
            Self::Other(title, _) => title,
        }
    }

    pub fn address(self) -> &'static str {
        match self {
            Self::Packing => "https://arxiv.org/abs/2107.02027",
            Self::Tuples => "https://arxiv.org/abs/2209.06354",
            Self::Buckets => "https://aclanthology.org/2023.findings-emnlp.782/",
            Self::Article => {
                "https://www.graphcore.ai/posts/introducing-packed-bert-for-2x-faster-training-in-natural-language-processing"
            }
            Self::Other(_, address) => address,
        }
    }
}
