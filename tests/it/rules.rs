//! Every rule with its own examples: each bad one trips it, no good one does.

use std::collections::BTreeSet;

use crate::common::{check_files, files_of, policy};
use incidentlib::check::{RULES, Waiver};
use incidentlib::finding::Level;

/// Rules without examples take a disk or settings; each is shown by the test named here.
const SHOWN_ELSEWHERE: [(&str, &str); 9] = [
    ("review-own-change", "tests/it/pull_request.rs"),
    ("too-large", "tests/it/faults.rs"),
    ("not-a-file", "tests/it/faults.rs"),
    ("unreadable-file", "tests/it/faults.rs"),
    ("outside-library", "tests/it/faults.rs"),
    ("schema-out-of-step", "tests/it/cli.rs"),
    ("vanished-id", "tests/it/ids.rs"),
    ("waiver-over", "tests/it/rules.rs"),
    ("waiver-unused", "tests/it/rules.rs"),
];

#[test]
fn every_bad_example_trips_its_rule_and_no_good_one_does() {
    for rule in RULES.iter().filter(|rule| !rule.bad.is_empty()) {
        let found = |example: &str| {
            let findings = check_files(files_of(example), &policy());
            findings
                .into_iter()
                .filter(|f| f.rule == rule.id)
                .collect::<Vec<_>>()
        };
        let bad = found(rule.bad);
        assert!(
            !bad.is_empty(),
            "the bad example of {} trips nothing",
            rule.id
        );
        assert!(bad.iter().all(|f| f.level == rule.level), "{}", rule.id);
        let good = found(rule.good);
        assert!(good.is_empty(), "the good example of {}: {good:?}", rule.id);
    }
}

#[test]
fn rules_without_examples_are_shown_by_other_tests() {
    let without: BTreeSet<&str> = RULES
        .iter()
        .filter(|r| r.bad.is_empty())
        .map(|r| r.id)
        .collect();
    let listed: BTreeSet<&str> = SHOWN_ELSEWHERE.iter().map(|(id, _)| *id).collect();
    assert_eq!(without, listed);
    for (id, file) in SHOWN_ELSEWHERE {
        let text = std::fs::read_to_string(crate::common::root().join(file)).unwrap();
        assert!(text.contains(id), "{file} does not speak of {id}");
    }
}

#[test]
fn names_are_plain_and_unique_and_reasons_are_one_sentence() {
    let mut seen = BTreeSet::new();
    for rule in RULES.iter() {
        assert!(seen.insert(rule.id), "{} twice", rule.id);
        assert!(
            rule.id
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
            "{}",
            rule.id
        );
        assert!(
            rule.why.ends_with('.') && rule.why.len() > 20,
            "{}: {}",
            rule.id,
            rule.why
        );
    }
}

#[test]
fn every_finding_has_a_help_and_a_place() {
    for rule in RULES.iter().filter(|rule| !rule.bad.is_empty()) {
        for finding in check_files(files_of(rule.bad), &policy()) {
            assert!(finding.help.is_some(), "{finding:?}");
            assert!(!finding.message.ends_with('.'), "{finding:?}");
            let in_record = finding.place.pointer().is_some();
            assert!(!in_record || finding.position.is_some(), "{finding:?}");
        }
    }
}

#[test]
fn levels_and_waivers_come_from_the_settings() {
    let example = r#"[{"id":"IL-0001","sources":[{"url":"https://a.example/","kind":"news","archived":null}]}]"#;
    let rules = |policy: &_| -> Vec<(&'static str, Level)> {
        let findings = check_files(files_of(example), policy);
        findings
            .iter()
            .filter(|f| f.rule == "archive-missing" || f.rule.starts_with("waiver"))
            .map(|f| (f.rule, f.level))
            .collect()
    };
    let mut policy = policy();
    assert_eq!(rules(&policy), [("archive-missing", Level::Note)]);
    policy
        .levels
        .insert("archive-missing".to_owned(), Some(Level::Error));
    assert_eq!(rules(&policy), [("archive-missing", Level::Error)]);
    policy.levels.insert("archive-missing".to_owned(), None);
    assert!(rules(&policy).is_empty());
    policy.levels.clear();

    let waiver = |until: &str| Waiver {
        rule: "archive-missing".to_owned(),
        case: "IL-0001".to_owned(),
        reason: "the page is a print-out".to_owned(),
        until: until.parse().unwrap(),
    };
    policy.waivers = vec![waiver("2027-01-01")];
    assert!(rules(&policy).is_empty());
    policy.waivers.push(waiver("2027-01-01"));
    assert_eq!(rules(&policy), [("waiver-unused", Level::Error)]);
    policy.waivers = vec![waiver("2026-01-01")];
    assert_eq!(
        rules(&policy),
        [
            ("waiver-over", Level::Error),
            ("archive-missing", Level::Note)
        ]
    );
}
