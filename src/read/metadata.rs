//! What an HTML page says of itself: `<meta>`, `<link rel=canonical>`, JSON-LD, `<time datetime>`.

use scraper::Node;
use scraper::node::Element;
use serde_json::Value;

use super::container::{Role, Roles, words};
use super::front_matter::Meta;
use super::positioned::PositionedHtml;

/// No more than this many are kept of one page.
const MOST: usize = 400;

/// Texts longer than this are no day of publication, whatever their element is called.
const LONGEST_DAY: usize = 120;

/// The metadata of a page, in document order. Keys are lower case: the name of a `<meta>`,
/// `canonical`, `ld:` and the name of a JSON-LD member; `time` and `dated` are elements that say a
/// day by what they are or by their class, with `:published` or `:changed` behind where they say
/// what day.
pub(super) fn metadata(parsed: &PositionedHtml, source: &str, roles: &mut Roles) -> Vec<Meta> {
    let mut found = Found {
        source,
        at: 0,
        out: Vec::new(),
    };
    for node in parsed.html.tree.root().descendants() {
        if found.out.len() >= MOST {
            break;
        }
        let Node::Element(element) = node.value() else {
            continue;
        };
        match element.name() {
            "meta" => {
                let names = ["property", "name", "itemprop"];
                let name = names.iter().find_map(|name| element.attr(name));
                if let (Some(name), Some(content)) = (name, element.attr("content")) {
                    found.add(name.to_ascii_lowercase(), content);
                }
            }
            "link" if element.attr("rel") == Some("canonical") => {
                found.add(
                    "canonical".to_owned(),
                    element.attr("href").unwrap_or_default(),
                );
            }
            "script" if element.attr("type") == Some("application/ld+json") => {
                let text: String = node
                    .children()
                    .filter_map(|c| c.value().as_text().map(|t| t.to_string()))
                    .collect();
                if let Ok(value) = serde_json::from_str::<Value>(text.trim()) {
                    linked_data(&value, 0, &mut |key, value| found.add(key, value));
                }
            }
            "html" | "head" | "body" | "script" | "style" => {}
            name => {
                if let Some(key) = dated(element).filter(|_| !beside(node, roles)) {
                    let written = element.attr("datetime").or_else(|| element.attr("content"));
                    let title = element
                        .attr("title")
                        .filter(|_| matches!(name, "abbr" | "span"));
                    let text = text_of(node, parsed);
                    match (written.or(title), text) {
                        (Some(value), _) if value.len() >= 8 => found.add(key.to_owned(), value),
                        (_, Some((text, source))) => found.out.push(Meta {
                            key: key.to_owned(),
                            value: text,
                            source,
                        }),
                        _ => {}
                    }
                }
            }
        }
    }
    found.out
}

struct Found<'a> {
    source: &'a str,
    /// Where the last value stood: the next is looked for from there on first.
    at: usize,
    out: Vec<Meta>,
}

impl Found<'_> {
    fn add(&mut self, key: String, value: &str) {
        let value = value.trim();
        if value.is_empty() {
            return;
        }
        let after = self.source.get(self.at..).and_then(|rest| rest.find(value));
        let at = after
            .map(|at| self.at + at)
            .or_else(|| self.source.find(value));
        if let Some(at) = at {
            self.at = at;
        }
        self.out.push(Meta {
            key,
            value: value.to_owned(),
            source: at.map_or(0..0, |at| at..at + value.len()),
        });
    }
}

/// Whether a name may say a day; few do, and taking names apart costs.
fn may_date(name: &str) -> bool {
    const PARTS: [&str; 12] = [
        "date", "datum", "time", "publi", "post", "entry", "authored", "fecha", "modif", "chang",
        "edit", "aktual",
    ];
    let holds = |part: &&str| {
        let mut windows = name.as_bytes().windows(part.len());
        windows.any(|w| w.eq_ignore_ascii_case(part.as_bytes()))
    };
    PARTS.iter().any(holds)
}

