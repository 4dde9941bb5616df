//! Two records do not tell one incident.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::model::Case;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "near-duplicate",
    level: Level::Warning,
    why: "An incident that stands in the library twice is counted twice and reviewed by halves.",
    bad: r##"[{"id":"IL-0001","org":"Example","date":"2021-03-04","root_cause":"capacity","components":["database"]},{"id":"IL-0002","org":"Example","date":"2021-03-05","root_cause":"capacity","components":["database"]}]"##,
    good: r##"[{"id":"IL-0001","org":"Example","date":"2021-03-04","root_cause":"capacity","components":["database"]},{"id":"IL-0002","org":"Example","date":"2021-03-05","root_cause":"capacity","components":["database"],"related":["IL-0001"]}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, cx: &Context<'_>, hits: &mut Hits) {
    let case = &record.case;
    // The later of two by file name is reported, and the nearest of many named.
    let (neighbours, more) = cx.index.neighbours(record, cx.lexicon);
    let mut others = neighbours.into_iter().filter(|other| {
        let other = &other.case;
        other.id != case.id && alike(case, other) && !linked(case, other)
    });
    let Some(nearest) = others.next() else { return };
    let id = nearest.case.id.as_ref();
    let name = id.map_or(nearest.file.clone(), ToString::to_string);
    let also = match (others.count(), more) {
        (0, _) => String::new(),
        (count, false) => format!(" and {count} more"),
        (count, true) => format!(" and at least {count} more"),
    };
    let message = format!(
        "this may be the incident of {name}{also}: the same organisation within a day, with the same cause or title"
    );
    hits.push("/date", message).help = Some(format!(
        "compare the two; where they are one, keep one record with the sources of both, else name {name} under `related`"
    ));
}

/// The same root cause and a component that both have; or the same title.
fn alike(a: &Case, b: &Case) -> bool {
    let told = |case: &Case| {
        let cause = case.root_cause.as_ref();
        cause.is_some_and(|cause| cause.as_str() != "unknown")
    };
    let same_cause = told(a) && a.root_cause == b.root_cause;
    let titles = |case: &Case| -> Vec<String> {
        let all = case.title.iter().flat_map(|t| t.iter());
        all.map(|(_, text)| text.to_lowercase()).collect()
    };
    let theirs = titles(b);
    same_cause && !a.components.is_disjoint(&b.components)
        || titles(a).iter().any(|title| theirs.contains(title))
}

/// An editor knows of both: one names the other.
fn linked(a: &Case, b: &Case) -> bool {
    let names = |a: &Case, b: &Case| {
        b.id.as_ref()
            .is_some_and(|id| a.related.contains(id) || a.recurrence_of.as_ref() == Some(id))
    };
    names(a, b) || names(b, a)
}
