//! Texts of records that no template of fields writes.

/// Who adds special tokens such as `[CLS]` to a text that is rendered from a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpecialTokens {
    /// The text has them already, as a chat template writes them.
    Written,
    /// The tokenizer adds them, and they are counted.
    Added,
    /// Nobody: they are left out.
    Left,
}

/// How the text of a record is written where no template of fields does it, such as by the chat template of a model.
#[derive(Clone, Copy)]
pub struct RecordWriter<'r> {
    /// Describes the texts, for notes.
    pub words: &'r str,
    /// Who adds special tokens to them.
    pub specials: SpecialTokens,
    /// Returns the text of a record from its JSON, or the reason why it has none.
    pub write: &'r dyn Fn(&[u8]) -> std::result::Result<String, String>,
}
