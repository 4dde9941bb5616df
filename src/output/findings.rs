//! Findings for people: `file:line:column level[rule]: message`, then what to do.

use std::fmt::Write as _;

use super::Listing;
use super::excerpt::excerpt;
use super::style::{DIM, counted, of_level, styled, visible};
use crate::finding::{Finding, Level, Position};

/// How many findings there are of each level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Notes.
    pub notes: usize,
}

impl Counts {
    /// Counts findings.
    pub fn of<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Self {
        let mut out = Self::default();
        for finding in findings {
            match finding.level {
                Level::Error => out.errors += 1,
                Level::Warning => out.warnings += 1,
                Level::Note => out.notes += 1,
            }
        }
        out
    }
}

/// `2 errors, 1 warning, 3 notes`
pub fn summary_line(counts: Counts) -> String {
    format!(
        "{}, {}, {}",
        counted(counts.errors, "error"),
        counted(counts.warnings, "warning"),
        counted(counts.notes, "note")
    )
}

/// Findings one after another. `indent` stands before each line.
pub fn findings_text<'a>(findings: impl IntoIterator<Item = &'a Finding>, indent: &str) -> String {
    let mut out = String::new();
    for finding in findings {
        write_finding(&mut out, finding, None, indent);
    }
    out
}

/// The findings of a check, each with the line it is about.
pub fn listing_text(listing: &Listing) -> String {
    let mut out = String::new();
    let mut lines = listing.lines();
    for finding in &listing.findings {
        let line = |at: Position| {
            let line = lines.line(finding, at.line)?;
            Some(excerpt(line, at, finding.end))
        };
        write_finding(&mut out, finding, finding.position.and_then(line), "");
    }
    out
}

fn write_finding(out: &mut String, finding: &Finding, excerpt: Option<String>, indent: &str) {
    let place = match finding.position {
        Some(at) => format!("{}:{}:{}", visible(&finding.file), at.line, at.column),
        None => visible(&finding.file),
    };
    let level = styled(
        of_level(finding.level),
        format!("{}[{}]", finding.level.as_str(), finding.rule),
    );
    let message = visible(&finding.message).replace('\n', " ");
    let _ = writeln!(out, "{indent}{place} {level}: {message}");
    for line in excerpt.iter().flat_map(|e| e.lines()) {
        let _ = writeln!(out, "{indent}  {}", styled(DIM, line));
    }
    if let Some(help) = &finding.help {
        let help = visible(help).replace('\n', " ");
        let _ = writeln!(out, "{indent}  {} {help}", styled(DIM, "help:"));
    }
}
