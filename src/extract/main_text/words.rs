//! Words that say what a line or a title is: the start of what stands beside an article, an appeal,
//! the name of an incident.

use std::collections::HashSet;

use crate::vocabulary::{Languages, PageLabel, fold};

/// Lines that open what stands beside an article, and words that name an incident, in all languages.
#[derive(Debug, Clone)]
pub(crate) struct PageWords {
    beside: HashSet<String>,
    incident: Vec<String>,
    appeal: Vec<String>,
}

impl PageWords {
    pub(in crate::extract) fn new(languages: &Languages) -> Self {
        let of = |label: PageLabel| {
            let words = languages
                .iter()
                .filter_map(move |l| l.postmortem.labels.get(&label));
            words.flatten().map(|w| fold(w))
        };
        Self {
            beside: of(PageLabel::Beside).collect(),
            incident: of(PageLabel::Incident).collect(),
            appeal: of(PageLabel::Appeal).collect(),
        }
    }

    /// Whether a title names an incident.
    pub(super) fn names_incident(&self, title: &str) -> bool {
        let folded = fold(title);
        self.incident.iter().any(|word| stands_in(word, &folded))
    }

    /// Whether a text asks readers to subscribe, follow, register or pay.
    pub(super) fn appeals(&self, text: &str) -> bool {
        let folded = fold(text);
        self.appeal.iter().any(|word| stands_in(word, &folded))
    }

    /// Whether a line is one of the phrases.
    pub(super) fn is(&self, text: &str) -> bool {
        self.beside
            .contains(&fold(text.trim_matches(|c: char| !c.is_alphanumeric())))
    }

    /// Whether a line opens what stands beside the article: a known phrase, alone or before a few words.
    pub(super) fn opens(&self, text: &str) -> bool {
        let head: String = text.chars().take(80).collect();
        let folded = fold(head.trim_matches(|c: char| !c.is_alphanumeric()));
        if self.beside.contains(&folded) {
            return true;
        }
        let mut ends = folded
            .char_indices()
            .filter(|(_, c)| !c.is_alphanumeric())
            .map(|(i, _)| i);
        let short = text.chars().count() <= 60;
        ends.any(|end| {
            let (phrase, rest) = folded.split_at(end);
            (short || rest.starts_with(':')) && phrase.contains(' ') && self.beside.contains(phrase)
                || rest.starts_with(':') && self.beside.contains(phrase)
        })
    }
}

/// Whether a word stands in a text on its own, or anywhere where words are not set apart.
fn stands_in(word: &str, text: &str) -> bool {
    let wide = word.chars().any(|c| c > '\u{1100}');
    text.match_indices(word)
        .any(|(at, _)| wide || !text[..at].ends_with(char::is_alphanumeric))
}
