//! The five documents the project was built from, read from `../shared/seeds` where it is there.

use std::fs;

use crate::common::{TempLibrary, shared};
use incidentlib::extract::{Lexicon, extract};
use incidentlib::merge::{Options, merge};
use incidentlib::model::{Case, PageKind};
use incidentlib::normalize::{DERIVED_FIELDS, Proposal, normalize};
use serde_json::{Value, json};

const API_RECORDS: [&str; 2] = ["000_6b1f2c4d4402ea61.txt", "004_7a462717ab4e433b.txt"];
const ENGLISH_PAGE: &str = "001_8a42267a5d927369.txt";
const KOREAN_PAGE: &str = "002_b93a9c8aa9337ef9.txt";
const POSTMORTEM: &str = "003_95584cabc13bace8.txt";

fn seed(name: &str) -> Option<String> {
    let path = shared(&format!("seeds/{name}"))?;
    Some(fs::read_to_string(path).unwrap())
}

fn proposal(name: &str) -> Option<Proposal> {
    let lexicon = Lexicon::builtin();
    let text = seed(name)?;
    let draft = extract(name, text.as_bytes(), None, &lexicon)
        .draft
        .unwrap();
    Some(normalize(&draft, &Default::default(), &lexicon))
}

fn record(proposals: &[Proposal]) -> Case {
    merge(None, proposals, Options::default()).case
}

/// Sets of terms are sorted in a record and are not in the API.
fn with_sorted_sets(mut value: Value) -> Value {
    for field in ["domain", "symptoms", "components", "contributing"] {
        if let Some(Value::Array(items)) = value.get_mut(field) {
            items.sort_by_key(|item| item.as_str().unwrap_or_default().to_owned());
        }
    }
    value
}

#[test]
fn api_records_lose_nothing_but_what_is_derived() {
    for name in API_RECORDS {
        let (Some(text), Some(proposal)) = (seed(name), proposal(name)) else {
            return;
        };
        let mut expected = with_sorted_sets(serde_json::from_str(&text).unwrap());
        for field in DERIVED_FIELDS {
            expected.as_object_mut().unwrap().remove(field).unwrap();
        }
        assert_eq!(record(&[proposal]).to_value(), expected, "{name}");
    }
}

#[test]
fn api_records_become_clean_records() {
    for name in API_RECORDS {
        let Some(text) = seed(name) else { return };
        let library = TempLibrary::new();
        library.write("inbox/record.json", text);
        assert!(
            library
                .run(&["ingest", "inbox/record.json"])
                .status
                .success()
        );
        // The texts of the seeds tell more times in one language than in the other, and nothing is wrong with them.
        let said = library.say(&["check", "--strict"]);
        assert!(
            said.contains("1 record checked: 0 errors, 0 warnings, "),
            "{said}"
        );
        let notes = said.matches(" note[").count();
        assert_eq!(notes, said.matches(" note[languages-disagree]").count());
    }
}

#[test]
fn the_english_page_agrees_with_its_record_and_adds_its_related_cases() {
    let (Some(api), Some(page)) = (proposal(API_RECORDS[0]), proposal(ENGLISH_PAGE)) else {
        return;
    };
    assert!(page.findings.is_empty(), "{:?}", page.findings);
    let alone = record(std::slice::from_ref(&api));
    let merged = merge(Some(&alone), &[api, page.clone()], Options::default());
    assert!(merged.findings.is_empty(), "{:?}", merged.findings);
    assert!(
        merged.changes.is_empty(),
        "the record already holds it all: {:?}",
        merged.changes
    );
    let similar: Vec<(String, Option<&str>, &[String])> = page
        .similar
        .iter()
        .map(|s| (s.id.to_string(), s.org.as_deref(), s.shared.as_slice()))
        .collect();
    let shared = |label: &str| [label.to_owned()];
    assert_eq!(
        similar,
        [
            (
                "IL-0281".to_owned(),
                Some("PostHog"),
                &shared("Object storage")[..]
            ),
            (
                "IL-0151".to_owned(),
                Some("Amazon Web Services"),
                &shared("Serverless function platform")[..]
            ),
            (
                "IL-0243".to_owned(),
                Some("Google Cloud"),
                &shared("Serverless function platform")[..]
            ),
        ]
    );
}

#[test]
fn the_english_page_alone_tells_what_its_record_tells_in_english() {
    let (Some(api), Some(page)) = (proposal(API_RECORDS[0]), proposal(ENGLISH_PAGE)) else {
        return;
    };
    let (api, page) = (record(&[api]).to_value(), record(&[page]).to_value());
    let english = |pointer: &str| {
        assert_eq!(api.pointer(pointer), page.pointer(pointer), "{pointer}");
        assert!(page.pointer(pointer).is_some(), "{pointer}");
    };
    for pointer in [
        "/id",
        "/org",
        "/date",
        "/date_kind",
        "/domain",
        "/severity",
        "/root_cause",
        "/symptoms",
        "/impact",
        "/timeline",
        "/title/en",
        "/summary/en",
        "/symptoms_text/en",
        "/trigger/en",
        "/detection",
        "/lessons",
        "/remediation/2/text/en",
        "/action_items/2/text/en",
        "/sources/0/url",
        "/sources/0/kind",
    ] {
        english(pointer);
    }
}

