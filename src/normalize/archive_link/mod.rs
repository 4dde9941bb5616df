//! Whether the address of an archived copy is that of a copy of a page: what the two addresses say by themselves,
//! without asking the archive.
//!
//! Each verdict has a code, `ARC000` for a good copy; the codes stand in messages.

mod compared;
mod family;

use chrono::NaiveDate;
use url::Url;

use super::address::route_of;
pub use compared::without_campaign;

use compared::{Compared, differ};
use family::{Family, Stamp, file_of, read_family, unwrap_copy};

/// How far an archived link can be trusted to show its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArchiveVerdict {
    /// It is a copy of the page.
    Match,
    /// It may be; a person has to look.
    Suspicious,
    /// It is not.
    Mismatch,
}

impl ArchiveVerdict {
    /// The word for it in tables and output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Match => "match",
            Self::Suspicious => "suspicious",
            Self::Mismatch => "mismatch",
        }
    }
}

/// What two addresses say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveAudit {
    /// Whether it is a copy.
    pub verdict: ArchiveVerdict,
    /// `ARC000` for a match, else why not.
    pub code: &'static str,
    /// The reason, to be read after the address.
    pub reason: String,
    /// The address that should stand there instead, where it follows from this one.
    pub better: Option<String>,
    /// The day of the copy, in UTC, where the address tells it.
    pub captured: Option<NaiveDate>,
}

impl ArchiveAudit {
    fn new(verdict: ArchiveVerdict, code: &'static str, reason: impl Into<String>) -> Self {
        Self {
            verdict,
            code,
            reason: reason.into(),
            better: None,
            captured: None,
        }
    }

    fn mismatch(code: &'static str, reason: impl Into<String>) -> Self {
        Self::new(ArchiveVerdict::Mismatch, code, reason)
    }

    fn suspicious(code: &'static str, reason: impl Into<String>) -> Self {
        Self::new(ArchiveVerdict::Suspicious, code, reason)
    }
}

/// Judges `archived` as a copy of `url`. `today` tells stamps of the future.
pub fn audit_archive(url: &str, archived: &str, today: NaiveDate) -> ArchiveAudit {
    let Ok(page) = Url::parse(url) else {
        return ArchiveAudit::mismatch("ARC001", "cannot be compared: the source has no address");
    };
    if !page.username().is_empty() || page.password().is_some() {
        return ArchiveAudit::mismatch("ARC003", "the address of the source holds a password");
    }
    let live = matches!(read_family(url), Family::None | Family::Pinned(_));
    if !live {
        let mut audit = ArchiveAudit::mismatch(
            "ARC002",
            "the address of the source is itself that of a copy; write the original's there",
        );
        audit.better = unwrap_copy(url);
        return audit;
    }
    let (stamp, target) = match read_family(archived) {
        Family::None => {
            return ArchiveAudit::mismatch("ARC007", "is no address of a web archive");
        }
        Family::NoCapture => {
            let reason = "is a calendar, search or request page of the archive, no copy";
            return ArchiveAudit::mismatch("ARC004", reason);
        }
        Family::NoStamp => {
            let reason = "has no time stamp: what it shows changes with each new copy";
            return ArchiveAudit::mismatch("ARC005", reason);
        }
        Family::Gone(service) => {
            let reason = format!("{service} keeps no lasting copies");
            return ArchiveAudit::mismatch("ARC006", reason);
        }
        Family::Opaque => {
            let reason = "does not tell which page it shows; open it and look";
            return ArchiveAudit::suspicious("ARC012", reason);
        }
        Family::Pinned(file) => return pinned(&page, &file),
        Family::Copy { stamp, target } => (stamp, target),
    };
    let Some(captured) = stamp.day(today) else {
        let reason = format!(
            "its time stamp {} is of no day on which a copy can have been made",
            stamp.text
        );
        return ArchiveAudit::mismatch("ARC008", reason);
    };
    let mut audit = compare(&page, &target, &stamp);
    audit.captured = captured;
    audit
}

/// A file of a repository at a commit, beside the same file at a branch.
fn pinned(page: &Url, file: &str) -> ArchiveAudit {
    if file_of(page).as_deref() == Some(file) {
        ArchiveAudit::new(ArchiveVerdict::Match, "ARC000", "is the file at a commit")
    } else {
        ArchiveAudit::mismatch("ARC020", "is another file")
    }
}

