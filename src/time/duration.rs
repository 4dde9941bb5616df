//! Elapsed times in words: `6h 52m`, `17시간 8분`, `an hour and a half`, `PT4H51M`, `anderthalb Stunden`.

use crate::vocabulary::{DateMark, Unit, WordClass as W};

use super::duration_form::{clock_form, iso, offset};
use super::fold::{is_hangul, is_spaced_letter};
use super::lexicon::Meaning;
use super::number::{Number, number};
use super::token::{Kind, Tokens};

/// How exact a stated duration is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Qualifier {
    /// As it stands.
    Exact,
    /// `about`.
    About,
    /// `less than`.
    LessThan,
    /// `more than`.
    MoreThan,
    /// `at least`.
    AtLeast,
    /// `at most`.
    AtMost,
}

/// An elapsed time as a text states it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elapsed {
    /// Seconds; the lower end of a range.
    pub min: f64,
    /// Seconds; the upper end of a range, else the same.
    pub max: f64,
    /// How exact it is.
    pub qualifier: Qualifier,
}

/// A duration found at a token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Found {
    pub end: usize,
    pub value: Elapsed,
    /// `18h`: a clock time in some languages.
    pub maybe_clock: bool,
}

/// The duration that starts at token `i`, with the qualifier before it.
pub(super) fn duration(t: &Tokens, i: usize) -> Option<Found> {
    let mut start = i;
    let mut qualifier = Qualifier::Exact;
    for _ in 0..2 {
        let Some(found) = qualifier_before(t, start) else {
            break;
        };
        qualifier = found;
        start += 1;
        if t.mark(start) == Some('.') && t.attached(start) {
            start += 1;
        }
    }
    if start > i && t.is(start, W::Vague) {
        return None;
    }
    let mut found = iso(t, start)
        .or_else(|| offset(t, start))
        .or_else(|| amount(t, start))?;
    found.value.qualifier = qualifier;
    for _ in 0..2 {
        let after = qualifier_after(t, found.end);
        let Some((after, end)) = after else { break };
        if found.value.qualifier == Qualifier::Exact || found.value.qualifier == Qualifier::About {
            found.value.qualifier = after;
        }
        found.end = end;
    }
    Some(found)
}

fn qualifier_before(t: &Tokens, i: usize) -> Option<Qualifier> {
    if t.mark(i) == Some('~') {
        return Some(Qualifier::About);
    }
    t.find(i, |m| match m {
        Meaning::Class(W::Approx) => Some(Qualifier::About),
        Meaning::Class(W::Less) => Some(Qualifier::LessThan),
        Meaning::Class(W::More) => Some(Qualifier::MoreThan),
        Meaning::Class(W::AtLeast) => Some(Qualifier::AtLeast),
        Meaning::Class(W::AtMost) => Some(Qualifier::AtMost),
        _ => None,
    })
}

fn qualifier_after(t: &Tokens, i: usize) -> Option<(Qualifier, usize)> {
    if t.mark(i) == Some('+') {
        return Some((Qualifier::AtLeast, i + 1));
    }
    let found = t.find(i, |m| match m {
        Meaning::Class(W::ApproxAfter) => Some(Qualifier::About),
        Meaning::Class(W::LessAfter) => Some(Qualifier::LessThan),
        Meaning::Class(W::MoreAfter) => Some(Qualifier::MoreThan),
        Meaning::Class(W::AtLeastAfter) => Some(Qualifier::AtLeast),
        Meaning::Class(W::AtMostAfter) => Some(Qualifier::AtMost),
        _ => None,
    });
    found.map(|q| (q, i + 1))
}

