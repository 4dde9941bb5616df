//! An organisation has one spelling in the whole library.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "organisation-spelling",
    level: Level::Warning,
    why: "Cases of one organisation under two names are found half by half.",
    bad: r##"[{"id":"IL-0001","org":"GitHub"},{"id":"IL-0002","org":"GitHub"},{"id":"IL-0003","org":"Github, Inc."}]"##,
    good: r##"[{"id":"IL-0001","org":"GitHub"},{"id":"IL-0002","org":"GitHub"},{"id":"IL-0003","org":"GitLab"}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, cx: &Context<'_>, hits: &mut Hits) {
    let Some(org) = &record.case.org else { return };
    let usual = cx.index.usual_spelling(org, cx.lexicon);
    if let Some((usual, count)) = usual.filter(|(usual, _)| *usual != org) {
        let records = if count == 1 {
            "another record spells"
        } else {
            "other records spell"
        };
        let message = format!("`{org}` is the organisation that {records} `{usual}`");
        hits.push("/org", message).help = Some(format!(
            "write `{usual}` here, or one spelling in all and the others under `[organisations]` in incidentlib.toml"
        ));
    }
}