/// The key of an element that says a day by what it is or by its class, id or item property.
fn dated(element: &Element) -> Option<&'static str> {
    let time = element.name() == "time";
    let names = ["itemprop", "class", "id"]
        .iter()
        .filter_map(|name| element.attr(name));
    let (mut day, mut published, mut changed) = (time, element.attr("pubdate").is_some(), false);
    for name in names
        .flat_map(str::split_ascii_whitespace)
        .take(12)
        .filter(|n| n.len() <= 60 && may_date(n))
    {
        for word in words(name) {
            let ends = |end: &str| word.ends_with(end);
            changed |= ["updat", "modif", "chang", "edited", "aktualis"]
                .iter()
                .any(|w| word.contains(w));
            published |= ["publish", "publi", "posted", "pubdate", "postdate"]
                .iter()
                .any(|w| word.starts_with(w))
                || matches!(word.as_str(), "post" | "entry");
            day |= (ends("date") && !ends("update") && !ends("validate") && !ends("candidate"))
                || ends("datum")
                || matches!(
                    word.as_str(),
                    "time"
                        | "datetime"
                        | "dateline"
                        | "timestamp"
                        | "posted"
                        | "published"
                        | "authored"
                        | "fecha"
                );
        }
    }
    Some(match (day, time, published, changed) {
        (false, ..) => return None,
        (_, true, true, false) => "time:published",
        (_, true, _, true) => "time:changed",
        (_, true, ..) => "time",
        (_, _, true, false) => "dated:published",
        (_, _, _, true) => "dated:changed",
        _ => "dated",
    })
}

/// Whether an element stands in a part beside the article.
fn beside(node: ego_tree::NodeRef<'_, Node>, roles: &mut Roles) -> bool {
    node.ancestors().take(16).any(|a| {
        a.value().as_element().is_some_and(|e| {
            !matches!(e.name(), "body" | "html" | "article" | "main")
                && (matches!(e.name(), "nav" | "footer") || roles.of(e) == Role::Beside)
        })
    })
}

/// The text of an element that is short enough to be a day, and where it stands.
fn text_of(
    node: ego_tree::NodeRef<'_, Node>,
    parsed: &PositionedHtml,
) -> Option<(String, std::ops::Range<usize>)> {
    let mut text = String::new();
    let mut source: Option<std::ops::Range<usize>> = None;
    for inner in node.descendants() {
        let Node::Text(part) = inner.value() else {
            continue;
        };
        text.push_str(part);
        if text.len() > LONGEST_DAY {
            return None;
        }
        for run in parsed.runs.get(&inner.id()).into_iter().flatten() {
            let start = source.as_ref().map_or(run.source.start, |s| s.start);
            source = Some(start..run.source.end.max(start));
        }
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Some((text, source?)).filter(|(text, _)| text.bytes().any(|b| b.is_ascii_digit()))
}

/// The members of JSON-LD that tell of the page: title, dates, publisher.
fn linked_data(value: &Value, depth: usize, add: &mut impl FnMut(String, &str)) {
    if depth > 6 {
        return;
    }
    match value {
        Value::Array(items) => items
            .iter()
            .take(50)
            .for_each(|v| linked_data(v, depth + 1, add)),
        Value::Object(members) => {
            for (key, value) in members {
                match (key.as_str(), value) {
                    (
                        "headline" | "datePublished" | "dateModified" | "dateCreated",
                        Value::String(text),
                    ) => {
                        add(format!("ld:{}", key.to_ascii_lowercase()), text);
                    }
                    ("publisher", Value::Object(publisher)) => {
                        if let Some(Value::String(name)) = publisher.get("name") {
                            add("ld:publisher".to_owned(), name);
                        }
                    }
                    ("@graph" | "mainEntity", inner) => linked_data(inner, depth + 1, add),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}
