//! A library as values: what was read from disk, before anything is judged.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::finding::{Finding, Level, Place, Pointer};
use crate::model::{Manifest, RETIRED_FILE, Retired, sha256_of_bytes};
use crate::read::{RecordFile, parse_json, read_record};

/// Every record and raw folder, sorted by path, and what could not be read.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// Records that are JSON objects.
    pub records: Vec<RecordFile>,
    /// Raw folders.
    pub raw: Vec<RawFolder>,
    /// Ids that were taken out of use.
    pub retired: Retired,
    /// Files that could not be read.
    pub findings: Vec<Finding>,
    // The text of the file of those ids.
    retired_text: String,
    // Where each raw folder stands, by name.
    folders: HashMap<String, usize>,
}

/// A folder of raw pages.
#[derive(Debug, Clone, Default)]
pub struct RawFolder {
    /// `raw/IL-0535`
    pub path: String,
    /// `IL-0535`
    pub name: String,
    /// Its files except the manifest, sorted by name.
    pub files: Vec<RawFile>,
    /// Its `sources.json`.
    pub manifest: Option<ManifestFile>,
}

/// A raw page on disk.
#[derive(Debug, Clone)]
pub struct RawFile {
    /// File name.
    pub name: String,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// Length in bytes.
    pub length: u64,
}

/// A manifest on disk.
#[derive(Debug, Clone)]
pub struct ManifestFile {
    /// `raw/IL-0535/sources.json`
    pub file: String,
    /// The file as it stands.
    pub text: String,
    /// Its JSON, or why it is none.
    pub value: Result<serde_json::Value, Finding>,
    /// The manifest, when the JSON has its shape.
    pub manifest: Option<Manifest>,
}

impl RawFolder {
    /// The manifest with its path, when it can be read.
    pub fn manifest(&self) -> Option<(&str, &Manifest)> {
        let file = self.manifest.as_ref()?;
        Some((&file.file, file.manifest.as_ref()?))
    }
}

impl ManifestFile {
    /// Reads a manifest leniently.
    pub fn read(file: String, bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let value = parse_json(&text).map(|(value, _)| value).map_err(|fault| {
            let place = crate::finding::Place::Bytes(fault.offset..fault.offset);
            let level = crate::finding::Level::Error;
            let mut finding = Finding::new("json-syntax", level, &file, fault.message);
            finding = finding.at(place).help(fault.help);
            finding.locate_in(&text);
            finding
        });
        let manifest = value
            .as_ref()
            .ok()
            .and_then(|v| serde_json::from_value(v.clone()).ok());
        Self {
            file,
            text,
            value,
            manifest,
        }
    }
}

impl Snapshot {
    /// Reads files given as path and bytes, in parallel: records in `normalized/`, everything in
    /// `raw/<ID>/`. Other paths are ignored.
    pub fn from_files(files: Vec<(String, Vec<u8>)>) -> Self {
        let mut out = Self::default();
        let (retired, files): (Vec<_>, Vec<_>) = files
            .into_iter()
            .partition(|(path, _)| path == RETIRED_FILE);
        for (_, bytes) in retired {
            out.read_retired(&bytes);
        }
        let (records, raw): (Vec<_>, Vec<_>) = files
            .into_iter()
            .partition(|(path, _)| path.starts_with("normalized/"));
        let read: Vec<_> = records
            .into_par_iter()
            .map(|(path, bytes)| read_record(&path, bytes))
            .collect();
        for (record, findings) in read {
            out.records.extend(record);
            out.findings.extend(findings);
        }
        for (path, bytes) in raw {
            let parts: Vec<&str> = path.split('/').collect();
            if let ["raw", name, file] = parts.as_slice() {
                out.add_raw(name, file, &bytes);
            }
        }
        out.sort();
        out
    }

    fn read_retired(&mut self, bytes: &[u8]) {
        let error =
            |message: String| Finding::new("retired-ids", Level::Error, RETIRED_FILE, message);
        let text = String::from_utf8_lossy(bytes).into_owned();
        let read = match parse_json(&text) {
            Ok((value, _)) => Retired::from_value(&value).map_err(|(pointer, message)| {
                let help = "mend the entry; `git diff` shows what was changed in it";
                error(message)
                    .at(Place::Value(Pointer::new(&pointer)))
                    .help(help)
            }),
            Err(fault) => Err(error(fault.message)
                .at(Place::Bytes(fault.offset..fault.offset))
                .help(fault.help)),
        };
        match read {
            Ok(retired) => self.retired = retired,
            Err(mut finding) => {
                finding.locate_in(&text);
                self.findings.push(finding);
            }
        }
        self.retired_text = text;
    }

    /// Adds a raw folder, which may be empty; returns where it stands.
    pub fn add_folder(&mut self, name: &str) -> usize {
        if let Some(&at) = self.folders.get(name) {
            return at;
        }
        let at = self.raw.len();
        self.folders.insert(name.to_owned(), at);
        self.raw.push(RawFolder {
            path: format!("raw/{name}"),
            name: name.to_owned(),
            ..RawFolder::default()
        });
        at
    }

    /// The raw folder of a case.
    pub fn folder(&self, name: &str) -> Option<&RawFolder> {
        self.folders.get(name).map(|&at| &self.raw[at])
    }

    /// The text of a record or manifest.
    pub fn text(&self, file: &str) -> Option<&str> {
        if let Ok(at) = self.records.binary_search_by(|r| r.file.as_str().cmp(file)) {
            return Some(&self.records[at].text);
        }
        if file == RETIRED_FILE {
            return Some(&self.retired_text);
        }
        let name = file.strip_prefix("raw/")?.strip_suffix("/sources.json")?;
        let manifest = self.folder(name)?.manifest.as_ref()?;
        Some(&manifest.text)
    }

    /// Adds one file of a raw folder.
    pub fn add_raw(&mut self, folder: &str, file: &str, bytes: &[u8]) {
        let at = self.add_folder(folder);
        if file == "sources.json" {
            let path = &self.raw[at].path;
            let manifest = ManifestFile::read(format!("{path}/{file}"), bytes);
            self.raw[at].manifest = Some(manifest);
        } else {
            let length = bytes.len() as u64;
            let file = RawFile {
                name: file.to_owned(),
                sha256: sha256_of_bytes(bytes),
                length,
            };
            self.raw[at].files.push(file);
        }
    }

    /// Puts everything in the order of its path.
    pub fn sort(&mut self) {
        self.records.sort_by(|a, b| a.file.cmp(&b.file));
        self.raw.sort_by(|a, b| a.path.cmp(&b.path));
        let names = self.raw.iter().map(|f| f.name.clone());
        self.folders = names.zip(0..).collect();
        for folder in &mut self.raw {
            folder.files.sort_by(|a, b| a.name.cmp(&b.name));
        }
    }
}