/// Nothing that would make the number part of a name, version or address stands before it.
pub(super) fn starts_free(t: &Tokens, i: usize) -> bool {
    match t.touching(i) {
        None => true,
        Some(c) if is_spaced_letter(c) || c.is_ascii_digit() => false,
        Some('.' | ':' | '/' | '#' | '_' | '$' | '\\' | '@' | '%') => {
            // A list mark or a word before a colon is no part of it.
            matches!(t.touching(i), Some(':' | '/'))
                && i >= 2
                && t.digits(i - 2).is_none()
                && t.touching(i) == Some(':')
        }
        Some('-') => i >= 2 && t.get(i - 1).is_some_and(|m| m.gap),
        Some(_) => true,
    }
}

pub(super) fn exact(seconds: f64, end: usize) -> Found {
    let value = Elapsed {
        min: seconds,
        max: seconds,
        qualifier: Qualifier::Exact,
    };
    Found {
        end,
        value,
        maybe_clock: false,
    }
}

/// Whether a word of a class stands before token `i`, a colon or qualifier between them or not.
pub(super) fn preceded_by(t: &Tokens, i: usize, class: W) -> bool {
    let mut at = i;
    for _ in 0..4 {
        let Some(before) = Tokens::before(at) else {
            return false;
        };
        if t.is(before, class) {
            return true;
        }
        let skip = matches!(t.mark(before), Some(':' | '~' | '*' | '(' | '.'))
            || qualifier_before(t, before).is_some();
        if !skip {
            return false;
        }
        at = before;
    }
    false
}

fn amount(t: &Tokens, i: usize) -> Option<Found> {
    let rate = Tokens::before(i).is_some_and(|b| t.is(b, W::Per) && !t.is(b, W::Lasting));
    if !starts_free(t, i) || rate {
        return None;
    }
    clock_form(t, i)
        .or_else(|| range(t, i))
        .or_else(|| amount_of(t, i))
}

/// `30–45 minutes`, `between 5 and 10 minutes`, `10분에서 15분`.
fn range(t: &Tokens, i: usize) -> Option<Found> {
    let mut start = i;
    while t.is(start, W::From) {
        start += 1;
    }
    let joined = |at: usize| {
        let dash = matches!(t.mark(at), Some('-' | '–' | '—' | '~'));
        let words = t.is(at, W::To) || (start > i && t.is(at, W::And));
        (dash || words).then_some(at + 1)
    };
    // Number to number unit.
    if let Some(low) = number(t, start)
        && let Some(next) = joined(low.end)
        && let Some(high) = amount_of(t, next)
        && low.value > 0.0
        && !low.article
    {
        let unit = number(t, next)
            .and_then(|n| unit_at(t, &n))
            .map(|(unit, _)| unit);
        let min = low.value * unit?.seconds();
        if min < high.value.max {
            return Some(Found {
                end: high.end,
                value: Elapsed { min, ..high.value },
                maybe_clock: high.maybe_clock,
            });
        }
    }
    let low = amount_of(t, start)?;
    let next = joined(low.end)?;
    let high = amount_of(t, next).filter(|h| h.value.max > low.value.min)?;
    let value = Elapsed {
        min: low.value.min,
        ..high.value
    };
    Some(Found {
        end: high.end,
        value,
        maybe_clock: low.maybe_clock && high.maybe_clock,
    })
}

