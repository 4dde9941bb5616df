//! A review names both its day and its reviewer.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "review-incomplete",
    level: Level::Error,
    why: "Half a review proves nothing to a reader.",
    bad: r##"[{"id":"IL-0001","review":{"written_by":"session","reviewed_at":"2026-01-02","reviewed_by":null}}]"##,
    good: r##"[{"id":"IL-0001","review":{"written_by":"session","reviewed_at":null,"reviewed_by":null}}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, _: &Context<'_>, hits: &mut Hits) {
    let review = &record.case.review;
    let (pointer, message) = match (&review.reviewed_at, &review.reviewed_by) {
        (Some(_), None) => (
            "/review/reviewed_by",
            "the review has a day but no reviewer",
        ),
        (None, Some(_)) => (
            "/review/reviewed_at",
            "the review has a reviewer but no day",
        ),
        _ => return,
    };
    hits.push(pointer, message).help = Some(
        "set both to null, and let a reviewer sign with `incidentlib review ID --by NAME`"
            .to_owned(),
    );
}
