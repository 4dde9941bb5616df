//! The day of publication.
//!
//! What a page says of itself outside its text comes first, then its address, then what stands at its
//! title. When a page was changed is no day of publication. A page that tells of an incident is full
//! of days that are not its own: of such a page only what is said to be the day of publication
//! counts. On any other page a day that stands nearest to the title is a good guess.

use chrono::NaiveDate;

use crate::read::{Block, BlockKind, Meta};
use crate::time::{Context, Day, DayAnswer, Expression};
use crate::vocabulary::PageLabel;

use super::identity::{meta, told_meta};
use super::{Reader, Told, day_in_name};

/// Metadata that is the day of publication.
const PUBLISHED: &[&str] = &[
    "article:published_time",
    "ld:datepublished",
    "og:published_time",
    "og:article:published_time",
    "article:published",
    "datepublished",
    "rnews:datepublished",
    "og:pubdate",
    "pubdate",
    "publishdate",
    "publish_date",
    "publish-date",
    "publication_date",
    "publication-date",
    "published_date",
    "published-date",
    "article_date_original",
    "article.published",
    "originalpublicationdate",
    "parsely-pub-date",
    "sailthru.date",
    "cxenseparse:recs:publishtime",
    "citation_publication_date",
    "citation_online_date",
    "dcterms.available",
    "dcterms.issued",
    "dc.date.issued",
    "dc.date.created",
    "dcterms.created",
    "timestamp",
    "post",
    "uploaddate",
    "ld:uploaddate",
    "time:published",
    "dated:published",
    "ld:datecreated",
];

/// Metadata that may be the day of the last change.
const DATED: &[&str] = &[
    "date",
    "dc.date",
    "dcterms.date",
    "og:date",
    "ob:date",
    "citation_date",
];

/// Metadata that is the day of the last change.
const CHANGED: &[&str] = &[
    "last-modified",
    "article:modified_time",
    "og:updated_time",
    "ld:datemodified",
    "time:changed",
    "dated:changed",
];

/// The day of publication.
pub(super) fn published(reader: &Reader) -> Option<Told> {
    let has_status = |m: &Meta| matches!(m.key.as_str(), "resolved" | "resolvedwhen" | "affected");
    let search = Search {
        reader,
        address: address(reader),
        title: reader
            .layout
            .title
            .or(reader.main.first().copied())
            .map_or(0, |i| source_start(reader.block(i))),
        // The file of an incident on a status page is dated by the incident.
        status: reader.page.meta.iter().any(has_status),
    };
    let strict = search
        .published()
        .or_else(|| search.in_address())
        .or_else(|| byline(reader));
    if reader.layout.incident || reader.page.containers.is_empty() {
        return strict
            .or_else(|| search.meta(DATED).filter(|_| !search.status))
            .or_else(|| search.only_time());
    }
    strict
        .or_else(|| search.in_scripts(&["datePublished"]))
        .or_else(|| search.beneath_title())
        .or_else(|| search.nearest(ELEMENTS, 6000))
        .or_else(|| search.near_title())
        .or_else(|| search.meta(DATED).filter(|told| !search.is_change(told)))
        .or_else(|| search.labelled())
        .or_else(|| search.in_scripts(SCRIPTED))
        .or_else(|| search.nearest(&["dated:published", "time:published"], usize::MAX))
        .or_else(|| search.nearest(&["dated", "time"], usize::MAX))
        .or_else(|| search.meta(DATED))
        .or_else(|| search.most_told())
        .or_else(|| search.in_picture())
        .or_else(|| search.any_instant())
}

/// Elements that say a day by what they are or by their class.
const ELEMENTS: &[&str] = &["dated", "time", "dated:published", "time:published"];

/// Members of scripts that hold the day of publication.
const SCRIPTED: &[&str] = &[
    "datePublished",
    "publishDate",
    "publishedDate",
    "publish_date",
    "published_at",
    "publishedAt",
    "publication_date",
    "pubDate",
    "datePosted",
    "publishdate",
    "broadcastedOn",
];

