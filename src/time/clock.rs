//! Clock times: `2:45 PM PDT`, `오후 2시 45분`, `14h45`, `halb drei`, `25時30分`, with the zone beside them.

use crate::vocabulary::{ClockMark, DayOrder, DayPart, Unit, WordClass as W};

use super::clock_words::{half_hour, in_hours, is_letter_h, marked};
use super::duration::preceded_by;
use super::fold::is_spaced_letter;
use super::lexicon::Meaning;
use super::number::number;
use super::token::{Kind, Tokens};
use super::zone::Zone;
use super::zone_name::{zone_after, zone_at};

/// A clock time as a text tells it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    /// 0 to 23, days over midnight counted in `next_day`.
    pub hour: u32,
    /// 0 to 59.
    pub minute: u32,
    /// 0 to 60.
    pub second: u32,
    /// Nanoseconds.
    pub nano: u32,
    /// `25:30` is 1:30 of the next day.
    pub next_day: bool,
    /// The half of the day, where the text says it.
    pub part: Option<DayPart>,
    /// The hour is of a twelve-hour form and no part of the day is said.
    pub half_open: bool,
    /// Hour of twelve written with AM or PM, or with none: `9:30 to 10:15 PM`.
    pub hour_written: u32,
    /// The zone named beside it.
    pub zone: Option<Zone>,
}

/// A clock time found at a token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Found {
    pub end: usize,
    pub value: Clock,
    /// It is a clock time beyond doubt, not perhaps a duration.
    pub certain: bool,
}

/// The clock time that starts at token `i`, its half of the day and its zone with it.
pub(super) fn clock(t: &Tokens, i: usize) -> Option<Found> {
    let mut at = i;
    let mut zone = zone_at(t, at).filter(|(_, end)| *end > at);
    if let Some((_, end)) = zone {
        at = end;
        if matches!(t.mark(at), Some(',' | ':' | ')')) {
            at += 1;
        }
    }
    let before = part_at(t, at).filter(|p| !matches!(p, DayPart::Noon | DayPart::Midnight));
    if before.is_some() {
        at += 1;
        if t.is(at, W::At) && t.digits(at).is_none() {
            at += 1;
        }
    }
    let mut found = body(t, at, before.is_some(), zone.is_some())?;
    if found.value.part.is_none() {
        found.value.part = before;
    }
    suffix_part(t, &mut found);
    if let Some((after, end)) = zone_after(t, found.end) {
        zone = Some((after, end));
        found.end = end;
        found.certain = true;
    }
    found.value.zone = zone.map(|(zone, _)| zone);
    found.certain |= before.is_some() || found.value.zone.is_some();
    apply_part(&mut found.value)?;
    Some(found)
}

pub(super) fn part_at(t: &Tokens, i: usize) -> Option<DayPart> {
    t.find(i, |m| match m {
        Meaning::Part(part) => Some(*part),
        _ => None,
    })
}

pub(super) fn at_time(hour: u64, minute: u64, second: u64) -> Option<Clock> {
    let next_day = (24..30).contains(&hour);
    let hour = if next_day { hour - 24 } else { hour };
    (hour < 24 && minute < 60 && second <= 60).then(|| Clock {
        hour: hour as u32,
        minute: minute as u32,
        second: (second as u32).min(59),
        nano: 0,
        next_day,
        part: None,
        half_open: false,
        hour_written: hour as u32,
        zone: None,
    })
}

fn free_before(t: &Tokens, i: usize) -> bool {
    match t.touching(i) {
        // 2024-07-30T14:45
        Some('t') => i >= 2 && t.digits(i - 2).is_some(),
        Some(':') => i < 2 || t.digits(i - 2).is_none(),
        Some(c) => {
            !is_spaced_letter(c) && !c.is_ascii_digit() && !matches!(c, '.' | '_' | '#' | '$')
        }
        None => true,
    }
}

fn body(t: &Tokens, i: usize, has_part: bool, has_zone: bool) -> Option<Found> {
    if let Some(part @ (DayPart::Noon | DayPart::Midnight)) = part_at(t, i) {
        let mut value = at_time(if part == DayPart::Noon { 12 } else { 0 }, 0, 0)?;
        value.hour_written = 24;
        return Some(Found {
            end: i + 1,
            value,
            certain: true,
        });
    }
    if !free_before(t, i) {
        return None;
    }
    let cued = preceded_by(t, i, W::At)
        || (t.lexicon.decimal_comma && (preceded_by(t, i, W::From) || preceded_by(t, i, W::To)));
    colons(t, i)
        .or_else(|| marked(t, i, has_part))
        .or_else(|| half_hour(t, i))
        .or_else(|| with_h(t, i, cued))
        .or_else(|| in_hours(t, i, cued))
        .or_else(|| dotted(t, i, cued))
        .or_else(|| joined(t, i))
        .or_else(|| hour_alone(t, i, cued, has_part || has_zone))
}

