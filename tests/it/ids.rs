//! The life of ids in a real Git repository: renumbered, merged, withdrawn, and never lost.

use std::process::Command;

use serde_json::{Value, json};

use crate::common::{TempLibrary, full_record, shown};

fn git(library: &TempLibrary, args: &[&str]) {
    let out = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.org"])
        .args(args)
        .current_dir(library.path())
        .output()
        .unwrap();
    assert!(out.status.success(), "git {args:?}: {}", shown(&out));
}

fn has_git() -> bool {
    let there = Command::new("git").arg("--version").output().is_ok();
    if !there {
        eprintln!("skipped: this machine has no git");
    }
    there
}

fn record(library: &TempLibrary, id: &str) -> Value {
    serde_json::from_str(&library.read(&format!("normalized/{id}.json"))).unwrap()
}

fn write(library: &TempLibrary, id: &str, change: impl FnOnce(&mut Value)) {
    let mut record: Value = serde_json::from_str(&full_record(id)).unwrap();
    record["sources"][0]["url"] = json!(format!("https://status.example.com/{id}"));
    change(&mut record);
    let case = incidentlib::model::Case::from_value(record).unwrap();
    library.write(&format!("normalized/{id}.json"), case.print());
}

/// Three cases, the second signed and the third naming both others; the first has a raw page and a waiver.
fn repository() -> TempLibrary {
    let library = TempLibrary::new();
    write(&library, "IL-0001", |r| {
        r["sources"][0]["archived"] = Value::Null
    });
    write(&library, "IL-0002", |r| {
        r["date"] = json!("2021-01-05");
        r["sources"][0]["archived"] = Value::Null;
        r["related"] = json!(["IL-0001"]);
    });
    write(&library, "IL-0003", |r| {
        r["date"] = json!("2025-01-05");
        r["sources"][0]["archived"] = Value::Null;
        r["related"] = json!(["IL-0002"]);
        r["recurrence_of"] = json!("IL-0001");
    });
    let page =
        "<html><title>Outage</title><body><p>The queue stopped for an hour.</p></body></html>";
    library.write("raw/IL-0001/page.html", page);
    let sha = incidentlib::model::sha256_of_bytes(page.as_bytes());
    let manifest = json!({"pages": [{"file": "page.html", "url": "https://status.example.com/IL-0001", "kind": "postmortem",
        "language": "en", "media_type": "text/html", "fetched_at": "2026-11-01", "sha256": sha}]});
    library.write(
        "raw/IL-0001/sources.json",
        incidentlib::model::print_json(&manifest),
    );
    let settings = library
        .read("incidentlib.toml")
        .replace("reviewers = []", "reviewers = [\"kim\"]");
    let waiver = "\n[[waiver]]\nrule = \"archive-missing\"\ncase = \"IL-0001\"\nreason = \"the site forbids it\"\nuntil = \"2027-12-31\"\n";
    library.write("incidentlib.toml", settings + waiver);
    let signed = library.say(&["review", "IL-0002", "--by", "kim"]);
    assert!(signed.starts_with("exit status: 0"), "{signed}");
    let state = library.say(&["list", "--state", "reviewed"]);
    assert!(state.contains("IL-0002"), "{state}");
    git(&library, &["init", "-q", "-b", "main"]);
    git(&library, &["add", "-A"]);
    git(&library, &["commit", "-qm", "The library"]);
    git(&library, &["checkout", "-q", "-b", "change"]);
    library
}

fn errors_since_main(library: &TempLibrary) -> Vec<String> {
    git(library, &["add", "-A"]);
    git(library, &["commit", "-qm", "A change"]);
    let out = library.run(&["check", "--since", "main", "--format", "json"]);
    let report: Value =
        serde_json::from_slice(&out.stdout).unwrap_or_else(|_| panic!("{}", shown(&out)));
    let findings = report["findings"].as_array().unwrap();
    let errors = findings.iter().filter(|f| f["level"] == "error");
    errors
        .map(|f| {
            format!(
                "{} {}",
                f["rule"].as_str().unwrap(),
                f["message"].as_str().unwrap()
            )
        })
        .collect()
}

#[test]
fn a_renumbered_case_is_followed_by_all_that_names_it() {
    if !has_git() {
        return;
    }
    let library = repository();
    let before = library.tree();
    let dry = library.say(&["renumber", "IL-0001", "IL-0900", "--dry-run"]);
    assert!(
        dry.contains("would remove normalized/IL-0001.json"),
        "{dry}"
    );
    assert!(library.tree() == before, "a dry run wrote");

    let said = library.say(&["renumber", "IL-0001", "IL-0900"]);
    assert!(said.starts_with("exit status: 0"), "{said}");
    assert_eq!(record(&library, "IL-0900")["id"], "IL-0900");
    assert_eq!(record(&library, "IL-0002")["related"], json!(["IL-0900"]));
    assert_eq!(record(&library, "IL-0003")["recurrence_of"], "IL-0900");
    assert!(
        library
            .read("incidentlib.toml")
            .contains("case = \"IL-0900\"")
    );
    assert!(library.file("raw/IL-0900/page.html").exists());
    assert!(!library.file("raw/IL-0001").exists());
    assert!(!library.file("normalized/IL-0001.json").exists());
    // Nothing that was read says anything else, so the signature stands.
    assert!(
        library
            .say(&["list", "--state", "reviewed"])
            .contains("IL-0002")
    );
    assert!(
        library
            .say(&["show", "IL-0001"])
            .contains("IL-0001 is IL-0900 now")
    );
    assert_eq!(errors_since_main(&library), [""; 0]);
    assert!(library.say(&["next-id"]).contains("IL-0901"));

    // An id is never reused, but a renumbering can be undone.
    let taken = library.say(&["renumber", "IL-0002", "IL-0001"]);
    assert!(
        taken.contains("exit status: 2") && taken.contains("was in use once"),
        "{taken}"
    );
    let back = library.say(&["renumber", "IL-0900", "IL-0001"]);
    assert!(back.starts_with("exit status: 0"), "{back}");
    assert_eq!(record(&library, "IL-0002")["related"], json!(["IL-0001"]));
}

