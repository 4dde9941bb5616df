//! Events of a timeline: rows, items, headings and lines that begin with a time.

use std::ops::Range;

use chrono::{Datelike, NaiveDate, NaiveDateTime};

use crate::read::{Block, BlockKind};
use crate::time::{Cues, Day, Expression, Moment, Scan, resolve_day};
use crate::vocabulary::SectionKind;

use super::super::main_text::around;
use super::known::Known;
use super::{Event, Reader};

/// Blocks below the heading of a day that are looked at.
const LONGEST_DAY: usize = 60;

/// An event with what the page-wide reading of times needs.
#[derive(Debug, Clone)]
pub(super) struct Timed {
    pub event: Event,
    pub block: usize,
    pub range: Range<usize>,
    pub local: Option<NaiveDateTime>,
    pub cues: Cues,
    /// Its text stands before its time.
    pub trails: bool,
}

impl Timed {
    /// Only its day is told.
    pub(super) fn day_only(&self) -> bool {
        self.event.doubt == Some(NO_TIME)
    }
}

/// The doubt of an event of which only the day is told.
const NO_TIME: &str = "no time of day is named";

/// The events of a page.
pub(super) struct Events {
    /// In order of time; those whose time is not known stay where they stand.
    pub list: Vec<Timed>,
    /// The page shows the newest first.
    pub newest_first: bool,
    /// The one that stands first on the page is the earliest, or the last of a page that shows the newest first.
    pub in_order: bool,
    /// The first is an update, which says when something was told: "UPDATE 7 May 19:27 UTC".
    pub updates: bool,
}

/// The events of a page in order of time; those whose time is not known stay where they stand.
pub(super) fn events(reader: &Reader, known: &Known) -> Events {
    let has_section = reader
        .labels
        .iter()
        .any(|l| l.kind == SectionKind::Timeline);
    let inside = if has_section {
        collect(reader, known, true)
    } else {
        Vec::new()
    };
    // A digest may stand beside the events themselves, which need no heading.
    let digest = inside.iter().all(|e| e.trails);
    let mut found = inside;
    if found.len() < 2 || digest {
        let anywhere = collect(reader, known, false);
        if found.len() < 2 || anywhere.len() >= found.len() {
            found = anywhere;
        }
    }
    if found.len() < 2 && !has_section {
        found.clear();
    }
    add_bodies(reader, &mut found);
    let updates = found.first().is_some_and(|e| {
        let (head, _) = reader.block(e.block).text.split_at(e.range.start);
        let day = head
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(head.len());
        reader.is_update(&head[..day])
    });
    let sorted = found
        .windows(2)
        .filter(|w| w[0].local <= w[1].local)
        .count();
    // A list that runs backwards is turned; single rows out of order are moved.
    let newest_first = sorted * 2 < found.len();
    if newest_first {
        found.reverse();
    }
    let opening = found.first().and_then(|e| e.local);
    if found.iter().all(|e| e.local.is_some()) {
        found.sort_by_key(|e| e.local);
    }
    let in_order = opening == found.first().and_then(|e| e.local);
    Events {
        list: found,
        newest_first,
        in_order,
        updates,
    }
}

/// Gives events that are only a time the text that follows them.
fn add_bodies(reader: &Reader, events: &mut [Timed]) {
    let mut starts: Vec<usize> = events.iter().map(|e| e.block).collect();
    starts.sort_unstable();
    for event in events.iter_mut() {
        let block = reader.block(event.block);
        let bare = !event.trails && block.text.len() <= event.range.end + 4;
        if !matches!(block.kind, BlockKind::Heading(_)) && !bare {
            continue;
        }
        if bare && let Some(around) = update_around(reader, event.block, &starts) {
            event.event.text = around;
            let told = reader
                .cx
                .times
                .cues()
                .find(&event.event.text, &reader.language);
            event.cues = event.cues.and(told);
            continue;
        }
        let next = starts.get(starts.partition_point(|s| *s <= event.block));
        let next = next.copied().unwrap_or(usize::MAX);
        let mut text = String::new();
        for (_, body) in reader.after(event.block).take_while(|(i, _)| *i < next) {
            if matches!(body.kind, BlockKind::Heading(_)) {
                break;
            }
            if body.kind != BlockKind::Preformatted && text.len() < 4000 {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(&body.text);
            }
        }
        if !text.is_empty() {
            event.cues = event
                .cues
                .and(reader.cx.times.cues().find(&text, &reader.language));
            let head = event.event.text.clone();
            event.event.text = if bare {
                text
            } else {
                format!("{head}\n{text}")
            };
        }
    }
}

