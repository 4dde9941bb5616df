//! What rules look at beside the record: terms, schema, settings, the day of today, the whole library.

use std::collections::HashMap;
use std::sync::Mutex;

use super::index::Index;
use super::policy::Policy;
use super::schema::Schemas;
use super::snapshot::Snapshot;
use crate::extract::Lexicon;
use crate::model::{Case, CaseDate, CaseId};
use crate::read::RecordFile;
use crate::vocabulary::Kind;

/// Gives the version of a record that has a digest, by the record's path and the digest, as far as it is known.
pub type ReviewedVersions<'a> = &'a (dyn Fn(&str, &str) -> Option<Case> + Sync);

/// Gives the bytes of a raw page by its path in the library.
pub type ReadPages<'a> = &'a (dyn Fn(&str) -> Option<Vec<u8>> + Sync);

/// Everything a rule may look at beside its record.
pub struct Context<'a> {
    /// Terms and words.
    pub lexicon: &'a Lexicon,
    /// The compiled schemas.
    pub schemas: &'a Schemas,
    /// The settings of the library.
    pub policy: &'a Policy,
    /// The day of today.
    pub today: CaseDate,
    pub(super) index: Index<'a>,
    pub(super) snapshot: &'a Snapshot,
    pub(super) pages: Option<ReadPages<'a>>,
    pub(super) reviewed: Option<ReviewedVersions<'a>>,
    // One mistake is often made in many records, and looking for its nearest term is slow.
    nearest: Mutex<HashMap<(Kind, String), Option<String>>>,
}

impl<'a> Context<'a> {
    /// Indexes a library for its rules.
    pub fn new(
        snapshot: &'a Snapshot,
        lexicon: &'a Lexicon,
        schemas: &'a Schemas,
        policy: &'a Policy,
        today: CaseDate,
    ) -> Self {
        Self {
            lexicon,
            schemas,
            policy,
            today,
            index: Index::new(&snapshot.records, lexicon),
            snapshot,
            pages: None,
            reviewed: None,
            nearest: Mutex::default(),
        }
    }

    /// The same with a way to read raw pages, which the rules of evidence look facts up in. Pages are read case by
    /// case and not kept.
    #[must_use]
    pub fn with_pages(mut self, pages: ReadPages<'a>) -> Self {
        self.pages = Some(pages);
        self
    }

    /// The same with a way to find the version that a reviewer read, so that a stale review names what changed since.
    #[must_use]
    pub fn with_reviewed_versions(mut self, reviewed: ReviewedVersions<'a>) -> Self {
        self.reviewed = Some(reviewed);
        self
    }

    /// The slug nearest to a text that is no term.
    pub fn nearest(&self, kind: Kind, text: &str) -> Option<String> {
        let key = (kind, text.to_owned());
        let known = self.nearest.lock().ok().and_then(|m| m.get(&key).cloned());
        known.unwrap_or_else(|| {
            let found = self
                .lexicon
                .vocabulary
                .nearest(kind, text)
                .map(str::to_owned);
            if let Ok(mut map) = self.nearest.lock() {
                map.insert(key, found.clone());
            }
            found
        })
    }

    /// The id that stands in the place of one that was taken out of use.
    pub fn successor(&self, id: &CaseId) -> Option<&'a CaseId> {
        self.snapshot.retired.successor(id)
    }

    /// The record of a case; the first by file name when two claim one id.
    pub fn record(&self, id: &CaseId) -> Option<&'a RecordFile> {
        self.index.record(id)
    }
}
