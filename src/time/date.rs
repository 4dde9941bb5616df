//! Days, months and years in words and numbers, with or without a year.

use chrono::{Datelike, Days, NaiveDate};

use crate::vocabulary::{DateMark, DayOrder, Unit, WordClass as W};

use super::duration::{is_date_mark, preceded_by};
use super::fold::is_spaced_letter;
use super::lexicon::Meaning;
use super::number::number;
use super::token::{Kind, Tokens};

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
    /// The day after the one told before: `翌`, `the next day`.
    Next(i32),
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
    if Tokens::before(i).is_some_and(|b| t.is_trap(b) && !t.lexicon.han) && t.touching(i) != Some('-') {
        return None;
    }
    let week = t.is(i, W::Week);
    let start = if week { i + 1 } else { i };
    let (first, end) = one(t, start)?;
    if week && let Day::Full(from) = first {
        let to = from.checked_add_days(Days::new(6)).map(Day::Full);
        return Some(Found { end, value: DayRange { from: first, to } });
    }
    Some(with_range(t, start, first, end))
}

/// `25./26. Oktober 2014`: two days before their month.
fn neighbours(t: &Tokens, i: usize) -> Option<Found> {
    let (from, 1..=2) = t.digits(i)? else { return None };
    let dot = t.mark(i + 1) == Some('.');
    let slash = if dot { i + 2 } else { i + 1 };
    let told = matches!(t.mark(slash), Some('/' | '-' | '–')) || (!dot && t.is(slash, W::To));
    if !told || !free_before(t, i) {
        return None;
    }
    let (second, end) = named(t, slash + 1)?;
    t.digits(slash + 1).filter(|(_, n)| *n <= 2)?;
    let first = match second {
        Day::Full(day) => NaiveDate::from_ymd_opt(day.year(), day.month(), small(from)).filter(|d| *d < day).map(Day::Full)?,
        Day::NoYear(month, day) if small(from) < day && from > 0 => Day::NoYear(month, small(from)),
        _ => return None,
    };
    Some(Found { end, value: DayRange { from: first, to: Some(second) } })
}

/// Extends a day to a range where another day follows a dash or "to".
fn with_range(t: &Tokens, start: usize, first: Day, end: usize) -> Found {
    let single = Found { end, value: DayRange { from: first, to: None } };
    if let Some(found) = days_of_month(t, start, first, end) {
        return found;
    }
    // May 9-11, 2023 · April 21-22 2020 are read in `named`; here day TO day.
    let mut next = end;
    let dash = matches!(t.mark(next), Some('-' | '–' | '—' | '~' | '/'));
    let opened = Tokens::before(start).is_some_and(|b| t.is(b, W::From));
    let words = t.is(next, W::To) && (opened || !t.is(next, W::At)) || (t.is(next, W::To) && t.lexicon.order == DayOrder::YearFirst);
    let told = words && (t.lexicon.order != DayOrder::DayFirst || Tokens::before(start).is_some_and(|b| t.is(b, W::From)) || !t.is(next, W::And));
    if !dash && !told {
        return single;
    }
    if dash && t.mark(next) == Some('/') && !matches!(first, Day::Full(_)) {
        return single;
    }
    next += 1;
    let Some((second, after)) = one(t, next) else { return single };
    match (first, second) {
        (Day::Full(a), Day::Full(b)) if a <= b => Found { end: after, value: DayRange { from: first, to: Some(second) } },
        (Day::NoYear(month, day), Day::Full(b)) => match NaiveDate::from_ymd_opt(b.year(), month, day) {
            Some(a) if a <= b => Found { end: after, value: DayRange { from: Day::Full(a), to: Some(second) } },
            _ => single,
        },
        (Day::Full(a), Day::NoYear(month, day)) => match NaiveDate::from_ymd_opt(a.year(), month, day) {
            Some(b) if a <= b => Found { end: after, value: DayRange { from: first, to: Some(Day::Full(b)) } },
            _ => single,
        },
        (Day::Full(a), Day::OfMonth(day)) => match NaiveDate::from_ymd_opt(a.year(), a.month(), day) {
            Some(b) if a < b => Found { end: after, value: DayRange { from: first, to: Some(Day::Full(b)) } },
            _ => single,
        },
        (Day::OfMonth(day), Day::Full(b)) => match NaiveDate::from_ymd_opt(b.year(), b.month(), day) {
            Some(a) if a < b => Found { end: after, value: DayRange { from: Day::Full(a), to: Some(second) } },
            _ => single,
        },
        (Day::NoYear(..), Day::NoYear(..)) => Found { end: after, value: DayRange { from: first, to: Some(second) } },
        _ => single,
    }
}

