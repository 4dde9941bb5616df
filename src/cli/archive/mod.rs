//! `incidentlib archive`

mod asking;

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use chrono::NaiveDate;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};

use asking::{SystemClock, ask, ask_source, by_address};

use super::{Global, Outcome, console};
use crate::archive::{Archive, Keys, Limits, Wanted};
use crate::check::Snapshot;
use crate::extract::{Given, extract_given};
use crate::library::{ArchiveSettings, Change, Error, LEDGER_FILE, Ledger, Library, Writer};
use crate::model::{Asked, Case, CaseId, Standing, Verdict};
use crate::normalize::same_address;
use crate::output::{
    AnsweredSource, archive_document, archive_json, archive_markdown, archive_text, archive_totals,
    counted, difference,
};
use crate::read::LARGEST_PAGE;

const EXAMPLES: &str = "\
Examples:
  incidentlib archive                          find a copy of every source that has none, and write it down
  incidentlib archive --dry-run                the same, but only show what would change
  incidentlib archive IL-0535 --save           ask the archive to make the copies that it does not hold
  incidentlib archive --audit                  look at every archived link: does it show its page?
  incidentlib archive --audit --offline        judge the links by their addresses alone, without a network
  incidentlib archive --audit --replace        and put a proven copy in place of a link that is broken
  incidentlib archive --live                   ask the sources themselves whether they still answer
  incidentlib archive --format markdown        for the issue that a weekly run keeps up to date

The answers are kept in .incidentlib-archive.ndjson as they come: a run that is stopped goes on where it was.
For --save, set INCIDENTLIB_ARCHIVE_KEY and INCIDENTLIB_ARCHIVE_SECRET to the keys of an account of the archive.
Exit status: 0 every source is in order, 1 some are not, 2 the job could not be done, 3 some could not be asked.";

/// Find, check and request archived copies of the sources
///
/// A copy is written into a record only when the archive has shown it. What nobody could tell is unknown, and never
/// counted as missing. Each host is asked at its own pace; settings are in the section `[archive]` of incidentlib.toml.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Only these cases
    ids: Vec<CaseId>,
    /// Look at the archived links that are there
    #[arg(long)]
    audit: bool,
    /// With --audit: find a copy in place of a link that is broken
    #[arg(long, requires = "audit", conflicts_with = "offline")]
    replace: bool,
    /// With --audit: judge links by their addresses alone
    #[arg(long, requires = "audit")]
    offline: bool,
    /// Ask the archive to make the copies that it does not hold
    #[arg(long, conflicts_with_all = ["audit", "live"])]
    save: bool,
    /// Ask the sources themselves
    #[arg(long, conflicts_with = "audit")]
    live: bool,
    /// Change no record; show what would change
    #[arg(long)]
    dry_run: bool,
    /// Ask again what an earlier run has answered
    #[arg(long)]
    fresh: bool,
    /// Take answers of earlier runs up to this age
    #[arg(long, default_value = "24h", value_name = "TIME", value_parser = time)]
    max_age: Duration,
    /// Time for the whole run; what is left then is for the next one
    #[arg(long, default_value = "2h", value_name = "TIME", value_parser = time)]
    budget: Duration,
    /// Whom the archive can reach about these requests: an address of mail or web
    #[arg(long, value_name = "ADDRESS")]
    contact: Option<String>,
    /// Ask an archive at this address instead: scheme, host and port
    #[arg(long, value_name = "URL")]
    base: Option<String>,
    /// Allow addresses of private networks and of this machine with --live
    #[arg(long, requires = "live")]
    allow_private: bool,
    /// Text for people, JSON or one JSON document a line for programs, Markdown for an issue
    #[arg(long, value_enum, default_value = "text")]
    format: ArchiveFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ArchiveFormat {
    Text,
    Json,
    Ndjson,
    Markdown,
}

/// A length of time as people type it: `90s`, `30m`, `24h`, `2d`.
fn time(text: &str) -> Result<Duration, String> {
    let help = || format!("`{text}` is no length of time such as 90s, 30m, 24h or 2d");
    let unit = text.chars().last().ok_or_else(help)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => 86_400,
        _ => return Err(help()),
    };
    let number: u64 = text[..text.len() - 1].parse().map_err(|_| help())?;
    number
        .checked_mul(seconds)
        .map(Duration::from_secs)
        .ok_or_else(help)
}

/// A source of a record.
struct Place {
    case: String,
    pointer: String,
    wanted: Wanted,
}

