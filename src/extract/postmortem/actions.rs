//! Action items: the items or rows of the sections that announce them.

use crate::read::{Block, BlockKind};
use crate::vocabulary::SectionKind;

use super::{Entry, Reader};

/// The action items of a page, in its order.
pub(super) fn action_items(reader: &Reader) -> Vec<Entry> {
    let mut out: Vec<Entry> = Vec::new();
    for label in reader
        .labels
        .iter()
        .filter(|l| l.kind == SectionKind::ActionItems)
    {
        let blocks: Vec<(usize, &Block)> = reader
            .blocks()
            .filter(|(i, _)| *i > label.block && *i < label.end)
            .collect();
        let depth = blocks
            .iter()
            .filter_map(|(_, b)| match b.kind {
                BlockKind::Item(depth) => Some(depth),
                _ => None,
            })
            .min();
        let mut rows = 0;
        for (i, block) in blocks {
            let counts = match block.kind {
                BlockKind::Item(d) => Some(d) == depth,
                BlockKind::Row => {
                    rows += 1;
                    // The first row names the columns.
                    rows > 1
                }
                _ => false,
            };
            let text = block.text.replace('\t', " · ");
            let same = out.iter().any(|e| e.text == text);
            if counts && !is_template(&block.text) && !same {
                out.push(Entry {
                    evidence: reader.evidence(i, 0..block.text.len()),
                    text,
                });
            }
        }
    }
    out
}

/// What a template leaves to be filled in: `[to fill in]`, `{{ summary }}`, `TBD`.
pub(super) fn is_template(text: &str) -> bool {
    let text = text.trim().trim_matches(['*', '_', '.', ':']);
    let wrapped =
        |a: char, b: char| text.starts_with(a) && text.ends_with(b) && !text.contains("](");
    let lower = text.to_lowercase();
    wrapped('[', ']')
        || wrapped('{', '}')
        || wrapped('<', '>')
        || text.contains("{{")
        || matches!(
            lower.as_str(),
            "tbd" | "todo" | "n/a" | "none" | "..." | "…" | "to be filled in" | ""
        )
}
