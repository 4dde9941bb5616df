//! Changing a library: all files of a run, or none.
//!
//! Every file is first written beside its target under a temporary name and synced. Only when all are
//! there does a journal say "commit", and only then are they renamed into place. Whoever opens the
//! library after a kill finds the journal and either takes the temporary files away or finishes the
//! renames.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::disk;
use super::error::Error;
use super::settings::SETTINGS_FILE;

/// The journal of a run that is writing, in the root of the library.
const JOURNAL: &str = ".incidentlib-journal.json";

/// Temporary files carry this between a dot and the name of their target.
const TEMPORARY: &str = ".incidentlib-new.";

/// What a run wants to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Path in the library, with `/`.
    pub file: String,
    /// The bytes it should have.
    pub bytes: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
struct Journal {
    commit: bool,
    files: Vec<String>,
    folders: Vec<String>,
    #[serde(default)]
    removed: Vec<String>,
}

/// The right to write to a library. One process has it at a time.
pub struct Writer {
    root: PathBuf,
    _lock: File,
}

impl Writer {
    /// Locks the library and finishes what a killed run left behind.
    pub fn open(root: &Path) -> Result<Self, Error> {
        let path = root.join(SETTINGS_FILE);
        let lock = File::open(&path).map_err(|e| Error::read(&path, e))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Err(Error::busy(root)),
            Err(fs::TryLockError::Error(e)) => return Err(Error::write(&path, e)),
        }
        let writer = Self {
            root: root.to_owned(),
            _lock: lock,
        };
        writer.recover()?;
        Ok(writer)
    }

    /// Finishes what a killed run left behind, if it left anything and nobody is writing now.
    /// Returns whether it did.
    pub fn recover_if_needed(root: &Path) -> Result<bool, Error> {
        let journal = root.join(JOURNAL);
        // A kill may hit the first writing of the journal itself.
        if !journal.exists() && !temporary(&journal).exists() {
            return Ok(false);
        }
        match Self::open(root) {
            Ok(_) => Ok(true),
            Err(e) if e.kind() == super::ErrorKind::Busy => Ok(false),
            Err(e) => Err(e),
        }
    }

    /// Writes all changes or, when any cannot be written, none. Files that already have these bytes
    /// are left alone. Returns the paths that were written.
    pub fn commit(&self, changes: &[Change]) -> Result<Vec<String>, Error> {
        self.commit_and_remove(changes, &[])
    }

    /// The same, and takes files away: all of it or nothing. A folder that is empty then goes too.
    pub fn commit_and_remove(
        &self,
        changes: &[Change],
        removed: &[String],
    ) -> Result<Vec<String>, Error> {
        let changes: Vec<&Change> = changes.iter().filter(|c| self.differs(c)).collect();
        let files: Vec<String> = changes.iter().map(|c| c.file.clone()).collect();
        if files.is_empty() && removed.is_empty() {
            return Ok(files);
        }
        let folders = self.missing_folders(&files);
        let mut journal = Journal {
            commit: false,
            files,
            folders,
            removed: removed.to_vec(),
        };
        self.write_journal(&journal)?;
        if let Err(e) = self.stage(&changes).and_then(|()| {
            journal.commit = true;
            self.write_journal(&journal)
        }) {
            journal.commit = false;
            self.roll_back(&journal);
            return Err(e);
        }
        self.roll_forward(&journal)?;
        Ok(journal.files)
    }

    fn differs(&self, change: &Change) -> bool {
        let path = self.root.join(&change.file);
        !matches!(disk::read_bounded(&path, change.bytes.len() as u64), Ok(Some(b)) if b == change.bytes)
    }

    fn missing_folders(&self, files: &[String]) -> Vec<String> {
        let mut out: Vec<String> = files
            .iter()
            .filter_map(|file| file.rsplit_once('/').map(|(folder, _)| folder.to_owned()))
            .flat_map(|folder| {
                let ends = folder
                    .match_indices('/')
                    .map(|(i, _)| i)
                    .chain([folder.len()]);
                ends.map(|end| folder[..end].to_owned()).collect::<Vec<_>>()
            })
            .filter(|folder| !self.root.join(folder).exists())
            .collect();
        out.sort();
        out.dedup();
        out
    }

    fn stage(&self, changes: &[&Change]) -> Result<(), Error> {
        for change in changes {
            let target = self.root.join(&change.file);
            let folder = target.parent().unwrap_or(&self.root);
            fs::create_dir_all(folder).map_err(|e| Error::write(folder, e))?;
            self.check_inside(folder)?;
            write_synced(&temporary(&target), &change.bytes)
                .map_err(|e| Error::write(&target, e))?;
        }
        Ok(())
    }

    /// A folder that is a link to somewhere else is not written to.
    fn check_inside(&self, folder: &Path) -> Result<(), Error> {
        let end = folder.canonicalize().map_err(|e| Error::write(folder, e))?;
        let root = self
            .root
            .canonicalize()
            .map_err(|e| Error::write(&self.root, e))?;
        if end.starts_with(&root) {
            return Ok(());
        }
        let message = format!(
            "{} is a link that leads out of the library",
            folder.display()
        );
        Err(Error::usage(
            message,
            "nothing was changed; put a real folder in its place",
        ))
    }

    fn write_journal(&self, journal: &Journal) -> Result<(), Error> {
        let path = self.root.join(JOURNAL);
        let bytes = serde_json::to_vec(journal).unwrap_or_default();
        let temporary = temporary(&path);
        let written = write_synced(&temporary, &bytes)
            .and_then(|()| fs::rename(&temporary, &path))
            .and_then(|()| sync_folder(&self.root));
        written.map_err(|e| {
            let _ = fs::remove_file(&temporary);
            Error::write(&path, e)
        })
    }

    fn recover(&self) -> Result<(), Error> {
        let path = self.root.join(JOURNAL);
        let _ = fs::remove_file(temporary(&path));
        let Ok(Some(bytes)) = disk::read_bounded(&path, 1 << 30) else {
            return Ok(());
        };
        // A journal is renamed into place whole; one that does not parse was put there by something else.
        let journal: Journal = serde_json::from_slice(&bytes)
            .map_err(|e| Error::data(&path, format!("this is no journal of incidentlib ({e})")))?;
        if journal.commit {
            self.roll_forward(&journal)
        } else {
            self.roll_back(&journal);
            Ok(())
        }
    }

    fn roll_forward(&self, journal: &Journal) -> Result<(), Error> {
        let mut folders = vec![self.root.clone()];
        for file in &journal.files {
            let target = self.inside(file)?;
            let temporary = temporary(&target);
            match fs::rename(&temporary, &target) {
                Ok(()) => {}
                // Renamed before the kill.
                Err(e) if e.kind() == io::ErrorKind::NotFound && target.exists() => {}
                Err(e) => return Err(Error::write(&target, e)),
            }
            folders.extend(target.parent().map(Path::to_owned));
        }
        for file in &journal.removed {
            let target = self.inside(file)?;
            match fs::remove_file(&target) {
                Ok(()) => {}
                // Removed before the kill.
                Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
                Err(e) => return Err(Error::write(&target, e)),
            }
            let folder = target.parent().unwrap_or(&self.root);
            // Of the folders of cases an empty one goes; one that is not empty cannot.
            if file.matches('/').count() >= 2 {
                let _ = fs::remove_dir(folder);
            }
            folders.push(folder.to_owned());
        }
        folders.sort();
        folders.dedup();
        for folder in folders.iter().filter(|folder| folder.exists()) {
            sync_folder(folder).map_err(|e| Error::write(folder, e))?;
        }
        let path = self.root.join(JOURNAL);
        fs::remove_file(&path).map_err(|e| Error::write(&path, e))
    }

    /// Takes away whatever was staged. Best effort: what cannot be removed now is found by the journal
    /// next time, which is removed last and only when nothing is left.
    fn roll_back(&self, journal: &Journal) {
        let mut clean = true;
        for file in &journal.files {
            let Ok(target) = self.inside(file) else {
                continue;
            };
            clean &= removed(fs::remove_file(temporary(&target)));
        }
        for folder in journal.folders.iter().rev() {
            let Ok(folder) = self.inside(folder) else {
                continue;
            };
            clean &= removed(fs::remove_dir(folder));
        }
        if clean {
            let _ = fs::remove_file(self.root.join(JOURNAL));
        }
    }

    /// A path that a journal names, which must lie in the library.
    fn inside(&self, file: &str) -> Result<PathBuf, Error> {
        let plain = file.split('/').all(|part| !matches!(part, "" | "." | ".."));
        if plain {
            Ok(self.root.join(file))
        } else {
            let path = self.root.join(JOURNAL);
            Err(Error::data(
                &path,
                format!("`{file}` leads out of the library"),
            ))
        }
    }
}

