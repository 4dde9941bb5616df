//! The texts of a record that a person reads, with their languages.

use crate::model::Case;

/// The language of a text of [`texts_of`]: the last token of its pointer; the words of the impact are English.
pub(super) fn language_of(pointer: &str) -> &str {
    match pointer.strip_prefix("/impact/") {
        Some(_) => "en",
        None => pointer.rsplit('/').next().unwrap_or_default(),
    }
}

/// Every text of a record that a person reads, with its pointer.
pub(super) fn texts_of(case: &Case) -> Vec<(String, &str)> {
    let mut out = Vec::new();
    for (field, text) in case.texts() {
        let texts = text.into_iter().flat_map(|t| t.iter());
        out.extend(texts.map(|(tag, words)| (format!("/{field}/{tag}"), words)));
    }
    for (field, steps) in case.steps() {
        for (i, step) in steps.iter().enumerate() {
            let texts = step.text.iter();
            out.extend(texts.map(|(tag, words)| (format!("/{field}/{i}/text/{tag}"), words)));
        }
    }
    let impact = &case.impact;
    for (name, words) in [
        ("scope", &impact.scope),
        ("users", &impact.users),
        ("region", &impact.region),
    ] {
        out.extend(words.as_deref().map(|w| (format!("/impact/{name}"), w)));
    }
    out
}
