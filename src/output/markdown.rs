//! Findings as a table in Markdown, for the summary of a workflow or a comment.

use std::fmt::Write as _;

use super::Listing;
use super::style::visible;

/// GitHub refuses a summary above a mebibyte whole; rows above this are counted only.
const LONGEST: usize = 900_000;

/// The findings as a table under a line with their counts.
pub fn findings_markdown(listing: &Listing) -> String {
    let mut out = format!("### Incident library\n\n{}\n", cell(&listing.summary()));
    if listing.findings.is_empty() {
        return out;
    }
    out.push_str(
        "\n| level | where | rule | what | what to do |\n| --- | --- | --- | --- | --- |\n",
    );
    for (done, finding) in listing.findings.iter().enumerate() {
        let help = finding.help.as_deref().unwrap_or_default();
        let row = format!(
            "| {} | {} | {} | {} | {} |\n",
            finding.level.as_str(),
            cell(&listing.place(finding)),
            finding.rule,
            cell(&finding.message),
            cell(help)
        );
        if out.len() + row.len() > LONGEST {
            let left = listing.findings.len() - done;
            let _ = writeln!(out, "\n{left} more are not shown here.");
            break;
        }
        out.push_str(&row);
    }
    out
}

/// A text that stands in a cell as it is: no markup, no HTML, no mention, on one line.
pub(super) fn cell(text: &str) -> String {
    let one = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = String::with_capacity(one.len());
    for c in visible(&one).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '@' => out.push_str("&#64;"),
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '#' | '~' | '!' | '$' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}
