//! A case repeats another, earlier case of the library.

use crate::check::context::Context;
use crate::check::retired::referred;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "recurrence-earlier",
    level: Level::Error,
    why: "A recurrence that points nowhere, to itself or to a later case turns the story round.",
    bad: r##"[{"id":"IL-0001","date":"2020-01-01","recurrence_of":"IL-0002"},{"id":"IL-0002","date":"2021-01-01"}]"##,
    good: r##"[{"id":"IL-0001","date":"2020-01-01"},{"id":"IL-0002","date":"2021-01-01","recurrence_of":"IL-0001"}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, cx: &Context<'_>, hits: &mut Hits) {
    let case = &record.case;
    let Some(earlier) = &case.recurrence_of else {
        return;
    };
    if let Some((message, help, readable)) = referred(earlier, &cx.snapshot.retired) {
        let hit = hits.push("/recurrence_of", message);
        hit.help = Some(help);
        if readable {
            hit.level = Level::Warning;
        }
        return;
    }
    let message = if case.id.as_ref() == Some(earlier) {
        "a case does not repeat itself".to_owned()
    } else {
        match cx.record(earlier).map(|r| &r.case) {
            None => format!("there is no case `{earlier}` in this library"),
            Some(other) => match (case.date, other.date) {
                (Some(here), Some(there)) if there > here => {
                    format!("`{earlier}` began on {there}, after this case ({here})")
                }
                _ if case.id.as_ref().is_some_and(|id| cx.index.is_circular(id)) => {
                    format!("`{earlier}` itself repeats this case")
                }
                _ => return,
            },
        }
    };
    hits.push("/recurrence_of", message).help =
        Some("name the earlier case, or write null".to_owned());
}