#[test]
fn the_korean_page_becomes_a_korean_record() {
    let Some(page) = proposal(KOREAN_PAGE) else {
        return;
    };
    let case = record(std::slice::from_ref(&page));
    let value = case.to_value();
    assert_eq!(
        value["timeline"],
        json!({"detected_after": null, "resolved_after": "17h 8m"})
    );
    assert_eq!(value["root_cause"], "capacity");
    assert_eq!(value["severity"], "unknown");
    assert_eq!(value["date"], "2020-11-25");
    assert_eq!(value["date_kind"], "incident");
    assert_eq!(value["org"], "Amazon Web Services");
    assert_eq!(value["domain"], json!(["aws", "database", "observability"]));
    assert_eq!(
        value["components"],
        json!(["message-broker", "telemetry-agent"])
    );
    assert_eq!(case.remediation.len(), 7);
    assert_eq!(case.action_items.len(), 10);
    assert_eq!(
        value["sources"][0]["url"],
        "https://aws.amazon.com/message/11201/"
    );
    assert_eq!(value["sources"][0]["kind"], "official-status");
    for field in [
        "title",
        "summary",
        "symptoms_text",
        "trigger",
        "detection",
        "lessons",
    ] {
        assert!(value[field]["ko"].is_string(), "{field}");
    }
    let paragraphs = value["summary"]["ko"]
        .as_str()
        .unwrap()
        .split("\n\n")
        .count();
    assert_eq!(paragraphs, 4);
    let similar: Vec<String> = page.similar.iter().map(|s| s.id.to_string()).collect();
    assert_eq!(
        similar,
        [
            "IL-0288", "IL-0390", "IL-0042", "IL-0110", "IL-0194", "IL-0026", "IL-0075", "IL-0275"
        ]
    );
    assert!(
        page.similar
            .iter()
            .all(|s| s.same_root_cause && s.shared.len() == 1)
    );
}

#[test]
fn the_korean_page_is_valid_in_a_korean_library() {
    let Some(text) = seed(KOREAN_PAGE) else {
        return;
    };
    let library = TempLibrary::new();
    let settings = library
        .read("incidentlib.toml")
        .replace("[\"en\", \"ko\"]", "[\"ko\"]");
    library.write("incidentlib.toml", settings);
    assert!(library.run(&["fmt"]).status.success());
    library.write("inbox/page.txt", text);
    let out = library.run(&["ingest", "inbox/page.txt"]);
    assert!(out.status.success(), "{}", crate::common::shown(&out));
    let said = library.say(&["check", "--strict"]);
    assert!(
        said.contains("1 record checked: 0 errors, 0 warnings, 1 note"),
        "{said}"
    );
}

#[test]
fn related_cases_are_written_only_when_an_editor_asks() {
    let Some(text) = seed(KOREAN_PAGE) else {
        return;
    };
    let library = TempLibrary::new();
    library.write("inbox/page.txt", text);
    library.run(&["ingest", "inbox/page.txt"]);
    let related = |library: &TempLibrary| -> Value {
        let text = library.read("normalized/IL-0384.json");
        serde_json::from_str::<Value>(&text).unwrap()["related"].clone()
    };
    assert_eq!(related(&library), json!([]));
    library.run(&["ingest", "--with-related"]);
    assert_eq!(related(&library).as_array().unwrap().len(), 8);
}

#[test]
fn the_postmortem_becomes_a_draft() {
    let Some(text) = seed(POSTMORTEM) else { return };
    let lexicon = Lexicon::builtin();
    let read = extract(
        POSTMORTEM,
        text.as_bytes(),
        Some(PageKind::Postmortem),
        &lexicon,
    );
    let draft = read.draft.unwrap();
    let claimed = |pointer: &str| draft.claims.iter().find(|c| c.pointer.as_str() == pointer);
    assert_eq!(claimed("/date").unwrap().value, "2020-11-25");
    assert_eq!(draft.language.unwrap().as_str(), "id");
    assert_eq!(
        read.page.unwrap().blocks.len(),
        text.lines().filter(|l| !l.trim().is_empty()).count()
    );
}

#[test]
fn merging_the_seeds_twice_changes_nothing() {
    let names = [API_RECORDS[0], ENGLISH_PAGE];
    let proposals: Vec<Proposal> = names.iter().filter_map(|n| proposal(n)).collect();
    if proposals.len() < 2 {
        return;
    }
    let once = record(&proposals);
    let twice = merge(Some(&once), &proposals, Options::default());
    assert_eq!(twice.case, once);
}
