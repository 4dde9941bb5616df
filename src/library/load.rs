//! Loading: every record and every raw page, in parallel, sorted, nothing skipped unseen.

use std::path::Path;

use rayon::prelude::*;

use super::Library;
use super::disk::{self, Entry};
use super::error::Error;
use crate::check::Snapshot;
use crate::finding::{Finding, Level};
use crate::model::CaseId;
use crate::read::{LARGEST_PAGE, LARGEST_RECORD};

/// A file found in the library, or what was found in its place.
type Found = Result<String, Finding>;

impl Library {
    /// Loads the whole library. A file that cannot be read is a finding of the snapshot.
    pub fn load(&self) -> Result<Snapshot, Error> {
        let mut snapshot = self.load_records()?;
        for folder in self.raw_folders()? {
            match folder {
                Ok(name) => self.load_raw(&name, &mut snapshot)?,
                Err(finding) => snapshot.findings.push(finding),
            }
        }
        snapshot.findings.extend(self.schema_out_of_step());
        snapshot.sort();
        Ok(snapshot)
    }

    /// Loads the records only, for commands that do not look at raw pages.
    pub fn load_records(&self) -> Result<Snapshot, Error> {
        let records = self.record_files()?;
        let mut findings = Vec::new();
        let read: Vec<_> = records
            .into_par_iter()
            .map(|found| {
                found.and_then(|file| self.read_file(&file, LARGEST_RECORD).map(|b| (file, b)))
            })
            .collect();
        let mut files = Vec::new();
        for result in read {
            match result {
                Ok(file) => files.push(file),
                Err(finding) => findings.push(finding),
            }
        }
        let mut snapshot = Snapshot::from_files(files);
        snapshot.findings.extend(findings);
        snapshot.sort();
        Ok(snapshot)
    }

    /// The bytes of a raw page or record, by its path in the library.
    pub fn read_file(&self, file: &str, limit: u64) -> Result<Vec<u8>, Finding> {
        let error = |rule, message: String| Finding::new(rule, Level::Error, file, message);
        match disk::read_bounded(&self.root.join(file), limit) {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => {
                let message = format!("the file is larger than {} MB and is not read", limit >> 20);
                Err(error("too-large", message).help("see whether it is the right file"))
            }
            Err(e) => Err(
                error("unreadable-file", format!("the file cannot be read: {e}"))
                    .help("ask for the right to read it: `ls -l` shows who may"),
            ),
        }
    }

    /// Adds the raw folder of one case to a snapshot, if there is one.
    pub fn add_raw_of(&self, id: &CaseId, snapshot: &mut Snapshot) -> Result<(), Error> {
        let folder = format!("raw/{id}");
        if self.root.join(&folder).exists() && matches!(self.entry(&folder)?, Entry::Folder) {
            self.load_raw(id.as_str(), snapshot)?;
            snapshot.sort();
        }
        Ok(())
    }

    fn record_files(&self) -> Result<Vec<Found>, Error> {
        let names = self.names_in("normalized")?;
        let mut out = Vec::new();
        for name in names {
            let file = format!("normalized/{name}");
            out.push(match self.entry(&file)? {
                Entry::File if name.ends_with(".json") => Ok(file),
                Entry::File => Err(stray(&file, "only records, `<ID>.json`, belong here")),
                Entry::Folder => Err(stray(
                    &file,
                    "records lie directly in normalized/, not in folders",
                )),
                Entry::Outside => Err(outside(&file)),
                Entry::Other => Err(stray(&file, "this is no plain file")),
            });
        }
        Ok(out)
    }

    fn raw_folders(&self) -> Result<Vec<Found>, Error> {
        let mut out = Vec::new();
        for name in self.names_in("raw")? {
            let file = format!("raw/{name}");
            out.push(match self.entry(&file)? {
                Entry::Folder => Ok(name),
                Entry::Outside => Err(outside(&file)),
                _ => Err(stray(
                    &file,
                    "raw pages lie in a folder of their case, raw/<ID>/",
                )),
            });
        }
        Ok(out)
    }

    fn load_raw(&self, folder: &str, snapshot: &mut Snapshot) -> Result<(), Error> {
        let mut files = Vec::new();
        for name in self.names_in(&format!("raw/{folder}"))? {
            let file = format!("raw/{folder}/{name}");
            match self.entry(&file)? {
                Entry::File => files.push((name, file)),
                Entry::Outside => snapshot.findings.push(outside(&file)),
                _ => snapshot
                    .findings
                    .push(stray(&file, "a raw folder holds plain files only")),
            }
        }
        let read: Vec<_> = files
            .into_par_iter()
            .map(|(name, file)| {
                self.read_file(&file, LARGEST_PAGE)
                    .map(|bytes| (name, bytes))
            })
            .collect();
        snapshot.add_folder(folder);
        for result in read {
            match result {
                Ok((name, bytes)) => snapshot.add_raw(folder, &name, &bytes),
                Err(finding) => snapshot.findings.push(finding),
            }
        }
        Ok(())
    }

    /// Names in a folder of the library, hidden ones left out; none when the folder is not there.
    fn names_in(&self, folder: &str) -> Result<Vec<String>, Error> {
        let path = self.root.join(folder);
        if !path.exists() {
            return Ok(Vec::new());
        }
        let names = disk::list(&path)?;
        Ok(names
            .into_iter()
            .filter(|name| !name.starts_with('.'))
            .collect())
    }

    fn entry(&self, file: &str) -> Result<Entry, Error> {
        let path = self.root.join(Path::new(file));
        disk::entry(&self.root, &path).map_err(|e| Error::read(&path, e))
    }

    fn schema_out_of_step(&self) -> Option<Finding> {
        if !self.has_own_case_schema() || self.derived_case_schema() == self.case_schema {
            return None;
        }
        let message =
            "the terms, languages or id prefix in the schema are not those of the library";
        let file = "schema/case.schema.json";
        let finding = Finding::new("schema-out-of-step", Level::Error, file, message);
        Some(finding.help("run `incidentlib fmt`"))
    }
}

fn outside(file: &str) -> Finding {
    Finding::new(
        "outside-library",
        Level::Error,
        file,
        "this link leads out of the library, or nowhere",
    )
    .help("put a copy of the file here instead")
}

fn stray(file: &str, why: &str) -> Finding {
    Finding::new(
        "not-a-file",
        Level::Error,
        file,
        format!("this is not read: {why}"),
    )
    .help("move or delete it")
}
