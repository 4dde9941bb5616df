//! Durations in fixed forms: `PT4H51M` (ISO 8601), `T+01:20`, `1:05:30 (h:mm:ss)`, `02:40 hours`.

use crate::vocabulary::{ClockMark, Unit, WordClass as W};

use super::duration::{Found, amount_of, exact, preceded_by, starts_free};
use super::lexicon::Meaning;
use super::token::Tokens;

/// `PT4H51M`, `P1DT2H30M` (ISO 8601).
pub(super) fn iso(t: &Tokens, i: usize) -> Option<Found> {
    let start = t.get(i)?.start;
    if t.folded.chars.get(start) != Some(&'p') || !*t.folded.upper.get(start)? || !starts_free(t, i)
    {
        return None;
    }
    let mut at = start + 1;
    let (mut seconds, mut time, mut parts) = (0.0, false, 0);
    while let Some(c) = t.folded.chars.get(at) {
        if *c == 't' && !time {
            time = true;
            at += 1;
            continue;
        }
        let digits: String = t.folded.chars[at..]
            .iter()
            .take(12)
            .take_while(|c| c.is_ascii_digit() || **c == '.')
            .collect();
        let Ok(value) = digits.parse::<f64>() else {
            break;
        };
        at += digits.len();
        let unit = match (t.folded.chars.get(at)?, time) {
            ('d', false) => Unit::Day,
            ('w', false) => Unit::Week,
            ('h', true) => Unit::Hour,
            ('m', true) => Unit::Minute,
            ('s', true) => Unit::Second,
            _ => return None,
        };
        seconds += value * unit.seconds();
        parts += 1;
        at += 1;
    }
    let end = (i..t.all.len())
        .find(|k| t.all[*k].start >= at)
        .unwrap_or(t.all.len());
    let clean = t.folded.chars.get(at).is_none_or(|c| !c.is_alphanumeric());
    (parts > 0 && clean).then(|| exact(seconds, end))
}

/// `T+01:20`, `T+5 min`, `+15m`.
pub(super) fn offset(t: &Tokens, i: usize) -> Option<Found> {
    let with_t = t.text(i) == ['t'] && t.mark(i + 1) == Some('+');
    let plus = if with_t { i + 1 } else { i };
    if t.mark(plus) != Some('+')
        || t.digits(plus + 1).is_none()
        || (!with_t && t.touching(plus).is_some())
    {
        return None;
    }
    if with_t && let Some((seconds, end)) = colons(t, plus + 1) {
        return Some(exact(seconds, end));
    }
    amount_of(t, plus + 1)
}

/// `1:20`, `01:20:30`: hours, minutes and seconds.
fn colons(t: &Tokens, i: usize) -> Option<(f64, usize)> {
    let (hours, _) = t.digits(i)?;
    let part = |at: usize| {
        let tight = t.mark(at) == Some(':') && t.attached(at) && t.attached(at + 1);
        tight
            .then(|| t.digits(at + 1))
            .flatten()
            .filter(|(v, n)| *n == 2 && *v < 60)
    };
    let (minutes, _) = part(i + 1)?;
    let seconds = part(i + 3);
    let end = if seconds.is_some() { i + 5 } else { i + 3 };
    let seconds = seconds.map_or(0.0, |(s, _)| s as f64);
    Some((hours as f64 * 3600.0 + minutes as f64 * 60.0 + seconds, end))
}

/// `1:05:30 (h:mm:ss)`, `02:40 hours`: a clock form that the word after it makes a duration.
pub(super) fn clock_form(t: &Tokens, i: usize) -> Option<Found> {
    let (seconds, end) = colons(t, i)?;
    if t.mark(end) == Some('(')
        && matches!(t.text(end + 1), ['h'] | ['h', 'h'] | ['h', 'h', 'h'])
        && t.mark(end + 2) == Some(':')
    {
        let close = (end..end + 10).find(|k| t.mark(*k) == Some(')'))?;
        return Some(exact(seconds, close + 1));
    }
    let hours = t.meanings(end).contains(&Meaning::Unit(Unit::Hour));
    let says = hours
        && t.text(end).len() > 2
        && !matches!(t.text(end), ['h', 'o', 'r', 'a', 's'])
        && !t.meanings(end).contains(&Meaning::Clock(ClockMark::Hour));
    let cued = || {
        preceded_by(t, i, W::Lasting)
            && t.get(end)
                .is_none_or(|_| !matches!(t.mark(end), Some('-' | '–')))
    };
    (says || (hours && cued())).then(|| exact(seconds, end + 1))
}
