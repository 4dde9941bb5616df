//! Every source has an archived copy.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::normalize::check_address;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "archive-missing",
    level: Level::Note,
    why: "Pages vanish; a source without an archived copy will one day prove nothing.",
    bad: r##"[{"id":"IL-0001","sources":[{"url":"https://a.example/","kind":"news","archived":null}]}]"##,
    good: r##"[{"id":"IL-0001","sources":[{"url":"https://a.example/","kind":"news","archived":"https://web.archive.org/web/20240801000000/https://a.example/"}]}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, _: &Context<'_>, hits: &mut Hits) {
    for (i, source) in record.case.sources.iter().enumerate() {
        let Some(url) = source
            .url
            .as_ref()
            .filter(|url| source.archived.is_none() && check_address(url).is_ok())
        else {
            continue;
        };
        let message = format!("`{url}` has no archived copy");
        hits.push(format!("/sources/{i}/archived"), message).help = Some(format!(
            "open https://web.archive.org/save/{url} in a browser, then write the address of the copy here"
        ));
    }
}