fn compare(page: &Url, target: &str, stamp: &Stamp) -> ArchiveAudit {
    let (target, repaired) = repair(target);
    let nested = match read_family(&target) {
        Family::Copy { target, .. } => Some(target),
        _ => None,
    };
    let inner = nested.as_ref().map(|inner| repair(inner).0);
    let shown = inner.as_deref().unwrap_or(&target);
    let Ok(copy) = Url::parse(shown) else {
        return ArchiveAudit::mismatch("ARC020", "is a copy of no web address");
    };
    if let Some((verdict, code, reason)) = differ(&Compared::new(page), &Compared::new(&copy)) {
        return ArchiveAudit::new(verdict, code, format!("{reason} (`{shown}`)"));
    }
    if nested.is_some() {
        let mut audit = ArchiveAudit::suspicious("ARC014", "is a copy of another archive's page");
        audit.better = Some(target);
        audit
    } else if route_of(page).is_some() && route_of(page) != route_of(&copy) {
        let reason = "leaves out the route after `#`; the copy may show the front page";
        ArchiveAudit::suspicious("ARC016", reason)
    } else if repaired {
        let mut audit = ArchiveAudit::suspicious("ARC013", "lost a slash of the address it copies");
        audit.better = stamp.wayback(&target);
        audit
    } else if !stamp.whole {
        let reason =
            "has a short time stamp: it shows the copy that is nearest on the day of reading";
        ArchiveAudit::suspicious("ARC011", reason)
    } else {
        let mut audit = ArchiveAudit::new(ArchiveVerdict::Match, "ARC000", "is a copy of the page");
        audit.better = stamp.wayback(&target);
        audit
    }
}

/// The address a copy was made of, with the scheme that archives leave out and the slash that tools lose. The flag
/// says whether it was damaged.
fn repair(target: &str) -> (String, bool) {
    let lower = target.get(..8).unwrap_or(target).to_ascii_lowercase();
    if lower.starts_with("http%3a") || lower.starts_with("https%3a") {
        let decoded = percent_encoding::percent_decode_str(target).decode_utf8_lossy();
        return (decoded.into_owned(), false);
    }
    for scheme in ["http", "https"] {
        if let Some(rest) = target
            .strip_prefix(scheme)
            .and_then(|r| r.strip_prefix(":/"))
        {
            return match rest.strip_prefix('/') {
                Some(_) => (target.to_owned(), false),
                None => (format!("{scheme}://{rest}"), true),
            };
        }
    }
    (format!("http://{target}"), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(url: &str, archived: &str) -> &'static str {
        let today = NaiveDate::from_ymd_opt(2026, 12, 4).unwrap();
        audit_archive(url, archived, today).code
    }

    const PAGE: &str = "https://example.org/pm/7";

    #[test]
    fn copies_in_the_forms_of_many_archives() {
        for archived in [
            "https://web.archive.org/web/20240102030405/https://example.org/pm/7",
            "https://web.archive.org/web/20240102030405/example.org/pm/7",
            "http://wayback.archive.org/web/20240102030405id_/http://www.example.org:80/pm/7/",
            "https://archive.is/20240102030405/https://example.org/pm/7",
            "https://archive.today/2024.01.02-030405/https://example.org/pm/7",
            "https://ghostarchive.org/archive/20240102/https://example.org/pm/7",
            "https://s1.megalodon.jp/2024-0102-1258-12/https://example.org:443/pm/7",
            "https://arquivo.pt/wayback/20240102030405mp_/https://example.org/pm/7",
            "https://arquivo.pt/noFrame/replay/20240102030405/https://example.org/pm/7",
            "https://wayback.archive-it.org/all/20240102030405/https://example.org/pm/7",
        ] {
            assert_eq!(code(PAGE, archived), "ARC000", "{archived}");
        }
    }

    #[test]
    fn what_only_looks_like_a_copy() {
        for (archived, expected) in [
            ("https://web.archive.org/", "ARC004"),
            (
                "https://web.archive.org/cdx/search/cdx?url=example.org",
                "ARC004",
            ),
            (
                "https://archive.ph/newest/https://example.org/pm/7",
                "ARC005",
            ),
            ("https://archive.ph/", "ARC004"),
            (
                "https://www.webcitation.org/6abcdefgh?url=https://example.org/pm/7",
                "ARC006",
            ),
            (
                "https://web.archive.org/web/19940102030405/https://example.org/pm/7",
                "ARC008",
            ),
            (
                "https://web.archive.org/web/20240230000000/https://example.org/pm/7",
                "ARC008",
            ),
            (
                "https://web.archive.org/web/20240102030405/mailto:me@example.org",
                "ARC020",
            ),
            ("not an address", "ARC007"),
            ("", "ARC007"),
        ] {
            assert_eq!(code(PAGE, archived), expected, "{archived}");
        }
        let better = |archived: &str| {
            audit_archive(
                PAGE,
                archived,
                NaiveDate::from_ymd_opt(2026, 12, 4).unwrap(),
            )
            .better
        };
        let human = "https://web.archive.org/web/20240102030405/https://example.org/pm/7";
        assert_eq!(
            better(&human.replace("https://web", "http://web")).as_deref(),
            Some(human)
        );
        assert_eq!(
            better(&human.replace("s://example", "s:/example")).as_deref(),
            Some(human)
        );
    }
}
