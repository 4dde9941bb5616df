//! The questions of `incidentlib archive`, one source after the other: to the archive, to the source itself, or to the
//! log of earlier runs.

use std::thread;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use indicatif::ProgressBar;

use super::{Args, Place};
use crate::archive::{Archive, Clock, Limits, Wanted, live};
use crate::cli::Global;
use crate::fetch::Bounds;
use crate::library::{Error, Ledger};
use crate::model::{Asked, Question, Standing, Verdict};
use crate::normalize::{ArchiveVerdict, audit_archive};

/// The clock of this machine; whoever watches sees what is waited for.
#[derive(Debug)]
pub(super) struct SystemClock {
    pub(super) start: Instant,
    pub(super) bar: ProgressBar,
}

impl Clock for SystemClock {
    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn wall(&self) -> DateTime<Utc> {
        Utc::now()
    }

    fn wait(&self, time: Duration, why: &str) {
        if time > Duration::from_secs(5) && !why.is_empty() {
            self.bar.set_message(format!("{why}, {} s", time.as_secs()));
        }
        thread::sleep(time);
        self.bar.set_message("");
    }
}

/// An answer with whether it was given in an earlier run.
pub(super) type TimedAnswer = (Asked, bool);

/// Asks the archive about a source, or takes what an earlier run was told. The inner error says why nothing more is
/// asked.
pub(super) fn ask(
    args: &Args,
    place: &Place,
    archive: &mut Archive<'_>,
    ledger: &mut Ledger,
    clock: &SystemClock,
) -> Result<Result<TimedAnswer, String>, Error> {
    let wanted = &place.wanted;
    let question = match args.audit {
        true => Question::Audit,
        false => Question::Find,
    };
    let mut answer = match earlier(args, wanted, question, ledger, clock) {
        Some(asked) => (asked, true),
        None => {
            let asked = match args.audit {
                true => archive.audit(wanted),
                false => archive.find(wanted),
            };
            ledger.append(asked.clone())?;
            (asked, false)
        }
    };
    let broken = answer.0.verdict.standing() == Standing::Broken;
    if args.replace && broken {
        let found = archive.find(wanted);
        if found.verdict.standing() == Standing::Ok {
            ledger.append(found.clone())?;
            answer = (found, false);
        }
    }
    if args.save && !args.dry_run && answer.0.verdict == Verdict::Missing {
        if let Some(asked) = earlier(args, wanted, Question::Save, ledger, clock) {
            return Ok(Ok((asked, true)));
        }
        match archive.save(wanted) {
            Ok(asked) => {
                ledger.append(asked.clone())?;
                answer = (asked, false);
            }
            Err(aborted) => return Ok(Err(aborted.message)),
        }
    }
    Ok(Ok(answer))
}

pub(super) fn ask_source(
    args: &Args,
    place: &Place,
    limits: &Limits,
    ledger: &mut Ledger,
    clock: &SystemClock,
) -> Result<TimedAnswer, Error> {
    let wanted = &place.wanted;
    if let Some(asked) = earlier(args, wanted, Question::Live, ledger, clock) {
        return Ok((asked, true));
    }
    let left = args.budget.saturating_sub(clock.elapsed());
    if left.is_zero() {
        let asked = Asked {
            url: wanted.url.clone(),
            question: Question::Live,
            archived: None,
            verdict: Verdict::OutOfBudget,
            message: "the time of the run was over before its turn".to_owned(),
            copy: None,
            at: clock.wall().to_rfc3339(),
        };
        return Ok((asked, false));
    }
    let bounds = Bounds {
        largest: 4 << 20,
        timeout: limits.timeout.min(left),
        private: args.allow_private,
        ..Bounds::default()
    };
    let asked = live(&wanted.url, &bounds, clock.wall());
    ledger.append(asked.clone())?;
    Ok((asked, false))
}

/// What an earlier run was told about a source, when that holds still.
fn earlier(
    args: &Args,
    wanted: &Wanted,
    question: Question,
    ledger: &Ledger,
    clock: &SystemClock,
) -> Option<Asked> {
    let asked = ledger
        .answer(&wanted.url, question)
        .filter(|_| !args.fresh)?;
    let at = DateTime::parse_from_rfc3339(&asked.at).ok()?;
    let age = clock.wall().signed_duration_since(at);
    let longest = TimeDelta::from_std(args.max_age).unwrap_or(TimeDelta::MAX);
    let same = question == Question::Live || asked.archived == wanted.archived;
    let known = asked.verdict.standing() != Standing::Unknown;
    (same && known && age <= longest).then(|| asked.clone())
}

/// Judges an archived link by its address alone.
pub(super) fn by_address(wanted: &Wanted, global: &Global, clock: &SystemClock) -> Asked {
    let archived = wanted.archived.as_deref().unwrap_or_default();
    let audit = audit_archive(&wanted.url, archived, global.today().into());
    let verdict = match audit.verdict {
        ArchiveVerdict::Match => Verdict::Verified,
        ArchiveVerdict::Suspicious => Verdict::Suspicious,
        ArchiveVerdict::Mismatch => Verdict::Mismatch,
    };
    Asked {
        url: wanted.url.clone(),
        question: Question::Audit,
        archived: wanted.archived.clone(),
        verdict,
        message: format!("{}: `{archived}` {}", audit.code, audit.reason),
        copy: audit.better.filter(|better| better != archived),
        at: clock.wall().to_rfc3339(),
    }
}
