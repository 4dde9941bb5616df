//! Days that a text gives by half: without a year, by their weekday, counted from the day of writing.

use chrono::{Datelike, Days, Months, NaiveDate};

use super::date::Day;

/// A day with a year, from what a text tells and when it was written.
pub fn resolve_day(day: Day, written: Option<NaiveDate>) -> Option<NaiveDate> {
    match day {
        Day::Full(date) => Some(date),
        Day::NoYear(month, day) => {
            let written = written?;
            (0..9).find_map(|back| {
                NaiveDate::from_ymd_opt(written.year() - back, month, day).filter(|d| *d <= written)
            })
        }
        Day::OfMonth(day) => {
            let written = written?;
            (0..3).find_map(|back| {
                let month = written.checked_sub_months(Months::new(back))?;
                month.with_day(day).filter(|d| *d <= written)
            })
        }
        Day::Weekday(weekday) => {
            let written = written?;
            let back = (written.weekday().num_days_from_monday() + 7 - weekday) % 7;
            written.checked_sub_days(Days::new(if back == 0 { 7 } else { u64::from(back) }))
        }
        Day::Relative(days) => shift(written?, days),
        Day::Month(..)
        | Day::Year(_)
        | Day::RelativeMonth(_)
        | Day::RelativeYear(_)
        | Day::Either(..)
        | Day::Impossible => None,
    }
}

pub(super) fn shift(day: NaiveDate, days: i32) -> Option<NaiveDate> {
    let by = Days::new(u64::from(days.unsigned_abs()));
    if days < 0 {
        day.checked_sub_days(by)
    } else {
        day.checked_add_days(by)
    }
}
