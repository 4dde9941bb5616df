//! How fast records are parsed, checked and printed, and case pages extracted; with peak memory.
//!
//! `cargo bench` prints a table. Every figure is the median of five runs and stands beside a floor
//! measured in the same run on the same bytes: `serde_json` parsing and printing a value, `scraper`
//! parsing a page. Machines differ; the ratio to the floor stays.
//!
//! With `INCIDENTLIB_BENCH_PAGES=FOLDER` the HTML pages of that folder are measured too.

use std::hint::black_box;
use std::time::{Duration, Instant};

use incidentlib::check::{Context, Policy, Schemas, Snapshot, check};
use incidentlib::extract::{Lexicon, extract};
use incidentlib::normalize::normalize;
use incidentlib::vocabulary::BUILTIN_FILES;
use serde_json::{Value, json};

const RECORDS: usize = 10_000;
const PAGES: usize = 1_000;
const RUNS: usize = 5;

/// Starts this program again with 8 GB of address space, so that a fault that eats memory fails and takes no machine
/// with it. Nothing where it runs under the limit already, or where there is no shell to set it.
fn under_a_limit() -> Option<i32> {
    const LIMITED: &str = "INCIDENTLIB_BENCH_LIMITED";
    if std::env::var_os(LIMITED).is_some() {
        return None;
    }
    let status = std::process::Command::new("sh")
        .args(["-c", "ulimit -v 8000000 && exec \"$0\" \"$@\""])
        .args(std::env::args_os())
        .env(LIMITED, "1")
        .status()
        .ok()?;
    Some(status.code().unwrap_or(1))
}

fn main() {
    // `cargo test --benches` only asks whether it builds and starts.
    if std::env::args().any(|a| a == "--test") {
        return;
    }
    if let Some(status) = under_a_limit() {
        std::process::exit(status);
    }
    let records: Vec<(String, Vec<u8>)> = (1..=RECORDS).map(record_file).collect();
    let bytes = records.iter().map(|(_, b)| b.len()).sum();
    println!(
        "{RECORDS} records of {} bytes, {RUNS} runs, {} threads",
        bytes / RECORDS,
        rayon::current_num_threads()
    );
    let (lexicon, schemas, policy) = (Lexicon::builtin(), schemas(), policy());
    let today = "2026-11-29".parse().expect("a day");
    let floor = median(|| {
        for (_, bytes) in &records {
            let value: Value = serde_json::from_slice(bytes).expect("made by serde_json");
            black_box(serde_json::to_string_pretty(&value).expect("a value prints"));
        }
    });
    row(
        "floor: serde_json value, parse and print, 1 thread",
        floor,
        RECORDS,
        bytes,
        floor,
    );
    let print = median(|| {
        for (file, bytes) in &records {
            let (record, _) = incidentlib::read::read_record(file, bytes.clone());
            black_box(record.expect("readable").case.print());
        }
    });
    row("read and print, 1 thread", print, RECORDS, bytes, floor);
    let mut findings = 0;
    let whole = median(|| {
        let snapshot = Snapshot::from_files(records.clone());
        let cx = Context::new(&snapshot, &lexicon, &schemas, &policy, today);
        findings = check(&snapshot, &cx).len();
        for record in &snapshot.records {
            black_box(record.case.print());
        }
    });
    row(
        "parse, check and print the whole library",
        whole,
        RECORDS,
        bytes,
        floor,
    );
    println!(
        "  ({findings} findings; peak memory {} MB)\n",
        peak_megabytes()
    );
    drop(records);

    let pages: Vec<String> = (1..=PAGES).map(page).collect();
    let bytes = pages.iter().map(String::len).sum();
    println!("{PAGES} case pages of {} bytes, 1 thread", bytes / PAGES);
    let floor = median(|| {
        for page in &pages {
            black_box(scraper::Html::parse_document(page));
        }
    });
    row("floor: scraper, parse only", floor, PAGES, bytes, floor);
    let read = median(|| {
        for page in &pages {
            black_box(incidentlib::read::read_page(
                "a.html",
                incidentlib::read::Media::Html,
                page.as_bytes(),
            ));
        }
    });
    row("read into blocks with positions", read, PAGES, bytes, floor);
    let mut claims = 0;
    let whole = median(|| {
        claims = 0;
        for page in &pages {
            let draft = extract("a.html", page.as_bytes(), None, &lexicon)
                .draft
                .expect("a case page");
            claims += normalize(&draft, &Default::default(), &lexicon).claims;
        }
    });
    row("read, extract and normalize", whole, PAGES, bytes, floor);
    println!("  ({claims} claims; peak memory {} MB)", peak_megabytes());
    drop(pages);
    large_pages(&lexicon);
    if let Some(folder) = std::env::var_os("INCIDENTLIB_BENCH_PAGES") {
        real_pages(std::path::Path::new(&folder), &lexicon);
    }
}

