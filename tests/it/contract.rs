//! Schema, vocabulary, languages and Rust types say the same thing, or a test fails.

use std::collections::BTreeSet;

use crate::common::{builtin, builtin_json, full_record, root, shared};
use incidentlib::check::{case_schema_for, schema_keys};
use incidentlib::model::{Case, FIELD_ORDER, print_json};
use incidentlib::vocabulary::{BUILTIN_FILES, Kind, builtin_languages, builtin_vocabulary, fold};
use serde_json::{Map, Value};

const SCHEMAS: [&str; 2] = ["schema/case.schema.json", "schema/sources.schema.json"];

#[test]
fn both_schemas_are_valid_2020_12_by_the_official_meta_schema() {
    for name in SCHEMAS {
        let document = builtin_json(name);
        assert_eq!(
            document["$schema"], "https://json-schema.org/draft/2020-12/schema",
            "{name}"
        );
        if let Err(error) = jsonschema::draft202012::meta::validate(&document) {
            panic!("{name}: {error} at {}", error.instance_path());
        }
    }
}

/// Every schema object of a document with its pointer.
fn walk<'a>(value: &'a Value, pointer: String, out: &mut Vec<(String, &'a Map<String, Value>)>) {
    match value {
        Value::Object(map) => {
            out.push((pointer.clone(), map));
            for (key, child) in map {
                walk(child, format!("{pointer}/{key}"), out);
            }
        }
        Value::Array(items) => {
            for (i, child) in items.iter().enumerate() {
                walk(child, format!("{pointer}/{i}"), out);
            }
        }
        _ => {}
    }
}

#[test]
fn schemas_are_written_for_people_and_closed() {
    for name in SCHEMAS {
        let document = builtin_json(name);
        let mut nodes = Vec::new();
        walk(&document, String::new(), &mut nodes);
        for (pointer, node) in nodes {
            let at = format!("{name}#{pointer}");
            let parent = pointer.rsplit('/').nth(1).unwrap_or_default();
            if matches!(parent, "properties" | "$defs") && !pointer.contains("/localized") {
                assert!(node.contains_key("title"), "{at} has no title");
                assert!(node.contains_key("description"), "{at} has no description");
            }
            if node.contains_key("properties") && node.contains_key("title") {
                assert_eq!(node["additionalProperties"], false, "{at} is open");
            }
            if let Some(Value::String(pattern)) = node.get("pattern") {
                let anchored = pattern.starts_with('^') && pattern.ends_with('$');
                assert!(anchored, "{at}: {pattern} is not anchored");
            }
        }
    }
}

#[test]
fn every_example_in_a_schema_is_valid_there() {
    for name in SCHEMAS {
        let document = builtin_json(name);
        let mut nodes = Vec::new();
        walk(&document, String::new(), &mut nodes);
        let mut count = 0;
        for (pointer, node) in nodes {
            let Some(Value::Array(examples)) = node.get("examples") else {
                continue;
            };
            let mut part = Map::new();
            part.insert("$defs".to_owned(), document["$defs"].clone());
            part.extend(node.clone());
            let options = jsonschema::draft202012::options().should_validate_formats(true);
            let validator = options.build(&Value::Object(part)).unwrap();
            for example in examples {
                assert!(validator.is_valid(example), "{name}#{pointer}: {example}");
                count += 1;
            }
        }
        assert!(count > 3, "{name} has {count} examples");
    }
}

#[test]
fn the_schema_has_the_fields_of_the_types_in_their_order() {
    let schema = builtin_json(SCHEMAS[0]);
    assert_eq!(schema_keys(&schema, ""), FIELD_ORDER);
    let case = Case::from_value(serde_json::from_str(&full_record("IL-0001")).unwrap()).unwrap();
    let value = case.to_value();
    let keys = |pointer: &str| -> Vec<String> {
        value
            .pointer(pointer)
            .unwrap()
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect()
    };
    for (pointer, definition) in [
        ("", ""),
        ("/impact", "/properties/impact"),
        ("/timeline", "/properties/timeline"),
        ("/remediation/0", "/$defs/step"),
        ("/sources/0", "/$defs/source"),
        ("/docs/0", "/$defs/doc"),
        ("/title", "/$defs/localized"),
        ("/lessons", "/$defs/localizedOrNull"),
    ] {
        assert_eq!(keys(pointer), schema_keys(&schema, definition), "{pointer}");
    }
    let mut review = keys("/review");
    review.push("digest".to_owned());
    assert_eq!(
        review,
        schema_keys(&schema, "/properties/review"),
        "digest is the optional addition"
    );
    assert!(case.extra().is_empty());
}

#[test]
fn the_schema_lists_the_terms_of_the_vocabulary() {
    let schema = builtin_json(SCHEMAS[0]);
    let languages = ["en".parse().unwrap(), "ko".parse().unwrap()];
    let derived = case_schema_for(&schema, &builtin_vocabulary(), &languages, "IL");
    assert_eq!(
        print_json(&derived),
        builtin(SCHEMAS[0]),
        "run `incidentlib fmt`"
    );
    for kind in Kind::ALL {
        let place = format!("/$defs/{}/anyOf", kind.as_str());
        let listed = derived.pointer(&place).unwrap().as_array().unwrap();
        assert_eq!(
            listed.len(),
            builtin_vocabulary().terms(kind).len(),
            "{}",
            kind.as_str()
        );
        assert!(
            listed
                .iter()
                .all(|t| t["const"].is_string() && t["title"].is_string())
        );
    }
}

