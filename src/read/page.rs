//! A raw page after reading: blocks of text that know where they stand.

use std::ops::Range;

use super::container::Container;
use super::encoding::Decoded;
use super::front_matter::Meta;

/// A raw page as a list of blocks in document order.
#[derive(Debug, Clone)]
pub struct Page {
    /// Its path as findings name it.
    pub file: String,
    /// The `<title>` of an HTML page.
    pub title: Option<String>,
    /// The language the page declares (`<html lang>`).
    pub language: Option<String>,
    /// What the page says of itself outside its text: front matter, `<meta>`, JSON-LD, `<time>`.
    pub meta: Vec<Meta>,
    /// The text, block by block.
    pub blocks: Vec<Block>,
    /// The elements of an HTML page that the blocks stand in.
    pub containers: Vec<Container>,
    /// The text as decoded, and the way back to the raw bytes.
    pub decoded: Decoded,
}

impl Page {
    /// The raw bytes that a range of a block's text came from.
    pub fn raw_range(&self, block: &Block, range: Range<usize>) -> Range<usize> {
        self.decoded.raw_range(&block.source_range(range))
    }
}

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// A heading with its level, 1 to 6.
    Heading(u8),
    /// Running text.
    Paragraph,
    /// A list item with its depth, from 1.
    Item(u8),
    /// A table row; [`Block::cells`] has its cells.
    Row,
    /// The term of a description list.
    Term,
    /// The description of the terms before it.
    Description,
    /// Text whose line breaks and blanks count.
    Preformatted,
}

/// One block of text. White space is folded except in preformatted text.
#[derive(Debug, Clone)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Its text.
    pub text: String,
    /// Links in it, by range of the text.
    pub links: Vec<Link>,
    /// Cells of a row, by range of the text.
    pub cells: Vec<Range<usize>>,
    /// Emphasis in it (`strong`, `b`, `em`, `i`), by range of the text.
    pub strong: Vec<Range<usize>>,
    /// Offsets in the text at which an inline element starts or ends.
    pub joints: Vec<usize>,
    /// Whether it stands in navigation, or in a header, footer or aside of the whole page.
    pub furniture: bool,
    /// The innermost of [`Page::containers`] around it.
    pub container: Option<usize>,
    pub(super) segments: Vec<Segment>,
}

/// A link inside a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The linked text.
    pub range: Range<usize>,
    /// The address as written.
    pub href: String,
}

/// A run of a block's text and the run of the decoded source it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Range in the block's text.
    pub text: Range<usize>,
    /// Range in the decoded source. Of the same length, or one character reference.
    pub source: Range<usize>,
}

impl Block {
    pub(super) fn new(kind: BlockKind) -> Self {
        Self {
            kind,
            text: String::new(),
            links: Vec::new(),
            cells: Vec::new(),
            strong: Vec::new(),
            joints: Vec::new(),
            furniture: false,
            container: None,
            segments: Vec::new(),
        }
    }

    /// The range of the decoded source that covers a range of the text.
    pub fn source_range(&self, range: Range<usize>) -> Range<usize> {
        let touched = |s: &&Segment| {
            s.text.start < range.end.max(range.start + 1) && s.text.end > range.start
        };
        let mut touched = self.segments.iter().filter(touched);
        let Some(first) = touched.next() else {
            let at = self.segments.last().map_or(0, |s| s.source.end);
            return at..at;
        };
        let last = touched.next_back().unwrap_or(first);
        let inside = |s: &Segment, offset: usize, otherwise: usize| {
            let exact = s.text.len() == s.source.len();
            if exact {
                s.source.start + (offset - s.text.start)
            } else {
                otherwise
            }
        };
        let start = inside(first, range.start.max(first.text.start), first.source.start);
        let end = inside(
            last,
            range.end.min(last.text.end).max(last.text.start),
            last.source.end,
        );
        start..end.max(start)
    }

    /// Adds a character with its place in the source; joins it to the run before where both go on.
    pub(super) fn push(&mut self, c: char, source: Range<usize>) {
        let start = self.text.len();
        self.text.push(c);
        let text = start..self.text.len();
        if let Some(last) = self.segments.last_mut()
            && last.text.end == text.start
            && last.source.end == source.start
            && last.text.len() == last.source.len()
            && text.len() == source.len()
        {
            last.text.end = text.end;
            last.source.end = source.end;
        } else {
            self.segments.push(Segment { text, source });
        }
    }

    /// Moves its places in the source.
    pub(super) fn shift(&mut self, by: usize) {
        for segment in &mut self.segments {
            segment.source.start += by;
            segment.source.end += by;
        }
    }

    /// Cuts blanks at the end of the text.
    pub(super) fn trim_end(&mut self) {
        let length = self.text.trim_end().len();
        self.text.truncate(length);
        self.segments.retain(|s| s.text.start < length);
        if let Some(last) = self.segments.last_mut()
            && last.text.end > length
        {
            let over = last.text.end - length;
            last.text.end = length;
            last.source.end = last.source.end.saturating_sub(over).max(last.source.start);
        }
        for range in self
            .links
            .iter_mut()
            .map(|l| &mut l.range)
            .chain(&mut self.cells)
            .chain(&mut self.strong)
        {
            range.end = self.text.floor_char_boundary(range.end);
            range.start = self.text.floor_char_boundary(range.start.min(range.end));
        }
        self.joints.retain(|&joint| joint > 0 && joint < length);
        self.joints.dedup();
    }
}