/// `May 9-11, 2023`, `Aug. 1st–3rd, 2012`: two days of one month.
fn days_of_month(t: &Tokens, start: usize, first: Day, end: usize) -> Option<Found> {
    let Day::NoYear(month, from) = first else { return None };
    if !matches!(t.mark(end), Some('-' | '–' | '—' | '~')) || t.mark(end - 1) == Some('.') || t.digits(start).is_some() {
        return None;
    }
    let (to, 1..=2) = t.digits(end + 1)? else { return None };
    if t.mark(end + 2) == Some(':') || small(to) <= from {
        return None;
    }
    let (year, after) = year_after(t, past_ending(t, end + 2));
    let (a, b) = (with_year(year, month, from), with_year(year, month, small(to)));
    let real = a != Day::Impossible && b != Day::Impossible;
    real.then_some(Found { end: after, value: DayRange { from: a, to: Some(b) } })
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
            if let Some((day, end)) = dated(t, start + 1) && t.mark(end) == Some(')') {
                return Some((day, end + 1));
            }
            if let Some((day @ 1..=31, _)) = t.digits(start + 1) && t.mark(start + 2) == Some(')') {
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
        let last = t.is(after, W::Last);
        return Some((Day::Weekday(weekday), if last { after + 1 } else { after }));
    }
    last_weekday(t, i).or_else(|| relative(t, i)).or_else(|| year_alone(t, i))
}

fn dated(t: &Tokens, i: usize) -> Option<(Day, usize)> {
    marked(t, i).or_else(|| named(t, i)).or_else(|| numeric(t, i))
}

