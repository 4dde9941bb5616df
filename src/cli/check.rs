//! `incidentlib check`

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Format, Global, Outcome, console};
use crate::check::{RULES, check, rule};
use crate::finding::Finding;
use crate::library::{Error, Library};
use crate::output::{Counts, findings_json, findings_text, summary_line};

const EXAMPLES: &str = "\
Examples:
  incidentlib check                                   the whole library
  incidentlib check normalized/IL-0535.json           what is said about one record
  incidentlib check --format json | jq '.findings[]'  for programs
  incidentlib check --rules                           every rule, and why it is there
  incidentlib check --explain unknown-term            one rule with a bad and a good example";

/// Say everything that is wrong in the library, where, and what to do
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Say only what is about these files or folders; the whole library is read all the same
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Text for people or JSON for programs
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
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

pub(super) fn run(args: &Args, global: &Global) -> Result<Outcome, Error> {
    if args.rules {
        return list_rules(args.format);
    }
    if let Some(id) = &args.explain {
        return explain_rule(id);
    }
    let library = global.open()?;
    let wanted = wanted_files(&args.paths, &library)?;
    let snapshot = library.load()?;
    let mut findings = check(&snapshot, &global.context(&library, &snapshot));
    if !wanted.is_empty() {
        findings.retain(|f| wanted.iter().any(|path| is_about(f, path)));
    }
    let counts = Counts::of(&findings);
    match args.format {
        Format::Json => console::print_json(&findings_json(&findings, snapshot.records.len()))?,
        Format::Text => {
            let mut text = findings_text(&findings, "");
            let records = snapshot.records.len();
            let noun = if records == 1 { "record" } else { "records" };
            text.push_str(&format!(
                "{records} {noun} checked: {}\n",
                summary_line(counts)
            ));
            console::print(&text)?;
        }
    }
    Ok(Outcome::failed_if(
        counts.errors > 0 || (args.strict && counts.warnings > 0),
    ))
}

fn is_about(finding: &Finding, path: &str) -> bool {
    finding.file == path || finding.file.starts_with(&format!("{path}/")) || path.is_empty()
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

fn list_rules(format: Format) -> Result<Outcome, Error> {
    let mut rules: Vec<_> = RULES.iter().collect();
    rules.sort_by_key(|rule| rule.id);
    match format {
        Format::Json => {
            let all: Vec<_> = rules
                .iter()
                .map(|r| json!({ "id": r.id, "level": r.level.as_str(), "why": r.why }))
                .collect();
            console::print_json(&json!(all))?;
        }
        Format::Text => {
            let width = rules.iter().map(|r| r.id.len()).max().unwrap_or(0);
            let line = |r: &&crate::check::Rule| {
                format!("{:<width$}  {:<7}  {}\n", r.id, r.level.as_str(), r.why)
            };
            console::print(&rules.iter().map(line).collect::<String>())?;
        }
    }
    Ok(Outcome::Clean)
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
