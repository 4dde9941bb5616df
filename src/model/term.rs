//! Terms as records hold them.

use std::fmt;

/// What a record holds where a vocabulary term is expected, as written.
///
/// Any text is a `Term`: an unknown one is a finding of the check, and never a reason to lose it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(String);

impl Term {
    /// Takes the text as the record has it.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The slug (or whatever stands in its place).
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the term that says: someone looked and could not tell.
    pub fn is_unknown(&self) -> bool {
        self.0 == "unknown"
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
