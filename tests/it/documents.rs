//! What the documents show is what the program prints.

use std::fs;

use crate::common::{TempLibrary, root};

/// Every ```console block: a line `$ command`, then its standard output.
fn console_blocks(document: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(root().join(document)).unwrap();
    let blocks = text.split("```console\n").skip(1);
    blocks
        .map(|block| {
            let block = block.split("```").next().unwrap();
            let (command, output) = block.split_once('\n').unwrap();
            (
                command.strip_prefix("$ ").unwrap().to_owned(),
                output.to_owned(),
            )
        })
        .collect()
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    let library = TempLibrary::shipped();
    let blocks = console_blocks("README.md");
    assert!(blocks.len() >= 3);
    for (command, expected) in blocks {
        let args: Vec<&str> = command.split_whitespace().skip(1).collect();
        let out = library.run(&args);
        let printed = String::from_utf8(out.stdout).unwrap();
        assert_eq!(printed.trim_end(), expected.trim_end(), "{command}");
    }
}

#[test]
fn the_findings_in_the_readme_are_real() {
    let library = TempLibrary::shipped();
    let bad = library
        .read("normalized/IL-0535.json")
        .replace("\"high-latency\"", "\"high-latncy\"")
        .replace("\"6h 52m\"", "\"412 minutes\"");
    library.write("normalized/IL-0535.json", bad);
    let said = library.say(&["check"]);
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let block = readme
        .split("```text\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    for line in block.lines() {
        assert!(said.contains(line), "{line}\n{said}");
    }
}

#[test]
fn the_readme_names_every_command_and_the_changelog_the_true_counts() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let out = crate::common::program().arg("--help").output().unwrap();
    let help = String::from_utf8(out.stdout).unwrap();
    let commands = help
        .split("Commands:")
        .nth(1)
        .unwrap()
        .split("Options:")
        .next()
        .unwrap();
    for line in commands
        .lines()
        .filter(|l| l.starts_with("  ") && !l.starts_with("   "))
    {
        let name = line.split_whitespace().next().unwrap();
        assert!(
            name == "help" || readme.contains(&format!("`{name}")),
            "README does not name {name}"
        );
    }
    let changelog = fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
    let rules = incidentlib::check::RULES.len();
    assert!(
        changelog.contains(&format!("{rules} rules")),
        "there are {rules} rules"
    );
    let vocabulary = incidentlib::vocabulary::builtin_vocabulary();
    let terms: usize = vocabulary.lists().map(|l| l.terms.len()).sum();
    assert!(
        changelog.contains(&format!("{terms} terms")),
        "there are {terms} terms"
    );
}

#[test]
fn the_page_of_rules_is_what_the_program_writes() {
    let out = TempLibrary::shipped().run(&["check", "--rules", "--format", "markdown"]);
    let written = String::from_utf8(out.stdout).unwrap();
    let page = fs::read_to_string(root().join("docs/rules.md")).unwrap_or_default();
    assert!(
        page == written,
        "cargo run -- check --rules --format markdown > docs/rules.md"
    );
}