struct Search<'a, 'b> {
    reader: &'a Reader<'b>,
    /// The day in the address of the page, and where that stands.
    address: Option<(NaiveDate, &'a Meta)>,
    /// Where the title, or the text, starts in the decoded source.
    title: usize,
    status: bool,
}

fn source_start(block: &Block) -> usize {
    block.source_range(0..1).start
}

/// The day in the address that the page gives itself.
fn address<'a>(reader: &'a Reader) -> Option<(NaiveDate, &'a Meta)> {
    ["canonical", "og:url", "source", "url", "twitter:url"]
        .iter()
        .find_map(|key| {
            let found = meta(reader, &[key])?;
            // The address of an incident on a status page is dated by the incident.
            let of_incident =
                found.value.contains("/issues/") || found.value.contains("/incidents/");
            let day = day_in_name(&found.value).filter(|_| !of_incident)?;
            Some((day, found))
        })
}

impl Search<'_, '_> {
    /// The day that a text says, in digits or in words.
    fn day(&self, text: &str) -> Option<NaiveDate> {
        let text = text.trim();
        let iso = text
            .get(..10)
            .and_then(|head| head.parse::<NaiveDate>().ok());
        let compact = text.len() == 8 || text.as_bytes().get(8) == Some(&b'T');
        let plain = || {
            text.get(..8)
                .filter(|_| compact)?
                .parse::<u32>()
                .ok()
                .and_then(|n| {
                    NaiveDate::from_ymd_opt((n / 10_000).cast_signed(), n / 100 % 100, n % 100)
                })
        };
        let told =
            |language: &str| match self.reader.cx.times.scan(text, language).first_day(None)? {
                DayAnswer::Day(day) => Some(day),
                DayAnswer::Ambiguous(month_first, day_first) if !self.reader.layout.incident => {
                    Some(if self.american() {
                        month_first
                    } else {
                        day_first
                    })
                }
                _ => None,
            };
        let own = || told(&self.reader.language);
        let other = || {
            // A language that no words are known of: its names of months may be those of another.
            let unknown = self
                .reader
                .cx
                .languages
                .find(&self.reader.language)
                .is_none();
            let mut all = self.reader.cx.languages.iter().filter(|_| unknown);
            all.find_map(|l| told(&l.language))
        };
        let day = iso.or_else(plain).or_else(own).or_else(other);
        day.filter(|day| plausible(*day))
    }

    /// Whether the page is written where the month comes first.
    fn american(&self) -> bool {
        let locale = meta(self.reader, &["og:locale"]).map(|m| m.value.as_str());
        let declared = locale
            .or(self.reader.page.language.as_deref())
            .unwrap_or("en-US");
        declared.eq_ignore_ascii_case("en")
            || declared.to_ascii_lowercase().replace('_', "-") == "en-us"
    }

    fn told(&self, found: &Meta, day: NaiveDate) -> Told {
        told_meta(self.reader, found, day.to_string())
    }

    fn meta(&self, keys: &[&str]) -> Option<Told> {
        keys.iter().find_map(|key| {
            let all = self.reader.page.meta.iter().filter(|m| m.key == *key);
            let (found, day) = all.filter_map(|m| Some((m, self.day(&m.value)?))).next()?;
            Some(self.told(found, day))
        })
    }

    /// What the page says is the day of publication. An instant in UTC may be a day off from the
    /// local day that the address names.
    fn published(&self) -> Option<Told> {
        PUBLISHED.iter().find_map(|key| {
            if key.starts_with("time:") || key.starts_with("dated:") {
                return self.nearest(&[key], 6000);
            }
            let told = self.meta(&[key])?;
            let told = self.local(&told).unwrap_or(told);
            // A page published anew tells both days.
            let first = self.meta(&["ld:datepublished"]).filter(|other| {
                let days = [&other.value, &told.value].map(|v| v.parse::<NaiveDate>());
                matches!(days, [Ok(other), Ok(told)] if (told - other).num_days() > 1)
            });
            Some(first.unwrap_or(told))
        })
    }

