//! Finding the copy of a source that was made nearest to its publication.

use chrono::NaiveDate;

use super::answer::{Capture, captures, closest};
use super::client::{LARGEST_JSON, Lane, Reply, Request, Trouble};
use super::{Answer, Archive, Wanted, in_query, stored};
use crate::model::Verdict;
use crate::normalize::{ArchiveVerdict, audit_archive, without_campaign};

/// Copies that are looked at before it is said that none shows the page.
const LOOKED_AT: usize = 3;

/// Captures that the index is asked for: some may be of addresses that it does not tell apart.
const LISTED: usize = 20;

impl Archive<'_> {
    /// The nearest proven copy; the error is the answer where there is none.
    pub(super) fn find_copy(&mut self, wanted: &Wanted) -> Result<Answer, Answer> {
        if let Err(fault) = crate::normalize::check_address(&wanted.url) {
            let message = format!("no archive can be asked for this address: {fault}");
            return Err(Answer::new(Verdict::Mismatch, message));
        }
        let plain = without_campaign(&wanted.url);
        let mut candidates = Vec::new();
        for address in std::iter::once(&wanted.url).chain(&plain) {
            match self.listed(address, wanted) {
                Ok(listed) => candidates = self.candidates(listed, wanted),
                Err(answer)
                    if matches!(answer.verdict, Verdict::Unreachable | Verdict::Malformed) =>
                {
                    // The index says nothing. A copy that is at hand elsewhere may still be proven.
                    return self.available(wanted).unwrap_or(Err(answer));
                }
                Err(answer) => return Err(answer),
            }
            if !candidates.is_empty() {
                break;
            }
        }
        self.first_proven(&candidates, wanted)
    }

    fn first_proven(&mut self, candidates: &[Capture], wanted: &Wanted) -> Result<Answer, Answer> {
        let mut last = Answer::new(
            Verdict::Missing,
            match wanted.not_before {
                Some(day) => format!("the archive lists no copy of it made since {day}"),
                None => "the archive lists no copy of it".to_owned(),
            },
        );
        for capture in candidates.iter().take(LOOKED_AT) {
            let answer = self.look(&capture.stamp, &capture.original, wanted);
            match answer.verdict {
                Verdict::Verified => {
                    return Ok(Answer {
                        verdict: Verdict::Found,
                        ..answer
                    });
                }
                verdict if verdict.standing() == crate::model::Standing::Unknown => {
                    return Err(answer);
                }
                _ => last = answer,
            }
        }
        Err(last)
    }

    /// The captures that the index lists for an address, nearest to the day first as far as the index can.
    fn listed(&mut self, address: &str, wanted: &Wanted) -> Result<Vec<Capture>, Answer> {
        let near = wanted.near.or(wanted.not_before);
        let near = near.map(|day| format!("&closest={}", day.format("%Y%m%d")));
        let target = format!(
            "/cdx/search/cdx?url={}&output=json&fl=timestamp,original,statuscode&filter=statuscode:200{}&limit={LISTED}",
            in_query(address),
            near.unwrap_or_default()
        );
        let reply = self.json(Lane::Index, &target)?;
        if let Some(answer) = blocked(&reply) {
            return Err(answer);
        }
        if reply.status != 200 {
            let message = format!("the index answers with status {}", reply.status);
            return Err(Answer::new(Verdict::Malformed, message));
        }
        captures(&reply.body).map_err(|why| {
            let message = format!("the answer of the index cannot be read: {why}");
            Answer::new(Verdict::Malformed, message)
        })
    }

    /// Captures that may be copies of the source, the nearest to its publication first.
    fn candidates(&self, listed: Vec<Capture>, wanted: &Wanted) -> Vec<Capture> {
        let today = self.today();
        let day_of = |capture: &Capture| {
            let audit = audit_archive(
                &wanted.url,
                &stored(&capture.stamp, &capture.original),
                today,
            );
            let good = audit.verdict == ArchiveVerdict::Match && capture.status == Some(200);
            audit.captured.filter(|_| good)
        };
        let near = wanted.near.or(wanted.not_before);
        let mut dated: Vec<(NaiveDate, Capture)> = listed
            .into_iter()
            .filter_map(|capture| Some((day_of(&capture)?, capture)))
            .filter(|(day, _)| wanted.not_before.is_none_or(|first| first <= *day))
            .collect();
        let away = |day: NaiveDate| near.map_or(0, |near| (day - near).num_days().abs());
        dated.sort_by(|a, b| (away(a.0), &a.1.stamp).cmp(&(away(b.0), &b.1.stamp)));
        dated.dedup_by(|a, b| a.1.stamp == b.1.stamp);
        dated.into_iter().map(|(_, capture)| capture).collect()
    }

    /// A copy that the availability service names, when it can be proven. Its silence proves nothing.
    fn available(&mut self, wanted: &Wanted) -> Option<Result<Answer, Answer>> {
        let near = wanted.near.or(wanted.not_before);
        let near = near.map(|day| format!("&timestamp={}", day.format("%Y%m%d")));
        let target = format!(
            "/wayback/available?url={}{}",
            in_query(&wanted.url),
            near.unwrap_or_default()
        );
        let reply = self.json(Lane::Available, &target).ok()?;
        let capture = closest(&reply.body).ok()??;
        let candidates = self.candidates(vec![capture], wanted);
        let answer = self.first_proven(&candidates, wanted);
        answer.ok().map(Ok)
    }

    /// A small document; one that is too large is none.
    pub(super) fn json(&mut self, lane: Lane, target: &str) -> Result<Reply, Answer> {
        let mut target = target.to_owned();
        for _ in 0..4 {
            let reply = self.client.send(&Request {
                lane,
                target: &target,
                form: None,
                read: LARGEST_JSON,
            })?;
            if let (301 | 302 | 303 | 307 | 308, Some(to)) =
                (reply.status, reply.header("location"))
            {
                target = self.client.own_target(lane, &target, &to).ok_or_else(|| {
                    let message = "the archive redirects to another host, which is not followed";
                    Answer::new(Verdict::Malformed, message)
                })?;
                continue;
            }
            if reply.cut {
                let message = format!(
                    "the answer has more than {} MiB, too much for what was asked",
                    LARGEST_JSON >> 20
                );
                return Err(Answer::new(Verdict::Malformed, message));
            }
            return Ok(reply);
        }
        Err(Trouble::Unreachable("the archive redirects in a circle".to_owned()).into())
    }
}

/// An archive that keeps copies and does not show them says so in a header of its own.
pub(super) fn blocked(reply: &Reply) -> Option<Answer> {
    let error = reply.header("x-archive-wayback-runtime-error")?;
    let by_robots = error.contains("RobotAccessControl");
    let reason = match by_robots {
        true => "the site's robots.txt keeps it from being shown",
        false => "the archive does not show this site",
    };
    (by_robots || error.contains("AccessControl") || reply.status == 403)
        .then(|| Answer::new(Verdict::Blocked, reason))
}
