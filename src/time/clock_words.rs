//! Clock times in words and marks: `2시 45분`, `午後2時半`, `14 Uhr 30`, `halb drei`, `3 heures du matin`.

use crate::vocabulary::{ClockMark, Unit, WordClass as W};

use super::clock::{Found, at_time, part_at};
use super::lexicon::Meaning;
use super::number::number;
use super::token::Tokens;

/// `2시 45분`, `午後2時半`, `9点半`, `14 Uhr 30`.
pub(super) fn marked(t: &Tokens, i: usize, has_part: bool) -> Option<Found> {
    let hour =
        number(t, i).filter(|n| n.value == n.value.trunc() && (0.0..30.0).contains(&n.value))?;
    if !t
        .meanings(hour.end)
        .contains(&Meaning::Clock(ClockMark::Hour))
        || is_letter_h(t, hour.end)
    {
        return None;
    }
    if !t.lexicon.han && t.lexicon.decimal_comma && t.text(hour.end) != ['u', 'h', 'r'] {
        return None;
    }
    let spoken = !matches!(t.text(hour.end), ['時'] | ['时'] | ['u', 'h', 'r']);
    let mut value = at_time(hour.value as u64, 0, 0)?;
    let mut end = hour.end + 1;
    if t.is(end, W::AndHalf) {
        value.minute = 30;
        end += 1;
    } else if let Some(minutes) = t.find(end, |m| match m {
        Meaning::ClockQuarter(minutes) => Some(*minutes),
        _ => None,
    }) {
        value.minute = minutes;
        end += 1;
    } else if let Some(minutes) =
        number(t, end).filter(|n| n.value < 60.0 && n.value == n.value.trunc())
    {
        let marked = t
            .meanings(minutes.end)
            .contains(&Meaning::Clock(ClockMark::Minute));
        let uhr = t.text(hour.end) == ['u', 'h', 'r'] && t.digits(end).is_some_and(|(_, n)| n == 2);
        if marked || uhr || (t.lexicon.han && !minutes.digits && spoken) {
            value.minute = minutes.value as u32;
            end = if marked { minutes.end + 1 } else { minutes.end };
            if let Some(seconds) = number(t, end).filter(|n| n.value < 60.0)
                && t.meanings(seconds.end)
                    .contains(&Meaning::Clock(ClockMark::Second))
            {
                value.second = seconds.value as u32;
                end = seconds.end + 1;
            }
        }
    }
    let zero = t
        .digits(i)
        .is_some_and(|(_, n)| n == 2 && hour.value < 10.0);
    value.half_open = spoken && !has_part && !zero && hour.value >= 1.0 && hour.value <= 12.0;
    Some(Found {
        end,
        value,
        certain: true,
    })
}

pub(super) fn is_letter_h(t: &Tokens, i: usize) -> bool {
    t.text(i) == ['h']
}

/// `halb drei Uhr`: half an hour before three.
pub(super) fn half_hour(t: &Tokens, i: usize) -> Option<Found> {
    if t.text(i) != ['h', 'a', 'l', 'b'] {
        return None;
    }
    let hour = number(t, i + 1).filter(|n| (1.0..=12.0).contains(&n.value))?;
    let uhr = t.text(hour.end) == ['u', 'h', 'r'];
    let part = part_at(t, hour.end).is_some();
    if !uhr && !part {
        return None;
    }
    let mut value = at_time(hour.value as u64 - 1, 30, 0)?;
    value.half_open = true;
    Some(Found {
        end: if uhr { hour.end + 1 } else { hour.end },
        value,
        certain: true,
    })
}

/// `3 heures de l'après-midi`, `в 14 часов 30 минут`, `a las 3 de la tarde`, `jam 3 sore`.
pub(super) fn in_hours(t: &Tokens, i: usize, cued: bool) -> Option<Found> {
    let hour = number(t, i)
        .filter(|n| n.value == n.value.trunc() && (0.0..25.0).contains(&n.value) && !n.article)?;
    let hours = t.meanings(hour.end).iter().any(|m| {
        matches!(
            m,
            Meaning::Unit(Unit::Hour) | Meaning::Clock(ClockMark::Hour)
        )
    });
    if !hours
        || !t.lexicon.decimal_comma
        || t.text(hour.end) == ['u', 'h', 'r']
        || is_letter_h(t, hour.end)
    {
        return None;
    }
    let mut end = hour.end + 1;
    let mut value = at_time(hour.value as u64, 0, 0)?;
    let minutes = number(t, end).filter(|n| n.value < 60.0 && n.value == n.value.trunc());
    if let Some(minutes) = minutes
        && t.meanings(minutes.end).iter().any(|m| {
            matches!(
                m,
                Meaning::Unit(Unit::Minute) | Meaning::Clock(ClockMark::Minute)
            )
        })
    {
        value.minute = minutes.value as u32;
        end = minutes.end + 1;
    }
    let part = part_at(t, end).is_some();
    let russian = cued
        && t.text(hour.end)
            .first()
            .is_some_and(|c| super::fold::is_cyrillic(*c));
    let until = Tokens::before(i).is_some_and(|b| t.is(b, W::AtMost));
    let prefixed = matches!(
        Tokens::before(i).map(|b| t.text(b)),
        Some(['p', 'u', 'k', 'u', 'l'] | ['a' | 'e', ..] | ['l', 'a', 's'] | ['à'])
    ) && cued
        && t.text(hour.end) != ['j', 'a', 'm'];
    let at_the_hour = russian && !until;
    if !part && !at_the_hour && !prefixed {
        return None;
    }
    value.half_open = !part && hour.value <= 12.0 && hour.value >= 1.0;
    Some(Found {
        end,
        value,
        certain: true,
    })
}
