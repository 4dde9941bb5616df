//! No two cases have one source.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "duplicate-source",
    level: Level::Warning,
    why: "Two records of one page are usually one incident told twice.",
    bad: r##"[{"id":"IL-0001","sources":[{"url":"https://a.example/x","kind":"news","archived":null}]},{"id":"IL-0002","sources":[{"url":"http://www.a.example/x/","kind":"news","archived":null}]}]"##,
    good: r##"[{"id":"IL-0001","sources":[{"url":"https://a.example/#!/1","kind":"news","archived":null}]},{"id":"IL-0002","sources":[{"url":"https://a.example/#!/2","kind":"news","archived":null}]}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, cx: &Context<'_>, hits: &mut Hits) {
    for (i, source) in record.case.sources.iter().enumerate() {
        let Some(url) = source.url.as_deref() else {
            continue;
        };
        let others = cx.index.with_source(url, &record.file);
        if !others.is_empty() {
            let message = format!("`{url}` is also a source of {others}");
            hits.push(format!("/sources/{i}/url"), message).help = Some(
                "merge the records if they tell one incident; if the page tells several, waive this".to_owned(),
            );
        }
    }
}