/// One or more amounts with their units: `2 hours and 15 minutes`.
pub(super) fn amount_of(t: &Tokens, i: usize) -> Option<Found> {
    let first = part(t, i, None)?;
    let (mut seconds, mut end, mut smallest) = (first.seconds, first.end, first.unit);
    let mut parts = 1;
    while parts < 6 {
        let mut next = end;
        if matches!(t.mark(next), Some(',')) {
            next += 1;
        }
        if t.is(next, W::And) {
            next += 1;
        }
        let Some(more) = part(t, next, Some(smallest)) else {
            break;
        };
        // "2 days 1 month" is one length too, but "5m, 3m" are two.
        if more.unit == smallest || (next > end && more.unit > smallest) {
            break;
        }
        seconds += more.seconds;
        end = more.end;
        smallest = more.unit;
        parts += 1;
    }
    // 1h20, 1시간 20: minutes without their unit.
    let mut maybe_clock = parts == 1 && first.bare_h;
    if parts == 1 && first.unit == Unit::Hour && first.symbol && !first.spaced {
        if let Some((minutes, 2)) = t.digits(end).filter(|_| t.attached(end))
            && minutes < 60
        {
            seconds += minutes as f64 * 60.0;
            end += 1;
            maybe_clock = true;
        }
    } else if maybe_clock
        && let Some((minutes, 2)) = t.digits(end)
        && minutes < 60
        && t.lexicon.h_is_clock
    {
        seconds += minutes as f64 * 60.0;
        end += 1;
    }
    if parts == 1 && !stands_alone(t, i, &first) {
        return None;
    }
    // 15분마다: how often, not how long.
    if t.is(end, W::Per) && t.text(end).iter().all(|c| !c.is_ascii()) {
        return None;
    }
    if t.is(end, W::Ago)
        && !t.is(end, W::And)
        && !matches!(t.text(end), ['b', 'e', 'f', 'o', 'r', 'e'])
    {
        return None;
    }
    Some(Found {
        maybe_clock,
        ..exact(seconds, end)
    })
}

struct Part {
    seconds: f64,
    unit: Unit,
    end: usize,
    /// The unit is a single letter.
    symbol: bool,
    /// A space stands between number and unit.
    spaced: bool,
    /// A whole number of hours written `h`.
    bare_h: bool,
    /// The unit is the mark of a date too.
    marks_date: bool,
    number: Number,
}

fn unit_at(t: &Tokens, number: &Number) -> Option<(Unit, usize)> {
    let mut at = number.end;
    if t.mark(at) == Some('+') && number.digits && t.attached(at) {
        at += 1;
    }
    if t.mark(at) == Some('-') && t.attached(at) && t.attached(at + 1) {
        at += 1;
    }
    let unit = t.find(at, |m| match m {
        Meaning::Unit(unit) => Some(*unit),
        _ => None,
    });
    Some((unit?, at))
}

fn part(t: &Tokens, i: usize, after: Option<Unit>) -> Option<Part> {
    let fixed = t.find(i, |m| match m {
        Meaning::Fixed(seconds) => Some(*seconds),
        _ => None,
    });
    if let Some(mut seconds) = fixed {
        let nothing = Number {
            value: 1.0,
            end: i,
            digits: false,
            article: false,
        };
        let unit = unit_of(seconds);
        let mut end = i + 1;
        if t.is(end, W::AndHalf) {
            seconds += unit.seconds() / 2.0;
            end += 1;
        }
        return Some(Part {
            seconds,
            unit,
            end,
            symbol: false,
            spaced: false,
            bare_h: false,
            marks_date: false,
            number: nothing,
        });
    }
    if t.is(i, W::Half) && !t.is(i, W::And) {
        let at = i + 1;
        let half = Number {
            value: 0.5,
            end: at,
            digits: false,
            article: false,
        };
        let (unit, at) = unit_at(t, &half)?;
        return Some(Part {
            seconds: unit.seconds() / 2.0,
            unit,
            end: at + 1,
            symbol: false,
            spaced: false,
            bare_h: false,
            marks_date: false,
            number: half,
        });
    }
    let number = number(t, i)?;
    let (unit, at) = unit_at(t, &number)?;
    let mut end = at + 1;
    let text = t.text(at);
    let symbol = text.len() == 1 && text[0].is_ascii_alphabetic();
    let spaced = !t.attached(at);
    if symbol && t.is_upper(at) && unit != Unit::Hour {
        return None;
    }
    if number.digits && symbol && !spaced && unit == Unit::Second && after.is_none() {
        // 404s, 1990s
        if (400.0..600.0).contains(&number.value) || number.value >= 1900.0 {
            return None;
        }
    }
    if symbol && spaced && unit == Unit::Minute && after != Some(Unit::Hour) {
        return None;
    }
    if number.article && unit == Unit::Second {
        return None;
    }
    let mut value = number.value;
    // An hour and a half; 3시간 반; une heure et demie.
    if t.is(end, W::AndHalf)
        && number.value == number.value.trunc()
        && !followed_by_unit(t, end + 1)
    {
        value += 0.5;
        end += 1;
    } else if t.is(end, W::And) && t.is(end + 1, W::AndHalf) {
        value += 0.5;
        end += 2;
    }
    if t.mark(end) == Some('.')
        && t.attached(end)
        && symbol_or_short(t, at)
        && t.digits(end + 1).is_some()
    {
        end += 1;
    }
    let bare_h = text == ['h'] && number.digits && value == value.trunc() && value < 25.0;
    let marks_date = t.meanings(at).iter().any(|m| matches!(m, Meaning::Date(_)));
    Some(Part {
        seconds: value * unit.seconds(),
        unit,
        end,
        symbol,
        spaced,
        bare_h,
        marks_date,
        number: Number { value, ..number },
    })
}