/// `14:45`, `14:45:12.5`.
fn colons(t: &Tokens, i: usize) -> Option<Found> {
    let (hour, 1..=2) = t.digits(i)? else {
        return None;
    };
    let part = |at: usize, sign: char| {
        let tight = t.mark(at) == Some(sign) && t.attached(at) && t.attached(at + 1);
        tight.then(|| t.digits(at + 1)).flatten()
    };
    let (minute, 2) = part(i + 1, ':')? else {
        return None;
    };
    let mut end = i + 3;
    let mut value = at_time(hour, minute, 0)?;
    if let Some((second, 2)) = part(end, ':') {
        value.second = u32::try_from(second).ok().filter(|s| *s <= 60)?.min(59);
        end += 2;
        if let Some((fraction, count)) = part(end, '.').filter(|(_, n)| *n <= 9) {
            value.nano = u32::try_from(fraction * 10_u64.pow(9 - u32::from(count))).ok()?;
            end += 2;
        }
    }
    if matches!(t.touching_after(end), Some(':'))
        && t.digits(end + 1).is_some()
        && t.attached(end + 1)
    {
        return None;
    }
    // 14:45 h, 14:45 Uhr: the mark belongs to it; 4:51 hours is a duration.
    if t.meanings(end).contains(&Meaning::Clock(ClockMark::Hour)) {
        end += 1;
    } else if matches!(t.meanings(end), m if m.iter().any(|m| matches!(m, Meaning::Unit(Unit::Hour | Unit::Minute))))
    {
        return None;
    }
    if t.mark(end) == Some('(')
        && matches!(t.text(end + 1), ['h'] | ['h', 'h'])
        && t.mark(end + 2) == Some(':')
    {
        return None;
    }
    // 10:45a
    Some(Found {
        end,
        value,
        certain: true,
    })
}

/// `14h45`, `16 h 30`, `18h`, `15h38m`.
fn with_h(t: &Tokens, i: usize, cued: bool) -> Option<Found> {
    let (hour, 1..=2) = t.digits(i)? else {
        return None;
    };
    if !is_letter_h(t, i + 1) {
        return None;
    }
    let minutes = t
        .digits(i + 2)
        .filter(|(m, n)| *n == 2 && *m < 60 && t.attached(i + 1) == t.attached(i + 2));
    let lasting = preceded_by(t, i, W::Lasting) && !cued;
    if lasting {
        return None;
    }
    let Some((minute, _)) = minutes else {
        let with_part = part_at(t, i + 2).is_some();
        let known = t.lexicon.h_is_clock || cued || with_part;
        return known.then_some(Found {
            end: i + 2,
            value: at_time(hour, 0, 0)?,
            certain: cued || with_part,
        });
    };
    let mut end = i + 3;
    let unit = t
        .meanings(end)
        .iter()
        .any(|m| matches!(m, Meaning::Unit(Unit::Minute)));
    if unit {
        if !cued || !t.lexicon.h_is_clock {
            return None;
        }
        end += 1;
    }
    let zone = zone_after(t, end).is_some();
    let known = t.lexicon.h_is_clock || cued || zone;
    known.then_some(Found {
        end,
        value: at_time(hour, minute, 0)?,
        certain: true,
    })
}

/// `14.45 Uhr`, `pukul 02.44 WIB`, `14.45 UTC`, `12.30 AM`.
fn dotted(t: &Tokens, i: usize, cued: bool) -> Option<Found> {
    let (hour, 1..=2) = t.digits(i)? else {
        return None;
    };
    if t.mark(i + 1) != Some('.') || !t.attached(i + 1) || !t.attached(i + 2) {
        return None;
    }
    let (minute, 2) = t.digits(i + 2)? else {
        return None;
    };
    let mut end = i + 3;
    if matches!(t.touching_after(end), Some('.'))
        && t.attached(end + 1)
        && t.digits(end + 1).is_some()
    {
        return None;
    }
    let uhr = t.text(end) == ['u', 'h', 'r'];
    let shared = matches!(t.mark(end), Some('-' | '–' | '—')) && t.text(end + 4) == ['u', 'h', 'r'];
    let pukul = cued
        && matches!(Tokens::before(i).map(|b| t.text(b)), Some(text) if text.starts_with(&['p', 'u', 'k']) || text == ['j', 'a', 'm'] || text == ['u', 'm']);
    let said = uhr
        || shared
        || pukul
        || zone_after(t, end).is_some()
        || matches!(part_at(t, end), Some(DayPart::Am | DayPart::Pm));
    if !said {
        return None;
    }
    if uhr {
        end += 1;
    }
    Some(Found {
        end,
        value: at_time(hour, minute, 0)?,
        certain: true,
    })
}

