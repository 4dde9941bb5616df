//! Which section a heading or a label announces, in any language.

use std::collections::BTreeSet;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::read::Block;
use crate::vocabulary::{Languages, SectionKind, fold};

/// The phrases of all languages.
#[derive(Debug, Clone)]
pub(crate) struct SectionWords {
    // Folded phrases, each with its kind by language.
    kinds: FxHashMap<String, Vec<(String, SectionKind)>>,
}

/// The phrases as a page of one language is read: where languages differ, its own counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct OwnWords<'a> {
    words: &'a SectionWords,
    language: &'a str,
}

/// Whether sections are those of a postmortem: two of different kinds, beside those that any
/// article may have.
pub(super) fn tell_of_incident(kinds: impl Iterator<Item = SectionKind>) -> bool {
    let common = |k: &SectionKind| matches!(k, SectionKind::Summary | SectionKind::Contributing);
    let kinds: BTreeSet<SectionKind> = kinds.filter(|k| !common(k)).collect();
    kinds.len() > 1
}

impl SectionWords {
    pub(super) fn new(languages: &Languages) -> Self {
        let mut kinds: FxHashMap<String, Vec<(String, SectionKind)>> = FxHashMap::default();
        for language in languages.iter() {
            for (kind, words) in &language.postmortem.headings {
                for folded in words.iter().map(|w| fold(w)) {
                    let of = kinds.entry(folded).or_default();
                    of.push((language.language.clone(), *kind));
                }
            }
        }
        Self { kinds }
    }

    /// The words for a page of a language.
    pub(super) fn of<'a>(&'a self, language: &'a str) -> OwnWords<'a> {
        OwnWords {
            words: self,
            language,
        }
    }
}

impl OwnWords<'_> {
    fn kind(&self, folded: &str) -> Option<SectionKind> {
        let kinds = self.words.kinds.get(folded)?;
        let own = kinds.iter().find(|(tag, _)| tag == self.language);
        own.or(kinds.first()).map(|(_, kind)| *kind)
    }

    fn exact(&self, text: &str) -> Option<SectionKind> {
        self.kind(&fold(text))
    }

    /// What a heading announces.
    pub(super) fn heading(&self, text: &str, is_title: bool) -> Option<SectionKind> {
        let text = bare(text);
        if text.is_empty() || text.chars().count() > 80 {
            return None;
        }
        if let Some(kind) = self.exact(text) {
            return Some(kind);
        }
        if is_title {
            return None;
        }
        // A longer heading that starts or ends with a known one; of several the longest.
        let folded = fold(text);
        let count = folded.chars().count();
        let known = |part: &str, rest: &str, edge: Option<char>| {
            let length = part.chars().count();
            let wide = part.chars().any(|c| c > '\u{1100}');
            let enough = if wide { length >= 2 } else { length >= 6 };
            let apart = wide || (!rest.is_empty() && edge.is_some_and(|c| !c.is_alphanumeric()));
            let fits = enough && apart && count <= length + 34;
            let kind = fits.then(|| self.kind(part)).flatten()?;
            Some((length, std::cmp::Reverse(part.to_owned()), kind))
        };
        let cuts = folded.char_indices().map(|(at, _)| folded.split_at(at));
        let found = cuts.flat_map(|(head, tail)| {
            let starts = known(head, tail, tail.chars().next());
            let ends = known(tail, head, head.chars().next_back());
            starts.into_iter().chain(ends)
        });
        found.max().map(|(_, _, kind)| kind)
    }

    /// Whether a heading announces action items beside something else: "Prevention / What we learned".
    pub(super) fn also_actions(&self, heading: &str) -> bool {
        let parts = heading.split(['/', '&', '+', ',', '、', '・', '·']);
        let mut parts = parts.flat_map(|part| part.split(" and "));
        parts.any(|part| self.exact(bare(part)) == Some(SectionKind::ActionItems))
    }

    /// A label at the start of a paragraph or item: bold, or before a colon.
    pub(super) fn inline(&self, block: &Block) -> Option<(SectionKind, Range<usize>)> {
        let text = &block.text;
        if let Some(range) = block
            .strong
            .first()
            .filter(|r| text[..r.start].trim().is_empty() && r.len() <= 80)
        {
            let label = text.get(range.clone())?;
            if let Some(kind) = self.exact(bare(label)) {
                return Some((kind, range.clone()));
            }
        }
        // A line that is a heading and nothing else.
        if text.chars().nth(32).is_none()
            && let Some(kind) = self.exact(bare(text))
        {
            return Some((kind, 0..text.len()));
        }
        let head: usize = text
            .char_indices()
            .take(60)
            .last()
            .map_or(0, |(i, c)| i + c.len_utf8());
        let colon = text[..head].find([':', '：'])?;
        let label = text[..colon].trim();
        let kind = self.exact(bare(label))?;
        Some((kind, 0..colon))
    }
}

/// A heading without its number, emoji, permalink mark and colon.
fn bare(text: &str) -> &str {
    let text = text
        .trim()
        .trim_end_matches(['#', '¶', ':', '：', ' ', '.', '!']);
    let text =
        text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' ' | '#'));
    text.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, ')' | '?' | '\'' | '"' | '）'))
}
