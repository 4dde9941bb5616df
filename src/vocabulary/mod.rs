//! Terms and the words of each language, read from JSON data.
//!
//! The data in `schema/vocabulary` and `schema/language` is compiled in; a library may carry its own
//! copy, which then counts instead. Nothing here names a term.

mod builtin;
mod language;
mod names;
mod nearest;
mod organisations;
mod postmortem_words;
mod segment;
mod terms;
mod time_words;

pub use builtin::{BUILTIN_FILES, builtin_languages, builtin_organisations, builtin_vocabulary};
pub use language::{AmountWords, CasePageWords, Language, Languages, ReasonWords};
pub(crate) use names::Names;
pub use organisations::{Organisation, OrganisationList, Organisations};
pub use postmortem_words::{Cue, PageLabel, PostmortemWords, SectionKind};
pub use segment::Segmentation;
pub use terms::{Kind, Lookup, TermEntry, TermList, Vocabulary, fold};
pub use time_words::{ClockMark, DateMark, DayOrder, DayPart, TimeWords, Unit, WordClass};
