//! Findings, runs and reports as text for people and as JSON for programs.
//!
//! Text carries ANSI styles; the command line strips them where no terminal shows them.

mod archive;
mod difference;
mod excerpt;
mod findings;
mod github;
mod ingest;
mod json;
mod junit;
mod listing;
mod markdown;
mod rdjson;
mod report;
mod sarif;
mod style;

pub use archive::{
    AnsweredSource, archive_document, archive_help, archive_json, archive_markdown, archive_text,
    archive_totals,
};
pub use difference::difference;
pub use findings::{Counts, findings_text, listing_text, summary_line};
pub use github::findings_github;
pub use ingest::{case_run_json, case_run_text, recognized_json, recognized_text};
pub use json::{finding_json, findings_json};
pub use junit::findings_junit;
pub use listing::{Before, Listing};
pub use markdown::findings_markdown;
pub use rdjson::findings_rdjson;
pub use report::report_text;
pub use sarif::findings_sarif;
pub use style::{BOLD, counted, styled, visible};
