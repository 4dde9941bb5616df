//! The nouns of a library: cases, their parts, and the one canonical way to write them.
//!
//! Imports nothing from the rest of the crate. Reading is lenient: whatever a type here cannot hold
//! stays in the `extra` map beside it and is written back where it stood.

mod asked;
mod canonical;
mod case;
mod date;
mod digest;
mod duration;
mod fields;
mod id;
mod language;
mod localized;
mod manifest;
mod references;
mod retired;
mod review;
mod term;

pub use asked::{Asked, Question, Standing, Verdict};
pub use canonical::{canonical_text, print_json};
pub use case::{Case, Doc, FIELD_ORDER, Impact, Source, Step, Timeline};
pub use date::CaseDate;
pub use digest::{changed_fields, digest_of, sha256_of_bytes};
pub use duration::Duration;
pub use id::CaseId;
pub use language::LanguageTag;
pub use localized::Localized;
pub use manifest::{Manifest, PageKind, RawPage, Response};
pub use retired::{Fate, RETIRED_FILE, Retired, Retirement};
pub use review::{Review, ReviewState, Reviewers};
pub use term::Term;

/// A value that its type refuses, with the reason in words a curator understands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused(pub String);

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}
