//! What a rule is, who finds what it names, and where it puts what it finds.

use super::context::Context;
use super::evidence::Evidence;
use super::snapshot::RawFolder;
use crate::finding::{Finding, Level, Place, Pointer};
use crate::read::RecordFile;

/// A named check.
#[derive(Debug)]
pub struct Rule {
    /// Its name, kebab-case, never reused.
    pub id: &'static str,
    /// How much its findings matter unless the settings say otherwise.
    pub level: Level,
    /// Why it is there, for the reader of the library.
    pub why: &'static str,
    /// A library that breaks it: a list of records, or files by path. Empty where a test of the
    /// command line shows it, because it takes a disk or settings.
    pub bad: &'static str,
    /// A library that keeps it.
    pub good: &'static str,
    pub(super) check: Check,
}

/// Who finds what a rule names.
#[derive(Debug, Clone, Copy)]
pub(super) enum Check {
    /// The reading of files.
    Reading,
    /// Loading from disk; shown by tests of the command line.
    Disk,
    /// The JSON Schemas.
    Schema,
    /// The check of the library as a whole.
    Library,
    /// This function, for each record.
    Record(fn(&RecordFile, &Context<'_>, &mut Hits)),
    /// This function, for each record with its raw pages.
    Evidence(fn(&RecordFile, &Evidence<'_>, &Context<'_>, &mut Hits)),
    /// This function, for each raw folder.
    Raw(fn(&RawFolder, &Context<'_>, &mut Hits)),
}

/// Collects what the rules find in one file.
pub struct Hits {
    rule: Option<&'static Rule>,
    file: String,
    found: Vec<Finding>,
}

impl Hits {
    /// Nothing found yet in this file.
    pub(super) fn new(file: &str) -> Self {
        Self {
            rule: None,
            file: file.to_owned(),
            found: Vec::new(),
        }
    }

    /// What is pushed from now on is found by this rule.
    pub(super) fn under(&mut self, rule: &'static Rule) -> &mut Self {
        self.rule = Some(rule);
        self
    }

    /// Everything found, in the order of the rules.
    pub(super) fn found(self) -> Vec<Finding> {
        self.found
    }

    /// Reports the value at a pointer of the record.
    pub fn push(&mut self, pointer: impl Into<String>, message: impl Into<String>) -> &mut Finding {
        self.push_at(Place::Value(Pointer::new(pointer)), message)
    }

    /// Reports a place of the file.
    pub fn push_at(&mut self, place: Place, message: impl Into<String>) -> &mut Finding {
        let rule = self.rule.expect("a rule is set before its check runs");
        let finding = Finding::new(rule.id, rule.level, &self.file, message).at(place);
        self.found.push(finding);
        self.found.last_mut().expect("just pushed")
    }

    /// Takes over a finding that something else made, at the level of the rule.
    pub(super) fn adopt(&mut self, mut finding: Finding) {
        finding.level = self.rule.map_or(finding.level, |rule| rule.level);
        self.found.push(finding);
    }

    /// Reports another file than the one being checked.
    pub fn push_file(
        &mut self,
        file: &str,
        place: Place,
        message: impl Into<String>,
    ) -> &mut Finding {
        let finding = self.push_at(place, message);
        file.clone_into(&mut finding.file);
        finding
    }
}
