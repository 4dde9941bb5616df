//! Postmortems in the shapes that real ones have, told in invented cases: what is read out of each.

use std::fmt::Write as _;
use std::fs;

use incidentlib::extract::{Nature, Story, Told, extract, main_blocks};
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
    for found in &story.suggestions {
        let (field, term) = (found.field, &found.term);
        let _ = writeln!(
            out,
            "{field}: {term}? {} <{}>",
            found.score, found.evidence.quote
        );
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
    insta::glob!("../fixtures", "postmortems/*", |path| {
        let bytes = fs::read(path).unwrap();
        let file = path.file_name().unwrap().to_str().unwrap();
        let story = extract(file, &bytes, None, crate::common::lexicon())
            .story
            .unwrap();
        insta::assert_snapshot!(told(&story));
    });
}

#[test]
fn a_page_of_very_many_incidents_is_read_in_the_time_of_its_length() {
    let incident = |n: usize| {
        format!(
            "## Outage {n}\n\n### Impact\n\nDown for {n} minutes.\n\n### Root cause\n\nA disk.\n\n"
        )
    };
    let page: String = (1..=500).map(incident).collect();
    let text = format!("# Outages of the invented Auenland grid\n\n{page}");
    let read = extract("many.md", text.as_bytes(), None, crate::common::lexicon());
    assert_eq!(read.parts.len(), 64);
    let story = read.story.unwrap();
    let said = read.findings.iter().chain(&story.findings);
    let several = said.into_iter().find(|f| f.rule == "several-incidents");
    let help = several.and_then(|f| f.help.as_deref());
    assert!(
        help.is_some_and(|h| h.contains("save what follows them")),
        "{several:?}"
    );
}

