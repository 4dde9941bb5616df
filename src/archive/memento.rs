//! What the headers of a copy tell (RFC 7089), and what its first lines do.

use std::time::UNIX_EPOCH;

use chrono::DateTime;

use super::client::Reply;

/// A page that an archive shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Memento {
    /// Fourteen digits, UTC: `Memento-Datetime`.
    pub(super) stamp: String,
    /// The address that was captured: `Link` with `rel="original"`.
    pub(super) original: Option<String>,
}

/// Reads the headers of a copy; nothing where it is none.
pub(super) fn memento(reply: &Reply) -> Option<Memento> {
    let when = httpdate::parse_http_date(reply.header("memento-datetime")?.trim()).ok()?;
    let seconds = when.duration_since(UNIX_EPOCH).ok()?.as_secs();
    let when = DateTime::from_timestamp(i64::try_from(seconds).ok()?, 0)?;
    Some(Memento {
        stamp: when.format("%Y%m%d%H%M%S").to_string(),
        original: reply.header("link").as_deref().and_then(original_of),
    })
}

/// The target of `rel="original"` in a `Link` header (RFC 8288). Addresses may hold commas and semicolons, so it is
/// read by its angle brackets.
fn original_of(header: &str) -> Option<String> {
    let mut rest = header;
    while let Some((_, after)) = rest.split_once('<') {
        let (target, after) = after.split_once('>')?;
        let parameters = after.split('<').next().unwrap_or_default();
        let is_original = parameters.split(';').any(|parameter| {
            let Some((name, value)) = parameter.split_once('=') else {
                return false;
            };
            let value = value.trim().trim_end_matches(',').trim().trim_matches('"');
            name.trim().eq_ignore_ascii_case("rel")
                && value
                    .split_ascii_whitespace()
                    .any(|rel| rel.eq_ignore_ascii_case("original"))
        });
        if is_original {
            return Some(target.to_owned());
        }
        rest = after;
    }
    None
}

/// Titles of pages that ask whether one is a person, or to log in, in lower case.
const CHALLENGES: [&str; 9] = [
    "just a moment",
    "please enable cookies",
    "verifying your request",
    "attention required",
    "access denied",
    "are you a robot",
    "human verification",
    "security check",
    "ddos protection",
];

/// The title of a copied page that is none of its site but stands in its way.
pub(super) fn challenge(body: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(body);
    let start = find_ignoring_case(&text, "<title")?;
    let inner = text[start..].split_once('>')?.1;
    let end = find_ignoring_case(inner, "</title")?;
    let title = inner[..end].trim();
    let lower = title.to_lowercase();
    let is_one = CHALLENGES.iter().any(|c| lower.starts_with(c));
    is_one.then(|| title.chars().filter(|c| !c.is_control()).take(80).collect())
}

/// Whether a page of the archive says that it does not show this site.
pub(super) fn is_excluded(body: &[u8]) -> bool {
    let text = String::from_utf8_lossy(body);
    find_ignoring_case(&text, "has been excluded from the wayback machine").is_some()
}

/// The address that a captured redirect leads to, on the page by which the archive shows it.
pub(super) fn shown_redirect(body: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(body);
    let at = find_ignoring_case(&text, "response at crawl time")?;
    let link = text[at..].split_once("/web/")?.1;
    let target = link.split_once('/')?.1;
    let end = target.find(['"', '\'', '<', ' ']).unwrap_or(target.len());
    Some(target[..end].to_owned())
}

fn find_ignoring_case(text: &str, lower: &str) -> Option<usize> {
    text.to_ascii_lowercase().find(lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_original_is_found_among_the_links() {
        let header = r#"<https://a.example/x,y;z>; rel="original", <https://web.archive.org/web/timemap/link/x>; rel="timemap"; type="application/link-format""#;
        assert_eq!(original_of(header).unwrap(), "https://a.example/x,y;z");
        let last = r#"<https://t.example/>; rel="timegate",<https://a.example/>;rel=original"#;
        assert_eq!(original_of(last).unwrap(), "https://a.example/");
        assert_eq!(original_of("<https://a.example/>; rel=\"memento\""), None);
        assert_eq!(original_of("<<<;=rel"), None);
    }

    #[test]
    fn a_page_in_the_way_is_known_by_its_title() {
        let page = b"<html><TITLE>Just a moment...</TITLE>";
        assert_eq!(challenge(page).unwrap(), "Just a moment...");
        assert_eq!(challenge(b"<title>Outage of 3 March</title>"), None);
        assert_eq!(challenge(b"<title>"), None);
    }
}
