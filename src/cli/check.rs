//! `incidentlib check`

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Global, Outcome, console, fix};
use crate::check::{RULES, Rule, Snapshot, brought_in, check, rule, vanished};
use crate::finding::Finding;
use crate::library::{Base, Error, Library, base_of, changed_since, prefix_in_repository};
use crate::output::{
    Before, Listing, findings_github, findings_json, findings_junit, findings_markdown,
    findings_rdjson, findings_sarif, listing_text,
};
use crate::read::LARGEST_PAGE;

const EXAMPLES: &str = "\
Examples:
  incidentlib check                                   the whole library
  incidentlib check normalized/IL-0535.json           what is said about one record
  incidentlib check --fix --dry-run                   what can be mended safely, as a difference
  incidentlib check --format json | jq '.findings[]'  for programs
  incidentlib check --since origin/main               only what this branch brought in
  incidentlib check --since origin/main --format github        annotations in a workflow
  incidentlib check --format markdown >> \"$GITHUB_STEP_SUMMARY\"  a table in its summary
  incidentlib check --rules                           every rule, and why it is there
  incidentlib check --explain unknown-term            one rule with a bad and a good example";

/// Say everything that is wrong in the library, where, and what to do
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Say only what is about these files or folders; the whole library is read all the same
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Say only what was brought in since this revision: since the merge base of it and HEAD
    #[arg(long, value_name = "REV")]
    since: Option<String>,
    /// How the findings are written
    #[arg(long, value_enum, default_value = "text")]
    format: CheckFormat,
    /// Mend what is safe first, and show the difference: canonical form, order, terms and organisations by their
    /// known names, the form of links to copies. Meaning is never touched, nor a reviewed field
    #[arg(long, conflicts_with_all = ["since", "rules", "explain"])]
    fix: bool,
    /// With `--fix`: show the difference and write nothing
    #[arg(long, requires = "fix")]
    dry_run: bool,
    /// Fail on warnings too
    #[arg(long)]
    strict: bool,
    /// List the rules instead
    #[arg(long, conflicts_with_all = ["paths", "explain"])]
    rules: bool,
    /// Explain one rule instead
    #[arg(long, value_name = "RULE", conflicts_with = "paths")]
    explain: Option<String>,
}

/// The forms findings are written in.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum CheckFormat {
    /// For people
    Text,
    /// For programs, with the counts
    Json,
    /// Annotations of GitHub Actions, then all findings
    Github,
    /// A table, for the summary of a workflow
    Markdown,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// A JUnit report with a test case for each file
    Junit,
    /// The Reviewdog Diagnostic Format
    Rdjson,
}

pub(super) fn run(args: &Args, global: &Global) -> Result<Outcome, Error> {
    if args.rules {
        return list_rules(args.format);
    }
    if let Some(id) = &args.explain {
        return explain_rule(id);
    }
    let library = global.open()?;
    let wanted = wanted_files(&args.paths, &library)?;
    let mut snapshot = library.load()?;
    if args.fix {
        let is_wanted =
            |file: &str| wanted.is_empty() || wanted.iter().any(|path| is_in(file, path));
        let how = fix::How {
            dry_run: args.dry_run,
            quiet: args.format != CheckFormat::Text,
        };
        if fix::run(&library, &snapshot, is_wanted, how, global)? {
            snapshot = library.load()?;
        }
    }
    let findings = check_all(&library, &snapshot, global);
    let (mut findings, mut before) = match &args.since {
        Some(revision) => since(revision, findings, &library, &snapshot, global)?,
        None => (findings, None),
    };
    if !wanted.is_empty() {
        let all = findings.len();
        findings.retain(|f| wanted.iter().any(|path| is_about(f, path)));
        // What was there before is not known by file.
        before = before.filter(|_| findings.len() == all);
    }
    // People and our own JSON name files from the library; git is asked only for the others.
    let from_library = matches!(args.format, CheckFormat::Text | CheckFormat::Json);
    let prefix = if from_library {
        String::new()
    } else {
        prefix_in_repository(&library.root).unwrap_or_default()
    };
    let listing = Listing {
        findings,
        snapshot: &snapshot,
        prefix,
        before,
    };
    print(args, &listing)?;
    let mut levels = listing.findings.iter().map(|f| f.level);
    Ok(Outcome::failed_if(levels.any(|l| l.fails(args.strict))))
}

