//! Postmortems in the shapes that real ones have, told in invented cases: what is read out of each.

mod common;

use std::fmt::Write as _;
use std::fs;

use incidentlib::extract::{Story, Told, extract};
use incidentlib::read::decode;

/// What a page tells, one fact a line, each with the quote that it stands on.
fn told(story: &Story) -> String {
    let mut out = String::new();
    let mut line = |name: &str, told: &Option<Told>| {
        if let Some(told) = told {
            let quote: String = told.evidence.quote.chars().take(60).collect();
            let _ = writeln!(out, "{name}: {} <{quote}> {}", told.value, told.basis);
        }
    };
    line("title", &story.title);
    line("org", &story.org);
    line("published", &story.published);
    line("incident_date", &story.incident_date);
    line("start", &story.start);
    line("end", &story.end);
    line("detected_after", &story.detected_after);
    line("resolved_after", &story.resolved_after);
    line("severity", &story.severity);
    if let Some(language) = &story.language {
        let _ = writeln!(out, "language: {}", language.value);
    }
    for section in &story.sections {
        let _ = writeln!(out, "section {:?}: {}", section.kind, section.heading);
    }
    for event in &story.timeline {
        let when = event.instant.as_deref().or(event.local.as_deref());
        let doubt = event.doubt.map(|d| format!(" ({d})")).unwrap_or_default();
        let text = event.text.replace('\n', " / ");
        let _ = writeln!(out, "event {}{doubt}: {text}", when.unwrap_or("?"));
    }
    for item in &story.action_items {
        let _ = writeln!(out, "action: {}", item.text);
    }
    out
}

#[test]
fn each_shape_is_read() {
    insta::glob!("fixtures/postmortems/*", |path| {
        let bytes = fs::read(path).unwrap();
        let file = path.file_name().unwrap().to_str().unwrap();
        let story = extract(file, &bytes, None, common::lexicon())
            .story
            .unwrap();
        insta::assert_snapshot!(told(&story));
    });
}

#[test]
fn every_quote_stands_in_the_raw_page_at_its_place() {
    for entry in fs::read_dir(common::root().join("tests/fixtures/postmortems")).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        let file = path.file_name().unwrap().to_str().unwrap();
        let story = extract(file, &bytes, None, common::lexicon())
            .story
            .unwrap();
        let told = [&story.title, &story.published, &story.start, &story.end];
        let told = told.into_iter().flatten().map(|t| &t.evidence);
        let events = story.timeline.iter().map(|e| &e.evidence);
        let items = story.action_items.iter().map(|e| &e.evidence);
        let mut checked = 0;
        for evidence in told.chain(events).chain(items) {
            let raw = decode(&bytes[evidence.span.clone()], false).text;
            // The raw bytes may hold marks between the words of the quote.
            let words: Vec<&str> = evidence.quote.split_whitespace().collect();
            let mut rest = raw.as_str();
            for word in &words {
                let at = rest.find(word);
                let at = at.unwrap_or_else(|| panic!("{file}: `{word}` is not in `{raw}`"));
                rest = &rest[at + word.len()..];
            }
            checked += 1;
        }
        assert!(checked > 0, "{file}");
    }
}