fn removed(result: io::Result<()>) -> bool {
    match result {
        Ok(()) => true,
        Err(e) => e.kind() == io::ErrorKind::NotFound,
    }
}

fn temporary(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!("{TEMPORARY}{name}"))
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// A rename is only safe from a power cut once its folder is on disk.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(SETTINGS_FILE), "").unwrap();
        dir
    }

    fn change(file: &str, text: &str) -> Change {
        Change {
            file: file.to_owned(),
            bytes: text.as_bytes().to_vec(),
        }
    }

    fn tree(root: &Path) -> Vec<String> {
        let mut out = Vec::new();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let text = fs::read_to_string(&path).unwrap();
                    let name = path
                        .strip_prefix(root)
                        .unwrap()
                        .to_string_lossy()
                        .into_owned();
                    out.push(format!("{name}={text}"));
                }
            }
        }
        out.sort();
        out
    }

    #[test]
    fn writes_only_what_differs() {
        let dir = library();
        let writer = Writer::open(dir.path()).unwrap();
        let changes = [change("a/b/c.json", "1"), change("d.json", "2")];
        assert_eq!(writer.commit(&changes).unwrap(), ["a/b/c.json", "d.json"]);
        assert!(writer.commit(&changes).unwrap().is_empty());
        assert_eq!(
            tree(dir.path()),
            ["a/b/c.json=1", "d.json=2", "incidentlib.toml="]
        );
    }

    #[test]
    fn a_kill_before_the_commit_leaves_the_old_library() {
        let dir = library();
        let writer = Writer::open(dir.path()).unwrap();
        let changes = [change("new/c.json", "1"), change("d.json", "2")];
        let journal = Journal {
            commit: false,
            files: changes.iter().map(|c| c.file.clone()).collect(),
            folders: vec!["new".to_owned()],
            removed: vec![],
        };
        writer.write_journal(&journal).unwrap();
        writer.stage(&[&changes[0]]).unwrap();
        drop(writer);
        assert!(Writer::recover_if_needed(dir.path()).unwrap());
        assert_eq!(tree(dir.path()), ["incidentlib.toml="]);
        assert!(!dir.path().join("new").exists());
    }

    #[test]
    fn a_kill_after_the_commit_leaves_the_new_library() {
        let dir = library();
        let writer = Writer::open(dir.path()).unwrap();
        let changes = [change("a.json", "1"), change("b.json", "2")];
        let files: Vec<String> = changes.iter().map(|c| c.file.clone()).collect();
        writer.stage(&[&changes[0], &changes[1]]).unwrap();
        writer
            .write_journal(&Journal {
                commit: true,
                files,
                folders: Vec::new(),
                removed: vec![],
            })
            .unwrap();
        fs::rename(
            dir.path().join(".incidentlib-new.a.json"),
            dir.path().join("a.json"),
        )
        .unwrap();
        drop(writer);
        assert!(Writer::recover_if_needed(dir.path()).unwrap());
        assert_eq!(
            tree(dir.path()),
            ["a.json=1", "b.json=2", "incidentlib.toml="]
        );
    }

    #[test]
    fn one_writer_at_a_time() {
        let dir = library();
        let _first = Writer::open(dir.path()).unwrap();
        let second = Writer::open(dir.path()).err().unwrap();
        assert_eq!(second.kind(), super::super::ErrorKind::Busy);
    }

    #[test]
    fn a_journal_cannot_lead_out() {
        let dir = library();
        let text = r#"{"commit":true,"files":["../x"],"folders":[]}"#;
        fs::write(dir.path().join(JOURNAL), text).unwrap();
        assert!(Writer::recover_if_needed(dir.path()).is_err());
    }

    #[test]
    fn files_are_taken_away_with_the_change_or_not_at_all() {
        let dir = library();
        let writer = Writer::open(dir.path()).unwrap();
        writer
            .commit(&[change("raw/A/a.html", "a"), change("b", "b")])
            .unwrap();
        let removed = ["raw/A/a.html".to_owned()];
        writer
            .commit_and_remove(&[change("raw/B/a.html", "a")], &removed)
            .unwrap();
        assert!(!dir.path().join("raw/A").exists());
        assert!(dir.path().join("raw/B/a.html").exists());
        drop(writer);
        // A kill after the journal says commit: the next run finishes it.
        let journal = r#"{"commit":true,"files":[],"folders":[],"removed":["b","gone"]}"#;
        fs::write(dir.path().join(JOURNAL), journal).unwrap();
        drop(Writer::open(dir.path()).unwrap());
        assert!(!dir.path().join("b").exists());
        // A kill before it: nothing is taken away.
        fs::write(dir.path().join("c"), "c").unwrap();
        let journal = r#"{"commit":false,"files":[],"folders":[],"removed":["c"]}"#;
        fs::write(dir.path().join(JOURNAL), journal).unwrap();
        drop(Writer::open(dir.path()).unwrap());
        assert!(dir.path().join("c").exists());
    }
}
