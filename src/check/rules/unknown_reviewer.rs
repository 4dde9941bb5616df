//! A review is signed by a person whom the settings know.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "unknown-reviewer",
    level: Level::Error,
    why: "A signature by nobody, or by a machine, is worth nothing to a reader.",
    bad: r##"[{"id":"IL-0001","review":{"written_by":"kim","reviewed_at":"2026-01-02","reviewed_by":"session"}}]"##,
    good: r##"[{"id":"IL-0001","review":{"written_by":"session","reviewed_at":"2026-01-02","reviewed_by":"kim"}}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, cx: &Context<'_>, hits: &mut Hits) {
    let review = &record.case.review;
    let Some(by) = review
        .reviewed_by
        .as_ref()
        .filter(|by| !cx.policy.reviewers.may_sign(by))
    else {
        return;
    };
    let message = if cx.policy.reviewers.is_machine(by) {
        format!("`{by}` is a machine and signs nothing")
    } else {
        format!("`{by}` is not a reviewer that the settings know")
    };
    hits.push("/review/reviewed_by", message).help =
        Some("let one of `reviewers` in incidentlib.toml read and sign it".to_owned());
}
