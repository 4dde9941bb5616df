//! A record as a JSON API gives it: every value is a claim, unknown members included.

use serde_json::Value;

use super::{Claim, Draft, Evidence};
use crate::finding::{Finding, Level, Place, Places};
use crate::model::PageKind;
use crate::read::{Page, parse_json};

/// Reads the page as one JSON object. What is wrong with it goes to `findings`.
pub(super) fn extract(page: &Page, findings: &mut Vec<Finding>) -> Option<Draft> {
    let file = page.file.as_str();
    let text = &page.decoded.text;
    if page.decoded.encoding != "UTF-8" {
        let message = format!(
            "JSON is UTF-8 (RFC 8259), but this file is not; it is read as {}",
            page.decoded.encoding
        );
        let help = "look for damaged letters, or save the record again as UTF-8";
        findings.push(Finding::new("json-encoding", Level::Warning, file, message).help(help));
    }
    let (value, twice) = match parse_json(text) {
        Ok(parsed) => parsed,
        Err(fault) => {
            let place = Place::Bytes(fault.offset..fault.offset);
            let finding = Finding::new("json-syntax", Level::Error, file, fault.message);
            findings.push(finding.at(place).help(fault.help));
            return None;
        }
    };
    for pointer in twice {
        let key = pointer.tokens().last().unwrap_or_default();
        let message =
            format!("the key `{key}` stands twice in this object; the first value is read");
        findings.push(
            Finding::new("duplicate-key", Level::Warning, file, message).at(Place::Key(pointer)),
        );
    }
    if let Some(finding) = not_one_record(file, &value) {
        findings.push(finding);
        return None;
    }
    let places = Places::of(text);
    if places.is_cut() {
        let message = "the object holds more than 20,000 values, so it is no case record";
        let finding = Finding::new("not-a-record", Level::Error, file, message);
        findings.push(finding.help("save one case record in each JSON file"));
        return None;
    }
    let mut draft = Draft::new(file, PageKind::ApiRecord);
    draft.id = value["id"].as_str().and_then(|id| id.parse().ok());
    for (pointer, range) in places.leaves() {
        let Some(value) = value.pointer(pointer.as_str()) else {
            continue;
        };
        let inner = if value.is_string() {
            range.start + 1..range.end - 1
        } else {
            range
        };
        let quote = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let evidence = Evidence {
            file: file.to_owned(),
            span: page.decoded.raw_range(&inner),
            position: Some(page.decoded.position(inner.start)),
            quote,
            extractor: PageKind::ApiRecord,
        };
        draft.claims.push(Claim {
            pointer: pointer.clone(),
            value: value.clone(),
            evidence,
            derivation: None,
        });
    }
    draft.document = Some(value);
    Some(draft)
}

fn not_one_record(file: &str, value: &Value) -> Option<Finding> {
    let message = match value {
        Value::Object(map) if map.contains_key("id") || map.contains_key("title") => return None,
        Value::Object(_) => {
            "the object has no `id` and no `title`, so it is no case record".to_owned()
        }
        Value::Array(items) => {
            format!(
                "the file holds a list of {} values, not one record",
                items.len()
            )
        }
        _ => "the file holds one bare value, not a record".to_owned(),
    };
    let finding = Finding::new("not-a-record", Level::Error, file, message);
    Some(finding.help("save one case record in each JSON file"))
}
