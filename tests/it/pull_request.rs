//! A pull request against a library in a real Git repository: what it brought in is said, and nothing else.

use std::process::Command;

use crate::common::{TempLibrary, root, shown};
use serde_json::Value;

/// Runs `git` in a library. Where the machine has no `git`, the test says so and ends.
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

/// The shipped library, committed on `main`, with a branch checked out.
fn repository() -> TempLibrary {
    let library = TempLibrary::shipped();
    git(&library, &["init", "-q", "-b", "main"]);
    git(&library, &["add", "-A"]);
    git(&library, &["commit", "-qm", "The library"]);
    git(&library, &["checkout", "-q", "-b", "change"]);
    library
}

fn replace(library: &TempLibrary, file: &str, from: &str, to: &str) {
    let text = library.read(file);
    assert!(text.contains(from), "{from}");
    library.write(file, text.replacen(from, to, 1));
}

/// Puts letters before the root cause of a record, so that it is no term.
fn misspell_root_cause(library: &TempLibrary, letters: &str) {
    let (from, to) = ("\"root_cause\": \"", format!("\"root_cause\": \"{letters}"));
    replace(library, RECORD, from, &to);
}

const RECORD: &str = "normalized/IL-0282.json";

#[test]
fn a_bad_record_is_refused_and_the_mended_one_passes() {
    if !has_git() {
        return;
    }
    let library = repository();
    let before = library.read(RECORD);
    misspell_root_cause(&library, "설정-오류");
    git(&library, &["commit", "-qam", "A bad term"]);
    insta::assert_snapshot!(
        "github",
        library.say(&["check", "--since", "main", "--format", "github"])
    );
    insta::assert_snapshot!(
        "markdown",
        library.say(&["check", "--since", "main", "--format", "markdown"])
    );
    insta::assert_snapshot!(
        "junit",
        library.say(&["check", "--since", "main", "--format", "junit"])
    );
    insta::assert_snapshot!(
        "rdjson",
        library.say(&["check", "--since", "main", "--format", "rdjson"])
    );
    insta::assert_snapshot!("text", library.say(&["check", "--since", "main"]));

    library.write(RECORD, before);
    git(&library, &["commit", "-qam", "Mended"]);
    let out = library.run(&["check", "--since", "main", "--strict", "--format", "github"]);
    let text = shown(&out);
    assert!(out.status.success(), "{text}");
    assert!(!text.contains("::error"), "{text}");
}

#[test]
fn what_was_there_before_is_counted_and_does_not_fail() {
    if !has_git() {
        return;
    }
    let library = TempLibrary::shipped();
    misspell_root_cause(&library, "old-");
    git(&library, &["init", "-q", "-b", "main"]);
    git(&library, &["add", "-A"]);
    git(&library, &["commit", "-qm", "With a fault"]);
    assert_eq!(library.run(&["check"]).status.code(), Some(1));
    // An edit above the old fault moves its line: it is the same fault.
    replace(&library, RECORD, "{\n", "{\n\n\n");
    let text = library.say(&["check", "--since", "HEAD"]);
    assert!(!text.contains("unknown-term"), "{text}");
    assert!(text.contains("there before"), "{text}");
}

#[test]
fn a_case_that_goes_is_missed_by_the_records_that_name_it() {
    if !has_git() {
        return;
    }
    let library = repository();
    let other = "normalized/IL-0535.json";
    replace(
        &library,
        other,
        "\"related\": []",
        "\"related\": [\n    \"IL-0282\"\n  ]",
    );
    git(&library, &["commit", "-qam", "Related"]);
    git(&library, &["rm", "-rq", RECORD, "raw/IL-0282"]);
    let text = library.say(&["check", "--since", "HEAD"]);
    assert!(
        text.contains("normalized/IL-0535.json"),
        "the unchanged file is at fault now: {text}"
    );
    assert!(text.starts_with("exit status: 1"), "{text}");
}

#[test]
fn no_common_ancestor_means_that_everything_is_checked() {
    if !has_git() {
        return;
    }
    let library = repository();
    misspell_root_cause(&library, "old-");
    git(&library, &["commit", "-qam", "A bad term"]);
    git(&library, &["checkout", "-q", "--orphan", "alone"]);
    git(&library, &["commit", "-qm", "Without parents"]);
    let text = library.say(&["check", "--since", "main"]);
    assert!(text.starts_with("exit status: 1"), "{text}");
    assert!(text.contains("everything is checked"), "{text}");
    assert!(text.contains("unknown-term"), "{text}");
    insta::assert_snapshot!(
        "no_such_revision",
        library.say(&["check", "--since=--upload-pack=x"])
    );
}

