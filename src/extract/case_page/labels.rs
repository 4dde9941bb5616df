//! The labels of one language, and which language a page is labelled in.

use std::collections::HashMap;

use crate::read::{Block, BlockKind};
use crate::vocabulary::{Language, Languages, fold};

/// What a label stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label<'a> {
    /// A field of the record, by the keys of `case_page.labels`; more than one where the language
    /// uses one word for two.
    Fields(&'a [&'a str]),
    /// A section for readers that belongs to no field.
    Reader,
}

/// The labels of one language, folded.
pub(super) struct Labels<'a> {
    fields: HashMap<String, Vec<&'a str>>,
    reader: Vec<String>,
}

impl<'a> Labels<'a> {
    pub(super) fn new(language: &'a Language) -> Self {
        let mut fields: HashMap<String, Vec<&str>> = HashMap::new();
        let page = language.case_page.as_ref();
        for (field, words) in page.iter().flat_map(|page| &page.labels) {
            for word in words {
                fields.entry(fold(word)).or_default().push(field);
            }
        }
        let reader = page.iter().flat_map(|page| &page.reader_sections);
        let reader = reader.map(|w| fold(w)).collect();
        Self { fields, reader }
    }

    /// What a text that is a label and nothing else stands for. A colon or a permalink mark after
    /// it does not count.
    pub(super) fn find(&'a self, text: &str) -> Option<Label<'a>> {
        let text = text.trim().trim_end_matches([':', '：', '#', '¶', ' ']);
        if text.is_empty() || text.len() > 100 {
            return None;
        }
        let folded = fold(text);
        match self.fields.get(&folded) {
            Some(fields) => Some(Label::Fields(fields)),
            None if self.reader.contains(&folded) => Some(Label::Reader),
            None => None,
        }
    }

    /// The longest label that the text starts with, and where it ends. A label must end where a
    /// word ends.
    pub(super) fn find_at_start(&'a self, text: &str) -> Option<(Label<'a>, usize)> {
        let ends = text
            .char_indices()
            .map(|(i, _)| i)
            .skip(1)
            .take(60)
            .filter(|&i| text[i..].starts_with([' ', ':', '：', '\t', '\u{a0}']));
        ends.filter_map(|end| Some((self.find(&text[..end])?, end)))
            .last()
    }

    /// The language with the most labels on the page, and how many; `None` where no label is known.
    pub(super) fn language_of<'l>(
        blocks: &[&Block],
        languages: &'l Languages,
    ) -> Option<(&'l Language, usize)> {
        let count = |language: &'l Language| {
            let labels = Labels::new(language);
            let known = blocks.iter().filter(|block| {
                let row = block.kind == BlockKind::Row && !block.cells.is_empty();
                let text = if row {
                    &block.text[block.cells[0].clone()]
                } else {
                    &block.text
                };
                labels.find(text).is_some()
            });
            (language, known.count())
        };
        languages
            .iter()
            .map(count)
            .filter(|(_, known)| *known > 0)
            .reduce(|best, next| if next.1 > best.1 { next } else { best })
    }
}
