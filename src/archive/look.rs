//! Looking at a copy: whether the archive shows, at that time, the page it is said to be.

use std::collections::BTreeSet;

use chrono::{NaiveDateTime, TimeDelta};

use super::client::{LARGEST_LOOK, Lane, Reply, Request};
use super::find::blocked;
use super::memento::{challenge, is_excluded, memento, shown_redirect};
use super::{Answer, Archive, Wanted, in_target, stored};
use crate::model::Verdict;
use crate::normalize::{ArchiveVerdict, audit_archive};

/// Redirects inside the archive that are followed.
const HOPS: usize = 3;

/// A copy is listed this long before it is surely shown, in hours.
const INDEXED_AFTER: i64 = 24;

impl Archive<'_> {
    /// Audits the archived link of a source: by its address, then by looking.
    pub(super) fn audit_copy(&mut self, wanted: &Wanted) -> Result<Answer, Answer> {
        let archived = wanted.archived.as_deref().unwrap_or_default();
        let audit = audit_archive(&wanted.url, archived, self.today());
        let by_address = |verdict| {
            let message = format!("{}: `{archived}` {}", audit.code, audit.reason);
            let mut answer = Answer::new(verdict, message);
            answer.copy = audit.better.clone();
            answer
        };
        match audit.verdict {
            ArchiveVerdict::Mismatch => return Ok(by_address(Verdict::Mismatch)),
            ArchiveVerdict::Suspicious => return Ok(by_address(Verdict::Suspicious)),
            ArchiveVerdict::Match => {}
        }
        let parts = audit.better.as_deref().and_then(|link| {
            link.strip_prefix("https://web.archive.org/web/")?
                .split_once('/')
        });
        match parts {
            Some((stamp, target)) => Ok(self.look(stamp, target, wanted)),
            None => {
                let message = "its address is right; this archive is not asked by programs";
                Ok(Answer::new(Verdict::Verified, message))
            }
        }
    }

    /// Looks at the copy of `original` made at `stamp`.
    pub(super) fn look(&mut self, stamp: &str, original: &str, wanted: &Wanted) -> Answer {
        let answer = self.follow(stamp, original, wanted);
        let mut answer = answer.unwrap_or_else(|answer| answer);
        let absent = matches!(answer.verdict, Verdict::OtherTime | Verdict::Missing);
        if absent && self.is_fresh(stamp) {
            answer.verdict = Verdict::Pending;
            answer.message = format!(
                "the copy of {stamp} is less than {INDEXED_AFTER} hours old and not shown yet"
            );
        }
        answer
    }

    fn follow(&mut self, stamp: &str, original: &str, wanted: &Wanted) -> Result<Answer, Answer> {
        let mut target = format!("/web/{stamp}id_/{}", in_target(original));
        let mut seen = BTreeSet::new();
        loop {
            if !seen.insert(target.clone()) || seen.len() > HOPS + 1 {
                let message = "the copies redirect to each other in a circle";
                return Ok(Answer::new(Verdict::Circular, message));
            }
            let reply = self.client.send(&Request {
                lane: Lane::Replay,
                target: &target,
                form: None,
                read: LARGEST_LOOK,
            })?;
            if let Some(shown) = memento(&reply) {
                let original = shown.original.as_deref().unwrap_or(original);
                return Ok(self.judge(stamp, &shown.stamp, original, &reply, wanted));
            }
            let location = reply.header("location");
            let (301 | 302 | 303 | 307 | 308, Some(to)) = (reply.status, location) else {
                return Ok(no_copy(&reply));
            };
            target = self
                .client
                .own_target(Lane::Replay, &target, &to)
                .ok_or_else(|| {
                    let message = "the archive redirects to another host, which is not followed";
                    Answer::new(Verdict::Malformed, message)
                })?;
        }
    }

    /// Judges a page that the archive shows as a copy made at `shown`.
    fn judge(
        &self,
        stamp: &str,
        shown: &str,
        original: &str,
        reply: &Reply,
        wanted: &Wanted,
    ) -> Answer {
        let link = stored(shown, original);
        if shown != stamp {
            let message = format!("the archive holds no copy of {stamp}; the nearest is {link}");
            return Answer::new(Verdict::OtherTime, message);
        }
        let audit = audit_archive(&wanted.url, &link, self.today());
        if audit.verdict != ArchiveVerdict::Match {
            let message = format!(
                "{}: the copy is of `{original}`: it {}",
                audit.code, audit.reason
            );
            return Answer::new(Verdict::OtherPage, message);
        }
        match reply.status {
            200..=299 => {}
            300..=399 => {
                let to = reply.header("location").unwrap_or_default();
                let to = original_of(&to).unwrap_or(&to).to_owned();
                let message = format!("the archive kept a redirect to `{to}`");
                return Answer::new(Verdict::Redirect, message);
            }
            status => {
                let message = format!("the archive kept an error page (status {status})");
                return Answer::new(Verdict::ErrorPage, message);
            }
        }
        if let Some(title) = challenge(&reply.body) {
            let message = format!("the archive kept the page `{title}` that stood before it");
            return Answer::new(Verdict::Challenge, message);
        }
        let mut answer = Answer::new(Verdict::Verified, format!("the copy of {stamp} is shown"));
        answer.copy = Some(link);
        answer
    }

    fn is_fresh(&self, stamp: &str) -> bool {
        let Ok(made) = NaiveDateTime::parse_from_str(stamp, "%Y%m%d%H%M%S") else {
            return false;
        };
        let age = self.client.now().naive_utc() - made;
        (TimeDelta::zero()..TimeDelta::hours(INDEXED_AFTER)).contains(&age)
    }
}

/// An answer that shows no copy.
fn no_copy(reply: &Reply) -> Answer {
    if let Some(answer) = blocked(reply) {
        return answer;
    }
    match reply.status {
        404 => Answer::new(Verdict::Missing, "the archive holds no copy of it at all"),
        200 if is_excluded(&reply.body) => {
            Answer::new(Verdict::Blocked, "the archive does not show this site")
        }
        200 => match shown_redirect(&reply.body) {
            Some(to) => {
                let message = format!("the archive kept a redirect to `{to}`");
                Answer::new(Verdict::Redirect, message)
            }
            None => {
                let message = "the archive shows a page that is no copy (no `Memento-Datetime`)";
                Answer::new(Verdict::Malformed, message)
            }
        },
        status => {
            let message = format!("the archive answers with status {status}");
            Answer::new(Verdict::Malformed, message)
        }
    }
}

/// The address behind the stamp of an address of a copy.
fn original_of(link: &str) -> Option<&str> {
    let rest = link.split_once("/web/")?.1;
    Some(rest.split_once('/')?.1)
}
