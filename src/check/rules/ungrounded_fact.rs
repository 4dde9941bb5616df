//! Every date, time, duration, share and count of a record stands in one of its raw pages.

use crate::check::context::Context;
use crate::check::evidence::{Evidence, StatedFact, stated};
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "ungrounded-fact",
    level: Level::Warning,
    why: "A date, time, duration, share or count that no raw page tells was mistyped, or made up.",
    bad: r##"{"normalized/IL-0001.json":{"id":"IL-0001","date":"2021-03-04","summary":{"en":"At 14:45 UTC 12% of the requests failed."}},"raw/IL-0001/page.txt":"On March 4, 2021 at 2:54 PM UTC 12 percent of all requests began to fail."}"##,
    good: r##"{"normalized/IL-0001.json":{"id":"IL-0001","date":"2021-03-04","summary":{"en":"At 14:45 UTC 12% of the requests failed."}},"raw/IL-0001/page.txt":"On March 4, 2021 at 2:45 PM UTC 12 percent of all requests began to fail."}"##,
    check: Check::Evidence(check),
};

fn check(record: &RecordFile, evidence: &Evidence<'_>, _: &Context<'_>, hits: &mut Hits) {
    if evidence.pages.is_empty() {
        return;
    }
    let pages = match evidence.pages.as_slice() {
        [only] => format!("does not stand in the raw page {}", only.file),
        pages => format!("stands in none of the {} raw pages", pages.len()),
    };
    let mut report = |pointer: String, quote: &str| {
        let found = hits.push(pointer, format!("`{quote}` {pages}"));
        found.quote = Some(quote.to_owned());
        found.help = Some(
            "correct it, or save the page that tells it beside the others with `incidentlib ingest PAGE`"
                .to_owned(),
        );
    };
    if let Some(date) = record.case.date
        && !evidence.tells(&StatedFact::Day(date.into()))
    {
        report("/date".to_owned(), &date.to_string());
    }
    for (pointer, read) in &evidence.texts {
        let facts = stated(read, &evidence.around);
        for fact in facts.iter().filter(|f| !evidence.tells(&f.fact)) {
            report(pointer.clone(), &fact.quote);
        }
    }
}
