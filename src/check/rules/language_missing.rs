//! Every text is there in every language of the library.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::model::Localized;
use crate::read::RecordFile;

pub(super) const RULE: Rule = Rule {
    id: "language-missing",
    level: Level::Error,
    why: "A reader of one language would find an empty page.",
    bad: r##"[{"id":"IL-0001","title":{"en":"The queue stopped"}}]"##,
    good: r##"[{"id":"IL-0001","title":{"en":"The queue stopped","ko":"큐가 멈췄다"}}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, cx: &Context<'_>, hits: &mut Hits) {
    let mut texts: Vec<(String, &Localized)> = Vec::new();
    for (field, text) in record.case.texts() {
        texts.extend(text.map(|text| (format!("/{field}"), text)));
    }
    for (field, steps) in record.case.steps() {
        let steps = steps.iter().enumerate();
        texts.extend(steps.map(|(i, step)| (format!("/{field}/{i}/text"), &step.text)));
    }
    for language in &cx.policy.languages {
        let missing = texts
            .iter()
            .filter(|(_, text)| text.text(language).is_none());
        let missing: Vec<&str> = missing.map(|(pointer, _)| pointer.as_str()).collect();
        // A record in one language is one fact and not thirty.
        if missing.len() > 1 && missing.len() == texts.len() {
            let message = format!(
                "none of the {} texts is there in `{language}`",
                missing.len()
            );
            hits.push(format!("{}/{language}", missing[0]), message)
                .help = Some("ingest a page in that language, or write the texts".to_owned());
            continue;
        }
        for pointer in missing {
            let message = format!("the text has no `{language}`");
            hits.push(format!("{pointer}/{language}"), message).help = Some(format!(
                "write `{pointer}/{language}`, or ingest a page in that language"
            ));
        }
    }
}
