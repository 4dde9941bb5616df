//! The head of a case page: id, organisation, date and tags in one line or in several, and the title.

use std::ops::Range;

use super::Reader;
use crate::finding::{Level, Pointer};
use crate::model::CaseId;
use crate::read::{Block, BlockKind};
use crate::vocabulary::{Kind, Segmentation};

/// Marks between the parts of a head.
const SEPARATORS: [char; 10] = [' ', '\u{a0}', '\t', '·', '|', ',', '—', '–', '•', '/'];

/// A head line is no longer than this; what is longer is text.
const LONGEST_HEAD_LINE: usize = 200;

/// The case id that a text starts with, and where it ends.
pub(super) fn case_id_at_start(text: &str) -> Option<(CaseId, usize)> {
    let hyphen = text.find('-').filter(|&i| i <= 16)?;
    let rest = &text[hyphen + 1..];
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let end = hyphen + 1 + digits;
    text[..end].parse().ok().map(|id| (id, end))
}

impl Reader<'_> {
    /// Reads id, organisation, date, tags and title; returns the blocks after them.
    pub(super) fn read_head<'b>(&mut self, blocks: &[&'b Block], id_at: usize) -> Vec<&'b Block> {
        let id_block = blocks[id_at];
        let id_end = case_id_at_start(&id_block.text).map_or(0, |(_, end)| end);
        self.claim_text(Pointer::new("/id"), id_block, 0..id_end);
        self.draft.id = id_block.text[..id_end].parse().ok();
        self.read_head_line(id_block, id_end..id_block.text.len());

        let title_at = self.title_position(blocks, id_at);
        for &block in blocks[..id_at].iter().filter(|b| !is_title(b)) {
            let message = format!(
                "text before the case id is not read: `{}`",
                super::shortened(&block.text)
            );
            self.finding("unread-text", Level::Note, block, message);
        }
        let mut at = id_at + 1;
        while at < blocks.len()
            && Some(at) != title_at
            && self.is_head_line(blocks[at], at, title_at)
        {
            self.read_head_line(blocks[at], 0..blocks[at].text.len());
            at += 1;
        }
        if let Some(title_at) = title_at {
            let title = blocks[title_at];
            let pointer = Pointer::new("/title").child(&self.language.language);
            self.claim_text(pointer, title, 0..title.text.len());
            at = at.max(title_at + 1);
        }
        // Tags may also stand below the title.
        while let Some(&block) = blocks.get(at)
            && self.is_tag_line(&block.text)
        {
            self.read_head_line(block, 0..block.text.len());
            at += 1;
        }
        blocks[at..].to_vec()
    }

    /// The first heading of level 1; without one the line after the head.
    fn title_position(&self, blocks: &[&Block], id_at: usize) -> Option<usize> {
        let heading = blocks
            .iter()
            .position(|b| is_title(b) && case_id_at_start(&b.text).is_none());
        heading.or_else(|| {
            let mut at = id_at + 1;
            while at < blocks.len() && self.is_head_line(blocks[at], at, None) {
                at += 1;
            }
            (at < blocks.len() && self.labels.find(&blocks[at].text).is_none()).then_some(at)
        })
    }

    /// Whether a block after the id belongs to the head: it brings a date or tags that are still
    /// missing, or stands before a title that comes later.
    fn is_head_line(&self, block: &Block, at: usize, title_at: Option<usize>) -> bool {
        if block.text.len() > LONGEST_HEAD_LINE || matches!(block.kind, BlockKind::Heading(_)) {
            return false;
        }
        title_at.is_some_and(|title_at| at < title_at)
            || self.is_tag_line(&block.text)
            || (!self.has_claim("/date")
                && find_day(self, &block.text).is_some_and(|day| day.end == block.text.len()))
    }

    fn is_tag_line(&self, text: &str) -> bool {
        text.len() <= LONGEST_HEAD_LINE
            && !matches!(
                self.cx.vocabulary.segment(Kind::Domain, text),
                Segmentation::None
            )
            && self.labels.find(text).is_none()
    }

    pub(super) fn has_claim(&self, pointer: &str) -> bool {
        self.draft
            .claims
            .iter()
            .any(|c| c.pointer.as_str() == pointer)
    }

    /// Reads `Organisation · 2024-07-30tagtag`, each part optional.
    fn read_head_line(&mut self, block: &Block, range: Range<usize>) {
        let text = &block.text[range.clone()];
        if let Some(day) = find_day(self, text) {
            let org = range.start..range.start + day.start;
            let tags = range.start + day.end..range.end;
            self.read_org(block, org);
            let day = range.start + day.start..range.start + day.end;
            self.claim_text(Pointer::new("/date"), block, day);
            self.read_tags(block, tags);
        } else if self.is_tag_line(text) {
            self.read_tags(block, range);
        } else {
            // A date in another form is claimed as it stands, for normalizing to report.
            let mark = text.find(['·', '|']).map_or(range.end, |i| range.start + i);
            self.read_org(block, range.start..mark);
            let rest = without_separators(&block.text, mark..range.end);
            let has_digits = block.text[rest.clone()].contains(|c: char| c.is_ascii_digit());
            if has_digits && !self.has_claim("/date") {
                self.claim_text(Pointer::new("/date"), block, rest);
            } else {
                self.read_org(block, rest);
            }
        }
    }

    fn read_org(&mut self, block: &Block, range: Range<usize>) {
        let range = without_separators(&block.text, range);
        if range.is_empty() {
            return;
        }
        if self.has_claim("/org") {
            let text = block.text[range].to_owned();
            let message = format!(
                "this part of the head is not read: `{}`",
                super::shortened(&text)
            );
            self.finding("unread-text", Level::Warning, block, message);
        } else {
            self.claim_text(Pointer::new("/org"), block, range);
        }
    }

    fn read_tags(&mut self, block: &Block, range: Range<usize>) {
        let range = without_separators(&block.text, range);
        if range.is_empty() {
            return;
        }
        self.read_terms("domain", Kind::Domain, block, range);
    }

    /// Claims every label in a run of labels. What does not fall into labels is claimed as one, so
    /// that normalizing reports it.
    pub(super) fn read_terms(
        &mut self,
        field: &str,
        kind: Kind,
        block: &Block,
        range: Range<usize>,
    ) {
        match self.cx.vocabulary.segment(kind, &block.text[range.clone()]) {
            Segmentation::Terms(terms) => {
                for (_, part) in terms {
                    let part = range.start + part.start..range.start + part.end;
                    self.claim_text(self.next_item(field), block, part);
                }
            }
            Segmentation::Ambiguous(ways) => {
                let message = format!(
                    "`{}` falls into terms in more than one way; read as {}",
                    super::shortened(&block.text[range.clone()]),
                    ways.join(" or ")
                );
                self.finding("ambiguous-labels", Level::Warning, block, message);
                self.claim_text(self.next_item(field), block, range);
            }
            Segmentation::None => self.claim_text(self.next_item(field), block, range),
        }
    }
}

fn is_title(block: &Block) -> bool {
    block.kind == BlockKind::Heading(1)
}

fn without_separators(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start_matches(SEPARATORS).len());
    start..start + part.trim_matches(SEPARATORS).len()
}

/// The first full day. Tags may be run into an ISO day, so it needs no word end after it.
fn find_day(reader: &Reader<'_>, text: &str) -> Option<Range<usize>> {
    let iso = text.as_bytes().windows(10).position(|w| {
        std::str::from_utf8(w).is_ok_and(|w| w.parse::<crate::model::CaseDate>().is_ok())
    });
    iso.map(|at| at..at + 10).or_else(|| {
        let found = reader.cx.times.days(text);
        found.first().map(|(range, _)| range.clone())
    })
}
