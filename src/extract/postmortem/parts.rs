//! A page that tells of several incidents, and the part of it that each is told in.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Reader;
use crate::read::{BlockKind, Page};
use crate::vocabulary::{SectionKind, fold};

/// What is told under one heading of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::extract) struct Part {
    /// Its heading; of several equal ones the later have their number behind: `Outage (2)`.
    pub(in crate::extract) name: String,
    /// Its blocks, from the heading on.
    pub(in crate::extract) blocks: Range<usize>,
}

/// Parts of a page that are read: each is a page of its own, so that more would cost the square of the length.
pub(super) const MOST_PARTS: usize = 64;

/// The first [`MOST_PARTS`] parts of a page in which the same sections come again under other headings; none where it tells of one
/// incident.
pub(super) fn parts(reader: &Reader) -> Vec<Part> {
    // The heading above each section heading, by a walk with the headings that are open.
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut above: BTreeMap<(u8, SectionKind, String), Vec<usize>> = BTreeMap::new();
    let mut labels = reader.labels.iter().peekable();
    for (i, block) in reader.blocks() {
        let BlockKind::Heading(level) = block.kind else {
            continue;
        };
        while open.pop_if(|(outer, _)| *outer >= level).is_some() {}
        while labels.next_if(|l| l.block < i).is_some() {}
        if let (Some(label), Some((_, outer))) = (labels.next_if(|l| l.block == i), open.last()) {
            let key = (level, label.kind, fold(&block.text));
            above.entry(key).or_default().push(*outer);
        }
        open.push((level, i));
    }
    let mut heads: Vec<usize> = above
        .into_values()
        .filter(|outer| outer.len() > 1)
        .flatten()
        .collect();
    heads.sort_unstable();
    heads.dedup();
    if heads.len() < 2 {
        return Vec::new();
    }
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    heads
        .iter()
        .take(MOST_PARTS)
        .map(|&head| {
            let text = reader.block(head).text.trim().to_owned();
            let count = names.entry(fold(&text)).or_default();
            *count += 1;
            Part {
                name: if *count > 1 {
                    format!("{text} ({count})")
                } else {
                    text
                },
                blocks: head..end_of(reader, head),
            }
        })
        .collect()
}

/// The first block after what stands under a heading.
fn end_of(reader: &Reader, head: usize) -> usize {
    let level = |kind: BlockKind| match kind {
        BlockKind::Heading(level) => Some(level),
        _ => None,
    };
    let own = level(reader.block(head).kind).unwrap_or(6);
    let mut after = reader.after(head);
    let next = after.find(|(_, b)| level(b.kind).is_some_and(|l| l <= own));
    next.map_or(reader.page.blocks.len(), |(i, _)| i)
}

/// A part as a page of its own. What the page says of itself as a whole stays, but for its title.
pub(in crate::extract) fn page_of(page: &Page, part: &Part) -> Page {
    let titles = [
        "title",
        "og:title",
        "twitter:title",
        "ld:headline",
        "description",
    ];
    let meta = page
        .meta
        .iter()
        .filter(|m| !titles.contains(&m.key.as_str()));
    Page {
        file: page.file.clone(),
        title: None,
        language: page.language.clone(),
        meta: meta.cloned().collect(),
        blocks: page.blocks[part.blocks.clone()].to_vec(),
        containers: page.containers.clone(),
        decoded: page.decoded.clone(),
    }
}
