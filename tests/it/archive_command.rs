//! `archive` as curators use it, in libraries on disk, against the stand-in.

use std::time::Duration;

use chrono::NaiveDate;
use serde_json::{Value, json};

use crate::common::{TempLibrary, full_record, program, shown};
use crate::standin::{Held, Kind, Standin, held};

const URL: &str = "https://status.example.com/incidents/1";
const STAMP: &str = "20240305101500";

fn status(status: u16, headers: &str) -> Kind {
    Kind::Answer(status, headers.to_owned(), Vec::new())
}

fn body(body: &str) -> Kind {
    let headers = "content-type: text/html".to_owned();
    Kind::Answer(200, headers, body.as_bytes().to_vec())
}

/// A library with a record of each of some sources, without archived links.
fn library_of(standin: &Standin, records: usize) -> TempLibrary {
    let library = TempLibrary::new();
    let settings = library.read("incidentlib.toml");
    let quick = "index_pause = 0.0\nreplay_pause = 0.0\nsave_pause = 0.0\npoll_pause = 0.0\ndefault_pause = 0.0";
    let base = &standin.base;
    library.write(
        "incidentlib.toml",
        format!("{settings}\n[archive]\nbase = \"{base}\"\n{quick}\n"),
    );
    for i in 1..=records {
        let id = format!("IL-{i:04}");
        let mut record: Value = serde_json::from_str(&full_record(&id)).unwrap();
        let day = NaiveDate::from_ymd_opt(2024, 3, 3).unwrap() - chrono::Days::new(7 * i as u64);
        record["date"] = json!(day.to_string());
        record["sources"] =
            json!([{"url": format!("{URL}{i}"), "kind": "official-status", "archived": null}]);
        let case = incidentlib::model::Case::from_value(record).unwrap();
        library.write(&format!("normalized/{id}.json"), case.print());
    }
    library
}

fn archived(library: &TempLibrary, id: &str) -> Value {
    let record: Value =
        serde_json::from_str(&library.read(&format!("normalized/{id}.json"))).unwrap();
    record["sources"][0]["archived"].clone()
}

#[test]
fn a_missing_copy_is_found_and_written_and_the_report_counts_it() {
    let standin = Standin::start();
    let library = library_of(&standin, 2);
    standin.hold([held(&format!("{URL}1"), STAMP)]);
    let before = library.tree();
    assert!(library.say(&["report"]).contains("0 of 2 sources archived"));

    let dry = library.say(&["archive", "--dry-run"]);
    let copy = format!("https://web.archive.org/web/{STAMP}/{URL}1");
    assert!(
        dry.contains(&format!("+      \"archived\": \"{copy}\"")),
        "{dry}"
    );
    assert!(
        dry.contains("1 record would change; nothing was written"),
        "{dry}"
    );
    let without_log: Vec<_> = library
        .tree()
        .into_iter()
        .filter(|(f, _)| !f.ends_with(".ndjson"))
        .collect();
    assert!(without_log == before, "a dry run wrote");

    // The answer of the dry run is taken; the archive is not asked twice.
    let asked = standin.asked("/").len();
    let said = library.say(&["archive"]);
    assert_eq!(standin.asked("/").len(), asked);
    assert!(said.starts_with("exit status: 1\n"), "{said}");
    assert!(
        said.contains("2 sources: 1 ok, 1 broken, 0 unknown; 2 answers from an earlier run"),
        "{said}"
    );
    assert_eq!(archived(&library, "IL-0001"), json!(copy));
    assert_eq!(archived(&library, "IL-0002"), Value::Null);
    assert!(library.say(&["report"]).contains("1 of 2 sources archived"));

    let markdown = library.say(&["archive", "--format", "markdown"]);
    assert!(markdown.contains("| IL-0002 | missing |"), "{markdown}");
    let keys = library.say(&["archive", "--save"]);
    assert!(
        keys.contains("exit status: 2") && keys.contains("INCIDENTLIB_ARCHIVE_KEY"),
        "{keys}"
    );
    let out = program()
        .args(["archive", "--save", "--format", "ndjson"])
        .env("INCIDENTLIB_ARCHIVE_KEY", "ACCESSKEY")
        .env("INCIDENTLIB_ARCHIVE_SECRET", "TOPSECRET")
        .current_dir(library.path())
        .output()
        .unwrap();
    let saved = shown(&out);
    assert!(saved.starts_with("exit status: 0\n"), "{saved}");
    assert!(!saved.contains("TOPSECRET"), "{saved}");
    let answer: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(answer["verdict"], "saved");
    assert_eq!(archived(&library, "IL-0002"), answer["copy"]);
    assert!(
        !library
            .read(".incidentlib-archive.ndjson")
            .contains("TOPSECRET")
    );
    let all = library.say(&["archive", "--audit"]);
    assert!(
        all.contains("2 sources: 2 ok, 0 broken, 0 unknown"),
        "{all}"
    );
    let clean = library.say(&["check"]);
    assert!(!clean.contains("archive-"), "{clean}");
}

