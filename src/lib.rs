//! A library of incident cases: raw pages of public postmortems become checked, bilingual, reviewed
//! records.
//!
//! Data flows in the order of the modules below: `read → extract → normalize → merge → check →
//! write → report`. Each stage is a plain function from one value to the next, without a clock, a
//! network or global state. A later module may import an earlier one, never the other way round.

#![warn(missing_docs, unreachable_pub)]
#![warn(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::dbg_macro
)]

pub mod model;

pub mod finding;

pub mod vocabulary;

pub mod time;

pub mod facts;

pub mod read;

pub mod extract;

pub mod normalize;

pub mod recognize;

pub mod merge;

pub mod check;

pub mod library;

pub mod curate;

#[cfg(feature = "fetch")]
pub mod fetch;

#[cfg(feature = "archive")]
pub mod archive;

pub mod ingest;

pub mod report;

pub mod output;

pub mod cli;
