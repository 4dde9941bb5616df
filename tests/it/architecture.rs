//! The source tree: who may import whom, and what the documents say about it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::root;

/// The stages in the order the data flows. A module may import those before it and itself.
const ORDER: [&str; 19] = [
    "model",
    "finding",
    "vocabulary",
    "time",
    "facts",
    "read",
    "extract",
    "normalize",
    "recognize",
    "merge",
    "check",
    "library",
    "curate",
    "fetch",
    "archive",
    "ingest",
    "report",
    "output",
    "cli",
];

/// Imports that the order would allow and that are not wanted.
const FORBIDDEN: [(&str, &str); 6] = [
    ("finding", "model"),
    ("check", "merge"),
    ("report", "library"),
    ("report", "ingest"),
    ("output", "library"),
    ("merge", "read"),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            out.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
    out.sort();
    out
}

fn modules() -> BTreeMap<String, String> {
    let src = root().join("src");
    sources(&src)
        .into_iter()
        .map(|path| {
            let name = path
                .strip_prefix(&src)
                .unwrap()
                .to_string_lossy()
                .replace('\\', "/");
            (name, fs::read_to_string(path).unwrap())
        })
        .collect()
}

/// The code of a source: without comments, and before its own tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]").next().unwrap();
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn later_stages_import_earlier_ones_only() {
    for (file, text) in modules() {
        let Some((stage, _)) = file.split_once('/') else {
            continue;
        };
        let rank = ORDER
            .iter()
            .position(|s| *s == stage)
            .unwrap_or_else(|| panic!("{stage} has no place"));
        for after in code(&text).split("crate::").skip(1) {
            let other: String = after
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            let place = ORDER.iter().position(|s| *s == other);
            let place = place
                .unwrap_or_else(|| panic!("{file} imports `{other}`; name one stage in each line"));
            assert!(place <= rank, "{file} imports {other}, a later stage");
            let unwanted = FORBIDDEN.contains(&(stage, other.as_str()));
            assert!(!unwanted, "{file} imports {other}");
        }
    }
}

#[test]
fn the_map_lists_every_stage_in_order() {
    let listed: Vec<String> = fs::read_to_string(root().join("src/lib.rs"))
        .unwrap()
        .lines()
        .filter_map(|l| {
            l.strip_prefix("pub mod ")
                .map(|m| m.trim_end_matches(';').to_owned())
        })
        .collect();
    assert_eq!(listed, ORDER);
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for stage in ORDER {
        assert!(
            map.contains(&format!("`{stage}`")),
            "ARCHITECTURE.md does not name `{stage}`"
        );
    }
}

#[test]
fn only_the_command_line_knows_the_clock_and_prints() {
    for (file, text) in modules() {
        if file.starts_with("cli/") {
            continue;
        }
        let text = code(&text);
        for word in [
            "Local::now",
            "Utc::now",
            "SystemTime::now",
            "Instant::now",
            "println!",
            "process::exit",
        ] {
            assert!(!text.contains(word), "{file} uses {word}");
        }
    }
}

#[test]
fn only_the_library_and_the_command_line_touch_files() {
    for (file, text) in modules() {
        let allowed = file.starts_with("cli/") || file.starts_with("library/");
        assert!(
            allowed || !code(&text).contains("fs::"),
            "{file} touches files"
        );
    }
}

#[test]
fn every_file_opens_with_its_job_and_stays_readable() {
    for (file, text) in modules() {
        assert!(text.starts_with("//! "), "{file} does not say its job");
        let lines = text.lines().count();
        assert!(lines <= 520, "{file} has {lines} lines");
        for left in [
            "todo!",
            "unimplemented!",
            "dbg!",
            "FIXME",
            "TODO",
            "#[ignore",
        ] {
            assert!(!text.contains(left), "{file} holds {left}");
        }
    }
}

#[test]
fn every_rule_has_its_own_file() {
    let files: BTreeSet<String> = modules()
        .into_keys()
        .filter_map(|f| {
            f.strip_prefix("check/rules/")
                .map(|f| f.trim_end_matches(".rs").replace('_', "-"))
        })
        .collect();
    for rule in incidentlib::check::RULES.iter() {
        let shared_file = ["reading", "by-schema", "library-wide"].iter().any(|file| {
            let path = root().join(format!("src/check/rules/{}.rs", file.replace('-', "_")));
            fs::read_to_string(path)
                .unwrap()
                .contains(&format!("\"{}\"", rule.id))
        });
        assert!(
            shared_file || files.contains(rule.id),
            "{} has no file",
            rule.id
        );
    }
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest: toml::Table = fs::read_to_string(root().join("Cargo.toml"))
        .unwrap()
        .parse()
        .unwrap();
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for table in ["dependencies", "dev-dependencies"] {
        for name in manifest[table].as_table().unwrap().keys() {
            assert!(
                map.contains(&format!("| {name} |")),
                "ARCHITECTURE.md gives no reason for {name}"
            );
        }
    }
}

/// Links in the documents lead to files of this repository, or to headings in them.
#[test]
fn no_link_in_the_documents_leads_nowhere() {
    let link = regex::Regex::new(r"\]\(([^)\s]+)\)").unwrap();
    let documents = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ];
    let mut count = 0;
    for document in documents {
        let text = fs::read_to_string(root().join(document)).unwrap();
        for target in link.captures_iter(&text).map(|c| c[1].to_owned()) {
            if target.starts_with("http") {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((&target, ""));
            let file = if file.is_empty() { document } else { file };
            let path = root().join(file);
            assert!(path.exists(), "{document} links to {target}");
            if !heading.is_empty() {
                let headings: Vec<String> = fs::read_to_string(&path)
                    .unwrap()
                    .lines()
                    .filter(|l| l.starts_with('#'))
                    .map(|l| anchor(l.trim_start_matches('#')))
                    .collect();
                assert!(
                    headings.contains(&heading.to_owned()),
                    "{document} links to {target}"
                );
            }
            count += 1;
        }
    }
    assert!(count >= 5, "only {count} links");
}

/// The anchor that a Markdown heading gets.
fn anchor(heading: &str) -> String {
    let plain = heading.trim().to_lowercase();
    let kept = plain
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().replace(' ', "-")
}
