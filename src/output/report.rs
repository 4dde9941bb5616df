//! The report for people: how much is there, then the queue with the next command for each case.

use std::fmt::Write as _;

use super::style::{BOLD, DIM, counted, styled, visible};
use crate::report::Report;

/// The report as text, at most `limit` cases of the queue.
pub fn report_text(report: &Report, limit: Option<usize>) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}: {} of {} reviewed · {} of {} sources archived",
        styled(BOLD, counted(report.cases, "case")),
        report.reviewed,
        report.cases,
        report.archived,
        report.sources
    );
    if report.queue.is_empty() {
        let _ = writeln!(out, "Nothing is missing.");
        return out;
    }
    let shown = limit.unwrap_or(report.queue.len()).min(report.queue.len());
    for entry in &report.queue[..shown] {
        let date = entry.date.as_deref().unwrap_or("no date");
        let org = entry.org.as_deref().unwrap_or("no organisation");
        let _ = writeln!(
            out,
            "\n{}  {}",
            styled(BOLD, &entry.id),
            visible(&entry.title)
        );
        let _ = writeln!(
            out,
            "  {}",
            styled(DIM, format!("{} · {date}", visible(org)))
        );
        for missing in &entry.missing {
            let _ = writeln!(
                out,
                "  {:<8} {} ({})",
                missing.what,
                visible(&missing.state),
                missing.place
            );
            let _ = writeln!(out, "           $ {}", visible(&missing.command));
            let _ = writeln!(out, "           {} {}", styled(DIM, "then"), missing.then);
        }
    }
    let more = report.queue.len() - shown;
    if more > 0 {
        let _ = writeln!(
            out,
            "\n{} more; `--limit 0` shows all",
            counted(more, "case")
        );
    }
    out
}
