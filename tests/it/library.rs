//! The library that this repository ships: it loads, is clean, and comes again from its raw pages.

use std::fs;

use crate::common::{TempLibrary, root};
use incidentlib::model::Case;

#[test]
fn every_record_is_written_as_it_was_read() {
    let mut count = 0;
    for entry in fs::read_dir(root().join("normalized")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let case = Case::from_value(serde_json::from_str(&text).unwrap()).unwrap();
        assert_eq!(case.print(), text, "{}", path.display());
        assert!(case.extra().is_empty(), "{}", path.display());
        count += 1;
    }
    assert!(count >= 3, "only {count} records");
}

#[test]
fn it_is_clean_and_in_canonical_form() {
    let library = TempLibrary::shipped();
    let said = library.say(&["check", "--strict"]);
    assert!(said.starts_with("exit status: 0"), "{said}");
    let said = library.say(&["fmt", "--check"]);
    assert!(said.starts_with("exit status: 0"), "{said}");
}

#[test]
fn ingest_changes_nothing_and_tells_every_case() {
    let library = TempLibrary::shipped();
    let before = library.tree();
    insta::assert_snapshot!(library.say(&["ingest"]));
    assert_eq!(library.tree(), before);
}

#[test]
fn a_deleted_record_comes_back_byte_for_byte() {
    let library = TempLibrary::shipped();
    let before = library.tree();
    for name in fs::read_dir(library.file("normalized")).unwrap() {
        fs::remove_file(name.unwrap().path()).unwrap();
    }
    assert!(library.run(&["ingest"]).status.success());
    assert_eq!(library.tree(), before);
}

#[test]
fn pages_alone_give_a_record_in_both_languages() {
    let library = TempLibrary::shipped();
    let api = library.read("normalized/IL-0282.json");
    fs::remove_dir_all(library.file("normalized")).unwrap();
    let inbox = library.file("inbox");
    fs::create_dir(&inbox).unwrap();
    for name in ["case.en.html", "case.ko.html"] {
        fs::copy(
            library.file(&format!("raw/IL-0282/{name}")),
            inbox.join(name),
        )
        .unwrap();
    }
    fs::remove_dir_all(library.file("raw")).unwrap();
    let out = library.run(&["ingest", "inbox/case.en.html", "inbox/case.ko.html"]);
    assert!(out.status.success(), "{}", crate::common::shown(&out));
    // A case page has no contributing factors; all else that the record tells stands on the two pages.
    let record = |text: &str| -> serde_json::Value { serde_json::from_str(text).unwrap() };
    let (mut expected, got) = (
        record(&api),
        record(&library.read("normalized/IL-0282.json")),
    );
    expected["contributing"] = serde_json::json!([]);
    expected["components"] = serde_json::json!([]);
    assert_eq!(got, expected);
}

#[test]
fn explain_names_file_line_and_quote() {
    let library = TempLibrary::shipped();
    insta::assert_snapshot!(library.say(&["explain", "IL-0384", "timeline.resolved_after"]));
    insta::assert_snapshot!(library.say(&["explain", "IL-0384", "/components"]));
}

#[test]
fn report_names_what_is_missing_and_the_next_command() {
    let library = TempLibrary::shipped();
    insta::assert_snapshot!(library.say(&["report"]));
}

#[test]
fn a_reviewed_record_can_be_signed_goes_stale_and_can_be_withdrawn() {
    let library = TempLibrary::shipped();
    let before = library.read("normalized/IL-0535.json");
    let said = library.say(&["review", "IL-0535", "--by", "kim"]);
    assert!(
        said.contains("`kim` is not a reviewer that the settings know"),
        "{said}"
    );
    let settings = library
        .read("incidentlib.toml")
        .replace("reviewers = []", "reviewers = [\"kim\"]");
    library.write("incidentlib.toml", settings);
    let state = || library.say(&["review", "IL-0535"]);
    assert!(
        state().contains("IL-0535: machine-text-unreviewed"),
        "{}",
        state()
    );
    assert!(
        library
            .run(&["review", "IL-0535", "--by", "kim"])
            .status
            .success()
    );
    assert!(
        state().contains("IL-0535: reviewed (by kim, 2026-11-29)"),
        "{}",
        state()
    );
    let signed = library.read("normalized/IL-0535.json");
    library.write(
        "normalized/IL-0535.json",
        signed.replace("6h 52m", "6h 53m"),
    );
    assert!(state().contains("IL-0535: stale"), "{}", state());
    library.write("normalized/IL-0535.json", &signed);
    assert!(
        library
            .run(&["review", "IL-0535", "--withdraw"])
            .status
            .success()
    );
    assert_eq!(library.read("normalized/IL-0535.json"), before);
}
