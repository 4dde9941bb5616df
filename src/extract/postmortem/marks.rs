//! The times of a page with the words beside them, and which of them tells what.

use std::ops::Range;

use chrono::{DateTime, FixedOffset, NaiveDateTime};

use crate::model::Duration;
use crate::read::BlockKind;
use crate::time::Cues;
use crate::vocabulary::{Cue, SectionKind};

use super::Reader;

/// A time of the page with the words beside it.
#[derive(Clone)]
pub(super) struct Mark {
    pub block: usize,
    pub range: Range<usize>,
    pub local: NaiveDateTime,
    pub at: Option<DateTime<FixedOffset>>,
    pub cues: Cues,
    pub to_next: bool,
    /// It ends something: "until 10:45".
    pub until: bool,
    /// It is an event of a timeline.
    pub listed: bool,
    /// The words before the time are a label: "Outage start:".
    pub label: Option<Cues>,
}

/// Ranges of times on so many days make a log of incidents, which has no start and no end.
const LOG_DAYS: usize = 3;

/// Whether a page lists incidents, each with the range of its times.
pub(super) fn is_log(marks: &[Mark]) -> bool {
    let ranges = marks.iter().filter(|m| m.to_next);
    let mut days: Vec<_> = ranges.map(|m| m.local.date()).collect();
    days.dedup();
    let opens = marks.first().is_some_and(|m| m.to_next);
    opens && days.len() >= LOG_DAYS
}

/// A change that harmed no one yet.
pub(super) fn is_change(cues: Cues) -> bool {
    cues.has(Cue::Trigger) && !cues.has(Cue::Impact)
}

/// The mark at which the impact began, of marks in order.
pub(super) fn first_impact(marks: &[Mark]) -> Option<Mark> {
    let harm = |m: &&Mark| {
        m.cues.has(Cue::Impact) && !m.cues.has(Cue::Resolved) && !m.cues.has(Cue::Cause)
    };
    let first = marks.first()?;
    if first.until {
        return None;
    }
    if is_change(first.cues)
        && let Some(mark) = marks.iter().find(harm)
    {
        // What an alert or a user told first had begun before.
        let told = mark.cues.has(Cue::Detected) && !mark.cues.has(Cue::Start);
        return Some(mark.clone()).filter(|_| !told);
    }
    // The only time of a story that says nothing of a start is that of something else.
    if marks.len() == 1 && !first.cues.has(Cue::Start) && !first.cues.has(Cue::Impact) {
        return None;
    }
    // A timeline that opens with an alert or a report does not say when it began.
    let noticed = first.cues.has(Cue::Detected) && !first.cues.has(Cue::Start);
    if first.listed && noticed && !marks.iter().any(|m| m.cues.has(Cue::Start)) {
        return None;
    }
    if first.cues.has(Cue::Resolved)
        && !first.cues.has(Cue::Impact)
        && !first.cues.has(Cue::Start)
        && marks.len() == 1
    {
        return None;
    }
    Some(first.clone())
}

/// An event before the start from which the end is as far as the page says the incident lasted, where the start itself
/// is not.
pub(super) fn start_by_length(
    start: Option<&Mark>,
    end: Option<&Mark>,
    marks: &[Mark],
    length: Duration,
) -> Option<Mark> {
    let (start, end) = (start?, end?);
    let fits = |m: &Mark| {
        let computed = (end.local - m.local).num_seconds();
        let apart = u64::try_from(computed).map(|c| c.abs_diff(length.seconds()));
        apart.is_ok_and(|a| a <= (length.seconds() / 20).max(120))
    };
    let mut earlier = marks.iter().filter(|m| m.local < start.local);
    let found = earlier.find(|m| fits(m))?;
    (!fits(start)).then(|| found.clone())
}

/// The mark at which it was over.
pub(super) fn last_recovery(marks: &[Mark], start: Option<&Mark>) -> Option<Mark> {
    let over = |m: &&Mark| {
        let ends = m.cues.has(Cue::Resolved) || (m.until && m.cues.has(Cue::Impact));
        // Prose that tells how something was noticed tells of no end.
        let noticed = !m.listed && !m.until && m.cues.has(Cue::Detected);
        ends && !noticed
            && !m.cues.has(Cue::Backlog)
            && !m.cues.has(Cue::Cause)
            && start.is_none_or(|s| m.local > s.local)
    };
    // In a told story the recovery that is said to be whole; in a list the last one.
    let whole = |m: &&Mark| over(m) && m.cues.has(Cue::Full);
    let listed = marks.iter().all(|m| m.listed);
    // The paragraph that tells it may go on to what recovered after.
    let full = if listed {
        None
    } else {
        let first = marks.iter().find(whole);
        first.and_then(|f| marks.iter().rfind(|m| m.block == f.block && over(m)))
    };
    full.or_else(|| marks.iter().rfind(over)).cloned()
}

/// The end of the range that the start opens: "between 2:30 and 16:30".
pub(super) fn range_end(marks: &[Mark], start: Option<&Mark>) -> Option<Mark> {
    let start = start.filter(|s| s.to_next)?;
    let at = marks
        .iter()
        .position(|m| m.block == start.block && m.range == start.range)?;
    marks
        .get(at + 1)
        .filter(|m| m.block == start.block)
        .cloned()
}

/// Events of a timeline after its start among which the one that tells of the detection is looked for.
const SOON: usize = 2;

/// The mark at which it was noticed.
pub(super) fn first_notice(marks: &[Mark], start: Option<&Mark>) -> Option<Mark> {
    let start = start?;
    // In a timeline people are at work after a few events: who notices then notices something else.
    let since = marks
        .iter()
        .position(|m| m.block == start.block && m.range == start.range);
    let soon = match since {
        Some(at) if start.listed => &marks[at..marks.len().min(at + 1 + SOON)],
        _ => marks,
    };
    let notices = |m: &&Mark| {
        m.cues.has(Cue::Detected)
            && !m.cues.has(Cue::Resolved)
            && m.local >= start.local
            && (m.block != start.block || m.range != start.range)
    };
    soon.iter().find(notices).cloned()
}

/// A range of times in the first texts that tells of the impact: "from 16:58 to 18:46 UTC".
pub(super) fn lead_range(reader: &Reader, marks: &[Mark]) -> Option<(usize, usize)> {
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
pub(super) fn last_of_chain(marks: &[Mark], end: usize) -> usize {
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
pub(super) fn start_is_unknown(reader: &Reader) -> bool {
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
