//! What an HTML page says of itself: `<meta>`, `<link rel=canonical>`, JSON-LD, `<time datetime>`.

use scraper::{Html, Node};
use serde_json::Value;

use super::front_matter::Meta;

/// No more than this many are kept of one page.
const MOST: usize = 400;

/// The metadata of a page, in document order. Keys are lower case: the name of a `<meta>`,
/// `canonical`, `ld:` and the name of a JSON-LD member, `time`.
pub(super) fn metadata(html: &Html, source: &str) -> Vec<Meta> {
    let mut out: Vec<Meta> = Vec::new();
    for node in html.tree.root().descendants() {
        if out.len() >= MOST {
            break;
        }
        let Node::Element(element) = node.value() else {
            continue;
        };
        let mut add = |key: String, value: &str| {
            let value = value.trim();
            if !value.is_empty() {
                let at = source.find(value);
                let source = at.map_or(0..0, |at| at..at + value.len());
                out.push(Meta {
                    key,
                    value: value.to_owned(),
                    source,
                });
            }
        };
        match element.name() {
            "meta" => {
                let name = element
                    .attr("property")
                    .or_else(|| element.attr("name"))
                    .or_else(|| element.attr("itemprop"));
                if let (Some(name), Some(content)) = (name, element.attr("content")) {
                    add(name.to_ascii_lowercase(), content);
                }
            }
            "link" if element.attr("rel") == Some("canonical") => {
                add(
                    "canonical".to_owned(),
                    element.attr("href").unwrap_or_default(),
                );
            }
            "time" => {
                let published = element
                    .attr("itemprop")
                    .is_some_and(|p| p.eq_ignore_ascii_case("datePublished"))
                    || element.attr("pubdate").is_some();
                let key = if published { "time:published" } else { "time" };
                if let Some(value) = element.attr("datetime") {
                    add(key.to_owned(), value);
                }
            }
            "script" if element.attr("type") == Some("application/ld+json") => {
                let text: String = node
                    .children()
                    .filter_map(|c| c.value().as_text().map(|t| t.to_string()))
                    .collect();
                if let Ok(value) = serde_json::from_str::<Value>(&text) {
                    linked_data(&value, 0, &mut add);
                }
            }
            _ => {}
        }
    }
    out
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