/// Pages of growing length: the time for a byte must stay what it is.
#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn large_pages(lexicon: &Lexicon) {
    println!("\npostmortems of growing length, 1 thread, nanoseconds for a byte");
    let html = "<p>At 10:05 UTC on 7 May 2023 the <b>queue</b> stopped and <a href='/x'>mail</a> was late for 35 minutes.</p>\
        <ul><li>10:05 alert fires</li><li>10:40 fixed</li></ul><h2>Impact</h2>";
    let markdown = "At 10:05 UTC on 7 May 2023 the **queue** stopped.\n\n- 10:05 alert\n- 10:40 fixed\n\n## Impact\n\n";
    for (file, part) in [("a.html", html), ("a.md", markdown)] {
        for length in [100_000, 1_000_000, 10_000_000] {
            let page = part.repeat(length / part.len());
            let time = median(|| {
                black_box(extract(file, page.as_bytes(), None, lexicon));
            });
            let each = time.as_secs_f64() * 1e9 / page.len() as f64;
            println!("  {file:<8} {length:>10} bytes {each:>9.0} ns");
        }
    }
}

/// The HTML pages of a folder, such as a crawl: main text, dates, times and all.
fn real_pages(folder: &std::path::Path, lexicon: &Lexicon) {
    let files = std::fs::read_dir(folder).expect("INCIDENTLIB_BENCH_PAGES names a folder");
    let html = files.flatten().map(|f| f.path());
    let html = html.filter(|p| p.extension().is_some_and(|e| e == "html"));
    let mut pages: Vec<(std::path::PathBuf, Vec<u8>)> = html
        .map(|p| (p.clone(), std::fs::read(p).expect("a readable page")))
        .collect();
    pages.sort();
    let bytes = pages.iter().map(|(_, b)| b.len()).sum();
    println!("\n{} pages of {}, 1 thread", pages.len(), folder.display());
    let floor = median(|| {
        for (_, page) in &pages {
            let text = incidentlib::read::decode(page, true).text;
            black_box(scraper::Html::parse_document(&text));
        }
    });
    row(
        "floor: scraper, decode and parse only",
        floor,
        pages.len(),
        bytes,
        floor,
    );
    let read = median(|| {
        for (_, page) in &pages {
            let media = incidentlib::read::Media::Html;
            black_box(incidentlib::read::read_page("a.html", media, page));
        }
    });
    row(
        "read into blocks with positions",
        read,
        pages.len(),
        bytes,
        floor,
    );
    let whole = median(|| {
        for (_, page) in &pages {
            black_box(extract("a.html", page, None, lexicon));
        }
    });
    row(
        "read and extract the whole story",
        whole,
        pages.len(),
        bytes,
        floor,
    );
    println!("  (peak memory {} MB)", peak_megabytes());
}

