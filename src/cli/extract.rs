//! `incidentlib extract`

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Global, Outcome, console};
use crate::extract::{Given, Lexicon, Story, extract, extract_given, main_blocks};
use crate::finding::Level;
use crate::library::{Error, ErrorKind};
use crate::output::findings_text;

const EXAMPLES: &str = "\
Examples:
  incidentlib extract saved-page.html | jq '.claims[] | [.pointer, .value]'
  incidentlib extract raw/IL-0535/*.html > drafts.ndjson
  incidentlib extract --blocks page.html | jq -r '.blocks[] | select(.kind == \"row\") | .text'";

/// Print what pages claim, with evidence, as NDJSON; nothing is written
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Pages: HTML, text or JSON
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Add the main text block by block: headings, items, rows, code, each with its place
    #[arg(long)]
    blocks: bool,
}

pub(super) fn run(args: &Args, global: &Global) -> Result<Outcome, Error> {
    let lexicon = lexicon(global)?;
    let mut failed = false;
    for path in &args.files {
        let bytes = super::input::read_outside(path)?;
        let file = path.display().to_string();
        let mut extracted = extract(&file, &bytes, None, &lexicon);
        if extracted.story.is_some() {
            // That a postmortem is no case page needs no saying here.
            extracted.findings.retain(|f| f.rule != "not-a-case-page");
        }
        if !extracted.findings.is_empty() {
            console::say(findings_text(&extracted.findings, "").trim_end());
        }
        failed |= extracted.findings.iter().any(|f| f.level == Level::Error);
        let mut line = json!({ "file": file, "encoding": extracted.encoding(), "media_type": extracted.media.as_str(), "draft": extracted.draft });
        flatten(&mut line, extracted.story);
        if !extracted.parts.is_empty() {
            let incidents = extracted.parts.iter().map(|part| {
                let given = Given {
                    part: Some(part),
                    ..Given::default()
                };
                let read = extract_given(&file, &bytes, given, &lexicon);
                let mut incident = json!({ "part": part, "draft": read.draft });
                flatten(&mut incident, read.story);
                incident
            });
            line["incidents"] = incidents.collect();
        }
        if args.blocks {
            line["blocks"] = json!(main_blocks(&file, &bytes, &lexicon));
        }
        console::print_line(&line)?;
    }
    Ok(Outcome::failed_if(failed))
}

/// Adds the members of a story to a line.
fn flatten(line: &mut Value, story: Option<Story>) {
    if let (Some(Ok(Value::Object(story))), Value::Object(line)) =
        (story.map(serde_json::to_value), line)
    {
        line.extend(story);
    }
}

/// The words of the library around; outside of one those compiled in.
pub(super) fn lexicon(global: &Global) -> Result<Lexicon, Error> {
    match global.open() {
        Ok(library) => Ok(library.lexicon),
        Err(e) if e.kind() == ErrorKind::NoLibrary && global.library.is_none() => {
            Ok(Lexicon::builtin())
        }
        Err(e) => Err(e),
    }
}
