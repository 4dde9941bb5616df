//! Expressions of time, row by row: `tests/fixtures/time/*.tsv`, sentences of our own in ten languages.
//! Where `../shared` is there, its sets too: they are larger, and hold the floor.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use incidentlib::normalize::{ExpressionKind, ExpressionQuery, read_expression};
use serde_json::Value;

type Row = HashMap<String, String>;

fn table(path: &Path) -> Vec<Row> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').collect();
    lines
        .map(|line| {
            let cells = line.split('\t').map(str::to_owned);
            names.iter().map(|n| (*n).to_owned()).zip(cells).collect()
        })
        .collect()
}

fn fixture(name: &str) -> Vec<Row> {
    let rows = table(&crate::common::root().join(format!("tests/fixtures/time/{name}.tsv")));
    assert!(!rows.is_empty());
    rows
}

fn ask(kind: ExpressionKind, row: &Row) -> Value {
    let get = |names: &[&str]| {
        let found = names.iter().find_map(|n| row.get(*n));
        found.filter(|v| !v.is_empty()).cloned()
    };
    let query = ExpressionQuery {
        text: get(&["text", "zone_text"]).unwrap(),
        lang: get(&["lang"]),
        context_date: get(&["written", "day", "context_date", "date"]),
        default_zone: if kind == ExpressionKind::Zone {
            None
        } else {
            get(&["zone", "default_zone"])
        },
        hint: get(&["hint"]),
        ..ExpressionQuery::default()
    };
    read_expression(kind, &query, &crate::common::lexicon().times)
        .unwrap()
        .value
}

fn seconds(value: &Value) -> String {
    match (value.get("seconds"), value.get("min"), value.get("max")) {
        (Some(seconds), ..) => seconds.to_string(),
        (_, Some(min), Some(max)) => format!("{min}-{max}"),
        _ => "none".to_owned(),
    }
}

fn plain(value: &Value) -> String {
    value.as_str().unwrap_or("none").to_owned()
}

/// Every row must be read as it says.
fn check(kind: ExpressionKind, name: &str, expected: &str, show: fn(&Value) -> String) {
    let wrong: Vec<String> = fixture(name)
        .iter()
        .filter_map(|row| {
            let got = show(&ask(kind, row));
            (got != row[expected]).then(|| {
                format!(
                    "{} `{}`: {got}, not {}",
                    row["lang"], row["text"], row[expected]
                )
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn durations() {
    check(ExpressionKind::Duration, "duration", "seconds", seconds);
}

#[test]
fn dates() {
    check(ExpressionKind::Date, "date", "expected", plain);
}

#[test]
fn clock_times() {
    check(ExpressionKind::Clock, "clock", "expected", plain);
}

#[test]
fn zones() {
    check(ExpressionKind::Zone, "zone", "expected", plain);
}

#[test]
fn spans_of_incidents() {
    for row in fixture("span") {
        let value = ask(ExpressionKind::Span, &row);
        for field in ["start", "detected", "resolved", "resolved_after"] {
            let got = value[field].as_str().unwrap_or_default();
            assert_eq!(got, row[field], "{field} of {}: {value}", row["text"]);
        }
    }
}

#[test]
fn an_ambiguous_time_says_why_and_between_what() {
    let query = ExpressionQuery {
        text: "2:45 PM PST".to_owned(),
        context_date: Some("2024-07-30".to_owned()),
        ..ExpressionQuery::default()
    };
    let lexicon = crate::common::lexicon();
    let answer = read_expression(ExpressionKind::Clock, &query, &lexicon.times).unwrap();
    insta::assert_debug_snapshot!(answer, @r#"
    ExpressionAnswer {
        value: String("ambiguous"),
        notes: [
            (
                "reason",
                String("the zone's name is of the other half of the year"),
            ),
            (
                "candidates",
                Array [
                    String("2024-07-30T14:45:00-07:00"),
                    String("2024-07-30T14:45:00-08:00"),
                ],
            ),
        ],
    }
    "#);
}

#[test]
fn a_query_that_cannot_be_read_says_which_member() {
    let lexicon = crate::common::lexicon();
    let ask = |query: ExpressionQuery| {
        read_expression(ExpressionKind::Clock, &query, &lexicon.times).unwrap_err()
    };
    let day = ask(ExpressionQuery {
        context_date: Some("30.7.2024".to_owned()),
        ..ExpressionQuery::default()
    });
    assert!(
        day.contains("context_date") && day.contains("2024-07-30"),
        "{day}"
    );
    let zone = ask(ExpressionQuery {
        default_zone: Some("Seoul".to_owned()),
        ..ExpressionQuery::default()
    });
    assert!(
        zone.contains("`Seoul`") && zone.contains("Asia/Seoul"),
        "{zone}"
    );
}

/// Share of right rows of a shared set, and of each language in it.
fn share(kind: ExpressionKind, file: &str, right: fn(&Row, &Value) -> bool) -> Option<(f64, f64)> {
    let rows = table(&crate::common::shared(&format!("eval/time/{file}"))?);
    let mut by_language: HashMap<String, (f64, f64)> = HashMap::new();
    for mut row in rows {
        if let Some(zone) = row
            .get("zone")
            .cloned()
            .filter(|_| kind == ExpressionKind::Zone)
        {
            row.insert("text".to_owned(), zone);
        }
        let good = right(&row, &ask(kind, &row));
        let language = row.get("lang").cloned().unwrap_or_default();
        let counts = by_language.entry(language).or_default();
        counts.0 += f64::from(u8::from(good));
        counts.1 += 1.0;
    }
    let (good, all) = by_language
        .values()
        .fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
    let worst = by_language.values().map(|(g, n)| g / n).fold(1.0, f64::min);
    Some((good / all, worst))
}

#[test]
fn the_shared_sets_hold_their_floor() {
    let duration = |row: &Row, value: &Value| match row["seconds"].as_str() {
        "none" => value.is_null(),
        expected => match expected.split_once("..") {
            Some((low, high)) => seconds(value) == format!("{low}-{high}"),
            None => value["seconds"]
                .as_f64()
                .is_some_and(|s| (s - expected.parse::<f64>().unwrap()).abs() < 0.51),
        },
    };
    let text = |row: &Row, value: &Value| plain(value) == row["expected"];
    let sets = [
        (
            "durations",
            share(ExpressionKind::Duration, "durations.tsv", duration),
            0.92,
        ),
        (
            "dates",
            share(ExpressionKind::Date, "dates.tsv", text),
            0.92,
        ),
        (
            "zones",
            share(ExpressionKind::Zone, "zones.tsv", text),
            0.95,
        ),
    ];
    for (name, share, floor) in sets {
        match share {
            None => println!("skipped: {name} needs ../shared"),
            Some((all, worst)) => {
                assert!(all >= floor, "{name}: {all}");
                assert!(worst >= 0.85, "{name}: a language has {worst}");
            }
        }
    }
}
