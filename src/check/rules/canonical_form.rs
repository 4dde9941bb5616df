//! A record stands in its file as the one printer writes it.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::{Level, Place};
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "canonical-form",
    level: Level::Error,
    why: "Files that differ only in layout make every change hard to read.",
    bad: r##"{"normalized/IL-0001.json":"{\"org\": \"A\", \"id\": \"IL-0001\"}"}"##,
    good: r##"{"normalized/IL-0001.json":"full"}"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, _: &Context<'_>, hits: &mut Hits) {
    if record.has_duplicate_keys {
        return;
    }
    let printed = record.case.print();
    if printed == record.text {
        return;
    }
    let same = printed
        .bytes()
        .zip(record.text.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let place = Place::Bytes(same.min(record.text.len())..record.text.len());
    let finding = hits.push_at(place, what_differs(&record.text));
    finding.help = Some("run `incidentlib fmt`".to_owned());
}

/// The kind of difference that a person would name first.
fn what_differs(text: &str) -> &'static str {
    if text.contains('\r') {
        "the file has Windows line ends"
    } else if !text.ends_with('\n') {
        "the file does not end with a line end"
    } else {
        "the file is not in canonical form from here on: order of keys or terms, layout, or Unicode form"
    }
}