/// Checks a library with its raw pages.
fn check_all(library: &Library, snapshot: &Snapshot, global: &Global) -> Vec<Finding> {
    let read = |path: &str| library.read_file(path, LARGEST_PAGE).ok();
    let reviewed = |file: &str, digest: &str| library.version_with_digest(file, digest);
    let cx = global.context(library, snapshot);
    check(
        snapshot,
        &cx.with_pages(&read).with_reviewed_versions(&reviewed),
    )
}

/// Leaves out the findings that stood there where the change set out.
fn since(
    revision: &str,
    findings: Vec<Finding>,
    library: &Library,
    snapshot: &Snapshot,
    global: &Global,
) -> Result<(Vec<Finding>, Option<Before>), Error> {
    let mut gone = Vec::new();
    let (old, commit) = match base_of(&library.root, revision)? {
        Base::NoMergeBase => {
            console::say(&format!(
                "`{revision}` and HEAD have no common ancestor here: everything is checked (a shallow clone needs `git fetch --unshallow`)"
            ));
            return Ok((findings, None));
        }
        Base::NoLibrary { commit } => (Vec::new(), commit),
        Base::Library(checkout) => {
            let base = Library::open(&checkout.root())?;
            let before = base.load()?;
            gone = vanished(&before, snapshot);
            let old = check_all(&base, &before, global);
            (old, checkout.commit)
        }
    };
    let (mut new, known) = brought_in(findings, &old);
    new.extend(own_changes(library, snapshot, &commit));
    new.extend(library.settings.policy.apply_levels(gone));
    new.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    let before = Before {
        revision: revision.to_owned(),
        commit,
        findings: known,
    };
    Ok((new, Some(before)))
}

/// Signatures by those who changed the record, in the commits since the base.
fn own_changes(library: &Library, snapshot: &Snapshot, base: &str) -> Vec<Finding> {
    let changed = changed_since(&library.root, base, "normalized");
    let signed = snapshot
        .records
        .iter()
        .filter(|r| r.case.review.digest.is_some() && changed.contains(&r.file));
    let found = signed.filter_map(|record| {
        let mut finding = library.own_change_signed(base, &record.file, &snapshot.retired)?;
        finding.locate_in(&record.text);
        Some(finding)
    });
    library.settings.policy.apply_levels(found.collect())
}

fn print(args: &Args, listing: &Listing) -> Result<(), Error> {
    match args.format {
        CheckFormat::Json => console::print_json(&findings_json(listing)),
        CheckFormat::Rdjson => console::print_json(&findings_rdjson(listing)),
        CheckFormat::Sarif => {
            let log = serde_json::to_value(findings_sarif(listing));
            console::print_json(&log.map_err(|e| unwritable(&e))?)
        }
        CheckFormat::Junit => {
            let report = findings_junit(listing, args.strict);
            console::print(&report.map_err(|e| unwritable(&e))?)
        }
        CheckFormat::Github => console::print(&findings_github(listing)),
        CheckFormat::Markdown => console::print(&findings_markdown(listing)),
        CheckFormat::Text => {
            let mut text = listing_text(listing);
            text.push_str(&listing.summary());
            text.push('\n');
            console::print(&text)
        }
    }
}

fn unwritable(error: &dyn std::fmt::Display) -> Error {
    Error::usage(
        format!("the findings cannot be written in this format: {error}"),
        "take another `--format`, and report this as a fault of incidentlib",
    )
}

