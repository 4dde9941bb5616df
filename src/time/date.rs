//! Days, months and years in words and numbers, with or without a year.

use chrono::{Datelike, Days, NaiveDate};

use crate::vocabulary::{DateMark, DayOrder, Unit, WordClass as W};

use super::day_marks::marked;
use super::day_names::{named, past_ending, with_year, year_after};
use super::day_numbers::numeric;
use super::duration::is_date_mark;
use super::fold::is_spaced_letter;
use super::lexicon::Meaning;
use super::number::number;
use super::token::Tokens;

/// A day as a text tells it; what is missing stays missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Day {
    /// Year, month and day.
    Full(NaiveDate),
    /// A month of a year.
    Month(i32, u32),
    /// A year.
    Year(i32),
    /// A month and day without a year.
    NoYear(u32, u32),
    /// A day of the month.
    OfMonth(u32),
    /// A day of the week; the one before the day of writing.
    Weekday(u32),
    /// Days from the day of writing.
    Relative(i32),
    /// Months from the month of writing.
    RelativeMonth(i32),
    /// Years from the year of writing.
    RelativeYear(i32),
    /// Month first or day first: both are days.
    Either(NaiveDate, NaiveDate),
    /// No such day: 31 April.
    Impossible,
}

/// A day, or the first and last day of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayRange {
    /// The day, or the first.
    pub from: Day,
    /// The last day of a range.
    pub to: Option<Day>,
}

/// A day found at a token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Found {
    pub end: usize,
    pub value: DayRange,
}

/// The day or range of days that starts at token `i`.
pub(super) fn date(t: &Tokens, i: usize) -> Option<Found> {
    if let Some(found) = neighbours(t, i) {
        return Some(found);
    }
    if Tokens::before(i).is_some_and(|b| t.is_trap(b) && !t.lexicon.han)
        && t.touching(i) != Some('-')
    {
        return None;
    }
    let week = t.is(i, W::Week);
    let start = if week { i + 1 } else { i };
    let (first, end) = one(t, start)?;
    if week && let Day::Full(from) = first {
        let to = from.checked_add_days(Days::new(6)).map(Day::Full);
        return Some(Found {
            end,
            value: DayRange { from: first, to },
        });
    }
    Some(with_range(t, start, first, end))
}

/// `25./26. Oktober 2014`: two days before their month.
fn neighbours(t: &Tokens, i: usize) -> Option<Found> {
    let (from, 1..=2) = t.digits(i)? else {
        return None;
    };
    let dot = t.mark(i + 1) == Some('.');
    let slash = if dot { i + 2 } else { i + 1 };
    let told = matches!(t.mark(slash), Some('/' | '-' | '–')) || (!dot && t.is(slash, W::To));
    if !told || !free_before(t, i) {
        return None;
    }
    let (second, end) = named(t, slash + 1)?;
    t.digits(slash + 1).filter(|(_, n)| *n <= 2)?;
    let first = match second {
        Day::Full(day) => NaiveDate::from_ymd_opt(day.year(), day.month(), small(from))
            .filter(|d| *d < day)
            .map(Day::Full)?,
        Day::NoYear(month, day) if small(from) < day && from > 0 => Day::NoYear(month, small(from)),
        _ => return None,
    };
    Some(Found {
        end,
        value: DayRange {
            from: first,
            to: Some(second),
        },
    })
}

