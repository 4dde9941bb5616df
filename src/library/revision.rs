//! The library as it was at another revision, by the `git` of the machine.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use super::{Error, SETTINGS_FILE};

/// Where a change to a library set out from.
pub enum Base {
    /// The library at the merge base.
    Library(Checkout),
    /// The merge base has no library in this folder: all of it is new.
    NoLibrary {
        /// The id of the merge base.
        commit: String,
    },
    /// The revision and the one at hand have no common ancestor that is known here, as in a shallow clone.
    NoMergeBase,
}

/// A library of another revision in a folder of its own, which goes when this is dropped.
pub struct Checkout {
    folder: TempDir,
    /// The id of the commit.
    pub commit: String,
}

impl Checkout {
    /// The folder that holds the library.
    pub fn root(&self) -> PathBuf {
        self.folder.path().join("tree")
    }
}

/// The folder of a library in its repository, with a `/` behind; empty at the top, `None` outside of a repository.
pub fn prefix_in_repository(root: &Path) -> Option<String> {
    let out = git(root).args(["rev-parse", "--show-prefix"]).output();
    let out = out.ok().filter(|out| out.status.success())?;
    Some(line_of(&out))
}

/// The library in `root` as it was where the change from `revision` to the files at hand set out: at the merge base of
/// `revision` and `HEAD`.
///
/// # Errors
///
/// Where there is no `git`, no repository or no such revision, and where the files cannot be written.
pub fn base_of(root: &Path, revision: &str) -> Result<Base, Error> {
    let in_repository = run(git(root).args(["rev-parse", "--absolute-git-dir", "--show-prefix"]))?;
    if !in_repository.status.success() {
        let said = String::from_utf8_lossy(&in_repository.stderr);
        return Err(Error::usage(
            format!(
                "git knows no repository around {}: {}",
                root.display(),
                said.trim()
            ),
            "leave `--since` out to check the whole library",
        ));
    }
    let said = String::from_utf8_lossy(&in_repository.stdout);
    let mut lines = said.lines();
    let (git_dir, prefix) = (lines.next().unwrap_or_default(), lines.next());
    let prefix = prefix.unwrap_or_default();
    let commit = format!("{revision}^{{commit}}");
    let known = run(git(root)
        .args(["rev-parse", "--verify", "--quiet", "--end-of-options"])
        .arg(&commit))?;
    if !known.status.success() {
        return Err(Error::usage(
            format!("the repository has no revision `{revision}`"),
            "fetch it first, as with `git fetch origin main`, or name another one",
        ));
    }
    let ancestor = run(git(root).args(["merge-base", &line_of(&known), "HEAD"]))?;
    if !ancestor.status.success() {
        return Ok(Base::NoMergeBase);
    }
    let commit = line_of(&ancestor);
    let settings = format!("{commit}:{prefix}{SETTINGS_FILE}");
    let stands = run(git(root).args(["cat-file", "-e"]).arg(settings))?;
    if !stands.status.success() {
        return Ok(Base::NoLibrary { commit });
    }
    let folder = tempfile::tempdir().map_err(|e| Error::write(&std::env::temp_dir(), e))?;
    let tree = folder.path().join("tree");
    std::fs::create_dir(&tree).map_err(|e| Error::write(&tree, e))?;
    let index = folder.path().join("index");
    // An index of its own: that of the repository stays as it is.
    let treeish = format!("{commit}:{}", prefix.trim_end_matches('/'));
    for arguments in [
        ["read-tree", treeish.as_str()].as_slice(),
        &["checkout-index", "--all", "--force", "--quiet"],
    ] {
        let out = run(git(&tree)
            .env("GIT_INDEX_FILE", &index)
            .env("GIT_DIR", git_dir)
            .env("GIT_WORK_TREE", &tree)
            .args(arguments))?;
        if !out.status.success() {
            let said = String::from_utf8_lossy(&out.stderr).trim().to_owned();
            return Err(Error::usage(
                format!("git {} failed: {said}", arguments[0]),
                "see that the repository is whole, as with `git fsck`",
            ));
        }
    }
    Ok(Base::Library(Checkout { folder, commit }))
}

/// `git` in a folder, undisturbed by what the environment says of another repository.
pub(super) fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(folder);
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(name);
    }
    command.env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
    command
}

fn run(command: &mut Command) -> Result<Output, Error> {
    command.output().map_err(|e| {
        Error::usage(
            format!("`git` could not be run: {e}"),
            "install git, or leave `--since` out to check the whole library",
        )
    })
}

fn line_of(out: &Output) -> String {
    String::from_utf8_lossy(&out.stdout)
        .trim_end_matches(['\n', '\r'])
        .to_owned()
}
