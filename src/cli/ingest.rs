//! `incidentlib ingest`

use std::collections::BTreeMap;
use std::path::PathBuf;

use rayon::prelude::*;

use super::input::{Fetching, Input, Received, expand, receive_address, receive_file};
use super::{Format, Global, Outcome, console};
use crate::check::Snapshot;
use crate::finding::Level;
use crate::ingest::{
    Adoption, CaseRun, Intake, NewPage, Options, PageRun, Recognized, adopt, run_case, run_pages,
};
use crate::library::{Change, Error, Library, Writer};
use crate::model::{CaseDate, CaseId, PageKind};
use crate::output::{
    Counts, case_run_json, case_run_text, difference, recognized_json, recognized_text,
    summary_line,
};
use crate::recognize::CaseFacts;
use crate::vocabulary::{Kind, Lookup};

const EXAMPLES: &str = "\
Examples:
  incidentlib ingest                          every raw page of the library, again
  incidentlib ingest raw/IL-0535              one case
  incidentlib ingest case.en.html case.ko.html record.json
                                              new pages; they say which case they are about
  incidentlib ingest --new --url https://example.org/outage outage.html
                                              a page that names no case becomes a new one
  incidentlib ingest --new https://example.org/outage
                                              the same, fetched; kept with what the server said of it
  incidentlib ingest --same translation.html  a page in another language joins the case of its incident
  incidentlib ingest --dry-run page.html      show what would change, change nothing";

/// Take pages through the whole line: read, extract, normalize, merge, check, write
///
/// What stands in a record wins: blanks are filled, differences and contradictions are reported. A
/// reviewed record is never changed. Running it twice changes nothing.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Pages to add, as files or addresses, or folders of the library; without any, every raw page of the library
    #[arg(value_name = "PATH|URL")]
    paths: Vec<PathBuf>,
    /// The case that new pages belong to
    #[arg(long, value_name = "ID")]
    id: Option<CaseId>,
    /// Make a new case of a page that names none, unless a case tells its incident already
    #[arg(long, conflicts_with = "id")]
    new: bool,
    /// Add a page that names no case to the case that tells its incident already
    #[arg(long, conflicts_with = "id")]
    same: bool,
    /// With `--new`: make a new case even where one tells that incident already
    #[arg(long, requires = "new", conflicts_with = "same")]
    distinct: bool,
    /// Where a new page was saved from; a page that is fetched has its address
    #[arg(long)]
    url: Option<String>,
    /// What new pages are, instead of finding out
    #[arg(long, value_enum)]
    kind: Option<KindOfPage>,
    /// The heading of the one incident that is meant, of a page that tells of several
    #[arg(long, value_name = "HEADING")]
    part: Option<String>,
    /// What kind of source a postmortem is, where its address does not say: a term of `vocab source-kind`
    #[arg(long, value_name = "TERM")]
    source_kind: Option<String>,
    /// The day new pages were saved; by default the day their files were last changed
    #[arg(long, value_name = "DATE")]
    fetched_at: Option<CaseDate>,
    /// Show what would change as a difference; change nothing
    #[arg(long)]
    dry_run: bool,
    /// Write the related cases that pages name into `related`, for an editor to choose from
    #[arg(long)]
    with_related: bool,
    /// Fill in the terms that a postmortem suggests, where the record has none
    #[arg(long)]
    with_terms: bool,
    #[command(flatten)]
    fetching: Fetching,
    /// Show notes too
    #[arg(long)]
    notes: bool,
    /// Text for people, or a JSON document for each case
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum KindOfPage {
    ApiRecord,
    CasePage,
    Postmortem,
}

impl From<KindOfPage> for PageKind {
    fn from(kind: KindOfPage) -> Self {
        match kind {
            KindOfPage::ApiRecord => Self::ApiRecord,
            KindOfPage::CasePage => Self::CasePage,
            KindOfPage::Postmortem => Self::Postmortem,
        }
    }
}

/// What is to be done: which cases, which pages are new, which files they bring.
#[derive(Default)]
struct Plan {
    cases: BTreeMap<CaseId, BTreeMap<String, PageRun>>,
    changes: Vec<Change>,
    /// Pages that tell the incident of a case; a person has to say what becomes of them.
    recognized: Vec<Recognized>,
    /// The cases that pages of this run become.
    pending: Vec<CaseFacts>,
}

impl Args {
    fn options(&self) -> Options {
        Options {
            with_related: self.with_related,
            with_terms: self.with_terms,
        }
    }
}

