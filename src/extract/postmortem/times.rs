//! Start, detection and end of the impact: from labels, the lead, the timeline, the prose.

use std::ops::Range;

use chrono::NaiveDateTime;

use crate::finding::{Finding, Level};
use crate::model::Duration;
use crate::read::{Block, BlockKind};
use crate::time::{Cues, Day, Moment, resolve_day};
use crate::vocabulary::{Cue, PageLabel, SectionKind};

use super::events::{Events, lone_day};
use super::identity::{meta, told_meta};
use super::known::{Known, resolve};
use super::marks::{
    Mark, first_impact, first_notice, is_change, is_log, last_recovery, range_end, start_by_length,
};
use super::{Reader, Story, Told};

/// Fills in the times of a story.
pub(super) fn read_times(reader: &Reader, known: &Known, events: &Events, story: &mut Story) {
    let byline = story.published.as_ref().map(|p| p.evidence.span.clone());
    let marks = marks(reader, known, byline.as_ref());
    let labelled = |cue: Cue| {
        marks
            .iter()
            .find(move |m| m.label.is_some_and(|l| l.has(cue)))
    };
    if is_log(&marks) {
        return;
    }
    let lead = lead_range(reader, &marks);
    // A digest of labelled times is read as labels.
    let told = events.list.iter().filter(|e| !e.trails);
    let timeline: Vec<Mark> = told
        .filter_map(|e| {
            let local = e.local?;
            (e.event.doubt != Some("no time of day is named")).then(|| Mark {
                block: e.block,
                range: e.range.clone(),
                local,
                at: None,
                cues: e.cues,
                to_next: false,
                until: false,
                listed: true,
                label: None,
            })
        })
        .collect();
    let (mut start, mut end, mut detected) = (None, None, None);
    if let Some((a, b)) = lead {
        start = Some(marks[a].clone());
        end = Some(marks[last_of_chain(&marks, b)].clone());
    }
    let start_label = marks.iter().find(|m| {
        m.label
            .is_some_and(|l| l.has(Cue::Start) && !l.has(Cue::Detected))
    });
    if let Some(mark) = start_label {
        start = Some(mark.clone());
    }
    if let Some(mark) = labelled(Cue::Resolved) {
        let last = marks.iter().rfind(|m| {
            m.label
                .is_some_and(|l| l.has(Cue::Resolved) && !l.has(Cue::Backlog))
        });
        end = Some(last.unwrap_or(mark).clone());
    }
    if let Some(mark) = labelled(Cue::Detected) {
        detected = Some(mark.clone());
    }
    let detection_labelled = detected.is_some();
    let told_range = start.is_some() && end.is_some();
    let story_of = if timeline.len() >= 2 {
        timeline
    } else {
        marks
            .iter()
            .filter(|m| m.label.is_none())
            .cloned()
            .collect()
    };
    if start.is_none() {
        start = first_impact(&story_of);
    }
    if end.is_none() {
        end = last_recovery(&story_of, start.as_ref());
    }
    if end.is_none() {
        end = range_end(&marks, start.as_ref());
    }
    if detected.is_none() {
        detected = first_notice(&story_of, start.as_ref());
    }
    // Updates with the newest on top are notices: the first of them is when it was told.
    let first = events.list.first();
    let notices =
        events.updates || (events.newest_first && !first.is_some_and(|e| e.cues.has(Cue::Start)));
    // So it is with events whose times contradict the order they stand in.
    let unsure = notices || !events.in_order;
    let by_notice = start.as_ref().is_some_and(|s| s.listed) && unsure;
    if (by_notice || start_is_unknown(reader)) && start_label.is_none() {
        start = None;
        detected = None;
    }
    // "First detected" is when it was seen, not how long that took.
    if let (Some(s), Some(d)) = (&start, &detected)
        && detection_labelled
        && s.local == d.local
    {
        detected = None;
    }
    if let (Some(s), Some(e)) = (&start, &end)
        && e.local <= s.local
    {
        end = None;
    }
    let stated = stated_duration(reader);
    if let (Some((length, false)), false) = (&stated, told_range || start_label.is_some())
        && let Ok(length) = length.value.parse()
        && let Some(earlier) = start_by_length(start.as_ref(), end.as_ref(), &story_of, length)
    {
        if !detection_labelled {
            detected = first_notice(&story_of, Some(&earlier));
        }
        start = Some(earlier);
    }
    let told = |mark: &Mark| {
        let value = mark.local.format("%Y-%m-%dT%H:%M").to_string();
        reader.told(mark.block, mark.range.clone(), value, "stated")
    };
    story.start = start.as_ref().map(&told);
    story.end = end.as_ref().map(&told);
    let between = |a: &Mark, b: &Mark| {
        let seconds = match (a.at, b.at) {
            (Some(x), Some(y)) => (y - x).num_seconds(),
            _ => (b.local - a.local).num_seconds(),
        };
        Duration::from_seconds(u64::try_from(seconds).ok()?)
    };
    if let (Some(s), Some(d)) = (&start, &detected) {
        story.detected_after = between(s, d).map(|d2| {
            reader.told(
                d.block,
                d.range.clone(),
                d2.to_string(),
                "derived from the start and the detection",
            )
        });
    }
    if let (Some((stated, _)), Some(from), Some(to)) = (&stated, &story.start, &story.end)
        && let (Some(s), Some(e)) = (&start, &end)
        && let Some(computed) = between(s, e)
    {
        story
            .findings
            .extend(difference(reader, stated, (from, to), computed));
    }
    // A length that the page labels as that of the incident says more than times taken from a list.
    let (stated, labelled_length) = match stated {
        Some((told, labelled)) => (Some(told), labelled),
        None => (None, false),
    };
    story.resolved_after = match (&start, &end) {
        _ if labelled_length && !told_range => stated,
        (Some(s), Some(e)) => between(s, e)
            .map(|d| {
                reader.told(
                    e.block,
                    e.range.clone(),
                    d.to_string(),
                    "derived from the start and the end",
                )
            })
            .or(stated),
        _ => stated,
    };
    // The file of an incident on a status page says its times in its head.
    if let (Some(resolved), Some(begun)) =
        (meta(reader, &["resolvedwhen"]), meta(reader, &["date"]))
    {
        let read = |text: &str| {
            text.trim()
                .get(..16)
                .and_then(|t| NaiveDateTime::parse_from_str(t, "%Y-%m-%dT%H:%M").ok())
        };
        if let (Some(a), Some(b)) = (read(&begun.value), read(&resolved.value.replace(' ', "T"))) {
            let say = |meta, value| told_meta(reader, meta, value);
            story.start = Some(say(begun, a.format("%Y-%m-%dT%H:%M").to_string()));
            story.end = Some(say(resolved, b.format("%Y-%m-%dT%H:%M").to_string()));
            let seconds = u64::try_from((b - a).num_seconds()).ok();
            story.resolved_after = seconds
                .and_then(Duration::from_seconds)
                .map(|d| say(resolved, d.to_string()));
        }
    }
    story.incident_date = incident_date(reader, known, start.as_ref(), story);
    // Of updates the oldest, which stands last, is of the day it began; so is the earliest of events out of order.
    let by_events = events.newest_first || !events.in_order;
    if let (None, true, Some(first)) = (&start, by_events, first)
        && let Some(local) = first.local
        && known.title_day.is_none()
    {
        let day = local.date().to_string();
        story.incident_date = Some(reader.told(first.block, first.range.clone(), day, "stated"));
    }
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
            if let Some(day) = value.filter(|_| !by_itself && !updated) {
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

/// A range of times in the first texts that tells of the impact: "from 16:58 to 18:46 UTC".
fn lead_range(reader: &Reader, marks: &[Mark]) -> Option<(usize, usize)> {
    let early: Vec<usize> = reader
        .blocks()
        .filter(|(_, b)| !matches!(b.kind, BlockKind::Heading(_)))
        .take(6)
        .map(|(i, _)| i)
        .collect();
    (0..marks.len().saturating_sub(1)).find_map(|k| {
        let mark = &marks[k];
        let told = matches!(
            reader.section_of(mark.block),
            Some(SectionKind::Summary | SectionKind::Impact)
        ) || early.contains(&mark.block);
        let fits = mark.to_next
            && !is_change(mark.cues)
            && !mark.cues.has(Cue::Cause)
            && marks[k + 1].block == mark.block;
        (told && fits).then_some((k, k + 1))
    })
}

/// The end of the last of several ranges that go on where the one before ends: "from 9 to 11. From 11 to 1:30".
fn last_of_chain(marks: &[Mark], end: usize) -> usize {
    let mut end = end;
    while let [from, to, ..] = &marks[end + 1..] {
        let goes_on =
            from.to_next && from.local == marks[end].local && from.block == marks[end].block;
        if !goes_on || to.local <= from.local || from.cues.has(Cue::Backlog) {
            break;
        }
        end += 2;
    }
    end
}

/// Whether the summary says that no one knows when it began.
fn start_is_unknown(reader: &Reader) -> bool {
    let told = |i: usize, n: usize| {
        n < 4
            || matches!(
                reader.section_of(i),
                Some(SectionKind::Summary | SectionKind::Impact)
            )
    };
    reader.blocks().enumerate().any(|(n, (i, block))| {
        told(i, n)
            && block.text.split(['.', '。']).any(|sentence| {
                let cues = reader.cx.times.cues().find(sentence, &reader.language);
                cues.has(Cue::Unknown) && cues.has(Cue::Start)
            })
    })
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
            let cues = reader.cx.times.cues().find(&head, &reader.language);
            let lasts = !cues.has(Cue::Unknown)
                && reader
                    .words(PageLabel::Lasting)
                    .any(|w| near.contains(w.as_str()));
            if lasts && in_text.is_none() && elapsed.min >= 300.0 {
                in_text = Some((reader.told(i, bytes, value, "stated"), false));
            }
        }
    }
    in_text
}
