//! A link to a copy has the form that a person can open and programs can compare.

use crate::check::context::Context;
use crate::check::links::archives_of;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::normalize::ArchiveVerdict;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "archive-form",
    level: Level::Warning,
    why: "A link with a modifier behind its stamp shows the raw page, without its pictures and without the archive's own words.",
    bad: r##"[{"id":"IL-0001","date":"2024-07-30","sources":[{"url":"https://a.example/pm/7","kind":"news","archived":"https://web.archive.org/web/20240801000000id_/https://a.example/pm/7"}]}]"##,
    good: r##"[{"id":"IL-0001","date":"2024-07-30","sources":[{"url":"https://a.example/pm/7","kind":"news","archived":"https://web.archive.org/web/20240801000000/https://a.example/pm/7"}]}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, cx: &Context<'_>, hits: &mut Hits) {
    for (pointer, archived, audit) in archives_of(&record.case, cx) {
        let better = audit.better.filter(|better| better != archived);
        let Some(better) = better.filter(|_| audit.verdict == ArchiveVerdict::Match) else {
            continue;
        };
        hits.push(
            pointer,
            format!("`{archived}` is not in the form in which links are kept"),
        )
        .help = Some(format!("write {better}, or run `incidentlib check --fix`"));
    }
}