/// The script of the action, as a runner calls it on a pull request.
fn action(library: &TempLibrary, since: &str) -> (i32, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let summary = folder.path().join("summary.md");
    let out = Command::new("bash")
        .arg(root().join(".github/actions/check/check.sh"))
        .arg(env!("CARGO_BIN_EXE_incidentlib"))
        .current_dir(library.path())
        .env("GITHUB_EVENT_NAME", "pull_request")
        .env("GITHUB_STEP_SUMMARY", &summary)
        .env("SINCE", since)
        .env("LIBRARY", ".")
        .output()
        .unwrap();
    let table = std::fs::read_to_string(&summary).unwrap_or_default();
    (out.status.code().unwrap(), shown(&out), table)
}

#[test]
fn the_action_checks_the_merge_of_a_pull_request() {
    if !has_git() || Command::new("bash").arg("--version").output().is_err() {
        eprintln!("skipped: this machine has no bash");
        return;
    }
    let library = repository();
    misspell_root_cause(&library, "new-");
    git(&library, &["commit", "-qam", "A bad term"]);
    git(&library, &["checkout", "-q", "main"]);
    library.write("NEWS", "main went on\n");
    git(&library, &["add", "-A"]);
    git(&library, &["commit", "-qm", "Elsewhere"]);
    git(
        &library,
        &["merge", "-q", "--no-ff", "-m", "Merge", "change"],
    );
    let (status, said, table) = action(&library, "");
    assert_eq!(status, 1, "{said}");
    assert!(
        said.contains("::error file=normalized/IL-0282.json"),
        "{said}"
    );
    assert!(
        table.contains("| error | normalized/IL-0282.json"),
        "{table}"
    );
    assert!(table.contains("since HEAD^1"), "{table}");
    // A revision that is not there is an error, never a pass; nor is it a part of the script.
    let (status, said, _) = action(&library, "$(touch injected)`touch injected`");
    assert_eq!(status, 2, "{said}");
    assert!(!library.file("injected").exists());
}

#[test]
fn the_repository_is_left_as_it_was() {
    if !has_git() {
        return;
    }
    let library = repository();
    misspell_root_cause(&library, "new-");
    git(&library, &["add", "-A"]);
    let before = library.tree();
    library.run(&["check", "--since", "main"]);
    assert!(library.tree() == before, "files of the repository changed");
}

#[test]
fn annotations_are_ten_of_a_level_and_texts_are_no_commands() {
    if !has_git() {
        return;
    }
    let library = repository();
    let terms: Vec<String> = (0..14).map(|n| format!("\"no-term-{n}\"")).collect();
    let hostile = "\"::error::injected\", \"a%0A::warning::b\", \"##[error]c\"";
    let list = format!("\"symptoms\": [{}, {hostile}, ", terms.join(", "));
    replace(&library, RECORD, "\"symptoms\": [", &list);
    let out = library.run(&["check", "--since", "main", "--format", "github"]);
    let text = String::from_utf8(out.stdout).unwrap();
    let errors = text.lines().filter(|l| l.starts_with("::error ")).count();
    assert_eq!(errors, 10, "{text}");
    assert!(
        text.contains("more of level error stand in the list below"),
        "{text}"
    );
    let commands = text.lines().filter(|l| l.trim_start().starts_with("::"));
    let known = [
        "::error file=",
        "::warning file=",
        "::notice file=",
        "::group::",
        "::endgroup::",
    ];
    for line in commands {
        assert!(known.iter().any(|k| line.starts_with(k)), "{line}");
    }
    assert!(!text.contains("##["), "{text}");
}

/// The official schema, as the crate of the types carries it.
fn sarif_schema() -> Value {
    let cargo = |args: &[&str]| {
        let out = Command::new(env!("CARGO"))
            .args(args)
            .current_dir(root())
            .output();
        let out = out.unwrap();
        assert!(out.status.success(), "{}", shown(&out));
        out.stdout
    };
    // Only what this machine builds for is sure to be at hand.
    let version = String::from_utf8(cargo(&["-vV"])).unwrap();
    let host = version
        .lines()
        .find_map(|l| l.strip_prefix("host: "))
        .unwrap();
    let metadata = cargo(&[
        "metadata",
        "--format-version",
        "1",
        "--offline",
        "--locked",
        "--filter-platform",
        host,
    ]);
    let metadata: Value = serde_json::from_slice(&metadata).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let found = packages
        .iter()
        .find(|p| p["name"] == "serde-sarif")
        .unwrap();
    let manifest = std::path::Path::new(found["manifest_path"].as_str().unwrap());
    let text = std::fs::read_to_string(manifest.with_file_name("src/schema.json")).unwrap();
    // Two patterns end with a bracket that ECMA 262 with the flag `u` does not allow alone.
    serde_json::from_str(&text.replace("]?$\"", "$\"")).unwrap()
}