/// Extends a day to a range where another day follows a dash or "to".
fn with_range(t: &Tokens, start: usize, first: Day, end: usize) -> Found {
    let single = Found {
        end,
        value: DayRange {
            from: first,
            to: None,
        },
    };
    if let Some(found) = days_of_month(t, start, first, end) {
        return found;
    }
    // May 9-11, 2023 · April 21-22 2020 are read in `named`; here day TO day.
    let mut next = end;
    let dash = matches!(t.mark(next), Some('-' | '–' | '—' | '~' | '/'));
    let opened = Tokens::before(start).is_some_and(|b| t.is(b, W::From));
    let words = t.is(next, W::To) && (opened || !t.is(next, W::At))
        || (t.is(next, W::To) && t.lexicon.order == DayOrder::YearFirst);
    let told = words
        && (t.lexicon.order != DayOrder::DayFirst
            || Tokens::before(start).is_some_and(|b| t.is(b, W::From))
            || !t.is(next, W::And));
    if !dash && !told {
        return single;
    }
    if dash && t.mark(next) == Some('/') && !matches!(first, Day::Full(_)) {
        return single;
    }
    next += 1;
    let Some((second, after)) = one(t, next) else {
        return single;
    };
    match (first, second) {
        (Day::Full(a), Day::Full(b)) if a <= b => Found {
            end: after,
            value: DayRange {
                from: first,
                to: Some(second),
            },
        },
        (Day::NoYear(month, day), Day::Full(b)) => {
            match NaiveDate::from_ymd_opt(b.year(), month, day) {
                Some(a) if a <= b => Found {
                    end: after,
                    value: DayRange {
                        from: Day::Full(a),
                        to: Some(second),
                    },
                },
                _ => single,
            }
        }
        (Day::Full(a), Day::NoYear(month, day)) => {
            match NaiveDate::from_ymd_opt(a.year(), month, day) {
                Some(b) if a <= b => Found {
                    end: after,
                    value: DayRange {
                        from: first,
                        to: Some(Day::Full(b)),
                    },
                },
                _ => single,
            }
        }
        (Day::Full(a), Day::OfMonth(day)) => {
            match NaiveDate::from_ymd_opt(a.year(), a.month(), day) {
                Some(b) if a < b => Found {
                    end: after,
                    value: DayRange {
                        from: first,
                        to: Some(Day::Full(b)),
                    },
                },
                _ => single,
            }
        }
        (Day::OfMonth(day), Day::Full(b)) => {
            match NaiveDate::from_ymd_opt(b.year(), b.month(), day) {
                Some(a) if a < b => Found {
                    end: after,
                    value: DayRange {
                        from: Day::Full(a),
                        to: Some(second),
                    },
                },
                _ => single,
            }
        }
        (Day::NoYear(..), Day::NoYear(..)) => Found {
            end: after,
            value: DayRange {
                from: first,
                to: Some(second),
            },
        },
        _ => single,
    }
}

/// `May 9-11, 2023`, `Aug. 1st–3rd, 2012`: two days of one month.
fn days_of_month(t: &Tokens, start: usize, first: Day, end: usize) -> Option<Found> {
    let Day::NoYear(month, from) = first else {
        return None;
    };
    if !matches!(t.mark(end), Some('-' | '–' | '—' | '~'))
        || t.mark(end - 1) == Some('.')
        || t.digits(start).is_some()
    {
        return None;
    }
    let (to, 1..=2) = t.digits(end + 1)? else {
        return None;
    };
    if t.mark(end + 2) == Some(':') || small(to) <= from {
        return None;
    }
    let (year, after) = year_after(t, past_ending(t, end + 2));
    let (a, b) = (
        with_year(year, month, from),
        with_year(year, month, small(to)),
    );
    let real = a != Day::Impossible && b != Day::Impossible;
    real.then_some(Found {
        end: after,
        value: DayRange {
            from: a,
            to: Some(b),
        },
    })
}

fn one(t: &Tokens, i: usize) -> Option<(Day, usize)> {
    let mut start = i;
    // A weekday before a day adds nothing: Tuesday, 30 July.
    let weekday = weekday_at(t, i);
    if let Some((_, after)) = weekday {
        start = after;
        if matches!(t.mark(start), Some(',' | '.')) {
            start += 1;
        }
        if t.mark(start) == Some(',') {
            start += 1;
        }
        if t.mark(start) == Some('(') {
            // Minggu (4/8/2019); terça-feira (1)
            if let Some((day, end)) = dated(t, start + 1)
                && t.mark(end) == Some(')')
            {
                return Some((day, end + 1));
            }
            if let Some((day @ 1..=31, _)) = t.digits(start + 1)
                && t.mark(start + 2) == Some(')')
            {
                return Some((Day::OfMonth(small(day)), start + 3));
            }
        }
        while t.is(start, W::Article) || t.is(start, W::Join) {
            start += 1;
        }
    }
    if let Some((day, end)) = dated(t, start) {
        return Some((day, past_weekday(t, end)));
    }
    if let Some((weekday, after)) = weekday {
        // Monday 18th
        if let Some((day @ 1..=31, _)) = t.digits(start)
            && let end = past_ending(t, start + 1)
            && end > start + 1
        {
            return Some((Day::OfMonth(small(day)), end));
        }
        let last = t.is(after, W::Last);
        return Some((Day::Weekday(weekday), if last { after + 1 } else { after }));
    }
    last_weekday(t, i)
        .or_else(|| relative(t, i))
        .or_else(|| year_alone(t, i))
}

fn dated(t: &Tokens, i: usize) -> Option<(Day, usize)> {
    marked(t, i)
        .or_else(|| named(t, i))
        .or_else(|| numeric(t, i))
}

