//! No raw page tells a time of the incident otherwise than the record.

use crate::check::context::Context;
use crate::check::evidence::Evidence;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::read::RecordFile;
use crate::recognize::{CaseFacts, contradictions};

pub(super) const RULE: Rule = Rule {
    id: "source-contradicts",
    level: Level::Warning,
    why: "Where a source tells a time otherwise than the record, one of the two is wrong, and a reader who follows the link is lost.",
    bad: r##"{"normalized/IL-0001.json":{"id":"IL-0001","date":"2021-03-04","summary":{"en":"At 9:39 AM PST the fleet of Kinesis was restarted."}},"raw/IL-0001/page.txt":"Outage of the queue\n\nOn March 4, 2021 the fleet of Kinesis was restarted at 9:39 PM PST, after a long search for what had gone wrong with it."}"##,
    good: r##"{"normalized/IL-0001.json":{"id":"IL-0001","date":"2021-03-04","summary":{"en":"At 9:39 AM PST the fleet of Kinesis was restarted."}},"raw/IL-0001/page.txt":"Outage of the queue\n\nOn March 4, 2021 the fleet of Kinesis was restarted at 9:39 AM PST, after a long search for what had gone wrong with it."}"##,
    check: Check::Evidence(check),
};

fn check(record: &RecordFile, evidence: &Evidence<'_>, cx: &Context<'_>, hits: &mut Hits) {
    let Some(id) = record.case.id.clone() else {
        return;
    };
    let case = CaseFacts::of(id, &record.case, cx.lexicon);
    for page in &evidence.pages {
        let facts = &page.extracted.facts.facts;
        let contradictions = contradictions(&page.file, facts, &case);
        contradictions.into_iter().for_each(|f| hits.adopt(f));
    }
}
