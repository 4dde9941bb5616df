//! Texts hold no signs of damage: lost characters, control or direction marks, words dropped between punctuation.

use crate::check::context::Context;
use crate::check::rule::{Check, Hits, Rule};
use crate::check::texts::texts_of;
use crate::finding::Level;
use crate::read::{RecordFile, words_lost};

pub(super) const RULE: Rule = Rule {
    id: "damaged-text",
    level: Level::Warning,
    why: "Text that a machine damaged says something else than its source, or hides something.",
    bad: r##"[{"id":"IL-0001","title":{"en":"The - , CPU . , , , . stopped"}}]"##,
    good: r##"[{"id":"IL-0001","title":{"en":"The queue - a shared one, on CPU 3, stopped ..."}}]"##,
    check: Check::Record(check),
};

fn check(record: &RecordFile, _: &Context<'_>, hits: &mut Hits) {
    for (pointer, text) in texts_of(&record.case) {
        if let Some(what) = damage(text) {
            hits.push(pointer, what).help =
                Some("compare the text with its source and write it again".to_owned());
        }
    }
}

fn damage(text: &str) -> Option<String> {
    let gap = words_lost(text).then(|| "words seem to be lost between the punctuation".to_owned());
    if text
        .bytes()
        .all(|b| matches!(b, b' '..=b'~' | b'\n' | b'\t'))
    {
        return gap;
    }
    if text.contains('\u{fffd}') {
        return Some("a character of the text is lost (`\u{fffd}`)".to_owned());
    }
    let hidden = text.chars().find(|&c| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    });
    if let Some(c) = hidden {
        return Some(format!(
            "the text holds the invisible character U+{:04X}",
            u32::from(c)
        ));
    }
    gap
}
