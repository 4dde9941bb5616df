//! Findings for programs. This shape is an interface: it changes only with an entry in the changelog.

use serde_json::{Value, json};

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
        "pointer": finding.place.pointer().map(|p| p.as_str()),
        "message": finding.message,
        "help": finding.help,
    })
}

/// All findings of a run with their counts.
pub fn findings_json(findings: &[Finding], records: usize) -> Value {
    let counts = Counts::of(findings);
    json!({
        "records": records,
        "errors": counts.errors,
        "warnings": counts.warnings,
        "notes": counts.notes,
        "findings": findings.iter().map(finding_json).collect::<Vec<_>>(),
    })
}
