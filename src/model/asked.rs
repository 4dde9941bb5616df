//! What was asked about the address of a source, and what came of it: the entries of the log that `archive` keeps.

use serde::{Deserialize, Serialize};

/// How things stand after a question. What is not known is never counted as missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// A copy is proven, or the page answers.
    Ok,
    /// It is proven that there is none, or that it shows something else.
    Broken,
    /// Nobody could tell; it is asked again.
    Unknown,
}

impl Standing {
    /// The word for it in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Broken => "broken",
            Self::Unknown => "unknown",
        }
    }
}

/// What was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Question {
    /// Does the archive hold a copy?
    Find,
    /// Does the archived link show a copy of the page?
    Audit,
    /// Will the archive make one?
    Save,
    /// Does the page itself still answer?
    Live,
}

/// What was found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The archived link shows a copy of the page.
    Verified,
    /// A copy was found and proven.
    Found,
    /// A copy was made on request and proven.
    Saved,
    /// The page itself answers.
    Alive,
    /// The archive holds none.
    Missing,
    /// The link is that of another page, or of no copy: its address alone says so.
    Mismatch,
    /// The address does not settle it; a person has to look.
    Suspicious,
    /// The archive does not hold the copy of that time, only others.
    OtherTime,
    /// The copy was made of another address.
    OtherPage,
    /// The archive kept an error page.
    ErrorPage,
    /// The archive kept a redirect.
    Redirect,
    /// The archive kept a page that asks whether one is a person, or to log in.
    Challenge,
    /// The copies redirect to each other.
    Circular,
    /// The archive does not show this site.
    Blocked,
    /// The archive declines to make a copy.
    Refused,
    /// The page is gone: 404, 410, or its host is not known any more.
    Gone,
    /// The page redirects to another host or to a front page.
    Moved,
    /// A copy was made; the archive does not show it yet.
    Pending,
    /// No answer, or an error of the server.
    Unreachable,
    /// An answer that cannot be read.
    Malformed,
    /// The host asks for a longer pause than is waited for, or has asked too often; the rest of it is for a later run.
    Exhausted,
    /// The time of the run was over before its turn.
    OutOfBudget,
}

impl Verdict {
    /// How things stand with this verdict.
    pub fn standing(self) -> Standing {
        match self {
            Self::Verified | Self::Found | Self::Saved | Self::Alive => Standing::Ok,
            Self::Pending
            | Self::Unreachable
            | Self::Malformed
            | Self::Exhausted
            | Self::OutOfBudget => Standing::Unknown,
            _ => Standing::Broken,
        }
    }

    /// The word for it in output and in the log.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Found => "found",
            Self::Saved => "saved",
            Self::Alive => "alive",
            Self::Missing => "missing",
            Self::Mismatch => "mismatch",
            Self::Suspicious => "suspicious",
            Self::OtherTime => "other-time",
            Self::OtherPage => "other-page",
            Self::ErrorPage => "error-page",
            Self::Redirect => "redirect",
            Self::Challenge => "challenge",
            Self::Circular => "circular",
            Self::Blocked => "blocked",
            Self::Refused => "refused",
            Self::Gone => "gone",
            Self::Moved => "moved",
            Self::Pending => "pending",
            Self::Unreachable => "unreachable",
            Self::Malformed => "malformed",
            Self::Exhausted => "exhausted",
            Self::OutOfBudget => "out-of-budget",
        }
    }
}

/// One question and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The address of the source.
    pub url: String,
    /// What was asked.
    pub question: Question,
    /// The archived link as it stood when it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archived: Option<String>,
    /// What came of it.
    pub verdict: Verdict,
    /// In words, to be read after the address.
    pub message: String,
    /// The proven copy, in the form that records hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy: Option<String>,
    /// When, in UTC (RFC 3339).
    pub at: String,
}
