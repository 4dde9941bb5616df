//! Digests: what exactly a reviewer read, and what exactly a raw page was.

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::case::Case;

/// `sha256:` and 64 hex digits over the RFC 8785 (JCS) form of the record without `review` and
/// without `sources[].archived`, so that adding an archive link does not undo a review.
pub fn digest_of(case: &Case) -> String {
    let value = bound_to_review(case);
    // Printing once more through the canonical printer gives the digest NFC text in every string.
    let canonical = serde_json::from_str(&super::print_json(&value)).unwrap_or(value);
    let bytes = serde_json_canonicalizer::to_vec(&canonical)
        .expect("a serde_json value read from JSON has finite numbers and serializes");
    format!("sha256:{}", sha256_of_bytes(&bytes))
}

/// The record without what changes and leaves a review standing: the review itself and the links to copies.
fn bound_to_review(case: &Case) -> Value {
    let mut value = case.to_value();
    if let Value::Object(map) = &mut value {
        map.shift_remove("review");
        if let Some(Value::Array(sources)) = map.get_mut("sources") {
            for source in sources.iter_mut().filter_map(Value::as_object_mut) {
                source.shift_remove("archived");
            }
        }
    }
    value
}

/// The fields that differ between two versions of a record, in the order they are written, as far as a review is
/// bound to them; of an object its members.
pub fn changed_fields(before: &Case, after: &Case) -> Vec<String> {
    let mut out = Vec::new();
    let (before, after) = (bound_to_review(before), bound_to_review(after));
    differences(&before, &after, "", &mut out);
    out
}

fn differences(before: &Value, after: &Value, at: &str, out: &mut Vec<String>) {
    match (before, after) {
        _ if before == after => {}
        (Value::Object(a), Value::Object(b)) => {
            let removed = a.keys().filter(|key| !b.contains_key(*key));
            for key in b.keys().chain(removed) {
                let (a, b) = (
                    a.get(key).unwrap_or(&Value::Null),
                    b.get(key).unwrap_or(&Value::Null),
                );
                let dot = if at.is_empty() { "" } else { "." };
                differences(a, b, &format!("{at}{dot}{key}"), out);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                differences(a, b, &format!("{at}.{i}"), out);
            }
        }
        _ => out.push(at.to_owned()),
    }
}

/// The SHA-256 of some bytes as 64 lower-case hex digits.
pub fn sha256_of_bytes(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sha256_of_the_standard_test_vector() {
        // FIPS 180-2, appendix B.1.
        assert_eq!(
            sha256_of_bytes(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn reviews_and_archive_links_do_not_change_the_digest() {
        let case = |text: &str| Case::from_value(serde_json::from_str(text).unwrap()).unwrap();
        let plain = case(r#"{"org":"A","sources":[{"url":"https://a.example/"}]}"#);
        let archived = case(
            r#"{"review":{"reviewed_by":"x"},"sources":[{"archived":"https://web.archive.org/web/20200101000000/https://a.example/","url":"https://a.example/"}],"org":"A"}"#,
        );
        let other = case(r#"{"org":"B","sources":[{"url":"https://a.example/"}]}"#);
        assert_eq!(digest_of(&plain), digest_of(&archived));
        assert_ne!(digest_of(&plain), digest_of(&other));
    }
}
