//! Two addresses, compared as the index of a web archive compares them and as a server may tell them apart.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use url::Url;

use super::ArchiveVerdict;

/// An address in the parts that tell pages apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Compared {
    host: String,
    port: Option<u16>,
    path: String,
    query: Vec<String>,
}

impl Compared {
    /// Takes an address apart. Scheme, default port, `www.`, a final slash, campaign parameters, the order of
    /// parameters, the case of escapes and the fragment do not count.
    pub(super) fn new(url: &Url) -> Self {
        let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
        let path = plain_escapes(url.path());
        let query = url.query().unwrap_or_default().split('&');
        let mut query: Vec<String> = query
            .filter(|pair| !pair.is_empty() && !is_campaign(pair))
            .map(|pair| plain_escapes(&pair.replace('+', "%20")))
            .collect();
        query.sort();
        Self {
            host: host.trim_start_matches("www.").to_owned(),
            port: url.port().filter(|port| !matches!(port, 80 | 443)),
            path: path.trim_end_matches('/').to_owned(),
            query,
        }
    }

    fn bare_host(&self) -> &str {
        let known = ["m.", "mobile.", "amp."];
        let found = known.iter().find_map(|p| self.host.strip_prefix(p));
        found.unwrap_or(&self.host)
    }

    /// The path without what an index does not tell apart.
    fn loose_path(&self) -> String {
        let path = self.path.replace("%2F", "/");
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let (last, before) = match parts.split_last() {
            Some((last, before)) => (*last, before),
            None => ("", parts.as_slice()),
        };
        let index = matches!(last, "index.html" | "index.htm" | "index.php");
        if index { before } else { &parts }.join("/")
    }

    fn last_segment(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }
}

/// How a copy's address differs from a page's: verdict, code and reason. `None` where it does not.
pub(super) fn differ(
    page: &Compared,
    copy: &Compared,
) -> Option<(ArchiveVerdict, &'static str, &'static str)> {
    use ArchiveVerdict::{Mismatch, Suspicious};
    if page == copy {
        return None;
    }
    let hosts = page.host == copy.host && page.port == copy.port;
    let queries = page.query == copy.query;
    Some(if !hosts {
        let mobile = page.bare_host() == copy.bare_host() && page.port == copy.port;
        if mobile && page.path == copy.path && queries {
            let reason = "is a copy of the mobile page, which may be another document";
            (Suspicious, "ARC015", reason)
        } else {
            (Mismatch, "ARC020", "is a copy of a page of another host")
        }
    } else if page.path == copy.path {
        (Mismatch, "ARC021", "is a copy of a page with another query")
    } else if !queries {
        (Mismatch, "ARC020", "is a copy of another page")
    } else if page.path.eq_ignore_ascii_case(&copy.path) {
        let reason = "differs in capital letters, which servers may tell apart";
        (Suspicious, "ARC017", reason)
    } else if page.loose_path() == copy.loose_path() {
        let reason = "differs in `%2F`, `//` or `index.html`, which servers may tell apart";
        (Suspicious, "ARC018", reason)
    } else if page.last_segment().len() > 4 && page.last_segment() == copy.last_segment() {
        let reason = "is a copy of a page that ends alike: moved, translated, or another one";
        (Suspicious, "ARC019", reason)
    } else {
        (Mismatch, "ARC020", "is a copy of another page")
    })
}

/// The address without the parameters that count visitors; nothing where it has none.
pub fn without_campaign(address: &str) -> Option<String> {
    let mut url = Url::parse(address).ok()?;
    let query = url.query()?;
    let kept: Vec<&str> = query.split('&').filter(|pair| !is_campaign(pair)).collect();
    if kept.len() == query.split('&').count() {
        return None;
    }
    let kept = kept.join("&");
    url.set_query(Some(kept.as_str()).filter(|kept| !kept.is_empty()));
    Some(url.into())
}

/// Parameters that count visitors and choose no content.
fn is_campaign(pair: &str) -> bool {
    let key = pair
        .split('=')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    key.starts_with("utm_")
        || matches!(
            key.as_str(),
            "fbclid" | "gclid" | "dclid" | "msclkid" | "mc_cid" | "mc_eid" | "igshid" | "yclid"
        )
}

/// Escapes of letters, digits and `-._~` decoded, the others in capitals (RFC 3986, 6.2.2).
fn plain_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let escape = rest
            .get(at..at + 3)
            .filter(|e| e.bytes().skip(1).all(|b| b.is_ascii_hexdigit()));
        let Some(escape) = escape else {
            out.push('%');
            rest = &rest[at + 1..];
            continue;
        };
        match percent_decode_str(escape).decode_utf8() {
            Ok(Cow::Owned(c))
                if c.bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"-._~".contains(&b)) =>
            {
                out.push_str(&c);
            }
            _ => out.push_str(&escape.to_ascii_uppercase()),
        }
        rest = &rest[at + 3..];
    }
    out.push_str(rest);
    out
}