#[test]
fn a_broken_link_is_replaced_on_proof_only() {
    let standin = Standin::start();
    let library = library_of(&standin, 1);
    let file = "normalized/IL-0001.json";
    let old = format!("https://web.archive.org/web/20240401000000/{URL}1");
    let with_old = library
        .read(file)
        .replace("\"archived\": null", &format!("\"archived\": \"{old}\""));
    library.write(file, &with_old);
    let error = Held {
        status: 404,
        ..held(&format!("{URL}1"), "20240401000000")
    };
    standin.hold([error]);
    let said = library.say(&["archive", "--audit", "--replace"]);
    assert!(
        said.contains("error-page") && said.contains("exit status: 1"),
        "{said}"
    );
    assert_eq!(library.read(file), with_old);
    standin.hold([held(&format!("{URL}1"), STAMP)]);
    let said = library.say(&["archive", "--audit", "--replace", "--fresh"]);
    assert!(said.contains("1 record changed"), "{said}");
    assert_eq!(
        archived(&library, "IL-0001"),
        json!(format!("https://web.archive.org/web/{STAMP}/{URL}1"))
    );
    let offline = library.say(&["archive", "--audit", "--offline"]);
    assert!(
        offline.contains("ARC000") && offline.starts_with("exit status: 0"),
        "{offline}"
    );
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    const RECORDS: usize = 40;
    let standin = Standin::start();
    let library = library_of(&standin, RECORDS);
    standin.hold((1..=RECORDS).map(|i| held(&format!("{URL}{i}"), STAMP)));
    let slow = library
        .read("incidentlib.toml")
        .replace("index_pause = 0.0", "index_pause = 0.05");
    library.write("incidentlib.toml", slow);
    let mut run = program()
        .arg("archive")
        .current_dir(library.path())
        .spawn()
        .unwrap();
    while standin.asked("/cdx").len() < 10 {
        assert!(run.try_wait().unwrap().is_none(), "it ended too soon");
        std::thread::sleep(Duration::from_millis(5));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    assert_eq!(
        archived(&library, "IL-0001"),
        Value::Null,
        "nothing is written before the end"
    );
    let said = library.say(&["archive"]);
    assert!(said.starts_with("exit status: 0\n"), "{said}");
    assert!(said.contains("from an earlier run"), "{said}");
    for i in 1..=RECORDS {
        assert_ne!(archived(&library, &format!("IL-{i:04}")), Value::Null);
    }
    // Only what was under way is asked again.
    let twice = standin.asked("/cdx").len() - RECORDS;
    assert!(twice <= 1, "{twice} sources were asked about twice");
}

#[test]
fn a_run_that_cannot_ask_says_so_and_changes_nothing() {
    let standin = Standin::start();
    let library = library_of(&standin, 2);
    standin.fail("/", "", 100, status(503, ""));
    let records = || -> Vec<_> {
        library
            .tree()
            .into_iter()
            .filter(|(f, _)| f.ends_with(".json"))
            .collect()
    };
    let before = records();
    let said = library.say(&["archive"]);
    assert!(said.starts_with("exit status: 3\n"), "{said}");
    assert!(said.contains("0 ok, 0 broken, 2 unknown"), "{said}");
    assert!(records() == before);
    let markdown = library.say(&["archive", "--format", "markdown"]);
    assert!(
        !markdown.contains("| missing |"),
        "unknown is never missing: {markdown}"
    );

    let nobody = TempLibrary::shipped();
    let said = nobody.say(&["archive"]);
    assert!(
        said.contains("exit status: 2") && said.contains("--contact"),
        "{said}"
    );
}

#[test]
fn sources_themselves_are_asked() {
    let standin = Standin::start();
    let library = library_of(&standin, 3);
    for (i, kind) in [
        (1, body("a story")),
        (2, status(404, "")),
        (3, status(302, "location: /")),
    ] {
        let path = format!("/story{i}");
        standin.fail(&path, "", 100, kind);
        let file = format!("normalized/IL-000{i}.json");
        let text = library
            .read(&file)
            .replace(&format!("{URL}{i}"), &format!("{}{path}", standin.base));
        library.write(&file, text);
    }
    standin.fail("/", "", 100, body("front page"));
    let said = library.say(&["archive", "--live", "--allow-private"]);
    for verdict in ["alive", "gone", "moved"] {
        assert!(said.contains(verdict), "{said}");
    }
    let private = library.say(&["archive", "--live", "--fresh"]);
    assert!(private.starts_with("exit status: 3\n"), "{private}");
}