#[test]
fn every_quote_stands_in_the_raw_page_at_its_place() {
    for entry in fs::read_dir(crate::common::root().join("tests/fixtures/postmortems")).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        let file = path.file_name().unwrap().to_str().unwrap();
        let story = extract(file, &bytes, None, crate::common::lexicon())
            .story
            .unwrap();
        let told = [&story.title, &story.published, &story.start, &story.end];
        let told = told.into_iter().flatten().map(|t| &t.evidence);
        let events = story.timeline.iter().map(|e| &e.evidence);
        let items = story.action_items.iter().map(|e| &e.evidence);
        let mut checked = 0;
        for evidence in told.chain(events).chain(items) {
            let raw = decode(&bytes[evidence.span.clone()], false).text;
            // The raw bytes may hold marks in and between the words of the quote.
            let parts = raw
                .split('<')
                .map(|p| p.split_once('>').map_or(p, |(_, text)| text));
            let raw = if file.ends_with(".html") {
                parts.collect()
            } else {
                raw.clone()
            };
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

#[test]
fn the_main_text_leaves_out_what_stands_around() {
    for (file, kept, left) in [
        (
            "wayback-blog.html",
            &[
                "How a certificate took our shop down",
                "On 18 November 2022 nobody could pay",
                "09:31 The alert for failed payments",
                "openssl s_client",
                "Alert on certificates that expire",
            ][..],
            &[
                "captures",
                "partners",
                "Jobs",
                "Tweet",
                "Related",
                "forgot",
                "same thing",
                "kettles",
                "reserved",
            ][..],
        ),
        (
            "statuspage.html",
            &[
                "Outgoing mail delayed",
                "Investigating",
                "10:05 UTC",
                "This incident affected",
            ],
            &["Subscribe", "Get a message", "Powered", "history"],
        ),
        (
            "docs-details-fr.html",
            &[
                "Panne du service",
                "47 minutes",
                "14h49\tLe service",
                "Une migration",
                "Relire chaque",
            ],
            &["Astreinte", "Accueil", "Modifier", "Suivant", "légales"],
        ),
        (
            "not-an-incident.html",
            &[
                "After two years",
                "The change looked small",
                "We start to sell",
            ],
            &[
                "whistle in tune\n",
                "Ines",
                "Related",
                "Sign up",
                "Latest",
                "winter",
            ],
        ),
    ] {
        let path = crate::common::root()
            .join("tests/fixtures/postmortems")
            .join(file);
        let bytes = fs::read(path).unwrap();
        let blocks = main_blocks(file, &bytes, crate::common::lexicon());
        let story = extract(file, &bytes, None, crate::common::lexicon())
            .story
            .unwrap();
        let text: String = blocks.iter().map(|b| format!("{}\n", b.text)).collect();
        assert_eq!(story.text, text, "{file}");
        for part in kept {
            assert!(text.contains(part), "{file}: `{part}` is lost in\n{text}");
        }
        for part in left {
            assert!(!text.contains(part), "{file}: `{part}` is left in\n{text}");
        }
    }
}

#[test]
fn pages_in_older_character_sets_are_read() {
    for (file, encoding, language, word) in [
        ("euc-jp.html", "EUC-JP", "ja", "決済サービスの障害報告"),
        ("shift-jis.html", "Shift_JIS", "ja", "配信遅延の障害報告"),
        ("gb18030.html", "gb18030", "zh", "支付服务故障复盘"),
        ("big5.html", "Big5", "zh", "付款服務故障檢討"),
        ("euc-kr.html", "EUC-KR", "ko", "결제 서비스 장애 보고서"),
        (
            "windows-1251.html",
            "windows-1251",
            "ru",
            "Отчёт о сбое платёжного сервиса",
        ),
        (
            "windows-1252.html",
            "windows-1252",
            "de",
            "Störung des Zahlungsdienstes",
        ),
    ] {
        let path = crate::common::root()
            .join("tests/fixtures/encodings")
            .join(file);
        let declared = fs::read(path).unwrap();
        // A page that does not say is known by its bytes.
        let silent: Vec<u8> = {
            let start = declared.windows(6).position(|w| w == b"<meta ").unwrap();
            let end = start + declared[start..].iter().position(|b| *b == b'>').unwrap() + 1;
            [&declared[..start], &declared[end..]].concat()
        };
        for (bytes, said) in [(&declared, true), (&silent, false)] {
            let mut extracted = extract(file, bytes, None, crate::common::lexicon());
            let story = extracted.story.take().unwrap();
            assert_eq!(story.title.unwrap().value, word, "{file} {said}");
            assert_eq!(story.language.unwrap().value, language, "{file} {said}");
            let start = story.start.unwrap();
            assert_eq!(start.value, "2023-05-07T10:05", "{file} {said}");
            // The position is one of the decoded text, the span one of the bytes.
            let at = start.evidence.position.unwrap();
            let line = extracted.text().lines().nth(at.line - 1).unwrap();
            let from: String = line.chars().skip(at.column - 1).collect();
            assert!(
                from.starts_with(&start.evidence.quote),
                "{file} {said}: {from}"
            );
            if said {
                assert_eq!(extracted.encoding(), encoding, "{file}");
            }
        }
    }
}

#[test]
fn what_is_no_postmortem_is_said_and_not_forced_into_one() {
    for (file, nature, rule) in [
        ("wall.html", Nature::Wall, Some("not-the-page")),
        ("not-found-ko.html", Nature::Wall, Some("not-the-page")),
        ("login-de.html", Nature::Wall, Some("not-the-page")),
        ("shell.html", Nature::Empty, Some("no-text")),
        (
            "maintenance.txt",
            Nature::Maintenance,
            Some("planned-maintenance"),
        ),
        ("several.md", Nature::Incident, Some("several-incidents")),
        ("words-lost.txt", Nature::Incident, Some("damaged-text")),
        ("news.html", Nature::Other, Some("no-incident")),
    ] {
        let bytes = fs::read(
            crate::common::root()
                .join("tests/fixtures/natures")
                .join(file),
        )
        .unwrap();
        let extracted = extract(file, &bytes, None, crate::common::lexicon());
        let story = extracted.story.unwrap();
        assert_eq!(story.nature, nature, "{file}");
        let rules: Vec<&str> = extracted.findings.iter().map(|f| f.rule).collect();
        let said: Vec<&str> = rules
            .into_iter()
            .filter(|r| *r != "not-a-case-page")
            .collect();
        assert_eq!(said, rule.into_iter().collect::<Vec<_>>(), "{file}");
        assert!(
            extracted.findings.iter().all(|f| f.help.is_some()),
            "{file}"
        );
        if matches!(nature, Nature::Wall | Nature::Empty) {
            assert!(
                story.incident_date.is_none() && story.org.is_none(),
                "{file}"
            );
        }
    }
}

#[test]
fn a_stated_length_is_compared_with_the_times() {
    let page = "# Outage of the invented shop\n\nThe outage lasted nine hours.\n\n## Timeline\n\n\
        - 2023-01-04 10:05 UTC Payments fail.\n- 2023-01-04 12:05 UTC Payments are back to normal.\n";
    let extracted = extract("a.md", page.as_bytes(), None, crate::common::lexicon());
    let said = extracted
        .findings
        .iter()
        .find(|f| f.rule == "durations-differ")
        .unwrap();
    assert!(said.message.contains("`nine hours`"), "{}", said.message);
    assert!(said.message.contains("it is 2h"), "{}", said.message);
    let same = page.replace("nine hours", "two hours");
    let extracted = extract("a.md", same.as_bytes(), None, crate::common::lexicon());
    assert!(
        extracted
            .findings
            .iter()
            .all(|f| f.rule != "durations-differ")
    );
}
