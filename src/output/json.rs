//! Findings for programs. This shape is an interface: it changes only with an entry in the changelog.

use serde_json::{Value, json};

use super::Listing;
use super::findings::Counts;
use crate::finding::Finding;

/// One finding as an object. `line` and `column` count from 1, columns in code points; `pointer` is a
/// JSON pointer (RFC 6901).
pub fn finding_json(finding: &Finding) -> Value {
    json!({
        "rule": finding.rule,
        "level": finding.level.as_str(),
        "file": finding.file,
        "line": finding.position.map(|p| p.line),
        "column": finding.position.map(|p| p.column),
        "end_line": finding.end.map(|p| p.line),
        "end_column": finding.end.map(|p| p.column),
        "pointer": finding.place.pointer().map(|p| p.as_str()),
        "message": finding.message,
        "help": finding.help,
    })
}

/// All findings of a run with their counts.
pub fn findings_json(listing: &Listing) -> Value {
    let counts = Counts::of(&listing.findings);
    let mut out = json!({
        "records": listing.snapshot.records.len(),
        "errors": counts.errors,
        "warnings": counts.warnings,
        "notes": counts.notes,
    });
    if let Some(before) = &listing.before {
        out["since"] = json!({
            "revision": before.revision,
            "merge_base": before.commit,
            "findings_before": before.findings,
        });
    }
    out["findings"] = listing.findings.iter().map(finding_json).collect();
    out
}
