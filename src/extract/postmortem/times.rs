//! What a story tells of its times: start and end of the impact, the durations between, the day.

use std::ops::Range;

use chrono::{NaiveDate, NaiveDateTime};

use crate::finding::{Finding, Level};
use crate::model::Duration;
use crate::read::{Block, BlockKind};
use crate::time::{Cues, Day, Moment, resolve_day};
use crate::vocabulary::{Cue, PageLabel, SectionKind};

use super::events::{Events, lone_day};
use super::identity::{meta, told_meta};
use super::impact::Impact;
use super::known::{Known, resolve};
use super::marks::{Mark, is_log};
use super::{Reader, Story, Told};

/// Fills in the times of a story.
pub(super) fn read_times(reader: &Reader, known: &Known, events: &Events, story: &mut Story) {
    let byline = story.published.as_ref().map(|p| p.evidence.span.clone());
    let marks = marks(reader, known, byline.as_ref());
    if is_log(&marks) {
        return;
    }
    let stated = stated_duration(reader);
    let in_sentence = stated.as_ref().filter(|(_, labelled)| !labelled);
    let length = in_sentence.and_then(|(told, _)| told.value.parse().ok());
    let impact = Impact::find(reader, &marks, events, length);
    tell_times(reader, &impact, stated, story);
    tell_status_head(reader, story);
    story.incident_date = incident_date(reader, known, impact.start.as_ref(), story);
    // Of updates the oldest, which stands last, is of the day it began; so is the earliest of events out of order.
    let by_events = events.newest_first || !events.in_order;
    if let (None, true, Some(first)) = (&impact.start, by_events, events.list.first())
        && let Some(local) = first.local
        && known.title_day.is_none()
    {
        let day = local.date().to_string();
        story.incident_date = Some(reader.told(first.block, first.range.clone(), day, "stated"));
    }
}

/// Tells the times of the impact, and the durations between them or as the page states them.
fn tell_times(reader: &Reader, impact: &Impact, stated: Option<(Told, bool)>, story: &mut Story) {
    let told = |mark: &Mark, value: String, basis| {
        reader.told(mark.block, mark.range.clone(), value, basis)
    };
    let at = |mark: &Mark| {
        let value = mark.local.format("%Y-%m-%dT%H:%M").to_string();
        told(mark, value, "stated")
    };
    let since_start = |mark: &Option<Mark>, basis| {
        let mark = mark.as_ref()?;
        let length = between(impact.start.as_ref()?, mark)?;
        Some((length, told(mark, length.to_string(), basis)))
    };
    story.start = impact.start.as_ref().map(at);
    story.end = impact.end.as_ref().map(at);
    let detected = since_start(&impact.detected, "derived from the start and the detection");
    story.detected_after = detected.map(|(_, told)| told);
    let resolved = since_start(&impact.end, "derived from the start and the end");
    if let (Some((stated, _)), Some(from), Some(to)) = (&stated, &story.start, &story.end)
        && let Some((computed, _)) = &resolved
    {
        let differs = difference(reader, stated, (from, to), *computed);
        story.findings.extend(differs);
    }
    // A length that the page labels as that of the incident says more than times taken from a list.
    story.resolved_after = match stated {
        Some((stated, true)) if !impact.told => Some(stated),
        stated => resolved
            .map(|(_, told)| told)
            .or(stated.map(|(told, _)| told)),
    };
}

/// The time from one mark to another: between the instants where both are known, else between the local times.
fn between(a: &Mark, b: &Mark) -> Option<Duration> {
    let seconds = match (a.at, b.at) {
        (Some(x), Some(y)) => (y - x).num_seconds(),
        _ => (b.local - a.local).num_seconds(),
    };
    Duration::from_seconds(u64::try_from(seconds).ok()?)
}