    /// The local day of an instant in UTC, where the address or an element near the title says one:
    /// a day earlier by the early hours of UTC, a day later by the late ones.
    fn local(&self, told: &Told) -> Option<Told> {
        let quote = &told.evidence.quote;
        let utc = ["Z", "+00:00", "+0000"]
            .iter()
            .any(|end| quote.ends_with(end));
        let clock = quote.find('T').filter(|_| utc)? + 1;
        let hour: u32 = quote.get(clock..clock + 2)?.parse().ok()?;
        let day: NaiveDate = told.value.parse().ok()?;
        let fits = |local: NaiveDate| match (local - day).num_days() {
            -1 => hour < 9,
            1 => hour > 9,
            _ => false,
        };
        self.in_address()
            .into_iter()
            .chain(self.nearest(&["dated", "time"], 6000))
            .chain(self.meta(&["date"]))
            .find(|other| other.value.parse().is_ok_and(fits))
    }

    fn in_address(&self) -> Option<Told> {
        let (day, found) = self.address.filter(|(day, _)| plausible(*day))?;
        Some(self.told(found, day))
    }

    /// The element nearest to the title that says a day, no further from it than so many bytes.
    fn nearest(&self, keys: &[&str], within: usize) -> Option<Told> {
        let all = self
            .reader
            .page
            .meta
            .iter()
            .filter(|m| keys.contains(&m.key.as_str()));
        let near = all.filter_map(|m| {
            // What stands above the title is often the day on which the page was saved.
            let above = self.title.saturating_sub(m.source.start).saturating_mul(4);
            let distance = above + m.source.start.saturating_sub(self.title);
            Some((distance, m, self.day(&m.value)?))
        });
        let (distance, found, day) = near.min_by_key(|(distance, ..)| *distance)?;
        (distance <= within).then(|| self.told(found, day))
    }

    /// A `time` element that is the only one of the page.
    fn only_time(&self) -> Option<Told> {
        let mut times = self.reader.page.meta.iter().filter(|m| m.key == "time");
        let only = times.next().filter(|_| times.next().is_none())?;
        Some(self.told(only, self.day(&only.value)?))
    }

    /// Whether a day is that of the last change.
    fn is_change(&self, told: &Told) -> bool {
        self.meta(CHANGED)
            .is_some_and(|changed| changed.evidence.quote == told.evidence.quote)
    }

    /// The one day that a block tells, and where.
    fn day_of_block(&self, i: usize, longest: usize) -> Option<Told> {
        let block = self.reader.block(i);
        if block.text.chars().count() > longest || !block.text.bytes().any(|b| b.is_ascii_digit()) {
            return None;
        }
        let scan = self
            .reader
            .cx
            .times
            .scan(&block.text, &self.reader.language);
        let days = scan
            .mentions()
            .iter()
            .filter(|m| is_full_day(&m.expression));
        let range = days.map(|m| m.bytes.clone()).next()?;
        let day = self.day(&block.text[range.clone()])?;
        Some(self.reader.told(i, range, day.to_string(), "stated"))
    }

    /// A byline: a short block right beneath the title that tells a day, where no element does.
    fn beneath_title(&self) -> Option<Told> {
        let title = self.reader.layout.title?;
        let after = self.reader.page.meta.iter().any(|m| {
            let near = m.source.start.wrapping_sub(self.title) < 3000;
            near && ELEMENTS.contains(&m.key.as_str()) && self.day(&m.value).is_some()
        });
        let beneath = title + 1..(title + 4).min(self.reader.page.blocks.len());
        beneath
            .filter(|_| !after)
            .find_map(|i| self.day_of_block(i, 90))
    }

    /// A short block near the title that tells a day; rather below it than above.
    fn near_title(&self) -> Option<Told> {
        let title = self.reader.layout.title?;
        let all = self.reader.page.blocks.len();
        let below = title + 1..(title + 9).min(all);
        let above = title.saturating_sub(6)..title;
        below
            .chain(above.rev())
            .find_map(|i| self.day_of_block(i, 160))
    }

    /// A block that says that the page was published on a day.
    fn labelled(&self) -> Option<Told> {
        let labels = [PageLabel::Published, PageLabel::Dated];
        labels.iter().find_map(|label| {
            (0..self.reader.page.blocks.len()).find_map(|i| {
                let block = self.reader.block(i);
                if block.text.len() > 400 {
                    return None;
                }
                let lower = block.text.to_lowercase();
                let mut words = self.reader.words(*label);
                let says = words.any(|w| match label {
                    PageLabel::Dated => lower.starts_with(w.as_str()),
                    _ => lower.contains(w.as_str()),
                });
                says.then(|| self.day_of_block(i, 400)).flatten()
            })
        })
    }

