//! Who read a record against its sources, and what follows from it today.

use serde_json::{Map, Value};

use super::case::Case;
use super::digest::digest_of;
use super::fields::{FieldReader, FieldWriter};

/// The review block of a record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Review {
    /// Who wrote the text: a person's name, or `session` for machine-written text.
    pub written_by: Option<String>,
    /// The day (or instant, RFC 3339) of the review.
    pub reviewed_at: Option<String>,
    /// The reviewer's name as the settings list it.
    pub reviewed_by: Option<String>,
    /// The digest of the content that was read; see [`digest_of`].
    pub digest: Option<String>,
    pub(super) extra: Map<String, Value>,
}

impl Review {
    pub(super) fn from_value(value: Value) -> Result<Self, Value> {
        let mut fields = FieldReader::new(super::fields::object(value)?);
        Ok(Self {
            written_by: fields.take_string("written_by"),
            reviewed_at: fields.take_string("reviewed_at"),
            reviewed_by: fields.take_string("reviewed_by"),
            digest: fields.take_string("digest"),
            extra: fields.finish(),
        })
    }

    pub(super) fn to_value(&self) -> Value {
        let mut out = FieldWriter::new(&self.extra);
        out.put_text("written_by", self.written_by.as_ref());
        out.put_text("reviewed_at", self.reviewed_at.as_ref());
        out.put_text("reviewed_by", self.reviewed_by.as_ref());
        if let Some(digest) = &self.digest {
            out.put_text("digest", Some(digest));
        }
        out.finish()
    }
}

/// Who may sign reviews, and whose texts are a machine's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reviewers {
    /// People who may sign, as records name them. Where none is named, any name may, except a machine's.
    pub people: Vec<String>,
    /// Names under which machines write. What they wrote is read by a person before it is trusted, and they sign
    /// nothing.
    pub machines: Vec<String>,
}

impl Default for Reviewers {
    fn default() -> Self {
        Self {
            people: Vec::new(),
            machines: vec!["session".to_owned()],
        }
    }
}

impl Reviewers {
    /// Whether a name may sign a review.
    pub fn may_sign(&self, name: &str) -> bool {
        let known = self.people.is_empty() || self.people.iter().any(|p| p == name);
        known && !self.is_machine(name) && !name.trim().is_empty()
    }

    /// Whether a machine writes under a name.
    pub fn is_machine(&self, name: &str) -> bool {
        self.machines.iter().any(|m| m == name)
    }
}

/// What the review block is worth today. Derived from the record, never stored in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReviewState {
    /// Nobody has read it against its sources.
    Unreviewed,
    /// A machine wrote it, and nobody has read it against its sources.
    MachineText,
    /// Half filled, signed by the author, or signed by someone the settings do not know.
    Invalid,
    /// Reviewed, then edited: the digest no longer fits the content.
    Stale,
    /// Reviewed before digests were recorded: nothing says which content was read.
    Undigested,
    /// A known reviewer other than the author read exactly this content.
    Reviewed,
}

impl ReviewState {
    /// Derives the state of `case`.
    pub fn of(case: &Case, reviewers: &Reviewers) -> Self {
        let review = &case.review;
        let (at, by) = match (&review.reviewed_at, &review.reviewed_by) {
            (None, None) => {
                let writer = review.written_by.as_deref();
                let machine = writer.is_some_and(|writer| reviewers.is_machine(writer));
                return if machine {
                    Self::MachineText
                } else {
                    Self::Unreviewed
                };
            }
            (Some(at), Some(by)) => (at, by),
            _ => return Self::Invalid,
        };
        let own = review.written_by.as_ref() == Some(by);
        if at.trim().is_empty() || own || !reviewers.may_sign(by) {
            return Self::Invalid;
        }
        match &review.digest {
            None => Self::Undigested,
            Some(digest) if *digest == digest_of(case) => Self::Reviewed,
            Some(_) => Self::Stale,
        }
    }

    /// The word for this state in output and documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unreviewed => "unreviewed",
            Self::MachineText => "machine-text-unreviewed",
            Self::Invalid => "invalid",
            Self::Stale => "stale",
            Self::Undigested => "undigested",
            Self::Reviewed => "reviewed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(review: &str, reviewers: &[&str]) -> ReviewState {
        let text = format!(r#"{{"org":"A","review":{review}}}"#);
        let case = Case::from_value(serde_json::from_str(&text).unwrap()).unwrap();
        let reviewers = Reviewers {
            people: reviewers.iter().map(|&r| r.to_owned()).collect(),
            ..Reviewers::default()
        };
        ReviewState::of(&case, &reviewers)
    }

    #[test]
    fn each_state_from_the_record_alone() {
        use ReviewState::*;
        let full = |digest: &str| {
            format!(
                r#"{{"written_by":"session","reviewed_at":"2026-01-02","reviewed_by":"kim"{digest}}}"#
            )
        };
        assert_eq!(state(r#"{"written_by":"session"}"#, &[]), MachineText);
        assert_eq!(state(r#"{"written_by":"lee"}"#, &[]), Unreviewed);
        let by_machine = full("").replace("\"written_by\":\"session\"", "\"written_by\":\"lee\"");
        assert_eq!(state(&by_machine.replace("kim", "session"), &[]), Invalid);
        assert_eq!(state(r#"{"reviewed_by":"kim"}"#, &[]), Invalid);
        assert_eq!(
            state(
                r#"{"written_by":"kim","reviewed_at":"2026-01-02","reviewed_by":"kim"}"#,
                &[]
            ),
            Invalid
        );
        assert_eq!(state(&full(""), &[]), Undigested);
        assert_eq!(state(&full(""), &["lee"]), Invalid);
        assert_eq!(state(&full(r#","digest":"sha256:00""#), &["kim"]), Stale);
        let case = Case::from_value(serde_json::from_str(r#"{"org":"A"}"#).unwrap()).unwrap();
        let digest = format!(r#","digest":"{}""#, digest_of(&case));
        assert_eq!(state(&full(&digest), &["kim"]), Reviewed);
    }
}
