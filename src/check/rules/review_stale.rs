//! A review is of the record as it stands.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::model::{changed_fields, digest_of};
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "review-stale",
    level: Level::Error,
    why: "A reader takes an edited record for one that a reviewer has read.",
    bad: r##"[{"id":"IL-0001","review":{"written_by":"session","reviewed_at":"2026-01-02","reviewed_by":"kim","digest":"sha256:0000000000000000000000000000000000000000000000000000000000000000"}}]"##,
    good: r##"[{"id":"IL-0001","review":{"written_by":"session","reviewed_at":null,"reviewed_by":null}}]"##,
    check: Check::Record(check),
};

/// Fields that a message names; of more it says how many.
const SHOWN: usize = 6;

fn check(record: &RecordFile, cx: &Context<'_>, hits: &mut Hits) {
    let review = &record.case.review;
    let (Some(by), Some(digest)) = (&review.reviewed_by, &review.digest) else {
        return;
    };
    if *digest == digest_of(&record.case) {
        return;
    }
    let read = cx.reviewed.and_then(|find| find(&record.file, digest));
    let changed = match read.map(|read| changed_fields(&read, &record.case)) {
        None => {
            "what changed is not known here: the version that was read is in no commit".to_owned()
        }
        Some(fields) => {
            let shown: Vec<String> = fields
                .iter()
                .take(SHOWN)
                .map(|f| format!("`{f}`"))
                .collect();
            let more = match fields.len().saturating_sub(SHOWN) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("changed since: {}{more}", shown.join(", "))
        }
    };
    let message = format!("the record was edited after {by} reviewed it; {changed}");
    hits.push("/review/digest", message).help = Some(
        "have it read again and signed with `incidentlib review ID --by NAME`, or take the signature back with `--withdraw`"
            .to_owned(),
    );
}
