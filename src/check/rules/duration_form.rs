//! Durations stand in their canonical form.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "duration-form",
    level: Level::Error,
    why: "Durations are compared and sorted by programs; `90m` and `1h 30m` must be one thing.",
    bad: r##"[{"id":"IL-0001","timeline":{"detected_after":null,"resolved_after":"90 minutes"}}]"##,
    good: r##"[{"id":"IL-0001","timeline":{"detected_after":null,"resolved_after":"1h 30m"}}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, cx: &Context<'_>, hits: &mut Hits) {
    let value = record.value();
    for field in ["detected_after", "resolved_after"] {
        let pointer = format!("/timeline/{field}");
        let Some(text) = value.pointer(&pointer).and_then(|v| v.as_str()) else {
            continue;
        };
        let read = cx.lexicon.times.duration_only(text);
        let canonical = read.map(|d| d.to_string());
        if canonical.as_deref() == Some(text) {
            continue;
        }
        hits.push(
            pointer,
            format!("`{text}` is not a duration in canonical form"),
        )
        .help = Some(match canonical {
            Some(form) => format!("write `{form}`"),
            None => "write it as `6h 52m`, `33m`, `48h` or `1m 30s`, or null".to_owned(),
        });
    }
}
