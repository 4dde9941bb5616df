//! The address forms of web archives: which of them an address has, and what it tells of copy and original.

use chrono::{Datelike, NaiveDate};
use url::Url;

/// What kind of address of an archive an address is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Family {
    /// None of an archive that is known.
    None,
    /// A page of the archive itself: calendar, search, request.
    NoCapture,
    /// Always the newest copy.
    NoStamp,
    /// Of a service that keeps nothing.
    Gone(&'static str),
    /// A copy whose address does not tell of what.
    Opaque,
    /// A file of a GitHub repository at a commit: owner, repository and path.
    Pinned(String),
    /// A copy with its time stamp and the address it is of.
    Copy { stamp: Stamp, target: String },
}

/// The time stamp of a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stamp {
    /// As it stands.
    pub(super) text: String,
    /// Its digits, year first.
    digits: String,
    /// It names one copy: down to the second, or the archive keeps one for it.
    pub(super) whole: bool,
    /// Of the Wayback Machine, whose links have a form to be kept in.
    wayback: bool,
}

impl Stamp {
    /// The day it names, where it names one; `None` when it is of no day on which a copy can have been made: the first
    /// copies are of 1996, and none is of the future.
    pub(super) fn day(&self, today: NaiveDate) -> Option<Option<NaiveDate>> {
        let part = |from: usize, to: usize| self.digits.get(from..to)?.parse::<u32>().ok();
        let year = i32::try_from(part(0, 4)?).ok()?;
        let (month, day) = (part(4, 6), part(6, 8));
        let time = [(8, 24), (10, 60), (12, 61)];
        let timely = time
            .iter()
            .all(|(at, below)| part(*at, at + 2).is_none_or(|n| n < *below));
        if !(1996..=today.year()).contains(&year) || !timely {
            return None;
        }
        let exact = NaiveDate::from_ymd_opt(year, month.unwrap_or(1), day.unwrap_or(1))?;
        // An archive east of here may be a day ahead.
        if exact > today.succ_opt().unwrap_or(today) {
            return None;
        }
        Some(day.map(|_| exact))
    }

    /// The form in which a link of the Wayback Machine is kept: https, the whole stamp, nothing behind it.
    pub(super) fn wayback(&self, target: &str) -> Option<String> {
        let human = || format!("https://web.archive.org/web/{}/{target}", self.digits);
        (self.wayback && self.whole).then(human)
    }
}

/// Reads the form of an address.
pub(super) fn read_family(address: &str) -> Family {
    let Some((host, path)) = host_and_path(address) else {
        return Family::None;
    };
    match host.as_str() {
        "web.archive.org" | "wayback.archive.org" | "web-beta.archive.org" => wayback(&path),
        "archive.today" | "archive.ph" | "archive.is" | "archive.li" | "archive.fo"
        | "archive.vn" | "archive.md" => archive_today(&path),
        "perma.cc" => Family::Opaque,
        "ghostarchive.org" => match path.strip_prefix("archive/").map(split) {
            Some((stamp, target)) if digits(stamp, 8..=14) && !target.is_empty() => {
                copy(stamp, stamp, true, false, target)
            }
            _ => Family::Opaque,
        },
        "arquivo.pt" => {
            let rest = path
                .strip_prefix("wayback/")
                .or_else(|| path.strip_prefix("noFrame/replay/"));
            rest.map_or(Family::NoCapture, |rest| stamped(rest, false))
        }
        "wayback.archive-it.org" => {
            let (_, rest) = split(&path);
            stamped(rest, false)
        }
        "webcitation.org" => Family::Gone("WebCite"),
        "webcache.googleusercontent.com" => Family::Gone("the cache of a search engine"),
        "github.com" | "raw.githubusercontent.com" => {
            let file = repository_file(&host, &path);
            match file {
                Some((file, at)) if is_commit(&at) => Family::Pinned(file),
                _ => Family::None,
            }
        }
        host if host == "megalodon.jp" || host.ends_with(".megalodon.jp") => megalodon(&path),
        _ => Family::None,
    }
}

