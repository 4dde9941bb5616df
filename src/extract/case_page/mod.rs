//! A page of a case library, in HTML or as plain text: read by its labels, never by its classes.
//!
//! The labels come from `schema/language`; a page in a further language is a further file there. A
//! block that no label explains is a finding, so that no text is dropped unseen.

mod counters;
mod head;
mod labels;
mod related;
mod sections;
mod sources;

use std::ops::Range;

use serde_json::Value;

use self::labels::Labels;
use super::{Claim, Draft, Evidence, Lexicon};
use crate::finding::{Finding, Level, Place, Pointer};
use crate::model::PageKind;
use crate::read::{Block, Page};
use crate::vocabulary::Language;

/// A page with fewer known labels than this is no case page.
const FEWEST_LABELS: usize = 3;

/// Reads the page as a case page. `declared` says that the manifest calls it one, and then the lack
/// of a case id or of labels is an error instead of a note.
pub(super) fn extract(
    page: &Page,
    declared: bool,
    cx: &Lexicon,
    findings: &mut Vec<Finding>,
) -> Option<Draft> {
    let blocks: Vec<&Block> = page.blocks.iter().filter(|b| !b.furniture).collect();
    let language = Labels::language_of(&blocks, &cx.languages);
    let id_at = blocks
        .iter()
        .position(|b| head::case_id_at_start(&b.text).is_some());
    let (Some((language, count)), Some(id_at)) = (language, id_at) else {
        findings.push(no_case_page(page, declared, id_at.is_some(), 0));
        return None;
    };
    if count < FEWEST_LABELS {
        findings.push(no_case_page(page, declared, true, count));
        return None;
    }
    let labels = Labels::new(language);
    let mut reader = Reader {
        page,
        cx,
        language,
        labels: &labels,
        draft: Draft::new(&page.file, PageKind::CasePage),
    };
    reader.draft.language = language.language.parse().ok();
    let body = reader.read_head(&blocks, id_at);
    reader.read_sections(&body);
    reader.claim_chosen();
    for field in ["remediation", "action_items"] {
        counters::strip(&mut reader.draft.claims, field);
    }
    findings.append(&mut reader.draft.findings);
    Some(reader.draft)
}

fn no_case_page(page: &Page, declared: bool, has_id: bool, labels: usize) -> Finding {
    let why = if has_id {
        format!("only {labels} of its blocks carry a known label")
    } else {
        "no line of it starts with a case id such as `IL-0535`".to_owned()
    };
    let level = if declared { Level::Error } else { Level::Note };
    Finding::new("not-a-case-page", level, &page.file, format!("this is no case page: {why}")).help(
        "if it is a postmortem, say `\"kind\": \"postmortem\"` in sources.json; if it is a case page in \
         another language or wording, add its labels to schema/language",
    )
}

/// The state of reading one case page.
struct Reader<'a> {
    page: &'a Page,
    cx: &'a Lexicon,
    language: &'a Language,
    labels: &'a Labels<'a>,
    draft: Draft,
}

impl Reader<'_> {
    fn evidence(&self, block: &Block, range: Range<usize>) -> Evidence {
        Evidence {
            file: self.page.file.clone(),
            span: self.page.raw_range(block, range.clone()),
            position: Some(
                self.page
                    .decoded
                    .position(block.source_range(range.clone()).start),
            ),
            quote: block.text[range].to_owned(),
            extractor: PageKind::CasePage,
        }
    }

    /// Claims the text of a part of a block for a field; a mark for "nothing to say" claims `null`.
    fn claim_text(&mut self, pointer: Pointer, block: &Block, range: Range<usize>) {
        let range = trimmed(&block.text, range);
        let text = &block.text[range.clone()];
        let value = match text {
            _ if self.cx.languages.is_absent_mark(text) => Value::Null,
            _ => Value::String(text.to_owned()),
        };
        let evidence = self.evidence(block, range);
        self.draft.claims.push(Claim {
            pointer,
            value,
            evidence,
            derivation: None,
        });
    }

    /// The pointer of the next item of a list field.
    fn next_item(&self, field: &str) -> Pointer {
        let list = Pointer::default().child(field);
        let prefix = format!("{list}/");
        let count = self.draft.claims.iter().filter_map(|c| {
            let rest = c.pointer.as_str().strip_prefix(&prefix)?;
            rest.split('/').next()?.parse::<usize>().ok()
        });
        list.child(count.max().map_or(0, |last| last + 1))
    }

    fn finding(&mut self, rule: &'static str, level: Level, block: &Block, message: String) {
        let span = block.source_range(0..block.text.len());
        let finding = Finding::new(rule, level, &self.page.file, message).at(Place::Bytes(span));
        self.draft.findings.push(finding);
    }

    fn unread(&mut self, block: &Block, why: &str) {
        let message = format!("{why}: `{}`", shortened(&block.text));
        self.finding("unread-text", Level::Warning, block, message);
    }
}

/// A range without the blanks around it.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..(start + part.trim().len())
}

/// The first words of a text, for messages.
fn shortened(text: &str) -> String {
    crate::finding::shortened(text, 60)
}
