//! Findings, runs and reports as text for people and as JSON for programs.
//!
//! Text carries ANSI styles; the command line strips them where no terminal shows them.

mod findings;
mod ingest;
mod json;
mod report;
mod style;

pub use findings::{Counts, findings_text, summary_line};
pub use ingest::{case_run_json, case_run_text, recognized_json, recognized_text};
pub use json::{finding_json, findings_json};
pub use report::report_text;
pub use style::{styled, visible};
