//! Asking the archive for a copy (Save Page Now), and waiting for it.

use super::answer::{State, Submitted, state, submitted};
use super::client::{LARGEST_JSON, Lane, Request};
use super::{Answer, Archive, Wanted, in_query, stored};
use crate::model::Verdict;
use crate::normalize::{ArchiveVerdict, audit_archive};

/// Why no further capture is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aborted {
    /// What the archive said.
    pub message: String,
}

/// Errors after which the archive takes nothing more on that day.
const FOR_TODAY: [&str; 4] = [
    "too-many-daily-captures",
    "max-daily-bandwidth",
    "max-daily-bandwidth-from-ip",
    "max-daily-bandwidth-host",
];

/// Errors that pass.
const PASSING: [&str; 18] = [
    "user-session-limit",
    "too-many-requests",
    "no-browsers-available",
    "proxy-error",
    "celery",
    "browsing-timeout",
    "soft-time-limit-exceeded",
    "cannot-fetch",
    "capture-location-error",
    "job-failed",
    "internal-server-error",
    "bad-gateway",
    "gateway-timeout",
    "service-unavailable",
    "read-timeout",
    "protocol-error",
    "bandwidth-limit-exceeded",
    "try-again",
];

impl Archive<'_> {
    /// Asks for a capture, waits until it is made, and looks at it.
    pub(super) fn save_copy(&mut self, wanted: &Wanted) -> Result<Answer, Aborted> {
        // A capture of the last day serves as well, and a second one would count against the day's allowance.
        let form = format!(
            "url={}&skip_first_archive=1&if_not_archived_within=86400",
            in_query(&wanted.url)
        );
        let request = Request {
            lane: Lane::Save,
            target: "/save",
            form: Some(&form),
            read: LARGEST_JSON,
        };
        let reply = match self.client.send(&request) {
            Ok(reply) => reply,
            Err(trouble) => return Ok(trouble.into()),
        };
        if matches!(reply.status, 401 | 403) {
            return Err(Aborted {
                message: format!(
                    "the archive does not accept the keys (status {})",
                    reply.status
                ),
            });
        }
        if reply.status != 200 || reply.cut {
            let message = format!(
                "the archive answers the request for a copy with status {}",
                reply.status
            );
            return Ok(Answer::new(Verdict::Malformed, message));
        }
        Ok(match submitted(&reply.body) {
            Ok(Submitted::Job(job)) => self.wait_for(&job, wanted).unwrap_or_else(|a| a),
            Ok(Submitted::Refused(code, message)) => refused(&code, &message),
            Err(why) => {
                let message = format!("the answer to the request for a copy cannot be read: {why}");
                Answer::new(Verdict::Malformed, message)
            }
        })
    }

    fn wait_for(&mut self, job: &str, wanted: &Wanted) -> Result<Answer, Answer> {
        let limits = self.client.limits();
        let (polls, pause) = (limits.polls, limits.poll_pause);
        for _ in 0..polls {
            self.client.wait(pause, "the archive makes the copy")?;
            let reply = self.json(Lane::State, &format!("/save/status/{job}"))?;
            if reply.status != 200 {
                let message = format!(
                    "the archive knows nothing of the copy it was making (status {})",
                    reply.status
                );
                return Ok(Answer::new(Verdict::Unreachable, message));
            }
            match state(&reply.body) {
                Ok(State::Pending) => {}
                Ok(State::Failed(code, message)) => return Ok(refused(&code, &message)),
                Ok(State::Done(made)) => {
                    return Ok(self.made(&made.stamp, &made.original, made.status, wanted));
                }
                Err(why) => {
                    let message = format!("the state of the copy cannot be read: {why}");
                    return Ok(Answer::new(Verdict::Malformed, message));
                }
            }
        }
        let message = format!("the copy was not made while it was asked {polls} times");
        Ok(Answer::new(Verdict::Pending, message))
    }

    /// A copy that was made: of this page, and shown?
    fn made(
        &mut self,
        stamp: &str,
        original: &str,
        status: Option<u16>,
        wanted: &Wanted,
    ) -> Answer {
        let link = stored(stamp, original);
        let audit = audit_archive(&wanted.url, &link, self.today());
        if audit.verdict != ArchiveVerdict::Match {
            let message = format!(
                "{}: the copy that was made is of `{original}`: it {}",
                audit.code, audit.reason
            );
            return Answer::new(Verdict::OtherPage, message);
        }
        if let Some(status) = status.filter(|status| !(200..300).contains(status)) {
            let message = format!("the archive kept an error page (status {status})");
            return Answer::new(Verdict::ErrorPage, message);
        }
        let mut answer = self.look(stamp, original, wanted);
        if answer.verdict == Verdict::Verified {
            answer.verdict = Verdict::Saved;
            answer.message = format!("the archive made the copy of {stamp}");
        }
        answer
    }
}

fn refused(code: &str, message: &str) -> Answer {
    let code = code.strip_prefix("error:").unwrap_or(code);
    let plain: String = message
        .chars()
        .filter(|c| !c.is_control())
        .take(200)
        .collect();
    let said = format!("the archive makes no copy: {plain} ({code})");
    let verdict = if FOR_TODAY.contains(&code) {
        Verdict::Exhausted
    } else if PASSING.contains(&code) {
        Verdict::Unreachable
    } else {
        // What is not known is final: an archive is not hammered.
        Verdict::Refused
    };
    Answer::new(verdict, said)
}
