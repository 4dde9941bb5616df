//! Addresses are absolute, complete and without secrets.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::normalize::check_address;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "bad-address",
    level: Level::Error,
    why: "A link that nobody can open is no source.",
    bad: r##"[{"id":"IL-0001","sources":[{"url":"https://https://a.example/","kind":"news","archived":null}]}]"##,
    good: r##"[{"id":"IL-0001","sources":[{"url":"https://a.example/","kind":"news","archived":null}]}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, _: &Context<'_>, hits: &mut Hits) {
    let case = &record.case;
    for (i, source) in case.sources.iter().enumerate() {
        for (name, address) in [("url", &source.url), ("archived", &source.archived)] {
            check_one(format!("/sources/{i}/{name}"), address.as_deref(), hits);
        }
    }
    for (i, doc) in case.docs.iter().enumerate() {
        check_one(format!("/docs/{i}/url"), doc.url.as_deref(), hits);
    }
}

fn check_one(pointer: String, address: Option<&str>, hits: &mut Hits) {
    if let Some(Err(fault)) = address.map(check_address) {
        let address = address.unwrap_or_default();
        hits.push(pointer, format!("`{address}` {fault}")).help =
            Some("write the address as it was published".to_owned());
    }
}
