//! Days with marks after their numbers: `2024년 7월 30일`, `令和6年7月30日`.

use chrono::NaiveDate;

use crate::vocabulary::{DateMark, DayOrder, WordClass as W};

use super::date::{Day, free_before, full, small, year_of};
use super::duration::is_date_mark;
use super::lexicon::Meaning;
use super::token::{Kind, Tokens};

/// `2024년 7월 30일`, `令和6年7月30日`, `R6.7.30`, `7月30日`, `22日`.
pub(super) fn marked(t: &Tokens, i: usize) -> Option<(Day, usize)> {
    let era = t.find(i, |m| match m {
        Meaning::Era(base) => Some(*base),
        _ => None,
    });
    if let Some(base) = era {
        if let Some((n, 1..=2)) = t.digits(i + 1).filter(|_| t.attached(i + 1)) {
            let year = base + i32::try_from(n).ok()?;
            let dot = |at: usize| t.mark(at) == Some('.') && t.attached(at + 1);
            if let (true, Some((m, _)), true, Some((d, _))) =
                (dot(i + 2), t.digits(i + 3), dot(i + 4), t.digits(i + 5))
            {
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
        if let Some((day, _)) = whole(t, i + 2)
            && mark(i + 3, DateMark::Day)
        {
            let day = small(day);
            let exists = NaiveDate::from_ymd_opt(2020, small(first), day).is_some();
            return Some((
                if exists {
                    Day::NoYear(small(first), day)
                } else {
                    Day::Impossible
                },
                i + 4,
            ));
        }
        return None;
    }
    if mark(i + 1, DateMark::Day)
        && (1..=31).contains(&first)
        && !t.is(i + 2, W::Lasting)
        && !t.is(i + 2, W::Ago)
    {
        let span = t
            .touching_after(i + 2)
            .is_some_and(|c| matches!(c, '간' | '間' | '志'));
        return (!span).then(|| (Day::OfMonth(small(first)), i + 2));
    }
    None
}

/// A number in digits or Chinese numerals, and how many digits it has.
fn whole(t: &Tokens, i: usize) -> Option<(u64, u8)> {
    match t.get(i)?.kind {
        Kind::Digits(value, count) => Some((value, count)),
        Kind::Numeral(value) if value < 10_000.0 => {
            Some((value as u64, if value >= 1000.0 { 4 } else { 2 }))
        }
        _ => None,
    }
}

fn month_day_after(t: &Tokens, year: i32, i: usize) -> (Day, usize) {
    let Some((month, _)) = whole(t, i).filter(|_| is_date_mark(t, i + 1, DateMark::Month)) else {
        return (Day::Year(year), i);
    };
    match whole(t, i + 2) {
        Some((day, _)) if is_date_mark(t, i + 3, DateMark::Day) => {
            (full(year, small(month), small(day)), i + 4)
        }
        _ if (1..=12).contains(&month) => (Day::Month(year, small(month)), i + 2),
        _ => (Day::Impossible, i + 2),
    }
}
