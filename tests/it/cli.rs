//! The command line as its users meet it: help, mistakes, every command once.

use std::fs;

use crate::common::{TempLibrary, program, root, shown};
use serde_json::Value;

const COMMANDS: [&str; 18] = [
    "init",
    "ingest",
    "extract",
    "normalize",
    "check",
    "fmt",
    "review",
    "report",
    "list",
    "show",
    "explain",
    "vocab",
    "completions",
    "archive",
    "next-id",
    "renumber",
    "merge",
    "withdraw",
];

#[test]
fn help_of_every_command() {
    let help = |args: &[&str]| shown(&program().args(args).output().unwrap());
    insta::assert_snapshot!("help", help(&["--help"]));
    for command in COMMANDS {
        let text = help(&[command, "--help"]);
        assert!(text.contains("Examples:"), "{command} has no examples");
        insta::assert_snapshot!(format!("help_{command}"), text);
    }
}

#[test]
fn mistakes_are_answered_with_what_to_do() {
    let nowhere = tempfile::tempdir().unwrap();
    let real = nowhere.path().canonicalize().unwrap();
    let outside = |args: &[&str]| {
        let out = program()
            .args(args)
            .current_dir(nowhere.path())
            .output()
            .unwrap();
        shown(&out).replace(real.to_str().unwrap(), "[here]")
    };
    insta::assert_snapshot!(outside(&["check"]), @"
    exit status: 2
    --- stderr
    error: no library in [here] or above it: there is no incidentlib.toml
      help: go into a library, name one with `--library DIR`, or make one: `incidentlib init DIR`
    ");
    insta::assert_snapshot!(outside(&["chekc"]), @"
    exit status: 2
    --- stderr
    error: unrecognized subcommand 'chekc'

      tip: a similar subcommand exists: 'check'

    Usage: incidentlib [OPTIONS] <COMMAND>

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(outside(&["show", "535"]), @"
    exit status: 2
    --- stderr
    error: invalid value '535' for '<ID>': `535` is not a case id such as `IL-0535`

    For more information, try '--help'.
    ");
    fs::write(nowhere.path().join("something"), "").unwrap();
    insta::assert_snapshot!(outside(&["init"]), @"
    exit status: 2
    --- stderr
    error: . is not empty
      help: name a new folder, so that nothing of yours is written over
    ");
    insta::assert_snapshot!(outside(&["init", "--prefix", "lower", "new"]), @r#"
    exit status: 2
    --- stderr
    error: `id_prefix = "lower"`: a prefix is one to sixteen capital letters and digits, a letter first
      help: for example `incidentlib init --prefix CASE --languages en,ko DIR`
    "#);
    let library = TempLibrary::shipped();
    insta::assert_snapshot!(library.say(&["show", "IL-9999"]), @"
    exit status: 2
    --- stderr
    error: there is no case `IL-9999` in this library
      help: `incidentlib list` shows all cases
    ");
    insta::assert_snapshot!(library.say(&["explain", "IL-0535", "timelin"]), @"
    exit status: 2
    --- stderr
    error: IL-0535 has nothing at `/timelin`
      help: its fields are id, title, org, date, date_kind, domain, severity, root_cause, contributing, components, symptoms, impact, timeline, summary, symptoms_text, trigger, detection, remediation, action_items, lessons, sources, docs, related, recurrence_of, review
    ");
    insta::assert_snapshot!(library.say(&["check", "normalized/IL-9999.json"]), @"
    exit status: 2
    --- stderr
    error: there is no normalized/IL-9999.json
      help: check the path for a mistyped name
    ");
    insta::assert_snapshot!(library.say(&["check", "--explain", "no-such"]), @"
    exit status: 2
    --- stderr
    error: there is no rule `no-such`
      help: `incidentlib check --rules` lists them
    ");
    insta::assert_snapshot!(library.say(&["ingest", "normalized/IL-0535.json"]), @"
    exit status: 2
    --- stderr
    error: normalized/IL-0535.json is a record already
      help: ingest takes raw pages; `incidentlib check` reads records
    ");
    insta::assert_snapshot!(library.say(&["ingest", "nothing.html"]), @"
    exit status: 2
    --- stderr
    error: cannot read nothing.html: No such file or directory (os error 2)
      help: check the path for a mistyped name
    ");
    insta::assert_snapshot!(library.say(&["vocab", "symptom", "latancy"]), @"
    exit status: 1
    --- stderr
    no term speaks of `latancy`; near it: high-latency
    ");
}

#[test]
fn broken_settings_name_the_line() {
    let library = TempLibrary::shipped();
    library.write(
        "incidentlib.toml",
        "[library]\nid_prefix = \"IL\"\nlanguages = [\"en\"\n",
    );
    insta::assert_snapshot!(library.say(&["check"]));
    library.write(
        "incidentlib.toml",
        "[library]\nid_prefix = \"IL\"\nlanguages = [\"en\"]\n[rules]\nnope = \"off\"\n",
    );
    insta::assert_snapshot!(library.say(&["check"]));
}

#[test]
fn a_new_library_is_whole_from_the_start() {
    let library = TempLibrary::new();
    assert!(
        library
            .say(&["fmt", "--check"])
            .starts_with("exit status: 0")
    );
    insta::assert_snapshot!(library.say(&["check"]), @"
    exit status: 1
    --- stdout
    normalized error[no-records]: the library has no record that can be read
      help: add one with `incidentlib ingest PAGE`
    0 records checked: 1 error, 0 warnings, 0 notes
    ");
    insta::assert_snapshot!(library.say(&["ingest"]), @"
    exit status: 2
    --- stderr
    error: the library has no raw page yet
      help: save a page and run `incidentlib ingest PAGE`
    ");
    let other = tempfile::tempdir().unwrap();
    let folder = other.path().join("cases");
    let out = program()
        .args([
            "init",
            "--prefix",
            "CASE",
            "--languages",
            "ko,ja",
            folder.to_str().unwrap(),
        ])
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", shown(&out));
    let schema = fs::read_to_string(folder.join("schema/case.schema.json")).unwrap();
    assert!(schema.contains("^CASE-[0-9]{4,18}$") && schema.contains("\"ja\""));
    let out = program()
        .args(["fmt", "--check"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", shown(&out));
}

#[test]
fn every_command_works_from_a_folder_below() {
    let library = TempLibrary::shipped();
    for args in [
        &["list"][..],
        &["check"],
        &["report"],
        &["show", "IL-0535"],
        &["explain", "IL-0535"],
        &["ingest", "raw/IL-0535"],
    ] {
        let out = program()
            .args(args)
            .current_dir(library.file("raw/IL-0535"))
            .output()
            .unwrap();
        assert!(out.status.success(), "{args:?}: {}", shown(&out));
    }
}

#[test]
fn reading_commands() {
    let library = TempLibrary::shipped();
    insta::assert_snapshot!(library.say(&["list"]));
    insta::assert_snapshot!(library.say(&["list", "--year", "2020", "--lang", "ko"]));
    insta::assert_snapshot!(library.say(&["show", "IL-0282", "--lang", "ko"]));
    insta::assert_snapshot!(library.say(&["vocab"]));
    insta::assert_snapshot!(library.say(&["vocab", "symptom", "지연", "--lang", "ko"]));
    insta::assert_snapshot!(library.say(&["check", "--explain", "unknown-term"]));
    insta::assert_snapshot!(library.say(&["check", "--rules"]));
}

fn json(library: &TempLibrary, args: &[&str]) -> Value {
    let out = library.run(args);
    serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}: {}", shown(&out)))
}

#[test]
fn json_for_programs() {
    let library = TempLibrary::shipped();
    library.write(
        "normalized/IL-0535.json",
        library
            .read("normalized/IL-0535.json")
            .replace("\"high-latency\"", "\"high-latncy\""),
    );
    let check = json(&library, &["check", "--format", "json"]);
    assert_eq!(check["records"], 3);
    assert_eq!(check["errors"], 1);
    insta::assert_snapshot!(format!("{:#}", check["findings"][1]), @r#"
    {
      "rule": "unknown-term",
      "level": "error",
      "file": "normalized/IL-0535.json",
      "line": 28,
      "column": 5,
      "end_line": 28,
      "end_column": 18,
      "pointer": "/symptoms/1",
      "message": "`high-latncy` is no term of symptom",
      "help": "did you mean `high-latency`? all terms: incidentlib vocab symptom"
    }
    "#);
    let report = json(&library, &["report", "--format", "json"]);
    assert_eq!(report["cases"], 3);
    assert_eq!(report["queue"][0]["missing"][0]["what"], "review");
    assert_eq!(
        json(&library, &["list", "--format", "json"])
            .as_array()
            .unwrap()
            .len(),
        3
    );
    assert_eq!(
        json(&library, &["show", "IL-0282", "--format", "json"])["timeline"]["resolved_after"],
        "4h 51m"
    );
    let explain = json(
        &library,
        &["explain", "IL-0282", "date", "--format", "json"],
    );
    assert_eq!(explain["values"][0]["places"].as_array().unwrap().len(), 3);
    let vocab = json(&library, &["vocab", "severity", "--format", "json"]);
    assert_eq!(vocab[0]["kind"], "severity");
    let ingest = json(&library, &["ingest", "raw/IL-0282", "--format", "json"]);
    assert_eq!(ingest["state"], "unchanged");
    let extract = json(&library, &["extract", "raw/IL-0282/case.ko.html"]);
    assert_eq!(extract["draft"]["language"], "ko");
}

#[test]
fn findings_can_be_narrowed_to_paths_and_made_strict() {
    let library = TempLibrary::shipped();
    let bad = library
        .read("normalized/IL-0535.json")
        .replace("US-EAST-1)\"", "US-EAST-1) &amp; more\"");
    library.write("normalized/IL-0535.json", bad);
    assert!(library.say(&["check"]).starts_with("exit status: 0"));
    assert!(
        library
            .say(&["check", "--strict"])
            .starts_with("exit status: 1")
    );
    assert!(
        library
            .say(&["check", "--strict", "normalized/IL-0282.json"])
            .starts_with("exit status: 0")
    );
    assert!(
        library
            .say(&["check", "--strict", "normalized"])
            .starts_with("exit status: 1")
    );
}

#[test]
fn fmt_mends_form_and_never_meaning() {
    let library = TempLibrary::shipped();
    let before = library.tree();
    let messy = |path: &str, change: &dyn Fn(String) -> String| {
        library.write(path, change(library.read(path)));
    };
    messy("normalized/IL-0535.json", &|t| t.replace("\n  ", "\r\n\t"));
    messy("normalized/IL-0282.json", &|t| {
        let value: Value = serde_json::from_str(&t).unwrap();
        let reversed: serde_json::Map<_, _> = value
            .as_object()
            .unwrap()
            .iter()
            .rev()
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect();
        format!("\u{feff}{}", Value::Object(reversed))
    });
    messy("raw/IL-0384/sources.json", &|t| t.replace("  ", ""));
    messy("schema/case.schema.json", &|t| {
        t.replace("\"const\": \"disk-full\"", "\"const\": \"disk-fool\"")
    });
    let said = library.say(&["check"]);
    assert!(said.contains("schema-out-of-step"), "{said}");
    insta::assert_snapshot!(library.say(&["fmt", "--check"]), @"
    exit status: 1
    --- stdout
    normalized/IL-0282.json is not in canonical form
    normalized/IL-0535.json is not in canonical form
    raw/IL-0384/sources.json is not in canonical form
    schema/case.schema.json is not in canonical form
    ");
    assert!(library.say(&["fmt"]).starts_with("exit status: 0"));
    assert_eq!(library.tree(), before);
    assert_eq!(library.say(&["fmt"]), "exit status: 0\n");
}

#[test]
fn a_page_is_added_completed_and_added_again() {
    let library = TempLibrary::new();
    let fixture = |name: &str| fs::read(root().join("tests/fixtures/pages").join(name)).unwrap();
    library.write("inbox/en.html", fixture("case-en.html"));
    library.write("inbox/ko.html", fixture("case-ko-table.html"));
    let english = [
        "ingest",
        "inbox/en.html",
        "--fetched-at",
        "2026-11-29",
        "--url",
        "https://cases.example/IL-9001",
    ];
    let mut dry = english.to_vec();
    dry.push("--dry-run");
    let before = library.tree();
    insta::assert_snapshot!("add_dry_run", library.say(&dry));
    assert_eq!(library.tree(), before);
    insta::assert_snapshot!("add_english", library.say(&english));
    insta::assert_snapshot!(
        "add_korean",
        library.say(&["ingest", "inbox/ko.html", "--fetched-at", "2026-11-29"])
    );
    let after = library.tree();
    let again = library.say(&["ingest", "inbox/ko.html", "inbox/en.html"]);
    assert!(
        again.contains("inbox/ko.html is in the library already, as raw/IL-9001/ko.html"),
        "{again}"
    );
    assert!(again.contains("nothing written"), "{again}");
    assert_eq!(library.tree(), after);
    insta::assert_snapshot!("add_manifest", library.read("raw/IL-9001/sources.json"));
    insta::assert_snapshot!("add_record", library.read("normalized/IL-9001.json"));
}

#[test]
fn a_postmortem_without_an_id_becomes_a_new_case() {
    let library = TempLibrary::shipped();
    library.write(
        "inbox/outage.html",
        "<html lang=en><h1>An invented outage</h1><p>It was long.</p></html>",
    );
    let refused = library.say(&["ingest", "inbox/outage.html"]);
    assert!(refused.contains("--new"), "{refused}");
    insta::assert_snapshot!(library.say(&[
        "ingest",
        "--new",
        "--url",
        "https://example.org/outage",
        "--fetched-at",
        "2026-11-29",
        "inbox/outage.html",
    ]));
    assert!(library.file("raw/IL-0536/outage.html").exists());
    let record: Value = serde_json::from_str(&library.read("normalized/IL-0536.json")).unwrap();
    assert_eq!(record["sources"][0]["url"], "https://example.org/outage");
}

#[test]
fn a_file_name_cannot_steer_the_terminal() {
    let library = TempLibrary::shipped();
    library.write("raw/IL-0282/\u{1b}[31mred\u{202e}.html", "<p>x</p>");
    let said = library.say(&["check"]);
    assert!(
        !said.contains('\u{1b}') && !said.contains('\u{202e}'),
        "{said}"
    );
    assert!(said.contains("\\u{1b}[31mred\\u{202e}.html"), "{said}");
}

#[test]
fn a_third_language_is_data() {
    let library = TempLibrary::new();
    let english: Value = serde_json::from_str(&library.read("schema/language/en.json")).unwrap();
    let mut german = english.clone();
    german["language"] = "de".into();
    let labels = german["case_page"]["labels"].as_object_mut().unwrap();
    for words in labels.values_mut() {
        *words = serde_json::json!([]);
    }
    for (field, word) in [
        ("severity", "Schweregrad"),
        ("timeline/resolved_after", "Behoben nach"),
        ("symptoms", "Symptome"),
        ("symptoms_text", "Symptome"),
        ("root_cause", "Ursache"),
        ("sources", "Quellen"),
        ("remediation", "Abhilfe"),
    ] {
        labels[field] = serde_json::json!([word]);
    }
    german["time"]["units"]["hour"] = serde_json::json!(["Stunden"]);
    library.write("schema/language/de.json", format!("{german:#}\n"));
    let page = "IL-9001 Lantern Mail · 2021-03-04\nEin erfundener Fall\nDie Platte war voll.\n\
        - Schweregrad\n- –\n- Behoben nach\n- 17 Stunden\nSymptome\nAlles stand still.\nUrsache\nUrsache Kapazitätsgrenze\n\
        Abhilfe\n- Eine neue Platte\nQuellen\n- https://lantern.example/x · news\n";
    library.write("inbox/fall.txt", page);
    let said = library.say(&["ingest", "inbox/fall.txt", "--fetched-at", "2026-11-29"]);
    assert!(said.contains("case page, de"), "{said}");
    let record: Value = serde_json::from_str(&library.read("normalized/IL-9001.json")).unwrap();
    assert_eq!(record["title"]["de"], "Ein erfundener Fall");
    assert_eq!(record["timeline"]["resolved_after"], "17h");
    assert_eq!(record["remediation"][0]["text"]["de"], "Eine neue Platte");
}

#[test]
fn a_raw_page_that_was_changed_is_told_by_check_and_ingest() {
    let library = TempLibrary::shipped();
    let page = library
        .read("raw/IL-0282/case.en.html")
        .replace("4h 51m", "5h 51m");
    library.write("raw/IL-0282/case.en.html", page);
    library.write("raw/IL-0282/new.html", "<p>not listed</p>");
    let check = library.say(&["check"]);
    let ingest = library.say(&["ingest"]);
    for said in [check, ingest] {
        assert!(
            said.contains("error[raw-hash-stale]: raw/IL-0282/case.en.html was changed"),
            "{said}"
        );
        assert!(
            said.contains("raw/IL-0282/new.html error[raw-unlisted]"),
            "{said}"
        );
    }
    let said = library.say(&["explain", "IL-0282", "timeline.resolved_after"]);
    assert!(said.contains("says otherwise"), "{said}");
}

#[test]
fn a_title_cannot_steer_the_terminal() {
    let library = TempLibrary::shipped();
    let title = "\\u001b[2J\\u202eDone";
    let text = library
        .read("normalized/IL-0282.json")
        .replace("Storage servers", title);
    library.write("normalized/IL-0282.json", text);
    for args in [
        &["list"][..],
        &["show", "IL-0282"],
        &["report"],
        &["explain", "IL-0282", "title"],
        &["check"],
        &["ingest"],
    ] {
        let said = library.say(args);
        assert!(
            !said.contains('\u{1b}') && !said.contains('\u{202e}'),
            "{args:?}: {said:?}"
        );
    }
    let said = library.say(&["check"]);
    assert!(said.contains("invisible character U+001B"), "{said}");
}

#[test]
fn fix_mends_what_is_safe_shows_it_and_leaves_the_rest() {
    let library = TempLibrary::new();
    let record = crate::common::full_record("IL-0001")
        .replace("\"high-latency\"", "\"High latency\"")
        .replace("web/20210401000000/", "web/20210401000000id_/")
        .replace("  \"related\": [],", "  \"related\":   [],");
    library.write("normalized/IL-0001.json", &record);
    let before = library.tree();
    let dry = library.say(&["check", "--fix", "--dry-run"]);
    assert!(
        dry.contains("1 record would be mended; nothing was written"),
        "{dry}"
    );
    assert_eq!(library.tree(), before);
    insta::assert_snapshot!(library.say(&["check", "--fix"]));
    let said = library.say(&["check", "--fix"]);
    assert!(said.contains("nothing that can be mended safely"), "{said}");
    // A signed record keeps its content: only its form is mended.
    let settings = library
        .read("incidentlib.toml")
        .replace("reviewers = []", "reviewers = [\"kim\"]");
    library.write("incidentlib.toml", settings);
    let said = library.say(&["review", "IL-0001", "--by", "kim"]);
    assert!(said.contains("signed by kim"), "{said}");
    let signed = library.read("normalized/IL-0001.json");
    library.write(
        "normalized/IL-0001.json",
        signed.replace("  \"related\": [],", "  \"related\":   [],"),
    );
    library.run(&["check", "--fix"]);
    assert_eq!(library.read("normalized/IL-0001.json"), signed);
}