fn is_about(finding: &Finding, path: &str) -> bool {
    is_in(&finding.file, path)
}

fn is_in(file: &str, path: &str) -> bool {
    file == path || file.starts_with(&format!("{path}/")) || path.is_empty()
}

/// Paths as findings name them. A path that is not there is an error, never a silent pass.
fn wanted_files(paths: &[PathBuf], library: &Library) -> Result<Vec<String>, Error> {
    paths.iter().map(|path| file_in(path, library)).collect()
}

fn file_in(path: &Path, library: &Library) -> Result<String, Error> {
    let full = path
        .canonicalize()
        .or_else(|_| library.root.join(path).canonicalize());
    let full = full.map_err(|_| {
        Error::usage(
            format!("there is no {}", path.display()),
            "check the path for a mistyped name",
        )
    })?;
    library.relative(&full).ok_or_else(|| {
        let message = format!(
            "{} is not in the library {}",
            path.display(),
            library.root.display()
        );
        Error::usage(
            message,
            "name files of the library, or another library with `--library DIR`",
        )
    })
}

fn list_rules(format: CheckFormat) -> Result<Outcome, Error> {
    let mut rules: Vec<_> = RULES.iter().collect();
    rules.sort_by_key(|rule| rule.id);
    match format {
        CheckFormat::Json => {
            let all: Vec<_> = rules
                .iter()
                .map(|r| json!({ "id": r.id, "level": r.level.as_str(), "why": r.why }))
                .collect();
            console::print_json(&json!(all))?;
        }
        CheckFormat::Text => {
            let width = rules.iter().map(|r| r.id.len()).max().unwrap_or(0);
            let line =
                |r: &&Rule| format!("{:<width$}  {:<7}  {}\n", r.id, r.level.as_str(), r.why);
            console::print(&rules.iter().map(line).collect::<String>())?;
        }
        CheckFormat::Markdown => console::print(&rules_markdown(&rules))?,
        _ => {
            return Err(Error::usage(
                "the rules are written as text, as JSON or as Markdown",
                "`incidentlib check --rules --format json`",
            ));
        }
    }
    Ok(Outcome::Clean)
}

/// The page `docs/rules.md`.
fn rules_markdown(rules: &[&Rule]) -> String {
    let mut out = format!(
        "# Rules\n\nThe {} rules of `incidentlib check`, as `incidentlib check --rules --format markdown` writes them. `incidentlib.toml` sets \
         another level for a library, or waives a finding until a day.\n",
        rules.len()
    );
    for rule in rules {
        out.push_str(&format!(
            "\n## {}\n\n{}. {}\n",
            rule.id,
            capitalised(rule.level.as_str()),
            rule.why
        ));
        for (name, example) in [("Bad", rule.bad), ("Good", rule.good)] {
            if !example.is_empty() {
                out.push_str(&format!("\n{name}:\n\n```json\n{}\n```\n", example.trim()));
            }
        }
        if rule.bad.is_empty() {
            out.push_str("\nIt takes a disk or settings to break it.\n");
        }
    }
    out
}

fn capitalised(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    first.to_uppercase() + rest
}

fn explain_rule(id: &str) -> Result<Outcome, Error> {
    let Some(rule) = rule(id) else {
        return Err(Error::usage(
            format!("there is no rule `{id}`"),
            "`incidentlib check --rules` lists them",
        ));
    };
    let mut text = format!("{} ({})\n\n{}\n", rule.id, rule.level.as_str(), rule.why);
    for (name, example) in [("bad", rule.bad), ("good", rule.good)] {
        if !example.is_empty() {
            text.push_str(&format!("\n{name}:\n  {example}\n"));
        }
    }
    text.push_str(&format!(
        "\nAnother level for the whole library, in incidentlib.toml:\n  [rules]\n  {id} = \"warning\"  # or error, note, off\n"
    ));
    console::print(&text)?;
    Ok(Outcome::Clean)
}
