//! No case begins after today.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "date-in-future",
    level: Level::Error,
    why: "A date that has not come yet was misread or mistyped.",
    bad: r##"[{"id":"IL-0001","date":"9999-01-01"}]"##,
    good: r##"[{"id":"IL-0001","date":"2024-07-30"}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, cx: &Context<'_>, hits: &mut Hits) {
    let Some(date) = record.case.date else { return };
    // The local day of an incident may be a day ahead of ours.
    if date.days_since(cx.today) > 1 {
        hits.push(
            "/date",
            format!("{date} has not come yet; today is {}", cx.today),
        )
        .help = Some("read the date in the source again".to_owned());
    }
}
