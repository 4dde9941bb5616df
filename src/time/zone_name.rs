//! Zones beside clock times: `PDT`, `(heure de Paris)`, `UTC+9`, `US/Pacific`, `+0900`.

use chrono_tz::Tz;

use super::clock::part_at;
use super::lexicon::Meaning;
use super::token::{Kind, Tokens};
use super::zone::{Season, Zone};

/// A zone right after a clock time, in brackets or not.
pub(super) fn zone_after(t: &Tokens, i: usize) -> Option<(Zone, usize)> {
    let mut at = i;
    let open = t.mark(at) == Some('(');
    if open || t.mark(at) == Some(',') {
        at += 1;
    }
    let (zone, end) = zone_at(t, at).or_else(|| numeric_zone(t, at))?;
    if t.mark(i) == Some(',') && !matches!(zone, Zone::Offset(0) | Zone::Named(..)) {
        return None;
    }
    if open {
        return (t.mark(end) == Some(')')).then_some((zone, end + 1));
    }
    Some((zone, end))
}

/// A zone named at token `i`: an abbreviation in capitals, a name in words, `UTC+9`, an IANA name.
pub(super) fn zone_at(t: &Tokens, i: usize) -> Option<(Zone, usize)> {
    let named = t.find(i, |m| match m {
        Meaning::Zone(zone) => Some(*zone),
        _ => None,
    });
    let token = t.get(i)?;
    let word = t.text(i);
    if matches!(word, ['u', 't', 'c'] | ['g', 'm', 't']) {
        if let Some((offset, end)) = signed_offset(t, i + 1) {
            return Some((Zone::Offset(offset), end));
        }
        return Some((Zone::UTC, i + 1));
    }
    let ascii = || word.len() >= 2 && word.iter().all(char::is_ascii);
    if t.mark(i + 1) == Some('/') && t.attached(i + 1) && ascii() {
        return iana_at(t, token.start);
    }
    if let Some(zone) = named {
        return Some((zone, i + 1));
    }
    if !matches!(token.kind, Kind::Word | Kind::Phrase(_))
        || !(1..=5).contains(&word.len())
        || !t.is_upper(i)
    {
        return None;
    }
    let text = word.iter().collect::<String>().to_ascii_uppercase();
    if text == "Z" && !t.attached(i) {
        return None;
    }
    Zone::from_abbreviation(&text).map(|zone| (zone, i + 1))
}

fn iana_at(t: &Tokens, start: usize) -> Option<(Zone, usize)> {
    let name: String = t.folded.chars[start..]
        .iter()
        .take(40)
        .take_while(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '_'))
        .collect();
    let tz = Tz::from_str_insensitive(&name).ok()?;
    let stop = start + name.len();
    let end = t
        .all
        .iter()
        .position(|k| k.start >= stop)
        .unwrap_or(t.all.len());
    let zone = if tz == Tz::UTC {
        Zone::UTC
    } else {
        Zone::Named(tz, Season::Any)
    };
    Some((zone, end))
}

/// `+9`, `−7`, `+09:00`, `+0530` after `UTC`.
fn signed_offset(t: &Tokens, i: usize) -> Option<(i32, usize)> {
    let sign = match t.mark(i)? {
        '+' => 1,
        '-' | '−' | '–' => -1,
        _ => return None,
    };
    let (value, count) = t.digits(i + 1).filter(|_| t.attached(i + 1))?;
    let value = i32::try_from(value).ok()?;
    let (hours, mut minutes) = if count <= 2 {
        (value, 0)
    } else {
        (value / 100, value % 100)
    };
    let mut end = i + 2;
    if count <= 2
        && t.mark(end) == Some(':')
        && t.attached(end)
        && let Some((m, 2)) = t.digits(end + 1)
    {
        minutes = i32::try_from(m).ok()?;
        end += 2;
    }
    let spaced_range = sign < 0
        && count != 4
        && (t.get(i).is_some_and(|k| k.gap) || (count == 2 && minutes == 0 && value > 12));
    (hours <= 14 && minutes < 60 && count <= 4 && !spaced_range)
        .then_some((sign * (hours * 3600 + minutes * 60), end))
}

/// `+09:00`, `+0000` after a clock time or alone.
pub(super) fn numeric_zone(t: &Tokens, i: usize) -> Option<(Zone, usize)> {
    let (_, count) = t.digits(i + 1)?;
    let (offset, end) = signed_offset(t, i)?;
    let precise = count == 4 || (count == 2 && end == i + 4);
    // 13:42-14:09 is a range.
    let range = t.mark(i) != Some('+')
        && t.attached(i)
        && count == 2
        && i >= 2
        && t.digits(i - 1)
            .is_some_and(|_| t.mark(i - 2) == Some(':') && !(i >= 4 && t.mark(i - 4) == Some(':')));
    let meridiem = part_at(t, end).is_some()
        || offset % 900 != 0
        || (t.mark(i) != Some('+') && i >= 1 && part_at(t, i - 1).is_some());
    (precise && !range && !meridiem).then_some((Zone::Offset(offset), end))
}
