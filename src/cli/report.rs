//! `incidentlib report`

use super::{Format, Global, Outcome, console};
use crate::library::Error;
use crate::output::report_text;
use crate::report::report;

const EXAMPLES: &str = "\
Examples:
  incidentlib report                 what is missing, the case to work on first at the top
  incidentlib report --limit 0       the whole queue
  incidentlib report --format json | jq -r '.queue[0].id'";

/// Say what is missing: reviews and archived copies, with the next command for each
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Text for people or JSON for programs
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Show so many cases of the queue at most; 0 shows all
    #[arg(long, default_value_t = 20, value_name = "N")]
    limit: usize,
}

pub(super) fn run(args: &Args, global: &Global) -> Result<Outcome, Error> {
    let library = global.open()?;
    let snapshot = library.load_records()?;
    let report = report(&snapshot, &library.settings.policy.reviewers);
    match args.format {
        Format::Json => {
            let value = serde_json::to_value(&report).unwrap_or_default();
            console::print_json(&value)?;
        }
        Format::Text => {
            let limit = Some(args.limit).filter(|&limit| limit > 0);
            console::print(&report_text(&report, limit))?;
        }
    }
    let unread = snapshot.findings.len();
    if unread > 0 {
        console::say(&format!(
            "{unread} files could not be read and are not in this report; run `incidentlib check`"
        ));
    }
    Ok(Outcome::Clean)
}
