//! Numbers, in digits and in words.

use crate::vocabulary::WordClass;

use super::lexicon::Meaning;
use super::token::{Kind, Tokens};

/// A number with the token after it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number {
    pub value: f64,
    pub end: usize,
    /// Written in digits.
    pub digits: bool,
    /// Only an article: `a`, `une`.
    pub article: bool,
}

/// The number that starts at token `i`.
pub(super) fn number(t: &Tokens, i: usize) -> Option<Number> {
    let mut number = match t.get(i)?.kind {
        Kind::Digits(..) => in_digits(t, i)?,
        Kind::Numeral(value) => Number {
            value,
            end: i + 1,
            digits: false,
            article: false,
        },
        Kind::Phrase(_) => in_words(t, i)?,
        Kind::Mark('½' | '¼' | '¾') => Number {
            value: 0.0,
            end: i,
            digits: true,
            article: false,
        },
        _ => return None,
    };
    if let Some(part) = vulgar(t.mark(number.end)) {
        number.value += part;
        number.end += 1;
    }
    // 30여 분: some thirty minutes.
    let unit_follows = t
        .meanings(number.end + 1)
        .iter()
        .any(|m| matches!(m, Meaning::Unit(_)));
    if t.is(number.end, WordClass::ApproxAfter) && unit_follows && t.attached(number.end) {
        number.end += 1;
    }
    let half = if t.is(number.end, WordClass::AndHalf) {
        number.end += 1;
        0.5
    } else {
        0.0
    };
    if half > 0.0 {
        number.value += half;
        number.article = false;
    }
    number.value.is_finite().then_some(number)
}

fn vulgar(mark: Option<char>) -> Option<f64> {
    match mark? {
        '½' => Some(0.5),
        '¼' => Some(0.25),
        '¾' => Some(0.75),
        _ => None,
    }
}

fn in_digits(t: &Tokens, i: usize) -> Option<Number> {
    let (whole, count) = t.digits(i)?;
    if count > 15 {
        return None;
    }
    let (group, point) = if t.lexicon.decimal_comma {
        ('.', ',')
    } else {
        (',', '.')
    };
    let (mut value, mut end) = (whole as f64, i + 1);
    let part = |end: usize| {
        let attached = t.attached(end) && t.attached(end + 1);
        attached.then(|| t.digits(end + 1)).flatten()
    };
    while t.mark(end) == Some(group) {
        match part(end) {
            Some((more, 3)) if count <= 3 && value < 1e12 => {
                value = value * 1000.0 + more as f64;
                end += 2;
            }
            _ => break,
        }
    }
    let decimals = match t.mark(end) {
        Some(c) if c == point || (c == '.' && end == i + 1) => part(end),
        _ => None,
    };
    if let Some((more, count)) = decimals.filter(|(_, count)| *count <= 6) {
        value += more as f64 / 10_f64.powi(i32::from(count));
        end += 2;
    } else if t.mark(end) == Some('/')
        && t.attached(end)
        && whole == 1
        && let Some((below @ 2..=4, 1)) = part(end)
    {
        value = 1.0 / below as f64;
        end += 2;
    }
    Some(Number {
        value,
        end,
        digits: true,
        article: false,
    })
}

fn in_words(t: &Tokens, i: usize) -> Option<Number> {
    let word = |i: usize| {
        t.find(i, |m| match m {
            Meaning::Number(v) => Some(*v),
            _ => None,
        })
    };
    let scale = |i: usize| {
        t.find(i, |m| match m {
            Meaning::Scale(v) => Some(*v),
            _ => None,
        })
    };
    let mut value = word(i).or_else(|| scale(i).filter(|s| *s > 0.0))?;
    let article = value == 1.0;
    let mut end = i + 1;
    loop {
        // A hyphen or "and" may stand between the parts of a number.
        let mut next = end;
        let hyphen = t.mark(next) == Some('-') && t.attached(next) && t.attached(next + 1);
        if hyphen || t.is(next, WordClass::And) {
            next += 1;
        }
        if let Some(by) = scale(next) {
            value = if by > 0.0 { value * by } else { value - by };
            end = next + 1;
            continue;
        }
        let room = if value >= 100.0 && value % 100.0 == 0.0 {
            100.0
        } else if value >= 20.0 && value % 10.0 == 0.0 {
            if t.lexicon.h_is_clock && value % 20.0 == 0.0 {
                20.0
            } else {
                10.0
            }
        } else {
            0.0
        };
        match word(next) {
            Some(more) if more > 0.0 && more < room => {
                value += more;
                end = next + 1;
            }
            _ => break,
        }
    }
    // satu setengah jam: one and a half hours.
    if t.is(end, WordClass::Half) && value >= 1.0 && t.is(end, WordClass::AndHalf) {
        value += 0.5;
        end += 1;
        return Some(Number {
            value,
            end,
            digits: false,
            article: false,
        });
    }
    Some(Number {
        value,
        end,
        digits: false,
        article: article && end == i + 1,
    })
}
