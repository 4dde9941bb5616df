//! Labels that lost the blanks between them: `awsdatabaseobservability`.

use std::collections::HashMap;

use super::terms::{Kind, TermEntry, Vocabulary};

/// How a run of labels falls into terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segmentation {
    /// Each term with the byte range of its label.
    Terms(Vec<(String, std::ops::Range<usize>)>),
    /// More than one way, each equally good; as slugs joined by a blank.
    Ambiguous(Vec<String>),
    /// No way: the text holds something that is no label.
    None,
}

#[derive(Clone)]
struct Best {
    // Fewer pieces are better; among them fewer aliases.
    cost: (usize, usize),
    previous: Option<(usize, String)>,
    ties: usize,
}

/// A run longer than this is prose, not labels.
const LONGEST_RUN: usize = 2000;

impl Vocabulary {
    /// Splits `text` into labels or slugs of one list, with or without blanks or separators between
    /// them. The longest labels win; `None` when any part is left over.
    pub fn segment(&self, kind: Kind, text: &str) -> Segmentation {
        if text.len() > LONGEST_RUN {
            return Segmentation::None;
        }
        let words = self.words(kind);
        let mut best: Vec<Option<Best>> = vec![None; text.len() + 1];
        best[0] = Some(Best {
            cost: (0, 0),
            previous: None,
            ties: 0,
        });
        for at in 0..text.len() {
            let Some(here) = best[at].clone() else {
                continue;
            };
            if !text.is_char_boundary(at) {
                continue;
            }
            let rest = &text[at..];
            if let Some(blank) = rest.chars().next().filter(|c| separates(*c)) {
                let step = Best {
                    previous: Some((at, String::new())),
                    ..here.clone()
                };
                improve(&mut best[at + blank.len_utf8()], step);
            }
            for word in words.starting_like(rest) {
                if starts_with_folded(rest, &word.text) {
                    let cost = (here.cost.0 + 1, here.cost.1 + usize::from(word.is_alias));
                    let previous = Some((at, word.slug.clone()));
                    let step = Best {
                        cost,
                        previous,
                        ties: here.ties,
                    };
                    improve(&mut best[at + word.text.len()], step);
                }
            }
        }
        let Some(end) = &best[text.len()] else {
            return Segmentation::None;
        };
        let terms = trace(&best, text.len());
        if terms.is_empty() {
            Segmentation::None
        } else if end.ties > 0 {
            let slugs: Vec<&str> = terms.iter().map(|(slug, _)| slug.as_str()).collect();
            Segmentation::Ambiguous(vec![slugs.join(" ")])
        } else {
            Segmentation::Terms(terms)
        }
    }
}

/// A slug, label or alias as pages write it.
#[derive(Debug, Clone)]
pub(super) struct SurfaceWord {
    text: String,
    slug: String,
    is_alias: bool,
}

/// The surface words of one list by their first byte, lower case.
#[derive(Debug, Clone, Default)]
pub(super) struct SurfaceWords(HashMap<u8, Vec<SurfaceWord>>);

impl SurfaceWords {
    pub(super) fn of(terms: &[TermEntry]) -> Self {
        let mut words: Vec<SurfaceWord> = Vec::new();
        for term in terms {
            let mut add = |text: &String, is_alias| {
                let slug = term.slug.clone();
                words.push(SurfaceWord {
                    text: text.clone(),
                    slug,
                    is_alias,
                });
            };
            std::iter::once(&term.slug)
                .chain(term.label.values())
                .for_each(|w| add(w, false));
            term.aliases.values().flatten().for_each(|w| add(w, true));
        }
        words.sort_by(|a, b| (&a.text, a.is_alias, &a.slug).cmp(&(&b.text, b.is_alias, &b.slug)));
        words.dedup_by(|a, b| a.text == b.text && a.slug == b.slug);
        let mut out: HashMap<u8, Vec<SurfaceWord>> = HashMap::new();
        for word in words {
            if let Some(first) = word.text.bytes().next() {
                out.entry(first.to_ascii_lowercase())
                    .or_default()
                    .push(word);
            }
        }
        Self(out)
    }

    fn starting_like(&self, text: &str) -> &[SurfaceWord] {
        let first = text.bytes().next().map(|b| b.to_ascii_lowercase());
        first
            .and_then(|b| self.0.get(&b))
            .map_or(&[], Vec::as_slice)
    }
}

fn separates(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '·' | '|' | '/' | '、')
}

fn starts_with_folded(text: &str, word: &str) -> bool {
    text.get(..word.len())
        .is_some_and(|head| head == word || head.eq_ignore_ascii_case(word))
}

fn improve(slot: &mut Option<Best>, step: Best) {
    match slot {
        Some(best) if best.cost < step.cost => {}
        Some(best) if best.cost == step.cost => {
            if best.previous.as_ref().map(|p| &p.1) != step.previous.as_ref().map(|p| &p.1) {
                best.ties += 1;
            }
        }
        _ => *slot = Some(step),
    }
}

fn trace(best: &[Option<Best>], end: usize) -> Vec<(String, std::ops::Range<usize>)> {
    let (mut at, mut terms) = (end, Vec::new());
    while let Some((previous, slug)) = best[at].as_ref().and_then(|b| b.previous.clone()) {
        if !slug.is_empty() {
            terms.push((slug, previous..at));
        }
        at = previous;
    }
    terms.reverse();
    terms
}
