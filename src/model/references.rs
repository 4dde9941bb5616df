//! The cases that a record names, and the changes of ids that follow a case through a library.

use super::case::Case;
use super::digest::digest_of;
use super::id::CaseId;

impl Case {
    /// The cases that this one names.
    pub fn references(&self) -> Vec<CaseId> {
        let related = self.related.iter().chain(&self.recurrence_of);
        related.cloned().collect()
    }

    /// Names the case `new` wherever `old` is named, each once and never itself. A review stands: what was read leads to
    /// the same case. Returns whether anything changed.
    pub fn refer(&mut self, old: &CaseId, new: &CaseId) -> bool {
        if !self.references().contains(old) {
            return false;
        }
        self.keep_review(|case| {
            let mut related: Vec<CaseId> = Vec::new();
            for id in &case.related {
                let id = if id == old { new } else { id };
                if !related.contains(id) && case.id.as_ref() != Some(id) {
                    related.push(id.clone());
                }
            }
            case.related = related;
            if case.recurrence_of.as_ref() == Some(old) {
                case.recurrence_of = Some(new.clone()).filter(|id| case.id.as_ref() != Some(id));
            }
        });
        true
    }

    /// Gives the case another id; a review stands.
    pub fn renumber(&mut self, id: &CaseId) {
        self.keep_review(|case| case.id = Some(id.clone()));
    }

    /// Makes a change that a review is not about: where the digest fitted before, it fits after.
    fn keep_review(&mut self, change: impl FnOnce(&mut Self)) {
        let fitted = self.review.digest.is_some()
            && self.review.digest.as_deref() == Some(digest_of(self).as_str());
        change(self);
        if fitted {
            self.review.digest = Some(digest_of(self));
        }
    }
}
