//! Versions of a record in the history that git keeps: the one that a reviewer read, and who changed what since a base.

use std::collections::BTreeSet;
use std::path::Path;

use super::Library;
use super::revision::git;
use crate::finding::{Finding, Level, Place, Pointer};
use crate::model::{Case, Retired, digest_of};

/// Versions that are looked at, from the newest; a record has a few dozen.
const MOST: usize = 500;

impl Library {
    /// The newest committed version of a record whose content has a digest. `None` where there is none, no repository
    /// or no git.
    pub fn version_with_digest(&self, file: &str, digest: &str) -> Option<Case> {
        let commits = commits_of(&self.root, &["HEAD"], file);
        let mut versions = commits
            .iter()
            .filter_map(|(commit, _)| version_at(&self.root, commit, file));
        versions.find(|case| digest_of(case) == digest)
    }

    /// A record that someone changed and signed in the commits since `base`: nobody reviews their own change, whatever
    /// name stands in the review. `file` is its path in the library.
    /// Where only ids were led on to where their cases are now (`retired`), nothing was changed that a review is about.
    pub fn own_change_signed(&self, base: &str, file: &str, retired: &Retired) -> Option<Finding> {
        let range = format!("{base}..HEAD");
        let commits = commits_of(&self.root, &[&range], file);
        let (mut writers, mut signers) = (BTreeSet::new(), BTreeSet::new());
        let newest = version_at(&self.root, "HEAD", file)?;
        let by = newest.review.reviewed_by.clone()?;
        for (commit, author) in &commits {
            let Some(after) = version_at(&self.root, commit, file) else {
                continue;
            };
            let parent = format!("{commit}^");
            let before = version_at(&self.root, &parent, file)
                .or_else(|| renumbered_from(&self.root, &parent, &after, retired))
                .map(|before| led_on(before, retired));
            let read = before.as_ref().map(digest_of);
            if read.as_ref() != Some(&digest_of(&after)) {
                writers.insert(author.as_str());
            }
            let signed = before.and_then(|b| b.review.digest);
            if after.review.digest.is_some() && after.review.digest != signed {
                signers.insert(author.as_str());
            }
        }
        let author = writers.intersection(&signers).next()?;
        let message = format!(
            "`{author}` changed the record and signed it for `{by}` in the same pull request"
        );
        let finding = Finding::new("review-own-change", Level::Error, file, message)
            .at(Place::Value(Pointer::new("/review/reviewed_by")))
            .help("take the signature back with `incidentlib review ID --withdraw`, and let the reviewer sign in a commit of their own");
        Some(finding)
    }
}

/// The version of a record under the id that it had before.
fn renumbered_from(root: &Path, commit: &str, after: &Case, retired: &Retired) -> Option<Case> {
    let id = after.id.as_ref()?;
    let mut earlier = retired
        .iter()
        .filter(|(old, _)| retired.successor(old) == Some(id));
    earlier.find_map(|(old, _)| version_at(root, commit, &format!("normalized/{old}.json")))
}

/// A record as it is when every id that it names or has is the one that stands in its place now.
fn led_on(mut case: Case, retired: &Retired) -> Case {
    for old in case.references() {
        if let Some(new) = retired.successor(&old) {
            case.refer(&old, new);
        }
    }
    if let Some(new) = case.id.as_ref().and_then(|id| retired.successor(id)) {
        case.renumber(&new.clone());
    }
    case
}

/// The files of a folder of the library that differ from a commit, by their paths in the library.
pub fn changed_since(root: &Path, base: &str, folder: &str) -> BTreeSet<String> {
    let out = git(root)
        .args([
            "diff",
            "--name-only",
            "-z",
            "--no-renames",
            "--relative",
            base,
            "--",
            folder,
        ])
        .output();
    let Some(out) = out.ok().filter(|out| out.status.success()) else {
        return BTreeSet::new();
    };
    let names = String::from_utf8_lossy(&out.stdout);
    names
        .split('\0')
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The commits that touched a file, newest first, each with the address of its author.
fn commits_of(root: &Path, revisions: &[&str], file: &str) -> Vec<(String, String)> {
    let out = git(root)
        .args([
            "log",
            "--no-renames",
            "--format=%H %ae",
            "-n",
            &MOST.to_string(),
        ])
        .args(revisions)
        .args(["--", file])
        .output();
    let Some(out) = out.ok().filter(|out| out.status.success()) else {
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&out.stdout);
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines
        .map(|(commit, author)| (commit.to_owned(), author.to_owned()))
        .collect()
}

fn version_at(root: &Path, commit: &str, file: &str) -> Option<Case> {
    let out = git(root)
        .args(["show", &format!("{commit}:./{file}")])
        .output()
        .ok()?;
    if !out.status.success() {
        return None;
    }
    let value = serde_json::from_slice(&out.stdout).ok()?;
    Case::from_value(value).ok()
}
