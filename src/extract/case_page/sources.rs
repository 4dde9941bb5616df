//! Sources and documentation links: an address, what it is, and its archived copy.

use super::{Reader, trimmed};
use crate::finding::{Level, Pointer};
use crate::read::Block;
use crate::vocabulary::{Kind, Lookup, fold};

/// A part of a source line that is longer than this is no kind of source.
const LONGEST_KIND: usize = 30;

impl Reader<'_> {
    /// Reads `address · kind · archived copy`. In HTML the copy is a link; in plain text only its
    /// words are left.
    pub(super) fn read_source(&mut self, block: &Block) {
        if self.cx.languages.is_absent_mark(&block.text) {
            return;
        }
        let item = self.next_item("sources");
        let archived = block.links.iter().find(|l| {
            // A snapshot of the source itself never comes first.
            let is_snapshot = l.href.contains("//web.archive.org/web/") && l.range.start > 0;
            is_snapshot || self.is_archive_words(&block.text[l.range.clone()])
        });
        let (mut url, mut kind) = (false, false);
        let mut left_over = Vec::new();
        for part in parts(block) {
            let text = &block.text[part.clone()];
            let link = block
                .links
                .iter()
                .find(|l| l.range.start < part.end && l.range.end > part.start);
            if archived.is_some_and(|l| l.range.start < part.end && l.range.end > part.start) {
                continue;
            }
            if self.is_archive_words(text) {
                self.address_lost(block);
            } else if !url && is_address(link.map_or(text, |l| l.href.as_str())) {
                self.claim_address(
                    item.child("url"),
                    block,
                    part,
                    link.map(|l| l.href.as_str()),
                );
                url = true;
            } else if matches!(
                self.cx.vocabulary.lookup(Kind::SourceKind, text),
                Lookup::Term(_)
            ) {
                self.claim_text(item.child("kind"), block, part);
                kind = true;
            } else if url && !kind && text.chars().count() <= LONGEST_KIND {
                // A kind that no list knows is claimed as it stands, for normalizing to report.
                self.claim_text(item.child("kind"), block, part);
                kind = true;
            } else {
                left_over.push(text.to_owned());
            }
        }
        if let Some(link) = archived.filter(|l| is_address(&l.href)) {
            self.claim_address(
                item.child("archived"),
                block,
                link.range.clone(),
                Some(&link.href),
            );
        }
        if !url {
            self.unread(block, "a source without an address");
        } else if !left_over.is_empty() {
            let message = format!(
                "this part of the source is not read: `{}`",
                left_over.join(" · ")
            );
            self.finding("unread-text", Level::Warning, block, message);
        }
    }

    /// Reads a documentation link: its title and its address.
    pub(super) fn read_doc(&mut self, block: &Block) {
        if self.cx.languages.is_absent_mark(&block.text) {
            return;
        }
        let Some(link) = block.links.iter().find(|l| is_address(&l.href)) else {
            self.unread(block, "a documentation link without an address");
            return;
        };
        let item = self.next_item("docs");
        self.claim_text(item.child("title"), block, 0..block.text.len());
        self.claim_address(
            item.child("url"),
            block,
            link.range.clone(),
            Some(&link.href),
        );
    }

    /// The address of a link stands in the markup, not in the text: the evidence is the linked text.
    fn claim_address(
        &mut self,
        pointer: Pointer,
        block: &Block,
        range: std::ops::Range<usize>,
        href: Option<&str>,
    ) {
        self.claim_text(pointer, block, range);
        if let (Some(href), Some(claim)) = (href, self.draft.claims.last_mut()) {
            claim.value = href.into();
        }
    }

    fn is_archive_words(&self, text: &str) -> bool {
        // A page in one language often keeps this label of another.
        let words = fold(text);
        let mut known = self
            .cx
            .languages
            .iter()
            .filter_map(|l| l.case_page.as_ref())
            .flat_map(|words| &words.archived_copy);
        known.any(|k| fold(k) == words)
    }

    fn address_lost(&mut self, block: &Block) {
        let message =
            "the page has an archived copy, but this form of it does not hold its address";
        self.finding(
            "archive-address-lost",
            Level::Note,
            block,
            message.to_owned(),
        );
        if let Some(finding) = self.draft.findings.last_mut() {
            finding.help =
                Some("fill in `sources[].archived` by hand, or ingest the HTML page".to_owned());
        }
    }
}

/// The parts of a line between `·` marks.
fn parts(block: &Block) -> Vec<std::ops::Range<usize>> {
    let mut start = 0;
    let mut out = Vec::new();
    for part in block.text.split('·') {
        let range = trimmed(&block.text, start..start + part.len());
        if !range.is_empty() {
            out.push(range);
        }
        start += part.len() + '·'.len_utf8();
    }
    out
}

fn is_address(text: &str) -> bool {
    let scheme = text.starts_with("http://") || text.starts_with("https://");
    scheme && !text.contains(char::is_whitespace)
}
