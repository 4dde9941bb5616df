//! The id of a record and its file name are the same.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "id-equals-file-name",
    level: Level::Error,
    why: "A case is found by its id; a record under another name is lost or counted twice.",
    bad: r##"{"normalized/IL-0001.json":{"id":"IL-0002"}}"##,
    good: r##"{"normalized/IL-0002.json":{"id":"IL-0002"}}"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, _: &Context<'_>, hits: &mut Hits) {
    let name = record.file.rsplit('/').next().unwrap_or_default();
    let Some(id) = &record.case.id else { return };
    if name.strip_suffix(".json") != Some(id.as_str()) {
        hits.push("/id", format!("the id is `{id}`, but the file is `{name}`"))
            .help = Some(format!("rename the file to `{id}.json`, or correct the id"));
    }
}
