//! Labels of sections: headings, bold labels, and labels before a colon.

use std::ops::Range;

use crate::read::{Block, BlockKind};
use crate::vocabulary::SectionKind;

use super::Reader;

/// The label of a section.
#[derive(Debug, Clone)]
pub(super) struct Label {
    pub kind: SectionKind,
    /// Its lists are of what is to be done.
    pub actions: bool,
    pub block: usize,
    /// The label in the block's text.
    pub text: Range<usize>,
    /// The first block after the section.
    pub end: usize,
}

/// The labels of a page in order, each with the blocks it reaches over.
pub(super) fn labels(reader: &Reader) -> Vec<Label> {
    let words = reader.cx.section_words.of(&reader.language);
    let blocks: Vec<(usize, &Block)> = reader.blocks().collect();
    // Where the title stands elsewhere, sections may be of the first level too.
    let first_heading = blocks
        .iter()
        .position(|(_, b)| matches!(b.kind, BlockKind::Heading(_)));
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
            actions: *kind == SectionKind::ActionItems
                || words.also_actions(&reader.block(*block).text[text.clone()]),
            block: *block,
            text: text.clone(),
            end,
        });
    }
    out
}

/// The section of each block: that of the nearest label before it that reaches it.
pub(super) fn sections(labels: &[Label], blocks: usize) -> Vec<Option<SectionKind>> {
    let mut open: Vec<&Label> = Vec::new();
    let mut labels = labels.iter().peekable();
    let section = |i: usize| {
        while let Some(label) = labels.next_if(|l| l.block <= i) {
            open.push(label);
        }
        // An inner section ends before the one around it.
        while open.pop_if(|l| l.end <= i).is_some() {}
        open.last().map(|l| l.kind)
    };
    (0..blocks).map(section).collect()
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