fn median(mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .collect();
    times.sort();
    times[RUNS / 2]
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn row(name: &str, time: Duration, count: usize, bytes: usize, floor: Duration) {
    let seconds = time.as_secs_f64();
    println!(
        "  {name:<52} {:>9.0} /s {:>7.1} MB/s {:>6.2} × floor",
        count as f64 / seconds,
        bytes as f64 / 1e6 / seconds,
        seconds / floor.as_secs_f64()
    );
}

/// The most memory this process has held so far, from the kernel; 0 where it does not say.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}

fn schemas() -> Schemas {
    let document = |name: &str| {
        let found = BUILTIN_FILES
            .iter()
            .find(|(path, _)| *path == format!("schema/{name}.schema.json"));
        serde_json::from_str(found.expect("compiled in").1).expect("valid JSON")
    };
    Schemas::compile(document("case"), document("sources")).expect("valid schemas")
}

fn policy() -> Policy {
    Policy {
        id_prefix: "IL".to_owned(),
        languages: vec!["en".parse().expect("a tag"), "ko".parse().expect("a tag")],
        reviewers: Default::default(),
        levels: Default::default(),
        waivers: Vec::new(),
    }
}

const EN: [&str; 4] = [
    "At 10:02 UTC the write path of the invented queue fell behind by several minutes.",
    "Operators moved traffic by hand while retries doubled the load on the hosts that were left.",
    "Nobody had rehearsed the failover, so the second region stayed cold for an hour.",
    "Error rates settled near 12.5% until the change was taken back at 13:40 UTC.",
];
const KO: [&str; 4] = [
    "10:02 UTC 에 지어낸 큐의 쓰기 경로가 몇 분 뒤처졌다.",
    "운영자가 손으로 트래픽을 옮기는 사이 재시도가 남은 호스트의 부하를 두 배로 늘렸다.",
    "아무도 장애 조치를 연습하지 않아 두 번째 리전은 한 시간 동안 차가운 채였다.",
    "변경을 되돌린 13:40 UTC 까지 오류율이 12.5% 가까이에 머물렀다.",
];

fn prose(words: &[&str; 4], seed: usize, sentences: usize) -> String {
    let paragraph = |p: usize| {
        let lines: Vec<&str> = (0..sentences)
            .map(|i| words[(seed + i * 7 + p) % 4])
            .collect();
        lines.join(" ")
    };
    [paragraph(0), paragraph(1), paragraph(2)].join("\n\n")
}

fn record(i: usize) -> Value {
    let text = |n: usize| json!({ "en": prose(&EN, i, n), "ko": prose(&KO, i, n) });
    let step = |k: usize| json!({ "text": { "en": EN[(i + k) % 4], "ko": KO[(i + k) % 4] } });
    json!({
        "id": format!("IL-{i:05}"),
        "title": { "en": format!("Invented case {i}: the queue fell behind"), "ko": format!("지어낸 사례 {i}: 큐가 뒤처졌다") },
        "org": "Lantern Mail", "date": "2021-03-04", "date_kind": "incident",
        "domain": ["database", "messaging"], "severity": "major", "root_cause": "capacity",
        "contributing": ["no-capacity-planning", "retry-storm"], "components": ["cache", "message-broker"],
        "symptoms": ["high-error-rate", "high-latency", "queue-backlog"],
        "impact": { "scope": EN[i % 4], "users": "unknown", "region": "EU-1" },
        "timeline": { "detected_after": "5m", "resolved_after": "3h 38m" },
        "summary": text(8), "symptoms_text": text(6), "trigger": text(1), "detection": text(1),
        "remediation": (0..5).map(step).collect::<Value>(), "action_items": (0..8).map(step).collect::<Value>(),
        "lessons": text(1),
        "sources": [{ "url": format!("https://lantern.example/{i}"), "kind": "official-postmortem",
            "archived": format!("https://web.archive.org/web/20210401000000/https://lantern.example/{i}") }],
        "docs": [], "related": [], "recurrence_of": null,
        "review": { "written_by": "session", "reviewed_at": null, "reviewed_by": null },
    })
}

fn record_file(i: usize) -> (String, Vec<u8>) {
    let text = incidentlib::model::print_json(&record(i));
    (format!("normalized/IL-{i:05}.json"), text.into_bytes())
}

fn page(i: usize) -> String {
    let record = record(i);
    let english = |pointer: &str| {
        record
            .pointer(pointer)
            .and_then(Value::as_str)
            .unwrap_or("–")
            .to_owned()
    };
    let paragraphs = |text: String| -> String {
        text.split("\n\n")
            .map(|p| format!("<p>{p}</p>\n"))
            .collect()
    };
    let items = |field: &str| -> String {
        let list = record[field].as_array().map_or(&[][..], Vec::as_slice);
        list.iter()
            .map(|s| format!("<li>{}</li>\n", s["text"]["en"].as_str().unwrap_or("–")))
            .collect()
    };
    let navigation: String = (0..120)
        .map(|k| format!("<li><a class=\"n{k}\" href=\"/topics/{k}\">Topic {k}</a></li>\n"))
        .collect();
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title><style>.a{{color:red}}</style></head><body>\n\
         <nav><ul>{navigation}</ul></nav><main><article>\n<p><b>IL-{i:05}</b> Lantern Mail · 2021-03-04<span>database</span><span>messaging</span></p>\n\
         <h1>{title}</h1>\n{summary}<dl><dt>Severity</dt><dd>Major</dd><dt>Scope</dt><dd>{scope}</dd><dt>Users affected</dt><dd>–</dd>\
         <dt>Region</dt><dd>EU-1</dd><dt>Time to detect</dt><dd>5m</dd><dt>Time to resolve</dt><dd>3h 38m</dd></dl>\n\
         <h2>Symptoms</h2>{symptoms}<p>Symptom <a>High latency</a><a>High error rate</a><a>Queue backlog</a></p>\n\
         <h2>Root cause</h2><p>Root cause <a>Capacity limit</a></p><h2>Detection</h2><p>–</p>\n\
         <h2>Remediation</h2><ol>{remediation}</ol><h2>Action items</h2><ol>{actions}</ol><h2>Lessons</h2><p>–</p>\n\
         <h2>Sources</h2><ul><li><a href=\"https://lantern.example/{i}\">https://lantern.example/{i}</a> · official-postmortem</li></ul>\n\
         </article></main><footer><ul>{navigation}</ul></footer></body></html>\n",
        title = english("/title/en"),
        summary = paragraphs(english("/summary/en")),
        scope = english("/impact/scope"),
        symptoms = paragraphs(english("/symptoms_text/en")),
        remediation = items("remediation"),
        actions = items("action_items"),
    )
}