pub(super) fn run(args: &Args, global: &Global) -> Result<Outcome, Error> {
    let library = global.open()?;
    if let Some(kind) = &args.source_kind {
        known_source_kind(kind, &library)?;
    }
    let mut snapshot = library.load()?;
    let plan = plan(args, &library, &mut snapshot, global)?;
    if !plan.recognized.is_empty() {
        print_recognized(&plan.recognized, args)?;
        return Err(not_decided(&plan.recognized));
    }
    let runs = run_cases(&plan, &library, &snapshot, args, global);
    let mut changes = plan.changes;
    for run in runs.iter().filter(|r| r.writes()) {
        let bytes = run.after.clone().unwrap_or_default().into_bytes();
        changes.push(Change {
            file: run.file.clone(),
            bytes,
        });
    }
    let written = !args.dry_run && !changes.is_empty();
    let files = if written {
        Writer::open(&library.root)?.commit(&changes)?
    } else {
        Vec::new()
    };
    print_runs(&runs, args, written, &files)?;
    if args.dry_run {
        print_differences(&runs, &changes)?;
    }
    let failed = runs
        .iter()
        .flat_map(CaseRun::findings)
        .any(|f| f.level == Level::Error);
    Ok(Outcome::failed_if(failed))
}

fn known_source_kind(kind: &str, library: &Library) -> Result<(), Error> {
    let vocabulary = &library.lexicon.vocabulary;
    if let Lookup::Term(_) = vocabulary.lookup(Kind::SourceKind, kind) {
        return Ok(());
    }
    let near = vocabulary.nearest(Kind::SourceKind, kind);
    let near = near.map_or(String::new(), |slug| format!("did you mean `{slug}`? "));
    Err(Error::usage(
        format!("`{kind}` is no kind of source"),
        format!("{near}all terms: incidentlib vocab source-kind"),
    ))
}

fn plan(
    args: &Args,
    library: &Library,
    snapshot: &mut Snapshot,
    global: &Global,
) -> Result<Plan, Error> {
    let mut plan = Plan::default();
    if args.paths.is_empty() {
        for folder in &snapshot.raw {
            match folder.name.parse() {
                Ok(id) => plan.cases.insert(id, BTreeMap::new()),
                Err(e) => {
                    return Err(Error::usage(
                        format!("raw/{}: {e}", folder.name),
                        "rename the folder to the id of its case",
                    ));
                }
            };
        }
        if plan.cases.is_empty() {
            return Err(Error::usage(
                "the library has no raw page yet",
                "save a page and run `incidentlib ingest PAGE`",
            ));
        }
        return Ok(plan);
    }
    for input in expand(&args.paths, library)? {
        let path = match input {
            Input::Path(path) => path,
            Input::Address(address) => {
                let page = receive_address(&address, &args.fetching, global.today())?;
                take_new(page, args.id.clone(), args, library, snapshot, &mut plan)?;
                continue;
            }
        };
        let inside = path
            .canonicalize()
            .ok()
            .and_then(|full| library.relative(&full));
        match inside
            .as_deref()
            .map(|file| file.split('/').collect::<Vec<_>>())
            .as_deref()
        {
            Some(["raw", folder]) => {
                let id = folder_id(folder)?;
                plan.cases.entry(id).or_default();
            }
            Some(["raw", folder, _]) => take_new(
                receive_file(&path)?,
                Some(folder_id(folder)?),
                args,
                library,
                snapshot,
                &mut plan,
            )?,
            Some(["normalized", ..]) => {
                let message = format!("{} is a record already", path.display());
                return Err(Error::usage(
                    message,
                    "ingest takes raw pages; `incidentlib check` reads records",
                ));
            }
            _ => take_new(
                receive_file(&path)?,
                args.id.clone(),
                args,
                library,
                snapshot,
                &mut plan,
            )?,
        }
    }
    Ok(plan)
}

fn folder_id(folder: &str) -> Result<CaseId, Error> {
    folder.parse().map_err(|e| {
        Error::usage(
            format!("raw/{folder}: {e}"),
            "rename the folder to the id of its case",
        )
    })
}

/// Adds one page to the plan and to the snapshot, so that the next page of the case sees it.
fn take_new(
    received: Received,
    id: Option<CaseId>,
    args: &Args,
    library: &Library,
    snapshot: &mut Snapshot,
    plan: &mut Plan,
) -> Result<(), Error> {
    if received.url.is_some() && args.url.is_some() {
        return Err(Error::usage(
            "a page that is fetched has its address, and `--url` gives another one",
            "leave one of the two out",
        ));
    }
    let shown = received.shown;
    let fetched_at = args.fetched_at.or(received.saved_on);
    let page = NewPage {
        name: received.name,
        bytes: received.bytes,
        id,
        intake: Intake {
            new_case: args.new,
            same: args.same,
            distinct: args.distinct,
        },
        url: received.url.or_else(|| args.url.clone()),
        kind: args.kind.map(PageKind::from),
        source_kind: args.source_kind.clone(),
        fetched_at: fetched_at.map(|day| day.to_string()),
        part: args.part.clone(),
        response: received.response,
    };
    add_page(&page, &shown, args, library, snapshot, plan)
}