#[test]
fn sarif_is_valid_by_the_official_schema() {
    if !has_git() {
        return;
    }
    let validator = jsonschema::validator_for(&sarif_schema()).unwrap();
    let library = repository();
    let clean = library.run(&["check", "--since", "main", "--format", "sarif"]);
    misspell_root_cause(&library, "설정-오류");
    library.write("raw/IL-0282/새 페이지.md", "# Outage\n");
    let faulty = library.run(&["check", "--since", "main", "--format", "sarif"]);
    for (out, findings) in [(clean, false), (faulty, true)] {
        let log: Value = serde_json::from_slice(&out.stdout).unwrap();
        let faults: Vec<String> = validator
            .iter_errors(&log)
            .map(|e| format!("{}: {e}", e.instance_path()))
            .collect();
        assert_eq!(faults, Vec::<String>::new());
        let results = log["runs"][0]["results"].as_array().unwrap();
        assert_eq!(!results.is_empty(), findings);
        for result in results {
            let rule = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(
                log["runs"][0]["tool"]["driver"]["rules"][rule]["id"],
                result["ruleId"]
            );
        }
    }
    // A log that is not valid is told apart.
    assert!(!validator.is_valid(&serde_json::json!({ "version": "2.1.0" })));
}

/// Commits a change as another person.
fn commit_as(library: &TempLibrary, who: &str, message: &str) {
    let author = format!("{who} <{who}@example.org>");
    git(library, &["commit", "-qam", message, "--author", &author]);
}

/// The shipped library with two reviewers and one record that `kim` has signed, on a branch.
fn reviewed() -> TempLibrary {
    let library = repository();
    replace(
        &library,
        "incidentlib.toml",
        "reviewers = []",
        "reviewers = [\"kim\", \"lee\"]",
    );
    let said = library.say(&["review", "IL-0282", "--by", "kim"]);
    assert!(said.contains("IL-0282: signed by kim"), "{said}");
    git(&library, &["commit", "-qam", "Kim has read it"]);
    git(&library, &["branch", "-f", "main", "HEAD"]);
    library
}

#[test]
fn a_review_goes_stale_after_an_edit_and_the_field_is_named() {
    if !has_git() {
        return;
    }
    let library = reviewed();
    let clean = library.say(&["check", "--since", "main", "--strict"]);
    assert!(clean.starts_with("exit status: 0"), "{clean}");
    replace(
        &library,
        RECORD,
        "\"severity\": \"unknown\"",
        "\"severity\": \"major\"",
    );
    commit_as(&library, "kim", "A severity");
    insta::assert_snapshot!("stale", library.say(&["check", "--since", "main"]));
    let sheet = library.say(&["review", "IL-0282"]);
    assert!(
        sheet.contains("IL-0282: stale (by kim, 2026-11-29)\nchanged since the review: severity\n"),
        "{sheet}"
    );
    // Taking the signature back mends it, and so does another reviewer's.
    let said = library.say(&["review", "IL-0282", "--withdraw"]);
    assert!(said.contains("signature withdrawn"), "{said}");
    let mended = library.say(&["check", "--since", "main"]);
    assert!(mended.starts_with("exit status: 0"), "{mended}");
}

#[test]
fn nobody_signs_their_own_change_under_another_name() {
    if !has_git() {
        return;
    }
    let library = reviewed();
    replace(
        &library,
        RECORD,
        "\"severity\": \"unknown\"",
        "\"severity\": \"major\"",
    );
    commit_as(&library, "park", "A severity");
    let said = library.say(&["review", "IL-0282", "--by", "lee"]);
    assert!(said.contains("signed by lee"), "{said}");
    commit_as(&library, "park", "Signed");
    let said = library.say(&["check", "--since", "main"]);
    assert!(
        said.contains("error[review-own-change]: `park@example.org` changed the record and signed it for `lee` in the same pull request"),
        "{said}"
    );
    git(
        &library,
        &[
            "commit",
            "-q",
            "--amend",
            "--no-edit",
            "--author",
            "lee <lee@example.org>",
        ],
    );
    let said = library.say(&["check", "--since", "main"]);
    assert!(said.starts_with("exit status: 0"), "{said}");
}
