//! Addresses of sources: what is a good one, which two are the same, and archive links.

use std::fmt;

use url::Url;

/// Why an address cannot stand in a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddressFault {
    /// Not an absolute URL (WHATWG URL Standard).
    NotAnAddress,
    /// A scheme other than `http` and `https`.
    Scheme(String),
    /// A name or password before the host.
    Credentials,
    /// White space or a mark glued to the end.
    Untidy,
}

impl fmt::Display for AddressFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnAddress => {
                f.write_str("is not an address such as `https://example.org/post`")
            }
            Self::Scheme(scheme) => {
                write!(f, "starts with `{scheme}:`; only http and https are read")
            }
            Self::Credentials => f.write_str("holds a user name or password"),
            Self::Untidy => f.write_str("has a blank in it, or a comma or bracket at its end"),
        }
    }
}

/// Checks that `text` is an absolute web address without secrets.
pub fn check_address(text: &str) -> Result<Url, AddressFault> {
    if text.contains(char::is_whitespace) || text.ends_with([',', ';', '>', '"', '\'']) {
        return Err(AddressFault::Untidy);
    }
    let url = Url::parse(text).map_err(|_| AddressFault::NotAnAddress)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(AddressFault::Scheme(url.scheme().to_owned()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(AddressFault::Credentials);
    }
    let host = url.host_str().unwrap_or_default();
    if !host.contains('.') && host != "localhost" && !host.starts_with('[') {
        return Err(AddressFault::NotAnAddress);
    }
    Ok(url)
}

/// Whether two addresses lead to the same page: scheme, `www.`, default port, a final slash and
/// campaign parameters do not count; the query does, and so does a fragment that routes (`#!/…`).
pub fn same_address(a: &str, b: &str) -> bool {
    a == b || matches!((page_key(a), page_key(b)), (Some(a), Some(b)) if a == b)
}

/// What tells pages apart, for indexes; see [`same_address`].
pub(crate) fn page_key(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let host = url.host_str()?.trim_start_matches("www.").to_owned();
    let port = url.port().map(|p| format!(":{p}")).unwrap_or_default();
    let path = url.path().trim_end_matches('/');
    let mut query: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(key, _)| !key.starts_with("utm_"))
        .map(|(key, value)| (key.into_owned(), value.into_owned()))
        .collect();
    query.sort();
    let route = route_of(&url).unwrap_or_default();
    Some(format!("{host}{port}{path}?{query:?}#{route}"))
}

/// The fragment that routes inside a page, as in `#!/incident/5`.
pub(super) fn route_of(url: &Url) -> Option<&str> {
    url.fragment().filter(|f| f.starts_with(['!', '/']))
}

/// The form of a Wayback Machine link that a person can open: no modifier after the time stamp.
/// `None` when `text` is no such link.
pub fn human_archive_form(text: &str) -> Option<String> {
    let rest = text
        .strip_prefix("https://web.archive.org/web/")
        .or_else(|| text.strip_prefix("http://web.archive.org/web/"))?;
    let (stamp, target) = rest.split_once('/')?;
    let digits = stamp.trim_end_matches(|c: char| c.is_ascii_lowercase() || c == '_');
    let whole = digits.len() == 14 && digits.bytes().all(|b| b.is_ascii_digit());
    let target_ok = target.starts_with("http://") || target.starts_with("https://");
    (whole && target_ok).then(|| format!("https://web.archive.org/web/{digits}/{target}"))
}

/// The address that a Wayback Machine link is a copy of, whatever the form of its time stamp.
pub fn original_address(text: &str) -> Option<&str> {
    let rest = text
        .strip_prefix("https://web.archive.org/web/")
        .or_else(|| text.strip_prefix("http://web.archive.org/web/"))?;
    let (stamp, target) = rest.split_once('/')?;
    let starts = stamp.starts_with(|c: char| c.is_ascii_digit());
    let web = target.starts_with("http://") || target.starts_with("https://");
    (starts && web).then_some(target)
}

/// What tells the pages of sources apart: that of the original where the address is a copy's.
pub(crate) fn source_key(text: &str) -> Option<String> {
    page_key(original_address(text).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_and_bad_addresses() {
        assert!(check_address("https://aws.amazon.com/message/073024/").is_ok());
        assert!(check_address("http://status.example.org/#!/incident/5").is_ok());
        for (bad, fault) in [
            ("aws.amazon.com/message", AddressFault::NotAnAddress),
            ("https://", AddressFault::NotAnAddress),
            ("https://https://a.example/", AddressFault::NotAnAddress),
            ("ftp://a.example/", AddressFault::Scheme("ftp".to_owned())),
            ("https://me:secret@a.example/", AddressFault::Credentials),
            ("https://a.example/x,", AddressFault::Untidy),
            ("https://a.example/a b", AddressFault::Untidy),
        ] {
            assert_eq!(check_address(bad), Err(fault), "{bad}");
        }
    }

    #[test]
    fn the_same_page() {
        let page = "https://a.example/post?id=1";
        for same in [
            "http://www.a.example/post/?id=1",
            "https://a.example:443/post?utm_source=x&id=1",
            "https://a.example/post?id=1#section",
        ] {
            assert!(same_address(page, same), "{same}");
        }
        for other in [
            "https://a.example/post?id=2",
            "https://a.example/post",
            "https://b.example/post?id=1",
        ] {
            assert!(!same_address(page, other), "{other}");
        }
        let route = |n| format!("https://status.example.org/#!/incident/{n}");
        assert!(!same_address(&route(5), &route(6)));
    }

    #[test]
    fn archive_links_in_human_form() {
        let human = "https://web.archive.org/web/20201128010101/https://a.example/x?y=1";
        let raw = "http://web.archive.org/web/20201128010101id_/https://a.example/x?y=1";
        assert_eq!(human_archive_form(human).as_deref(), Some(human));
        assert_eq!(human_archive_form(raw).as_deref(), Some(human));
        assert_eq!(
            human_archive_form("https://web.archive.org/web/2020/https://a.example/"),
            None
        );
        assert_eq!(human_archive_form("https://a.example/"), None);
        assert_eq!(original_address(raw), Some("https://a.example/x?y=1"));
        assert_eq!(
            original_address("https://web.archive.org/save/https://a.example/"),
            None
        );
        assert_eq!(source_key(raw), source_key("http://www.a.example/x?y=1"));
    }
}
