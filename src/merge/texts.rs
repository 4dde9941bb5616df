//! Texts in several languages: each language is filled by itself.

use super::Merger;
use crate::finding::Pointer;
use crate::model::Localized;
use crate::normalize::Proposal;

impl Merger {
    /// Fills the languages that the record lacks; another wording of one it has is reported.
    pub(super) fn merge_text(
        &mut self,
        field: &'static str,
        here: &mut Option<Localized>,
        told: &Option<Localized>,
        page: &Proposal,
    ) {
        let Some(told) = told else { return };
        for (language, text) in told.iter() {
            let pointer = Pointer::default().child(field).child(language);
            let known = here
                .as_ref()
                .and_then(|h| h.text(language))
                .map(str::to_owned);
            match known {
                None if !self.may_fill(pointer.as_str(), &text.into(), page) => {}
                None => {
                    here.get_or_insert_default()
                        .set(language.clone(), text.to_owned());
                    self.change(pointer, text.into(), page);
                }
                Some(known) if same_words(&known, text) => {}
                Some(known) => self.difference(pointer.as_str(), &known, text, page),
            }
        }
    }
}

/// Whether two texts differ in white space at most.
pub(super) fn same_words(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}
