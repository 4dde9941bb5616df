//! Labels of sections: headings, bold labels, and labels before a colon.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use crate::read::{Block, BlockKind};
use crate::vocabulary::{SectionKind, fold};

use super::Reader;

/// The label of a section.
#[derive(Debug, Clone)]
pub(super) struct Label {
    pub kind: SectionKind,
    pub block: usize,
    /// The label in the block's text.
    pub text: Range<usize>,
    /// The first block after the section.
    pub end: usize,
}

/// The labels of a page in order, each with the blocks it reaches over.
pub(super) fn labels(reader: &Reader) -> Vec<Label> {
    let words = Words::new(reader);
    let blocks: Vec<(usize, &Block)> = reader.blocks().collect();
    let first_heading = blocks
        .iter()
        .position(|(_, b)| matches!(b.kind, BlockKind::Heading(1)));
    let mut marks: Vec<(usize, u8, Option<SectionKind>, Range<usize>)> = Vec::new();
    for (at, (i, block)) in blocks.iter().enumerate() {
        match block.kind {
            BlockKind::Heading(level) => {
                let is_title = Some(at) == first_heading && level == 1;
                let kind = words.heading(&block.text, is_title);
                marks.push((*i, level, kind, 0..block.text.len()));
            }
            BlockKind::Paragraph | BlockKind::Item(_) | BlockKind::Term => {
                // Labels in the text stand below every heading, those of deeper items deeper.
                let level = match block.kind {
                    BlockKind::Item(depth) => 10_u8.saturating_add(depth),
                    _ => 9,
                };
                if let Some((kind, range)) = words.inline(block) {
                    marks.push((*i, level, Some(kind), range));
                } else if looks_like_label(block) {
                    marks.push((*i, level, None, 0..0));
                }
            }
            _ => {}
        }
    }
    let total = reader.page.blocks.len();
    let mut out = Vec::new();
    for (at, (block, level, kind, text)) in marks.iter().enumerate() {
        let Some(kind) = kind else { continue };
        let next = marks[at + 1..]
            .iter()
            .find(|(_, l, k, _)| l <= level || (k.is_some() && *l < 9 && *level >= 9));
        let end = next.map_or(total, |(i, ..)| *i);
        out.push(Label {
            kind: *kind,
            block: *block,
            text: text.clone(),
            end,
        });
    }
    out
}

/// A short bold start of a paragraph or item, or a short line that ends with a colon.
fn looks_like_label(block: &Block) -> bool {
    let bold = block
        .strong
        .first()
        .is_some_and(|r| r.start == 0 && r.end <= 60);
    let colon = block.strong.first().is_some_and(|r| {
        let rest = block.text[r.end.min(block.text.len())..].trim_start();
        block.text[..r.end.min(block.text.len())]
            .trim_end()
            .ends_with(':')
            || rest.starts_with(':')
            || rest.is_empty()
    });
    bold && colon
}

struct Words {
    // Folded phrases with their kinds; where languages differ, the page's own counts.
    kinds: HashMap<String, SectionKind>,
    // The phrases, longest first.
    longest: Vec<String>,
}

impl Words {
    fn new(reader: &Reader) -> Self {
        let mut kinds = HashMap::new();
        let mut longest = Vec::new();
        for language in reader.languages() {
            for (kind, words) in &language.postmortem.headings {
                for folded in words.iter().map(|w| fold(w)) {
                    if let Entry::Vacant(free) = kinds.entry(folded) {
                        longest.push(free.key().clone());
                        free.insert(*kind);
                    }
                }
            }
        }
        longest.sort_by_key(|phrase| std::cmp::Reverse(phrase.chars().count()));
        Self { kinds, longest }
    }

    fn exact(&self, text: &str) -> Option<SectionKind> {
        self.kinds.get(&fold(text)).copied()
    }

    /// What a heading announces.
    fn heading(&self, text: &str, is_title: bool) -> Option<SectionKind> {
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
        // A longer heading that starts or ends with a known one.
        let folded = fold(text);
        let count = folded.chars().count();
        let phrase = self.longest.iter().find(|phrase| {
            let length = phrase.chars().count();
            let wide = phrase.chars().any(|c| c > '\u{1100}');
            let enough = if wide { length >= 2 } else { length >= 6 };
            let near = count <= length + 34;
            let starts = folded
                .strip_prefix(phrase.as_str())
                .is_some_and(|rest| wide || rest.starts_with(|c: char| !c.is_alphanumeric()));
            let ends = folded
                .strip_suffix(phrase.as_str())
                .is_some_and(|rest| wide || rest.ends_with(|c: char| !c.is_alphanumeric()));
            enough && near && (starts || ends)
        })?;
        self.kinds.get(phrase).copied()
    }

    /// A label at the start of a paragraph or item: bold, or before a colon.
    fn inline(&self, block: &Block) -> Option<(SectionKind, Range<usize>)> {
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
        if text.chars().count() <= 32
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
