//! Nobody reviews their own text.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "review-by-author",
    level: Level::Error,
    why: "An author overlooks what they overlooked when they wrote; a review is by another person.",
    bad: r##"[{"id":"IL-0001","review":{"written_by":"kim","reviewed_at":"2026-01-02","reviewed_by":"kim"}}]"##,
    good: r##"[{"id":"IL-0001","review":{"written_by":"kim","reviewed_at":"2026-01-02","reviewed_by":"lee"}}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, _: &Context<'_>, hits: &mut Hits) {
    let review = &record.case.review;
    if let Some(by) = review
        .reviewed_by
        .as_ref()
        .filter(|_| review.written_by == review.reviewed_by)
    {
        let message = format!("`{by}` wrote the text and cannot review it");
        hits.push("/review/reviewed_by", message).help =
            Some("let another person read and sign it".to_owned());
    }
}
