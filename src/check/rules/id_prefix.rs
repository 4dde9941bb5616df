//! Every id has the prefix of the library.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "id-prefix",
    level: Level::Error,
    why: "Ids of two libraries must not meet.",
    bad: r##"[{"id":"XY-0001"}]"##,
    good: r##"[{"id":"IL-0001"}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, cx: &Context<'_>, hits: &mut Hits) {
    let Some(id) = &record.case.id else { return };
    let prefix = &cx.policy.id_prefix;
    if id.prefix() != prefix {
        hits.push("/id", format!("`{id}` does not start with `{prefix}-`"))
            .help =
            Some("the prefix of this library is set by `id_prefix` in incidentlib.toml".to_owned());
    }
}
