//! Faults of the world: what was being done, to which file, why it failed, what to do.

use std::fmt;
use std::io;
use std::path::Path;

/// A fault that stopped the run. Faults in records are findings, not errors.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    doing: String,
    help: Option<String>,
    source: Option<io::Error>,
}

/// What kind of fault it was, for the few callers that branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// No `incidentlib.toml` here or above.
    NoLibrary,
    /// A file could not be read.
    Read,
    /// A file could not be written; the library is as it was.
    Write,
    /// A settings, schema, vocabulary or language file is broken.
    Data,
    /// Another process is writing.
    Busy,
    /// The request itself cannot be met.
    Usage,
}

impl Error {
    /// What kind of fault it was.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The edit or the command that mends it.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// A request that cannot be met, with what to do instead.
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        let (doing, help) = (message.into(), Some(help.into()));
        Self {
            kind: ErrorKind::Usage,
            doing,
            help,
            source: None,
        }
    }

    pub(crate) fn read(path: &Path, source: io::Error) -> Self {
        let help = match source.kind() {
            io::ErrorKind::NotFound => "check the path for a mistyped name",
            io::ErrorKind::PermissionDenied => {
                "ask for the right to read it: `ls -l` shows who may"
            }
            _ => "see whether the disk is there and the file is a plain file",
        };
        Self {
            kind: ErrorKind::Read,
            doing: format!("cannot read {}", path.display()),
            help: Some(help.to_owned()),
            source: Some(source),
        }
    }

    pub(crate) fn write(path: &Path, source: io::Error) -> Self {
        let help = match source.kind() {
            io::ErrorKind::StorageFull => "nothing was changed; free some space and run it again",
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                "nothing was changed; the library must be writable for this command"
            }
            _ => "nothing was changed; see whether the disk is there and writable",
        };
        Self {
            kind: ErrorKind::Write,
            doing: format!("cannot write {}", path.display()),
            help: Some(help.to_owned()),
            source: Some(source),
        }
    }

    pub(crate) fn data(path: &Path, message: impl fmt::Display) -> Self {
        Self {
            kind: ErrorKind::Data,
            doing: format!("{}: {message}", path.display()),
            help: Some("mend the file; `git diff` shows what was changed in it".to_owned()),
            source: None,
        }
    }

    pub(crate) fn no_library(start: &Path) -> Self {
        Self {
            kind: ErrorKind::NoLibrary,
            doing: format!("no library in {} or above it: there is no incidentlib.toml", start.display()),
            help: Some("go into a library, name one with `--library DIR`, or make one: `incidentlib init DIR`".to_owned()),
            source: None,
        }
    }

    pub(crate) fn busy(root: &Path) -> Self {
        Self {
            kind: ErrorKind::Busy,
            doing: format!(
                "another incidentlib process is writing to {}",
                root.display()
            ),
            help: Some("wait until it is done and run this again".to_owned()),
            source: None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.doing)?;
        match &self.source {
            Some(source) => write!(f, ": {source}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|e| e as _)
    }
}