#[test]
fn every_schema_file_is_compiled_in() {
    let mut on_disk = BTreeSet::new();
    for folder in [
        "schema",
        "schema/language",
        "schema/organisation",
        "schema/vocabulary",
    ] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let name = path.strip_prefix(root()).unwrap();
                on_disk.insert(name.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    let compiled: BTreeSet<String> = BUILTIN_FILES
        .iter()
        .map(|(name, _)| (*name).to_owned())
        .collect();
    assert_eq!(on_disk, compiled);
}

#[test]
fn terms_are_sorted_complete_and_unambiguous() {
    let vocabulary = builtin_vocabulary();
    for list in vocabulary.lists() {
        let kind = list.kind.as_str();
        let slugs: Vec<&str> = list.terms.iter().map(|t| t.slug.as_str()).collect();
        let mut sorted = slugs.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(slugs, sorted, "{kind} is not sorted, or has a slug twice");
        let mut labels = BTreeSet::new();
        for term in &list.terms {
            let at = format!("{kind}/{}", term.slug);
            let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
            assert!(term.slug.bytes().all(plain), "{at}");
            for language in ["en", "ko"] {
                assert!(
                    labels.insert((language, fold(&term.label[language]))),
                    "{at}: label twice"
                );
                assert!(term.definition[language].ends_with('.'), "{at} {language}");
            }
            let hangul = |text: &str| text.chars().any(|c| ('가'..='힣').contains(&c));
            assert!(
                hangul(&term.definition["ko"]),
                "{at}: the Korean definition is not Korean"
            );
            for (language, aliases) in &term.aliases {
                let mut sorted = aliases.clone();
                sorted.sort();
                sorted.dedup();
                assert_eq!(&sorted, aliases, "{at} {language}");
            }
        }
    }
}

#[test]
fn every_label_and_slug_is_found_again() {
    use incidentlib::vocabulary::{Lookup, Segmentation};
    let vocabulary = builtin_vocabulary();
    for list in vocabulary.lists() {
        for term in &list.terms {
            let found = |text: &str| vocabulary.lookup(list.kind, text) == Lookup::Term(&term.slug);
            assert!(found(&term.slug), "{}", term.slug);
            assert!(
                term.label.values().all(|label| found(label)),
                "{}",
                term.slug
            );
        }
        // Any two labels run together fall apart again in one way only, and the right one.
        for language in ["en", "ko"] {
            for pair in list.terms.windows(2) {
                let text = format!("{}{}", pair[0].label[language], pair[1].label[language]);
                let Segmentation::Terms(terms) = vocabulary.segment(list.kind, &text) else {
                    panic!("{text} does not fall into terms");
                };
                let slugs: Vec<&str> = terms.iter().map(|(slug, _)| slug.as_str()).collect();
                assert_eq!(slugs, [&pair[0].slug, &pair[1].slug], "{text}");
            }
        }
    }
}

#[test]
fn languages_have_the_same_labels() {
    let languages = builtin_languages();
    let english = languages.find("en").unwrap();
    let page = english.case_page.as_ref().unwrap();
    let keys: BTreeSet<&String> = page.labels.keys().collect();
    for language in languages.iter() {
        let months = language.time.months.len();
        assert!(months == 0 || months == 12, "{}", language.language);
        assert_eq!(language.time.weekdays.len(), 7, "{}", language.language);
        let Some(page) = &language.case_page else {
            continue;
        };
        let own: BTreeSet<&String> = page.labels.keys().collect();
        assert_eq!(own, keys, "{}", language.language);
        for key in &keys {
            let known = FIELD_ORDER.contains(&key.split('/').next().unwrap());
            assert!(known, "{key} is no field of a record");
        }
    }
}

#[test]
fn the_terms_that_the_seeds_use_are_all_there() {
    let vocabulary = builtin_vocabulary();
    let files = [
        ("domain", Kind::Domain),
        ("symptoms", Kind::Symptom),
        ("severity", Kind::Severity),
        ("components", Kind::Component),
        ("root_cause", Kind::RootCause),
        ("contributing", Kind::Contributing),
        ("date_kind", Kind::DateKind),
        ("source_kind", Kind::SourceKind),
    ];
    for (file, kind) in files {
        let Some(path) = shared(&format!("vocabulary/{file}.json")) else {
            return;
        };
        let list: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        for item in list["items"].as_array().unwrap() {
            if item["status"] == "seed" {
                let slug = item["slug"].as_str().unwrap();
                let term = vocabulary.term(kind, slug);
                let label = term.map(|t| (&t.label["en"], &t.label["ko"]));
                let expected = (
                    item["label"]["en"].as_str().unwrap(),
                    item["label"]["ko"].as_str().unwrap(),
                );
                assert_eq!(
                    label.map(|(e, k)| (e.as_str(), k.as_str())),
                    Some(expected),
                    "{slug}"
                );
            }
        }
    }
}

#[test]
fn known_organisations_are_sorted_and_unambiguous() {
    let known = incidentlib::vocabulary::builtin_organisations();
    let known: Vec<_> = known.iter().collect();
    let names: Vec<&String> = known.iter().map(|o| &o.name).collect();
    assert!(names.is_sorted());
    let mut seen = BTreeSet::new();
    for organisation in &known {
        for name in organisation.aliases.iter().chain([&organisation.name]) {
            assert!(seen.insert(name.clone()), "{name} stands twice");
        }
        for host in &organisation.hosts {
            assert!(seen.insert(format!("//{host}")), "{host} stands twice");
            assert_eq!(*host, host.to_lowercase());
        }
    }
}
