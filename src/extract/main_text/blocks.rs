//! The main text block by block, with the role of each: for programs that need more than its words.

use std::ops::Range;

use serde::Serialize;

use super::{Finder, Place};
use crate::extract::Lexicon;
use crate::finding::Position;
use crate::read::{Block, BlockKind, Media, Page, read_page};

/// A block of the main text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MainBlock {
    /// `heading`, `paragraph`, `item`, `row`, `term`, `description` or `preformatted`.
    pub kind: &'static str,
    /// The level of a heading, 1 to 6, or the depth of a list item, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// Its text; the cells of a row are separated by tabs.
    pub text: String,
    /// The cells of a row.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<String>,
    /// The addresses that it links to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// The bytes of the raw file that it stands in.
    pub span: Range<usize>,
    /// Line and column where it starts.
    pub position: Position,
}

/// The main text of a raw page; empty where the page cannot be read. The title of an incident is
/// part of it, that of any other page is not.
pub fn main_blocks(file: &str, bytes: &[u8], cx: &Lexicon) -> Vec<MainBlock> {
    let (page, _) = read_page(file, Media::guess(file, bytes), bytes);
    let Some(page) = page else {
        return Vec::new();
    };
    let layout = Finder::of(&page, cx).layout(&page);
    let main = page.blocks.iter().zip(&layout.places);
    let main = main.filter(|(_, place)| **place == Place::Main);
    main.map(|(block, _)| main_block(&page, block)).collect()
}

fn main_block(page: &Page, block: &Block) -> MainBlock {
    let (kind, level) = match block.kind {
        BlockKind::Heading(level) => ("heading", Some(level)),
        BlockKind::Item(depth) => ("item", Some(depth)),
        BlockKind::Paragraph => ("paragraph", None),
        BlockKind::Row => ("row", None),
        BlockKind::Term => ("term", None),
        BlockKind::Description => ("description", None),
        BlockKind::Preformatted => ("preformatted", None),
    };
    let span = page.raw_range(block, 0..block.text.len());
    let cell = |range: &Range<usize>| block.text.get(range.clone()).unwrap_or_default().to_owned();
    MainBlock {
        kind,
        level,
        text: block.text.clone(),
        cells: block.cells.iter().map(cell).collect(),
        links: block.links.iter().map(|l| l.href.clone()).collect(),
        position: page
            .decoded
            .position(block.source_range(0..block.text.len()).start),
        span,
    }
}
