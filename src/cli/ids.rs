//! `incidentlib next-id`, `renumber`, `merge` and `withdraw`: the life of ids.

use super::{Global, Outcome, console};
use crate::curate::{Plan, Refusal, Shelf, merge, reinstate, renumber, withdraw};
use crate::ingest::next_id;
use crate::library::{Error, Library, SETTINGS_FILE, Writer};
use crate::model::CaseId;
use crate::output::{counted, difference, visible};
use crate::read::LARGEST_PAGE;

/// Print the next free id
///
/// The id after the highest that any record, raw folder or retired id has. `ingest --new` takes it by itself.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  incidentlib next-id
  incidentlib renumber IL-0535 $(incidentlib next-id)")]
pub(super) struct NextId {}

/// Give a case another id; everything that names it follows
///
/// The record and its raw folder move, relations of other records and waivers name the new id, reviews stand. The old id
/// leads to the new one from then on.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  incidentlib renumber IL-0535 IL-0900 --dry-run
  incidentlib renumber IL-0535 IL-0900")]
pub(super) struct Renumber {
    /// The id that the case has
    old: CaseId,
    /// The id that it gets; `incidentlib next-id` prints a free one
    new: CaseId,
    /// Change nothing; show what would change
    #[arg(long)]
    dry_run: bool,
}

/// Make two records of one incident one case
///
/// The sources, relations and raw pages of ID move to INTO, and everything that names ID names INTO. The old id leads
/// to INTO for ever. Nothing in the record of INTO is overwritten; what ID told otherwise is said.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  incidentlib merge IL-0612 IL-0535 --dry-run
  incidentlib merge IL-0612 IL-0535
  incidentlib ingest                      then fills what is blank from the pages that came with it")]
pub(super) struct Merge {
    /// The case that goes
    id: CaseId,
    /// The case that stays
    into: CaseId,
    /// Change nothing; show what would change
    #[arg(long)]
    dry_run: bool,
}

/// Withdraw a case; its record stays readable with the reason
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  incidentlib withdraw IL-0535 --why \"the report was of a drill\"
  incidentlib withdraw IL-0535 --undo")]
pub(super) struct Withdraw {
    /// The case
    id: CaseId,
    /// Why, in a sentence; readers see it
    #[arg(long, value_name = "REASON", required_unless_present = "undo")]
    why: Option<String>,
    /// Take the withdrawal back
    #[arg(long, conflicts_with = "why")]
    undo: bool,
    /// Change nothing; show what would change
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run_next_id(_: &NextId, global: &Global) -> Result<Outcome, Error> {
    let library = global.open()?;
    let snapshot = library.load()?;
    console::print(&format!("{}\n", next_id(&library, &snapshot)))?;
    Ok(Outcome::Clean)
}

pub(super) fn run_renumber(args: &Renumber, global: &Global) -> Result<Outcome, Error> {
    let done = format!("{} is {} now", args.old, args.new);
    carry_out(global, args.dry_run, &done, |shelf| {
        renumber(shelf, &args.old, &args.new, global.today())
    })
}

pub(super) fn run_merge(args: &Merge, global: &Global) -> Result<Outcome, Error> {
    let done = format!("{} is one with {} now", args.id, args.into);
    carry_out(global, args.dry_run, &done, |shelf| {
        merge(shelf, &args.id, &args.into, global.today())
    })
}

pub(super) fn run_withdraw(args: &Withdraw, global: &Global) -> Result<Outcome, Error> {
    let id = &args.id;
    let done = match args.undo {
        true => format!("{id} is a case of the library again"),
        false => format!("{id} is withdrawn"),
    };
    carry_out(global, args.dry_run, &done, |shelf| match &args.why {
        Some(why) => withdraw(shelf, id, why, global.today()),
        None => reinstate(shelf, id),
    })
}

/// Works a change out, shows it, and writes it: all of it or nothing.
fn carry_out(
    global: &Global,
    dry_run: bool,
    done: &str,
    plan: impl FnOnce(&Shelf<'_>) -> Result<Plan, Refusal>,
) -> Result<Outcome, Error> {
    let library = global.open()?;
    let writer = match dry_run {
        true => None,
        // What is read under the lock is what is written over.
        false => Some(Writer::open(&library.root)?),
    };
    let snapshot = library.load()?;
    let unread = snapshot.findings.iter().find(|f| f.rule == "retired-ids");
    if let Some(finding) = unread {
        return Err(Error::usage(
            format!("{}: {}", finding.file, finding.message),
            "mend the file first: `incidentlib check` says where",
        ));
    }
    let text = library
        .read_file(SETTINGS_FILE, u64::from(u32::MAX))
        .unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let read = |path: &str| library.read_file(path, LARGEST_PAGE).ok();
    let shelf = Shelf {
        snapshot: &snapshot,
        settings: (SETTINGS_FILE, &text),
        read: &read,
    };
    let plan = plan(&shelf).map_err(|refusal| Error::usage(refusal.message, refusal.help))?;
    match writer {
        None => {
            console::print(&shown(&plan, &library))?;
            console::say("nothing was written");
        }
        Some(writer) => {
            let written = writer.commit_and_remove(&plan.changes, &plan.removed)?;
            let lines = written.iter().map(|file| format!("wrote {file}\n"));
            let gone = plan.removed.iter().map(|file| format!("removed {file}\n"));
            console::print(&lines.chain(gone).collect::<String>())?;
            console::say(done);
        }
    }
    for note in &plan.notes {
        console::say(&format!("  note: {}", visible(note)));
    }
    Ok(Outcome::Clean)
}

/// What a plan would change: of texts the difference, of raw pages their names.
fn shown(plan: &Plan, library: &Library) -> String {
    let mut out = String::new();
    for change in &plan.changes {
        let text = String::from_utf8_lossy(&change.bytes);
        if change.file.starts_with("raw/") {
            out.push_str(&format!("would write {}\n", change.file));
            continue;
        }
        let before = library.read_file(&change.file, u64::from(u32::MAX)).ok();
        let before = before.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        out.push_str(&difference(&change.file, before.as_deref(), &text));
    }
    for file in &plan.removed {
        out.push_str(&format!("would remove {file}\n"));
    }
    if !plan.removed.is_empty() {
        out.push_str(&format!(
            "{} would be removed\n",
            counted(plan.removed.len(), "file")
        ));
    }
    out
}
