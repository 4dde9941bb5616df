//! Every text is written in the language it claims.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::finding::Level;
use crate::model::Localized;
use crate::read::RecordFile;
use crate::vocabulary::Language;

pub(super) const RULE: Rule = Rule {
    id: "language-swapped",
    level: Level::Error,
    why: "A text under the wrong language tag is shown to readers who cannot read it.",
    bad: r##"[{"id":"IL-0001","title":{"en":"큐가 멈췄다","ko":"The queue stopped"}}]"##,
    good: r##"[{"id":"IL-0001","title":{"en":"The queue stopped","ko":"Kafka 큐가 멈췄다"}}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, cx: &Context<'_>, hits: &mut Hits) {
    for (field, text) in record.case.texts() {
        if let Some(text) = text {
            check_text(text, &format!("/{field}"), cx, hits);
        }
    }
    for (field, steps) in record.case.steps() {
        for (i, step) in steps.iter().enumerate() {
            check_text(&step.text, &format!("/{field}/{i}/text"), cx, hits);
        }
    }
}

fn check_text(text: &Localized, pointer: &str, cx: &Context<'_>, hits: &mut Hits) {
    for (tag, words) in text.iter() {
        let Some(language) = cx.lexicon.languages.find(tag.primary()) else {
            continue;
        };
        if !is_in_script(words, language) {
            let name = language.name.get("en").map_or(tag.as_str(), String::as_str);
            let message = format!("the `{tag}` text is not written in {name}");
            hits.push(format!("{pointer}/{tag}"), message).help =
                Some("were two languages swapped? put each text under its own tag".to_owned());
        }
    }
}

/// Names, products and codes are Latin in every language, so a text may hold much Latin; a text of
/// another script must hold some of it, and a Latin text next to none of another.
fn is_in_script(text: &str, language: &Language) -> bool {
    let is_hangul = |c: char| matches!(c, '가'..='힣' | 'ㄱ'..='ㆎ');
    let letters = || text.chars().filter(|c| c.is_alphabetic()).count();
    match language.script.as_str() {
        "Hangul" => text.chars().any(is_hangul) || letters() == 0,
        "Latin" => {
            let ascii = text.bytes().filter(u8::is_ascii_alphabetic).count();
            // Most texts are settled without looking letters up.
            ascii * 2 >= text.chars().count() || ascii * 2 >= letters()
        }
        _ => true,
    }
}