/// The address that an address of a copy is a copy of.
pub(super) fn unwrap_copy(address: &str) -> Option<String> {
    match read_family(address) {
        Family::Copy { target, .. } => Some(target),
        _ => None,
    }
}

/// Owner, repository and path of a file of a GitHub repository, at whatever branch, tag or commit.
pub(super) fn file_of(page: &Url) -> Option<String> {
    let (host, path) = host_and_path(page.as_str())?;
    Some(repository_file(&host, &path)?.0)
}

/// The host without `www.`, and everything behind the first slash, as it stands.
fn host_and_path(address: &str) -> Option<(String, String)> {
    let (scheme, rest) = address.split_once("://")?;
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        return None;
    }
    let (host, path) = split(rest);
    let host = host.to_ascii_lowercase();
    let host = host.trim_end_matches(":443").trim_end_matches(":80");
    Some((host.trim_start_matches("www.").to_owned(), path.to_owned()))
}

fn split(path: &str) -> (&str, &str) {
    path.split_once('/').unwrap_or((path, ""))
}

fn digits(text: &str, count: std::ops::RangeInclusive<usize>) -> bool {
    count.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
}

fn copy(text: &str, digits: &str, whole: bool, wayback: bool, target: &str) -> Family {
    Family::Copy {
        stamp: Stamp {
            text: text.to_owned(),
            digits: digits.to_owned(),
            whole,
            wayback,
        },
        target: target.to_owned(),
    }
}

fn wayback(path: &str) -> Family {
    let Some(rest) = path.strip_prefix("web/") else {
        return Family::NoCapture;
    };
    let (first, _) = split(rest);
    let lower = first.to_ascii_lowercase();
    if lower.starts_with("http:") || lower.starts_with("https:") {
        return Family::NoStamp;
    }
    stamped(rest, true)
}

/// `20240102030405id_/https://…`
fn stamped(rest: &str, wayback: bool) -> Family {
    let (first, target) = split(rest);
    let end = first
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(first.len());
    let (stamp, flag) = first.split_at(end);
    let flagged = flag.is_empty() || flag.ends_with('_') && flag.len() == 3;
    if target.is_empty() || !digits(stamp, 1..=14) || !flagged {
        return Family::NoCapture;
    }
    copy(stamp, stamp, stamp.len() == 14, wayback, target)
}

fn archive_today(path: &str) -> Family {
    let (first, target) = split(path);
    let plain: String = first.chars().filter(|c| !matches!(c, '.' | '-')).collect();
    match (first, target) {
        ("newest" | "oldest", _) => Family::NoStamp,
        ("", _) | ("submit" | "search", _) => Family::NoCapture,
        (_, "") if first.len() <= 6 => Family::Opaque,
        _ if digits(&plain, 4..=14) && !target.is_empty() => {
            copy(first, &plain, plain.len() == 14, false, target)
        }
        _ if first.starts_with("http") => Family::NoStamp,
        _ => Family::NoCapture,
    }
}

/// `2026-0319-1258-12`, a time in Japan.
fn megalodon(path: &str) -> Family {
    let (first, target) = split(path);
    let plain: String = first.chars().filter(|c| *c != '-').collect();
    if !digits(&plain, 14..=14) || target.is_empty() {
        return Family::NoCapture;
    }
    copy(first, &plain, true, false, target)
}

fn is_commit(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Owner, repository and path of a file, and the commit or branch it is read at.
fn repository_file(host: &str, path: &str) -> Option<(String, String)> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let mut parts = path.split('/');
    let (owner, repository) = (parts.next()?, parts.next()?);
    if host == "github.com" && !matches!(parts.next()?, "blob" | "raw" | "tree" | "blame") {
        return None;
    }
    let at = parts.next()?;
    let file: Vec<&str> = parts.collect();
    let name = format!("{owner}/{repository}/{}", file.join("/"));
    (!file.is_empty()).then(|| (name, at.to_owned()))
}
