//! One claimed value at a time: terms, days, durations, organisations, addresses.

use serde_json::Value;

use super::address::{check_address, human_archive_form};
use super::{OrgAliases, Trouble};
use crate::extract::{Claim, Lexicon};
use crate::finding::Level;
use crate::model::{PageKind, canonical_text};
use crate::vocabulary::{Kind, Lookup, fold};

/// The value in our words, and what was wrong with the page's.
pub(super) fn normalize(
    claim: &Claim,
    orgs: &OrgAliases,
    cx: &Lexicon,
) -> (Value, Option<Trouble>) {
    let tokens: Vec<String> = claim.pointer.tokens().collect();
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    let text = match &claim.value {
        Value::String(text) => text.trim(),
        Value::Null => return (absent(&tokens, claim.evidence.extractor), None),
        other => return (other.clone(), None),
    };
    match tokens.as_slice() {
        ["id" | "recurrence_of"] | ["related", _] => (text.into(), None),
        ["org"] => {
            let known = orgs.get(&fold(text));
            (known.map_or(text, String::as_str).into(), None)
        }
        ["date"] => match cx.times.day_only(text) {
            Some(day) => (day.to_string().into(), None),
            None => (text.into(), Some(not_a_day(text))),
        },
        ["timeline", _] => match cx.times.duration_only(text) {
            Some(duration) => (duration.to_string().into(), None),
            None => (text.into(), Some(not_a_duration(text))),
        },
        [field] if Kind::of_field(field).is_some() => term(Kind::of_field(field), text, cx),
        [
            field @ ("domain" | "symptoms" | "components" | "contributing"),
            _,
        ] => term(Kind::of_field(field), text, cx),
        ["sources", _, "kind"] => term(Some(Kind::SourceKind), text, cx),
        ["sources", _, "archived"] => {
            let human = human_archive_form(text);
            let trouble = address_trouble(text);
            (human.unwrap_or_else(|| text.to_owned()).into(), trouble)
        }
        ["sources" | "docs", _, "url"] => (text.into(), address_trouble(text)),
        _ => (canonical_text(text).into_owned().into(), None),
    }
}

/// What a field holds when a page says that there is nothing: a case page prints one mark for
/// "unknown" and for "none", and the field decides which it is. JSON says itself which it means.
fn absent(tokens: &[&str], extractor: PageKind) -> Value {
    match tokens {
        ["severity" | "root_cause"] | ["impact", _] if extractor == PageKind::CasePage => {
            "unknown".into()
        }
        _ => Value::Null,
    }
}

fn term(kind: Option<Kind>, text: &str, cx: &Lexicon) -> (Value, Option<Trouble>) {
    let Some(kind) = kind else {
        return (text.into(), None);
    };
    match cx.vocabulary.lookup(kind, text) {
        Lookup::Term(slug) => (slug.into(), None),
        Lookup::Ambiguous(slugs) => {
            let message = format!("`{text}` may mean {}", slugs.join(" or "));
            let help = "write the right one into the record".to_owned();
            let trouble = Trouble {
                rule: "ambiguous-term",
                level: Level::Warning,
                message,
                help: Some(help),
            };
            (text.into(), Some(trouble))
        }
        Lookup::Unknown => {
            let message = format!("`{text}` is no term of {}", kind.as_str());
            let near = cx.vocabulary.nearest(kind, text);
            let help = match near {
                Some(slug) => format!(
                    "did you mean `{slug}`? all terms: incidentlib vocab {}",
                    kind.as_str()
                ),
                None => format!("all terms: incidentlib vocab {}", kind.as_str()),
            };
            let trouble = Trouble {
                rule: "unknown-term",
                level: Level::Warning,
                message,
                help: Some(help),
            };
            (text.into(), Some(trouble))
        }
    }
}

fn not_a_day(text: &str) -> Trouble {
    Trouble {
        rule: "unreadable-date",
        level: Level::Warning,
        message: format!("`{text}` is not one full day, or the order of its numbers is open"),
        help: Some("write the day into the record as `2024-07-30`".to_owned()),
    }
}

fn not_a_duration(text: &str) -> Trouble {
    Trouble {
        rule: "unreadable-duration",
        level: Level::Warning,
        message: format!("`{text}` is not one duration"),
        help: Some(
            "write it into the record as `6h 52m`, or null where the page does not say".to_owned(),
        ),
    }
}

fn address_trouble(text: &str) -> Option<Trouble> {
    check_address(text).err().map(|fault| Trouble {
        rule: "bad-address",
        level: Level::Warning,
        message: format!("`{text}` {fault}"),
        help: Some("write the address as it was published".to_owned()),
    })
}