fn add_page(
    page: &NewPage,
    shown: &str,
    args: &Args,
    library: &Library,
    snapshot: &mut Snapshot,
    plan: &mut Plan,
) -> Result<(), Error> {
    let adopted = match adopt(page, library, snapshot, &mut plan.pending, args.options())? {
        Adoption::Adopted(adopted) => *adopted,
        Adoption::Recognized(recognized) => {
            plan.recognized.push(recognized);
            return Ok(());
        }
        Adoption::Several(parts) if page.id.is_none() && (args.new || args.same) => {
            for part in parts {
                let page = NewPage {
                    part: Some(part),
                    ..page.clone()
                };
                add_page(&page, shown, args, library, snapshot, plan)?;
            }
            return Ok(());
        }
        Adoption::Several(parts) => {
            let message = format!("{shown} tells of {} incidents", parts.len());
            let help = format!(
                "say which with `--part`: {}; or make a case of each with `--new`",
                parts
                    .iter()
                    .map(|p| format!("\"{p}\""))
                    .collect::<Vec<_>>()
                    .join(", ")
            );
            return Err(Error::usage(message, help));
        }
    };
    if adopted.known {
        console::say(&format!(
            "{shown} is in the library already, as {}",
            adopted.file
        ));
    }
    for change in &adopted.changes {
        let name = change.file.rsplit('/').next().unwrap_or_default();
        snapshot.add_raw(adopted.id.as_str(), name, &change.bytes);
    }
    plan.changes
        .retain(|c| !adopted.changes.iter().any(|new| new.file == c.file));
    plan.changes.extend(adopted.changes);
    plan.cases
        .entry(adopted.id)
        .or_default()
        .insert(adopted.file, adopted.run);
    Ok(())
}

fn run_cases(
    plan: &Plan,
    library: &Library,
    snapshot: &Snapshot,
    args: &Args,
    global: &Global,
) -> Vec<CaseRun> {
    let cx = global.context(library, snapshot);
    let bar = console::progress(plan.cases.len(), "cases");
    let cases: Vec<_> = plan.cases.iter().collect();
    let runs = cases
        .into_par_iter()
        .map(|(id, new)| {
            let folder = snapshot.folder(id.as_str());
            let pages = folder.map_or(Vec::new(), |folder| {
                run_pages(library, folder, id, new, args.options())
            });
            let run = run_case(id, pages, folder, args.options(), &cx);
            bar.inc(1);
            run
        })
        .collect();
    bar.finish_and_clear();
    runs
}

fn print_recognized(recognized: &[Recognized], args: &Args) -> Result<(), Error> {
    for page in recognized {
        match args.format {
            Format::Json => console::print_line(&recognized_json(page))?,
            Format::Text => console::print(&format!("{}\n", recognized_text(page)))?,
        }
    }
    Ok(())
}

/// Nothing is written before a person has said what becomes of every page.
fn not_decided(recognized: &[Recognized]) -> Error {
    let best = recognized.iter().find_map(|r| r.likeness.first());
    let id = best.map_or(String::new(), |l| l.id.to_string());
    let message = match recognized {
        [page] => format!(
            "{} may tell the incident of {id}; nothing was written",
            page.name
        ),
        pages => format!(
            "{} pages may tell incidents that the library has; nothing was written",
            pages.len()
        ),
    };
    Error::usage(
        message,
        format!(
            "add the page to that case with `--id {id}` (or `--same` for every page that is sure), or make a case of its own with `--new --distinct`"
        ),
    )
}

fn print_runs(runs: &[CaseRun], args: &Args, written: bool, files: &[String]) -> Result<(), Error> {
    match args.format {
        Format::Json => {
            for run in runs {
                console::print_line(&case_run_json(run, written && run.writes()))?;
            }
        }
        Format::Text => {
            for run in runs {
                console::print(&format!("{}\n", case_run_text(run, written, args.notes)))?;
            }
            let counts = Counts::of(runs.iter().flat_map(CaseRun::findings));
            let pages: usize = runs.iter().map(|r| r.pages.len()).sum();
            let wrote = match files.len() {
                0 => "nothing written".to_owned(),
                1 => "1 file written".to_owned(),
                n => format!("{n} files written"),
            };
            let cases = if runs.len() == 1 { "case" } else { "cases" };
            let noun = if pages == 1 { "page" } else { "pages" };
            console::print(&format!(
                "{} {cases}, {pages} {noun}: {} · {wrote}\n",
                runs.len(),
                summary_line(counts)
            ))?;
            if counts.notes > 0 && !args.notes {
                console::say("`--notes` shows the notes");
            }
        }
    }
    Ok(())
}

fn print_differences(runs: &[CaseRun], changes: &[Change]) -> Result<(), Error> {
    for change in changes
        .iter()
        .filter(|c| !c.file.starts_with("normalized/"))
    {
        console::print(&format!("would write {}\n", change.file))?;
    }
    for run in runs.iter().filter(|r| r.writes()) {
        let after = run.after.as_deref().unwrap_or_default();
        console::print(&difference(&run.file, run.before.as_deref(), after))?;
    }
    Ok(())
}
