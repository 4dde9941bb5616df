//! The nearest term to a text that is none.

use strsim::{damerau_levenshtein, normalized_damerau_levenshtein};

use super::terms::{Kind, Vocabulary, fold};

/// Below this likeness a suggestion confuses more than it helps.
const LIKE_ENOUGH: f64 = 0.6;

impl Vocabulary {
    /// The slug of the term whose slug, label or alias is nearest to `text` by edit distance; `None`
    /// when nothing is near.
    pub fn nearest(&self, kind: Kind, text: &str) -> Option<&str> {
        let wanted = fold(text);
        if wanted.is_empty() || wanted.len() > 200 {
            return None;
        }
        let mut best: Option<(f64, &str)> = None;
        for term in self.terms(kind) {
            let words = term.label.values().chain(term.aliases.values().flatten());
            for word in std::iter::once(&term.slug).chain(words) {
                let likeness = likeness(&wanted, &fold(word));
                if likeness > best.map_or(LIKE_ENOUGH, |(score, _)| score) {
                    best = Some((likeness, &term.slug));
                }
            }
        }
        best.map(|(_, slug)| slug)
    }

    /// Terms whose slug, label, definition or alias in any language holds `query`; all for an empty query.
    pub fn search<'a>(&'a self, kind: Kind, query: &str) -> Vec<&'a super::TermEntry> {
        let wanted = fold(query);
        let holds = |text: &String| fold(text).contains(&wanted);
        self.terms(kind)
            .iter()
            .filter(|term| {
                holds(&term.slug)
                    || term.label.values().any(holds)
                    || term.definition.values().any(holds)
                    || term.aliases.values().flatten().any(holds)
            })
            .collect()
    }
}

/// Edit distance over the whole, or over one word of the candidate: `latancy` is near to `high
/// latency`, though most of it is missing.
fn likeness(wanted: &str, candidate: &str) -> f64 {
    let whole = normalized_damerau_levenshtein(wanted, candidate);
    let longest = wanted.chars().count().max(candidate.chars().count());
    let one_slip = longest > 3 && damerau_levenshtein(wanted, candidate) == 1;
    let in_words = candidate
        .split(' ')
        .filter(|word| word.chars().count() > 3)
        .map(|word| normalized_damerau_levenshtein(wanted, word))
        .fold(0.0, f64::max);
    // A word in full weighs less than a whole label that is nearly right.
    let part = if in_words >= 0.8 {
        in_words * 0.75
    } else {
        0.0
    };
    whole.max(part) + if one_slip { 0.1 } else { 0.0 }
}
