//! `incidentlib review`

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::explain::{facts, place_of, short, supports};
use super::{Global, Outcome, console};
use crate::check::{Context, check_evidence, check_record};
use crate::finding::{Finding, Level, Places, Pointer};
use crate::ingest::{FactSupport, Options, PageRun, run_pages};
use crate::library::{Change, Error, Library, Writer};
use crate::model::{CaseId, ReviewState, changed_fields, digest_of};
use crate::output::{BOLD, findings_text, styled, visible};
use crate::read::{LARGEST_PAGE, RecordFile, read_record};

const EXAMPLES: &str = "\
Examples:
  incidentlib review IL-0535               every field beside its evidence, and what to look at
  incidentlib review IL-0535 --by kim      sign it
  incidentlib review IL-0535 --withdraw    take a signature back
  incidentlib explain IL-0535 timeline     one field with every place that bears on it";

/// Read a record against its sources, sign it, or take the signature back
///
/// Without `--by` it shows what a reviewer needs: every field beside the place it rests on, the facts that stand in no
/// raw page, what the languages tell differently, and what changed since the last review.
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
    let mut snapshot = library.load_records()?;
    library.add_raw_of(&args.id, &mut snapshot)?;
    let read = |path: &str| library.read_file(path, LARGEST_PAGE).ok();
    let reviewed = |file: &str, digest: &str| library.version_with_digest(file, digest);
    let cx = global.context(&library, &snapshot);
    let cx = cx.with_pages(&read).with_reviewed_versions(&reviewed);
    let record = super::show::find(&args.id, &cx)?;
    match &args.by {
        Some(by) => sign(by, record, &library, &cx, global),
        None if args.withdraw => withdraw(record, &library),
        None => {
            let folder = snapshot.folder(args.id.as_str());
            let options = Options {
                with_terms: true,
                ..Options::default()
            };
            let pages = folder.map_or(Vec::new(), |folder| {
                run_pages(&library, folder, &args.id, &BTreeMap::new(), options)
            });
            let findings = findings_of(record, &library, &cx);
            console::print(&sheet(record, &pages, &findings, &library))?;
            let errors = findings.iter().any(|f| f.level == Level::Error);
            Ok(Outcome::failed_if(errors))
        }
    }
}

/// What the check says about one record, by itself and against its raw pages.
fn findings_of(record: &RecordFile, library: &Library, cx: &Context<'_>) -> Vec<Finding> {
    let mut findings = check_record(record, cx);
    findings.extend(check_evidence(record, cx));
    let mut findings = library.settings.policy.apply_levels(findings);
    findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    findings
}

fn sign(
    by: &str,
    record: &RecordFile,
    library: &Library,
    cx: &Context<'_>,
    global: &Global,
) -> Result<Outcome, Error> {
    let id = id_of(record);
    let reviewers = &library.settings.policy.reviewers;
    if !reviewers.people.iter().any(|known| known == by) {
        let help = format!("add \"{by}\" to `reviewers` under `[review]` in incidentlib.toml");
        let message = format!("`{by}` is not a reviewer that the settings know");
        return Err(Error::usage(message, help));
    }
    if record.case.review.written_by.as_deref() == Some(by) {
        let message = format!("`{by}` wrote {id} and cannot review it");
        return Err(Error::usage(message, "ask another of the reviewers"));
    }
    let mut case = record.case.clone();
    case.review.reviewed_at = Some(global.today().to_string());
    case.review.reviewed_by = Some(by.to_owned());
    case.review.digest = Some(digest_of(&record.case));
    let text = case.print();
    let (after, _) = read_record(&record.file, text.clone().into_bytes());
    let mut findings: Vec<Finding> = after
        .iter()
        .flat_map(|record| findings_of(record, library, cx))
        .collect();
    findings.retain(|f| f.level == Level::Error);
    if !findings.is_empty() {
        console::print(&findings_text(&findings, ""))?;
        console::say("not signed: a record is signed only when its check has no errors");
        return Ok(Outcome::Findings);
    }
    write(record, text, library, &format!("{id}: signed by {by}"))
}

fn withdraw(record: &RecordFile, library: &Library) -> Result<Outcome, Error> {
    let mut case = record.case.clone();
    let review = &mut case.review;
    (review.reviewed_at, review.reviewed_by, review.digest) = (None, None, None);
    let done = format!("{}: signature withdrawn", id_of(record));
    write(record, case.print(), library, &done)
}

