//! Findings in the Reviewdog Diagnostic Format (`rdjson`): columns are bytes of UTF-8 from 1, the end is excluded.

use serde_json::{Value, json};

use super::Listing;
use super::listing::message_with_help;
use crate::finding::{Finding, Level, Position};

/// The findings as one document.
pub fn findings_rdjson(listing: &Listing) -> Value {
    let mut lines = listing.lines();
    let diagnostic = |finding: &Finding| {
        let severity = match finding.level {
            Level::Error => "ERROR",
            Level::Warning => "WARNING",
            Level::Note => "INFO",
        };
        let mut location = json!({ "path": listing.path(finding) });
        if let Some(start) = finding.position {
            let mut at = |p: Position| {
                let line = lines.line(finding, p.line).unwrap_or_default();
                json!({ "line": p.line, "column": byte_column(line, p) })
            };
            let mut range = json!({ "start": at(start) });
            if let Some(end) = finding.end {
                range["end"] = at(end);
            }
            location["range"] = range;
        }
        json!({
            "message": message_with_help(finding),
            "location": location,
            "severity": severity,
            "code": { "value": finding.rule },
        })
    };
    let diagnostics: Vec<Value> = listing.findings.iter().map(diagnostic).collect();
    json!({ "source": { "name": "incidentlib" }, "diagnostics": diagnostics })
}

/// The column in bytes. The line of a raw page is not at hand: there the column in code points stands for it.
fn byte_column(line: &str, at: Position) -> usize {
    let before = line.chars().take(at.column - 1).map(char::len_utf8);
    let bytes: usize = before.sum();
    bytes.max(at.column - 1) + 1
}
