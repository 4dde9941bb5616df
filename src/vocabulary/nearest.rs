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
        for (word, slug) in self.folded_words(kind) {
            let bar = best.map_or(LIKE_ENOUGH, |(score, _)| score);
            let likeness = likeness(&wanted, word, bar);
            if likeness > bar {
                best = Some((likeness, slug));
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
/// latency`, though most of it is missing. Anything not above `bar` may come out as 0.
fn likeness(wanted: &str, candidate: &str, bar: f64) -> f64 {
    let whole = if may_be_near(wanted, candidate, bar - 0.1) {
        let slip = damerau_levenshtein(wanted, candidate) == 1 && candidate.chars().count() > 3;
        normalized_damerau_levenshtein(wanted, candidate) + if slip { 0.1 } else { 0.0 }
    } else {
        0.0
    };
    let in_words = candidate
        .split(' ')
        .filter(|word| word.len() < candidate.len() && word.chars().count() > 3)
        .filter(|word| may_be_near(wanted, word, 0.8))
        .map(|word| normalized_damerau_levenshtein(wanted, word))
        .fold(0.0, f64::max);
    // A word in full weighs less than a whole label that is nearly right.
    let part = if in_words >= 0.8 {
        in_words * 0.75
    } else {
        0.0
    };
    whole.max(part)
}

/// Whether two texts are near enough in length for this likeness; lengths are cheap, distances not.
fn may_be_near(a: &str, b: &str, likeness: f64) -> bool {
    let (a, b) = (a.chars().count(), b.chars().count());
    let (short, long) = (a.min(b), a.max(b));
    // At least the difference in length has to be edited.
    #[expect(clippy::cast_precision_loss, reason = "lengths of labels are small")]
    let best = short as f64 / long.max(1) as f64;
    best >= likeness
}
