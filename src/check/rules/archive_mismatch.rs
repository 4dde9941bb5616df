//! The archived copy of a source is a copy of it.

use crate::check::context::Context;
use crate::check::links::archives_of;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::normalize::{ArchiveAudit, ArchiveVerdict};
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "archive-mismatch",
    level: Level::Error,
    why: "A link to a copy of something else proves nothing, and hides that there is no copy.",
    bad: r##"[{"id":"IL-0001","date":"2024-07-30","sources":[{"url":"https://a.example/pm/7","kind":"news","archived":"https://web.archive.org/web/20240801000000/https://a.example/pm/8"}]}]"##,
    good: r##"[{"id":"IL-0001","date":"2024-07-30","sources":[{"url":"https://a.example/pm/7","kind":"news","archived":"https://web.archive.org/web/20240801000000/https://a.example/pm/7"}]}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, cx: &Context<'_>, hits: &mut Hits) {
    report(ArchiveVerdict::Mismatch, record, cx, hits);
}

/// Reports every copy of a verdict.
pub(super) fn report(
    verdict: ArchiveVerdict,
    record: &RecordFile,
    cx: &Context<'_>,
    hits: &mut Hits,
) {
    for (pointer, archived, audit) in archives_of(&record.case, cx) {
        let ArchiveAudit {
            code,
            reason,
            better,
            ..
        } = &audit;
        if audit.verdict != verdict {
            continue;
        }
        let at = match *code {
            "ARC002" | "ARC003" => pointer.replace("/archived", "/url"),
            _ => pointer,
        };
        let message = format!("`{archived}` {reason} ({code})");
        hits.push(at, message).help = Some(match better {
            Some(better) => format!("the address of the copy may be {better}; open it and see"),
            None => "find a copy of the page and write its address here, or null".to_owned(),
        });
    }
}
