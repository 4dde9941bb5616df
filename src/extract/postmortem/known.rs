//! What is known of a page before its times are read: publication, zone, year.

use chrono::{Datelike, NaiveDate};

use crate::read::BlockKind;
use crate::time::{Day, Expression, Zone, resolve_day};

use super::events::zone_of_page;
use super::{Reader, day_in_name};

/// What is known of the page before its times are read.
pub(super) struct Known {
    pub published: Option<NaiveDate>,
    pub title: Option<String>,
}

impl Known {
    /// The zone of times that name none, where the page says so once for all.
    pub(super) fn zone(&self, reader: &Reader) -> Option<Zone> {
        zone_of_page(reader)
    }

    /// A day told in the title or, with a year, in the first texts.
    pub(super) fn first_day(&self, reader: &Reader) -> Option<NaiveDate> {
        if let Some(day) = self.title_day(reader) {
            return Some(day);
        }
        for (i, _) in reader
            .blocks()
            .filter(|(_, b)| b.kind != BlockKind::Preformatted)
            .take(30)
        {
            let Some(scan) = reader.scan(i) else { continue };
            for mention in scan.mentions() {
                if let Expression::Day(range) = mention.expression {
                    let day = resolve(range.from, self.year_context(reader));
                    if let Some(day) = day.filter(|d| Some(*d) != self.published) {
                        return Some(day);
                    }
                }
            }
        }
        self.published.or_else(|| day_in_name(&reader.page.file))
    }

    pub(super) fn title_day(&self, reader: &Reader) -> Option<NaiveDate> {
        let title = self.title.as_ref()?;
        let scan = reader.cx.times.scan(title, &reader.language);
        scan.mentions().iter().find_map(|m| match m.expression {
            Expression::Day(range) => resolve(range.from, self.year_context(reader)),
            _ => None,
        })
    }

    /// The day of writing, or the end of a year that the page names somewhere.
    pub(super) fn year_context(&self, reader: &Reader) -> Option<NaiveDate> {
        if self.published.is_some() {
            return self.published;
        }
        let year_end = |year: i32| NaiveDate::from_ymd_opt(year, 12, 31);
        // The year that most days of the text have.
        let mut years: Vec<(i32, usize)> = Vec::new();
        for mention in reader
            .scans
            .iter()
            .flatten()
            .flat_map(|scan| scan.mentions())
        {
            let Expression::Day(range) = mention.expression else {
                continue;
            };
            let year = match range.from {
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
        let first = years.iter().find(|(_, count)| Some(*count) == most);
        match first {
            Some((year, _)) => year_end(*year),
            None => day_in_name(&reader.page.file)
                .or_else(|| year_end(year_in_name(&reader.page.file)?)),
        }
    }
}

/// A year in the name of the file.
fn year_in_name(name: &str) -> Option<i32> {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let years = name
        .split(|c: char| !c.is_ascii_digit())
        .filter(|p| p.len() == 4)
        .filter_map(|p| p.parse().ok());
    years.into_iter().find(|y| (1990..2100).contains(y))
}

pub(super) fn resolve(day: Day, written: Option<NaiveDate>) -> Option<NaiveDate> {
    match day {
        Day::Relative(_) | Day::Weekday(_) | Day::OfMonth(_) => None,
        day => resolve_day(day, written),
    }
}