/// The text that stands before a time in one element with it, as the updates of a status page do:
/// state, text, time. Nothing where the time comes first.
fn update_around(reader: &Reader, block: usize, starts: &[usize]) -> Option<String> {
    let around = |i: usize| around(reader.page, reader.block(i).container);
    let mut found = None;
    for outer in around(block).take(4) {
        let inside = |i: usize| around(i).take(8).any(|c| c == outer);
        let before = reader.main.iter().rev().skip_while(|i| **i >= block);
        let mut with: Vec<usize> = before
            .copied()
            .take_while(|i| inside(*i))
            .take(20)
            .collect();
        with.reverse();
        let follows = reader.after(block).next().is_some_and(|(i, _)| inside(i));
        if follows || with.iter().any(|i| starts.binary_search(i).is_ok()) {
            break;
        }
        if !with.is_empty() {
            let texts = with.iter().map(|i| reader.block(*i).text.as_str());
            found = Some(texts.collect::<Vec<_>>().join("\n"));
        }
    }
    found
}

fn collect(reader: &Reader, known: &Known, only_timeline: bool) -> Vec<Timed> {
    let mut out: Vec<Timed> = Vec::new();
    let mut of_days: Vec<Timed> = Vec::new();
    let mut clocked = false;
    let mut day: Option<NaiveDate> = known.usual_day.or(known.first_day);
    let mut previous: Option<NaiveDateTime> = None;
    let posted = |before: &str| reader.says_published(before);
    // The line before all text is that of the page; one after a text is that of an update.
    let text = |b: &Block| !matches!(b.kind, BlockKind::Heading(_)) && b.text.chars().count() >= 40;
    let head = |b: &Block| reader.is_byline(b) || !text(b);
    let mut opening = reader.blocks().take_while(|(_, b)| head(b));
    let byline = opening.find(|(_, b)| reader.is_byline(b)).map(|(i, _)| i);
    for (i, block) in reader.blocks() {
        if signs(reader, i) {
            continue;
        }
        let elsewhere = only_timeline && reader.section_of(i) != Some(SectionKind::Timeline);
        if elsewhere || !reader.is_story(i) || byline == Some(i) {
            continue;
        }
        let Some(scan) = reader.scan(i) else { continue };
        let moments = scan.moments(&known.context(day));
        let trails = only_timeline && moments.first().is_some_and(|m| trails(block, m));
        let first = moments
            .first()
            .filter(|m| trails || leads(block, m, scan, only_timeline, posted));
        let Some(moment) = first else {
            // A line or heading that tells a day sets it for what follows.
            if let Some(told) = lone_day(block, scan, known, day) {
                day = Some(told);
                previous = None;
                let midnight = told.and_hms_opt(0, 0, 0);
                let line = matches!(block.kind, BlockKind::Row | BlockKind::Item(_));
                let event = |at| timed(reader, at, reader.block(at), None, midnight, true);
                if line && only_timeline && block.text.chars().count() > 24 {
                    out.push(event(i));
                } else if !line && !clocked {
                    of_days.extend(days_events(reader, known, i).into_iter().map(event));
                }
            }
            continue;
        };
        let mut local = moment.local();
        if !moment.day_told
            && let (Some(current), Some(before)) = (local, previous)
            && current < before
        {
            let back = (before - current).num_minutes();
            if back >= 600 {
                local = current.checked_add_days(chrono::Days::new(1));
            }
        }
        if let (Some(told), Some(before)) = (local, previous)
            && (before - told).num_days().abs() > 180
            && let Some(same) = told.with_year(before.year())
            && (same - before).num_days().abs() <= 7
        {
            // A slip in the year: 2022-01-11 between two rows of 2023-01-11.
            local = Some(same);
        }
        if let Some(local) = local {
            day = known.usual_day.or(Some(local.date()));
            previous = Some(local);
        }
        clocked = true;
        let mut event = timed(reader, i, block, Some(moment), local, false);
        event.trails = trails;
        out.push(event);
    }
    // Where times of day are told, the heading of a day is no event.
    if !clocked {
        out.extend(of_days);
        out.sort_by_key(|e| e.block);
    }
    // Beside events that begin with their times those that end with them are a digest.
    if out.iter().filter(|e| !e.trails).count() >= 2 {
        out.retain(|e| !e.trails);
    }
    out
}

