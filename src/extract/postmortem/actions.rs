//! Action items: the items or rows of the sections that announce them, and lists that a promise introduces.

use std::collections::HashSet;
use std::ops::Range;

use crate::read::{Block, BlockKind};
use crate::vocabulary::{PageLabel, SectionKind};

use super::{Entry, Reader};

/// The action items of a page, in its order.
pub(super) fn action_items(reader: &Reader) -> Vec<Entry> {
    let labels = reader.labels.iter().filter(|l| l.actions);
    let mut lists: Vec<Range<usize>> = labels.map(|l| l.block + 1..l.end).collect();
    let announced = announced_lists(reader, &lists);
    lists.extend(announced);
    lists.sort_by_key(|l| l.start);
    let mut out: Vec<Entry> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    for list in lists {
        let blocks = || {
            reader
                .after(list.start - 1)
                .take_while(|(i, _)| *i < list.end)
        };
        let depths = blocks().filter_map(|(_, b)| item_depth(b));
        let depth = depths.min();
        let mut rows = 0;
        for (i, block) in blocks() {
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
            if counts && !is_template(&block.text) && seen.insert(text.clone()) {
                out.push(Entry {
                    evidence: reader.evidence(i, 0..block.text.len()),
                    text,
                });
            }
        }
    }
    out
}

fn item_depth(block: &Block) -> Option<u8> {
    match block.kind {
        BlockKind::Item(depth) => Some(depth),
        _ => None,
    }
}

/// The lists, beside those of `known` sections, whose paragraph before says that they are of what is to be done:
/// "Going forward, we will do the following:".
fn announced_lists(reader: &Reader, known: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut known = known.iter().peekable();
    let mut reach = 0;
    for (i, block) in reader.blocks() {
        while let Some(list) = known.next_if(|k| k.start <= i) {
            reach = reach.max(list.end);
        }
        if i >= reach && announces(reader, i, block) {
            let items = reader.after(i).take_while(|(_, b)| item_depth(b).is_some());
            out.extend(items.last().map(|(last, _)| i + 1..last + 1));
        }
    }
    out
}

/// Whether the last sentence of a paragraph promises what the list below it names.
fn announces(reader: &Reader, i: usize, block: &Block) -> bool {
    let text = block.text.trim_end().strip_suffix([':', '：']);
    let Some(text) = text.filter(|_| block.kind == BlockKind::Paragraph) else {
        return false;
    };
    let sentence = text.rsplit(['.', '!', '?', '。']).next().unwrap_or(text);
    let sentence = sentence.to_lowercase();
    let mut words = reader.words(PageLabel::Promise);
    reader.section_of(i) != Some(SectionKind::Timeline)
        && words.any(|w| sentence.contains(w.as_str()))
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
