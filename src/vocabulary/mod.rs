//! Terms and the words of each language, read from JSON data.
//!
//! The data in `schema/vocabulary` and `schema/language` is compiled in; a library may carry its own
//! copy, which then counts instead. Nothing here names a term.

mod builtin;
mod language;
mod nearest;
mod segment;
mod terms;

pub use builtin::{BUILTIN_FILES, builtin_languages, builtin_vocabulary};
pub use language::{CasePageWords, DateWords, DurationWords, Language, Languages, ReasonWords};
pub use segment::Segmentation;
pub use terms::{Kind, Lookup, TermEntry, TermList, Vocabulary, fold};
