//! Start, detection and end of an incident that a paragraph tells.
//!
//! Each clock time gets the words of its own clause; cue words say what it is. The change that set an
//! incident off is not its start, and work after the end is not its end.

use chrono::{DateTime, FixedOffset, TimeDelta};

use crate::model::Duration;
use crate::vocabulary::{Cue, DayOrder, WordClass as W};

use super::cue::Cues;
use super::moment::{Context, Moment};
use super::reader::{Scan, TimeReader};

/// The times of an incident; what the text does not tell is absent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Span {
    /// Users began to be affected.
    pub start: Option<DateTime<FixedOffset>>,
    /// Someone or something noticed.
    pub detected: Option<DateTime<FixedOffset>>,
    /// It was over.
    pub resolved: Option<DateTime<FixedOffset>>,
    /// From the start to the detection.
    pub detected_after: Option<Duration>,
    /// From the start to the end, from the times or as stated.
    pub resolved_after: Option<Duration>,
}

/// What a clock time of the text is, by the words of its clause.
#[derive(Debug, Clone, Copy)]
struct Told {
    at: DateTime<FixedOffset>,
    cues: Cues,
    to_next: bool,
    range_end: bool,
}

/// Reads the span of an incident from a paragraph.
pub fn spans_of(text: &str, language: &str, context: &Context, reader: &TimeReader) -> Span {
    let scan = reader.scan(text, language);
    let moments = scan.moments(context);
    let clauses = clauses(&scan, &moments, reader, language);
    let mut told: Vec<Told> = Vec::new();
    for (k, (moment, cues)) in moments.iter().zip(&clauses).enumerate() {
        if let Some(at) = moment.at() {
            let range_end = k > 0 && moments[k - 1].to_next;
            told.push(Told {
                at,
                cues: *cues,
                to_next: moment.to_next,
                range_end,
            });
        }
    }
    let unknown_start = reader.cues().find(text, language).has(Cue::Unknown);
    let start = start_of(&told, unknown_start);
    let resolved = resolved_of(&told, start);
    let detected = detected_of(&told, &scan, reader, language, start);
    let after = |from: Option<DateTime<FixedOffset>>, to: Option<DateTime<FixedOffset>>| {
        let seconds = (to? - from?).num_seconds();
        Duration::from_seconds(u64::try_from(seconds).ok()?)
    };
    let stated = || stated_duration(&scan, reader, language);
    Span {
        start,
        detected,
        resolved,
        detected_after: after(start, detected),
        resolved_after: after(start, resolved).or_else(stated),
    }
}

/// The cues of each moment's clause.
pub(super) fn clauses(
    scan: &Scan,
    moments: &[Moment],
    reader: &TimeReader,
    language: &str,
) -> Vec<Cues> {
    let t = scan.tokens();
    let verb_last = t.lexicon.order == DayOrder::YearFirst;
    let mut bounds: Vec<(usize, usize)> = Vec::new();
    for (k, moment) in moments.iter().enumerate() {
        let before = if k == 0 {
            0
        } else {
            split(
                scan,
                moments[k - 1].end,
                moment.first,
                verb_last,
                moments[k - 1].to_next,
            )
        };
        bounds.push((before, t.all.len()));
        if k > 0 {
            bounds[k - 1].1 = before.max(moments[k - 1].end);
            if moments[k - 1].to_next {
                bounds[k - 1].1 = before;
            }
        }
    }
    let mut out = Vec::new();
    for k in 0..moments.len() {
        let (mut from, mut to) = bounds[k];
        // The sentence ends the clause.
        from = t.sentence_start(from, moments[k].first);
        to = t.sentence_end(moments[k].end, to);
        // A range shares its clause.
        if moments[k].to_next && k + 1 < moments.len() {
            to = t.sentence_end(moments[k + 1].end, bounds[k + 1].1);
        }
        if k > 0 && moments[k - 1].to_next {
            from = t.sentence_start(bounds[k - 1].0, moments[k - 1].first);
        }
        let cues = reader.cues();
        let before = cues.in_chars(t.chars(&(from..moments[k].first)), language);
        let rest = moments[k].end..to.max(moments[k].end);
        out.push(before.and(cues.in_chars(t.chars(&rest), language)));
    }
    out
}

/// Where the clause of one moment ends and that of the next begins.
fn split(scan: &Scan, from: usize, to: usize, verb_last: bool, range: bool) -> usize {
    let t = scan.tokens();
    if range {
        return from;
    }
    let divides = |i: usize| {
        t.sentence_ends(i, i + 1)
            || matches!(t.mark(i), Some(',' | ';' | '、' | '，' | '/' | '；'))
            || (!verb_last && t.is(i, W::And))
    };
    let connects = |i: usize| {
        verb_last
            && t.get(i + 1).is_some_and(|n| n.gap)
            && matches!(
                t.text(i).last(),
                Some('고' | '며' | '만' | '데' | '나' | '자')
            )
    };
    // The end of a sentence divides more than a comma does.
    let sentence = (from..to).rev().find(|i| t.sentence_ends(*i, i + 1));
    match sentence.or_else(|| (from..to).rev().find(|i| divides(*i) || connects(*i))) {
        Some(i) => i + 1,
        None if verb_last => to,
        // "by 14:52" and the verb before it go together.
        None => from,
    }
}