/// The file of an incident on a status page says its times in its head.
fn tell_status_head(reader: &Reader, story: &mut Story) {
    let (Some(resolved), Some(begun)) = (meta(reader, &["resolvedwhen"]), meta(reader, &["date"]))
    else {
        return;
    };
    let read = |text: &str| {
        let minute = text.trim().get(..16)?;
        NaiveDateTime::parse_from_str(minute, "%Y-%m-%dT%H:%M").ok()
    };
    let (Some(a), Some(b)) = (read(&begun.value), read(&resolved.value.replace(' ', "T"))) else {
        return;
    };
    let say = |meta, value| told_meta(reader, meta, value);
    story.start = Some(say(begun, a.format("%Y-%m-%dT%H:%M").to_string()));
    story.end = Some(say(resolved, b.format("%Y-%m-%dT%H:%M").to_string()));
    let seconds = u64::try_from((b - a).num_seconds()).ok();
    let length = seconds.and_then(Duration::from_seconds);
    story.resolved_after = length.map(|d| say(resolved, d.to_string()));
}

/// Says that a stated length is another than the one from start to end, by more than a tenth and two
/// minutes.
fn difference(
    reader: &Reader,
    stated: &Told,
    (from, to): (&Told, &Told),
    computed: Duration,
) -> Option<Finding> {
    let told: Duration = stated.value.parse().ok()?;
    let apart = told.seconds().abs_diff(computed.seconds());
    if apart <= 120 || apart * 10 <= computed.seconds() {
        return None;
    }
    let message = format!(
        "the page states `{}`, but from `{}` to `{}` it is {computed}",
        stated.evidence.quote, from.evidence.quote, to.evidence.quote
    );
    let finding = Finding::new("durations-differ", Level::Note, &reader.page.file, message);
    let finding = stated.evidence.locate(finding);
    Some(finding.help("see which of them the page means, and say so in the record"))
}

/// The day the impact began: that of the start, of the title, of the first time told.
fn incident_date(
    reader: &Reader,
    known: &Known,
    start: Option<&Mark>,
    story: &Story,
) -> Option<Told> {
    if let Some(mark) = start {
        return Some(reader.told(
            mark.block,
            mark.range.clone(),
            mark.local.date().to_string(),
            "stated",
        ));
    }
    if let (Some(day), Some(title)) = (known.title_day, &story.title) {
        return Some(Told {
            value: day.to_string(),
            evidence: title.evidence.clone(),
            basis: "stated",
        });
    }
    for (i, block) in reader.blocks().filter(|(i, _)| reader.is_story(*i)) {
        let Some(scan) = reader.scan(i) else { continue };
        for (bytes, day) in scan.days() {
            let value = match day {
                Day::Relative(_) | Day::Weekday(_) => resolve_day(day, known.published),
                day => resolve(day, known.written),
            };
            let by_itself = story
                .published
                .as_ref()
                .is_some_and(|p| p.evidence.quote == block.text[bytes.clone()]);
            let updated = reader.is_update(&block.text[..bytes.start]);
            // No page tells of an incident before it happened; a day of difference may be the zone's.
            let later = |day: &NaiveDate| {
                let published = known.published.and_then(|p| p.succ_opt());
                published.is_some_and(|p| *day > p)
            };
            let day = value.filter(|day| !by_itself && !updated && !later(day));
            if let Some(day) = day {
                return Some(reader.told(i, bytes, day.to_string(), "stated"));
            }
        }
    }
    None
}

/// Every clock time of the main text with its clause's cues.
fn marks(reader: &Reader, known: &Known, published: Option<&Range<usize>>) -> Vec<Mark> {
    let mut day = known.first_day;
    let mut out = Vec::new();
    for (i, block) in reader.blocks() {
        let place = reader.page.raw_range(block, 0..block.text.len());
        // The places of a PDF are pages.
        let paged = reader.page.decoded.is_paged();
        let byline = !paged
            && published.is_some_and(|p| p.contains(&place.start) || place.contains(&p.start));
        if byline || reader.is_byline(block) || !reader.is_story(i) {
            continue;
        }
        let Some(scan) = reader.scan(i) else { continue };
        let moments = scan.moments(&known.context(day));
        if moments.is_empty() {
            // A heading that is a day holds for what stands below it.
            let heading = matches!(block.kind, BlockKind::Heading(_));
            let told = heading.then(|| lone_day(block, scan, known, day)).flatten();
            day = told.or(day);
            continue;
        }
        let cues = scan.cues_of(&moments, &reader.cx.times, &reader.language);
        for (moment, cues) in moments.iter().zip(cues) {
            let Some(local) = moment.local() else {
                continue;
            };
            day = Some(local.date());
            out.push(Mark {
                block: i,
                range: moment.bytes.clone(),
                local,
                at: moment.at(),
                cues,
                to_next: moment.to_next,
                until: moment.until,
                listed: false,
                label: label_cues(reader, i, block, moment),
            });
        }
    }
    out
}

