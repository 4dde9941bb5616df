//! A review names both its day and its reviewer, and the reviewer is not the author.

use super::{Check, Rule};
use crate::check::context::{Context, Hits};
use crate::finding::Level;
use crate::model::ReviewState;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "review-incomplete",
    level: Level::Error,
    why: "Half a review, or one of a text by its own author, proves nothing to a reader.",
    bad: r##"[{"id":"IL-0001","review":{"written_by":"session","reviewed_at":"2026-01-02","reviewed_by":null}}]"##,
    good: r##"[{"id":"IL-0001","review":{"written_by":"session","reviewed_at":null,"reviewed_by":null}}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, cx: &Context<'_>, hits: &mut Hits) {
    if ReviewState::of(&record.case, &cx.policy.reviewers) != ReviewState::Invalid {
        return;
    }
    let review = &record.case.review;
    let (pointer, message) = match (&review.reviewed_at, &review.reviewed_by) {
        (_, None) => (
            "/review/reviewed_by",
            "the review has a day but no reviewer".to_owned(),
        ),
        (None, _) => (
            "/review/reviewed_at",
            "the review has a reviewer but no day".to_owned(),
        ),
        (_, Some(by)) if review.written_by.as_ref() == Some(by) => (
            "/review/reviewed_by",
            format!("`{by}` wrote the text and cannot review it"),
        ),
        (_, Some(by)) => (
            "/review/reviewed_by",
            format!("`{by}` is not a reviewer that the settings know"),
        ),
    };
    hits.push(pointer, message).help = Some(
        "set both to null, or let one of `reviewers` in incidentlib.toml read the record"
            .to_owned(),
    );
}
