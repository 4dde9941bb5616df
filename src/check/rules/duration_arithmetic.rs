//! Durations agree with the times they are counted between.

use crate::check::context::Context;
use crate::check::evidence::{Evidence, ReadPage, ReadText};
use crate::check::rule::{Check, Hits, Rule};
use crate::facts::ClockTime;
use crate::finding::Level;
use crate::model::Duration;
use crate::read::RecordFile;
use crate::time::{Expression, Moment, Qualifier};

pub(super) const RULE: Rule = Rule {
    id: "duration-arithmetic",
    level: Level::Warning,
    why: "A duration that the times beside it do not give was miscounted, or one of the times is wrong.",
    bad: r##"{"normalized/IL-0001.json":{"id":"IL-0001","date":"2021-03-04","timeline":{"detected_after":null,"resolved_after":"6h 25m"}},"raw/IL-0001/page.txt":"Outage of the queue\n\nThe impact started at 14:45 UTC on March 4, 2021 and was fully resolved at 21:37 UTC."}"##,
    good: r##"{"normalized/IL-0001.json":{"id":"IL-0001","date":"2021-03-04","timeline":{"detected_after":null,"resolved_after":"6h 52m"}},"raw/IL-0001/page.txt":"Outage of the queue\n\nThe impact started at 14:45 UTC on March 4, 2021 and was fully resolved at 21:37 UTC."}"##,
    check: Check::Evidence(check),
};

fn check(record: &RecordFile, evidence: &Evidence<'_>, _: &Context<'_>, hits: &mut Hits) {
    let timeline = &record.case.timeline;
    for (field, duration) in [
        ("detected_after", timeline.detected_after),
        ("resolved_after", timeline.resolved_after),
    ] {
        if let Some(duration) = duration {
            check_timeline(field, duration, evidence, hits);
        }
    }
    for (pointer, read) in &evidence.texts {
        check_ranges(pointer, read, evidence, hits);
    }
}

/// A duration of the timeline is stated by a page, or lies between two of its times, one of which is the start or
/// the end of the impact.
fn check_timeline(field: &str, duration: Duration, evidence: &Evidence<'_>, hits: &mut Hits) {
    let seconds = duration.seconds() as f64;
    let pages = &evidence.pages;
    let told = |page: &ReadPage| {
        page.telling.states_length(seconds)
            || claims(page, field).any(|claimed| claimed == duration.to_string())
            || lies_between(page, duration)
    };
    // A page without clock times says nothing against a duration; `ungrounded-fact` is about texts.
    let counted = |page: &ReadPage| page.telling.clocks().len() > 1;
    if !pages.iter().any(counted) || pages.iter().any(told) {
        return;
    }
    let read = pages
        .iter()
        .find_map(|p| claims(p, field).next().map(|c| (c, p)));
    let message = match read {
        Some((claimed, page)) => format!(
            "no raw page gives {duration} for `timeline.{field}`; {} gives {claimed}",
            page.file
        ),
        None => format!(
            "no raw page states {duration}, and no two of their times are that far apart from the start or the end of the impact"
        ),
    };
    hits.push(format!("/timeline/{field}"), message).help = Some(
        "count it again from the start of the impact; `incidentlib explain ID timeline` shows what the pages give"
            .to_owned(),
    );
}

/// What the extractors read for a field of the timeline.
fn claims<'p>(page: &'p ReadPage, field: &str) -> impl Iterator<Item = String> + 'p {
    let pointer = format!("/timeline/{field}");
    let claims = page.extracted.draft.iter().flat_map(|d| &d.claims);
    let claims = claims.filter(move |c| c.pointer.as_str() == pointer);
    claims.filter_map(|c| c.value.as_str()).map(str::to_owned)
}

fn lies_between(page: &ReadPage, duration: Duration) -> bool {
    let minutes = duration.seconds() / 60 % 1440;
    // Clock times are told to the minute.
    let Some(story) = page
        .extracted
        .story
        .as_ref()
        .filter(|_| duration.seconds().is_multiple_of(60))
    else {
        return false;
    };
    let minute_of = |told: &Option<crate::extract::Told>| {
        let (_, time) = told.as_ref()?.value.split_once('T')?;
        let (hour, minute) = (time.get(..2)?, time.get(3..5)?);
        Some(hour.parse::<u64>().ok()? * 60 + minute.parse::<u64>().ok()?)
    };
    let (start, end) = (minute_of(&story.start), minute_of(&story.end));
    let mut clocks = page.telling.clocks().iter().map(|c| u64::from(c.minutes));
    clocks.any(|at| {
        start.is_some_and(|start| (at + 1440 - start) % 1440 == minutes)
            || end.is_some_and(|end| (end + 1440 - at) % 1440 == minutes)
    })
}

/// Bytes between a range of times and the duration that is said of it.
const REACH: usize = 24;

/// `from 14:45 to 21:37 (6h 52m)`: the duration beside a range of two clock times is that between them.
fn check_ranges(pointer: &str, read: &ReadText, evidence: &Evidence<'_>, hits: &mut Hits) {
    let (text, scan) = (read.text(), read.scan());
    let moments = scan.moments(&evidence.around.context);
    let pairs = moments.windows(2).filter(|pair| pair[0].to_next);
    for pair in pairs {
        let (from, to) = (&pair[0], &pair[1]);
        let beside = scan.mentions().iter().find_map(|m| match m.expression {
            Expression::Elapsed(e) if e.qualifier == Qualifier::Exact && e.min == e.max => {
                let near = m.bytes.start >= to.bytes.end
                    && m.bytes.start - to.bytes.end <= REACH
                    && !text[to.bytes.end..m.bytes.start].contains(['.', ';', '\n', '。']);
                near.then(|| (e.min, &text[m.bytes.clone()]))
            }
            _ => None,
        });
        let (Some((stated, words)), Some(between)) = (beside, between(from, to)) else {
            continue;
        };
        if !fits(stated, between) {
            let message = format!(
                "`{}` is said of the time from `{}` to `{}`, which is {}",
                words.trim(),
                text[from.bytes.clone()].trim(),
                text[to.bytes.clone()].trim(),
                Duration::from_seconds(between)
                    .map_or("no time at all".to_owned(), |d| d.to_string())
            );
            let found = hits.push(pointer, message);
            found.quote = Some(words.trim().to_owned());
            found.help = Some("correct the duration or the times".to_owned());
        }
    }
}

/// Seconds from one clock time to the next that shows the other.
fn between(from: &Moment, to: &Moment) -> Option<u64> {
    let (a, b) = (ClockTime::of(from), ClockTime::of(to));
    let whole = !a.half_open && !b.half_open;
    if let (Some(from), Some(to)) = (from.at(), to.at()) {
        return u64::try_from((to - from).num_seconds()).ok();
    }
    let zones = a.zone.is_none() || b.zone.is_none() || a.zone == b.zone;
    (whole && zones).then(|| u64::from((b.minutes + 1440 - a.minutes) % 1440) * 60)
}

/// Whether a stated length is a length between two times, as far as it is told: whole hours may be rounded to.
fn fits(stated: f64, between: u64) -> bool {
    let off = (stated - between as f64).abs();
    let room = if stated % 3600.0 == 0.0 { 1800.0 } else { 60.0 };
    off <= room || off % 86_400.0 == 0.0
}