#[test]
fn merged_cases_keep_the_sources_pages_and_relations_of_both() {
    if !has_git() {
        return;
    }
    let library = repository();
    let said = library.say(&["merge", "IL-0001", "IL-0003"]);
    assert!(said.starts_with("exit status: 0"), "{said}");
    assert!(said.contains("`date` is told differently"), "{said}");
    let stays = record(&library, "IL-0003");
    let urls: Vec<&str> = stays["sources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["url"].as_str().unwrap())
        .collect();
    assert_eq!(
        urls,
        [
            "https://status.example.com/IL-0003",
            "https://status.example.com/IL-0001"
        ]
    );
    assert_eq!(
        stays["recurrence_of"],
        Value::Null,
        "no case repeats itself"
    );
    assert_eq!(record(&library, "IL-0002")["related"], json!(["IL-0003"]));
    assert!(library.file("raw/IL-0003/page.html").exists());
    assert!(
        library
            .read("raw/IL-0003/sources.json")
            .contains("page.html")
    );
    let errors = errors_since_main(&library);
    assert!(
        errors
            .iter()
            .all(|e| !e.contains("vanish") && !e.starts_with("raw-")),
        "{errors:?}"
    );
    let shown = library.say(&["show", "IL-0001"]);
    assert!(shown.contains("IL-0001 is IL-0003 now"), "{shown}");
    // Further steps are followed to their end.
    library.say(&["renumber", "IL-0003", "IL-0700"]);
    assert!(
        library
            .say(&["show", "IL-0001"])
            .contains("IL-0001 is IL-0700 now")
    );
}

#[test]
fn a_vanished_id_is_refused_and_a_withdrawn_one_stays_readable() {
    if !has_git() {
        return;
    }
    let library = repository();
    let text = library.read("normalized/IL-0003.json");
    std::fs::remove_file(library.file("normalized/IL-0003.json")).unwrap();
    let errors = errors_since_main(&library);
    assert_eq!(
        errors,
        ["vanished-id the id `IL-0003` was in use and vanishes with this change"]
    );

    library.write("normalized/IL-0003.json", text);
    let no_reason = library.say(&["withdraw", "IL-0003", "--why", "  "]);
    assert!(no_reason.starts_with("exit status: 2"), "{no_reason}");
    let said = library.say(&["withdraw", "IL-0003", "--why", "the report was of a drill"]);
    assert!(said.starts_with("exit status: 0"), "{said}");
    assert_eq!(errors_since_main(&library), [""; 0]);
    let shown = library.say(&["show", "IL-0003"]);
    assert!(
        shown.contains("Withdrawn: the report was of a drill"),
        "{shown}"
    );
    assert!(!library.say(&["list"]).contains("IL-0003"));
    assert!(library.say(&["list", "--withdrawn"]).contains("IL-0003"));
    assert!(!library.say(&["report"]).contains("IL-0003"));
    let undone = library.say(&["withdraw", "IL-0003", "--undo"]);
    assert!(undone.starts_with("exit status: 0"), "{undone}");
    assert!(!library.file("normalized/retired.json").exists());
}

#[test]
fn a_reference_to_an_id_that_was_taken_out_of_use_is_led_on_by_a_fix() {
    let library = TempLibrary::new();
    write(&library, "IL-0001", |_| {});
    write(&library, "IL-0002", |r| {
        r["date"] = json!("2021-01-05");
        r["related"] = json!(["IL-0009"]);
    });
    library.write(
        "normalized/retired.json",
        "{\n  \"IL-0009\": {\n    \"merged_into\": \"IL-0001\",\n    \"on\": \"2026-01-01\"\n  }\n}\n",
    );
    let said = library.say(&["check"]);
    assert!(said.contains("`IL-0009` is `IL-0001` now"), "{said}");
    library.say(&["check", "--fix"]);
    assert_eq!(record(&library, "IL-0002")["related"], json!(["IL-0001"]));
    assert!(
        library
            .say(&["fmt", "--check"])
            .starts_with("exit status: 0")
    );
    // A broken file says where, and nothing is changed by it.
    library.write("normalized/retired.json", "{\"IL-0009\": 1}");
    let said = library.say(&["check"]);
    assert!(
        said.contains("normalized/retired.json:1:") && said.contains("retired-ids"),
        "{said}"
    );
    let refused = library.say(&["withdraw", "IL-0001", "--why", "a test"]);
    assert!(refused.contains("mend the file first"), "{refused}");
}
