//! The life of ids: a case gets another one, becomes one with another case, is withdrawn. Each is a function from a
//! library to the files that change; references, raw pages and waivers follow, and the old id is never lost.

mod merge;
mod renumber;
mod withdraw;

use crate::check::{RawFolder, Snapshot};
use crate::library::Change;
use crate::model::{CaseId, RETIRED_FILE, Retired};

pub use merge::merge;
pub use renumber::renumber;
pub use withdraw::{reinstate, withdraw};

/// What a change to a library amounts to.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// Files to write.
    pub changes: Vec<Change>,
    /// Files to take away.
    pub removed: Vec<String>,
    /// What a person should look at, in words.
    pub notes: Vec<String>,
}

/// Why a change is refused, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What is in the way.
    pub message: String,
    /// What to do instead.
    pub help: String,
}

impl Refusal {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: help.into(),
        }
    }
}

/// A library as the functions here see it.
pub struct Shelf<'a> {
    /// Records, raw folders and retired ids.
    pub snapshot: &'a Snapshot,
    /// The text of the settings file with its path.
    pub settings: (&'a str, &'a str),
    /// Gives the bytes of a raw page by its path in the library.
    pub read: &'a dyn Fn(&str) -> Option<Vec<u8>>,
}

impl Plan {
    fn write(&mut self, file: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.changes.push(Change {
            file: file.into(),
            bytes: bytes.into(),
        });
    }

    fn write_retired(&mut self, retired: &Retired) {
        if retired.is_empty() {
            self.removed.push(RETIRED_FILE.to_owned());
        } else {
            self.write(RETIRED_FILE, retired.print());
        }
    }

    /// Every other record that names `old` names `new`.
    fn lead_references(&mut self, shelf: &Shelf<'_>, old: &CaseId, new: &CaseId, except: &[&str]) {
        for record in &shelf.snapshot.records {
            if except.contains(&record.file.as_str()) {
                continue;
            }
            let mut case = record.case.clone();
            if case.refer(old, new) {
                self.write(&record.file, case.print());
            }
        }
        let (file, text) = shelf.settings;
        let (old, new) = (format!("case = \"{old}\""), format!("case = \"{new}\""));
        if text.contains(&old) {
            self.write(file, text.replace(&old, &new));
        }
    }
}

impl Shelf<'_> {
    fn record(&self, id: &CaseId) -> Result<&crate::read::RecordFile, Refusal> {
        let mut all = self
            .snapshot
            .records
            .iter()
            .filter(|r| r.case.id.as_ref() == Some(id));
        match (all.next(), all.next()) {
            (Some(record), None) if record.has_duplicate_keys => Err(Refusal::new(
                format!(
                    "a key stands twice in {}, and one of its values would be lost",
                    record.file
                ),
                "mend the record first: `incidentlib check` says where",
            )),
            (Some(record), None) => Ok(record),
            (Some(_), Some(_)) => Err(Refusal::new(
                format!("two records have the id `{id}`"),
                "give one of them another id in its file first",
            )),
            (None, _) => Err(match self.snapshot.retired.successor(id) {
                Some(end) => Refusal::new(format!("`{id}` is `{end}` now"), format!("say `{end}`")),
                None => Refusal::new(
                    format!("there is no case `{id}` in this library"),
                    "`incidentlib list` shows all cases",
                ),
            }),
        }
    }

    fn folder(&self, id: &CaseId) -> Option<&RawFolder> {
        self.snapshot.folder(id.as_str())
    }

    fn bytes(&self, file: &str) -> Result<Vec<u8>, Refusal> {
        (self.read)(file).ok_or_else(|| {
            Refusal::new(
                format!("{file} cannot be read"),
                "`incidentlib check` says why; nothing was changed",
            )
        })
    }
}
