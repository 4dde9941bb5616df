//! The same incident again: pages in other languages are recognised by their facts, join the case on request,
//! and what they tell otherwise is said.

use std::fs;

use crate::common::{TempLibrary, root, shared};
use serde_json::Value;

fn fixture(library: &TempLibrary, name: &str) -> String {
    let inbox = library.file("inbox");
    fs::create_dir_all(&inbox).unwrap();
    let from = root().join("tests/fixtures/recognize").join(name);
    fs::copy(from, inbox.join(name)).unwrap();
    format!("inbox/{name}")
}

fn record(library: &TempLibrary, id: &str) -> Value {
    serde_json::from_str(&library.read(&format!("normalized/{id}.json"))).unwrap()
}

#[test]
fn a_german_page_is_recognised_and_nothing_is_written() {
    let library = TempLibrary::shipped();
    let page = fixture(&library, "kinesis.de.md");
    let before = library.tree();
    insta::assert_snapshot!(library.say(&["ingest", &page]));
    assert_eq!(library.tree(), before);
    // `--new` does not make a second case of one incident by itself.
    let said = library.say(&["ingest", "--new", &page]);
    assert!(said.starts_with("exit status: 2"), "{said}");
    assert_eq!(library.tree(), before);
}

#[test]
fn on_request_it_joins_the_case_as_a_source_and_changes_nothing_else() {
    let library = TempLibrary::shipped();
    let page = fixture(&library, "kinesis.de.md");
    let mut expected = record(&library, "IL-0384");
    let url = "https://stoerung.example/kinesis";
    let said = library.say(&[
        "ingest",
        "--same",
        "--url",
        url,
        "--source-kind",
        "translation",
        &page,
    ]);
    assert!(said.starts_with("exit status: 0"), "{said}");
    for told in ["02:44 Uhr MEZ", "21:39 Uhr PST"] {
        assert!(said.contains(&format!("the page has `{told}`")), "{said}");
    }
    assert!(said.contains("`9:39 AM PST`"), "{said}");
    let source = serde_json::json!({ "url": url, "kind": "translation", "archived": null });
    expected["sources"].as_array_mut().unwrap().push(source);
    assert_eq!(record(&library, "IL-0384"), expected);
    let manifest: Value = serde_json::from_str(&library.read("raw/IL-0384/sources.json")).unwrap();
    let entry = manifest["pages"].as_array().unwrap().last().unwrap();
    assert_eq!(entry["language"], "de");
    assert_eq!(entry["url"], url);
    assert_eq!(
        library.read("raw/IL-0384/kinesis.de.md"),
        fs::read_to_string(root().join("tests/fixtures/recognize/kinesis.de.md")).unwrap()
    );
    // Again: the page is known, and nothing changes.
    let before = library.tree();
    let said = library.say(&["ingest", &page]);
    assert!(said.contains("is in the library already"), "{said}");
    assert_eq!(library.tree(), before);
}

#[test]
fn with_distinct_it_becomes_a_case_of_its_own() {
    let library = TempLibrary::shipped();
    let page = fixture(&library, "kinesis.de.md");
    library.run(&["ingest", "--new", "--distinct", &page]);
    let made = record(&library, "IL-0536");
    assert_eq!(made["date"], "2020-11-25");
    assert_eq!(
        made["title"],
        Value::Null,
        "no German text in an English and Korean library"
    );
}

#[test]
fn two_pages_of_one_run_tell_one_new_incident() {
    let library = TempLibrary::new();
    let english = fixture(&library, "lantern.en.md");
    let japanese = fixture(&library, "lantern.ja.txt");
    let said = library.say(&["ingest", "--new", "--same", &english, &japanese]);
    assert!(said.contains("1 case, 2 pages"), "{said}");
    let manifest = library.read("raw/IL-0001/sources.json");
    assert!(manifest.contains("lantern.ja.txt"), "{manifest}");
    // The clock of Tokyo is nine hours ahead: no time contradicts.
    assert!(!said.contains("source-contradicts"), "{said}");
}

#[test]
fn another_incident_of_the_same_day_and_organisation_is_no_second_source() {
    let library = TempLibrary::new();
    let first = fixture(&library, "lantern.en.md");
    let second = fixture(&library, "lantern-login.en.md");
    library.run(&["ingest", "--new", &first]);
    let out = library.run(&["ingest", "--new", "--same", &second]);
    assert_ne!(out.status.code(), Some(2), "{}", crate::common::shown(&out));
    assert!(library.file("normalized/IL-0002.json").is_file());
}

#[test]
fn a_new_page_becomes_a_draft_with_its_evidence() {
    let library = TempLibrary::new();
    let page = fixture(&library, "lantern.en.md");
    let url = "https://status.lantern.example/incidents/41";
    insta::assert_snapshot!(
        "draft_run",
        library.say(&["ingest", "--new", "--url", url, &page])
    );
    insta::assert_snapshot!("draft_record", library.read("normalized/IL-0001.json"));
    insta::assert_snapshot!(
        "draft_explained",
        library.say(&["explain", "IL-0001", "timeline"])
    );
    insta::assert_snapshot!(
        "draft_sources",
        library.say(&["explain", "IL-0001", "sources"])
    );
}