/// Whether a block is a time alone at the very end of the page, which signs it.
fn signs(reader: &Reader, i: usize) -> bool {
    let text = &reader.block(i).text;
    reader.main.last() == Some(&i) && text.len() < 40 && !text.contains(char::is_alphabetic)
}

/// Whether a short item ends with its time: "First detected 2025-10-13 08:59".
fn trails(block: &Block, moment: &Moment) -> bool {
    let (before, _) = block.text.split_at(moment.bytes.start);
    let after = &block.text[moment.bytes.end..];
    matches!(block.kind, BlockKind::Item(_))
        && block.text.chars().count() <= 80
        && before.starts_with(char::is_alphabetic)
        && !after.contains(char::is_alphanumeric)
}

/// The blocks that tell what happened on a day whose heading is block `i`: the items below it, or the heading itself for
/// the text below it. None where blocks below begin with times of day.
fn days_events(reader: &Reader, known: &Known, i: usize) -> Vec<usize> {
    let block = reader.block(i);
    let heads = |b: &Block| {
        let marks = |text: &str| !text.contains(char::is_alphanumeric);
        let whole = |r: &Range<usize>| r.start == 0 && marks(&b.text[r.end..]);
        matches!(b.kind, BlockKind::Heading(_) | BlockKind::Term) || b.strong.iter().any(whole)
    };
    if !heads(block) {
        return Vec::new();
    }
    let below = reader.after(i).take_while(|(_, b)| !heads(b));
    let mut items = Vec::new();
    let mut text = false;
    for (at, body) in below.take(LONGEST_DAY) {
        let timed = |scan: &Scan| {
            let moments = scan.moments(&known.context(None));
            moments.first().is_some_and(|m| m.bytes.start < 4)
        };
        if signs(reader, at) {
            break;
        }
        if reader.scan(at).is_some_and(timed) {
            return Vec::new();
        }
        match body.kind {
            BlockKind::Item(1) => items.push(at),
            BlockKind::Item(_) => {}
            _ => text = true,
        }
    }
    if text { vec![i] } else { items }
}

fn timed(
    reader: &Reader,
    i: usize,
    block: &Block,
    moment: Option<&Moment>,
    local: Option<NaiveDateTime>,
    day_only: bool,
) -> Timed {
    let mut text = block.text.replace('\t', " · ");
    if let Some(moment) = moment {
        let after = block.text[moment.bytes.end..]
            .trim_start_matches([' ', '-', '–', '—', ':', '*', ')', ']', '\t', '|', ',']);
        if !after.is_empty() && moment.bytes.start < 40 {
            text = after.replace('\t', " · ");
        }
    }
    let instant = moment.and_then(Moment::at);
    let doubt = moment.and_then(|m| match &m.instant {
        crate::time::Instant::At(_) => None,
        crate::time::Instant::Ambiguous(_, doubt) => Some(doubt.reason()),
    });
    let cues = reader.cx.times.cues().find(&block.text, &reader.language);
    let format = if day_only {
        "%Y-%m-%d"
    } else {
        "%Y-%m-%dT%H:%M"
    };
    Timed {
        event: Event {
            local: local.map(|l| l.format(format).to_string()),
            instant: instant.map(|at| at.to_rfc3339()),
            doubt: if day_only { Some(NO_TIME) } else { doubt },
            text,
            evidence: reader.evidence(i, 0..block.text.len()),
        },
        block: i,
        range: moment.map_or(0..block.text.len(), |m| m.bytes.clone()),
        local,
        cues,
        trails: false,
    }
}

