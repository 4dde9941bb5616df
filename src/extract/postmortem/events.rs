//! Events of a timeline: rows, items, headings and lines that begin with a time.

use std::ops::Range;

use chrono::{Datelike, NaiveDate, NaiveDateTime};

use crate::read::{Block, BlockKind};
use crate::time::{Cues, Day, Expression, Moment, Zone, resolve_day};
use crate::vocabulary::{PageLabel, SectionKind};

use super::super::main_text::around;
use super::known::Known;
use super::{Event, Reader};

/// An event with what the page-wide reading of times needs.
#[derive(Debug, Clone)]
pub(super) struct Timed {
    pub event: Event,
    pub block: usize,
    pub range: Range<usize>,
    pub local: Option<NaiveDateTime>,
    pub cues: Cues,
}

/// The events of a page.
pub(super) struct Events {
    /// In order of time; those whose time is not known stay where they stand.
    pub list: Vec<Timed>,
    /// The page shows the newest first.
    pub newest_first: bool,
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
    let mut found = if inside.len() >= 2 {
        inside
    } else {
        collect(reader, known, false)
    };
    if found.len() < 2 && !has_section {
        found.clear();
    }
    add_bodies(reader, &mut found);
    let sorted = found
        .windows(2)
        .filter(|w| w[0].local <= w[1].local)
        .count();
    // A list that runs backwards is turned; single rows out of order are moved.
    let newest_first = sorted * 2 < found.len();
    if newest_first {
        found.reverse();
    }
    if found.iter().all(|e| e.local.is_some()) {
        found.sort_by_key(|e| e.local);
    }
    Events {
        list: found,
        newest_first,
    }
}

/// Gives events that are only a time the text that follows them.
fn add_bodies(reader: &Reader, events: &mut [Timed]) {
    let mut starts: Vec<usize> = events.iter().map(|e| e.block).collect();
    starts.sort_unstable();
    for event in events.iter_mut() {
        let block = reader.block(event.block);
        let bare = block.text.len() <= event.range.end + 4;
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
    let mut day: Option<NaiveDate> = known.first_day;
    let mut previous: Option<NaiveDateTime> = None;
    let posted = |before: &str| {
        reader
            .words(PageLabel::Published)
            .any(|w| before.starts_with(w.as_str()))
    };
    for (i, block) in reader.blocks() {
        let elsewhere = only_timeline && reader.section_of(i) != Some(SectionKind::Timeline);
        if elsewhere || !reader.is_story(i) {
            continue;
        }
        let Some(scan) = reader.scan(i) else { continue };
        let moments = scan.moments(&known.context(day));
        let first = moments
            .first()
            .filter(|m| leads(block, m, scan, only_timeline, posted));
        let Some(moment) = first else {
            // A line or heading that tells a day sets it for what follows.
            if let Some(told) = lone_day(block, scan, known, day) {
                day = Some(told);
                previous = None;
                let dated = matches!(block.kind, BlockKind::Row | BlockKind::Item(_))
                    && only_timeline
                    && block.text.chars().count() > 24;
                if dated {
                    out.push(timed(
                        reader,
                        i,
                        block,
                        None,
                        told.and_hms_opt(0, 0, 0),
                        true,
                    ));
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
            day = Some(local.date());
            previous = Some(local);
        }
        out.push(timed(reader, i, block, Some(moment), local, false));
    }
    out
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
            doubt: if day_only {
                Some("no time of day is named")
            } else {
                doubt
            },
            text,
            evidence: reader.evidence(i, 0..block.text.len()),
        },
        block: i,
        range: moment.map_or(0..block.text.len(), |m| m.bytes.clone()),
        local,
        cues,
    }
}

/// Whether a block begins with a time: nothing but a few words, a day or marks stand before it.
fn leads(
    block: &Block,
    moment: &Moment,
    scan: &crate::time::Scan,
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

/// A block that is little more than a day.
fn lone_day(
    block: &Block,
    scan: &crate::time::Scan,
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

/// The zone that a page names for its times.
pub(super) fn zone_of_page(reader: &Reader) -> Option<Zone> {
    for (i, block) in reader.blocks() {
        let lower = block.text.to_lowercase();
        let says = reader
            .words(PageLabel::Zone)
            .any(|w| lower.contains(w.as_str()));
        if !says {
            continue;
        }
        let Some(scan) = reader.scan(i) else { continue };
        let zone = scan.mentions().iter().find_map(|m| match m.expression {
            Expression::Zone(zone) => Some(zone),
            Expression::Clock(clock) => clock.zone,
            _ => None,
        });
        if zone.is_some() {
            return zone;
        }
    }
    None
}
