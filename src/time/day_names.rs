//! Days with the name of their month: `July 30th, 2024`, `30 de julio de 2024`, `Jul '24`.

use chrono::NaiveDate;

use crate::vocabulary::{DateMark, DayOrder, WordClass as W};

use super::date::{Day, free_before, full, small, year_of};
use super::duration::is_date_mark;
use super::fold::is_spaced_letter;
use super::lexicon::Meaning;
use super::token::Tokens;

/// `July 30th, 2024`, `30 de julio de 2024`, `May 9-11, 2023`, `Jul '24`.
pub(super) fn named(t: &Tokens, i: usize) -> Option<(Day, usize)> {
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
        if let Some((day, 1..=2)) = t.digits(at).filter(|(d, _)| (1..=31).contains(d))
            && t.mark(at + 1) != Some(':')
        {
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
    if count == 4
        && let Some(number) = month(i + 1)
    {
        let year = year_of(first, 4)?;
        let day = t
            .digits(i + 2)
            .filter(|(d, n)| *n <= 2 && (1..=31).contains(d) && t.mark(i + 3) != Some(':'));
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
    let next = if t.digits(at + 5).is_some() {
        at + 5
    } else {
        at + 6
    };
    let (year, count) = t.digits(next)?;
    if count == 4 {
        year_of(year, count)
    } else {
        None
    }
}

pub(super) fn with_year(year: Option<i32>, month: u32, day: u32) -> Day {
    match year {
        Some(year) => full(year, month, day),
        None if NaiveDate::from_ymd_opt(2020, month, day).is_some() => Day::NoYear(month, day),
        None => Day::Impossible,
    }
}

pub(super) fn past_ending(t: &Tokens, at: usize) -> usize {
    let ending = t.is(at, W::Ending) && t.attached(at);
    if ending { at + 1 } else { at }
}

/// A year after a day: `, 2024`, `de 2024`, `'24`, with the word for year after it.
pub(super) fn year_after(t: &Tokens, at: usize) -> (Option<i32>, usize) {
    let mut next = at;
    if t.mark(next) == Some(',') {
        next += 1;
    }
    while t.is(next, W::Join) {
        next += 1;
    }
    if t.mark(next) == Some('\'')
        && let Some((n, 2)) = t.digits(next + 1).filter(|_| t.attached(next + 1))
    {
        return (year_of(n, 2), next + 2);
    }
    let alone = |at: usize| {
        t.touching_after(at + 1)
            .is_none_or(|c| !is_spaced_letter(c) && !matches!(c, ':' | '%'))
            && !(matches!(t.mark(at + 1), Some(':' | '.'))
                && t.attached(at + 2)
                && t.digits(at + 2).is_some())
    };
    match t.digits(next) {
        Some((n @ 1970..2100, 4)) if alone(next) => {
            let end = next + 1;
            let after = if is_date_mark(t, end, DateMark::Year) {
                end + 1
            } else {
                end
            };
            (i32::try_from(n).ok(), after)
        }
        _ => (None, at),
    }
}
