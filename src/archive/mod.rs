//! Copies of sources in a web archive: found, proven, asked for – by a client that a host can bear.
//!
//! The index (CDX) is asked first; the availability service is no proof of absence and only helps where the index does
//! not answer. A copy counts when the archive shows it: `Memento-Datetime` is its stamp, `rel="original"` is the
//! source, the captured status is a success, and the page is none that asks whether one is a person. What nobody could
//! tell is unknown, never missing.

mod answer;
mod client;
mod clock;
mod find;
mod limits;
mod live;
mod look;
mod memento;
mod pacer;
mod save;

use chrono::{NaiveDate, SecondsFormat};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

pub use client::Keys;
pub use clock::Clock;
pub use limits::Limits;
pub use live::live;
pub use save::Aborted;

use client::{Client, Trouble};

use crate::model::{Asked, Question, Verdict};

/// A source, with what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Its address.
    pub url: String,
    /// Its archived link, where it has one.
    pub archived: Option<String>,
    /// The day of its publication, or the nearest that is known: the copy nearest to it is taken.
    pub near: Option<NaiveDate>,
    /// The day of the incident: an earlier copy cannot tell of it.
    pub not_before: Option<NaiveDate>,
}

/// A web archive, asked by the rules of its [`Limits`].
#[derive(Debug)]
pub struct Archive<'a> {
    client: Client<'a>,
}

/// What a question came to, before it is written down.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Answer {
    verdict: Verdict,
    message: String,
    copy: Option<String>,
}

impl Answer {
    fn new(verdict: Verdict, message: impl Into<String>) -> Self {
        Self {
            verdict,
            message: message.into(),
            copy: None,
        }
    }
}

impl From<Trouble> for Answer {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Unreachable(why) => Self::new(Verdict::Unreachable, why),
            Trouble::Closed(why) => Self::new(Verdict::Exhausted, why),
            Trouble::OutOfBudget => Self::new(
                Verdict::OutOfBudget,
                "the time of the run was over before its turn",
            ),
        }
    }
}

impl<'a> Archive<'a> {
    /// A client for one run.
    pub fn new(limits: &'a Limits, keys: Option<&'a Keys>, clock: &'a dyn Clock) -> Self {
        Self {
            client: Client::new(limits, keys, clock),
        }
    }

    /// How many requests were sent.
    pub fn requests(&self) -> u64 {
        self.client.requests
    }

    /// Whether the time of the run is over.
    pub fn is_out_of_time(&self) -> bool {
        self.client.left().is_zero()
    }

    /// Looks for a copy.
    pub fn find(&mut self, wanted: &Wanted) -> Asked {
        let answer = self.find_copy(wanted).unwrap_or_else(|answer| answer);
        self.written(wanted, Question::Find, answer)
    }

    /// Whether the archived link of a source shows a copy of it.
    pub fn audit(&mut self, wanted: &Wanted) -> Asked {
        let answer = self.audit_copy(wanted).unwrap_or_else(|answer| answer);
        self.written(wanted, Question::Audit, answer)
    }

    /// Asks the archive to make a copy.
    pub fn save(&mut self, wanted: &Wanted) -> Result<Asked, Aborted> {
        let answer = self.save_copy(wanted)?;
        Ok(self.written(wanted, Question::Save, answer))
    }

    fn written(&self, wanted: &Wanted, question: Question, answer: Answer) -> Asked {
        Asked {
            url: wanted.url.clone(),
            question,
            archived: wanted.archived.clone(),
            verdict: answer.verdict,
            message: answer.message,
            copy: answer.copy,
            at: self.client.now().to_rfc3339_opts(SecondsFormat::Secs, true),
        }
    }

    fn today(&self) -> NaiveDate {
        self.client.now().date_naive()
    }
}

/// The form in which records hold a copy.
fn stored(stamp: &str, original: &str) -> String {
    format!("https://web.archive.org/web/{stamp}/{original}")
}

/// Characters that an address may hold and a request line may not. Its escapes stay as they are.
const IN_TARGET: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>');

/// An address behind the stamp of a copy, escaped once. A fragment is never sent (RFC 9110, section 7.1).
fn in_target(address: &str) -> String {
    let sent = address.split('#').next().unwrap_or_default();
    utf8_percent_encode(sent, IN_TARGET).to_string()
}

/// An address as the value of a parameter, escaped once.
fn in_query(address: &str) -> String {
    url::form_urlencoded::byte_serialize(address.as_bytes()).collect()
}
