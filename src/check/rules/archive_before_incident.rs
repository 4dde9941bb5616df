//! A copy of a page about an incident was made after the incident began.

use chrono::NaiveDate;

use crate::check::context::Context;
use crate::check::links::archives_of;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "archive-before-incident",
    level: Level::Warning,
    why: "A copy older than the incident shows the page before anything was told there, or the date is wrong.",
    bad: r##"[{"id":"IL-0001","date":"2024-07-30","sources":[{"url":"https://a.example/pm/7","kind":"news","archived":"https://web.archive.org/web/20230801000000/https://a.example/pm/7"}]}]"##,
    good: r##"[{"id":"IL-0001","date":"2024-07-30","sources":[{"url":"https://a.example/pm/7","kind":"news","archived":"https://web.archive.org/web/20240801000000/https://a.example/pm/7"}]}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, cx: &Context<'_>, hits: &mut Hits) {
    let Some(date) = record.case.date else { return };
    for (pointer, archived, audit) in archives_of(&record.case, cx) {
        // The stamp is in UTC, the day of the incident in its own zone.
        let eve = NaiveDate::from(date).pred_opt();
        if let (Some(captured), Some(eve)) = (audit.captured, eve)
            && captured < eve
        {
            let message =
                format!("`{archived}` was made on {captured}, before the day of the case, {date}");
            hits.push(pointer, message).help =
                Some("see whether the date is right; then find a later copy".to_owned());
        }
    }
}