pub(super) fn small(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

fn weekday_at(t: &Tokens, i: usize) -> Option<(u32, usize)> {
    let number = t.find(i, |m| match m {
        Meaning::Weekday(n) => Some(*n),
        _ => None,
    })?;
    Some((number, i + 1))
}

fn past_weekday(t: &Tokens, end: usize) -> usize {
    match weekday_at(t, end) {
        Some((_, after)) if t.text(end).first() == Some(&'(') => after,
        _ => end,
    }
}

pub(super) fn full(year: i32, month: u32, day: u32) -> Day {
    NaiveDate::from_ymd_opt(year, month, day).map_or(Day::Impossible, Day::Full)
}

/// A year written with two or four digits.
pub(super) fn year_of(value: u64, count: u8) -> Option<i32> {
    match count {
        4 if (1900..2200).contains(&value) => i32::try_from(value).ok(),
        2 => i32::try_from(if value < 70 {
            2000 + value
        } else {
            1900 + value
        })
        .ok(),
        _ => None,
    }
}

/// Nothing before the number makes it part of another one.
pub(super) fn free_before(t: &Tokens, i: usize) -> bool {
    match t.touching(i) {
        Some(':') => i < 2 || t.digits(i - 2).is_none(),
        Some('.') => i < 2,
        Some(c) => !is_spaced_letter(c) && !c.is_ascii_digit() && !matches!(c, '_' | '$'),
        None => true,
    }
}

/// `last Monday`, `上周二`, `letzten Montag`.
fn last_weekday(t: &Tokens, i: usize) -> Option<(Day, usize)> {
    if !t.is(i, W::Last) && !t.is(i, W::This) && !t.is(i, W::Article) {
        return None;
    }
    let mut at = i + 1;
    while t.is(at, W::Article) {
        at += 1;
    }
    if let Some((weekday, after)) = weekday_at(t, at) {
        // A dated weekday is the date's business.
        if t.mark(after) == Some('(')
            || dated(t, after).is_some()
            || t.mark(after) == Some(',') && dated(t, after + 1).is_some()
        {
            return None;
        }
        let last = t.is(after, W::Last);
        return Some((Day::Weekday(weekday), if last { after + 1 } else { after }));
    }
    if dated(t, at).is_some_and(|(day, _)| !matches!(day, Day::OfMonth(_))) {
        return None;
    }
    // The 25th; el día 10; 지난 15일.
    if let Some((day @ 1..=31, 1..=2)) = t.digits(at) {
        let ending = t.is(at + 1, W::Ending) && t.attached(at + 1);
        let named =
            matches!(t.text(i), ['d', 'i', 'a']) || matches!(t.text(at - 1), ['d', 'i', 'a']);
        if ending || named || is_date_mark(t, at + 1, DateMark::Day) {
            let end = if named { at + 1 } else { at + 2 };
            return Some((Day::OfMonth(small(day)), end));
        }
    }
    None
}

/// `yesterday`, `three weeks ago`, `last month`.
fn relative(t: &Tokens, i: usize) -> Option<(Day, usize)> {
    let direct = t.find(i, |m| match m {
        Meaning::RelativeDay(n) => Some(Day::Relative(*n)),
        Meaning::RelativeMonth(n) => Some(Day::RelativeMonth(*n)),
        Meaning::RelativeYear(n) => Some(Day::RelativeYear(*n)),
        _ => None,
    });
    if let Some(day) = direct {
        return Some((day, i + 1));
    }
    let start = if t.is(i, W::AgoBefore) { i + 1 } else { i };
    let ago = |end: usize| start > i || t.is(end, W::Ago);
    let fixed = t.find(start, |m| match m {
        Meaning::Fixed(seconds) => Some(*seconds),
        _ => None,
    });
    let (seconds, end) = if let Some(seconds) = fixed {
        (seconds, start + 1)
    } else {
        let number = number(t, start)?;
        let unit = t.find(number.end, |m| match m {
            Meaning::Unit(unit) if *unit >= Unit::Day => Some(*unit),
            _ => None,
        })?;
        (number.value * unit.seconds(), number.end + 1)
    };
    let days = seconds / Unit::Day.seconds();
    if !ago(end)
        || !(1.0..=400.0).contains(&days)
        || matches!(
            t.text(end),
            ['b', 'e', 'f', 'o', 'r', 'e'] | ['e', 'a', 'r', 'l', 'i', 'e', 'r']
        )
    {
        return None;
    }
    Some((
        Day::Relative(-(days as i32)),
        if start > i { end } else { end + 1 },
    ))
}

/// `during 2019`, `im Jahr 2019`.
fn year_alone(t: &Tokens, i: usize) -> Option<(Day, usize)> {
    if !t.is(i, W::YearCue) {
        return None;
    }
    let (value @ 1970..2100, 4) = t.digits(i + 1)? else {
        return None;
    };
    let next = t.get(i + 2);
    let ends = next.is_none()
        || t.mark(i + 2).is_some()
        || t.meanings(i + 2)
            .iter()
            .any(|m| matches!(m, Meaning::Class(W::And) | Meaning::Date(_)));
    (ends
        && t.touching_after(i + 2)
            .is_none_or(|c| matches!(c, ',' | '.' | ')')))
    .then_some((Day::Year(i32::try_from(value).ok()?), i + 2))
}
