//! Answers of an archive, read: the index of captures, copies at hand, captures on request.
//!
//! The forms are those of the CDX server, of the availability service and of Save Page Now as the Internet Archive
//! serves them. Nothing that has another form is taken for a result.

use serde::Deserialize;
use serde_json::Value;

/// A capture that an index lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Capture {
    /// Fourteen digits, UTC.
    pub(super) stamp: String,
    /// The address as captured.
    pub(super) original: String,
    /// The status that was captured; none for a revisit, which repeats an earlier capture.
    pub(super) status: Option<u16>,
}

/// What became of a request for a capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Submitted {
    /// It is being made.
    Job(String),
    /// It is not: a code such as `error:blocked-url`, and words.
    Refused(String, String),
}

/// How far a capture is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum State {
    /// Not there yet.
    Pending,
    /// Made.
    Done(Capture),
    /// It could not be made.
    Failed(String, String),
}

/// The captures of an index answer: rows of text under a row of names, or nothing.
pub(super) fn captures(body: &[u8]) -> Result<Vec<Capture>, String> {
    let rows: Vec<Vec<String>> = json(body)?;
    let mut rows = rows.into_iter();
    let Some(names) = rows.next() else {
        return Ok(Vec::new());
    };
    let column = |name: &str| {
        let at = names.iter().position(|n| n == name);
        at.ok_or_else(|| format!("its first row names no `{name}`"))
    };
    let (stamp, original, status) = (
        column("timestamp")?,
        column("original")?,
        column("statuscode")?,
    );
    let rows = rows.take_while(|row| !row.is_empty());
    let captures = rows.map(|row| {
        let cell = |at: usize| row.get(at).cloned().ok_or("a row of it is too short");
        Ok(Capture {
            stamp: cell(stamp)?,
            original: cell(original)?,
            status: cell(status)?.parse().ok(),
        })
    });
    let captures: Result<Vec<Capture>, String> = captures.collect();
    // Broken stamps stand in real indexes; such a row is no capture to point at.
    let whole = |c: &Capture| c.stamp.len() == 14 && c.stamp.bytes().all(|b| b.is_ascii_digit());
    captures.map(|all| all.into_iter().filter(whole).collect())
}

/// The copy that the availability service names; none is no proof that there is none.
pub(super) fn closest(body: &[u8]) -> Result<Option<Capture>, String> {
    #[derive(Deserialize)]
    struct Answer {
        archived_snapshots: Snapshots,
    }
    #[derive(Deserialize)]
    struct Snapshots {
        closest: Option<Closest>,
    }
    #[derive(Deserialize)]
    struct Closest {
        status: String,
        available: bool,
        url: String,
        timestamp: String,
    }
    let answer: Answer = json(body)?;
    let closest = answer
        .archived_snapshots
        .closest
        .filter(|c| c.available && c.status == "200");
    Ok(closest.and_then(|c| {
        let original = c
            .url
            .split_once(&format!("/{}/", c.timestamp))?
            .1
            .to_owned();
        Some(Capture {
            stamp: c.timestamp,
            original,
            status: Some(200),
        })
    }))
}

/// The answer to a request for a capture.
pub(super) fn submitted(body: &[u8]) -> Result<Submitted, String> {
    let answer: Value = json(body)?;
    if let Some(job) = answer["job_id"].as_str().filter(|job| is_job(job)) {
        return Ok(Submitted::Job(job.to_owned()));
    }
    match refusal(&answer) {
        Some((code, message)) => Ok(Submitted::Refused(code, message)),
        None => Err("it names neither a job nor an error".to_owned()),
    }
}

/// The answer to the question how far a capture is.
pub(super) fn state(body: &[u8]) -> Result<State, String> {
    let answer: Value = json(body)?;
    match answer["status"].as_str() {
        Some("pending") => Ok(State::Pending),
        Some("success") => {
            let text = |key: &str| answer[key].as_str().map(str::to_owned);
            let (Some(stamp), Some(original)) = (text("timestamp"), text("original_url")) else {
                return Err("it names no `timestamp` and `original_url`".to_owned());
            };
            let status = answer["http_status"].as_u64();
            Ok(State::Done(Capture {
                stamp,
                original,
                status: status.and_then(|s| u16::try_from(s).ok()),
            }))
        }
        _ => match refusal(&answer) {
            Some((code, message)) => Ok(State::Failed(code, message)),
            None => Err("it has no `status` that is known".to_owned()),
        },
    }
}

fn refusal(answer: &Value) -> Option<(String, String)> {
    let code = answer["status_ext"].as_str();
    let message = answer["message"].as_str();
    (answer["status"] == "error" || code.is_some()).then(|| {
        let code = code.unwrap_or("error").to_owned();
        (code, message.unwrap_or("no reason given").to_owned())
    })
}

/// A name of a job goes into an address, so it is looked at first.
fn is_job(job: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    (1..=100).contains(&job.len()) && job.bytes().all(plain)
}

fn json<T: for<'de> Deserialize<'de>>(body: &[u8]) -> Result<T, String> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    serde_json::from_slice(body).map_err(|e| {
        let start = String::from_utf8_lossy(&body[..body.len().min(40)]);
        let start: String = start.chars().filter(|c| !c.is_control()).collect();
        format!("it is not what was asked for ({e}); it starts `{start}`")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_without_rows_lists_nothing() {
        assert_eq!(captures(b"[]"), Ok(vec![]));
        let names = br#"[["timestamp","original","statuscode"]]"#;
        assert_eq!(captures(names), Ok(vec![]));
    }

    #[test]
    fn what_is_no_index_is_no_result() {
        for body in [
            "",
            "null",
            "<html>",
            "{}",
            "[1]",
            "[[\"a\"]]",
            "[[\"timestamp\",\"original\",\"statuscode\"],[\"1\"]]",
        ] {
            assert!(captures(body.as_bytes()).is_err(), "{body}");
        }
        for body in ["", "null", "<html>", "[]", r#"{"archived_snapshots":[]}"#] {
            assert!(closest(body.as_bytes()).is_err(), "{body}");
        }
        assert_eq!(closest(br#"{"archived_snapshots":{}}"#), Ok(None));
    }

    #[test]
    fn a_byte_order_mark_is_no_fault() {
        assert_eq!(captures("\u{feff}[]".as_bytes()), Ok(vec![]));
    }

    #[test]
    fn an_error_with_status_200_is_one() {
        let body = br#"{"status":"error","status_ext":"error:blocked-url","message":"no"}"#;
        let refused = Submitted::Refused("error:blocked-url".to_owned(), "no".to_owned());
        assert_eq!(submitted(body), Ok(refused));
        assert!(submitted(br#"{"job_id":"../x"}"#).is_err());
    }
}
