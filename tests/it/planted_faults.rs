//! One fact changed in each of 200 copies of the shipped records: how many of the changes the check reports.
//!
//! The copies are made by a generator with a fixed seed, so that every run plants the same faults. With
//! `-- --nocapture` the test prints the share of each kind and every change that was missed.

use std::collections::BTreeMap;
use std::collections::HashSet;

use crate::common::{check_files, policy, root, tree};
use incidentlib::finding::Finding;
use incidentlib::model::print_json;
use serde_json::Value;

/// Copies that get a fault.
const COPIES: usize = 200;

/// A linear congruential generator (Knuth's constants): enough for choosing places.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % n as u64).unwrap()
    }
}

/// Every text of a record with its pointer.
fn texts(value: &Value, at: &str, out: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => out.push((at.to_owned(), text.clone())),
        Value::Array(all) => {
            for (i, item) in all.iter().enumerate() {
                texts(item, &format!("{at}/{i}"), out);
            }
        }
        Value::Object(members) => {
            for (key, item) in members {
                texts(item, &format!("{at}/{key}"), out);
            }
        }
        _ => {}
    }
}

/// Whether the facts of a text are looked up: prose, the day, the durations.
fn holds_facts(pointer: &str) -> bool {
    let first = pointer.split('/').nth(1).unwrap_or_default();
    !matches!(
        first,
        "id" | "sources" | "docs" | "related" | "recurrence_of" | "review" | "org"
    )
}

/// The texts in which something of `wanted` can be changed, each with the places.
fn places(record: &Value, wanted: &[(&str, &str)]) -> Vec<(String, usize, usize, String)> {
    let mut all = Vec::new();
    texts(record, "", &mut all);
    let mut out = Vec::new();
    for (pointer, text) in all.iter().filter(|(p, _)| holds_facts(p)) {
        for (from, to) in wanted {
            for (at, _) in text.match_indices(from) {
                let before = text[..at].chars().next_back();
                let after = text[at + from.len()..].chars().next();
                let letters = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphabetic());
                let ascii = from.is_ascii();
                let digit_before = before.is_some_and(|c| c.is_ascii_digit());
                if !ascii || (!letters(before) || digit_before) && !letters(after) {
                    out.push((pointer.clone(), at, from.len(), (*to).to_owned()));
                }
            }
        }
    }
    out
}

/// Every digit of a number that is a fact: part of a time, a day, a duration, a share or a count of two digits or
/// more, not of a name.
fn digit_places(record: &Value, dice: &mut Dice) -> Vec<(String, usize, usize, String)> {
    let mut all = Vec::new();
    texts(record, "", &mut all);
    let mut out = Vec::new();
    for (pointer, text) in all.iter().filter(|(p, _)| holds_facts(p)) {
        let number = |c: char| c.is_ascii_digit() || matches!(c, ':' | '.' | ',');
        let mut at = 0;
        while let Some(start) = text[at..]
            .find(|c: char| c.is_ascii_digit())
            .map(|i| i + at)
        {
            let end = text[start..]
                .find(|c| !number(c))
                .map_or(text.len(), |i| i + start);
            at = end;
            let word = text[start..end].trim_end_matches([':', '.', ',']);
            let before = text[..start].chars().next_back();
            let joined =
                before.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/'));
            let duration = pointer.starts_with("/timeline");
            let count = word.bytes().filter(u8::is_ascii_digit).count();
            if joined && pointer != "/date" || count < 2 && !duration {
                continue;
            }
            let digits: Vec<usize> = word
                .char_indices()
                .filter(|(_, c)| c.is_ascii_digit())
                .map(|(i, _)| i)
                .collect();
            // The last digit: the first ones of an hour or month have few others that are one.
            let i = start + digits.last().unwrap();
            let old = text.as_bytes()[i] - b'0';
            let new = (old + 1 + u8::try_from(dice.below(9)).unwrap()) % 10;
            out.push((pointer.clone(), i, 1, new.to_string()));
        }
    }
    out
}

fn set(record: &mut Value, pointer: &str, value: Value) {
    *record.pointer_mut(pointer).unwrap() = value;
}