fn is_over(told: &Told) -> bool {
    told.cues.has(Cue::Resolved)
}

fn start_of(told: &[Told], unknown: bool) -> Option<DateTime<FixedOffset>> {
    let changes = |c: Cues| {
        c.has(Cue::Trigger) && !c.has(Cue::Impact) && !c.has(Cue::Start)
            || c.has(Cue::Trigger) && c.has(Cue::Start) && !c.has(Cue::Impact)
    };
    let starts = |x: &&Told| {
        (x.cues.has(Cue::Impact) || x.cues.has(Cue::Start))
            && !changes(x.cues)
            && (!is_over(x) || x.cues.has(Cue::Start) || x.to_next)
            && !x.cues.has(Cue::Backlog)
    };
    let first = told.first()?;
    let harmed = told.iter().any(|x| x.cues.has(Cue::Impact) && !is_over(x));
    if changes(first.cues)
        && harmed
        && let Some(x) = told.iter().find(starts)
    {
        return Some(x.at);
    }
    if is_over(first)
        && !first.to_next
        && !first.cues.has(Cue::Start)
        && !first.cues.has(Cue::Impact)
    {
        return None;
    }
    if unknown && told.len() == 1 && is_over(first) {
        return None;
    }
    Some(first.at)
}

fn resolved_of(
    told: &[Told],
    start: Option<DateTime<FixedOffset>>,
) -> Option<DateTime<FixedOffset>> {
    let later = |x: &&Told| start.is_none_or(|s| x.at > s);
    let over = |x: &&Told| {
        is_over(x)
            && !(x.cues.has(Cue::Backlog)
                && told.iter().any(|o| is_over(o) && !o.cues.has(Cue::Backlog)))
    };
    let last = told.iter().filter(later).rfind(over);
    if let Some(x) = last {
        return Some(x.at);
    }
    // From A to B: B is the end.
    told.iter()
        .filter(later)
        .rfind(|x| x.range_end && !x.cues.has(Cue::Trigger))
        .map(|x| x.at)
}

fn detected_of(
    told: &[Told],
    scan: &Scan,
    reader: &TimeReader,
    language: &str,
    start: Option<DateTime<FixedOffset>>,
) -> Option<DateTime<FixedOffset>> {
    let notices = |x: &&Told| {
        x.cues.has(Cue::Detected) && !x.cues.has(Cue::Cause) && !x.to_next && !x.range_end
    };
    let first_is_only =
        |x: &Told| Some(x.at) == start && !(x.cues.has(Cue::Impact) && x.cues.has(Cue::Detected));
    let direct = told
        .iter()
        .filter(|x| start.is_none_or(|s| x.at >= s))
        .filter(notices)
        .find(|x| !first_is_only(x));
    if let Some(x) = direct {
        return Some(x.at);
    }
    // "Monitoring spotted it within one minute".
    let start = start?;
    let t = scan.tokens();
    for mention in scan.mentions() {
        let super::Expression::Elapsed(elapsed) = mention.expression else {
            continue;
        };
        let sentence = t.sentence_around(mention.first, mention.end);
        let has_clock = scan.mentions().iter().any(|m| {
            sentence.contains(&m.first) && matches!(m.expression, super::Expression::Clock(_))
        });
        let cues = reader.cues().in_chars(t.chars(&sentence), language);
        if cues.has(Cue::Detected)
            && !cues.has(Cue::Resolved)
            && !has_clock
            && elapsed.min == elapsed.max
        {
            return start.checked_add_signed(TimeDelta::seconds(elapsed.min as i64));
        }
    }
    None
}

fn stated_duration(scan: &Scan, reader: &TimeReader, language: &str) -> Option<Duration> {
    let t = scan.tokens();
    scan.mentions().iter().find_map(|mention| {
        let super::Expression::Elapsed(elapsed) = mention.expression else {
            return None;
        };
        let sentence = t.sentence_around(mention.first, mention.end);
        let cues = reader.cues().in_chars(t.chars(&sentence), language);
        let tells = (cues.has(Cue::Resolved) || cues.has(Cue::Impact))
            && !(cues.has(Cue::Detected) && !cues.has(Cue::Resolved) && !cues.has(Cue::Impact));
        (tells && elapsed.min >= 60.0)
            .then(|| Duration::from_seconds(elapsed.max as u64))
            .flatten()
    })
}
