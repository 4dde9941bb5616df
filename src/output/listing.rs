//! The findings of a run with what its writers have to know beside them.

use super::findings::{Counts, summary_line};
use crate::check::Snapshot;
use crate::finding::Finding;

/// Findings to be written, with the texts they are about.
#[derive(Debug)]
pub struct Listing<'a> {
    /// The findings, by file and place.
    pub findings: Vec<Finding>,
    /// The library they are about.
    pub snapshot: &'a Snapshot,
    /// The folder of the library in its repository, with a `/` behind: programs that show a finding at its line name files
    /// from the top of the repository.
    pub prefix: String,
    /// Findings that stood there before the change that is looked at.
    pub before: Option<Before>,
}

/// What was there before a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Before {
    /// The revision as it was named.
    pub revision: String,
    /// The commit that the change set out from.
    pub commit: String,
    /// Findings that were there already.
    pub findings: usize,
}

impl Listing<'_> {
    /// The file of a finding, from the top of the repository.
    pub fn path(&self, finding: &Finding) -> String {
        self.repository_path(&finding.file)
    }

    /// The file of a finding with line and column behind it, where they are known.
    pub(super) fn place(&self, finding: &Finding) -> String {
        let path = self.path(finding);
        match finding.position {
            Some(at) => format!("{path}:{}:{}", at.line, at.column),
            None => path,
        }
    }

    /// A file of the library, from the top of the repository.
    pub(super) fn repository_path(&self, file: &str) -> String {
        format!("{}{file}", self.prefix)
    }

    /// The lines that findings are about.
    pub(super) fn lines(&self) -> Lines<'_> {
        Lines {
            snapshot: self.snapshot,
            file: None,
            lines: Vec::new(),
        }
    }

    /// `3 records checked: 1 error, 0 warnings, 0 notes since main; 2 findings were there before`
    pub fn summary(&self) -> String {
        let counts = summary_line(Counts::of(&self.findings));
        let records = self.snapshot.records.len();
        let noun = if records == 1 { "record" } else { "records" };
        let mut out = format!("{records} {noun} checked: {counts}");
        if let Some(before) = &self.before {
            let were = if before.findings == 1 { "was" } else { "were" };
            let known = super::style::counted(before.findings, "finding");
            out.push_str(&format!(
                " since {}; {known} {were} there before",
                before.revision
            ));
        }
        out
    }
}

/// The lines of one file after another: each is cut into lines once, as findings come file by file.
pub(super) struct Lines<'a> {
    snapshot: &'a Snapshot,
    file: Option<String>,
    lines: Vec<&'a str>,
}

impl<'a> Lines<'a> {
    /// A line of the file of a finding, from 1; none of a raw page, whose text is not at hand.
    pub(super) fn line(&mut self, finding: &Finding, line: usize) -> Option<&'a str> {
        if self.file.as_deref() != Some(&finding.file) {
            let text = self.snapshot.text(&finding.file);
            self.lines = text.map(|t| t.split('\n').collect()).unwrap_or_default();
            self.file = Some(finding.file.clone());
        }
        self.lines.get(line - 1).copied()
    }
}

/// What a finding says, and on a line of its own what to do.
pub(super) fn message_with_help(finding: &Finding) -> String {
    match &finding.help {
        Some(help) => format!("{}\nhelp: {help}", finding.message),
        None => finding.message.clone(),
    }
}
