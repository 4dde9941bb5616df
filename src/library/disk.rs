//! Reading the disk: sorted listings, bounded files, and no way out of the library.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use super::error::Error;

/// Settings, schema and language files are small.
const LARGEST_TEXT: u64 = 16 << 20;

/// Names in a folder, sorted; names that are not Unicode are shown with replacement characters.
pub(super) fn list(folder: &Path) -> Result<Vec<String>, Error> {
    let entries = fs::read_dir(folder).map_err(|e| Error::read(folder, e))?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|e| Error::read(folder, e))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// The whole of a small text file.
pub(super) fn read_text(path: &Path) -> Result<String, Error> {
    let bytes = match read_bounded(path, LARGEST_TEXT).map_err(|e| Error::read(path, e))? {
        Some(bytes) => bytes,
        None => return Err(Error::data(path, "the file is larger than 16 MB")),
    };
    String::from_utf8(bytes).map_err(|_| Error::data(path, "the file is not UTF-8"))
}

/// The bytes of a file, or `None` when it is larger than `limit`. Never reads more than that, even
/// from a file that grows or a device that does not end.
pub(super) fn read_bounded(path: &Path, limit: u64) -> std::io::Result<Option<Vec<u8>>> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    if length > limit {
        return Ok(None);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default() + 1);
    file.take(limit + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

/// What an entry of a folder is, links followed only while they stay below `root`.
pub(super) enum Entry {
    File,
    Folder,
    /// A link whose end lies outside the library, or nowhere.
    Outside,
    Other,
}

pub(super) fn entry(root: &Path, path: &Path) -> std::io::Result<Entry> {
    let mut kind = fs::symlink_metadata(path)?.file_type();
    if kind.is_symlink() {
        match path.canonicalize() {
            Ok(end) if end.starts_with(root) => kind = fs::metadata(path)?.file_type(),
            _ => return Ok(Entry::Outside),
        }
    }
    Ok(if kind.is_file() {
        Entry::File
    } else if kind.is_dir() {
        Entry::Folder
    } else {
        Entry::Other
    })
}
