//! Labels that lost the blanks between them: `awsdatabaseobservability`.

use super::terms::{Kind, Vocabulary};

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
        let words = self.surface_words(kind);
        let mut best: Vec<Option<Best>> = vec![None; text.len() + 1];
        best[0] = Some(Best { cost: (0, 0), previous: None, ties: 0 });
        for at in 0..text.len() {
            let Some(here) = best[at].clone() else { continue };
            if !text.is_char_boundary(at) {
                continue;
            }
            let rest = &text[at..];
            if let Some(blank) = rest.chars().next().filter(|c| separates(*c)) {
                let step = Best { previous: Some((at, String::new())), ..here.clone() };
                improve(&mut best[at + blank.len_utf8()], step);
            }
            for (word, slug, is_alias) in &words {
                if starts_with_folded(rest, word) {
                    let cost = (here.cost.0 + 1, here.cost.1 + usize::from(*is_alias));
                    let step = Best { cost, previous: Some((at, slug.clone())), ties: here.ties };
                    improve(&mut best[at + word.len()], step);
                }
            }
        }
        let Some(end) = &best[text.len()] else { return Segmentation::None };
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

    /// Words as pages write them, each with its slug and whether it is only an alias.
    fn surface_words(&self, kind: Kind) -> Vec<(String, String, bool)> {
        let mut words: Vec<(String, String, bool)> = Vec::new();
        for term in self.terms(kind) {
            let names = std::iter::once(&term.slug).chain(term.label.values());
            words.extend(names.map(|w| (w.clone(), term.slug.clone(), false)));
            let aliases = term.aliases.values().flatten();
            words.extend(aliases.map(|w| (w.clone(), term.slug.clone(), true)));
        }
        words.retain(|(word, _, _)| !word.is_empty());
        words.sort_by(|a, b| (&a.0, a.2).cmp(&(&b.0, b.2)));
        words.dedup_by(|a, b| a.0 == b.0 && a.1 == b.1);
        words
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