pub(super) fn run(args: &Args, global: &Global) -> Result<Outcome, Error> {
    let library = global.open()?;
    let snapshot = library.load_records()?;
    for id in &args.ids {
        let cx = global.context(&library, &snapshot);
        super::show::find(id, &cx)?;
    }
    let places = places(args, &library, &snapshot)?;
    let limits = limits(args, &library.settings.archive);
    let keys = keys(args)?;
    let online = !args.offline && !places.is_empty();
    if online && limits.contact.is_empty() && limits.base.is_none() && !args.live {
        return Err(Error::usage(
            "the archive is to know whom it can reach about these requests, and nobody is named",
            "write `contact = \"you@example.org\"` under `[archive]` in incidentlib.toml, or say `--contact`",
        ));
    }
    let mut ledger = Ledger::read(&library.root)?;
    if ledger.unread() > 0 {
        let lines = counted(ledger.unread(), "line");
        console::say(&format!(
            "{LEDGER_FILE}: {lines} could not be read and count as not asked"
        ));
    }
    let bar = bar(places.len());
    let clock = SystemClock {
        start: Instant::now(),
        bar: bar.clone(),
    };
    let mut archive = Archive::new(&limits, keys.as_ref(), &clock);
    let (mut answers, mut aborted) = (Vec::new(), None);
    for place in &places {
        let (asked, earlier) = if args.offline {
            (by_address(&place.wanted, global, &clock), false)
        } else if args.live {
            ask_source(args, place, &limits, &mut ledger, &clock)?
        } else {
            match ask(args, place, &mut archive, &mut ledger, &clock)? {
                Ok(answer) => answer,
                Err(why) => {
                    aborted = Some(why);
                    break;
                }
            }
        };
        let answer = AnsweredSource {
            case: place.case.clone(),
            pointer: place.pointer.clone(),
            asked,
            earlier,
        };
        if args.format == ArchiveFormat::Ndjson {
            bar.suspend(|| console::print_line(&archive_json(&answer)))?;
        }
        answers.push(answer);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let changed = write(args, &library, &answers)?;
    if !args.dry_run
        && let Some(bytes) = ledger.compact()
    {
        let file = LEDGER_FILE.to_owned();
        Writer::open(&library.root)?.commit(&[Change { file, bytes }])?;
    }
    show(args, &answers, &changed)?;
    if let Some(why) = aborted {
        let left = places.len() - answers.len();
        return Err(Error::usage(
            format!("{why}; {} not asked", counted(left, "source")),
            "see the keys in INCIDENTLIB_ARCHIVE_KEY and INCIDENTLIB_ARCHIVE_SECRET",
        ));
    }
    let any = |standing| {
        answers
            .iter()
            .any(|a| a.asked.verdict.standing() == standing)
    };
    Ok(match (any(Standing::Unknown), any(Standing::Broken)) {
        (true, _) => Outcome::Incomplete,
        (_, broken) => Outcome::failed_if(broken),
    })
}

/// The sources that are asked about, in the order of the records.
fn places(args: &Args, library: &Library, snapshot: &Snapshot) -> Result<Vec<Place>, Error> {
    let mut out: Vec<(Place, Option<CaseId>)> = Vec::new();
    for record in &snapshot.records {
        let case = &record.case;
        let chosen = |id: &CaseId| args.ids.is_empty() || args.ids.contains(id);
        if !case.id.as_ref().map_or(args.ids.is_empty(), chosen) {
            continue;
        }
        let name = case
            .id
            .as_ref()
            .map_or(record.file.clone(), ToString::to_string);
        for (i, source) in case.sources.iter().enumerate() {
            let Some(url) = &source.url else { continue };
            if !args.live && args.audit != source.archived.is_some() {
                continue;
            }
            let wanted = Wanted {
                url: url.clone(),
                archived: source.archived.clone(),
                near: None,
                not_before: case.date.map(NaiveDate::from),
            };
            let place = Place {
                case: name.clone(),
                pointer: format!("/sources/{i}/archived"),
                wanted,
            };
            out.push((place, case.id.clone()));
        }
    }
    if args.live || args.offline {
        return Ok(out.into_iter().map(|(place, _)| place).collect());
    }
    for (place, id) in &mut out {
        let Some(id) = id else { continue };
        let mut raw = Snapshot::default();
        library.add_raw_of(id, &mut raw)?;
        place.wanted.near = published(library, &raw, id, &place.wanted.url);
    }
    Ok(out.into_iter().map(|(place, _)| place).collect())
}

/// The day on which a page says that it was published, where its raw page tells.
fn published(library: &Library, snapshot: &Snapshot, id: &CaseId, url: &str) -> Option<NaiveDate> {
    let folder = snapshot.folder(id.as_str())?;
    let (_, manifest) = folder.manifest()?;
    let page = manifest
        .pages
        .iter()
        .find(|page| page.url.as_deref().is_some_and(|u| same_address(u, url)))?;
    let path = format!("{}/{}", folder.path, page.file);
    let bytes = library.read_file(&path, LARGEST_PAGE).ok()?;
    let given = Given {
        kind: Some(page.kind),
        part: page.part.as_deref(),
        facts: true,
        ..Given::default()
    };
    let extracted = extract_given(&path, &bytes, given, &library.lexicon);
    extracted.facts.context.written
}

fn limits(args: &Args, settings: &ArchiveSettings) -> Limits {
    let default = Limits::default();
    let seconds = |value: Option<f64>, otherwise| value.map_or(otherwise, Duration::from_secs_f64);
    Limits {
        base: args.base.clone().or_else(|| settings.base.clone()),
        contact: args
            .contact
            .clone()
            .or_else(|| settings.contact.clone())
            .unwrap_or_default(),
        index_pause: seconds(settings.index_pause, default.index_pause),
        replay_pause: seconds(settings.replay_pause, default.replay_pause),
        save_pause: seconds(settings.save_pause, default.save_pause),
        default_pause: seconds(settings.default_pause, default.default_pause),
        longest_pause: seconds(settings.longest_pause, default.longest_pause),
        timeout: seconds(settings.timeout, default.timeout),
        poll_pause: seconds(settings.poll_pause, default.poll_pause),
        polls: settings.polls.unwrap_or(default.polls),
        budget: args.budget,
        tries: default.tries,
    }
}

fn keys(args: &Args) -> Result<Option<Keys>, Error> {
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let keys = (
        set("INCIDENTLIB_ARCHIVE_KEY"),
        set("INCIDENTLIB_ARCHIVE_SECRET"),
    );
    match keys {
        (Some(access), Some(secret)) => Ok(Some(Keys { access, secret })),
        _ if args.save => Err(Error::usage(
            "a capture is asked for with the keys of an account, and they are not set",
            "set INCIDENTLIB_ARCHIVE_KEY and INCIDENTLIB_ARCHIVE_SECRET; the archive shows them at archive.org/account/s3.php",
        )),
        _ => Ok(None),
    }
}

fn bar(length: usize) -> ProgressBar {
    if length < 2 || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(length as u64);
    let template = "{bar:30} {pos}/{len} sources ({per_sec}, {eta} left) {msg}";
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Writes the proven copies into the records as they stand now: a run takes long, and people go on editing. Returns
/// the files.
fn write(args: &Args, library: &Library, answers: &[AnsweredSource]) -> Result<Vec<String>, Error> {
    let proven: BTreeMap<&str, &Asked> = answers
        .iter()
        .map(|answer| &answer.asked)
        .filter(|asked| matches!(asked.verdict, Verdict::Found | Verdict::Saved))
        .map(|asked| (asked.url.as_str(), asked))
        .collect();
    if proven.is_empty() {
        return Ok(Vec::new());
    }
    let snapshot = library.load_records()?;
    let (mut changes, mut shown) = (Vec::new(), String::new());
    for record in snapshot.records.iter().filter(|r| !r.has_duplicate_keys) {
        let mut case = record.case.clone();
        if take_copies(&mut case, &proven) {
            let text = case.print();
            shown.push_str(&difference(&record.file, Some(&record.text), &text));
            changes.push(Change {
                file: record.file.clone(),
                bytes: text.into_bytes(),
            });
        }
    }
    let files: Vec<String> = changes.iter().map(|c| c.file.clone()).collect();
    let show_it = args.dry_run && args.format == ArchiveFormat::Text;
    if show_it {
        console::print(&shown)?;
    }
    if !args.dry_run {
        Writer::open(&library.root)?.commit(&changes)?;
    }
    Ok(files)
}

fn take_copies(case: &mut Case, proven: &BTreeMap<&str, &Asked>) -> bool {
    let mut taken = false;
    for source in &mut case.sources {
        let asked = source.url.as_deref().and_then(|url| proven.get(url));
        if let Some(asked) = asked
            && asked.archived == source.archived
            && asked.copy.is_some()
        {
            source.archived.clone_from(&asked.copy);
            taken = true;
        }
    }
    taken
}

fn show(args: &Args, answers: &[AnsweredSource], changed: &[String]) -> Result<(), Error> {
    match args.format {
        ArchiveFormat::Text => console::print(&archive_text(answers))?,
        ArchiveFormat::Json => console::print_json(&archive_document(answers, changed))?,
        ArchiveFormat::Markdown => console::print(&archive_markdown(answers, changed))?,
        ArchiveFormat::Ndjson => {}
    }
    if answers.is_empty() {
        let what = match (args.audit, args.live) {
            (true, _) => "no source has an archived link",
            (_, true) => "no record has a source",
            _ => "every source has an archived link; `--audit` looks at them",
        };
        console::say(what);
        return Ok(());
    }
    console::say(&archive_totals(answers));
    if !changed.is_empty() {
        let records = counted(changed.len(), "record");
        console::say(&match args.dry_run {
            true => format!("{records} would change; nothing was written"),
            false => format!("{records} changed"),
        });
    }
    Ok(())
}
