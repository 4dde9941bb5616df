//! Related cases are other cases of the library, each once.

use crate::check::context::Context;
use crate::check::retired::referred;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "related-exists",
    level: Level::Error,
    why: "A link to a case that is not there leads the reader nowhere.",
    bad: r##"[{"id":"IL-0001","related":["IL-0009"]}]"##,
    good: r##"[{"id":"IL-0001","related":["IL-0002"]},{"id":"IL-0002"}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, cx: &Context<'_>, hits: &mut Hits) {
    let related = &record.case.related;
    for (i, id) in related.iter().enumerate() {
        let place = format!("/related/{i}");
        let message = if record.case.id.as_ref() == Some(id) {
            "a case is not related to itself".to_owned()
        } else if let Some((message, help, readable)) = referred(id, &cx.snapshot.retired) {
            let hit = hits.push(place, message);
            hit.help = Some(help);
            if readable {
                hit.level = Level::Warning;
            }
            continue;
        } else if cx.record(id).is_none() {
            format!("there is no case `{id}` in this library")
        } else if related[..i].contains(id) {
            format!("`{id}` is named twice")
        } else {
            continue;
        };
        hits.push(place, message).help = Some("delete it, or correct the id".to_owned());
    }
}