/// The cues of a short label before a time: "Outage Start (UTC): 15 December 2024, 03:53".
fn label_cues(reader: &Reader, at: usize, block: &Block, moment: &Moment) -> Option<Cues> {
    let before = &block.text[..moment.bytes.start];
    // A heading that is the label of the short line below it.
    let above = reader.before(at);
    if block.text.len() < 240
        && block.text.chars().count() < 60
        && let Some(heading) = above.filter(|b| {
            matches!(b.kind, BlockKind::Heading(level) if level > 1) && b.text.chars().count() < 24
        })
    {
        let cues = reader.cx.times.cues().find(&heading.text, &reader.language);
        if cues.has(Cue::Start) || cues.has(Cue::Resolved) || cues.has(Cue::Detected) {
            return Some(cues);
        }
    }
    if before.len() > 300 {
        return None;
    }
    // The colon of a clock time ends no label.
    let ends_label = |at: &usize| {
        let digit = |c: char| c.is_ascii_digit();
        !(before[..*at].ends_with(digit) && before[at + 1..].starts_with(digit))
    };
    let mut colons = before.match_indices([':', '：', '\t']).map(|(at, _)| at);
    let Some(colon) = colons.find(|at| !before.is_char_boundary(at + 1) || ends_label(at)) else {
        return bare_label(reader, block, before);
    };
    let label = &before[..colon];
    let short =
        label.chars().count() <= 40 && !label.chars().next().is_some_and(|c| c.is_ascii_digit());
    let gap = before[colon..].chars().count() <= 24;
    if !short || !gap {
        return None;
    }
    let cues = reader.cx.times.cues().find(label, &reader.language);
    (!cues.is_empty()).then_some(cues)
}

/// A word that a short line opens with before its time: "Resolved 2025-10-13 18:56".
fn bare_label(reader: &Reader, block: &Block, before: &str) -> Option<Cues> {
    let word = before.split_whitespace().next()?;
    let dated = before.trim()[word.len()..].chars().any(char::is_alphabetic);
    if block.text.chars().count() > 40 || dated {
        return None;
    }
    let cues = reader.cx.times.cues().find(word, &reader.language);
    (!cues.is_empty()).then_some(cues)
}

/// A duration the page states for the whole incident: after a label, or in a sentence of impact; and
/// whether a label says so.
fn stated_duration(reader: &Reader) -> Option<(Told, bool)> {
    let mut in_text = None;
    for (i, block) in reader.blocks() {
        if block.kind == BlockKind::Preformatted
            || matches!(
                reader.section_of(i),
                Some(SectionKind::ActionItems | SectionKind::Lessons | SectionKind::Timeline)
            )
        {
            continue;
        }
        let Some(scan) = reader.scan(i) else { continue };
        for (bytes, elapsed) in scan.durations() {
            if elapsed.min != elapsed.max || elapsed.min < 60.0 {
                continue;
            }
            // What stands further before says nothing of this length.
            let from = block
                .text
                .floor_char_boundary(bytes.start.saturating_sub(240));
            let head = block.text[from..bytes.start].to_lowercase();
            let labelled = from == 0
                && head.chars().count() < 40
                && head.contains([':', '：'])
                && reader
                    .words(PageLabel::Length)
                    .any(|l| head.contains(l.as_str()));
            let value = Duration::from_seconds(elapsed.max as u64)?.to_string();
            if labelled {
                return Some((reader.told(i, bytes, value, "stated"), true));
            }
            let near: String = head
                .chars()
                .rev()
                .take(60)
                .collect::<Vec<_>>()
                .into_iter()
                .rev()
                .collect();
            let lasts = reader
                .words(PageLabel::Lasting)
                .any(|w| near.contains(w.as_str()));
            let known = || {
                let cues = reader.cx.times.cues().find(&head, &reader.language);
                !cues.has(Cue::Unknown)
            };
            if lasts && in_text.is_none() && elapsed.min >= 300.0 && known() {
                in_text = Some((reader.told(i, bytes, value, "stated"), false));
            }
        }
    }
    in_text
}