#[test]
fn suggested_terms_are_filled_in_only_on_request() {
    let library = TempLibrary::new();
    let page = fixture(&library, "lantern.en.md");
    library.run(&["ingest", "--new", &page]);
    assert_eq!(
        record(&library, "IL-0001")["symptoms"],
        serde_json::json!([])
    );
    let said = library.say(&["explain", "IL-0001", "domain"]);
    assert!(said.contains("suggests `"), "{said}");
    let other = TempLibrary::new();
    let page = fixture(&other, "lantern.en.md");
    other.run(&["ingest", "--new", "--with-terms", &page]);
    let made = record(&other, "IL-0001");
    let terms = made["domain"].as_array().unwrap();
    assert!(!terms.is_empty(), "{made}");
    let said = other.say(&["explain", "IL-0001", "domain"]);
    assert!(said.contains("with a score of"), "{said}");
}

#[test]
fn what_a_curator_left_open_stays_open() {
    let library = TempLibrary::new();
    let page = fixture(&library, "lantern.en.md");
    library.run(&["ingest", "--new", &page]);
    let path = library.file("normalized/IL-0001.json");
    let mut edited = record(&library, "IL-0001");
    assert_eq!(edited["timeline"]["detected_after"], "19m");
    edited["timeline"]["detected_after"] = Value::Null;
    edited["lessons"] = serde_json::json!({ "en": "Disks fill up at 08:31 UTC and at 23:59 UTC." });
    fs::write(&path, incidentlib::model::print_json(&edited)).unwrap();
    let before = library.tree();
    let said = library.say(&["ingest", "--notes"]);
    assert!(said.contains("page-tells-more"), "{said}");
    assert_eq!(library.tree(), before);
    // The facts of a text of one's own are looked up in the pages.
    let said = library.say(&["explain", "IL-0001", "lessons.en"]);
    assert!(
        said.contains("fact “08:31 UTC” stands at raw/IL-0001/lantern.en.md:"),
        "{said}"
    );
    assert!(
        said.contains("fact “23:59 UTC” stands in no postmortem"),
        "{said}"
    );
}

#[test]
fn the_indonesian_seed_is_recognised_with_its_contradictions() {
    let Some(seed) = shared("seeds/003_95584cabc13bace8.txt") else {
        return;
    };
    let library = TempLibrary::shipped();
    let seed = seed.canonicalize().unwrap();
    let said = library.say(&["ingest", seed.to_str().unwrap()]);
    assert!(said.contains("tells the incident of IL-0384"), "{said}");
    for told in ["9:39 malam PST", "02.44 WIB", "5:15 ET", "05:47"] {
        assert!(
            said.contains(&format!("the page has `{told}`")),
            "{told}: {said}"
        );
    }
    for right in ["10:07 PST", "22:23 PST", "07:51 PST"] {
        assert!(
            !said.contains(&format!("the page has `{right}`")),
            "{right}: {said}"
        );
    }
}

#[test]
fn a_page_of_several_incidents_becomes_a_case_of_each() {
    let library = TempLibrary::new();
    let page = root().join("tests/fixtures/natures/several.md");
    library.write("inbox/several.md", fs::read(&page).unwrap());
    let before = library.tree();
    for asked in [
        &["ingest"][..],
        &["ingest", "--id", "IL-0007"],
        &["ingest", "--new", "--part", "Nope"],
    ] {
        let mut args = asked.to_vec();
        args.push("inbox/several.md");
        let said = library.say(&args);
        assert!(said.starts_with("exit status: 2"), "{said}");
        assert!(said.contains("The certificate that expired"), "{said}");
    }
    assert_eq!(library.tree(), before);
    library.run(&["ingest", "--new", "inbox/several.md"]);
    for (id, title, day, length) in [
        ("IL-0001", "The queue that stopped", "2023-01-04", "1h 35m"),
        (
            "IL-0002",
            "The certificate that expired",
            "2023-02-09",
            "45m",
        ),
        ("IL-0003", "The index that was lost", "2023-03-03", "47m"),
    ] {
        let made = record(&library, id);
        assert_eq!(made["title"]["en"], title);
        assert_eq!(made["date"], day);
        assert_eq!(made["timeline"]["resolved_after"], length);
        let manifest = library.read(&format!("raw/{id}/sources.json"));
        assert!(
            manifest.contains(&format!("\"part\": \"{title}\"")),
            "{manifest}"
        );
    }
    // Again, from outside and from the library: nothing changes.
    let after = library.tree();
    library.run(&["ingest", "--new", "inbox/several.md"]);
    library.run(&["ingest", "raw/IL-0002/several.md"]);
    library.run(&["ingest"]);
    assert_eq!(library.tree(), after);
    // One of them alone.
    let other = TempLibrary::new();
    other.write("several.md", fs::read(&page).unwrap());
    let part = "The index that was lost";
    other.run(&["ingest", "--id", "IL-0009", "--part", part, "several.md"]);
    assert_eq!(record(&other, "IL-0009")["date"], "2023-03-03");
}

#[test]
fn a_page_put_with_another_case_by_mistake_is_doubted() {
    let library = TempLibrary::shipped();
    let wrong = fixture(&library, "lantern.en.md");
    let said = library.say(&["ingest", "--dry-run", "--id", "IL-0384", &wrong]);
    assert!(said.contains("warning[another-incident]"), "{said}");
    let right = fixture(&library, "kinesis.de.md");
    let said = library.say(&["ingest", "--dry-run", "--id", "IL-0384", &right]);
    assert!(!said.contains("another-incident"), "{said}");
}
