//! Two versions of a file as a unified difference.

use similar::TextDiff;

use super::style::{GREEN, RED, styled, visible};

/// The difference between two versions of a file. A file that is new has no text `before`.
pub fn difference(file: &str, before: Option<&str>, after: &str) -> String {
    let from = before.map_or("/dev/null", |_| file);
    let diff = TextDiff::from_lines(before.unwrap_or_default(), after);
    let text = diff.unified_diff().header(from, file).to_string();
    let lines = text.lines().map(visible);
    let lines = lines.map(|line| match line.as_bytes().first() {
        Some(b'-') => format!("{}\n", styled(RED, line)),
        Some(b'+') => format!("{}\n", styled(GREEN, line)),
        _ => format!("{line}\n"),
    });
    lines.collect()
}
