//! What a page is before it is read for facts: a postmortem, a maintenance, another article, or
//! nothing that could be read.

use serde::Serialize;

use super::parts::{MOST_PARTS, Part};
use super::{Reader, Story};
use crate::extract::section_words::tell_of_incident;
use crate::finding::{Finding, Level};
use crate::read::{BlockKind, words_lost};
use crate::time::Context;
use crate::vocabulary::{PageLabel, fold};

/// What a page is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Nature {
    /// It tells of an incident.
    Incident,
    /// It announces or tells of an interruption that was planned.
    Maintenance,
    /// It tells of something else.
    #[default]
    Other,
    /// A site showed it instead of the page: a check of the browser, a login, an error.
    Wall,
    /// It has no text: a shell that a script would have filled.
    Empty,
}

/// An HTML page with less text than this is a shell that a script would have filled, in letters.
const SHORTEST: usize = 80;

/// Any other page with less text than this tells nothing, in letters.
const NOTHING: usize = 12;

/// A wall has less text than this, in letters.
const LONGEST_WALL: usize = 500;

/// What a page is, by its title and the length of its text.
pub(super) fn nature(reader: &Reader, title: Option<&str>) -> Nature {
    let text: usize = reader.blocks().map(|(_, b)| letters(&b.text)).sum();
    let titles = title
        .into_iter()
        .chain(reader.page.title.as_deref())
        .map(fold);
    let titles: Vec<String> = titles.collect();
    let titled = |label| {
        let named = |t: &String| reader.words(label).any(|w| t.contains(w.as_str()));
        titles.iter().any(named)
    };
    let says_wall = || {
        titled(PageLabel::Wall)
            || reader.blocks().any(|(_, b)| {
                let lower = b.text.to_lowercase();
                reader
                    .words(PageLabel::Wall)
                    .any(|w| lower.contains(w.as_str()))
            })
    };
    let html = !reader.page.containers.is_empty();
    let shortest = if html { SHORTEST } else { NOTHING };
    match () {
        () if text < LONGEST_WALL && reader.labels.len() < 2 && says_wall() => Nature::Wall,
        () if text < shortest => Nature::Empty,
        () if titled(PageLabel::Maintenance) => Nature::Maintenance,
        () if reader.layout.incident || titled(PageLabel::Incident) || is_told(reader) => {
            Nature::Incident
        }
        () => Nature::Other,
    }
}

/// Whether the sections of a page are those of a postmortem, or its file says so.
fn is_told(reader: &Reader) -> bool {
    let name = reader
        .page
        .file
        .rsplit('/')
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let named = ["postmortem", "post-mortem", "incident", "outage"];
    tell_of_incident(reader.labels.iter().map(|l| l.kind))
        || named.iter().any(|w| name.contains(w))
        || is_lead(reader)
}

/// Whether the first texts name an incident more than once, or name one beside a clock time.
fn is_lead(reader: &Reader) -> bool {
    let first = reader.blocks().take(8);
    let named: usize = first
        .map(|(i, block)| {
            let lower = block.text.to_lowercase();
            let mut words = reader.words(PageLabel::Incident);
            let names = words.any(|w| lower.contains(w.as_str()));
            let timed = reader
                .scan(i)
                .is_some_and(|s| s.first_time(&Context::default()).is_some());
            usize::from(names) * (1 + usize::from(timed))
        })
        .sum();
    named > 1
}

fn letters(text: &str) -> usize {
    // A syllable or an ideograph says as much as three letters.
    let weight = |c: char| if c > '\u{2e80}' { 3 } else { 1 };
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .map(weight)
        .sum()
}

/// What a curator has to know of the page before taking it.
pub(super) fn findings(reader: &Reader, story: &Story, parts: &[Part]) -> Vec<Finding> {
    let file = &reader.page.file;
    let mut out = Vec::new();
    let mut say = |rule, level, message: &str, help: &str| {
        out.push(Finding::new(rule, level, file, message).help(help));
    };
    match story.nature {
        Nature::Wall => say(
            "not-the-page",
            Level::Warning,
            "the site showed a check of the browser, a login or an error instead of the page",
            "open the page in a browser, save it from there, or take an archived copy",
        ),
        Nature::Empty => say(
            "no-text",
            Level::Warning,
            "the page has no text of its own; a script would have filled it",
            "save the page from a browser once it is shown, or take an archived copy",
        ),
        Nature::Maintenance => say(
            "planned-maintenance",
            Level::Note,
            "the page tells of a planned interruption, not of an incident",
            "make it a case only if something went wrong",
        ),
        Nature::Other => say(
            "no-incident",
            Level::Note,
            "neither title nor sections of the page tell of an incident",
            "if it is a postmortem, what it tells is read all the same; check the draft with care",
        ),
        Nature::Incident => {}
    }
    let lost = reader
        .blocks()
        .find(|(_, b)| b.kind != BlockKind::Preformatted && words_lost(&b.text));
    if let Some((i, block)) = lost {
        let quote: String = block.text.chars().take(60).collect();
        let message = format!("words of the text are lost between its punctuation: `{quote}`");
        let finding = Finding::new("damaged-text", Level::Warning, file, message)
            .help("take the original page instead of this copy or translation");
        let place = reader.evidence(i, 0..block.text.len());
        out.push(place.locate(finding));
    }
    out.extend(several(reader, parts));
    out
}

/// Says that a page tells of several incidents.
fn several(reader: &Reader, parts: &[Part]) -> Option<Finding> {
    if parts.len() < 2 {
        return None;
    }
    let names: Vec<String> = parts
        .iter()
        .take(5)
        .map(|part| format!("`{}`", part.name))
        .collect();
    let more = if parts.len() > 5 { ", ..." } else { "" };
    let message = format!(
        "the page tells of {} incidents: {}{more}",
        parts.len(),
        names.join(", ")
    );
    let help = if parts.len() < MOST_PARTS {
        "`ingest --new` makes a case of each; `--part HEADING` takes one of them"
    } else {
        "no more of one page are read; save what follows them as pages of their own"
    };
    let file = &reader.page.file;
    Some(Finding::new("several-incidents", Level::Warning, file, message).help(help))
}
