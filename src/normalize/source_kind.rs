//! What kind of source an address is, as far as the address says.

use url::Url;

use crate::vocabulary::Organisations;

/// Hosts, or hosts with the start of a path, and the kind of source that lies there.
const PLACES: [(&str, &str); 16] = [
    ("aws.amazon.com/message", "official-status"),
    (
        "aws.amazon.com/premiumsupport/technology/pes",
        "official-status",
    ),
    ("azure.status.microsoft", "official-status"),
    ("bugs.launchpad.net", "issue-tracker"),
    ("bugzilla.mozilla.org", "issue-tracker"),
    ("news.ycombinator.com", "discussion"),
    ("reddit.com", "discussion"),
    ("lobste.rs", "discussion"),
    ("groups.google.com", "mailing-list"),
    ("lists.debian.org", "mailing-list"),
    ("lists.wikimedia.org", "mailing-list"),
    ("mail-archive.com", "mailing-list"),
    ("youtube.com", "talk"),
    ("vimeo.com", "talk"),
    ("arxiv.org", "paper"),
    ("dl.acm.org", "paper"),
];

/// The kind of source that an address shows, and why; `None` where the address does not say. A page on a
/// host of the organisation whose incident it tells is that organisation's postmortem.
pub fn source_kind(
    address: &str,
    org: Option<&str>,
    known: &Organisations,
) -> Option<(&'static str, String)> {
    let url = Url::parse(address).ok()?;
    let host = url.host_str()?.trim_start_matches("www.").to_lowercase();
    let place = format!("{host}{}", url.path());
    let told = |start: &str| {
        let below = |whole: &str| {
            let rest = whole.strip_prefix(start);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let parent = place.split_once('.').map_or("", |(_, parent)| parent);
        below(&place) || below(parent)
    };
    if let Some((start, kind)) = PLACES.iter().find(|(start, _)| told(start)) {
        return Some((kind, format!("the address lies at {start}")));
    }
    let label = host.split('.').next().unwrap_or_default();
    let status_host = matches!(label, "status" | "health" | "trust" | "uptime")
        || label.ends_with("status")
        || host.ends_with(".statuspage.io")
        || host.starts_with("status-");
    if status_host {
        return Some(("official-status", format!("{host} is a status page")));
    }
    let mut parts = url.path_segments().into_iter().flatten();
    let forge = matches!(host.as_str(), "github.com" | "gitlab.com" | "codeberg.org");
    if forge && parts.any(|part| matches!(part, "issues" | "work_items")) {
        return Some(("issue-tracker", format!("it is an issue on {host}")));
    }
    let owner = known.by_address(address)?;
    let own = org.is_some_and(|org| owner.name.eq_ignore_ascii_case(org));
    own.then(|| {
        (
            "official-postmortem",
            format!("{host} is a host of {}", owner.name),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::builtin_organisations;

    #[test]
    fn addresses_say_what_lies_there() {
        let known = builtin_organisations();
        let kind = |address: &str, org: Option<&str>| {
            source_kind(address, org, &known).map(|(kind, _)| kind)
        };
        for (address, org, expected) in [
            (
                "https://aws.amazon.com/message/11201/",
                None,
                Some("official-status"),
            ),
            (
                "https://status.example.org/incidents/5",
                None,
                Some("official-status"),
            ),
            (
                "https://www.cloudflarestatus.com/incidents/x",
                None,
                Some("official-status"),
            ),
            (
                "https://github.com/o/r/issues/5",
                None,
                Some("issue-tracker"),
            ),
            ("https://old.reddit.com/r/sre/1", None, Some("discussion")),
            (
                "https://blog.cloudflare.com/outage",
                Some("Cloudflare"),
                Some("official-postmortem"),
            ),
            ("https://blog.cloudflare.com/outage", Some("Verizon"), None),
            ("https://example.org/blog/outage", Some("Cloudflare"), None),
            ("not an address", None, None),
        ] {
            assert_eq!(kind(address, org), expected, "{address}");
        }
    }
}