/// Changes one fact; says what was done, or nothing where the record has no place for it.
fn plant(kind: &str, record: &mut Value, dice: &mut Dice) -> Option<String> {
    let text_change =
        |places: Vec<(String, usize, usize, String)>, record: &mut Value, dice: &mut Dice| {
            if places.is_empty() {
                return None;
            }
            let (pointer, at, length, to) = places[dice.below(places.len())].clone();
            let old = record.pointer(&pointer)?.as_str()?.to_owned();
            let new = format!("{}{to}{}", &old[..at], &old[at + length..]);
            let around = |text: &str| -> String {
                let from = text[..at]
                    .char_indices()
                    .rev()
                    .nth(12)
                    .map_or(0, |(i, _)| i);
                text[from..].chars().take(30).collect()
            };
            let said = format!("{pointer}: “{}” → “{}”", around(&old), around(&new));
            set(record, &pointer, Value::String(new));
            Some(said)
        };
    match kind {
        "digit" => text_change(digit_places(record, dice), record, dice),
        "half of the day" => {
            let halves = [
                ("AM", "PM"),
                ("PM", "AM"),
                ("am", "pm"),
                ("pm", "am"),
                ("오전", "오후"),
                ("오후", "오전"),
            ];
            text_change(places(record, &halves), record, dice)
        }
        "zone" => {
            let zones = [("PDT", "UTC"), ("PST", "UTC"), ("UTC", "PST")];
            text_change(places(record, &zones), record, dice)
        }
        "unit" => {
            let units = [
                ("hours", "minutes"),
                ("minutes", "hours"),
                ("h ", "m "),
                ("m", "s"),
                ("%", " hosts"),
                ("시간", "분"),
                ("분 ", "시간 "),
                ("years", "months"),
                ("seconds", "minutes"),
            ];
            text_change(
                places(record, &units)
                    .into_iter()
                    .filter(|(p, at, _, _)| {
                        let text = record
                            .pointer(p)
                            .and_then(Value::as_str)
                            .unwrap_or_default();
                        let before = text[..*at].trim_end().chars().next_back();
                        before.is_some_and(|c| c.is_ascii_digit())
                    })
                    .collect(),
                record,
                dice,
            )
        }
        "omitted language" => {
            let mut all = Vec::new();
            texts(record, "", &mut all);
            let tagged: Vec<&String> = all
                .iter()
                .map(|(pointer, _)| pointer)
                .filter(|p| p.ends_with("/ko") || p.ends_with("/en"))
                .collect();
            let pointer = tagged[dice.below(tagged.len())].clone();
            let (parent, tag) = pointer.rsplit_once('/')?;
            record.pointer_mut(parent)?.as_object_mut()?.remove(tag);
            Some(pointer)
        }
        "wrong archive" => {
            let pointer = "/sources/0/archived";
            let old = record.pointer(pointer)?.as_str()?.to_owned();
            let new = match dice.below(4) {
                0 => old.replace("/message/", "/messages/"),
                1 => old.trim_end_matches('/').to_owned() + "1/",
                2 => old.replacen("/20", "/30", 1),
                _ => record.pointer("/sources/0/url")?.as_str()?.to_owned(),
            };
            set(record, pointer, Value::String(new.clone()));
            Some(new)
        }
        "swapped id" => {
            let own = record["id"].as_str()?.to_owned();
            match dice.below(3) {
                0 => set(record, "/id", "IL-0999".into()),
                1 => record["related"] = serde_json::json!([own]),
                _ => set(record, "/recurrence_of", "IL-9999".into()),
            }
            Some("an id".to_owned())
        }
        other => panic!("no kind {other}"),
    }
}

const KINDS: [&str; 7] = [
    "digit",
    "half of the day",
    "zone",
    "unit",
    "omitted language",
    "wrong archive",
    "swapped id",
];

#[test]
fn a_changed_fact_is_reported() {
    let clean: Vec<(String, Vec<u8>)> = ["normalized", "raw"]
        .iter()
        .flat_map(|part| {
            let files = tree(&root().join(part)).into_iter();
            files.map(move |(name, bytes)| (format!("{part}/{name}"), bytes))
        })
        .collect();
    let key = |f: &Finding| (f.rule, f.file.clone(), f.message.clone());
    let before: HashSet<_> = check_files(clean.clone(), &policy())
        .iter()
        .map(key)
        .collect();
    let records: Vec<usize> = (0..clean.len())
        .filter(|i| clean[*i].0.starts_with("normalized/"))
        .collect();
    let mut dice = Dice(2026);
    let mut shares: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let (mut copies, mut missed) = (0, Vec::new());
    while copies < COPIES {
        let kind = KINDS[copies % KINDS.len()];
        let at = records[dice.below(records.len())];
        let mut files = clean.clone();
        let mut record: Value = serde_json::from_slice(&files[at].1).unwrap();
        let Some(done) = plant(kind, &mut record, &mut dice) else {
            continue;
        };
        files[at].1 = print_json(&record).into_bytes();
        if files[at].1 == clean[at].1 {
            continue;
        }
        copies += 1;
        let found = check_files(files, &policy());
        let new: Vec<&Finding> = found.iter().filter(|f| !before.contains(&key(f))).collect();
        let share = shares.entry(kind).or_default();
        share.1 += 1;
        if new.is_empty() {
            missed.push(format!("{kind}: {} {done}", clean[at].0));
        } else {
            share.0 += 1;
        }
    }
    for (kind, (found, planted)) in &shares {
        println!("{kind:<18} {found:>3} of {planted}");
    }
    println!("{}", missed.join("\n"));
    let found: usize = shares.values().map(|(found, _)| found).sum();
    assert!(
        found * 100 >= COPIES * 95,
        "{found} of {COPIES}:\n{}",
        missed.join("\n")
    );
}

/// Records that are all alike: every rule that compares cases has the whole library for neighbours.
#[test]
fn a_cluster_of_like_records_has_one_finding_a_record_and_rule() {
    const RECORDS: usize = 2000;
    let full = crate::common::full_record("IL-9001");
    let record: serde_json::Value = serde_json::from_str(&full).unwrap();
    let files = (1..=RECORDS).map(|i| {
        let id = format!("IL-{i:04}");
        let mut record = record.clone();
        record["id"] = serde_json::json!(id);
        record["sources"][0]["url"] = serde_json::json!(format!("https://status.example.com/{i}"));
        record["sources"][0]["archived"] = serde_json::Value::Null;
        let case = incidentlib::model::Case::from_value(record).unwrap();
        (format!("normalized/{id}.json"), case.print().into_bytes())
    });
    let findings = crate::common::check_files(files.collect(), &crate::common::policy());
    let of = |rule: &str| findings.iter().filter(|f| f.rule == rule).count();
    assert_eq!(of("near-duplicate"), RECORDS - 1);
    assert_eq!(of("archive-missing"), RECORDS);
    assert!(findings.len() <= 2 * RECORDS, "{} findings", findings.len());
    let last = findings
        .iter()
        .rfind(|f| f.rule == "near-duplicate")
        .unwrap();
    assert!(last.message.contains(" more"), "{}", last.message);
}
