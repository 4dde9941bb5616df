//! The log of what archives and sources answered: one JSON document a line, appended as the answers come, so that a
//! run that is cut off loses none.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::disk;
use super::error::Error;
use crate::model::{Asked, Question};

/// The log, in the root of the library.
pub const LEDGER_FILE: &str = ".incidentlib-archive.ndjson";

/// A larger log is none that this program wrote: 100,000 answers have 40 MB.
const LARGEST_LEDGER: u64 = 1 << 30;

/// The log of a library: the last answer to each question about each address.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    answers: BTreeMap<(String, Question), Asked>,
    unread: usize,
    lines: usize,
    file: Option<File>,
}

impl Ledger {
    /// Reads the log of the library in `root`; there need be none. A line that cannot be read is left out: the last
    /// line of a killed run may be a part of one.
    pub fn read(root: &Path) -> Result<Self, Error> {
        let path = root.join(LEDGER_FILE);
        let mut ledger = Self {
            path,
            answers: BTreeMap::new(),
            unread: 0,
            lines: 0,
            file: None,
        };
        let bytes = match disk::read_bounded(&ledger.path, LARGEST_LEDGER) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Err(Error::data(&ledger.path, "the log is larger than 1 GB")),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(ledger),
            Err(e) => return Err(Error::read(&ledger.path, e)),
        };
        let lines = bytes.split(|b| *b == b'\n');
        for line in lines.filter(|line| !line.trim_ascii().is_empty()) {
            ledger.lines += 1;
            match serde_json::from_slice::<Asked>(line) {
                Ok(asked) => ledger.keep(asked),
                Err(_) => ledger.unread += 1,
            }
        }
        Ok(ledger)
    }

    /// Lines that could not be read.
    pub fn unread(&self) -> usize {
        self.unread
    }

    /// The last answer to a question about an address.
    pub fn answer(&self, url: &str, question: Question) -> Option<&Asked> {
        self.answers.get(&(url.to_owned(), question))
    }

    /// The last answers, by address.
    pub fn answers(&self) -> impl Iterator<Item = &Asked> {
        self.answers.values()
    }

    /// Writes an answer to the end of the log.
    pub fn append(&mut self, asked: Asked) -> Result<(), Error> {
        let fault = |e| Error::write(&self.path, e);
        if self.file.is_none() {
            let open = OpenOptions::new()
                .append(true)
                .create(true)
                .open(&self.path);
            let mut file = open.map_err(fault)?;
            if self.unread > 0 {
                // A part of a line may stand at the end.
                file.write_all(b"\n").map_err(fault)?;
            }
            self.file = Some(file);
        }
        let mut line = serde_json::to_vec(&asked).unwrap_or_default();
        line.push(b'\n');
        if let Some(file) = &mut self.file {
            file.write_all(&line).map_err(fault)?;
        }
        self.lines += 1;
        self.keep(asked);
        Ok(())
    }

    /// The whole log with one line for each question, to be written in place of one that has grown; nothing where that
    /// would save little.
    pub fn compact(&self) -> Option<Vec<u8>> {
        if self.lines < 2 * self.answers.len() + 100 {
            return None;
        }
        let mut out = Vec::new();
        for asked in self.answers.values() {
            out.extend(serde_json::to_vec(asked).unwrap_or_default());
            out.push(b'\n');
        }
        Some(out)
    }

    fn keep(&mut self, asked: Asked) {
        self.answers
            .insert((asked.url.clone(), asked.question), asked);
    }
}
