//! The calendar day of a case.

use std::fmt;
use std::str::FromStr;

use chrono::{Datelike, NaiveDate};

use super::Refused;

/// A day of the Gregorian calendar, written `2024-07-30` (the full-date of RFC 3339), with no time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CaseDate(NaiveDate);

impl CaseDate {
    /// Builds a day from year, month and day of the month; `None` where the calendar has no such day.
    pub fn from_ymd(year: i32, month: u32, day: u32) -> Option<Self> {
        let date = NaiveDate::from_ymd_opt(year, month, day)?;
        (1900..=9999).contains(&year).then_some(Self(date))
    }

    /// The year, four digits.
    pub fn year(self) -> i32 {
        self.0.year()
    }

    /// Whole days from `earlier` to this day; negative when `earlier` is the later one.
    pub fn days_since(self, earlier: Self) -> i64 {
        (self.0 - earlier.0).num_days()
    }
}

impl From<NaiveDate> for CaseDate {
    fn from(date: NaiveDate) -> Self {
        Self(date)
    }
}

impl From<CaseDate> for NaiveDate {
    fn from(date: CaseDate) -> Self {
        date.0
    }
}

impl FromStr for CaseDate {
    type Err = Refused;

    fn from_str(text: &str) -> Result<Self, Refused> {
        let shape = text.len() == 10
            && text.bytes().enumerate().all(|(i, b)| match i {
                4 | 7 => b == b'-',
                _ => b.is_ascii_digit(),
            });
        let part = |range: std::ops::Range<usize>| text[range].parse::<u32>().ok();
        let date = shape
            .then(|| Some((part(0..4)?, part(5..7)?, part(8..10)?)))
            .flatten()
            .and_then(|(year, month, day)| Self::from_ymd(i32::try_from(year).ok()?, month, day));
        date.ok_or_else(|| Refused(format!("`{text}` is not a day such as `2024-07-30`")))
    }
}

impl fmt::Display for CaseDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.format("%Y-%m-%d"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_days_that_exist() {
        assert_eq!(
            "2024-02-29".parse::<CaseDate>().unwrap().to_string(),
            "2024-02-29"
        );
        for bad in [
            "2023-02-29",
            "2024-13-01",
            "2024-7-30",
            "30/07/2024",
            "2024-07-30T00:00",
            "0000-01-01",
            "２０２４-07-30",
            "",
        ] {
            assert!(bad.parse::<CaseDate>().is_err(), "{bad}");
        }
    }
}