fn write(
    record: &RecordFile,
    text: String,
    library: &Library,
    done: &str,
) -> Result<Outcome, Error> {
    let change = Change {
        file: record.file.clone(),
        bytes: text.into_bytes(),
    };
    let written = Writer::open(&library.root)?.commit(&[change])?;
    if written.is_empty() {
        console::print(&format!("{}: nothing to change\n", id_of(record)))?;
    } else {
        console::print(&format!("{done}\n"))?;
    }
    Ok(Outcome::Clean)
}

fn id_of(record: &RecordFile) -> String {
    let id = record.case.id.as_ref();
    id.map_or(record.file.clone(), ToString::to_string)
}

/// Letters of a value or quote that a sheet shows.
const SHOWN: usize = 160;

/// What a reviewer needs, as text.
fn sheet(
    record: &RecordFile,
    pages: &[PageRun],
    findings: &[Finding],
    library: &Library,
) -> String {
    let review = &record.case.review;
    let state = ReviewState::of(&record.case, &library.settings.policy.reviewers);
    let by = review.reviewed_by.as_deref().unwrap_or("nobody");
    let at = review.reviewed_at.as_deref().unwrap_or("never");
    let mut out = format!(
        "{}: {} (by {}, {})\n",
        id_of(record),
        state.as_str(),
        visible(by),
        visible(at)
    );
    if let Some(digest) = review
        .digest
        .as_deref()
        .filter(|_| state == ReviewState::Stale)
    {
        let read = library.version_with_digest(&record.file, digest);
        let changed = match read.map(|read| changed_fields(&read, &record.case)) {
            Some(fields) => fields.join(", "),
            None => "not known: the version that was read is in no commit".to_owned(),
        };
        let _ = writeln!(out, "changed since the review: {changed}");
    }
    out.push('\n');
    let leaves: Vec<Pointer> = Places::of(&record.text)
        .leaves()
        .map(|(leaf, _)| leaf.clone())
        .filter(|leaf| !matches!(leaf.field().as_str(), "id" | "review"))
        .collect();
    for leaf in &leaves {
        field(&mut out, record, leaf, pages, library);
    }
    let (facts, others): (Vec<_>, Vec<_>) = findings.iter().cloned().partition(|f| {
        matches!(
            f.rule,
            "ungrounded-fact" | "duration-arithmetic" | "source-contradicts" | "languages-disagree"
        )
    });
    for (title, findings) in [
        ("Facts to look at", facts),
        ("What else the check says", others),
    ] {
        if !findings.is_empty() {
            let _ = writeln!(out, "\n{}", styled(BOLD, title));
            out.push_str(&findings_text(&findings, ""));
        }
    }
    let _ = writeln!(
        out,
        "\nWhen all of it is right: incidentlib review {} --by NAME",
        id_of(record)
    );
    out
}

/// A value with the first place that says so, and the first that says otherwise.
fn field(
    out: &mut String,
    record: &RecordFile,
    leaf: &Pointer,
    pages: &[PageRun],
    library: &Library,
) {
    let value = &record.value_at(leaf).unwrap_or_default();
    let _ = writeln!(out, "{} = {}", styled(BOLD, leaf), short(value, SHOWN));
    let supports = supports(record, leaf, pages);
    let blank = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    for (agrees, words) in [(true, "says so"), (false, "says otherwise")] {
        let Some(first) = supports.iter().find(|s| s.agrees == agrees) else {
            continue;
        };
        let evidence = &first.grounds.evidence;
        let more = supports.iter().filter(|s| s.agrees == agrees).count() - 1;
        let more = if more > 0 {
            format!(" (and {more} more)")
        } else {
            String::new()
        };
        let _ = writeln!(out, "    {} {words}{more}", place_of(evidence));
        let value = value.as_str().unwrap_or_default();
        let in_words = evidence
            .quote
            .split_whitespace()
            .eq(value.split_whitespace());
        let nothing = agrees && blank;
        if !in_words && !nothing {
            let quote = short(&evidence.quote.as_str().into(), SHOWN);
            let _ = writeln!(out, "      “{quote}”");
        }
        if let Some(derivation) = &first.grounds.derivation {
            let _ = writeln!(out, "      because {}", visible(derivation));
        }
    }
    for FactSupport { quote, place } in facts(record, leaf, pages, &supports, &library.lexicon) {
        if let Some(place) = place {
            let _ = writeln!(
                out,
                "    “{}” stands at {} as “{}”",
                visible(&quote),
                place_of(&place.evidence),
                visible(&place.evidence.quote)
            );
        }
    }
    if supports.is_empty() && !blank {
        let _ = writeln!(out, "    in no raw page in these words");
    }
}
