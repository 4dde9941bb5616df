//! Whether a source itself still answers.

use chrono::{DateTime, SecondsFormat, Utc};
use url::Url;

use crate::fetch::{Bounds, FaultKind, fetch};
use crate::model::{Asked, Question, Verdict};

/// Asks a source. A page that is gone, or that leads elsewhere, is one a library needs a copy of.
pub fn live(url: &str, bounds: &Bounds, now: DateTime<Utc>) -> Asked {
    let (verdict, message) = match fetch(url, bounds) {
        Ok(page) if moved(url, &page.url) => {
            (Verdict::Moved, format!("it leads to {} now", page.url))
        }
        Ok(_) => (Verdict::Alive, "it answers".to_owned()),
        Err(fault) => {
            let gone = matches!(
                fault.kind,
                FaultKind::Status(404 | 410) | FaultKind::UnknownHost
            );
            let verdict = if gone {
                Verdict::Gone
            } else {
                Verdict::Unreachable
            };
            (verdict, fault.message)
        }
    };
    Asked {
        url: url.to_owned(),
        question: Question::Live,
        archived: None,
        verdict,
        message,
        copy: None,
        at: now.to_rfc3339_opts(SecondsFormat::Secs, true),
    }
}

/// Whether a page leads to another host, or from a page to a front page: the story is not there any more.
fn moved(asked: &str, answered: &str) -> bool {
    let (Ok(asked), Ok(answered)) = (Url::parse(asked), Url::parse(answered)) else {
        return false;
    };
    let host = |url: &Url| {
        let host = url.host_str().unwrap_or_default();
        host.trim_start_matches("www.").to_owned()
    };
    let front = |url: &Url| url.path().trim_matches('/').is_empty() && url.query().is_none();
    host(&asked) != host(&answered) || front(&answered) && !front(&asked)
}
