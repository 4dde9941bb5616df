//! `incidentlib review`

use super::{Global, Outcome, console};
use crate::check::check_record;
use crate::finding::Level;
use crate::library::{Change, Error, Writer};
use crate::model::{CaseId, ReviewState, digest_of};
use crate::output::findings_text;
use crate::read::read_record;

const EXAMPLES: &str = "\
Examples:
  incidentlib explain IL-0535              read the record against its pages first
  incidentlib review IL-0535 --by kim      then sign it
  incidentlib review IL-0535               what its review is worth today
  incidentlib review IL-0535 --withdraw    take a signature back";

/// Sign a record that was read against its sources, or take the signature back
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The case
    id: CaseId,
    /// Who read it, as `reviewers` in incidentlib.toml names them; never its author
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// Take the signature back
    #[arg(long, conflicts_with = "by")]
    withdraw: bool,
}

pub(super) fn run(args: &Args, global: &Global) -> Result<Outcome, Error> {
    let library = global.open()?;
    let snapshot = library.load_records()?;
    let cx = global.context(&library, &snapshot);
    let record = super::show::find(&args.id, &cx)?;
    let reviewers = &library.settings.policy.reviewers;
    let state = ReviewState::of(&record.case, reviewers);
    let mut case = record.case.clone();
    let review = &mut case.review;
    match &args.by {
        None if args.withdraw => {
            (review.reviewed_at, review.reviewed_by, review.digest) = (None, None, None);
        }
        None => {
            let by = review.reviewed_by.as_deref().unwrap_or("nobody");
            let at = review.reviewed_at.as_deref().unwrap_or("never");
            console::print(&format!(
                "{}: {} (by {by}, {at})\n",
                args.id,
                state.as_str()
            ))?;
            return Ok(Outcome::failed_if(state == ReviewState::Invalid));
        }
        Some(by) => {
            if !reviewers.contains(by) {
                let help =
                    format!("add \"{by}\" to `reviewers` under `[review]` in incidentlib.toml");
                return Err(Error::usage(
                    format!("`{by}` is not a reviewer that the settings know"),
                    help,
                ));
            }
            if review.written_by.as_ref() == Some(by) {
                let message = format!("`{by}` wrote {} and cannot review it", args.id);
                return Err(Error::usage(message, "ask another of the reviewers"));
            }
            review.reviewed_at = Some(global.today().to_string());
            review.reviewed_by = Some(by.clone());
            review.digest = Some(digest_of(&record.case));
        }
    }
    let text = case.print();
    let (after, _) = read_record(&record.file, text.clone().into_bytes());
    let findings = after.iter().flat_map(|r| check_record(r, &cx)).collect();
    let mut findings = library.settings.policy.apply_levels(findings);
    findings.retain(|f| f.level == Level::Error);
    if args.by.is_some() && !findings.is_empty() {
        console::print(&findings_text(&findings, ""))?;
        console::say("not signed: a record is signed only when its check has no errors");
        return Ok(Outcome::Findings);
    }
    let change = Change {
        file: record.file.clone(),
        bytes: text.into_bytes(),
    };
    let written = Writer::open(&library.root)?.commit(&[change])?;
    let done = match (&args.by, written.is_empty()) {
        (_, true) => "nothing to change".to_owned(),
        (Some(by), false) => format!("signed by {by}"),
        (None, false) => "signature withdrawn".to_owned(),
    };
    console::print(&format!("{}: {done}\n", args.id))?;
    Ok(Outcome::Clean)
}
