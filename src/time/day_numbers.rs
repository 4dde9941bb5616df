//! Days in numbers: `2024-07-30`, `7/30/2024`, `30.07.2024`, `20240730`.

use chrono::{Datelike, NaiveDate};

use crate::vocabulary::{DayOrder, WordClass as W};

use super::date::{Day, free_before, full, small, year_of};
use super::duration::preceded_by;
use super::fold::is_spaced_letter;
use super::token::Tokens;

/// `2024-07-30`, `7/30/2024`, `30.07.2024`, `20240730`.
pub(super) fn numeric(t: &Tokens, i: usize) -> Option<(Day, usize)> {
    let (a, a_count) = t.digits(i)?;
    if !free_before(t, i) {
        return None;
    }
    if a_count == 8 {
        let day = NaiveDate::from_ymd_opt(
            i32::try_from(a / 10_000).ok()?,
            small(a / 100 % 100),
            small(a % 100),
        )?;
        let alone = t
            .touching_after(i + 1)
            .is_none_or(|c| !c.is_alphanumeric() || c == 't');
        return ((1970..2100).contains(&day.year()) && alone).then_some((Day::Full(day), i + 1));
    }
    let separator = t
        .mark(i + 1)
        .filter(|c| matches!(c, '-' | '/' | '.') && t.attached(i + 1))?;
    // 2024. 7. 30.
    let spaced = separator == '.' && t.lexicon.order == DayOrder::YearFirst && a_count == 4;
    let follows = |at: usize| (t.attached(at) || spaced).then(|| t.digits(at)).flatten();
    let (b, b_count) = follows(i + 2)?;
    let third = (t.mark(i + 3) == Some(separator) && t.attached(i + 3))
        .then(|| follows(i + 4))
        .flatten();
    let ends = |end: usize| {
        let next = t.touching_after(end);
        let goes_on = next.is_some_and(|c| c.is_ascii_digit() || c == '%' || c == '_');
        let point =
            matches!(next, Some('.' | ':')) && t.attached(end + 1) && t.digits(end + 1).is_some();
        !goes_on && !point
    };
    if a_count == 4 {
        let year = year_of(a, 4)?;
        if b_count > 2 || !(1..=12).contains(&b) {
            return third
                .filter(|_| b_count <= 2)
                .map(|_| (Day::Impossible, i + 5));
        }
        if let Some((c, 1..=2)) = third {
            let end = if spaced && t.mark(i + 5) == Some('.') {
                i + 6
            } else {
                i + 5
            };
            return ends(i + 5).then(|| (full(year, small(b), small(c)), end));
        }
        let month = b_count == 2 && separator != '.' && third.is_none();
        return (month && ends(i + 3)).then_some((Day::Month(year, small(b)), i + 3));
    }
    if a_count > 2 || b_count > 2 {
        return None;
    }
    if let Some((c, c_count)) = third {
        // '24.7.30
        if t.lexicon.order == DayOrder::YearFirst && a_count == 2 && c_count <= 2 {
            return ends(i + 5).then(|| Some((full(year_of(a, 2)?, small(b), small(c)), i + 5)))?;
        }
        // 1.2.10 is a version where days are not written so.
        if separator == '.' && c_count == 2 && t.lexicon.order == DayOrder::MonthFirst {
            return None;
        }
        let year = year_of(c, c_count)?;
        if !ends(i + 5) || (c_count == 2 && separator == '-' && !t.lexicon.decimal_comma && a > 31)
        {
            return None;
        }
        return Some((ordered(t, a, b, year, separator), i + 5));
    }
    without_year(t, i, (a, b), separator)
}

/// A day and month in the order of the language.
fn ordered(t: &Tokens, a: u64, b: u64, year: i32, separator: char) -> Day {
    let (a, b) = (small(a), small(b));
    let day_first = NaiveDate::from_ymd_opt(year, b, a);
    let month_first = NaiveDate::from_ymd_opt(year, a, b);
    match (day_first, month_first) {
        (Some(d), Some(m)) if d == m => Day::Full(d),
        (Some(d), None) => Day::Full(d),
        (None, Some(m)) => Day::Full(m),
        (None, None) => Day::Impossible,
        (Some(d), Some(m)) => match t.lexicon.order {
            DayOrder::DayFirst => Day::Full(d),
            _ if separator == '.' => Day::Full(d),
            DayOrder::MonthFirst | DayOrder::YearFirst => Day::Either(m, d),
        },
    }
}

/// `28.12.`, `3/8`, `7/30(화)`, `4/26` beside a clock time.
fn without_year(t: &Tokens, i: usize, (a, b): (u64, u64), separator: char) -> Option<(Day, usize)> {
    let valid =
        |month: u64, day: u64| NaiveDate::from_ymd_opt(2020, small(month), small(day)).is_some();
    let end = i + 3;
    let clean = t.touching_after(end).is_none_or(|c| {
        !is_spaced_letter(c) && !c.is_ascii_digit() && !matches!(c, '%' | '/' | '-')
    });
    if !clean {
        return None;
    }
    match (t.lexicon.order, separator) {
        (DayOrder::DayFirst, '.') => {
            if preceded_by(t, i, W::At) {
                return None;
            }
            let dotted = t.mark(end) == Some('.')
                && t.attached(end)
                && t.digits(end + 1).is_none_or(|_| !t.attached(end + 1));
            (dotted && valid(b, a)).then_some((Day::NoYear(small(b), small(a)), end + 1))
        }
        (DayOrder::YearFirst, '/') => valid(a, b).then_some((Day::NoYear(small(a), small(b)), end)),
        (DayOrder::YearFirst, '.') => {
            let ranged =
                Tokens::before(i).is_some_and(|m| matches!(t.mark(m), Some('~' | '-' | '–')));
            (ranged && valid(a, b)).then_some((Day::NoYear(small(a), small(b)), end))
        }
        (DayOrder::MonthFirst, '/') => {
            // A fraction unless a clock time follows.
            let mut next = end;
            while matches!(t.mark(next), Some(',' | '-' | '–' | '@')) || t.is(next, W::At) {
                next += 1;
            }
            let time = t.digits(next).is_some() && t.mark(next + 1) == Some(':');
            (time && valid(a, b)).then_some((Day::NoYear(small(a), small(b)), end))
        }
        _ => None,
    }
}