/// The largest unit that a length is made of.
fn unit_of(seconds: f64) -> Unit {
    let units = [Unit::Year, Unit::Month, Unit::Week, Unit::Day, Unit::Hour];
    let whole = units.into_iter().find(|u| seconds % u.seconds() == 0.0);
    whole.unwrap_or(Unit::Minute)
}

fn symbol_or_short(t: &Tokens, at: usize) -> bool {
    t.text(at).len() <= 4
}

fn followed_by_unit(t: &Tokens, i: usize) -> bool {
    t.meanings(i).iter().any(|m| matches!(m, Meaning::Unit(_)))
}

/// Whether a single amount is a duration: `3일` and `2019年` are days and years of the calendar
/// unless a word says otherwise, and `30분의 1` is a share.
fn stands_alone(t: &Tokens, i: usize, part: &Part) -> bool {
    if let Some(c) = t.touching_after(part.end)
        && ((part.symbol
            && (c.is_ascii_digit() || c == '.')
            && t.digits(part.end).is_some_and(|(_, n)| n != 2))
            || c == '_')
    {
        return false;
    }
    if part.number.article && Tokens::before(i).is_some_and(|b| counts(t, b)) {
        return false;
    }
    if !part.marks_date {
        return true;
    }
    let after = |class| t.is(part.end, class);
    let lasts = after(W::Lasting) || qualifier_after(t, part.end).is_some();
    let half = part.number.value != part.number.value.trunc();
    let whole = Tokens::before(i).is_some_and(|b| qualifier_before(t, b).is_some());
    let words = matches!(t.get(i).map(|k| k.kind), Some(Kind::Phrase(_)));
    let small = part.number.value < 100.0;
    let span = t
        .touching_after(part.end)
        .is_some_and(|c| c == '간' || c == '間' || (is_hangul(c) && t.is(part.end, W::Lasting)));
    small && (lasts || half || whole || words || span)
}

/// `twice a day`, `100 requests a second`: a rate.
fn counts(t: &Tokens, before: usize) -> bool {
    const TIMES: [&str; 8] = [
        "times", "once", "twice", "fois", "mal", "veces", "vezes", "kali",
    ];
    let word = t.text(before);
    if TIMES
        .iter()
        .any(|times| times.chars().eq(word.iter().copied()))
    {
        return true;
    }
    let number = Tokens::before(before).is_some_and(|b| t.digits(b).is_some());
    number && matches!(t.get(before).map(|k| k.kind), Some(Kind::Word))
}

/// Whether the mark after a number of a date stands at `i`.
pub(super) fn is_date_mark(t: &Tokens, i: usize, mark: DateMark) -> bool {
    t.meanings(i).contains(&Meaning::Date(mark))
}
