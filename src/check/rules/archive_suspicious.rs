//! A copy that may show something else is looked at by a person.

use super::archive_mismatch::report;
use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::normalize::ArchiveVerdict;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "archive-suspicious",
    level: Level::Warning,
    why: "A copy that may show another page or another day must be looked at by a person.",
    bad: r##"[{"id":"IL-0001","date":"2024-07-30","sources":[{"url":"https://a.example/pm/7","kind":"news","archived":"https://web.archive.org/web/2024/https://a.example/pm/7"}]}]"##,
    good: r##"[{"id":"IL-0001","date":"2024-07-30","sources":[{"url":"https://a.example/pm/7","kind":"news","archived":"https://web.archive.org/web/20240801000000/https://a.example/pm/7"}]}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, cx: &Context<'_>, hits: &mut Hits) {
    report(ArchiveVerdict::Suspicious, record, cx, hits);
}
