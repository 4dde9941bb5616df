//! `incidentlib fmt`

use super::{Global, Outcome, console};
use crate::check::Snapshot;
use crate::finding::{Finding, Level};
use crate::library::{Change, Error, Library, Writer};
use crate::model::{RETIRED_FILE, print_json};
use crate::output::findings_text;

const EXAMPLES: &str = "\
Examples:
  incidentlib fmt            write every file in its canonical form
  incidentlib fmt --check    change nothing; say which files are not, and fail";

/// Write records, manifests and the schema in their one canonical form; never touches meaning
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Change nothing; name the files that would change and fail if there are any
    #[arg(long)]
    check: bool,
}

pub(super) fn run(args: &Args, global: &Global) -> Result<Outcome, Error> {
    let library = global.open()?;
    let snapshot = library.load()?;
    let unread: Vec<&Finding> = snapshot
        .findings
        .iter()
        .filter(|f| {
            f.level == Level::Error && !matches!(f.rule, "canonical-form" | "schema-out-of-step")
        })
        .collect();
    if !unread.is_empty() {
        console::say(findings_text(unread.iter().copied(), "").trim_end());
        console::say("these files are left as they are");
    }
    let changes = changes(&library, &snapshot);
    let mut text = String::new();
    if args.check {
        for change in &changes {
            text.push_str(&format!("{} is not in canonical form\n", change.file));
        }
        console::print(&text)?;
        return Ok(Outcome::failed_if(
            !changes.is_empty() || !unread.is_empty(),
        ));
    }
    if !changes.is_empty() {
        for file in Writer::open(&library.root)?.commit(&changes)? {
            text.push_str(&format!("wrote {file}\n"));
        }
    }
    console::print(&text)?;
    Ok(Outcome::failed_if(!unread.is_empty()))
}

fn changes(library: &Library, snapshot: &Snapshot) -> Vec<Change> {
    let mut out = Vec::new();
    let mut add = |file: &str, text: String, now: &str| {
        if text != now {
            out.push(Change {
                file: file.to_owned(),
                bytes: text.into_bytes(),
            });
        }
    };
    for record in snapshot.records.iter().filter(|r| !r.has_duplicate_keys) {
        let marked = snapshot
            .findings
            .iter()
            .any(|f| f.file == record.file && f.rule == "canonical-form");
        // A byte order mark is not in the text that was read; the file differs all the same.
        add(
            &record.file,
            record.case.print(),
            if marked { "" } else { &record.text },
        );
    }
    for manifest in snapshot.raw.iter().filter_map(|f| f.manifest.as_ref()) {
        let value = manifest
            .manifest
            .as_ref()
            .and_then(|m| serde_json::to_value(m).ok());
        if let Some(value) = value {
            add(&manifest.file, print_json(&value), &manifest.text);
        }
    }
    let retired = snapshot.text(RETIRED_FILE).filter(|text| !text.is_empty());
    if let Some(text) =
        retired.filter(|_| !snapshot.findings.iter().any(|f| f.rule == "retired-ids"))
    {
        add(RETIRED_FILE, snapshot.retired.print(), text);
    }
    if library.has_own_case_schema() {
        let file = "schema/case.schema.json";
        let now = library
            .read_file(file, u64::from(u32::MAX))
            .unwrap_or_default();
        add(
            file,
            print_json(&library.derived_case_schema()),
            &String::from_utf8_lossy(&now),
        );
    }
    out
}
