//! Recovery does not come before detection.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "resolve-after-detect",
    level: Level::Error,
    why: "An incident cannot end before anyone noticed it; one of the two durations was misread.",
    bad: r##"[{"id":"IL-0001","timeline":{"detected_after":"2h","resolved_after":"40m"}}]"##,
    good: r##"[{"id":"IL-0001","timeline":{"detected_after":"40m","resolved_after":"2h"}}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, _: &Context<'_>, hits: &mut Hits) {
    let timeline = &record.case.timeline;
    let (Some(seen), Some(ended)) = (timeline.detected_after, timeline.resolved_after) else {
        return;
    };
    if ended < seen {
        let message = format!("resolved after {ended}, but detected only after {seen}");
        hits.push("/timeline/resolved_after", message).help =
            Some("both count from the start of the impact; read the source again".to_owned());
    }
}