    /// A member of a script that holds the day of publication: `"publishDate": "2020-04-13"`.
    fn in_scripts(&self, names: &[&str]) -> Option<Told> {
        let source = self.reader.page.decoded.text.as_str();
        names.iter().find_map(|name| {
            source.match_indices(name).take(8).find_map(|(at, _)| {
                let from = at + name.len();
                let rest = source
                    .get(from..)
                    .map(|rest| rest.get(..60).unwrap_or(rest))?;
                let digit = rest.find(|c: char| c.is_ascii_digit())?;
                let value = &rest[digit..];
                let end = value
                    .find(['"', '\'', '<', '&', ','])
                    .unwrap_or(value.len());
                let value = value[..end].replace("\\/", "/");
                let day = self.day(&value)?;
                let start = from + digit;
                let evidence = self
                    .reader
                    .evidence_of_source(&(start..start + end), &value);
                Some(Told {
                    value: day.to_string(),
                    evidence,
                    basis: "stated",
                })
            })
        })
    }

    /// Any metadata that is a day or an instant and nothing else, and not that of a change.
    fn any_instant(&self) -> Option<Told> {
        let other = ["modif", "updat", "expir", "valid", "birth", "end"];
        let all = self
            .reader
            .page
            .meta
            .iter()
            .filter(|m| !other.iter().any(|o| m.key.contains(o)));
        all.filter(|m| m.value.as_bytes().get(4) == Some(&b'-'))
            .find_map(|m| Some(self.told(m, self.day(m.value.get(..10)?)?)))
    }

    /// A day in the address of the picture that stands for the page.
    fn in_picture(&self) -> Option<Told> {
        let found = meta(self.reader, &["og:image", "twitter:image"])?;
        Some(self.told(found, day_in_name(&found.value)?))
    }

    /// The day that the page tells most often, the first of several.
    fn most_told(&self) -> Option<Told> {
        let told: Vec<Told> = (0..self.reader.page.blocks.len())
            .filter_map(|i| self.day_of_block(i, 200))
            .take(200)
            .collect();
        let count = |t: &Told| told.iter().filter(|o| o.value == t.value).count();
        let most = told.iter().map(count).max()?;
        told.iter().find(|t| count(t) == most).cloned()
    }
}

fn is_full_day(expression: &Expression) -> bool {
    matches!(expression, Expression::Day(r) if matches!(r.from, Day::Full(_)))
}

/// Whether a page on the web can have been published on a day.
fn plausible(day: NaiveDate) -> bool {
    use chrono::Datelike;
    (1993..2100).contains(&day.year())
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
            .filter(|m| is_full_day(&m.expression))
            .collect();
        let [day] = days.as_slice() else { continue };
        let rest = block.text.chars().count() - block.text[day.bytes.clone()].chars().count();
        let prose = block.text.trim_end().ends_with(['.', '。', '：', ':']);
        let under_title = match reader.layout.title {
            Some(title) => i > title && i <= title + 3,
            None => n < 4,
        };
        let dated = under_title
            && day.bytes.start < 4
            && rest < 100
            && !prose
            && !matches!(block.kind, BlockKind::Heading(_))
            && scan.mentions().len() == 1
            && reader.section_of(i).is_none()
            && !after_heading(reader, i);
        // Updates of a status page each say when they were posted.
        let updates = says
            && scan.first_time(&Context::default()).is_some()
            && reader.after(i).take(40).any(|(k, b)| {
                b.text.chars().count() < 60
                    && reader
                        .scan(k)
                        .is_some_and(|s| s.first_time(&Context::default()).is_some())
            });
        if (says && !updates) || dated {
            let answer = scan.first_day(None)?;
            if let DayAnswer::Day(value) = answer {
                return Some(reader.told(i, day.bytes.clone(), value.to_string(), "stated"));
            }
        }
    }
    None
}
