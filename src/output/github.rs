//! Findings as workflow commands of GitHub Actions: annotations on the lines of a pull request.
//!
//! A runner shows ten annotations of a level for a step and drops the rest without a word: so no more are written, and
//! the list below them has all.

use std::fmt::Write as _;

use super::Listing;
use super::listing::message_with_help;
use super::style::visible;
use crate::finding::{Finding, Level};

/// Annotations of a level that a runner shows for one step.
const SHOWN: usize = 10;

/// The findings as annotations, and after them all of them as a list.
pub fn findings_github(listing: &Listing) -> String {
    let mut out = String::new();
    for (level, command) in [
        (Level::Error, "error"),
        (Level::Warning, "warning"),
        (Level::Note, "notice"),
    ] {
        let of_level = || listing.findings.iter().filter(|f| f.level == level);
        for finding in of_level().take(SHOWN) {
            let _ = writeln!(out, "{}", annotation(listing, finding, command));
        }
        let more = of_level().count().saturating_sub(SHOWN);
        if more > 0 {
            let _ = writeln!(
                out,
                "{more} more of level {command} stand in the list below"
            );
        }
    }
    if !listing.findings.is_empty() {
        let _ = writeln!(out, "::group::all findings ({})", listing.findings.len());
        for finding in &listing.findings {
            let _ = writeln!(out, "- {}", line(listing, finding));
        }
        out.push_str("::endgroup::\n");
    }
    let _ = writeln!(out, "{}", listing.summary());
    out
}

fn annotation(listing: &Listing, finding: &Finding, command: &str) -> String {
    let mut out = format!("::{command} file={}", property(&listing.path(finding)));
    if let Some(at) = finding.position {
        let _ = write!(out, ",line={},col={}", at.line, at.column);
        // Columns are shown only where the place is on one line.
        if let Some(end) = finding.end.filter(|e| e.line == at.line) {
            let _ = write!(out, ",endLine={},endColumn={}", end.line, end.column);
        }
    }
    let message = message_with_help(finding);
    let _ = write!(out, ",title={}::{}", property(finding.rule), data(&message));
    out
}

/// A finding on a line that a runner takes for no command: commands start a line with `::`, or stand anywhere as `##[`.
fn line(listing: &Listing, finding: &Finding) -> String {
    let text = format!(
        "{}: {}[{}]: {}",
        listing.place(finding),
        finding.level.as_str(),
        finding.rule,
        finding.message
    );
    let one = text.replace(['\n', '\r'], " ");
    visible(&one).replace("##[", "# #[")
}

/// The text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The value of a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