fn small(value: u64) -> u32 {
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

fn full(year: i32, month: u32, day: u32) -> Day {
    NaiveDate::from_ymd_opt(year, month, day).map_or(Day::Impossible, Day::Full)
}

/// A year written with two or four digits.
fn year_of(value: u64, count: u8) -> Option<i32> {
    match count {
        4 if (1900..2200).contains(&value) => i32::try_from(value).ok(),
        2 => i32::try_from(if value < 70 { 2000 + value } else { 1900 + value }).ok(),
        _ => None,
    }
}

/// `2024년 7월 30일`, `令和6年7月30日`, `R6.7.30`, `7月30日`, `22日`.
fn marked(t: &Tokens, i: usize) -> Option<(Day, usize)> {
    let era = t.find(i, |m| match m {
        Meaning::Era(base) => Some(*base),
        _ => None,
    });
    if let Some(base) = era {
        if let Some((n, 1..=2)) = t.digits(i + 1).filter(|_| t.attached(i + 1)) {
            let year = base + i32::try_from(n).ok()?;
            let dot = |at: usize| t.mark(at) == Some('.') && t.attached(at + 1);
            if let (true, Some((m, _)), true, Some((d, _))) = (dot(i + 2), t.digits(i + 3), dot(i + 4), t.digits(i + 5)) {
                return Some((full(year, small(m), small(d)), i + 6));
            }
            if is_date_mark(t, i + 2, DateMark::Year) {
                return Some(month_day_after(t, year, i + 3));
            }
        }
        return None;
    }
    let (first, count) = whole(t, i)?;
    if !free_before(t, i) {
        return None;
    }
    let mark = |at: usize, mark| is_date_mark(t, at, mark);
    if mark(i + 1, DateMark::Year) && t.lexicon.order == DayOrder::YearFirst {
        let year = year_of(first, count)?;
        let (day, end) = month_day_after(t, year, i + 2);
        let bare_two = count == 2 && matches!(day, Day::Year(_));
        return (!bare_two).then_some((day, end));
    }
    if mark(i + 1, DateMark::Month) && (1..=12).contains(&first) {
        if let Some((day, _)) = whole(t, i + 2) && mark(i + 3, DateMark::Day) {
            let day = small(day);
            let exists = NaiveDate::from_ymd_opt(2020, small(first), day).is_some();
            return Some((if exists { Day::NoYear(small(first), day) } else { Day::Impossible }, i + 4));
        }
        return None;
    }
    if mark(i + 1, DateMark::Day) && (1..=31).contains(&first) && !t.is(i + 2, W::Lasting) && !t.is(i + 2, W::Ago) {
        let span = t.touching_after(i + 2).is_some_and(|c| matches!(c, '간' | '間' | '志'));
        return (!span).then(|| (Day::OfMonth(small(first)), i + 2));
    }
    None
}

/// A number in digits or Chinese numerals, and how many digits it has.
fn whole(t: &Tokens, i: usize) -> Option<(u64, u8)> {
    match t.get(i)?.kind {
        Kind::Digits(value, count) => Some((value, count)),
        Kind::Numeral(value) if value < 10_000.0 => Some((value as u64, if value >= 1000.0 { 4 } else { 2 })),
        _ => None,
    }
}

fn month_day_after(t: &Tokens, year: i32, i: usize) -> (Day, usize) {
    let Some((month, _)) = whole(t, i).filter(|_| is_date_mark(t, i + 1, DateMark::Month)) else {
        return (Day::Year(year), i);
    };
    match whole(t, i + 2) {
        Some((day, _)) if is_date_mark(t, i + 3, DateMark::Day) => (full(year, small(month), small(day)), i + 4),
        _ if (1..=12).contains(&month) => (Day::Month(year, small(month)), i + 2),
        _ => (Day::Impossible, i + 2),
    }
}

/// Nothing before the number makes it part of another one.
fn free_before(t: &Tokens, i: usize) -> bool {
    match t.touching(i) {
        Some(':') => i < 2 || t.digits(i - 2).is_none(),
        Some('.') => i < 2,
        Some(c) => !is_spaced_letter(c) && !c.is_ascii_digit() && !matches!(c, '_' | '$'),
        None => true,
    }
}

/// `2024-07-30`, `7/30/2024`, `30.07.2024`, `20240730`.
fn numeric(t: &Tokens, i: usize) -> Option<(Day, usize)> {
    let (a, a_count) = t.digits(i)?;
    if !free_before(t, i) {
        return None;
    }
    if a_count == 8 {
        let day = NaiveDate::from_ymd_opt(i32::try_from(a / 10_000).ok()?, small(a / 100 % 100), small(a % 100))?;
        let alone = t.touching_after(i + 1).is_none_or(|c| !c.is_alphanumeric() || c == 't');
        return ((1970..2100).contains(&day.year()) && alone).then_some((Day::Full(day), i + 1));
    }
    let separator = t.mark(i + 1).filter(|c| matches!(c, '-' | '/' | '.') && t.attached(i + 1))?;
    // 2024. 7. 30.
    let spaced = separator == '.' && t.lexicon.order == DayOrder::YearFirst && a_count == 4;
    let follows = |at: usize| (t.attached(at) || spaced).then(|| t.digits(at)).flatten();
    let (b, b_count) = follows(i + 2)?;
    let third = (t.mark(i + 3) == Some(separator) && t.attached(i + 3)).then(|| follows(i + 4)).flatten();
    let ends = |end: usize| {
        let next = t.touching_after(end);
        !next.is_some_and(|c| c.is_ascii_digit() || c == '%' || c == '_')
            && !(matches!(next, Some('.' | ':')) && t.attached(end + 1) && t.digits(end + 1).is_some())
    };
    if a_count == 4 {
        let year = year_of(a, 4)?;
        if b_count > 2 || !(1..=12).contains(&b) {
            return third.filter(|_| b_count <= 2).map(|_| (Day::Impossible, i + 5));
        }
        if let Some((c, 1..=2)) = third {
            let end = if spaced && t.mark(i + 5) == Some('.') { i + 6 } else { i + 5 };
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
        if !ends(i + 5) || (c_count == 2 && separator == '-' && !t.lexicon.decimal_comma && a > 31) {
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
    let valid = |month: u64, day: u64| NaiveDate::from_ymd_opt(2020, small(month), small(day)).is_some();
    let end = i + 3;
    let clean = t.touching_after(end).is_none_or(|c| !is_spaced_letter(c) && !c.is_ascii_digit() && !matches!(c, '%' | '/' | '-'));
    if !clean {
        return None;
    }
    match (t.lexicon.order, separator) {
        (DayOrder::DayFirst, '.') => {
            if preceded_by(t, i, W::At) {
                return None;
            }
            let dotted = t.mark(end) == Some('.') && t.attached(end) && t.digits(end + 1).is_none_or(|_| !t.attached(end + 1));
            (dotted && valid(b, a)).then_some((Day::NoYear(small(b), small(a)), end + 1))
        }
        (DayOrder::YearFirst, '/') => valid(a, b).then_some((Day::NoYear(small(a), small(b)), end)),
        (DayOrder::YearFirst, '.') => {
            let ranged = Tokens::before(i).is_some_and(|m| matches!(t.mark(m), Some('~' | '-' | '–')));
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

/// `July 30th, 2024`, `30 de julio de 2024`, `May 9-11, 2023`, `Jul '24`.
fn named(t: &Tokens, i: usize) -> Option<(Day, usize)> {
    let month = |at: usize| {
        t.find(at, |m| match m {
            Meaning::Month(n) => Some(*n),
            _ => None,
        })
    };
    if let Some(number) = month(i) {
        let mut at = i + 1;
        if t.mark(at) == Some('.') {
            at += 1;
        }
        if matches!(t.mark(at), Some('-' | '/')) && t.attached(at) && t.attached(at + 1) {
            at += 1;
        }
        if t.is(at, W::Article) && t.lexicon.order == DayOrder::MonthFirst {
            at += 1;
        }
        if let Some((day, 1..=2)) = t.digits(at).filter(|(d, _)| (1..=31).contains(d)) && t.mark(at + 1) != Some(':') {
            let end = past_ending(t, at + 1);
            if t.touching_after(end).is_some_and(is_spaced_letter) {
                return None;
            }
            let (mut year, end) = year_after(t, end);
            if year.is_none() {
                year = year_past_clock(t, end);
            }
            return Some((with_year(year, number, small(day)), end));
        }
        let (year, end) = year_after(t, at);
        // June 2024; "may" alone is a verb.
        return year.map(|y| (Day::Month(y, number), end));
    }
    // Mid-October 2021.
    if t.is(i, W::Early) {
        let mut next = i + 1;
        if t.mark(next) == Some('-') {
            next += 1;
        }
        if t.is(next, W::Join) {
            next += 1;
        }
        if month(next).is_some() {
            return named(t, next).filter(|(day, _)| matches!(day, Day::Month(..)));
        }
    }
    let (first, count) = t.digits(i)?;
    if !free_before(t, i) {
        return None;
    }
    // 2018 October 21.
    if count == 4 && let Some(number) = month(i + 1) {
        let year = year_of(first, 4)?;
        let day = t.digits(i + 2).filter(|(d, n)| *n <= 2 && (1..=31).contains(d) && t.mark(i + 3) != Some(':'));
        return Some(match day {
            Some((day, _)) => (full(year, number, small(day)), past_ending(t, i + 3)),
            None => (Day::Month(year, number), i + 2),
        });
    }
    if count > 2 || !(1..=31).contains(&first) {
        return None;
    }
    let mut at = past_ending(t, i + 1);
    if t.mark(at) == Some('.') {
        at += 1;
    }
    while t.is(at, W::Join) && t.mark(at) != Some(',') {
        at += 1;
    }
    if t.mark(at) == Some('-') && t.attached(at) {
        at += 1;
    }
    let number = month(at)?;
    at += 1;
    if matches!(t.mark(at), Some('.' | '-' | '/')) && (t.mark(at) == Some('.') || t.attached(at)) {
        at += 1;
    }
    let (year, end) = year_after(t, at);
    Some((with_year(year, number, small(first)), end))
}

/// The year of `Sat Aug 3 12:00:00 UTC 2024`, which stands after the time.
fn year_past_clock(t: &Tokens, at: usize) -> Option<i32> {
    let colon = |at: usize| t.mark(at) == Some(':') && t.attached(at);
    if t.digits(at).is_none() || !colon(at + 1) || !colon(at + 3) {
        return None;
    }
    let next = if t.digits(at + 5).is_some() { at + 5 } else { at + 6 };
    let (year, count) = t.digits(next)?;
    if count == 4 { year_of(year, count) } else { None }
}

fn with_year(year: Option<i32>, month: u32, day: u32) -> Day {
    match year {
        Some(year) => full(year, month, day),
        None if NaiveDate::from_ymd_opt(2020, month, day).is_some() => Day::NoYear(month, day),
        None => Day::Impossible,
    }
}

fn past_ending(t: &Tokens, at: usize) -> usize {
    let ending = t.is(at, W::Ending) && t.attached(at);
    if ending { at + 1 } else { at }
}

/// A year after a day: `, 2024`, `de 2024`, `'24`, with the word for year after it.
fn year_after(t: &Tokens, at: usize) -> (Option<i32>, usize) {
    let mut next = at;
    if t.mark(next) == Some(',') {
        next += 1;
    }
    while t.is(next, W::Join) {
        next += 1;
    }
    if t.mark(next) == Some('\'') && let Some((n, 2)) = t.digits(next + 1).filter(|_| t.attached(next + 1)) {
        return (year_of(n, 2), next + 2);
    }
    let alone = |at: usize| {
        t.touching_after(at + 1).is_none_or(|c| !is_spaced_letter(c) && !matches!(c, ':' | '%'))
            && !(matches!(t.mark(at + 1), Some(':' | '.')) && t.attached(at + 2) && t.digits(at + 2).is_some())
    };
    match t.digits(next) {
        Some((n @ 1970..2100, 4)) if alone(next) => {
            let end = next + 1;
            let after = if is_date_mark(t, end, DateMark::Year) { end + 1 } else { end };
            (i32::try_from(n).ok(), after)
        }
        _ => (None, at),
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
        if t.mark(after) == Some('(') || dated(t, after).is_some() || t.mark(after) == Some(',') && dated(t, after + 1).is_some() {
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
        let named = matches!(t.text(i), ['d', 'i', 'a']) || matches!(t.text(at - 1), ['d', 'i', 'a']);
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
    if !ago(end) || days < 1.0 || days > 400.0 || matches!(t.text(end), ['b', 'e', 'f', 'o', 'r', 'e'] | ['e', 'a', 'r', 'l', 'i', 'e', 'r']) {
        return None;
    }
    Some((Day::Relative(-(days as i32)), if start > i { end } else { end + 1 }))
}

/// `during 2019`, `im Jahr 2019`.
fn year_alone(t: &Tokens, i: usize) -> Option<(Day, usize)> {
    if !t.is(i, W::YearCue) {
        return None;
    }
    let (value @ 1970..2100, 4) = t.digits(i + 1)? else { return None };
    let next = t.get(i + 2);
    let ends = next.is_none() || t.mark(i + 2).is_some() || t.meanings(i + 2).iter().any(|m| matches!(m, Meaning::Class(W::And) | Meaning::Date(_)));
    (ends && t.touching_after(i + 2).is_none_or(|c| matches!(c, ',' | '.' | ')'))).then_some((Day::Year(i32::try_from(value).ok()?), i + 2))
}
