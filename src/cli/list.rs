//! `incidentlib list`

use serde_json::json;

use super::{Format, Global, Outcome, console};
use crate::library::Error;
use crate::model::{Case, LanguageTag, ReviewState, Term};
use crate::output::visible;
use crate::vocabulary::fold;

const EXAMPLES: &str = "\
Examples:
  incidentlib list
  incidentlib list --org amazon --year 2020
  incidentlib list --term capacity --lang ko
  incidentlib list --format json | jq -r '.[].id'";

/// List the cases of the library
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Cases whose organisation holds this text
    #[arg(long)]
    org: Option<String>,
    /// Cases that have this term in any field
    #[arg(long, value_name = "SLUG")]
    term: Option<String>,
    /// Cases of this year
    #[arg(long)]
    year: Option<i32>,
    /// Cases in this review state: unreviewed, machine-text-unreviewed, invalid, stale, undigested, reviewed
    #[arg(long)]
    state: Option<String>,
    /// Also cases that were withdrawn
    #[arg(long)]
    withdrawn: bool,
    /// The language of the titles
    #[arg(long, default_value = "en")]
    lang: LanguageTag,
    /// Text for people or JSON for programs
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(args: &Args, global: &Global) -> Result<Outcome, Error> {
    let library = global.open()?;
    let snapshot = library.load_records()?;
    let reviewers = &library.settings.policy.reviewers;
    let cases: Vec<(&Case, ReviewState)> = snapshot
        .records
        .iter()
        .map(|r| (&r.case, ReviewState::of(&r.case, reviewers)))
        .filter(|(case, state)| is_wanted(case, *state, args))
        .filter(|(case, _)| {
            let id = case.id.as_ref();
            args.withdrawn || id.is_none_or(|id| snapshot.retired.withdrawn(id).is_none())
        })
        .collect();
    match args.format {
        Format::Json => {
            let rows: Vec<_> = cases
                .iter()
                .map(|(case, state)| {
                    json!({
                        "id": case.id.as_ref().map(ToString::to_string),
                        "date": case.date.as_ref().map(ToString::to_string),
                        "org": case.org,
                        "title": title(case, &args.lang),
                        "root_cause": case.root_cause.as_ref().map(Term::as_str),
                        "review": state.as_str(),
                    })
                })
                .collect();
            console::print_json(&json!(rows))?;
        }
        Format::Text => {
            let orgs = cases
                .iter()
                .map(|(case, _)| case.org.as_deref().unwrap_or("–").chars().count());
            let width = orgs.max().unwrap_or(0);
            let mut text = String::new();
            for (case, _) in &cases {
                let id = case
                    .id
                    .as_ref()
                    .map_or("(no id)".to_owned(), ToString::to_string);
                let date = case
                    .date
                    .as_ref()
                    .map_or("(no date)".to_owned(), ToString::to_string);
                let org = visible(case.org.as_deref().unwrap_or("–"));
                text.push_str(&format!(
                    "{id}  {date}  {org:<width$}  {}\n",
                    title(case, &args.lang)
                ));
            }
            console::print(&text)?;
            if cases.is_empty() {
                console::say("no case fits");
            }
        }
    }
    Ok(Outcome::Clean)
}

fn is_wanted(case: &Case, state: ReviewState, args: &Args) -> bool {
    let org = args.org.as_ref().is_none_or(|wanted| {
        case.org
            .as_ref()
            .is_some_and(|org| fold(org).contains(&fold(wanted)))
    });
    let term = args.term.as_ref().is_none_or(|wanted| {
        let single = [&case.date_kind, &case.severity, &case.root_cause];
        single
            .iter()
            .any(|t| t.as_ref().is_some_and(|t| t.as_str() == wanted))
            || case
                .term_sets()
                .iter()
                .any(|(_, set)| set.iter().any(|t| t.as_str() == wanted))
    });
    let year = args
        .year
        .is_none_or(|wanted| case.date.is_some_and(|d| d.year() == wanted));
    let state = args
        .state
        .as_ref()
        .is_none_or(|wanted| state.as_str() == wanted);
    org && term && year && state
}

/// The title in a language, or in the first that has one.
fn title(case: &Case, language: &LanguageTag) -> String {
    let title = case.title.as_ref();
    let text = title.and_then(|t| {
        t.text(language)
            .or_else(|| t.iter().next().map(|(_, text)| text))
    });
    visible(text.unwrap_or("(no title)"))
}
