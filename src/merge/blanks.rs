//! Which blanks a page may fill.

use serde_json::Value;

use super::{Merger, grounds_of, shown};
use crate::finding::{Finding, Level};
use crate::model::PageKind;
use crate::normalize::Proposal;

impl Merger {
    /// Whether a page may fill a blank. A postmortem is read by its words, and a record that stands was made by
    /// people who read it: they left open what they left open. A page that was in the library before fills nothing,
    /// a new one what it states outright; the rest is reported. Nor does a postmortem fill what a more trusted page
    /// says there is none of.
    pub(super) fn may_fill(&mut self, pointer: &str, value: &Value, page: &Proposal) -> bool {
        if page.kind != PageKind::Postmortem {
            return true;
        }
        let absent = self.grounds.iter().any(|g| {
            let here = g.pointer.as_str();
            let covers = pointer == here || pointer.starts_with(&format!("{here}/"));
            g.value.is_null() && covers && g.evidence.file != page.file
        });
        if absent {
            return false;
        }
        let grounds = grounds_of(page, pointer, None);
        let derived = grounds.is_some_and(|g| g.derivation.is_some());
        if self.is_new || !(page.known || derived) {
            return true;
        }
        let tells = shown(value);
        let message = format!("`{pointer}` is open in the record, and this page tells {tells}");
        let finding = Finding::new("page-tells-more", Level::Note, &page.file, message)
            .help("write it into the record if it is right");
        self.findings.push(match grounds {
            Some(grounds) => grounds.evidence.locate(finding),
            None => finding,
        });
        false
    }
}
