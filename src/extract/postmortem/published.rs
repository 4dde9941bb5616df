//! The day of publication.

use crate::read::{BlockKind, Meta};
use crate::time::{Day, DayAnswer, Expression};
use crate::vocabulary::PageLabel;

use super::identity::{meta, told_meta};
use super::{Reader, Told, day_in_name};

/// The day of publication: metadata first, then the address, a byline, a lone day under the title.
/// When a page was changed is no day of publication.
pub(super) fn published(reader: &Reader) -> Option<Told> {
    const KEYS: [&str; 17] = [
        "ld:datepublished",
        "article:published_time",
        "og:published_time",
        "datepublished",
        "dc.date",
        "dcterms.created",
        "dc.date.issued",
        "date",
        "post",
        "timestamp",
        "pubdate",
        "publishdate",
        "publish_date",
        "parsely-pub-date",
        "sailthru.date",
        "time:published",
        "ld:datecreated",
    ];
    // The file of an incident on a status page is dated by the incident.
    let status = reader
        .page
        .meta
        .iter()
        .any(|m| matches!(m.key.as_str(), "resolved" | "resolvedwhen" | "affected"));
    for key in KEYS {
        let Some(found) = meta(reader, &[key]) else {
            continue;
        };
        if status && key == "date" {
            continue;
        }
        let scan = reader.cx.times.scan(&found.value, &reader.language);
        if let Some(DayAnswer::Day(day)) = scan.first_day(None) {
            return Some(told_meta(reader, found, day.to_string()));
        }
    }
    for key in ["canonical", "og:url", "source", "url"] {
        let Some(found) = meta(reader, &[key]) else {
            continue;
        };
        // The address of an incident on a status page is dated by the incident.
        let of_incident = found.value.contains("/issues/") || found.value.contains("/incidents/");
        if let Some(day) = day_in_name(&found.value).filter(|_| !of_incident) {
            return Some(told_meta(reader, found, day.to_string()));
        }
    }
    let page_says = byline(reader);
    if page_says.is_some() {
        return page_says;
    }
    let times: Vec<&Meta> = reader
        .page
        .meta
        .iter()
        .filter(|m| m.key == "time")
        .collect();
    if let [only] = times.as_slice() {
        let scan = reader.cx.times.scan(&only.value, "en");
        if let Some(DayAnswer::Day(day)) = scan.first_day(None) {
            return Some(told_meta(reader, only, day.to_string()));
        }
    }
    None
}

/// Whether the block before is a heading below the title: the line belongs to it.
fn after_heading(reader: &Reader, block: usize) -> bool {
    let before = reader.before(block);
    before.is_some_and(|b| matches!(b.kind, BlockKind::Heading(level) if level > 1))
}

/// "Posted on: 2014-05-07"; a short line of day and author before the text.
fn byline(reader: &Reader) -> Option<Told> {
    for (n, (i, block)) in reader.blocks().take(14).enumerate() {
        if block.text.chars().count() > 140
            || matches!(
                block.kind,
                BlockKind::Row | BlockKind::Item(_) | BlockKind::Preformatted
            )
        {
            continue;
        }
        let lower = block.text.to_lowercase();
        let head = lower.trim_start_matches(['*', '_', ' ']);
        let says = reader
            .words(PageLabel::Published)
            .any(|w| head.starts_with(w.as_str()));
        let scan = reader.cx.times.scan(&block.text, &reader.language);
        let days: Vec<_> = scan
            .mentions()
            .iter()
            .filter(
                |m| matches!(m.expression, Expression::Day(r) if matches!(r.from, Day::Full(_))),
            )
            .collect();
        let [day] = days.as_slice() else { continue };
        let rest = block.text.chars().count() - block.text[day.bytes.clone()].chars().count();
        let prose = block.text.trim_end().ends_with(['.', '。', '：', ':']);
        let dated = n < 4
            && day.bytes.start < 4
            && rest < 100
            && !prose
            && !matches!(block.kind, BlockKind::Heading(_))
            && scan.mentions().len() == 1
            && reader.section_of(i).is_none()
            && !after_heading(reader, i);
        if says || dated {
            let answer = scan.first_day(None)?;
            if let DayAnswer::Day(value) = answer {
                return Some(reader.told(i, day.bytes.clone(), value.to_string(), "stated"));
            }
        }
    }
    None
}