/// `1445 UTC`: four digits before a zone.
fn joined(t: &Tokens, i: usize) -> Option<Found> {
    let (value, 4) = t.digits(i)? else {
        return None;
    };
    // 1900 and 2100 UTC
    let joins =
        matches!(t.mark(i + 1), Some('-' | '–')) || t.is(i + 1, W::To) || t.is(i + 1, W::And);
    if joins
        && let Some((_, 4)) = t.digits(i + 2)
        && joined(t, i + 2).is_some()
    {
        return at_time(value / 100, value % 100, 0).map(|value| Found {
            end: i + 1,
            value,
            certain: true,
        });
    }
    let zoned = matches!(
        zone_after(t, i + 1),
        Some((Zone::Offset(0) | Zone::Named(..) | Zone::Shared(_), _))
    );
    let hours = t
        .get(i + 1)
        .is_some_and(|k| k.gap && matches!(k.kind, Kind::Word))
        || t.text(i + 1) == ['z'];
    (zoned
        && (hours
            || t.meanings(i + 1)
                .iter()
                .any(|m| matches!(m, Meaning::Zone(_)))))
    .then(|| at_time(value / 100, value % 100, 0))
    .flatten()
    .map(|value| Found {
        end: i + 1,
        value,
        certain: true,
    })
}

/// `9 AM`, `3pm`, `3 de la tarde`, `14 a 15` after "a las".
fn hour_alone(t: &Tokens, i: usize, cued: bool, told: bool) -> Option<Found> {
    let hour = number(t, i)
        .filter(|n| n.value == n.value.trunc() && (0.0..25.0).contains(&n.value) && !n.article)?;
    if t.mark(hour.end) == Some('.') && t.attached(hour.end) && t.digits(hour.end + 1).is_some() {
        return None;
    }
    let mut value = at_time(hour.value as u64, 0, 0)?;
    let meridiem =
        matches!(part_at(t, hour.end), Some(DayPart::Am | DayPart::Pm)) && letters_ok(t, hour.end);
    if meridiem && hour.digits {
        return Some(Found {
            end: hour.end,
            value,
            certain: true,
        });
    }
    let words = part_at(t, hour.end).is_some_and(|p| {
        !matches!(
            p,
            DayPart::Am | DayPart::Pm | DayPart::Noon | DayPart::Midnight
        )
    });
    let unit = t
        .meanings(hour.end)
        .iter()
        .any(|m| matches!(m, Meaning::Unit(_)));
    if words && t.lexicon.decimal_comma && (cued || told || (hour.digits && !unit)) {
        return Some(Found {
            end: hour.end,
            value,
            certain: true,
        });
    }
    // de 9 a 10 de la mañana
    if t.is(hour.end, W::To)
        && t.lexicon.decimal_comma
        && let Some(second) = number(t, hour.end + 1)
        && (part_at(t, second.end).is_some() || t.text(second.end) == ['u', 'h', 'r'])
    {
        value.half_open = false;
        return Some(Found {
            end: hour.end,
            value,
            certain: true,
        });
    }
    if let Some(minutes) = t.find(hour.end, |m| match m {
        Meaning::ClockQuarter(minutes) => Some(*minutes),
        _ => None,
    }) && cued
    {
        value.minute = minutes;
        value.half_open = true;
        return Some(Found {
            end: hour.end + 1,
            value,
            certain: true,
        });
    }
    None
}

/// A single letter counts as AM or PM only right after the number: `10:45a`.
fn letters_ok(t: &Tokens, i: usize) -> bool {
    t.text(i).len() > 1
}

fn suffix_part(t: &Tokens, found: &mut Found) {
    let Some(part) = part_at(t, found.end) else {
        return;
    };
    let single = t.text(found.end).len() == 1;
    if single && !t.attached(found.end) || matches!(part, DayPart::Noon | DayPart::Midnight) {
        return;
    }
    if t.lexicon.order == DayOrder::YearFirst && !matches!(part, DayPart::Am | DayPart::Pm) {
        return;
    }
    found.value.part = Some(part);
    found.value.half_open = false;
    found.end += 1;
    if t.mark(found.end) == Some('.')
        && t.text(found.end - 1).last() != Some(&'.')
        && t.attached(found.end)
        && t.text(found.end - 1).contains(&'.')
    {
        found.end += 1;
    }
}

/// Moves the hour to the half of the day that was said. `None` where both cannot be: `15 AM`.
fn apply_part(value: &mut Clock) -> Option<()> {
    let Some(part) = value.part else {
        return Some(());
    };
    value.half_open = false;
    if value.hour > 12 || value.hour_written > 23 {
        return Some(());
    }
    value.hour = match (part, value.hour) {
        (DayPart::Am | DayPart::Dawn | DayPart::Morning, 12) => 0,
        (DayPart::Pm | DayPart::Evening, h @ 1..=11) => h + 12,
        (DayPart::Afternoon, h @ 1..=9) => h + 12,
        (DayPart::Night, h @ 6..=11) => h + 12,
        (DayPart::Night, 12) => 0,
        (_, h) => h,
    };
    Some(())
}