/// Whether a block begins with a time: nothing but a few words, a day or marks stand before it.
fn leads(
    block: &Block,
    moment: &Moment,
    scan: &Scan,
    only_timeline: bool,
    posted: impl Fn(&str) -> bool,
) -> bool {
    let start = scan
        .mentions()
        .iter()
        .filter(|m| {
            m.bytes.end <= moment.bytes.start
                && matches!(m.expression, Expression::Day(_) | Expression::Zone(_))
        })
        .map(|m| m.bytes.start)
        .min()
        .unwrap_or(moment.bytes.start);
    let before = block.text[..start].trim_matches(|c: char| !c.is_alphanumeric());
    let between_days = &block.text[..moment.bytes.start];
    if between_days.chars().count() > 60 {
        return false;
    }
    match block.kind {
        BlockKind::Row => {
            let cell = block
                .cells
                .iter()
                .position(|c| c.contains(&moment.bytes.start));
            cell.is_some_and(|c| c < 3) && before.chars().count() < 40
        }
        BlockKind::Heading(_) => {
            before.chars().count() < 20 && (only_timeline || before.is_empty())
        }
        BlockKind::Term => before.is_empty(),
        _ => {
            // A time stamp at the end of an update: "Posted 2 years ago. May 7, 2023 - 13:25 UTC".
            let stamp = block.container.is_some()
                && block.text.chars().count() <= 70
                && block.text[moment.bytes.end..].trim().is_empty()
                && posted(&before.to_lowercase());
            if stamp {
                return true;
            }
            let words = before.split_whitespace().count();
            let lead = before.is_empty()
                || (words <= 2
                    && before
                        .chars()
                        .all(|c| c.is_uppercase() || !c.is_alphabetic()));
            // "At 14:30 we saw" is prose; "14:30 – we saw" is an event.
            lead && (matches!(block.kind, BlockKind::Item(_))
                || before.is_empty()
                || before.chars().next().is_some_and(char::is_uppercase))
        }
    }
}

/// The day of a block that is little more than a day.
pub(super) fn lone_day(
    block: &Block,
    scan: &Scan,
    known: &Known,
    day: Option<NaiveDate>,
) -> Option<NaiveDate> {
    let mention = scan
        .mentions()
        .iter()
        .find(|m| matches!(m.expression, Expression::Day(_)))?;
    let Expression::Day(range) = mention.expression else {
        return None;
    };
    let head = block.text[..mention.bytes.start].trim_matches(|c: char| !c.is_alphanumeric());
    let heading = matches!(block.kind, BlockKind::Heading(_) | BlockKind::Term);
    let labelled = heading && head.chars().count() < 20;
    if !head.is_empty() && !labelled {
        return None;
    }
    let written = known.published.or(day);
    match range.from {
        Day::Full(day) => Some(day),
        Day::NoYear(month, of_month) => {
            let near = day.and_then(|d| {
                [0, 1, -1]
                    .into_iter()
                    .filter_map(|by| NaiveDate::from_ymd_opt(d.year() + by, month, of_month))
                    .min_by_key(|n| (*n - d).num_days().abs())
            });
            near.or_else(|| resolve_day(range.from, written))
        }
        _ => None,
    }
}
