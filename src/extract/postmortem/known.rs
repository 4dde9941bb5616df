//! What is known of a page before its times are read: publication, zone, year, a first day.

use chrono::{Datelike, NaiveDate};

use crate::read::{Block, BlockKind};
use crate::time::{Context, Day, Expression, Zone, resolve_day};
use crate::vocabulary::PageLabel;

use super::{Reader, day_in_name};

/// What is known of the page before its times are read; each is found once.
pub(super) struct Known {
    /// The day of publication.
    pub published: Option<NaiveDate>,
    /// The day of writing, or the end of a year that the page names somewhere.
    pub written: Option<NaiveDate>,
    /// A day told in the title.
    pub title_day: Option<NaiveDate>,
    /// A day told in the title or in the first texts.
    pub first_day: Option<NaiveDate>,
    /// The day of times that name none, where the page says so once for all.
    pub usual_day: Option<NaiveDate>,
    /// The zone of times that name none, where the page says so once for all.
    zone: Option<Zone>,
}

impl Known {
    pub(super) fn new(reader: &Reader, published: Option<NaiveDate>, title: Option<&str>) -> Self {
        let written = published.or_else(|| year_of_page(reader));
        let title_day = title.and_then(|title| {
            let scan = reader.cx.times.scan(title, &reader.language);
            let mut days = scan
                .days()
                .filter(|(bytes, _)| !reader.is_update(&title[..bytes.start]));
            days.find_map(|(_, day)| resolve(day, written))
        });
        let name_day = || day_in_name(&reader.page.file);
        let first_day = title_day
            .or_else(|| first_text_day(reader, published, written))
            .or(published)
            .or_else(name_day);
        let notes = general_notes(reader);
        Self {
            published,
            written,
            title_day,
            first_day,
            usual_day: usual_day(reader, &notes, written),
            zone: zone_of_page(reader, &notes),
        }
    }

    /// What a block is read with, after a day that was told before it.
    pub(super) fn context(&self, day: Option<NaiveDate>) -> Context {
        Context {
            written: self.written,
            day,
            zone: self.zone,
            hint: None,
        }
    }
}

/// The blocks that say what holds for all times of the page: "all times are in UTC".
fn general_notes(reader: &Reader) -> Vec<usize> {
    let says = |block: &Block| {
        let lower = block.text.to_lowercase();
        let mut words = reader.words(PageLabel::Zone);
        words.any(|w| lower.contains(w.as_str()))
    };
    let notes = reader.blocks().filter(|(_, b)| says(b));
    notes.map(|(i, _)| i).collect()
}

/// The day told in such a note: "unless noted, all times are of 2019-10-21, in UTC".
fn usual_day(reader: &Reader, notes: &[usize], written: Option<NaiveDate>) -> Option<NaiveDate> {
    let short = |i: &&usize| {
        let block = reader.block(**i);
        block.kind == BlockKind::Paragraph && block.text.len() < 300
    };
    let mut scans = notes.iter().filter(short).filter_map(|i| reader.scan(*i));
    scans.find_map(|scan| scan.days().find_map(|(_, day)| resolve(day, written)))
}

/// The zone told in such a note.
fn zone_of_page(reader: &Reader, notes: &[usize]) -> Option<Zone> {
    let scans = notes.iter().filter_map(|i| reader.scan(*i));
    let mut mentions = scans.flat_map(|scan| scan.mentions());
    mentions.find_map(|m| match m.expression {
        Expression::Zone(zone) => Some(zone),
        Expression::Clock(clock) => clock.zone,
        _ => None,
    })
}

/// The first day told in the first texts that is not the day of publication.
fn first_text_day(
    reader: &Reader,
    published: Option<NaiveDate>,
    written: Option<NaiveDate>,
) -> Option<NaiveDate> {
    let texts = reader
        .blocks()
        .filter(|(_, b)| b.kind != BlockKind::Preformatted)
        .take(30);
    let scans = texts.filter_map(|(i, _)| reader.scan(i));
    let mut days = scans.flat_map(|scan| scan.days().map(|(_, day)| day));
    days.find_map(|day| resolve(day, written).filter(|d| Some(*d) != published))
}

/// The end of the year that most days of the text have; else of the one in the name of the file.
fn year_of_page(reader: &Reader) -> Option<NaiveDate> {
    let year_end = |year: i32| NaiveDate::from_ymd_opt(year, 12, 31);
    let mut years: Vec<(i32, usize)> = Vec::new();
    for (_, day) in reader.scans.iter().flatten().flat_map(|s| s.days()) {
        let year = match day {
            Day::Full(day) => day.year(),
            Day::Month(year, _) | Day::Year(year) => year,
            _ => continue,
        };
        match years.iter_mut().find(|(y, _)| *y == year) {
            Some((_, count)) => *count += 1,
            None => years.push((year, 1)),
        }
    }
    let most = years.iter().map(|(_, count)| *count).max();
    match years.iter().find(|(_, count)| Some(*count) == most) {
        Some((year, _)) => year_end(*year),
        None => {
            day_in_name(&reader.page.file).or_else(|| year_end(year_in_name(&reader.page.file)?))
        }
    }
}

/// A year in the name of the file.
fn year_in_name(name: &str) -> Option<i32> {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let mut years = name
        .split(|c: char| !c.is_ascii_digit())
        .filter(|p| p.len() == 4)
        .filter_map(|p| p.parse().ok());
    years.find(|y| (1990..2100).contains(y))
}

/// A day that does not count from another one.
pub(super) fn resolve(day: Day, written: Option<NaiveDate>) -> Option<NaiveDate> {
    match day {
        Day::Relative(_) | Day::Weekday(_) | Day::OfMonth(_) => None,
        day => resolve_day(day, written),
    }
}
