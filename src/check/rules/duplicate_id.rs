//! No two records have one id.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "duplicate-id",
    level: Level::Error,
    why: "A link to the case leads to one of the two, and nobody knows which.",
    bad: r##"{"normalized/IL-0001.json":{"id":"IL-0001"},"normalized/IL-0002.json":{"id":"IL-0001"}}"##,
    good: r##"[{"id":"IL-0001"},{"id":"IL-0002"}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, cx: &Context<'_>, hits: &mut Hits) {
    let Some(id) = &record.case.id else { return };
    let others = cx.index.with_id(id, &record.file);
    if !others.is_empty() {
        hits.push("/id", format!("`{id}` is also the id of {others}"))
            .help = Some("give one of them an id that was never used".to_owned());
    }
}
